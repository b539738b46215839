//! The move limit and insufficient material.
//!
//! The move limit counts plies since the last capture. Under `asian` and `wxf` a side's checks beyond the tenth in that time do
//! not count, nor do the answers to them, so that useless checks do not run the counter down; under `simple` all plies count.
//! A FEN that we write has the number that counts, so that the limit falls at the same ply whether a position is told by its moves
//! or by its FEN. The counter of a FEN that we read is taken as it is. What was played before it is not known: the checks after it
//! are counted from the first on.

// CITE: ten-checks rule, https://github.com/fairy-stockfish/Fairy-Stockfish/issues/405

use super::super::moves::Move;
use super::super::piece::Kind;
use super::super::position::Position;
use super::super::rules::RuleSet;
use crate::game::Side;

/// Checks of a side that count towards the move limit.
const COUNTED_CHECKS: u32 = 10;

/// Whether the plain number of plies without a capture reaches the limit: cheap, and true whenever [`limit_reached`] is.
pub(super) fn raw_limit_reached(position: &Position) -> bool {
    position.rules().move_limit_plies.is_some_and(|limit| position.quiet_plies() >= limit)
}

/// Whether the plies that count reach the move limit.
pub(super) fn limit_reached(position: &Position) -> bool {
    raw_limit_reached(position)
        && position.rules().move_limit_plies.is_some_and(|limit| counted_plies(position) >= limit)
}

/// The plies without a capture that count towards the move limit.
pub(in super::super) fn counted_plies(position: &Position) -> u32 {
    match position.rules().set {
        RuleSet::Asian | RuleSet::Wxf => position.quiet_plies() - uncounted_plies(position),
        RuleSet::Simple => position.quiet_plies(),
    }
}

/// Checks beyond the tenth of a side since the last capture, and the answers to them.
fn uncounted_plies(position: &Position) -> u32 {
    // A side checks with every other ply at most.
    if position.quiet_plies() <= 2 * COUNTED_CHECKS {
        return 0;
    }
    let mut board = position.clone();
    // Whether each ply since the last capture gave check, newest first, with its side. Null moves are no plies.
    let mut plies = Vec::new();
    while let Some(record) = board.history().last().copied() {
        if record.captured.is_some() {
            break;
        }
        if record.mv != Move::NULL {
            plies.push((!board.side_to_move(), board.in_check()));
        }
        board.unmake();
    }
    let mut checks = [0; 2];
    let mut uncounted = 0;
    let mut answers_uncounted_check = false;
    for (side, gives_check) in plies.into_iter().rev() {
        let side: Side = side;
        checks[side.index()] += u32::from(gives_check);
        let is_uncounted_check = gives_check && checks[side.index()] > COUNTED_CHECKS;
        uncounted += u32::from(is_uncounted_check || answers_uncounted_check);
        answers_uncounted_check = is_uncounted_check;
    }
    uncounted
}

/// Whether neither side has a piece that can ever give mate: no chariot, horse, cannon or soldier on the board.
pub(super) fn is_material_draw(position: &Position) -> bool {
    position.rules().material_draw
        && Side::ALL.into_iter().all(|side| {
            [Kind::Chariot, Kind::Horse, Kind::Cannon, Kind::Soldier]
                .into_iter()
                .all(|kind| position.pieces(side, kind).is_empty())
        })
}
