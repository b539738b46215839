//! Workloads: named, reproducible pieces of work to measure the program by, read from TOML profiles.
//!
//! A profile says which positions of which game, what is done with them, and how much comes out of it. The command
//! `bench` and the criterion benchmarks run the same profiles.

mod engine;
mod profile;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use profile::{BUILT_IN, Measure, Profile, Start};

use crate::game::{Evaluate, MoveKind, Named};
use crate::perft::table::Table;
use crate::perft::{CountError, LastPly, Monitor, Options, add, count};
use crate::random::Random;

/// A profile ready to run: its positions are set up.
#[derive(Debug)]
pub struct Workload<G: Evaluate> {
    profile: Profile,
    positions: Vec<G::Position>,
    params: Arc<G::Params>,
    pool: rayon::ThreadPool,
}

/// Why a workload could not be run to its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WorkloadError {
    /// The profile asks for something that does not exist.
    #[error("{0}")]
    Profile(String),
    /// The work gave another count than the profile expects.
    #[error(
        "{found} instead of the expected {expected}: the program counts wrongly, or the profile is out of date"
    )]
    Count {
        /// What the profile says.
        expected: u64,
        /// What came out.
        found: u64,
    },
    /// The stop flag was set.
    #[error("stopped")]
    Stopped,
}

impl<G: Evaluate> Workload<G> {
    /// Sets up the positions of a profile.
    ///
    /// # Errors
    /// An unknown rule set, a bad position or move, or no position at all.
    pub fn new(profile: Profile, params: G::Params) -> Result<Self, WorkloadError> {
        let set = match &profile.rules {
            None => G::RuleSet::ALL[0],
            Some(name) => G::RuleSet::from_name(name).ok_or_else(|| {
                WorkloadError::Profile(format!("rules: unknown rule set '{name}' for {}", G::NAME))
            })?,
        };
        if let Some(fault) = profile.fault() {
            return Err(WorkloadError::Profile(fault));
        }
        let mut positions = Vec::new();
        for (index, start) in profile.positions.iter().enumerate() {
            let position = set_up::<G>(start, set).map_err(|message| {
                WorkloadError::Profile(format!("positions, number {}: {message}", index + 1))
            })?;
            positions.push(position);
        }
        if let Some(random) = profile.random {
            let mut choice = Random::of_state(profile.seed);
            for _ in 0..random.games {
                positions.push(random_position::<G>(set, random.plies, &mut choice));
            }
        }
        if positions.is_empty() && profile.measure != Measure::Table {
            return Err(WorkloadError::Profile(
                "no positions; add [[positions]] or [random]".into(),
            ));
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(profile.threads)
            .build()
            .map_err(|error| WorkloadError::Profile(format!("threads: {error}")))?;
        Ok(Self { profile, positions, params: Arc::new(params), pool })
    }

    /// The profile it was made from.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Does the work once and says what came of it; see [`Measure`].
    ///
    /// # Errors
    /// [`WorkloadError::Stopped`] after the flag was set; [`WorkloadError::Count`] where the profile expects another
    /// number.
    pub fn run(&self, stop: &Arc<AtomicBool>) -> Result<u64, WorkloadError> {
        let found = match self.profile.measure {
            Measure::Movegen => self.generate(stop)?,
            Measure::MakeUnmake => self.make_unmake(stop)?,
            Measure::Perft => self.perft(stop)?,
            Measure::Playout => self.playout(stop)?,
            Measure::Search => self.search(stop)?,
            Measure::Batch => self.batch(stop)?,
            Measure::Table => self.table(stop)?,
            Measure::Datagen => self.datagen(stop)?,
        };
        match self.profile.expected {
            Some(expected) if expected != found => Err(WorkloadError::Count { expected, found }),
            _ => Ok(found),
        }
    }

    fn generate(&self, stop: &Arc<AtomicBool>) -> Result<u64, WorkloadError> {
        let mut moves = Vec::new();
        let mut sum = 0;
        for _ in 0..self.profile.rounds {
            check(stop)?;
            for position in &self.positions {
                moves.clear();
                G::generate(std::hint::black_box(position), MoveKind::All, &mut moves);
                sum += moves.len() as u64;
            }
        }
        Ok(sum)
    }

    fn make_unmake(&self, stop: &Arc<AtomicBool>) -> Result<u64, WorkloadError> {
        let mut positions = self.positions.clone();
        let moves: Vec<Vec<G::Move>> = positions
            .iter()
            .map(|position| {
                let mut moves = Vec::new();
                G::generate(position, MoveKind::All, &mut moves);
                moves
            })
            .collect();
        let mut sum = 0;
        for _ in 0..self.profile.rounds {
            check(stop)?;
            for (position, moves) in positions.iter_mut().zip(&moves) {
                for &mv in moves {
                    G::make(position, mv);
                    G::unmake(std::hint::black_box(position));
                }
                sum += moves.len() as u64;
            }
        }
        Ok(sum)
    }

    /// Plays random games, and takes them back.
    fn playout(&self, stop: &Arc<AtomicBool>) -> Result<u64, WorkloadError> {
        let plies = self.profile.plies.unwrap_or(0);
        let mut positions = self.positions.clone();
        let mut sum = 0;
        for round in 0..self.profile.rounds {
            check(stop)?;
            for (number, position) in positions.iter_mut().enumerate() {
                let stream = u64::from(round) << 32 | number as u64;
                let mut random = Random::new(self.profile.seed, stream);
                let mut made = 0;
                while made < plies {
                    check(stop)?;
                    let next = (plies - made).min(UNWATCHED);
                    let played = G::play_at_random(position, next, |moves| random.below(moves));
                    made += played;
                    if played < next {
                        break;
                    }
                }
                (0..made).for_each(|_| G::unmake(position));
                sum += made as u64;
            }
        }
        Ok(sum)
    }

    fn perft(&self, stop: &Arc<AtomicBool>) -> Result<u64, WorkloadError> {
        let table = (self.profile.hash_mib > 0)
            .then(|| Table::new(self.profile.hash_mib))
            .transpose()
            .map_err(|error| WorkloadError::Profile(format!("hash_mib: {error}")))?;
        let monitor = Monitor::default();
        let options = Options {
            depth: self.profile.depth.unwrap_or(0),
            last_ply: LastPly::Counted,
            table: table.as_ref(),
            monitor: &monitor,
        };
        let mut sum = 0;
        for position in &self.positions {
            check(stop)?;
            let nodes = self.pool.install(|| count::<G>(position, options));
            sum = nodes.and_then(|nodes| add(sum, nodes)).map_err(|error| match error {
                CountError::Stopped => WorkloadError::Stopped,
                CountError::TooMany => WorkloadError::Profile(format!("depth: {error}")),
            })?;
        }
        Ok(sum)
    }
}

/// Plies or keys between two looks at the stop flag.
const UNWATCHED: usize = 100_000;

fn check(stop: &Arc<AtomicBool>) -> Result<(), WorkloadError> {
    if stop.load(Ordering::Relaxed) { Err(WorkloadError::Stopped) } else { Ok(()) }
}

fn set_up<G: Evaluate>(start: &Start, set: G::RuleSet) -> Result<G::Position, String> {
    let rules = G::rules(set);
    let mut position = if start.position == "startpos" {
        G::start(rules)
    } else {
        G::parse_position(&start.position, rules).map_err(|error| error.to_string())?.position
    };
    for text in start.moves.split_whitespace() {
        let mv = G::parse_move(&position, text).map_err(|error| error.to_string())?;
        G::make(&mut position, mv);
    }
    Ok(position)
}

/// Plays random legal moves from the initial position. The choice depends on the seed and the texts of the moves only,
/// so that a generator may list them in any order.
fn random_position<G: Evaluate>(set: G::RuleSet, plies: u32, random: &mut Random) -> G::Position {
    let mut position = G::start(G::rules(set));
    let mut moves = Vec::new();
    for _ in 0..plies {
        moves.clear();
        G::generate(&position, MoveKind::All, &mut moves);
        if moves.is_empty() {
            break;
        }
        let native = G::Notation::ALL[0];
        moves.sort_by_cached_key(|&mv| G::format_move(&position, mv, native));
        G::make(&mut position, moves[random.below(moves.len())]);
    }
    position
}
