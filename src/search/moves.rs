//! The moves of a node: each is perhaps pruned, extended or reduced, then searched; what they teach is kept.

use super::agreed::Occasion;
use super::history::{Context, History};
use super::node::{Facts, Found, NodeKind, table_cutoff};
use super::order::{Picker, Wanted};
use super::prune::{self, NodeInfo, PLY};
use super::table::Entry;
use super::window::Window;
use super::worker::{Stopped, Worker};
use crate::game::Evaluate;
use crate::score::{Bound, Score};

/// What a node knows of a move before it is made.
#[derive(Clone, Copy)]
struct MoveFacts {
    noisy: bool,
    /// What it gains by itself, if that was found out to order it.
    gain: Option<i32>,
    checks: bool,
    record: i32,
    refutation: bool,
}

/// A move about to be tried.
#[derive(Clone, Copy)]
struct Attempt<M> {
    /// The key of the position.
    key: u64,
    mv: M,
    known: MoveFacts,
    /// Its number among those of the node, from 1.
    count: i32,
    /// The best score so far.
    best: Score,
    /// Whether it is the only answer to a check.
    forced: bool,
    /// The table's entry, if it is the move of the table and may be singular.
    entry: Option<Entry>,
}

/// What trying a move brought.
enum Tried {
    /// Its score.
    Searched(Score),
    /// A score that settles the node.
    Cut(Score),
}

/// What is to happen to a move.
enum Verdict {
    Try,
    Skip,
    SkipQuiet,
}

/// What a singular search found.
enum Singular {
    Extend(i32),
    Cut(Score),
}

impl<G: Evaluate> Worker<'_, G> {
    /// Killers and the counter move of the last move, as codes.
    fn refutations(&self, ply: usize) -> [u32; 3] {
        if !self.params.killers.enabled {
            return [0; 3];
        }
        let [first, second] = self.frame(ply).killers;
        [first, second, self.memory.history.counter(self.frame_above(ply, 1).context)]
    }

    /// Tries the moves.
    pub(super) fn moves(
        &mut self,
        window: Window,
        info: NodeInfo,
        facts: Facts,
        entry: Option<Entry>,
        table_move: Option<G::Move>,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let excluded = self.frame(ply).excluded;
        let wanted = if facts.in_check { Wanted::Evasions } else { Wanted::All };
        let good_loss = -self.params.noisy_order.good_loss;
        let buffers = self.take_buffers();
        let mut picker =
            Picker::<G>::new(wanted, table_move, self.refutations(ply), good_loss, buffers);
        let contexts = self.contexts(ply);
        let beta = window.beta();
        let mut found = Found { open: window, best: -Score::INFINITE, best_move: None };
        let mut picked = 0;
        let forced = self.is_forced_reply(&mut picker, facts.in_check, ply);
        let key = G::hash(&self.position);
        let mut late = 0;
        let loss = prune::noisy_loss(&self.params.exchange, info);
        let least_gain = loss.map_or(i32::MIN, |loss| -loss);
        loop {
            let may_prune = picked > 0 && self.may_prune(info, found.best);
            // No exchange brings more than its first move takes.
            picker.prune_losing(if may_prune { least_gain } else { i32::MIN });
            // Quiet moves that would be left out need not be listed.
            if may_prune
                && picker.is_before_quiet()
                && self.is_hopeless_for_quiet(info, facts, found.open.alpha(), picked + 1)
            {
                picker.skip_quiet();
            }
            let next = self.pick(&mut picker, ply);
            picked += picker.take_left_out();
            let (mv, count) = match next {
                Some(mv) if Some(mv) == excluded => continue,
                Some(mv) => {
                    picked += 1;
                    if picked > 1 && self.control.busy.contains(key, G::encode(mv), info.depth) {
                        picker.buffers.put_off.push((mv, picked));
                        continue;
                    }
                    (mv, picked)
                }
                None => {
                    let Some(&put_off) = picker.buffers.put_off.get(late) else { break };
                    late += 1;
                    // The thread that searched it may have settled the node.
                    if let Some(score) = self.settled(window, info, ply) {
                        self.give_buffers(picker.buffers);
                        return Ok(score);
                    }
                    put_off
                }
            };
            let known = self.move_facts(mv, &mut picker, contexts);
            let entry = entry.filter(|_| Some(mv) == table_move && excluded.is_none());
            let attempt = Attempt { key, mv, known, count, best: found.best, forced, entry };
            if may_prune {
                let exchanges = &mut picker.buffers.exchanges;
                match self.prune_move(attempt, info, facts, found.open.alpha(), exchanges) {
                    Verdict::Try => {}
                    Verdict::Skip => continue,
                    Verdict::SkipQuiet => {
                        picker.skip_quiet();
                        continue;
                    }
                }
            }
            let score = match self.try_move(attempt, found.open, info, facts, ply)? {
                Tried::Searched(score) => score,
                Tried::Cut(score) => {
                    self.give_buffers(picker.buffers);
                    return Ok(score);
                }
            };
            if self.take_score(info.kind, &mut found, mv, score, ply) {
                break;
            }
            picker.buffers.tried.push(mv);
        }
        let Found { best, best_move, .. } = found;
        if picked == 0 {
            self.give_buffers(picker.buffers);
            return Ok(if excluded.is_some() { window.alpha() } else { self.no_moves(ply) });
        }
        if let Some(mv) = best_move
            && best >= beta
        {
            self.frame_mut(ply).cutoffs += 1;
            self.learn(mv, &picker.buffers.tried, info.depth, contexts, ply);
        }
        self.give_buffers(picker.buffers);
        if excluded.is_none() {
            let bound = match best_move {
                _ if best >= beta => Bound::Lower,
                Some(_) if info.kind == NodeKind::Pv => Bound::Exact,
                _ => Bound::Upper,
            };
            self.store(ply, best_move, best, bound, info.depth, facts.was_pv);
            self.learn_correction(best, bound, best_move, info.depth, ply);
        }
        Ok(best)
    }

    /// The score of a node with a closed window that another thread has settled.
    fn settled(&self, window: Window, info: NodeInfo, ply: usize) -> Option<Score> {
        if info.kind == NodeKind::Pv || self.frame(ply).excluded.is_some() {
            return None;
        }
        let entry = self.table.load(G::hash(&self.position), ply)?;
        table_cutoff(&entry, window, info.depth)
    }

    /// Extends, plays and searches a move.
    fn try_move(
        &mut self,
        attempt: Attempt<G::Move>,
        open: Window,
        info: NodeInfo,
        facts: Facts,
        ply: usize,
    ) -> Result<Tried, Stopped> {
        let Attempt { key, mv, known, forced, entry, .. } = attempt;
        let mut extension = i32::from(forced);
        if let Some(entry) = entry {
            match self.singular(mv, open, info, &entry, ply)? {
                Singular::Extend(plies) => extension = extension.max(plies),
                Singular::Cut(score) => return Ok(Tried::Cut(score)),
            }
        }
        if extension == 0 && known.checks && self.extends_check(mv, ply) {
            extension = 1;
        }
        let new_depth = info.depth - 1 + extension;
        let double = i32::from(extension > 1);
        self.frame_mut(ply).double_extensions += double;
        let mark = self.control.busy.mark(key, G::encode(mv), info.depth);
        self.play(mv, ply)?;
        self.frame_mut(ply + 1).in_check = G::HAS_CHECKS.then_some(known.checks);
        let score = self.search_move(open, new_depth, attempt, info, facts, ply)?;
        self.take_back();
        self.control.busy.unmark(mark);
        self.frame_mut(ply).double_extensions -= double;
        Ok(Tried::Searched(score))
    }

    fn move_facts(&self, mv: G::Move, picker: &mut Picker<G>, contexts: [Context; 2]) -> MoveFacts {
        let noisy = G::is_noisy(&self.position, mv);
        let history = &self.memory.history;
        let record = if noisy {
            history.noisy(History::<G>::capture_trace(&self.position, mv))
        } else {
            history.quiet_records(G::side_to_move(&self.position), contexts).of(&self.position, mv)
        };
        let refutation = !noisy && self.params.killers.enabled && picker.is_refutation(mv);
        let checks = picker.gives_check(&self.position, mv);
        MoveFacts { noisy, gain: picker.known_gain(), checks, record, refutation }
    }

    /// Whether moves of a node can be left out, once one has brought `best`.
    fn may_prune(&self, info: NodeInfo, best: Score) -> bool {
        !is_lost(best) && (info.kind != NodeKind::Pv || self.root_depth > 2)
    }

    /// Whether a late move of a shallow node can be left out. Checks are never left out: sacrifices mate by them.
    fn prune_move(
        &self,
        attempt: Attempt<G::Move>,
        info: NodeInfo,
        facts: Facts,
        alpha: Score,
        exchanges: &mut G::Exchanges,
    ) -> Verdict {
        let Attempt { mv, known, count, .. } = attempt;
        if known.checks {
            return Verdict::Try;
        }
        if known.noisy {
            if let Some(loss) = prune::noisy_loss(&self.params.exchange, info)
                && !self.exchange_at_least(exchanges, mv, known, -loss)
            {
                return Verdict::Skip;
            }
            return Verdict::Try;
        }
        if self.is_hopeless_for_quiet(info, facts, alpha, count) {
            return Verdict::SkipQuiet;
        }
        let reduced_depth = self.reduced_depth(info, count);
        if prune::least_record(&self.params.history_pruning, reduced_depth)
            .is_some_and(|least| known.record < least)
        {
            return Verdict::Skip;
        }
        if let Some(loss) = prune::quiet_loss(&self.params.exchange, reduced_depth)
            && !self.exchange_at_least(exchanges, mv, known, -loss)
        {
            return Verdict::Skip;
        }
        Verdict::Try
    }

    /// Whether all quiet moves from a number on can be left out, but for those that give check: once so, for the rest of the
    /// node.
    fn is_hopeless_for_quiet(
        &self,
        info: NodeInfo,
        facts: Facts,
        alpha: Score,
        count: i32,
    ) -> bool {
        if prune::late_move_count(&self.params.late_move, info).is_some_and(|most| count > most) {
            return true;
        }
        facts.static_score.is_some_and(|static_score| {
            !alpha.is_decisive()
                && prune::futility_margin(&self.params.futility, self.reduced_depth(info, count))
                    .is_some_and(|margin| static_score + margin <= alpha)
        })
    }

    /// The depth that a quiet move with a number will probably be searched to.
    fn reduced_depth(&self, info: NodeInfo, count: i32) -> i32 {
        let reduction = self.reductions.base(false, info.depth, count as usize) / PLY;
        (info.depth - 1 - reduction.max(0)).max(0)
    }

    /// Whether a move and the exchanges after it bring at least `threshold`.
    fn exchange_at_least(
        &self,
        found: &mut G::Exchanges,
        mv: G::Move,
        known: MoveFacts,
        threshold: i32,
    ) -> bool {
        let Self { position, game_params, .. } = self;
        let gain = known.gain.unwrap_or_else(|| G::gain(position, game_params, mv));
        G::exchange_after_gain(position, game_params, found, mv, gain, threshold)
    }

    fn extends_check(&self, mv: G::Move, ply: usize) -> bool {
        let p = &self.params.check_extension;
        p.enabled
            && (ply as i32) * 100 < self.root_depth * p.ply_percent
            && G::exchange_at_least(&self.position, self.game_params, mv, -p.max_loss)
    }

    /// Forced reply extension: the only answer to a check costs no depth, up to a distance from the root, so that sequences
    /// of checks are followed to their end.
    fn is_forced_reply(&self, picker: &mut Picker<G>, in_check: bool, ply: usize) -> bool {
        let p = &self.params.forced_reply;
        p.enabled
            && in_check
            && (ply as i32) * 100 < self.root_depth * p.ply_percent
            && picker.has_single_evasion(&self.position)
    }

    /// Singular extension: if all other moves fall clearly short of the table move's score, it is searched deeper; if
    /// even without it the node would cut, it cuts at once (multi-cut).
    #[inline(never)]
    fn singular(
        &mut self,
        mv: G::Move,
        window: Window,
        info: NodeInfo,
        entry: &Entry,
        ply: usize,
    ) -> Result<Singular, Stopped> {
        let p = &self.params.singular;
        let none = Ok(Singular::Extend(0));
        let Some((table_score, bound)) = entry.score else { return none };
        if !p.enabled
            || info.depth < p.min_depth
            || bound == Bound::Upper
            || entry.depth < info.depth - p.depth_slack
            || table_score.is_decisive()
            || ply as i32 >= 2 * self.root_depth
        {
            return none;
        }
        let singular_beta = prune::singular_beta(p, table_score, info.depth);
        self.frame_mut(ply).excluded = Some(mv);
        let is_pv = info.kind == NodeKind::Pv;
        let kind = if is_pv { NodeKind::All } else { info.kind };
        let score = self.node(kind, Window::below(singular_beta), (info.depth - 1) / 2, ply);
        self.frame_mut(ply).excluded = None;
        let score = score?;
        if score < singular_beta {
            let double = !is_pv
                && score < singular_beta - p.double_margin
                && self.frame(ply).double_extensions < p.double_max;
            return Ok(Singular::Extend(if double { 2 } else { 1 }));
        }
        if !is_pv && window.cuts(singular_beta) && !score.is_decisive() {
            return Ok(Singular::Cut(singular_beta));
        }
        if window.cuts(table_score) {
            return Ok(Singular::Extend(-1));
        }
        none
    }

    /// Searches a move that was just made: late moves first with a closed window and reduced depth.
    fn search_move(
        &mut self,
        window: Window,
        new_depth: i32,
        attempt: Attempt<G::Move>,
        info: NodeInfo,
        facts: Facts,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let Attempt { known, count, best, .. } = attempt;
        let p = &self.params.reduction;
        let scout = window.scout();
        let mut new_depth = new_depth;
        let mut score = window.alpha();
        let is_pv = info.kind == NodeKind::Pv;
        let mut open = is_pv;
        if p.enabled && info.depth >= p.min_depth && count > 1 + i32::from(is_pv) {
            let own = self.reduction(known, info, facts, count, ply);
            let occasion = Occasion {
                position: attempt.key,
                code: G::encode(attempt.mv),
                depth: info.depth,
                iteration: self.root_depth,
            };
            let reduction = self.control.agreed.reduction(occasion, own);
            let depth = (new_depth - reduction).clamp(1.min(new_depth), new_depth);
            score = -self.node(NodeKind::Cut, -scout, depth, ply + 1)?;
            if score > window.alpha() && depth < new_depth {
                if score > best + self.params.reduction.deeper && !best.is_decisive() {
                    new_depth += 1;
                }
                score = -self.node(info.kind.reply(), -scout, new_depth, ply + 1)?;
            }
            open &= score > window.alpha();
        } else if !is_pv || count > 1 {
            score = -self.node(info.kind.reply(), -scout, new_depth, ply + 1)?;
            open &= score > window.alpha();
        }
        if open {
            score = -self.node(NodeKind::Pv, -window, new_depth, ply + 1)?;
        }
        Ok(score)
    }

    /// The late move reduction of a move that was just made, in plies.
    fn reduction(
        &self,
        known: MoveFacts,
        info: NodeInfo,
        facts: Facts,
        count: i32,
        ply: usize,
    ) -> i32 {
        let p = &self.params.reduction;
        let mut reduction = self.reductions.base(known.noisy, info.depth, count as usize);
        if facts.was_pv {
            reduction -= p.pv;
        }
        if info.kind == NodeKind::Cut {
            reduction += p.cut;
        }
        if !info.improving {
            reduction += p.worsening;
        }
        if known.refutation {
            reduction -= p.killer;
        }
        if known.checks {
            reduction -= p.check;
        }
        if facts.table_move_is_noisy && !known.noisy {
            reduction += p.noisy_table_move;
        }
        if self.frame(ply + 1).cutoffs > 3 {
            reduction += p.cutoffs;
        }
        (reduction - known.record / p.history_divisor) / PLY
    }

    /// Remembers a move that cut and, against them, the moves tried before it.
    fn learn(
        &mut self,
        mv: G::Move,
        tried: &[G::Move],
        depth: i32,
        contexts: [Context; 2],
        ply: usize,
    ) {
        let p = &self.params.history;
        if !p.enabled {
            return;
        }
        let bonus = prune::history_bonus(p, depth);
        let malus = -bonus * p.malus_percent / 100;
        let noisy = G::is_noisy(&self.position, mv);
        if noisy {
            let trace = History::<G>::capture_trace(&self.position, mv);
            self.memory.history.update_noisy(trace, bonus);
        } else {
            let trace = History::<G>::trace(&self.position, mv);
            self.memory.history.update_quiet(trace, contexts, bonus);
            let code = G::encode(mv);
            let killers = &mut self.frame_mut(ply).killers;
            if killers[0] != code {
                *killers = [code, killers[0]];
            }
            let context = self.frame_above(ply, 1).context;
            if context != History::<G>::NO_CONTEXT {
                self.memory.history.set_counter(context, code);
            }
        }
        for &other in tried {
            if G::is_noisy(&self.position, other) {
                let trace = History::<G>::capture_trace(&self.position, other);
                self.memory.history.update_noisy(trace, malus);
            } else if !noisy {
                let trace = History::<G>::trace(&self.position, other);
                self.memory.history.update_quiet(trace, contexts, malus);
            }
        }
    }

    /// Remembers how far the search moved the static score, where the move found does not explain it by itself.
    fn learn_correction(
        &mut self,
        score: Score,
        bound: Bound,
        mv: Option<G::Move>,
        depth: i32,
        ply: usize,
    ) {
        let Some(static_score) = self.frame(ply).static_score else { return };
        let misleading = match bound {
            Bound::Lower => score <= static_score,
            Bound::Upper => score >= static_score,
            Bound::Exact => false,
        };
        if !self.params.correction.enabled
            || score.is_decisive()
            || misleading
            || mv.is_some_and(|mv| G::is_noisy(&self.position, mv))
        {
            return;
        }
        let side = G::side_to_move(&self.position);
        let bonus = ((score.get() - static_score.get()) * depth * 8).clamp(-4096, 4096);
        for context in [self.frame_above(ply, 1).context, self.frame_above(ply, 2).context] {
            if context != History::<G>::NO_CONTEXT {
                self.memory.history.update_correction(side, context, bonus);
            }
        }
    }
}

/// Whether all moves so far lose outright; then no other may be left out.
pub(super) fn is_lost(score: Score) -> bool {
    score.is_decisive() && score < Score::ZERO
}
