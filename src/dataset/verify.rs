//! Checks a file against the rules: every block, every move, every flag that the rules decide, every end.

use super::ToolError;
use super::error::{Fault, Problem};
use super::numbers::NumberSet;
use super::stream::{Batch, Item, Watch, each_game};
use crate::data::{ChainView, EndReason, Ply, PlyFlags, Reader};
use crate::game::{Evaluate, GameResult, Rules};
use crate::score::ScoreKind;

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Games that are right.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// What is wrong; the watch was told of each.
    pub faults: u64,
    /// Mates whose distance has the wrong parity: a side mates after an odd number of plies. Only a hint: in some games a move
    /// can lose at once.
    pub odd_mates: u64,
}

/// Checks everything.
///
/// # Errors
/// Only [`ToolError::Interrupted`]: what is wrong with the file is told to the watch.
pub fn verify<G: Evaluate>(
    reader: &Reader,
    rules: Rules<G::RuleSet>,
    watch: &mut Watch<'_>,
) -> Result<Report, ToolError> {
    let mut faults = 0;
    let mut report = Report::default();
    let mut numbers = NumberSet::default();
    let mut twice = Vec::new();
    let fault = &mut watch.fault;
    let mut count = |found: Fault| {
        faults += 1;
        fault(found);
    };
    let mut counting =
        Watch { stop: watch.stop.clone(), progress: &mut *watch.progress, fault: &mut count };
    let work = |item: Item<'_>| {
        let odd_mates = check::<G>(&item.game, rules)?;
        Ok((item.game.number(), item.game.len() as u64, odd_mates))
    };
    each_game(reader, &mut counting, Batch::USUAL, work, |(number, plies, odd_mates)| {
        if !numbers.insert(number) && twice.len() < MOST_TWICE {
            twice.push(number);
        }
        report.games += 1;
        report.plies += plies;
        report.odd_mates += odd_mates;
        Ok(())
    })?;
    // Found out only in the end where they stand: this is rare.
    if !twice.is_empty() {
        for (place, block) in
            reader.places().flatten().filter_map(|place| Some((place, reader.block(&place).ok()?)))
        {
            for number in block.games().map(|game| game.number()) {
                if twice.contains(&number) {
                    let problem = Problem::whole("two games have this number");
                    let (block, offset) = (place.head.number, place.offset);
                    (counting.fault)(Fault::Game { block, offset, game: number, problem });
                }
            }
        }
    }
    report.faults = faults;
    Ok(report)
}

/// Most numbers that are told to come twice.
const MOST_TWICE: usize = 100;

/// Replays a game and checks it; gives the number of mates with a distance of the wrong parity.
fn check<G: Evaluate>(game: &ChainView<'_>, rules: Rules<G::RuleSet>) -> Result<u64, Problem> {
    let mut problem = None;
    let mut odd_mates = 0;
    let mut number = 0;
    let last = game.replay::<G>(rules, |position, ply, mv| {
        number += 1;
        if problem.is_none() {
            problem = wrong::<G>(position, ply, mv).map(|reason| Problem::at(number, reason));
        }
        odd_mates += u64::from(has_wrong_parity(ply));
    })?;
    if let Some(problem) = problem {
        return Err(problem);
    }
    let (result, end) = (game.result(), game.end());
    let verdict = G::judge(&last);
    match verdict.rule.map(EndReason::from).filter(|_| verdict.result != GameResult::None) {
        Some(rule) if (rule, verdict.result) != (end, result) => Err(Problem::whole(format!(
            "the game ends by {} ({}) in the file, by {} ({}) by the rules: {}",
            end.name(),
            name(result),
            rule.name(),
            name(verdict.result),
            verdict.explanation
        ))),
        None if !is_given(end) => Err(Problem::whole(format!(
            "the game ends by {} ({}) in the file; by the rules it goes on",
            end.name(),
            name(result)
        ))),
        None if !fits(end, result) => Err(Problem::whole(format!(
            "{} does not go with the result {}",
            end.name(),
            name(result)
        ))),
        _ => Ok(odd_mates),
    }
}

/// What is wrong with a ply, if anything is.
fn wrong<G: Evaluate>(position: &G::Position, ply: &Ply, mv: G::Move) -> Option<String> {
    let verdict = G::judge(position);
    if verdict.result != GameResult::None {
        return Some(format!("the game was over: {}", verdict.explanation));
    }
    let in_check = G::in_check(position);
    if ply.flags.contains(PlyFlags::IN_CHECK) != in_check {
        let word = if in_check { "is" } else { "is not" };
        return Some(format!("the side to move {word} in check; the flag says otherwise"));
    }
    let best = match ply.best {
        None => mv,
        Some(code) => match G::decode(position, code) {
            Some(best) if best == mv => {
                return Some("the best move is the one played, but flagged as another".to_owned());
            }
            Some(best) => best,
            None => return Some(format!("its best move {code:#x} is no legal move")),
        },
    };
    if ply.flags.contains(PlyFlags::NOISY) != G::is_noisy(position, best) {
        return Some("the flag for changes of material is wrong".to_owned());
    }
    None
}

/// Whether a reason is given by the program that played, not by the rules.
const fn is_given(end: EndReason) -> bool {
    matches!(
        end,
        EndReason::AdjudicatedWin
            | EndReason::AdjudicatedDraw
            | EndReason::AdjudicatedLead
            | EndReason::LengthLimit
    )
}

/// Whether a given reason goes with a result.
fn fits(end: EndReason, result: GameResult) -> bool {
    let is_win = matches!(end, EndReason::AdjudicatedWin | EndReason::AdjudicatedLead);
    is_win == (result != GameResult::Draw)
}

const fn name(result: GameResult) -> &'static str {
    match result {
        GameResult::First => "first",
        GameResult::Second => "second",
        GameResult::Draw => "draw",
        GameResult::None => "none",
    }
}

fn has_wrong_parity(ply: &Ply) -> bool {
    let is_bound = ply.flags.intersects(PlyFlags::LOWER | PlyFlags::UPPER);
    match ply.score.map(|score| score.kind()) {
        Some(ScoreKind::Mate(plies)) if !is_bound => (plies > 0) != (plies % 2 != 0),
        _ => false,
    }
}
