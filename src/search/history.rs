//! Records of which moves cut, by which later moves are ordered, reduced and pruned.
//!
//! Tables are sized by the game's numbers of pieces and squares and allocated once. A small game (xiangqi: 15 x 90 pairs of
//! piece and target) has a cell for everything; where that would take too much memory (taikyoku: 602 x 1,296), numbers
//! are hashed into a fixed number of cells, which now and then lets two moves share a record.

use std::marker::PhantomData;

use crate::game::{Evaluate, Side};

/// Cells for pairs of piece and target square in continuation tables.
const CONTEXT_LIMIT: usize = 1 << 11;
/// Cells for pairs of source and target square.
const ROUTE_LIMIT: usize = 1 << 16;
/// Cells for triples of piece, target square and captured piece.
const CAPTURE_LIMIT: usize = 1 << 15;
/// Records stay within plus and minus this.
pub(super) const RECORD_MAX: i32 = 16_384;

/// What history needs to know of a quiet move; taken before the move is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trace {
    route: u32,
    context: u32,
}

/// What history needs to know of a noisy move; taken before the move is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct CaptureTrace(u32);

/// The row of continuation records that a move made above selects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Context(u32);

/// The records of one thread.
pub(super) struct History<G> {
    quiet: Box<[i16]>,
    capture: Box<[i16]>,
    continuation: Box<[i16]>,
    counters: Box<[u32]>,
    correction: Box<[i16]>,
    game: PhantomData<G>,
}

/// The records that the quiet moves of one node may have.
pub(super) struct QuietRecords<'a, G> {
    /// By source and target.
    routes: &'a [i16],
    /// By piece and target, after each of the moves above.
    rows: [&'a [i16]; 2],
    game: PhantomData<G>,
}

impl<G: Evaluate> QuietRecords<'_, G> {
    /// The record of a move.
    #[inline(always)]
    pub(super) fn of(&self, position: &G::Position, mv: G::Move) -> i32 {
        let column = History::<G>::column(position, mv);
        i32::from(self.routes[History::<G>::route(mv)])
            + i32::from(self.rows[0][column])
            + i32::from(self.rows[1][column])
    }
}

/// Number of cells for `full` different numbers.
const fn cells(full: usize, limit: usize) -> usize {
    if full <= limit { full } else { limit }
}

/// The cell of a number below `full`.
const fn cell(index: usize, full: usize, limit: usize) -> usize {
    if full <= limit {
        index
    } else {
        // Fibonacci hashing: neighbours are spread over the table.
        ((index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize % limit
    }
}

/// Moves a record towards its bound, the less the closer it is.
fn update(record: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-RECORD_MAX, RECORD_MAX);
    let old = i32::from(*record);
    *record = (old + bonus - old * bonus.abs() / RECORD_MAX) as i16;
}

impl<G: Evaluate> History<G> {
    const ROUTES: usize = G::SQUARES * G::SQUARES;
    const CONTEXTS: usize = G::PIECES * G::SQUARES;
    const CAPTURES: usize = G::PIECES * G::SQUARES * G::PIECES;
    const ROW: usize = cells(Self::CONTEXTS, CONTEXT_LIMIT);

    /// The context of "no move": before the root and after a null move.
    pub(super) const NO_CONTEXT: Context = Context(Self::ROW as u32);

    pub(super) fn new() -> Self {
        Self {
            quiet: vec![0; 2 * cells(Self::ROUTES, ROUTE_LIMIT)].into(),
            capture: vec![0; cells(Self::CAPTURES, CAPTURE_LIMIT)].into(),
            continuation: vec![0; (Self::ROW + 1) * Self::ROW].into(),
            counters: vec![0; Self::ROW + 1].into(),
            correction: vec![0; 2 * (Self::ROW + 1)].into(),
            game: PhantomData,
        }
    }

    pub(super) fn clear(&mut self) {
        self.quiet.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
        self.counters.fill(0);
        self.correction.fill(0);
    }

    pub(super) fn trace(position: &G::Position, mv: G::Move) -> Trace {
        let side = G::side_to_move(position).index();
        let route = side * cells(Self::ROUTES, ROUTE_LIMIT) + Self::route(mv);
        Trace { route: route as u32, context: Self::column(position, mv) as u32 }
    }

    /// The cell of a move's source and target among those of its side.
    #[inline(always)]
    fn route(mv: G::Move) -> usize {
        cell(G::source(mv) * G::SQUARES + G::target(mv), Self::ROUTES, ROUTE_LIMIT)
    }

    /// The cell of a move's piece and target in a row of continuation records.
    #[inline(always)]
    fn column(position: &G::Position, mv: G::Move) -> usize {
        cell(Self::pair(position, mv), Self::CONTEXTS, CONTEXT_LIMIT)
    }

    /// The records of a side's quiet moves after the moves above, for many moves of one node.
    #[inline(always)]
    pub(super) fn quiet_records(&self, side: Side, contexts: [Context; 2]) -> QuietRecords<'_, G> {
        let routes = cells(Self::ROUTES, ROUTE_LIMIT);
        let row =
            |context: Context| &self.continuation[context.0 as usize * Self::ROW..][..Self::ROW];
        QuietRecords {
            routes: &self.quiet[side.index() * routes..][..routes],
            rows: [row(contexts[0]), row(contexts[1])],
            game: PhantomData,
        }
    }

    pub(super) fn capture_trace(position: &G::Position, mv: G::Move) -> CaptureTrace {
        let triple = Self::pair(position, mv) * G::PIECES + G::captured_piece(position, mv);
        CaptureTrace(cell(triple, Self::CAPTURES, CAPTURE_LIMIT) as u32)
    }

    /// The number of moving piece and target square.
    fn pair(position: &G::Position, mv: G::Move) -> usize {
        G::moved_piece(position, mv) * G::SQUARES + G::target(mv)
    }

    /// The context that a move sets for the moves after it.
    pub(super) fn context(trace: Trace) -> Context {
        Context(trace.context)
    }

    /// The record of a noisy move.
    pub(super) fn noisy(&self, trace: CaptureTrace) -> i32 {
        i32::from(self.capture[trace.0 as usize])
    }

    pub(super) fn update_noisy(&mut self, trace: CaptureTrace, bonus: i32) {
        update(&mut self.capture[trace.0 as usize], bonus);
    }

    pub(super) fn update_quiet(&mut self, trace: Trace, contexts: [Context; 2], bonus: i32) {
        update(&mut self.quiet[trace.route as usize], bonus);
        for context in contexts {
            if context != Self::NO_CONTEXT {
                update(&mut self.continuation[Self::continuation_index(context, trace)], bonus);
            }
        }
    }

    /// The move that last refuted the move of this context, as a code; 0: none.
    pub(super) fn counter(&self, context: Context) -> u32 {
        self.counters[context.0 as usize]
    }

    pub(super) fn set_counter(&mut self, context: Context, code: u32) {
        self.counters[context.0 as usize] = code;
    }

    /// How far searches after this move missed the static score, in 256ths of a centipawn.
    pub(super) fn correction(&self, side: Side, context: Context) -> i32 {
        i32::from(self.correction[Self::correction_index(side, context)])
    }

    pub(super) fn update_correction(&mut self, side: Side, context: Context, bonus: i32) {
        update(&mut self.correction[Self::correction_index(side, context)], bonus);
    }

    fn correction_index(side: Side, context: Context) -> usize {
        side.index() * (Self::ROW + 1) + context.0 as usize
    }

    fn continuation_index(context: Context, trace: Trace) -> usize {
        context.0 as usize * Self::ROW + trace.context as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_stay_within_their_bound() {
        let mut record = 0;
        for _ in 0..1000 {
            update(&mut record, 5000);
        }
        assert!(i32::from(record) <= RECORD_MAX && record > 15_000);
        for _ in 0..1000 {
            update(&mut record, -RECORD_MAX * 2);
        }
        assert_eq!(i32::from(record), -RECORD_MAX);
    }

    #[test]
    fn cells_are_exact_for_small_games_and_bounded_for_large_ones() {
        assert_eq!(cell(1349, 1350, CONTEXT_LIMIT), 1349);
        assert!(
            (0..602 * 1296).all(|index| cell(index, 602 * 1296, CONTEXT_LIMIT) < CONTEXT_LIMIT)
        );
    }
}
