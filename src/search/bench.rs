//! The bench workload: a list of positions searched to a fixed depth by a fresh searcher each. The sum of the nodes is a
//! signature: the same on every machine, and changed by every change of what the search does.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Limits, Report, Searcher, TableError};
use crate::game::Evaluate;

/// What a bench measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bench {
    /// Nodes of all positions: the signature.
    pub nodes: u64,
    /// Time of the searches alone, without set-up.
    pub time: Duration,
}

impl Bench {
    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Searches every position to `depth` with one thread and nothing learnt from the others; tells `observer` of each result.
///
/// # Errors
/// If the memory for the table cannot be had.
pub fn run<G: Evaluate>(
    positions: &[G::Position],
    params: Arc<G::Params>,
    depth: u32,
    hash_mib: usize,
    observer: &mut dyn FnMut(usize, &Report<G::Move>),
) -> Result<Bench, TableError> {
    let mut searcher = Searcher::<G>::new(params, hash_mib)?;
    let mut bench = Bench::default();
    for (index, position) in positions.iter().enumerate() {
        searcher.clear();
        let started = Instant::now();
        let report = searcher.search(position, &Limits::to_depth(depth), &mut |_| {});
        bench.time += started.elapsed();
        bench.nodes += report.nodes;
        observer(index, &report);
    }
    Ok(bench)
}
