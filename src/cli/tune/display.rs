//! What `tune` shows: progress, the largest changes, and the same as JSON.

use std::cell::Cell;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::super::terminal::{Style, Terminal};
use crate::tune::fit::{End, Epoch, Fitted};
use crate::tune::gather::{Fault, Tally};
use crate::tune::report::Change;
use crate::tune::sample::Samples;
use crate::tune::split::Split;

/// Losses by the objective and by results only, before and after.
pub(super) type Losses = [[f64; 2]; 2];

/// Time between lines while files are read, where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// The display of progress.
pub(super) struct Display {
    bar: Option<ProgressBar>,
    quiet: bool,
    next_line: Cell<Instant>,
    started: Instant,
}

impl Display {
    pub(super) fn new(terminal: &Terminal, epochs: u32) -> Self {
        let bar = terminal.shows_progress().then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {msg}  {elapsed}")
                .expect("the template is right");
            ProgressBar::new(u64::from(epochs)).with_style(style)
        });
        let now = Instant::now();
        let next_line = Cell::new(now + LINE_INTERVAL);
        Self { bar, quiet: terminal.is_quiet(), next_line, started: now }
    }

    /// A line that stays.
    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None if self.quiet => {}
            // The work goes on where nobody hears of it.
            None => drop(writeln!(io::stderr(), "{text}")),
        }
    }

    pub(super) fn warn(&self, terminal: &Terminal, path: &Path, fault: &Fault) {
        let text = format!("{}: {fault}; passed over", path.display());
        match &self.bar {
            Some(bar) => bar.suspend(|| terminal.warn(&[text])),
            None => terminal.warn(&[text]),
        }
    }

    pub(super) fn gathered(&self, tally: &Tally) {
        let text = format!("reading: {} games, {} positions taken", tally.games, tally.taken);
        match &self.bar {
            Some(bar) => bar.set_message(text),
            None if Instant::now() >= self.next_line.get() => {
                self.next_line.set(Instant::now() + LINE_INTERVAL);
                self.line(&text);
            }
            None => {}
        }
    }

    pub(super) fn begin(&self, tally: &Tally, samples: &Samples, split: &Split, scale: f64) {
        self.line(&tally_text(tally));
        self.line(&format!(
            "{} positions of {} games to learn from, {} of {} held back; {:.1} MB, {} bytes a position, read in {:.1} s",
            split.training.len(),
            split.games[0],
            split.held_out.len(),
            split.games[1],
            samples.bytes() as f64 / 1e6,
            samples.bytes() / samples.len().max(1),
            self.started.elapsed().as_secs_f64(),
        ));
        self.line(&scale_text(scale));
    }

    pub(super) fn epoch(&self, epoch: &Epoch) {
        let mark = if epoch.best { " *" } else { "" };
        let text = format!(
            "epoch {:>3}  training {:.6}  held out {:.6}{mark}",
            epoch.number, epoch.training, epoch.held_out
        );
        match &self.bar {
            Some(bar) => {
                bar.set_position(u64::from(epoch.number));
                bar.set_message(text);
            }
            None => self.line(&text),
        }
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn scale_text(scale: f64) -> String {
    format!("K = {scale:.6}: {:.0} centipawns are a chance of 75%", 3f64.ln() / scale)
}

/// What was read and passed over, in a line.
pub(super) fn tally_text(tally: &Tally) -> String {
    let mut text = format!(
        "{} games, {} positions, {} taken; passed over:",
        tally.games, tally.positions, tally.taken
    );
    let parts = [
        ("in the opening", tally.opening),
        ("marked by a tool", tally.marked),
        ("without a score", tally.unscored),
        ("decided", tally.decided),
        ("in check", tally.in_check),
        ("noisy", tally.noisy),
        ("unsettled", tally.unsettled),
        ("left out", tally.left_out),
    ];
    let mut separator = " ";
    for (name, count) in parts.into_iter().filter(|(_, count)| *count > 0) {
        write!(text, "{separator}{count} {name}").expect("writing to a string");
        separator = ", ";
    }
    if separator == " " {
        text.push_str(" none");
    }
    if tally.broken_games > 0 {
        write!(text, "; {} games cannot be replayed", tally.broken_games)
            .expect("writing to a string");
    }
    text
}

/// The comment at the top of a parameter file: what it was fitted to.
pub(super) fn heading(
    game: &str,
    tally: &Tally,
    split: &Split,
    scale: f64,
    [before, after]: Losses,
) -> String {
    format!(
        "# Weights of {game}, fitted by `kyokumen tune` to {} positions of {} games.\n\
         # {}.\n\
         # Held-out loss {:.6} -> {:.6}, by results only {:.6} -> {:.6}.\n\n",
        tally.taken,
        split.games[0] + split.games[1],
        scale_text(scale),
        before[0],
        after[0],
        before[1],
        after[1],
    )
}

/// The result for people.
pub(super) fn result(
    terminal: &Terminal,
    fitted: &Fitted,
    [before, after]: Losses,
    spread: f64,
    changes: &[Change],
    rows: usize,
) -> String {
    let mut text = String::new();
    let mut line = |row: String| writeln!(text, "{row}").expect("writing to a string");
    line(format!(
        "{}: held-out loss {:.6} -> {:.6}, by results only {:.6} -> {:.6}",
        match fitted.end {
            End::Epochs => "all epochs done",
            End::Patience => "the held-out loss falls no more",
            End::Stopped => "interrupted",
        },
        before[0],
        after[0],
        before[1],
        after[1],
    ));
    line(format!("spread of evaluations: {spread:.3} times that before"));
    if rows == 0 {
        return text;
    }
    line(format!("{} weights changed; the largest changes by their units:", changes.len()));
    let heading = format!(
        "{:<32}{:>9}{:>9}{:>9}{:>8}{:>10}",
        "weight", "before", "after", "change", "units", "usage"
    );
    line(terminal.style(heading, Style::Bold));
    for change in changes.iter().take(rows) {
        line(format!(
            "{:<32}{:>9.0}{:>9.1}{:>+9.1}{:>+8.2}{:>10.4}",
            short(&change.name),
            change.before,
            change.after,
            change.after - change.before,
            change.units,
            change.usage
        ));
    }
    text
}

/// A name that fits its column: classes of taikyoku kinds may have many members.
fn short(name: &str) -> String {
    const WIDTH: usize = 30;
    match name.char_indices().nth(WIDTH) {
        Some(_) => name.chars().take(WIDTH - 2).chain("..".chars()).collect(),
        None => name.to_owned(),
    }
}

pub(super) fn end_name(end: End) -> &'static str {
    match end {
        End::Epochs => "epochs",
        End::Patience => "patience",
        End::Stopped => "interrupted",
    }
}

/// The result for programs.
pub(super) fn json(
    game: &str,
    tally: &Tally,
    samples: &Samples,
    split: &Split,
    scale: f64,
    [before, after]: Losses,
) -> Value {
    json!({
        "game": game,
        "games": tally.games, "broken_games": tally.broken_games,
        "positions": tally.positions, "taken": tally.taken,
        "passed_over": {
            "opening": tally.opening, "marked": tally.marked, "unscored": tally.unscored, "decided": tally.decided,
            "in_check": tally.in_check, "noisy": tally.noisy, "unsettled": tally.unsettled,
            "left_out": tally.left_out,
        },
        "training": {"games": split.games[0], "positions": split.training.len()},
        "held_out": {"games": split.games[1], "positions": split.held_out.len()},
        "bytes": samples.bytes(),
        "scale": scale,
        "loss": {"before": before[0], "after": after[0]},
        "result_loss": {"before": before[1], "after": after[1]},
    })
}

pub(super) fn epochs_json(epochs: &[Epoch]) -> Value {
    epochs
        .iter()
        .map(|epoch| {
            json!({
                "epoch": epoch.number, "training": epoch.training, "held_out": epoch.held_out,
                "rate": epoch.rate, "best": epoch.best,
            })
        })
        .collect()
}

pub(super) fn changes_json(changes: &[Change], rows: usize) -> Value {
    changes
        .iter()
        .take(rows)
        .map(|change| {
            json!({
                "weight": change.name, "before": change.before, "after": change.after,
                "units": change.units, "usage": change.usage,
            })
        })
        .collect()
}
