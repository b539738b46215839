//! How a game stands: royals, no legal move, repetition, move limit, material.

use super::movegen::has_moves;
use super::notation::{Notation, moves::write, side_name};
use super::position::Position;
use crate::game::{GameResult, Rule, Side, TreeVerdict, Verdict};

/// A decision by a rule that needs no move generation.
enum Decision {
    RoyalsGone,
    /// `cycle` is the number of plies since the last occurrence before this one.
    Repetition {
        cycle: usize,
    },
    MoveLimit(u32),
    Material,
}

fn decide(position: &Position, repetitions: impl Fn(usize) -> Option<u32>) -> Option<Decision> {
    if position.is_over() {
        return Some(Decision::RoyalsGone);
    }
    let mut cycle = 0;
    for (occurrences, distance) in (2..).zip(position.earlier_occurrences()) {
        if cycle == 0 {
            cycle = distance;
        }
        if repetitions(distance).is_some_and(|needed| occurrences >= needed) {
            return Some(Decision::Repetition { cycle });
        }
    }
    let rules = position.rules();
    if let Some(limit) = rules.move_limit_plies
        && position.no_progress_plies() >= limit
    {
        return Some(Decision::MoveLimit(limit));
    }
    (rules.material_draw && is_dead(position)).then_some(Decision::Material)
}

/// Whether each side has nothing but a single royal left: neither can force anything.
fn is_dead(position: &Position) -> bool {
    Side::ALL.into_iter().all(|side| position.piece_count(side) == 1)
}

/// What the rules say of a node of a search tree; see [`crate::game::Game::tree_verdict`].
///
/// A position that stood before *inside* the tree is a draw at its second occurrence.
pub(crate) fn tree_verdict(position: &Position, ply: usize) -> Option<TreeVerdict> {
    let needed = position.rules().repetitions;
    let in_tree = |distance: usize| match needed {
        Some(needed) if distance <= ply => Some(needed.min(2)),
        _ => needed,
    };
    decide(position, in_tree).map(|decision| match decision {
        Decision::RoyalsGone => {
            let side = position.side_to_move();
            match (position.royal_count(side), position.royal_count(!side)) {
                (0, 0) => TreeVerdict::Draw,
                (0, _) => TreeVerdict::Lost,
                _ => TreeVerdict::Won,
            }
        }
        Decision::Repetition { .. } | Decision::MoveLimit(_) | Decision::Material => {
            TreeVerdict::Draw
        }
    })
}

/// How the game stands by all rules, with reasons; see [`crate::game::Game::judge`].
pub(crate) fn judge(position: &Position) -> Verdict {
    let mut verdict = Verdict {
        result: GameResult::None,
        rule: None,
        offender: None,
        cycle: Vec::new(),
        cycle_moves: Vec::new(),
        pieces: Vec::new(),
        explanation: "The game goes on.".to_owned(),
    };
    let needed = position.rules().repetitions;
    match decide(position, |_| needed) {
        Some(Decision::RoyalsGone) => {
            verdict.rule = Some(Rule::Royals);
            let lost: Vec<Side> =
                Side::ALL.into_iter().filter(|&side| position.royal_count(side) == 0).collect();
            match lost[..] {
                [side] => {
                    verdict.result = GameResult::win(!side);
                    verdict.explanation =
                        format!("{} has no royal left and loses.", side_name(side));
                }
                _ => {
                    verdict.result = GameResult::Draw;
                    verdict.explanation =
                        "Both sides lost their last royal with one move: a draw.".to_owned();
                }
            }
            return verdict;
        }
        Some(decision) if has_moves(position) => {
            verdict.result = GameResult::Draw;
            match decision {
                Decision::Repetition { cycle } => {
                    verdict.rule = Some(Rule::Repetition);
                    // Perhaps more than the rules ask for, if it was played on.
                    let occurrences = position.earlier_occurrences().count() as u32 + 1;
                    verdict.explanation = format!(
                        "The position stands for the {} time: a draw.",
                        ordinal(occurrences)
                    );
                    let moves = position.moves_made();
                    let start = moves.len() - cycle;
                    verdict.cycle = (start + 1..=moves.len()).collect();
                    verdict.cycle_moves =
                        moves[start..].iter().map(|&mv| write(mv, Notation::Native)).collect();
                }
                Decision::MoveLimit(limit) => {
                    verdict.rule = Some(Rule::MoveLimit);
                    verdict.explanation = format!(
                        "{} plies without capture or promotion, the limit is {limit}: a draw.",
                        position.no_progress_plies()
                    );
                }
                _ => {
                    verdict.rule = Some(Rule::Material);
                    verdict.explanation = "Each side has only one royal left: a draw.".to_owned();
                }
            }
            return verdict;
        }
        _ => {}
    }
    if !has_moves(position) {
        let side = position.side_to_move();
        verdict.rule = Some(Rule::Stalemate);
        if position.rules().stalemate_loses {
            verdict.result = GameResult::win(!side);
            verdict.explanation = format!("{} has no legal move and loses.", side_name(side));
        } else {
            verdict.result = GameResult::Draw;
            verdict.explanation = format!("{} has no legal move: a draw.", side_name(side));
        }
    }
    verdict
}

fn ordinal(number: u32) -> String {
    match number {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        _ => format!("{number}th"),
    }
}
