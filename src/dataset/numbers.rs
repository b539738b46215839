//! A set of game numbers: one bit each where they are dense, as those of a run are.

use std::collections::BTreeMap;

const WORDS: usize = 64;
const BITS: u64 = 64 * WORDS as u64;

/// A set of numbers.
#[derive(Clone, Debug, Default)]
pub struct NumberSet {
    chunks: BTreeMap<u64, Box<[u64; WORDS]>>,
}

impl NumberSet {
    /// Adds a number; `false` if it is there already.
    pub fn insert(&mut self, number: u64) -> bool {
        let chunk = self.chunks.entry(number / BITS).or_insert_with(|| Box::new([0; WORDS]));
        let at = number % BITS;
        let word = &mut chunk[(at / 64) as usize];
        let bit = 1 << (at % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Whether a number is there.
    pub fn contains(&self, number: u64) -> bool {
        let at = number % BITS;
        self.chunks
            .get(&(number / BITS))
            .is_some_and(|chunk| chunk[(at / 64) as usize] & 1 << (at % 64) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_new_once() {
        let mut set = NumberSet::default();
        for number in [0, 63, 64, 4095, 4096, u64::MAX] {
            assert!(set.insert(number), "{number}");
            assert!(!set.insert(number), "{number}");
            assert!(set.contains(number) && !set.contains(number ^ 2), "{number}");
        }
    }
}
