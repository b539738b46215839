//! Whether a side attacks a point, as the board stands or after a move.

use super::attacks::{HORSE_FROM, SOLDIER_FROM, between_bits, diagonal_index};
use super::bitboard::Bitboard;
use super::cross::Cross;
use super::moves::Move;
use super::piece::{Kind, Piece};
use super::position::Position;
use super::square::Square;
use crate::game::Side;

impl Position {
    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        let us = self.side_to_move();
        self.is_attacked(self.general(us), !us)
    }

    /// Whether a chariot, horse, cannon or soldier of a side attacks a point, or its general does along an open file. Advisors,
    /// elephants and the general's steps are left out: no general can be where they reach.
    #[inline(always)]
    pub fn is_attacked(&self, square: Square, by: Side) -> bool {
        let pieces = |kind| self.pieces(by, kind);
        attacked_by(square, by, pieces, |rank| self.rank_line(rank), |file| self.file_line(file))
    }

    /// The pieces of a side that attack a point, were a piece of the other side there: chariots, horses, cannons, soldiers, and
    /// the general along an open file. Advisors, elephants and the general's steps are left out.
    pub(super) fn attackers(&self, square: Square, by: Side) -> Bitboard {
        let (file, rank) = (square.file(), square.rank());
        let (below, above) = (self.rank_line(rank as i32 - 1), self.rank_line(rank as i32 + 1));
        let legs = diagonal_index(below, above, file);
        let seen = Cross::seen_by_chariot(self, square).board(square);
        let (_, behind_a_screen) = Cross::seen_by_cannon(self, square);
        seen & self.pieces(by, Kind::Chariot)
            | seen & Bitboard::file(file) & self.pieces(by, Kind::General)
            | behind_a_screen.board(square) & self.pieces(by, Kind::Cannon)
            | HORSE_FROM[square.index()][legs] & self.pieces(by, Kind::Horse)
            | SOLDIER_FROM[by.index()][square.index()] & self.pieces(by, Kind::Soldier)
    }

    /// Whether a pseudo-legal move leaves the own general neither attacked nor facing the other.
    #[inline(never)]
    pub fn leaves_general_safe(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let general = self.general(us);
        let square = if mv.from() == general { mv.to() } else { general };
        let left = !Bitboard::of(mv.to());
        !self.attacked_after(mv, square, !us, |kind| self.pieces(!us, kind) & left)
    }

    /// Whether a pseudo-legal move gives check.
    #[inline(never)]
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (Bitboard::of(mv.from()), Bitboard::of(mv.to()));
        let moved = self.number_at(mv.from());
        self.attacked_after(mv, self.general(!us), us, |kind| {
            let arriving = moved == Piece::new(us, kind).index();
            self.pieces(us, kind) & !from | if arriving { to } else { Bitboard::EMPTY }
        })
    }

    /// Whether a side, which then has these pieces, would attack a point once a move is made.
    #[inline(always)]
    fn attacked_after(
        &self,
        mv: Move,
        square: Square,
        by: Side,
        pieces: impl Fn(Kind) -> Bitboard,
    ) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let rank_line = |rank: i32| {
            let leaving = u16::from(from.rank() as i32 == rank) << from.file();
            let arriving = u16::from(to.rank() as i32 == rank) << to.file();
            self.rank_line(rank) & !leaving | arriving
        };
        let file_line = |file: usize| {
            let leaving = u16::from(from.file() == file) << from.rank();
            let arriving = u16::from(to.file() == file) << to.rank();
            self.file_line(file) & !leaving | arriving
        };
        attacked_by(square, by, pieces, rank_line, file_line)
    }
}

/// Whether pieces of a side, given by kind, attack a point as in [`Position::is_attacked`], with lines as occupied as given.
/// Most points have next to nothing around them that could, so what is there is looked at piece by piece.
#[inline(always)]
pub(super) fn attacked_by(
    square: Square,
    by: Side,
    pieces: impl Fn(Kind) -> Bitboard,
    rank_line: impl Fn(i32) -> u16,
    file_line: impl Fn(usize) -> u16,
) -> bool {
    let soldiers = pieces(Kind::Soldier) & SOLDIER_FROM[by.index()][square.index()];
    if !soldiers.is_empty() {
        return true;
    }
    let (file, rank) = (square.file(), square.rank());
    let horses = pieces(Kind::Horse) & HORSE_FROM[square.index()][0];
    if !horses.is_empty() {
        let legs = diagonal_index(rank_line(rank as i32 - 1), rank_line(rank as i32 + 1), file);
        if !(horses & HORSE_FROM[square.index()][legs]).is_empty() {
            return true;
        }
    }
    let cannons = pieces(Kind::Cannon);
    let snipers = pieces(Kind::Chariot) | cannons;
    // A chariot or general sees as far as the first piece, a cannon strikes over one.
    let strikes =
        |sniper: Square, between: u16| between.count_ones() == u32::from(cannons.has(sniper));
    let on_file = (snipers | pieces(Kind::General)) & Bitboard::file(file);
    if !on_file.is_empty() {
        let line = file_line(file);
        for sniper in on_file {
            if strikes(sniper, line & between_bits(rank, sniper.rank())) {
                return true;
            }
        }
    }
    let on_rank = snipers & Bitboard::rank(rank);
    if !on_rank.is_empty() {
        let line = rank_line(rank as i32);
        for sniper in on_rank {
            if strikes(sniper, line & between_bits(file, sniper.file())) {
                return true;
            }
        }
    }
    false
}
