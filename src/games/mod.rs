//! The list of games. Only `cli` and `protocol` start from here.

pub mod taikyoku;
