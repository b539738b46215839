//! A piece on the board and a move, each packed into one small integer.

use super::catalog::Kind;
use super::square::{SLOT_STEPS, Square};
use crate::game::Side;

const PROMOTED: u16 = 1 << 9;
const SECOND: u16 = 1 << 10;

/// Length of an array indexed by [`Piece::code`].
pub(crate) const PIECE_CODES: usize = 1 << 11;

/// A piece: side, kind, and whether it has promoted, which it does only once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece(u16);

impl Piece {
    /// No piece.
    pub(crate) const NONE: Self = Self(0);

    /// A piece of a side.
    pub const fn new(side: Side, kind: Kind, promoted: bool) -> Self {
        let mark = if promoted { PROMOTED } else { 0 };
        Self((kind.0 + 1) | mark | (side as u16) << 10)
    }

    /// Whether there is a piece at all.
    #[inline(always)]
    pub(crate) const fn is_some(self) -> bool {
        self.0 != 0
    }

    /// The kind.
    #[inline(always)]
    pub const fn kind(self) -> Kind {
        Kind((self.0 & 511).wrapping_sub(1))
    }

    /// Whose it is.
    #[inline(always)]
    pub const fn side(self) -> Side {
        if self.0 & SECOND == 0 { Side::First } else { Side::Second }
    }

    /// Whether it has promoted.
    #[inline(always)]
    pub const fn promoted(self) -> bool {
        self.0 & PROMOTED != 0
    }

    /// A number below [`PIECE_CODES`] that tells pieces apart.
    #[inline(always)]
    pub(crate) const fn code(self) -> usize {
        self.0 as usize & (PIECE_CODES - 1)
    }
}

const TO: u32 = 12;
const VIA: u32 = 24;
const PROMOTES: u32 = 1 << 28;
const SWEEPS: u32 = 1 << 29;

/// A move: from, to, the adjacent square where a lion captures first, whether it promotes, and whether it removes all
/// pieces between its ends.
///
/// Bits 0-11 from, 12-23 to, 24-27 first capture (0: none, else the direction plus 1), 28 promotes, 29 sweeps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(u32);

impl Move {
    /// A plain move.
    #[inline(always)]
    pub const fn new(from: Square, to: Square) -> Self {
        Self(from.slot() as u32 | (to.slot() as u32) << TO)
    }

    /// The move to the square `slots` further on.
    #[inline(always)]
    pub(crate) const fn shifted(self, slots: u32) -> Self {
        Self(self.0.wrapping_add(slots << TO))
    }

    /// The move with a first capture on the adjacent square in a direction (0 up the board, clockwise).
    #[inline(always)]
    #[must_use]
    pub const fn via(self, direction: usize) -> Self {
        Self(self.0 | (direction as u32 + 1) << VIA)
    }

    /// The move with promotion.
    #[inline(always)]
    #[must_use]
    pub const fn promoting(self) -> Self {
        Self(self.0 | PROMOTES)
    }

    /// The move that removes the pieces between its ends.
    #[inline(always)]
    #[must_use]
    pub const fn sweeping(self) -> Self {
        Self(self.0 | SWEEPS)
    }

    /// Where it starts.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_slot(self.0 & 0xFFF)
    }

    /// Where it ends.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_slot(self.0 >> TO & 0xFFF)
    }

    /// Whether it promotes.
    #[inline(always)]
    pub const fn promotes(self) -> bool {
        self.0 & PROMOTES != 0
    }

    /// Whether it removes the pieces between its ends.
    #[inline(always)]
    pub const fn sweeps(self) -> bool {
        self.0 & SWEEPS != 0
    }

    /// The adjacent square of a first capture.
    #[inline(always)]
    pub const fn first_capture(self) -> Option<Square> {
        match self.0 >> VIA & 15 {
            0 => None,
            direction => {
                let step = SLOT_STEPS[direction as usize - 1];
                Some(Square::from_slot((self.from().slot() as i32 + step) as u32))
            }
        }
    }

    /// Whether it captures first on an adjacent square or removes what stands between: more than from, to and promotion.
    #[inline(always)]
    pub const fn is_special(self) -> bool {
        self.0 & (SWEEPS | 15 << VIA) != 0
    }

    /// The bits of the move. 0 is the pass of a piece on the first square.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The move with these bits; it may be no move of any position.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_keep_their_parts() {
        let (from, to) = (Square::new(20, 5), Square::new(18, 7));
        let mv = Move::new(from, to).via(1).promoting();
        assert_eq!((mv.from(), mv.to()), (from, to));
        assert_eq!(mv.first_capture(), Some(Square::new(19, 6)));
        assert!(mv.promotes() && !mv.sweeps() && mv.sweeping().sweeps());
        assert_eq!(Move::new(from, from).shifted(64).to(), Square::new(21, 5));
    }

    #[test]
    fn pieces_keep_their_parts() {
        let piece = Piece::new(Side::Second, Kind(300), true);
        assert_eq!((piece.side(), piece.kind(), piece.promoted()), (Side::Second, Kind(300), true));
        assert!(piece.code() < PIECE_CODES && piece.is_some() && !Piece::NONE.is_some());
    }
}
