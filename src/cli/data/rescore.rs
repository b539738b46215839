//! `data rescore`: new scores from another search.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{ArgGroup, Args};
use serde_json::json;

use super::super::args::ParamsArgs;
use super::super::failure::Failure;
use super::super::number::whole;
use super::super::terminal::Terminal;
use super::CommonArgs;
use super::session::{Source, SourceCommand, on_source, refuse_faults, set_threads, watched};
use crate::datagen::Effort;
use crate::dataset::rescore::{Plan, Scope, rescore};
use crate::dataset::{Existing, Target};
use crate::duel::pace::parse_count;
use crate::game::{Evaluate, Rules};

/// Search the positions again
///
/// Moves stay, scores and best moves are those of the new search. The output is the same for any number of threads. It is written
/// as it grows: after a stop, --resume goes on.
#[derive(Args, Clone, Debug)]
#[command(group = ArgGroup::new("limit").required(true).multiple(true).args(["depth", "nodes", "hard_nodes"]))]
pub(super) struct RescoreArgs {
    /// The file to read
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace the output if it exists
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Continue the output of an earlier run with the same arguments
    #[arg(long)]
    resume: bool,
    /// Depth of each search
    #[arg(long, value_name = "N", value_parser = whole(1_u32..=u32::MAX))]
    depth: Option<u32>,
    /// No new iteration after so many nodes
    #[arg(long, value_name = "N", value_parser = parse_count)]
    nodes: Option<u64>,
    /// Never more nodes
    #[arg(long, value_name = "N", value_parser = parse_count)]
    hard_nodes: Option<u64>,
    /// Size of each thread's hash table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 8, value_parser = whole(0_u64..=1 << 20))]
    hash: u64,
    /// Also search openings and positions that are marked
    #[arg(long)]
    all: bool,
    /// The parameters.
    #[command(flatten)]
    params: ParamsArgs,
    #[command(flatten)]
    common: CommonArgs,
}

impl RescoreArgs {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        set_threads(&self.common);
        on_source(&self.input, self, terminal)
    }

    /// Looks at what is there under the name of the output.
    fn check_output(&self) -> Result<(), Failure> {
        let existing = match (self.force, self.resume) {
            (false, false) => Existing::Refuse,
            _ => Existing::Replace,
        };
        let mut inputs = vec![self.input.as_path()];
        inputs.extend(self.params.params.as_deref());
        drop(Target::new(&self.output, existing, &inputs)?);
        if self.force && self.output.symlink_metadata().is_ok() {
            fs::remove_file(&self.output).map_err(|error| Failure::file(&self.output, &error))?;
        }
        Ok(())
    }
}

impl SourceCommand for RescoreArgs {
    fn run_on<G: Evaluate>(
        &self,
        source: &Source<'_>,
        rules: Rules<G::RuleSet>,
        terminal: &Terminal,
    ) -> Result<(), Failure> {
        let plan = Plan::<G> {
            effort: Effort {
                depth: self.depth,
                soft_nodes: self.nodes,
                hard_nodes: self.hard_nodes,
            },
            params: Arc::new(self.params.resolve::<G>()?),
            hash_mib: self.hash as usize,
            scope: if self.all { Scope::All } else { Scope::Used },
        };
        self.check_output()?;
        let (report, faults) = watched(terminal, "rescore", |watch| {
            rescore::<G>(&source.reader, &self.output, &plan, rules, watch)
        })
        .inspect_err(|failure| {
            if *failure == Failure::Interrupted {
                terminal.note("the same command with --resume goes on from here");
            }
        })?;
        let distance = match report.distances {
            0 => None,
            count => Some(report.distance_cp as f64 / count as f64),
        };
        if self.common.json {
            terminal.print_json(&json!({
                "output": self.output.display().to_string(), "resumed_games": report.resumed,
                "games": report.games, "positions": report.positions, "nodes": report.nodes,
                "mean_change_cp": distance,
            }))?;
        } else {
            let mut text = format!(
                "{} games with {} positions searched, {} nodes; {} games were there\n",
                report.games, report.positions, report.nodes, report.resumed
            );
            if let Some(distance) = distance {
                text += &format!("scores changed by {distance:.1} centipawns on average\n");
            }
            terminal.print(&text)?;
        }
        refuse_faults(&self.input, faults)
    }
}
