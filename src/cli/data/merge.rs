//! `data merge`: files together.

use std::path::PathBuf;

use clap::Args;

use super::super::failure::Failure;
use super::super::terminal::Terminal;
use super::session::{Source, refuse_faults, set_threads, watched};
use super::{CommonArgs, OutputArgs, print_counts};
use crate::dataset::merge::{Input, merge};

/// Put files together; of one damaged file, copy what is whole
///
/// The games of all files, one file after the other. Refuses files of different games or rules, and the same game of the same run
/// (equal seed and number) twice.
#[derive(Args, Clone, Debug)]
pub(super) struct MergeArgs {
    /// The files to read
    #[arg(value_name = "FILES", required = true)]
    inputs: Vec<PathBuf>,
    /// The output.
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    common: CommonArgs,
}

impl MergeArgs {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        set_threads(&self.common);
        let sources =
            self.inputs.iter().map(|path| Source::open(path)).collect::<Result<Vec<_>, _>>()?;
        let target = self.output.target(&self.inputs)?;
        let inputs: Vec<Input<'_>> = sources
            .iter()
            .map(|source| Input { path: source.path, reader: &source.reader })
            .collect();
        let (counts, faults) = watched(terminal, "merge", |watch| merge(&inputs, target, watch))?;
        print_counts(terminal, &self.common, (&counts, &self.output.output), &[])?;
        refuse_faults(&self.inputs[0], faults)
    }
}
