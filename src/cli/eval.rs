//! `eval`: the static evaluation, whole or term by term.

use std::fmt::Write;

use clap::Args;
use serde_json::{Value, json};

use super::args::{CommonArgs, PositionCommand, Setup};
use super::failure::Failure;
use super::terminal::{Style, Terminal};
use crate::game::{Evaluate, Named, Side, Term};

/// Evaluate the position without search, in centipawns
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen eval
  kyokumen eval --explain -m \"h2e2 h9g7 e2e6\"
  kyokumen eval --explain --params weights.toml --json

`score_cp` is from the view of the side to move; terms are from the view of the first player.")]
pub struct EvalArgs {
    /// Show what each term brings to each side
    #[arg(long)]
    pub explain: bool,
    /// Position and rules.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl EvalArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        self.common.run(self, terminal)
    }
}

impl PositionCommand for EvalArgs {
    fn run<G: Evaluate>(&self, setup: &Setup<G>, terminal: &Terminal) -> Result<(), Failure> {
        let score = G::evaluate(&setup.position, &setup.params).get();
        let side = G::side_to_move(&setup.position);
        let terms = if self.explain || self.common.json {
            G::explain(&setup.position, &setup.params)
        } else {
            Vec::new()
        };
        if self.common.json {
            let terms: Vec<Value> = terms.iter().map(term_json).collect();
            let first = if side == Side::First { score } else { -score };
            return terminal.print_json(&json!({
                "game": G::NAME, "rules": setup.rules.set.name(), "score_cp": score,
                "score_first_cp": first, "side_to_move": side, "terms": terms,
                "warnings": setup.warnings,
            }));
        }
        let mut text = if self.explain { table(&terms, G::SIDES, terminal) } else { String::new() };
        writeln!(text, "{score} ({} to move)", G::SIDES[side.index()])
            .expect("writing to a string");
        terminal.print(&text)
    }
}

fn term_json(term: &Term) -> Value {
    json!({
        "name": term.name, "first": term.first, "second": term.second,
        "total": term.first - term.second,
    })
}

fn table(terms: &[Term], sides: [&str; 2], terminal: &Terminal) -> String {
    let heading = format!("{:<24}{:>10}{:>10}{:>10}", "term", sides[0], sides[1], "total");
    let mut text = format!("{}\n", terminal.style(heading, Style::Bold));
    let mut line = |name: &str, first: i32, second: i32| {
        writeln!(text, "{name:<24}{first:>10}{second:>10}{:>+10}", first - second)
            .expect("writing to a string");
    };
    for term in terms {
        line(term.name, term.first, term.second);
    }
    let sum = |part: fn(&Term) -> i32| terms.iter().map(part).sum();
    line("sum", sum(|term| term.first), sum(|term| term.second));
    text
}
