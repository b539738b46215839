//! Several files as one. The same game of the same run must not come twice.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use super::history::{self, Counts, RUN_SHIFT, Run, Step, file_name, header_after};
use super::numbers::NumberSet;
use super::stream::{Batch, Watch, each_game};
use super::target::Games;
use super::{Target, ToolError};
use crate::data::{Chain, Header, Reader};

/// A file to be merged.
pub struct Input<'a> {
    /// Its name.
    pub path: &'a Path,
    /// The file.
    pub reader: &'a Reader,
}

/// Writes the games of all files, one file after the other. Also copies what is whole of one damaged file.
///
/// # Errors
/// The files are of different games or rules, or a game comes twice; see [`ToolError`].
pub fn merge(
    inputs: &[Input<'_>],
    target: Target,
    watch: &mut Watch<'_>,
) -> Result<Counts, ToolError> {
    let first = inputs.first().ok_or_else(|| ToolError::Usage("nothing to merge".to_owned()))?;
    let mut runs: Vec<Run> = Vec::new();
    let mut origins = Vec::new();
    for input in inputs {
        check_rules(first, input)?;
        let header = input.reader.header();
        let own = history::runs(header).map_err(|reason| bad(input.path, &reason))?;
        let indices: Vec<u64> = own
            .into_iter()
            .map(|run| match runs.iter().position(|known| *known == run) {
                Some(index) => index as u64,
                None => {
                    runs.push(run);
                    runs.len() as u64 - 1
                }
            })
            .collect();
        origins.push(Origin { indices, has_runs: history::has_runs(header) });
    }
    if runs.len() as u64 >= 1 << (u64::BITS - RUN_SHIFT) {
        return Err(ToolError::Usage(format!("{} runs are too many for one file", runs.len())));
    }
    let step = Step::new(
        "merge",
        json!({"inputs": inputs.iter().map(|input| json!({
            "file": file_name(input.path),
            "history": history::steps(input.reader.header()),
        })).collect::<Vec<_>>()}),
    );
    let mut base: Header = first.reader.header().clone();
    base.settings.shift_remove("history");
    if runs.len() > 1 {
        base = history::with_runs(&base, &runs);
    }
    let mut counts = Counts::default();
    let mut games = Games::begin(target, &header_after(&base, &step, Some(counts)))?;
    let mut seen: BTreeMap<u64, NumberSet> = BTreeMap::new();
    for (input, origin) in inputs.iter().zip(&origins) {
        let chain = |item: super::stream::Item<'_>| Ok(item.game.to_chain());
        each_game(input.reader, watch, Batch::USUAL, chain, |mut game| {
            counts.see(&game);
            let (run, number) = origin.of(&game, input.path)?;
            let seed = runs[run as usize].seed;
            if !seen.entry(seed).or_default().insert(number) {
                return Err(bad(
                    input.path,
                    &format!(
                        "game {number} of the run with seed {seed} comes twice; leave out the file that \
                         has it already, or make one of the runs with another --seed"
                    ),
                ));
            }
            game.number = if runs.len() > 1 { run << RUN_SHIFT | number } else { number };
            counts.write(&game);
            games.push(game)
        })?;
    }
    games.finish(&header_after(&base, &step, Some(counts)))?;
    Ok(counts)
}

/// Where the games of a file come from.
struct Origin {
    /// The runs of the file as indices of all runs.
    indices: Vec<u64>,
    has_runs: bool,
}

impl Origin {
    /// The run of a game, and its number there.
    fn of(&self, game: &Chain, path: &Path) -> Result<(u64, u64), ToolError> {
        let run = game.number >> RUN_SHIFT;
        let (run, number) = match self.has_runs {
            true => (run as usize, game.number & ((1 << RUN_SHIFT) - 1)),
            false if run == 0 => (0, game.number),
            false => (usize::MAX, 0),
        };
        let index = self.indices.get(run).copied();
        let index = index.ok_or_else(|| {
            bad(path, &format!("game {} belongs to no run that the header lists", game.number))
        })?;
        Ok((index, number))
    }
}

fn bad(path: &Path, reason: &str) -> ToolError {
    ToolError::Usage(format!("{}: {reason}", path.display()))
}

fn check_rules(first: &Input<'_>, input: &Input<'_>) -> Result<(), ToolError> {
    let (one, other) = (first.reader.header(), input.reader.header());
    if (&one.game, &one.rules) == (&other.game, &other.rules) {
        return Ok(());
    }
    let mut as_other = one.clone();
    (as_other.game, as_other.rules) = (other.game.clone(), other.rules.clone());
    let differences = one.differences(&as_other).join("; ");
    Err(bad(
        input.path,
        &format!("its rules are not those of {}: {differences}", first.path.display()),
    ))
}
