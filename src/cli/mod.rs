//! The command line: parses arguments, runs a command, turns its end into an exit code.

pub mod apply;
pub mod args;
pub mod bench;
pub mod eval;
pub mod failure;
pub mod interrupt;
pub mod judge;
pub mod moves;
pub mod perft;
pub mod picture;
pub mod piece;
pub mod rules;
pub mod show;
pub mod terminal;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;
use terminal::{OutputArgs, Terminal};

/// Search and analysis of xiangqi and taikyoku shogi
#[derive(Parser, Debug)]
#[command(
    name = "kyokumen",
    version,
    about,
    subcommand_required = true,
    arg_required_else_help = true
)]
#[command(after_help = EXIT_CODES)]
struct Cli {
    #[command(flatten)]
    output: OutputArgs,
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    all done
  1    a position could not be played (in a batch: some positions; the output lists them)
  2    bad usage or configuration
  3    bad input, with --strict
  4    input/output, or damaged data
  130  interrupted; batches can be resumed";

#[derive(Subcommand, Debug)]
enum Command {
    /// Count the leaf nodes of the tree of legal moves
    Perft(perft::PerftArgs),
    /// List the legal moves
    Moves(moves::MovesArgs),
    /// Play moves and print the position, or convert it to another format
    Apply(apply::ApplyArgs),
    /// Say how a game stands by the rules, and why
    Judge(judge::JudgeArgs),
    /// Draw the position
    Show(show::ShowArgs),
    /// Describe a kind of taikyoku piece, or all of them
    Piece(piece::PieceArgs),
    /// Evaluate the position without search
    Eval(eval::EvalArgs),
    /// Time fixed workloads
    Bench(bench::BenchArgs),
    /// List the rule sets and how they differ
    Rules(rules::RulesArgs),
}

/// The whole program.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let terminal = Terminal::new(&cli.output);
    match run(&cli.command, &terminal) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.is_quiet() {
                terminal.error(&failure);
            }
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(command: &Command, terminal: &Terminal) -> Result<(), Failure> {
    match command {
        Command::Perft(args) => args.run(terminal),
        Command::Moves(args) => args.run(terminal),
        Command::Apply(args) => args.run(terminal),
        Command::Judge(args) => args.run(terminal),
        Command::Show(args) => args.run(terminal),
        Command::Piece(args) => args.run(terminal),
        Command::Eval(args) => args.run(terminal),
        Command::Bench(args) => args.run(terminal),
        Command::Rules(args) => args.run(terminal),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        super::Cli::command().debug_assert();
    }
}
