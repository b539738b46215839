//! `bench`: times the workloads of the profiles.

mod record;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Args;
use serde_json::{Value, json};

use self::record::Recorder;
use super::args::{ParamsArgs, parse_toml};
use super::failure::Failure;
use super::interrupt;
use super::number::whole;
use super::terminal::{Style, Terminal};
use crate::game::Evaluate;
use crate::games::{self, Command, GameId};
use crate::workload::{BUILT_IN, Profile, Workload, WorkloadError};

/// Time fixed workloads; without a profile, print the one-line signature
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen bench
  kyokumen bench --list
  kyokumen bench xiangqi-perft --repeats 11
  kyokumen bench all --record
  kyokumen bench my-workload.toml --json

The last line, but for `all`, is `N nodes M nps`, whatever was counted. With one thread N is the same on every machine; it
changes only where the program counts or searches otherwise than before.")]
pub struct BenchArgs {
    /// A profile's name, a TOML file, or `all`
    #[arg(value_name = "PROFILE")]
    pub profile: Option<String>,
    /// List the profiles
    #[arg(long)]
    pub list: bool,
    /// Time so often instead of what the profile says
    #[arg(long, value_name = "N", value_parser = whole(1_u32..=10_000))]
    pub repeats: Option<u32>,
    /// Run on so many threads instead of what the profile says
    #[arg(long, value_name = "N", value_parser = whole(1_u32..=1024))]
    pub threads: Option<u32>,
    /// Append a row for each profile to RECORDS/MACHINE/DATE.csv
    #[arg(long)]
    pub record: bool,
    /// The folder of the records
    #[arg(long, value_name = "DIR", default_value = "profiles/records")]
    pub records: PathBuf,
    /// The name of this machine in the records [default: its host name]
    #[arg(long, value_name = "NAME")]
    pub machine: Option<String>,
    /// Print one JSON object a profile instead of text
    #[arg(long)]
    pub json: bool,
    /// The parameters.
    #[command(flatten)]
    pub params: ParamsArgs,
}

impl BenchArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        if self.list {
            return self.list(terminal);
        }
        let profiles = self.profiles()?;
        let mut recorder = match self.record {
            true => Some(Recorder::new(&self.records, self.machine.as_deref())?),
            false => None,
        };
        let stop = interrupt::watch()?;
        let mut results = Vec::new();
        for (name, profile) in profiles {
            let game: GameId = profile
                .game
                .parse()
                .map_err(|error| Failure::Usage(format!("profile {name}: game: {error}")))?;
            let command = Run { args: self, name: &name, profile, stop: &stop };
            let result = games::dispatch(game, command)?;
            if let Some(recorder) = &mut recorder {
                recorder.append(&result)?;
            }
            if self.json && self.profile.is_some() {
                terminal.print_json(&result.to_json())?;
            } else if self.profile.is_some() {
                terminal.print(&result.to_text(terminal))?;
            }
            results.push(result);
        }
        let nodes: u64 = results.iter().map(|result| result.nodes).sum();
        let seconds: f64 = results.iter().map(Timing::median).sum();
        if self.json && self.profile.is_none() {
            return terminal.print_json(&json!({
                "profile": SIGNATURE, "nodes": nodes, "nps": rate(nodes, seconds),
                "seconds": seconds,
            }));
        }
        if self.json || self.profile.as_deref() == Some(ALL) {
            return Ok(());
        }
        terminal.print(&format!("{nodes} nodes {} nps\n", rate(nodes, seconds)))
    }

    /// The profiles asked for, by name.
    fn profiles(&self) -> Result<Vec<(String, Profile)>, Failure> {
        let built_in = || BUILT_IN.iter().map(|&(name, text)| read(name, text));
        match self.profile.as_deref() {
            None => {
                let all: Result<Vec<_>, _> = built_in().collect();
                Ok(all?.into_iter().filter(|(_, profile)| profile.signature).collect())
            }
            Some(ALL) => built_in().collect(),
            Some(wanted) => match BUILT_IN.iter().find(|(name, _)| *name == wanted) {
                Some((name, text)) => Ok(vec![read(name, text)?]),
                None => Ok(vec![read_file(wanted)?]),
            },
        }
    }

    fn list(&self, terminal: &Terminal) -> Result<(), Failure> {
        let mut text = String::new();
        let mut objects = Vec::new();
        for &(name, source) in BUILT_IN {
            let (_, profile) = read(name, source)?;
            let mark = if profile.signature { " (signature)" } else { "" };
            let styled = terminal.style(format!("{name:<24}"), Style::Bold);
            writeln!(text, "{styled}{}{mark}", profile.summary).expect("writing to a string");
            objects.push(json!({
                "profile": name, "game": profile.game, "summary": profile.summary,
                "measure": profile.measure, "expected": profile.expected,
                "signature": profile.signature,
            }));
        }
        if self.json {
            return terminal.print_json(&json!({ "profiles": objects }));
        }
        terminal.print(&text)
    }
}

/// The name of the sum of all profiles that are marked for it.
const SIGNATURE: &str = "signature";
/// What stands for every built-in profile.
const ALL: &str = "all";

fn read(name: &str, text: &str) -> Result<(String, Profile), Failure> {
    Ok((name.to_owned(), parse_toml(&format!("profiles/{name}.toml"), text)?))
}

fn read_file(name: &str) -> Result<(String, Profile), Failure> {
    let path = Path::new(name);
    if path.extension().is_none() {
        let names: Vec<&str> = BUILT_IN.iter().map(|&(name, _)| name).collect();
        return Err(Failure::Usage(format!(
            "unknown profile '{name}'; the profiles are {}; `{ALL}` runs them all, and a file ends in .toml",
            names.join(", ")
        )));
    }
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    Ok((stem.into_owned(), parse_toml(name, &text)?))
}

fn rate(nodes: u64, seconds: f64) -> u64 {
    (nodes as f64 / seconds.max(1e-9)) as u64
}

/// What timing a profile brought.
struct Timing {
    name: String,
    profile: Profile,
    game: &'static str,
    nodes: u64,
    /// Seconds of each run, sorted. Invariant: not empty.
    seconds: Vec<f64>,
}

impl Timing {
    fn median(&self) -> f64 {
        let middle = self.seconds.len() / 2;
        if self.seconds.len() % 2 == 1 {
            self.seconds[middle]
        } else {
            (self.seconds[middle - 1] + self.seconds[middle]) / 2.0
        }
    }

    fn fastest(&self) -> f64 {
        self.seconds[0]
    }

    fn slowest(&self) -> f64 {
        self.seconds[self.seconds.len() - 1]
    }

    /// The distance between the fastest and the slowest run, in parts of the median.
    fn spread(&self) -> f64 {
        (self.slowest() - self.fastest()) / self.median().max(1e-9)
    }

    fn nps(&self) -> u64 {
        rate(self.nodes, self.median())
    }

    fn to_json(&self) -> Value {
        json!({
            "profile": self.name, "game": self.game, "measure": self.profile.measure,
            "unit": self.profile.measure.unit(), "threads": self.profile.threads,
            "hash_mib": self.profile.hash_mib,
            "nodes": self.nodes, "nps": self.nps(), "seconds": self.median(),
            "fastest": self.fastest(), "slowest": self.slowest(), "spread": self.spread(),
            "repeats": self.seconds.len(),
        })
    }

    fn to_text(&self, terminal: &Terminal) -> String {
        format!(
            "{} {} {}, {} a second, median {:.4} s of {} runs, spread {:.1} % ({:.4} to {:.4} s)\n",
            terminal.style(format!("{:<24}", self.name), Style::Bold),
            self.nodes,
            self.profile.measure.unit(),
            self.nps(),
            self.median(),
            self.seconds.len(),
            self.spread() * 100.0,
            self.fastest(),
            self.slowest(),
        )
    }
}

struct Run<'a> {
    args: &'a BenchArgs,
    name: &'a str,
    profile: Profile,
    stop: &'a Arc<AtomicBool>,
}

impl Command for Run<'_> {
    type Output = Result<Timing, Failure>;

    fn run<G: Evaluate>(self) -> Self::Output {
        let Self { args, name, mut profile, stop } = self;
        if let Some(threads) = args.threads {
            profile.threads = threads as usize;
        }
        let repeats = args.repeats.unwrap_or(profile.repeats).max(1);
        let params = args.params.resolve::<G>()?;
        let failure = |error| match error {
            WorkloadError::Profile(reason) => Failure::Usage(format!("profile {name}: {reason}")),
            WorkloadError::Count { .. } => Failure::Position(format!("profile {name}: {error}")),
            WorkloadError::Stopped => Failure::Interrupted,
        };
        let workload = Workload::<G>::new(profile, params).map_err(failure)?;
        // The first run warms caches up and checks the count; it is not timed.
        let nodes = workload.run(stop).map_err(failure)?;
        let mut seconds = Vec::new();
        for _ in 0..repeats {
            let started = Instant::now();
            let again = workload.run(stop).map_err(failure)?;
            seconds.push(started.elapsed().as_secs_f64());
            if again != nodes && workload.profile().threads == 1 {
                return Err(failure(WorkloadError::Count { expected: nodes, found: again }));
            }
        }
        seconds.sort_by(f64::total_cmp);
        let profile = workload.profile().clone();
        Ok(Timing { name: name.to_owned(), profile, game: G::NAME, nodes, seconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_profile_is_sound() {
        for &(name, text) in BUILT_IN {
            let (_, profile) = read(name, text).unwrap();
            assert!(profile.game.parse::<GameId>().is_ok(), "{name}");
        }
    }

    #[test]
    fn the_median_of_an_even_number_lies_between() {
        let (name, profile) = read(BUILT_IN[0].0, BUILT_IN[0].1).unwrap();
        let seconds = vec![1.0, 2.0, 4.0, 9.0];
        let timing = Timing { name, profile, game: "xiangqi", nodes: 6, seconds };
        assert_eq!((timing.median(), timing.nps()), (3.0, 2));
    }
}
