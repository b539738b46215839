//! Groups of arguments of `analyze`: limits, input, output.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::super::failure::Failure;
use super::super::number::whole;
use crate::analysis::input::{Every, InputFormat};
use crate::analysis::output::OutputFormat;
use crate::game::Named;

/// When a search ends.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits (at least one)")]
pub struct LimitArgs {
    /// Deepest iteration, in plies
    #[arg(long, value_name = "N", value_parser = whole(1_u32..=127))]
    pub depth: Option<u32>,
    /// Nodes of each position, such as 50000, 200k, 10M
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub nodes: Option<u64>,
    /// Time of each position, in milliseconds
    #[arg(long, value_name = "MS", value_parser = whole(1_u64..=u64::MAX))]
    pub movetime: Option<u64>,
    /// A mate in at most so many moves; without another limit, a position is given up 4 plies deeper
    #[arg(long, value_name = "N", value_parser = whole(1_u32..=60))]
    pub mate: Option<u32>,
}

/// How input is read.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Input")]
pub struct InputArgs {
    /// The format of all files
    #[arg(long = "input", value_name = "FORMAT", default_value = "auto", value_parser = value_parser::<InputFormat>())]
    pub input_format: InputFormat,
    /// The text encoding (utf-8, gbk, gb18030, big5, ...) [default: UTF-8; in games the one that gives legal moves]
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<String>,
    /// Every JSON line is a game, with or without a result
    #[arg(long)]
    pub games: bool,
    /// Of a game, analyse each K-th position, or `last`
    #[arg(long, value_name = "K", default_value = "1")]
    pub every: Every,
    /// Stop at the first input that is refused, with exit code 3; opcodes that nobody knows are refused too
    #[arg(long)]
    pub strict: bool,
}

/// Where records go and how they look.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct RecordArgs {
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Continue the output of a run that was stopped
    #[arg(long, requires = "output")]
    pub resume: bool,
    /// Overwrite an output that exists
    #[arg(long, conflicts_with = "resume")]
    pub force: bool,
    /// Write records as they come, not in input order
    #[arg(long)]
    pub unordered: bool,
    /// The format of records
    #[arg(long = "as", value_name = "FORMAT", default_value = "jsonl", value_parser = value_parser::<OutputFormat>())]
    pub output_format: OutputFormat,
    /// The same as --as jsonl
    #[arg(long, conflicts_with = "output_format")]
    pub json: bool,
    /// The notation of moves [default: the game's own]
    #[arg(long, value_name = "NAME")]
    pub notation: Option<String>,
    /// Tell time_ms also where no time limit is set
    #[arg(long)]
    pub timing: bool,
}

/// A parser for a named value that shows the names in the help.
fn value_parser<N: Named>() -> impl TypedValueParser<Value = N> {
    let names = N::ALL
        .iter()
        .map(|value| clap::builder::PossibleValue::new(value.name()).help(value.summary()));
    PossibleValuesParser::new(names)
        .map(|name| N::from_name(&name).expect("clap lets only the names through"))
}

fn parse_count(text: &str) -> Result<u64, String> {
    let (number, factor) = match text.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&text[..at], 1_000),
        Some((at, 'm' | 'M')) => (&text[..at], 1_000_000),
        Some((at, 'g' | 'G')) => (&text[..at], 1_000_000_000),
        _ => (text, 1),
    };
    let number: u64 = number
        .replace('_', "")
        .parse()
        .map_err(|_| "no count; write it like 50000, 200k or 10M".to_owned())?;
    match number.checked_mul(factor) {
        Some(0) => Err("a search needs at least one node".to_owned()),
        Some(count) => Ok(count),
        None => Err("too large".to_owned()),
    }
}

impl LimitArgs {
    /// Refuses a run that would never end.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let Self { depth, nodes, movetime, mate } = self;
        if depth.is_none() && nodes.is_none() && movetime.is_none() && mate.is_none() {
            return Err(Failure::Usage(
                "no limit, so the analysis would never end; give --depth N (plies), --nodes N, \
                 --movetime MS or --mate N (moves)"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// The depth at which a search ends: a bare `--mate` gives up a little beyond the mate.
    pub(super) fn depth(&self) -> Option<u32> {
        const BEYOND_MATE: u32 = 4;
        match (self.depth, self.mate) {
            (None, Some(mate)) if self.nodes.is_none() && self.movetime.is_none() => {
                Some(2 * mate + BEYOND_MATE)
            }
            (depth, _) => depth,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_have_units() {
        assert_eq!(parse_count("200k"), Ok(200_000));
        assert_eq!(parse_count("1_000"), Ok(1_000));
        assert_eq!(parse_count("10M"), Ok(10_000_000));
        for bad in ["", "k", "-1", "1.5M", "0", "99999999999999999999", "99999999999999G"] {
            assert!(parse_count(bad).is_err(), "{bad}");
        }
    }
}
