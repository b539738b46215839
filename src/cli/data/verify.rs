//! `data verify`: whether a file is whole and agrees with the rules.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::super::failure::Failure;
use super::super::terminal::Terminal;
use super::CommonArgs;
use super::session::{
    Source, SourceCommand, on_source, refuse_faults, set_threads, watched_telling,
};
use crate::dataset::Fault;
use crate::dataset::verify::verify;
use crate::game::{Evaluate, Rules};

/// Check every block, move, flag and end
///
/// Replays every game by its rules: moves must be legal, nothing may be played after the end, the reason and the result of the
/// end must be those of the rules, the flags for check and captures must be right. Every fault is told with its offset, block,
/// game and ply.
#[derive(Args, Clone, Debug)]
pub(super) struct VerifyArgs {
    /// The file to check
    #[arg(value_name = "FILE")]
    input: PathBuf,
    #[command(flatten)]
    common: CommonArgs,
}

impl VerifyArgs {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        set_threads(&self.common);
        on_source(&self.input, self, terminal)
    }
}

impl SourceCommand for VerifyArgs {
    fn run_on<G: Evaluate>(
        &self,
        source: &Source<'_>,
        rules: Rules<G::RuleSet>,
        terminal: &Terminal,
    ) -> Result<(), Failure> {
        let mut found = Vec::new();
        let mut printed = Ok(());
        // The faults are the result: they go to standard output.
        let tell = |fault: &Fault| {
            if self.common.json {
                found.push(fault_json(fault));
            } else if printed.is_ok() {
                printed = terminal.print(&format!("{fault}\n"));
            }
        };
        let (report, faults) = watched_telling(terminal, "verify", tell, |watch| {
            verify::<G>(&source.reader, rules, watch)
        })?;
        printed?;
        let bytes = source.reader.file_bytes();
        if self.common.json {
            terminal.print_json(&json!({
                "file": self.input.display().to_string(), "bytes": bytes, "game": G::NAME,
                "rules": rules_name(source), "games": report.games, "plies": report.plies,
                "faults": found, "odd_mates": report.odd_mates,
            }))?;
        } else {
            let mut text = format!(
                "{} games, {} plies, {bytes} bytes: {}\n",
                report.games,
                report.plies,
                match faults {
                    0 => "all right".to_owned(),
                    1 => "1 fault".to_owned(),
                    _ => format!("{faults} faults"),
                }
            );
            if report.odd_mates > 0 {
                text += &format!(
                    "note: {} mates have a distance of the wrong parity\n",
                    report.odd_mates
                );
            }
            terminal.print(&text)?;
        }
        refuse_faults(&self.input, faults)
    }
}

/// A fault as an object.
fn fault_json(fault: &Fault) -> Value {
    match fault {
        Fault::Block(fault) => json!({
            "offset": fault.offset, "bytes": fault.bytes, "block": fault.number,
            "blocks": fault.blocks, "reason": fault.reason.to_string(),
        }),
        Fault::Game { block, offset, game, problem } => json!({
            "offset": offset, "block": block, "game": game, "ply": problem.ply,
            "reason": problem.reason,
        }),
    }
}

fn rules_name(source: &Source<'_>) -> String {
    source.reader.header().rules.set.clone()
}
