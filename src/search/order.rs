//! Staged move picking: the likeliest refutations first, each stage generated only when the one before did not cut.
//!
//! ```text
//! table move | good noisy | killers, counter move | quiet by history | bad noisy
//! table move | evasions                                                (in check)
//! table move | good noisy | quiet checks                               (quiescence)
//! ```

use super::history::{Context, History};
use super::params::SearchParams;
use super::queue::Queue;
use super::table::Table;
use crate::game::{Evaluate, MoveKind};
use crate::score::Score;

/// Lists that a node needs; they live on between nodes, so that the search does not allocate.
pub(super) struct Buffers<G: Evaluate> {
    /// Quiet moves or evasions as the generator gives them.
    generated: Vec<G::Move>,
    /// Noisy moves as the generator gives them.
    noisy: Vec<G::Move>,
    /// What each of them gains by itself.
    gains: Vec<i32>,
    /// Those that may be good, with what they gain by themselves.
    good: Vec<(G::Move, i32)>,
    /// The order of those of a stage still to come.
    queue: Queue,
    /// Noisy moves that lose, with what they gain by themselves.
    bad: Vec<(G::Move, i32)>,
    /// What exchanges found out.
    pub(super) exchanges: G::Exchanges,
    /// Moves tried without a cut, for the node's own use.
    pub(super) tried: Vec<G::Move>,
    /// Moves put off because another thread was searching them, with their numbers, for the node's own use.
    pub(super) put_off: Vec<(G::Move, i32)>,
}

impl<G: Evaluate> Default for Buffers<G> {
    fn default() -> Self {
        Self {
            generated: Vec::new(),
            noisy: Vec::new(),
            good: Vec::new(),
            gains: Vec::new(),
            queue: Queue::default(),
            bad: Vec::new(),
            exchanges: G::Exchanges::default(),
            tried: Vec::new(),
            put_off: Vec::new(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    StartNoisy,
    GoodNoisy,
    Refutations(usize),
    StartQuiet,
    Quiet,
    StartBadNoisy,
    /// As they came from the good ones, from a number on.
    BadNoisy(usize),
    BadNoisyByScore,
    StartEvasions,
    Evasions,
    StartChecks,
    Checks,
    Done,
}

/// What the picker looks at beside the position.
pub(super) struct Sources<'a, G: Evaluate> {
    pub(super) table: &'a Table,
    pub(super) position: &'a G::Position,
    pub(super) game_params: &'a G::Params,
    pub(super) params: &'a SearchParams,
    pub(super) history: &'a History<G>,
    pub(super) contexts: [Context; 2],
}

/// Which moves a node wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// All moves.
    All,
    /// All moves of a side in check.
    Evasions,
    /// Noisy moves.
    Noisy,
    /// Noisy moves and quiet checks.
    NoisyAndChecks,
}

/// What tells which moves give check; found out when it is first needed.
struct Checks<G: Evaluate>(Option<G::Checks>);

impl<G: Evaluate> Checks<G> {
    #[inline(always)]
    fn of(&mut self, position: &G::Position) -> &G::Checks {
        self.0.get_or_insert_with(|| G::checks(position))
    }
}

/// Delta pruning: rules out noisy moves that stay below alpha even with all they take.
#[derive(Clone, Copy)]
struct Delta {
    /// The score that such a move is thought to reach beside what it takes; `None`: none is ruled out.
    futility: Option<Score>,
    alpha: Score,
    /// The most that a move ruled out takes.
    most: Option<i32>,
}

impl Delta {
    /// Whether a move that takes so much is ruled out.
    #[inline(always)]
    fn rules_out(self, gain: i32) -> bool {
        self.futility.is_some_and(|futility| futility + gain <= self.alpha)
    }
}

/// Hands out the moves of a node one by one.
pub(super) struct Picker<G: Evaluate> {
    stage: Stage,
    wanted: Wanted,
    table_move: Option<G::Move>,
    refutations: [u32; 3],
    /// Noisy moves that lose more than this (negated) come last, or never in quiescence.
    threshold: i32,
    skip_quiet: bool,
    /// Whether only checks are left of the quiet moves.
    only_checks: bool,
    /// Noisy moves that lose for sure are left out if they gain less than this by themselves.
    least_gain: i32,
    /// How many were left out so, as far as not yet told.
    left_out: i32,
    /// The only square that moves may end on.
    target: Option<usize>,
    delta: Delta,
    checks: Checks<G>,
    /// What the last move gains by itself, if it is a noisy one that was put in order.
    gain: Option<i32>,
    /// Whether the last move gives check, once that is known.
    known_check: Option<bool>,
    pub(super) buffers: Box<Buffers<G>>,
}

impl<G: Evaluate> Picker<G> {
    pub(super) fn new(
        wanted: Wanted,
        table_move: Option<G::Move>,
        refutations: [u32; 3],
        threshold: i32,
        mut buffers: Box<Buffers<G>>,
    ) -> Self {
        buffers.generated.clear();
        buffers.noisy.clear();
        buffers.gains.clear();
        buffers.bad.clear();
        buffers.tried.clear();
        buffers.put_off.clear();
        let stage = Stage::Table;
        let (skip_quiet, only_checks, target) = (false, false, None);
        Self {
            stage,
            wanted,
            table_move,
            refutations,
            threshold,
            skip_quiet,
            only_checks,
            least_gain: i32::MIN,
            left_out: 0,
            target,
            delta: Delta { futility: None, alpha: Score::INFINITE, most: None },
            checks: Checks(None),
            gain: None,
            known_check: None,
            buffers,
        }
    }

    /// Leaves out the quiet moves that are still to come, but for those that give check.
    pub(super) fn skip_quiet(&mut self) {
        self.skip_quiet = true;
    }

    /// Whether quiet moves are wanted and not yet generated.
    #[inline(always)]
    pub(super) fn is_before_quiet(&self) -> bool {
        matches!(self.stage, Stage::StartNoisy | Stage::GoodNoisy | Stage::Refutations(_))
            && !self.skip_quiet
    }

    /// From now on leaves out noisy moves that lose for sure and gain less than this by themselves.
    #[inline(always)]
    pub(super) fn prune_losing(&mut self, least_gain: i32) {
        self.least_gain = least_gain;
    }

    /// How many moves [`Self::prune_losing`] left out since this was last asked.
    #[inline(always)]
    pub(super) fn take_left_out(&mut self) -> i32 {
        std::mem::take(&mut self.left_out)
    }

    /// Leaves out all moves that end elsewhere.
    pub(super) fn only_to(&mut self, target: usize) {
        self.target = Some(target);
        self.table_move = self.table_move.filter(|&mv| G::target(mv) == target);
    }

    /// From now on leaves out noisy moves that do not lift `futility` above alpha by what they take, unless they give check.
    pub(super) fn prune_delta(&mut self, futility: Option<Score>, alpha: Score) {
        (self.delta.futility, self.delta.alpha) = (futility, alpha);
    }

    /// What moves left out by [`Self::prune_delta`] could reach at most, if there are any.
    pub(super) fn most_left_out(&self) -> Option<Score> {
        Some(self.delta.futility? + self.delta.most?)
    }

    /// What the last move gains by itself, if that was found out to order it.
    pub(super) fn known_gain(&self) -> Option<i32> {
        self.gain
    }

    /// Whether the last move gives check; after the last of all, whether one that was put off does.
    #[inline]
    pub(super) fn gives_check(&mut self, position: &G::Position, mv: G::Move) -> bool {
        if let Some(check) = self.known_check {
            return check;
        }
        let check = G::gives_check(position, self.checks.of(position), mv);
        self.known_check = G::HAS_CHECKS.then_some(check);
        check
    }

    /// Whether the last move gives check, if that is known.
    pub(super) fn known_check(&self) -> Option<bool> {
        self.known_check
    }

    /// Whether the move is one of the killers or the counter move.
    pub(super) fn is_refutation(&self, mv: G::Move) -> bool {
        self.refutations.contains(&G::encode(mv))
    }

    /// The next move.
    pub(super) fn next(&mut self, sources: &Sources<'_, G>) -> Option<G::Move> {
        (self.gain, self.known_check) = (None, None);
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = if self.wanted == Wanted::Evasions {
                        Stage::StartEvasions
                    } else {
                        Stage::StartNoisy
                    };
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::StartNoisy => {
                    self.generate_noisy(sources);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.buffers.queue.pop() {
                    Some((index, _)) => {
                        let position = sources.position;
                        let (mv, gain) = self.buffers.good[index];
                        if self.delta.rules_out(gain)
                            && !G::gives_check(position, self.checks.of(position), mv)
                        {
                            self.delta.most = self.delta.most.max(Some(gain));
                            continue;
                        }
                        if self.is_good(sources, mv, gain) {
                            self.gain = Some(gain);
                            return Some(mv);
                        }
                        if self.wanted == Wanted::All {
                            self.buffers.bad.push((mv, gain));
                        }
                    }
                    None => {
                        self.stage = match self.wanted {
                            Wanted::All => Stage::Refutations(0),
                            Wanted::NoisyAndChecks => Stage::StartChecks,
                            Wanted::Noisy | Wanted::Evasions => Stage::Done,
                        }
                    }
                },
                Stage::Refutations(index) => {
                    if index == self.refutations.len() {
                        self.stage = Stage::StartQuiet;
                        continue;
                    }
                    self.stage = Stage::Refutations(index + 1);
                    if let Some(mv) = self.refutation(sources.position, index) {
                        return Some(mv);
                    }
                }
                // Only checks are left to come, and there are none.
                Stage::StartQuiet | Stage::Quiet if self.skip_quiet && !G::HAS_CHECKS => {
                    self.stage = Stage::StartBadNoisy;
                }
                Stage::Quiet if self.skip_quiet && !self.only_checks => {
                    self.only_checks = true;
                    self.buffers.queue.retain_marked();
                }
                Stage::StartQuiet => {
                    self.generate_quiet(sources);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.pop() {
                    Some((mv, _)) if self.is_refutation(mv) => {}
                    Some((mv, check)) => {
                        self.known_check = Some(check);
                        return Some(mv);
                    }
                    None => self.stage = Stage::StartBadNoisy,
                },
                Stage::StartBadNoisy => {
                    self.stage = match self.add_losing(sources) {
                        true => Stage::BadNoisyByScore,
                        false => Stage::BadNoisy(0),
                    };
                }
                Stage::BadNoisy(index) => {
                    let Some(&(mv, gain)) = self.buffers.bad.get(index) else {
                        self.stage = Stage::Done;
                        continue;
                    };
                    self.stage = Stage::BadNoisy(index + 1);
                    self.gain = Some(gain);
                    return Some(mv);
                }
                Stage::BadNoisyByScore => match self.buffers.queue.pop() {
                    Some((index, _)) => {
                        let (mv, gain) = self.buffers.bad[index];
                        self.gain = Some(gain);
                        return Some(mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::StartEvasions => {
                    self.generate_evasions(sources);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.pop() {
                    Some((mv, _)) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::StartChecks if !G::HAS_CHECKS => self.stage = Stage::Done,
                Stage::StartChecks => {
                    self.only_checks = true;
                    self.generate_quiet(sources);
                    self.stage = Stage::Checks;
                }
                Stage::Checks => match self.pop() {
                    Some((mv, _)) => {
                        self.known_check = Some(true);
                        return Some(mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Whether a noisy move does not lose more than is allowed. What the table knows of the position after it is sent for
    /// before its exchange is looked at, so that it is there when the move is made.
    #[inline(always)]
    fn is_good(&mut self, sources: &Sources<'_, G>, mv: G::Move, gain: i32) -> bool {
        let Sources { table, position, game_params, .. } = *sources;
        table.prefetch(G::likely_hash_after(position, mv));
        let found = &mut self.buffers.exchanges;
        G::exchange_after_gain(position, game_params, found, mv, gain, self.threshold)
    }

    /// A killer or counter move, if it is a quiet legal move here that was not tried before.
    fn refutation(&self, position: &G::Position, index: usize) -> Option<G::Move> {
        let code = self.refutations[index];
        if code == 0 || self.refutations[..index].contains(&code) {
            return None;
        }
        // In check, all moves come as evasions.
        let mv = G::decode_out_of_check(position, code)?;
        (Some(mv) != self.table_move && !G::is_noisy(position, mv)).then_some(mv)
    }

    /// Generates noisy moves and puts them in order: most valuable victim first, by record among equals.
    fn generate_noisy(&mut self, sources: &Sources<'_, G>) {
        let Sources { position, game_params, .. } = *sources;
        let Self { delta, checks, buffers, .. } = self;
        let Buffers { noisy, gains, good, queue, .. } = &mut **buffers;
        good.clear();
        queue.clear();
        match self.target {
            Some(target) => G::generate_noisy_to(position, target, noisy),
            None => G::generate(position, MoveKind::Noisy, noisy),
        }
        G::gains(position, game_params, noisy, gains);
        for (&mv, &gain) in noisy.iter().zip(&*gains) {
            // No exchange brings more than its first move takes.
            if gain < self.threshold || Some(mv) == self.table_move {
                continue;
            }
            if delta.rules_out(gain) && !G::gives_check(position, checks.of(position), mv) {
                delta.most = delta.most.max(Some(gain));
            } else {
                good.push((mv, gain));
                queue.push(noisy_score(sources, mv, gain), false);
            }
        }
    }

    /// Puts the noisy moves that lose for sure, but for those that are left out, among those whose exchange loses. Returns whether
    /// there are any; then all of them come by their scores.
    #[inline(never)]
    fn add_losing(&mut self, sources: &Sources<'_, G>) -> bool {
        let Buffers { noisy, gains, queue, bad, .. } = &mut *self.buffers;
        let before = bad.len();
        for (&mv, &gain) in noisy.iter().zip(&*gains) {
            if gain < self.threshold && Some(mv) != self.table_move {
                if gain < self.least_gain {
                    self.left_out += 1;
                } else {
                    bad.push((mv, gain));
                }
            }
        }
        if bad.len() == before {
            return false;
        }
        queue.clear();
        for &(mv, gain) in &*bad {
            queue.push(noisy_score(sources, mv, gain), false);
        }
        true
    }

    /// Generates the quiet moves, or only those that give check, and puts them in order. Marked are those that give check.
    #[inline(never)]
    fn generate_quiet(&mut self, sources: &Sources<'_, G>) {
        let Sources { position, game_params, params, history, contexts, .. } = *sources;
        self.only_checks |= self.skip_quiet;
        let Buffers { generated, queue, .. } = &mut *self.buffers;
        generated.clear();
        queue.clear();
        let checks = self.checks.of(position);
        if self.only_checks {
            G::generate_quiet_checks(position, checks, generated);
        } else {
            G::generate(position, MoveKind::Quiet, generated);
        }
        let order = &params.check_order;
        let records = history.quiet_records(G::side_to_move(position), contexts);
        for &mv in &*generated {
            let elsewhere = self.target.is_some_and(|target| G::target(mv) != target);
            if elsewhere || Some(mv) == self.table_move {
                queue.skip();
                continue;
            }
            let check = G::HAS_CHECKS && (self.only_checks || G::gives_check(position, checks, mv));
            let mut score = records.of(position, mv) + G::promise(position, game_params, mv);
            if check
                && order.enabled
                && G::exchange_at_least(position, game_params, mv, -order.max_loss)
            {
                score += order.bonus;
            }
            queue.push(score, check);
        }
    }

    /// Lists all moves of a side in check, unless they are listed already.
    fn list_evasions(&mut self, position: &G::Position) -> &[G::Move] {
        let generated = &mut self.buffers.generated;
        if generated.is_empty() {
            G::generate(position, MoveKind::All, generated);
        }
        generated
    }

    /// Whether a side in check has one move and no other.
    pub(super) fn has_single_evasion(&mut self, position: &G::Position) -> bool {
        self.list_evasions(position).len() == 1
    }

    /// Lists all moves of a side in check and puts them in order.
    fn generate_evasions(&mut self, sources: &Sources<'_, G>) {
        let Sources { position, game_params, history, contexts, .. } = *sources;
        self.list_evasions(position);
        let Buffers { generated, queue, .. } = &mut *self.buffers;
        queue.clear();
        let records = history.quiet_records(G::side_to_move(position), contexts);
        for &mv in &*generated {
            if Some(mv) == self.table_move {
                queue.skip();
                continue;
            }
            let score = if G::is_noisy(position, mv) {
                NOISY_EVASION + noisy_score(sources, mv, G::gain(position, game_params, mv))
            } else {
                records.of(position, mv) + G::promise(position, game_params, mv)
            };
            queue.push(score, false);
        }
    }

    /// Takes the best of the moves that are left, and whether it is marked.
    fn pop(&mut self) -> Option<(G::Move, bool)> {
        let (index, marked) = self.buffers.queue.pop()?;
        Some((self.buffers.generated[index], marked))
    }
}

fn noisy_score<G: Evaluate>(sources: &Sources<'_, G>, mv: G::Move, gain: i32) -> i32 {
    let record = sources.history.noisy(History::<G>::capture_trace(sources.position, mv));
    gain * sources.params.noisy_order.gain_weight + record
}

/// Puts noisy evasions before quiet ones.
const NOISY_EVASION: i32 = 1 << 20;
