//! Training data by self-play: [`opening`] draws where a game begins, [`selfplay`] plays it, [`run`] makes many on all cores
//! and writes them in order, [`tally`] counts what came of it. Nothing here prints.
//!
//! A game depends on nothing but the plan and its number: it has a random stream of its own, and its searcher begins with
//! empty tables. So the file is the same byte for byte however many threads work, and after any number of stops.

pub mod duplicates;
pub mod opening;
pub mod run;
pub mod selfplay;
pub mod tally;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::duel::adjudication::Adjudication;
use crate::game::{Evaluate, Rules};
use opening::Openings;

/// All that shapes the games of a run.
pub struct Plan<G: Evaluate> {
    /// The rules that judge.
    pub rules: Rules<G::RuleSet>,
    /// The numbers of search and evaluation.
    pub params: Arc<G::Params>,
    /// Size of each searcher's table.
    pub hash_mib: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// How long each position is searched.
    pub effort: Effort,
    /// More effort for some positions.
    pub teacher: Option<Teacher>,
    /// When other moves than the best are played.
    pub variety: Option<Variety>,
    /// When games end early.
    pub adjudication: Adjudication,
    /// Where games begin.
    pub openings: Openings<G>,
    /// Set from outside to end the run; games under way are given up.
    pub stop: Arc<AtomicBool>,
}

/// Limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Deepest iteration.
    pub depth: Option<u32>,
    /// No new iteration after so many nodes.
    pub soft_nodes: Option<u64>,
    /// Never more nodes.
    pub hard_nodes: Option<u64>,
}

/// Every so many searched positions of a game, another effort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Teacher {
    /// Positions from one to the next.
    pub every: usize,
    /// Its limits.
    pub effort: Effort,
}

/// Random choice among the best moves, by their scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variety {
    /// Moves to choose from.
    pub moves: usize,
    /// A move that is so many centipawns worse is drawn half as often.
    pub temperature_cp: u32,
    /// Only in so many searched plies at the start of a game.
    pub plies: usize,
}
