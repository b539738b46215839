//! Which part of its move set lets a piece make a move: for people, so it looks at the board move by move.

use super::moveset::MoveSet;
use super::piece::Move;
use super::position::Position;
use super::square::{STEPS, Square, direction_for};
use crate::game::Side;
use crate::picture::scene::Way;

/// The plainest way in which a legal move can be made.
pub(super) fn way_of(position: &Position, mv: Move) -> Way {
    let (from, to) = (mv.from(), mv.to());
    if mv.first_capture().is_some() {
        return if from == to { Way::Stay } else { Way::DoubleStep };
    }
    if from == to {
        return Way::Pass;
    }
    let Some(piece) = position.piece_at(from) else { return Way::Leap };
    let moves = position.table().move_set(piece.kind());
    match line_to(from, to, piece.side()) {
        Some(line) => along(position, moves, from, line),
        None if moves.hooks != 0 => Way::Turn,
        None => Way::Leap,
    }
}

/// A direction as the owner means it, the same on the board, and a number of squares.
#[derive(Clone, Copy, Debug)]
struct Line {
    owned: usize,
    absolute: usize,
    distance: usize,
}

fn line_to(from: Square, to: Square, side: Side) -> Option<Line> {
    let rows = to.row() as i32 - from.row() as i32;
    let columns = to.column() as i32 - from.column() as i32;
    if rows != 0 && columns != 0 && rows.abs() != columns.abs() {
        return None;
    }
    let absolute = STEPS.iter().position(|&step| step == (rows.signum(), columns.signum()))?;
    let distance = rows.abs().max(columns.abs()) as usize;
    // Turning the board by 180 degrees twice changes nothing.
    Some(Line { owned: direction_for(side, absolute), absolute, distance })
}

fn along(position: &Position, moves: &MoveSet, from: Square, line: Line) -> Way {
    // Whether the squares strictly between two places of the line are empty.
    let clear = |start: usize, end: usize| {
        (start + 1..end).all(|distance| position.piece_at(on(from, line, distance)).is_none())
    };
    let bit = 1 << line.owned;
    let open = clear(0, line.distance);
    let leaps = || moves.leaps.iter().filter(|leap| usize::from(leap.direction) == line.owned);
    if open && usize::from(moves.slides[line.owned]) >= line.distance
        || moves.lion && line.distance == 1
    {
        Way::Slide
    } else if open && moves.hooks & bit != 0 {
        Way::Hook
    } else if moves.lion && line.distance == 2
        || leaps().any(|leap| !leap.must_go_on && usize::from(leap.distance) == line.distance)
    {
        Way::Leap
    } else if moves.range_captures & bit != 0 {
        Way::Range
    } else if leaps().any(|leap| {
        let landing = usize::from(leap.distance);
        landing < line.distance
            && line.distance - landing <= usize::from(leap.further)
            && clear(landing - 1, line.distance)
    }) {
        Way::LeapSlide
    } else if moves.overs.iter().any(|over| usize::from(over.direction) == line.owned) {
        Way::Over
    } else {
        // Nothing else leads along a line: the second leg of a hook move.
        Way::Turn
    }
}

fn on(from: Square, line: Line, distance: usize) -> Square {
    let (rows, columns) = STEPS[line.absolute];
    let along = |start: usize, step: i32| (start as i32 + step * distance as i32) as usize;
    Square::new(along(from.row(), rows), along(from.column(), columns))
}

/// What the ways are called in this game.
pub(super) const fn way_name(way: Way) -> &'static str {
    match way {
        Way::Slide => "step or slide",
        Way::Hook => "slide that may turn by 90 degrees",
        Way::Turn => "slide after the turn",
        Way::Leap => "leap",
        Way::LeapSlide => "leap, then slide on",
        Way::Over => "slide over pieces that stay",
        Way::Range => "flight that removes what it passes",
        Way::DoubleStep => "two steps, capturing on the first",
        Way::Stay => "captures beside it without moving",
        Way::Pass => "steps out and back: a pass",
    }
}
