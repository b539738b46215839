//! The record that trainers of xiangqi networks read: 72 bytes a position, as Fairy-Stockfish's generator writes them for
//! variant-nnue-pytorch.
//!
//! ```text
//! bytes 0 to 63: bits, the low bit of each byte first, numbers low bit first
//!   1      side to move, 1: Black
//!   7, 7   the generals' points, Red's first: 9 * rank + file
//!   board  ranks 9 to 0, files a to i, without the generals: 0 for an empty point,
//!          else 1, then 4 bits of kind, then 1 bit of side
//!   70     pieces in hand: none
//!   5      castling, en passant: none
//!   6      plies without a capture that count towards the move limit, low bits
//!   16     number of the move
//!   1      the same, bit 6
//!   zeros
//! 64 i16   score for the side to move
//! 66 u16   move: to, from (7 bits each, 12 files a rank), 2 bits of type
//! 68 u16   ply
//! 70 i8    result for the side to move: 1, 0, -1
//! 71       zero
//! ```
//
// CITE: Fairy-Stockfish, src/tools/sfen_packer.cpp, https://github.com/fairy-stockfish/variant-nnue-tools
// CITE: variant-nnue-pytorch, https://github.com/fairy-stockfish/variant-nnue-pytorch

use super::Xiangqi;
use super::moves::Move;
use super::piece::Kind;
use super::position::Position;
use super::repetition::counted_plies;
use super::square::{FILES, RANKS, Square};
use crate::export::Row;
use crate::game::Side;

/// Size of a record.
pub const RECORD_BYTES: usize = 72;

/// What a record says of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    /// The score for the side to move.
    pub score: i16,
    /// The move.
    pub mv: Move,
    /// The ply.
    pub ply: u16,
    /// The result for the side to move: 1, 0, -1.
    pub result: i8,
}

/// Writes a record.
pub fn encode(position: &Position, label: Label) -> [u8; RECORD_BYTES] {
    let mut bits = Bits { bytes: [0; RECORD_BYTES], at: 0 };
    bits.put(position.side_to_move() as u32, 1);
    for side in Side::ALL {
        bits.put(position.general(side).index() as u32, 7);
    }
    for rank in (0..RANKS).rev() {
        for file in 0..FILES {
            match position.piece_at(Square::new(file, rank)) {
                None => bits.put(0, 1),
                Some(piece) => {
                    let Some(kind) = kind_number(piece.kind()) else { continue };
                    bits.put(1, 1);
                    bits.put(kind, 4);
                    bits.put(piece.side() as u32, 1);
                }
            }
        }
    }
    bits.put(0, 32);
    bits.put(0, 32);
    bits.put(0, 70 - 64 + 5);
    let quiet = counted_plies(position).min(127);
    bits.put(quiet & 63, 6);
    bits.put(position.move_number().min(u32::from(u16::MAX)), 16);
    bits.put(quiet >> 6, 1);
    debug_assert!(bits.at <= 8 * 64, "a full board needs 351 bits");
    let mut bytes = bits.bytes;
    bytes[64..66].copy_from_slice(&label.score.to_le_bytes());
    bytes[66..68].copy_from_slice(&move_number(label.mv).to_le_bytes());
    bytes[68..70].copy_from_slice(&label.ply.to_le_bytes());
    bytes[70] = label.result as u8;
    bytes
}

/// The record of an exported row, with its best move.
pub fn record(row: &Row<'_, Xiangqi>) -> [u8; RECORD_BYTES] {
    let label = Label {
        score: row.ply.score.map_or(0, |score| score.get() as i16),
        mv: row.best,
        ply: row.number.min(u32::from(u16::MAX)) as u16,
        result: row.result_for_mover(),
    };
    encode(row.position, label)
}

/// The number of a kind, one less than in the trainer's list; the generals have none.
const fn kind_number(kind: Kind) -> Option<u32> {
    match kind {
        Kind::General => None,
        Kind::Chariot => Some(0),
        Kind::Advisor => Some(1),
        Kind::Cannon => Some(2),
        Kind::Soldier => Some(3),
        Kind::Horse => Some(4),
        Kind::Elephant => Some(5),
    }
}

fn move_number(mv: Move) -> u16 {
    const STRIDE: usize = 12;
    let point = |square: Square| (square.rank() * STRIDE + square.file()) as u16;
    point(mv.to()) | point(mv.from()) << 7
}

/// A move as Fairy-Stockfish writes it: ranks 1 to 10.
pub fn move_text(mv: Move) -> String {
    let point =
        |square: Square| format!("{}{}", (b'a' + square.file() as u8) as char, square.rank() + 1);
    point(mv.from()) + &point(mv.to())
}

struct Bits {
    bytes: [u8; RECORD_BYTES],
    at: usize,
}

impl Bits {
    /// Appends the low bits of a number, the lowest first.
    fn put(&mut self, value: u32, count: usize) {
        for bit in 0..count {
            self.bytes[self.at / 8] |= ((value >> bit & 1) as u8) << (self.at % 8);
            self.at += 1;
        }
    }
}

/// The file `variant.h` of variant-nnue-pytorch, for records as these.
pub const VARIANT_H: &str = "\
#define FILES 9
#define RANKS 10
#define PIECE_TYPES 7
#define PIECE_COUNT 32
#define POCKETS false
#define KING_SQUARES 9
#define DATA_SIZE 512
";

/// The file `variant.py` of variant-nnue-pytorch, for records as these.
pub const VARIANT_PY: &str = "\
RANKS = 10
FILES = 9
SQUARES = RANKS * FILES
KING_SQUARES = 9
PIECE_TYPES = 7
PIECES = 2 * PIECE_TYPES
USE_POCKETS = False
POCKETS = 2 * FILES if USE_POCKETS else 0

PIECE_VALUES = {
  1 : 1276,
  2 : 420,
  3 : 800,
  4 : 200,
  5 : 520,
  6 : 300,
}
";
