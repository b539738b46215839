//! Lines of FEN and EPD: a position, perhaps `moves ...` behind it, perhaps opcodes (`bm h2e2; id "7";`).
//!
//! ```text
//! POSITION
//! POSITION moves M1 M2 ...
//! startpos moves M1 M2 ...
//! POSITION 12 7 bm M1 M2; id "a name"; ce 35;      counters may be there or missing
//! POSITION;c0 a comment                             the semicolon may touch its neighbours
//! ```
//!
//! Text that may have been meant to change the position is never passed over: it is refused.

use super::UnknownOpcodes;
use super::setup::{self, Piece, QUOTE_LIMIT, words};
use crate::analysis::job::{Id, InputError, Task, column_at, shorten};
use crate::game::{Game, Rules};

/// What a line may hold behind its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opcodes {
    /// EPD opcodes.
    Read(UnknownOpcodes),
    /// Nothing but moves.
    Refused,
}

/// The parts of a line.
#[derive(PartialEq, Eq, Debug)]
struct Parts<'a> {
    position: Piece<'a>,
    moves: Option<Piece<'a>>,
    opcodes: Vec<Opcode<'a>>,
}

#[derive(PartialEq, Eq, Debug)]
struct Opcode<'a> {
    name: Piece<'a>,
    operand: &'a str,
    /// Whether it stands right behind the position: there, an unknown word is an error of the writer, not a comment.
    is_first: bool,
    /// Whether a semicolon follows.
    is_ended: bool,
}

/// Reads a line: the task and the line's `id`.
pub(super) fn read<G: Game>(
    line: &str,
    rules: Rules<G::RuleSet>,
    opcodes: Opcodes,
) -> Result<(Task<G>, Option<Id>), InputError> {
    let parts = split(line)?;
    if opcodes == Opcodes::Refused
        && let Some(opcode) = parts.opcodes.first()
    {
        return Err(InputError::new(
            column_at(line, opcode.name.offset),
            format!(
                "unexpected '{}' behind the position; only 'moves' may follow in a FEN file, \
                 opcodes need --input epd",
                shorten(opcode.name.text, QUOTE_LIMIT)
            ),
        ));
    }
    let counted = with_counters(&parts);
    let piece = match &counted {
        Some(text) => Piece { text, offset: parts.position.offset },
        None => parts.position,
    };
    let root = setup::root::<G>(line, piece, rules).map_err(|mut error| {
        if !piece.text.contains(['/', '／']) && has_two_numbers(piece.text) {
            error.message += "; if the file holds moves, add --input pgn";
        }
        error
    })?;
    let mut task = setup::task::<G>(root.position, root.warnings);
    if let Some(moves) = parts.moves {
        let placed =
            words(moves.text).map(|word| Piece { offset: word.offset + moves.offset, ..word });
        setup::play::<G>(line, &mut task.position, placed, |_, _| ())?;
    }
    let mut id = None;
    for opcode in &parts.opcodes {
        let Opcode { name, operand, is_first, .. } = opcode;
        if let Some(message) = swallowed_moves::<G>(&task.position, opcode) {
            return Err(InputError::new(column_at(line, name.offset), message));
        }
        match name.text {
            "id" => id = Some(Id::Text((*operand).to_owned())),
            "bm" => task.best = setup::named_moves(&mut task, "bm", operand),
            "am" => task.avoid = setup::named_moves(&mut task, "am", operand),
            name if is_known(name) => {}
            unknown => {
                if let Some(message) = fault::<G>(&task.position, opcode, opcodes) {
                    return Err(InputError::new(column_at(line, name.offset), message));
                }
                // Behind a semicolon people write comments as they like.
                if *is_first {
                    let unknown = shorten(unknown, QUOTE_LIMIT);
                    task.warnings.push(format!("unknown opcode '{unknown}' is ignored"));
                }
                continue;
            }
        }
        if name.text != "id" {
            task.opcodes.push((name.text.to_owned(), (*operand).to_owned()));
        }
    }
    Ok((task, id))
}

/// Why text that is no known opcode cannot be passed over; `None` if it can.
fn fault<G: Game>(position: &G::Position, opcode: &Opcode<'_>, opcodes: Opcodes) -> Option<String> {
    let word = opcode.name.text;
    let shown = shorten(word, QUOTE_LIMIT);
    let next = words(opcode.operand).next();
    let precedes_move = next.is_some_and(|next| is_move::<G>(position, next.text));
    if opens_moves(word) && (opcode.is_first || precedes_move) {
        return Some(format!(
            "'{shown}' is not understood here; write 'moves M1 M2 ...' right behind the position"
        ));
    }
    if !opcode.is_first {
        return None;
    }
    if word.contains('/') {
        return Some(format!(
            "'{shown}' behind the position looks like another one; write one position a line"
        ));
    }
    if is_move::<G>(position, word) {
        return Some(format!(
            "'{shown}' behind the position looks like a move; write 'moves' before the moves"
        ));
    }
    if !opcode.is_ended {
        return Some(format!(
            "'{shown}' behind the position is neither 'moves' nor an opcode that ends with ';'; \
             remove it"
        ));
    }
    (opcodes == Opcodes::Read(UnknownOpcodes::Refused))
        .then(|| format!("unknown opcode '{shown}'; remove it"))
}

/// Why an operand that holds `moves M1 ...` cannot be one; `None` for texts, which may hold any words.
fn swallowed_moves<G: Game>(position: &G::Position, opcode: &Opcode<'_>) -> Option<String> {
    let Opcode { name, operand, is_first, .. } = opcode;
    let is_text = match name.text {
        "id" => !operand.starts_with('"'),
        name if is_known(name) => is_numbered(name, 'c'),
        _ => !is_first,
    };
    let (mut last, mut found) = ("", false);
    for word in words(operand) {
        found |= opens_moves(last) && is_move::<G>(position, word.text);
        last = word.text;
    }
    (found && !is_text).then(|| {
        format!(
            "moves behind the opcode '{}'; write 'moves M1 M2 ...' right behind the position",
            shorten(name.text, QUOTE_LIMIT)
        )
    })
}

/// Whether a word is, or was meant for, the one before a list of moves.
fn opens_moves(word: &str) -> bool {
    let word = word.trim_end_matches([':', '：']);
    ["moves", "move"].iter().any(|keyword| word.eq_ignore_ascii_case(keyword))
}

/// Whether a word is a move, if perhaps no legal one.
fn is_move<G: Game>(position: &G::Position, word: &str) -> bool {
    has_two_numbers(word) || G::parse_move(position, word).is_ok()
}

/// Whether a text holds two numbers, as moves do (`h2e2`, `C2=5`, `炮二平五`) and opcodes do not.
fn has_two_numbers(text: &str) -> bool {
    let numbers = text.split(|letter: char| !letter.is_numeric()).filter(|part| !part.is_empty());
    numbers.count() >= 2
        || text.chars().filter(|letter| "一二三四五六七八九".contains(*letter)).count() >= 2
}

/// The position with the counters of `hmvc` and `fmvn`, where the position has none.
fn with_counters(parts: &Parts<'_>) -> Option<String> {
    let operand = |name: &str| {
        let opcode = parts.opcodes.iter().find(|opcode| opcode.name.text == name)?;
        opcode.operand.parse::<u32>().ok()
    };
    let (half, full) = (operand("hmvc"), operand("fmvn"));
    let fields: Vec<&str> = parts.position.text.split_whitespace().collect();
    if (half.is_none() && full.is_none()) || fields.len() != 4 || fields[2..] != ["-", "-"] {
        return None;
    }
    Some(format!("{} {} {}", parts.position.text, half.unwrap_or(0), full.unwrap_or(1)))
}

fn split(line: &str) -> Result<Parts<'_>, InputError> {
    let mut segments = segments(line)?.into_iter();
    let head = segments.next().expect("splitting gives at least one segment");
    let mut fields =
        words(head.text).map(|word| Piece { offset: word.offset + head.offset, ..word }).peekable();
    // The words of the UCI command are forgiven.
    fields.next_if(|word| word.text.eq_ignore_ascii_case("position"));
    fields.next_if(|word| word.text.eq_ignore_ascii_case("fen"));
    let Some(board) = fields.next() else {
        return Err(InputError::new(1, "no position before the ';'; write a FEN or 'startpos'"));
    };
    let mut end = board.offset + board.text.len();
    let whole_head = board.text.eq_ignore_ascii_case("TSFEN1");
    let mut count = 1;
    while let Some(field) =
        fields.next_if(|word| whole_head && word.text != "moves" || is_field(word.text, count))
    {
        end = field.offset + field.text.len();
        count += 1;
    }
    let position = Piece { text: &line[board.offset..end], offset: board.offset };
    let mut moves = None;
    let mut opcodes = Vec::new();
    let head_end = head.offset + head.text.len();
    if let Some(next) = fields.next() {
        let after = next.offset + next.text.len();
        if next.text == "moves" {
            moves = Some(Piece { text: &line[after..head_end], offset: after });
        } else {
            let operand = unquote(&line[after..head_end]);
            let is_ended = segments.len() > 0;
            opcodes.push(Opcode { name: next, operand, is_first: true, is_ended });
        }
    }
    while let Some(segment) = segments.next() {
        let Some(name) = words(segment.text).next() else { continue };
        let operand = unquote(&segment.text[name.offset + name.text.len()..]);
        let name = Piece { offset: name.offset + segment.offset, ..name };
        let is_ended = segments.len() > 0;
        opcodes.push(Opcode { name, operand, is_first: false, is_ended });
    }
    Ok(Parts { position, moves, opcodes })
}

/// Whether the word is field `index` of a position, not an opcode: the side, or something without letters (`-`, counters).
fn is_field(word: &str, index: usize) -> bool {
    if word == "moves" || is_known(word) || word.starts_with('"') {
        return false;
    }
    index == 1 || !word.contains(char::is_alphabetic)
}

/// The parts of a line between semicolons that are not quoted.
fn segments(line: &str) -> Result<Vec<Piece<'_>>, InputError> {
    let mut segments = Vec::new();
    let (mut start, mut quote) = (0, None);
    for (at, letter) in line.char_indices() {
        match letter {
            '"' => quote = if quote.is_some() { None } else { Some(at) },
            ';' if quote.is_none() => {
                segments.push(Piece { text: &line[start..at], offset: start });
                start = at + 1;
            }
            _ => {}
        }
    }
    if let Some(at) = quote {
        let bad = shorten(&line[at..], QUOTE_LIMIT);
        return Err(InputError::new(column_at(line, at), format!("no closing quote for {bad}")));
    }
    segments.push(Piece { text: &line[start..], offset: start });
    Ok(segments)
}

fn unquote(operand: &str) -> &str {
    let operand = operand.trim();
    operand.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(operand)
}

/// The opcodes of the EPD standard, those in common use, and `D1`, `D2`, ... of perft files.
fn is_known(name: &str) -> bool {
    const NAMES: [&str; 26] = [
        "acd", "acn", "acs", "am", "bm", "ce", "dm", "eco", "fmvn", "hmvc", "id", "nic", "noop",
        "pm", "pv", "rc", "resign", "sm", "sv", "tcgs", "tcri", "tcsi", "wdl", "wv", "bv",
        "result",
    ];
    NAMES.contains(&name) || ['c', 'v', 'D'].into_iter().any(|letter| is_numbered(name, letter))
}

/// Whether a name is the letter and a number.
fn is_numbered(name: &str, letter: char) -> bool {
    let digits = name.strip_prefix(letter).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, position: &str, moves: Option<&str>, opcodes: &[(&str, &str)]) {
        let parts = split(line).unwrap();
        assert_eq!(parts.position.text, position);
        assert_eq!(&line[parts.position.offset..][..position.len()], position);
        assert_eq!(parts.moves.map(|moves| moves.text.trim()), moves);
        let found: Vec<_> = parts.opcodes.iter().map(|op| (op.name.text, op.operand)).collect();
        assert_eq!(found, opcodes);
    }

    #[test]
    fn a_line_is_split_into_its_parts() {
        check("4k4/9 w", "4k4/9 w", None, &[]);
        check("4k4/9", "4k4/9", None, &[]);
        check("  4k4/9 w - - 12 13  ", "4k4/9 w - - 12 13", None, &[]);
        check("4k4/9 b 9 34 moves a b", "4k4/9 b 9 34", Some("a b"), &[]);
        check("startpos moves a b", "startpos", Some("a b"), &[]);
        check("position fen 4k4/9 w moves", "4k4/9 w", Some(""), &[]);
        check(
            "4k4/9 w - - bm d8d9; dm 3; id \"x; y\";",
            "4k4/9 w - -",
            None,
            &[("bm", "d8d9"), ("dm", "3"), ("id", "x; y")],
        );
        check(
            "4k4/9 w - - 1 2 bm a b;c0 x",
            "4k4/9 w - - 1 2",
            None,
            &[("bm", "a b"), ("c0", "x")],
        );
        check("4k4/9 w;c0 x", "4k4/9 w", None, &[("c0", "x")]);
        check("4k4/9 w;words; more", "4k4/9 w", None, &[("words", ""), ("more", "")]);
        check("4k4/9 w ;D1 44 ;D2 1920", "4k4/9 w", None, &[("D1", "44"), ("D2", "1920")]);
        check("4k4/9 bm a", "4k4/9", None, &[("bm", "a")]);
        check(
            "TSFEN1 b 0 0 B:Pawn@5,2 W:+Dragon<R>@1,3 moves x",
            "TSFEN1 b 0 0 B:Pawn@5,2 W:+Dragon<R>@1,3",
            Some("x"),
            &[],
        );
    }

    #[test]
    fn moves_have_two_numbers() {
        for text in ["h2e2", "H2-E2", "C2=5", "18z18y", "炮二平五", "炮8平5"] {
            assert!(has_two_numbers(text), "{text}");
        }
        for text in ["c0", "bm", "D12", "extra", ""] {
            assert!(!has_two_numbers(text), "{text}");
        }
    }

    #[test]
    fn quotes_must_close() {
        let error = split("4k4/9 w id \"马").unwrap_err();
        assert_eq!(error.column, 12);
        assert!(split(" ; x").is_err());
    }
}
