//! How many moves each piece has, kept up to date instead of counted afresh: for the last two plies of perft, and for games of
//! random moves, which then need no list of moves to choose from.

mod counts;
mod leaves;
mod region;

pub(crate) use leaves::count_below;

use super::Taikyoku;
use super::movegen::{nth_of_program, nth_of_ray};
use super::piece::Move;
use super::position::Position;
use crate::game::{Side, play_from_lists};
use counts::{Counts, Place, Programs, Touched};

/// Plays random legal moves until there are none or so many plies are made, and returns their number. `below` chooses a number
/// below its argument, that of the move in the order of [`Counts::find`].
pub(crate) fn play_at_random(
    position: &mut Position,
    plies: usize,
    mut below: impl FnMut(usize) -> usize,
) -> usize {
    let mut made = 0;
    if let Some(mut mobility) = Mobility::new(position) {
        while made < plies {
            let count = mobility.count(position) as usize;
            if count == 0 {
                return made;
            }
            let mv = mobility.nth(position, below(count) as u64);
            made += 1;
            if !mobility.make(position, mv) {
                break;
            }
        }
    }
    made + play_from_lists::<Taikyoku>(position, plies - made, below)
}

/// The number of moves of every piece of both sides.
struct Mobility {
    sides: [Counts; 2],
    touched: Touched,
}

impl Mobility {
    /// `None` if a side has too many pieces with programs.
    fn new(position: &Position) -> Option<Self> {
        let [first, second] = Side::ALL.map(|side| Counts::new(position, side));
        Some(Self { sides: [first?, second?], touched: Touched::new() })
    }

    /// The number of legal moves.
    fn count(&self, position: &Position) -> u64 {
        match position.is_over() {
            true => 0,
            false => self.sides[position.side_to_move().index()].total(),
        }
    }

    /// The legal move with a number below [`Mobility::count`].
    fn nth(&self, position: &Position, number: u64) -> Move {
        match self.sides[position.side_to_move().index()].find(position, number) {
            Place::Ray(ray, left) => nth_of_ray(position, ray.from, ray.direction, left),
            Place::Program(from, left) => nth_of_program(position, from, left),
        }
    }

    /// Plays a legal move. Returns `false` if a side has too many pieces with programs now; the counts are then of no use.
    fn make(&mut self, position: &mut Position, mv: Move) -> bool {
        let Self { sides, touched } = self;
        let mut programs = [Programs::default(); 2];
        for square in
            [mv.from(), mv.to()].into_iter().chain(position.captures(mv).map(|(square, _)| square))
        {
            for side in Side::ALL {
                programs[side.index()].add(sides[side.index()].dependents(square));
            }
            touched.add(position, square, None);
        }
        let mover = position.board.at(mv.from());
        for (square, piece) in position.captures(mv).chain([(mv.from(), mover)]) {
            let counts = &mut sides[piece.side().index()];
            programs[piece.side().index()] =
                programs[piece.side().index()].without(counts.program_of(position, square));
            counts.remove(position, square);
            touched.skip(square);
        }
        position.make(mv);
        for ray in touched.take() {
            let side = position.board.at(ray.from).side();
            sides[side.index()].recount_ray(position, ray);
        }
        for (counts, programs) in sides.iter_mut().zip(programs) {
            for program in programs.numbers() {
                counts.recount_program(position, program);
            }
        }
        sides[mover.side().index()].add(position, mv.to())
    }
}
