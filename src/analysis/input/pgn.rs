//! PGN games with moves in any notation of the game and text in UTF-8, GBK (GB 18030) or Big5.
//!
//! The encoding is the one in which the moves are legal. Comments, variations, annotations and results are skipped. A game
//! with an illegal move is refused as a whole, with the number of the move; the games around it are read.

use std::io::{self, BufRead};

use encoding_rs::Encoding;

use super::encoding::{CANDIDATES, decode_lossy};
use super::game::PlayedGame;
use super::lines::{LINE_LIMIT, Line, Lines};
use super::setup::{self, Piece, QUOTE_LIMIT, strip_number};
use crate::analysis::job::{Id, InputError, column_at, shorten};
use crate::game::{Game, Rules, Side};

/// The lines of one game, not yet decoded.
pub(super) struct RawGame {
    /// Line of the first byte in the file.
    pub(super) line: u64,
    /// The lines, joined by line feeds.
    pub(super) bytes: Vec<u8>,
    /// Whether the game is longer than [`LINE_LIMIT`] and cut.
    is_cut: bool,
}

/// An error in a game, with its line in the file.
#[derive(Debug)]
pub(super) struct GameError {
    pub(super) line: u64,
    pub(super) error: InputError,
}

/// Cuts a stream into games. Works on bytes: no encoding of interest has a line feed or a leading `[` inside a character.
pub(super) struct Games<R> {
    pub(super) lines: Lines<R>,
    held: Option<Line>,
}

impl<R: BufRead> Games<R> {
    pub(super) fn new(lines: Lines<R>) -> Self {
        Self { lines, held: None }
    }

    /// The next game that has tags or text.
    pub(super) fn next_game(&mut self) -> io::Result<Option<RawGame>> {
        let mut game: Option<RawGame> = None;
        let mut tags: Vec<Vec<u8>> = Vec::new();
        let (mut has_moves, mut has_ended) = (false, false);
        while let Some(line) = match self.held.take() {
            Some(line) => Some(line),
            None => self.lines.next_line()?,
        } {
            if line.is_blank() {
                if let Some(game) = &mut game {
                    game.push(&line);
                }
                continue;
            }
            let tag = tag_name(&line.bytes);
            let begins_another = match tag {
                Some(name) => has_moves || tags.iter().any(|seen| seen == name),
                None => has_ended && !line.bytes.trim_ascii_start().starts_with(b"{"),
            };
            if begins_another && game.is_some() {
                self.held = Some(line);
                break;
            }
            match tag {
                Some(name) => tags.push(name.to_vec()),
                None => {
                    has_moves = true;
                    has_ended = ends_game(&line.bytes);
                }
            }
            let game = game.get_or_insert_with(|| RawGame {
                line: line.number,
                bytes: Vec::new(),
                is_cut: false,
            });
            game.push(&line);
        }
        Ok(game)
    }
}

impl RawGame {
    fn push(&mut self, line: &Line) {
        if self.bytes.len() + line.bytes.len() > LINE_LIMIT || line.is_too_long() {
            self.is_cut = true;
            return;
        }
        self.bytes.extend_from_slice(&line.bytes);
        self.bytes.push(b'\n');
    }

    /// Reads the game, the `number`-th of its file, finding its encoding if none is given: first `likely`, then the others.
    /// Returns the encoding in which the moves are legal.
    pub(super) fn read<G: Game>(
        &self,
        number: u64,
        rules: Rules<G::RuleSet>,
        encoding: Option<&'static Encoding>,
        likely: &'static Encoding,
    ) -> Result<(PlayedGame<G>, &'static Encoding), GameError> {
        if self.is_cut {
            let message = format!("game {number} is longer than {LINE_LIMIT} bytes and not read");
            return Err(GameError { line: self.line, error: InputError::new(1, message) });
        }
        let candidates: Vec<&'static Encoding> = match encoding {
            Some(encoding) => vec![encoding],
            None if self.bytes.is_ascii() => vec![likely],
            None => {
                let others = CANDIDATES.into_iter().filter(|&other| other != likely);
                std::iter::once(likely).chain(others).collect()
            }
        };
        let mut damaged = None;
        let mut furthest: Option<(usize, GameError)> = None;
        for encoding in candidates {
            let (text, had_errors) = decode_lossy(&self.bytes, encoding);
            match read_text::<G>(&text, self.line, number, rules) {
                Ok(game) if !had_errors => return Ok((game, encoding)),
                Ok(game) if damaged.is_none() => damaged = Some((game, encoding)),
                Ok(_) => {}
                Err((plies, error)) => {
                    if furthest.as_ref().is_none_or(|(most, _)| plies > *most) {
                        furthest = Some((plies, error));
                    }
                }
            }
        }
        if let Some((mut game, encoding)) = damaged {
            let name = encoding.name();
            game.warnings.push(format!(
                "game {number}: bytes in tags or comments that are not {name} were replaced; \
                 name the right --encoding if it matters"
            ));
            return Ok((game, encoding));
        }
        Err(furthest.expect("at least one encoding was tried").1)
    }
}

/// The name of a tag line `[Name "value"]`.
fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let rest = line.trim_ascii_start().strip_prefix(b"[")?.trim_ascii_start();
    let length = rest.iter().position(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'))?;
    let after = rest[length..].trim_ascii_start();
    (length > 0 && after.starts_with(b"\"")).then(|| &rest[..length])
}

const RESULTS: [&str; 5] = ["1-0", "0-1", "1/2-1/2", "1/2", "*"];

fn ends_game(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    let last = line.rsplit(u8::is_ascii_whitespace).next().unwrap_or(line);
    RESULTS.iter().any(|result| result.as_bytes() == last)
}

/// The parts of a game's text that matter.
#[derive(Debug, Default)]
struct GameText<'a> {
    tags: Vec<(&'a str, Piece<'a>)>,
    /// Move text without numbers, comments, variations, annotations and results.
    moves: Vec<Piece<'a>>,
}

/// Reads a decoded game; on failure also tells how many plies were legal.
fn read_text<G: Game>(
    text: &str,
    first_line: u64,
    number: u64,
    rules: Rules<G::RuleSet>,
) -> Result<PlayedGame<G>, (usize, GameError)> {
    let place = |offset: usize, column_in_piece: usize, message: String| {
        let line_start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let column = column_at(&text[line_start..], offset - line_start) + column_in_piece;
        let line = first_line + text[..offset].bytes().filter(|&byte| byte == b'\n').count() as u64;
        GameError { line, error: InputError::new(column, format!("game {number}, {message}")) }
    };
    let parts = tokenise(text).map_err(|(at, message)| (0, place(at, 0, message)))?;
    let tag = |name: &str| {
        let found = parts.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        found.map(|&(_, value)| value).filter(|value| !value.text.trim().is_empty())
    };
    let start = tag("FEN").unwrap_or(Piece { text: "startpos", offset: 0 });
    let start = Piece { text: start.text.trim(), ..start };
    let root =
        setup::root::<G>(start.text, Piece { offset: 0, ..start }, rules).map_err(|error| {
            (0, place(start.offset, error.column - 1, format!("tag FEN: {}", error.message)))
        })?;
    let mut position = root.position.clone();
    let mut moves = Vec::new();
    let black_first = usize::from(G::side_to_move(&position) == Side::Second);
    for piece in &parts.moves {
        let mv = G::parse_move(&position, piece.text).map_err(|error| {
            let move_number = (moves.len() + black_first) / 2 + 1;
            let side = G::SIDES[G::side_to_move(&position).index()];
            let bad = shorten(piece.text, QUOTE_LIMIT);
            let reason = error.message;
            let message = format!("move {move_number} ({side}) '{bad}': {reason}");
            (moves.len(), place(piece.offset, 0, message))
        })?;
        G::make(&mut position, mv);
        moves.push(mv);
    }
    let id = tag("Id").map(|id| Id::Text(id.text.to_owned()));
    let id = id.unwrap_or_else(|| Id::Text(format!("game {number}")));
    let mut game = PlayedGame::new(first_line, Some(id), root.position, moves);
    game.warnings = root.warnings;
    Ok(game)
}

/// Splits a game's text; the error has its place in bytes.
fn tokenise(text: &str) -> Result<GameText<'_>, (usize, String)> {
    let mut parts = GameText::default();
    let mut variations: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        let line_end = || rest.find('\n').unwrap_or(rest.len());
        let starts_line = at == 0 || text[..at].ends_with('\n');
        at += match letter {
            '{' => match rest.find('}') {
                Some(end) => end + 1,
                None => {
                    return Err((at, "a comment that begins here has no closing '}'".to_owned()));
                }
            },
            ';' => line_end(),
            '%' if starts_line => line_end(),
            '[' if variations.is_empty() && tag_name(&rest.as_bytes()[..line_end()]).is_some() => {
                parts.tags.extend(read_tag(text, at, at + line_end()));
                line_end()
            }
            '(' | '（' => {
                variations.push(at);
                letter.len_utf8()
            }
            ')' | '）' => {
                if variations.pop().is_none() {
                    return Err((at, "a ')' without its '('".to_owned()));
                }
                letter.len_utf8()
            }
            _ if letter.is_whitespace() => letter.len_utf8(),
            _ => {
                let length = rest.find(ends_word).unwrap_or(rest.len()).max(letter.len_utf8());
                if variations.is_empty() {
                    parts.moves.extend(read_move(Piece { text: &rest[..length], offset: at }));
                }
                length
            }
        };
    }
    match variations.pop() {
        Some(at) => Err((at, "a variation that begins here has no closing ')'".to_owned())),
        None => Ok(parts),
    }
}

fn ends_word(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '{' | '}' | '(' | ')' | '（' | '）' | ';')
}

/// The name and value of the tag between two places.
fn read_tag(text: &str, start: usize, end: usize) -> Option<(&str, Piece<'_>)> {
    let line = &text[start..end];
    let open = line.find('"')?;
    let name = line[1..open].trim();
    let close = line.rfind('"').filter(|&close| close > open).unwrap_or(line.len());
    Some((name, Piece { text: &line[open + 1..close], offset: start + open + 1 }))
}

/// The move in a word; `None` for numbers, results and annotations.
fn read_move(word: Piece<'_>) -> Option<Piece<'_>> {
    if RESULTS.contains(&word.text) || word.text.starts_with('$') {
        return None;
    }
    let text = strip_number(word.text)?;
    let offset = word.offset + (word.text.len() - text.len());
    let text = text.trim_end_matches(['!', '?', '！', '？', '#']);
    (!text.is_empty()).then_some(Piece { text, offset })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<&str> {
        tokenise(text).unwrap().moves.into_iter().map(|piece| piece.text).collect()
    }

    #[test]
    fn only_moves_are_left() {
        let text = "[Red \"a (b\"]\n\n1. 炮二平五! {a (comment\n[x} 馬８進７ $4 (1... x (y) z)\n\
                    2.C2.5 ; rest 3. w\n% skipped\n2... H2-E2?! 1/2-1/2\n";
        assert_eq!(moves(text), ["炮二平五", "馬８進７", "C2.5", "H2-E2"]);
        assert_eq!(moves("1. ... 卒７進１ *"), ["卒７進１"]);
        assert_eq!(moves("C2=5 H8+7\nH2+3 R9=8 0-1"), ["C2=5", "H8+7", "H2+3", "R9=8"]);
    }

    #[test]
    fn what_does_not_close_is_an_error() {
        assert_eq!(tokenise("a {b").unwrap_err().0, 2);
        assert_eq!(tokenise("a (b (c)").unwrap_err().0, 2);
        assert_eq!(tokenise("a )").unwrap_err().0, 2);
    }

    #[test]
    fn a_stream_is_cut_into_games() {
        let check = |text: &str, lines: &[u64]| {
            let mut games = Games::new(Lines::new(text.as_bytes()));
            let mut found = Vec::new();
            while let Some(game) = games.next_game().unwrap() {
                found.push(game.line);
            }
            assert_eq!(found, lines, "{text}");
        };
        check("[A \"x\"]\n[B \"y\"]\n\n1. a b\n1-0\n\n[A \"z\"]\n\n1. a\n*\n", &[1, 7]);
        check("[A \"x\"]\n\n[A \"z\"]\n\n1. a\n*\n", &[1, 3]);
        check("\n\n1. a b 1-0\n\n1. c d *\n{end}\n", &[3, 5]);
        check("\n\n", &[]);
        check("[A \"x\"]\n1. a {c\n[%clk 1]} b\n", &[1]);
    }
}
