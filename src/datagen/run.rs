//! A run: games by number on all cores, written in order by one thread until there are enough.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Plan;
use super::duplicates::Duplicates;
use super::opening::NoOpening;
use super::selfplay::{Made, SelfPlayer};
use super::tally::Tally;
use crate::analysis::pool::{End as PoolEnd, Order, Pool, Sink};
use crate::data::{DataError, Writer};
use crate::game::Evaluate;
use crate::search::TableError;

/// When a run has enough; whichever comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Goal {
    /// Games.
    pub games: Option<u64>,
    /// Positions with a score; the run ends with the game that reaches it.
    pub positions: Option<u64>,
}

impl Goal {
    /// Whether these games are enough.
    pub fn is_reached(&self, tally: &Tally) -> bool {
        self.games.is_some_and(|games| tally.games >= games)
            || self.positions.is_some_and(|positions| tally.positions >= positions)
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The goal is reached.
    Complete,
    /// The stop flag was set; what is written can be resumed.
    Interrupted,
}

/// Why a run failed. What is written can be resumed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The file.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The openings.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// Memory.
    #[error("{0} (each thread has its own table)")]
    Memory(#[from] TableError),
    /// A bug.
    #[error("game {game}: internal error: {text}")]
    Panic {
        /// The number of the game.
        game: u64,
        /// What was wrong.
        text: String,
    },
}

/// Counts of a run, for progress and summary.
pub struct Count {
    /// All games of the file.
    pub tally: Tally,
    /// Games, plies and positions of this run.
    pub made: Tally,
    /// Positions of this run that came again.
    pub duplicates: Duplicates,
    /// Nodes of this run.
    pub nodes: u64,
    /// Time that this run's threads spent in searches for moves.
    pub search_time: Duration,
    /// Time that they spent on openings.
    pub opening_time: Duration,
    /// Time that they spent on the games that are written.
    pub game_time: Duration,
    /// When this run began.
    pub started: Instant,
}

impl Count {
    /// A run that goes on behind these games.
    pub fn new(tally: Tally) -> Self {
        Self {
            tally,
            made: Tally::default(),
            duplicates: Duplicates::default(),
            nodes: 0,
            search_time: Duration::ZERO,
            opening_time: Duration::ZERO,
            game_time: Duration::ZERO,
            started: Instant::now(),
        }
    }

    fn add(&mut self, made: &Made) {
        let Made { chain, keys, .. } = made;
        for tally in [&mut self.tally, &mut self.made] {
            tally.add(chain.result, chain.end, chain.plies.iter().copied());
        }
        keys.iter().for_each(|&key| self.duplicates.see(key));
        self.nodes += made.nodes;
        self.search_time += made.search_time;
        self.opening_time += made.opening_time;
        self.game_time += made.time;
    }
}

/// Finished games that may wait for an earlier one, for each thread.
const WAITING: usize = 8;

/// Makes games until the goal is reached, by so many threads. `count` has the games that `writer` has already. `tick` is
/// called after each game and a few times a second.
///
/// # Errors
/// See [`RunError`]. All games before it are written.
pub fn run<G: Evaluate>(
    plan: &Plan<G>,
    goal: Goal,
    threads: usize,
    writer: &mut Writer,
    count: &mut Count,
    tick: &mut dyn FnMut(&Count),
) -> Result<End, RunError> {
    if goal.is_reached(&count.tally) {
        return Ok(End::Complete);
    }
    let first = count.tally.games;
    let games = first..goal.games.unwrap_or(u64::MAX);
    let threads = threads.min(usize::try_from(games.end - first).unwrap_or(usize::MAX));
    let players = (0..threads)
        .map(|_| SelfPlayer::new(plan))
        .collect::<Result<Vec<SelfPlayer<'_, G>>, TableError>>()?;
    // One flag for both: games under way are given up by an interrupt as by an error, and made again by the next run.
    let pool = Pool {
        window: threads * WAITING,
        order: Order::Input,
        interrupt: Arc::clone(&plan.stop),
        abort: Arc::clone(&plan.stop),
    };
    let workers = players.into_iter().map(|mut player| move |game| play(&mut player, game));
    let mut collector = Collector { writer, count, goal, tick };
    let source = games.map(Ok::<u64, Infallible>);
    match pool.run(source, workers.collect(), &mut collector) {
        Ok(PoolEnd::Complete) | Err(Halt::Enough) => Ok(End::Complete),
        Ok(PoolEnd::Interrupted) | Err(Halt::Interrupted) => Ok(End::Interrupted),
        Ok(PoolEnd::SourceFailed(never)) => match never {},
        Err(Halt::Failed(error)) => Err(error),
    }
}

/// What a worker gives: `None` for a game that was given up.
type Played = Result<Option<Made>, RunError>;

fn play<G: Evaluate>(player: &mut SelfPlayer<'_, G>, game: u64) -> Played {
    // After a panic the run ends, so nobody sees the player's state again.
    match catch_unwind(AssertUnwindSafe(|| player.play(game))) {
        Ok(played) => Ok(played?),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Err(RunError::Panic { game, text: text.unwrap_or_default() })
        }
    }
}

/// Why no more games are taken.
enum Halt {
    Enough,
    Interrupted,
    Failed(RunError),
}

struct Collector<'a> {
    writer: &'a mut Writer,
    count: &'a mut Count,
    goal: Goal,
    tick: &'a mut dyn FnMut(&Count),
}

impl Sink<Played> for Collector<'_> {
    type Error = Halt;

    fn deliver(&mut self, played: Played) -> Result<(), Halt> {
        let Some(made) = played.map_err(Halt::Failed)? else { return Err(Halt::Interrupted) };
        self.count.add(&made);
        let written = self.writer.push(made.chain).and_then(|()| self.writer.flush());
        written.map_err(|error| Halt::Failed(error.into()))?;
        (self.tick)(self.count);
        if self.goal.is_reached(&self.count.tally) { Err(Halt::Enough) } else { Ok(()) }
    }

    fn tick(&mut self) {
        (self.tick)(self.count);
    }
}
