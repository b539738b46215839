//! The files of `tune`: opens those that are read, and writes a result whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::failure::Failure;
use super::is_there;
use crate::data::Reader;
use crate::game::{Game, Rules};
use crate::games::GameId;

/// The files of games.
pub(super) struct Inputs {
    pub(super) files: Vec<(PathBuf, Reader)>,
}

impl Inputs {
    pub(super) fn open(paths: &[PathBuf]) -> Result<Self, Failure> {
        let open = |path: &PathBuf| Ok::<_, Failure>((path.clone(), Reader::open(path)?));
        Ok(Self { files: paths.iter().map(open).collect::<Result<_, _>>()? })
    }

    /// The game that all files are of.
    pub(super) fn game(&self, expected: Option<GameId>) -> Result<GameId, Failure> {
        let mut found = expected;
        for (path, reader) in &self.files {
            let fail = |text: String| Failure::Usage(format!("{}: {text}", path.display()));
            let game: GameId =
                reader.header().game.parse().map_err(|error| fail(format!("{error}")))?;
            match found {
                Some(other) if other != game => {
                    return Err(fail(format!(
                        "games of {game}, not of {other}; fit each game by itself"
                    )));
                }
                _ => found = Some(game),
            }
        }
        Ok(found.expect("there is at least one file"))
    }

    /// The rules of each file. Values of pieces follow from their moves, so all must have one rule set.
    pub(super) fn rules<G: Game>(&self) -> Result<Vec<Rules<G::RuleSet>>, Failure> {
        let mut all: Vec<Rules<G::RuleSet>> = Vec::new();
        for (path, reader) in &self.files {
            let fail = |text: String| Failure::Usage(format!("{}: {text}", path.display()));
            let settings = &reader.header().rules;
            let rules = settings.rules::<G>().map_err(fail)?;
            if all.first().is_some_and(|first| first.set != rules.set) {
                return Err(fail(format!(
                    "rule set {}, not that of {}; fit each rule set by itself",
                    settings.set,
                    self.files[0].0.display()
                )));
            }
            all.push(rules);
        }
        Ok(all)
    }
}

/// Writes a file by way of a neighbour, so that nobody ever sees half of it.
pub(super) fn write_new(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    if is_there(path) && !force {
        let text = format!("{} exists by now; --force overwrites it", path.display());
        return Err(Failure::Usage(text));
    }
    let part = part(path);
    let written = fs::write(&part, text).and_then(|()| fs::rename(&part, path));
    written.map_err(|error| {
        // Nothing more can be done about what is left of it.
        let _ = fs::remove_file(&part);
        Failure::file(path, &error)
    })
}

/// The neighbour by way of which a file is written.
fn part(path: &Path) -> PathBuf {
    let mut name = path.file_name().expect("checked before the work").to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// Finds out whether a file can be made where the output is to be.
pub(super) fn check_folder(path: &Path) -> Result<(), Failure> {
    let part = part(path);
    let made = fs::File::create(&part).and_then(|_| fs::remove_file(&part));
    made.map_err(|error| Failure::file(path, &error))
}
