//! Steps and slides of all pieces at once, direction by direction.
//!
//! For each row, eight bitboards hold the pieces that may step in each direction. Without those before which an own piece stands,
//! they tell which can move that way at all; in the opening that is one in thirty. Only for those we look at the board, that is,
//! at one word of a table in which all lines of the board tell where slides along them end.

use super::board::{RowLanes, bits};
use super::lines::{ALONG, LINES, Lines, ROW_MASK, ROWS, line_of, low_bits, slide_length, stops};
use super::movegen::{ALL, Generator, NOISY, QUIET, zone_along};
use super::piece::Move;
use super::sink::{Bulk, Burst, Sink};
use super::square::{SIZE, SLOT_STEPS, STEPS, Square, ZONE_RANKS};
use crate::game::Side;

/// What each column adds to the bits of a move from a square to itself; looked up, as that costs less than computing it.
static COLUMNS: [u32; 64] = {
    let mut columns = [0; 64];
    let mut column = 0;
    while column < 64 {
        columns[column] = (column as u32) * (1 + (1 << 12));
        column += 1;
    }
    columns
};

/// How many steps lead from a row into the promotion zone of a side, by side, rows down the board of a step plus one, and row;
/// none leads there: a great number.
static STEPS_TO_ZONE: [[[u8; SIZE]; 3]; 2] = {
    let mut table = [[[u8::MAX; SIZE]; 3]; 2];
    let mut row = 0;
    while row < SIZE {
        let forward = if row < ZONE_RANKS { 0 } else { (row + 1 - ZONE_RANKS) as u8 };
        table[0][0][row] = forward;
        table[1][2][SIZE - 1 - row] = forward;
        if row < ZONE_RANKS {
            (table[0][1][row], table[0][2][row]) = (0, 0);
            (table[1][1][SIZE - 1 - row], table[1][0][SIZE - 1 - row]) = (0, 0);
        }
        row += 1;
    }
    table
};

/// Where the slides of a side end, line by line; see [`stops`].
struct Stops(Lines);

impl Stops {
    /// Of slides towards higher bits (`rising`) or towards lower ones; where no captures are wanted, all pieces count as own.
    #[inline(always)]
    fn new<const WANT: u8>(own: &Lines, enemy: &Lines, rising: bool) -> Self {
        let mut lines = [0; LINES];
        for (line, place) in lines.iter_mut().enumerate() {
            let (own, enemy) = match WANT {
                QUIET => (own[line] | enemy[line], 0),
                _ => (own[line], enemy[line]),
            };
            *place = stops(own, enemy, rising);
        }
        Self(lines)
    }

    /// How many squares a slide reaches, the last perhaps by a capture.
    #[inline(always)]
    fn count<const DIRECTION: usize>(&self, row: usize, column: usize) -> u32 {
        let (family, rising) = ALONG[DIRECTION];
        let (line, bit) = line_of(row, column, family);
        slide_length(self.0[line], bit, rising)
    }
}

/// The pieces of each row whose first step does not lead to an own piece, for four directions from one on.
struct Movers {
    /// The rows that have some, by direction.
    rows: [u64; 4],
    pieces: [[u64; 4]; SIZE],
}

impl Movers {
    #[inline(always)]
    fn new<const FIRST: usize>(lanes: &[RowLanes; SIZE], own: &Lines) -> Self {
        const LEFT: [u32; 8] = [0, 0, 0, 0, 0, 1, 1, 1];
        const RIGHT: [u32; 8] = [0, 1, 1, 1, 0, 0, 0, 0];
        let (mut rows, mut pieces) = ([0; 4], [[0; 4]; SIZE]);
        for (row, pieces) in pieces.iter_mut().enumerate() {
            let (above, here, below) = (own[ROWS + row], own[ROWS + 1 + row], own[ROWS + 2 + row]);
            // In the opening, two rows of three.
            if here & ROW_MASK == 0 {
                continue;
            }
            let near = [above, above, here, below, below, below, here, above];
            for n in 0..4 {
                let way = FIRST + n;
                // Beyond the left edge no piece steps.
                pieces[n] = lanes[row][way] & !near[way] >> RIGHT[way] << LEFT[way];
                rows[n] |= if pieces[n] == 0 { 0 } else { 1 << row };
            }
        }
        Self { rows, pieces }
    }
}

/// Where a walk through the movers of a direction has come to.
struct Walk {
    row: usize,
    /// The movers of the row that are still to come.
    left: u64,
    /// The rows that are still to come.
    rows: u64,
}

/// Pieces whose rays in a direction may promote.
struct Promoting {
    /// The rows that have some.
    rows: u64,
    /// Those of each row.
    movers: [u64; SIZE],
}

impl<S: Bulk, const WANT: u8> Generator<'_, S, WANT> {
    /// The steps and slides of all pieces.
    pub(crate) fn steps_and_slides(&mut self) {
        let (own, enemy, lanes) = (self.own, self.enemy, &self.board.lanes[self.side.index()]);
        let rising = Stops::new::<WANT>(own, enemy, true);
        let falling = Stops::new::<WANT>(own, enemy, false);
        let movers = Movers::new::<0>(lanes, own);
        self.direction::<0>(&movers, &falling);
        self.direction::<1>(&movers, &rising);
        self.direction::<2>(&movers, &rising);
        self.direction::<3>(&movers, &rising);
        let movers = Movers::new::<4>(lanes, own);
        self.direction::<4>(&movers, &rising);
        self.direction::<5>(&movers, &falling);
        self.direction::<6>(&movers, &falling);
        self.direction::<7>(&movers, &falling);
    }

    /// The steps and slides in a direction.
    #[inline(never)]
    fn direction<const DIRECTION: usize>(&mut self, movers: &Movers, stops: &Stops) {
        let mut walk = Walk { row: 0, left: 0, rows: movers.rows[DIRECTION & 3] };
        let mut promoting = Promoting { rows: 0, movers: [0; SIZE] };
        while walk.left | walk.rows != 0 {
            self.plain_rays::<DIRECTION>(movers, &mut walk, &mut promoting, stops);
        }
        for row in bits(promoting.rows) {
            self.promoting_rays::<DIRECTION>(row, promoting.movers[row], stops);
        }
    }

    /// The rays of pieces in a direction, as long as there is room for the moves; those that may promote are left to
    /// [`Self::promoting_rays`]. Nothing is called in the loops, so that all they need stays in registers.
    #[inline(always)]
    fn plain_rays<const DIRECTION: usize>(
        &mut self,
        movers: &Movers,
        walk: &mut Walk,
        promoting: &mut Promoting,
        stops: &Stops,
    ) {
        let Self { board, table, side, enemy, .. } = *self;
        let (slides, promotion) = (&*table.slides, &*table.promotion);
        let slots = SLOT_STEPS[DIRECTION] as u32;
        let to_zone = &STEPS_TO_ZONE[side.index()][(STEPS[DIRECTION].0 + 1) as usize];
        let mut burst = self.sink.burst();
        let Walk { mut row, mut left, mut rows } = *walk;
        'rows: loop {
            let pieces = board.row_pieces(row);
            let to_zone = u32::from(to_zone[row]);
            while left != 0 {
                if !burst.has_room() {
                    break 'rows;
                }
                let column = left.trailing_zeros() as usize;
                left &= left - 1;
                let piece = pieces[column & 63];
                let limit = u32::from(slides[piece.code()][DIRECTION]);
                let reach = stops.count::<DIRECTION>(row, column);
                let count = reach.min(limit);
                if count >= to_zone && promotion[piece.code()].is_some() {
                    promoting.rows |= 1 << row;
                    promoting.movers[row] |= 1 << column;
                    continue;
                }
                let stay = stay(row, column);
                if WANT == NOISY {
                    if reach == count && takes::<DIRECTION>(enemy, row, column, count) {
                        burst.one(stay.shifted(slots.wrapping_mul(count)));
                    }
                } else {
                    burst.ray(stay, slots, count);
                }
            }
            if rows == 0 {
                break;
            }
            row = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            left = movers.pieces[row][DIRECTION & 3];
        }
        burst.end();
        *walk = Walk { row, left, rows };
    }

    /// The rays of pieces of a row, which all can move in a direction and promote.
    #[inline(never)]
    fn promoting_rays<const DIRECTION: usize>(&mut self, row: usize, movers: u64, stops: &Stops) {
        let Self { board, table, .. } = *self;
        let pieces = board.row_pieces(row);
        let slots = SLOT_STEPS[DIRECTION] as u32;
        let zone = zone_along(self.side, row, STEPS[DIRECTION].0);
        for column in bits(movers) {
            let piece = pieces[column & 63];
            let limit = u32::from(table.slides[piece.code()][DIRECTION]);
            let targets = low_bits(stops.count::<DIRECTION>(row, column).min(limit));
            let stay = stay(row, column);
            let last = stay.shifted(slots.wrapping_mul(targets.count_ones()));
            let takes = if WANT != QUIET && board.at(last.to()).is_some() {
                targets ^ targets >> 1
            } else {
                0
            };
            self.set_in_zone(stay.shifted(slots), slots, piece, targets ^ takes, takes, zone);
        }
    }
}

/// The move of a piece to its own square.
#[inline(always)]
fn stay(row: usize, column: usize) -> Move {
    let square = Square::from_slot((row << 6) as u32);
    Move::from_bits(Move::new(square, square).bits().wrapping_add(COLUMNS[column & 63]))
}

/// Whether an enemy stands so many squares from a square in a direction.
#[inline(always)]
fn takes<const DIRECTION: usize>(enemy: &Lines, row: usize, column: usize, distance: u32) -> bool {
    let (family, rising) = ALONG[DIRECTION];
    let (line, bit) = line_of(row, column, family);
    let bit = if rising { bit.wrapping_add(distance) } else { bit.wrapping_sub(distance) };
    enemy[line].wrapping_shr(bit) & 1 != 0
}

/// How many steps in a direction lead from a row into the promotion zone of a side; none leads there: a great number.
#[inline(always)]
pub(crate) fn steps_to_zone(side: Side, row: usize, direction: usize) -> u32 {
    u32::from(STEPS_TO_ZONE[side.index()][(STEPS[direction].0 + 1) as usize][row])
}

impl<S: Sink> Generator<'_, S, ALL> {
    /// The steps and slides of a piece in a direction in which it has some.
    #[inline(always)]
    pub(crate) fn ray(&mut self, from: Square, direction: usize) {
        match direction {
            0 => self.ray_along::<0>(from),
            1 => self.ray_along::<1>(from),
            2 => self.ray_along::<2>(from),
            3 => self.ray_along::<3>(from),
            4 => self.ray_along::<4>(from),
            5 => self.ray_along::<5>(from),
            6 => self.ray_along::<6>(from),
            _ => self.ray_along::<7>(from),
        }
    }

    #[inline(always)]
    fn ray_along<const DIRECTION: usize>(&mut self, from: Square) {
        let piece = self.board.at(from);
        let (family, rising) = ALONG[DIRECTION];
        let (line, bit) = line_of(from.row(), from.column(), family);
        let stops = stops(self.own[line], self.enemy[line], rising);
        let limit = u32::from(self.table.slides[piece.code()][DIRECTION]);
        let count = slide_length(stops, bit, rising).min(limit);
        let slots = SLOT_STEPS[DIRECTION] as u32;
        let first = Move::new(from, from).shifted(slots);
        if count >= steps_to_zone(self.side, from.row(), DIRECTION)
            && self.table.promotion[piece.code()].is_some()
        {
            let zone = zone_along(self.side, from.row(), STEPS[DIRECTION].0);
            self.set_in_zone(first, slots, piece, low_bits(count), 0, zone);
        } else {
            self.sink.run(first, slots, count);
        }
    }
}
