//! `perft-diff`: our divide beside a UCI engine's, down to the first position in which the legal moves differ.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use kyokumen::game::{Evaluate, MoveKind, Named};
use kyokumen::games::{Command, GameId, detect, dispatch};
use kyokumen::perft::perft;

use crate::engine::{Divide, Engine};

/// Find the first position in which our legal moves differ from a UCI engine's
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen-tools perft-diff --engine ./pikafish --depth 4
  kyokumen-tools perft-diff --engine ./fairy-stockfish --variant xiangqi --ranks 1 --depth 3 -p \"4k4/...\"

Exit codes: 0 the counts agree, 1 they differ, 4 the engine failed.")]
pub(crate) struct PerftDiffArgs {
    /// The engine's program
    #[arg(long, value_name = "PATH")]
    engine: String,
    /// Plies to the leaves
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// The position
    #[arg(short, long, value_name = "TEXT", default_value = "startpos")]
    position: String,
    /// The game [default: recognised from the position]
    #[arg(long, value_name = "GAME")]
    game: Option<GameId>,
    /// The value of the engine's option UCI_Variant
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// The number of the lowest rank in the engine's moves: Pikafish 0, Fairy-Stockfish 1
    #[arg(long, value_name = "0|1", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1))]
    ranks: u32,
    /// Another option of the engine
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// The longest time that an answer may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    patience: u64,
}

fn parse_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("no '='; write NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

impl PerftDiffArgs {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let game = self.game.or_else(|| detect(&self.position)).unwrap_or(GameId::Xiangqi);
        dispatch(game, Diff(self))
    }

    /// The engine's text of one of our moves.
    fn our_move_to_engine(&self, mv: &str) -> String {
        shift_numbers(mv, i64::from(self.ranks))
    }

    /// Our text of one of the engine's moves.
    fn engine_move_to_ours(&self, mv: &str) -> String {
        shift_numbers(mv, -i64::from(self.ranks))
    }
}

/// Adds to every number in a text.
fn shift_numbers(text: &str, by: i64) -> String {
    let mut shifted = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let digits = &rest[start..];
        let end = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
        shifted.push_str(&rest[..start]);
        match digits[..end].parse::<i64>() {
            Ok(number) => shifted.push_str(&(number + by).to_string()),
            Err(_) => shifted.push_str(&digits[..end]),
        }
        rest = &digits[end..];
    }
    shifted + rest
}

struct Diff<'a>(&'a PerftDiffArgs);

impl Command for Diff<'_> {
    type Output = Result<ExitCode>;

    fn run<G: Evaluate>(self) -> Self::Output {
        let args = self.0;
        let rules = G::rules(G::RuleSet::ALL[0]);
        let mut position = if args.position == "startpos" {
            G::start(rules)
        } else {
            G::parse_position(&args.position, rules).context("--position")?.position
        };
        let fen =
            G::format_position(&position, G::Format::ALL[0]).map_err(|reason| anyhow!(reason))?;
        let variant = args.variant.iter().map(|name| ("UCI_Variant".to_owned(), name.clone()));
        let options: Vec<(String, String)> = variant.chain(args.options.iter().cloned()).collect();
        let patience = Duration::from_secs(args.patience);
        let mut engine = Engine::start(&args.engine, &options, patience)?;

        let mut path: Vec<String> = Vec::new();
        let mut depth = args.depth;
        loop {
            let sent: Vec<String> = path.iter().map(|mv| args.our_move_to_engine(mv)).collect();
            let theirs = engine.divide(&fen, &sent, depth)?;
            let theirs = Divide {
                moves: theirs
                    .moves
                    .iter()
                    .map(|(mv, &nodes)| (args.engine_move_to_ours(mv), nodes))
                    .collect(),
                nodes: theirs.nodes,
            };
            let ours = divide::<G>(&mut position, depth);
            println!(
                "depth {depth}, moves [{}]: ours {}, theirs {}",
                path.join(" "),
                ours.nodes,
                theirs.nodes
            );
            let differences = differences(&ours.moves, &theirs.moves);
            if differences.is_empty() {
                println!("no difference");
                return Ok(ExitCode::SUCCESS);
            }
            for (mv, ours, theirs) in &differences {
                println!("  {mv}: ours {}, theirs {}", count(*ours), count(*theirs));
            }
            let first =
                differences.iter().find(|(_, ours, theirs)| ours.is_some() && theirs.is_some());
            let sets_differ =
                differences.iter().any(|(_, ours, theirs)| ours.is_none() || theirs.is_none());
            match first {
                Some((mv, ..)) if !sets_differ && depth > 1 => {
                    let played = G::parse_move(&position, mv).context("our own move")?;
                    G::make(&mut position, played);
                    path.push(mv.clone());
                    depth -= 1;
                }
                _ => {
                    let here = G::format_position(&position, G::Format::ALL[0]);
                    println!("the moves differ in: {}", here.map_err(|reason| anyhow!(reason))?);
                    return Ok(ExitCode::from(1));
                }
            }
        }
    }
}

fn divide<G: Evaluate>(position: &mut G::Position, depth: u32) -> Divide {
    let mut moves = Vec::new();
    G::generate(position, MoveKind::All, &mut moves);
    let mut divide = Divide::default();
    for mv in moves {
        let text = G::format_move(position, mv, G::Notation::ALL[0]);
        G::make(position, mv);
        let nodes = perft::<G>(position, depth - 1);
        G::unmake(position);
        divide.nodes += nodes;
        divide.moves.insert(text, nodes);
    }
    divide
}

/// A move with our count and theirs.
type Difference = (String, Option<u64>, Option<u64>);

/// The moves whose counts are not equal, or that only one side lists.
fn differences(ours: &BTreeMap<String, u64>, theirs: &BTreeMap<String, u64>) -> Vec<Difference> {
    let only_theirs = theirs.keys().filter(|mv| !ours.contains_key(*mv));
    ours.keys()
        .chain(only_theirs)
        .map(|mv| (mv.clone(), ours.get(mv).copied(), theirs.get(mv).copied()))
        .filter(|(_, ours, theirs)| ours != theirs)
        .collect()
}

fn count(nodes: Option<u64>) -> String {
    nodes.map_or_else(|| "no such move".to_owned(), |nodes| nodes.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_shifted_in_both_directions() {
        assert_eq!(shift_numbers("h2e2", 1), "h3e3");
        assert_eq!(shift_numbers("a9a0", 1), "a10a1");
        assert_eq!(shift_numbers("a10a1", -1), "a9a0");
    }

    #[test]
    fn differences_name_moves_of_one_side_only() {
        let table = |pairs: &[(&str, u64)]| {
            pairs.iter().map(|&(mv, nodes)| (mv.to_owned(), nodes)).collect::<BTreeMap<_, _>>()
        };
        let found = differences(&table(&[("a", 1), ("b", 2)]), &table(&[("b", 3), ("c", 4)]));
        assert_eq!(
            found,
            [
                ("a".to_owned(), Some(1), None),
                ("b".to_owned(), Some(2), Some(3)),
                ("c".to_owned(), None, Some(4))
            ]
        );
    }
}
