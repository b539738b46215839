//! Our own search as a player, in this process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::player::{Allowance, Board, Choice, Lapse, Outcome, Player, Stop};
use crate::game::{Evaluate, Rules, Side};
use crate::search::time::{Clock, TimeParams, TimePlan};
use crate::search::{Limits, Searcher, TableError};

/// Settings of our own engine.
#[derive(Clone)]
pub struct OwnSetting<G: Evaluate> {
    /// The numbers of search and evaluation.
    pub params: Arc<G::Params>,
    /// Size of the transposition table.
    pub hash_mib: usize,
    /// Threads.
    pub threads: usize,
    /// The rules it thinks by; `None`: those of the game.
    pub rules: Option<Rules<G::RuleSet>>,
}

/// Our own search. Every game begins with an empty table, so that games do not depend on each other.
pub struct Own<G: Evaluate> {
    setting: OwnSetting<G>,
    searcher: Searcher<G>,
    side: Side,
    stop: Stop,
}

impl<G: Evaluate> Own<G> {
    /// A player. It gives up when `stop` is set.
    ///
    /// # Errors
    /// There is no memory for the table.
    pub fn new(setting: OwnSetting<G>, stop: Stop) -> Result<Self, TableError> {
        let searcher = Searcher::new(Arc::clone(&setting.params), setting.hash_mib)?;
        Ok(Self { setting, searcher, side: Side::First, stop })
    }

    /// The board as the engine's own rules see it.
    fn position(&self, board: &Board<'_, G>) -> Result<G::Position, Lapse> {
        let Some(rules) = self.setting.rules else { return Ok(board.position.clone()) };
        let parsed = G::parse_position(board.root, rules)
            .map_err(|error| Lapse::Crash(format!("its rules know no such position: {error}")))?;
        let mut position = parsed.position;
        for text in board.moves {
            let mv = G::parse_move(&position, text)
                .map_err(|error| Lapse::Crash(format!("its rules know no such move: {error}")))?;
            G::make(&mut position, mv);
        }
        Ok(position)
    }
}

impl<G: Evaluate> Player<G> for Own<G> {
    fn begin(&mut self, side: Side, _: &Allowance) -> Result<(), Lapse> {
        self.side = side;
        self.searcher.clear();
        Ok(())
    }

    fn choose(
        &mut self,
        board: &Board<'_, G>,
        allowance: &Allowance,
    ) -> Result<Choice<G::Move>, Lapse> {
        let position = self.position(board)?;
        let own = self.side.index();
        let clock = allowance.remaining[own].map(|remaining| {
            let clock =
                Clock { remaining, increment: allowance.increments[own], ..Clock::default() };
            TimePlan::from_clock(clock, &TimeParams::default())
        });
        let limits = Limits {
            depth: allowance.pace.depth,
            nodes: allowance.pace.nodes,
            movetime: allowance.pace.movetime,
            clock,
            threads: self.setting.threads,
            stop: Arc::clone(&self.stop),
            ..Limits::default()
        };
        let searched = catch_unwind(AssertUnwindSafe(|| {
            self.searcher.search(&position, &limits, &mut |_| ())
        }));
        // Relaxed: the flag orders no other memory; it only tells that the answer is of no use.
        if self.stop.load(Ordering::Relaxed) {
            return Err(Lapse::Interrupted);
        }
        let report = searched.map_err(|panic| {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Lapse::Crash(format!("internal error: {}", text.unwrap_or_default()))
        })?;
        let Some(mv) = report.best_move else {
            return Err(Lapse::Illegal("it found no move".to_owned()));
        };
        Ok(Choice {
            mv,
            score: Some(report.score()),
            depth: Some(report.depth),
            nodes: Some(report.nodes),
            time: report.time,
        })
    }

    fn end(&mut self, _: Outcome) {}

    fn restart(&mut self) {
        self.searcher.clear();
    }
}
