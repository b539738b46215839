//! `compare`: times two commands in turn, so that a machine that others use too slows both alike.

use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

/// Time two commands in turn and print the ratio with its spread
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen-tools compare \"./old perft -d 6 --threads 1\" \"./new perft -d 6 --threads 1\"
  kyokumen-tools compare --runs 21 --by nps \"./old bench\" \"./new bench\"

A ratio above 1 says that the second command is faster.")]
pub(crate) struct CompareArgs {
    /// The first command, run by the shell
    #[arg(value_name = "FIRST")]
    first: String,
    /// The second command
    #[arg(value_name = "SECOND")]
    second: String,
    /// Pairs that are timed
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    runs: u32,
    /// Pairs that are run before, untimed
    #[arg(long, value_name = "N", default_value_t = 1)]
    warmup: u32,
    /// What is compared
    #[arg(long, value_name = "WHAT", default_value = "time")]
    by: By,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum By {
    /// The time from start to end
    Time,
    /// The number before (or after) the word `nps` in the output
    Nps,
}

impl CompareArgs {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        for _ in 0..self.warmup {
            self.speed(&self.first)?;
            self.speed(&self.second)?;
        }
        let mut pairs = Vec::new();
        for run in 0..self.runs {
            // Who goes first changes from pair to pair, so that neither always finds the warmer machine.
            pairs.push(if run % 2 == 0 {
                let first = self.speed(&self.first)?;
                (first, self.speed(&self.second)?)
            } else {
                let second = self.speed(&self.second)?;
                (self.speed(&self.first)?, second)
            });
        }
        let show = |label: &str, mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            println!(
                "{label:<8}{:>16.4}  quartiles {:.4} to {:.4}, extremes {:.4} to {:.4}",
                quantile(&values, 0.5),
                quantile(&values, 0.25),
                quantile(&values, 0.75),
                values[0],
                values[values.len() - 1],
            );
        };
        println!(
            "{} pairs, median of {}",
            self.runs,
            match self.by {
                By::Time => "runs a second",
                By::Nps => "nps",
            }
        );
        show("first", pairs.iter().map(|pair| pair.0).collect());
        show("second", pairs.iter().map(|pair| pair.1).collect());
        show("ratio", pairs.iter().map(|(first, second)| second / first).collect());
        Ok(ExitCode::SUCCESS)
    }

    /// How fast a command is: a greater number is faster.
    fn speed(&self, command: &str) -> Result<f64> {
        let started = Instant::now();
        let output = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| format!("cannot run '{command}'"))?;
        let seconds = started.elapsed().as_secs_f64();
        if !output.status.success() {
            bail!("'{command}' failed: {}", output.status);
        }
        match self.by {
            By::Time => Ok(1.0 / seconds.max(1e-9)),
            By::Nps => find_nps(&String::from_utf8_lossy(&output.stdout))
                .with_context(|| format!("no nps in the output of '{command}'")),
        }
    }
}

/// The rate on the last line that has one: `nps N`, or `N nps`.
fn find_nps(output: &str) -> Option<f64> {
    output.lines().rev().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = words.iter().position(|&word| word == "nps")?;
        let number = if at == 0 { words.get(1) } else { words.get(at - 1) };
        number?.parse().ok()
    })
}

/// The value below which the given part of sorted values lies, linear between neighbours.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len() - 1) as f64;
    let low = sorted[place.floor() as usize];
    let high = sorted[place.ceil() as usize];
    low + (high - low) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_found_in_both_forms() {
        assert_eq!(find_nps("time 1\nnps 44\nnodes 12"), Some(44.0));
        assert_eq!(find_nps("x\n100 nodes 50 nps\n"), Some(50.0));
        assert_eq!(find_nps("nothing"), None);
    }

    #[test]
    fn quantiles_lie_between_neighbours() {
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.5), 2.5);
        assert_eq!(quantile(&[1.0], 0.25), 1.0);
    }
}
