//! The order of the moves of a node: which comes next.
//!
//! Most nodes cut after a few moves, so the best is looked up again for each; only if a long list is wanted further is it
//! sorted. Score and number of a move make one key, so that one pass without branches finds the best.

/// Moves that are selected one by one before a long list is sorted.
const SELECTED: usize = 12;
/// Moves that are cheaper to select one by one to the end than to sort.
const SELECTABLE: usize = 128;

/// What stands in the place of a move that was taken.
const TAKEN: i64 = i64::MIN;

/// Numbers of moves by their scores; of equals, the lowest number comes first.
#[derive(Default)]
pub(super) struct Queue {
    /// Score above, complement of the number below. The place of a key is its number, until the list is sorted.
    keys: Vec<i64>,
    /// Moves that are not, or no more, to come.
    taken: usize,
    sorted: bool,
}

impl Queue {
    /// Forgets all moves.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        (self.taken, self.sorted) = (0, false);
    }

    /// Adds the move with the next number.
    #[inline(always)]
    pub(super) fn push(&mut self, score: i32) {
        let number = self.keys.len() as u32;
        self.keys.push(i64::from(score) << 32 | i64::from(!number));
    }

    /// Passes over a number.
    #[inline(always)]
    pub(super) fn skip(&mut self) {
        self.keys.push(TAKEN);
        self.taken += 1;
    }

    /// Leaves out all numbers but some.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        if self.sorted {
            self.keys.drain(..self.taken);
            self.keys.retain(|&key| keep(number(key)));
            self.taken = 0;
            return;
        }
        for (number, key) in self.keys.iter_mut().enumerate() {
            if *key != TAKEN && !keep(number) {
                *key = TAKEN;
                self.taken += 1;
            }
        }
    }

    /// Takes the number with the highest score.
    pub(super) fn pop(&mut self) -> Option<usize> {
        let left = self.keys.len() - self.taken;
        if left == 0 {
            return None;
        }
        if self.taken >= SELECTED && left > SELECTABLE && !self.sorted {
            // A node that wants this many wants all of them. Those taken go to the end.
            self.keys.sort_unstable_by(|one, other| other.cmp(one));
            self.keys.truncate(left);
            (self.taken, self.sorted) = (0, true);
        }
        let found = if self.sorted {
            number(self.keys[self.taken])
        } else {
            let best = number(self.keys.iter().fold(TAKEN, |best, &key| best.max(key)));
            self.keys[best] = TAKEN;
            best
        };
        self.taken += 1;
        Some(found)
    }
}

/// The number in a key.
#[inline(always)]
const fn number(key: i64) -> usize {
    !(key as u32) as usize
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
            let scores: Vec<i32> = (0..moves).map(|_| random.below(60) as i32 - 30).collect();
            let mut expected = Vec::new();
            for (number, &score) in scores.iter().enumerate() {
                if random.below(9) == 0 {
                    queue.skip();
                } else {
                    queue.push(score);
                    expected.push(number);
                }
            }
            expected.sort_by_key(|&number| std::cmp::Reverse(scores[number]));
            // Half of the time some are left out on the way.
            let before = random.below(2 * moves + 1).min(expected.len());
            let mut found: Vec<usize> = (0..before).filter_map(|_| queue.pop()).collect();
            queue.retain(|number| number % 3 != 0);
            found.extend(std::iter::from_fn(|| queue.pop()));
            let late = expected.split_off(before).into_iter().filter(|number| number % 3 != 0);
            expected.extend(late);
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_lowest_score_is_no_mark() {
        let mut queue = Queue::default();
        queue.push(i32::MIN);
        queue.push(i32::MAX);
        assert_eq!([queue.pop(), queue.pop(), queue.pop()], [Some(1), Some(0), None]);
    }
}
