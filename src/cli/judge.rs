//! `judge`: says how a game stands by the rules, and why.

use std::fmt::Write;

use clap::Args;
use serde_json::json;

use super::args::{CommonArgs, PositionCommand, Setup};
use super::failure::Failure;
use super::terminal::{Style, Terminal};
use crate::game::{Evaluate, Game, GameResult, Named, Side, Verdict};

/// Say how a game stands by the rules after its last move, and why
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen judge -p \"3k5/9/9/9/9/9/9/9/4R4/5K3 w\" -m \"e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9\"
  kyokumen judge -p @game.txt --rules wxf --json

In JSON, `result` is who wins (first, second, draw, none), `rule` the rule that decides, `offender` who broke it, and
`cycle` the plies of the repeated cycle, from 1, and `ended_before` the first ply after which the game was over already, if
moves follow it, with that verdict.")]
pub struct JudgeArgs {
    /// Position and rules.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl JudgeArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        self.common.run(self, terminal)
    }
}

impl PositionCommand for JudgeArgs {
    fn run<G: Evaluate>(&self, setup: &Setup<G>, terminal: &Terminal) -> Result<(), Failure> {
        let verdict = G::judge(&setup.position);
        let ended = ended_before::<G>(&setup.position);
        if let Some((ply, earlier)) = &ended {
            terminal.warn(&[format!(
                "the game had ended after ply {ply}: {}; what follows is told as if it had gone on",
                headline::<G>(earlier)
            )]);
        }
        if self.common.json {
            return terminal.print_json(&json!({
                "game": G::NAME, "rules": setup.rules.set.name(),
                "plies": G::plies(&setup.position), "result": verdict.result,
                "rule": verdict.rule, "offender": verdict.offender, "cycle": verdict.cycle,
                "cycle_moves": verdict.cycle_moves, "pieces": verdict.pieces,
                "explanation": verdict.explanation,
                "ended_before": ended.map(|(ply, earlier)| json!({
                    "ply": ply, "result": earlier.result, "rule": earlier.rule,
                    "explanation": earlier.explanation,
                })),
                "warnings": setup.warnings,
            }));
        }
        terminal.print(&describe::<G>(&verdict, setup.rules.set.name(), terminal))
    }
}

/// The first ply before the last move after which the rules had decided the game, with their verdict.
fn ended_before<G: Game>(position: &G::Position) -> Option<(usize, Verdict)> {
    let mut position = position.clone();
    let mut first = None;
    for ply in (0..G::plies(&position)).rev() {
        G::unmake(&mut position);
        let verdict = G::judge(&position);
        if verdict.rule.is_some() {
            first = Some((ply, verdict));
        }
    }
    first
}

/// Who wins, and by which rule.
fn headline<G: Game>(verdict: &Verdict) -> String {
    let result = match verdict.result {
        GameResult::First => format!("{} wins", G::SIDES[Side::First.index()]),
        GameResult::Second => format!("{} wins", G::SIDES[Side::Second.index()]),
        GameResult::Draw => "Draw".to_owned(),
        GameResult::None => "The game goes on".to_owned(),
    };
    let rule = verdict.rule.map_or_else(String::new, |rule| {
        let name = serde_json::to_value(rule).expect("a rule is a name");
        format!(" by {}", name.as_str().expect("a rule is a name").replace('_', " "))
    });
    result + &rule
}

fn describe<G: Game>(verdict: &Verdict, rules: &str, terminal: &Terminal) -> String {
    let side = |side: Side| G::SIDES[side.index()];
    let mut text = format!("{}\n", terminal.style(headline::<G>(verdict), Style::Bold));
    let mut line = |label: &str, content: String| {
        if !content.is_empty() {
            writeln!(text, "{label:<10}{content}").expect("writing to a string");
        }
    };
    line("why", verdict.explanation.clone());
    line("offender", verdict.offender.map_or_else(String::new, |it| side(it).to_owned()));
    line("cycle", cycle(verdict));
    line("pieces", verdict.pieces.join(", "));
    line("rules", rules.to_owned());
    text
}

/// The moves of the cycle with their plies: `5 h2e2, 6 h9g7`.
fn cycle(verdict: &Verdict) -> String {
    let moves = verdict.cycle.iter().zip(&verdict.cycle_moves);
    moves.map(|(ply, mv)| format!("{ply} {mv}")).collect::<Vec<_>>().join(", ")
}
