//! Hook moves: a slide, one turn by 90 degrees on an empty square, another slide.
//!
//! Many routes lead to one square. We therefore collect the targets as line masks in the two families of lines that the legs run
//! along, and list each square once: first all masks of the second legs that start from the lines of family 0, then those
//! squares of the other family that the first have not covered.

use super::board::bits;
use super::compile::Program;
use super::lines::{Lines, line_of, relative};
use super::movegen::{Generator, Sink, Takes};
use super::piece::{Move, Piece};
use super::square::{SIZE, SLOT_STEPS, Square};

/// The first stored line of each family, and how many there are.
const FIRST_LINE: [usize; 4] = [1, 38, 74, 145];

/// Targets on the lines of two families that cross at right angles: rows and columns, or the two kinds of diagonals.
struct Crossing {
    families: [usize; 2],
    masks: [[u64; 2 * SIZE - 1]; 2],
}

impl Crossing {
    fn add(&mut self, which: usize, square: Square) {
        let (line, bit) = line_of(square.row(), square.column(), self.families[which]);
        self.masks[which][line - FIRST_LINE[self.families[which]]] |= 1 << bit;
    }

    fn square(&self, which: usize, line: usize, bit: usize) -> Square {
        let (row, column) = match self.families[which] {
            0 => (line, bit),
            1 => (bit, line),
            2 => (line - bit, bit),
            _ => (bit + SIZE - 1 - line, bit),
        };
        Square::from_slot((row << 6 | column) as u32)
    }

    fn contains(&self, which: usize, square: Square) -> bool {
        let (line, bit) = line_of(square.row(), square.column(), self.families[which]);
        self.masks[which][line - FIRST_LINE[self.families[which]]] >> bit & 1 != 0
    }
}

/// The squares of a line that slides both ways from a square reach, and the square itself.
#[inline(always)]
fn span(own: &Lines, enemy: &Lines, line: usize, bit: u32) -> u64 {
    let all = own[line] | enemy[line];
    let up = (all >> (bit + 1)).trailing_zeros();
    let down = ((all << 1 | 1) << (63 - bit)).leading_zeros();
    // The blockers on both sides count as reached unless they are own pieces or the edge.
    let reached = ((1u64 << (up + down + 3)) - 1) << (bit - down) >> 1;
    reached & !own[line] | 1 << bit
}

impl<S: Sink, const WANT: u8> Generator<'_, S, WANT> {
    /// All hook moves of a piece, with its plain slides.
    pub(crate) fn hook(&mut self, from: Square, piece: Piece, program: &Program) {
        // Directions 0, 2, 4, 6 run along columns and rows, 1, 3, 5, 7 along diagonals.
        for families in [[0, 1], [2, 3]] {
            let mut crossing = Crossing { families, masks: [[0; 2 * SIZE - 1]; 2] };
            let mut any = false;
            for direction in (0..8).filter(|direction| direction & 1 == families[0] >> 1) {
                let slide = program.hook_slides[direction];
                if slide == 0 {
                    continue;
                }
                any = true;
                // Rows carry directions 2 and 6, diagonals 1 and 5.
                let along = usize::from(!matches!(direction, 1 | 2 | 5 | 6));
                let across = 1 - along;
                let view = relative(self.own, self.enemy, from, direction);
                let leg = program.hooks & 1 << direction != 0;
                for n in bits(view.slide() & slide) {
                    let slot = from.slot() as i32 + SLOT_STEPS[direction] * (n as i32 + 1);
                    let square = Square::from_slot(slot as u32);
                    if leg && view.free >> n & 1 != 0 {
                        let family = families[across];
                        let (line, bit) = line_of(square.row(), square.column(), family);
                        crossing.masks[across][line - FIRST_LINE[family]] |=
                            span(self.own, self.enemy, line, bit);
                    } else {
                        crossing.add(along, square);
                    }
                }
            }
            if any {
                self.emit_crossing(from, piece, &crossing);
            }
        }
    }

    fn emit_crossing(&mut self, from: Square, piece: Piece, crossing: &Crossing) {
        for which in 0..2 {
            for (line, &mask) in crossing.masks[which].iter().enumerate() {
                for bit in bits(mask) {
                    let to = crossing.square(which, line, bit);
                    if which == 1 && crossing.contains(0, to) {
                        continue;
                    }
                    let takes = Takes::if_so(self.board.at(to).is_some());
                    self.emit(Move::new(from, to), piece, takes);
                }
            }
        }
    }
}
