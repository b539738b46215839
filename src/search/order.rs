//! Staged move picking: the likeliest refutations first, each stage generated only when the one before did not cut.
//!
//! ```text
//! table move | good noisy | killers, counter move | quiet by history | bad noisy
//! table move | evasions                                                (in check)
//! table move | good noisy | quiet checks                               (quiescence)
//! ```

use super::history::{Context, History};
use super::params::SearchParams;
use crate::game::{Evaluate, MoveKind};

/// A move with its place in the order.
#[derive(Clone, Copy)]
struct Scored<M> {
    mv: M,
    score: i32,
}

/// Lists that a node needs; they live on between nodes, so that the search does not allocate.
pub(super) struct Buffers<M> {
    generated: Vec<M>,
    scored: Vec<Scored<M>>,
    bad: Vec<M>,
    /// Moves tried without a cut, for the node's own use.
    pub(super) tried: Vec<M>,
    /// Moves put off because another thread was searching them, with their numbers, for the node's own use.
    pub(super) put_off: Vec<(M, i32)>,
}

impl<M> Default for Buffers<M> {
    fn default() -> Self {
        let (generated, scored, bad) = (Vec::new(), Vec::new(), Vec::new());
        Self { generated, scored, bad, tried: Vec::new(), put_off: Vec::new() }
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
    BadNoisy(usize),
    StartEvasions,
    Evasions,
    StartChecks,
    Checks,
    Done,
}

/// What the picker looks at beside the position.
pub(super) struct Sources<'a, G: Evaluate> {
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

/// Moves that are selected one by one before a long list is sorted.
const SELECTED: usize = 12;
/// Moves that are cheaper to select one by one to the end than to sort.
const SELECTABLE: usize = 128;

/// Hands out the moves of a node one by one.
pub(super) struct Picker<G: Evaluate> {
    stage: Stage,
    wanted: Wanted,
    table_move: Option<G::Move>,
    refutations: [u32; 3],
    /// Noisy moves that lose more than this (negated) come last, or never in quiescence.
    threshold: i32,
    skip_quiet: bool,
    /// The only square that moves may end on.
    target: Option<usize>,
    next: usize,
    /// Whether the moves from `next` on are in order.
    sorted: bool,
    pub(super) buffers: Buffers<G::Move>,
}

impl<G: Evaluate> Picker<G> {
    pub(super) fn new(
        wanted: Wanted,
        table_move: Option<G::Move>,
        refutations: [u32; 3],
        threshold: i32,
        mut buffers: Buffers<G::Move>,
    ) -> Self {
        buffers.generated.clear();
        buffers.scored.clear();
        buffers.bad.clear();
        buffers.tried.clear();
        buffers.put_off.clear();
        let stage = Stage::Table;
        let (skip_quiet, target, sorted, next) = (false, None, false, 0);
        Self {
            stage,
            wanted,
            table_move,
            refutations,
            threshold,
            skip_quiet,
            target,
            next,
            sorted,
            buffers,
        }
    }

    /// Leaves out the quiet moves that are still to come, but for those that give check.
    pub(super) fn skip_quiet(&mut self) {
        self.skip_quiet = true;
    }

    /// Leaves out all moves that end elsewhere.
    pub(super) fn only_to(&mut self, target: usize) {
        self.target = Some(target);
        self.table_move = self.table_move.filter(|&mv| G::target(mv) == target);
    }

    /// Whether the move is one of the killers or the counter move.
    pub(super) fn is_refutation(&self, mv: G::Move) -> bool {
        self.refutations.contains(&G::encode(mv))
    }

    /// The next move.
    pub(super) fn next(&mut self, sources: &Sources<'_, G>) -> Option<G::Move> {
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
                    self.generate(sources, MoveKind::Noisy, score_noisy::<G>);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.best() {
                    Some(mv) => {
                        let Sources { position, game_params, .. } = *sources;
                        if G::exchange_at_least(position, game_params, mv, self.threshold) {
                            return Some(mv);
                        }
                        if self.wanted == Wanted::All {
                            self.buffers.bad.push(mv);
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
                Stage::StartQuiet => {
                    self.generate(sources, MoveKind::Quiet, score_quiet::<G>);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.best() {
                    Some(mv) if self.is_refutation(mv) => {}
                    Some(mv) if self.skip_quiet && !G::gives_check(sources.position, mv) => {}
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadNoisy(0),
                },
                Stage::BadNoisy(index) => {
                    let Some(&mv) = self.buffers.bad.get(index) else {
                        self.stage = Stage::Done;
                        continue;
                    };
                    self.stage = Stage::BadNoisy(index + 1);
                    return Some(mv);
                }
                Stage::StartEvasions => {
                    self.generate(sources, MoveKind::All, score_evasion::<G>);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.best() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::StartChecks => {
                    self.generate(sources, MoveKind::Quiet, score_quiet::<G>);
                    self.stage = Stage::Checks;
                }
                Stage::Checks => match self.best() {
                    Some(mv) if G::gives_check(sources.position, mv) => return Some(mv),
                    Some(_) => {}
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// A killer or counter move, if it is a quiet legal move here that was not tried before.
    fn refutation(&self, position: &G::Position, index: usize) -> Option<G::Move> {
        let code = self.refutations[index];
        if code == 0 || self.refutations[..index].contains(&code) {
            return None;
        }
        let mv = G::decode(position, code)?;
        (Some(mv) != self.table_move && !G::is_noisy(position, mv)).then_some(mv)
    }

    /// Generates and scores a kind of moves, without the table move.
    fn generate(
        &mut self,
        sources: &Sources<'_, G>,
        kind: MoveKind,
        score: fn(&Sources<'_, G>, G::Move) -> i32,
    ) {
        let Buffers { generated, scored, .. } = &mut self.buffers;
        generated.clear();
        scored.clear();
        (self.next, self.sorted) = (0, false);
        match (kind, self.target) {
            (MoveKind::Noisy, Some(target)) => {
                G::generate_noisy_to(sources.position, target, generated);
            }
            _ => G::generate(sources.position, kind, generated),
        }
        for &mv in &*generated {
            if Some(mv) != self.table_move
                && self.target.is_none_or(|target| G::target(mv) == target)
            {
                scored.push(Scored { mv, score: score(sources, mv) });
            }
        }
    }

    /// Takes the best of the scored moves: selection sort, as most nodes need only the first few. Of equals, the first.
    fn best(&mut self) -> Option<G::Move> {
        let rest = &mut self.buffers.scored[self.next..];
        if self.next == SELECTED && rest.len() > SELECTABLE {
            // A node that wants this many wants all of them.
            rest.sort_unstable_by_key(|scored| (std::cmp::Reverse(scored.score), scored.mv));
            self.sorted = true;
        }
        let first = rest.first()?;
        if self.sorted {
            self.next += 1;
            return Some(first.mv);
        }
        let (mut best, mut best_score) = (0, first.score);
        for (index, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > best_score {
                (best, best_score) = (index, scored.score);
            }
        }
        rest.swap(0, best);
        self.next += 1;
        Some(rest[0].mv)
    }
}

/// Most valuable victim first, by record among equals.
fn score_noisy<G: Evaluate>(sources: &Sources<'_, G>, mv: G::Move) -> i32 {
    let gain = G::gain(sources.position, sources.game_params, mv);
    let record = sources.history.noisy(History::<G>::trace(sources.position, mv));
    gain * sources.params.noisy_order.gain_weight + record
}

/// Puts noisy evasions before quiet ones.
const NOISY_EVASION: i32 = 1 << 20;

fn score_quiet<G: Evaluate>(sources: &Sources<'_, G>, mv: G::Move) -> i32 {
    let trace = History::<G>::trace(sources.position, mv);
    let mut score = sources.history.quiet(trace, sources.contexts)
        + G::promise(sources.position, sources.game_params, mv);
    let order = &sources.params.check_order;
    if order.enabled
        && G::gives_check(sources.position, mv)
        && G::exchange_at_least(sources.position, sources.game_params, mv, -order.max_loss)
    {
        score += order.bonus;
    }
    score
}

fn score_evasion<G: Evaluate>(sources: &Sources<'_, G>, mv: G::Move) -> i32 {
    if G::is_noisy(sources.position, mv) {
        NOISY_EVASION + score_noisy(sources, mv)
    } else {
        let trace = History::<G>::trace(sources.position, mv);
        sources.history.quiet(trace, sources.contexts)
            + G::promise(sources.position, sources.game_params, mv)
    }
}
