//! `data sample`: a random part of a file.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::super::failure::Failure;
use super::super::number::whole;
use super::super::terminal::Terminal;
use super::session::{Source, refuse_faults, set_threads, watched};
use super::{CommonArgs, OutputArgs, print_counts};
use crate::dataset::sample::{Amount, Unit, sample};
use crate::duel::pace::parse_count;

/// Draw positions or games at random
///
/// Positions that are not drawn get a mark; games without a position left are left out. The same seed draws the same.
#[derive(Args, Clone, Debug)]
#[command(group = ArgGroup::new("amount").required(true).args(["positions", "games", "fraction", "games_fraction"]))]
pub(super) struct SampleArgs {
    /// The file to read
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// The output.
    #[command(flatten)]
    output: OutputArgs,
    /// So many positions
    #[arg(long, value_name = "N", value_parser = parse_count)]
    positions: Option<u64>,
    /// So many games
    #[arg(long, value_name = "N", value_parser = parse_count)]
    games: Option<u64>,
    /// This share of the positions, 0 to 1
    #[arg(long, value_name = "F", value_parser = parse_fraction)]
    fraction: Option<f64>,
    /// This share of the games, 0 to 1
    #[arg(long, value_name = "F", value_parser = parse_fraction)]
    games_fraction: Option<f64>,
    /// Seed of the choice
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole(0_u64..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    common: CommonArgs,
}

fn parse_fraction(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(fraction) if (0.0..=1.0).contains(&fraction) => Ok(fraction),
        _ => Err("a fraction is a number from 0 to 1".to_owned()),
    }
}

impl SampleArgs {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        set_threads(&self.common);
        let source = Source::open(&self.input)?;
        let target = self.output.target([&self.input])?;
        let number = |unit, number: Option<u64>| number.map(|n| (unit, Amount::Number(n)));
        let share = |unit, share: Option<f64>| share.map(|share| (unit, Amount::Share(share)));
        let (unit, amount) = number(Unit::Positions, self.positions)
            .or(number(Unit::Games, self.games))
            .or(share(Unit::Positions, self.fraction))
            .or(share(Unit::Games, self.games_fraction))
            .expect("one of them is required");
        let (counts, faults) = watched(terminal, "sample", |watch| {
            sample(&source.reader, target, unit, amount, self.seed, watch)
        })?;
        print_counts(terminal, &self.common, (&counts, &self.output.output), &[])?;
        refuse_faults(&self.input, faults)
    }
}
