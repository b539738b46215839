//! Where generated moves go: to a list, to a counter, or to one who looks for certain moves.
//!
//! The generator hands over whole rays and sets of squares, never single targets where it can: a list then writes eight moves
//! with one store, and a counter only adds a population count.

use super::board::bits;
use super::piece::Move;
use super::square::{SIZE, Square};

/// Takes the moves of the generator.
pub(crate) trait Sink {
    /// One move.
    fn one(&mut self, mv: Move);

    /// `count` moves, no more than [`SIZE`], whose targets follow each other, `slots` apart.
    fn run(&mut self, first: Move, slots: u32, count: u32);

    /// The moves whose targets lie as many times `slots` beyond that of `first` as the numbers of the bits say.
    fn set(&mut self, first: Move, slots: u32, targets: u64);

    /// For each bit of either set in turn: the move of [`Sink::set`] if it is in `plain`, then the same move with promotion if
    /// it is in `promoting`.
    #[inline(never)]
    fn promotions(&mut self, first: Move, slots: u32, plain: u64, promoting: u64) {
        for n in bits(plain | promoting) {
            let mv = first.shifted(slots.wrapping_mul(n as u32));
            if plain >> n & 1 != 0 {
                self.one(mv);
            }
            if promoting >> n & 1 != 0 {
                self.one(mv.promoting());
            }
        }
    }
}

/// Moves that are written at once.
const BLOCK: usize = 8;
/// Moves that a buffer holds before it is emptied into the list.
const FULL: usize = 256;
/// Room for the longest line beyond that, twice as it may promote, and for what a block writes too much.
const ROOM: usize = 80;

const _: () = assert!(ROOM > 2 * SIZE);

/// Moves on their way to a list; a store of a block may write beyond the moves that count.
pub(crate) type Buffer = [Move; FULL + ROOM];

/// Appends moves to a list.
pub(crate) struct List<'a> {
    moves: &'a mut Vec<Move>,
    buffer: &'a mut Buffer,
    len: usize,
}

impl<'a> List<'a> {
    /// A buffer to begin with.
    pub(crate) const BUFFER: Buffer = [Move::from_bits(0); FULL + ROOM];

    /// Appends to `moves`, by way of a buffer.
    pub(crate) fn new(moves: &'a mut Vec<Move>, buffer: &'a mut Buffer) -> Self {
        Self { moves, buffer, len: 0 }
    }

    /// Hands over what is still in the buffer.
    pub(crate) fn finish(mut self) {
        self.flush();
    }

    #[inline(never)]
    fn flush(&mut self) {
        self.moves.extend_from_slice(&self.buffer[..self.len]);
        self.len = 0;
    }

    /// The place of the next move, with room for a whole line behind it.
    #[inline(always)]
    fn place(&mut self) -> usize {
        if self.len >= FULL {
            self.flush();
            return 0;
        }
        self.len
    }
}

/// Writes as many moves as a store takes.
#[inline(always)]
fn write_block(room: &mut [Move], first: Move, slots: u32) {
    let block: &mut [Move; BLOCK] = room.first_chunk_mut().expect("a line never fills the room");
    for (n, mv) in block.iter_mut().enumerate() {
        *mv = first.shifted(slots.wrapping_mul(n as u32));
    }
}

/// Writes the moves of a run behind its first block.
#[inline(never)]
fn write_rest(room: &mut [Move], first: Move, slots: u32, count: u32) {
    for written in (BLOCK..count as usize).step_by(BLOCK) {
        let first = first.shifted(slots.wrapping_mul(written as u32));
        write_block(&mut room[written..], first, slots);
    }
}

impl Sink for List<'_> {
    #[inline(always)]
    fn one(&mut self, mv: Move) {
        let place = self.place();
        self.buffer[place] = mv;
        self.len = place + 1;
    }

    #[inline(always)]
    fn run(&mut self, first: Move, slots: u32, count: u32) {
        let place = self.place();
        self.len = place + count as usize;
        let room = &mut self.buffer[place..];
        write_block(room, first, slots);
        if count as usize > BLOCK {
            write_rest(room, first, slots, count);
        }
    }

    #[inline(always)]
    fn set(&mut self, first: Move, slots: u32, targets: u64) {
        if targets == 0 {
            return;
        }
        let low = targets.trailing_zeros();
        let rest = targets >> low;
        if rest & (rest + 1) == 0 {
            return self.run(first.shifted(slots.wrapping_mul(low)), slots, rest.trailing_ones());
        }
        let place = self.place();
        for (slot, n) in self.buffer[place..place + ROOM].iter_mut().zip(bits(targets)) {
            *slot = first.shifted(slots.wrapping_mul(n as u32));
        }
        self.len = place + targets.count_ones() as usize;
    }

    #[inline(never)]
    fn promotions(&mut self, first: Move, slots: u32, plain: u64, promoting: u64) {
        let mut place = self.place();
        for n in bits(plain | promoting) {
            let mv = first.shifted(slots.wrapping_mul(n as u32));
            self.buffer[place] = mv;
            place += (plain >> n & 1) as usize;
            self.buffer[place] = mv.promoting();
            place += (promoting >> n & 1) as usize;
        }
        self.len = place;
    }
}

/// Counts moves.
#[derive(Default)]
pub(crate) struct Counter(pub(crate) u64);

impl Sink for Counter {
    #[inline(always)]
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }

    #[inline(always)]
    fn run(&mut self, _: Move, _: u32, count: u32) {
        self.0 += u64::from(count);
    }

    #[inline(always)]
    fn set(&mut self, _: Move, _: u32, targets: u64) {
        self.0 += u64::from(targets.count_ones());
    }

    #[inline(always)]
    fn promotions(&mut self, _: Move, _: u32, plain: u64, promoting: u64) {
        self.0 += u64::from(plain.count_ones() + promoting.count_ones());
    }
}

/// Looks for the move with a number.
pub(crate) struct Nth {
    /// How many moves are still to come before it.
    pub(crate) left: u32,
    /// The move, once it came.
    pub(crate) found: Option<Move>,
}

impl Nth {
    /// Passes `count` moves, or finds the number among them of the one that is looked for.
    #[inline(always)]
    fn pass(&mut self, count: u32) -> Option<u32> {
        if self.found.is_none() && self.left < count {
            return Some(self.left);
        }
        self.left = self.left.wrapping_sub(count);
        None
    }
}

impl Sink for Nth {
    #[inline(always)]
    fn one(&mut self, mv: Move) {
        if self.pass(1).is_some() {
            self.found = Some(mv);
        }
    }

    #[inline(always)]
    fn run(&mut self, first: Move, slots: u32, count: u32) {
        if let Some(n) = self.pass(count) {
            self.found = Some(first.shifted(slots.wrapping_mul(n)));
        }
    }

    #[inline(always)]
    fn set(&mut self, first: Move, slots: u32, targets: u64) {
        if let Some(n) = self.pass(targets.count_ones()) {
            let bit = bits(targets).nth(n as usize).expect("there are more bits");
            self.found = Some(first.shifted(slots.wrapping_mul(bit as u32)));
        }
    }
}

/// Looks for one move.
pub(crate) struct Finder {
    /// The move that is looked for.
    pub(crate) wanted: Move,
    /// Whether it was generated.
    pub(crate) found: bool,
}

impl Sink for Finder {
    #[inline(always)]
    fn one(&mut self, mv: Move) {
        self.found |= mv == self.wanted;
    }

    #[inline(always)]
    fn run(&mut self, first: Move, slots: u32, count: u32) {
        for n in 0..count {
            self.one(first.shifted(slots.wrapping_mul(n)));
        }
    }

    #[inline(always)]
    fn set(&mut self, first: Move, slots: u32, targets: u64) {
        for n in bits(targets) {
            self.one(first.shifted(slots.wrapping_mul(n as u32)));
        }
    }
}

/// Keeps the moves that end on one square.
pub(crate) struct Filter<'a> {
    /// The square.
    pub(crate) target: Square,
    /// The moves that end there.
    pub(crate) moves: &'a mut Vec<Move>,
}

impl Sink for Filter<'_> {
    #[inline(always)]
    fn one(&mut self, mv: Move) {
        if mv.to() == self.target {
            self.moves.push(mv);
        }
    }

    #[inline(always)]
    fn run(&mut self, first: Move, slots: u32, count: u32) {
        for n in 0..count {
            self.one(first.shifted(slots.wrapping_mul(n)));
        }
    }

    #[inline(always)]
    fn set(&mut self, first: Move, slots: u32, targets: u64) {
        for n in bits(targets) {
            self.one(first.shifted(slots.wrapping_mul(n as u32)));
        }
    }
}
