//! The neighbourhood of a square, seven rows of seven columns around it, as a set: a byte for each row, the one three rows up
//! the board first; bit 3 of a byte is the column of the square.

use super::lines::{LINES, Lines, ROWS};
use super::square::{STEPS, Square};

/// Rows and columns that it reaches from its middle.
const REACH: i32 = 3;
/// The bits of a row.
const ROW: u64 = 0b111_1111;

/// Stands for all squares beyond, of which some are always open.
pub(crate) const FAR: u64 = 1 << 63;

/// The squares of the neighbourhood that own pieces do not hold, and [`FAR`].
#[inline(always)]
pub(crate) fn open(own: &Lines, from: Square) -> u64 {
    let (row, column) = (from.row(), from.column());
    let mut squares = FAR;
    for n in 0..7 {
        // Above the first full row lies no line: the last places of all are full too.
        let open = !own[(ROWS + row + n).wrapping_sub(2) & (LINES - 1)];
        squares |= (open << REACH >> column & ROW) << (8 * n);
    }
    squares
}

/// The columns of a row whose seven rows own pieces fill.
#[inline(always)]
pub(crate) fn full_columns(own: &Lines, row: usize) -> u64 {
    (0..7).fold(u64::MAX, |full, n| full & own[(ROWS + row + n).wrapping_sub(2) & (LINES - 1)])
}

/// Whether own pieces fill the neighbourhood, whose [columns](full_columns) are given.
#[inline(always)]
pub(crate) fn is_full(columns: u64, column: usize) -> bool {
    (columns << REACH | !(u64::MAX << REACH)) >> column & ROW == ROW
}

/// The square so many rows and columns away; empty if it lies farther.
pub(crate) const fn square(rows: i32, columns: i32) -> u64 {
    let is_near = rows.abs() <= REACH && columns.abs() <= REACH;
    if is_near { 1 << (8 * (rows + REACH) + columns + REACH) } else { 0 }
}

/// What the number of a square's bit adds to [`Square::slot`].
#[inline(always)]
pub(crate) const fn slots(bit: usize) -> u32 {
    let (row, column) = (bit as u32 >> 3, bit as u32 & 7);
    (row << 6 | column).wrapping_sub((REACH as u32) << 6 | REACH as u32)
}

/// The adjacent squares, by direction.
pub(crate) const ADJACENT: [u64; 8] = {
    let mut adjacent = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        adjacent[direction] = square(STEPS[direction].0, STEPS[direction].1);
        direction += 1;
    }
    adjacent
};
