//! Verdicts on repetitions, the move limit and material, by rule set.
//!
//! A repetition is judged when a position (placement and side to move) occurs for the n-th time ([`Rules::repetitions`]; three
//! for `asian` and `wxf`, four for `simple`), right after the ply that brings it about, whoever made it. The moves since the
//! first of these occurrences decide.
//!
//! [`Rules::repetitions`]: crate::game::Rules::repetitions

mod asian;
mod chase;
mod cycle;
mod explain;
mod limits;
mod ruling;
mod simple;
mod threats;
mod wxf;

pub use chase::{Chase, Means, chases};
pub use explain::judge;
pub(super) use limits::counted_plies;
pub use threats::{Gain, Threat, threats};

use super::moves::Move;
use super::position::Position;
use super::rules::RuleSet;
use crate::game::TreeVerdict;
use cycle::Cycle;
use ruling::Ruling;

/// What the rules say of a node `ply` plies below the root of a search, without asking for checkmate.
///
/// A position that occurred before inside the tree is judged at once; occurrences at the root and before it are counted to the
/// number that the rules ask for. In order: a repetition that is final by the rules, the move limit (unless mated), a repetition
/// inside the tree, material (unless stalemated).
pub fn tree_verdict(position: &Position, ply: usize) -> Option<TreeVerdict> {
    let at_limit = limits::raw_limit_reached(position);
    if let Some(plies) = repetition(position, if at_limit { 0 } else { ply }) {
        return Some(tree_ruling(position, plies));
    }
    if at_limit {
        if limits::limit_reached(position) {
            // With a limit reached, mate goes first.
            return position.has_moves().then_some(TreeVerdict::Draw);
        }
        if let Some(plies) = repetition(position, ply) {
            return Some(tree_ruling(position, plies));
        }
    }
    (limits::is_material_draw(position) && position.has_moves()).then_some(TreeVerdict::Draw)
}

fn tree_ruling(position: &Position, plies: usize) -> TreeVerdict {
    match judge_cycle(&Cycle { end: position, plies }).offender() {
        None => TreeVerdict::Draw,
        Some(offender) if offender == position.side_to_move() => TreeVerdict::RuleLoss,
        Some(_) => TreeVerdict::RuleWin,
    }
}

/// Judges a cycle by the position's rule set.
fn judge_cycle(cycle: &Cycle<'_>) -> Ruling {
    match cycle.end.rules().set {
        RuleSet::Asian => asian::judge(cycle),
        RuleSet::Wxf => wxf::judge(cycle),
        RuleSet::Simple => simple::judge(cycle),
    }
}

/// The plies back to the occurrence of this position from which it must be judged: the nearest one less than `ply` plies ago, or
/// the one that completes the number of occurrences that the rules ask for.
fn repetition(position: &Position, ply: usize) -> Option<usize> {
    let wanted = position.rules().repetitions?.max(2);
    let history = position.history();
    let reach = history.len().min(position.quiet_plies() as usize);
    let mut seen = 1;
    for back in (2..=reach).step_by(2) {
        let start = history.len() - back;
        if history[start].mv == Move::NULL || history[start + 1].mv == Move::NULL {
            return None;
        }
        if history[start].key == position.key() {
            seen += 1;
            if seen >= wanted || back < ply {
                return Some(back);
            }
        }
    }
    None
}
