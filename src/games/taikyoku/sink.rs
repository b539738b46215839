//! Where generated moves go: to a list, to a counter, or to one who looks for certain moves.
//!
//! The generator hands over whole rays and sets of squares, never single targets where it can: a list then writes eight moves
//! with one store, and a counter only adds a population count.

use super::board::bits;
use super::lines::low_bits;
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

/// Takes whole rays in loops that call nothing, so that all they need stays in registers.
pub(crate) trait Bulk: Sink {
    /// The part of a sink that such a loop needs.
    type Burst<'a>: Burst
    where
        Self: 'a;

    /// A burst with room for at least one ray; what it took counts when it ends.
    fn burst(&mut self) -> Self::Burst<'_>;
}

/// See [`Bulk`].
pub(crate) trait Burst {
    /// Whether there is room for another ray.
    fn has_room(&self) -> bool;

    /// `count` moves, no more than [`SIZE`], whose targets follow that of `stay`, `slots` apart.
    fn ray(&mut self, stay: Move, slots: u32, count: u32);

    /// [`Sink::one`].
    fn one(&mut self, mv: Move);

    /// Hands over what it took.
    fn end(self);
}

/// Moves that are written at once.
const BLOCK: usize = 8;
/// Blocks of the longest line.
const BLOCKS: usize = SIZE.div_ceil(BLOCK);
/// Moves that a buffer holds before it is emptied into the list.
const FULL: usize = 256;
/// Room for the longest line beyond that, twice as it may promote, and for what blocks write too much.
const ROOM: usize = 2 * SIZE + BLOCKS * BLOCK;

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

/// Writes as many moves as a store takes, from the one with a number on.
#[inline(always)]
fn write_block(block: &mut [Move; BLOCK], origin: Move, slots: u32, number: u32) {
    for (n, mv) in block.iter_mut().enumerate() {
        *mv = origin.shifted(slots.wrapping_mul(number + n as u32));
    }
}

/// Writes the moves of a run, and more. Their targets follow that of `before`.
#[inline(always)]
fn write_run(buffer: &mut Buffer, place: usize, before: Move, slots: u32, count: u32) {
    let room: &mut [Move; BLOCKS * BLOCK] =
        buffer[place..].first_chunk_mut().expect("a line never fills the room");
    let (blocks, _) = room.as_chunks_mut();
    let [head, tail @ ..]: &mut [_; BLOCKS] = blocks.try_into().expect("so many blocks fit");
    write_block(head, before, slots, 1);
    if count as usize > BLOCK {
        for (n, block) in tail.iter_mut().enumerate() {
            write_block(block, before, slots, ((n + 1) * BLOCK) as u32 + 1);
        }
    }
}

/// [`write_run`] for `slots` that the compiler does not know; called, it makes the best of them.
#[inline(never)]
fn write_any_run(buffer: &mut Buffer, place: usize, before: Move, slots: u32, count: u32) {
    write_run(buffer, place, before, slots, count);
}

/// Writes each move of a run and then the same with promotion, and more. Their targets follow that of `before`.
#[inline(never)]
fn write_pairs(buffer: &mut Buffer, place: usize, before: Move, slots: u32, count: u32) {
    let blocks = buffer[place..].chunks_exact_mut(BLOCK).take((count as usize).div_ceil(BLOCK / 2));
    let mut before = before;
    for block in blocks {
        let block: &mut [Move; BLOCK] = block.try_into().expect("all chunks are of this length");
        for (n, mv) in block.iter_mut().enumerate() {
            let plain = before.shifted(slots.wrapping_mul((n / 2) as u32 + 1));
            *mv = if n % 2 == 0 { plain } else { plain.promoting() };
        }
        before = before.shifted(slots.wrapping_mul((BLOCK / 2) as u32));
    }
}

/// What [`write_run`] takes for a run of which this is the first move.
#[inline(always)]
fn before(first: Move, slots: u32) -> Move {
    first.shifted(slots.wrapping_neg())
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
        write_run(self.buffer, place, before(first, slots), slots, count);
        self.len = place + count as usize;
    }

    #[inline(always)]
    fn set(&mut self, first: Move, slots: u32, mut targets: u64) {
        let mut place = self.place();
        while targets != 0 {
            let low = targets.trailing_zeros();
            let count = (targets >> low).trailing_ones();
            let before = first.shifted(slots.wrapping_mul(low.wrapping_sub(1)));
            write_run(self.buffer, place, before, slots, count);
            place += count as usize;
            targets &= targets.wrapping_add(1 << low);
        }
        self.len = place;
    }

    #[inline(never)]
    fn promotions(&mut self, first: Move, slots: u32, plain: u64, promoting: u64) {
        let mut place = self.place();
        let mut left = plain | promoting;
        while left != 0 {
            let low = left.trailing_zeros();
            let run = first.shifted(slots.wrapping_mul(low));
            let (plain, promoting) = (plain >> low, promoting >> low);
            let (count, written) = match (plain & 1, promoting & 1) {
                (_, 0) => ((plain & !promoting).trailing_ones(), 1),
                (0, _) => ((promoting & !plain).trailing_ones(), 1),
                _ => ((promoting & plain).trailing_ones(), 2),
            };
            match (written, promoting & 1) {
                (2, _) => write_pairs(self.buffer, place, before(run, slots), slots, count),
                (_, 0) => write_any_run(self.buffer, place, before(run, slots), slots, count),
                _ => {
                    let run = run.promoting();
                    write_any_run(self.buffer, place, before(run, slots), slots, count);
                }
            }
            place += count as usize * written;
            left &= !(low_bits(count) << low);
        }
        self.len = place;
    }
}

impl Bulk for List<'_> {
    type Burst<'b>
        = ListBurst<'b>
    where
        Self: 'b;

    #[inline(always)]
    fn burst(&mut self) -> ListBurst<'_> {
        let place = self.place();
        ListBurst { buffer: self.buffer, place, len: &mut self.len }
    }
}

/// A burst into a [`List`].
pub(crate) struct ListBurst<'a> {
    buffer: &'a mut Buffer,
    place: usize,
    len: &'a mut usize,
}

impl Burst for ListBurst<'_> {
    #[inline(always)]
    fn has_room(&self) -> bool {
        self.place <= FULL
    }

    #[inline(always)]
    fn ray(&mut self, stay: Move, slots: u32, count: u32) {
        write_run(self.buffer, self.place, stay, slots, count);
        self.place += count as usize;
    }

    #[inline(always)]
    fn one(&mut self, mv: Move) {
        self.buffer[self.place] = mv;
        self.place += 1;
    }

    #[inline(always)]
    fn end(self) {
        *self.len = self.place;
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

impl Bulk for Counter {
    type Burst<'b> = &'b mut Self;

    #[inline(always)]
    fn burst(&mut self) -> &mut Self {
        self
    }
}

/// A sink that is its own burst.
impl<S: Sink> Burst for &mut S {
    #[inline(always)]
    fn has_room(&self) -> bool {
        true
    }

    #[inline(always)]
    fn ray(&mut self, stay: Move, slots: u32, count: u32) {
        self.run(stay.shifted(slots), slots, count);
    }

    #[inline(always)]
    fn one(&mut self, mv: Move) {
        Sink::one(*self, mv);
    }

    #[inline(always)]
    fn end(self) {}
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

impl Bulk for Filter<'_> {
    type Burst<'b>
        = &'b mut Self
    where
        Self: 'b;

    #[inline(always)]
    fn burst(&mut self) -> &mut Self {
        self
    }
}
