//! A Parquet file: typed columns, compressed, in groups of rows that fit into memory.

use std::fs::File;
use std::io;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, FixedLenByteArray, FixedLenByteArrayType,
    Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use super::lines::side_name;
use super::{Encoder, Row, Sink};
use crate::data::PlyFlags;
use crate::game::Evaluate;
use crate::score::{Score, ScoreKind};

/// Rows of a group, and bytes of its texts and boards; whichever is reached first.
const GROUP_ROWS: usize = 1 << 17;
const GROUP_BYTES: usize = 64 << 20;
/// The key under which the file keeps how it was made.
const METADATA_KEY: &str = "kyokumen";

/// Rows as columns.
#[derive(Default)]
pub struct Columns {
    position: Vec<ByteArray>,
    side: Vec<ByteArray>,
    mv: Vec<ByteArray>,
    best: Vec<ByteArray>,
    score_cp: Nullable,
    score_mate: Nullable,
    score_rule: Nullable,
    result: Vec<i32>,
    end: Vec<ByteArray>,
    ply: Vec<i32>,
    game: Vec<i64>,
    flags: [Vec<bool>; PlyFlags::NAMES.len()],
    packed: Vec<FixedLenByteArray>,
    /// Bytes of texts and boards.
    bytes: usize,
}

/// A column of numbers that may be absent.
#[derive(Default)]
struct Nullable {
    values: Vec<i32>,
    /// 1 where there is a value, 0 where there is none.
    levels: Vec<i16>,
}

impl Nullable {
    fn push(&mut self, value: Option<i32>) {
        self.levels.push(i16::from(value.is_some()));
        self.values.extend(value);
    }

    fn append(&mut self, other: &mut Self) {
        self.values.append(&mut other.values);
        self.levels.append(&mut other.levels);
    }
}

impl Columns {
    fn rows(&self) -> usize {
        self.ply.len()
    }

    fn append(&mut self, other: &mut Self) {
        self.position.append(&mut other.position);
        self.side.append(&mut other.side);
        self.mv.append(&mut other.mv);
        self.best.append(&mut other.best);
        self.score_cp.append(&mut other.score_cp);
        self.score_mate.append(&mut other.score_mate);
        self.score_rule.append(&mut other.score_rule);
        self.result.append(&mut other.result);
        self.end.append(&mut other.end);
        self.ply.append(&mut other.ply);
        self.game.append(&mut other.game);
        for (to, from) in self.flags.iter_mut().zip(&mut other.flags) {
            to.append(from);
        }
        self.packed.append(&mut other.packed);
        self.bytes += other.bytes;
    }
}

/// Fills columns.
pub struct Parquet;

impl<G: Evaluate> Encoder<G> for Parquet {
    type Part = Columns;
    const TAKES_UNSCORED: bool = true;

    fn add(&self, part: &mut Columns, row: &Row<'_, G>) -> Result<(), String> {
        let text = row.text();
        let packed = row.packed();
        part.bytes += text.len() + packed.len();
        part.position.push(text.into_bytes().into());
        part.side.push(side_name(G::side_to_move(row.position)).into());
        part.mv.push(row.move_text(row.mv).into_bytes().into());
        part.best.push(row.move_text(row.best).into_bytes().into());
        let kind = row.ply.score.map(Score::kind);
        part.score_cp.push(match kind {
            Some(ScoreKind::Centipawns(value)) => Some(value),
            _ => None,
        });
        part.score_mate.push(match kind {
            Some(ScoreKind::Mate(plies)) => Some(plies),
            _ => None,
        });
        part.score_rule.push(match kind {
            Some(ScoreKind::Rule(plies)) => Some(plies),
            _ => None,
        });
        part.result.push(i32::from(row.result_for_mover()));
        part.end.push(row.end.name().into());
        // Numbers without sign are stored as those with sign that have the same bits.
        part.ply.push(row.number as i32);
        part.game.push(row.game as i64);
        for ((_, flag), column) in PlyFlags::NAMES.iter().zip(&mut part.flags) {
            column.push(row.ply.flags.contains(*flag));
        }
        part.packed.push(FixedLenByteArray::from(packed));
        Ok(())
    }
}

/// The columns of the file.
fn schema<G: Evaluate>() -> String {
    let [rows, columns] = G::BOARD;
    let packed = rows * columns * G::CELL_BYTES;
    let flags: String =
        PlyFlags::NAMES.iter().map(|(name, _)| format!("required boolean {name}; ")).collect();
    format!(
        "message positions {{
            required binary position (utf8);
            required binary side (utf8);
            required binary move (utf8);
            required binary best (utf8);
            optional int32 score_cp (integer(16, true));
            optional int32 score_mate (integer(16, true));
            optional int32 score_rule (integer(16, true));
            required int32 result (integer(8, true));
            required binary end (utf8);
            required int32 ply (integer(32, false));
            required int64 game (integer(64, false));
            {flags}
            required fixed_len_byte_array({packed}) packed;
        }}"
    )
}

/// Writes groups of rows.
pub struct ParquetFile {
    writer: SerializedFileWriter<File>,
    group: Columns,
}

impl ParquetFile {
    /// Begins a file; `origin` says how it was made.
    ///
    /// # Errors
    /// A failed write.
    pub fn begin<G: Evaluate>(file: File, origin: String) -> io::Result<Self> {
        let schema = Arc::new(parse_message_type(&schema::<G>()).map_err(other)?);
        let level = ZstdLevel::try_new(3).map_err(other)?;
        let column = |name: &str| ColumnPath::from(name);
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_created_by(format!("kyokumen {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(vec![KeyValue::new(METADATA_KEY.to_owned(), origin)]))
            .set_column_dictionary_enabled(column("position"), false)
            .set_column_dictionary_enabled(column("packed"), false)
            .build();
        let writer =
            SerializedFileWriter::new(file, schema, Arc::new(properties)).map_err(other)?;
        Ok(Self { writer, group: Columns::default() })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let group = std::mem::take(&mut self.group);
        if group.rows() == 0 {
            return Ok(());
        }
        let mut writer = self.writer.next_row_group()?;
        let to = &mut writer;
        put::<ByteArrayType, _>(to, &group.position, None)?;
        put::<ByteArrayType, _>(to, &group.side, None)?;
        put::<ByteArrayType, _>(to, &group.mv, None)?;
        put::<ByteArrayType, _>(to, &group.best, None)?;
        for column in [&group.score_cp, &group.score_mate, &group.score_rule] {
            put::<Int32Type, _>(to, &column.values, Some(&column.levels))?;
        }
        put::<Int32Type, _>(to, &group.result, None)?;
        put::<ByteArrayType, _>(to, &group.end, None)?;
        put::<Int32Type, _>(to, &group.ply, None)?;
        put::<Int64Type, _>(to, &group.game, None)?;
        for column in &group.flags {
            put::<BoolType, _>(to, column, None)?;
        }
        put::<FixedLenByteArrayType, _>(to, &group.packed, None)?;
        writer.close()?;
        Ok(())
    }
}

/// Writes the next column of a group.
fn put<T: DataType, W: io::Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let column = group.next_column()?;
    let mut column = column.ok_or_else(|| ParquetError::General("no such column".to_owned()))?;
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}

fn other(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

impl Sink<Columns> for ParquetFile {
    fn write(&mut self, mut part: Columns) -> io::Result<()> {
        self.group.append(&mut part);
        if self.group.rows() >= GROUP_ROWS || self.group.bytes >= GROUP_BYTES {
            self.write_group().map_err(other)?;
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.write_group().map_err(other)?;
        self.writer.into_inner().map_err(other)?.sync_all()
    }
}
