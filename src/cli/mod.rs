//! The command line: parses arguments, runs a command, turns its end into an exit code.

pub mod analyze;
pub mod apply;
pub mod args;
pub mod bench;
pub mod data;
pub mod datagen;
pub mod eval;
pub mod failure;
pub mod interrupt;
pub mod judge;
pub mod match_command;
pub mod moves;
mod number;
pub mod perft;
pub mod picture;
pub mod piece;
pub mod protocol;
pub mod rules;
pub mod show;
pub mod terminal;
pub mod tune;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use failure::Failure;
use terminal::{OutputArgs, Terminal};

use crate::protocol::{Dialect, Protocol};

/// Search and analysis of xiangqi and taikyoku shogi
#[derive(Parser, Debug)]
#[command(name = "kyokumen", version, about)]
#[command(after_help = AFTER_HELP)]
struct Cli {
    #[command(flatten)]
    output: OutputArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

const AFTER_HELP: &str = "\
Without a command, the protocol is spoken that the first line of input opens: uci, ucci, usi or atsiinit.

Exit codes:
  0    all done
  1    a position could not be played (in a batch: some positions; the output lists them)
  2    bad usage or configuration
  3    bad input, with --strict
  4    input/output, or damaged data
  130  interrupted; batches can be resumed";

#[derive(Subcommand, Debug)]
enum Command {
    /// Analyse files of positions and games
    #[command(visible_alias = "analyse")]
    Analyze(Box<analyze::AnalyzeArgs>),
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
    /// Play engine against engine
    Match(Box<match_command::MatchArgs>),
    /// Fit the weights of the evaluation to the results of games
    Tune(Box<tune::TuneArgs>),
    /// Make training data by self-play
    Datagen(Box<datagen::DatagenArgs>),
    /// Look at, check, change and export files of training data
    Data(Box<data::DataArgs>),
    /// Time fixed workloads
    Bench(bench::BenchArgs),
    /// List the rule sets and how they differ
    Rules(rules::RulesArgs),
    /// Speak UCI on standard input and output
    Uci(protocol::ProtocolArgs),
    /// Speak UCCI, the protocol of the Chinese user interfaces
    Ucci(protocol::ProtocolArgs),
    /// Speak USI with TSFEN, for taikyoku shogi
    Usi(protocol::ProtocolArgs),
    /// Speak ATSI, the protocol of the taikyoku web client
    Atsi(protocol::ProtocolArgs),
    /// Speak the protocol that the first line opens, as without a command
    Protocol(protocol::ProtocolArgs),
}

/// The whole program.
pub fn main() -> ExitCode {
    let command = number::with_negative_numbers(Cli::command());
    let cli = Cli::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit());
    let terminal = Terminal::new(&cli.output);
    let command = cli.command.unwrap_or(Command::Protocol(protocol::ProtocolArgs::default()));
    match run(&command, &terminal) {
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
        Command::Analyze(args) => args.run(terminal),
        Command::Perft(args) => args.run(terminal),
        Command::Moves(args) => args.run(terminal),
        Command::Apply(args) => args.run(terminal),
        Command::Judge(args) => args.run(terminal),
        Command::Show(args) => args.run(terminal),
        Command::Piece(args) => args.run(terminal),
        Command::Eval(args) => args.run(terminal),
        Command::Match(args) => args.run(terminal),
        Command::Tune(args) => args.run(terminal),
        Command::Datagen(args) => args.run(terminal),
        Command::Data(args) => args.run(terminal),
        Command::Bench(args) => args.run(terminal),
        Command::Rules(args) => args.run(terminal),
        Command::Uci(args) => args.run(Some(Protocol::Uci(Dialect::Uci))),
        Command::Ucci(args) => args.run(Some(Protocol::Uci(Dialect::Ucci))),
        Command::Usi(args) => args.run(Some(Protocol::Uci(Dialect::Usi))),
        Command::Atsi(args) => args.run(Some(Protocol::Atsi)),
        Command::Protocol(args) => args.run(None),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        super::number::with_negative_numbers(super::Cli::command()).debug_assert();
    }
}
