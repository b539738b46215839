//! The command line: parses arguments, runs a command, turns its end into an exit code.

pub mod args;
pub mod failure;
