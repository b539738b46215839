//! Workloads of the engine: the transposition table, single searches, batches of them, and games for training data.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{UNWATCHED, Workload, WorkloadError, check};
use crate::analysis::pool::{Order, Pool, Sink};
use crate::datagen::opening::Openings;
use crate::datagen::selfplay::SelfPlayer;
use crate::datagen::{Effort, Plan};
use crate::duel::adjudication::Adjudication;
use crate::duel::opening::Opening;
use crate::game::{Evaluate, GameResult};
use crate::random::Random;
use crate::score::{Bound, Score};
use crate::search::Searcher;
use crate::search::limits::Limits;
use crate::search::table::{Entry, Table};

impl<G: Evaluate> Workload<G> {
    /// Searches each position with an empty table.
    pub(super) fn search(&self, stop: &Arc<AtomicBool>) -> Result<u64, WorkloadError> {
        let mut searcher = self.searcher()?;
        let limits = self.limits(self.profile.threads, stop);
        let mut sum = 0;
        for position in &self.positions {
            searcher.clear();
            sum += searcher.search(position, &limits, &mut |_| {}).nodes;
            check(stop)?;
        }
        Ok(sum)
    }

    /// Searches each position as [`Workload::search`], but several at once with one thread each.
    pub(super) fn batch(&self, stop: &Arc<AtomicBool>) -> Result<u64, WorkloadError> {
        let limits = self.limits(1, stop);
        let mut workers = Vec::new();
        for _ in 0..self.profile.threads {
            let mut searcher = self.searcher()?;
            let limits = limits.clone();
            workers.push(move |position: G::Position| {
                searcher.clear();
                searcher.search(&position, &limits, &mut |_| {}).nodes
            });
        }
        let sum = spread(self.positions.clone().into_iter(), workers, stop);
        check(stop)?;
        Ok(sum)
    }

    /// Plays games with itself, from the positions in turn.
    pub(super) fn datagen(&self, stop: &Arc<AtomicBool>) -> Result<u64, WorkloadError> {
        let profile = &self.profile;
        let over = |position: &G::Position| G::judge(position).result != GameResult::None;
        if let Some(number) = self.positions.iter().position(over) {
            let message = format!("positions, number {}: the game is over there", number + 1);
            return Err(WorkloadError::Profile(message));
        }
        let bases = self.positions.iter().map(|position| Opening::new(None, position.clone()));
        let plan = Plan::<G> {
            rules: G::rules_of(&self.positions[0]),
            params: Arc::clone(&self.params),
            hash_mib: self.hash_mib(),
            seed: profile.seed,
            effort: Effort { depth: profile.depth, soft_nodes: None, hard_nodes: profile.nodes },
            teacher: None,
            variety: None,
            adjudication: Adjudication { max_plies: profile.plies, ..Adjudication::default() },
            openings: Openings::new(bases.collect(), 0, None),
            stop: Arc::clone(stop),
        };
        let mut workers = Vec::new();
        for _ in 0..profile.threads {
            let mut player = SelfPlayer::new(&plan).map_err(|error| no_memory(&error))?;
            workers.push(move |game| match player.play(game) {
                Ok(Some(made)) => made.keys.len() as u64,
                // No game is over before it begins and no bound is set, so that only a stop gives none.
                Ok(None) | Err(_) => 0,
            });
        }
        let sum = spread(0..u64::from(profile.rounds), workers, stop);
        check(stop)?;
        Ok(sum)
    }

    /// Stores keys of no position in a table and looks each of them up, round by round; what is stored and what is found.
    pub(super) fn table(&self, stop: &Arc<AtomicBool>) -> Result<u64, WorkloadError> {
        let table = Table::new(self.hash_mib()).map_err(|error| no_memory(&error))?;
        let keys = self.profile.nodes.unwrap_or(0);
        let entry = Entry {
            code: 1,
            score: Some((Score::ZERO, Bound::Exact)),
            static_score: None,
            depth: 1,
            was_pv: false,
        };
        let mut sum = 0;
        for round in 0..self.profile.rounds {
            let random = || Random::new(self.profile.seed, u64::from(round));
            let (mut stored, mut looked_up) = (random(), random());
            for number in 0..keys {
                if number.is_multiple_of(UNWATCHED as u64) {
                    check(stop)?;
                }
                table.store(stored.next(), 0, entry);
            }
            for number in 0..keys {
                if number.is_multiple_of(UNWATCHED as u64) {
                    check(stop)?;
                }
                sum += 1 + u64::from(table.load(looked_up.next(), 0).is_some());
            }
        }
        Ok(sum)
    }

    fn hash_mib(&self) -> usize {
        usize::try_from(self.profile.hash_mib).unwrap_or(usize::MAX).max(1)
    }

    fn searcher(&self) -> Result<Searcher<G>, WorkloadError> {
        Searcher::new(Arc::clone(&self.params), self.hash_mib()).map_err(|error| no_memory(&error))
    }

    fn limits(&self, threads: usize, stop: &Arc<AtomicBool>) -> Limits<G::Move> {
        Limits {
            depth: self.profile.depth,
            nodes: self.profile.nodes,
            threads,
            stop: Arc::clone(stop),
            ..Limits::default()
        }
    }
}

fn no_memory(error: &impl ToString) -> WorkloadError {
    WorkloadError::Profile(format!("hash_mib: {}", error.to_string()))
}

/// The sum of what the workers, a thread each, make of all jobs.
fn spread<J: Send + 'static>(
    jobs: impl Iterator<Item = J> + Send + 'static,
    workers: Vec<impl FnMut(J) -> u64 + Send>,
    stop: &Arc<AtomicBool>,
) -> u64 {
    let pool = Pool {
        window: workers.len(),
        order: Order::Completion,
        interrupt: Arc::clone(stop),
        abort: Arc::clone(stop),
    };
    let mut sum = Sum(0);
    match pool.run(jobs.map(Ok::<J, Infallible>), workers, &mut sum) {
        Ok(_) => sum.0,
        Err(never) => match never {},
    }
}

struct Sum(u64);

impl Sink<u64> for Sum {
    type Error = Infallible;

    fn deliver(&mut self, result: u64) -> Result<(), Infallible> {
        self.0 += result;
        Ok(())
    }
}
