//! `show`: draws the position for people.

use std::fmt::Write;

use clap::Args;
use serde_json::json;

use super::args::{CommonArgs, Input};
use super::failure::Failure;
use super::moves::moves_from;
use super::terminal::{Style, Terminal};
use crate::game::{Evaluate, MoveKind, Named};
use crate::games::{self, Command};

/// Draw the position for people
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen show
  kyokumen show -m \"h2e2 h9g7\" --from b0
  kyokumen show --game taikyoku")]
pub struct ShowArgs {
    /// List the moves that start from this square
    #[arg(long, value_name = "SQUARE")]
    pub from: Option<String>,
    /// Position and rules.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl ShowArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        let input = self.common.input()?;
        games::dispatch(input.game, Run { args: self, input: &input, terminal })
    }
}

struct Run<'a> {
    args: &'a ShowArgs,
    input: &'a Input,
    terminal: &'a Terminal,
}

impl Command for Run<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Evaluate>(self) -> Self::Output {
        let Self { args, input, terminal } = self;
        let setup = args.common.setup::<G>(input)?;
        let position = &setup.position;
        terminal.warn(&setup.warnings);
        let board = G::draw(position);
        let native = G::format_position(position, G::Format::ALL[0])
            .map_err(|reason| Failure::Position(format!("position: {reason}")))?;
        let moves = args.from.as_ref().map(|from| {
            let mut moves = Vec::new();
            G::generate(position, MoveKind::All, &mut moves);
            let mut texts: Vec<String> = moves_from::<G>(&moves, from, terminal)
                .into_iter()
                .map(|mv| G::format_move(position, mv, G::Notation::ALL[0]))
                .collect();
            texts.sort();
            texts
        });
        let side = G::side_to_move(position);
        let in_check = G::in_check(position);
        if args.common.json {
            let mut object = json!({
                "game": G::NAME, "rules": setup.rules.set.name(), "position": native,
                "side_to_move": side, "in_check": in_check, "board": board,
                "warnings": setup.warnings,
            });
            if let Some(moves) = moves {
                object["moves"] = moves.into();
            }
            return terminal.print_json(&object);
        }
        let mut text = format!("{}\n\n", board.trim_end());
        if in_check {
            let check = format!("{} is in check", G::SIDES[side.index()]);
            writeln!(text, "{}", terminal.style(check, Style::Bold)).expect("writing to a string");
        }
        writeln!(text, "{}", terminal.style(native, Style::Dim)).expect("writing to a string");
        if let (Some(from), Some(moves)) = (&args.from, moves) {
            writeln!(text, "{} from {from}: {}", moves.len(), moves.join(" "))
                .expect("writing to a string");
        }
        terminal.print(&text)
    }
}
