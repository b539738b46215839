//! Quiescence: noisy moves, evasions and, at first, checks, until the static score can be trusted.

use super::moves::is_lost;
use super::node::{Found, NodeKind, refine, table_cutoff};
use super::order::{Picker, Wanted};
use super::window::Window;
use super::worker::{PLY_LIMIT, Stopped, Worker};
use crate::game::Evaluate;
use crate::score::{Bound, Score};

impl<G: Evaluate> Worker<'_, G> {
    /// Searches the node at `ply`, `quiet_ply` plies into quiescence.
    pub(super) fn quiescence(
        &mut self,
        kind: NodeKind,
        window: Window,
        ply: usize,
        quiet_ply: i32,
    ) -> Result<Score, Stopped> {
        self.memory.pv.clear(ply);
        self.seldepth = self.seldepth.max(ply);
        if let Some(score) = self.verdict(ply) {
            return Ok(score);
        }
        let p = &self.params.quiescence;
        if ply >= PLY_LIMIT || !p.enabled {
            return Ok(self.evaluate(ply));
        }
        if ply > 0 && G::wins_at_once(&self.position) {
            return Ok(Score::mate_in(ply + 1));
        }
        let in_check = quiet_ply < p.evasion_plies && self.is_in_check(ply);
        let with_checks = quiet_ply < p.check_plies && !in_check;
        // Searches with checks or evasions know more than those without.
        let last_target = self.frame_above(ply, 1).mv.map(G::target);
        let recapture = last_target.filter(|_| quiet_ply >= p.recapture_ply && !in_check);
        let table_depth = match recapture {
            Some(_) => -2,
            None if with_checks || in_check => 0,
            None => -1,
        };
        let entry = self.table.load(G::hash(&self.position), ply);
        if kind != NodeKind::Pv
            && self.params.table_cutoff.enabled
            && let Some(score) = entry.and_then(|entry| table_cutoff(&entry, window, table_depth))
        {
            return Ok(score);
        }
        let mut open = window;
        let mut best = -Score::INFINITE;
        let mut futility = None;
        if in_check {
            (self.frame_mut(ply).raw_score, self.frame_mut(ply).static_score) = (None, None);
        } else {
            let raw = entry.and_then(|e| e.static_score).unwrap_or_else(|| self.evaluate(ply));
            let static_score = self.corrected(raw, ply);
            let frame = self.frame_mut(ply);
            (frame.raw_score, frame.static_score) = (Some(raw), Some(static_score));
            best = refine(static_score, entry.as_ref());
            if open.cuts(best) {
                if entry.is_none() {
                    self.store(ply, None, best, Bound::Lower, table_depth, false);
                }
                return Ok(best);
            }
            open = open.raise(best);
            futility = Some(static_score + self.params.quiescence.delta_margin);
        }
        let wanted = match (in_check, with_checks) {
            (true, _) => Wanted::Evasions,
            (false, true) => Wanted::NoisyAndChecks,
            (false, false) => Wanted::Noisy,
        };
        let may_be_check = in_check || quiet_ply >= p.evasion_plies;
        let table_move =
            entry.and_then(|entry| self.table_move(&entry, may_be_check)).filter(|&mv| {
                wanted == Wanted::Evasions
                    || G::is_noisy(&self.position, mv)
                    || (with_checks
                        && G::gives_check(&self.position, &G::checks(&self.position), mv))
            });
        let buffers = self.take_buffers();
        let mut picker = Picker::<G>::new(wanted, table_move, [0; 3], 0, buffers);
        if let Some(target) = recapture {
            picker.only_to(target);
        }
        let mut found = Found { open, best, best_move: None };
        let mut count = 0;
        let mut quiet = 0;
        loop {
            // Neither a lost node nor a decided window is for estimates.
            let alpha = found.open.alpha();
            let futility = futility.filter(|_| !is_lost(found.best) && !alpha.is_decisive());
            picker.prune_delta(futility, alpha);
            let Some(mv) = self.pick(&mut picker, ply) else { break };
            count += 1;
            let noisy = G::is_noisy(&self.position, mv);
            if !is_lost(found.best) && !noisy && in_check {
                quiet += 1;
                if quiet > self.params.quiescence.quiet_evasions {
                    continue;
                }
            }
            // The move of the table comes as it is.
            if let Some(futility) = futility
                && noisy
                && picker.known_gain().is_none()
                && !picker.gives_check(&self.position, mv)
            {
                let most = futility + G::gain(&self.position, self.game_params, mv);
                if most <= alpha {
                    found.best = found.best.max(most);
                    continue;
                }
            }
            self.play(mv, ply)?;
            self.frame_mut(ply + 1).in_check = picker.known_check();
            let score = -self.quiescence(kind, -found.open, ply + 1, quiet_ply + 1)?;
            self.take_back();
            if self.take_score(kind, &mut found, mv, score, ply) {
                break;
            }
        }
        if !window.cuts(found.best)
            && let Some(most) = picker.most_left_out()
        {
            found.best = found.best.max(most);
        }
        self.give_buffers(picker.buffers);
        if in_check && count == 0 {
            return Ok(self.no_moves(ply));
        }
        let Found { best, best_move, .. } = found;
        let bound = if window.cuts(best) { Bound::Lower } else { Bound::Upper };
        self.store(ply, best_move, best, bound, table_depth, false);
        Ok(best)
    }
}
