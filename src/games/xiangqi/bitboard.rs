//! Sets of points as bits of a `u128`.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::square::{FILES, RANKS, SQUARES, Square};
use crate::game::Side;

/// A set of points: bit `n` is the point with index `n`. The upper 38 bits are zero but in the result of `!`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Bitboard(pub u128);

impl Bitboard {
    /// No point.
    pub const EMPTY: Self = Self(0);
    /// All 90 points.
    pub const ALL: Self = Self((1 << 90) - 1);

    /// Red's half of the board.
    pub const RED_HOME: Self = Self((1 << 45) - 1);
    /// Black's half of the board.
    pub const BLACK_HOME: Self = Self(Self::ALL.0 & !Self::RED_HOME.0);
    /// The halves by side.
    pub const HOME: [Self; 2] = [Self::RED_HOME, Self::BLACK_HOME];
    /// The palaces by side.
    pub const PALACE: [Self; 2] = [palace(Side::First), palace(Side::Second)];

    /// The set of one point.
    #[inline(always)]
    pub const fn of(square: Square) -> Self {
        POINTS[square.index()]
    }

    /// Points of a rank.
    #[inline(always)]
    pub const fn from_rank(rank: usize, bits: u16) -> Self {
        Self((bits as u128) << (rank * FILES))
    }

    /// Points of a file.
    #[inline(always)]
    pub fn from_file(file: usize, bits: u16) -> Self {
        // The mask tells the compiler that a shift of a few bits will do.
        Self(SPREAD[bits as usize].0 << (file & 15))
    }

    /// The points of a rank as 9 bits.
    #[inline(always)]
    pub const fn rank_bits(self, rank: usize) -> u16 {
        ((self.0 >> (rank * FILES)) & 0x1FF) as u16
    }

    /// All points of a file.
    #[inline(always)]
    pub const fn file(file: usize) -> Self {
        Self(FILE_A << file)
    }

    /// All points of a rank.
    #[inline(always)]
    pub const fn rank(rank: usize) -> Self {
        Self(0x1FF << (rank * FILES))
    }

    /// Whether a point is in the set.
    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.0 & POINTS[square.index()].0 != 0
    }

    /// Whether no point is in the set.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many points are in the set.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The point with the lowest index.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(self.0.trailing_zeros() as usize)) }
    }

    /// Calls `visit` with every point, lowest index first. Cheaper than the iterator: each half is walked as a `u64`.
    #[inline(always)]
    pub fn for_each_square(self, mut visit: impl FnMut(Square)) {
        let (mut half, mut upper, mut base) = (self.0 as u64, (self.0 >> 64) as u64, 0);
        loop {
            if half == 0 {
                if upper == 0 {
                    return;
                }
                (half, upper, base) = (upper, 0, 64);
            }
            visit(Square::from_index(half.trailing_zeros() as usize + base));
            half &= half - 1;
        }
    }

    /// All points one step from any of the set, and points across the edge of the board.
    #[inline(always)]
    pub(super) const fn beside(self) -> Self {
        Self(self.0 << FILES | self.0 >> FILES | self.0 << 1 | self.0 >> 1)
    }

    /// The set with a point added.
    #[inline(always)]
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | POINTS[square.index()].0)
    }

    /// The set with a point taken out.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !POINTS[square.index()].0)
    }
}

const fn palace(side: Side) -> Bitboard {
    let mut points = Bitboard::EMPTY;
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_index(index);
        if square.is_palace(side) {
            points = points.with(square);
        }
        index += 1;
    }
    points
}

/// The set of each point: a load costs less than a shift of 128 bits.
const POINTS: [Bitboard; SQUARES] = {
    let mut points = [Bitboard::EMPTY; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        points[index] = Bitboard(1 << index);
        index += 1;
    }
    points
};

/// The points of file a.
const FILE_A: u128 = {
    let mut bits = 0;
    let mut rank = 0;
    while rank < RANKS {
        bits |= 1 << (rank * FILES);
        rank += 1;
    }
    bits
};

/// Bit `r` of the index moved to bit `9 * r`.
static SPREAD: [Bitboard; 1024] = {
    let mut table = [Bitboard::EMPTY; 1024];
    let mut bits = 0;
    while bits < 1024 {
        let mut rank = 0;
        while rank < 10 {
            if bits >> rank & 1 != 0 {
                table[bits].0 |= 1 << (rank * FILES);
            }
            rank += 1;
        }
        bits += 1;
    }
    table
};

impl Iterator for Bitboard {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

macro_rules! operator {
    ($trait:ident $function:ident $assign_trait:ident $assign:ident $op:tt) => {
        impl $trait for Bitboard {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(self.0 $op other.0)
            }
        }
        impl $assign_trait for Bitboard {
            #[inline(always)]
            fn $assign(&mut self, other: Self) {
                *self = *self $op other;
            }
        }
    };
}

operator!(BitAnd bitand BitAndAssign bitand_assign &);
operator!(BitOr bitor BitOrAssign bitor_assign |);
operator!(BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}
