//! `data split`: parts of a file, by game.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use serde_json::{Value, json};

use super::super::failure::Failure;
use super::super::number::whole;
use super::super::terminal::Terminal;
use super::session::{Source, refuse_faults, set_threads, watched};
use super::{CommonArgs, counts_json, counts_text, existing};
use crate::dataset::Target;
use crate::dataset::split::{Part, split};
use crate::files;

/// Cut a file into parts by game, such as for training and validation
///
/// A game goes to one part as a whole, by a hash of its number and the seed; shares are therefore met only about. To keep equal
/// positions of different games out of several parts, run `dedupe` first.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Example:
  kyokumen data split games.kyo --into train.kyo=90 --into valid.kyo=5 --into test.kyo=5")]
pub(super) struct SplitArgs {
    /// The file to read
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// A part: its file and its share, relative to the others
    #[arg(long = "into", value_name = "FILE=SHARE", required = true)]
    parts: Vec<PartArg>,
    /// Replace outputs that exist
    #[arg(long)]
    force: bool,
    /// Seed of the hash
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole(0_u64..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, PartialEq, Debug)]
struct PartArg {
    path: PathBuf,
    share: f64,
}

impl FromStr for PartArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (path, share) =
            text.rsplit_once('=').ok_or("write FILE=SHARE, such as train.kyo=90")?;
        let share: f64 = share.parse().map_err(|_| {
            format!("'{share}' is no number; write FILE=SHARE, such as train.kyo=90")
        })?;
        if path.is_empty() || !share.is_finite() || share <= 0.0 {
            return Err("a part needs a name and a share greater than 0".to_owned());
        }
        Ok(Self { path: PathBuf::from(path), share })
    }
}

impl SplitArgs {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        set_threads(&self.common);
        let source = Source::open(&self.input)?;
        for (index, PartArg { path, .. }) in self.parts.iter().enumerate() {
            if self.parts[..index].iter().any(|other| files::is_same_output(&other.path, path)) {
                return Err(Failure::Usage(format!(
                    "{}: two parts have this name",
                    path.display()
                )));
            }
        }
        let part = |part: &PartArg| -> Result<Part, Failure> {
            let target = Target::new(&part.path, existing(self.force), &[&self.input])?;
            Ok(Part { target, share: part.share })
        };
        let parts = self.parts.iter().map(part).collect::<Result<Vec<_>, _>>()?;
        let (counts, faults) =
            watched(terminal, "split", |watch| split(&source.reader, parts, self.seed, watch))?;
        let all = counts.iter().zip(self.parts.iter().map(|part| part.path.as_path()));
        if self.common.json {
            let parts: Vec<Value> =
                all.map(|(counts, path)| Value::Object(counts_json(counts, path))).collect();
            terminal.print_json(&json!({"parts": parts}))?;
        } else {
            let text: String = all.map(|(counts, path)| counts_text(counts, path)).collect();
            terminal.print(&text)?;
        }
        refuse_faults(&self.input, faults)
    }
}
