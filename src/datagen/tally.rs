//! What games add up to: results, ends, scores.

use std::collections::BTreeMap;

use crate::data::{EndReason, Ply};
use crate::game::GameResult;
use crate::score::ScoreKind;

/// Bounds of the classes of scores, centipawns from even: up to the first, up to the second, ...
pub const SCORE_BOUNDS: [u32; 5] = [50, 150, 400, 1000, 2500];

/// Counts of games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Moves played, the opening among them.
    pub plies: u64,
    /// Positions with a score.
    pub positions: u64,
    /// Wins of the first player.
    pub first_wins: u64,
    /// Wins of the second player.
    pub second_wins: u64,
    /// Draws.
    pub draws: u64,
    /// Games by the reason of their end.
    pub ends: BTreeMap<EndReason, u64>,
    /// Scores by class: those of [`SCORE_BOUNDS`], larger ones, won or lost.
    pub scores: [u64; SCORE_BOUNDS.len() + 2],
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, result: GameResult, end: EndReason, plies: impl Iterator<Item = Ply>) {
        self.games += 1;
        match result {
            GameResult::First => self.first_wins += 1,
            GameResult::Second => self.second_wins += 1,
            GameResult::Draw | GameResult::None => self.draws += 1,
        }
        *self.ends.entry(end).or_default() += 1;
        for ply in plies {
            self.plies += 1;
            let Some(score) = ply.score else { continue };
            self.positions += 1;
            let class = match score.kind() {
                ScoreKind::Centipawns(cp) => {
                    let above = |&&bound: &&u32| cp.unsigned_abs() > bound;
                    SCORE_BOUNDS.iter().filter(above).count()
                }
                ScoreKind::Mate(_) | ScoreKind::Rule(_) => SCORE_BOUNDS.len() + 1,
            };
            self.scores[class] += 1;
        }
    }

    /// The classes of scores by name, with their counts.
    pub fn score_classes(&self) -> impl Iterator<Item = (String, u64)> {
        let bounded = SCORE_BOUNDS.iter().map(|bound| format!("up to {bound}"));
        bounded.chain(["more".to_owned(), "decided".to_owned()]).zip(self.scores)
    }
}
