//! What chariots and cannons see, as bits of the rank and the file they stand on.

use super::attacks::{CANNON_FILE, CANNON_RANK, CHARIOT_FILE, CHARIOT_RANK};
use super::bitboard::Bitboard;
use super::position::Position;
use super::square::{RANKS, SQUARES, Square};
use crate::game::Side;

/// Points on the rank and the file of a point, as bits of each: cheaper than a bitboard where only their number counts.
#[derive(Clone, Copy)]
pub(super) struct Cross {
    rank: u16,
    file: u16,
}

impl Cross {
    /// What a chariot on a point sees: empty points and the first piece each way.
    #[inline(always)]
    pub(super) fn seen_by_chariot(position: &Position, from: Square) -> Self {
        let (file, rank) = (from.file(), from.rank());
        Self {
            rank: CHARIOT_RANK[file][position.rank_line(rank as i32) as usize],
            file: CHARIOT_FILE[rank][position.file_line(file) as usize],
        }
    }

    /// Where a cannon on a point may go, and the pieces behind a screen.
    #[inline(always)]
    pub(super) fn seen_by_cannon(position: &Position, from: Square) -> (Self, Self) {
        let (file, rank) = (from.file(), from.rank());
        let (on_rank, on_file) = (position.rank_line(rank as i32), position.file_line(file));
        let quiet = Self {
            rank: CHARIOT_RANK[file][on_rank as usize] & !on_rank,
            file: CHARIOT_FILE[rank][on_file as usize] & !on_file,
        };
        let captures = Self {
            rank: CANNON_RANK[file][on_rank as usize],
            file: CANNON_FILE[rank][on_file as usize],
        };
        (quiet, captures)
    }

    /// A side's pieces.
    #[inline(always)]
    pub(super) fn of_side(position: &Position, side: Side, from: Square) -> Self {
        let rank = position.side_rank_line(side, from.rank());
        Self { rank, file: position.side_file_line(side, from.file()) }
    }

    /// The points of a side's palace.
    #[inline(always)]
    pub(super) fn of_palace(side: Side, from: Square) -> Self {
        let [ranks, files] = &PALACE_LINES[side.index()];
        Self { rank: ranks[from.rank()], file: files[from.file()] }
    }

    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        Self { rank: self.rank & other.rank, file: self.file & other.file }
    }

    #[inline(always)]
    pub(super) fn without(self, other: Self) -> Self {
        Self { rank: self.rank & !other.rank, file: self.file & !other.file }
    }

    #[inline(always)]
    pub(super) fn count(self) -> u32 {
        (u32::from(self.rank) | u32::from(self.file) << 16).count_ones()
    }

    /// The points around `from` as a bitboard.
    #[inline(always)]
    pub(super) fn board(self, from: Square) -> Bitboard {
        Bitboard::from_rank(from.rank(), self.rank) | Bitboard::from_file(from.file(), self.file)
    }
}

/// The points of each side's palace on each rank and on each file.
static PALACE_LINES: [[[u16; RANKS]; 2]; 2] = {
    let mut lines = [[[0; RANKS]; 2]; 2];
    let mut index = 0;
    while index < 2 * SQUARES {
        let (side, square) = (index / SQUARES, Square::from_index(index % SQUARES));
        if Bitboard::PALACE[side].has(square) {
            lines[side][0][square.rank()] |= 1 << square.file();
            lines[side][1][square.file()] |= 1 << square.rank();
        }
        index += 1;
    }
    lines
};
