//! The moves of pieces with a program: leaps, over-slides, range captures, hooks, lion moves and igui.

use super::compile::{LineMoves, Program};
use super::lines::{is_adjacent_open, low_bits, open_star, relative};
use super::movegen::{Generator, Takes, wall};
use super::piece::{Move, Piece};
use super::ruleset::Promotion;
use super::sink::Sink;
use super::square::{SIZE, SLOT_STEPS, STEPS, Square};

/// A step from a square, `None` off the board.
#[inline(always)]
pub(crate) fn step(from: Square, direction: usize) -> Option<Square> {
    let (rows, columns) = STEPS[direction];
    offset(from, rows, columns)
}

#[inline(always)]
fn offset(from: Square, rows: i32, columns: i32) -> Option<Square> {
    Square::checked(from.row() as i32 + rows, from.column() as i32 + columns)
}

/// The move to the adjacent square in a direction, which may lie off the board.
#[inline(always)]
fn first_move(from: Square, direction: usize) -> Move {
    Move::new(from, from).shifted(SLOT_STEPS[direction] as u32)
}

/// Squares from a square to the edge in a direction.
#[inline(always)]
pub(crate) fn edge_distance(from: Square, direction: usize) -> u32 {
    let along = |place: usize, step: i32| match step {
        0 => SIZE,
        1 => SIZE - 1 - place,
        _ => place,
    };
    let (rows, columns) = STEPS[direction];
    along(from.row(), rows).min(along(from.column(), columns)) as u32
}

impl<S: Sink, const WANT: u8> Generator<'_, S, WANT> {
    /// All moves of the program of a piece.
    pub(crate) fn special(&mut self, from: Square, piece: Piece) {
        let table = self.table;
        let program = &table.programs[self.side.index()][piece.kind().index()];
        let star = open_star(self.own, from);
        for line in &program.lines {
            if star[line.direction & 7] & line.quick != 0 {
                self.line_moves(from, piece, program, line);
            }
        }
        for &(rows, columns) in &program.oblique {
            if let Some(to) = offset(from, rows, columns)
                && !self.is_own(to)
            {
                self.emit(Move::new(from, to), piece, Takes::if_so(self.is_enemy(to)));
            }
        }
        for &direction in &program.ranges {
            self.range_capture(from, piece, program.rank, direction);
        }
        if program.hooks != 0 {
            self.hook(from, piece, program);
        }
        if program.igui != 0 || program.pass {
            self.adjacent_moves(from, piece, program, &star);
        }
    }

    #[inline(always)]
    pub(crate) fn is_enemy(&self, square: Square) -> bool {
        let piece = self.board.at(square);
        piece.is_some() && piece.side() != self.side
    }

    #[inline(always)]
    pub(crate) fn is_own(&self, square: Square) -> bool {
        let piece = self.board.at(square);
        piece.is_some() && piece.side() == self.side
    }

    /// Everything along one line that ends the move on its target and takes nothing else (but for leaps that sweep).
    #[inline(never)]
    fn line_moves(&mut self, from: Square, piece: Piece, program: &Program, line: &LineMoves) {
        let view = relative(self.own, self.enemy, from, line.direction);
        let mut targets = line.targets(view);
        let first = first_move(from, line.direction);
        if program.leaps_sweep {
            let swept = targets & !low_bits((!view.free).trailing_zeros() + 1);
            self.emit_line(first.sweeping(), piece, line.direction, 0, swept);
            targets &= !swept;
        }
        let (quiet, takes) = (targets & view.free, targets & view.enemy);
        if quiet != 0 {
            self.emit_line(first, piece, line.direction, quiet, 0);
        }
        if takes != 0 {
            self.emit_line(first, piece, line.direction, 0, takes);
        }
    }

    /// Flies over pieces of lower rank, of both sides, and removes them.
    fn range_capture(&mut self, from: Square, piece: Piece, rank: u8, direction: usize) {
        let view = relative(self.own, self.enemy, from, direction);
        let wall = wall(self.board, self.table, from, rank, direction);
        let targets = if self.table.ends_on_any_enemy() {
            view.open() & low_bits(wall + 1)
        } else {
            low_bits(edge_distance(from, direction)) & low_bits(wall)
        };
        let blocker = (!view.free).trailing_zeros();
        let first = first_move(from, direction);
        let quiet = targets & low_bits(blocker);
        let nearest = targets & 1 << blocker;
        self.emit_line(first, piece, direction, quiet, nearest);
        let beyond = targets & !quiet & !nearest;
        if beyond != 0 {
            self.emit_line(first.sweeping(), piece, direction, 0, beyond);
        }
    }

    /// Second steps after a first capture, capture without moving, and passes.
    fn adjacent_moves(&mut self, from: Square, piece: Piece, program: &Program, star: &[u64; 8]) {
        let can_promote = self.table.promotion[piece.code()].is_some();
        // Only where promotion is mandatory does a first step into the zone count.
        let touches = can_promote && self.table.reading.promotion == Promotion::Mandatory;
        let stay = Move::new(from, from);
        let (mut inside, mut outside) = (false, false);
        for direction in 0..8 {
            if !is_adjacent_open(star, direction) {
                continue;
            }
            let Some(adjacent) = step(from, direction) else { continue };
            let touched = touches && adjacent.in_zone(self.side);
            if !self.board.at(adjacent).is_some() {
                if touched {
                    inside = true;
                } else {
                    outside = true;
                }
                continue;
            }
            if program.igui & 1 << direction != 0 {
                self.two_steps(stay.via(direction), piece, touched);
            }
            if program.double_step {
                for second in 0..8 {
                    if let Some(to) = step(adjacent, second)
                        && to != from
                        && !self.is_own(to)
                    {
                        self.two_steps(Move::new(from, to).via(direction), piece, touched);
                    }
                }
            }
        }
        if touches && program.double_step {
            self.steps_through_zone(from);
        }
        if program.pass && (inside || outside) {
            if touches && from.in_zone(self.side) {
                self.emit_in_zone(stay, piece, Takes::Nothing);
            } else {
                if outside {
                    self.emit_plain(stay, Takes::Nothing);
                }
                if inside {
                    self.emit_in_zone(stay, piece, Takes::Nothing);
                }
            }
        }
    }

    fn two_steps(&mut self, mv: Move, piece: Piece, touched: bool) {
        if touched {
            self.emit_in_zone(mv, piece, Takes::Something);
        } else {
            self.emit(mv, piece, Takes::Something);
        }
    }

    /// Moves to squares outside the zone that promote because they step on an empty square of the zone on their way.
    fn steps_through_zone(&mut self, from: Square) {
        let in_reach = |a: Square, b: Square| {
            a.row().abs_diff(b.row()) <= 1 && a.column().abs_diff(b.column()) <= 1
        };
        for rows in -2..=2 {
            for columns in -2..=2 {
                let Some(to) = offset(from, rows, columns) else { continue };
                if to == from || to.in_zone(self.side) || self.is_own(to) {
                    continue;
                }
                let through = (0..8).filter_map(|direction| step(from, direction)).any(|square| {
                    square != to
                        && square.in_zone(self.side)
                        && !self.board.at(square).is_some()
                        && in_reach(square, to)
                });
                if through {
                    self.emit_promotion(Move::new(from, to));
                }
            }
        }
    }
}
