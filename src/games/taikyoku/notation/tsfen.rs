//! Native TSFEN, and the dialect of jh85's engine, which differs in its tail and in some codes.
//!
//! Ranks `a` to `jj` from the top, separated by `/`; each from file 36 to file 1: digits for a run of empty squares, codes for
//! pieces, upper case for Black; codes of more than one letter stand in parentheses; `+` before a piece that has promoted. Then
//! the side to move, plies since the last capture or promotion, and the move number.

use super::super::catalog::{Kind, catalog};
use super::super::piece::Piece;
use super::super::position::Position;
use super::super::ruleset::RuleSet;
use super::super::square::{SIZE, Square, rank_name};
use super::{fields, parse_counter, shown};
use crate::game::{PositionError, Rules, Side};

/// Reads native TSFEN and jh85's dialect.
pub(super) fn parse(text: &str, rules: Rules<RuleSet>) -> Result<Position, PositionError> {
    let fields = fields(text);
    let (board_column, board) = fields[0];
    let mut position = Position::empty(rules);
    parse_board(&mut position, board, board_column)?;
    let fail = |(column, text): (usize, &str), message: String| PositionError {
        column,
        message: format!("{}: {message}", shown(text)),
    };
    let end = text.chars().count() + 1;
    let Some(&side_field) = fields.get(1) else {
        let message = "the side to move is missing; add ' b' or ' w'".to_owned();
        return Err(PositionError { column: end, message });
    };
    let side = match side_field.1 {
        "b" | "B" => Side::First,
        "w" | "W" => Side::Second,
        _ => return Err(fail(side_field, "the side to move is b or w".into())),
    };
    let (no_progress, move_number) = match fields.len() {
        2 => (0, 1),
        // jh85's tail has no count of plies without progress.
        3 => (0, parse_counter(fields[2], "move number")?),
        4 => (
            parse_counter(fields[2], "plies since the last capture or promotion")?,
            parse_counter(fields[3], "move number")?,
        ),
        _ => return Err(fail(fields[4], "nothing may follow the move number".into())),
    };
    position.set_state(side, no_progress, move_number.max(1));
    Ok(position)
}

fn parse_board(
    position: &mut Position,
    board: &str,
    board_column: usize,
) -> Result<(), PositionError> {
    let mut column = board_column;
    let ranks: Vec<&str> = board.split('/').collect();
    for (row, rank) in ranks.iter().enumerate() {
        if row == SIZE {
            let message = format!("{} ranks, 36 expected; remove {}", ranks.len(), shown(rank));
            return Err(PositionError { column, message });
        }
        parse_rank(position, row, rank, column)?;
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
    Ok(())
}

fn parse_rank(
    position: &mut Position,
    row: usize,
    rank: &str,
    start: usize,
) -> Result<(), PositionError> {
    let characters: Vec<char> = rank.chars().collect();
    let mut at = 0;
    let mut file = 0;
    let fail = |at: usize, file: usize, message: String| {
        let place = match file {
            0..SIZE => format!("rank {}, file {}", rank_name(row), SIZE - file),
            _ => format!("rank {}", rank_name(row)),
        };
        PositionError { column: start + at, message: format!("{place}: {message}") }
    };
    while at < characters.len() {
        let first = characters[at];
        if first.is_ascii_digit() {
            let digits: String =
                characters[at..].iter().take_while(|c| c.is_ascii_digit()).collect();
            let run = digits.parse::<usize>().unwrap_or(usize::MAX);
            if run == 0 || digits.starts_with('0') {
                let message = format!("a run of {} empty squares is none", shown(&digits));
                return Err(fail(at, file, message));
            }
            if run > SIZE - file {
                let message = format!(
                    "a run of {} empty squares goes beyond file 1, {} are left",
                    shown(&digits),
                    SIZE - file
                );
                return Err(fail(at, file, message));
            }
            file += run;
            at += digits.len();
            continue;
        }
        let (length, piece) =
            parse_piece(&characters[at..]).map_err(|message| fail(at, file, message))?;
        if file >= SIZE {
            let text: String = characters[at..at + length].iter().collect();
            let message = format!("more than 36 files; {} is too much", shown(&text));
            return Err(fail(at, file, message));
        }
        position.place(Square::new(row, file), piece);
        file += 1;
        at += length;
    }
    if file < SIZE {
        let message = format!(
            "{file} files, 36 expected in {}; the rest must be given as a number",
            shown(rank)
        );
        return Err(fail(at, SIZE, message));
    }
    Ok(())
}

/// The piece at the start of a text, and the number of its characters.
fn parse_piece(text: &[char]) -> Result<(usize, Piece), String> {
    let promoted = text[0] == '+';
    let start = usize::from(promoted);
    let whole = |length: usize| shown(&text[..length.min(text.len())].iter().collect::<String>());
    let (length, code): (usize, String) = match text.get(start) {
        Some('(') => {
            let close = text[start..]
                .iter()
                .take(12)
                .position(|&c| c == ')')
                .ok_or_else(|| format!("{} has no closing parenthesis", whole(start + 6)))?;
            (start + close + 1, text[start + 1..start + close].iter().collect())
        }
        Some(letter) if letter.is_ascii_alphabetic() => (start + 1, letter.to_string()),
        Some('+') => return Err(format!("{} has two promotion marks", whole(4))),
        Some(_) => return Err(format!("{} is no piece and no number", whole(start + 1))),
        None => return Err("'+' is not followed by a piece".to_owned()),
    };
    let letters = code.trim_start_matches('+');
    let side = if letters.bytes().all(|b| b.is_ascii_uppercase()) && !letters.is_empty() {
        Side::First
    } else if letters.bytes().all(|b| b.is_ascii_lowercase()) && !letters.is_empty() {
        Side::Second
    } else if letters.is_empty() {
        return Err(format!("{} names no piece", whole(length)));
    } else if letters.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase()) {
        Side::First
    } else if letters.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase()) {
        Side::Second
    } else if letters.bytes().all(|b| b.is_ascii_alphabetic()) {
        return Err(format!("{} mixes upper case (Black) and lower case (White)", whole(length)));
    } else {
        return Err(format!("{} is no code of a piece", whole(length)));
    };
    let upper = code.to_ascii_uppercase();
    let native = Kind::from_code(&upper);
    let kind = native.or_else(|| catalog().from_jh85(&upper)).ok_or_else(|| {
        format!("unknown piece code {}; 'piece --all' lists the codes", whole(length))
    })?;
    Ok((length, Piece::new(side, kind, promoted)))
}

/// Writes native TSFEN.
pub(super) fn write(position: &Position) -> String {
    let board = write_board(position, |piece| {
        let code = &piece.kind().info().code;
        let mark = if piece.promoted() { "+" } else { "" };
        let code = match piece.side() {
            Side::First => code.clone(),
            Side::Second => code.to_ascii_lowercase(),
        };
        if code.len() == 1 { format!("{mark}{code}") } else { format!("{mark}({code})") }
    });
    format!(
        "{board} {} {} {}",
        side_letter(position.side_to_move()),
        position.no_progress_plies(),
        position.move_number()
    )
}

/// Writes jh85's dialect.
///
/// # Errors
/// A promoted piece: the dialect has no mark for it.
pub(super) fn write_jh85(position: &Position) -> Result<String, String> {
    refuse_promoted(position, "jh85")?;
    let board = write_board(position, |piece| {
        let code = &piece.kind().info().jh85_code;
        let code = match piece.side() {
            Side::First => code.clone(),
            Side::Second => code.to_ascii_lowercase(),
        };
        if code.len() == 1 { code } else { format!("({code})") }
    });
    Ok(format!("{board} {} {}", side_letter(position.side_to_move()), position.move_number()))
}

/// Refuses a position with promoted pieces for a format that cannot mark them.
pub(super) fn refuse_promoted(position: &Position, format: &str) -> Result<(), String> {
    let promoted = Side::ALL
        .into_iter()
        .flat_map(|side| position.pieces(side))
        .find(|(_, piece)| piece.promoted());
    match promoted {
        Some((square, piece)) => Err(format!(
            "format {format} cannot say that the {} on {square} has promoted; use tsfen",
            piece.kind().info().code
        )),
        None => Ok(()),
    }
}

pub(super) const fn side_letter(side: Side) -> char {
    match side {
        Side::First => 'b',
        Side::Second => 'w',
    }
}

fn write_board(position: &Position, code: impl Fn(Piece) -> String) -> String {
    let mut text = String::new();
    for row in 0..SIZE {
        if row > 0 {
            text.push('/');
        }
        let mut run = 0;
        for column in 0..SIZE {
            match position.piece_at(Square::new(row, column)) {
                None => run += 1,
                Some(piece) => {
                    if run > 0 {
                        text += &run.to_string();
                        run = 0;
                    }
                    text += &code(piece);
                }
            }
        }
        if run > 0 {
            text += &run.to_string();
        }
    }
    text
}
