//! Moves in the notation of the world federation: `C2=5`, `H8+7`, in tandem `R+=5`, `H-+7`, soldiers `16=7`.
//!
//! With three or more soldiers on a file, or several files with several, place and file replace the letter: `16=7` is the
//! first soldier (from the front) on file 6. Other pieces never stand so in a game; where they do, we write the letter
//! between the two digits, `2R6=7`. Also read: the mark before the letter (`+R=5`), `.` for `=`, and soldiers numbered by
//! letters, `Pa+1`.
// CITE: Fairy-Stockfish issue 395, https://github.com/fairy-stockfish/Fairy-Stockfish/issues/395

use super::description::{Action, Description, Naming, Place, action_and_number, naming};
use super::fen::Letters;
use crate::games::xiangqi::moves::Move;
use crate::games::xiangqi::piece::{Kind, Piece};
use crate::games::xiangqi::position::Position;

/// Writes a legal move.
///
/// # Panics
/// If the move starts from an empty point.
pub(super) fn format(position: &Position, mv: Move, letters: Letters) -> String {
    let piece = position.piece_at(mv.from()).expect("a legal move starts from a piece");
    let letter = letters.of(Piece::new(crate::game::Side::First, piece.kind()));
    let file = super::description::file_number(piece.side(), mv.from());
    let (action, number) = action_and_number(piece.side(), mv);
    let subject = match naming(position, mv) {
        Naming::File => format!("{letter}{file}"),
        Naming::Place { nth: 1, count: 2 } => format!("{letter}+"),
        Naming::Place { nth: 2, count: 2 } => format!("{letter}-"),
        Naming::Place { nth, .. } | Naming::PlaceAndFile { nth, .. } => match piece.kind() {
            Kind::Soldier => format!("{nth}{file}"),
            _ => format!("{nth}{letter}{file}"),
        },
    };
    let sign = match action {
        Action::Advance => '+',
        Action::Retreat => '-',
        Action::Traverse => '=',
    };
    format!("{subject}{sign}{number}")
}

/// Reads a description. `None`: the text does not look like WXF.
pub(super) fn read(letters: &[char]) -> Option<Result<Description, String>> {
    let [subject @ .., sign, number] = letters else { return None };
    let action = match sign {
        '+' => Action::Advance,
        '-' => Action::Retreat,
        '=' | '.' => Action::Traverse,
        _ => return None,
    };
    let digit = |letter: char| letter.to_digit(10).map(|digit| digit as usize);
    let number = digit(*number)?;
    let mark = |letter: char| match letter {
        '+' => Some(Place::Front),
        '-' => Some(Place::Rear),
        _ => None,
    };
    let (letter, file, place) = match *subject {
        [place, letter] | [letter, place] if mark(place).is_some() => (letter, None, mark(place)),
        [letter, file] if letter.is_ascii_alphabetic() && file.is_ascii_digit() => {
            (letter, digit(file), None)
        }
        [letter @ ('P' | 'p'), nth] if matches!(nth.to_ascii_lowercase(), 'a'..='e') => {
            let nth = nth.to_ascii_lowercase() as usize - 'a' as usize + 1;
            (letter, None, Some(Place::Nth(nth)))
        }
        [ref nth @ .., letter, file] if letter.is_ascii_alphabetic() => {
            (letter, Some(digit(file)?), Some(Place::Nth(count(nth)?)))
        }
        [ref nth @ .., file] => ('P', Some(digit(file)?), Some(Place::Nth(count(nth)?))),
        _ => return None,
    };
    Some(match Piece::from_letter(letter.to_ascii_uppercase()) {
        None => Err(format!("'{letter}' is no piece: write K, A, E or B, H or N, R, C or P")),
        Some(_) if file == Some(0) || number == 0 => {
            Err("0 is no file and no distance: files count from 1 to 9".to_owned())
        }
        Some(piece) => Ok(Description { kind: piece.kind(), file, place, action, number }),
    })
}

/// The number that one or two digits write.
fn count(digits: &[char]) -> Option<usize> {
    match digits {
        [_] | [_, _] => digits.iter().collect::<String>().parse().ok(),
        _ => None,
    }
}
