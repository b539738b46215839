//! What tools share while they run: the open file, its game and rules, a bar of progress, the list of what is damaged.

use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::super::failure::Failure;
use super::super::interrupt;
use super::super::terminal::Terminal;
use super::CommonArgs;
use crate::data::Reader;
use crate::dataset::{Fault, ToolError, Watch};
use crate::game::{Evaluate, Game, Rules};
use crate::games::{Command, GameId, dispatch};

/// A file of games that is open, with its game.
pub(super) struct Source<'a> {
    pub(super) path: &'a Path,
    pub(super) reader: Reader,
    pub(super) game: GameId,
}

impl<'a> Source<'a> {
    pub(super) fn open(path: &'a Path) -> Result<Self, Failure> {
        let reader = Reader::open(path)?;
        let game = reader
            .header()
            .game
            .parse()
            .map_err(|error| Failure::Io(format!("{}: {error}", path.display())))?;
        Ok(Self { path, reader, game })
    }

    /// The rules that judged the games.
    pub(super) fn rules<G: Game>(&self) -> Result<Rules<G::RuleSet>, Failure> {
        let rules = self.reader.header().rules.rules::<G>();
        rules.map_err(|reason| Failure::Io(format!("{}: {reason}", self.path.display())))
    }
}

/// What a tool does with one file, once its game is known.
pub(super) trait SourceCommand {
    /// Does it; `rules` judged the games.
    fn run_on<G: Evaluate>(
        &self,
        source: &Source<'_>,
        rules: Rules<G::RuleSet>,
        terminal: &Terminal,
    ) -> Result<(), Failure>;
}

struct OnSource<'a, C> {
    command: &'a C,
    source: &'a Source<'a>,
    terminal: &'a Terminal,
}

impl<C: SourceCommand> Command for OnSource<'_, C> {
    type Output = Result<(), Failure>;

    fn run<G: Evaluate>(self) -> Self::Output {
        let rules = self.source.rules::<G>()?;
        self.command.run_on::<G>(self.source, rules, self.terminal)
    }
}

/// Opens a file and runs a tool on it.
pub(super) fn on_source<C: SourceCommand>(
    input: &Path,
    command: &C,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let source = Source::open(input)?;
    dispatch(source.game, OnSource { command, source: &source, terminal })
}

/// Uses as many threads as were asked for, in the whole process.
pub(super) fn set_threads(common: &CommonArgs) {
    if let Some(threads) = common.threads {
        // It fails only if there is a pool already, and nothing made one before.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build_global();
    }
}

/// Runs a tool: shows progress, lists faults as warnings. Gives its result and the number of faults.
pub(super) fn watched<T>(
    terminal: &Terminal,
    label: &str,
    work: impl FnOnce(&mut Watch<'_>) -> Result<T, ToolError>,
) -> Result<(T, u64), Failure> {
    let tell = |fault: &Fault| terminal.warn(&[fault.to_string()]);
    watched_telling(terminal, label, tell, work)
}

/// As [`watched`], with `tell` for each fault.
pub(super) fn watched_telling<T>(
    terminal: &Terminal,
    label: &str,
    mut tell: impl FnMut(&Fault),
    work: impl FnOnce(&mut Watch<'_>) -> Result<T, ToolError>,
) -> Result<(T, u64), Failure> {
    let stop = interrupt::watch()?;
    let bar = terminal.shows_progress().then(|| {
        let style = ProgressStyle::with_template("{msg} {bar:30} {percent:>3}%  {eta} left")
            .expect("the template is right");
        let bar = ProgressBar::new(1).with_style(style).with_message(label.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    });
    let mut faults = 0;
    let mut progress = |done: u64, all: u64| {
        if let Some(bar) = &bar {
            bar.set_length(all);
            bar.set_position(done);
        }
    };
    let mut fault = |found: Fault| {
        faults += 1;
        match &bar {
            Some(bar) => bar.suspend(|| tell(&found)),
            None => tell(&found),
        }
    };
    let result = work(&mut Watch { stop, progress: &mut progress, fault: &mut fault });
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    Ok((result?, faults))
}

/// The end of a tool that could not use everything.
pub(super) fn refuse_faults(path: &Path, faults: u64) -> Result<(), Failure> {
    match faults {
        0 => Ok(()),
        _ => Err(Failure::Io(format!(
            "{}: {faults} damaged or contradictory parts; everything else was used",
            path.display()
        ))),
    }
}
