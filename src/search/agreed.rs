//! By how much late moves are reduced, so that all threads of an iteration reduce a move alike.
//!
//! A reduction depends on records, which every thread has of its own. A thread that joins another one at a node goes first
//! through the moves that are done there. Where it would reduce one of them less, it does not find it in the table at its depth
//! and searches it once more, which was most of what two threads did in vain. A choice also holds if a thread comes
//! back to the node at the same depth, whatever is then expected of it: with choices by kind of node threads share far less.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::allocation::zeroed_slice_box;

/// Slots of a search with several threads: 2 MiB.
const SLOTS: usize = 1 << 18;
/// Shallowest node whose reductions are agreed on, plies: below, asking costs more than it spares.
const MIN_DEPTH: i32 = 2;
/// The bits of a slot that hold a reduction, and the number that is stored for a reduction by nothing.
const REDUCTION: u64 = 0xFF;
const NONE: i32 = 64;

/// A late move of a node, as it comes up in an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occasion {
    /// The key of the position.
    pub(super) position: u64,
    /// The move as a code.
    pub(super) code: u32,
    /// Remaining depth of the node, plies.
    pub(super) depth: i32,
    /// The depth of the iteration.
    pub(super) iteration: i32,
}

/// The reductions that the threads of a search have chosen. With one thread there are none.
///
/// They are hints: two occasions that meet in a slot cost time, never correctness.
pub(super) struct Agreed {
    slots: Box<[AtomicU64]>,
}

impl Agreed {
    pub(super) fn new(threads: usize) -> Self {
        Self { slots: zeroed_slice_box(if threads > 1 { SLOTS } else { 0 }) }
    }

    /// The reduction that a thread has chosen for the move on this occasion, in plies; if none has, that is `own` from now on.
    pub(super) fn reduction(&self, occasion: Occasion, own: i32) -> i32 {
        let Occasion { position, code, depth, iteration } = occasion;
        if self.slots.is_empty() || depth < MIN_DEPTH {
            return own;
        }
        let [depth, iteration] = [depth, iteration].map(|plies| plies as u64 & 0xFF);
        let number = u64::from(code) | depth << 32 | iteration << 40;
        // An odd factor spreads the number over the upper bits.
        let key = (position ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15)) & !REDUCTION;
        let slot = &self.slots[(key >> 32) as usize % SLOTS];
        // Relaxed: a choice that is seen late costs a repeated search and nothing else.
        let known = slot.load(Relaxed);
        if known & !REDUCTION == key {
            return (known & REDUCTION) as i32 - NONE;
        }
        let stored = (own + NONE).clamp(0, REDUCTION as i32);
        slot.store(key | stored as u64, Relaxed);
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OCCASION: Occasion = Occasion { position: 1, code: 2, depth: MIN_DEPTH, iteration: 9 };

    #[test]
    fn one_thread_agrees_with_nobody() {
        let agreed = Agreed::new(1);
        assert_eq!([2, 1, 3].map(|own| agreed.reduction(OCCASION, own)), [2, 1, 3]);
    }

    #[test]
    fn the_first_choice_stands_for_its_occasion() {
        let agreed = Agreed::new(2);
        assert_eq!([-2, 1, 3].map(|own| agreed.reduction(OCCASION, own)), [-2, -2, -2]);
        let others = [
            Occasion { position: 3 << 40, ..OCCASION },
            Occasion { code: 3, ..OCCASION },
            Occasion { depth: MIN_DEPTH + 1, ..OCCASION },
            Occasion { iteration: 10, ..OCCASION },
        ];
        for other in others {
            assert_eq!(agreed.reduction(other, 5), 5, "{other:?}");
        }
        assert_eq!(agreed.reduction(OCCASION, 4), -2);
    }

    #[test]
    fn shallow_nodes_choose_freely() {
        let agreed = Agreed::new(2);
        let shallow = Occasion { depth: MIN_DEPTH - 1, ..OCCASION };
        assert_eq!([1, 2].map(|own| agreed.reduction(shallow, own)), [1, 2]);
    }
}
