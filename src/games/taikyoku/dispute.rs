//! Moves that the rule set allows and the web client's host refuses all the same.
//!
//! The host checks a move a second time, more simply than its own generator made it: the end must be a leap of the piece, or
//! else, if the piece slides in that direction, nothing may stand between. It looks up the direction without turning it
//! upside down first, so that a piece is held to the slides of the mirrored direction. A move that is refused counts as
//! resignation, and an end that no line reaches, such as that of a hook move, makes the host search for ever.
//
// CITE: the web client's GameHost, https://github.com/taikyoku-shogi/taikyoku-shogi.github.io

use super::compile::Table;
use super::piece::Move;
use super::position::Position;
use super::square::{STEPS, Square, direction_for};
use crate::game::Side;

/// Pieces that the host lets an over-slide pass.
const OVER: usize = 3;

/// Whether the host refuses a legal move.
pub(crate) fn is_disputed(position: &Position, mv: Move) -> bool {
    let (from, to) = (mv.from(), mv.to());
    let Some(piece) = position.piece_at(from) else { return false };
    let side = piece.side();
    let moves = Table::of(position.rules().set).move_set(piece.kind());
    if from == to {
        // A pass seems to take the own piece; a capture without moving names its step and is let through.
        return mv.first_capture().is_none();
    }
    let down = to.row() as i32 - from.row() as i32;
    let right = to.column() as i32 - from.column() as i32;
    let (own_right, own_forward) = match side {
        Side::First => (right, -down),
        Side::Second => (-right, down),
    };
    let is_leap = |direction: u8, distance: u8| {
        let (rows, columns) = STEPS[usize::from(direction)];
        let distance = i32::from(distance);
        (columns * distance, -rows * distance) == (own_right, own_forward)
    };
    let leaps =
        moves.leaps.iter().any(|leap| is_leap(leap.direction, leap.distance) && !leap.must_go_on)
            || moves
                .oblique
                .iter()
                .any(|&(x, y)| (i32::from(x), i32::from(y)) == (own_right, own_forward))
            || moves.lion && own_right.abs().max(own_forward.abs()) == 2;
    if leaps || moves.range_captures != 0 {
        return false;
    }
    let step = (down.signum(), right.signum());
    let toward = |step| STEPS.iter().position(|&other| other == step).expect("the ends differ");
    // What the host takes for the piece's own direction: the board's, upside down.
    let mirrored = toward((-step.0, step.1));
    if moves.slides[mirrored] == 0 && moves.hooks & 1 << mirrored == 0 {
        return false;
    }
    let direction = direction_for(side, toward(step));
    let over = moves.overs.iter().any(|over| usize::from(over.direction) == direction);
    let between = pieces_between(position, from, to, step);
    between.is_none_or(|pieces| pieces > if over { OVER } else { 0 })
}

/// The pieces between two squares; `None` if no line joins them.
fn pieces_between(
    position: &Position,
    from: Square,
    to: Square,
    step: (i32, i32),
) -> Option<usize> {
    let mut place = from;
    let mut pieces = 0;
    loop {
        place = Square::checked(place.row() as i32 + step.0, place.column() as i32 + step.1)?;
        if place == to {
            return Some(pieces);
        }
        pieces += usize::from(position.piece_at(place).is_some());
    }
}
