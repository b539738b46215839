//! Batch analysis: a stream of positions in, a stream of records out, in bounded memory and on all cores.

pub mod input;
pub mod job;
