//! Random games for the tests of fitting.

use kyokumen::game::{Evaluate, MoveKind, Rules};

/// Random numbers, the same everywhere.
//
// CITE: SplitMix64, Guy Steele, Doug Lea, Christine Flood, https://doi.org/10.1145/2714064.2660195
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// From 0 up to but not including 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Plays random legal moves, captures preferred; `visit` sees every position with the move that follows. Gives the last
/// position.
pub(crate) fn random_game<G: Evaluate>(
    rules: Rules<G::RuleSet>,
    seed: u64,
    plies: usize,
    mut visit: impl FnMut(&G::Position, G::Move),
) -> G::Position {
    let mut random = Random(seed.wrapping_mul(0x1234_5678_9abc_def1));
    let mut position = G::start(rules);
    let mut moves = Vec::new();
    for _ in 0..plies {
        moves.clear();
        if random.unit() < 0.3 {
            G::generate(&position, MoveKind::Noisy, &mut moves);
        }
        if moves.is_empty() {
            G::generate(&position, MoveKind::All, &mut moves);
        }
        if moves.is_empty() || G::tree_verdict(&position, 0).is_some() {
            break;
        }
        let mv = moves[(random.next() % moves.len() as u64) as usize];
        visit(&position, mv);
        G::make(&mut position, mv);
    }
    position
}
