//! What a move takes, and static exchange evaluation: who gains by captures on one square, judged without playing them.
//!
//! The first move is counted in full: a range capture with all it flies over, own pieces as losses, a lion with both captures,
//! promotion with what it gains. After it the sides capture on its last square in turn, the least valuable piece first, and
//! each may stop. Pieces behind a capturer on the same line join in.
//!
//! What is left out, because finding it costs more than it tells: captures elsewhere, promotion while recapturing, what a range
//! capture flies over while recapturing, and lines that a capture opens or closes for over-slides, range captures and hooks.

use super::attack::{Attack, aligned};
use super::board::Board;
use super::lines::{low_bits, relative};
use super::piece::{Move, Piece};
use super::position::Position;
use super::special::edge_distance;
use super::square::{SLOT_STEPS, Square};
use super::values::Values;
use crate::game::Side;

/// What a move takes and gains by itself: enemies count for it, own pieces it removes against it.
#[inline]
pub(crate) fn gain(position: &Position, values: &Values, mv: Move) -> i32 {
    let mut sum = 0;
    if mv.is_special() {
        sum += special_gain(position, values, mv);
    } else if mv.from() != mv.to() {
        let piece = position.board.at(mv.to());
        if piece.is_some() {
            sum += worth_in_exchange(position, values, piece);
        }
    }
    if mv.promotes() {
        let piece = position.board.at(mv.from());
        let promoted = position.promotion_of(piece).unwrap_or(piece);
        sum += values.material(promoted) - values.material(piece);
    }
    sum
}

/// What a move with several captures takes. Whoever loses the last of two royals loses as much as with one.
fn special_gain(position: &Position, values: &Values, mv: Move) -> i32 {
    let us = position.side_to_move();
    let mut sum = 0;
    let mut royals = [0; 2];
    for_each_taken(position, mv, |piece| {
        let own = piece.side() == us;
        let worth = values.material(piece);
        sum += if own { -worth } else { worth };
        royals[piece.side().index()] += usize::from(position.is_royal(piece));
    });
    if royals != [0; 2] {
        for side in Side::ALL {
            if royals[side.index()] > 0 && royals[side.index()] == position.royal_count(side) {
                sum += if side == us { -values.last_royal } else { values.last_royal };
            }
        }
    }
    sum
}

/// Calls `take` for every piece that a move removes.
#[inline(always)]
fn for_each_taken(position: &Position, mv: Move, mut take: impl FnMut(Piece)) {
    let board = &*position.board;
    let mut visit = |square: Square| {
        let piece = board.at(square);
        if piece.is_some() {
            take(piece);
        }
    };
    if let Some(first) = mv.first_capture() {
        visit(first);
    }
    let (from, to) = (mv.from(), mv.to());
    if mv.sweeps() {
        let rows = to.row() as i32 - from.row() as i32;
        let columns = to.column() as i32 - from.column() as i32;
        let step = rows.signum() * SLOT_STEPS[4] + columns.signum() * SLOT_STEPS[2];
        let mut slot = from.slot() as i32 + step;
        while slot != to.slot() as i32 {
            visit(Square::from_slot(slot as u32));
            slot += step;
        }
    }
    if from != to {
        visit(to);
    }
}

/// The worth of a piece in exchanges; the last royal is worth the game.
fn worth_in_exchange(position: &Position, values: &Values, piece: Piece) -> i32 {
    if position.is_royal(piece) && position.royal_count(piece.side()) == 1 {
        values.last_royal
    } else {
        values.material(piece)
    }
}

/// Whether a legal move and the exchanges after it on its last square bring the mover at least `threshold`.
pub(crate) fn exchange_at_least(
    position: &Position,
    values: &Values,
    mv: Move,
    threshold: i32,
) -> bool {
    let Some(mover) = position.piece_at(mv.from()) else { return threshold <= 0 };
    let mut balance = gain(position, values, mv) - threshold;
    if balance < 0 {
        return false;
    }
    let arriving =
        if mv.promotes() { position.promotion_of(mover).unwrap_or(mover) } else { mover };
    // What is left when the mover is lost as well.
    balance = worth_in_exchange(position, values, arriving) - balance;
    if balance <= 0 || !leaves_royals(position, mv) {
        return true;
    }
    let us = position.side_to_move();
    let mut exchange = Exchange::new(position, values, mv);
    let mut side = us;
    let mut holds = true;
    loop {
        side = !side;
        let Some(capturer) = exchange.least(side) else { return holds };
        holds = !holds;
        balance = capturer - balance;
        if balance < i32::from(holds) {
            return holds;
        }
    }
}

/// Whether the enemy has a royal left after the move, so that it can answer.
fn leaves_royals(position: &Position, mv: Move) -> bool {
    let them = !position.side_to_move();
    let left = position.royal_count(them);
    if left > 2 {
        // More royals never fall at once but by a range capture, which `gain` has counted.
        return true;
    }
    let mut taken = 0;
    if mv.is_special() {
        for_each_taken(position, mv, |piece| {
            taken += usize::from(piece.side() == them && position.is_royal(piece));
        });
    } else if mv.from() != mv.to() {
        let piece = position.board.at(mv.to());
        taken = usize::from(piece.is_some() && position.is_royal(piece));
    }
    taken < left
}

/// Attackers kept per side; more never decide an exchange.
const MOST: usize = 24;

/// Pieces that attack the square by their programs.
struct Programs {
    found: bool,
    count: usize,
    list: [(i32, Square); MOST],
}

/// An exchange on a square.
struct Exchange<'a> {
    position: &'a Position,
    board: &'a Board,
    values: &'a Values,
    target: Square,
    /// Occupied squares seen from the target in each direction; capturers leave.
    lines: [u64; 8],
    /// Attackers by program, looked up when a side first needs them.
    programs: [Programs; 2],
    mv: Move,
}

impl<'a> Exchange<'a> {
    fn new(position: &'a Position, values: &'a Values, mv: Move) -> Self {
        let board = &*position.board;
        let [first, second] = &board.lines;
        let target = mv.to();
        let mut lines = [0; 8];
        for (direction, line) in lines.iter_mut().enumerate() {
            let view = relative(first, second, target, direction);
            *line = !view.free & low_bits(edge_distance(target, direction));
        }
        let none = || Programs { found: false, count: 0, list: [(0, target); MOST] };
        let programs = [none(), none()];
        let mut exchange = Self { position, board, values, target, lines, programs, mv };
        if mv.from() != target {
            exchange.leave(mv.from());
        }
        if mv.sweeps()
            && let Some((direction, distance)) = exchange.seen(mv.from())
        {
            exchange.lines[direction] &= !low_bits(distance);
        }
        if let Some(first) = mv.first_capture() {
            exchange.leave(first);
        }
        exchange
    }

    /// Direction and distance of a square as seen from the target.
    fn seen(&self, square: Square) -> Option<(usize, u32)> {
        let rows = square.row() as i32 - self.target.row() as i32;
        let columns = square.column() as i32 - self.target.column() as i32;
        aligned(rows, columns)
    }

    /// Takes a square off the lines of the target.
    fn leave(&mut self, square: Square) {
        if let Some((direction, distance)) = self.seen(square) {
            self.lines[direction] &= !(1 << (distance - 1));
        }
    }

    /// Whether the piece of a square is gone since the first move.
    fn is_gone(&self, square: Square) -> bool {
        let mv = self.mv;
        square == mv.from()
            || Some(square) == mv.first_capture()
            || mv.sweeps()
                && match (self.seen(mv.from()), self.seen(square)) {
                    (Some((line, whole)), Some((direction, distance))) => {
                        line == direction && distance <= whole
                    }
                    _ => false,
                }
    }

    /// Removes the least valuable attacker of a side; its worth, `None` if there is none.
    fn least(&mut self, side: Side) -> Option<i32> {
        let mut best: Option<(i32, Square, Option<usize>)> = None;
        for direction in 0..8 {
            if self.lines[direction] == 0 {
                continue;
            }
            let place = self.lines[direction].trailing_zeros();
            let slot = self.target.slot() as i32 + SLOT_STEPS[direction] * (place as i32 + 1);
            let from = Square::from_slot(slot as u32);
            let piece = self.board.at(from);
            let range = self.position.table.slides[piece.code()][(direction + 4) & 7];
            if piece.side() == side && u32::from(range) > place {
                let worth = worth_in_exchange(self.position, self.values, piece);
                if best.is_none_or(|(least, ..)| worth < least) {
                    best = Some((worth, from, None));
                }
            }
        }
        if !self.programs[side.index()].found {
            self.find_programs(side);
        }
        let programs = &self.programs[side.index()];
        for (index, &(worth, from)) in programs.list[..programs.count].iter().enumerate() {
            if best.is_none_or(|(least, ..)| worth < least) {
                best = Some((worth, from, Some(index)));
            }
        }
        let (worth, from, index) = best?;
        if let Some(index) = index {
            let programs = &mut self.programs[side.index()];
            programs.count -= 1;
            programs.list[index] = programs.list[programs.count];
        }
        self.leave(from);
        Some(worth)
    }

    fn find_programs(&mut self, side: Side) {
        let mut list = [(0, self.target); MOST];
        let mut count = 0;
        Attack::new(self.position, side).visit_programs(self.target, |from, piece| {
            if !self.is_gone(from) {
                list[count] = (worth_in_exchange(self.position, self.values, piece), from);
                count += 1;
            }
            count < MOST
        });
        self.programs[side.index()] = Programs { found: true, count, list };
    }
}
