//! The rule set `simple`: what the short rules say.
//!
//! - *Perpetual check*: a side that gives check with every move of the cycle loses, unless both do.
//! - *Perpetual chase*: you may not force an enemy piece to run between two points for ever. A side chases if every one of its
//!   moves leaves one enemy piece threatened ([`super::threats()`], here by any piece, attacks old or new), and every answer moves
//!   that piece to the other of two points. It loses, unless both do.
//! - Otherwise it is a draw.

use super::super::bitboard::Bitboard;
use super::super::position::Position;
use super::super::square::Square;
use super::cycle::{Conduct, Cycle};
use super::ruling::{Offence, Ruling};
use super::threats::{Attackers, collect};
use crate::game::Side;

/// Judges a cycle.
pub(super) fn judge(cycle: &Cycle<'_>) -> Ruling {
    let (board, checks) = cycle.rewind();
    let first = cycle.first_mover();
    let mut conduct = [Conduct::default(); 2];
    for side in Side::ALL {
        let offset = usize::from(side != first);
        conduct[side.index()].checks = checks.iter().skip(offset).step_by(2).all(|&check| check);
    }
    if !conduct.iter().any(|conduct| conduct.checks) {
        for side in Side::ALL {
            if let Some(target) = driven_piece(cycle, board.clone(), side) {
                conduct[side.index()].chased = Bitboard::of(target);
            }
        }
    }
    let offences = conduct.map(|conduct| {
        if conduct.checks {
            Offence::Check
        } else if conduct.chased.is_empty() {
            Offence::Nothing
        } else {
            Offence::Chase
        }
    });
    Ruling::by_gravity(offences, conduct)
}

/// Where the piece stands at the end that `by` drove to and fro between two points through the cycle that starts on `board`.
fn driven_piece(cycle: &Cycle<'_>, mut board: Position, by: Side) -> Option<Square> {
    // The victim's moves run to and fro: each starts where the one before it ended, and there are two points only.
    let mut runs = cycle
        .moves()
        .iter()
        .map(|record| record.mv)
        .skip(usize::from(cycle.first_mover() == by))
        .step_by(2);
    let (from, to) = runs.next().map(|mv| (mv.from(), mv.to()))?;
    let mut here = to;
    for mv in runs {
        let there = if here == to { from } else { to };
        if (mv.from(), mv.to()) != (here, there) {
            return None;
        }
        here = there;
    }
    // After each move of the driver the piece is threatened where it stands.
    let mut victim = from;
    for record in cycle.moves() {
        let mover = board.side_to_move();
        board.make(record.mv);
        if mover != by {
            victim = record.mv.to();
            continue;
        }
        let mut threatened = false;
        collect(&mut board, by, Attackers::All, Bitboard::of(victim), |_| threatened = true);
        if !threatened {
            return None;
        }
    }
    Some(victim)
}
