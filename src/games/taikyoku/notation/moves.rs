//! Move text: native, and the two step orders of the ATSI protocol.
//!
//! All three name two or three squares. The protocol writes no `+`, as promotion is automatic under its rules; where the legal
//! moves leave a choice, a text without `+` means the move without promotion if there is one.

use super::super::movegen;
use super::super::piece::Move;
use super::super::position::Position;
use super::super::square::{STEPS, Square};
use super::{Notation, parse_square, side_name};
use crate::game::{MoveError, MoveKind};

/// Writes a move.
pub(crate) fn write(mv: Move, notation: Notation) -> String {
    let (from, to) = (mv.from(), mv.to());
    let step = mv.first_capture();
    match (notation, step) {
        (Notation::Native, _) => {
            let step = step.map(Square::name).unwrap_or_default();
            let mark = if mv.promotes() { "+" } else { "" };
            format!("{from}{step}{to}{mark}")
        }
        (_, None) => format!("{from} {to}"),
        (Notation::Atsi, Some(step)) => format!("{from} {step} {to}"),
        (Notation::Tomatene, Some(step)) => format!("{from} {to} {step}"),
    }
}

/// Reads a move in any notation and checks that it is legal.
///
/// # Errors
/// What is wrong with the text, or why the move is not legal.
pub(crate) fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let fail = |message: String| MoveError { text: text.to_owned(), message };
    let (squares, promotes) = split(text).map_err(fail)?;
    let (from, to, step) = match squares[..] {
        [from, to] => (from, to, None),
        [from, step, to] => (from, to, Some(step)),
        _ => return Err(fail("a move names two squares, or three with a first capture".into())),
    };
    let mut moves = Vec::new();
    movegen::generate(position, MoveKind::All, &mut moves);
    let find = |to: Square, step: Option<Square>, promotes: bool| {
        let wanted = |mv: &Move| {
            mv.from() == from
                && mv.to() == to
                && mv.promotes() == promotes
                && mv.first_capture() == step
        };
        moves.iter().copied().find(wanted)
    };
    if let Some(mv) = find(to, step, promotes) {
        return Ok(mv);
    }
    // tomatene: START END STEP.
    let swapped = step.and_then(|step| find(step, Some(to), promotes));
    if let Some(mv) = swapped {
        return Ok(mv);
    }
    if !promotes {
        let forced = find(to, step, true).or_else(|| step.and_then(|s| find(s, Some(to), true)));
        if let Some(mv) = forced {
            return Ok(mv);
        }
    }
    Err(fail(reason(position, &moves, from, to, step, promotes)))
}

/// The squares of a move text, and whether it promotes.
fn split(text: &str) -> Result<(Vec<Square>, bool), String> {
    let body = text.trim();
    let (body, promotes) = match body.strip_suffix('+') {
        Some(body) => (body, true),
        None => (body, false),
    };
    let mut squares = Vec::new();
    for word in body.split(|c: char| c.is_whitespace() || c == ',' || c == '-') {
        let mut rest = word;
        while !rest.is_empty() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let letters = rest[digits..].bytes().take_while(u8::is_ascii_alphabetic).count();
            if digits == 0 || letters == 0 {
                return Err(format!("'{rest}' is no square; write file and rank, as in 18z18y"));
            }
            squares.push(parse_square(&rest[..digits + letters])?);
            rest = &rest[digits + letters..];
        }
    }
    if squares.is_empty() {
        return Err("the text is empty; write file and rank twice, as in 18z18y".to_owned());
    }
    if squares.len() > 3 {
        return Err(format!("{} squares; a move has two or three", squares.len()));
    }
    Ok((squares, promotes))
}

/// Why a move that can be read is not legal.
fn reason(
    position: &Position,
    moves: &[Move],
    from: Square,
    to: Square,
    step: Option<Square>,
    promotes: bool,
) -> String {
    let side = position.side_to_move();
    if position.is_over() {
        return "the game is over: a side has no royal left".to_owned();
    }
    let Some(piece) = position.piece_at(from) else {
        return format!("there is no piece on {from}");
    };
    let code = &piece.kind().info().code;
    if piece.side() != side {
        return format!("the {code} on {from} is not {}'s, whose turn it is", side_name(side));
    }
    let ends: Vec<&Move> = moves.iter().filter(|mv| mv.from() == from && mv.to() == to).collect();
    if promotes && ends.iter().any(|mv| mv.first_capture() == step && !mv.promotes()) {
        return format!("the {code} on {from} cannot promote with this move; leave out '+'");
    }
    if let Some(step) = step {
        let adjacent = STEPS.iter().any(|&(rows, columns)| {
            let place = (from.row() as i32 + rows, from.column() as i32 + columns);
            Square::checked(place.0, place.1) == Some(step)
        });
        if !adjacent {
            return format!("the first capture {step} is not next to {from}");
        }
        if !ends.is_empty() {
            return format!(
                "the {code} on {from} cannot capture on {step} on its way to {to}; leave out {step}"
            );
        }
    } else if let Some(mv) = ends.first().and_then(|mv| mv.first_capture()) {
        return format!("name the first capture too, as in {from}{mv}{to}");
    }
    let number = moves.iter().filter(|mv| mv.from() == from).count();
    match number {
        0 => format!("the {code} on {from} has no legal move"),
        _ => format!("the {code} on {from} cannot go to {to}; it has {number} other moves"),
    }
}
