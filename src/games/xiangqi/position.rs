//! The position: board, side to move, counters, rule set and history; make and unmake in place.
//!
//! The same placement is kept in three forms, each updated by a few exclusive-ors: a mailbox (what stands here?), bitboards
//! (where do such pieces stand?) and line occupancies (what does a chariot see?).

use super::bitboard::Bitboard;
use super::moves::Move;
use super::piece::{Kind, PIECES, Piece};
use super::rules::XiangqiRules;
use super::square::{FILES, RANKS, SQUARES, Square};
use super::zobrist::{PIECE_KEYS, SIDE_KEY};
use crate::game::Side;

/// Mailbox code of an empty point.
const EMPTY: u8 = PIECES as u8;

/// Occupancies of one side by line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Lines {
    /// By rank + 1, 9 bits each; the two outer ranks stay empty.
    ranks: [u16; RANKS + 2],
    /// By file, 10 bits each.
    files: [u16; FILES],
}

/// What a move changed, to take it back and to judge repetitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The move; [`Move::NULL`] for a null move.
    pub mv: Move,
    /// What it captured.
    pub captured: Option<Piece>,
    /// The key of the position before the move.
    pub key: u64,
    /// The plies without a capture before the move.
    pub quiet_plies: u32,
}

/// A position of xiangqi with its history.
#[derive(Clone, Debug)]
pub struct Position {
    board: [u8; SQUARES],
    pieces: [Bitboard; PIECES],
    sides: [Bitboard; 2],
    lines: [Lines; 2],
    generals: [Square; 2],
    side_to_move: Side,
    key: u64,
    quiet_plies: u32,
    start_move_number: u32,
    start_side: Side,
    rules: XiangqiRules,
    history: Vec<Record>,
}

impl Position {
    /// Sets up a position without any check of its sense.
    ///
    /// # Panics
    /// If a side has no general: the border ([`super::fen`]) refuses such boards.
    pub(super) fn from_board(
        pieces: impl IntoIterator<Item = (Square, Piece)>,
        side_to_move: Side,
        quiet_plies: u32,
        move_number: u32,
        rules: XiangqiRules,
    ) -> Self {
        let mut position = Self {
            board: [EMPTY; SQUARES],
            pieces: [Bitboard::EMPTY; PIECES],
            sides: [Bitboard::EMPTY; 2],
            lines: [Lines::default(); 2],
            generals: [Square::from_index(0); 2],
            side_to_move,
            key: if side_to_move == Side::Second { SIDE_KEY } else { 0 },
            quiet_plies,
            start_move_number: move_number,
            start_side: side_to_move,
            rules,
            history: Vec::new(),
        };
        for (square, piece) in pieces {
            position.toggle(piece, square);
            position.board[square.index()] = piece.index() as u8;
        }
        for side in Side::ALL {
            position.generals[side.index()] = position
                .pieces(side, Kind::General)
                .first()
                .expect("the border refuses boards without a general");
        }
        position
    }

    /// The piece on a point.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let code = self.board[square.index()];
        if code == EMPTY { None } else { Some(Piece::from_index(code as usize)) }
    }

    /// The number of the piece on a point ([`Piece::index`]), [`PIECES`] if it is empty.
    #[inline(always)]
    pub(super) fn number_at(&self, square: Square) -> usize {
        usize::from(self.board[square.index()])
    }

    /// The points of a side's pieces of a kind.
    #[inline(always)]
    pub fn pieces(&self, side: Side, kind: Kind) -> Bitboard {
        self.pieces[Piece::new(side, kind).index()]
    }

    /// The points of all pieces of a side.
    #[inline(always)]
    pub fn side(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// All occupied points.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// Where a side's general stands.
    #[inline(always)]
    pub fn general(&self, side: Side) -> Square {
        self.generals[side.index()]
    }

    /// The occupancy of a rank (9 bits); `rank` may be -1 or 10, which are empty.
    #[inline(always)]
    pub(super) fn rank_line(&self, rank: i32) -> u16 {
        let index = (rank + 1) as usize;
        self.lines[0].ranks[index] | self.lines[1].ranks[index]
    }

    /// The occupancy of a file (10 bits).
    #[inline(always)]
    pub(super) fn file_line(&self, file: usize) -> u16 {
        self.lines[0].files[file] | self.lines[1].files[file]
    }

    /// A side's pieces on a rank (9 bits).
    #[inline(always)]
    pub(super) fn side_rank_line(&self, side: Side, rank: usize) -> u16 {
        self.lines[side.index()].ranks[rank + 1]
    }

    /// A side's pieces on a file (10 bits).
    #[inline(always)]
    pub(super) fn side_file_line(&self, side: Side, file: usize) -> u16 {
        self.lines[side.index()].files[file]
    }

    /// Whose turn it is.
    #[inline(always)]
    pub fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    /// The Zobrist key of placement and side to move.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Plies since the last capture (from the FEN's counter on).
    #[inline(always)]
    pub fn quiet_plies(&self) -> u32 {
        self.quiet_plies
    }

    /// The number of the current full move: counts up after Black's move.
    pub fn move_number(&self) -> u32 {
        let plies = self.history.iter().filter(|record| record.mv != Move::NULL).count() as u32;
        self.start_move_number + (plies + (self.start_side == Side::Second) as u32) / 2
    }

    /// The rules that the position is played by.
    pub fn rules(&self) -> XiangqiRules {
        self.rules
    }

    /// What was played since the position was set up, oldest first.
    pub fn history(&self) -> &[Record] {
        &self.history
    }

    /// Plays a move from a point with a piece of the side to move.
    #[inline(always)]
    pub fn make(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        debug_assert_eq!(self.piece_at(from).map(Piece::side), Some(self.side_to_move));
        let moved = Piece::from_index(self.board[from.index()] as usize);
        let captured = self.piece_at(to);
        self.history.push(Record { mv, captured, key: self.key, quiet_plies: self.quiet_plies });
        self.quiet_plies += 1;
        if let Some(captured) = captured {
            self.toggle(captured, to);
            self.quiet_plies = 0;
        }
        self.shift(moved, from, to);
        self.board[from.index()] = EMPTY;
        self.board[to.index()] = moved.index() as u8;
        self.key ^= SIDE_KEY;
        self.side_to_move = !self.side_to_move;
    }

    /// Takes the last move (or null move) back.
    ///
    /// # Panics
    /// If there is none.
    #[inline(always)]
    pub fn unmake(&mut self) {
        let record = self.history.pop().expect("unmake follows a make");
        self.side_to_move = !self.side_to_move;
        self.quiet_plies = record.quiet_plies;
        if record.mv != Move::NULL {
            let (from, to) = (record.mv.from(), record.mv.to());
            let moved = Piece::from_index(self.board[to.index()] as usize);
            self.shift(moved, to, from);
            self.board[from.index()] = moved.index() as u8;
            self.board[to.index()] = EMPTY;
            if let Some(captured) = record.captured {
                self.toggle(captured, to);
                self.board[to.index()] = captured.index() as u8;
            }
        }
        self.key = record.key;
    }

    /// Passes the turn; the counter of quiet plies stays as it is.
    pub fn make_null(&mut self) {
        self.history.push(Record {
            mv: Move::NULL,
            captured: None,
            key: self.key,
            quiet_plies: self.quiet_plies,
        });
        self.key ^= SIDE_KEY;
        self.side_to_move = !self.side_to_move;
    }

    /// The position after a move, without touching this one.
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.make(mv);
        next
    }

    /// The key after a move from a point with a piece of the side to move.
    #[inline(always)]
    pub(super) fn key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let mut key = self.key ^ SIDE_KEY;
        if let Some(moved) = self.piece_at(from) {
            let keys = &PIECE_KEYS[moved.index()];
            key ^= keys[from.index()] ^ keys[to.index()];
        }
        if let Some(captured) = self.piece_at(to) {
            key ^= PIECE_KEYS[captured.index()][to.index()];
        }
        key
    }

    /// The key computed anew from the board: equal to [`Position::key`], always.
    pub fn key_slow(&self) -> u64 {
        let side = if self.side_to_move == Side::Second { SIDE_KEY } else { 0 };
        Square::all()
            .filter_map(|square| Some(PIECE_KEYS[self.piece_at(square)?.index()][square.index()]))
            .fold(side, |key, piece_key| key ^ piece_key)
    }

    /// Puts a piece on an empty point or takes it off, in bitboards, lines and key.
    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let side = piece.side().index();
        let bit = Bitboard::of(square);
        self.pieces[piece.index()] ^= bit;
        self.sides[side] ^= bit;
        self.lines[side].ranks[square.rank() + 1] ^= 1 << square.file();
        self.lines[side].files[square.file()] ^= 1 << square.rank();
        self.key ^= PIECE_KEYS[piece.index()][square.index()];
    }

    /// Moves a piece to an empty point, in bitboards, lines, generals and key.
    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let side = piece.side().index();
        let bits = Bitboard::of(from) | Bitboard::of(to);
        self.pieces[piece.index()] ^= bits;
        self.sides[side] ^= bits;
        let lines = &mut self.lines[side];
        lines.ranks[from.rank() + 1] ^= 1 << from.file();
        lines.files[from.file()] ^= 1 << from.rank();
        lines.ranks[to.rank() + 1] ^= 1 << to.file();
        lines.files[to.file()] ^= 1 << to.rank();
        let keys = &PIECE_KEYS[piece.index()];
        self.key ^= keys[from.index()] ^ keys[to.index()];
        if piece.kind() == Kind::General {
            self.generals[side] = to;
        }
    }
}

impl PartialEq for Position {
    /// Equal in everything but the history: board, bitboards, lines, key, counters and rules.
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
            && self.pieces == other.pieces
            && self.sides == other.sides
            && self.lines == other.lines
            && self.generals == other.generals
            && self.side_to_move == other.side_to_move
            && self.key == other.key
            && self.quiet_plies == other.quiet_plies
            && self.move_number() == other.move_number()
            && self.rules == other.rules
    }
}

impl Eq for Position {}
