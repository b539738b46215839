//! Chases: threats that a move makes anew.
//!
//! A threat of an attacker on a target is new if the same pair was no threat before the move, for one of three reasons
//! ([`Means`]). A threat that stood before the move and still stands is no chase: the other side does not mind it.

use super::super::bitboard::Bitboard;
use super::super::moves::Move;
use super::super::position::Position;
use super::threats::{Attackers, Threat, attacks_soundly, collect, gain, has_false_root};

/// A threat made anew by a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Chase {
    /// What is threatened by what, as the pieces stand after the move.
    pub threat: Threat,
    /// What made the threat.
    pub means: Means,
}

/// How a move makes a threat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Means {
    /// By a new attack: the attacker moved, or its line, leg, eye or screen was opened, or it was freed from a pin.
    Attack,
    /// The attack is old, but what protected the target does so on paper only since the move: it is pinned, or a check is
    /// uncovered by the capture, or its general may not step there.
    Pin,
    /// The attack is old, but the move cut off what protected the target: it blocked a line, a leg or an eye, or put in or took
    /// away the screen of a cannon.
    CutOff,
}

/// The chases of the last move; none if no move was made or the last one was a null move.
pub fn chases(position: &Position) -> Vec<Chase> {
    match position.history().last() {
        Some(record) if record.mv != Move::NULL => {
            let targets = position.side(position.side_to_move());
            new_threats(&mut position.clone(), record.mv, targets)
        }
        _ => Vec::new(),
    }
}

/// The chases, of pieces on `targets`, by the move just made on `board`. The board is unchanged at the end.
pub(super) fn new_threats(board: &mut Position, mv: Move, targets: Bitboard) -> Vec<Chase> {
    let by = !board.side_to_move();
    let mut found = Vec::new();
    collect(board, by, Attackers::Restrained, targets, |threat| {
        found.push(Chase { threat, means: Means::Attack });
    });
    if found.is_empty() {
        return found;
    }
    board.unmake();
    found.retain_mut(|chase| {
        let Threat { attacker, target, .. } = chase.threat;
        let attacker = if attacker == mv.to() { mv.from() } else { attacker };
        if attacks_soundly(board, attacker, target) {
            chase.means = Means::CutOff;
            gain(board, attacker, target).is_none()
        } else {
            true
        }
    });
    board.make(mv);
    for chase in &mut found {
        if chase.means == Means::CutOff && has_false_root(board, chase.threat) {
            chase.means = Means::Pin;
        }
    }
    found
}
