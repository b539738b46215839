//! The leaves of the last two plies of perft: how many answers there are to each of a list of moves.
//!
//! Of the answers on the board before a move, all stay but those of pieces whose lines the move touched. So all answers are
//! counted once, and for each move only what it touches is counted again.

use super::counts::{Counts, Programs, Touched};
use crate::games::taikyoku::movegen::{self, Counting};
use crate::games::taikyoku::piece::Move;
use crate::games::taikyoku::position::Position;

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
    counts: Counts,
    touched: Touched,
}

impl Answers {
    /// `None` if there are too many pieces with programs.
    fn new(position: &Position) -> Option<Self> {
        let counts = Counts::new(position, !position.side_to_move())?;
        Some(Self { counts, touched: Touched::new() })
    }

    /// The answers after a move.
    fn count(&mut self, position: &mut Position, mv: Move) -> u64 {
        let Self { counts, touched } = self;
        let side = !position.side_to_move();
        let (mut left, mut programs, mut gone) =
            (counts.total(), Programs::default(), Programs::default());
        let ends = [mv.from(), mv.to()];
        for square in position.captures(mv).map(|(square, _)| square).chain(ends) {
            programs.add(counts.dependents(square));
            touched.add(position, square, Some(side));
        }
        for (square, piece) in position.captures(mv) {
            if piece.side() == side {
                // Its rays go; those found are not to be counted again.
                left -= u64::from(counts.rays_of(square));
                touched.skip(square);
                gone.add(counts.program_of(position, square));
            }
        }
        programs.add(gone);
        left -= programs.numbers().map(|program| u64::from(counts.moves_of(program))).sum::<u64>();
        after(position, mv, |position| {
            let counting = Counting::new(position, side);
            let mut left = left;
            for ray in touched.take() {
                left += counting.ray(ray.from, ray.direction);
                left -= u64::from(counts.ray(ray));
            }
            for program in programs.without(gone).numbers() {
                left += counting.special(counts.square_of(program));
            }
            if position.is_over() { 0 } else { left }
        })
    }
}
