//! What was done to a file, in its header: the tools with their settings and counts, and the runs that its games come from.
//!
//! A game is known by the seed of its run and its number. Where a file holds games of several runs, `settings.runs` lists
//! them, and the number of a game in the file has the index of its run in its high bits; see [`RUN_SHIFT`].

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::data::{Chain, Header};

/// A game's number in a file of several runs: the index of the run, shifted by so many bits, and its number in the run.
pub const RUN_SHIFT: u32 = 40;

const HISTORY: &str = "history";
const RUNS: &str = "runs";

/// What went into a tool and what came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counts {
    /// Games read.
    pub games_in: u64,
    /// Games written.
    pub games_out: u64,
    /// Positions to learn from, before.
    pub positions_in: u64,
    /// Positions to learn from, after.
    pub positions_out: u64,
}

/// A tool with its settings.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The name of the tool.
    pub tool: &'static str,
    /// All that shaped its result.
    pub settings: Map<String, Value>,
}

impl Counts {
    /// Counts a game that is read.
    pub fn see(&mut self, game: &Chain) {
        self.games_in += 1;
        self.positions_in += used(game);
    }

    /// Counts a game that is written.
    pub fn write(&mut self, game: &Chain) {
        self.games_out += 1;
        self.positions_out += used(game);
    }
}

/// The positions of a game to learn from.
pub fn used(game: &Chain) -> u64 {
    game.plies.iter().filter(|ply| ply.is_used()).count() as u64
}

impl Step {
    /// A step; `settings` is an object.
    ///
    /// # Panics
    /// If it is none.
    pub fn new(tool: &'static str, settings: Value) -> Self {
        match settings {
            Value::Object(settings) => Self { tool, settings },
            _ => panic!("settings are an object"),
        }
    }
}

/// The header of a file after a tool.
pub fn header_after(header: &Header, step: &Step, counts: Option<Counts>) -> Header {
    let mut entry = Map::new();
    entry.insert("tool".to_owned(), json!(step.tool));
    entry.insert("version".to_owned(), json!(env!("CARGO_PKG_VERSION")));
    entry.insert("settings".to_owned(), Value::Object(step.settings.clone()));
    entry.extend(counts.map(|counts| ("counts".to_owned(), json!(counts))));
    let mut header = header.clone();
    match header.settings.get_mut(HISTORY) {
        Some(Value::Array(history)) => history.push(Value::Object(entry)),
        _ => {
            header.settings.insert(HISTORY.to_owned(), json!([entry]));
        }
    }
    header
}

/// The steps that a file went through, oldest first.
pub fn steps(header: &Header) -> &[Value] {
    match header.settings.get(HISTORY) {
        Some(Value::Array(history)) => history,
        _ => &[],
    }
}

/// A run of the generator.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Run {
    /// Its seed.
    pub seed: u64,
    /// Name and version of the program.
    pub engine: String,
    /// The commit of the program, if known.
    pub commit: Option<String>,
    /// The hash of its parameters, hexadecimal.
    pub evaluation: String,
    /// Its settings.
    pub settings: Map<String, Value>,
}

/// The runs that the games of a file come from.
///
/// # Errors
/// The list in the header makes no sense.
pub fn runs(header: &Header) -> Result<Vec<Run>, String> {
    match header.settings.get(RUNS) {
        Some(runs) => serde_json::from_value(runs.clone())
            .map_err(|error| format!("settings.runs of its header makes no sense: {error}")),
        None => {
            let mut settings = header.settings.clone();
            settings.shift_remove(HISTORY);
            Ok(vec![Run {
                seed: header.seed,
                engine: header.engine.clone(),
                commit: header.commit.clone(),
                evaluation: format!("{:016x}", header.evaluation),
                settings,
            }])
        }
    }
}

/// Whether the numbers of a file's games have the index of their run in them.
pub fn has_runs(header: &Header) -> bool {
    header.settings.contains_key(RUNS)
}

/// The header of a file with games of several runs; the history is kept.
pub fn with_runs(header: &Header, runs: &[Run]) -> Header {
    let mut header = header.clone();
    let history = header.settings.shift_remove(HISTORY);
    header.settings = Map::new();
    header.settings.insert(RUNS.to_owned(), json!(runs));
    header.settings.extend(history.map(|history| (HISTORY.to_owned(), history)));
    header
}

/// The name of a file without its directories, for settings: they should not depend on where somebody keeps files.
pub fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
