//! The protocols by which user interfaces and match programs talk to the engine, over lines of text.
//!
//! `uci`, `ucci` and `usi` read commands into one typed form ([`command`]), which one `session` obeys; [`atsi`] is a protocol of
//! another shape, with the same engine behind it. All are generic over the game. This module starts no process and opens no
//! socket: it is given lines and a place to write.

pub mod atsi;
pub mod command;
pub mod dialect;
pub mod input;
pub mod options;
pub mod setup;
pub mod skill;
pub mod ucci;
pub mod uci;
pub mod usi;

mod count;
mod engine;
mod lines;
mod session;

use std::io::{self, Write};
use std::sync::Arc;

use crossbeam_channel::Receiver;

use crate::game::{ChosenLimits, Evaluate, Rules};
pub use dialect::Dialect;
use input::Line;
use options::Kept;

/// Name and version, as protocols tell them.
const NAME: &str = concat!("Kyokumen ", env!("CARGO_PKG_VERSION"));
const AUTHORS: &str = "the Kyokumen authors";
const LICENCE: &str = "MIT or Apache-2.0";

/// A protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// One of the family of UCI.
    Uci(Dialect),
    /// The protocol of the taikyoku web client.
    Atsi,
}

impl Protocol {
    /// The protocol that a first line opens; `None` if it could be any.
    pub fn opened_by(line: &Line) -> Option<Self> {
        let word = session::opening_word(line);
        let dialect = Dialect::ALL.into_iter().find(|dialect| dialect.name() == word);
        match dialect {
            Some(dialect) => Some(Self::Uci(dialect)),
            None => (word == "atsiinit").then_some(Self::Atsi),
        }
    }
}

/// What a session begins with.
#[derive(Clone, Debug)]
pub struct Setting<G: Evaluate> {
    /// The numbers of search and evaluation.
    pub params: Arc<G::Params>,
    /// Size of the transposition table, MiB.
    pub hash_mib: usize,
    /// Threads that search a position.
    pub threads: usize,
    /// The rules.
    pub rules: Rules<G::RuleSet>,
    /// What of the rules stays when the other side chooses another rule set.
    pub chosen_limits: ChosenLimits,
    /// The names of the games that the other side may change to.
    pub variants: Vec<&'static str>,
    /// What the other side has set in the game before.
    pub kept: Option<Kept>,
    /// What the other side is told at once.
    pub notes: Vec<String>,
}

/// How a session ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The other side wants no more, or is gone.
    Quit,
    /// The other side wants the game of this name, with the options that it has set.
    Variant(String, Kept),
}

/// Talks until the other side ends the session, closes its end, or wants another game.
///
/// # Errors
/// Output that cannot be written, or no memory for the table.
pub fn run<G: Evaluate>(
    protocol: Protocol,
    setting: &Setting<G>,
    input: &Receiver<Line>,
    output: &mut dyn Write,
) -> io::Result<End> {
    match protocol {
        Protocol::Uci(dialect) => session::run(dialect, setting, input, output),
        Protocol::Atsi => atsi::run(setting, input, output),
    }
}
