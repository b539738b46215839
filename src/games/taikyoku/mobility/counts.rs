//! How many moves each piece of a side has, ray by ray and program by program, and what these numbers depend on.
//!
//! - From a square that changes, a look along its eight lines finds the rays that end there or pass: those that a rook or
//!   bishop on it would see. Only they have to be counted again.
//! - For each square of the board we keep the set of programs that depend on it. A program whose squares hold what they held
//!   before has the same moves.
//!
//! A range capture changes many squares, but still far fewer than the board has.

use super::region::Region;
use crate::game::Side;
use crate::games::taikyoku::board::bits;
use crate::games::taikyoku::compile::lane;
use crate::games::taikyoku::lines::free_star;
use crate::games::taikyoku::movegen::Counting;
use crate::games::taikyoku::piece::Piece;
use crate::games::taikyoku::position::Position;
use crate::games::taikyoku::square::{SIZE, SLOTS, Square};

/// Programs that are told apart; a set of them is one number.
const MOST: usize = 128;

/// A piece with a program.
#[derive(Clone)]
struct Entry {
    square: Square,
    moves: u32,
    region: Region,
}

/// The moves of one side, whether it is its turn or not.
#[derive(Clone)]
pub(super) struct Counts {
    side: Side,
    total: u64,
    /// Moves of plain rays by square and direction.
    rays: Vec<[u8; 8]>,
    /// Moves of the plain rays of each row.
    row_rays: [u32; SIZE],
    /// The pieces with a program, by number.
    programs: Vec<Entry>,
    /// Moves of the programs of each row.
    row_programs: [u32; SIZE],
    /// The numbers of programs that are not in use.
    unused: u128,
    /// The number of the program of a piece that has one, by square.
    numbers: Vec<u8>,
    /// The programs that depend on what a square holds, one bit each.
    dependents: Vec<u128>,
}

impl Counts {
    /// Counts everything. `None` if there are too many pieces with programs.
    pub(super) fn new(position: &Position, side: Side) -> Option<Self> {
        let board = &*position.board;
        let mut counts = Self {
            side,
            total: 0,
            rays: vec![[0; 8]; SLOTS],
            row_rays: [0; SIZE],
            programs: Vec::new(),
            row_programs: [0; SIZE],
            unused: u128::MAX,
            numbers: vec![0; SLOTS],
            dependents: vec![0; SLOTS],
        };
        board.squares(side).all(|square| counts.add(position, square)).then_some(counts)
    }

    /// The moves of the side, should it not have lost.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// The moves of a ray.
    pub(super) fn ray(&self, ray: Ray) -> u32 {
        u32::from(self.rays[ray.from.slot()][ray.direction])
    }

    /// The moves of all plain rays of a square together.
    pub(super) fn rays_of(&self, square: Square) -> u32 {
        self.rays[square.slot()].iter().copied().map(u32::from).sum()
    }

    /// The programs that depend on what a square holds.
    pub(super) fn dependents(&self, square: Square) -> Programs {
        Programs(self.dependents[square.slot()])
    }

    /// The program of the piece of the side on a square, if it has one.
    pub(super) fn program_of(&self, position: &Position, square: Square) -> Programs {
        let piece = position.board.at(square);
        Programs(if has_program(position, piece) { 1 << self.numbers[square.slot()] } else { 0 })
    }

    /// Where the piece of a program stands.
    pub(super) fn square_of(&self, program: usize) -> Square {
        self.programs[program].square
    }

    /// The moves of a program.
    pub(super) fn moves_of(&self, program: usize) -> u32 {
        self.programs[program].moves
    }

    /// Counts the piece of the side on a square, which was not counted; whether there was a number left for its program.
    pub(super) fn add(&mut self, position: &Position, square: Square) -> bool {
        let counting = Counting::new(position, self.side);
        let piece = position.board.at(square);
        let slides = &position.table.slides[piece.code()];
        let rays = &mut self.rays[square.slot()];
        for (direction, &slide) in slides.iter().enumerate() {
            rays[direction] = if slide == 0 { 0 } else { counting.ray(square, direction) as u8 };
        }
        let sum = rays.iter().copied().map(u32::from).sum::<u32>();
        self.row_rays[square.row()] += sum;
        self.total += u64::from(sum);
        if !has_program(position, piece) {
            return true;
        }
        if self.unused == 0 {
            return false;
        }
        let program = self.unused.trailing_zeros() as usize;
        self.unused &= self.unused - 1;
        self.numbers[square.slot()] = program as u8;
        let entry = Entry { square, moves: 0, region: Region::EMPTY };
        match self.programs.get_mut(program) {
            Some(place) => *place = entry,
            None => self.programs.push(entry),
        }
        self.recount_program(position, program);
        true
    }

    /// Forgets the piece of the side on a square, which still stands there.
    pub(super) fn remove(&mut self, position: &Position, square: Square) {
        let sum = self.rays_of(square);
        self.rays[square.slot()] = [0; 8];
        self.row_rays[square.row()] -= sum;
        self.total -= u64::from(sum);
        for program in self.program_of(position, square).numbers() {
            self.set_program(program, 0, Region::EMPTY);
            self.unused |= 1 << program;
        }
    }

    /// Counts a ray again.
    pub(super) fn recount_ray(&mut self, position: &Position, ray: Ray) {
        let moves = Counting::new(position, self.side).ray(ray.from, ray.direction) as u8;
        let place = &mut self.rays[ray.from.slot()][ray.direction];
        let change = u32::from(moves).wrapping_sub(u32::from(*place));
        *place = moves;
        let row = &mut self.row_rays[ray.from.row()];
        *row = row.wrapping_add(change);
        self.total = self.total.wrapping_add_signed(i64::from(change as i32));
    }

    /// Counts a program again and finds out anew what it depends on.
    pub(super) fn recount_program(&mut self, position: &Position, program: usize) {
        let from = self.square_of(program);
        let moves = Counting::new(position, self.side).special(from) as u32;
        self.set_program(program, moves, Region::of(position, self.side, from));
    }

    fn set_program(&mut self, program: usize, moves: u32, region: Region) {
        let entry = &mut self.programs[program];
        let change = moves.wrapping_sub(entry.moves);
        let row = &mut self.row_programs[entry.square.row()];
        *row = row.wrapping_add(change);
        self.total = self.total.wrapping_add_signed(i64::from(change as i32));
        entry.moves = moves;
        let old = std::mem::replace(&mut entry.region, region);
        for square in old.difference(&entry.region) {
            self.dependents[square.slot()] ^= 1 << program;
        }
    }

    /// Where the move with a number is to be found. First come all rays, then all programs, row by row; of a row, the rays by
    /// direction, and of these, as of the programs, the pieces from left to right. It is not the order of the generator's lists.
    pub(super) fn find(&self, position: &Position, number: u64) -> Place {
        let mut left = number as u32;
        let mut take = |moves: u32| {
            let found = left < moves;
            left -= if found { 0 } else { moves };
            found
        };
        let squares = |row: usize, columns: u64| {
            bits(columns).map(move |column| Square::from_slot((row << 6 | column) as u32))
        };
        if let Some(row) = (0..SIZE).find(|&row| take(self.row_rays[row])) {
            let pieces = position.board.row(self.side, row);
            let mut sums = [0; 8];
            for from in squares(row, pieces) {
                for (sum, &moves) in sums.iter_mut().zip(&self.rays[from.slot()]) {
                    *sum += u32::from(moves);
                }
            }
            let direction = (0..8).find(|&direction| take(sums[direction]));
            let direction = direction.expect("a row has as many moves as its directions");
            let from = squares(row, pieces)
                .find(|&from| take(self.ray(Ray { from, direction })))
                .expect("a direction has as many moves as its rays");
            return Place::Ray(Ray { from, direction }, left);
        }
        let row = (0..SIZE).find(|&row| take(self.row_programs[row]));
        let row = row.expect("the number is below the total");
        let specials = position.board.lanes[self.side.index()][row][lane::SPECIAL];
        let from = squares(row, specials)
            .find(|&from| take(self.programs[usize::from(self.numbers[from.slot()])].moves))
            .expect("a row has as many moves as its programs");
        Place::Program(from, left)
    }
}

fn has_program(position: &Position, piece: Piece) -> bool {
    position.table.lanes[piece.code()] >> lane::SPECIAL & 1 != 0
}

/// Where a move is to be found: of a ray or of the program of a piece, and which of its moves.
pub(super) enum Place {
    Ray(Ray, u32),
    Program(Square, u32),
}

/// The steps and slides of a piece in one direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    pub(super) from: Square,
    pub(super) direction: usize,
}

/// A set of programs.
#[derive(Clone, Copy, Default)]
pub(super) struct Programs(u128);

impl Programs {
    pub(super) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) fn numbers(self) -> impl Iterator<Item = usize> {
        let mut set = self.0;
        std::iter::from_fn(move || {
            let program = set.trailing_zeros() as usize;
            set &= set.wrapping_sub(1);
            (program < MOST).then_some(program)
        })
    }
}

/// The rays that a move may lengthen or shorten.
#[derive(Clone)]
pub(super) struct Touched {
    /// The directions of a square's rays that were found.
    directions: Vec<u8>,
    found: Vec<Ray>,
}

impl Touched {
    pub(super) fn new() -> Self {
        Self { directions: vec![0; SLOTS], found: Vec::new() }
    }

    /// Adds the rays of pieces of either side, or of one, that end on a square or pass it.
    pub(super) fn add(&mut self, position: &Position, square: Square, of: Option<Side>) {
        let [first, second] = &position.board.lines;
        let star = free_star(first, second, square);
        for (backwards, place) in star.into_iter().enumerate() {
            let from = square.onward(backwards, place + 1);
            let (piece, direction) = (position.board.at(from), (backwards + 4) & 7);
            let directions = &mut self.directions[from.slot()];
            if of.is_none_or(|side| piece.side() == side)
                && u32::from(position.table.slides[piece.code()][direction]) > place
                && *directions >> direction & 1 == 0
            {
                *directions |= 1 << direction;
                self.found.push(Ray { from, direction });
            }
        }
    }

    /// Leaves the rays of a square out.
    pub(super) fn skip(&mut self, square: Square) {
        self.directions[square.slot()] = 0;
    }

    /// The rays, which are forgotten.
    pub(super) fn take(&mut self) -> impl Iterator<Item = Ray> {
        let directions = &mut self.directions;
        self.found.drain(..).filter(move |ray| {
            let place = &mut directions[ray.from.slot()];
            let touched = *place >> ray.direction & 1 != 0;
            *place &= !(1 << ray.direction);
            touched
        })
    }
}
