//! `data filter`: marks on positions that a trainer should not learn from.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};

use super::super::args::ParamsArgs;
use super::super::failure::Failure;
use super::super::number::whole;
use super::super::terminal::Terminal;
use super::session::{Source, SourceCommand, on_source, refuse_faults, set_threads, watched};
use super::{CommonArgs, OutputArgs, counts_json, counts_text};
use crate::data::EndReason;
use crate::dataset::filter::{Earlier, Filter, filter};
use crate::game::{Evaluate, Rules};

/// Mark positions that a trainer should not learn from
///
/// Every condition is one more reason to leave a position out; the summary counts each position under the first that it fails.
#[derive(Args, Clone, Debug)]
pub(super) struct FilterArgs {
    /// The file to read
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// The output.
    #[command(flatten)]
    output: OutputArgs,
    /// Leave out positions before this ply of the game
    #[arg(long, value_name = "N", value_parser = whole(0_u32..=u32::MAX))]
    min_ply: Option<u32>,
    /// Leave out positions after this ply of the game
    #[arg(long, value_name = "N", value_parser = whole(0_u32..=u32::MAX))]
    max_ply: Option<u32>,
    /// Leave out scores beyond so many centipawns, and mates
    #[arg(long, value_name = "CP", value_parser = whole(0_i32..=i32::MAX))]
    max_score: Option<i32>,
    /// Leave out mates and decisions by a repetition rule
    #[arg(long)]
    no_mates: bool,
    /// Leave out scores that are only bounds
    #[arg(long)]
    no_bounds: bool,
    /// Leave out positions in check
    #[arg(long)]
    no_check: bool,
    /// Leave out positions whose best move captures (or promotes)
    #[arg(long)]
    no_captures: bool,
    /// Leave out positions where another move than the best was played
    #[arg(long)]
    no_sampled: bool,
    /// Leave out games that ended so; may be given again
    #[arg(long = "no-end", value_name = "REASON", value_parser = end_parser())]
    ends: Vec<EndReason>,
    /// Leave out positions with fewer pieces on the board
    #[arg(long, value_name = "N", value_parser = whole(0_u32..=u32::MAX))]
    min_pieces: Option<u32>,
    /// Leave out positions in check, and those that quiescence changes by more than so many centipawns
    #[arg(long, value_name = "CP", value_parser = whole(0_i32..=i32::MAX))]
    quiet_margin: Option<i32>,
    /// Take the marks of earlier filters and samples away first
    #[arg(long)]
    reset: bool,
    /// The parameters, for --quiet-margin.
    #[command(flatten)]
    params: ParamsArgs,
    #[command(flatten)]
    common: CommonArgs,
}

fn end_parser() -> impl TypedValueParser<Value = EndReason> {
    PossibleValuesParser::new(EndReason::ALL.map(EndReason::name)).map(|name| {
        let is_named = |end: &EndReason| end.name() == name;
        EndReason::ALL.into_iter().find(is_named).expect("only these names come here")
    })
}

impl FilterArgs {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        set_threads(&self.common);
        if self.filter() == Filter::default() && !self.reset {
            return Err(Failure::Usage(
                "no condition; give --min-ply, --no-check, --no-captures, --max-score, ..."
                    .to_owned(),
            ));
        }
        on_source(&self.input, self, terminal)
    }

    fn filter(&self) -> Filter {
        Filter {
            min_ply: self.min_ply,
            max_ply: self.max_ply,
            max_score: self.max_score,
            no_decisive: self.no_mates,
            no_bounds: self.no_bounds,
            no_check: self.no_check,
            no_captures: self.no_captures,
            no_sampled: self.no_sampled,
            ends: self.ends.clone(),
            min_pieces: self.min_pieces,
            quiet: self.quiet_margin,
        }
    }
}

impl SourceCommand for FilterArgs {
    fn run_on<G: Evaluate>(
        &self,
        source: &Source<'_>,
        rules: Rules<G::RuleSet>,
        terminal: &Terminal,
    ) -> Result<(), Failure> {
        let params = Arc::new(self.params.resolve::<G>()?);
        let target = self.output.target([&self.input].into_iter().chain(&self.params.params))?;
        let earlier = if self.reset { Earlier::Forget } else { Earlier::Keep };
        let conditions = self.filter();
        let (report, faults) = watched(terminal, "filter", |watch| {
            filter::<G>(&source.reader, target, &conditions, earlier, &params, rules, watch)
        })?;
        let output = &self.output.output;
        if self.common.json {
            let mut map = counts_json(&report.counts, output);
            let reasons =
                report.reasons.iter().map(|&(name, count)| (name.to_owned(), json!(count)));
            map.insert("reasons".to_owned(), Value::Object(reasons.collect()));
            terminal.print_json(&Value::Object(map))?;
        } else {
            let mut text = counts_text(&report.counts, output);
            for (name, count) in &report.reasons {
                text += &format!("left out for {name:<12}{count:>12}\n");
            }
            terminal.print(&text)?;
        }
        refuse_faults(&self.input, faults)
    }
}
