//! Kyokumen (局面): search and analysis of xiangqi and taikyoku shogi.
//!
//! A game is a type that implements [`game::Game`] (the rules) and [`game::Evaluate`] (what an engine decides).
//! All that stands between the games and the command line is generic over these two traits.

pub mod analysis;
pub mod chances;
pub mod cli;
pub mod data;
pub mod datagen;
pub mod dataset;
pub mod duel;
pub mod export;
mod files;
pub mod game;
pub mod games;
mod memory;
pub mod perft;
pub mod picture;
mod prefetch;
pub mod protocol;
mod random;
pub mod score;
pub mod search;
pub mod tune;
pub mod workload;
