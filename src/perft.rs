//! Perft: the number of leaf nodes of the tree of legal moves, for any game.
//!
//! [`perft`] is the plain recursion and the twin that tests compare with. [`count`] and [`divide`] are what users run:
//!
//! 1. **Threads.** The plies near the root become tasks of the current rayon pool, as long as the subtrees below are
//!    worth a task; whoever is idle steals half of another's list of moves, at any of these plies.
//! 2. **The last ply is counted, not played** ([`LastPly::Counted`]), by [`Game::count_below`] for all moves of the ply above.
//! 3. **A shared table** ([`Table`]) remembers subtrees that were counted already, by any thread.
//! 4. **Buffers.** A thread keeps one list of moves for each ply, so that counting a node allocates nothing.

pub mod table;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use crate::game::{Game, MoveKind};
use table::Table;

/// Counts the leaf nodes `depth` plies below the position; the last ply is counted, not played. One thread, no table, and the
/// sum must fit 64 bits.
pub fn perft<G: Game>(position: &mut G::Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => G::count(position),
        _ => {
            let mut moves = Vec::new();
            G::generate(position, MoveKind::All, &mut moves);
            let mut nodes = 0;
            for mv in moves {
                G::make(position, mv);
                nodes += perft::<G>(position, depth - 1);
                G::unmake(position);
            }
            nodes
        }
    }
}

/// How the last ply becomes a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LastPly {
    /// The legal moves are counted ("bulk counting").
    #[default]
    Counted,
    /// Each legal move is made and taken back.
    Played,
}

/// Watched and set from outside while a count runs.
#[derive(Debug, Default)]
pub struct Monitor {
    /// Set to end the count early.
    pub stop: AtomicBool,
    done: AtomicU64,
}

/// The whole of [`Monitor::done`], in units of the counter.
const WHOLE: f64 = (1_u64 << 50) as f64;

impl Monitor {
    /// The share of the tree that is counted, from 0 to 1, where each move of a node has an equal share.
    pub fn done(&self) -> f64 {
        self.done.load(Ordering::Relaxed) as f64 / WHOLE
    }

    fn add(&self, share: f64) {
        // Relaxed: a figure for people, that orders nothing.
        self.done.fetch_add((share * WHOLE) as u64, Ordering::Relaxed);
    }

    fn check(&self) -> Result<(), CountError> {
        // Relaxed: it does not matter which node sees the flag first.
        if self.stop.load(Ordering::Relaxed) { Err(CountError::Stopped) } else { Ok(()) }
    }
}

/// Why a count has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CountError {
    /// It was ended by [`Monitor::stop`].
    #[error("stopped")]
    Stopped,
    /// The sum does not fit 64 bits.
    #[error("there are more than {} leaf nodes: choose a smaller depth", u64::MAX)]
    TooMany,
}

/// The sum of the counts of two subtrees.
///
/// # Errors
/// [`CountError::TooMany`].
pub fn add(sum: u64, nodes: u64) -> Result<u64, CountError> {
    sum.checked_add(nodes).ok_or(CountError::TooMany)
}

/// The greatest depth that users may ask for: no tree of it can be counted, but each ply has its buffers and its frame.
pub const DEEPEST: u32 = 200;

/// What to count, and with what help.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Plies to the leaves.
    pub depth: u32,
    /// How the last ply becomes a number.
    pub last_ply: LastPly,
    /// Counts of subtrees, of this count or of earlier ones of the same game and rules.
    pub table: Option<&'a Table>,
    /// Progress, and the way to stop.
    pub monitor: &'a Monitor,
}

/// Counts the leaf nodes below a position, on all threads of the current rayon pool.
///
/// # Errors
/// [`CountError::Stopped`], if the monitor said so; [`CountError::TooMany`].
pub fn count<G: Game>(position: &G::Position, options: Options<'_>) -> Result<u64, CountError> {
    Counter::<G>::new(position, options).split(options.depth, 0, 1.0)
}

/// The leaf nodes below each move of a position, in the order of generation. At depth 0 there are no moves.
///
/// # Errors
/// [`CountError::Stopped`], if the monitor said so; [`CountError::TooMany`].
pub fn divide<G: Game>(
    position: &G::Position,
    options: Options<'_>,
) -> Result<Vec<(G::Move, u64)>, CountError> {
    if options.depth == 0 {
        return Ok(Vec::new());
    }
    let mut moves = Vec::new();
    G::generate(position, MoveKind::All, &mut moves);
    let share = 1.0 / moves.len() as f64;
    moves
        .par_iter()
        .map_init(
            || Counter::<G>::new(position, options),
            |counter, &mv| Ok((mv, counter.split_below(mv, options.depth - 1, 1, share)?)),
        )
        .collect()
}

/// Nodes with fewer plies below them are counted by one thread: their subtrees are too small to share.
const SPLIT_DEPTH: u32 = 3;
/// Nodes so many plies below the root are counted by one thread: there are tasks enough above them.
const SPLIT_PLIES: u32 = 3;
/// Nodes with fewer plies below them are not kept in the table: counting them is as fast as looking them up.
const TABLE_DEPTH: u32 = 2;
/// Nodes with fewer plies below them do not look at the stop flag.
const STOP_DEPTH: u32 = 2;

/// What one thread works with.
struct Counter<'a, G: Game> {
    position: G::Position,
    options: Options<'a>,
    /// The list of moves of a node with so many plies below it.
    buffers: Vec<Vec<G::Move>>,
}

impl<'a, G: Game> Counter<'a, G> {
    fn new(position: &G::Position, options: Options<'a>) -> Self {
        let buffers = (0..=options.depth).map(|_| Vec::new()).collect();
        Self { position: position.clone(), options, buffers }
    }

    /// Counts the node, sharing the work with idle threads.
    fn split(&mut self, depth: u32, ply: u32, share: f64) -> Result<u64, CountError> {
        if depth < SPLIT_DEPTH || ply >= SPLIT_PLIES {
            let nodes = self.serial(depth)?;
            self.options.monitor.add(share);
            return Ok(nodes);
        }
        let key = G::hash(&self.position);
        if let Some(nodes) = self.options.table.and_then(|table| table.load(key, depth)) {
            self.options.monitor.add(share);
            return Ok(nodes);
        }
        let mut moves = Vec::new();
        G::generate(&self.position, MoveKind::All, &mut moves);
        if moves.is_empty() {
            self.options.monitor.add(share);
        }
        let share = share / moves.len() as f64;
        let nodes = moves
            .par_iter()
            .map_init(
                || Self::new(&self.position, self.options),
                |counter, &mv| counter.split_below(mv, depth - 1, ply + 1, share),
            )
            .try_reduce(|| 0, add)?;
        if let Some(table) = self.options.table {
            table.store(key, depth, nodes);
        }
        Ok(nodes)
    }

    /// [`Counter::split`] for the node after a move.
    fn split_below(
        &mut self,
        mv: G::Move,
        depth: u32,
        ply: u32,
        share: f64,
    ) -> Result<u64, CountError> {
        G::make(&mut self.position, mv);
        let nodes = self.split(depth, ply, share);
        G::unmake(&mut self.position);
        nodes
    }

    /// Counts the node on this thread.
    fn serial(&mut self, depth: u32) -> Result<u64, CountError> {
        match (depth, self.options.last_ply) {
            (0, _) => return Ok(1),
            (1, LastPly::Counted) => return Ok(G::count(&self.position)),
            _ => {}
        }
        if depth >= STOP_DEPTH {
            self.options.monitor.check()?;
        }
        match self.options.table {
            Some(table) if depth >= TABLE_DEPTH => {
                let key = G::hash(&self.position);
                if let Some(nodes) = table.load(key, depth) {
                    return Ok(nodes);
                }
                let nodes = self.play(depth)?;
                table.store(key, depth, nodes);
                Ok(nodes)
            }
            _ => self.play(depth),
        }
    }

    /// Plays every move of the node and counts what is below.
    fn play(&mut self, depth: u32) -> Result<u64, CountError> {
        let mut moves = std::mem::take(&mut self.buffers[depth as usize]);
        moves.clear();
        G::generate(&self.position, MoveKind::All, &mut moves);
        if depth == 2 && self.options.last_ply == LastPly::Counted {
            let sum = G::count_below(&mut self.position, &moves);
            self.buffers[depth as usize] = moves;
            return Ok(sum);
        }
        let mut sum = Ok(0);
        for &mv in &moves {
            G::make(&mut self.position, mv);
            let nodes = self.serial(depth - 1);
            G::unmake(&mut self.position);
            sum = sum.and_then(|sum| add(sum, nodes?));
            if sum.is_err() {
                break;
            }
        }
        self.buffers[depth as usize] = moves;
        sum
    }
}
