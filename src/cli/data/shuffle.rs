//! `data shuffle`: the games in random order.

use std::path::PathBuf;

use clap::Args;

use super::super::failure::Failure;
use super::super::number::whole;
use super::super::terminal::Terminal;
use super::session::{Source, refuse_faults, set_threads, watched};
use super::{CommonArgs, OutputArgs, print_counts};
use crate::dataset::shuffle::shuffle;

/// Bring the games into random order
///
/// The same seed gives the same file, byte for byte. Needs disk space of the size of the input beside the output.
#[derive(Args, Clone, Debug)]
pub(super) struct ShuffleArgs {
    /// The file to read
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// The output.
    #[command(flatten)]
    output: OutputArgs,
    /// Seed of the order
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole(0_u64..=u64::MAX))]
    seed: u64,
    /// Memory for games in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = whole(1_u64..=1 << 24))]
    memory: u64,
    #[command(flatten)]
    common: CommonArgs,
}

impl ShuffleArgs {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        set_threads(&self.common);
        let source = Source::open(&self.input)?;
        let target = self.output.target([&self.input])?;
        let (counts, faults) = watched(terminal, "shuffle", |watch| {
            shuffle(&source.reader, target, self.seed, self.memory, watch)
        })?;
        print_counts(terminal, &self.common, (&counts, &self.output.output), &[])?;
        refuse_faults(&self.input, faults)
    }
}
