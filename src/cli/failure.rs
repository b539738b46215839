//! How a command can fail, and with which exit code.

use std::io;
use std::path::Path;

use crate::data::DataError;

/// Why a command ended without its result. The message says where, which text is bad, and what to do.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// A position or a move that cannot be played: exit code 1.
    #[error("{0}")]
    Position(String),
    /// Some positions of a batch failed; the output lists them, so there is nothing to add: exit code 1.
    #[error("some positions failed; the output lists them")]
    SomePositions,
    /// Bad usage or configuration: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// Bad input under `--strict`: exit code 3.
    #[error("{0}")]
    Input(String),
    /// Input, output, or damaged data: exit code 4.
    #[error("{0}")]
    Io(String),
    /// The reader of standard output went away: a quiet end, exit code 0.
    #[error("standard output was closed")]
    ClosedPipe,
    /// Interrupted by the user: exit code 130.
    #[error("interrupted")]
    Interrupted,
}

impl Failure {
    /// The exit code of the process.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::ClosedPipe => 0,
            Self::Position(_) | Self::SomePositions => 1,
            Self::Usage(_) => 2,
            Self::Input(_) => 3,
            Self::Io(_) => 4,
            Self::Interrupted => 130,
        }
    }

    /// Whether there is something to tell on standard error.
    pub const fn is_quiet(&self) -> bool {
        matches!(self, Self::ClosedPipe | Self::SomePositions)
    }

    /// A file that could not be read or written.
    pub fn file(path: &Path, error: &io::Error) -> Self {
        Self::Io(format!("{}: {error}", path.display()))
    }
}

impl From<io::Error> for Failure {
    /// An error of standard output.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::Io(format!("standard output: {error}"))
        }
    }
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Self {
        match error {
            DataError::Usage { .. } => Self::Usage(error.to_string()),
            DataError::Io { .. } | DataError::Damaged { .. } | DataError::Game { .. } => {
                Self::Io(error.to_string())
            }
        }
    }
}
