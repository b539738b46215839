//! One node of the principal variation search. The conditions of its heuristics are in `prune`.
//!
//! Order of work: rules, table, static score, pruning of the whole node, then the moves, each perhaps pruned, extended or
//! reduced, and what was learnt is stored.

use super::history::{Context, History};
use super::order::{Picker, Sources, Wanted};
use super::prune::{self, NodeInfo, PLY};
use super::table::Entry;
use super::window::Window;
use super::worker::{PLY_LIMIT, Stopped, Worker};
use crate::game::Evaluate;
use crate::score::{Bound, Score};

/// A kind of node. Kinds are types, so that each has its own machine code and no flag is passed along.
pub(super) trait NodeKind {
    /// Whether the window is open: the node may become part of the principal variation.
    const PV: bool;
    /// Whether a cut is expected.
    const CUT: bool;
    /// The kind of a child searched to full depth with a closed window.
    type Reply: NodeKind;
}

/// A node with an open window.
pub(super) struct Pv;
/// A node that should fail high.
pub(super) struct Cut;
/// A node that should fail low.
pub(super) struct All;

impl NodeKind for Pv {
    const PV: bool = true;
    const CUT: bool = false;
    type Reply = Cut;
}

impl NodeKind for Cut {
    const PV: bool = false;
    const CUT: bool = true;
    type Reply = All;
}

impl NodeKind for All {
    const PV: bool = false;
    const CUT: bool = false;
    type Reply = Cut;
}

/// What a node knows before it tries moves.
#[derive(Clone, Copy)]
struct Facts {
    in_check: bool,
    static_score: Option<Score>,
    improving: bool,
    table_move_is_noisy: bool,
    was_pv: bool,
}

/// What a node knows of a move before it is made.
#[derive(Clone, Copy)]
struct MoveFacts {
    noisy: bool,
    checks: bool,
    record: i32,
    refutation: bool,
}

impl<G: Evaluate> Worker<'_, G> {
    /// Searches the node at `ply` to `depth` plies. The score is exact inside the window, outside it a bound.
    pub(super) fn node<N: NodeKind>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Result<Score, Stopped> {
        if depth <= 0 {
            return self.quiescence::<N>(window, ply, 0);
        }
        self.memory.pv.clear(ply);
        self.seldepth = self.seldepth.max(ply);
        if let Some(score) = self.verdict(ply) {
            return Ok(score);
        }
        if ply >= PLY_LIMIT {
            return Ok(self.evaluate());
        }
        if ply > 0 && G::wins_at_once(&self.position) {
            return Ok(Score::mate_in(ply + 1));
        }
        let mut window = window;
        if self.params.mate_distance.enabled {
            window = window.narrow(Score::mated_in(ply), Score::mate_in(ply + 1));
            if window.is_empty() {
                return Ok(window.alpha());
            }
        }
        self.frame_mut(ply + 1).excluded = None;
        self.frame_mut(ply + 2).killers = [0; 2];
        self.frame_mut(ply + 2).cutoffs = 0;
        self.frame_mut(ply).double_extensions =
            if ply == 0 { 0 } else { self.frame(ply - 1).double_extensions };

        let excluded = self.frame(ply).excluded;
        let key = G::hash(&self.position);
        let entry = if excluded.is_none() { self.table.load(key, ply) } else { None };
        if !N::PV
            && self.params.table_cutoff.enabled
            && let Some(score) = entry.and_then(|entry| table_cutoff(&entry, window, depth))
        {
            return Ok(score);
        }
        let in_check = G::in_check(&self.position);
        let static_score = self.static_score(ply, in_check, entry.as_ref());
        let table_move = entry.and_then(|entry| G::decode(&self.position, entry.code));
        let facts = Facts {
            in_check,
            static_score,
            improving: self.improving(ply),
            table_move_is_noisy: table_move.is_some_and(|mv| G::is_noisy(&self.position, mv)),
            was_pv: N::PV || entry.is_some_and(|entry| entry.was_pv),
        };
        let mut info = NodeInfo { depth, improving: facts.improving, cut: N::CUT, pv: N::PV };

        if let Some(static_score) = static_score
            && !N::PV
            && excluded.is_none()
        {
            let estimate = refine(static_score, entry.as_ref());
            if let Some(score) = self.prune_node::<N>(window, info, estimate, ply)? {
                return Ok(score);
            }
        }
        if table_move.is_none() && excluded.is_none() && !in_check {
            info.depth -= prune::internal_reduction(&self.params.internal_reduction, info);
        }
        if let Some(static_score) = static_score
            && !N::PV
            && excluded.is_none()
            && let Some(score) = self.prob_cut::<N>(window, info, static_score, entry, ply)?
        {
            return Ok(score);
        }
        self.moves::<N>(window, info, facts, entry, table_move, ply)
    }

    /// The static score with its correction, kept in the frame; `None` in check.
    fn static_score(&mut self, ply: usize, in_check: bool, entry: Option<&Entry>) -> Option<Score> {
        if self.frame(ply).excluded.is_some() {
            return self.frame(ply).static_score;
        }
        let raw = if in_check {
            None
        } else {
            Some(entry.and_then(|e| e.static_score).unwrap_or_else(|| self.evaluate()))
        };
        let corrected = raw.map(|raw| self.corrected(raw, ply));
        let frame = self.frame_mut(ply);
        (frame.raw_score, frame.static_score) = (raw, corrected);
        corrected
    }

    /// A static score, moved by what searches after the same move found.
    pub(super) fn corrected(&self, raw: Score, ply: usize) -> Score {
        let p = &self.params.correction;
        if !p.enabled {
            return raw;
        }
        let side = G::side_to_move(&self.position);
        let found = self.memory.history.correction(side, self.frame_above(ply, 1).context)
            + self.memory.history.correction(side, self.frame_above(ply, 2).context);
        // Records are in 256ths of a centipawn.
        let correction = (found * p.weight / PLY / 256).clamp(-p.limit, p.limit);
        Score::centipawns(raw.get() + correction)
    }

    /// Whether the static score is better than at this side's last turn out of check.
    fn improving(&self, ply: usize) -> bool {
        let Some(now) = self.frame(ply).static_score else { return false };
        let before =
            self.frame_above(ply, 2).static_score.or(self.frame_above(ply, 4).static_score);
        before.is_none_or(|before| now > before)
    }

    /// Cuts of the whole node before any move is tried.
    fn prune_node<N: NodeKind>(
        &mut self,
        window: Window,
        info: NodeInfo,
        estimate: Score,
        ply: usize,
    ) -> Result<Option<Score>, Stopped> {
        let (alpha, beta) = (window.alpha(), window.beta());
        if let Some(margin) = prune::razoring_margin(&self.params.razoring, info)
            && !alpha.is_decisive()
            && estimate + margin < alpha
        {
            let score = self.quiescence::<N>(window, ply, 0)?;
            if score <= alpha {
                return Ok(Some(score));
            }
        }
        if let Some(margin) = prune::reverse_futility_margin(&self.params.reverse_futility, info)
            && !beta.is_decisive()
            && !estimate.is_decisive()
            && estimate - margin >= beta
        {
            return Ok(Some(Score::centipawns((estimate.get() + beta.get()) / 2)));
        }
        self.null_move(window, info, estimate, ply)
    }

    /// Null move pruning: lets the opponent move twice; if that does not help it, neither will one move.
    fn null_move(
        &mut self,
        window: Window,
        info: NodeInfo,
        estimate: Score,
        ply: usize,
    ) -> Result<Option<Score>, Stopped> {
        let beta = window.beta();
        let above = estimate.get() - beta.get();
        let p = &self.params.null_move;
        let Some(reduction) = prune::null_move_reduction(p, info, above) else { return Ok(None) };
        let passed_before = ply > 0 && self.frame(ply - 1).mv.is_none();
        if passed_before
            || beta.is_decisive()
            || ply < self.null_move_ply
            || !G::null_move_is_sane(&self.position)
        {
            return Ok(None);
        }
        self.pass(ply)?;
        let score = -self.node::<Cut>(-window, info.depth - reduction, ply + 1)?;
        self.take_back_pass();
        if !window.cuts(score) {
            return Ok(None);
        }
        // A decisive score after passing proves nothing about its distance.
        let score = if score.is_decisive() { beta } else { score };
        if info.depth < p.verification_depth || self.null_move_ply > 0 {
            return Ok(Some(score));
        }
        // Zugzwang is rare but real: verify without passing for the next plies.
        self.null_move_ply = ply + (3 * (info.depth - reduction) / 4).max(1) as usize;
        let verified = self.node::<All>(window, info.depth - reduction, ply);
        self.null_move_ply = 0;
        Ok(window.cuts(verified?).then_some(score))
    }

    /// ProbCut: a capture whose reduced search beats beta by a margin cuts.
    fn prob_cut<N: NodeKind>(
        &mut self,
        window: Window,
        info: NodeInfo,
        static_score: Score,
        entry: Option<Entry>,
        ply: usize,
    ) -> Result<Option<Score>, Stopped> {
        let Some((beta, depth)) = prune::prob_cut(&self.params.prob_cut, info, window.beta())
        else {
            return Ok(None);
        };
        // The table already knows better.
        if entry.is_some_and(|e| e.depth >= depth && e.score.is_some_and(|(score, _)| score < beta))
        {
            return Ok(None);
        }
        let buffers = self.take_buffers();
        let threshold = beta.get() - static_score.get();
        let mut picker = Picker::<G>::new(Wanted::Noisy, None, [0; 3], threshold, buffers);
        let raised = Window::below(beta);
        let mut found = None;
        while let Some(mv) = self.pick(&mut picker, ply) {
            self.play(mv, ply)?;
            let mut score = -self.quiescence::<N::Reply>(-raised, ply + 1, 0)?;
            if raised.cuts(score) && depth > 1 {
                score = -self.node::<N::Reply>(-raised, depth - 1, ply + 1)?;
            }
            self.take_back();
            if raised.cuts(score) {
                self.store(ply, Some(mv), score, Bound::Lower, depth, false);
                found = Some(if score.is_decisive() {
                    score
                } else {
                    score - self.params.prob_cut.margin
                });
                break;
            }
        }
        self.give_buffers(picker.buffers);
        Ok(found)
    }

    /// The next move of a picker.
    pub(super) fn pick(&self, picker: &mut Picker<G>, ply: usize) -> Option<G::Move> {
        picker.next(&Sources {
            position: &self.position,
            game_params: self.game_params,
            params: self.params,
            history: &self.memory.history,
            contexts: self.contexts(ply),
        })
    }

    /// Killers and the counter move of the last move, as codes.
    fn refutations(&self, ply: usize) -> [u32; 3] {
        if !self.params.killers.enabled {
            return [0; 3];
        }
        let [first, second] = self.frame(ply).killers;
        [first, second, self.memory.history.counter(self.frame_above(ply, 1).context)]
    }

    /// Tries the moves.
    fn moves<N: NodeKind>(
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
        let mut open = window;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut count = 0;
        let forced = self.is_forced_reply(facts.in_check, ply);
        let key = G::hash(&self.position);
        let mut late = 0;
        loop {
            let (mv, count) = match self.pick(&mut picker, ply) {
                Some(mv) if Some(mv) == excluded => continue,
                Some(mv) => {
                    count += 1;
                    if count > 1 && self.control.busy.contains(key, G::encode(mv), info.depth) {
                        picker.buffers.put_off.push((mv, count));
                        continue;
                    }
                    (mv, count)
                }
                None => {
                    let Some(&put_off) = picker.buffers.put_off.get(late) else { break };
                    late += 1;
                    // The thread that searched it may have settled the node.
                    if !N::PV
                        && excluded.is_none()
                        && let Some(entry) = self.table.load(key, ply)
                        && let Some(score) = table_cutoff(&entry, window, info.depth)
                    {
                        self.give_buffers(picker.buffers);
                        return Ok(score);
                    }
                    put_off
                }
            };
            let known = self.move_facts(mv, &mut picker, contexts);
            if count > 1 && !is_lost(best) {
                match self.prune_move(mv, known, info, facts, open.alpha(), count) {
                    Verdict::Try => {}
                    Verdict::Skip => continue,
                    Verdict::SkipQuiet => {
                        picker.skip_quiet();
                        continue;
                    }
                }
            }
            let mut extension = i32::from(forced);
            if Some(mv) == table_move
                && excluded.is_none()
                && let Some(entry) = entry
            {
                match self.singular::<N>(mv, open, info, &entry, ply)? {
                    Singular::Extend(plies) => extension = extension.max(plies),
                    Singular::Cut(score) => {
                        self.give_buffers(picker.buffers);
                        return Ok(score);
                    }
                }
            }
            if extension == 0 && known.checks && self.extends_check(mv, ply) {
                extension = 1;
            }
            let new_depth = info.depth - 1 + extension;
            if extension > 1 {
                self.frame_mut(ply).double_extensions += 1;
            }
            let mark = self.control.busy.mark(key, G::encode(mv), info.depth);
            self.play(mv, ply)?;
            let score =
                self.search_move::<N>(open, new_depth, best, known, info, facts, count, ply)?;
            self.take_back();
            self.control.busy.unmark(mark);
            if extension > 1 {
                self.frame_mut(ply).double_extensions -= 1;
            }
            if score > best {
                best = score;
                if open.improves(score) {
                    best_move = Some(mv);
                    if N::PV {
                        self.memory.pv.set(ply, mv);
                    }
                    if open.cuts(score) {
                        break;
                    }
                    open = open.raise(score);
                }
            }
            picker.buffers.tried.push(mv);
        }
        if count == 0 {
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
                Some(_) if N::PV => Bound::Exact,
                _ => Bound::Upper,
            };
            self.store(ply, best_move, best, bound, info.depth, facts.was_pv);
            self.learn_correction(best, bound, best_move, info.depth, ply);
        }
        Ok(best)
    }

    fn move_facts(&self, mv: G::Move, picker: &mut Picker<G>, contexts: [Context; 2]) -> MoveFacts {
        let noisy = G::is_noisy(&self.position, mv);
        let history = &self.memory.history;
        let record = if noisy {
            history.noisy(History::<G>::capture_trace(&self.position, mv))
        } else {
            history.quiet(History::<G>::trace(&self.position, mv), contexts)
        };
        let refutation = !noisy && self.params.killers.enabled && picker.is_refutation(mv);
        MoveFacts { noisy, checks: picker.gives_check(&self.position, mv), record, refutation }
    }

    /// Whether a late move of a shallow node can be left out. Checks are never left out: sacrifices mate by them.
    fn prune_move(
        &self,
        mv: G::Move,
        known: MoveFacts,
        info: NodeInfo,
        facts: Facts,
        alpha: Score,
        count: i32,
    ) -> Verdict {
        if known.checks || (info.pv && self.root_depth <= 2) {
            return Verdict::Try;
        }
        if known.noisy {
            if let Some(loss) = prune::noisy_loss(&self.params.exchange, info)
                && !G::exchange_at_least(&self.position, self.game_params, mv, -loss)
            {
                return Verdict::Skip;
            }
            return Verdict::Try;
        }
        if prune::late_move_count(&self.params.late_move, info).is_some_and(|most| count > most) {
            return Verdict::SkipQuiet;
        }
        let reduction = self.reductions.base(false, info.depth, count as usize) / PLY;
        let reduced_depth = (info.depth - 1 - reduction.max(0)).max(0);
        if prune::least_record(&self.params.history_pruning, reduced_depth)
            .is_some_and(|least| known.record < least)
        {
            return Verdict::Skip;
        }
        if let Some(static_score) = facts.static_score
            && !alpha.is_decisive()
            && prune::futility_margin(&self.params.futility, reduced_depth)
                .is_some_and(|margin| static_score + margin <= alpha)
        {
            return Verdict::SkipQuiet;
        }
        if let Some(loss) = prune::quiet_loss(&self.params.exchange, reduced_depth)
            && !G::exchange_at_least(&self.position, self.game_params, mv, -loss)
        {
            return Verdict::Skip;
        }
        Verdict::Try
    }

    fn extends_check(&self, mv: G::Move, ply: usize) -> bool {
        let p = &self.params.check_extension;
        p.enabled
            && (ply as i32) * 100 < self.root_depth * p.ply_percent
            && G::exchange_at_least(&self.position, self.game_params, mv, -p.max_loss)
    }

    /// Forced reply extension: the only answer to a check costs no depth, up to a distance from the root, so that sequences
    /// of checks are followed to their end.
    fn is_forced_reply(&self, in_check: bool, ply: usize) -> bool {
        let p = &self.params.forced_reply;
        p.enabled
            && in_check
            && (ply as i32) * 100 < self.root_depth * p.ply_percent
            && G::count(&self.position) == 1
    }

    /// Singular extension: if all other moves fall clearly short of the table move's score, it is searched deeper; if
    /// even without it the node would cut, it cuts at once (multi-cut).
    fn singular<N: NodeKind>(
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
        let score = if N::CUT {
            self.node::<Cut>(Window::below(singular_beta), (info.depth - 1) / 2, ply)
        } else {
            self.node::<All>(Window::below(singular_beta), (info.depth - 1) / 2, ply)
        };
        self.frame_mut(ply).excluded = None;
        let score = score?;
        if score < singular_beta {
            let double = !N::PV
                && score < singular_beta - p.double_margin
                && self.frame(ply).double_extensions < p.double_max;
            return Ok(Singular::Extend(if double { 2 } else { 1 }));
        }
        if !N::PV && window.cuts(singular_beta) && !score.is_decisive() {
            return Ok(Singular::Cut(singular_beta));
        }
        if window.cuts(table_score) {
            return Ok(Singular::Extend(-1));
        }
        none
    }

    /// Searches a move that was just made: late moves first with a closed window and reduced depth.
    #[expect(
        clippy::too_many_arguments,
        reason = "the node's state, passed once to keep node small"
    )]
    fn search_move<N: NodeKind>(
        &mut self,
        window: Window,
        new_depth: i32,
        best: Score,
        known: MoveFacts,
        info: NodeInfo,
        facts: Facts,
        count: i32,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let p = &self.params.reduction;
        let scout = window.scout();
        let mut new_depth = new_depth;
        let mut score = window.alpha();
        let mut open = N::PV;
        if p.enabled && info.depth >= p.min_depth && count > 1 + i32::from(N::PV) {
            let reduction = self.reduction::<N>(known, info, facts, count, ply);
            let depth = (new_depth - reduction).clamp(1.min(new_depth), new_depth);
            score = -self.node::<Cut>(-scout, depth, ply + 1)?;
            if score > window.alpha() && depth < new_depth {
                if score > best + self.params.reduction.deeper && !best.is_decisive() {
                    new_depth += 1;
                }
                score = -self.node::<N::Reply>(-scout, new_depth, ply + 1)?;
            }
            open &= score > window.alpha();
        } else if !N::PV || count > 1 {
            score = -self.node::<N::Reply>(-scout, new_depth, ply + 1)?;
            open &= score > window.alpha();
        }
        if open {
            score = -self.node::<Pv>(-window, new_depth, ply + 1)?;
        }
        Ok(score)
    }

    /// The late move reduction of a move that was just made, in plies.
    fn reduction<N: NodeKind>(
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
        if N::CUT {
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

    /// Stores what a node found. A win or loss by repetition depends on the path, so only the move is kept of it.
    pub(super) fn store(
        &self,
        ply: usize,
        mv: Option<G::Move>,
        score: Score,
        bound: Bound,
        depth: i32,
        was_pv: bool,
    ) {
        let path_dependent = score.is_decisive() && !score.is_mate();
        let entry = Entry {
            code: mv.map_or(0, G::encode),
            score: (!path_dependent).then_some((score, bound)),
            static_score: self.frame(ply).raw_score,
            depth,
            was_pv,
        };
        self.table.store(G::hash(&self.position), ply, entry);
    }
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

/// Whether all moves so far lose outright; then no other may be left out.
fn is_lost(score: Score) -> bool {
    score.is_decisive() && score < Score::ZERO
}

/// The score of an entry that decides a node with a closed window.
pub(super) fn table_cutoff(entry: &Entry, window: Window, depth: i32) -> Option<Score> {
    let (score, bound) = entry.score?;
    let decides = match bound {
        Bound::Exact => true,
        Bound::Lower => window.cuts(score),
        Bound::Upper => !window.improves(score),
    };
    (decides && entry.depth >= depth).then_some(score)
}

/// The static score, replaced by the table's score where that is known to be closer to the truth.
pub(super) fn refine(static_score: Score, entry: Option<&Entry>) -> Score {
    match entry.and_then(|entry| entry.score) {
        Some((score, _)) if score.is_decisive() => static_score,
        Some((score, Bound::Exact)) => score,
        Some((score, Bound::Lower)) => score.max(static_score),
        Some((score, Bound::Upper)) => score.min(static_score),
        None => static_score,
    }
}
