//! Where generated moves go: to a list or to a counter. The generator hands over sets of targets, not single moves.

use super::attacks::SOLDIER;
use super::bitboard::Bitboard;
use super::moves::Move;
use super::square::{FILES, Square};
use crate::game::Side;

/// Where generated moves go.
pub(super) trait Sink {
    /// Takes the moves from a point to all points of a set.
    fn board(&mut self, from: Square, targets: Bitboard);
    /// Takes the moves from a point along its rank.
    fn rank(&mut self, from: Square, targets: u16);
    /// Takes the moves from a point along its file.
    fn file(&mut self, from: Square, targets: u16);

    /// Takes the moves of a side's soldiers to the points of `targets`.
    #[inline(always)]
    fn soldiers(&mut self, side: Side, soldiers: Bitboard, targets: Bitboard) {
        soldiers.for_each_square(|from| {
            self.board(from, SOLDIER[side.index()][from.index()] & targets);
        });
    }
}

/// Room that a list has behind its last move: for those of one piece, and then for more.
const ROOM: usize = 24;
const MORE_ROOM: usize = 128;

/// Appends moves to a list that always has room for those of a piece, so that only one of many moves looks for it.
pub(super) struct List<'a> {
    moves: &'a mut Vec<Move>,
    len: usize,
}

impl<'a> List<'a> {
    pub(super) fn new(moves: &'a mut Vec<Move>) -> Self {
        let len = moves.len();
        moves.extend_from_slice(&[Move::NULL; MORE_ROOM]);
        Self { moves, len }
    }

    #[inline(always)]
    fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }

    #[inline(always)]
    fn make_room(&mut self) {
        if self.len + ROOM > self.moves.len() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.moves.extend_from_slice(&[Move::NULL; MORE_ROOM]);
    }

    /// Takes the room back.
    pub(super) fn finish(self) {
        self.moves.truncate(self.len);
    }
}

impl Sink for List<'_> {
    #[inline(always)]
    fn board(&mut self, from: Square, targets: Bitboard) {
        self.make_room();
        targets.for_each_square(|to| self.push(Move::new(from, to)));
    }

    #[inline(always)]
    fn rank(&mut self, from: Square, mut targets: u16) {
        self.make_room();
        while targets != 0 {
            self.push(Move::new(from, Square::new(targets.trailing_zeros() as usize, from.rank())));
            targets &= targets - 1;
        }
    }

    #[inline(always)]
    fn file(&mut self, from: Square, mut targets: u16) {
        self.make_room();
        while targets != 0 {
            self.push(Move::new(from, Square::new(from.file(), targets.trailing_zeros() as usize)));
            targets &= targets - 1;
        }
    }
}

/// Counts moves without listing them.
pub(super) struct Counter(pub(super) u64);

impl Sink for Counter {
    #[inline(always)]
    fn board(&mut self, _from: Square, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }

    #[inline(always)]
    fn rank(&mut self, _from: Square, targets: u16) {
        self.0 += u64::from(targets.count_ones());
    }

    #[inline(always)]
    fn file(&mut self, _from: Square, targets: u16) {
        self.0 += u64::from(targets.count_ones());
    }

    /// All soldiers at once: forward, and sideways once across the river.
    #[inline(always)]
    fn soldiers(&mut self, side: Side, soldiers: Bitboard, targets: Bitboard) {
        let (forward, home) = match side {
            Side::First => (Bitboard(soldiers.0 << FILES), Bitboard::RED_HOME),
            Side::Second => (Bitboard(soldiers.0 >> FILES), Bitboard::BLACK_HOME),
        };
        self.0 += u64::from((forward & targets).count());
        let crossed = soldiers & !home;
        if !crossed.is_empty() {
            let left = (crossed & !Bitboard::file(0)).0 >> 1;
            let right = (crossed & !Bitboard::file(FILES - 1)).0 << 1;
            self.0 += u64::from((Bitboard(left) & targets).count());
            self.0 += u64::from((Bitboard(right) & targets).count());
        }
    }
}
