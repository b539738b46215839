//! Legal moves of the side to move.
//!
//! 1. Steps and slides of all pieces at once. For each row, eight bitboards hold the pieces that may step in each direction.
//!    Shifted by one step, without the squares of own pieces, they tell which pieces can move that way at all; in the opening
//!    that is one in thirty. Only for those we look at the board.
//! 2. The pieces with a program, one by one; see [`super::special`].
//!
//! No check rule: any royal may be left en prise. A position in which a side has no royal has no moves.

use super::attack::aligned;
use super::board::{Board, bits};
use super::compile::{Table, lane};
use super::lines::{Lines, ROW_MASK, ROWS, reach};
use super::moveset::UNLIMITED;
use super::piece::{Move, Piece};
use super::position::Position;
use super::ruleset::Promotion;
use super::square::{SIZE, SLOT_STEPS, STEPS, Square, row_in_zone};
use crate::game::{MoveKind, Side};

/// Where generated moves go: to a list or to a counter.
pub(crate) trait Sink {
    /// One move.
    fn one(&mut self, mv: Move);

    /// `count` moves whose targets follow each other, `slots` apart.
    fn run(&mut self, first: Move, slots: u32, count: u32);

    /// The moves whose targets lie as many times `slots` beyond that of `first` as the numbers of the bits say.
    fn set(&mut self, first: Move, slots: u32, targets: u64);
}

impl Sink for Vec<Move> {
    #[inline(always)]
    fn one(&mut self, mv: Move) {
        self.push(mv);
    }

    #[inline(always)]
    fn run(&mut self, first: Move, slots: u32, count: u32) {
        self.extend((0..count).map(|n| first.shifted(slots.wrapping_mul(n))));
    }

    #[inline(always)]
    fn set(&mut self, first: Move, slots: u32, targets: u64) {
        for n in bits(targets) {
            self.push(first.shifted(slots.wrapping_mul(n as u32)));
        }
    }
}

/// Counts moves.
#[derive(Default)]
pub(crate) struct Counter(pub(crate) u64);

impl Sink for Counter {
    #[inline(always)]
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }

    #[inline(always)]
    fn run(&mut self, _: Move, _: u32, count: u32) {
        self.0 += u64::from(count);
    }

    #[inline(always)]
    fn set(&mut self, _: Move, _: u32, targets: u64) {
        self.0 += u64::from(targets.count_ones());
    }
}

/// All moves.
const ALL: u8 = 0;
/// Captures and promotions.
const NOISY: u8 = 1;
/// All others.
const QUIET: u8 = 2;

/// Whether a move takes anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Takes {
    /// It takes at least one piece.
    Something,
    /// It takes nothing.
    Nothing,
}

impl Takes {
    #[inline(always)]
    pub(crate) const fn if_so(takes: bool) -> Self {
        if takes { Self::Something } else { Self::Nothing }
    }
}

/// The generator: `WANT` is one of [`ALL`], [`NOISY`] and [`QUIET`].
pub(crate) struct Generator<'a, S, const WANT: u8> {
    pub(crate) board: &'a Board,
    pub(crate) table: &'static Table,
    pub(crate) side: Side,
    pub(crate) own: &'a Lines,
    pub(crate) enemy: &'a Lines,
    pub(crate) sink: &'a mut S,
}

/// Appends the legal moves of a kind.
pub(crate) fn generate(position: &Position, kind: MoveKind, moves: &mut Vec<Move>) {
    match kind {
        MoveKind::All => run::<_, ALL>(position, moves),
        MoveKind::Noisy => run::<_, NOISY>(position, moves),
        MoveKind::Quiet => run::<_, QUIET>(position, moves),
    }
}

/// Looks for one move.
struct Finder {
    wanted: Move,
    found: bool,
}

impl Sink for Finder {
    #[inline(always)]
    fn one(&mut self, mv: Move) {
        self.found |= mv == self.wanted;
    }

    #[inline(always)]
    fn run(&mut self, first: Move, slots: u32, count: u32) {
        for n in 0..count {
            self.one(first.shifted(slots.wrapping_mul(n)));
        }
    }

    #[inline(always)]
    fn set(&mut self, first: Move, slots: u32, targets: u64) {
        for n in bits(targets) {
            self.one(first.shifted(slots.wrapping_mul(n as u32)));
        }
    }
}

/// Whether a move, whose bits may come from anywhere, is legal. Generates the moves of its piece only.
pub(crate) fn is_legal(position: &Position, mv: Move) -> bool {
    let board = &*position.board;
    let side = position.side_to_move();
    let on_board = |square: Square| square.row() < SIZE && square.column() < SIZE;
    if !on_board(mv.from()) || !on_board(mv.to()) || position.is_over() {
        return false;
    }
    let from = mv.from();
    let piece = board.at(from);
    if !piece.is_some() || piece.side() != side {
        return false;
    }
    let mut finder = Finder { wanted: mv, found: false };
    let mut generator = Generator::<Finder, ALL> {
        board,
        table: position.table,
        side,
        own: &board.lines[side.index()],
        enemy: &board.lines[1 - side.index()],
        sink: &mut finder,
    };
    let rows = mv.to().row() as i32 - from.row() as i32;
    let columns = mv.to().column() as i32 - from.column() as i32;
    if let Some((direction, _)) = aligned(rows, columns)
        && position.table.slides[piece.code()][direction] != 0
    {
        let (row, column) = (from.row(), from.column());
        let next =
            Square::checked(row as i32 + STEPS[direction].0, column as i32 + STEPS[direction].1);
        let next = next.expect("a square lies between a square and another on its line");
        if !generator.is_own(next) {
            let targets = 1 << next.column();
            match direction {
                0 => generator.lane::<0>(row, targets),
                1 => generator.lane::<1>(row, targets),
                2 => generator.lane::<2>(row, targets),
                3 => generator.lane::<3>(row, targets),
                4 => generator.lane::<4>(row, targets),
                5 => generator.lane::<5>(row, targets),
                6 => generator.lane::<6>(row, targets),
                _ => generator.lane::<7>(row, targets),
            }
        }
    }
    if position.table.lanes[piece.code()] >> lane::SPECIAL & 1 != 0 {
        generator.special(from, piece);
    }
    finder.found
}

/// The number of legal moves.
pub(crate) fn count(position: &Position) -> u64 {
    let mut counter = Counter::default();
    run::<_, ALL>(position, &mut counter);
    counter.0
}

/// Whether the side to move has a legal move.
pub(crate) fn has_moves(position: &Position) -> bool {
    count(position) > 0
}

fn run<S: Sink, const WANT: u8>(position: &Position, sink: &mut S) {
    if position.is_over() {
        return;
    }
    let side = position.side_to_move();
    let board = &*position.board;
    let mut generator = Generator::<S, WANT> {
        board,
        table: position.table,
        side,
        own: &board.lines[side.index()],
        enemy: &board.lines[1 - side.index()],
        sink,
    };
    generator.steps_and_slides();
    generator.special_pieces();
}

/// How far the pieces of a row shift to the left and to the right for a step in each direction.
const LEFT: [u64; 8] = [0, 1, 1, 1, 0, 0, 0, 0];
const RIGHT: [u64; 8] = [0, 0, 0, 0, 0, 1, 1, 1];

impl<S: Sink, const WANT: u8> Generator<'_, S, WANT> {
    fn steps_and_slides(&mut self) {
        for row in 0..SIZE {
            let (above, here, below) =
                (self.own[ROWS + row], self.own[ROWS + 1 + row], self.own[ROWS + 2 + row]);
            if here & ROW_MASK == 0 {
                continue;
            }
            let occupied = [above, above, here, below, below, below, here, above];
            let lanes = &self.board.lanes[self.side.index()][row];
            let mut targets = [0; 8];
            for direction in 0..8 {
                let shifted = lanes[direction] << LEFT[direction] >> RIGHT[direction];
                targets[direction] = shifted & !occupied[direction];
            }
            self.lane::<0>(row, targets[0]);
            self.lane::<1>(row, targets[1]);
            self.lane::<2>(row, targets[2]);
            self.lane::<3>(row, targets[3]);
            self.lane::<4>(row, targets[4]);
            self.lane::<5>(row, targets[5]);
            self.lane::<6>(row, targets[6]);
            self.lane::<7>(row, targets[7]);
        }
    }

    /// The slides of the pieces of a row whose first step in a direction leads to one of the targets.
    #[inline(always)]
    fn lane<const DIRECTION: usize>(&mut self, row: usize, mut targets: u64) {
        let slots = SLOT_STEPS[DIRECTION] as u32;
        while targets != 0 {
            let column = targets.trailing_zeros();
            targets &= targets - 1;
            let slot = (row as u32) << 6 | (column as i32 - STEPS[DIRECTION].1) as u32;
            let from = Square::from_slot(slot);
            let piece = self.board.at(from);
            let limit = u32::from(self.table.slides[piece.code()][DIRECTION]);
            let reach = reach::<DIRECTION>(self.own, self.enemy, from);
            let takes = reach.enemy && reach.free < limit;
            let free = reach.free.min(limit);
            let first = Move::new(from, from).shifted(slots);
            let last_row = row as i32 + STEPS[DIRECTION].0 * (free + u32::from(takes)) as i32;
            let enters = row_in_zone(row, self.side) || row_in_zone(last_row as usize, self.side);
            if enters && self.table.promotion[piece.code()].is_some() {
                for n in 0..free {
                    self.emit(first.shifted(slots.wrapping_mul(n)), piece, Takes::Nothing);
                }
                if takes {
                    self.emit(first.shifted(slots.wrapping_mul(free)), piece, Takes::Something);
                }
                continue;
            }
            match WANT {
                NOISY => {
                    if takes {
                        self.sink.one(first.shifted(slots.wrapping_mul(free)));
                    }
                }
                QUIET => self.sink.run(first, slots, free),
                _ => self.sink.run(first, slots, free + u32::from(takes)),
            }
        }
    }

    fn special_pieces(&mut self) {
        for row in 0..SIZE {
            let specials = self.board.lanes[self.side.index()][row][lane::SPECIAL];
            for column in bits(specials) {
                let from = Square::from_slot((row << 6 | column) as u32);
                self.special(from, self.board.at(from));
            }
        }
    }

    /// A move that promotes by its final square, if it promotes.
    #[inline(always)]
    pub(crate) fn emit(&mut self, mv: Move, piece: Piece, takes: Takes) {
        if mv.to().in_zone(self.side) && self.table.promotion[piece.code()].is_some() {
            self.emit_in_zone(mv, piece, takes);
        } else {
            self.emit_plain(mv, takes);
        }
    }

    /// A move of a piece that can promote and has earned it.
    #[inline(never)]
    pub(crate) fn emit_in_zone(&mut self, mv: Move, piece: Piece, takes: Takes) {
        if self.table.reading.promotion == Promotion::Optional
            && !self.table.is_stuck(self.side, piece.kind(), mv.to())
        {
            self.emit_plain(mv, takes);
        }
        if WANT != QUIET {
            self.sink.one(mv.promoting());
        }
    }

    /// A move that promotes beside the same move without promotion.
    pub(crate) fn emit_promotion(&mut self, mv: Move) {
        if WANT != QUIET {
            self.sink.one(mv.promoting());
        }
    }

    /// A move without promotion.
    #[inline(always)]
    pub(crate) fn emit_plain(&mut self, mv: Move, takes: Takes) {
        let wanted = match WANT {
            NOISY => takes == Takes::Something,
            QUIET => takes == Takes::Nothing,
            _ => true,
        };
        if wanted {
            self.sink.one(mv);
        }
    }

    /// The moves to a set of squares of a relative line. `mv` is the move to the adjacent square of the line.
    #[inline(always)]
    pub(crate) fn emit_line(
        &mut self,
        mv: Move,
        piece: Piece,
        direction: usize,
        targets: u64,
        takes: Takes,
    ) {
        if targets == 0 {
            return;
        }
        let slots = SLOT_STEPS[direction] as u32;
        if self.table.promotion[piece.code()].is_some() {
            let row = mv.from().row() as i32;
            let farthest = 64 - targets.leading_zeros() as i32;
            let last_row = (row + STEPS[direction].0 * farthest) as usize;
            if row_in_zone(row as usize, self.side) || row_in_zone(last_row, self.side) {
                for n in bits(targets) {
                    self.emit(mv.shifted(slots.wrapping_mul(n as u32)), piece, takes);
                }
                return;
            }
        }
        let wanted = match WANT {
            NOISY => takes == Takes::Something,
            QUIET => takes == Takes::Nothing,
            _ => true,
        };
        if wanted {
            self.sink.set(mv, slots, targets);
        }
    }

    /// Whether quiet moves matter at all.
    #[inline(always)]
    pub(crate) const fn wants_all(&self) -> bool {
        WANT == ALL
    }
}

const _: () =
    assert!(UNLIMITED as usize > SIZE, "the limit of a slide never cuts an unlimited one");
