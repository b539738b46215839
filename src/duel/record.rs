//! The record of a game, as a line of JSON. With `fen`, `moves` and `result` it is a game that every reader of games takes.

use serde::{Deserialize, Serialize};

use super::player::Fault;
use crate::game::GameResult;

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number in the match, from 1.
    pub id: u64,
    /// Number of the pair of games from one opening, from 1.
    pub pair: u64,
    /// The game's name: `xiangqi`, `taikyoku`.
    pub game: String,
    /// The rule set of the referee.
    pub rules: String,
    /// What the file of openings calls the opening.
    pub opening: Option<String>,
    /// The engine that plays the first player's pieces.
    pub first: String,
    /// The other one.
    pub second: String,
    /// `1-0`, `0-1` or `1/2-1/2`, the first player's points first.
    pub result: Score,
    /// The rule or the adjudication that ended the game.
    pub reason: String,
    /// What the loser did wrong outside the game, if it did.
    pub fault: Option<Fault>,
    /// The reason in a sentence or two.
    pub explanation: String,
    /// Plies, the opening among them.
    pub plies: usize,
    /// Plies of the opening.
    pub opening_plies: usize,
    /// The position before the moves.
    pub fen: String,
    /// The moves in native text, with blanks between.
    pub moves: String,
    /// What the mover thought of each move after the opening: centipawns from the first player's view.
    pub scores: Vec<Option<i32>>,
    /// Depths reached.
    pub depths: Vec<Option<u32>>,
    /// Nodes searched.
    pub nodes: Vec<Option<u64>>,
    /// Time of each move, milliseconds; only where there are limits of time, so that other games are repeatable.
    pub times_ms: Option<Vec<u64>>,
}

/// The score of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Score {
    /// The first player won.
    #[serde(rename = "1-0")]
    First,
    /// The second player won.
    #[serde(rename = "0-1")]
    Second,
    /// Nobody won.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl Score {
    /// The text in records.
    pub const fn text(self) -> &'static str {
        match self {
            Self::First => "1-0",
            Self::Second => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// The score of a result; a game that goes on counts as a draw.
    pub const fn of(result: GameResult) -> Self {
        match result {
            GameResult::First => Self::First,
            GameResult::Second => Self::Second,
            GameResult::Draw | GameResult::None => Self::Draw,
        }
    }

    /// Twice the points of the first player.
    pub const fn half_points_of_first(self) -> usize {
        match self {
            Self::First => 2,
            Self::Draw => 1,
            Self::Second => 0,
        }
    }
}
