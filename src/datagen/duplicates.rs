//! How many positions come again, in bounded memory: a lower estimate.

/// Slots of the filter; a slot is 4 bytes.
const SLOTS: usize = 1 << 22;

/// Remembers the last position of each slot by 32 bits of its key.
///
/// A position is called a duplicate if the last one in its slot had the same 32 bits. A duplicate is missed when another
/// position came between the two in the slot, which begins to matter after some million positions.
pub struct Duplicates {
    /// 0: empty.
    slots: Vec<u32>,
    seen: u64,
    again: u64,
}

impl Default for Duplicates {
    fn default() -> Self {
        Self { slots: vec![0; SLOTS], seen: 0, again: 0 }
    }
}

impl Duplicates {
    /// Sees a position by its key.
    pub fn see(&mut self, key: u64) {
        let mark = ((key >> 32) as u32).max(1);
        let slot = &mut self.slots[key as usize % SLOTS];
        self.again += u64::from(*slot == mark);
        self.seen += 1;
        *slot = mark;
    }

    /// Positions seen.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Those of them that were seen before, as far as is known.
    pub fn again(&self) -> u64 {
        self.again
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_that_come_again_are_counted() {
        let mut duplicates = Duplicates::default();
        let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (0..10_000).for_each(|number| duplicates.see(key(number)));
        assert_eq!((duplicates.seen(), duplicates.again()), (10_000, 0));
        (9_000..11_000).for_each(|number| duplicates.see(key(number)));
        assert!((950..=1000).contains(&duplicates.again()), "{}", duplicates.again());
    }
}
