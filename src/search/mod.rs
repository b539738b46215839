//! The search, generic over the game: [`Limits`] in, [`Report`] out.
//!
//! A principal variation search with iterative deepening. `root` runs the iterations, `node`, `moves` and `quiescence`
//! search, `prune` holds the conditions of the heuristics, `order`, `queue` and `history` decide which move is tried first,
//! `table` is the transposition table that the threads of `parallel` share, and `busy` and `agreed` keep them from doing the same
//! work twice.

pub mod limits;
pub mod params;
pub mod table;
pub mod time;
pub mod window;

mod agreed;
mod busy;
mod history;
mod moves;
mod node;
mod order;
mod parallel;
mod prune;
mod pv;
mod queue;
mod quiescence;
mod root;
mod worker;

use std::sync::{Arc, Mutex};
use std::time::Instant;

pub use limits::{Limits, Line, Report, StopReason};
pub use table::TableError;
pub use worker::{DEPTH_LIMIT, PLY_LIMIT};

use crate::game::Evaluate;
use crate::score::{Bound, Score};
use node::NodeKind;
use prune::Reductions;
use root::{Outcome, Task};
use table::Table;
use window::Window;
use worker::{Control, Memory, Setting, Worker};

/// Searches positions of a game. Keeps its transposition table and move records from search to search until
/// [`Searcher::clear`] is called; after that it answers as a new one would.
pub struct Searcher<G: Evaluate> {
    params: Arc<G::Params>,
    reductions: Reductions,
    table: Table,
    memories: Vec<Memory<G>>,
}

impl<G: Evaluate> Searcher<G> {
    /// A searcher with a transposition table of about so many MiB.
    ///
    /// # Errors
    /// If the memory for the table cannot be had.
    pub fn new(params: Arc<G::Params>, hash_mib: usize) -> Result<Self, TableError> {
        let reductions = Reductions::new(G::search_params(&params));
        Ok(Self { params, reductions, table: Table::new(hash_mib)?, memories: vec![Memory::new()] })
    }

    /// Changes the size of the table and forgets its contents. After an error the old table is still there.
    ///
    /// # Errors
    /// If the memory cannot be had.
    pub fn set_hash(&mut self, hash_mib: usize) -> Result<(), TableError> {
        self.table = Table::new(hash_mib)?;
        Ok(())
    }

    /// Size of the table in MiB, rounded down.
    pub fn hash_mib(&self) -> usize {
        self.table.mib()
    }

    /// Readies the next part of a new table, which takes milliseconds, so that a search with a clock need not wait for it.
    /// Returns whether there is more to do.
    pub fn ready_next(&mut self) -> bool {
        self.table.touch_next()
    }

    /// Forgets everything learnt from earlier searches. Takes about 2 ms for a table of 16 MiB.
    pub fn clear(&mut self) {
        self.table.clear(self.memories.len());
        for memory in &mut self.memories {
            memory.clear();
        }
    }

    /// The static score of a position, from the view of the side to move.
    pub fn evaluate(&self, position: &G::Position) -> Score {
        G::evaluate(position, &self.params)
    }

    /// The score after quiescence alone, from the view of the side to move: noisy moves, checks and evasions are searched until
    /// the static score can be trusted.
    pub fn quiescence(&mut self, position: &G::Position) -> Score {
        let control = Control::new(Arc::default(), Arc::default(), None, None, 1);
        let setting = Setting {
            root: position,
            game_params: &*self.params,
            reductions: &self.reductions,
            table: &self.table,
            control: &control,
        };
        let mut worker = Worker::new(setting, &mut self.memories[0], 0);
        worker.quiescence(NodeKind::Pv, Window::FULL, 0, 0).expect("nothing limits it")
    }

    /// Searches a position; tells `observer` of every completed iteration.
    ///
    /// If there is a legal move, the report has one, whatever the limits. Without any limit, the search ends at
    /// [`DEPTH_LIMIT`] or by the stop flag.
    pub fn search(
        &mut self,
        position: &G::Position,
        limits: &Limits<G::Move>,
        observer: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let started = limits.started.unwrap_or_else(Instant::now);
        let moves = root::allowed_moves::<G>(position, &limits.searchmoves);
        let decided = worker::verdict_score::<G>(position, 0).filter(|score| score.is_mate());
        if moves.is_empty() || decided.is_some() {
            let score = decided.unwrap_or_else(|| worker::no_moves_score::<G>(position, 0));
            return finished(score, started);
        }
        let threads = limits.threads.max(1);
        self.memories.truncate(threads);
        self.memories.resize_with(threads, Memory::new);
        self.table.next_generation();
        let clock = limits.clock.map(|plan| plan.hard);
        let time = [limits.movetime, clock].into_iter().flatten().min();
        let control = Control::new(
            Arc::clone(&limits.stop),
            Arc::clone(&limits.pondering),
            time.map(|time| started + time),
            limits.nodes,
            threads,
        );
        let setting = Setting {
            root: position,
            game_params: &*self.params,
            reductions: &self.reductions,
            table: &self.table,
            control: &control,
        };
        let root_score = G::evaluate(position, &self.params);
        let shared = Mutex::new(None);
        let task = Task { limits, moves: &moves, started, root_score, shared: &shared };
        let outcome =
            parallel::search(setting, &mut self.memories, &task, &mut |worker, outcome| {
                let nodes = worker.control.nodes();
                let hashfull = worker.table.hashfull();
                observer(&root::report(outcome, nodes, started.elapsed(), hashfull, None));
            });
        let reason = control.halted().unwrap_or(StopReason::Depth);
        let hashfull = self.table.hashfull();
        root::report(&outcome, control.nodes(), started.elapsed(), hashfull, Some(reason))
    }
}

/// The report on a game that is over.
fn finished<M: Copy>(score: Score, started: Instant) -> Report<M> {
    let line = Line { rank: 1, score, bound: Bound::Exact, moves: Vec::new() };
    let outcome = Outcome { lines: vec![line], depth: 0, seldepth: 0 };
    root::report(&outcome, 0, started.elapsed(), 0, Some(StopReason::Terminal))
}
