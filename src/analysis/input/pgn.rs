//! PGN games with moves in any notation of the game and text in UTF-8, GBK (GB 18030) or Big5.
//!
//! The encoding is the one in which the moves are legal. Comments, variations, annotations and results are skipped, and so are
//! lines that begin with `%` or `#`. A game with an illegal move is refused as a whole, with the number of the move; the games around it are read.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use encoding_rs::Encoding;

use super::encoding::{CANDIDATES, decode_lossy};
use super::game::PlayedGame;
use super::lines::{LINE_LIMIT, Line, Lines};
use super::setup::{self, Piece, QUOTE_LIMIT, is_result, strip_number};
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
///
/// A comment may go on for lines, and those may look like tags. If a comment is never closed, though, the tags in it are those of
/// the next game, so that one mistake costs one game: see [`Games::closes`].
pub(super) struct Games<R> {
    pub(super) lines: Lines<R>,
    /// Lines that were read ahead.
    ahead: VecDeque<Line>,
}

/// What the lines of a game so far tell of the next one.
#[derive(Default)]
struct Progress {
    tags: Vec<Vec<u8>>,
    has_moves: bool,
    has_ended: bool,
    in_comment: bool,
    /// Whether the comment in hand is known to be closed by a later line.
    will_close: bool,
}

impl Progress {
    fn has_content(&self) -> bool {
        self.has_moves || !self.tags.is_empty()
    }

    /// Whether a line of this content is the first one of another game.
    fn begins_another(&self, content: &Content<'_>) -> bool {
        match content {
            Content::Nothing => false,
            Content::Tag(name) => self.has_moves || self.tags.iter().any(|seen| seen == name),
            Content::Moves { end_game: _ } => self.has_ended,
        }
    }

    fn add(&mut self, content: &Content<'_>) {
        match content {
            Content::Nothing => {}
            Content::Tag(name) => self.tags.push(name.to_vec()),
            Content::Moves { end_game } => {
                self.has_moves = true;
                self.has_ended = *end_game;
            }
        }
    }
}

impl<R: BufRead> Games<R> {
    pub(super) fn new(lines: Lines<R>) -> Self {
        Self { lines, ahead: VecDeque::new() }
    }

    /// The next game that has tags or text.
    pub(super) fn next_game(&mut self) -> io::Result<Option<RawGame>> {
        let mut game: Option<RawGame> = None;
        let mut progress = Progress::default();
        while let Some(line) = self.next_line()? {
            let begins_in_comment = progress.in_comment;
            if begins_in_comment && !progress.will_close && tag_name(&line.bytes).is_some() {
                progress.will_close = self.closes(&line)?;
                if !progress.will_close {
                    self.ahead.push_front(line);
                    return Ok(game);
                }
            }
            let (content, in_comment) = content(&line.bytes, begins_in_comment);
            if progress.begins_another(&content) {
                self.ahead.push_front(line);
                return Ok(game);
            }
            progress.in_comment = in_comment;
            progress.will_close &= in_comment;
            let is_first = !matches!(content, Content::Nothing) && !progress.has_content();
            if is_first && !begins_in_comment {
                // What stood before it were comments on no game.
                game = None;
            }
            progress.add(&content);
            if progress.has_content() || in_comment {
                game.get_or_insert_with(|| RawGame::new(line.number)).push(&line);
            } else {
                game = None;
            }
        }
        Ok(game)
    }

    fn next_line(&mut self) -> io::Result<Option<Line>> {
        match self.ahead.pop_front() {
            Some(line) => Ok(Some(line)),
            None => self.lines.next_line(),
        }
    }

    /// Whether the comment that is open before the line is closed later on. As comments do not nest, a brace that opens another
    /// one first tells that it is not.
    fn closes(&mut self, line: &Line) -> io::Result<bool> {
        let mut brace = first_brace(&line.bytes);
        let mut bytes = line.bytes.len();
        let mut index = 0;
        while brace.is_none() && bytes <= LINE_LIMIT {
            if index == self.ahead.len() {
                let Some(line) = self.lines.next_line()? else { break };
                self.ahead.push_back(line);
            }
            brace = first_brace(&self.ahead[index].bytes);
            bytes += self.ahead[index].bytes.len() + 1;
            index += 1;
        }
        Ok(brace == Some(b'}'))
    }
}

/// What a line holds beside comments.
enum Content<'a> {
    /// Nothing, or what is passed over: lines that begin with `%` or `#`.
    Nothing,
    /// The tag of this name.
    Tag(&'a [u8]),
    /// Move text, and whether it ends with a result.
    Moves { end_game: bool },
}

/// The content of a line that may begin in a comment, and whether it ends in one.
fn content(line: &[u8], begins_in_comment: bool) -> (Content<'_>, bool) {
    let mut in_comment = begins_in_comment;
    if !in_comment {
        if line.starts_with(b"%") || line.trim_ascii_start().starts_with(b"#") {
            return (Content::Nothing, false);
        }
        if let Some(name) = tag_name(line) {
            return (Content::Tag(name), false);
        }
    }
    let mut text = Vec::new();
    for byte in letters(line) {
        match (byte, in_comment) {
            (b'}', true) => in_comment = false,
            (_, true) => {}
            (b'{', false) => in_comment = true,
            (b';', false) => break,
            (byte, false) => text.push(byte),
        }
    }
    let text = text.trim_ascii();
    let content = if text.is_empty() {
        Content::Nothing
    } else {
        Content::Moves { end_game: ends_game(text) }
    };
    (content, in_comment)
}

fn first_brace(line: &[u8]) -> Option<u8> {
    letters(line).find(|byte| b"{}".contains(byte))
}

/// The bytes of a line, where the second byte of a character of GBK or Big5, which may look like a brace, is hidden.
fn letters(line: &[u8]) -> impl Iterator<Item = u8> {
    const FIRST_LEAD: u8 = 0x81;
    let is_utf8 = std::str::from_utf8(line).is_ok();
    let mut is_second = false;
    line.iter().map(move |&byte| {
        let hidden = is_second;
        is_second = !hidden && !is_utf8 && byte >= FIRST_LEAD;
        if hidden { FIRST_LEAD } else { byte }
    })
}

impl RawGame {
    fn new(line: u64) -> Self {
        Self { line, bytes: Vec::new(), is_cut: false }
    }

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

/// The name of a tag line `[Name "value"]`, in any script, or of one without a value, `[Name]`.
fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let rest = line.trim_ascii().strip_prefix(b"[")?.trim_ascii_start();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let length = rest.iter().position(|byte| !is_name(byte))?;
    let after = rest[length..].trim_ascii_start();
    (length > 0 && (after.starts_with(b"\"") || after == b"]")).then(|| &rest[..length])
}

/// Whether move text ends with a result.
fn ends_game(line: &[u8]) -> bool {
    let last = line.rsplit(u8::is_ascii_whitespace).next().unwrap_or(line);
    std::str::from_utf8(last).is_ok_and(is_result)
}

/// The parts of a game's text that matter.
#[derive(Debug, Default)]
struct GameText<'a> {
    tags: Vec<(&'a str, Piece<'a>)>,
    /// Move text without numbers, comments, variations, annotations and results.
    moves: Vec<Piece<'a>>,
    /// Whether the result came already.
    has_ended: bool,
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
    let any_tag = |name: &str| {
        parts.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|&(_, value)| value)
    };
    let tag = |name: &str| any_tag(name).filter(|value| !value.text.trim().is_empty());
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
    if let Some(variant) = tag("Variant").filter(|tag| !tag.text.eq_ignore_ascii_case(G::NAME)) {
        let variant = shorten(variant.text, QUOTE_LIMIT);
        game.warnings.push(format!(
            "game {number}: tag Variant says '{variant}'; the game is read as {}",
            G::NAME
        ));
    }
    if any_tag("FEN").is_some() && tag("FEN").is_none() {
        game.warnings.push(format!(
            "game {number}: tag FEN is empty; the game begins with the initial position"
        ));
    }
    Ok(game)
}

/// What is wrong with moves behind the result of a game.
const BEHIND_RESULT: &str =
    "moves behind the result of the game; begin each game on a line of its own";

/// Splits a game's text; the error has its place in bytes.
fn tokenise(text: &str) -> Result<GameText<'_>, (usize, String)> {
    let mut parts = GameText::default();
    let mut variations: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        let line_end = || rest.find('\n').unwrap_or(rest.len());
        let starts_line = || {
            let before = text[..at].trim_end_matches([' ', '\t']);
            before.is_empty() || before.ends_with('\n')
        };
        at += match letter {
            '{' => match rest.find('}') {
                Some(end) => end + 1,
                None => {
                    return Err((at, "a comment that begins here has no closing '}'".to_owned()));
                }
            },
            ';' => line_end(),
            '%' if at == 0 || text[..at].ends_with('\n') => line_end(),
            '#' if starts_line() => line_end(),
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
                let word = Piece { text: &rest[..length], offset: at };
                if variations.is_empty() {
                    if is_result(word.text) {
                        parts.has_ended = true;
                    } else if let Some(mv) = read_move(word) {
                        if parts.has_ended {
                            return Err((at, BEHIND_RESULT.to_owned()));
                        }
                        parts.moves.push(mv);
                    }
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
    let open = line.find('"')?; // A tag without a value says nothing.
    let name = line[1..open].trim();
    let close = line.rfind('"').filter(|&close| close > open).unwrap_or(line.len());
    Some((name, Piece { text: &line[open + 1..close], offset: start + open + 1 }))
}

/// The move in a word; `None` for numbers, results and annotations.
fn read_move(word: Piece<'_>) -> Option<Piece<'_>> {
    if is_result(word.text) || word.text.starts_with('$') {
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
    fn moves_behind_a_result_are_an_error() {
        assert_eq!(tokenise("1. a b 1-0 2. c d *").unwrap_err().0, 14);
        assert_eq!(moves("1. a b 1-0 {c} 1-0 ; d"), ["a", "b"]);
    }

    #[test]
    fn tags_have_names_in_any_script() {
        for line in ["[Red \"x\"]", " [ 开局 \"x\" ]", "[Red]", "[a_1 \"", "[Red \"x]"] {
            assert!(tag_name(line.as_bytes()).is_some(), "{line}");
            assert!(moves(&format!("{line}\n1. a *")) == ["a"], "{line}");
        }
        for line in ["[%clk 1]", "[]", "[x", "[x y]", "x]"] {
            assert!(tag_name(line.as_bytes()).is_none(), "{line}");
        }
    }

    #[test]
    fn what_does_not_close_is_an_error() {
        assert_eq!(tokenise("a {b").unwrap_err().0, 2);
        assert_eq!(tokenise("a (b (c)").unwrap_err().0, 2);
        assert_eq!(tokenise("a )").unwrap_err().0, 2);
    }

    #[test]
    fn half_a_character_is_no_brace() {
        let line = b"{\xfa\x7b}";
        assert_eq!(letters(line).collect::<Vec<_>>(), [b'{', 0xfa, 0x81, b'}']);
        assert_eq!(letters("{é}".as_bytes()).collect::<Vec<_>>(), "{é}".as_bytes());
    }

    #[test]
    fn comments_between_games_are_no_games() {
        for comment in ["; c", "% c", "# c", "{c}", "{c\n[A \"x\"] d}", "  # c", "{c} ; d"] {
            let lines = comment.lines().count() as u64;
            let game = "[A \"x\"]\n1. a *";
            let text = format!("{comment}\n{game}\n\n{comment}\n{game}\n{comment}\n");
            check_games(&text, &[1 + lines, 4 + 2 * lines]);
            check_games(comment, &[]);
        }
        check_games("{c\nd} 1. a *\n", &[1]);
        check_games("1. a 1-0 {c} ; d\n1. b *\n", &[1, 2]);
    }

    #[test]
    fn tags_in_a_comment_begin_no_game_unless_it_stays_open() {
        check_games("[A \"x\"]\n1. a {c\n[A \"y\"] d} b\n", &[1]);
        check_games("[A \"x\"]\n1. a {c\n[A \"y\"]\n[B \"y\"]\n} b\n[A \"z\"]\n", &[1, 6]);
        check_games("[A \"x\"]\n1. a {c\n\n[A \"y\"]\n1. a *\n", &[1, 4]);
        check_games("[A \"x\"]\n1. a {c\n\n[A \"y\"]\n1. a {d} *\n", &[1, 4]);
        check_games("{c\n[A \"y\"]\n1. a *\n", &[1, 2]);
    }

    #[track_caller]
    fn check_games(text: &str, lines: &[u64]) {
        let mut games = Games::new(Lines::new(text.as_bytes()));
        let mut found = Vec::new();
        while let Some(game) = games.next_game().unwrap() {
            found.push(game.line);
        }
        assert_eq!(found, lines, "{text}");
    }

    #[test]
    fn a_stream_is_cut_into_games() {
        let check = check_games;
        check("[A \"x\"]\n[B \"y\"]\n\n1. a b\n1-0\n\n[A \"z\"]\n\n1. a\n*\n", &[1, 7]);
        check("[A \"x\"]\n\n[A \"z\"]\n\n1. a\n*\n", &[1, 3]);
        check("\n\n1. a b 1-0\n\n1. c d *\n{end}\n", &[3, 5]);
        check("\n\n", &[]);
        check("[A \"x\"]\n1. a {c\n[%clk 1]} b\n", &[1]);
    }
}
