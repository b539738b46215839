//! A NumPy file: one structured array, a fixed record a position, so that it can be mapped into memory and read at random.
//
// CITE: NEP 1, a simple file format for NumPy arrays, https://numpy.org/neps/nep-0001-npy-format.html

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};

use super::{Encoder, Row, Sink};
use crate::game::Evaluate;
use crate::score::{Score, ScoreKind};

/// Bytes before the array: room for any number of rows.
const HEADER_BYTES: usize = 1024;
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";

/// Fields after the board, as NumPy names them.
const FIELDS: &str = "('side', '|u1'), ('score', '<i2'), ('score_kind', '|u1'), ('result', '|i1'), \
     ('end', '|u1'), ('flags', '<u2'), ('ply', '<u4'), ('move', '<u4'), ('best', '<u4'), ('game', '<u8')";
/// Their size.
const FIELD_BYTES: usize = 1 + 2 + 1 + 1 + 1 + 2 + 4 + 4 + 4 + 8;

/// Writes records.
pub struct Npy;

impl<G: Evaluate> Encoder<G> for Npy {
    type Part = Vec<u8>;
    const TAKES_UNSCORED: bool = true;

    fn add(&self, part: &mut Vec<u8>, row: &Row<'_, G>) -> Result<(), String> {
        let (kind, score) = match row.ply.score.map(Score::kind) {
            None => (0, 0),
            Some(ScoreKind::Centipawns(value)) => (1, value),
            Some(ScoreKind::Mate(plies)) => (2, plies),
            Some(ScoreKind::Rule(plies)) => (3, plies),
        };
        part.extend_from_slice(&row.packed());
        part.push(G::side_to_move(row.position) as u8);
        part.extend_from_slice(&(score as i16).to_le_bytes());
        part.push(kind);
        part.push(row.result_for_mover() as u8);
        part.push(row.end.number());
        let flags = u16::from(row.ply.flags.bits()) | u16::from(row.ply.flags.marks()) << 8;
        part.extend_from_slice(&flags.to_le_bytes());
        part.extend_from_slice(&row.number.to_le_bytes());
        part.extend_from_slice(&row.ply.code.to_le_bytes());
        part.extend_from_slice(&G::encode(row.best).to_le_bytes());
        part.extend_from_slice(&row.game.to_le_bytes());
        Ok(())
    }
}

/// Writes the array and, in the end, its header.
pub struct NpyFile {
    file: BufWriter<File>,
    board: [usize; 2],
    cell_bytes: usize,
    bytes: u64,
}

impl NpyFile {
    /// Begins the file.
    ///
    /// # Errors
    /// A failed write.
    pub fn begin<G: Evaluate>(file: File) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(1 << 20, file);
        file.write_all(&[0; HEADER_BYTES])?;
        Ok(Self { file, board: G::BOARD, cell_bytes: G::CELL_BYTES, bytes: 0 })
    }

    fn header(&self) -> Vec<u8> {
        let [rows, columns] = self.board;
        let row_bytes = rows * columns * self.cell_bytes + FIELD_BYTES;
        let count = self.bytes / row_bytes as u64;
        let cell = if self.cell_bytes == 1 { "|u1" } else { "<u2" };
        let text = format!(
            "{{'descr': [('board', '{cell}', ({rows}, {columns})), {FIELDS}], \
             'fortran_order': False, 'shape': ({count},), }}"
        );
        let text_bytes = HEADER_BYTES - MAGIC.len() - 2;
        let mut header = MAGIC.to_vec();
        header.extend_from_slice(&(text_bytes as u16).to_le_bytes());
        header.extend_from_slice(text.as_bytes());
        assert!(header.len() < HEADER_BYTES, "the description is short");
        header.resize(HEADER_BYTES - 1, b' ');
        header.push(b'\n');
        header
    }
}

impl Sink<Vec<u8>> for NpyFile {
    fn write(&mut self, part: Vec<u8>) -> io::Result<()> {
        self.bytes += part.len() as u64;
        self.file.write_all(&part)
    }

    fn finish(mut self) -> io::Result<()> {
        let header = self.header();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&header)?;
        self.file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }
}
