//! A move: from, to.

use std::fmt;

use super::square::Square;

/// A move in 16 bits: 128 * from + to. Zero (a0a0) is no move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// The null move: passes the turn. Never generated.
    pub const NULL: Self = Self(0);

    /// The move between two points.
    #[inline(always)]
    pub const fn new(from: Square, to: Square) -> Self {
        Self((from.index() as u16) << 7 | to.index() as u16)
    }

    /// The move of a code of [`Move::code`], if both points are on the board.
    pub const fn from_code(code: u32) -> Option<Self> {
        if code == 0 || code >> 7 >= 90 || code & 127 >= 90 {
            None
        } else {
            Some(Self(code as u16))
        }
    }

    /// 128 * from + to.
    #[inline(always)]
    pub const fn code(self) -> u32 {
        self.0 as u32
    }

    /// Where it starts.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index((self.0 >> 7) as usize)
    }

    /// Where it ends.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index((self.0 & 127) as usize)
    }
}

impl fmt::Display for Move {
    /// `h2e2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
