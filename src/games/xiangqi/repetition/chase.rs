//! Chases: threats that a move makes anew.
//!
//! A threat of an attacker on a target is new if the same pair was no threat before the move: because the attack did not exist
//! (the piece moved there, or a line, a leg, an eye or a screen changed), or because it was answered by a protector that the
//! move has pinned or cut off, or because the attacker was pinned.

use super::super::bitboard::Bitboard;
use super::super::moves::Move;
use super::super::position::Position;
use super::threats::{Attackers, Threat, collect, gain};

/// The threats that the last move made anew; empty if no move was made or the last one was a null move.
pub fn chases(position: &Position) -> Vec<Threat> {
    let Some(record) = position.history().last() else { return Vec::new() };
    if record.mv == Move::NULL {
        return Vec::new();
    }
    new_threats(&mut position.clone(), record.mv, position.side(position.side_to_move()))
}

/// The threats on pieces on `targets` that the move just made on `board` created. The board is unchanged at the end.
pub(super) fn new_threats(board: &mut Position, mv: Move, targets: Bitboard) -> Vec<Threat> {
    let by = !board.side_to_move();
    let mut found = Vec::new();
    collect(board, by, Attackers::Restrained, targets, |threat| found.push(threat));
    if found.is_empty() {
        return found;
    }
    board.unmake();
    found.retain(|threat| {
        let attacker = if threat.attacker == mv.to() { mv.from() } else { threat.attacker };
        gain(board, attacker, threat.target).is_none()
    });
    board.make(mv);
    found
}
