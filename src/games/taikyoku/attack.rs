//! Which pieces could move to a square: the generator asked backwards.
//!
//! Plain steps and slides are found from the square itself, along its eight lines. Pieces with a program are asked one by one
//! whether their program reaches the square, with a glance at the geometry first.

use super::board::Board;
use super::compile::{Program, Table, lane};
use super::lines::{Lines, ROW_MASK, free_star, is_clear, low_bits, relative, relative_mask};
use super::piece::Piece;
use super::position::Position;
use super::special::edge_distance;
use super::square::Square;
use crate::game::Side;

impl Position {
    /// The pieces of a side that could capture on a square with their next move, by ending there or by capturing it first; not
    /// those that would only fly over it. The square is treated as held by the other side, whatever stands there.
    ///
    /// Costs about as much as generating the moves of a tenth of the pieces.
    pub fn attackers(&self, target: Square, side: Side) -> Vec<(Square, Piece)> {
        let mut attackers = Vec::new();
        Attack::new(self, side).visit(target, |square, piece| {
            attackers.push((square, piece));
            true
        });
        attackers
    }

    /// Whether a side could capture on a square with its next move, flying over it included.
    pub fn is_attacked(&self, target: Square, side: Side) -> bool {
        let attack = Attack::new(self, side);
        let mut found = false;
        attack.visit(target, |_, _| {
            found = true;
            false
        });
        found || attack.is_swept(target)
    }
}

/// The directions along rows and columns, one bit each.
const UPRIGHT: u8 = 0b0101_0101;
/// The diagonal directions.
const SLANTING: u8 = !UPRIGHT;

/// A side's attacks on the board as it stands.
pub(crate) struct Attack<'a> {
    board: &'a Board,
    table: &'static Table,
    side: Side,
    own: &'a Lines,
    enemy: &'a Lines,
}

impl<'a> Attack<'a> {
    pub(crate) fn new(position: &'a Position, side: Side) -> Self {
        let board = &*position.board;
        Self {
            board,
            table: position.table,
            side,
            own: &board.lines[side.index()],
            enemy: &board.lines[1 - side.index()],
        }
    }

    fn program(&self, piece: Piece) -> &'static Program {
        &self.table.programs[self.side.index()][piece.kind().index()]
    }

    /// Calls `found` for each attacker until it returns `false`.
    fn visit(&self, target: Square, mut found: impl FnMut(Square, Piece) -> bool) {
        let star = free_star(self.own, self.enemy, target);
        for (direction, place) in star.into_iter().enumerate() {
            // Seen from the target, the first piece on the line; it would come in the opposite direction.
            let from = target.onward(direction, place + 1);
            let piece = self.board.at(from);
            if piece.side() == self.side
                && u32::from(self.table.slides[piece.code()][(direction + 4) & 7]) > place
                && !found(from, piece)
            {
                return;
            }
        }
        self.visit_programs(target, &star, found);
    }

    /// Calls `found` for each attacker that attacks by its program until it returns `false`; `star` tells how many empty squares
    /// lie around the target.
    ///
    /// Only pieces whose geometry allows it are asked: on a line with the target, near it, or able to reach any square.
    pub(crate) fn visit_programs(
        &self,
        target: Square,
        star: &[u32; 8],
        mut found: impl FnMut(Square, Piece) -> bool,
    ) {
        for from in special_candidates(self.board, self.side, target) {
            let piece = self.board.at(from);
            if from != target
                && self.program_reaches(from, piece, target, star)
                && !found(from, piece)
            {
                return;
            }
        }
    }

    /// Whether the program of a piece reaches a square; `star` tells how many empty squares lie around that.
    fn program_reaches(&self, from: Square, piece: Piece, target: Square, star: &[u32; 8]) -> bool {
        let program = self.program(piece);
        let rows = target.row() as i32 - from.row() as i32;
        let columns = target.column() as i32 - from.column() as i32;
        if let Some((direction, distance)) = aligned(rows, columns) {
            if program.in_reach[direction] >> (distance - 1) & 1 == 0 {
                return program.hooks != 0 && self.hook_reaches(from, program, target, star);
            }
            if let Some(line) = program.lines.iter().find(|line| line.direction == direction) {
                let mut view = relative(self.own, self.enemy, from, direction);
                // The target counts as an enemy.
                view.free &= !(1 << (distance - 1));
                view.enemy |= 1 << (distance - 1);
                if line.targets(view) >> (distance - 1) & 1 != 0 {
                    return true;
                }
            }
            if program.ranges.contains(&direction)
                && self.flies_to(from, program.rank, direction, distance)
            {
                let lower = self.table.flies_over(program.rank, self.board.at(target));
                if self.table.ends_on_any_enemy() || lower {
                    return true;
                }
            }
            if distance == 1 && program.igui & 1 << direction != 0 {
                return true;
            }
        } else if program.oblique.contains(&(rows, columns)) {
            return true;
        }
        program.hooks != 0 && self.hook_reaches(from, program, target, star)
    }

    /// Whether a range capture gets over all pieces before the square at a distance.
    fn flies_to(&self, from: Square, rank: u8, direction: usize, distance: u32) -> bool {
        let mut ranked =
            relative_mask(&self.board.ranked, from, direction) & low_bits(distance - 1);
        while ranked != 0 {
            let place = ranked.trailing_zeros();
            ranked &= ranked - 1;
            if !self.table.flies_over(rank, self.board.at(from.onward(direction, place + 1))) {
                return false;
            }
        }
        true
    }

    /// Whether a hook mover gets to the target by its slides or by two legs at right angles.
    fn hook_reaches(
        &self,
        from: Square,
        program: &Program,
        target: Square,
        star: &[u32; 8],
    ) -> bool {
        let rows = target.row() as i32 - from.row() as i32;
        let columns = target.column() as i32 - from.column() as i32;
        if let Some((direction, distance)) = aligned(rows, columns)
            && star[(direction + 4) & 7] == distance - 1
            && program.hook_slides[direction] >> (distance - 1) & 1 != 0
        {
            return true;
        }
        // The way as two legs, upright or slanting.
        if program.hooks & UPRIGHT != 0
            && self.reaches_by_legs(from, program.hooks, [(4, rows), (2, columns)], star)
        {
            return true;
        }
        let (half, other) = ((rows + columns) / 2, (rows - columns) / 2);
        program.hooks & SLANTING != 0
            && (rows + columns) % 2 == 0
            && self.reaches_by_legs(from, program.hooks, [(3, half), (5, other)], star)
    }

    /// Whether one of two legs, each a direction and a number of squares that way, leads to a corner from where the other leads
    /// to the target, around which `star` tells of empty squares.
    #[inline(always)]
    fn reaches_by_legs(
        &self,
        from: Square,
        hooks: u8,
        legs: [(usize, i32); 2],
        star: &[u32; 8],
    ) -> bool {
        let [one, other] = legs.map(|(direction, squares)| {
            let direction = if squares < 0 { (direction + 4) & 7 } else { direction };
            (direction, squares.unsigned_abs())
        });
        if one.1 == 0 || other.1 == 0 {
            return false;
        }
        [(one, other), (other, one)].into_iter().any(|(first, second)| {
            // Most corners do not see the target, and those that do are on the board and empty.
            if star[(second.0 + 4) & 7] < second.1 || hooks >> first.0 & 1 == 0 {
                return false;
            }
            is_clear(self.own, self.enemy, from, from.onward(first.0, first.1), first.0)
        })
    }

    /// Whether a capture that ends elsewhere could take the square with it: a range capture or a leap that sweeps.
    fn is_swept(&self, target: Square) -> bool {
        self.board.special_squares(self.side, |_, lanes| lanes[lane::SPECIAL]).any(|from| {
            let program = self.program(self.board.at(from));
            if from == target || program.ranges.is_empty() {
                return false;
            }
            let Some((direction, distance)) = line_to(from, target) else { return false };
            if program.ranges.contains(&direction)
                && self.flies_to(from, program.rank, direction, distance)
                && self.table.flies_over(program.rank, self.board.at(target))
                && self.can_end_beyond(from, program.rank, direction, distance)
            {
                return true;
            }
            program.leaps_sweep
                && program.lines.iter().any(|line| {
                    let view = relative(self.own, self.enemy, from, direction);
                    line.direction == direction
                        && line.targets(view) & !low_bits(distance) != 0
                        && !view.free & low_bits(distance - 1) == 0
                })
        })
    }

    fn can_end_beyond(&self, from: Square, rank: u8, direction: usize, distance: u32) -> bool {
        let edge = edge_distance(from, direction);
        let view = relative(self.own, self.enemy, from, direction);
        for farther in distance + 1..=edge {
            if !self.flies_to(from, rank, direction, farther) {
                return false;
            }
            let lower = self.table.flies_over(rank, self.board.at(from.onward(direction, farther)));
            let open = view.open() >> (farther - 1) & 1 != 0;
            if if self.table.ends_on_any_enemy() { open } else { lower } {
                return true;
            }
        }
        false
    }
}

/// The direction and the distance from a square to another, if they share a line.
#[inline(always)]
pub(crate) fn line_to(from: Square, to: Square) -> Option<(usize, u32)> {
    let rows = to.row() as i32 - from.row() as i32;
    let columns = to.column() as i32 - from.column() as i32;
    aligned(rows, columns)
}

/// The direction and the distance to a square on a common line.
fn aligned(rows: i32, columns: i32) -> Option<(usize, u32)> {
    if (rows, columns) == (0, 0) || rows != 0 && columns != 0 && rows.abs() != columns.abs() {
        return None;
    }
    let direction = match (rows.signum(), columns.signum()) {
        (-1, 0) => 0,
        (-1, 1) => 1,
        (0, 1) => 2,
        (1, 1) => 3,
        (1, 0) => 4,
        (1, -1) => 5,
        (0, -1) => 6,
        _ => 7,
    };
    Some((direction, rows.abs().max(columns.abs()) as u32))
}

/// The pieces of a side with a program whose geometry allows them to reach a square, in reading order.
#[inline(always)]
pub(crate) fn special_candidates(
    board: &Board,
    side: Side,
    target: Square,
) -> impl Iterator<Item = Square> + '_ {
    let (target_row, target_column) = (target.row(), target.column() as u32);
    let column = 1u64 << target_column;
    board.special_squares(side, move |row, lanes| {
        let rows = row.abs_diff(target_row) as u32;
        let near = match rows {
            0 => ROW_MASK,
            1 | 2 => 0b11111 << target_column >> 2,
            _ => column | column << rows | column >> rows,
        };
        lanes[lane::SPECIAL] & near | lanes[lane::WIDE]
    })
}

/// Whether the side to move has one royal left that the other side could capture next.
pub(crate) fn in_check(position: &Position) -> bool {
    is_last_royal_attacked(position, position.side_to_move())
}

/// Whether a side has one royal left, and the other side's pieces attack it.
pub(crate) fn is_last_royal_attacked(position: &Position, side: Side) -> bool {
    if position.royal_count(side) != 1 {
        return false;
    }
    position.royals(side).any(|royal| position.is_attacked(royal, !side))
}
