//! `apply`: plays moves and prints the position, in any format.

use clap::Args;
use serde_json::json;

use super::args::{CommonArgs, PositionCommand, Setup};
use super::failure::Failure;
use super::moves::{NATIVE, named_or_native};
use super::terminal::Terminal;
use crate::game::{Evaluate, Named};

/// Play moves and print the position, or convert it to another format
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen apply -m \"h2e2 h9g7\"
  kyokumen apply -m \"炮二平五 马8进7\" --json
  kyokumen apply -p @board.tsfen --format atsa

The counter in a FEN of xiangqi is the one of the move limit: by the rules asian and wxf, a side's checks beyond its tenth
since the last capture do not count. A FEN cannot say how many checks there were; play from it counts them anew.

In JSON, `outcome` is who wins (first, second, draw, none) and `reason` is the rule that decides.")]
pub struct ApplyArgs {
    /// How the position is written: `native`, or another format of the game
    #[arg(long, value_name = "NAME", default_value = NATIVE)]
    pub format: String,
    /// Position and rules.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl ApplyArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        self.common.run(self, terminal)
    }
}

impl PositionCommand for ApplyArgs {
    fn run<G: Evaluate>(&self, setup: &Setup<G>, terminal: &Terminal) -> Result<(), Failure> {
        let format = named_or_native::<G::Format>("format", G::NAME, &self.format)?;
        let text = G::format_position(&setup.position, format)
            .map_err(|reason| Failure::Position(format!("--format {}: {reason}", format.name())))?;
        if !self.common.json {
            return terminal.print(&format!("{text}\n"));
        }
        let verdict = G::judge(&setup.position);
        terminal.print_json(&json!({
            "game": G::NAME, "rules": setup.rules.set.name(), "format": format.name(),
            "position": text, "side_to_move": G::side_to_move(&setup.position),
            "in_check": G::in_check(&setup.position), "outcome": verdict.result,
            "reason": verdict.rule, "explanation": verdict.explanation,
            "warnings": setup.warnings,
        }))
    }
}
