//! Random numbers: the same on every machine for the same seed, with a stream of its own for each game.

/// A stream of random numbers.
//
// CITE: SplitMix64, Guy Steele, Doug Lea, Christine Flood, https://doi.org/10.1145/2714064.2660195
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed);
        let mixed = random.next() ^ stream;
        Self(mixed)
    }

    /// The stream that begins with the state as it is.
    pub(crate) const fn of_state(state: u64) -> Self {
        Self(state)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// A number below `bound`; the bias of the division is far below anything that shows.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number from 0 up to but not including 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Brings a list into a random order.
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffled_list_has_the_same_members_in_another_order() {
        let mut list: Vec<u32> = (0..100).collect();
        Random::new(1, 2).shuffle(&mut list);
        assert_ne!(list, (0..100).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn streams_differ_and_repeat() {
        let unit = |seed, stream| Random::new(seed, stream).unit();
        assert_eq!(unit(1, 1), unit(1, 1));
        assert_ne!(unit(1, 1), unit(1, 2));
        assert_ne!(unit(1, 1), unit(2, 1));
        assert!((0..1000).map(|stream| unit(7, stream)).all(|unit| (0.0..1.0).contains(&unit)));
    }
}
