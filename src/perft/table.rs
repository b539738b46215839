//! The table of hashed perft: counts of subtrees, shared by all threads without locks.
//!
//! A slot is two atomic words, `key ^ data` and `data`, where `data` packs the count and the depth. Two threads that
//! write one slot at once can leave the words of different entries in it; then `key ^ data` gives neither key, and the
//! slot reads as empty. An entry is found only if all 64 bits of the key and the depth are equal.
// CITE: lockless hashing, Robert Hyatt and Timothy Mann, https://craftychess.com/hyatt/hashing.html

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

use crate::memory::zeroed_table;

/// Bits of a slot's data that hold the depth; the others hold the count.
const DEPTH_BITS: u32 = 8;
/// The first count that does not fit a slot.
const COUNT_END: u64 = 1 << (u64::BITS - DEPTH_BITS);
/// Slots that are tried for one key: a cache line.
const BUCKET: usize = 4;

#[derive(Debug, Zeroable)]
#[repr(C)]
struct Slot {
    key_and_data: AtomicU64,
    data: AtomicU64,
}

#[derive(Debug, Zeroable)]
#[repr(C, align(64))]
struct Bucket([Slot; BUCKET]);

// A bucket is one cache line: a probe costs one miss.
const _: () = assert!(size_of::<Bucket>() == 64);

/// The memory for a table cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no memory for a perft table of {mib} MiB: choose a smaller --hash")]
pub struct TableError {
    /// The size asked for.
    pub mib: u64,
}

/// Counts of subtrees by key and depth.
#[derive(Debug)]
pub struct Table {
    buckets: Box<[Bucket]>,
}

impl Table {
    /// An empty table of a size in MiB, at least one bucket.
    ///
    /// # Errors
    /// If the memory cannot be had.
    pub fn new(mib: u64) -> Result<Self, TableError> {
        let buckets = zeroed_table(mib).ok_or(TableError { mib })?;
        Ok(Self { buckets })
    }

    fn bucket(&self, key: u64) -> &Bucket {
        // The high bits of the product are an index that spreads keys evenly over any number of buckets.
        let index = (u128::from(key) * self.buckets.len() as u128) >> u64::BITS;
        &self.buckets[index as usize]
    }

    /// The count stored for a position's key and a depth.
    pub fn load(&self, key: u64, depth: u32) -> Option<u64> {
        self.bucket(key).0.iter().find_map(|slot| {
            // Relaxed: words of different entries fail the comparison of keys, so nothing needs an order.
            let data = slot.data.load(Ordering::Relaxed);
            let stored_key = slot.key_and_data.load(Ordering::Relaxed) ^ data;
            (data != 0 && stored_key == key && depth_of(data) == depth)
                .then_some(data >> DEPTH_BITS)
        })
    }

    /// Stores a count. It takes the place of the smallest count of all but the last slot of its bucket, if it is not
    /// smaller itself, else the last slot: large subtrees stay, and the newest small one is there too.
    pub fn store(&self, key: u64, depth: u32, count: u64) {
        if count >= COUNT_END || depth == 0 || depth >= 1 << DEPTH_BITS {
            return;
        }
        let data = count << DEPTH_BITS | u64::from(depth);
        let (last, lasting) = self.bucket(key).0.split_last().expect("a bucket has slots");
        let smallest = lasting
            .iter()
            .min_by_key(|slot| slot.data.load(Ordering::Relaxed))
            .expect("a bucket has lasting slots");
        let slot = if smallest.data.load(Ordering::Relaxed) <= data { smallest } else { last };
        slot.key_and_data.store(key ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }
}

const fn depth_of(data: u64) -> u32 {
    (data & ((1 << DEPTH_BITS) - 1)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_needs_its_key_and_its_depth() {
        let table = Table::new(0).unwrap();
        assert_eq!(table.load(0, 0), None);
        table.store(7, 3, 0);
        table.store(7, 4, 1000);
        assert_eq!(table.load(7, 3), Some(0));
        assert_eq!(table.load(7, 4), Some(1000));
        assert_eq!(table.load(7, 5), None);
        assert_eq!(table.load(8, 4), None);
        table.store(9, 4, u64::MAX);
        assert_eq!(table.load(9, 4), None);
    }

    #[test]
    fn a_table_larger_than_the_memory_is_refused() {
        assert_eq!(Table::new(1 << 40).unwrap_err(), TableError { mib: 1 << 40 });
        assert_eq!(Table::new(u64::MAX).unwrap_err(), TableError { mib: u64::MAX });
    }

    #[test]
    fn large_counts_outlast_small_ones() {
        let table = Table::new(0).unwrap();
        table.store(1, 5, 1_000_000);
        for key in 2..1000 {
            table.store(key, 2, key);
        }
        assert_eq!(table.load(1, 5), Some(1_000_000));
        assert_eq!(table.load(999, 2), Some(999));
    }

    #[test]
    fn threads_never_read_what_nobody_wrote() {
        let table = Table::new(0).unwrap();
        let value = |key: u64| key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 10;
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..100_000_u64 {
                        let key = 1 + (round * 7 + thread) % 50;
                        if let Some(count) = table.load(key, 2) {
                            assert_eq!(count, value(key));
                        }
                        table.store(key, 2, value(key));
                    }
                });
            }
        });
    }
}
