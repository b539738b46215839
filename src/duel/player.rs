//! What the referee asks of a player, and how a player can fail.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::pace::Pace;
use crate::game::{Game, Side};
use crate::score::Score;

/// A game as far as it is played.
pub struct Board<'a, G: Game> {
    /// The position that the move list starts from, in native text.
    pub root: &'a str,
    /// The position after the moves.
    pub position: &'a G::Position,
    /// The moves from the root in native text, the opening among them.
    pub moves: &'a [String],
    /// How many of them are the opening: nobody chose them.
    pub opening_plies: usize,
}

/// What a player may use for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// The limits of each move.
    pub pace: Pace,
    /// The clocks of the first and the second player, where there are clocks.
    pub remaining: [Option<Duration>; 2],
    /// What each player's move adds to its clock.
    pub increments: [Duration; 2],
    /// How long to wait for an answer before the engine is given up.
    pub patience: Duration,
}

/// A move with what the player said of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice<M> {
    /// The move.
    pub mv: M,
    /// Its score from the player's own view, if told.
    pub score: Option<Score>,
    /// Depth reached, if told.
    pub depth: Option<u32>,
    /// Nodes searched, if told.
    pub nodes: Option<u64>,
    /// Time from the question to the answer.
    pub time: Duration,
}

/// Why a player gave no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lapse {
    /// It ended, could not be started, or panicked.
    Crash(String),
    /// It did not answer in time, and was stopped.
    Stall(String),
    /// It answered with something that is no legal move.
    Illegal(String),
    /// It resigned.
    Resigned(String),
    /// The match was interrupted: not the player's fault.
    Interrupted,
}

/// What kind of fault lost a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The engine ended or could not be started.
    Crash,
    /// The engine overstepped its time.
    Time,
    /// The engine played no legal move.
    IllegalMove,
}

/// An engine that plays.
pub trait Player<G: Game>: Send {
    /// Gets ready for a new game as one side.
    ///
    /// # Errors
    /// Why it cannot play.
    fn begin(&mut self, side: Side, allowance: &Allowance) -> Result<(), Lapse>;

    /// Chooses a move for the side it plays.
    ///
    /// # Errors
    /// Why there is no move.
    fn choose(
        &mut self,
        board: &Board<'_, G>,
        allowance: &Allowance,
    ) -> Result<Choice<G::Move>, Lapse>;

    /// Hears that the game is over: won, drawn or lost for it.
    fn end(&mut self, outcome: Outcome);

    /// Recovers from a lapse: the next game begins with a fresh engine.
    fn restart(&mut self);
}

/// The end of a game from a player's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It won.
    Win,
    /// Nobody won.
    Draw,
    /// It lost.
    Loss,
}

/// The flag by which a match is ended early.
pub type Stop = Arc<AtomicBool>;
