//! Legal moves of the side to move.
//!
//! 1. Steps and slides of all pieces at once; see [`super::rays`].
//! 2. The pieces with a program, one by one; see [`super::special`].
//!
//! No check rule: any royal may be left en prise. A position in which a side has no royal has no moves.

use std::cell::RefCell;

use super::attack::{line_to, special_candidates};
use super::board::{Board, bits};
use super::compile::{Table, lane};
use super::lines::{Along, FIRST_LINE, Lines, free_star, low_bits, origin, square_on};
use super::moveset::UNLIMITED;
use super::piece::{Move, Piece};
use super::position::Position;
use super::rays::steps_to_zone;
use super::ruleset::Promotion;
use super::sink::{Buffer, Bulk, Counter, Filter, Finder, List, Nth, Sink};
use super::square::{SIZE, SLOT_STEPS, STEPS, Square, ZONE_RANKS};
use crate::game::{MoveKind, Side};

/// All moves.
pub(crate) const ALL: u8 = 0;
/// Captures and promotions.
pub(crate) const NOISY: u8 = 1;
/// All others.
pub(crate) const QUIET: u8 = 2;

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
    BUFFER.with_borrow_mut(|buffer| {
        let mut list = List::new(moves, buffer);
        match kind {
            MoveKind::All => run::<_, ALL>(position, &mut list),
            MoveKind::Noisy => run::<_, NOISY>(position, &mut list),
            MoveKind::Quiet => run::<_, QUIET>(position, &mut list),
        }
        list.finish();
    });
}

thread_local! {
    /// Room for moves on their way to a list, cleared once a thread instead of at each generation.
    static BUFFER: RefCell<Buffer> = const { RefCell::new(List::BUFFER) };
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
    if let Some((direction, _)) = line_to(from, mv.to())
        && position.table.slides[piece.code()][direction] != 0
    {
        generator.ray(from, direction);
    }
    if position.table.lanes[piece.code()] >> lane::SPECIAL & 1 != 0 {
        generator.special(from, piece);
    }
    finder.found
}

/// Appends the noisy moves that end on a square, in the order of [`generate`]. Looks back from the square, so that it costs a
/// fraction of generating them all.
pub(crate) fn generate_noisy_to(position: &Position, target: Square, moves: &mut Vec<Move>) {
    let (board, table, side) = (&*position.board, position.table, position.side_to_move());
    if position.is_over() {
        return;
    }
    let (own, enemy) = (&board.lines[side.index()], &board.lines[1 - side.index()]);
    let mut sink = Filter { target, moves };
    let mut generator =
        Generator::<Filter<'_>, NOISY> { board, table, side, own, enemy, sink: &mut sink };
    if !generator.is_enemy(target) {
        // Quiet promotions may end there.
        generator.steps_and_slides();
        generator.special_pieces();
        return;
    }
    let mut sliders = [(0, false, Square::from_slot(0)); 8];
    let mut count = 0;
    let star = free_star(own, enemy, target);
    for (backwards, place) in star.into_iter().enumerate() {
        let from = target.onward(backwards, place + 1);
        let (piece, direction) = (board.at(from), (backwards + 4) & 7);
        if piece.side() == side && u32::from(table.slides[piece.code()][direction]) > place {
            let promotes = table.promotion[piece.code()].is_some()
                && place + 1 >= steps_to_zone(side, from.row(), direction);
            sliders[count] = (direction, promotes, from);
            count += 1;
        }
    }
    sliders[..count].sort_unstable();
    for &(.., from) in &sliders[..count] {
        generator.emit(Move::new(from, target), board.at(from), Takes::Something);
    }
    for from in special_candidates(board, side, target) {
        generator.special(from, board.at(from));
    }
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

fn run<S: Bulk, const WANT: u8>(position: &Position, sink: &mut S) {
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

/// Counts the moves of single pieces of a side.
#[derive(Clone, Copy)]
pub(crate) struct Counting<'a> {
    position: &'a Position,
    side: Side,
}

impl<'a> Counting<'a> {
    /// For a side, whether it is its turn or not.
    pub(crate) fn new(position: &'a Position, side: Side) -> Self {
        Self { position, side }
    }

    #[inline(always)]
    fn count(self, generate: impl FnOnce(&mut Generator<'_, Counter, ALL>)) -> u64 {
        let mut counter = Counter::default();
        let (board, table, side) = (&*self.position.board, self.position.table, self.side);
        let (own, enemy) = (&board.lines[side.index()], &board.lines[1 - side.index()]);
        generate(&mut Generator { board, table, side, own, enemy, sink: &mut counter });
        counter.0
    }

    /// The steps and slides of the piece of the side on a square in one direction.
    #[inline(never)]
    pub(crate) fn ray(self, from: Square, direction: usize) -> u64 {
        if self.position.table.slides[self.position.board.at(from).code()][direction] == 0 {
            return 0;
        }
        self.count(|generator| generator.ray(from, direction))
    }

    /// The moves of the program of the piece of the side on a square.
    #[inline(never)]
    pub(crate) fn special(self, from: Square) -> u64 {
        self.count(|generator| generator.special(from, generator.board.at(from)))
    }
}

/// The move of a plain ray of the side to move with a number, counted from 0.
pub(crate) fn nth_of_ray(position: &Position, from: Square, direction: usize, n: u32) -> Move {
    nth(position, n, |generator| generator.ray(from, direction))
}

/// The move of the program of a piece of the side to move with a number, counted from 0.
pub(crate) fn nth_of_program(position: &Position, from: Square, n: u32) -> Move {
    nth(position, n, |generator| generator.special(from, generator.board.at(from)))
}

#[inline(always)]
fn nth(position: &Position, n: u32, generate: impl FnOnce(&mut Generator<'_, Nth, ALL>)) -> Move {
    let mut nth = Nth { left: n, found: None };
    let (board, table, side) = (&*position.board, position.table, position.side_to_move());
    let (own, enemy) = (&board.lines[side.index()], &board.lines[1 - side.index()]);
    generate(&mut Generator { board, table, side, own, enemy, sink: &mut nth });
    nth.found.expect("the number is below that of the moves")
}

impl<S: Sink, const WANT: u8> Generator<'_, S, WANT> {
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

    /// Those of the moves to empty squares and to others that are wanted.
    #[inline(always)]
    pub(crate) const fn wanted(quiet: u64, takes: u64) -> u64 {
        match WANT {
            NOISY => takes,
            QUIET => quiet,
            _ => quiet | takes,
        }
    }

    /// The moves of a piece that can promote to empty squares and to others, `slots` apart and counted from the target of
    /// `first`; `zone` holds those of the promotion zone.
    #[inline(never)]
    pub(crate) fn set_in_zone(
        &mut self,
        first: Move,
        slots: u32,
        piece: Piece,
        quiet: u64,
        takes: u64,
        zone: u64,
    ) {
        let zone = (quiet | takes) & zone;
        let mut plain = Self::wanted(quiet, takes);
        if self.table.reading.promotion == Promotion::Mandatory {
            plain &= !zone;
        } else if zone != 0 && self.table.may_be_stuck(self.side, piece.kind()) {
            for n in bits(zone) {
                let to = first.shifted(slots.wrapping_mul(n as u32)).to();
                plain &= !(u64::from(self.table.is_stuck(self.side, piece.kind(), to)) << n);
            }
        }
        let promoting = if WANT == QUIET { 0 } else { zone };
        self.sink.promotions(first, slots, plain, promoting);
    }

    /// The moves along a direction to empty squares and to others, counted from the adjacent square.
    #[inline(always)]
    pub(crate) fn emit_line(
        &mut self,
        first: Move,
        piece: Piece,
        direction: usize,
        quiet: u64,
        takes: u64,
    ) {
        let slots = SLOT_STEPS[direction] as u32;
        let (side, row) = (self.side, first.from().row());
        let zone = || zone_along(side, row, STEPS[direction].0);
        self.emit_targets(first, slots, piece, quiet, takes, zone);
    }

    /// The moves to empty squares and to others of a line, counted from that of bit 0, whose target is that of `first`.
    #[inline(always)]
    pub(crate) fn emit_set(
        &mut self,
        first: Move,
        piece: Piece,
        family: usize,
        line: usize,
        quiet: u64,
        takes: u64,
    ) {
        let slots = origin(family, 0).1 as u32;
        let side = self.side;
        let zone = || zone_of(side, family, line - FIRST_LINE[family]);
        self.emit_targets(first, slots, piece, quiet, takes, zone);
    }

    /// The moves to empty squares and to others, `slots` apart and counted from the target of `first`; `zone` tells those of the
    /// promotion zone.
    #[inline(always)]
    fn emit_targets(
        &mut self,
        first: Move,
        slots: u32,
        piece: Piece,
        quiet: u64,
        takes: u64,
        zone: impl FnOnce() -> u64,
    ) {
        if self.table.promotion[piece.code()].is_some() {
            let zone = zone();
            if (quiet | takes) & zone != 0 {
                self.set_in_zone(first, slots, piece, quiet, takes, zone);
                return;
            }
        }
        self.sink.set(first, slots, Self::wanted(quiet, takes));
    }
}

/// A move of a piece to its own square, moved to bit 0 of a line.
#[inline(always)]
pub(crate) fn line_origin(stay: Move, along: &Along) -> Move {
    let (start, _) = origin(along.family, along.line - FIRST_LINE[along.family]);
    stay.shifted((start as u32).wrapping_sub(stay.from().slot() as u32))
}

/// The first piece along a line that a range capture of a rank cannot fly over.
#[inline(always)]
pub(crate) fn wall(board: &Board, table: &Table, along: &Along, rank: u8) -> u64 {
    let mut ranked = board.ranked[along.line];
    loop {
        let first = along.first(ranked);
        let square = square_on(along.family, along.line, first.trailing_zeros());
        if first == 0 || !table.flies_over(rank, board.at(square)) {
            return first;
        }
        ranked ^= first;
    }
}

/// The squares of the promotion zone of a side on a relative line that leads `rows` rows down the board at each step.
#[inline(always)]
pub(crate) fn zone_along(side: Side, row: usize, rows: i32) -> u64 {
    let (row, rows) = match side {
        Side::First => (row, rows),
        Side::Second => (SIZE - 1 - row, -rows),
    };
    match rows {
        0 if row < ZONE_RANKS => u64::MAX,
        0 => 0,
        1 => low_bits((ZONE_RANKS - 1).saturating_sub(row) as u32),
        _ => !low_bits(row.saturating_sub(ZONE_RANKS) as u32),
    }
}

/// The squares of a line that belong to the promotion zone of a side.
#[inline(always)]
const fn zone_of(side: Side, family: usize, line: usize) -> u64 {
    const FAR: usize = SIZE - ZONE_RANKS;
    // Rows below `ZONE_RANKS` or from `FAR` on; the row is that of bit 0 plus or minus the bit.
    match (family, side) {
        (0, Side::First) => {
            if line < ZONE_RANKS {
                u64::MAX
            } else {
                0
            }
        }
        (0, Side::Second) => {
            if line >= FAR {
                u64::MAX
            } else {
                0
            }
        }
        (1, Side::First) => low_bits(ZONE_RANKS as u32),
        (1, Side::Second) => !low_bits(FAR as u32),
        (2, Side::First) => !low_bits((line + 1).saturating_sub(ZONE_RANKS) as u32),
        (2, Side::Second) => low_bits((line + 1).saturating_sub(FAR) as u32),
        (_, Side::First) => low_bits((line + ZONE_RANKS).saturating_sub(SIZE - 1) as u32),
        (_, Side::Second) => !low_bits((line + FAR).saturating_sub(SIZE - 1) as u32),
    }
}

const _: () =
    assert!(UNLIMITED as usize > SIZE, "the limit of a slide never cuts an unlimited one");

#[cfg(test)]
mod tests {
    use super::super::{RuleSet, Taikyoku};
    use super::*;
    use crate::game::Game;

    #[test]
    fn noisy_moves_to_a_square_are_those_of_the_whole_list() {
        let mut state = 1u64;
        let mut found = 0;
        for set in [RuleSet::Seed, RuleSet::Atsa] {
            let mut position = Position::initial(set.rules());
            for ply in 0..300 {
                let mut moves = Vec::new();
                Taikyoku::generate(&position, MoveKind::All, &mut moves);
                if moves.is_empty() {
                    break;
                }
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position.make(moves[(state >> 33) as usize % moves.len()]);
                if ply % 10 > 0 {
                    continue;
                }
                let mut noisy = Vec::new();
                Taikyoku::generate(&position, MoveKind::Noisy, &mut noisy);
                for target in Square::all() {
                    let mut onto = Vec::new();
                    generate_noisy_to(&position, target, &mut onto);
                    let filtered: Vec<Move> =
                        noisy.iter().copied().filter(|mv| mv.to() == target).collect();
                    assert_eq!(onto, filtered, "{target} in {position:?}");
                    found += onto.len();
                }
            }
        }
        assert!(found > 5000, "only {found} moves were compared");
    }
}
