//! Tools for files of games: look, check, reorder, mark, rescore.
//!
//! | module | tool |
//! |---|---|
//! | [`info`], [`verify`] | what is in a file; whether the rules agree |
//! | [`shuffle`], [`split`], [`merge`] | games into another order, into parts, together |
//! | [`filter`], [`dedupe`], [`sample`] | marks on positions that are to be left out |
//! | [`rescore`] | new scores from another search |
//!
//! [`stream`] passes over a file on all cores and gives what comes of its games in order; [`target`] writes a file under
//! another name until it is whole; [`history`] keeps what was done in the header; [`spill`] sorts more than memory holds.
//! A position that a tool leaves out keeps its place in its game and gets a mark: moves must stay a chain.
//! Nothing here names a game, and nothing prints.

pub mod dedupe;
pub mod error;
pub mod filter;
pub mod history;
pub mod info;
pub mod merge;
pub mod numbers;
pub mod rescore;
pub mod sample;
mod searchers;
pub mod shuffle;
pub mod spill;
pub mod split;
pub mod stream;
pub mod target;
pub mod verify;

pub use error::{Fault, ToolError};
pub use history::Counts;
pub use stream::Watch;
pub use target::{Existing, Target};
