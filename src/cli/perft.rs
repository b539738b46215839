//! `perft`: counts the leaf nodes of the tree of legal moves.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, json};

use super::args::{CommonArgs, PositionCommand, Setup};
use super::failure::Failure;
use super::interrupt;
use super::number::whole;
use super::terminal::Terminal;
use crate::game::{Evaluate, Named};
use crate::perft::table::Table;
use crate::perft::{CountError, DEEPEST, LastPly, Monitor, Options, add, count, divide};

/// Count the leaf nodes of the tree of legal moves
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen perft --depth 5
  kyokumen perft --depth 4 --divide -m \"h2e2 h9g7\"
  kyokumen perft --depth 7 --hash 1024 --threads 8
  kyokumen perft --game taikyoku --depth 3 --json

The last line is `nodes N`. With --hash, subtrees that were reached before are not counted again.")]
pub struct PerftArgs {
    /// Plies to the leaves
    #[arg(short, long, value_name = "N", value_parser = whole(0..=DEEPEST))]
    pub depth: u32,
    /// Print the count of each move
    #[arg(long)]
    pub divide: bool,
    /// Play the moves of the last ply too, instead of counting them
    #[arg(long)]
    pub no_bulk: bool,
    /// Position, rules and machine.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl PerftArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        self.common.run(self, terminal)
    }
}

impl PositionCommand for PerftArgs {
    fn run<G: Evaluate>(&self, setup: &Setup<G>, terminal: &Terminal) -> Result<(), Failure> {
        let threads = self.common.engine.threads();
        let table = self
            .common
            .engine
            .hash
            .filter(|&mib| mib > 0)
            .map(Table::new)
            .transpose()
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let monitor = Monitor::default();
        let options = Options {
            depth: self.depth,
            last_ply: if self.no_bulk { LastPly::Played } else { LastPly::Counted },
            table: table.as_ref(),
            monitor: &monitor,
        };
        let started = Instant::now();
        let (nodes, divided) = watched(threads, &monitor, terminal, || {
            if self.divide && self.depth > 0 {
                let parts = divide::<G>(&setup.position, options)?;
                let nodes = parts.iter().try_fold(0, |sum, &(_, nodes)| add(sum, nodes))?;
                Ok((nodes, Some(parts)))
            } else {
                Ok((count::<G>(&setup.position, options)?, None))
            }
        })?;
        let seconds = started.elapsed().as_secs_f64();

        let native = G::Notation::ALL[0];
        let mut parts: Vec<(String, u64)> = divided
            .unwrap_or_default()
            .into_iter()
            .map(|(mv, nodes)| (G::format_move(&setup.position, mv, native), nodes))
            .collect();
        parts.sort();
        let nps = rate(nodes, seconds);
        if self.common.json {
            let mut object = json!({
                "game": G::NAME, "rules": setup.rules.set.name(), "depth": self.depth,
                "nodes": nodes, "seconds": seconds, "nps": nps, "threads": threads,
                "hash_mib": self.common.engine.hash.unwrap_or(0), "bulk": !self.no_bulk,
                "warnings": setup.warnings,
            });
            if self.divide {
                let parts: Map<_, _> =
                    parts.into_iter().map(|(mv, nodes)| (mv, nodes.into())).collect();
                object["divide"] = parts.into();
            }
            return terminal.print_json(&object);
        }
        let mut text = String::new();
        for (mv, nodes) in &parts {
            writeln!(text, "{mv}: {nodes}").expect("writing to a string");
        }
        let nps = nps.map_or_else(|| "unknown".to_owned(), |nps| nps.to_string());
        write!(text, "time {seconds:.3} s\nnps {nps}\nnodes {nodes}\n")
            .expect("writing to a string");
        terminal.print(&text)
    }
}

/// Nodes a second; `None` where the time is too short to tell.
fn rate(nodes: u64, seconds: f64) -> Option<u64> {
    let rate = nodes as f64 / seconds;
    (rate < u64::MAX as f64).then_some(rate as u64)
}

/// Runs a count in a pool of threads, while this thread looks after Ctrl-C and progress.
fn watched<T: Send>(
    threads: usize,
    monitor: &Monitor,
    terminal: &Terminal,
    work: impl FnOnce() -> Result<T, CountError> + Send,
) -> Result<T, Failure> {
    const TICK: Duration = Duration::from_millis(100);
    let interrupted = interrupt::watch()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::Usage(format!("--threads {threads}: {error}")))?;
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // The receiver waits for this message as long as it lives.
            let _ = sender.send(pool.install(work));
        });
        let mut progress = Progress::new(terminal);
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(result) => {
                    progress.clear();
                    return result.map_err(|error| match error {
                        CountError::Stopped => Failure::Interrupted,
                        CountError::TooMany => Failure::Usage(format!("--depth: {error}")),
                    });
                }
                Err(RecvTimeoutError::Timeout) => {
                    pass_on(&interrupted, &monitor.stop);
                    progress.show(monitor.done());
                }
                Err(RecvTimeoutError::Disconnected) => panic!("the count ended without a result"),
            }
        }
    })
}

fn pass_on(from: &AtomicBool, to: &AtomicBool) {
    if from.load(Ordering::Relaxed) {
        to.store(true, Ordering::Relaxed);
    }
}

/// A bar on standard error that appears when a count takes long.
struct Progress {
    started: Instant,
    bar: Option<ProgressBar>,
    wanted: bool,
}

impl Progress {
    const PATIENCE: Duration = Duration::from_secs(2);
    const STEPS: u64 = 1000;

    fn new(terminal: &Terminal) -> Self {
        Self { started: Instant::now(), bar: None, wanted: terminal.shows_progress() }
    }

    fn show(&mut self, done: f64) {
        if !self.wanted || self.started.elapsed() < Self::PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let template = "{wide_bar} {percent:>3} %  {elapsed} elapsed, {eta} left";
            let style =
                ProgressStyle::with_template(template).expect("the template's keys are known");
            ProgressBar::new(Self::STEPS).with_style(style).with_elapsed(self.started.elapsed())
        });
        bar.set_position((done * Self::STEPS as f64) as u64);
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
