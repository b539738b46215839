//! Random games for the tests of fitting.

use kyokumen::game::{Evaluate, GameResult, MoveKind, Rules};
use kyokumen::tune::random::Random;

/// Plays random legal moves, captures preferred; `visit` sees every position with the move that follows. Gives the last
/// position.
pub fn random_game<G: Evaluate>(
    rules: Rules<G::RuleSet>,
    seed: u64,
    plies: usize,
    mut visit: impl FnMut(&G::Position, G::Move),
) -> G::Position {
    let mut random = Random::new(seed, 77);
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
        let mv = moves[(random.next_number() % moves.len() as u64) as usize];
        visit(&position, mv);
        G::make(&mut position, mv);
    }
    position
}

/// Who won a game, or a draw if nobody has.
pub fn result_of<G: Evaluate>(position: &G::Position) -> GameResult {
    match G::judge(position).result {
        GameResult::None => GameResult::Draw,
        result => result,
    }
}
