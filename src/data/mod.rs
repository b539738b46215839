//! Training data: files of games, each a chain of moves with the scores that the search gave them.
//!
//! [`header`] says how a file was made; [`chain`] is a game; [`block`] is how some games lie in a file together; [`writer`]
//! and [`reader`] are the two ends; [`mod@replay`] turns a chain back into positions. `docs/data-format.md` has every byte.
//! Nothing here knows a game by name, and nothing prints.

pub mod block;
pub mod chain;
pub mod error;
pub mod header;
mod map;
pub mod reader;
pub mod replay;
pub mod writer;

pub use block::Block;
pub use chain::{Chain, ChainView, EndReason, Ply, PlyFlags};
pub use error::{BlockFault, DataError, FaultReason};
pub use header::{Header, RuleSettings};
pub use reader::Reader;
pub use replay::{ReplayFault, replay};
pub use writer::Writer;

/// Numbers lie in files as in memory, low byte first.
const _: () = assert!(
    cfg!(target_endian = "little"),
    "files are little endian and read in place; a big-endian machine needs a conversion here"
);
