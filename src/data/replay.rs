//! From a chain back to positions: every move is checked by the rules.

use super::chain::{Chain, ChainView, Ply};
use crate::game::{Evaluate, Rules};

/// A game that cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayFault {
    /// The start is no position.
    #[error("start position: {0}")]
    Start(String),
    /// A move is not legal.
    #[error("ply {ply}: {code:#x} is no legal move")]
    Move {
        /// The ply, from 1.
        ply: usize,
        /// The number that should be a move.
        code: u32,
    },
}

/// Plays the plies of a chain from its start; `visit` sees each position before its move. Gives the last position.
///
/// # Errors
/// The start is no position, or a move is not legal; `visit` has seen all before it.
pub fn replay<G: Evaluate>(
    start: Option<&str>,
    plies: impl IntoIterator<Item = Ply>,
    rules: Rules<G::RuleSet>,
    mut visit: impl FnMut(&G::Position, &Ply, G::Move),
) -> Result<G::Position, ReplayFault> {
    let mut position = match start {
        None => G::start(rules),
        Some(text) => {
            G::parse_position(text, rules)
                .map_err(|error| ReplayFault::Start(error.to_string()))?
                .position
        }
    };
    for (index, ply) in plies.into_iter().enumerate() {
        let mv = G::decode(&position, ply.code)
            .ok_or(ReplayFault::Move { ply: index + 1, code: ply.code })?;
        visit(&position, &ply, mv);
        G::make(&mut position, mv);
    }
    Ok(position)
}

impl Chain {
    /// Replays the game; see [`replay`].
    ///
    /// # Errors
    /// Those of [`replay`].
    pub fn replay<G: Evaluate>(
        &self,
        rules: Rules<G::RuleSet>,
        visit: impl FnMut(&G::Position, &Ply, G::Move),
    ) -> Result<G::Position, ReplayFault> {
        replay::<G>(self.start.as_deref(), self.plies.iter().copied(), rules, visit)
    }
}

impl ChainView<'_> {
    /// Replays the game; see [`replay`].
    ///
    /// # Errors
    /// Those of [`replay`].
    pub fn replay<G: Evaluate>(
        &self,
        rules: Rules<G::RuleSet>,
        visit: impl FnMut(&G::Position, &Ply, G::Move),
    ) -> Result<G::Position, ReplayFault> {
        replay::<G>(self.start(), self.plies(), rules, visit)
    }
}
