//! The 90 points of the board.
//!
//! ```text
//! rank 9  81 82 ... 89   Black's side
//!   ...
//! rank 0   0  1 ...  8   Red's side
//!      file a  b ...  i
//! ```

use std::fmt;

use crate::game::Side;

/// Files of the board.
pub const FILES: usize = 9;
/// Ranks of the board.
pub const RANKS: usize = 10;
/// Points of the board.
pub const SQUARES: usize = FILES * RANKS;

/// A point of the board: `9 * rank + file`, file a-i from Red's left, rank 0-9 from Red's side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The point at a file (0-8) and a rank (0-9).
    ///
    /// # Panics
    /// In debug builds, if the point is off the board.
    #[inline(always)]
    pub const fn new(file: usize, rank: usize) -> Self {
        debug_assert!(file < FILES && rank < RANKS);
        Self((rank * FILES + file) as u8)
    }

    /// The point of an index below 90.
    ///
    /// # Panics
    /// In debug builds, if the index is 90 or more.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Self {
        debug_assert!(index < SQUARES);
        Self(index as u8)
    }

    /// The point at signed coordinates, if it is on the board.
    pub const fn at(file: i32, rank: i32) -> Option<Self> {
        if file >= 0 && file < FILES as i32 && rank >= 0 && rank < RANKS as i32 {
            Some(Self::new(file as usize, rank as usize))
        } else {
            None
        }
    }

    /// The index, 0 to 89.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, 0 (a) to 8 (i).
    #[inline(always)]
    pub const fn file(self) -> usize {
        FILE_OF[self.0 as usize] as usize
    }

    /// The rank, 0 (Red's back rank) to 9.
    #[inline(always)]
    pub const fn rank(self) -> usize {
        RANK_OF[self.0 as usize] as usize
    }

    /// The point after a step, if it is on the board.
    pub const fn offset(self, files: i32, ranks: i32) -> Option<Self> {
        Self::at(self.file() as i32 + files, self.rank() as i32 + ranks)
    }

    /// The point seen from the other side: the board turned by 180 degrees.
    pub const fn rotated(self) -> Self {
        Self((SQUARES - 1) as u8 - self.0)
    }

    /// The point on the board mirrored left to right.
    pub const fn mirrored(self) -> Self {
        Self::new(FILES - 1 - self.file(), self.rank())
    }

    /// Whether the point is on `side`'s half of the board.
    pub const fn is_home(self, side: Side) -> bool {
        match side {
            Side::First => self.rank() < 5,
            Side::Second => self.rank() >= 5,
        }
    }

    /// Whether the point is in `side`'s palace.
    pub const fn is_palace(self, side: Side) -> bool {
        let in_files = self.file() >= 3 && self.file() <= 5;
        in_files
            && match side {
                Side::First => self.rank() <= 2,
                Side::Second => self.rank() >= 7,
            }
    }

    /// Reads `a0` to `i9`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.as_bytes() {
            [file @ b'a'..=b'i', rank @ b'0'..=b'9'] => {
                Some(Self::new((file - b'a') as usize, (rank - b'0') as usize))
            }
            _ => None,
        }
    }

    /// All points, a0 to i9.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..SQUARES).map(Self::from_index)
    }
}

/// Numbers that the bits of a [`Square`] can have: with a place for each, none needs a check.
const NUMBERS: usize = 1 << u8::BITS;
static FILE_OF: [u8; NUMBERS] = coordinate_table(true);
static RANK_OF: [u8; NUMBERS] = coordinate_table(false);

const fn coordinate_table(of_files: bool) -> [u8; NUMBERS] {
    let mut table = [0; NUMBERS];
    let mut index = 0;
    while index < SQUARES {
        table[index] = if of_files { index % FILES } else { index / FILES } as u8;
        index += 1;
    }
    table
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
