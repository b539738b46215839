//! What can be wrong with a tool's work: as a whole (`ToolError`) or with a block or game of its input (`Fault`).

use std::fmt;
use std::io;
use std::path::Path;

use crate::data::{BlockFault, DataError, ReplayFault};
use crate::search::TableError;

/// Why a tool ended without its result.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// A file of games cannot be read or written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The user must decide otherwise.
    #[error("{0}")]
    Usage(String),
    /// Another file operation failed.
    #[error("{0}")]
    Io(String),
    /// There is no memory for a search table.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// The user stopped the tool.
    #[error("interrupted")]
    Interrupted,
}

impl ToolError {
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |error| Self::Io(format!("{}: {error}", path.display()))
    }
}

/// A part of a file that a tool could not use. Everything else was used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A damaged part of the file.
    Block(BlockFault),
    /// A game that contradicts the rules or itself.
    Game {
        /// The block that holds it.
        block: u32,
        /// Where that block begins, in bytes from the start of the file.
        offset: u64,
        /// The number of the game.
        game: u64,
        /// What is wrong with it.
        problem: Problem,
    },
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The ply, from 1; `None`: the game as a whole.
    pub ply: Option<usize>,
    /// The contradiction.
    pub reason: String,
}

impl Problem {
    /// A problem at a ply, from 1.
    pub fn at(ply: usize, reason: impl Into<String>) -> Self {
        Self { ply: Some(ply), reason: reason.into() }
    }

    /// A problem of the whole game.
    pub fn whole(reason: impl Into<String>) -> Self {
        Self { ply: None, reason: reason.into() }
    }
}

impl From<ReplayFault> for Problem {
    fn from(fault: ReplayFault) -> Self {
        match fault {
            ReplayFault::Start(_) => Self::whole(fault.to_string()),
            ReplayFault::Move { ply, code } => Self::at(ply, format!("{code:#x} is no legal move")),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block(fault) => {
                write!(f, "offset {}, block {}", fault.offset, fault.number)?;
                if fault.blocks > 1 {
                    let last = u64::from(fault.number) + u64::from(fault.blocks) - 1;
                    write!(f, " to {last}")?;
                }
                write!(f, ": {} ({} bytes)", fault.reason, fault.bytes)
            }
            Self::Game { block, offset, game, problem } => {
                write!(f, "offset {offset}, block {block}, game {game}")?;
                if let Some(ply) = problem.ply {
                    write!(f, ", ply {ply}")?;
                }
                write!(f, ": {}", problem.reason)
            }
        }
    }
}
