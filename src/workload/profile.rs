//! A profile: the TOML text of a workload. The files are in `profiles/`, and built into the program.

use serde::{Deserialize, Serialize};

/// The profiles that come with the program: name and text.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("xiangqi-movegen", include_str!("../../profiles/xiangqi-movegen.toml")),
    ("xiangqi-make-unmake", include_str!("../../profiles/xiangqi-make-unmake.toml")),
    ("xiangqi-perft", include_str!("../../profiles/xiangqi-perft.toml")),
    ("xiangqi-perft-hash", include_str!("../../profiles/xiangqi-perft-hash.toml")),
    ("xiangqi-playout", include_str!("../../profiles/xiangqi-playout.toml")),
    ("xiangqi-search", include_str!("../../profiles/xiangqi-search.toml")),
    ("xiangqi-batch", include_str!("../../profiles/xiangqi-batch.toml")),
    ("xiangqi-datagen", include_str!("../../profiles/xiangqi-datagen.toml")),
    ("taikyoku-movegen", include_str!("../../profiles/taikyoku-movegen.toml")),
    ("taikyoku-make-unmake", include_str!("../../profiles/taikyoku-make-unmake.toml")),
    ("taikyoku-perft", include_str!("../../profiles/taikyoku-perft.toml")),
    ("taikyoku-playout", include_str!("../../profiles/taikyoku-playout.toml")),
    ("taikyoku-search", include_str!("../../profiles/taikyoku-search.toml")),
    ("taikyoku-datagen", include_str!("../../profiles/taikyoku-datagen.toml")),
    ("table", include_str!("../../profiles/table.toml")),
];

/// Most threads of a workload.
const MOST_THREADS: usize = 1024;

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
    /// Random games are played from each position, `plies` at most; plies are counted.
    Playout,
    /// Each position is searched to a depth or for a number of nodes; nodes are counted.
    Search,
    /// The same, each position by one thread and several at once.
    Batch,
    /// In each round, `nodes` keys of no position are stored in a transposition table and then looked up; those stored and
    /// those found are counted.
    Table,
    /// `rounds` games are played as for training data, from the positions in turn, each position searched within the limits;
    /// positions with a score are counted.
    Datagen,
}

impl Measure {
    /// What is counted.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Movegen | Self::MakeUnmake => "moves",
            Self::Perft => "leaves",
            Self::Playout => "plies",
            Self::Search | Self::Batch => "nodes",
            Self::Table => "keys",
            Self::Datagen => "positions",
        }
    }
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
    /// Plies, for perft and searches.
    pub depth: Option<u32>,
    /// Most nodes of each search; keys of a table.
    pub nodes: Option<u64>,
    /// Most plies of each random game, and of each game of self-play with those before its position.
    pub plies: Option<usize>,
    /// How often movegen, make and unmake, playouts and the table go through their work in one run; games of training data.
    #[serde(default = "one")]
    pub rounds: u32,
    /// Threads of perft, searches, batches and training data, from 1 to 1,024.
    #[serde(default = "one_thread")]
    pub threads: usize,
    /// Size of the hash table; 0: none in perft, the smallest elsewhere.
    #[serde(default)]
    pub hash_mib: u64,
    /// Seed of random positions, playouts, keys and games.
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

impl Profile {
    /// The first field that is missing or out of its range, and the remedy.
    pub(super) fn fault(&self) -> Option<String> {
        let out_of_range = |name, value: usize, most: usize| {
            let good = (1..=most).contains(&value);
            (!good).then(|| format!("{name}: {value} is not from 1 to {most}"))
        };
        out_of_range("threads", self.threads, MOST_THREADS)
            .or_else(|| out_of_range("rounds", self.rounds as usize, u32::MAX as usize))
            .or_else(|| out_of_range("repeats", self.repeats as usize, u32::MAX as usize))
            .or_else(|| self.missing().map(str::to_owned))
    }

    fn missing(&self) -> Option<&'static str> {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        match self.measure {
            Measure::Movegen | Measure::MakeUnmake => None,
            Measure::Perft => self.depth.is_none().then_some("no depth; add depth = N"),
            Measure::Playout => self.plies.is_none().then_some("no length; add plies = N"),
            Measure::Search | Measure::Batch | Measure::Datagen => {
                unlimited.then_some("no limit; add depth or nodes")
            }
            Measure::Table => self.nodes.is_none().then_some("no number of keys; add nodes = N"),
        }
    }
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
