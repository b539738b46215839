//! `data`: tools for files of games. Here is the list of tools and what they share; one file a tool.

mod dedupe;
mod export;
mod filter;
mod info;
mod merge;
mod rescore;
mod sample;
mod session;
mod shuffle;
mod split;
mod trainer_config;
mod verify;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use super::failure::Failure;
use super::number::whole;
use super::terminal::Terminal;
use crate::dataset::{Counts, Existing, Target, ToolError};

/// Look at, check, change and export files of training data
///
/// Reads the files that `datagen` writes. A tool never changes its input. Output gets its name when it is whole; an existing
/// file is replaced only with --force. A position that is left out keeps its place in its game and gets a mark, which exports
/// and `tune` skip. What a tool did, and how many games and positions went in and out, stands in the header of its output.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen data verify games.kyo && kyokumen data info games.kyo
  kyokumen data merge monday.kyo tuesday.kyo --output all.kyo
  kyokumen data filter all.kyo --min-ply 16 --no-check --no-captures --max-score 2000 --output clean.kyo
  kyokumen data dedupe clean.kyo --output once.kyo
  kyokumen data split once.kyo --into train.kyo=95 --into valid.kyo=5
  kyokumen data shuffle train.kyo --seed 1 --output shuffled.kyo
  kyokumen data export shuffled.kyo --output train.parquet
  kyokumen data export shuffled.kyo --output train.bin && kyokumen data trainer-config

Damaged blocks, and games that contradict the rules, are listed and left out; everything else is used.

Exit codes: 0 done; 2 usage; 4 input/output, or something was damaged (the output holds the rest); 130 interrupted.")]
pub struct DataArgs {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Subcommand, Clone, Debug)]
enum Tool {
    /// Say what is in a file
    Info(info::InfoArgs),
    /// Check every block, move, flag and end
    Verify(verify::VerifyArgs),
    /// Bring the games into random order
    Shuffle(shuffle::ShuffleArgs),
    /// Mark positions that come again, leave out games that do
    Dedupe(dedupe::DedupeArgs),
    /// Cut a file into parts by game, such as for training and validation
    Split(split::SplitArgs),
    /// Put files together; of one damaged file, copy what is whole
    Merge(merge::MergeArgs),
    /// Mark positions that a trainer should not learn from
    Filter(filter::FilterArgs),
    /// Search the positions again
    Rescore(Box<rescore::RescoreArgs>),
    /// Draw positions or games at random
    Sample(sample::SampleArgs),
    /// Write positions for trainers and tables: Parquet, NumPy, text, .bin
    Export(export::ExportArgs),
    /// Print what variant-nnue-pytorch must be told to read the .bin export
    TrainerConfig(trainer_config::TrainerConfigArgs),
}

impl DataArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        match &self.tool {
            Tool::Info(args) => args.run(terminal),
            Tool::Verify(args) => args.run(terminal),
            Tool::Shuffle(args) => args.run(terminal),
            Tool::Dedupe(args) => args.run(terminal),
            Tool::Split(args) => args.run(terminal),
            Tool::Merge(args) => args.run(terminal),
            Tool::Filter(args) => args.run(terminal),
            Tool::Rescore(args) => args.run(terminal),
            Tool::Sample(args) => args.run(terminal),
            Tool::Export(args) => args.run(terminal),
            Tool::TrainerConfig(args) => args.run(terminal),
        }
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        match error {
            ToolError::Data(error) => error.into(),
            ToolError::Usage(text) => Self::Usage(text),
            ToolError::Io(text) => Self::Io(text),
            ToolError::Memory(error) => Self::Usage(error.to_string()),
            ToolError::Interrupted => Self::Interrupted,
        }
    }
}

/// Arguments of every tool.
#[derive(Args, Clone, Debug)]
struct CommonArgs {
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = whole(1_u32..=1024))]
    threads: Option<u32>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Where a tool writes.
#[derive(Args, Clone, Debug)]
struct OutputArgs {
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace the output if it exists
    #[arg(long)]
    force: bool,
}

impl OutputArgs {
    /// The output, which must be none of the `inputs`.
    fn target<'a>(&self, inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<Target, Failure> {
        let inputs: Vec<&Path> = inputs.into_iter().map(PathBuf::as_path).collect();
        Ok(Target::new(&self.output, existing(self.force), &inputs)?)
    }
}

const fn existing(force: bool) -> Existing {
    if force { Existing::Replace } else { Existing::Refuse }
}

/// `18 games and 1500 positions in, ...` for people.
fn counts_text(counts: &Counts, output: &Path) -> String {
    let Counts { games_in, games_out, positions_in, positions_out } = counts;
    format!(
        "{games_in} games with {positions_in} positions in; {games_out} games with {positions_out} \
         positions in {}\n",
        output.display()
    )
}

/// Counts as the fields of an object.
fn counts_json(counts: &Counts, output: &Path) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("output".to_owned(), json!(output.display().to_string()));
    if let Value::Object(counts) = json!(counts) {
        map.extend(counts);
    }
    map
}

/// Prints counts as the arguments want them, and more behind them.
fn print_counts(
    terminal: &Terminal,
    common: &CommonArgs,
    (counts, output): (&Counts, &Path),
    more: &[(&str, u64)],
) -> Result<(), Failure> {
    if common.json {
        let mut map = counts_json(counts, output);
        map.extend(more.iter().map(|&(name, number)| (name.to_owned(), json!(number))));
        return terminal.print_json(&Value::Object(map));
    }
    let mut text = counts_text(counts, output);
    for (name, number) in more {
        text += &format!("{:<24}{number:>12}\n", name.replace('_', " "));
    }
    terminal.print(&text)
}
