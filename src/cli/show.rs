//! `show`: draws the position for people.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::args::{CommonArgs, PositionCommand, Setup};
use super::failure::Failure;
use super::moves::moves_from;
use super::picture::{self, LetteringArgs};
use super::terminal::{Style, Terminal};
use crate::game::{Evaluate, MoveKind, Named};
use crate::picture::board;

/// Draw the position for people
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen show
  kyokumen show -m \"h2e2 h9g7\" --from b0
  kyokumen show --game taikyoku --svg board.svg
  kyokumen show --game taikyoku --from 18cc --svg - > moves.svg

In a picture the pieces bear Chinese characters. The seven kinds of taikyoku whose kanji common fonts lack
(outside U+4E00 to U+9FFF) bear their codes instead, as all do with --letters.")]
pub struct ShowArgs {
    /// List the moves that start from this square, or mark them in the picture
    #[arg(long, value_name = "SQUARE")]
    pub from: Option<String>,
    /// Write a picture to this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// How pieces are lettered.
    #[command(flatten)]
    pub lettering: LetteringArgs,
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
        picture::check_output(self.svg.as_deref(), self.common.json)?;
        self.common.run(self, terminal)
    }
}

impl PositionCommand for ShowArgs {
    fn run<G: Evaluate>(&self, setup: &Setup<G>, terminal: &Terminal) -> Result<(), Failure> {
        let position = &setup.position;
        let board = G::draw(position);
        let native = G::format_position(position, G::Format::ALL[0])
            .map_err(|reason| Failure::Position(format!("position: {reason}")))?;
        let chosen = self.from.as_ref().map(|from| {
            let mut moves = Vec::new();
            G::generate(position, MoveKind::All, &mut moves);
            moves_from::<G>(&moves, from, terminal)
        });
        let chosen = chosen.transpose()?;
        let moves = chosen.as_ref().map(|chosen| {
            let write = |&mv: &G::Move| G::format_move(position, mv, G::Notation::ALL[0]);
            let mut texts: Vec<String> = chosen.iter().map(write).collect();
            texts.sort();
            texts
        });
        let side = G::side_to_move(position);
        let in_check = G::in_check(position);
        if let Some(path) = &self.svg {
            let chosen = chosen.unwrap_or_default();
            let mut scene = G::scene(position, &chosen, self.lettering.lettering());
            let check = if in_check { ", in check" } else { "" };
            let (mover, rules) = (G::SIDES[side.index()], setup.rules.set.name());
            scene.caption = format!("{mover} to move{check}; rules {rules}");
            if !chosen.is_empty() {
                scene.caption += &format!("; {} moves are marked", chosen.len());
            }
            picture::write(path, &board::draw(&scene), terminal)?;
            if !self.common.json {
                return Ok(());
            }
        }
        if self.common.json {
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
        if let (Some(from), Some(moves)) = (&self.from, moves) {
            writeln!(text, "{} from {from}: {}", moves.len(), moves.join(" "))
                .expect("writing to a string");
        }
        terminal.print(&text)
    }
}
