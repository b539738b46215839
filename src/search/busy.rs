//! Which moves are being searched right now, so that a thread can take another one first and meet the finished result in
//! the table.
//!
//! CITE: T. Kerrigan, "Simplified ABDADA": a late move that another thread searches from the same position is put off to
//! the end of the node. The shared table alone makes threads repeat each other's work, as they reach the same nodes at the
//! same moment.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Slots for each thread; a line of nodes holds one mark each, so that few meet in a slot.
const SLOTS_PER_THREAD: usize = 1 << 10;
/// Shallowest node whose moves are marked, plies: below, marking costs more than it spares.
const MIN_DEPTH: i32 = 2;

/// The marks of all threads of a search. With one thread there are none, and nothing is ever busy.
///
/// Marks are hints: two moves that meet in a slot cost time, never correctness.
pub(super) struct BusyMoves {
    slots: Box<[AtomicU64]>,
}

/// A mark to be taken away when the move is searched. A search that stops leaves its marks behind; they end with it.
#[derive(Clone, Copy)]
pub(super) struct Mark(Option<(usize, u64)>);

impl BusyMoves {
    pub(super) fn new(threads: usize) -> Self {
        let count = if threads > 1 { (threads * SLOTS_PER_THREAD).next_power_of_two() } else { 0 };
        Self { slots: (0..count).map(|_| AtomicU64::new(0)).collect() }
    }

    fn place(&self, position: u64, code: u32, depth: i32) -> Option<(usize, u64)> {
        if self.slots.is_empty() || depth < MIN_DEPTH {
            return None;
        }
        // An odd factor spreads the code over all bits; the product's high bits are the best mixed.
        let key = position ^ u64::from(code).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let index = (key ^ (key >> 32)) as usize & (self.slots.len() - 1);
        Some((index, key))
    }

    /// Whether another thread is searching the move of a node of so many plies.
    pub(super) fn contains(&self, position: u64, code: u32, depth: i32) -> bool {
        self.place(position, code, depth)
            .is_some_and(|(index, key)| self.slots[index].load(Relaxed) == key)
    }

    /// Marks a move as being searched.
    pub(super) fn mark(&self, position: u64, code: u32, depth: i32) -> Mark {
        // Relaxed: a mark that is seen late costs a repeated search and nothing else.
        let place = self.place(position, code, depth);
        if let Some((index, key)) = place {
            self.slots[index].store(key, Relaxed);
        }
        Mark(place)
    }

    /// Takes a mark away.
    pub(super) fn unmark(&self, mark: Mark) {
        if let Mark(Some((index, key))) = mark
            && self.slots[index].load(Relaxed) == key
        {
            self.slots[index].store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_is_never_busy() {
        let busy = BusyMoves::new(1);
        let mark = busy.mark(1, 2, 9);
        assert!(!busy.contains(1, 2, 9));
        busy.unmark(mark);
    }

    #[test]
    fn a_mark_stands_until_it_is_taken_away() {
        let busy = BusyMoves::new(2);
        let mark = busy.mark(1, 2, MIN_DEPTH);
        assert!(busy.contains(1, 2, MIN_DEPTH));
        assert!(!busy.contains(1, 3, MIN_DEPTH));
        assert!(!busy.contains(2, 2, MIN_DEPTH));
        busy.unmark(mark);
        assert!(!busy.contains(1, 2, MIN_DEPTH));
    }

    #[test]
    fn shallow_nodes_are_not_marked() {
        let busy = BusyMoves::new(2);
        busy.mark(1, 2, MIN_DEPTH - 1);
        assert!(!busy.contains(1, 2, MIN_DEPTH));
    }
}
