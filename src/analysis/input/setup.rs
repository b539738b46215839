//! From texts to a position: sets up the root, plays moves, and places every error in its line.

use crate::analysis::job::{InputError, Task, column_at, shorten};
use crate::game::{Game, Parsed, Rules};

/// Longest bad text that an error message repeats, in characters.
pub(super) const QUOTE_LIMIT: usize = 60;

/// A piece of a line, with its place in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    pub(super) offset: usize,
}

/// The words of a text between white space, with their places.
pub(super) fn words(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(|letter: char| !letter.is_whitespace())?;
        let end =
            text[start..].find(char::is_whitespace).map_or(text.len(), |length| start + length);
        rest = end;
        Some(Piece { text: &text[start..end], offset: start })
    })
}

/// The texts that may end the moves of a game and are none.
const RESULTS: [&str; 5] = ["1-0", "0-1", "1/2-1/2", "1/2", "*"];

/// Whether a word is the result of a game.
pub fn is_result(word: &str) -> bool {
    RESULTS.contains(&word)
}

/// The longest number without a dot that is taken for that of a move. Longer ones are moves written in digits, or a mistake.
const BARE_DIGITS: usize = 3;

/// A move without the number that may stand before it (`12.`, `12...`, `12`, also full-width); `None` if nothing else is left, or
/// for a `/` between moves.
pub fn strip_number(word: &str) -> Option<&str> {
    let digits = word.trim_start_matches(char::is_numeric);
    let rest = digits.trim_start_matches(['.', '．', '、', '…']);
    match rest {
        "/" if digits.len() == word.len() => None,
        "" if digits.is_empty() && !is_move_number(word) => Some(word),
        "" => None,
        // Digits without a dot belong to the move.
        _ if digits.len() < word.len() && rest.len() == digits.len() => Some(word),
        _ => Some(rest),
    }
}

/// Whether digits without a dot may be the number of a move.
fn is_move_number(digits: &str) -> bool {
    digits.chars().count() <= BARE_DIGITS
        && digits.chars().any(|digit| !matches!(digit, '0' | '０'))
}

/// The root of a line: `startpos` or a position text.
pub(super) fn root<G: Game>(
    line: &str,
    piece: Piece<'_>,
    rules: Rules<G::RuleSet>,
) -> Result<Parsed<G::Position>, InputError> {
    if piece.text.eq_ignore_ascii_case("startpos") {
        return Ok(Parsed { position: G::start(rules), warnings: Vec::new() });
    }
    G::parse_position(piece.text, rules).map_err(|error| {
        let before = column_at(line, piece.offset) - 1;
        InputError::new(before + error.column.max(1), error.message)
    })
}

/// Plays the moves of a list one by one, `visit` being called before each. Numbers before moves and a result at the end are
/// skipped.
///
/// # Errors
/// The first illegal move, with its ply.
pub(super) fn play<'a, G: Game>(
    line: &str,
    position: &mut G::Position,
    moves: impl Iterator<Item = Piece<'a>>,
    mut visit: impl FnMut(&G::Position, G::Move),
) -> Result<(), InputError> {
    let mut ply = 0;
    let mut moves = moves.peekable();
    while let Some(piece) = moves.next() {
        if is_result(piece.text) && moves.peek().is_none() {
            break;
        }
        let Some(text) = strip_number(piece.text) else { continue };
        ply += 1;
        let mv = G::parse_move(position, text).map_err(|error| {
            InputError::new(
                column_at(line, piece.offset + (piece.text.len() - text.len())),
                format!("ply {ply}, move '{}': {}", shorten(text, QUOTE_LIMIT), error.message),
            )
        })?;
        visit(position, mv);
        G::make(position, mv);
    }
    Ok(())
}

/// A task with a position and nothing else.
pub(super) fn task<G: Game>(position: G::Position, warnings: Vec<String>) -> Task<G> {
    Task {
        position,
        warnings,
        best: Vec::new(),
        avoid: Vec::new(),
        opcodes: Vec::new(),
        played: None,
    }
}

/// The moves named by `bm` or `am`; what is no legal move becomes a warning.
pub(super) fn named_moves<G: Game>(
    task: &mut Task<G>,
    opcode: &str,
    operand: &str,
) -> Vec<G::Move> {
    let mut moves = Vec::new();
    let texts =
        operand.split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | '，'));
    for text in texts.filter(|text| !text.is_empty()) {
        match G::parse_move(&task.position, text) {
            Ok(mv) => moves.push(mv),
            Err(error) => task.warnings.push(format!(
                "{opcode} '{}' is no legal move and does not count: {}",
                shorten(text, QUOTE_LIMIT),
                error.message
            )),
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_before_moves_are_taken_off() {
        let check = |word, expected| assert_eq!(strip_number(word), expected, "{word}");
        check("h2e2", Some("h2e2"));
        check("1.h2e2", Some("h2e2"));
        check("12.", None);
        check("12...", None);
        check("12", None);
        check("999", None);
        check("1200.", None);
        check("7747", Some("7747"));
        check("0000", Some("0000"));
        check("0", Some("0"));
        check("/", None);
        check("...", None);
        check("3...炮8平5", Some("炮8平5"));
        check("１．炮二平五", Some("炮二平五"));
        check("1、炮二平五", Some("炮二平五"));
        check("一兵平四", Some("一兵平四"));
        check("18z18y", Some("18z18y"));
        check("C2.5", Some("C2.5"));
    }

    #[test]
    fn words_know_their_places() {
        let all: Vec<_> = words(" a  bc\td ").map(|piece| (piece.text, piece.offset)).collect();
        assert_eq!(all, [("a", 1), ("bc", 4), ("d", 7)]);
        assert_eq!(words("  ").count(), 0);
    }
}
