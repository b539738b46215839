//! A job: one position to analyse, where it came from and what its line asks for; or why the line is no position.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::Game;

/// One record's worth of work.
#[derive(Clone, Debug)]
pub struct Job<G: Game> {
    /// Where the job came from: the first fields of its record.
    pub label: Label,
    /// The position, or why there is none.
    pub task: Result<Task<G>, InputError>,
    /// Bytes of all inputs read when this job was complete, for progress.
    pub bytes_read: u64,
}

/// A position to analyse.
#[derive(Clone, Debug)]
pub struct Task<G: Game> {
    /// The position with its history.
    pub position: G::Position,
    /// What is odd but playable.
    pub warnings: Vec<String>,
    /// Moves of which one should be found (EPD `bm`); empty: none named.
    pub best: Vec<G::Move>,
    /// Moves that should not be chosen (EPD `am`).
    pub avoid: Vec<G::Move>,
    /// All EPD opcodes but `id`, as given.
    pub opcodes: Vec<(String, String)>,
    /// The move played here, where the position is from a game.
    pub played: Option<G::Move>,
}

/// Why a line is no position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InputError {
    /// Where in the line, in characters from 1.
    pub column: usize,
    /// What is wrong, the bad text, and the remedy.
    pub message: String,
}

impl InputError {
    pub(super) fn new(column: usize, message: impl Into<String>) -> Self {
        Self { column, message: message.into() }
    }
}

/// The fields of a record that are known before the search: two runs of one input agree on them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Label {
    /// Number of the record in the batch, from 0.
    pub index: u64,
    /// The input file; `None` for standard input and the command line.
    pub file: Option<String>,
    /// Line in its file, from 1.
    pub line: u64,
    /// The name that the input gives the position or the game.
    pub id: Option<Id>,
    /// Plies played in the game before this position; only for positions of games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<u64>,
    /// The line as read, cut if it is very long; `None` for positions of games.
    pub input: Option<String>,
    /// The position in native text; `None` if the input is no position.
    pub position: Option<String>,
    /// The game's name.
    pub game: String,
    /// The rule set's name.
    pub rules: String,
}

impl Label {
    /// A fingerprint in memory, never 0, to recognise the record of this job in an earlier output. Formats that have no
    /// numbers apart from text (CSV) give the same fingerprint.
    pub fn fingerprint(&self) -> u64 {
        // Fixed seeds: only for the eye of a debugger, nothing of this is written.
        let state = ahash::RandomState::with_seeds(1, 2, 3, 4);
        let id = self.id.as_ref().map(Id::to_string).unwrap_or_default();
        let texts =
            [&self.file, &self.input, &self.position].map(|text| text.as_deref().unwrap_or(""));
        state.hash_one((self.index, self.line, self.ply, id, texts, &self.game, &self.rules)).max(1)
    }
}

/// A name given by the input; a number stays a number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Id {
    /// A JSON number.
    Number(serde_json::Number),
    /// Any text.
    Text(String),
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// A text for an error message or an echo: cut to `limit` characters, with a note of what was left out.
pub(super) fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => {
            let left_out = text[end..].chars().count();
            format!("{}... ({left_out} more characters)", &text[..end])
        }
    }
}

/// The character column, from 1, of a byte offset in a text.
pub(super) fn column_at(text: &str, offset: usize) -> usize {
    text.char_indices().take_while(|&(at, _)| at < offset).count() + 1
}
