//! What a search is asked (`Limits`) and what it answers (`Report`).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::time::TimePlan;
use crate::score::{Bound, Score};

/// When to stop a search, and what to search. Whichever limit comes first ends it.
#[derive(Clone, Debug)]
pub struct Limits<M> {
    /// Deepest iteration, plies.
    pub depth: Option<u32>,
    /// Most nodes (moves played in the tree), all threads together; never exceeded.
    pub nodes: Option<u64>,
    /// No new iteration after so many nodes.
    pub soft_nodes: Option<u64>,
    /// Fixed time.
    pub movetime: Option<Duration>,
    /// Time by the clock of a game.
    pub clock: Option<TimePlan>,
    /// Stop when a mate in at most so many moves of the side to move is found.
    pub mate: Option<u32>,
    /// Number of lines with distinct first moves; more than the allowed moves is cut down.
    pub multipv: usize,
    /// Allowed first moves; empty: all legal ones. Moves that are not legal are ignored.
    pub searchmoves: Vec<M>,
    /// Never end by finding something, by depth or by a single move: only by nodes, time or the stop flag.
    pub infinite: bool,
    /// Threads that search this one position.
    pub threads: usize,
    /// Ends the search soon after it is set.
    pub stop: Arc<AtomicBool>,
    /// While set, time does not count (thinking on the opponent's time).
    pub pondering: Arc<AtomicBool>,
    /// When the clock started; `None`: at the call.
    pub started: Option<Instant>,
}

impl<M> Default for Limits<M> {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            soft_nodes: None,
            movetime: None,
            clock: None,
            mate: None,
            multipv: 1,
            searchmoves: Vec::new(),
            infinite: false,
            threads: 1,
            stop: Arc::default(),
            pondering: Arc::default(),
            started: None,
        }
    }
}

impl<M> Limits<M> {
    /// Search to a depth, nothing else.
    pub fn to_depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Search so many nodes, nothing else.
    pub fn to_nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The depth was reached.
    Depth,
    /// The nodes were used up.
    Nodes,
    /// The time was used up.
    Time,
    /// The mate asked for was found.
    Mate,
    /// Only one move was allowed, and the clock was running.
    OnlyMove,
    /// The game is over: no move to search.
    Terminal,
    /// The stop flag was set.
    Interrupted,
}

/// A searched line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<M> {
    /// 1 for the best.
    pub rank: usize,
    /// Score from the view of the side to move at the root.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// The moves from the root; all legal.
    pub moves: Vec<M>,
}

/// The state or the result of a search.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// Best line first. A finished game has one line without moves.
    pub lines: Vec<Line<M>>,
    /// The move to play; `None` only if there is none.
    pub best_move: Option<M>,
    /// The expected answer.
    pub ponder: Option<M>,
    /// The last completed iteration, plies; 0 if none was completed.
    pub depth: u32,
    /// The deepest line looked at, plies.
    pub seldepth: u32,
    /// Moves played in the tree, all threads together.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// Why the search ended; `None` in reports on the way.
    pub stop_reason: Option<StopReason>,
    /// Part of the table used by this search, in thousandths.
    pub hashfull: u32,
}

impl<M> Report<M> {
    /// The score of the best line.
    pub fn score(&self) -> Score {
        self.lines.first().map_or(Score::ZERO, |line| line.score)
    }
}
