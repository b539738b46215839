//! Exports as text: `.plain`, `POSITION | score | result`, EPD and JSON Lines.

use std::fmt::Write;

use serde_json::json;

use super::{Encoder, Row};
use crate::data::PlyFlags;
use crate::game::{Evaluate, GameResult, Side};
use crate::score::{Score, ScoreKind};

/// Six lines a position: fen, move, score, ply, result, `e`. Score and result are for the side to move.
pub struct Plain<F> {
    /// How moves are written: as the readers of the format expect them.
    pub move_text: F,
}

impl<G: Evaluate, F: Fn(G::Move, &Row<'_, G>) -> String + Sync> Encoder<G> for Plain<F> {
    type Part = Vec<u8>;
    const TAKES_UNSCORED: bool = false;

    fn add(&self, part: &mut Vec<u8>, row: &Row<'_, G>) -> Result<(), String> {
        let text = format!(
            "fen {}\nmove {}\nscore {}\nply {}\nresult {}\ne\n",
            row.text(),
            (self.move_text)(row.best, row),
            score(row).get(),
            row.number,
            row.result_for_mover()
        );
        part.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// `POSITION | score | result`, both for the first player; the result is 1.0, 0.5 or 0.0.
pub struct Bars;

impl<G: Evaluate> Encoder<G> for Bars {
    type Part = Vec<u8>;
    const TAKES_UNSCORED: bool = false;

    fn add(&self, part: &mut Vec<u8>, row: &Row<'_, G>) -> Result<(), String> {
        let result = match row.result {
            GameResult::First => "1.0",
            GameResult::Second => "0.0",
            GameResult::Draw | GameResult::None => "0.5",
        };
        let score = row.score_for_first(score(row)).get();
        part.extend_from_slice(format!("{} | {score} | {result}\n", row.text()).as_bytes());
        Ok(())
    }
}

/// `POSITION ce SCORE; bm MOVE; c9 "RESULT"; id "GAME-PLY";`, the score for the side to move (`dm MOVES` for mates), the result
/// as 1-0, 0-1 or 1/2-1/2.
pub struct Epd;

impl<G: Evaluate> Encoder<G> for Epd {
    type Part = Vec<u8>;
    const TAKES_UNSCORED: bool = false;

    fn add(&self, part: &mut Vec<u8>, row: &Row<'_, G>) -> Result<(), String> {
        let mut text = row.text();
        match (score(row).mate_moves(), score(row)) {
            (Some(moves), _) => write!(text, " dm {moves};"),
            (None, score) => write!(text, " ce {};", score.get()),
        }
        .expect("writing to a string");
        let result = match row.result {
            GameResult::First => "1-0",
            GameResult::Second => "0-1",
            GameResult::Draw | GameResult::None => "1/2-1/2",
        };
        let best = row.move_text(row.best);
        writeln!(text, " bm {best}; c9 \"{result}\"; id \"{}-{}\";", row.game, row.number)
            .expect("writing to a string");
        part.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// One JSON object a position, with the names of the Parquet columns.
pub struct Json;

impl<G: Evaluate> Encoder<G> for Json {
    type Part = Vec<u8>;
    const TAKES_UNSCORED: bool = true;

    fn add(&self, part: &mut Vec<u8>, row: &Row<'_, G>) -> Result<(), String> {
        let kind = row.ply.score.map(Score::kind);
        let (mut centipawns, mut mate, mut rule) = (None, None, None);
        match kind {
            Some(ScoreKind::Centipawns(value)) => centipawns = Some(value),
            Some(ScoreKind::Mate(plies)) => mate = Some(plies),
            Some(ScoreKind::Rule(plies)) => rule = Some(plies),
            None => {}
        }
        let flags: Vec<&str> = PlyFlags::NAMES
            .iter()
            .filter(|(_, flag)| row.ply.flags.contains(*flag))
            .map(|(name, _)| *name)
            .collect();
        let value = json!({
            "game": row.game,
            "ply": row.number,
            "position": row.text(),
            "side": side_name(G::side_to_move(row.position)),
            "move": row.move_text(row.mv),
            "best": row.move_text(row.best),
            "score_cp": centipawns,
            "score_mate": mate,
            "score_rule": rule,
            "result": row.result_for_mover(),
            "end": row.end.name(),
            "flags": flags,
        });
        writeln!(Utf8(part), "{value}").expect("writing to memory");
        Ok(())
    }
}

/// The name of a side in exports.
pub const fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// The score of a row in a format that needs one.
fn score<G: Evaluate>(row: &Row<'_, G>) -> Score {
    row.ply.score.expect("only rows with a score come here")
}

/// Text written to bytes.
struct Utf8<'a>(&'a mut Vec<u8>);

impl Write for Utf8<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}
