//! Positions as FEN text, in all its dialects.
//!
//! ```text
//! rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
//! ranks 9 to 0, from file a to i                              | |   | number of the full move
//!                                              side to move --+ |   +-- plies without a capture that count
//!                                               always empty ---+
//! ```
//!
//! Horses are N or H, elephants B or E, advisors A or M; Red to move is `w` or `r`. The dashes, the counters and the side
//! may be left out. Full-width characters are read as ASCII, with a warning.

use std::iter::Peekable;
use std::str::Chars;

use super::sound;
use super::text::{ascii_of, excerpt};
use crate::game::{Parsed, PositionError, Side};
use crate::games::xiangqi::piece::Piece;
use crate::games::xiangqi::position::Position;
use crate::games::xiangqi::repetition::counted_plies;
use crate::games::xiangqi::rules::XiangqiRules;
use crate::games::xiangqi::square::{FILES, RANKS, Square};

/// The initial position.
pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// The largest counter read: far more than any game needs, and no sum of plies overflows.
const LARGEST_COUNTER: u32 = 1_000_000;

/// Which letters stand for elephant and horse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Letters {
    /// B and N, as in chess.
    BishopKnight,
    /// E and H.
    ElephantHorse,
}

impl Letters {
    /// The letter of a piece, upper case for Red.
    pub fn of(self, piece: Piece) -> char {
        let letter = piece.letter();
        match (self, letter) {
            (Self::ElephantHorse, 'B') => 'E',
            (Self::ElephantHorse, 'b') => 'e',
            (Self::ElephantHorse, 'N') => 'H',
            (Self::ElephantHorse, 'n') => 'h',
            _ => letter,
        }
    }
}

/// A board as read, with the column of every piece for later complaints.
pub(super) struct Placement {
    /// The pieces in reading order.
    pub(super) pieces: Vec<(Square, Piece, usize)>,
    /// The column where the board begins.
    pub(super) column: usize,
}

/// Reads a FEN or `startpos`. A byte order mark at the start is skipped and not counted in columns.
///
/// # Errors
/// A text that is no position, or a position that cannot be played: where and why.
pub fn parse(text: &str, rules: XiangqiRules) -> Result<Parsed<Position>, PositionError> {
    let mut reader = Reader::new(text.strip_prefix('\u{FEFF}').unwrap_or(text));
    reader.skip_spaces();
    if reader.starts_with_word("startpos") {
        reader.word();
        if let Some((column, word)) = reader.word() {
            return Err(surplus(column, &word, "startpos"));
        }
        return parse(START, rules);
    }
    if reader.starts_with_word("v1") {
        reader.word(); // the version mark of annotated FEN
        reader.skip_spaces();
    }
    if reader.peek().is_none() {
        return Err(reader.error("the text is empty: write a FEN or startpos".to_owned()));
    }
    let placement = read_board(&mut reader)?;
    let mut warnings = Vec::new();
    let fields = read_fields(&mut reader, &mut warnings)?;
    if reader.saw_full_width {
        warnings.push("full-width characters were read as plain ones".to_owned());
    }
    sound::check_generals(&placement)?;
    if !rules.any_material {
        sound::check_material(&placement)?;
    }
    let position = Position::from_board(
        placement.pieces.iter().map(|&(square, piece, _)| (square, piece)),
        fields.side,
        fields.quiet_plies,
        fields.move_number,
        rules,
    );
    sound::check_playable(&position, &placement)?;
    sound::warn(&position, &mut warnings);
    Ok(Parsed { position, warnings })
}

/// Writes a FEN. Its counter is the number of plies that count towards the move limit by the position's rules.
pub fn format(position: &Position, letters: Letters) -> String {
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
                    text.push(letters.of(piece));
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
    format!("{text} {side} - - {} {}", counted_plies(position), position.move_number())
}

/// Characters one by one, full-width ones made plain, with their columns.
struct Reader<'a> {
    letters: Peekable<Chars<'a>>,
    column: usize,
    saw_full_width: bool,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { letters: text.chars().peekable(), column: 1, saw_full_width: false }
    }

    fn peek(&mut self) -> Option<char> {
        self.letters.peek().copied().map(ascii_of)
    }

    fn next(&mut self) -> Option<char> {
        let raw = self.letters.next()?;
        let letter = ascii_of(raw);
        self.saw_full_width |= letter != raw;
        self.column += 1;
        Some(letter)
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    /// Whether a word comes next, in any case.
    fn starts_with_word(&self, word: &str) -> bool {
        let mut letters = self.letters.clone().map(ascii_of);
        word.chars()
            .all(|wanted| letters.next().is_some_and(|letter| letter.eq_ignore_ascii_case(&wanted)))
            && letters.next().is_none_or(char::is_whitespace)
    }

    /// The next word with its column; of a very long one only the start is kept.
    fn word(&mut self) -> Option<(usize, String)> {
        self.skip_spaces();
        let column = self.column;
        let mut word = String::new();
        while self.peek().is_some_and(|letter| !letter.is_whitespace()) {
            let letter = self.next()?;
            if word.len() < 100 {
                word.push(letter);
            }
        }
        (!word.is_empty()).then_some((column, word))
    }

    fn error(&self, message: String) -> PositionError {
        PositionError { column: self.column, message }
    }
}

/// Reads the ten rows.
fn read_board(reader: &mut Reader) -> Result<Placement, PositionError> {
    let mut placement = Placement { pieces: Vec::new(), column: reader.column };
    for rank in (0..RANKS).rev() {
        read_row(reader, rank, &mut placement)?;
        match (reader.peek(), rank) {
            (Some('/'), 0) => {
                return Err(reader.error(
                    "the board has more than 10 rows: remove what follows row 10".to_owned(),
                ));
            }
            (Some('/'), _) => {
                reader.next();
            }
            (_, 0) => {}
            _ => {
                return Err(reader.error(format!(
                    "the board ends after row {} of 10: write 10 rows separated by '/', 9 for an empty one",
                    RANKS - rank
                )));
            }
        }
    }
    Ok(placement)
}

/// Reads one row up to the slash or space behind it.
fn read_row(
    reader: &mut Reader,
    rank: usize,
    placement: &mut Placement,
) -> Result<(), PositionError> {
    let name = format!("row {} (rank {rank})", RANKS - rank);
    let mut row = String::new();
    let mut file = 0;
    while let Some(letter) =
        reader.peek().filter(|&letter| letter != '/' && !letter.is_whitespace())
    {
        let width = match letter {
            '1'..='9' => letter as usize - '0' as usize,
            _ => match Piece::from_letter(letter) {
                Some(piece) => {
                    if file < FILES {
                        placement.pieces.push((Square::new(file, rank), piece, reader.column));
                    }
                    1
                }
                None => return Err(reader.error(unknown_letter(letter, &name))),
            },
        };
        if file + width > FILES {
            let column = reader.column;
            while let Some(letter) =
                reader.next().filter(|&letter| letter != '/' && !letter.is_whitespace())
            {
                if row.len() < 100 {
                    row.push(letter);
                }
            }
            let message =
                format!("{name} has more than 9 points: '{}'; shorten it to 9", excerpt(&row));
            return Err(PositionError { column, message });
        }
        row.push(letter);
        file += width;
        reader.next();
    }
    if file < FILES {
        return Err(reader.error(format!(
            "{name} has {file} of 9 points: '{}'; a digit stands for so many empty points",
            excerpt(&row)
        )));
    }
    Ok(())
}

fn unknown_letter(letter: char, row: &str) -> String {
    match letter {
        '0' => format!("'0' in {row} stands for no point: write 1 to 9 empty points, 9 at most"),
        '[' | ']' | '<' | '>' | '(' | ')' => format!(
            "'{letter}' in {row} begins an annotation, which a position cannot hold: write the piece alone"
        ),
        _ => format!(
            "'{}' in {row} is no piece: write K A B N R C P (also M, E, H), capitals for Red, and \
             digits 1 to 9 for empty points",
            excerpt(&letter.to_string())
        ),
    }
}

/// What follows the board.
struct Fields {
    side: Side,
    quiet_plies: u32,
    move_number: u32,
}

/// Reads side, dashes and counters; whatever is left out has its default.
fn read_fields(reader: &mut Reader, warnings: &mut Vec<String>) -> Result<Fields, PositionError> {
    let mut fields = Fields { side: Side::First, quiet_plies: 0, move_number: 1 };
    let Some(field) = reader.word() else { return Ok(fields) };
    match field.1.to_ascii_lowercase().as_str() {
        "w" | "r" => {}
        "b" => fields.side = Side::Second,
        word if word == "-" || word.parse::<u32>().is_ok() => {
            warnings.push("no side to move is given: Red moves".to_owned());
            return read_counters(reader, Some(field), fields);
        }
        _ => {
            let message = format!(
                "'{}' is no side to move: write w (or r) for Red, b for Black",
                excerpt(&field.1)
            );
            return Err(PositionError { column: field.0, message });
        }
    }
    let next = reader.word();
    read_counters(reader, next, fields)
}

fn read_counters(
    reader: &mut Reader,
    mut field: Option<(usize, String)>,
    mut fields: Fields,
) -> Result<Fields, PositionError> {
    for _ in 0..2 {
        if field.as_ref().is_some_and(|(_, word)| word == "-") {
            field = reader.word();
        }
    }
    if let Some((column, word)) = field {
        fields.quiet_plies = counter(column, &word, "the number of plies without a capture")?;
        if let Some((column, word)) = reader.word() {
            fields.move_number = counter(column, &word, "the number of the move")?;
        }
    }
    match reader.word() {
        None => Ok(fields),
        Some((column, word)) => Err(surplus(column, &word, "the counters")),
    }
}

fn counter(column: usize, word: &str, what: &str) -> Result<u32, PositionError> {
    word.parse().ok().filter(|&number| number <= LARGEST_COUNTER).ok_or_else(|| {
        if word.eq_ignore_ascii_case("moves") {
            return surplus(column, word, "the position");
        }
        PositionError {
            column,
            message: format!(
                "'{}' is not {what}: write a whole number from 0 to {LARGEST_COUNTER}",
                excerpt(word)
            ),
        }
    })
}

fn surplus(column: usize, word: &str, after: &str) -> PositionError {
    let message = if word.eq_ignore_ascii_case("moves") {
        "a position holds no moves: give them apart from it".to_owned()
    } else {
        format!("'{}' follows {after}: remove it", excerpt(word))
    };
    PositionError { column, message }
}
