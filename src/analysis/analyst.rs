//! One worker's searcher: a job in, a finished line of output back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::job::{InputError, Job, Label, Task};
use super::output::Layout;
use super::record::{Analysis, Outcome, Pv, Record, ScoreFields};
use crate::chances::Chances;
use crate::game::{Evaluate, GameResult};
use crate::search::{Limits, Searcher, StopReason, TableError};

/// Whether records tell the time used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timing {
    /// They do.
    Told,
    /// They do not, so that equal searches give equal records.
    Hidden,
}

/// What is done with every position.
#[derive(Clone)]
pub struct Plan<G: Evaluate> {
    /// When a search ends.
    pub limits: Limits<G::Move>,
    /// The numbers of search and evaluation.
    pub params: Arc<G::Params>,
    /// Size of each worker's hash table.
    pub hash_mib: usize,
    /// The notation of moves.
    pub notation: G::Notation,
    /// Whether time is told.
    pub timing: Timing,
    /// The shape of the output.
    pub layout: Layout,
}

/// A finished record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// The line of output, with its end.
    pub line: Vec<u8>,
    /// Why the input was refused, with its place, if it was.
    pub refusal: Option<String>,
    /// What is odd in the input but playable, with its place.
    pub warnings: Vec<String>,
    /// Whether the position's test was solved, if it is one.
    pub solved: Option<bool>,
    /// Nodes searched.
    pub nodes: u64,
    /// Bytes of the input read up to this record.
    pub bytes_read: u64,
}

/// A searcher that starts every position from the same state: results do not depend on what it did before.
pub(super) struct Analyst<'a, G: Evaluate> {
    plan: &'a Plan<G>,
    searcher: Searcher<G>,
}

impl<'a, G: Evaluate> Analyst<'a, G> {
    pub(super) fn new(plan: &'a Plan<G>) -> Result<Self, TableError> {
        Ok(Self { plan, searcher: Searcher::new(Arc::clone(&plan.params), plan.hash_mib)? })
    }

    /// Does a job. A panic in it becomes the record's error and takes nothing else with it.
    pub(super) fn finish(&mut self, job: Job<G>) -> Finished {
        let Job { label, task, bytes_read } = job;
        let outcome = match task {
            Err(error) => Outcome::Refused { error },
            Ok(task) => match catch_unwind(AssertUnwindSafe(|| self.analyse(&task))) {
                Ok(analysis) => Outcome::Analysed(Box::new(analysis)),
                Err(panic) => {
                    // Whatever the panic left behind is forgotten before the next position, as always.
                    let reason = panic_text(panic.as_ref());
                    let message = format!("internal error, please report it: {reason}");
                    Outcome::Refused { error: InputError { column: 1, message } }
                }
            },
        };
        let (refusal, solved, nodes) = match &outcome {
            Outcome::Refused { error } => (Some(refusal(&label, error)), None, 0),
            Outcome::Analysed(analysis) => (None, analysis.solved, analysis.nodes),
        };
        let warnings = match &outcome {
            Outcome::Refused { .. } => Vec::new(),
            Outcome::Analysed(analysis) => {
                analysis.warnings.iter().map(|warning| placed(&label, warning)).collect()
            }
        };
        let line = self.plan.layout.render(&Record { label, outcome });
        Finished { line, refusal, warnings, solved, nodes, bytes_read }
    }

    fn analyse(&mut self, task: &Task<G>) -> Analysis {
        let position = &task.position;
        let write = |mv| G::format_move(position, mv, self.plan.notation);
        let played = task.played.map(write);
        let opcodes: Map<String, Value> =
            task.opcodes.iter().map(|(name, text)| (name.clone(), text.clone().into())).collect();
        let warnings = task.warnings.clone();
        let verdict = G::judge(position);
        let is_told = self.plan.timing == Timing::Told;
        if verdict.result != GameResult::None {
            return Analysis {
                depth: 0,
                seldepth: 0,
                nodes: 0,
                time_ms: is_told.then_some(0),
                stop: StopReason::Terminal,
                pvs: Vec::new(),
                bestmove: None,
                played,
                solved: None,
                verdict: Some(verdict),
                opcodes,
                warnings,
            };
        }
        self.searcher.clear();
        let report = self.searcher.search(position, &self.plan.limits, &mut |_| ());
        let to_move = G::side_to_move(position);
        let pvs = report.lines.iter().map(|line| Pv {
            rank: line.rank,
            score: ScoreFields::new(line.score),
            first: ScoreFields::for_first(line.score, to_move),
            bound: line.bound,
            wdl: Chances::of(line.score).to_array(),
            moves: self.write_line(position, &line.moves),
        });
        let has_test = !task.best.is_empty() || !task.avoid.is_empty();
        let is_solved =
            |mv| (task.best.is_empty() || task.best.contains(&mv)) && !task.avoid.contains(&mv);
        Analysis {
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            time_ms: is_told.then_some(report.time.as_millis() as u64),
            stop: report.stop_reason.unwrap_or(StopReason::Interrupted),
            pvs: pvs.collect(),
            bestmove: report.best_move.map(write),
            played,
            solved: has_test.then(|| report.best_move.is_some_and(is_solved)),
            verdict: None,
            opcodes,
            warnings,
        }
    }

    fn write_line(&self, position: &G::Position, moves: &[G::Move]) -> Vec<String> {
        let mut position = position.clone();
        let write = |&mv: &G::Move| {
            let text = G::format_move(&position, mv, self.plan.notation);
            G::make(&mut position, mv);
            text
        };
        moves.iter().map(write).collect()
    }
}

/// `FILE:LINE:COLUMN: message`.
fn refusal(label: &Label, error: &InputError) -> String {
    let InputError { column, message } = error;
    match &label.file {
        Some(file) => format!("{file}:{}:{column}: {message}", label.line),
        None => format!("line {}, column {column}: {message}", label.line),
    }
}

/// `FILE:LINE: message`.
fn placed(label: &Label, message: &str) -> String {
    match &label.file {
        Some(file) => format!("{file}:{}: {message}", label.line),
        None => format!("line {}: {message}", label.line),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
