//! TSFEN of the ATSA web client and of tomatene: cells separated by commas, lower case for the first player.
//!
//! Two fields: the board, and the number of moves made so far, whose parity tells the side to move. A cell is a number of empty
//! squares, or a code with an optional number of repetitions (`p36`). There is no mark for promoted pieces and no count of plies
//! without progress.

use super::super::catalog::catalog;
use super::super::piece::Piece;
use super::super::position::Position;
use super::super::ruleset::RuleSet;
use super::super::square::{SIZE, Square, rank_name};
use super::tsfen::refuse_promoted;
use super::{fields, parse_counter, shown};
use crate::game::{PositionError, Rules, Side};

/// Reads the dialect.
pub(super) fn parse(text: &str, rules: Rules<RuleSet>) -> Result<Position, PositionError> {
    let fields = fields(text);
    let mut position = Position::empty(rules);
    let (mut column, board) = fields[0];
    let ranks: Vec<&str> = board.split('/').collect();
    for (row, rank) in ranks.iter().enumerate() {
        if row == SIZE {
            let message = format!("{} ranks, 36 expected; remove {}", ranks.len(), shown(rank));
            return Err(PositionError { column, message });
        }
        parse_rank(&mut position, row, rank, column)?;
        column += rank.chars().count() + 1;
    }
    if ranks.len() < SIZE {
        let message = format!(
            "{} ranks, 36 expected: rank {} and those below are missing",
            ranks.len(),
            rank_name(ranks.len())
        );
        return Err(PositionError { column: column - 1, message });
    }
    let moves = match fields.get(1) {
        Some(&field) => parse_counter(field, "number of moves made")?,
        None => {
            let message = "the number of moves made is missing; add ' 0'".to_owned();
            return Err(PositionError { column: text.chars().count() + 1, message });
        }
    };
    if let Some(&(column, extra)) = fields.get(2) {
        let message = format!("{}: nothing may follow the number of moves", shown(extra));
        return Err(PositionError { column, message });
    }
    let side = if moves % 2 == 0 { Side::First } else { Side::Second };
    position.set_state(side, 0, moves / 2 + 1);
    Ok(position)
}

fn parse_rank(
    position: &mut Position,
    row: usize,
    rank: &str,
    start: usize,
) -> Result<(), PositionError> {
    let mut column = start;
    let mut file = 0;
    for cell in rank.split(',') {
        let fail = |message: String| PositionError {
            column,
            message: format!(
                "rank {}, file {}: {message}",
                rank_name(row),
                SIZE.saturating_sub(file).max(1)
            ),
        };
        let letters: String = cell.chars().take_while(|c| !c.is_ascii_digit()).collect();
        let digits = &cell[letters.len()..];
        let run = match digits {
            "" if letters.is_empty() => return Err(fail("an empty cell".into())),
            "" => 1,
            _ => digits
                .parse::<usize>()
                .ok()
                .filter(|&run| run > 0 && !digits.starts_with('0'))
                .ok_or_else(|| fail(format!("{} is no cell", shown(cell))))?,
        };
        if run > SIZE - file {
            let message =
                format!("{} goes beyond file 1, {} squares are left", shown(cell), SIZE - file);
            return Err(fail(message));
        }
        if !letters.is_empty() {
            let side = if letters.bytes().all(|b| b.is_ascii_lowercase()) {
                Side::First
            } else if letters.bytes().all(|b| b.is_ascii_uppercase()) {
                Side::Second
            } else {
                return Err(fail(format!("{} is no code of a piece", shown(cell))));
            };
            let kind = catalog()
                .from_atsa(&letters.to_ascii_uppercase())
                .ok_or_else(|| fail(format!("unknown ATSA piece code {}", shown(&letters))))?;
            for column in file..file + run {
                position.place(Square::new(row, column), Piece::new(side, kind, false));
            }
        }
        file += run;
        column += cell.chars().count() + 1;
    }
    if file < SIZE {
        let message = format!("rank {}: {file} files, 36 expected", rank_name(row));
        return Err(PositionError { column: column - 1, message });
    }
    Ok(())
}

/// Writes the dialect; the count of plies without progress is lost.
///
/// # Errors
/// A promoted piece: the dialect has no mark for it.
pub(super) fn write(position: &Position) -> Result<String, String> {
    refuse_promoted(position, "atsa")?;
    let mut ranks = Vec::new();
    for row in 0..SIZE {
        let mut cells: Vec<(String, usize)> = Vec::new();
        for column in 0..SIZE {
            let code = match position.piece_at(Square::new(row, column)) {
                None => String::new(),
                Some(piece) => {
                    let code = &piece.kind().info().atsa_code;
                    match piece.side() {
                        Side::First => code.to_ascii_lowercase(),
                        Side::Second => code.clone(),
                    }
                }
            };
            match cells.last_mut() {
                Some((last, run)) if *last == code => *run += 1,
                _ => cells.push((code, 1)),
            }
        }
        let cells: Vec<String> = cells
            .into_iter()
            .map(|(code, run)| match (code.is_empty(), run) {
                (false, 1) => code,
                _ => format!("{code}{run}"),
            })
            .collect();
        ranks.push(cells.join(","));
    }
    let moves = 2 * (position.move_number() - 1) + position.side_to_move() as u32;
    Ok(format!("{} {moves}", ranks.join("/")))
}
