//! The arguments of `tune` by group.

use std::path::PathBuf;

use clap::Args;

use super::super::failure::Failure;
use super::super::number::whole;
use super::is_there;
use crate::files::{self, Place, Way};
use crate::tune::fit::Settings;
use crate::tune::gather::Filter;

/// How to fit.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Fit")]
pub struct FitArgs {
    /// Most times that all positions are used
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole(1_u32..=100_000))]
    pub epochs: u32,
    /// Positions for each step
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = whole(1_u32..=1 << 24))]
    pub batch: u32,
    /// Size of a step; 1 would be large
    #[arg(long, value_name = "R", default_value_t = 0.02, value_parser = positive)]
    pub rate: f64,
    /// Pull back to the present weights; 0: none
    #[arg(long, value_name = "L", default_value_t = 0.002, value_parser = not_negative)]
    pub l2: f64,
    /// Part of the games that is held back to judge the fit
    #[arg(long, value_name = "PART", default_value_t = 0.1, value_parser = part)]
    pub validation: f64,
    /// Epochs without a smaller held-out loss after which the fit ends
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole(1_u32..=100_000))]
    pub patience: u32,
    /// How much the result of the game counts against the searched score: 1 result only, 0 score only
    #[arg(long, value_name = "PART", default_value_t = 0.7, value_parser = part)]
    pub blend: f64,
    /// The scale K of result = 1 / (1 + exp(-K centipawns)) [default: fitted]
    #[arg(long, value_name = "K", value_parser = positive)]
    pub scale: Option<f64>,
    /// Decides the split, the order, and what --fraction takes
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0_u64..=u64::MAX))]
    pub seed: u64,
}

impl FitArgs {
    pub(super) fn settings(&self) -> Settings {
        Settings {
            epochs: self.epochs,
            batch: self.batch as usize,
            rate: self.rate,
            pull: self.l2,
            patience: self.patience,
            seed: self.seed,
        }
    }
}

/// Which positions count.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Positions")]
pub struct FilterArgs {
    /// Pass over so many plies at the start of each game
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole(0_u32..=u32::MAX))]
    pub min_ply: u32,
    /// Take positions in check too
    #[arg(long)]
    pub keep_check: bool,
    /// Take positions whose best move captures or promotes too
    #[arg(long)]
    pub keep_noisy: bool,
    /// Pass over positions with a larger score
    #[arg(long, value_name = "CP", default_value_t = 24_999, value_parser = whole(1_i32..=24_999))]
    pub max_score: i32,
    /// Pass over positions whose score is farther from the static evaluation [default: take all]
    #[arg(long, value_name = "CP", value_parser = whole(0_i32..=100_000))]
    pub max_difference: Option<i32>,
    /// Take this part of the positions, chosen by the seed
    #[arg(long, value_name = "PART", default_value_t = 1.0, value_parser = part)]
    pub fraction: f64,
}

impl FilterArgs {
    pub(super) fn filter(&self, seed: u64) -> Filter {
        Filter {
            min_ply: self.min_ply,
            skip_check: !self.keep_check,
            skip_noisy: !self.keep_noisy,
            max_score: self.max_score,
            max_difference: self.max_difference,
            fraction: self.fraction,
            seed,
        }
    }
}

/// What is written.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct TuneOutputArgs {
    /// The parameter file; without it the fit is only reported
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// A picture of the losses, and of predicted against actual results, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(long)]
    pub force: bool,
    /// List so many of the largest changes
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole(0_usize..=usize::MAX))]
    pub report: usize,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

impl TuneOutputArgs {
    /// Finds out before the work whether its result can be written, without harm to what is read.
    pub(super) fn check(&self, inputs: &[Place<'_>]) -> Result<(), Failure> {
        let usage = |text: String| Err(Failure::Usage(text));
        for path in [&self.output, &self.plot].into_iter().flatten() {
            if is_there(path) && !self.force {
                return usage(format!("{} exists; --force overwrites it", path.display()));
            }
            if path.file_name().is_none() {
                return usage(format!("{} names no file", path.display()));
            }
            super::files::check_folder(path)?;
        }
        let outputs = [&self.output, &self.plot].into_iter().flatten();
        let outputs: Vec<_> = outputs.map(|path| (path.as_path(), Way::Renamed)).collect();
        files::check(&outputs, inputs).map_err(Failure::Usage)
    }
}

fn number(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| "no number; write such as 0.1".to_owned())
}

fn part(text: &str) -> Result<f64, String> {
    number(text).and_then(|number| match number {
        0.0..=1.0 => Ok(number),
        _ => Err("give a part from 0 to 1".to_owned()),
    })
}

fn positive(text: &str) -> Result<f64, String> {
    let number = number(text)?;
    if number > 0.0 { Ok(number) } else { Err("give a number above 0".to_owned()) }
}

fn not_negative(text: &str) -> Result<f64, String> {
    let number = number(text)?;
    if number >= 0.0 { Ok(number) } else { Err("give 0 or a number above it".to_owned()) }
}
