//! Moves as Chinese text: `炮二平五`, Black `马８进７`, in tandem `前炮平五`, soldiers `一兵平四` or `前六平五`.
//!
//! Every variant of a glyph is read for either side, and digits of either style; written are the usual ones.
//! Three on one file are 前 中 后. More, or several files with several, are numbered 一 二 三 from the right file to the left
//! and from front to rear.

use super::description::{
    Action, Description, Naming, Place, action_and_number, file_number, naming,
};
use crate::game::Side;
use crate::games::xiangqi::moves::Move;
use crate::games::xiangqi::piece::{Kind, Piece};
use crate::games::xiangqi::position::Position;

/// Which characters to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Script {
    /// 马 车 进 后.
    Simplified,
    /// 馬 車 進 後.
    Traditional,
}

/// The Chinese digits 1 to 9, Red's, and also places of both sides.
const DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
/// The full-width digits 1 to 9, Black's.
const WIDE_DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// The glyph of a piece.
pub(super) fn glyph(piece: Piece, script: Script) -> char {
    let glyphs = match (piece.side(), script) {
        (Side::First, Script::Simplified) => ['帅', '仕', '相', '马', '车', '炮', '兵'],
        (Side::First, Script::Traditional) => ['帥', '仕', '相', '馬', '車', '炮', '兵'],
        (Side::Second, Script::Simplified) => ['将', '士', '象', '马', '车', '炮', '卒'],
        (Side::Second, Script::Traditional) => ['將', '士', '象', '馬', '車', '炮', '卒'],
    };
    glyphs[piece.kind().index()]
}

/// Writes a legal move.
///
/// # Panics
/// If the move starts from an empty point.
pub(super) fn format(position: &Position, mv: Move, script: Script) -> String {
    let piece = position.piece_at(mv.from()).expect("a legal move starts from a piece");
    let side = piece.side();
    let digit = |number: usize| match side {
        Side::First => DIGITS[number - 1],
        Side::Second => WIDE_DIGITS[number - 1],
    };
    let glyph = glyph(piece, script);
    let rear = if script == Script::Simplified { '后' } else { '後' };
    let subject = match naming(position, mv) {
        Naming::File => format!("{glyph}{}", digit(file_number(side, mv.from()))),
        Naming::Place { nth: 1, count: 2 | 3 } => format!("前{glyph}"),
        Naming::Place { nth: 2, count: 3 } => format!("中{glyph}"),
        Naming::Place { nth, count: 2 | 3 } if nth > 1 => format!("{rear}{glyph}"),
        Naming::Place { nth, .. } | Naming::PlaceAndFile { nth_of_all: nth, .. } => {
            format!("{}{glyph}", numeral(nth))
        }
    };
    let (action, number) = action_and_number(side, mv);
    let action = match (action, script) {
        (Action::Advance, Script::Simplified) => '进',
        (Action::Advance, Script::Traditional) => '進',
        (Action::Retreat, _) => '退',
        (Action::Traverse, _) => '平',
    };
    format!("{subject}{action}{}", digit(number))
}

/// A number from 1 to 99 in Chinese. Above 5 only on boards that cannot arise.
fn numeral(number: usize) -> String {
    let mut text = String::new();
    if number >= 20 {
        text.push(DIGITS[number / 10 - 1]);
    }
    if number >= 10 {
        text.push('十');
    }
    if !number.is_multiple_of(10) {
        text.push(DIGITS[number % 10 - 1]);
    }
    text
}

/// One character of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Kind(Kind),
    Place(Place),
    Digit(usize),
    Ten,
    Action(Action),
}

/// Reads a description. `None`: the text has no Chinese character of a move.
pub(super) fn read(letters: &[char]) -> Option<Result<Description, String>> {
    let tokens: Vec<Option<Token>> = letters.iter().map(|&letter| token(letter)).collect();
    let is_ascii = letters.iter().all(char::is_ascii);
    if is_ascii || tokens.iter().all(Option::is_none) {
        return None;
    }
    if let Some(at) = tokens.iter().position(Option::is_none) {
        let letter = letters[at];
        return Some(Err(format!(
            "'{letter}' is no piece, digit or direction: write as 炮二平五 or 马８进７"
        )));
    }
    let tokens: Vec<Token> = tokens.into_iter().flatten().collect();
    Some(describe(&tokens).ok_or_else(|| {
        "a Chinese move is piece, file, direction, number: write as 炮二平五, 前马进四 or 一兵平四"
            .to_owned()
    }))
}

fn describe(tokens: &[Token]) -> Option<Description> {
    let [subject @ .., Token::Action(action), Token::Digit(number)] = tokens else { return None };
    let (kind, file, place) = match *subject {
        [Token::Kind(kind), Token::Digit(file)] => (kind, Some(file), None),
        [Token::Place(place), Token::Kind(kind)] | [Token::Kind(kind), Token::Place(place)] => {
            (kind, None, Some(place))
        }
        [Token::Place(place), Token::Digit(file)] => (Kind::Soldier, Some(file), Some(place)),
        [ref nth @ .., Token::Kind(kind)] => (kind, None, Some(Place::Nth(number_of(nth)?))),
        _ => return None,
    };
    Some(Description { kind, file, place, action: *action, number: *number })
}

/// The inverse of [`numeral`].
fn number_of(tokens: &[Token]) -> Option<usize> {
    match *tokens {
        [Token::Digit(ones)] => Some(ones),
        [Token::Ten] => Some(10),
        [Token::Ten, Token::Digit(ones)] => Some(10 + ones),
        [Token::Digit(tens), Token::Ten] => Some(10 * tens),
        [Token::Digit(tens), Token::Ten, Token::Digit(ones)] => Some(10 * tens + ones),
        _ => None,
    }
}

fn token(letter: char) -> Option<Token> {
    Some(match letter {
        '帅' | '帥' | '将' | '將' => Token::Kind(Kind::General),
        '仕' | '士' => Token::Kind(Kind::Advisor),
        '相' | '象' => Token::Kind(Kind::Elephant),
        '马' | '馬' | '傌' => Token::Kind(Kind::Horse),
        '车' | '車' | '俥' => Token::Kind(Kind::Chariot),
        '炮' | '砲' | '包' => Token::Kind(Kind::Cannon),
        '兵' | '卒' => Token::Kind(Kind::Soldier),
        '前' => Token::Place(Place::Front),
        '中' => Token::Place(Place::Middle),
        '后' | '後' => Token::Place(Place::Rear),
        '进' | '進' => Token::Action(Action::Advance),
        '退' => Token::Action(Action::Retreat),
        '平' => Token::Action(Action::Traverse),
        '十' => Token::Ten,
        '1'..='9' => Token::Digit(letter as usize - '0' as usize),
        _ => Token::Digit(DIGITS.iter().position(|&digit| digit == letter)? + 1),
    })
}
