//! Positions and moves as text: the names of the forms, and reading and writing of moves in any of them.
//!
//! ```text
//! coordinates (uci, iccs)        a pair of points
//! algebraic                      a piece and a point, as in chess: one legal move must fit
//! description (wxf, chinese)     "the front cannon goes to file 5": one legal move must fit
//! fen, sound                     positions, and which of them can be played
//! explain                        why a move is not legal
//! ```

mod algebraic;
pub mod board;
mod chinese;
mod coordinates;
mod description;
mod explain;
pub mod fen;
mod sound;
mod text;
mod wxf;

use super::moves::Move;
use super::position::Position;
use crate::game::{MoveError, Named};
use chinese::Script;
use description::Description;
use fen::Letters;
use text::{ascii_of, excerpt};

/// A way to write moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// `h2e2`.
    Uci,
    /// `H2-E2`.
    Iccs,
    /// `C2=5`, horses H and elephants E.
    Wxf,
    /// `C2=5`, horses N and elephants B.
    WxfBn,
    /// `炮二平五`, simplified characters.
    Chinese,
    /// `炮二平五`, traditional characters.
    ChineseTraditional,
}

impl Named for Notation {
    const ALL: &'static [Self] =
        &[Self::Uci, Self::Iccs, Self::Wxf, Self::WxfBn, Self::Chinese, Self::ChineseTraditional];

    fn name(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Iccs => "iccs",
            Self::Wxf => "wxf",
            Self::WxfBn => "wxf-bn",
            Self::Chinese => "chinese",
            Self::ChineseTraditional => "chinese-traditional",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Uci => "coordinates, ranks 0 to 9: h2e2",
            Self::Iccs => "coordinates in capitals with a dash: H2-E2",
            Self::Wxf => "world federation, letters K A E H R C P: C2=5, H8+7, R+=5, 16=7",
            Self::WxfBn => "as wxf with the letters K A B N R C P: C2=5, N8+7",
            Self::Chinese => "Chinese text in simplified characters: 炮二平五, 马８进７",
            Self::ChineseTraditional => {
                "Chinese text in traditional characters: 炮二平五, 馬８進７"
            }
        }
    }
}

/// A way to write positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// FEN with the letters K A B N R C P.
    Fen,
    /// FEN with the letters K A E H R C P.
    FenEh,
}

impl Named for Format {
    const ALL: &'static [Self] = &[Self::Fen, Self::FenEh];

    fn name(self) -> &'static str {
        match self {
            Self::Fen => "fen",
            Self::FenEh => "fen-eh",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Fen => "FEN with the letters K A B N R C P",
            Self::FenEh => "FEN with the letters K A E H R C P (elephant, horse)",
        }
    }
}

/// Writes a position.
pub fn format_position(position: &Position, format: Format) -> String {
    match format {
        Format::Fen => fen::format(position, Letters::BishopKnight),
        Format::FenEh => fen::format(position, Letters::ElephantHorse),
    }
}

/// Writes a legal move of the position.
pub fn format_move(position: &Position, mv: Move, notation: Notation) -> String {
    match notation {
        Notation::Uci => mv.to_string(),
        Notation::Iccs => coordinates::format_iccs(mv),
        Notation::Wxf => wxf::format(position, mv, Letters::ElephantHorse),
        Notation::WxfBn => wxf::format(position, mv, Letters::BishopKnight),
        Notation::Chinese => chinese::format(position, mv, Script::Simplified),
        Notation::ChineseTraditional => chinese::format(position, mv, Script::Traditional),
    }
}

/// The longest text that is read as a move, in characters. The longest we write has six.
const LONGEST: usize = 16;

/// What a text says, before it is compared with the legal moves.
enum Reading {
    Points(Move),
    Described(Description, Notation),
    Algebraic(algebraic::Algebraic),
}

/// Reads a move in any notation and checks that it is legal.
///
/// # Errors
/// The reason why the text is no move, is ambiguous, or names a move that is not legal.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let reading = read(text).and_then(|reading| match reading {
        Reading::Points(mv) if position.is_legal(mv) => Ok(mv),
        Reading::Points(mv) => Err(explain::why_illegal(position, mv)),
        Reading::Described(description, notation) => description.resolve(position, notation),
        Reading::Algebraic(algebraic) => algebraic.resolve(position),
    });
    reading.map_err(|message| MoveError { text: excerpt(text.trim()), message })
}

fn read(text: &str) -> Result<Reading, String> {
    let letters: Vec<char> = text.trim().chars().take(LONGEST + 1).map(ascii_of).collect();
    if letters.is_empty() {
        return Err(format!("there is no move; {FORMS}"));
    }
    // Signs of check and comment at the end say nothing that the move does not.
    let end = letters.iter().rposition(|letter| !"+#!?".contains(*letter)).map_or(0, |at| at + 1);
    let letters = &letters[..end];
    if letters.len() > LONGEST {
        return Err(format!("too long for a move; {FORMS}"));
    }
    if let Some(points) = coordinates::read(letters) {
        return points.map(Reading::Points);
    }
    if let Some(description) = wxf::read(letters) {
        return description.map(|description| Reading::Described(description, Notation::Wxf));
    }
    if let Some(description) = chinese::read(letters) {
        let notation = Notation::Chinese;
        return description.map(|description| Reading::Described(description, notation));
    }
    if let Some(algebraic) = algebraic::read(letters) {
        return Ok(Reading::Algebraic(algebraic));
    }
    Err(format!("not a move; {FORMS}"))
}

/// The remedy for a text that is no move at all.
const FORMS: &str = "write h2e2, H2-E2, C2=5 or 炮二平五";
