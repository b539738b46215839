//! Positions as FEN text.

use super::piece::Piece;
use super::position::Position;
use super::rules::XiangqiRules;
use super::square::{FILES, RANKS, Square};
use crate::game::{Parsed, PositionError, Side};

/// The initial position.
pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Reads a FEN.
///
/// # Errors
/// What is wrong and where.
pub fn parse(text: &str, rules: XiangqiRules) -> Result<Parsed<Position>, PositionError> {
    let error = |column: usize, message: String| PositionError { column, message };
    let mut fields = text.split_whitespace();
    let board = fields.next().unwrap_or_default();
    let mut pieces = Vec::new();
    let (mut file, mut rank) = (0, RANKS - 1);
    for (index, letter) in board.chars().enumerate() {
        match letter {
            '/' => {
                if file != FILES || rank == 0 {
                    return Err(error(index + 1, format!("row {} is not 9 points", rank)));
                }
                file = 0;
                rank -= 1;
            }
            '1'..='9' => file += letter as usize - '0' as usize,
            _ => {
                let piece = Piece::from_letter(letter)
                    .filter(|_| file < FILES)
                    .ok_or_else(|| error(index + 1, format!("'{letter}' is no piece")))?;
                pieces.push((Square::new(file, rank), piece));
                file += 1;
            }
        }
    }
    let side = match fields.next() {
        Some("b") => Side::Second,
        _ => Side::First,
    };
    let numbers: Vec<u32> = fields.filter_map(|field| field.parse().ok()).collect();
    let quiet = numbers.first().copied().unwrap_or(0);
    let number = numbers.get(1).copied().unwrap_or(1);
    Ok(Parsed {
        position: Position::from_board(pieces, side, quiet, number, rules),
        warnings: Vec::new(),
    })
}

/// Writes a FEN.
pub fn format(position: &Position) -> String {
    let mut text = String::new();
    for rank in (0..RANKS).rev() {
        let mut empty = 0;
        for file in 0..FILES {
            match position.piece_at(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text += &empty.to_string();
                        empty = 0;
                    }
                    text.push(piece.letter());
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        if rank > 0 {
            text.push('/');
        }
    }
    let side = match position.side_to_move() {
        Side::First => 'w',
        Side::Second => 'b',
    };
    format!("{text} {side} - - {} {}", position.quiet_plies(), position.move_number())
}
