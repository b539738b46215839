//! The order of the moves of a node: which comes next.
//!
//! Most nodes cut after a few moves, so the best is looked up again for each; only if a long list is wanted further is it
//! sorted. Score, number and mark of a move make one key, so that one pass without branches finds the best.

/// Moves that are selected one by one before a long list is sorted.
const SELECTED: usize = 12;
/// Moves that are cheaper to select one by one to the end than to sort.
const SELECTABLE: usize = 128;

/// Keys that are compared at once: lists are filled up to a multiple.
const LANES: usize = 16;

/// What stands in the place of a move that was taken.
const TAKEN: i64 = i64::MIN;

/// Numbers of moves by their scores; of equals, the lowest number comes first.
#[derive(Default)]
pub(super) struct Queue {
    /// Score above, complement of the number below, the mark as the last bit. The place of a key is its number, until the
    /// list is sorted.
    keys: Vec<i64>,
    /// Places that are not, or no more, to come.
    taken: usize,
    /// Moves that were looked up one by one.
    selected: usize,
    sorted: bool,
}

impl Queue {
    /// Forgets all moves.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        (self.taken, self.selected, self.sorted) = (0, 0, false);
    }

    /// Adds the move with the next number, perhaps with a mark.
    #[inline(always)]
    pub(super) fn push(&mut self, score: i32, marked: bool) {
        let number = self.keys.len() as u32;
        self.keys.push(i64::from(score) << 32 | i64::from(!number << 1 | u32::from(marked)));
    }

    /// Passes over a number.
    #[inline(always)]
    pub(super) fn skip(&mut self) {
        self.keys.push(TAKEN);
        self.taken += 1;
    }

    /// Leaves out all moves without a mark.
    pub(super) fn retain_marked(&mut self) {
        if self.sorted {
            self.keys.drain(..self.taken);
            self.keys.retain(|&key| is_marked(key));
            self.taken = 0;
            return;
        }
        let mut left = 0;
        for key in &mut self.keys {
            // A taken key has no mark.
            *key = if is_marked(*key) { *key } else { TAKEN };
            left += usize::from(is_marked(*key));
        }
        self.taken = self.keys.len() - left;
    }

    /// Adds taken places, so that no key is left over when many are compared at once.
    fn fill_up(&mut self) {
        let len = self.keys.len().next_multiple_of(LANES);
        self.taken += len - self.keys.len();
        self.keys.resize(len, TAKEN);
    }

    /// Takes the number with the highest score, and whether it is marked.
    pub(super) fn pop(&mut self) -> Option<(usize, bool)> {
        let left = self.keys.len() - self.taken;
        if left == 0 {
            return None;
        }
        if !self.sorted && !self.keys.len().is_multiple_of(LANES) {
            self.fill_up();
        }
        if self.selected >= SELECTED && left > SELECTABLE && !self.sorted {
            // A node that wants this many wants all of them. Those taken go to the end.
            self.keys.sort_unstable_by(|one, other| other.cmp(one));
            self.keys.truncate(left);
            (self.taken, self.sorted) = (0, true);
        }
        let found = if self.sorted {
            self.keys[self.taken]
        } else {
            let best = highest(&self.keys);
            self.keys[number(best)] = TAKEN;
            self.selected += 1;
            best
        };
        self.taken += 1;
        Some((number(found), is_marked(found)))
    }
}

/// The highest key of a list that is filled up.
#[inline(always)]
fn highest(keys: &[i64]) -> i64 {
    let (chunks, _) = keys.as_chunks::<LANES>();
    chunks.as_flattened().iter().fold(TAKEN, |best, &key| best.max(key))
}

/// The number in a key.
#[inline(always)]
const fn number(key: i64) -> usize {
    (!(key as u32) >> 1) as usize
}

/// Whether a key is marked.
#[inline(always)]
const fn is_marked(key: i64) -> bool {
    key & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn moves_come_by_score_and_equals_by_number() {
        let mut random = Random::new(1, 1);
        let mut queue = Queue::default();
        for moves in [0, 1, 2, 40, 128, 141, 142, 500] {
            queue.clear();
            let drawn: Vec<(i32, bool)> =
                (0..moves).map(|_| (random.below(60) as i32 - 30, random.below(3) != 0)).collect();
            let mut expected = Vec::new();
            for (number, &(score, marked)) in drawn.iter().enumerate() {
                if random.below(9) == 0 {
                    queue.skip();
                } else {
                    queue.push(score, marked);
                    expected.push((number, marked));
                }
            }
            expected.sort_by_key(|&(number, _)| std::cmp::Reverse(drawn[number].0));
            // Half of the time some are left out on the way.
            let before = random.below(2 * moves + 1).min(expected.len());
            let mut found: Vec<_> = (0..before).filter_map(|_| queue.pop()).collect();
            queue.retain_marked();
            found.extend(std::iter::from_fn(|| queue.pop()));
            let late = expected.split_off(before).into_iter().filter(|&(_, marked)| marked);
            expected.extend(late);
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_lowest_score_is_no_mark() {
        let mut queue = Queue::default();
        queue.push(i32::MIN, false);
        queue.push(i32::MAX, false);
        let popped = [queue.pop(), queue.pop(), queue.pop()];
        assert_eq!(popped, [Some((1, false)), Some((0, false)), None]);
    }
}
