//! One node of the principal variation search, as far as its moves, which are in `moves`. The conditions of the heuristics are
//! in `prune`.
//!
//! Order of work: rules, table, static score, pruning of the whole node, then the moves, each perhaps pruned, extended or
//! reduced, and what was learnt is stored.

use super::order::{Picker, Sources, Wanted};
use super::prune::{self, NodeInfo, PLY};
use super::table::Entry;
use super::window::Window;
use super::worker::{PLY_LIMIT, Stopped, Worker};
use crate::game::Evaluate;
use crate::score::{Bound, Score};

/// What the moves tried so far have brought a node.
pub(super) struct Found<M> {
    /// The window that is still open.
    pub(super) open: Window,
    pub(super) best: Score,
    /// The last move that improved on the window.
    pub(super) best_move: Option<M>,
}

/// A kind of node. Kinds are values, not types: one machine code for all fits the processor's cache better than one for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeKind {
    /// With an open window: it may become part of the principal variation.
    Pv,
    /// Should fail high.
    Cut,
    /// Should fail low.
    All,
}

impl NodeKind {
    /// The kind of a child searched to full depth with a closed window.
    #[inline(always)]
    pub(super) const fn reply(self) -> Self {
        match self {
            Self::Pv | Self::All => Self::Cut,
            Self::Cut => Self::All,
        }
    }
}

/// What a node knows before it tries moves.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    pub(super) in_check: bool,
    pub(super) static_score: Option<Score>,
    pub(super) improving: bool,
    pub(super) table_move_is_noisy: bool,
    pub(super) was_pv: bool,
}

impl<G: Evaluate> Worker<'_, G> {
    /// Searches the node at `ply` to `depth` plies. The score is exact inside the window, outside it a bound.
    pub(super) fn node(
        &mut self,
        kind: NodeKind,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Result<Score, Stopped> {
        if depth <= 0 {
            return self.quiescence(kind, window, ply, 0);
        }
        self.memory.pv.clear(ply);
        self.seldepth = self.seldepth.max(ply);
        if let Some(score) = self.verdict(ply) {
            return Ok(score);
        }
        if ply >= PLY_LIMIT {
            return Ok(self.evaluate(ply));
        }
        if ply > 0 && G::wins_at_once(&self.position) {
            return Ok(Score::mate_in(ply + 1));
        }
        let is_pv = kind == NodeKind::Pv;
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
        if !is_pv
            && self.params.table_cutoff.enabled
            && let Some(score) = entry.and_then(|entry| table_cutoff(&entry, window, depth))
        {
            return Ok(score);
        }
        let in_check = self.is_in_check(ply);
        let static_score = self.static_score(ply, in_check, entry.as_ref());
        let table_move = entry.and_then(|entry| self.table_move(&entry, in_check));
        let facts = Facts {
            in_check,
            static_score,
            improving: self.improving(ply),
            table_move_is_noisy: table_move.is_some_and(|mv| G::is_noisy(&self.position, mv)),
            was_pv: is_pv || entry.is_some_and(|entry| entry.was_pv),
        };
        let mut info = NodeInfo { kind, depth, improving: facts.improving };

        if let Some(static_score) = static_score
            && !is_pv
            && excluded.is_none()
        {
            let estimate = refine(static_score, entry.as_ref());
            if let Some(score) = self.prune_node(window, info, estimate, ply)? {
                return Ok(score);
            }
        }
        if table_move.is_none() && excluded.is_none() && !in_check {
            info.depth -= prune::internal_reduction(&self.params.internal_reduction, info);
        }
        if let Some(static_score) = static_score
            && !is_pv
            && excluded.is_none()
            && let Some(score) = self.prob_cut(window, info, static_score, entry, ply)?
        {
            return Ok(score);
        }
        self.moves(window, info, facts, entry, table_move, ply)
    }

    /// The move of an entry, if it is legal here.
    pub(super) fn table_move(&self, entry: &Entry, in_check: bool) -> Option<G::Move> {
        match in_check {
            true => G::decode(&self.position, entry.code),
            false => G::decode_out_of_check(&self.position, entry.code),
        }
    }

    /// The static score with its correction, kept in the frame; `None` in check.
    fn static_score(&mut self, ply: usize, in_check: bool, entry: Option<&Entry>) -> Option<Score> {
        if self.frame(ply).excluded.is_some() {
            return self.frame(ply).static_score;
        }
        let raw = if in_check {
            None
        } else {
            Some(entry.and_then(|e| e.static_score).unwrap_or_else(|| self.evaluate(ply)))
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
    fn prune_node(
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
            let score = self.quiescence(info.kind, window, ply, 0)?;
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
        let score = -self.node(NodeKind::Cut, -window, info.depth - reduction, ply + 1)?;
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
        let verified = self.node(NodeKind::All, window, info.depth - reduction, ply);
        self.null_move_ply = 0;
        Ok(window.cuts(verified?).then_some(score))
    }

    /// ProbCut: a capture whose reduced search beats beta by a margin cuts.
    #[inline(never)]
    fn prob_cut(
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
            let mut score = -self.quiescence(info.kind.reply(), -raised, ply + 1, 0)?;
            if raised.cuts(score) && depth > 1 {
                score = -self.node(info.kind.reply(), -raised, depth - 1, ply + 1)?;
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

    /// Takes the score of a move into account; whether the node cuts.
    #[inline(always)]
    pub(super) fn take_score(
        &mut self,
        kind: NodeKind,
        found: &mut Found<G::Move>,
        mv: G::Move,
        score: Score,
        ply: usize,
    ) -> bool {
        if score > found.best {
            found.best = score;
            if found.open.improves(score) {
                found.best_move = Some(mv);
                if kind == NodeKind::Pv {
                    self.memory.pv.set(ply, mv);
                }
                if found.open.cuts(score) {
                    return true;
                }
                found.open = found.open.raise(score);
            }
        }
        false
    }

    /// The next move of a picker. What the table knows of the position after it is on its way when the move is made.
    pub(super) fn pick(&self, picker: &mut Picker<G>, ply: usize) -> Option<G::Move> {
        let mv = picker.next(&Sources {
            table: self.table,
            position: &self.position,
            game_params: self.game_params,
            params: self.params,
            history: &self.memory.history,
            contexts: self.contexts(ply),
        })?;
        if picker.known_gain().is_none() {
            self.table.prefetch(G::likely_hash_after(&self.position, mv));
        }
        Some(mv)
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
