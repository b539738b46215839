//! A repeated cycle of moves, and what each side did in it.
//!
//! The cycle runs from an earlier occurrence of a position to its latest. How the earlier occurrence was reached does not matter:
//! only moves after it are looked at. A cycle holds no capture and no null move, so a piece is followed by the points it stands
//! on.

use super::super::bitboard::Bitboard;
use super::super::moves::Move;
use super::super::position::Position;
use super::chase::{Means, new_threats};
use super::threats::is_pinned_by_horse;
use crate::game::Side;

/// The last moves of a position's history, which lead from a position to the same position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cycle<'a> {
    /// The position at the end.
    pub(super) end: &'a Position,
    /// The number of plies.
    pub(super) plies: usize,
}

/// What a side did with every move of a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Conduct {
    /// Gave check with every move.
    pub(super) checks: bool,
    /// Where the enemy pieces stand, at the end, that were chased with every move.
    pub(super) chased: Bitboard,
    /// Those of `chased` that were never chased by cutting off their protectors alone.
    pub(super) chased_outright: Bitboard,
    /// Those of `chased_outright` that were, after every move, chariots pinned by a horse of this side.
    pub(super) chased_pinned: Bitboard,
}

impl Cycle<'_> {
    /// The moves of the cycle.
    pub(super) fn moves(&self) -> &[super::super::position::Record] {
        let history = self.end.history();
        &history[history.len() - self.plies..]
    }

    /// The side that made the first move of the cycle.
    pub(super) fn first_mover(&self) -> Side {
        // A cycle has an even number of plies.
        self.end.side_to_move()
    }

    /// The position at the start of the cycle, and whether each move gave check.
    pub(super) fn rewind(&self) -> (Position, Vec<bool>) {
        let mut board = self.end.clone();
        let mut checks = vec![false; self.plies];
        for check in checks.iter_mut().rev() {
            *check = board.in_check();
            board.unmake();
        }
        (board, checks)
    }

    /// What each side did with every move, by [`Side::index`]. Chases are only looked for while no side checks perpetually.
    pub(super) fn conduct(&self) -> [Conduct; 2] {
        let (mut board, checks) = self.rewind();
        let mut conduct = [Conduct::default(); 2];
        let first = self.first_mover();
        for side in Side::ALL {
            let offset = usize::from(side != first);
            conduct[side.index()].checks =
                checks.iter().skip(offset).step_by(2).all(|&check| check);
        }
        if conduct.iter().any(|conduct| conduct.checks) {
            return conduct;
        }
        for side in Side::ALL {
            let enemies = board.side(!side);
            conduct[side.index()].chased = enemies;
            conduct[side.index()].chased_outright = enemies;
            conduct[side.index()].chased_pinned = enemies;
        }
        for record in self.moves() {
            let side = board.side_to_move();
            board.make(record.mv);
            follow(&mut conduct[(!side).index()], record.mv);
            let conduct = &mut conduct[side.index()];
            if conduct.chased.is_empty() {
                continue;
            }
            let (mut chased, mut outright) = (Bitboard::EMPTY, Bitboard::EMPTY);
            for chase in new_threats(&mut board, record.mv, conduct.chased) {
                let target = chase.threat.target;
                chased = chased.with(target);
                if chase.means != Means::CutOff {
                    outright = outright.with(target);
                }
            }
            conduct.chased = chased;
            conduct.chased_outright &= outright;
            conduct.chased_pinned &= conduct
                .chased_outright
                .filter(|&target| is_pinned_by_horse(&board, target))
                .fold(Bitboard::EMPTY, Bitboard::with);
        }
        conduct
    }
}

/// Follows the enemy's piece that moved, if it was chased so far.
fn follow(conduct: &mut Conduct, mv: Move) {
    let sets = [&mut conduct.chased, &mut conduct.chased_outright, &mut conduct.chased_pinned];
    for set in sets {
        if set.has(mv.from()) {
            *set = set.without(mv.from()).with(mv.to());
        }
    }
}
