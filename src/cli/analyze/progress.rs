//! How far a batch is: a bar on a terminal, a line now and then elsewhere, nothing if nothing is wanted.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::super::terminal::Terminal;
use crate::analysis::journal::Tally;

/// Time between lines where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

enum Shape {
    Bar(ProgressBar),
    Lines { next: Instant },
    Nothing,
}

/// The display of progress.
pub(super) struct Progress {
    shape: Shape,
    started: Instant,
    /// Size of the input, where it is known.
    bytes: Option<u64>,
    bytes_done: u64,
    nodes_before: u64,
}

impl Progress {
    pub(super) fn new(terminal: &Terminal, bytes: Option<u64>, before: &Tally) -> Self {
        let started = Instant::now();
        let shape = if terminal.shows_progress() {
            Shape::Bar(bar(bytes))
        } else if terminal.is_quiet() {
            Shape::Nothing
        } else {
            Shape::Lines { next: started + LINE_INTERVAL }
        };
        Self { shape, started, bytes, bytes_done: 0, nodes_before: before.nodes }
    }

    /// Shows how far the batch is.
    pub(super) fn update(&mut self, tally: &Tally, bytes_done: u64) {
        self.bytes_done = self.bytes_done.max(bytes_done);
        let text = self.text(tally);
        match &mut self.shape {
            Shape::Nothing => {}
            Shape::Bar(bar) => {
                bar.set_position(self.bytes_done);
                bar.set_message(text);
            }
            Shape::Lines { next } => {
                let now = Instant::now();
                if now >= *next {
                    *next = now + LINE_INTERVAL;
                    let share = match self.bytes {
                        Some(bytes) if bytes > 0 => {
                            format!(", {}% of the input", self.bytes_done * 100 / bytes)
                        }
                        _ => String::new(),
                    };
                    // The work goes on where nobody hears of it.
                    let _ = writeln!(io::stderr(), "{text}{share}");
                }
            }
        }
    }

    /// Does something that writes to the terminal without harm to the bar.
    pub(super) fn suspended<T>(&self, action: impl FnOnce() -> T) -> T {
        match &self.shape {
            Shape::Bar(bar) => bar.suspend(action),
            _ => action(),
        }
    }

    /// Takes the bar away.
    pub(super) fn clear(&self) {
        if let Shape::Bar(bar) = &self.shape {
            bar.finish_and_clear();
        }
    }

    /// Records, refusals and speed so far.
    pub(super) fn text(&self, tally: &Tally) -> String {
        let seconds = self.started.elapsed().as_secs_f64();
        let nodes = tally.nodes - self.nodes_before;
        let speed = nodes as f64 / seconds.max(1e-3) / 1e6;
        let refused = match tally.refused {
            0 => String::new(),
            count => format!(" ({count} refused)"),
        };
        let solved = match tally.tests {
            0 => String::new(),
            tests => format!(", {} of {tests} solved", tally.solved),
        };
        format!("{} positions{refused}{solved}, {speed:.2} million nodes/s", tally.records)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

fn bar(bytes: Option<u64>) -> ProgressBar {
    let (bar, template) = match bytes {
        Some(bytes) => (
            ProgressBar::new(bytes),
            "{bar:30} {percent:>3}%  {msg}  {elapsed} of about {duration}, {eta} left",
        ),
        None => (ProgressBar::new_spinner(), "{spinner} {msg}  {elapsed}"),
    };
    let style = ProgressStyle::with_template(template).expect("the template is right");
    bar.with_style(style)
}
