//! Which moves give check, found out once for all moves of a position.
//!
//! A piece gives check if it lands on a point from which its kind attacks the general, or between the general and a cannon
//! that sees it, as the screen. It may also do so by leaving: as the last piece before a chariot, the last too many before a
//! cannon, or the leg of a horse; and a cannon that sees the general need not do so where it arrives. The moves of such pieces
//! are tested one by one.

use super::attacks::{
    CHARIOT_FILE, CHARIOT_RANK, CROSS, DIAGONALS, HORSE_FROM, SOLDIER_FROM, between_bits,
    diagonal_index,
};
use super::bitboard::Bitboard;
use super::moves::Move;
use super::piece::{Kind, Piece};
use super::position::Position;

/// The kinds of pieces, as a power of two.
const KINDS: usize = Kind::ALL.len().next_power_of_two();

/// The checks that the side to move can give, if the other side is not in check already, which no position allows.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// Where a piece of each kind gives check when it arrives, by the number of the piece less `first_piece`.
    arrivals: [Bitboard; KINDS],
    /// The number of the first piece of the side.
    first_piece: usize,
    /// The pieces whose moves have to be tested one by one.
    tested: Bitboard,
}

impl Checks {
    /// Looks around the general of the side that is not to move.
    pub fn new(position: &Position) -> Self {
        let us = position.side_to_move();
        let general = position.general(!us);
        let (file, rank) = (general.file(), general.rank());
        let on_rank = Line::new(position.rank_line(rank as i32), &CHARIOT_RANK[file]);
        let on_file = Line::new(position.file_line(file), &CHARIOT_FILE[rank]);
        let points = |on_rank: u16, on_file: u16| {
            Bitboard::from_rank(rank, on_rank) | Bitboard::from_file(file, on_file)
        };
        let seen = points(on_rank.seen, on_file.seen);
        let behind = points(on_rank.behind, on_file.behind);
        let chariots = position.pieces(us, Kind::Chariot);
        let cannons = position.pieces(us, Kind::Cannon);
        let mut screens = Bitboard::EMPTY;
        let mut tested = cannons & seen;
        tested.for_each_square(|cannon| {
            screens |= if cannon.rank() == rank {
                Bitboard::from_rank(rank, between_bits(file, cannon.file()))
            } else {
                Bitboard::from_file(file, between_bits(rank, cannon.rank()))
            };
        });
        let is_hidden = !(chariots & behind).is_empty() || {
            let cannons = cannons & CROSS[general.index()];
            !cannons.is_empty() && !(cannons & points(on_rank.third, on_file.third)).is_empty()
        };
        if is_hidden {
            tested |= points(on_rank.nearest, on_file.nearest);
        }
        let below = position.rank_line(rank as i32 - 1);
        let above = position.rank_line(rank as i32 + 1);
        let legs = diagonal_index(below, above, file);
        let mut arrivals = [screens; KINDS];
        for (kind, points) in [
            (Kind::Chariot, seen),
            (Kind::Cannon, behind),
            (Kind::Horse, HORSE_FROM[general.index()][legs]),
            (Kind::Soldier, SOLDIER_FROM[us.index()][general.index()]),
        ] {
            arrivals[kind.index()] |= points;
        }
        let horses = position.pieces(us, Kind::Horse) & HORSE_FROM[general.index()][0];
        if !horses.is_empty() {
            tested |= DIAGONALS[general.index()];
        }
        Self { arrivals, first_piece: Piece::new(us, Kind::General).index(), tested }
    }

    /// Where a piece of a kind gives check when it arrives.
    #[inline(always)]
    pub(super) fn arrivals(&self, kind: Kind) -> Bitboard {
        self.arrivals[kind.index()]
    }

    /// The pieces whose moves have to be tested one by one; what [`Self::arrivals`] says does not hold for them.
    #[inline(always)]
    pub(super) fn tested(&self) -> Bitboard {
        self.tested
    }

    /// Whether a legal move gives check.
    #[inline(always)]
    pub fn has(&self, position: &Position, mv: Move) -> bool {
        if self.tested.has(mv.from()) {
            return gives_check(position, mv);
        }
        let kind = position.number_at(mv.from()).wrapping_sub(self.first_piece) % KINDS;
        self.arrivals[kind].has(mv.to())
    }
}

#[inline(never)]
fn gives_check(position: &Position, mv: Move) -> bool {
    position.gives_check(mv)
}

/// Points of one line of a general.
struct Line {
    /// What a chariot would see from the general: empty points and the first piece each way.
    seen: u16,
    /// The points behind one piece, as far as the next and with it.
    behind: u16,
    /// The first two pieces each way: no other bars the way to the general, or is a screen too many.
    nearest: u16,
    /// The third piece each way: a cannon there gives check once one of the first two leaves.
    third: u16,
}

impl Line {
    /// From the occupancy of the line and the table of what a chariot in the general's place sees.
    fn new(pieces: u16, sees: &[u16]) -> Self {
        let seen = sees[usize::from(pieces)];
        let first_two = sees[usize::from(pieces & !seen)];
        let third = sees[usize::from(pieces & !first_two)] & pieces & !first_two;
        Self { seen, behind: first_two & !seen, nearest: first_two & pieces, third }
    }
}
