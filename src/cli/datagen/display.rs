//! What `datagen` shows: a bar or lines of progress, and the summary.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, Value, json};

use super::super::terminal::Terminal;
use crate::datagen::run::{Count, Goal};
use crate::datagen::tally::Tally;

/// Time between lines where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

enum Shape {
    Bar(ProgressBar),
    Lines { next: Instant },
    Nothing,
}

/// The display of a run.
pub(super) struct Display<'a> {
    terminal: &'a Terminal,
    shape: Shape,
    goal: Goal,
}

impl<'a> Display<'a> {
    pub(super) fn new(terminal: &'a Terminal, goal: Goal, count: &Count) -> Self {
        let shape = if terminal.shows_progress() {
            let style = ProgressStyle::with_template("{bar:20} {percent:>3}%  {msg}");
            let bar = ProgressBar::new(1000).with_style(style.expect("the template is right"));
            Shape::Bar(bar)
        } else if terminal.is_quiet() {
            Shape::Nothing
        } else {
            Shape::Lines { next: Instant::now() + LINE_INTERVAL }
        };
        if count.tally.games > 0 {
            let Tally { games, positions, .. } = &count.tally;
            terminal.note(&format!(
                "the file has {games} games ({positions} positions), going on behind them"
            ));
        }
        Self { terminal, shape, goal }
    }

    pub(super) fn update(&mut self, count: &Count) {
        match &mut self.shape {
            Shape::Nothing => {}
            Shape::Bar(bar) => {
                bar.set_position((share(self.goal, &count.tally) * 1000.0) as u64);
                bar.set_message(line(self.goal, count));
            }
            Shape::Lines { next } => {
                let now = Instant::now();
                if now >= *next {
                    *next = now + LINE_INTERVAL;
                    self.terminal.note(&line(self.goal, count));
                }
            }
        }
    }

    pub(super) fn clear(&self) {
        if let Shape::Bar(bar) = &self.shape {
            bar.finish_and_clear();
        }
    }
}

/// How much of the goal is reached, 0 to 1.
fn share(goal: Goal, tally: &Tally) -> f64 {
    let part = |wanted: Option<u64>, there: u64| {
        wanted.map_or(0.0, |wanted| there as f64 / wanted.max(1) as f64)
    };
    part(goal.games, tally.games).max(part(goal.positions, tally.positions)).min(1.0)
}

/// Time left, by the pace of this run.
fn left(goal: Goal, count: &Count) -> Option<Duration> {
    let seconds = count.started.elapsed().as_secs_f64();
    let rest = |wanted: Option<u64>, there: u64, made: u64| {
        let left = wanted?.saturating_sub(there) as f64;
        (made > 0).then(|| left * seconds / made as f64)
    };
    let games = rest(goal.games, count.tally.games, count.made.games);
    let positions = rest(goal.positions, count.tally.positions, count.made.positions);
    let least = [games, positions].into_iter().flatten().reduce(f64::min)?;
    Some(Duration::from_secs_f64(least.min(1e9)))
}

fn per_second(number: u64, count: &Count) -> f64 {
    number as f64 / count.started.elapsed().as_secs_f64().max(1e-3)
}

/// One line on how the run is getting on.
fn line(goal: Goal, count: &Count) -> String {
    let Tally { games, positions, first_wins, draws, second_wins, .. } = &count.tally;
    let left = left(goal, count)
        .map_or_else(String::new, |left| format!(", {} left", indicatif::HumanDuration(left)));
    format!(
        "{games} games ({:.2}/s), {positions} positions ({:.0}/s), +{first_wins} ={draws} \
         -{second_wins}, scores {}, {:.1}% positions again{left}",
        per_second(count.made.games, count),
        per_second(count.made.positions, count),
        scores(&count.tally),
        percent(count.duplicates.again(), count.duplicates.seen()),
    )
}

/// The classes of scores, percent: `34/30/20/10/4/1/1`.
fn scores(tally: &Tally) -> String {
    let classes = tally.score_classes();
    let shares = classes.map(|(_, number)| format!("{:.0}", percent(number, tally.positions)));
    shares.collect::<Vec<_>>().join("/")
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// The summary for people.
pub(super) fn summary(count: &Count, path: &Path, bytes: u64, sides: [&str; 2]) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        writeln!(text, "{name:<11} {value}").expect("a string takes everything");
    };
    let Tally { games, plies, positions, first_wins, draws, second_wins, ends, .. } = &count.tally;
    let each = bytes as f64 / (*plies).max(1) as f64;
    line("file", format!("{}, {bytes} bytes, {each:.2} a ply", path.display()));
    let length = *plies as f64 / (*games).max(1) as f64;
    line("games", format!("{games}, {length:.1} plies each, {positions} positions with a score"));
    let results = [(sides[0], first_wins), ("draw", draws), (sides[1], second_wins)]
        .map(|(name, number)| format!("{name} {number} ({:.1}%)", percent(*number, *games)));
    line("results", results.join(", "));
    let ends = ends.iter().map(|(end, number)| format!("{} {number}", end.name()));
    line("ends", ends.collect::<Vec<_>>().join(", "));
    let classes = count.tally.score_classes();
    let classes =
        classes.map(|(name, number)| format!("{name}: {:.1}%", percent(number, *positions)));
    line("scores", format!("{} (centipawns from even)", classes.collect::<Vec<_>>().join(", ")));
    if count.made.games > 0 {
        let speed = 60.0 * per_second(count.made.games, count);
        let seconds = count.started.elapsed().as_secs_f64();
        line(
            "this run",
            format!(
                "{} games in {seconds:.1} s: {speed:.1} games a minute, {:.0} positions/s, {:.2} \
                 million nodes/s, {:.0} nodes a move",
                count.made.games,
                per_second(count.made.positions, count),
                per_second(count.nodes, count) / 1e6,
                count.nodes as f64 / count.made.positions.max(1) as f64,
            ),
        );
        let [searches, openings] = [count.search_time, count.opening_time]
            .map(|time| 100.0 * time.as_secs_f64() / count.game_time.as_secs_f64().max(1e-9));
        line(
            "time",
            format!(
                "searches {searches:.1}%, openings {openings:.1}%, rules and the rest {:.1}%",
                100.0 - searches - openings
            ),
        );
        let again = percent(count.duplicates.again(), count.duplicates.seen());
        line("duplicates", format!("{again:.2}% of the positions of this run, at least"));
    }
    text
}

/// The summary for programs.
pub(super) fn summary_json(count: &Count, bytes: u64) -> Map<String, Value> {
    let tally = &count.tally;
    let ends = tally.ends.iter().map(|(end, &number)| (end.name().to_owned(), json!(number)));
    let scores = tally.score_classes().map(|(name, number)| (name, json!(number)));
    let value = json!({
        "file_bytes": bytes,
        "games": tally.games,
        "plies": tally.plies,
        "positions": tally.positions,
        "bytes_per_ply": bytes as f64 / tally.plies.max(1) as f64,
        "first_wins": tally.first_wins,
        "draws": tally.draws,
        "second_wins": tally.second_wins,
        "ends": Value::Object(ends.collect()),
        "scores": Value::Object(scores.collect()),
        "run": {
            "games": count.made.games,
            "positions": count.made.positions,
            "nodes": count.nodes,
            "seconds": count.started.elapsed().as_secs_f64(),
            "games_per_minute": 60.0 * per_second(count.made.games, count),
            "positions_per_second": per_second(count.made.positions, count),
            "duplicates": count.duplicates.again(),
            "search_seconds": count.search_time.as_secs_f64(),
            "opening_seconds": count.opening_time.as_secs_f64(),
            "game_seconds": count.game_time.as_secs_f64(),
        },
    });
    match value {
        Value::Object(summary) => summary,
        _ => unreachable!("an object was written"),
    }
}
