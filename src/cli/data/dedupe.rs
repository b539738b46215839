//! `data dedupe`: each position once.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::super::failure::Failure;
use super::super::number::whole;
use super::super::terminal::Terminal;
use super::session::{Source, SourceCommand, on_source, refuse_faults, set_threads, watched};
use super::{CommonArgs, OutputArgs, print_counts};
use crate::dataset::dedupe::{Keep, dedupe};
use crate::game::{Evaluate, Rules};

/// Mark positions that come again, leave out games that do
///
/// Equal are positions with the same board and side to move. All but one get a mark; they keep their places, so that games stay
/// whole. A game with the start and moves of an earlier one is left out.
#[derive(Args, Clone, Debug)]
pub(super) struct DedupeArgs {
    /// The file to read
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// The output.
    #[command(flatten)]
    output: OutputArgs,
    /// Which one stays
    #[arg(long, value_enum, default_value_t = KeepArg::First)]
    keep: KeepArg,
    /// Memory in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = whole(1_u64..=1 << 24))]
    memory: u64,
    #[command(flatten)]
    common: CommonArgs,
}

/// Which of equal positions stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum KeepArg {
    /// The first one of the file
    First,
    /// The last one of the file
    Last,
    /// One with a teacher's or a later score, else the first one
    Teacher,
}

impl From<KeepArg> for Keep {
    fn from(keep: KeepArg) -> Self {
        match keep {
            KeepArg::First => Self::First,
            KeepArg::Last => Self::Last,
            KeepArg::Teacher => Self::Teacher,
        }
    }
}

impl DedupeArgs {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        set_threads(&self.common);
        on_source(&self.input, self, terminal)
    }
}

impl SourceCommand for DedupeArgs {
    fn run_on<G: Evaluate>(
        &self,
        source: &Source<'_>,
        rules: Rules<G::RuleSet>,
        terminal: &Terminal,
    ) -> Result<(), Failure> {
        let target = self.output.target([&self.input])?;
        let (report, faults) = watched(terminal, "dedupe", |watch| {
            dedupe::<G>(&source.reader, target, self.keep.into(), self.memory, rules, watch)
        })?;
        let more = [("duplicates", report.duplicates), ("equal_games", report.equal_games)];
        print_counts(terminal, &self.common, (&report.counts, &self.output.output), &more)?;
        refuse_faults(&self.input, faults)
    }
}
