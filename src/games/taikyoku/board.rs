//! The board: which piece stands where, and everything that move generation reads, kept up to date piece by piece.

use super::compile::{Table, lane};
use super::lines::{EMPTY_LINES, LINES, Lines, ROW_MASK, ROWS, low_bits, toggle};
use super::piece::Piece;
use super::square::{SIZE, SLOTS, Square};
use crate::game::Side;

/// The sets of one side in one row of the board; see [`lane`].
pub(crate) type RowLanes = [u64; lane::COUNT];

/// Pieces, line occupancies, step bitboards and counts.
///
/// The rows of the line occupancies serve as piece lists: a set of squares in reading order that costs one bit to update.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Board {
    pub(crate) pieces: [Piece; SLOTS],
    /// Occupancy per side.
    pub(crate) lines: [Lines; 2],
    /// Step bitboards and other sets per side and row.
    pub(crate) lanes: [[RowLanes; SIZE]; 2],
    /// Pieces of both sides that rank above the lowest for range captures.
    pub(crate) ranked: Lines,
    /// The rows in which a side has pieces with a program, and those in which it has royals, as both are few.
    pub(crate) special_rows: [u64; 2],
    royal_rows: [u64; 2],
    /// Royals per side.
    pub(crate) royals: [u16; 2],
}

impl Board {
    pub(crate) fn empty() -> Self {
        Self {
            pieces: [Piece::NONE; SLOTS],
            lines: [EMPTY_LINES; 2],
            lanes: [[[0; lane::COUNT]; SIZE]; 2],
            ranked: [0; LINES],
            special_rows: [0; 2],
            royal_rows: [0; 2],
            royals: [0; 2],
        }
    }

    /// The piece on a square; [`Piece::NONE`] if it is empty.
    #[inline(always)]
    pub(crate) fn at(&self, square: Square) -> Piece {
        self.pieces[square.slot() & (SLOTS - 1)]
    }

    /// The pieces of a row, and more places up to a power of two.
    #[inline(always)]
    pub(crate) fn row_pieces(&self, row: usize) -> &[Piece; 64] {
        self.pieces[(row & 63) << 6..].first_chunk().expect("a row below 64 is complete")
    }

    /// Flips a piece in the occupancies and sets.
    #[inline(always)]
    fn flip(&mut self, table: &Table, square: Square, piece: Piece) {
        let side = piece.side().index();
        toggle(&mut self.lines[side], square);
        let lanes = &mut self.lanes[side][square.row()];
        let members = u64::from(table.lanes[piece.code()]);
        for (number, lane) in lanes.iter_mut().enumerate() {
            *lane ^= (members >> number & 1) << square.column();
        }
        if members & (1 << lane::SPECIAL | 1 << lane::ROYAL) != 0 {
            let row = square.row();
            let mark = |rows: &mut u64, lane: u64| {
                *rows = *rows & !(1 << row) | u64::from(lane != 0) << row;
            };
            mark(&mut self.special_rows[side], lanes[lane::SPECIAL]);
            mark(&mut self.royal_rows[side], lanes[lane::ROYAL]);
        }
        if members >> lane::RANKED & 1 != 0 {
            toggle(&mut self.ranked, square);
        }
    }

    /// Puts a piece on an empty square and leaves the count of royals alone.
    #[inline(always)]
    pub(crate) fn put(&mut self, table: &Table, square: Square, piece: Piece) {
        self.pieces[square.slot() & (SLOTS - 1)] = piece;
        self.flip(table, square, piece);
    }

    /// Takes a piece off its square and leaves the count of royals alone.
    #[inline(always)]
    pub(crate) fn lift(&mut self, table: &Table, square: Square, piece: Piece) {
        self.pieces[square.slot() & (SLOTS - 1)] = Piece::NONE;
        self.flip(table, square, piece);
    }

    /// Counts a piece that joins the board if it is a royal.
    #[inline(always)]
    pub(crate) fn count_in(&mut self, table: &Table, piece: Piece) {
        let side = piece.side().index();
        self.royals[side] += table.lanes[piece.code()] >> lane::ROYAL & 1;
    }

    /// Counts a piece that leaves the board if it is a royal.
    #[inline(always)]
    pub(crate) fn count_out(&mut self, table: &Table, piece: Piece) {
        let side = piece.side().index();
        self.royals[side] -= table.lanes[piece.code()] >> lane::ROYAL & 1;
    }

    /// The pieces of a side in a row, one bit per column.
    #[inline(always)]
    pub(crate) fn row(&self, side: Side, row: usize) -> u64 {
        self.lines[side.index()][ROWS + 1 + row] & ROW_MASK
    }

    /// The squares of a side in reading order.
    pub(crate) fn squares(&self, side: Side) -> impl Iterator<Item = Square> + '_ {
        row_bits(low_bits(SIZE as u32), move |row| self.row(side, row))
    }

    /// The squares of a side's royals in reading order.
    pub(crate) fn royal_squares(&self, side: Side) -> impl Iterator<Item = Square> + '_ {
        let lanes = &self.lanes[side.index()];
        row_bits(self.royal_rows[side.index()], move |row| lanes[row][lane::ROYAL])
    }

    /// The squares of a side's pieces with a program in reading order, as far as the sets of each row name them.
    pub(crate) fn special_squares(
        &self,
        side: Side,
        set: impl Fn(usize, &RowLanes) -> u64,
    ) -> impl Iterator<Item = Square> {
        let lanes = &self.lanes[side.index()];
        row_bits(self.special_rows[side.index()], move |row| set(row, &lanes[row]))
    }
}

/// The squares of a set, one number a row, in reading order. One loop: chained iterators cost several times as much.
#[inline(always)]
pub(crate) fn row_bits(mut rows: u64, set: impl Fn(usize) -> u64) -> impl Iterator<Item = Square> {
    let (mut row, mut left) = (0, 0);
    std::iter::from_fn(move || {
        while left == 0 {
            if rows == 0 {
                return None;
            }
            row = rows.trailing_zeros();
            rows &= rows - 1;
            left = set(row as usize);
        }
        let column = left.trailing_zeros();
        left &= left - 1;
        Some(Square::from_slot(row << 6 | column))
    })
}

/// The numbers of the bits that are set, lowest first.
#[inline(always)]
pub(crate) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let bit = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(bit)
    })
}
