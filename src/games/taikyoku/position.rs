//! A position: board, side to move, counters, rules and history; moves are made and taken back in place.

use std::sync::Arc;

use super::board::Board;
use super::catalog::catalog;
use super::compile::{Table, lane};
use super::lines::pieces_between;
use super::piece::{Move, Piece};
use super::ruleset::RuleSet;
use super::square::Square;
use super::values::Values;
use super::zobrist;
use crate::game::{Rules, Side};

/// What taking a move back needs.
#[derive(Clone, Copy, Debug)]
struct Undo {
    mv: Move,
    /// The moving piece as it was.
    piece: Piece,
    null: bool,
    /// Where the captured pieces of the move begin in the common stack.
    captured: u32,
    no_progress: u32,
    key: u64,
    worth: [i32; 2],
}

/// A position of taikyoku shogi with its history.
#[derive(Clone, Debug)]
pub struct Position {
    pub(crate) board: Box<Board>,
    pub(crate) table: &'static Table,
    rules: Rules<RuleSet>,
    side: Side,
    key: u64,
    no_progress: u32,
    move_number: u32,
    history: Vec<Undo>,
    captured: Vec<(Square, Piece)>,
    /// What the pieces are worth, once an engine has said so.
    values: Option<Arc<Values>>,
    /// What the pieces of each side are worth together by `values`, placement included; 0 without them.
    worth: [i32; 2],
}

impl Position {
    /// A board without pieces, the first player to move.
    pub fn empty(rules: Rules<RuleSet>) -> Self {
        Self {
            board: Box::new(Board::empty()),
            table: Table::of(rules.set),
            rules,
            side: Side::First,
            key: 0,
            no_progress: 0,
            move_number: 1,
            history: Vec::new(),
            captured: Vec::new(),
            values: None,
            worth: [0; 2],
        }
    }

    /// The initial position.
    pub fn initial(rules: Rules<RuleSet>) -> Self {
        let mut position = Self::empty(rules);
        for &(square, kind) in &catalog().setup {
            position.place(square, Piece::new(Side::First, kind, false));
            position.place(square.turned(), Piece::new(Side::Second, kind, false));
        }
        position
    }

    /// Puts a piece on a square while a position is set up; a piece that stood there leaves.
    pub fn place(&mut self, square: Square, piece: Piece) {
        debug_assert!(self.history.is_empty(), "pieces are placed before the first move");
        self.clear(square);
        self.board.put(self.table, square, piece);
        self.board.count_in(self.table, piece);
        self.key ^= zobrist::key(piece, square);
        self.add_worth(piece, square);
    }

    /// Empties a square while a position is set up.
    pub fn clear(&mut self, square: Square) {
        if let Some(old) = self.piece_at(square) {
            self.board.lift(self.table, square, old);
            self.board.count_out(self.table, old);
            self.key ^= zobrist::key(old, square);
            self.take_worth(old, square);
        }
    }

    /// Sets whose turn it is, the plies without capture or promotion, and the move number, while a position is set up.
    pub fn set_state(&mut self, side: Side, no_progress: u32, move_number: u32) {
        if side != self.side {
            self.key ^= zobrist::SECOND_TO_MOVE;
        }
        (self.side, self.no_progress, self.move_number) = (side, no_progress, move_number);
    }

    /// The rules it is played by.
    pub fn rules(&self) -> Rules<RuleSet> {
        self.rules
    }

    /// The same position, without its history, by other rules.
    #[must_use]
    pub fn with_rules(&self, rules: Rules<RuleSet>) -> Self {
        let mut other = Self::empty(rules);
        for side in Side::ALL {
            for (square, piece) in self.pieces(side) {
                other.place(square, piece);
            }
        }
        other.set_state(self.side, self.no_progress, self.move_number);
        other
    }

    /// Whose turn it is.
    #[inline(always)]
    pub fn side_to_move(&self) -> Side {
        self.side
    }

    /// The Zobrist key of pieces with their promoted flags and of the side to move.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key computed afresh; equals [`Position::key`].
    pub fn fresh_key(&self) -> u64 {
        let pieces = Side::ALL.into_iter().flat_map(|side| self.pieces(side));
        let keys = pieces.fold(0, |key, (square, piece)| key ^ zobrist::key(piece, square));
        if self.side == Side::Second { keys ^ zobrist::SECOND_TO_MOVE } else { keys }
    }

    /// Whether occupancies and sets equal those of a board built afresh.
    pub fn is_consistent(&self) -> bool {
        let fresh = self.with_rules(self.rules);
        *fresh.board == *self.board
            && self.fresh_key() == self.key
            && self.values.as_deref().is_none_or(|values| self.fresh_worth(values) == self.worth)
    }

    /// From now on sums up what the pieces are worth by these values, move by move.
    pub(crate) fn set_values(&mut self, values: &Arc<Values>) {
        self.worth = self.fresh_worth(values);
        self.values = Some(Arc::clone(values));
    }

    /// What the pieces of each side are worth by these values, placement included. Costs next to nothing for those of
    /// [`Position::set_values`], a walk over the board for others.
    #[inline]
    pub(crate) fn worth_by(&self, values: &Arc<Values>) -> [i32; 2] {
        match &self.values {
            Some(known) if Arc::ptr_eq(known, values) => self.worth,
            _ => self.fresh_worth(values),
        }
    }

    #[inline(never)]
    fn fresh_worth(&self, values: &Values) -> [i32; 2] {
        Side::ALL
            .map(|side| self.pieces(side).map(|(square, piece)| values.worth(piece, square)).sum())
    }

    #[inline(always)]
    fn add_worth(&mut self, piece: Piece, square: Square) {
        if let Some(values) = &self.values {
            self.worth[piece.side().index()] += values.worth(piece, square);
        }
    }

    #[inline(always)]
    fn take_worth(&mut self, piece: Piece, square: Square) {
        if let Some(values) = &self.values {
            self.worth[piece.side().index()] -= values.worth(piece, square);
        }
    }

    /// Plies since the last capture or promotion.
    pub fn no_progress_plies(&self) -> u32 {
        self.no_progress
    }

    /// The number of the move, counted from 1; it rises after the second player's move.
    pub fn move_number(&self) -> u32 {
        self.move_number
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let piece = self.board.at(square);
        piece.is_some().then_some(piece)
    }

    /// The pieces of a side in reading order.
    pub fn pieces(&self, side: Side) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.board.squares(side).map(|square| (square, self.board.at(square)))
    }

    /// The number of pieces of a side.
    pub fn piece_count(&self, side: Side) -> usize {
        (0..super::square::SIZE).map(|row| self.board.row(side, row).count_ones() as usize).sum()
    }

    /// The pieces of a side in a row (0: rank `a`), one bit per column (0: file 36).
    #[inline(always)]
    pub fn row_occupancy(&self, side: Side, row: usize) -> u64 {
        self.board.row(side, row)
    }

    /// The squares of a side's royals in reading order.
    pub fn royals(&self, side: Side) -> impl Iterator<Item = Square> + '_ {
        self.board.royal_squares(side)
    }

    /// The number of a side's royals.
    #[inline(always)]
    pub fn royal_count(&self, side: Side) -> usize {
        usize::from(self.board.royals[side.index()])
    }

    /// Whether a piece is a royal.
    #[inline(always)]
    pub(crate) fn is_royal(&self, piece: Piece) -> bool {
        self.table.lanes[piece.code()] >> lane::ROYAL & 1 != 0
    }

    /// Whether a side has lost its last royal, which ends the game.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.board.royals[0] == 0 || self.board.royals[1] == 0
    }

    /// What a piece becomes when it promotes; `None` if it cannot promote (any more).
    #[inline(always)]
    pub fn promotion_of(&self, piece: Piece) -> Option<Piece> {
        let promoted = self.table.promotion[piece.code()];
        promoted.is_some().then_some(promoted)
    }

    /// The compiled rules it is played by.
    pub fn table(&self) -> &'static Table {
        self.table
    }

    /// Every square that a legal move empties of pieces other than the mover, own ones too, with those pieces.
    pub fn captures(&self, mv: Move) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let end = (mv.from() != mv.to()).then_some(mv.to());
        let [first, second] = &self.board.lines;
        let between = mv.sweeps().then(|| pieces_between(first, second, mv.from(), mv.to()));
        mv.first_capture()
            .into_iter()
            .chain(between.into_iter().flatten())
            .chain(end)
            .filter_map(|square| self.piece_at(square).map(|piece| (square, piece)))
    }

    /// Whether a legal move captures anything.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        mv.is_special() || mv.from() != mv.to() && self.board.at(mv.to()).is_some()
    }

    /// Plays a legal move.
    pub fn make(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let piece = self.board.at(from);
        debug_assert!(piece.is_some() && piece.side() == self.side, "{mv:?} moves no own piece");
        self.history.push(Undo {
            mv,
            piece,
            null: false,
            captured: self.captured.len() as u32,
            no_progress: self.no_progress,
            key: self.key,
            worth: self.worth,
        });
        self.no_progress += 1;
        if mv.is_special() {
            self.capture_special(mv);
        }
        if from != to {
            self.capture(to);
        }
        if from != to || mv.promotes() {
            self.board.lift(self.table, from, piece);
            let arriving = self.promoted_if(mv, piece);
            self.board.put(self.table, to, arriving);
            self.key ^= zobrist::key(piece, from) ^ zobrist::key(arriving, to);
            self.take_worth(piece, from);
            self.add_worth(arriving, to);
        }
        self.pass_turn();
    }

    /// The key after a move, if it captures nothing but what stands on its target.
    #[inline(always)]
    pub(crate) fn likely_key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let (piece, target) = (self.board.at(from), self.board.at(to));
        let arriving = if mv.promotes() { self.table.promotion[piece.code()] } else { piece };
        let mut key = self.key ^ zobrist::SECOND_TO_MOVE;
        if from != to || mv.promotes() {
            key ^= zobrist::key(piece, from) ^ zobrist::key(arriving, to);
        }
        if from != to && target.is_some() {
            key ^= zobrist::key(target, to);
        }
        key
    }

    #[inline(always)]
    fn promoted_if(&mut self, mv: Move, piece: Piece) -> Piece {
        if !mv.promotes() {
            return piece;
        }
        let promoted = self.table.promotion[piece.code()];
        debug_assert!(promoted.is_some(), "{mv:?} promotes a piece that cannot");
        self.board.count_out(self.table, piece);
        self.board.count_in(self.table, promoted);
        self.no_progress = 0;
        promoted
    }

    #[inline(always)]
    fn capture(&mut self, square: Square) {
        let target = self.board.at(square);
        if target.is_some() {
            self.captured.push((square, target));
            self.board.lift(self.table, square, target);
            self.board.count_out(self.table, target);
            self.key ^= zobrist::key(target, square);
            self.take_worth(target, square);
            self.no_progress = 0;
        }
    }

    #[cold]
    fn capture_special(&mut self, mv: Move) {
        if let Some(first) = mv.first_capture() {
            self.capture(first);
        }
        if mv.sweeps() {
            let [first, second] = &self.board.lines;
            pieces_between(first, second, mv.from(), mv.to())
                .for_each(|square| self.capture(square));
        }
    }

    #[inline(always)]
    fn pass_turn(&mut self) {
        self.move_number += self.side as u32;
        self.side = !self.side;
        self.key ^= zobrist::SECOND_TO_MOVE;
    }

    /// Takes the last move back.
    ///
    /// # Panics
    /// If no move was made.
    pub fn unmake(&mut self) {
        let undo = self.history.pop().expect("a move was made before it is taken back");
        debug_assert!(!undo.null, "a null move is taken back as one");
        self.side = !self.side;
        self.move_number -= self.side as u32;
        let (from, to) = (undo.mv.from(), undo.mv.to());
        if from != to || undo.mv.promotes() {
            let arrived = self.board.at(to);
            if undo.mv.promotes() {
                self.board.count_out(self.table, arrived);
                self.board.count_in(self.table, undo.piece);
            }
            self.board.lift(self.table, to, arrived);
            self.board.put(self.table, from, undo.piece);
        }
        while self.captured.len() > undo.captured as usize {
            let (square, piece) = self.captured.pop().expect("the stack is longer than the mark");
            self.board.put(self.table, square, piece);
            self.board.count_in(self.table, piece);
        }
        self.key = undo.key;
        self.worth = undo.worth;
        self.no_progress = undo.no_progress;
    }

    /// Passes the turn; counters stay as they are.
    pub fn make_null(&mut self) {
        self.history.push(Undo {
            mv: Move::from_bits(0),
            piece: Piece::NONE,
            null: true,
            captured: self.captured.len() as u32,
            no_progress: self.no_progress,
            key: self.key,
            worth: self.worth,
        });
        self.side = !self.side;
        self.key ^= zobrist::SECOND_TO_MOVE;
    }

    /// Takes a null move back.
    ///
    /// # Panics
    /// If no move was made.
    pub fn unmake_null(&mut self) {
        let undo = self.history.pop().expect("a null move was made before it is taken back");
        debug_assert!(undo.null, "a null move is taken back as one");
        self.side = !self.side;
        self.key = undo.key;
    }

    /// Moves made since the position was set up, null moves left out.
    pub fn plies(&self) -> usize {
        self.history.len() - self.history.iter().filter(|undo| undo.null).count()
    }

    /// The moves made since the position was set up, oldest first, null moves left out.
    pub fn moves_made(&self) -> Vec<Move> {
        self.history.iter().filter(|undo| !undo.null).map(|undo| undo.mv).collect()
    }

    /// How many plies ago this position stood before, nearest first, as far back as moves could be undone by others: no capture
    /// or promotion (and no null move) in between.
    pub(crate) fn earlier_occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let reversible = (self.no_progress as usize).min(self.history.len());
        let back = self.history.iter().rev().take(reversible).take_while(|undo| !undo.null);
        back.enumerate().filter(|(_, undo)| undo.key == self.key).map(|(index, _)| index + 1)
    }
}
