//! The conditions of pruning, reduction and extension: each a small function with its reason; `node` only calls them.
//!
//! `None` (or `false`) means that the heuristic does not apply.

use super::node::NodeKind;
use super::params::{self, SearchParams};
use crate::score::Score;

/// What pruning looks at, beside scores.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeInfo {
    /// What is expected of the node.
    pub(super) kind: NodeKind,
    /// Remaining depth, plies.
    pub(super) depth: i32,
    /// Whether the static score is better than two plies ago.
    pub(super) improving: bool,
}

/// Razoring: far below alpha near the leaves, only a capture can help, and quiescence sees captures.
pub(super) fn razoring_margin(p: &params::Razoring, node: NodeInfo) -> Option<i32> {
    (p.enabled && node.depth <= p.max_depth).then(|| p.base + p.per_ply * node.depth)
}

/// Reverse futility: when the static score beats beta by more than `depth` plies can lose, searching only confirms it.
pub(super) fn reverse_futility_margin(p: &params::ReverseFutility, node: NodeInfo) -> Option<i32> {
    let relief = if node.improving { p.improving } else { 0 };
    (p.enabled && node.depth <= p.max_depth).then(|| (p.per_ply * node.depth - relief).max(0))
}

/// Null move: how many plies less deep the opponent, given a free move, is searched.
pub(super) fn null_move_reduction(
    p: &params::NullMove,
    node: NodeInfo,
    above_beta: i32,
) -> Option<i32> {
    (p.enabled && node.depth >= p.min_depth && above_beta >= 0).then(|| {
        p.base + node.depth / p.depth_divisor + (above_beta / p.score_divisor).min(p.score_max)
    })
}

/// Internal iterative reduction: without a table move the order is poor, and a cheaper search finds one for next time.
pub(super) fn internal_reduction(p: &params::InternalReduction, node: NodeInfo) -> i32 {
    i32::from(p.enabled && node.depth >= p.min_depth && node.kind != NodeKind::All)
}

/// ProbCut: the raised beta and the reduced depth that a capture must beat.
pub(super) fn prob_cut(p: &params::ProbCut, node: NodeInfo, beta: Score) -> Option<(Score, i32)> {
    (p.enabled && node.depth >= p.min_depth && !beta.is_decisive())
        .then(|| (Score::centipawns(beta.get() + p.margin), node.depth - p.reduction))
}

/// Late move pruning: the number of moves after which quiet ones are left out.
pub(super) fn late_move_count(p: &params::LateMovePruning, node: NodeInfo) -> Option<i32> {
    (p.enabled && node.depth <= p.max_depth).then(|| {
        let count = p.base + node.depth * node.depth * p.percent / 100;
        if node.improving { count } else { count / 2 }
    })
}

/// Futility: quiet moves cannot lift a static score that lies further below alpha.
pub(super) fn futility_margin(p: &params::Futility, reduced_depth: i32) -> Option<i32> {
    (p.enabled && reduced_depth <= p.max_depth).then(|| p.base + p.per_ply * reduced_depth)
}

/// Exchange pruning: the loss that a quiet move may cost on its target.
pub(super) fn quiet_loss(p: &params::ExchangePruning, reduced_depth: i32) -> Option<i32> {
    (p.enabled && reduced_depth <= p.max_depth).then(|| p.quiet_per_ply * reduced_depth)
}

/// Exchange pruning: the loss that a noisy move may cost on its target.
pub(super) fn noisy_loss(p: &params::ExchangePruning, node: NodeInfo) -> Option<i32> {
    (p.enabled && node.depth <= p.max_depth).then(|| p.noisy_per_ply * node.depth)
}

/// History pruning: the record below which a quiet move is left out.
pub(super) fn least_record(p: &params::HistoryPruning, reduced_depth: i32) -> Option<i32> {
    (p.enabled && reduced_depth <= p.max_depth).then(|| -p.per_ply * (reduced_depth + 1))
}

/// Singular extension: the score that every other move must fall short of.
pub(super) fn singular_beta(p: &params::Singular, table_score: Score, depth: i32) -> Score {
    Score::centipawns(table_score.get() - depth * p.margin / 4)
}

/// Bonus of a move that cut at this depth.
pub(super) fn history_bonus(p: &params::HistoryParams, depth: i32) -> i32 {
    (p.bonus_per_ply * depth - p.bonus_offset).clamp(0, p.bonus_max)
}

/// Late move reductions by depth and move number.
pub(super) struct Reductions {
    quiet: Box<[i32]>,
    noisy: Box<[i32]>,
}

const DEPTHS: usize = 64;
const MOVES: usize = 128;
/// Reductions are counted in these parts of a ply.
pub(super) const PLY: i32 = 1024;

impl Reductions {
    pub(super) fn new(params: &SearchParams) -> Self {
        let p = &params.reduction;
        Self {
            quiet: table(p.quiet_base, p.quiet_factor),
            noisy: table(p.noisy_base, p.noisy_factor),
        }
    }

    /// The reduction before adjustments, in 1024ths of a ply.
    pub(super) fn base(&self, noisy: bool, depth: i32, move_number: usize) -> i32 {
        let index = (depth.max(0) as usize).min(DEPTHS - 1) * MOVES + move_number.min(MOVES - 1);
        if noisy { self.noisy[index] } else { self.quiet[index] }
    }
}

fn table(base: i32, factor: i32) -> Box<[i32]> {
    (0..DEPTHS * MOVES)
        .map(|index| {
            let (depth, moves) = (index / MOVES, index % MOVES);
            if depth == 0 || moves == 0 {
                return 0;
            }
            let product = ln_1024(depth as u32) * ln_1024(moves as u32) / PLY;
            base + factor * product / PLY
        })
        .collect()
}

/// The natural logarithm in 1024ths, by integers: floating point libraries differ in the last place, and node counts
/// must be the same on every machine.
fn ln_1024(value: u32) -> i32 {
    const LN_2_65536: u64 = 45_426;
    let whole = value.ilog2();
    // The fraction of log2, bit by bit: squaring doubles a logarithm.
    let mut mantissa = u64::from(value) << 31 >> whole;
    let mut log2_65536 = u64::from(whole) << 16;
    for bit in (0..16).rev() {
        mantissa = (mantissa * mantissa) >> 31;
        if mantissa >= 1 << 32 {
            mantissa >>= 1;
            log2_65536 |= 1 << bit;
        }
    }
    ((log2_65536 * LN_2_65536) >> 22) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_agree_with_floating_point() {
        for value in 1..200_u32 {
            let expected = f64::from(value).ln() * 1024.0;
            assert!((f64::from(ln_1024(value)) - expected).abs() <= 1.5, "{value}");
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_move_number() {
        let reductions = Reductions::new(&SearchParams::default());
        assert!(reductions.base(false, 20, 30) > reductions.base(false, 5, 30));
        assert!(reductions.base(false, 20, 30) > reductions.base(false, 20, 4));
        assert!(reductions.base(false, 20, 30) > reductions.base(true, 20, 30));
    }

    #[test]
    fn switched_off_heuristics_do_not_apply() {
        let plain = SearchParams::plain();
        let node = NodeInfo { kind: NodeKind::Cut, depth: 1, improving: false };
        assert_eq!(razoring_margin(&plain.razoring, node), None);
        assert_eq!(reverse_futility_margin(&plain.reverse_futility, node), None);
        assert_eq!(null_move_reduction(&plain.null_move, node, 100), None);
        assert_eq!(late_move_count(&plain.late_move, node), None);
        assert_eq!(internal_reduction(&plain.internal_reduction, node), 0);
    }
}
