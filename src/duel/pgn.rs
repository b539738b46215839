//! Games as PGN, for people and for the programs of xiangqi.

use std::fmt::Write;

use super::record::GameRecord;
use crate::game::{Game, Rules, Side};

/// Longest line of move text, in characters.
const WIDTH: usize = 100;

/// Writes a game; `notation` is that of the moves.
///
/// # Errors
/// The record is no game by these rules.
pub fn render<G: Game>(
    record: &GameRecord,
    rules: Rules<G::RuleSet>,
    notation: G::Notation,
) -> Result<String, String> {
    let parsed = G::parse_position(&record.fen, rules).map_err(|error| error.to_string())?;
    let mut position = parsed.position;
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "[{name} \"{value}\"]").expect("a string takes everything");
    };
    tag("Game", if G::NAME == "xiangqi" { "Chinese Chess" } else { G::NAME });
    tag("Event", "Engine match");
    tag("Round", &record.id.to_string());
    tag(G::SIDES[0], &record.first);
    tag(G::SIDES[1], &record.second);
    tag("Result", record.result.text());
    tag("FEN", &record.fen);
    tag("Format", &crate::game::Named::name(notation).to_uppercase());
    tag("Rules", &record.rules);
    if let Some(opening) = &record.opening {
        tag("Opening", opening);
    }
    tag("PlyCount", &record.plies.to_string());
    tag("Termination", &record.reason);
    text.push('\n');
    let mut words = Vec::new();
    let mut number = 1;
    for (ply, native) in record.moves.split_whitespace().enumerate() {
        let mv = G::parse_move(&position, native).map_err(|error| error.to_string())?;
        match G::side_to_move(&position) {
            Side::First => words.push(format!("{number}.")),
            Side::Second if ply == 0 => words.push(format!("{number}...")),
            Side::Second => {}
        }
        if G::side_to_move(&position) == Side::Second {
            number += 1;
        }
        words.push(G::format_move(&position, mv, notation));
        words.extend(comment(record, ply));
        G::make(&mut position, mv);
    }
    words.extend(
        format!("{{{}}}", record.explanation.replace(['{', '}'], "")).split(' ').map(str::to_owned),
    );
    words.push(record.result.text().to_owned());
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            text.push('\n');
            width = 0;
        }
        if width > 0 {
            text.push(' ');
            width += 1;
        }
        text += &word;
        width += length;
    }
    text += "\n\n";
    Ok(text)
}

/// What the mover thought, as `{score/depth time}`: pawns from the first player's view, seconds.
fn comment(record: &GameRecord, ply: usize) -> Option<String> {
    let index = ply.checked_sub(record.opening_plies)?;
    let score = record.scores.get(index).copied().flatten();
    let depth = record.depths.get(index).copied().flatten();
    let time = record.times_ms.as_ref().and_then(|times| times.get(index));
    let score = score.map(|score| format!("{:+.2}", f64::from(score) / 100.0));
    let mut text = score.unwrap_or_default();
    if let Some(depth) = depth {
        write!(text, "/{depth}").expect("a string takes everything");
    }
    if let Some(time) = time {
        write!(text, " {:.3}s", *time as f64 / 1000.0).expect("a string takes everything");
    }
    (!text.is_empty()).then(|| format!("{{{}}}", text.trim_start()))
}
