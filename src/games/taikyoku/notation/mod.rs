//! Text forms of positions and moves, and the formats people exchange them in.

pub mod atsa;
pub mod moves;
pub mod tsfen;
pub mod tsfen1;

use super::position::Position;
use super::ruleset::RuleSet;
use super::square::{Square, rank_name};
use crate::game::{Named, Parsed, PositionError, Rules, Side};

/// The ways to write a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Our own TSFEN, the only one that keeps everything.
    Tsfen,
    /// TSFEN of the ATSA web client and of tomatene.
    Atsa,
    /// TSFEN1 of yetiowin805's engine.
    Tsfen1,
    /// TSFEN of jh85's engine.
    Jh85,
}

impl Named for Format {
    const ALL: &'static [Self] = &[Self::Tsfen, Self::Atsa, Self::Tsfen1, Self::Jh85];

    fn name(self) -> &'static str {
        match self {
            Self::Tsfen => "tsfen",
            Self::Atsa => "atsa",
            Self::Tsfen1 => "tsfen1",
            Self::Jh85 => "jh85",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Tsfen => "native: ranks, side, plies without progress, move number",
            Self::Atsa => "ATSA web client and tomatene: commas, lower case is the first player",
            Self::Tsfen1 => "yetiowin805: a list of pieces by name",
            Self::Jh85 => "jh85: as native without the plies, some other codes",
        }
    }
}

/// The ways to write a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// From, first capture if any, to, `+` for promotion: `18z17y18x+`.
    Native,
    /// `START [STEP] END`, the order of the ATSI document; promotion is not written.
    Atsi,
    /// `START END [STEP]`, the order of tomatene; promotion is not written.
    Tomatene,
}

impl Named for Notation {
    const ALL: &'static [Self] = &[Self::Native, Self::Atsi, Self::Tomatene];

    fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Atsi => "atsi",
            Self::Tomatene => "tomatene",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Native => "18z17y18x+: from, first capture, to, + promotes",
            Self::Atsi => "18z 17y 18x: the protocol's START STEP END",
            Self::Tomatene => "18z 18x 17y: tomatene's START END STEP",
        }
    }
}

/// Reads a position in any of the formats.
///
/// # Errors
/// The column, the bad text, and the remedy.
pub fn parse_position(
    text: &str,
    rules: Rules<RuleSet>,
) -> Result<Parsed<Position>, PositionError> {
    let body = text.trim_start_matches('\u{feff}');
    let stripped = text.chars().count() - body.chars().count();
    let lead = body.chars().take_while(|c| c.is_whitespace()).count();
    let body = body.trim();
    let shift =
        |error: PositionError| PositionError { column: error.column + stripped + lead, ..error };
    if body.is_empty() {
        let message = "the text is empty; a position or 'startpos' is expected".to_owned();
        return Err(PositionError { column: 1, message });
    }
    if matches!(body.to_ascii_lowercase().as_str(), "startpos" | "initial") {
        return Ok(Parsed { position: Position::initial(rules), warnings: Vec::new() });
    }
    let first = body.split_whitespace().next().expect("the text is not empty");
    let position = if first.eq_ignore_ascii_case("tsfen1") {
        tsfen1::parse(body, rules)
    } else if first.contains(',') {
        atsa::parse(body, rules)
    } else {
        tsfen::parse(body, rules)
    }
    .map_err(shift)?;
    for side in Side::ALL {
        if position.royal_count(side) == 0 {
            let message = format!(
                "{} has no royal; add a king (K), a prince (CP) or a drunken elephant promoted to one",
                side_name(side)
            );
            return Err(PositionError { column: 1 + stripped + lead, message });
        }
    }
    let warnings = warnings(&position);
    Ok(Parsed { position, warnings })
}

/// Writes a position.
///
/// # Errors
/// What the format cannot say.
pub fn format_position(position: &Position, format: Format) -> Result<String, String> {
    match format {
        Format::Tsfen => Ok(tsfen::write(position)),
        Format::Atsa => atsa::write(position),
        Format::Tsfen1 => tsfen1::write(position),
        Format::Jh85 => tsfen::write_jh85(position),
    }
}

/// The name of a side.
pub(crate) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "Black",
        Side::Second => "White",
    }
}

/// What is odd but playable.
fn warnings(position: &Position) -> Vec<String> {
    let mut warnings = Vec::new();
    for side in Side::ALL {
        let name = side_name(side);
        let (pieces, royals) = (position.piece_count(side), position.royal_count(side));
        if royals > 3 {
            warnings.push(format!("{name} has {royals} royals; a game gives at most 3 or so"));
        }
        if pieces > 402 {
            warnings.push(format!("{name} has {pieces} pieces; a game starts with 402"));
        }
        let stuck = position.pieces(side).find(|&(square, piece)| {
            position.promotion_of(piece).is_some()
                && position.table().is_stuck(side, piece.kind(), square)
        });
        if let Some((square, piece)) = stuck {
            warnings.push(format!(
                "{name}'s {} on {square} can never move; it should have promoted",
                piece.kind().info().code
            ));
        }
        let odd = position.pieces(side).find(|(_, piece)| {
            let kind = piece.kind();
            piece.promoted()
                && !super::catalog::catalog()
                    .kinds
                    .iter()
                    .any(|info| info.promotes_to == Some(kind))
        });
        if let Some((square, piece)) = odd {
            warnings.push(format!(
                "{name}'s {} on {square} is marked as promoted, but nothing promotes to it",
                piece.kind().info().code
            ));
        }
    }
    if !super::movegen::has_moves(position) {
        warnings.push(format!("{} has no legal move", side_name(position.side_to_move())));
    }
    warnings
}

/// Reads the name of a square: `18z`, `36JJ`.
pub fn parse_square(text: &str) -> Result<Square, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (file, rank) = text.split_at(digits);
    let file_number = file.parse::<usize>().ok().filter(|file| (1..=36).contains(file));
    let Some(file_number) = file_number else {
        return Err(format!("'{text}': file '{file}' is not 1 to 36"));
    };
    let row = (0..36).find(|&row| rank_name(row).eq_ignore_ascii_case(rank));
    let Some(row) = row else {
        return Err(format!("'{text}': rank '{rank}' is not a to z or aa to jj"));
    };
    Ok(Square::new(row, 36 - file_number))
}

/// A whitespace-separated field of a text and its column in characters, from 1.
pub(crate) fn fields(text: &str) -> Vec<(usize, &str)> {
    let mut fields = Vec::new();
    let mut start = None;
    for (column, (at, c)) in (1..).zip(text.char_indices()) {
        if c.is_whitespace() {
            if let Some((from, place)) = start.take() {
                fields.push((place, &text[from..at]));
            }
        } else if start.is_none() {
            start = Some((at, column));
        }
    }
    if let Some((from, place)) = start {
        fields.push((place, &text[from..]));
    }
    fields
}

/// A short form of a bad text for a message.
pub(crate) fn shown(text: &str) -> String {
    if text.chars().count() <= 24 {
        return format!("'{text}'");
    }
    format!("'{}...'", text.chars().take(24).collect::<String>())
}

/// A counter of a position text.
pub(crate) fn parse_counter(
    (column, text): (usize, &str),
    what: &str,
) -> Result<u32, PositionError> {
    let valid = text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|&number| valid && number <= 1_000_000).ok_or_else(|| PositionError {
        column,
        message: format!("{what} {} is not a number up to 1000000", shown(text)),
    })
}
