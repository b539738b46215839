//! `data info`: what is in a file, as text or JSON.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};

use super::super::failure::Failure;
use super::super::terminal::{Style, Terminal};
use super::CommonArgs;
use super::session::{Source, SourceCommand, on_source, refuse_faults, set_threads, watched};
use crate::dataset::history;
use crate::dataset::info::{
    Distinct, Info, PHASES, PLY_CLASS, PLY_CLASSES, Results, SCORE_BOUNDS, info,
};
use crate::game::{Evaluate, Rules};

/// Say what is in a file
#[derive(Args, Clone, Debug)]
pub(super) struct InfoArgs {
    /// The file to look at
    #[arg(value_name = "FILE")]
    input: PathBuf,
    #[command(flatten)]
    common: CommonArgs,
}

impl InfoArgs {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        set_threads(&self.common);
        on_source(&self.input, self, terminal)
    }
}

impl SourceCommand for InfoArgs {
    fn run_on<G: Evaluate>(
        &self,
        source: &Source<'_>,
        rules: Rules<G::RuleSet>,
        terminal: &Terminal,
    ) -> Result<(), Failure> {
        let (info, faults) =
            watched(terminal, "info", |watch| info::<G>(&source.reader, rules, watch))?;
        if self.common.json {
            terminal.print_json(&as_json(source, &info))?;
        } else {
            terminal.print(&as_text(source, &info, G::SIDES, terminal))?;
        }
        refuse_faults(&self.input, faults)
    }
}

fn percent(part: u64, all: u64) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

/// Names of the classes of scores.
fn score_classes() -> Vec<String> {
    let mut names = vec![format!("below {}", SCORE_BOUNDS[0])];
    names.extend(SCORE_BOUNDS.windows(2).map(|pair| format!("{} to {}", pair[0], pair[1] - 1)));
    names.push(format!("from {}", SCORE_BOUNDS[SCORE_BOUNDS.len() - 1]));
    names
}

/// All classes of scores with their results.
fn score_rows(info: &Info) -> Vec<(String, Results)> {
    let mut rows =
        vec![("mated".to_owned(), info.mates[0]), ("loses by rule".to_owned(), info.rules[0])];
    rows.extend(score_classes().into_iter().zip(info.scores));
    rows.push(("wins by rule".to_owned(), info.rules[1]));
    rows.push(("mates".to_owned(), info.mates[1]));
    rows
}

fn ply_class(class: usize) -> String {
    let from = class as u32 * PLY_CLASS;
    if class + 1 == PLY_CLASSES {
        format!("from {from}")
    } else {
        format!("{from} to {}", from + PLY_CLASS - 1)
    }
}

fn phase(class: usize) -> String {
    let step = 100 / PHASES;
    format!("{} to {}% of pieces", class * step, (class + 1) * step)
}

fn as_text(source: &Source<'_>, info: &Info, sides: [&str; 2], terminal: &Terminal) -> String {
    let header = source.reader.header();
    let bytes = source.reader.file_bytes();
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        writeln!(text, "{name:<24}{value}").expect("writing to a string");
    };
    line("file", format!("{} ({bytes} bytes)", source.path.display()));
    line("game", format!("{}, rules {}", header.game, header.rules.set));
    let commit = header.commit.as_deref().unwrap_or("unknown");
    line("made by", format!("{}, commit {commit}", header.engine));
    line("evaluation", format!("{:016x}", header.evaluation));
    line("seed", header.seed.to_string());
    if let Ok(runs) = history::runs(header)
        && runs.len() > 1
    {
        line("runs", runs.len().to_string());
    }
    for step in history::steps(header) {
        let of = |key: &str| step.get(key).map_or(String::new(), Value::to_string);
        line(
            &format!("then {}", of("tool").trim_matches('"')),
            format!("{} {}", of("settings"), of("counts")),
        );
    }
    line("games", info.games.to_string());
    let per_ply = bytes as f64 / info.plies.max(1) as f64;
    line("plies", format!("{} ({per_ply:.2} bytes each)", info.plies));
    line("plies with a score", info.scored.to_string());
    line("positions to learn from", info.positions.to_string());
    line("excluded, duplicate", format!("{}, {}", info.excluded, info.duplicates));
    if let Some((shortest, longest)) = info.lengths {
        let mean = info.plies as f64 / info.games as f64;
        line("length in plies", format!("{shortest} to {longest}, {mean:.1} on average"));
    }
    line("positions again", share(&info.again));
    line("first positions again", share(&info.openings_again));
    if info.faults > 0 {
        line("damaged parts", info.faults.to_string());
    }
    let mut heading = |title: &str, columns: &str| {
        let title = terminal.style(format!("{title:<24}{columns}"), Style::Bold);
        writeln!(text, "\n{title}").expect("writing to a string");
    };
    heading("end", &format!("{:>10}{:>10}{:>10}{:>10}", "games", sides[0], "draws", sides[1]));
    for (end, results) in &info.ends {
        let Results { wins, draws, losses } = results;
        let sum = results.sum();
        writeln!(text, "{:<24}{sum:>10}{wins:>10}{draws:>10}{losses:>10}", end.name())
            .expect("writing to a string");
    }
    let mut heading = |title: &str, columns: &str| {
        let title = terminal.style(format!("{title:<24}{columns}"), Style::Bold);
        writeln!(text, "\n{title}").expect("writing to a string");
    };
    heading("score, side to move", &format!("{:>10}{:>10}{:>10}", "positions", "share", "points"));
    for (name, results) in score_rows(info).into_iter().filter(|(_, results)| results.sum() > 0) {
        let sum = results.sum();
        let (share, points) = (percent(sum, info.positions), results.points() / sum as f64);
        writeln!(text, "{name:<24}{sum:>10}{share:>9.1}%{points:>10.3}")
            .expect("writing to a string");
    }
    histogram(&mut text, terminal, "phase", &info.phases, phase);
    histogram(&mut text, terminal, "ply of the game", &info.ply_classes, ply_class);
    histogram(&mut text, terminal, "length of the game", &info.length_classes, ply_class);
    let flags =
        terminal.style(format!("{:<24}{:>10}{:>10}", "flag", "plies", "share"), Style::Bold);
    writeln!(text, "\n{flags}").expect("writing to a string");
    for (name, count) in info.flags {
        let share = percent(count, info.plies);
        writeln!(text, "{name:<24}{count:>10}{share:>9.1}%").expect("writing to a string");
    }
    text
}

fn share(distinct: &Distinct) -> String {
    let about = if distinct.is_exact() { "" } else { "about " };
    format!("{about}{:.2}%", 100.0 * distinct.share())
}

fn histogram(
    text: &mut String,
    terminal: &Terminal,
    title: &str,
    classes: &[u64],
    name: impl Fn(usize) -> String,
) {
    const WIDTH: u64 = 40;
    let title = terminal.style(title, Style::Bold);
    writeln!(text, "\n{title}").expect("writing to a string");
    let all: u64 = classes.iter().sum();
    let most = classes.iter().copied().max().unwrap_or(0).max(1);
    for (class, &count) in classes.iter().enumerate().filter(|(_, count)| **count > 0) {
        let bar = "#".repeat((count * WIDTH).div_ceil(most) as usize);
        let share = percent(count, all);
        writeln!(text, "{:<24}{count:>10}{share:>9.1}%  {bar}", name(class))
            .expect("writing to a string");
    }
}

fn as_json(source: &Source<'_>, info: &Info) -> Value {
    let header = source.reader.header();
    let results = |results: &Results| json!({"wins": results.wins, "draws": results.draws, "losses": results.losses});
    let map =
        |entries: Vec<(String, Value)>| Value::Object(entries.into_iter().collect::<Map<_, _>>());
    let classes = |classes: &[u64], name: &dyn Fn(usize) -> String| {
        map(classes.iter().enumerate().map(|(class, count)| (name(class), json!(count))).collect())
    };
    let distinct =
        |distinct: &Distinct| json!({"share": distinct.share(), "exact": distinct.is_exact()});
    json!({
        "file": source.path.display().to_string(),
        "bytes": source.reader.file_bytes(),
        "header": header,
        "games": info.games,
        "plies": info.plies,
        "scored": info.scored,
        "positions": info.positions,
        "excluded": info.excluded,
        "duplicates": info.duplicates,
        "shortest": info.lengths.map(|(shortest, _)| shortest),
        "longest": info.lengths.map(|(_, longest)| longest),
        "positions_again": distinct(&info.again),
        "first_positions_again": distinct(&info.openings_again),
        "ends": map(info.ends.iter().map(|(end, r)| (end.name().to_owned(), results(r))).collect()),
        "scores": map(score_rows(info).iter().map(|(name, r)| (name.clone(), results(r))).collect()),
        "phases": classes(&info.phases, &phase),
        "ply_classes": classes(&info.ply_classes, &ply_class),
        "lengths": classes(&info.length_classes, &ply_class),
        "flags": map(info.flags.iter().map(|(name, n)| ((*name).to_owned(), json!(n))).collect()),
        "faults": info.faults,
    })
}
