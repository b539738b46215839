//! Iterative deepening at the root: aspiration windows, several lines, and when to stop.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::limits::{Limits, Line, Report, StopReason};
use super::node::NodeKind;
use super::prune::PLY;
use super::pv;
use super::time::TimePlan;
use super::window::Window;
use super::worker::{DEPTH_LIMIT, Stopped, Worker};
use crate::game::{Evaluate, Game, MoveKind};
use crate::score::{Bound, Score};

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
struct RootMove<M> {
    mv: M,
    /// From the last search that resolved it; `None`: only known to be worse than the best.
    score: Option<Score>,
    bound: Bound,
    line: Vec<M>,
}

/// What a worker knows in the end.
#[derive(Clone)]
pub(super) struct Outcome<M> {
    pub(super) lines: Vec<Line<M>>,
    pub(super) depth: u32,
    pub(super) seldepth: usize,
}

/// Is told of every completed iteration of the first thread.
pub(super) type Observer<'o, G> = dyn FnMut(&Worker<'_, G>, &Outcome<<G as Game>::Move>) + 'o;

/// What the root loop is asked, the same for all threads.
pub(super) struct Task<'a, M> {
    pub(super) limits: &'a Limits<M>,
    /// The allowed first moves, at least one.
    pub(super) moves: &'a [M],
    pub(super) started: Instant,
    pub(super) root_score: Score,
    /// What the deepest completed iteration found; used by several threads only.
    pub(super) shared: &'a Mutex<Option<Outcome<M>>>,
}

/// The task of all threads but the first: to deepen until they are halted.
pub(super) fn help<G: Evaluate>(
    worker: &mut Worker<'_, G>,
    task: &Task<'_, G::Move>,
) -> Outcome<G::Move> {
    deepen(worker, task, &mut |_: &Worker<'_, G>, _: &Outcome<G::Move>| {})
}

/// Searches deeper and deeper until a limit is reached; tells `observer` of each iteration.
pub(super) fn deepen<G: Evaluate>(
    worker: &mut Worker<'_, G>,
    task: &Task<'_, G::Move>,
    observer: &mut Observer<'_, G>,
) -> Outcome<G::Move> {
    let limits = task.limits;
    let root = worker.position.clone();
    let mut moves = ordered_moves(worker, task.moves);
    let count = limits.multipv.clamp(1, moves.len());
    let fallback =
        Line { rank: 1, score: task.root_score, bound: Bound::Exact, moves: vec![moves[0].mv] };
    let mut outcome = Outcome { lines: vec![fallback], depth: 0, seldepth: 1 };
    let last = limits.depth.unwrap_or(DEPTH_LIMIT).clamp(1, DEPTH_LIMIT);
    let mut clock = ClockWatch::new(limits.clock, task.started);
    let mut depth = 0;
    while depth < last {
        depth += 1;
        worker.root_depth = depth as i32;
        worker.seldepth = 0;
        for entry in &mut moves {
            entry.score = None;
        }
        let mut stopped = false;
        for first in 0..count {
            let guess =
                outcome.lines.get(first).filter(|_| outcome.depth > 0).map(|line| line.score);
            if aspirate(worker, &mut moves, first, guess, depth as i32).is_err() {
                stopped = true;
                break;
            }
            // Lines found so far stay ordered by score; a later line may turn out better than an earlier one.
            moves[..=first].sort_by_key(|entry| std::cmp::Reverse(entry.score));
        }
        if stopped && worker.control.halted().is_some() {
            worker.position = root;
            merge_unfinished(&mut outcome, &moves, count);
            break;
        }
        let seldepth = outcome.seldepth.max(worker.seldepth);
        if stopped {
            // Another thread was faster: go on from what it found.
            worker.position.clone_from(&root);
            worker.null_move_ply = 0;
            let shared = task.shared.lock().expect("no thread panics while it holds the lock");
            outcome = shared.clone().expect("stored before the iteration was declared completed");
            drop(shared);
            take_over(&mut moves, &outcome);
            depth = outcome.depth;
        } else {
            outcome.depth = depth;
            outcome.lines = lines(moves[..count].iter());
            for line in &mut outcome.lines {
                pv::complete::<G>(&root, worker.table, line.score, &mut line.moves);
            }
            share(worker, task, &outcome);
        }
        outcome.seldepth = seldepth;
        worker.publish();
        observer(worker, &outcome);
        if let Some(reason) = enough(worker, task, &outcome, &mut clock) {
            worker.control.halt(reason);
            break;
        }
    }
    if outcome.depth == last && !limits.infinite && worker.thread == 0 {
        worker.control.halt(StopReason::Depth);
    }
    worker.publish();
    outcome
}

/// Tells the other threads of a completed iteration, so that none goes on with it.
fn share<G: Evaluate>(
    worker: &Worker<'_, G>,
    task: &Task<'_, G::Move>,
    outcome: &Outcome<G::Move>,
) {
    if task.limits.threads < 2 {
        return;
    }
    let mut shared = task.shared.lock().expect("no thread panics while it holds the lock");
    if shared.as_ref().is_none_or(|known| known.depth < outcome.depth) {
        *shared = Some(outcome.clone());
        worker.control.complete(outcome.depth);
    }
}

/// Puts the root moves into the order that another thread found.
fn take_over<M: Copy + Eq>(moves: &mut [RootMove<M>], outcome: &Outcome<M>) {
    for (rank, line) in outcome.lines.iter().enumerate() {
        if let Some(index) = moves.iter().position(|entry| entry.mv == line.moves[0]) {
            moves[rank..=index].rotate_right(1);
        }
    }
}

/// The root moves, likeliest first: the table's, then what gains on the spot, then checks.
fn ordered_moves<G: Evaluate>(
    worker: &mut Worker<'_, G>,
    moves: &[G::Move],
) -> Vec<RootMove<G::Move>> {
    let position = &worker.position;
    let checks = G::checks(position);
    let table_code = worker.table.load(G::hash(position), 0).map_or(0, |entry| entry.code);
    let mut keyed: Vec<_> = moves
        .iter()
        .map(|&mv| {
            let gain = G::gain(position, worker.game_params, mv);
            let safe = G::exchange_at_least(position, worker.game_params, mv, 0);
            let check = G::gives_check(position, &checks, mv);
            let table = G::encode(mv) == table_code;
            (std::cmp::Reverse((table, safe && gain > 0, check, if safe { gain } else { -1 })), mv)
        })
        .collect();
    keyed.sort_by_key(|&(key, _)| key);
    keyed
        .into_iter()
        .map(|(_, mv)| RootMove { mv, score: None, bound: Bound::Exact, line: vec![mv] })
        .collect()
}

/// Searches line `first` (the moves before it are taken by better lines), widening the window until the score is inside.
fn aspirate<G: Evaluate>(
    worker: &mut Worker<'_, G>,
    moves: &mut [RootMove<G::Move>],
    first: usize,
    guess: Option<Score>,
    depth: i32,
) -> Result<(), Stopped> {
    let p = worker.params.aspiration;
    let mut delta = p.delta;
    let mut window = match guess {
        Some(guess) if p.enabled && depth >= p.min_depth && !guess.is_decisive() => {
            Window::new(guess - delta, guess + delta)
        }
        _ => Window::FULL,
    };
    let mut failures = 0;
    loop {
        let score = root_node(worker, moves, first, window, (depth - failures).max(1))?;
        delta += delta * p.growth / 100;
        if !window.improves(score) && window.alpha() > -Score::INFINITE {
            let middle = Score::from_raw((window.alpha().get() + window.beta().get()) / 2);
            window = Window::new(score - delta, middle);
            failures = 0;
        } else if window.cuts(score) && window.beta() < Score::INFINITE {
            window = Window::new(window.alpha(), score + delta);
            // A move that is much better than thought will be so one ply less deep as well.
            failures = if score.is_decisive() { 0 } else { (failures + 1).min(3) };
        } else {
            return Ok(());
        }
        if window.alpha().is_decisive() {
            window = Window::new(-Score::INFINITE, window.beta());
        }
        if window.beta().is_decisive() {
            window = Window::new(window.alpha(), Score::INFINITE);
        }
    }
}

/// Searches the root moves from `first` on and puts the best one to `first`.
fn root_node<G: Evaluate>(
    worker: &mut Worker<'_, G>,
    moves: &mut [RootMove<G::Move>],
    first: usize,
    window: Window,
    depth: i32,
) -> Result<Score, Stopped> {
    let in_check = G::in_check(&worker.position);
    let raw_score = if in_check { None } else { Some(worker.evaluate(0)) };
    let frame = worker.frame_mut(0);
    (frame.raw_score, frame.static_score) = (raw_score, raw_score);
    frame.excluded = None;
    frame.double_extensions = 0;
    worker.frame_mut(1).excluded = None;
    for ply in 0..3 {
        worker.frame_mut(ply).cutoffs = 0;
    }
    let mut open = window;
    let mut best: Option<(usize, Score)> = None;
    for entry in &mut moves[first..] {
        entry.score = None;
    }
    let key = G::hash(&worker.position);
    // Moves that another thread is searching come last: by then the table has their results.
    let mut queue: VecDeque<usize> = (first..moves.len()).collect();
    let mut fresh = queue.len();
    while let Some(index) = queue.pop_front() {
        let entry = &mut moves[index];
        let mv = entry.mv;
        let code = G::encode(mv);
        if fresh > 0 {
            fresh -= 1;
            if index > first && worker.control.busy.contains(key, code, depth) {
                queue.push_back(index);
                continue;
            }
        }
        let mark = worker.control.busy.mark(key, code, depth);
        let score = root_move(worker, open, mv, depth, index - first)?;
        worker.control.busy.unmark(mark);
        if index == first || open.improves(score) {
            let bound = if window.cuts(score) {
                Bound::Lower
            } else if window.improves(score) {
                Bound::Exact
            } else {
                Bound::Upper
            };
            entry.score = Some(score);
            entry.bound = bound;
            if bound != Bound::Upper {
                entry.line.clear();
                entry.line.push(mv);
                entry.line.extend_from_slice(worker.memory.pv.line(1));
            }
        }
        if best.is_none_or(|(_, best)| score > best) {
            best = Some((index, score));
            if open.cuts(score) {
                break;
            }
            open = open.raise(score);
        }
    }
    let (index, score) = best.expect("the root has a move");
    if window.improves(score) {
        // The others keep their order: it is that of earlier iterations.
        moves[first..=index].rotate_right(1);
    }
    if first == 0 {
        let bound = if window.cuts(score) {
            Bound::Lower
        } else if window.improves(score) {
            Bound::Exact
        } else {
            Bound::Upper
        };
        worker.store(0, Some(moves[first].mv), score, bound, depth, true);
    }
    Ok(score)
}

/// Searches one root move.
fn root_move<G: Evaluate>(
    worker: &mut Worker<'_, G>,
    window: Window,
    mv: G::Move,
    depth: i32,
    earlier: usize,
) -> Result<Score, Stopped> {
    let p = &worker.params.reduction;
    let noisy = G::is_noisy(&worker.position, mv);
    let checks = G::gives_check(&worker.position, &G::checks(&worker.position), mv);
    let extension = i32::from(checks && worker.params.check_extension.enabled);
    let new_depth = depth - 1 + extension;
    let mut reduction = 0;
    if p.enabled && depth > p.min_depth && earlier > 1 && !checks {
        let base = worker.reductions.base(noisy, depth, earlier + 1);
        reduction = ((base - p.pv) / PLY).clamp(0, new_depth - 1);
    }
    worker.play(mv, 0)?;
    worker.frame_mut(1).in_check = G::HAS_CHECKS.then_some(checks);
    let scout = window.scout();
    let mut score = window.alpha();
    if earlier > 0 {
        score = -worker.node(NodeKind::Cut, -scout, new_depth - reduction, 1)?;
        if reduction > 0 && window.improves(score) {
            score = -worker.node(NodeKind::Cut, -scout, new_depth, 1)?;
        }
    }
    if earlier == 0 || window.improves(score) {
        score = -worker.node(NodeKind::Pv, -window, new_depth, 1)?;
    }
    worker.take_back();
    Ok(score)
}

fn lines<'a, M: Copy + 'a>(moves: impl Iterator<Item = &'a RootMove<M>>) -> Vec<Line<M>> {
    let line = |(index, entry): (usize, &RootMove<M>)| Line {
        rank: index + 1,
        score: entry.score.expect("a finished line has a score"),
        bound: entry.bound,
        moves: entry.line.clone(),
    };
    moves.enumerate().map(line).collect()
}

/// Brings what an interrupted iteration found into the last complete result. A single line that it resolved is newer; of
/// several, some would be newer than others and their scores not comparable, so that the complete ones stay.
fn merge_unfinished<M: Copy>(outcome: &mut Outcome<M>, moves: &[RootMove<M>], count: usize) {
    if count > 1 && outcome.depth > 0 {
        return;
    }
    let mut resolved: Vec<&RootMove<M>> =
        moves.iter().filter(|entry| entry.score.is_some() && entry.bound != Bound::Upper).collect();
    // An interrupted line may have found several improvements; the last and best counts.
    resolved.sort_by_key(|entry| std::cmp::Reverse(entry.score));
    if !resolved.is_empty() {
        outcome.lines = lines(resolved.into_iter().take(count));
    }
}

/// Whether a completed iteration is enough, and why. Only the first thread decides.
fn enough<G: Evaluate>(
    worker: &Worker<'_, G>,
    task: &Task<'_, G::Move>,
    outcome: &Outcome<G::Move>,
    clock: &mut ClockWatch<G::Move>,
) -> Option<StopReason> {
    let limits = task.limits;
    if let Some(reason) = worker.control.halted() {
        return Some(reason);
    }
    if worker.thread > 0 || limits.infinite {
        return None;
    }
    let best = &outcome.lines[0];
    if let (Some(wanted), Some(found)) = (limits.mate, best.score.mate_moves())
        && best.bound != Bound::Upper
        && found > 0
        && found as u32 <= wanted
    {
        return Some(StopReason::Mate);
    }
    if limits.soft_nodes.is_some_and(|soft| worker.control.nodes() >= soft) {
        return Some(StopReason::Nodes);
    }
    clock.settle(best);
    if limits.clock.is_some() && worker.control.clock_runs() {
        if task.moves.len() == 1 {
            return Some(StopReason::OnlyMove);
        }
        if clock.is_over() {
            return Some(StopReason::Time);
        }
    }
    None
}

/// The soft time bound, stretched while the best move changes and the score falls.
struct ClockWatch<M> {
    plan: Option<TimePlan>,
    started: Instant,
    best: Option<M>,
    score: Score,
    stable: u32,
    falling: bool,
}

impl<M: Copy + Eq> ClockWatch<M> {
    fn new(plan: Option<TimePlan>, started: Instant) -> Self {
        Self { plan, started, best: None, score: Score::ZERO, stable: 0, falling: false }
    }

    fn settle(&mut self, line: &Line<M>) {
        let best = line.moves.first().copied();
        self.stable = if best == self.best { self.stable + 1 } else { 0 };
        self.falling = self.best.is_some() && line.score + FALL < self.score;
        self.best = best;
        self.score = line.score;
    }

    fn is_over(&self) -> bool {
        let Some(plan) = self.plan else { return false };
        let by_stability =
            STABILITY_PERCENT[(self.stable as usize).min(STABILITY_PERCENT.len() - 1)];
        let by_fall = if self.falling { FALL_PERCENT } else { 100 };
        let bound: Duration = plan.soft * by_stability / 100 * by_fall / 100;
        self.started.elapsed() >= bound.min(plan.hard)
    }
}

/// A fall of the score by so many centipawns earns more time.
const FALL: i32 = 30;
/// The soft bound while the score falls, percent.
const FALL_PERCENT: u32 = 140;
/// The soft bound by the number of iterations that agree on the best move, percent. An iteration takes about as long as
/// all before it, so on average a search ends well after the bound; the values allow for that.
const STABILITY_PERCENT: [u32; 5] = [140, 100, 80, 65, 55];

/// The legal moves of a position that a search may choose from: all, or those asked for.
pub(super) fn allowed_moves<G: Evaluate>(
    position: &G::Position,
    asked: &[G::Move],
) -> Vec<G::Move> {
    let mut moves = Vec::new();
    G::generate(position, MoveKind::All, &mut moves);
    if !asked.is_empty() {
        let chosen: Vec<_> = moves.iter().copied().filter(|mv| asked.contains(mv)).collect();
        if !chosen.is_empty() {
            return chosen;
        }
    }
    moves
}

/// A report from an outcome.
pub(super) fn report<M: Copy>(
    outcome: &Outcome<M>,
    nodes: u64,
    time: Duration,
    hashfull: u32,
    stop_reason: Option<StopReason>,
) -> Report<M> {
    let best = outcome.lines.first();
    Report {
        best_move: best.and_then(|line| line.moves.first().copied()),
        ponder: best.and_then(|line| line.moves.get(1).copied()),
        lines: outcome.lines.clone(),
        depth: outcome.depth,
        seldepth: outcome.seldepth.max(outcome.depth as usize) as u32,
        nodes,
        time,
        stop_reason,
        hashfull,
    }
}
