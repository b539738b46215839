//! The state of one searching thread, and the signals that all threads of a search share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::agreed::Agreed;
use super::busy::BusyMoves;
use super::history::{Context, History};
use super::limits::StopReason;
use super::order::Buffers;
use super::params::SearchParams;
use super::prune::Reductions;
use super::pv::PvTable;
use super::table::Table;
use crate::game::{Evaluate, TreeVerdict};
use crate::score::Score;

/// Deepest node below the root. Deeper ones are evaluated as they stand.
pub const PLY_LIMIT: usize = 240;
/// Deepest iteration.
pub const DEPTH_LIMIT: u32 = 127;
/// Most nodes between two looks at the clock and the flags.
const POLL_NODES: u64 = 256;
/// Nodes before the first look at the clock.
const FIRST_POLL_NODES: u64 = 8;
/// How long a thread should search between two looks at the clock. Nodes may take a thousand times longer than usual: the first
/// that touches a page of a large table waits until the system has filled it with zeros.
const POLL_TIME: Duration = Duration::from_millis(1);

/// The search was told to stop, or another thread has completed the iteration; all scores on the way back are worthless.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// A counter on a cache line of its own, so that threads do not slow each other.
#[derive(Default)]
#[repr(align(128))]
struct Padded(AtomicU64);

/// What the threads of one search share beside the table.
pub(super) struct Control {
    stop: Arc<AtomicBool>,
    pondering: Arc<AtomicBool>,
    deadline: Option<Instant>,
    /// Nodes that nobody has claimed yet.
    budget: AtomicU64,
    reason: AtomicU8,
    nodes: Vec<Padded>,
    pub(super) busy: BusyMoves,
    pub(super) agreed: Agreed,
    /// The deepest iteration that any of several threads has completed.
    completed: AtomicU32,
}

impl Control {
    pub(super) fn new(
        stop: Arc<AtomicBool>,
        pondering: Arc<AtomicBool>,
        deadline: Option<Instant>,
        nodes: Option<u64>,
        threads: usize,
    ) -> Self {
        let nodes_searched = (0..threads).map(|_| Padded::default()).collect();
        let budget = AtomicU64::new(nodes.unwrap_or(u64::MAX));
        let reason = AtomicU8::new(0);
        let (busy, agreed) = (BusyMoves::new(threads), Agreed::new(threads));
        Self {
            stop,
            pondering,
            deadline,
            budget,
            reason,
            nodes: nodes_searched,
            busy,
            agreed,
            completed: AtomicU32::new(0),
        }
    }

    /// Ends the search for all threads; the first reason stands.
    pub(super) fn halt(&self, reason: StopReason) {
        // Relaxed: the flag orders no other memory; threads see it at their next poll.
        let _ = self.reason.compare_exchange(0, reason_code(reason), Relaxed, Relaxed);
    }

    /// Waits until the stop flag is set, for a search that ran out of depth but must not end by itself.
    pub(super) fn wait(&self) {
        while !self.stop.load(Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.halt(StopReason::Interrupted);
    }

    /// Why the search was ended, if it was.
    pub(super) fn halted(&self) -> Option<StopReason> {
        REASONS.get(usize::from(self.reason.load(Relaxed)).wrapping_sub(1)).copied()
    }

    /// Whether time counts now.
    pub(super) fn clock_runs(&self) -> bool {
        !self.pondering.load(Relaxed)
    }

    /// Tells the other threads that an iteration is completed.
    pub(super) fn complete(&self, depth: u32) {
        // Relaxed: the outcome itself travels under a lock.
        self.completed.fetch_max(depth, Relaxed);
    }

    /// Looks at flags and clock, and claims at most `most` nodes for a thread that works at an iteration.
    fn claim(&self, depth: i32, most: u64) -> Result<u64, Stopped> {
        if self.halted().is_some() {
            return Err(Stopped);
        }
        if self.stop.load(Relaxed) {
            self.halt(StopReason::Interrupted);
            return Err(Stopped);
        }
        if self.deadline.is_some_and(|deadline| self.clock_runs() && Instant::now() >= deadline) {
            self.halt(StopReason::Time);
            return Err(Stopped);
        }
        if depth > 0 && self.completed.load(Relaxed) as i32 >= depth {
            return Err(Stopped);
        }
        let take = |left: u64| Some(left - left.min(most));
        let left = self.budget.fetch_update(Relaxed, Relaxed, take).expect("`take` never refuses");
        if left == 0 {
            self.halt(StopReason::Nodes);
            return Err(Stopped);
        }
        Ok(left.min(most))
    }

    /// Nodes searched by all threads, as last told by each.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }
}

const REASONS: [StopReason; 7] = [
    StopReason::Depth,
    StopReason::Nodes,
    StopReason::Time,
    StopReason::Mate,
    StopReason::OnlyMove,
    StopReason::Terminal,
    StopReason::Interrupted,
];

fn reason_code(reason: StopReason) -> u8 {
    REASONS.iter().position(|&known| known == reason).expect("every reason is listed") as u8 + 1
}

/// What a node leaves for its descendants.
#[derive(Clone, Copy)]
pub(super) struct Frame<M, T> {
    /// The tally of the position.
    pub(super) tally: T,
    /// The move made here.
    pub(super) mv: Option<M>,
    /// The continuation records that the move made here selects.
    pub(super) context: Context,
    /// The static score without correction; `None` in check.
    pub(super) raw_score: Option<Score>,
    /// The corrected static score; `None` in check.
    pub(super) static_score: Option<Score>,
    /// Quiet moves that cut in sister nodes, as codes.
    pub(super) killers: [u32; 2],
    /// The move left out by a singular search.
    pub(super) excluded: Option<M>,
    /// Whether the side to move is in check, once that is known.
    pub(super) in_check: Option<bool>,
    /// Cuts among the children.
    pub(super) cutoffs: u32,
    /// Double extensions on the way here.
    pub(super) double_extensions: i32,
}

/// What one thread keeps from search to search.
pub(super) struct Memory<G: Evaluate> {
    pub(super) history: History<G>,
    frames: Vec<Frame<G::Move, G::Tally>>,
    pub(super) pv: PvTable<G::Move>,
    /// In boxes, which are cheaper to take out and put back.
    pool: Vec<Box<Buffers<G>>>,
}

/// Frames above the root, so that "two plies ago" always exists.
const ABOVE_ROOT: usize = 4;

impl<G: Evaluate> Memory<G> {
    pub(super) fn new() -> Self {
        Self {
            history: History::new(),
            frames: Vec::new(),
            pv: PvTable::new(PLY_LIMIT + 2),
            pool: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.history.clear();
    }
}

/// One thread at work on a position.
pub(super) struct Worker<'a, G: Evaluate> {
    pub(super) position: G::Position,
    pub(super) game_params: &'a G::Params,
    pub(super) params: &'a SearchParams,
    pub(super) reductions: &'a Reductions,
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    pub(super) memory: &'a mut Memory<G>,
    pub(super) thread: usize,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    pub(super) root_depth: i32,
    /// No null move before this ply while one is being verified.
    pub(super) null_move_ply: usize,
    allowance: u64,
    /// Nodes between two looks at the clock, and when it was last looked at.
    pace: u64,
    paced_at: Option<Instant>,
}

/// What all workers of a search get.
pub(super) struct Setting<'a, G: Evaluate> {
    pub(super) root: &'a G::Position,
    pub(super) game_params: &'a G::Params,
    pub(super) reductions: &'a Reductions,
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
}

// Not derived: that would ask for `G::Position: Copy`.
impl<G: Evaluate> Clone for Setting<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Evaluate> Copy for Setting<'_, G> {}

impl<'a, G: Evaluate> Worker<'a, G> {
    pub(super) fn new(setting: Setting<'a, G>, memory: &'a mut Memory<G>, thread: usize) -> Self {
        let mut position = setting.root.clone();
        G::prepare(&mut position, setting.game_params);
        let fresh = Frame {
            tally: G::tally(&position, setting.game_params),
            mv: None,
            context: History::<G>::NO_CONTEXT,
            raw_score: None,
            static_score: None,
            killers: [0; 2],
            excluded: None,
            in_check: None,
            cutoffs: 0,
            double_extensions: 0,
        };
        memory.frames.clear();
        memory.frames.resize(ABOVE_ROOT + PLY_LIMIT + 3, fresh);
        Self {
            position,
            game_params: setting.game_params,
            params: G::search_params(setting.game_params),
            reductions: setting.reductions,
            table: setting.table,
            control: setting.control,
            memory,
            thread,
            nodes: 0,
            seldepth: 0,
            root_depth: 0,
            null_move_ply: 0,
            allowance: 0,
            pace: FIRST_POLL_NODES,
            paced_at: None,
        }
    }

    pub(super) fn frame(&self, ply: usize) -> &Frame<G::Move, G::Tally> {
        &self.memory.frames[ABOVE_ROOT + ply]
    }

    pub(super) fn frame_mut(&mut self, ply: usize) -> &mut Frame<G::Move, G::Tally> {
        &mut self.memory.frames[ABOVE_ROOT + ply]
    }

    /// The frame so many plies above a node; frames above the root are empty.
    pub(super) fn frame_above(&self, ply: usize, plies: usize) -> &Frame<G::Move, G::Tally> {
        debug_assert!(plies <= ABOVE_ROOT);
        &self.memory.frames[ABOVE_ROOT + ply - plies]
    }

    /// The continuation records of the last two moves.
    pub(super) fn contexts(&self, ply: usize) -> [Context; 2] {
        [self.frame_above(ply, 1).context, self.frame_above(ply, 2).context]
    }

    pub(super) fn take_buffers(&mut self) -> Box<Buffers<G>> {
        self.memory.pool.pop().unwrap_or_default()
    }

    pub(super) fn give_buffers(&mut self, buffers: Box<Buffers<G>>) {
        self.memory.pool.push(buffers);
    }

    /// Plays a move of the node at `ply` and counts it.
    pub(super) fn play(&mut self, mv: G::Move, ply: usize) -> Result<(), Stopped> {
        self.count()?;
        let context = History::<G>::context(History::<G>::trace(&self.position, mv));
        let before = self.frame(ply).tally;
        let tally = G::tally_after(&self.position, self.game_params, before, mv);
        let frame = self.frame_mut(ply);
        (frame.mv, frame.context) = (Some(mv), context);
        let below = self.frame_mut(ply + 1);
        (below.tally, below.in_check) = (tally, None);
        G::make(&mut self.position, mv);
        Ok(())
    }

    pub(super) fn take_back(&mut self) {
        G::unmake(&mut self.position);
    }

    /// Passes at the node at `ply` and counts it.
    pub(super) fn pass(&mut self, ply: usize) -> Result<(), Stopped> {
        self.count()?;
        let frame = self.frame_mut(ply);
        (frame.mv, frame.context) = (None, History::<G>::NO_CONTEXT);
        let tally = self.frame(ply).tally;
        let below = self.frame_mut(ply + 1);
        // A side that may pass leaves no check behind.
        (below.tally, below.in_check) = (tally, G::HAS_CHECKS.then_some(false));
        G::make_null(&mut self.position);
        self.table.prefetch(G::hash(&self.position));
        Ok(())
    }

    pub(super) fn take_back_pass(&mut self) {
        G::unmake_null(&mut self.position);
    }

    /// Whether the side to move at the node at `ply` is in check.
    pub(super) fn is_in_check(&mut self, ply: usize) -> bool {
        if let Some(known) = self.frame(ply).in_check {
            return known;
        }
        let in_check = G::in_check(&self.position);
        self.frame_mut(ply).in_check = Some(in_check);
        in_check
    }

    /// Counts a node; stops when none is left.
    fn count(&mut self) -> Result<(), Stopped> {
        if self.allowance == 0 {
            self.publish();
            self.set_pace();
            self.allowance = self.control.claim(self.root_depth, self.pace)?;
        }
        self.allowance -= 1;
        self.nodes += 1;
        Ok(())
    }

    /// Sets how many nodes to search before the next look at the clock, if there is one, by how long the last took.
    fn set_pace(&mut self) {
        if self.control.deadline.is_none() {
            self.pace = POLL_NODES;
            return;
        }
        let now = Instant::now();
        let took = self.paced_at.replace(now).map_or(POLL_TIME, |before| now - before);
        self.pace = paced(self.pace, took);
    }

    /// Tells the other threads how many nodes this one has searched.
    pub(super) fn publish(&self) {
        self.control.nodes[self.thread].0.store(self.nodes, Relaxed);
    }

    /// The score of a node that the rules decide without a search.
    pub(super) fn verdict(&self, ply: usize) -> Option<Score> {
        verdict_score::<G>(&self.position, ply)
    }

    /// The score of a node without legal moves.
    pub(super) fn no_moves(&self, ply: usize) -> Score {
        no_moves_score::<G>(&self.position, ply)
    }

    /// The static evaluation of the node at `ply`.
    pub(super) fn evaluate(&self, ply: usize) -> Score {
        let above = self.frame_above(ply, 1);
        if ply > 0
            && above.mv.is_none()
            && let Some(before) = above.raw_score.filter(|before| !before.may_be_cut())
        {
            return G::evaluation_after_pass(self.game_params, before);
        }
        G::evaluate_tallied(&self.position, self.game_params, self.frame(ply).tally)
    }
}

/// The nodes to search in about [`POLL_TIME`], if so many took so long: at most twice as many.
fn paced(nodes: u64, took: Duration) -> u64 {
    let parts = took.as_micros() as u64 * 2 / POLL_TIME.as_micros() as u64;
    (nodes * 2 / parts.max(1)).clamp(1, POLL_NODES)
}

/// What the rules say of a position as a score; decisions by a repetition rule stay in their own band, apart from mates.
pub(super) fn verdict_score<G: Evaluate>(position: &G::Position, ply: usize) -> Option<Score> {
    G::tree_verdict(position, ply).map(|verdict| match verdict {
        TreeVerdict::Draw => Score::ZERO,
        TreeVerdict::RuleWin => Score::rule_win_in(ply),
        TreeVerdict::RuleLoss => Score::rule_loss_in(ply),
        TreeVerdict::Lost => Score::mated_in(ply),
        TreeVerdict::Won => Score::mate_in(ply),
    })
}

/// The score of a position without legal moves.
pub(super) fn no_moves_score<G: Evaluate>(position: &G::Position, ply: usize) -> Score {
    if G::rules_of(position).stalemate_loses || G::in_check(position) {
        Score::mated_in(ply)
    } else {
        Score::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_nodes_bring_the_next_look_at_the_clock_forward() {
        let paced_after = |nodes, micros| paced(nodes, Duration::from_micros(micros));
        assert_eq!(paced_after(256, 200), 256);
        assert_eq!(paced_after(8, 0), 16);
        assert_eq!(paced_after(128, 1000), 128);
        assert_eq!(paced_after(128, 16_000), 8);
        assert_eq!(paced_after(256, 5_000_000), 1);
        assert_eq!(paced_after(1, 5000), 1);
    }
}
