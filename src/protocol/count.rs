//! Work that is no search: perft and the benchmark, as tasks of the thinking thread that tell their results line by line.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::engine::Task;
use crate::game::{Evaluate, Game, MoveKind};
use crate::perft::{CountError, LastPly, Monitor, Options, add, count};
use crate::search::{Limits, Searcher};

/// Counts the leaf nodes below each move, with so many threads. Each count is told when it is known.
pub(super) fn perft<G: Evaluate>(
    mut position: G::Position,
    notation: G::Notation,
    depth: u32,
    threads: usize,
    monitor: Arc<Monitor>,
) -> Task {
    Box::new(move |tell| {
        let pool = match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => pool,
            Err(error) => return tell(format!("info string error perft: {error}")),
        };
        let mut moves = Vec::new();
        G::generate(&position, MoveKind::All, &mut moves);
        let mut sum = if depth == 0 { 1 } else { 0 };
        for mv in if depth == 0 { Vec::new() } else { moves } {
            let text = G::format_move(&position, mv, notation);
            G::make(&mut position, mv);
            let options = Options {
                depth: depth - 1,
                last_ply: LastPly::Counted,
                table: None,
                monitor: &monitor,
            };
            let nodes = pool.install(|| count::<G>(&position, options));
            G::unmake(&mut position);
            match nodes.and_then(|nodes| Ok((nodes, add(sum, nodes)?))) {
                Ok((nodes, so_far)) => {
                    sum = so_far;
                    tell(format!("{text}: {nodes}"));
                }
                Err(CountError::Stopped) => {
                    return tell("info string perft was stopped".to_owned());
                }
                Err(error) => return tell(format!("info string error perft: {error}")),
            }
        }
        tell(String::new());
        tell(format!("Nodes searched: {sum}"));
        tell(String::new());
    })
}

/// Depth of the benchmark where none is given, plies.
const BENCH_DEPTH: u32 = 10;
/// Table of the benchmark, MiB.
const BENCH_HASH_MIB: usize = 16;
/// Nodes for one position: games with a thousand moves a position get no deeper than this allows.
const BENCH_NODES: u64 = 200_000;
/// Positions of the benchmark.
const BENCH_POSITIONS: u64 = 8;
/// Plies between one position and the next.
const BENCH_STEP: u64 = 6;

/// Searches a fixed set of positions: the start, and some along games of moves drawn by a fixed seed. One thread and a
/// table cleared before each position, so that the number of nodes is the same everywhere and in any order.
pub(super) fn bench<G: Evaluate>(
    params: Arc<G::Params>,
    start: G::Position,
    depth: Option<u32>,
    stop: Arc<AtomicBool>,
) -> Task {
    Box::new(move |tell| {
        let mut searcher = match Searcher::<G>::new(params, BENCH_HASH_MIB) {
            Ok(searcher) => searcher,
            Err(error) => return tell(format!("info string error bench: {error}")),
        };
        let started = Instant::now();
        let mut total = 0;
        let mut position = start;
        for number in 1..=BENCH_POSITIONS {
            searcher.clear();
            let limits = Limits {
                depth: Some(depth.unwrap_or(BENCH_DEPTH)),
                nodes: Some(BENCH_NODES),
                stop: Arc::clone(&stop),
                ..Limits::default()
            };
            let nodes = searcher.search(&position, &limits, &mut |_| {}).nodes;
            // Relaxed: the flag orders no other memory.
            if stop.load(Ordering::Relaxed) {
                return tell("info string bench was stopped".to_owned());
            }
            total += nodes;
            tell(format!("info string position {number}/{BENCH_POSITIONS}: {nodes} nodes"));
            play_on::<G>(&mut position, number);
        }
        let seconds = started.elapsed().as_secs_f64();
        let nps = (total as f64 / seconds.max(1e-9)) as u64;
        tell(format!("Total time (ms) : {}", (seconds * 1000.0) as u64));
        tell(format!("Nodes searched  : {total}"));
        tell(format!("Nodes/second    : {nps}"));
        tell(format!("{total} nodes {nps} nps"));
    })
}

/// Plays a few moves that depend on the texts of the moves only, not on the order of a generator.
fn play_on<G: Game>(position: &mut G::Position, seed: u64) {
    for step in 0..BENCH_STEP {
        let mut moves = Vec::new();
        G::generate(position, MoveKind::All, &mut moves);
        let notation = crate::game::Named::ALL[0];
        moves.sort_by_cached_key(|&mv| G::format_move(position, mv, notation));
        let number = (seed * BENCH_STEP + step).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        match moves.get(number as usize % moves.len().max(1)) {
            Some(&mv) => G::make(position, mv),
            None => return,
        }
    }
}
