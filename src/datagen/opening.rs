//! Where games begin: in the initial position or in those of a file, then some random moves, if the result is not too uneven.

use crate::duel::opening::{Opening, wander};
use crate::game::{Evaluate, Game};
use crate::random::Random;

/// Draws of random moves for one game before it is said that there is no opening.
const DRAWS: usize = 1000;

/// The openings of a run.
pub struct Openings<G: Game> {
    bases: Vec<Opening<G>>,
    /// Random plies after each; half of the games have one more, so that both sides get to move first.
    pub random_plies: usize,
    /// Openings further from even are drawn anew, by the score of a search.
    pub bound_cp: Option<i32>,
}

/// A run asks for openings that are not to be had.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "game {game}: none of {DRAWS} openings drawn is within {bound_cp} centipawns of even; raise \
     --opening-bound, or change --random-plies or --openings"
)]
pub struct NoOpening {
    /// The number of the game.
    pub game: u64,
    /// The bound.
    pub bound_cp: i32,
}

impl<G: Evaluate> Openings<G> {
    /// Openings that begin with these, one after the other.
    ///
    /// # Panics
    /// If there is none.
    pub fn new(bases: Vec<Opening<G>>, random_plies: usize, bound_cp: Option<i32>) -> Self {
        assert!(!bases.is_empty(), "games begin somewhere");
        Self { bases, random_plies, bound_cp }
    }

    /// The opening of a game; `score` searches a position, or gives `None` when the run is stopped.
    pub(super) fn draw(
        &self,
        game: u64,
        random: &mut Random,
        mut score: impl FnMut(&G::Position) -> Option<i32>,
    ) -> Result<Option<Opening<G>>, NoOpening> {
        let base = &self.bases[(game % self.bases.len() as u64) as usize];
        for _ in 0..DRAWS {
            let plies = match self.random_plies {
                0 => 0,
                plies => plies + random.below(2),
            };
            let Some(position) = wander::<G>(&base.position, plies, random) else { continue };
            if let Some(bound) = self.bound_cp {
                match score(&position) {
                    None => return Ok(None),
                    Some(score) if score.abs() > bound => continue,
                    Some(_) => {}
                }
            }
            return Ok(Some(Opening::new(None, position)));
        }
        Err(NoOpening { game, bound_cp: self.bound_cp.unwrap_or_default() })
    }
}
