//! A profile: the TOML text of a workload. The files are in `profiles/`, and built into the program.

use serde::{Deserialize, Serialize};

/// The profiles that come with the program: name and text.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("xiangqi-movegen", include_str!("../../profiles/xiangqi-movegen.toml")),
    ("xiangqi-make-unmake", include_str!("../../profiles/xiangqi-make-unmake.toml")),
    ("xiangqi-perft", include_str!("../../profiles/xiangqi-perft.toml")),
    ("xiangqi-perft-hash", include_str!("../../profiles/xiangqi-perft-hash.toml")),
    ("xiangqi-search", include_str!("../../profiles/xiangqi-search.toml")),
    ("taikyoku-movegen", include_str!("../../profiles/taikyoku-movegen.toml")),
    ("taikyoku-make-unmake", include_str!("../../profiles/taikyoku-make-unmake.toml")),
    ("taikyoku-perft", include_str!("../../profiles/taikyoku-perft.toml")),
    ("taikyoku-search", include_str!("../../profiles/taikyoku-search.toml")),
];

/// What is done with the positions, and what is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// All legal moves of each position are generated; moves are counted.
    Movegen,
    /// Each legal move of each position is made and taken back; moves are counted.
    MakeUnmake,
    /// The leaves below each position are counted, `depth` plies below.
    Perft,
    /// Each position is searched to a depth or for a number of nodes; nodes are counted.
    Search,
}

/// A workload as a profile describes it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// One line for listings.
    pub summary: String,
    /// The game's name.
    pub game: String,
    /// The rule set; the game's default if it is left out.
    pub rules: Option<String>,
    /// What is done and counted.
    pub measure: Measure,
    /// Plies, for perft and search.
    pub depth: Option<u32>,
    /// Most nodes of each search.
    pub nodes: Option<u64>,
    /// How often the positions are gone through in one run.
    #[serde(default = "one")]
    pub rounds: u32,
    /// Threads.
    #[serde(default = "one_thread")]
    pub threads: usize,
    /// Size of the hash table; 0: none.
    #[serde(default)]
    pub hash_mib: u64,
    /// Seed of the random positions.
    #[serde(default)]
    pub seed: u64,
    /// How often the work is timed.
    #[serde(default = "five")]
    pub repeats: u32,
    /// What one run counts; left out where a change of it is no error.
    pub expected: Option<u64>,
    /// Whether it is a part of the one-line signature.
    #[serde(default)]
    pub signature: bool,
    /// Positions by their text.
    #[serde(default)]
    pub positions: Vec<Start>,
    /// Positions after random play from the initial one.
    pub random: Option<Random>,
}

/// A position by its text.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The position, or `startpos`.
    pub position: String,
    /// Moves played from it, separated by blanks.
    #[serde(default)]
    pub moves: String,
}

/// Positions after random play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Random {
    /// How many games, each of which gives its last position.
    pub games: u32,
    /// Plies of each game, if it does not end before.
    pub plies: u32,
}

const fn one() -> u32 {
    1
}

const fn one_thread() -> usize {
    1
}

const fn five() -> u32 {
    5
}
