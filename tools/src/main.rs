//! Developers' tools: comparisons of the engine with reference engines and with itself, tuning by games, and work for profilers.

mod compare;
mod engine;
mod perft_diff;
mod spsa;
mod work;

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use kyokumen::game::{Game, Named};

/// Developers' tools for kyokumen
#[derive(Parser, Debug)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Find the first position in which our legal moves differ from a UCI engine's
    PerftDiff(perft_diff::PerftDiffArgs),
    /// Time two commands in turn and print the ratio with its spread
    Compare(compare::CompareArgs),
    /// Tune numbers of search or evaluation by pairs of games
    Spsa(spsa::SpsaArgs),
    /// Do one piece of work on a position again and again, and print what a round costs
    Work(work::WorkArgs),
}

/// 0: all agrees; 1: a difference was found; 2: bad usage; 4: an engine or a command failed.
fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::PerftDiff(args) => args.run(),
        Command::Compare(args) => args.run(),
        Command::Spsa(args) => args.run(),
        Command::Work(args) => args.run(),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(4)
    })
}

/// The rule set of a game by its name; without a name the game's default.
fn rule_set<G: Game>(name: Option<&str>) -> Result<G::RuleSet> {
    let Some(name) = name else { return Ok(G::RuleSet::ALL[0]) };
    G::RuleSet::from_name(name).with_context(|| format!("--rules: there is no rule set '{name}'"))
}
