//! The leaves of the last two plies of perft: how many answers there are to each of a list of moves.
//!
//! Of the answers on the board before a move, all stay but those of pieces whose lines the move touched. So for the side that
//! answers we keep, while the moves are tried one by one:
//!
//! - the number of moves of every plain ray, by square and direction. From a square that changes, a look along its eight lines
//!   finds the rays that end there or pass: those that a rook or bishop on it would see. Only they are counted again.
//! - the number of moves of every program, and for each square of the board the set of programs that depend on it. A
//!   program whose squares hold what they held before has the same moves.
//!
//! A range capture changes many squares, but still far fewer than the board has.

use super::board::bits;
use super::compile::{Program, lane};
use super::lines::{free_star, low_bits, relative};
use super::movegen::{self, Counting};
use super::moveset::UNLIMITED;
use super::piece::Move;
use super::position::Position;
use super::special::edge_distance;
use super::square::{SLOT_STEPS, SLOTS, Square};
use crate::game::Side;

/// Programs that are told apart; a set of them is one number.
const MOST: usize = 128;
/// Fewer moves are counted one by one: looking at the whole board first would not pay.
const FEW: usize = 8;

/// The answers to all moves of a list together.
pub(crate) fn count_below(position: &mut Position, moves: &[Move]) -> u64 {
    let answers = (moves.len() >= FEW).then(|| Answers::new(position)).flatten();
    let Some(mut answers) = answers else {
        return moves.iter().map(|&mv| after(position, mv, movegen::count)).sum();
    };
    moves.iter().map(|&mv| answers.count(position, mv)).sum()
}

fn after(position: &mut Position, mv: Move, count: impl FnOnce(&Position) -> u64) -> u64 {
    position.make(mv);
    let count = count(position);
    position.unmake();
    count
}

/// The moves that the side which is not to move would have on the board as it stands.
struct Answers {
    side: Side,
    total: i64,
    /// Moves of plain rays by square and direction.
    rays: Vec<[u8; 8]>,
    /// The pieces with a program, and how many moves it has.
    programs: Vec<(Square, i64)>,
    /// The programs that depend on what a square holds, one bit each.
    dependents: Vec<u128>,
    /// The directions of a square's rays that were found to be touched by the move at hand.
    touched: Vec<u8>,
    found: Vec<(Square, usize)>,
}

impl Answers {
    /// `None` if there are too many pieces with programs.
    fn new(position: &Position) -> Option<Self> {
        let side = !position.side_to_move();
        let board = &*position.board;
        let squares: Vec<Square> = board.lane_squares(side, lane::SPECIAL).collect();
        if squares.len() > MOST {
            return None;
        }
        let mut answers = Self {
            side,
            total: 0,
            rays: vec![[0; 8]; SLOTS],
            programs: Vec::with_capacity(squares.len()),
            dependents: vec![0; SLOTS],
            touched: vec![0; SLOTS],
            found: Vec::new(),
        };
        let counting = Counting::new(position, side);
        for from in board.squares(side) {
            let rays = std::array::from_fn(|direction| counting.ray(from, direction) as u8);
            answers.total += rays.iter().copied().map(i64::from).sum::<i64>();
            answers.rays[from.slot()] = rays;
        }
        for (index, &from) in squares.iter().enumerate() {
            let moves = counting.special(from) as i64;
            answers.total += moves;
            answers.programs.push((from, moves));
            answers.depend(position, from, 1 << index);
        }
        Some(answers)
    }

    /// The answers after a move.
    fn count(&mut self, position: &mut Position, mv: Move) -> u64 {
        let (mut left, mut programs, mut gone) = (self.total, 0, 0);
        let ends = [mv.from(), mv.to()];
        for square in position.captures(mv).map(|(square, _)| square).chain(ends) {
            programs |= self.dependents[square.slot()];
            self.find_rays(position, square);
        }
        for (square, piece) in position.captures(mv) {
            if piece.side() != self.side {
                continue;
            }
            // Its rays go; those found are not to be counted again.
            let slot = square.slot();
            left -= self.rays[slot].iter().copied().map(i64::from).sum::<i64>();
            self.touched[slot] = 0;
            if position.table.lanes[piece.code()] >> lane::SPECIAL & 1 != 0 {
                let place = self.programs.binary_search_by_key(&square, |program| program.0);
                gone |= 1 << place.expect("a piece with a program is listed");
            }
        }
        for index in set_bits(programs | gone) {
            left -= self.programs[index].1;
        }
        position.make(mv);
        let counting = Counting::new(position, self.side);
        for (from, direction) in self.found.drain(..) {
            if self.touched[from.slot()] >> direction & 1 != 0 {
                left += counting.ray(from, direction) as i64;
                left -= i64::from(self.rays[from.slot()][direction]);
                self.touched[from.slot()] &= !(1 << direction);
            }
        }
        for index in set_bits(programs & !gone) {
            left += counting.special(self.programs[index].0) as i64;
        }
        let over = position.is_over();
        position.unmake();
        if over { 0 } else { left as u64 }
    }

    /// Finds the rays that end on a square or pass it.
    fn find_rays(&mut self, position: &Position, square: Square) {
        let [first, second] = &position.board.lines;
        let star = free_star(first, second, square);
        for (backwards, step) in SLOT_STEPS.into_iter().enumerate() {
            let place = star[backwards];
            let slot = square.slot() as i32 + step * (place as i32 + 1);
            // Beyond the edge no piece stands: neither on the spare places of a row nor where slots wrap around.
            let from = Square::from_slot(slot as u32 & (SLOTS as u32 - 1));
            let (piece, direction) = (position.board.at(from), (backwards + 4) & 7);
            if piece.side() == self.side
                && u32::from(position.table.slides[piece.code()][direction]) > place
                && self.touched[from.slot()] >> direction & 1 == 0
            {
                self.touched[from.slot()] |= 1 << direction;
                self.found.push((from, direction));
            }
        }
    }

    /// Notes all squares that decide what moves the program of a piece has.
    fn depend(&mut self, position: &Position, from: Square, program: u128) {
        let (board, table) = (&*position.board, position.table);
        let [own, enemy] = [self.side, !self.side].map(|side| &board.lines[side.index()]);
        let piece = board.at(from);
        let Program { lines, oblique, ranges, rank, hooks, hook_slides, igui, pass, .. } =
            &table.programs[self.side.index()][piece.kind().index()];
        self.dependents[from.slot()] |= program;
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
            let farthest = 64 - squares.leading_zeros();
            self.note(from, line.direction, low_bits(farthest), program);
        }
        for &(rows, columns) in oblique {
            let to = Square::checked(from.row() as i32 + rows, from.column() as i32 + columns);
            if let Some(to) = to {
                self.dependents[to.slot()] |= program;
            }
        }
        for &direction in ranges {
            let wall = movegen::wall(board, table, from, *rank, direction);
            self.note(from, direction, low_bits(wall + 1), program);
        }
        for (direction, &slide) in hook_slides.iter().enumerate() {
            let free = relative(own, enemy, from, direction).free;
            self.note(from, direction, up_to_blocker(free) & slide, program);
            if hooks >> direction & 1 == 0 {
                continue;
            }
            for n in bits(up_to_blocker(free) & free & slide) {
                let slot = from.slot() as i32 + SLOT_STEPS[direction] * (n as i32 + 1);
                let corner = Square::from_slot(slot as u32);
                for turn in [(direction + 2) & 7, (direction + 6) & 7] {
                    let free = relative(own, enemy, corner, turn).free;
                    self.note(corner, turn, up_to_blocker(free), program);
                }
            }
        }
        if *igui != 0 || *pass {
            for (rows, columns) in (-2..=2).flat_map(|row| (-2..=2).map(move |c| (row, c))) {
                let near =
                    Square::checked(from.row() as i32 + rows, from.column() as i32 + columns);
                if let Some(near) = near {
                    self.dependents[near.slot()] |= program;
                }
            }
        }
    }

    /// Notes squares of a relative line.
    fn note(&mut self, from: Square, direction: usize, squares: u64, program: u128) {
        for n in bits(squares & low_bits(edge_distance(from, direction))) {
            let slot = from.slot() as i32 + SLOT_STEPS[direction] * (n as i32 + 1);
            self.dependents[slot as usize] |= program;
        }
    }
}

/// The empty squares of a relative line before the first piece, and that piece's.
const fn up_to_blocker(free: u64) -> u64 {
    free ^ free.wrapping_add(1)
}

/// The numbers of the bits of a set of programs.
fn set_bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < MOST).then_some(bit)
    })
}
