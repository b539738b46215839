//! Openings: positions with their moves from a file, random moves from there, and the order in which a match uses them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis::input::{
    Every, GameMode, Input, InputFormat, InputOptions, Reader, UnknownOpcodes,
};
use crate::game::{Evaluate, Game, GameResult, MoveKind, Named, Rules};
use crate::random::Random;
use crate::search::{Limits, Searcher, TableError};

/// A start for a pair of games.
#[derive(Clone, Debug)]
pub struct Opening<G: Game> {
    /// What the file calls it, and otherwise where it stands there; `None` without a file.
    pub name: Option<String>,
    /// The position before the moves, in native text.
    pub root: String,
    /// The moves, in native text.
    pub moves: Vec<String>,
    /// The position after the moves.
    pub position: G::Position,
}

impl<G: Game> Opening<G> {
    /// The opening that leads to a position by the moves made in it.
    pub fn new(name: Option<String>, position: G::Position) -> Self {
        let made = G::moves_made(&position);
        let mut walk = position.clone();
        for _ in &made {
            G::unmake(&mut walk);
        }
        let root = G::format_position(&walk, G::Format::ALL[0])
            .expect("the native format can say every position");
        let moves = made.into_iter().map(|mv| {
            let text = G::format_move(&walk, mv, G::Notation::ALL[0]);
            G::make(&mut walk, mv);
            text
        });
        let moves = moves.collect();
        Self { name, root, moves, position }
    }
}

/// Why openings cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(String),
    /// An opening is bad, or none is left.
    #[error("{0}")]
    Bad(String),
}

/// Openings read from a file, and what was passed over.
pub struct OpeningFile<G: Game> {
    /// The openings, in the order of the file.
    pub openings: Vec<Opening<G>>,
    /// Why entries were left out.
    pub warnings: Vec<String>,
}

/// Reads openings: positions (FEN, EPD) as they stand, of games (JSON Lines, PGN) the first `plies` plies.
///
/// # Errors
/// A file that cannot be read, an entry that is no position or game of `G`, or no opening at all.
pub fn read<G: Game>(
    path: &Path,
    plies: u64,
    rules: Rules<G::RuleSet>,
) -> Result<OpeningFile<G>, OpeningError> {
    let options = InputOptions {
        format: InputFormat::Auto,
        encoding: None,
        games: GameMode::ByResult,
        // Of a game come the positions after 0, N, 2N, ... plies, of which the second is wanted.
        every: Every::Plies(plies.max(1)),
        unknown_opcodes: UnknownOpcodes::Warned,
        rules,
    };
    let mut file = OpeningFile { openings: Vec::new(), warnings: Vec::new() };
    let mut pending: Option<(u64, String)> = None;
    for job in Reader::<G>::new(vec![Input::File(PathBuf::from(path))], options) {
        let job = job.map_err(|error| OpeningError::Read(error.to_string()))?;
        let place = format!("{}:{}", path.display(), job.label.line);
        let task = job.task.map_err(|error| {
            OpeningError::Bad(format!("{place}:{}: {}", error.column, error.message))
        })?;
        if job.label.ply.is_some_and(|ply| ply == 0 && plies > 0) {
            // The start of a game; it is too short if the position wanted does not follow.
            file.warnings.extend(pending.take().map(|(_, place)| too_short(&place, plies)));
            pending = Some((job.label.line, place));
            continue;
        }
        if job.label.ply.is_some_and(|ply| ply != plies) {
            continue;
        }
        pending = pending.filter(|_| job.label.ply.is_none());
        let verdict = G::judge(&task.position);
        if verdict.result != GameResult::None {
            file.warnings.push(format!("{place}: the game is over: {}", verdict.explanation));
            continue;
        }
        file.warnings.extend(task.warnings.iter().map(|warning| format!("{place}: {warning}")));
        let name =
            job.label.id.map_or_else(|| format!("line {}", job.label.line), |id| id.to_string());
        file.openings.push(Opening::new(Some(name), task.position));
    }
    file.warnings.extend(pending.map(|(_, place)| too_short(&place, plies)));
    if file.openings.is_empty() {
        return Err(OpeningError::Bad(format!("{}: no opening in it", path.display())));
    }
    Ok(file)
}

fn too_short(place: &str, plies: u64) -> String {
    format!("{place}: the game has less than {plies} plies and is left out")
}

/// In which order openings are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// As in the file.
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// Where the openings of a match come from.
pub struct Book<G: Evaluate> {
    openings: Vec<Opening<G>>,
    /// Random moves played after each opening.
    pub random_plies: usize,
    /// Random openings further from even than this, by a short search, are drawn anew.
    pub balance_cp: Option<i32>,
    /// Random openings that this format cannot say are drawn anew: an engine has to be told of them in it.
    pub format: Option<G::Format>,
    seed: u64,
    params: Arc<G::Params>,
}

/// Draws of a random opening before the last one is taken as it is.
const DRAWS: usize = 200;
/// The search that looks whether a random opening is balanced.
const BALANCE_NODES: u64 = 3000;

impl<G: Evaluate> Book<G> {
    /// A book of at least one opening.
    ///
    /// # Panics
    /// If there is no opening.
    pub fn new(mut openings: Vec<Opening<G>>, order: Order, seed: u64) -> Self {
        assert!(!openings.is_empty(), "a book has an opening");
        if order == Order::Random {
            let mut random = Random::new(seed, u64::MAX);
            for last in (1..openings.len()).rev() {
                openings.swap(last, random.below(last + 1));
            }
        }
        Self {
            openings,
            random_plies: 0,
            balance_cp: None,
            format: None,
            seed,
            params: Arc::default(),
        }
    }

    /// The number of different openings; `None` with random moves.
    pub fn size(&self) -> Option<usize> {
        (self.random_plies == 0).then_some(self.openings.len())
    }

    /// Refuses openings of the file that [`Book::format`] cannot say.
    ///
    /// # Errors
    /// The first of them, with the reason.
    pub fn check_format(&self) -> Result<(), OpeningError> {
        let Some(format) = self.format else { return Ok(()) };
        let bad = self.openings.iter().find_map(|opening| {
            let error = G::format_position(&opening.position, format).err()?;
            let name = opening.name.as_deref().unwrap_or("the initial position");
            Some(OpeningError::Bad(format!("opening {name} cannot be told to the engine: {error}")))
        });
        bad.map_or(Ok(()), Err)
    }

    /// The opening of a pair of games. It depends on nothing but the book and the number of the pair.
    ///
    /// # Errors
    /// No memory for the search that looks for balance.
    pub fn opening(&self, pair: u64) -> Result<Opening<G>, TableError> {
        let base = &self.openings[(pair % self.openings.len() as u64) as usize];
        if self.random_plies == 0 {
            return Ok(base.clone());
        }
        let mut random = Random::new(self.seed, pair);
        let mut last = base.position.clone();
        for _ in 0..DRAWS {
            let Some(position) = self.wander(&base.position, &mut random) else { continue };
            last = position;
            match self.balance_cp {
                Some(limit) if !self.is_balanced(&last, limit)? => {}
                _ => break,
            }
        }
        Ok(Opening::new(base.name.clone(), last))
    }

    /// Random legal moves; `None` if the game ends on the way, or an engine could not be told of the position.
    fn wander(&self, base: &G::Position, random: &mut Random) -> Option<G::Position> {
        let position = wander::<G>(base, self.random_plies, random)?;
        let can_be_said =
            self.format.is_none_or(|format| G::format_position(&position, format).is_ok());
        can_be_said.then_some(position)
    }

    fn is_balanced(&self, position: &G::Position, limit_cp: i32) -> Result<bool, TableError> {
        let mut searcher = Searcher::<G>::new(Arc::clone(&self.params), 1)?;
        let report = searcher.search(position, &Limits::to_nodes(BALANCE_NODES), &mut |_| ());
        Ok(report.score().get().abs() <= limit_cp)
    }
}

/// The position after so many random legal moves; `None` if the game ends on the way.
pub(crate) fn wander<G: Game>(
    base: &G::Position,
    plies: usize,
    random: &mut Random,
) -> Option<G::Position> {
    let mut position = base.clone();
    let mut moves = Vec::new();
    for _ in 0..plies {
        moves.clear();
        G::generate(&position, MoveKind::All, &mut moves);
        if moves.is_empty() {
            return None;
        }
        // The order of the generator is an accident; the order of moves is not.
        moves.sort_unstable();
        G::make(&mut position, moves[random.below(moves.len())]);
    }
    (G::judge(&position).result == GameResult::None).then_some(position)
}
