//! The full verdict on a position, in words: who did what in which plies.

use super::super::moves::Move;
use super::super::piece::Piece;
use super::super::position::Position;
use super::super::square::Square;
use super::chase::{Chase, Means, chases, new_threats};
use super::cycle::Cycle;
use super::ruling::{Offence, Ruling};
use super::{judge_cycle, limits, repetition};
use crate::game::{Game, GameResult, Named, Rule, Side, Verdict};
use crate::games::xiangqi::Xiangqi;

/// How the game stands by all rules. In order: no legal move, repetition, move limit, material.
pub fn judge(position: &Position) -> Verdict {
    if !position.has_moves() {
        return no_moves(position);
    }
    if let Some(plies) = repetition(position, 0) {
        return repeated(&Cycle { end: position, plies });
    }
    if limits::limit_reached(position) {
        let explanation = format!(
            "{} plies without a capture count towards the move limit of {}: a draw.",
            limits::counted_plies(position),
            position.rules().move_limit_plies.unwrap_or_default()
        );
        return verdict(GameResult::Draw, Some(Rule::MoveLimit), explanation);
    }
    if limits::is_material_draw(position) {
        let explanation =
            "Neither side has a chariot, horse, cannon or soldier left: a draw.".to_owned();
        return verdict(GameResult::Draw, Some(Rule::Material), explanation);
    }
    goes_on(position)
}

fn no_moves(position: &Position) -> Verdict {
    let loser = position.side_to_move();
    let (rule, why) = if position.in_check() {
        (Rule::Checkmate, "is in check and has no legal move: checkmate")
    } else {
        (Rule::Stalemate, "has no legal move: stalemate, which loses")
    };
    let mut verdict = verdict(
        GameResult::win(!loser),
        Some(rule),
        format!("{} {why}. {} wins.", name(loser), name(!loser)),
    );
    verdict.pieces.push(describe(position, position.general(loser)));
    let checkers = position.checkers();
    verdict.pieces.extend(checkers.map(|checker| describe(position, checker)));
    verdict
}

fn goes_on(position: &Position) -> Verdict {
    let mut verdict = verdict(GameResult::None, None, "The game goes on.".to_owned());
    let chases = chases(position);
    if !chases.is_empty() {
        let threats: Vec<String> = chases
            .iter()
            .map(|chase| {
                format!(
                    "{} could take {}{}",
                    describe(position, chase.threat.attacker),
                    describe(position, chase.threat.target),
                    means_note(chase.means)
                )
            })
            .collect();
        verdict.explanation +=
            &format!(" The last move threatens anew (a chase): {}.", threats.join("; "));
        for chase in chases {
            push_new(&mut verdict.pieces, describe(position, chase.threat.target));
        }
    }
    verdict
}

/// The verdict on a cycle that the rules judge now.
fn repeated(cycle: &Cycle<'_>) -> Verdict {
    let ruling = judge_cycle(cycle);
    let history = cycle.end.history();
    let last_turn = last_turn(cycle);
    let first_ply = history.len() - last_turn + 1;
    let set = cycle.end.rules().set.name();
    let before = history.iter().filter(|record| record.key == cycle.end.key()).count();
    let occurrences = ordinal(before as u32 + 1);
    let mut explanation =
        format!("The position after ply {} occurs for the {occurrences} time. ", history.len());
    let mut pieces = Vec::new();
    for side in [cycle.first_mover(), !cycle.first_mover()] {
        explanation += &conduct_sentence(cycle, &ruling, side, &mut pieces);
        explanation += " ";
    }
    let result = match ruling.offender() {
        Some(offender) => {
            explanation += &format!(
                "By the rules '{set}' {} must change its moves and loses.",
                name(offender)
            );
            GameResult::win(!offender)
        }
        None => {
            explanation += &format!("By the rules '{set}' this is a draw.");
            GameResult::Draw
        }
    };
    Verdict {
        result,
        rule: Some(ruling.rule()),
        offender: ruling.offender(),
        cycle: (first_ply..=history.len()).collect(),
        cycle_moves: history[first_ply - 1..].iter().map(|record| record.mv.to_string()).collect(),
        pieces,
        explanation,
    }
}

/// The plies since the last occurrence of the position at the end of a cycle.
fn last_turn(cycle: &Cycle<'_>) -> usize {
    let history = cycle.end.history();
    (2..=cycle.plies)
        .step_by(2)
        .find(|back| history[history.len() - back].key == cycle.end.key())
        .unwrap_or(cycle.plies)
}

/// What a side did throughout a cycle; adds the pieces that mattered.
fn conduct_sentence(
    cycle: &Cycle<'_>,
    ruling: &Ruling,
    side: Side,
    pieces: &mut Vec<String>,
) -> String {
    let conduct = ruling.conduct[side.index()];
    let plies = own_plies(cycle, side);
    match ruling.offences[side.index()] {
        Offence::Nothing => {
            format!("{} neither checked nor chased with every move.", name(side))
        }
        Offence::Check => {
            let end = if cycle.end.side_to_move() == side {
                previous(cycle.end)
            } else {
                cycle.end.clone()
            };
            push_new(pieces, describe(&end, end.general(!side)));
            for checker in end.checkers() {
                push_new(pieces, describe(&end, checker));
            }
            format!("{} gave check with every move ({plies}).", name(side))
        }
        Offence::ChaseByCuttingOff | Offence::Chase | Offence::ChaseOfPinnedChariot => {
            let Some(target) = best_target(&conduct) else { return String::new() };
            let victim = describe(cycle.end, target);
            push_new(pieces, victim.clone());
            let deeds = deeds(cycle, side, target);
            if deeds.is_empty() {
                return format!("{} drove the {victim} to and fro ({plies}).", name(side));
            }
            let mut told = Vec::new();
            let turn = last_turn(cycle);
            let shown = cycle.plies - turn;
            for deed in &deeds {
                push_new(pieces, deed.attacker_at_end.clone());
                if deed.index >= shown {
                    told.push(format!("ply {}: {}", deed.ply, deed.text));
                }
            }
            format!(
                "{} chased the {victim} with every move ({plies}; in the last turn {}).",
                name(side),
                told.join("; ")
            )
        }
    }
}

/// The gravest of the targets that a side chased throughout.
fn best_target(conduct: &super::cycle::Conduct) -> Option<Square> {
    conduct
        .chased_pinned
        .first()
        .or_else(|| conduct.chased_outright.first())
        .or_else(|| conduct.chased.first())
}

/// A chase within a cycle.
struct Deed {
    /// The index of the move in the cycle.
    index: usize,
    /// The ply, from 1 at the start of the move list.
    ply: usize,
    /// `red cannon b2 attacks the black chariot b9`.
    text: String,
    /// The attacker as it stands at the end of the cycle.
    attacker_at_end: String,
}

/// The chases by a side of the piece that stands on `target` at the end.
fn deeds(cycle: &Cycle<'_>, side: Side, target: Square) -> Vec<Deed> {
    let moves: Vec<Move> = cycle.moves().iter().map(|record| record.mv).collect();
    let first_ply = cycle.end.history().len() - cycle.plies + 1;
    let (mut board, _) = cycle.rewind();
    let mut deeds = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        let mover = board.side_to_move();
        board.make(mv);
        if mover != side {
            continue;
        }
        let here = trace_back(&moves[index + 1..], target);
        let targets = super::super::bitboard::Bitboard::of(here);
        for Chase { threat, means } in new_threats(&mut board, mv, targets) {
            deeds.push(Deed {
                index,
                ply: first_ply + index,
                text: format!(
                    "{} attacks {}{}",
                    describe(&board, threat.attacker),
                    describe(&board, here),
                    means_note(means)
                ),
                attacker_at_end: describe(
                    cycle.end,
                    trace_forward(&moves[index + 1..], threat.attacker),
                ),
            });
        }
    }
    deeds
}

/// Where the piece that stands on `square` after `moves` stood before them.
fn trace_back(moves: &[Move], square: Square) -> Square {
    moves.iter().rev().fold(square, |here, mv| if mv.to() == here { mv.from() } else { here })
}

/// Where the piece on `square` stands after `moves`.
fn trace_forward(moves: &[Move], square: Square) -> Square {
    moves.iter().fold(square, |here, mv| if mv.from() == here { mv.to() } else { here })
}

/// The plies of a side in a cycle: `plies 1, 3, 5 and 7`.
fn own_plies(cycle: &Cycle<'_>, side: Side) -> String {
    let first = cycle.end.history().len() - cycle.plies + 1;
    let offset = usize::from(side != cycle.first_mover());
    let plies: Vec<String> =
        (first + offset..first + cycle.plies).step_by(2).map(|ply| ply.to_string()).collect();
    match plies.as_slice() {
        [one] => format!("ply {one}"),
        [most @ .., last] => format!("plies {} and {last}", most.join(", ")),
        [] => String::new(),
    }
}

fn previous(position: &Position) -> Position {
    let mut board = position.clone();
    board.unmake();
    board
}

fn means_note(means: Means) -> &'static str {
    match means {
        Means::Attack => "",
        Means::Pin => " (its protector cannot take back any more)",
        Means::CutOff => " (its protector is cut off)",
    }
}

fn verdict(result: GameResult, rule: Option<Rule>, explanation: String) -> Verdict {
    Verdict {
        result,
        rule,
        offender: None,
        cycle: Vec::new(),
        cycle_moves: Vec::new(),
        pieces: Vec::new(),
        explanation,
    }
}

fn name(side: Side) -> &'static str {
    Xiangqi::SIDES[side.index()]
}

/// `black cannon h7`.
fn describe(position: &Position, square: Square) -> String {
    match position.piece_at(square) {
        Some(piece) => format!("{} {square}", piece_name(piece)),
        None => square.to_string(),
    }
}

fn piece_name(piece: Piece) -> String {
    format!("{} {}", name(piece.side()).to_lowercase(), piece.kind().name())
}

fn push_new(pieces: &mut Vec<String>, piece: String) {
    if !pieces.contains(&piece) {
        pieces.push(piece);
    }
}

fn ordinal(number: u32) -> String {
    match number {
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        4 => "fourth".to_owned(),
        5 => "fifth".to_owned(),
        _ => format!("{number}th"),
    }
}
