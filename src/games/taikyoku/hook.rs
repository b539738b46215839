//! Hook moves: a slide, one turn by 90 degrees on an empty square, another slide.
//!
//! Many routes lead to one square. We therefore collect the targets as line masks in the two families of lines that the legs run
//! along, and list each square once: first all masks of the second legs that start from the lines of family 0, then those
//! squares of the other family that the first have not covered.

use super::board::bits;
use super::compile::Program;
use super::lines::{FIRST_LINE, LINES, Lines, line_of, origin, square_on};
use super::movegen::Generator;
use super::piece::{Move, Piece};
use super::sink::Sink;
use super::square::{SIZE, Square};

/// Lines of a family at most.
const MOST: usize = 2 * SIZE - 1;
/// The directions along each family of lines, towards higher bits and towards lower ones.
const DIRECTIONS: [[usize; 2]; 4] = [[2, 6], [4, 0], [1, 5], [3, 7]];

/// Targets on the lines of two families that cross at right angles: rows and columns, or the two kinds of diagonals.
struct Crossing {
    masks: [[u64; MOST]; 2],
    /// The lines that have targets.
    used: [u128; 2],
}

impl Crossing {
    #[inline(always)]
    fn add(&mut self, which: usize, line: usize, targets: u64) {
        self.masks[which][line] |= targets;
        self.used[which] |= 1 << line;
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
        self.hook_along::<0, 1>(from, piece, program);
        self.hook_along::<2, 3>(from, piece, program);
    }

    /// The hook moves along two families of lines.
    #[inline(always)]
    fn hook_along<const FIRST: usize, const SECOND: usize>(
        &mut self,
        from: Square,
        piece: Piece,
        program: &Program,
    ) {
        let legs = [self.legs::<FIRST>(from, program), self.legs::<SECOND>(from, program)];
        if legs.iter().any(|&(corners, ends)| corners | ends != 0) {
            self.crossing::<FIRST, SECOND>(from, piece, legs);
        }
    }

    /// The squares of a line of the piece where it may turn, and those where it has to end.
    #[inline(always)]
    fn legs<const FAMILY: usize>(&self, from: Square, program: &Program) -> (u64, u64) {
        let [rising, falling] = DIRECTIONS[FAMILY];
        let slides = [program.hook_slides[rising], program.hook_slides[falling]];
        if slides[0] | slides[1] == 0 {
            return (0, 0);
        }
        let (line, bit) = line_of(from.row(), from.column(), FAMILY);
        let reached = span(self.own, self.enemy, line, bit);
        let above = reached & (slides[0] << bit << 1);
        let below = reached & (slides[1].reverse_bits() >> 1 >> (63 - bit));
        let turns = |direction: usize| 0u64.wrapping_sub(u64::from(program.hooks >> direction & 1));
        let corners = (above & turns(rising) | below & turns(falling)) & !self.enemy[line];
        (corners, (above | below) & !corners)
    }

    #[inline(never)]
    fn crossing<const FIRST: usize, const SECOND: usize>(
        &mut self,
        from: Square,
        piece: Piece,
        legs: [(u64, u64); 2],
    ) {
        let mut crossing = Crossing { masks: [[0; MOST]; 2], used: [0; 2] };
        self.collect::<FIRST, SECOND>(from, 0, legs[0], &mut crossing);
        self.collect::<SECOND, FIRST>(from, 1, legs[1], &mut crossing);
        let mut lines = crossing.used[0];
        while lines != 0 {
            let line = lines.trailing_zeros() as usize;
            lines &= lines - 1;
            self.emit_crossing_line::<FIRST>(from, piece, line, crossing.masks[0][line]);
        }
        let mut lines = crossing.used[1];
        while lines != 0 {
            let line = lines.trailing_zeros() as usize;
            lines &= lines - 1;
            let targets = crossing.masks[1][line];
            let mut rest = targets;
            for bit in bits(targets) {
                // The line of the first family through the same square, and the bit there.
                let (other, place) = match SECOND {
                    1 => (bit, line),
                    _ => (2 * bit + SIZE - 1 - line, bit),
                };
                rest ^= (crossing.masks[0][other] >> place & 1) << bit;
            }
            self.emit_crossing_line::<SECOND>(from, piece, line, rest);
        }
    }

    /// Adds what a piece reaches by first legs along one family and by second legs along the other.
    #[inline(always)]
    fn collect<const ALONG: usize, const ACROSS: usize>(
        &self,
        from: Square,
        which: usize,
        (corners, ends): (u64, u64),
        crossing: &mut Crossing,
    ) {
        let (line, _) = line_of(from.row(), from.column(), ALONG);
        if ends != 0 {
            crossing.add(which, line - FIRST_LINE[ALONG], ends);
        }
        for bit in bits(corners) {
            let corner = square_on(ALONG, line, bit as u32);
            let (line, bit) = line_of(corner.row(), corner.column(), ACROSS);
            let reached = span(self.own, self.enemy, line, bit);
            crossing.add(1 - which, line - FIRST_LINE[ACROSS], reached);
        }
    }

    #[inline(always)]
    fn emit_crossing_line<const FAMILY: usize>(
        &mut self,
        from: Square,
        piece: Piece,
        line: usize,
        targets: u64,
    ) {
        let (start, _) = origin(FAMILY, line);
        let first = Move::new(from, Square::from_slot(0)).shifted(start as u32);
        let line = (line + FIRST_LINE[FAMILY]) & (LINES - 1);
        let enemy = self.enemy[line];
        self.emit_set(first, piece, FAMILY, line, targets & !enemy, targets & enemy);
    }
}
