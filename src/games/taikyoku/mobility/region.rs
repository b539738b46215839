//! The squares that decide which moves the program of a piece has: as long as they hold what they hold, it has the same.

use crate::game::Side;
use crate::games::taikyoku::board::bits;
use crate::games::taikyoku::compile::Program;
use crate::games::taikyoku::lines::{Along, low_bits, relative};
use crate::games::taikyoku::movegen;
use crate::games::taikyoku::moveset::UNLIMITED;
use crate::games::taikyoku::position::Position;
use crate::games::taikyoku::special::edge_distance;
use crate::games::taikyoku::square::{SIZE, SLOT_STEPS, Square};

/// A set of squares, one bit a column in each row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Region([u64; SIZE]);

impl Region {
    /// No square.
    pub(super) const EMPTY: Self = Self([0; SIZE]);

    /// The squares that decide about the moves of the program of the piece of a side on a square, its own among them.
    pub(super) fn of(position: &Position, side: Side, from: Square) -> Self {
        let mut region = Self::EMPTY;
        region.collect(position, side, from);
        region
    }

    /// The squares that are in one of two sets only.
    pub(super) fn difference<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = Square> + 'a {
        let rows = self.0.iter().zip(&other.0).enumerate();
        rows.flat_map(|(row, (one, other))| {
            bits(one ^ other).map(move |column| Square::from_slot((row << 6 | column) as u32))
        })
    }

    fn collect(&mut self, position: &Position, side: Side, from: Square) {
        let (board, table) = (&*position.board, position.table);
        let [own, enemy] = [side, !side].map(|side| &board.lines[side.index()]);
        let kind = board.at(from).kind();
        let program = &table.programs[side.index()][kind.index()];
        let Program { lines, oblique, ranges, rank, hooks, hook_slides, igui, pass, .. } = program;
        self.add(from);
        for line in lines {
            let free = relative(own, enemy, from, line.direction).free;
            let mut squares = up_to_blocker(free) & line.slide | line.leaps;
            for jump in &line.jumps {
                let beyond = up_to_blocker(free >> jump.distance) & jump.further;
                squares |= 1 << (jump.distance - 1) | beyond << jump.distance;
            }
            squares |= match line.over {
                Some(UNLIMITED) => u64::MAX,
                Some(pieces) => {
                    (0..pieces).fold(up_to_blocker(free), |seen, _| up_to_blocker(free | seen))
                }
                None => 0,
            };
            // Whether a leap sweeps anything depends on all that it passes.
            self.add_line(from, line.direction, 64 - squares.leading_zeros());
        }
        for &(rows, columns) in oblique {
            self.add_near(from, rows, columns);
        }
        for &direction in ranges {
            let along = Along::new(from, direction);
            let wall = movegen::wall(board, table, &along, *rank);
            self.add_line(from, direction, (along.before(wall) | wall).count_ones());
        }
        for (direction, &slide) in hook_slides.iter().enumerate() {
            let free = relative(own, enemy, from, direction).free;
            self.add_line(from, direction, (up_to_blocker(free) & slide).count_ones());
            if hooks >> direction & 1 == 0 {
                continue;
            }
            for n in 1..=free.trailing_ones() as i32 {
                let corner = from.slot() as i32 + SLOT_STEPS[direction] * n;
                let corner = Square::from_slot(corner as u32);
                for turn in [(direction + 2) & 7, (direction + 6) & 7] {
                    let free = relative(own, enemy, corner, turn).free;
                    self.add_line(corner, turn, free.trailing_ones() + 1);
                }
            }
        }
        if *igui != 0 || *pass {
            for (rows, columns) in (-2..=2).flat_map(|row| (-2..=2).map(move |c| (row, c))) {
                self.add_near(from, rows, columns);
            }
        }
    }

    fn add(&mut self, square: Square) {
        self.0[square.row()] |= 1 << square.column();
    }

    fn add_near(&mut self, from: Square, rows: i32, columns: i32) {
        let near = Square::checked(from.row() as i32 + rows, from.column() as i32 + columns);
        if let Some(near) = near {
            self.add(near);
        }
    }

    /// Adds the first squares of a line as far as the edge.
    fn add_line(&mut self, from: Square, direction: usize, count: u32) {
        let count = count.min(edge_distance(from, direction));
        let (row, column) = (from.row(), from.column());
        match direction {
            2 => self.0[row] |= low_bits(count) << column << 1,
            6 => self.0[row] |= low_bits(count) << (column as u32 - count),
            _ => {
                let mut slot = from.slot() as i32;
                for _ in 0..count {
                    slot += SLOT_STEPS[direction];
                    self.add(Square::from_slot(slot as u32));
                }
            }
        }
    }
}

/// The empty squares of a relative line before the first piece, and that piece's.
const fn up_to_blocker(free: u64) -> u64 {
    free ^ free.wrapping_add(1)
}
