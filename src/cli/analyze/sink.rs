//! The one writer of a batch: records to their file or standard output, refusals and progress to standard error.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::super::failure::Failure;
use super::super::terminal::Terminal;
use super::AnalyzeArgs;
use super::progress::Progress;
use crate::analysis::Finished;
use crate::analysis::journal::{Done, Existing, OutputFile, Settings, Tally};
use crate::analysis::output::{Layout, OutputFormat};
use crate::analysis::pool::Sink;

/// Refusals told on standard error; the output lists them all.
const REFUSALS_TOLD: u64 = 10;
/// Warnings told on standard error where the output does not list them.
const WARNINGS_TOLD: u64 = 10;

/// Where records go.
pub(super) enum Output {
    /// A file, written record by record without a buffer: a killed process leaves whole lines.
    File(PathBuf, File),
    /// Standard output.
    Standard,
}

impl Output {
    /// Opens the output; also says what it already holds.
    pub(super) fn open(
        args: &AnalyzeArgs,
        settings: &Settings,
        layout: &Layout,
    ) -> Result<(Self, Done), Failure> {
        let Some(path) = &args.output.output else {
            let mut output = Self::Standard;
            if let Some(header) = layout.header() {
                output.write(&header)?;
            }
            return Ok((output, Done::default()));
        };
        let existing = if args.output.resume {
            Existing::Resume
        } else if args.output.force {
            Existing::Overwrite
        } else {
            Existing::Refuse
        };
        let output = OutputFile::open(path, existing, settings, layout, args.order())?;
        Ok((Self::File(path.clone(), output.file), output.done))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Self::File(path, file) => {
                file.write_all(bytes).map_err(|error| Failure::file(path, &error))
            }
            Self::Standard => {
                let mut output = io::stdout().lock();
                output.write_all(bytes)?;
                Ok(output.flush()?)
            }
        }
    }

    fn is_terminal(&self) -> bool {
        matches!(self, Self::Standard) && io::stdout().is_terminal()
    }
}

/// Writes records and tells how far the batch is.
pub(super) struct Writer<'a> {
    output: Output,
    args: &'a AnalyzeArgs,
    terminal: &'a Terminal,
    tally: Tally,
    refusals_told: u64,
    warnings_told: u64,
    progress: Progress,
    interrupt: &'a Arc<AtomicBool>,
    has_told_interrupt: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        output: Output,
        args: &'a AnalyzeArgs,
        terminal: &'a Terminal,
        before: Tally,
        interrupt: &'a Arc<AtomicBool>,
    ) -> Self {
        if before.records > 0 {
            terminal.note(&format!("{} positions are done, going on behind them", before.records));
        }
        Self {
            output,
            args,
            terminal,
            tally: before,
            refusals_told: 0,
            warnings_told: 0,
            progress: Progress::new(terminal, args.input_bytes(), &before),
            interrupt,
            has_told_interrupt: false,
        }
    }

    pub(super) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Tells the sum of the batch.
    pub(super) fn finish(&self, is_complete: bool) {
        self.progress.clear();
        let seconds = self.progress.elapsed().as_secs_f64();
        self.terminal.note(&format!("{} in {seconds:.1} s", self.progress.text(&self.tally)));
        if !is_complete && let Output::File(path, _) = &self.output {
            self.terminal.note(&format!(
                "{} holds what is done; the same command with --resume goes on from there",
                path.display()
            ));
        }
    }

    fn tell_refusal(&mut self, reason: &str) {
        self.refusals_told += 1;
        if self.refusals_told > REFUSALS_TOLD + 1 || self.terminal.is_quiet() {
            return;
        }
        self.progress.suspended(|| {
            if self.refusals_told <= REFUSALS_TOLD {
                self.terminal.error(&Failure::Input(reason.to_owned()));
            } else {
                self.terminal.note("more input is refused; the output lists it all");
            }
        });
    }

    /// Tells what is odd in the input, if the output has no place for it.
    fn tell_warnings(&mut self, warnings: &[String]) {
        if matches!(self.args.output.output_format, OutputFormat::Jsonl | OutputFormat::Csv) {
            return;
        }
        for warning in warnings {
            self.warnings_told += 1;
            if self.warnings_told <= WARNINGS_TOLD {
                self.progress.suspended(|| self.terminal.warn(std::slice::from_ref(warning)));
            } else if self.warnings_told == WARNINGS_TOLD + 1 {
                self.progress.suspended(|| {
                    self.terminal.note("there are more warnings; --as jsonl or csv lists them all");
                });
            }
        }
    }
}

impl Sink<Finished> for Writer<'_> {
    type Error = Failure;

    fn deliver(&mut self, finished: Finished) -> Result<(), Failure> {
        if let Some(reason) = &finished.refusal {
            if self.args.input.strict {
                return Err(Failure::Input(reason.clone()));
            }
            self.tell_refusal(reason);
        }
        self.tell_warnings(&finished.warnings);
        if self.output.is_terminal() {
            self.progress.suspended(|| self.output.write(&finished.line))?;
        } else {
            self.output.write(&finished.line)?;
        }
        self.tally.add(finished.refusal.is_some(), finished.solved, finished.nodes);
        self.progress.update(&self.tally, finished.bytes_read);
        Ok(())
    }

    fn tick(&mut self) {
        if self.interrupt.load(Relaxed) && !self.has_told_interrupt {
            self.has_told_interrupt = true;
            self.progress.suspended(|| {
                self.terminal.note("finishing the positions that run; Ctrl-C again ends at once");
            });
        }
        self.progress.update(&self.tally, 0);
    }
}
