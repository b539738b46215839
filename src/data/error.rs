//! What can be wrong with a file of games: as a whole (`DataError`) or in one of its blocks (`BlockFault`).

use std::io;
use std::path::{Path, PathBuf};

/// Why a file cannot be used, or a game not be written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file operation failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// The file is none of ours, or so damaged that nothing can be read.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, where, and what to do.
        reason: String,
    },
    /// The user must decide: the file exists, is in use, or was made with other settings.
    #[error("{}: {reason}", path.display())]
    Usage {
        /// The file.
        path: PathBuf,
        /// What is in the way and what to do.
        reason: String,
    },
    /// A game that the format cannot say.
    #[error("game {number} cannot be stored: {reason}")]
    Game {
        /// Its number.
        number: u64,
        /// What is wrong with it.
        reason: String,
    },
}

impl DataError {
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |error| Self::Io { path: path.to_owned(), error }
    }

    pub(super) fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), reason: reason.into() }
    }

    pub(super) fn usage(path: &Path, reason: impl Into<String>) -> Self {
        Self::Usage { path: path.to_owned(), reason: reason.into() }
    }
}

/// A part of a file that cannot be read. All other blocks can.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("offset {offset}: {reason}")]
pub struct BlockFault {
    /// Where the damage begins, in bytes from the start of the file.
    pub offset: u64,
    /// Bytes passed over.
    pub bytes: u64,
    /// The number of the first block that is lost (the first block of a file is 0).
    pub number: u32,
    /// Blocks lost; 0 where only a copy of the header is, or nobody can know.
    pub blocks: u32,
    /// What is wrong.
    pub reason: FaultReason,
}

/// What is wrong with a part of a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FaultReason {
    /// One of the two copies of the file's header; the other one is used.
    #[error("one of the two copies of the file header is damaged; the other one is used")]
    HeaderCopy,
    /// The header of a block, so that the next one had to be searched for.
    #[error("a block header is damaged; reading goes on at the next whole block")]
    Head,
    /// The payload does not have its checksum.
    #[error("block damaged: its checksum is wrong")]
    Payload,
    /// The checksum is right, but the payload makes no sense.
    #[error("block makes no sense: {0}")]
    Content(String),
    /// The numbers of the blocks have a gap, or go back.
    #[error("blocks are missing, doubled or out of order here")]
    Sequence,
    /// The end of the file is no whole block.
    #[error("the end of the file is torn or damaged")]
    Torn,
}
