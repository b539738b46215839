//! `rules`: the rule sets and every point on which they differ.

use std::fmt::Write;

use clap::Args;
use serde_json::{Map, Value, json};

use super::args::game_parser;
use super::failure::Failure;
use super::terminal::{Style, Terminal};
use crate::game::{Evaluate, Named, Rules};
use crate::games::{self, Command, GameId};

/// List the rule sets and every point on which they differ
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen rules
  kyokumen rules xiangqi
  kyokumen rules taikyoku --json

A rule set is chosen with --rules NAME; the first one of a game is its default.")]
pub struct RulesArgs {
    /// Only this game
    #[arg(value_name = "GAME", value_parser = game_parser(), ignore_case = true)]
    pub game: Option<GameId>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

impl RulesArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        let games = self.game.as_ref().map_or(GameId::ALL, std::slice::from_ref);
        let descriptions = games.iter().map(|&game| (game, games::dispatch(game, Describe)));
        if self.json {
            let object: Map<String, Value> =
                descriptions.map(|(game, it)| (game.name().to_owned(), it.to_json())).collect();
            return terminal.print_json(&json!({ "games": object }));
        }
        let texts: Vec<String> =
            descriptions.map(|(game, it)| it.to_text(game, terminal)).collect();
        terminal.print(&texts.join("\n"))
    }
}

/// The rule sets of a game as a table: one column a set, one row a point.
struct Description {
    sets: Vec<(&'static str, &'static str)>,
    points: Vec<(String, Vec<String>)>,
}

struct Describe;

impl Command for Describe {
    type Output = Description;

    fn run<G: Evaluate>(self) -> Description {
        let all = G::RuleSet::ALL;
        let limits: Vec<Rules<G::RuleSet>> = all.iter().map(|&set| G::rules(set)).collect();
        let row = |name: &str, value: &dyn Fn(&Rules<G::RuleSet>) -> String| {
            (name.to_owned(), limits.iter().map(value).collect::<Vec<_>>())
        };
        let mut points = vec![
            row("plies without progress until a draw", &|rules| {
                rules.move_limit_plies.map_or("never".to_owned(), |plies| plies.to_string())
            }),
            row("a repetition is judged at occurrence", &|rules| {
                rules.repetitions.map_or("never".to_owned(), |times| times.to_string())
            }),
            row("no legal move, not in check", &|rules| {
                if rules.stalemate_loses { "loses" } else { "draw" }.to_owned()
            }),
            row("neither side can win", &|rules| {
                if rules.material_draw { "draw" } else { "play on" }.to_owned()
            }),
        ];
        points.extend(G::rule_points().into_iter().map(|point| (point.question, point.answers)));
        let sets = all.iter().map(|set| (set.name(), set.summary())).collect();
        Description { sets, points }
    }
}

impl Description {
    fn to_json(&self) -> Value {
        let sets: Vec<Value> = self
            .sets
            .iter()
            .enumerate()
            .map(|(index, (name, summary))| {
                json!({ "name": name, "summary": summary, "default": index == 0 })
            })
            .collect();
        let points: Vec<Value> = self
            .points
            .iter()
            .map(|(question, values)| {
                let names = self.sets.iter().map(|&(name, _)| name.to_owned());
                let by_set: Map<String, Value> =
                    names.zip(values.iter().map(|value| value.as_str().into())).collect();
                json!({ "question": question, "differs": differ(values), "values": by_set })
            })
            .collect();
        json!({ "sets": sets, "points": points })
    }

    fn to_text(&self, game: GameId, terminal: &Terminal) -> String {
        let heading = terminal.style(format!("{game}: {}", game.summary()), Style::Bold);
        let mut text = format!("{heading}\n");
        for (index, (name, summary)) in self.sets.iter().enumerate() {
            let default = if index == 0 { " (default)" } else { "" };
            writeln!(text, "  {name:<10} {summary}{default}").expect("writing to a string");
        }
        for (title, wanted) in [("They differ in", true), ("The same in all", false)] {
            let mut heading = Some(format!("  {title}\n"));
            for (question, values) in &self.points {
                if differ(values) == wanted {
                    text.push_str(&heading.take().unwrap_or_default());
                    self.write_point(&mut text, question, values);
                }
            }
        }
        text
    }

    fn write_point(&self, text: &mut String, question: &str, values: &[String]) {
        if differ(values) {
            writeln!(text, "    {question}").expect("writing to a string");
            for ((name, _), value) in self.sets.iter().zip(values) {
                writeln!(text, "      {name:<10} {value}").expect("writing to a string");
            }
        } else {
            let value = values.first().map_or("", String::as_str);
            writeln!(text, "    {question}: {value}").expect("writing to a string");
        }
    }
}

fn differ(values: &[String]) -> bool {
    values.iter().any(|value| value != &values[0])
}
