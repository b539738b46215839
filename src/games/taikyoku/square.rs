//! Squares, directions and the promotion zone of the 36x36 board.
//!
//! Rows run from 0 (rank `a`, the back rank of the second player) to 35 (rank `jj`), columns from 0 (file 36, the left edge as
//! the first player sees the board) to 35 (file 1). A square keeps its row above its column in six bits each, so that a step in
//! any direction adds a constant and no division is ever needed.

use std::fmt;

use crate::game::Side;

/// Rows and columns of the board.
pub const SIZE: usize = 36;
/// Squares of the board.
pub const SQUARES: usize = SIZE * SIZE;
/// Length of an array indexed by [`Square::slot`]: a power of two, so that no index needs a check.
pub(crate) const SLOTS: usize = 1 << 12;
/// Ranks of the promotion zone at the far end of the board.
pub const ZONE_RANKS: usize = 11;

/// A square of the board. Squares compare in reading order: rank `a` first, file 36 first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u16);

impl Square {
    /// The square of a row and a column, both below 36.
    ///
    /// # Panics
    /// If the square lies off the board.
    pub fn new(row: usize, column: usize) -> Self {
        assert!(row < SIZE && column < SIZE, "row {row}, column {column} is off the board");
        Self((row << 6 | column) as u16)
    }

    /// The square of a row and a column, `None` off the board.
    pub fn checked(row: i32, column: i32) -> Option<Self> {
        let on_board = |value: i32| (0..SIZE as i32).contains(&value);
        (on_board(row) && on_board(column)).then_some(Self((row << 6 | column) as u16))
    }

    /// The square of a number below [`SQUARES`]: `36 * row + column`.
    ///
    /// # Panics
    /// If there is no such square.
    pub fn from_index(index: usize) -> Self {
        Self::new(index / SIZE, index % SIZE)
    }

    /// Every square in reading order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SQUARES).map(Self::from_index)
    }

    #[inline(always)]
    pub(crate) const fn from_slot(slot: u32) -> Self {
        Self(slot as u16)
    }

    /// The place in an array of [`SLOTS`] entries.
    #[inline(always)]
    pub(crate) const fn slot(self) -> usize {
        self.0 as usize
    }

    /// The row: 0 is rank `a`.
    #[inline(always)]
    pub const fn row(self) -> usize {
        (self.0 >> 6) as usize
    }

    /// The column: 0 is file 36.
    #[inline(always)]
    pub const fn column(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The number of the square: `36 * row + column`.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.row() * SIZE + self.column()
    }

    /// The file as players count it: 1 at the right edge of the first player.
    pub const fn file(self) -> usize {
        SIZE - self.column()
    }

    /// The square at a distance in a direction; from one square beyond the edge on there is none, but a place where no piece ever
    /// stands, neither on the spare places of a row nor where slots wrap around.
    #[inline(always)]
    pub(crate) const fn onward(self, direction: usize, distance: u32) -> Self {
        let slot = self.0 as i32 + SLOT_STEPS[direction] * distance as i32;
        Self(slot as u16 & (SLOTS as u16 - 1))
    }

    /// The square on the board turned by 180 degrees.
    #[must_use]
    pub fn turned(self) -> Self {
        Self::new(SIZE - 1 - self.row(), SIZE - 1 - self.column())
    }

    /// The square on the board mirrored left to right.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self::new(self.row(), SIZE - 1 - self.column())
    }

    /// Whether the square lies in the promotion zone of a side: its far 11 ranks.
    #[inline(always)]
    pub const fn in_zone(self, side: Side) -> bool {
        row_in_zone(self.row(), side)
    }

    /// The name of the square: file and rank letters, `18z`.
    pub fn name(self) -> String {
        self.to_string()
    }
}

/// Whether a row lies in the promotion zone of a side.
#[inline(always)]
pub(crate) const fn row_in_zone(row: usize, side: Side) -> bool {
    match side {
        Side::First => row < ZONE_RANKS,
        Side::Second => row >= SIZE - ZONE_RANKS,
    }
}

/// The letters of a row: `a` to `z`, then `aa` to `jj`.
pub fn rank_name(row: usize) -> String {
    let letter = char::from(b'a' + (row % 26) as u8);
    if row < 26 { letter.to_string() } else { format!("{letter}{letter}") }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), rank_name(self.row()))
    }
}

/// Names of the eight directions as an owner sees them, in the order of the move table.
pub const DIRECTION_NAMES: [&str; 8] = ["F", "FR", "R", "BR", "B", "BL", "L", "FL"];

/// Change of row and column per step of each direction, as the first player sees them: forward is up the board.
pub(crate) const STEPS: [(i32, i32); 8] =
    [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];

/// The direction a side means: the second player sees the board turned by 180 degrees.
#[inline(always)]
pub(crate) const fn direction_for(side: Side, direction: usize) -> usize {
    (direction + 4 * side as usize) & 7
}

/// What a step adds to [`Square::slot`].
pub(crate) const SLOT_STEPS: [i32; 8] = {
    let mut steps = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        let (row, column) = STEPS[direction];
        steps[direction] = row * 64 + column;
        direction += 1;
    }
    steps
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_files_from_the_right_and_ranks_from_the_top() {
        assert_eq!(Square::new(0, 35).name(), "1a");
        assert_eq!(Square::new(35, 0).name(), "36jj");
        assert_eq!(Square::new(25, 18).name(), "18z");
    }

    #[test]
    fn squares_keep_row_and_column() {
        for (index, square) in Square::all().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(square.turned().turned(), square);
            assert_eq!(Square::checked(square.row() as i32, square.column() as i32), Some(square));
        }
        assert_eq!(Square::checked(-1, 0), None);
        assert_eq!(Square::checked(0, 36), None);
    }
}
