//! TSFEN1 of yetiowin805's engine: one line, `TSFEN1 b|w DRAW N PIECE...`.
//!
//! DRAW is the number of plies without progress, N the number of pieces. A piece is `B:Pawn@5,2`: side, name, file and rank from
//! 0, Black's back rank first; a promoted one is `W:+DragonKing<Rook>@18,30`. We do not keep what a promoted piece was before:
//! writing names the first kind of the table that promotes to it, and reading checks nothing but the name.

use super::super::catalog::{Kind, catalog};
use super::super::piece::Piece;
use super::super::position::Position;
use super::super::ruleset::RuleSet;
use super::super::square::{SIZE, Square};
use super::tsfen::side_letter;
use super::{fields, parse_counter, shown};
use crate::game::{PositionError, Rules, Side};

/// Reads the dialect.
pub(super) fn parse(text: &str, rules: Rules<RuleSet>) -> Result<Position, PositionError> {
    let fields = fields(text);
    let end = text.chars().count() + 1;
    let missing = |what: &str| PositionError { column: end, message: format!("{what} is missing") };
    let side_field = *fields.get(1).ok_or_else(|| missing("the side to move"))?;
    let side = match side_field.1 {
        "b" | "B" => Side::First,
        "w" | "W" => Side::Second,
        other => {
            let message = format!("{}: the side to move is b or w", shown(other));
            return Err(PositionError { column: side_field.0, message });
        }
    };
    let draw = *fields.get(2).ok_or_else(|| missing("the number of plies without progress"))?;
    let no_progress = parse_counter(draw, "number of plies without progress")?;
    let number = *fields.get(3).ok_or_else(|| missing("the number of pieces"))?;
    let pieces = parse_counter(number, "number of pieces")? as usize;
    if fields.len() - 4 != pieces {
        let message = format!("{pieces} pieces announced, {} given", fields.len() - 4);
        return Err(PositionError { column: number.0, message });
    }
    let mut position = Position::empty(rules);
    for &(column, text) in &fields[4..] {
        let fail = |message: String| PositionError {
            column,
            message: format!("{}: {message}", shown(text)),
        };
        let (square, piece) = parse_piece(text).map_err(fail)?;
        if position.piece_at(square).is_some() {
            return Err(fail(format!("a second piece on {square}")));
        }
        position.place(square, piece);
    }
    position.set_state(side, no_progress, 1);
    Ok(position)
}

fn parse_piece(text: &str) -> Result<(Square, Piece), String> {
    let (side, rest) = match text.split_once(':') {
        Some(("B" | "b", rest)) => (Side::First, rest),
        Some(("W" | "w", rest)) => (Side::Second, rest),
        _ => return Err("a piece begins with B: or W:".to_owned()),
    };
    let (name, place) = rest.split_once('@').ok_or("the place is missing; write @FILE,RANK")?;
    let number = |text: &str| text.parse::<usize>().ok().filter(|&number| number < SIZE);
    let place = place.split_once(',').and_then(|(file, rank)| number(file).zip(number(rank)));
    let (file, rank) = place.ok_or("file and rank are numbers from 0 to 35")?;
    let find = |name: &str| {
        let kind = catalog().from_yetiowin805(name);
        kind.ok_or_else(|| format!("unknown piece name {}", shown(name)))
    };
    let (kind, promoted) = match name.strip_prefix('+') {
        None => (find(name)?, false),
        Some(name) => match name.split_once('<') {
            None => (find(name)?, true),
            Some((name, base)) => {
                let base = base.strip_suffix('>').ok_or("'<' is not closed by '>'")?;
                find(base)?;
                (find(name)?, true)
            }
        },
    };
    Ok((Square::new(SIZE - 1 - rank, file), Piece::new(side, kind, promoted)))
}

/// Writes the dialect; the move number is lost.
///
/// # Errors
/// A promoted piece of a kind that nothing promotes to: the dialect names what it was before.
pub(super) fn write(position: &Position) -> Result<String, String> {
    let mut pieces = Vec::new();
    for square in Square::all() {
        let Some(piece) = position.piece_at(square) else { continue };
        let info = piece.kind().info();
        let name = &info.yetiowin805_name;
        let name = if piece.promoted() {
            let base = Kind::all().find(|kind| kind.info().promotes_to == Some(piece.kind()));
            let base = base.ok_or_else(|| {
                format!(
                    "format tsfen1 names what a promoted piece was before, but nothing promotes \
                     to the {} on {square}; use tsfen",
                    info.code
                )
            })?;
            format!("+{name}<{}>", base.info().yetiowin805_name)
        } else {
            name.clone()
        };
        let side = side_letter(piece.side()).to_ascii_uppercase();
        pieces.push(format!("{side}:{name}@{},{}", square.column(), SIZE - 1 - square.row()));
    }
    Ok(format!(
        "TSFEN1 {} {} {} {}",
        side_letter(position.side_to_move()),
        position.no_progress_plies(),
        pieces.len(),
        pieces.join(" ")
    ))
}
