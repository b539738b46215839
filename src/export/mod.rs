//! Games as flat rows, a position each, for trainers and tables: in the formats that other tools read.
//!
//! | module | format | who reads it |
//! |---|---|---|
//! | [`columns`] | Parquet | polars, pandas, DuckDB, Hugging Face data sets |
//! | [`npy`] | NumPy, one structured array | NumPy, PyTorch through a memory map |
//! | [`lines`] | text and JSON Lines | scripts, trainers that read text |
//!
//! The games add formats of their own ([`FixedRecord`]). An [`Encoder`] turns rows into parts on many cores, a [`Sink`] writes
//! parts in order. Scores and results are for the side to move, except where the format of others has it differently.

pub mod columns;
pub mod lines;
pub mod npy;

use std::fs::File;
use std::io::{self, BufWriter, Write};

use serde_json::{Value, json};

use crate::data::{Chain, EndReason, Ply, Reader};
use crate::dataset::error::Problem;
use crate::dataset::stream::{Batch, Item, Watch, each_game};
use crate::dataset::{Target, ToolError};
use crate::game::{Evaluate, GameResult, Named, Rules, Side};
use crate::score::Score;

/// A position with all that is known of it.
pub struct Row<'a, G: Evaluate> {
    /// The position.
    pub position: &'a G::Position,
    /// The move played, its score and flags.
    pub ply: &'a Ply,
    /// The move played.
    pub mv: G::Move,
    /// The best move by the search; the one played, if nothing else is known.
    pub best: G::Move,
    /// The ply of the game, from 0.
    pub number: u32,
    /// The number of the game.
    pub game: u64,
    /// Who won.
    pub result: GameResult,
    /// Why the game ended.
    pub end: EndReason,
}

impl<G: Evaluate> Row<'_, G> {
    /// The position's native text.
    pub fn text(&self) -> String {
        G::format_position(self.position, G::Format::ALL[0]).expect("the native format can say all")
    }

    /// A move's native text.
    pub fn move_text(&self, mv: G::Move) -> String {
        G::format_move(self.position, mv, G::Notation::ALL[0])
    }

    /// The result for the side to move: 1, 0, -1.
    pub fn result_for_mover(&self) -> i8 {
        let side = G::side_to_move(self.position);
        match self.result {
            GameResult::Draw | GameResult::None => 0,
            result if result == GameResult::win(side) => 1,
            _ => -1,
        }
    }

    /// A score from the first player's view.
    pub fn score_for_first(&self, score: Score) -> Score {
        if G::side_to_move(self.position) == Side::First { score } else { -score }
    }

    /// The squares as bytes, low byte first.
    pub fn packed(&self) -> Vec<u8> {
        let cells = G::cells(self.position);
        if G::CELL_BYTES == 1 {
            cells.into_iter().map(|cell| cell as u8).collect()
        } else {
            cells.into_iter().flat_map(u16::to_le_bytes).collect()
        }
    }
}

/// Turns rows into parts of a file. Shared by threads.
pub trait Encoder<G: Evaluate>: Sync {
    /// What some rows become.
    type Part: Default + Send;

    /// Whether rows without a score can be said.
    const TAKES_UNSCORED: bool;

    /// Adds a row to a part.
    ///
    /// # Errors
    /// What the format cannot say.
    fn add(&self, part: &mut Self::Part, row: &Row<'_, G>) -> Result<(), String>;
}

/// Writes parts of a file, in order.
pub trait Sink<P> {
    /// Writes a part.
    ///
    /// # Errors
    /// A failed write.
    fn write(&mut self, part: P) -> io::Result<()>;

    /// Ends the file.
    ///
    /// # Errors
    /// A failed write.
    fn finish(self) -> io::Result<()>;
}

/// Which positions are exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// Those to learn from: with a score, without a mark.
    Used,
    /// All.
    All,
}

/// What becomes of scores that are mates or decisions by a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decisive {
    /// They are exported as the format says.
    Keep,
    /// Their positions are left out.
    Drop,
}

/// What was exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Games read.
    pub games: u64,
    /// Rows written.
    pub rows: u64,
    /// Positions left out: they have no score, or a mark.
    pub unused: u64,
    /// Positions left out for their score.
    pub decisive: u64,
}

impl Report {
    /// The counts by name.
    pub fn json(&self) -> Value {
        json!({
            "games": self.games, "rows": self.rows, "unused": self.unused, "decisive": self.decisive,
        })
    }
}

/// Exports a file's positions in the order of its games.
///
/// # Errors
/// See [`ToolError`].
pub fn export<G: Evaluate, E: Encoder<G>>(
    reader: &Reader,
    encoder: &E,
    sink: impl Sink<E::Part>,
    target: Target,
    (rows, decisive): (Rows, Decisive),
    rules: Rules<G::RuleSet>,
    watch: &mut Watch<'_>,
) -> Result<Report, ToolError> {
    if rows == Rows::All && !E::TAKES_UNSCORED {
        return Err(ToolError::Usage(
            "this format has no way to say that a position has no score; leave --all out, or choose \
             parquet, npy or jsonl"
                .to_owned(),
        ));
    }
    let work = |item: Item<'_>| encode_game(item, encoder, rows, decisive, rules);
    let mut sink = sink;
    let mut report = Report::default();
    each_game(reader, watch, Batch::SMALL, work, |(part, game)| {
        report.games += 1;
        report.rows += game.rows;
        report.unused += game.unused;
        report.decisive += game.decisive;
        sink.write(part).map_err(ToolError::io(target.path()))
    })?;
    sink.finish().map_err(ToolError::io(target.path()))?;
    target.commit()?;
    Ok(report)
}

fn encode_game<G: Evaluate, E: Encoder<G>>(
    item: Item<'_>,
    encoder: &E,
    rows: Rows,
    decisive: Decisive,
    rules: Rules<G::RuleSet>,
) -> Result<(E::Part, Report), Problem> {
    let Chain { number: game, first_ply, plies: _, result, end, start: _ } = item.game.to_chain();
    let mut part = E::Part::default();
    let mut report = Report::default();
    let mut problem = None;
    let mut index = 0;
    item.game.replay::<G>(rules, |position, ply, mv| {
        index += 1;
        if rows == Rows::Used && !ply.is_used() {
            report.unused += 1;
            return;
        }
        if decisive == Decisive::Drop && ply.score.is_some_and(Score::is_decisive) {
            report.decisive += 1;
            return;
        }
        let best = match ply.best {
            None => Some(mv),
            Some(code) => G::decode(position, code),
        };
        let Some(best) = best else {
            problem.get_or_insert(Problem::at(index, "its best move is no legal move"));
            return;
        };
        let number = first_ply + index as u32 - 1;
        let row = Row { position, ply, mv, best, number, game, result, end };
        match encoder.add(&mut part, &row) {
            Ok(()) => report.rows += 1,
            Err(reason) => {
                problem.get_or_insert(Problem::at(index, reason));
            }
        }
    })?;
    match problem {
        Some(problem) => Err(problem),
        None => Ok((part, report)),
    }
}

/// Parts that are bytes, one after the other.
pub struct Bytes {
    file: BufWriter<File>,
}

impl Bytes {
    /// Writes to a file.
    pub fn new(file: File) -> Self {
        Self { file: BufWriter::with_capacity(1 << 20, file) }
    }
}

impl Sink<Vec<u8>> for Bytes {
    fn write(&mut self, part: Vec<u8>) -> io::Result<()> {
        self.file.write_all(&part)
    }

    fn finish(self) -> io::Result<()> {
        self.file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }
}

/// A format of fixed records of one game.
pub struct FixedRecord<F>(pub F);

impl<G: Evaluate, F: Fn(&Row<'_, G>, &mut Vec<u8>) + Sync> Encoder<G> for FixedRecord<F> {
    type Part = Vec<u8>;
    const TAKES_UNSCORED: bool = false;

    fn add(&self, part: &mut Vec<u8>, row: &Row<'_, G>) -> Result<(), String> {
        (self.0)(row, part);
        Ok(())
    }
}
