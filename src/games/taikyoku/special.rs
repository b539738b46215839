//! The moves of pieces with a program: leaps, over-slides, range captures, hooks, lion moves and igui.

use super::board::bits;
use super::compile::{LineMoves, Program, lane};
use super::lines::{Along, low_bits, on_board, relative};
use super::movegen::{Generator, Takes, line_origin, wall};
use super::near;
use super::piece::{Move, Piece};
use super::ruleset::Promotion;
use super::sink::Sink;
use super::square::{SIZE, SLOT_STEPS, STEPS, Square, ZONE_RANKS};
use crate::game::Side;

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
    /// All moves of the programs of all pieces.
    pub(crate) fn special_pieces(&mut self) {
        let side = self.side.index();
        for row in bits(self.board.special_rows[side]) {
            let specials = self.board.lanes[side][row][lane::SPECIAL];
            let full = near::full_columns(self.own, row);
            for column in bits(specials) {
                let from = Square::from_slot((row << 6 | column) as u32);
                let open = match near::is_full(full, column) {
                    true => near::FAR,
                    false => near::open(self.own, from),
                };
                self.special_among(from, self.board.at(from), open);
            }
        }
    }

    /// All moves of the program of a piece.
    #[inline(always)]
    pub(crate) fn special(&mut self, from: Square, piece: Piece) {
        self.special_among(from, piece, near::open(self.own, from));
    }

    /// All moves of the program of a piece, if some of the squares around it that own pieces do not hold allow any.
    #[inline(always)]
    fn special_among(&mut self, from: Square, piece: Piece, open: u64) {
        if open & self.table.near[piece.code()] != 0 {
            self.program(from, piece, open);
        }
    }

    /// All moves of the program of a piece, with the squares around it that own pieces do not hold.
    #[inline(never)]
    fn program(&mut self, from: Square, piece: Piece, open: u64) {
        let table = self.table;
        let program = &table.programs[self.side.index()][piece.kind().index()];
        for line in &program.lines[..program.long_lines] {
            if open & line.near != 0 {
                match line.direction {
                    0 => self.line_moves::<0>(from, piece, program, line),
                    1 => self.line_moves::<1>(from, piece, program, line),
                    2 => self.line_moves::<2>(from, piece, program, line),
                    3 => self.line_moves::<3>(from, piece, program, line),
                    4 => self.line_moves::<4>(from, piece, program, line),
                    5 => self.line_moves::<5>(from, piece, program, line),
                    6 => self.line_moves::<6>(from, piece, program, line),
                    _ => self.line_moves::<7>(from, piece, program, line),
                }
            }
        }
        self.leaps(from, piece, program, open);
        for &direction in &program.ranges {
            match direction {
                0 => self.range_capture::<0>(from, piece, program.rank),
                1 => self.range_capture::<1>(from, piece, program.rank),
                2 => self.range_capture::<2>(from, piece, program.rank),
                3 => self.range_capture::<3>(from, piece, program.rank),
                4 => self.range_capture::<4>(from, piece, program.rank),
                5 => self.range_capture::<5>(from, piece, program.rank),
                6 => self.range_capture::<6>(from, piece, program.rank),
                _ => self.range_capture::<7>(from, piece, program.rank),
            }
        }
        if program.hooks != 0 {
            self.hook(from, piece, program);
        }
        if program.igui != 0 || program.pass {
            self.adjacent_moves(from, piece, program, open);
        }
    }

    /// Leaps that end the move.
    #[inline(always)]
    fn leaps(&mut self, from: Square, piece: Piece, program: &Program, open: u64) {
        for bit in bits(program.leaps & open) {
            let mv = Move::new(from, from).shifted(near::slots(bit));
            self.emit(mv, piece, Takes::if_so(self.board.at(mv.to()).is_some()));
        }
        for &(rows, columns) in &program.far_leaps {
            if let Some(to) = offset(from, rows, columns)
                && !self.is_own(to)
            {
                self.emit(Move::new(from, to), piece, Takes::if_so(self.is_enemy(to)));
            }
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
    fn line_moves<const DIRECTION: usize>(
        &mut self,
        from: Square,
        piece: Piece,
        program: &Program,
        line: &LineMoves,
    ) {
        let view = relative(self.own, self.enemy, from, DIRECTION);
        let mut targets = line.targets(view);
        let first = first_move(from, DIRECTION);
        if program.leaps_sweep {
            let swept = targets & !low_bits((!view.free).trailing_zeros() + 1);
            self.emit_line(first.sweeping(), piece, DIRECTION, 0, swept);
            targets &= !swept;
        }
        if targets != 0 {
            self.emit_line(first, piece, DIRECTION, targets & view.free, targets & view.enemy);
        }
    }

    /// Flies over pieces of lower rank, of both sides, and removes them.
    #[inline(never)]
    fn range_capture<const DIRECTION: usize>(&mut self, from: Square, piece: Piece, rank: u8) {
        let along = Along::new(from, DIRECTION);
        let (own, enemy) = (self.own[along.line], self.enemy[along.line]);
        let wall = wall(self.board, self.table, &along, rank);
        let targets = if self.table.ends_on_any_enemy() {
            !own & (along.before(wall) | wall)
        } else {
            on_board(along.line) & along.before(wall)
        };
        let blocker = along.first(own | enemy);
        let (quiet, nearest) = (targets & along.before(blocker), targets & blocker);
        let sweeping = targets & !(quiet | nearest);
        let stay = Move::new(from, from);
        let origin = line_origin(stay, &along);
        if quiet | nearest != 0 {
            self.emit_set(origin, piece, along.family, along.line, quiet, nearest);
        }
        if sweeping != 0 {
            let origin = line_origin(stay.sweeping(), &along);
            self.emit_set(origin, piece, along.family, along.line, 0, sweeping);
        }
    }

    /// Second steps after a first capture, capture without moving, and passes.
    fn adjacent_moves(&mut self, from: Square, piece: Piece, program: &Program, open: u64) {
        let can_promote = self.table.promotion[piece.code()].is_some();
        // Only where promotion is mandatory does a first step into the zone count.
        let touches = can_promote && self.table.reading.promotion == Promotion::Mandatory;
        let stay = Move::new(from, from);
        let (mut inside, mut outside) = (false, false);
        for direction in 0..8 {
            if open & near::ADJACENT[direction] == 0 {
                continue;
            }
            let adjacent = first_move(from, direction).to();
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
        let leaves_zone = (ZONE_RANKS - 2..=ZONE_RANKS).contains(&self.rank_of(from));
        if touches && program.double_step && leaves_zone {
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

    /// The row of a square, counted from the far end of the board.
    #[inline(always)]
    fn rank_of(&self, square: Square) -> usize {
        match self.side {
            Side::First => square.row(),
            Side::Second => SIZE - 1 - square.row(),
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
