//! A played game on its way to jobs: every position, each k-th, or the last one.

use std::str::FromStr;

use crate::analysis::job::{Id, Task};
use crate::game::Game;

/// Which positions of a game become jobs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Every {
    /// The first position and each that is a multiple of so many plies from it; at least 1.
    Plies(u64),
    /// Only the position after the last move.
    Last,
}

impl FromStr for Every {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            _ if text.eq_ignore_ascii_case("last") => Ok(Self::Last),
            Ok(plies) if plies > 0 => Ok(Self::Plies(plies)),
            _ => Err(format!("'{text}' is neither a number of plies from 1 nor 'last'")),
        }
    }
}

/// A game whose moves are known to be legal, walked from its start.
pub(super) struct PlayedGame<G: Game> {
    pub(super) id: Option<Id>,
    /// First line of the game in its file.
    pub(super) line: u64,
    /// Goes to the first job.
    pub(super) warnings: Vec<String>,
    position: G::Position,
    moves: Vec<G::Move>,
    ply: usize,
}

impl<G: Game> PlayedGame<G> {
    pub(super) fn new(line: u64, id: Option<Id>, root: G::Position, moves: Vec<G::Move>) -> Self {
        Self { id, line, warnings: Vec::new(), position: root, moves, ply: 0 }
    }

    /// The next position that is wanted, and its ply.
    pub(super) fn next_task(&mut self, every: Every) -> Option<(u64, Task<G>)> {
        while self.ply <= self.moves.len() {
            let ply = self.ply as u64;
            let wanted = match every {
                Every::Plies(plies) => ply.is_multiple_of(plies),
                Every::Last => self.ply == self.moves.len(),
            };
            let played = self.moves.get(self.ply).copied();
            let task = wanted.then(|| Task {
                played,
                ..super::setup::task::<G>(self.position.clone(), std::mem::take(&mut self.warnings))
            });
            if let Some(mv) = played {
                G::make(&mut self.position, mv);
            }
            self.ply += 1;
            if let Some(task) = task {
                return Some((ply, task));
            }
        }
        None
    }

    /// The share of the game that is done, from 0 to 1.
    pub(super) fn share(&self) -> f64 {
        self.ply as f64 / (self.moves.len() + 1) as f64
    }
}
