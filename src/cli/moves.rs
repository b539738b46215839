//! `moves`: lists the legal moves.

use clap::Args;
use serde_json::json;

use super::args::{CommonArgs, PositionCommand, Setup, named};
use super::failure::Failure;
use super::terminal::Terminal;
use crate::game::{Evaluate, MoveKind, Named};

/// List the legal moves, one a line, sorted by their text
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen moves
  kyokumen moves --from h2 --notation chinese
  kyokumen moves --captures -m \"h2e2 h9g7 e2e6\"
  kyokumen moves --game taikyoku --json")]
pub struct MovesArgs {
    /// Only the moves that start from this square
    #[arg(long, value_name = "SQUARE")]
    pub from: Option<String>,
    /// Only the moves that capture
    #[arg(long)]
    pub captures: bool,
    /// How moves are written: `native`, or another notation of the game
    #[arg(long, value_name = "NAME", default_value = NATIVE)]
    pub notation: String,
    /// Position and rules.
    #[command(flatten)]
    pub common: CommonArgs,
}

/// The name of the first notation or format of every game.
pub(super) const NATIVE: &str = "native";

/// The value of a name, where `native` is the game's first value, whatever its own name is.
pub(super) fn named_or_native<N: Named>(what: &str, game: &str, name: &str) -> Result<N, Failure> {
    if name.eq_ignore_ascii_case(NATIVE) {
        return Ok(N::ALL[0]);
    }
    let is_listed = N::from_name(NATIVE).is_some();
    named(what, game, name).map_err(|failure| match is_listed {
        true => failure,
        false => Failure::Usage(format!("{failure}, {NATIVE}")),
    })
}

impl MovesArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        self.common.run(self, terminal)
    }
}

impl PositionCommand for MovesArgs {
    fn run<G: Evaluate>(&self, setup: &Setup<G>, terminal: &Terminal) -> Result<(), Failure> {
        let notation = named_or_native::<G::Notation>("notation", G::NAME, &self.notation)?;
        let position = &setup.position;
        let mut moves = Vec::new();
        G::generate(position, MoveKind::All, &mut moves);
        if let Some(from) = &self.from {
            moves = moves_from::<G>(&moves, from, terminal)?;
        }
        if self.captures {
            moves.retain(|&mv| G::captured_piece(position, mv) != 0);
        }
        let mut texts: Vec<String> =
            moves.iter().map(|&mv| G::format_move(position, mv, notation)).collect();
        texts.sort();
        if self.common.json {
            return terminal.print_json(&json!({
                "game": G::NAME, "rules": setup.rules.set.name(), "notation": notation.name(),
                "side_to_move": G::side_to_move(position), "in_check": G::in_check(position),
                "count": texts.len(), "moves": texts, "warnings": setup.warnings,
            }));
        }
        terminal.print(&texts.iter().map(|text| format!("{text}\n")).collect::<String>())
    }
}

/// The moves that start from a square; if there are none, a warning says from where there are.
///
/// # Errors
/// There is no such square.
pub(super) fn moves_from<G: Evaluate>(
    moves: &[G::Move],
    from: &str,
    terminal: &Terminal,
) -> Result<Vec<G::Move>, Failure> {
    let square = G::square(from.trim()).ok_or_else(|| {
        let example = moves.first().map(|&mv| format!("; write it like {}", G::origin(mv)));
        Failure::Usage(format!(
            "--from: '{from}' is no square of {}{}",
            G::NAME,
            example.unwrap_or_default()
        ))
    })?;
    let chosen: Vec<G::Move> =
        moves.iter().copied().filter(|&mv| G::origin(mv) == square).collect();
    if chosen.is_empty() && !moves.is_empty() {
        let mut origins: Vec<String> = moves.iter().map(|&mv| G::origin(mv)).collect();
        origins.sort();
        origins.dedup();
        terminal.warn(&[format!(
            "no legal move starts from '{from}'; moves start from {}",
            origins.join(" ")
        )]);
    }
    Ok(chosen)
}
