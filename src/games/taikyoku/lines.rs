//! Line occupancies: every row, column and diagonal of the board as one `u64` per side.
//!
//! A line of the board fits in 36 bits. For each side we keep the occupancy of all four families of lines, so that the reach of
//! a slide is one shift and one count of zeros. Bits that lie off the board are set for *both* sides: the edge then stops a
//! slide as an own piece does, and no code ever tests for it. Full rows above and below the board do the same for steps.
//!
//! ```text
//! 0         full row above rank a     76..147    diagonals row + column (71), bit = column
//! 1..=36    rows, bit = column        147..218   diagonals column - row (71), bit = column
//! 37..=39   full rows below rank jj   40..76     columns, bit = row
//! ```
//!
//! A *relative* line is a line as seen from a square in one direction: bit 0 is the adjacent square, bit 1 the next, and bits
//! off the board are 0 in the masks of squares one may reach.

use super::moveset::UNLIMITED;
use super::square::{SIZE, Square};

/// Places of stored lines: 218, and some to fill a power of two, so that no index needs a check.
pub(crate) const LINES: usize = 256;
/// The row above rank `a`; row r is at `ROWS + 1 + r`.
pub(crate) const ROWS: usize = 0;
const COLUMNS: usize = 40;
const DIAGONALS: usize = 76;
const ANTIDIAGONALS: usize = 147;

/// The first stored line of each family.
pub(crate) const FIRST_LINE: [usize; 4] = [ROWS + 1, COLUMNS, DIAGONALS, ANTIDIAGONALS];

/// The bits of a row that lie on the board.
pub(crate) const ROW_MASK: u64 = (1 << SIZE) - 1;

/// Occupancy of all lines by one side.
pub(crate) type Lines = [u64; LINES];

/// The lines of an empty board: only the bits off the board are set.
pub(crate) static EMPTY_LINES: Lines = {
    let mut lines = [u64::MAX; LINES];
    let mut row = 0;
    while row < SIZE {
        let mut column = 0;
        while column < SIZE {
            let mut family = 0;
            while family < 4 {
                let (line, bit) = line_of(row, column, family);
                lines[line] &= !(1 << bit);
                family += 1;
            }
            column += 1;
        }
        row += 1;
    }
    lines
};

/// The line and the bit of a square in a family: rows, columns, diagonals, antidiagonals.
#[inline(always)]
pub(crate) const fn line_of(row: usize, column: usize, family: usize) -> (usize, u32) {
    let (line, bit) = match family {
        0 => (ROWS + 1 + row, column),
        1 => (COLUMNS + column, row),
        2 => (DIAGONALS + row + column, column),
        _ => (ANTIDIAGONALS + column + SIZE - 1 - row, column),
    };
    (line & (LINES - 1), bit as u32)
}

/// The family of lines along a direction, and whether the direction goes towards higher bits.
pub(crate) const ALONG: [(usize, bool); 8] =
    [(1, false), (2, true), (0, true), (3, true), (1, true), (2, false), (0, false), (3, false)];

/// Adds or removes a piece.
#[inline(always)]
pub(crate) fn toggle(lines: &mut Lines, square: Square) {
    for family in 0..4 {
        let (line, bit) = line_of(square.row(), square.column(), family);
        lines[line] ^= 1 << bit;
    }
}

/// Where slides of a side along a line end, towards higher bits (`rising`) or towards lower ones: the bit of an own piece stands
/// one place nearer, so that a count of zeros from the bit of the slider is the number of squares that it reaches.
#[inline(always)]
pub(crate) const fn stops(own: u64, enemy: u64, rising: bool) -> u64 {
    // Towards lower bits, the lowest stands for the edge.
    if rising { own >> 1 | enemy } else { own << 1 | enemy | 1 }
}

/// How many squares a slide of the own piece at a bit of a line reaches, the last perhaps by a capture.
#[inline(always)]
pub(crate) const fn slide_length(stops: u64, bit: u32, rising: bool) -> u32 {
    if rising { (stops >> bit).trailing_zeros() } else { (stops << (!bit & 63)).leading_zeros() }
}

/// The lines of a square in one direction, relative to it.
#[derive(Clone, Copy)]
pub(crate) struct Relative {
    /// Empty squares of the board.
    pub(crate) free: u64,
    /// Enemies.
    pub(crate) enemy: u64,
}

impl Relative {
    /// Empty squares and enemies: where a move may end.
    #[inline(always)]
    pub(crate) const fn open(self) -> u64 {
        self.free | self.enemy
    }

    /// The squares of a slide without limit.
    #[inline(always)]
    pub(crate) const fn slide(self) -> u64 {
        (self.free ^ (self.free + 1)) & self.open()
    }

    /// The squares that a line reaches while it passes over at most `pieces` pieces.
    #[inline(always)]
    pub(crate) fn over(self, pieces: u8) -> u64 {
        if pieces == UNLIMITED {
            return self.open();
        }
        let mut blockers = !self.free;
        for _ in 0..pieces {
            blockers &= blockers.wrapping_sub(1);
        }
        (blockers ^ blockers.wrapping_sub(1)) & self.open()
    }
}

/// How many empty squares lie before the first piece, or before the edge, in each direction from a square.
#[inline(always)]
pub(crate) fn free_star(first: &Lines, second: &Lines, from: Square) -> [u32; 8] {
    let star = Star::new(first, second, from);
    std::array::from_fn(|direction| star.first(direction))
}

/// The pieces along all eight lines of a square, and what lies off the board. Towards higher bits the adjacent square is bit 0,
/// towards lower bits it is bit 63, as turning the bits around takes long.
#[derive(Clone, Copy)]
pub(crate) struct Star([u64; 8]);

impl Star {
    /// The lines of a square.
    #[inline(always)]
    pub(crate) fn new(first: &Lines, second: &Lines, from: Square) -> Self {
        let mut star = [0; 8];
        for (direction, (family, rising)) in ALONG.into_iter().enumerate() {
            let (line, bit) = line_of(from.row(), from.column(), family);
            let all = first[line] | second[line];
            star[direction] = if rising { all >> bit >> 1 } else { (all << 1 | 1) << (63 - bit) };
        }
        Self(star)
    }

    /// The empty squares before the first piece, or before the edge, in a direction.
    #[inline(always)]
    pub(crate) const fn first(&self, direction: usize) -> u32 {
        if is_rising(direction) {
            self.0[direction].trailing_zeros()
        } else {
            self.0[direction].leading_zeros()
        }
    }

    /// Empties the square at a distance, from 1 to the edge, in a direction.
    #[inline(always)]
    pub(crate) const fn empty(&mut self, direction: usize, distance: u32) {
        let square = if is_rising(direction) { 1 << (distance - 1) } else { 1 << (64 - distance) };
        self.0[direction] &= !square;
    }

    /// Empties all squares up to a distance, from 1 to the edge, in a direction.
    #[inline(always)]
    pub(crate) const fn empty_up_to(&mut self, direction: usize, distance: u32) {
        let squares =
            if is_rising(direction) { u64::MAX << distance } else { u64::MAX >> distance };
        self.0[direction] &= squares;
    }
}

/// Whether the squares between two squares of a line, which runs in `direction`, are empty.
#[inline(always)]
pub(crate) fn is_clear(
    first: &Lines,
    second: &Lines,
    from: Square,
    to: Square,
    direction: usize,
) -> bool {
    let (family, _) = ALONG[direction];
    let (line, start) = line_of(from.row(), from.column(), family);
    let (_, end) = line_of(to.row(), to.column(), family);
    (first[line] | second[line]) & between_bits(start, end) == 0
}

/// The slot of the square that is bit 0 of a line of a family, perhaps off the board, and the slots between its squares.
#[inline(always)]
pub(crate) const fn origin(family: usize, line: usize) -> (i32, i32) {
    let line = line as i32;
    match family {
        0 => (line << 6, 1),
        1 => (line, 64),
        2 => (line << 6, 1 - 64),
        _ => ((SIZE as i32 - 1 - line) << 6, 1 + 64),
    }
}

/// The square at a bit of a line of a family: the inverse of [`line_of`].
#[inline(always)]
pub(crate) fn square_on(family: usize, line: usize, bit: u32) -> Square {
    let (slot, step) = origin(family, line - FIRST_LINE[family]);
    Square::from_slot((slot + step * bit as i32) as u32)
}

/// The squares strictly between two squares of a line.
pub(crate) struct Stretch {
    /// The family of the line.
    pub(crate) family: usize,
    /// The line.
    pub(crate) line: usize,
    /// The squares.
    pub(crate) bits: u64,
    /// Whether the second square is the higher bit.
    rising: bool,
}

/// The squares strictly between two squares of a line.
#[inline(always)]
pub(crate) fn stretch(from: Square, to: Square) -> Stretch {
    let rows = to.row() as i32 - from.row() as i32;
    let columns = to.column() as i32 - from.column() as i32;
    let family = match (rows, columns) {
        (0, _) => 0,
        (_, 0) => 1,
        _ if rows == -columns => 2,
        _ => 3,
    };
    let (line, start) = line_of(from.row(), from.column(), family);
    let (_, end) = line_of(to.row(), to.column(), family);
    Stretch { family, line, bits: between_bits(start, end), rising: end > start }
}

/// The squares strictly between two squares of a line that hold pieces of either side, in the order in which a move from the
/// first to the second passes them.
#[inline(always)]
pub(crate) fn pieces_between(
    first: &Lines,
    second: &Lines,
    from: Square,
    to: Square,
) -> impl Iterator<Item = Square> + use<> {
    let Stretch { family, line, bits, rising } = stretch(from, to);
    let mut left = (first[line] | second[line]) & bits;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let bit = if rising { left.trailing_zeros() } else { left.ilog2() };
        left ^= 1 << bit;
        Some(square_on(family, line, bit))
    })
}

/// The bits strictly between two bits of a line.
#[inline(always)]
const fn between_bits(start: u32, end: u32) -> u64 {
    let (low, high) = if start < end { (start, end) } else { (end, start) };
    (1 << high) - (2 << low)
}

/// A direction from a square as its line is stored.
pub(crate) struct Along {
    /// The family of the line.
    pub(crate) family: usize,
    /// The line.
    pub(crate) line: usize,
    /// Whether the direction goes towards higher bits.
    rising: bool,
    /// The squares beyond the square, perhaps off the board.
    pub(crate) beyond: u64,
}

impl Along {
    /// The line of a square in a direction.
    #[inline(always)]
    pub(crate) fn new(from: Square, direction: usize) -> Self {
        let (family, rising) = ALONG[direction];
        let (line, bit) = line_of(from.row(), from.column(), family);
        let beyond = if rising { u64::MAX << bit << 1 } else { (1 << bit) - 1 };
        Self { family, line, rising, beyond }
    }

    /// The first piece of a set, if there is one.
    #[inline(always)]
    pub(crate) fn first(&self, pieces: u64) -> u64 {
        let ahead = pieces & self.beyond;
        if self.rising {
            ahead & ahead.wrapping_neg()
        } else {
            (1 << 63 >> (ahead.leading_zeros() & 63)) & ahead
        }
    }

    /// The squares before a piece, or all if there is none.
    #[inline(always)]
    pub(crate) fn before(&self, piece: u64) -> u64 {
        let nearer = if self.rising {
            piece.wrapping_sub(1)
        } else {
            (piece << 1).wrapping_neg() | (1 - u64::from(piece != 0)).wrapping_neg()
        };
        self.beyond & nearer
    }
}

/// The squares of a line that lie on the board.
#[inline(always)]
pub(crate) fn on_board(line: usize) -> u64 {
    !EMPTY_LINES[line & (LINES - 1)]
}

/// Whether a direction goes towards higher bits of its lines.
pub(crate) const fn is_rising(direction: usize) -> bool {
    ALONG[direction].1
}

/// The line of a square in a direction (0 up the board, clockwise) as the owner of `own` sees it.
#[inline(always)]
pub(crate) fn relative(own: &Lines, enemy: &Lines, from: Square, direction: usize) -> Relative {
    let (family, rising) = ALONG[direction];
    let (line, bit) = line_of(from.row(), from.column(), family);
    let (free, enemy) = (!(own[line] | enemy[line]), enemy[line] & !own[line]);
    Relative { free: seen_from(free, bit, rising), enemy: seen_from(enemy, bit, rising) }
}

/// A mask over all lines, such as that of ranked pieces, relative to a square.
#[inline(always)]
pub(crate) fn relative_mask(lines: &Lines, from: Square, direction: usize) -> u64 {
    let (family, rising) = ALONG[direction];
    let (line, bit) = line_of(from.row(), from.column(), family);
    seen_from(lines[line], bit, rising)
}

#[inline(always)]
const fn seen_from(line: u64, bit: u32, rising: bool) -> u64 {
    if rising { line >> (bit + 1) } else { (line << (63 - bit) << 1).reverse_bits() }
}

/// The low `count` bits.
#[inline(always)]
pub(crate) const fn low_bits(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::taikyoku::square::STEPS;

    fn walk(square: Square, direction: usize) -> impl Iterator<Item = Square> {
        let (row, column) = (square.row() as i32, square.column() as i32);
        (1..).map_while(move |n| {
            Square::checked(row + n * STEPS[direction].0, column + n * STEPS[direction].1)
        })
    }

    #[test]
    fn lines_agree_with_a_walk_over_the_board() {
        let mut state = 1u64;
        for _ in 0..20 {
            let (mut own, mut enemy) = (EMPTY_LINES, EMPTY_LINES);
            let mut board = [0u8; 1296];
            for square in Square::all() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                match state >> 60 {
                    0 => toggle(&mut own, square),
                    1 => toggle(&mut enemy, square),
                    _ => continue,
                }
                board[square.index()] = 1 + (state >> 60) as u8;
            }
            for square in Square::all() {
                for (direction, (family, rising)) in ALONG.into_iter().enumerate() {
                    let squares: Vec<Square> = walk(square, direction).collect();
                    let view = relative(&own, &enemy, square, direction);
                    for distance in 0..40 {
                        let cell = squares.get(distance).map(|s| board[s.index()]);
                        assert_eq!(view.free >> distance & 1 == 1, cell == Some(0));
                        assert_eq!(view.enemy >> distance & 1 == 1, cell == Some(2));
                    }
                    let free = squares.iter().take_while(|s| board[s.index()] == 0).count();
                    let hit = squares.get(free).is_some_and(|s| board[s.index()] == 2);
                    assert_eq!(view.slide().count_ones(), free as u32 + u32::from(hit));
                    assert_eq!(free_star(&own, &enemy, square)[direction] as usize, free);
                    for to in squares.len().saturating_sub(4)..squares.len() {
                        let passed = pieces_between(&own, &enemy, square, squares[to]);
                        let pieces = squares[..to].iter().filter(|s| board[s.index()] != 0);
                        assert!(passed.eq(pieces.copied()));
                    }
                    let (line, bit) = line_of(square.row(), square.column(), family);
                    assert_eq!(square_on(family, line, bit), square);
                    let length = slide_length(stops(own[line], enemy[line], rising), bit, rising);
                    let is_own = board[square.index()] == 1;
                    assert!(!is_own || length as usize == free + usize::from(hit));
                }
            }
        }
    }
}
