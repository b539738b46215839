//! Verdicts on repetitions, the move limit and material, by rule set.

use super::position::Position;
use crate::game::TreeVerdict;

/// What the rules say of a node `ply` plies below the root of a search.
pub fn tree_verdict(position: &Position, ply: usize) -> Option<TreeVerdict> {
    let limit = position.rules().move_limit_plies.unwrap_or(u32::MAX);
    if position.quiet_plies() >= limit && (!position.in_check() || position.has_moves()) {
        return Some(TreeVerdict::Draw);
    }
    let history = position.history();
    let reach = history.len().min(position.quiet_plies() as usize);
    let mut seen = 1;
    for back in (2..=reach).step_by(2) {
        if history[history.len() - back].key == position.key() {
            seen += 1;
            if back <= ply || Some(seen) >= position.rules().repetitions {
                return Some(TreeVerdict::Draw);
            }
        }
    }
    None
}
