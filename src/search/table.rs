//! The transposition table: shared by all threads, made of atomics, without locks.
//!
//! An entry is two words of 64 bits; four entries fill a cache line and form a bucket:
//!
//! ```text
//! data   move code 32 | score 16 | depth 8 | generation 5, principal variation 1, bound 2
//! check  (upper 48 bits of the key | static score 16) xor mix(data)
//! ```
//!
//! Threads read and write the words independently, so a reader may see the halves of two different entries. `mix` spreads
//! every bit of `data` over the upper bits, so such a torn pair passes the key test no more often than a foreign key
//! does, about once in 2^48.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

use crate::memory::zeroed_table;
use crate::prefetch::prefetch;
use crate::score::{Bound, Score};

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move as [`crate::game::Evaluate::encode`] wrote it; 0: none.
    pub code: u32,
    /// The score, counted from the node that asks; `None` if only move and static score are known.
    pub score: Option<(Score, Bound)>,
    /// The static score.
    pub static_score: Option<Score>,
    /// Depth of the search behind the score, plies.
    pub depth: i32,
    /// Whether the node was once part of a principal variation.
    pub was_pv: bool,
}

/// The memory for a table cannot be had.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no memory for a transposition table of {mib} MiB: choose a smaller --hash")]
pub struct TableError {
    /// The size asked for.
    pub mib: usize,
}

#[derive(Zeroable)]
#[repr(C)]
struct Slot {
    data: AtomicU64,
    check: AtomicU64,
}

const BUCKET: usize = 4;

#[derive(Zeroable)]
#[repr(C, align(64))]
struct Bucket([Slot; BUCKET]);

// A bucket is a cache line: one memory access for one look-up.
const _: () = assert!(size_of::<Bucket>() == 64);

/// The table.
pub struct Table {
    buckets: Box<[Bucket]>,
    generation: u8,
    /// Buckets that the system has surely given memory to.
    touched: usize,
}

const GENERATIONS: u8 = 32;
const NO_STATIC_SCORE: i16 = i16::MIN;
const KEY_MASK: u64 = !0xFFFF;
/// A generation counts as so many plies of depth when the least worthy entry is replaced.
const PLIES_PER_GENERATION: i32 = 4;
/// Depths are stored shifted, so that quiescence fits below zero.
const DEPTH_SHIFT: i32 = 8;
/// Buckets of the smallest page of memory that systems have.
const BUCKETS_OF_A_PAGE: usize = 4096 / size_of::<Bucket>();
/// Buckets of the part that [`Table::touch_next`] does at once: of a large page.
const TOUCHED_AT_ONCE: usize = (2 << 20) / size_of::<Bucket>();
/// Entries looked at by [`Table::hashfull`].
const SAMPLE: usize = 1000;

impl Table {
    /// A table of about so many MiB (at least one bucket).
    ///
    /// # Errors
    /// If the memory cannot be had.
    pub fn new(mib: usize) -> Result<Self, TableError> {
        let buckets = zeroed_table(mib as u64).ok_or(TableError { mib })?;
        Ok(Self { buckets, generation: 0, touched: 0 })
    }

    /// Size in MiB, rounded down.
    pub fn mib(&self) -> usize {
        (self.buckets.len() * size_of::<Bucket>()) >> 20
    }

    /// Forgets everything, with so many threads.
    pub fn clear(&mut self, threads: usize) {
        self.generation = 0;
        self.touched = self.buckets.len();
        let chunk = self.buckets.len().div_ceil(threads.max(1));
        if threads <= 1 {
            return clear_buckets(&mut self.buckets);
        }
        std::thread::scope(|scope| {
            for part in self.buckets.chunks_mut(chunk) {
                scope.spawn(|| clear_buckets(part));
            }
        });
    }

    /// Has the system give memory to the next part of a new table, which takes milliseconds, so that a search need not wait for
    /// it. Changes no entry. Returns whether there is more to do.
    pub fn touch_next(&mut self) -> bool {
        let end = (self.touched + TOUCHED_AT_ONCE).min(self.buckets.len());
        for bucket in self.buckets[self.touched..end].iter().step_by(BUCKETS_OF_A_PAGE) {
            // A write, as reading would do with a page of zeros that many share, but not of anything new.
            let _ = bucket.0[0].data.compare_exchange(0, 0, Relaxed, Relaxed);
        }
        self.touched = end;
        end < self.buckets.len()
    }

    /// Starts a new search: entries of older ones are replaced first.
    pub fn next_generation(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Fetches what is known of the position with this key into the cache, for [`Table::load`] to find there.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// What is known of the position with this key, as seen from a node `ply` plies below the root.
    pub fn load(&self, key: u64, ply: usize) -> Option<Entry> {
        for slot in &self.bucket(key).0 {
            // Relaxed: a torn slot fails the key check below, so no other memory needs ordering.
            let data = slot.data.load(Relaxed);
            let check = slot.check.load(Relaxed) ^ mix(data);
            if check & KEY_MASK == key & KEY_MASK && data != 0 {
                return Some(unpack(data, check as u16 as i16, ply));
            }
        }
        None
    }

    /// Remembers an entry; the least worthy one of its bucket makes room.
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let mut victim = 0;
        let mut victim_worth = i32::MAX;
        for (index, slot) in self.bucket(key).0.iter().enumerate() {
            // Relaxed: see `load`; a lost update only loses knowledge.
            let data = slot.data.load(Relaxed);
            if data == 0 {
                victim = index;
                break;
            }
            let check = slot.check.load(Relaxed) ^ mix(data);
            if check & KEY_MASK == key & KEY_MASK {
                let old = unpack(data, check as u16 as i16, ply);
                let fresh = stored_generation(data) == self.generation;
                let exact = matches!(entry.score, Some((_, Bound::Exact)));
                if fresh && !exact && entry.depth + PLIES_PER_GENERATION < old.depth {
                    return;
                }
                if entry.code == 0 {
                    entry.code = old.code;
                }
                victim = index;
                break;
            }
            let age =
                i32::from((self.generation + GENERATIONS - stored_generation(data)) % GENERATIONS);
            let worth = stored_depth(data) - PLIES_PER_GENERATION * age;
            if worth < victim_worth {
                victim_worth = worth;
                victim = index;
            }
        }
        let data = pack(&entry, self.generation, ply);
        let static_score = entry.static_score.map_or(NO_STATIC_SCORE, |score| score.get() as i16);
        let check = (key & KEY_MASK | u64::from(static_score as u16)) ^ mix(data);
        let slot = &self.bucket(key).0[victim];
        slot.data.store(data, Relaxed);
        slot.check.store(check, Relaxed);
    }

    /// Part of the table that this generation wrote, in thousandths, by sample.
    pub fn hashfull(&self) -> u32 {
        let buckets = self.buckets.len().min(SAMPLE / BUCKET);
        let used = self.buckets[..buckets]
            .iter()
            .flat_map(|bucket| &bucket.0)
            .map(|slot| slot.data.load(Relaxed))
            .filter(|&data| data != 0 && stored_generation(data) == self.generation)
            .count();
        (used * 1000 / (buckets * BUCKET)) as u32
    }

    fn bucket(&self, key: u64) -> &Bucket {
        // The lowest 16 bits are not part of the check, so they choose the bucket first.
        let wide = u128::from(key.rotate_right(16)) * self.buckets.len() as u128;
        &self.buckets[(wide >> 64) as usize]
    }
}

fn clear_buckets(buckets: &mut [Bucket]) {
    for bucket in buckets {
        for slot in &mut bucket.0 {
            *slot.data.get_mut() = 0;
            *slot.check.get_mut() = 0;
        }
    }
}

fn mix(data: u64) -> u64 {
    data.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn pack(entry: &Entry, generation: u8, ply: usize) -> u64 {
    let (score, bound) = match entry.score {
        None => (0, 0),
        Some((score, bound)) => {
            let bits = match bound {
                Bound::Upper => 1,
                Bound::Lower => 2,
                Bound::Exact => 3,
            };
            (score.to_table(ply).get() as i16, bits)
        }
    };
    let depth = (entry.depth + DEPTH_SHIFT).clamp(1, 255) as u64;
    u64::from(entry.code) << 32
        | u64::from(score as u16) << 16
        | depth << 8
        | u64::from(generation) << 3
        | u64::from(entry.was_pv) << 2
        | bound
}

fn unpack(data: u64, static_score: i16, ply: usize) -> Entry {
    let score = Score::from_raw(i32::from((data >> 16) as u16 as i16)).from_table(ply);
    let bound = match data & 3 {
        1 => Some(Bound::Upper),
        2 => Some(Bound::Lower),
        3 => Some(Bound::Exact),
        _ => None,
    };
    Entry {
        code: (data >> 32) as u32,
        score: bound.map(|bound| (score, bound)),
        static_score: (static_score != NO_STATIC_SCORE)
            .then(|| Score::centipawns(i32::from(static_score))),
        depth: stored_depth(data),
        was_pv: data & 4 != 0,
    }
}

fn stored_depth(data: u64) -> i32 {
    (data >> 8 & 0xFF) as i32 - DEPTH_SHIFT
}

fn stored_generation(data: u64) -> u8 {
    (data >> 3 & 31) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(code: u32, centipawns: i32) -> Entry {
        Entry {
            code,
            score: Some((Score::centipawns(centipawns), Bound::Lower)),
            static_score: Some(Score::centipawns(-centipawns)),
            depth: 7,
            was_pv: true,
        }
    }

    #[test]
    fn what_is_stored_is_loaded() {
        let table = Table::new(1).unwrap();
        for index in 0..1000_u64 {
            let key = mix(index + 1);
            let stored = entry(index as u32 + 1, index as i32 - 500);
            table.store(key, 3, stored);
            assert_eq!(table.load(key, 3), Some(stored));
        }
        assert_eq!(table.load(12345, 0), None);
    }

    #[test]
    fn mate_distances_are_kept_from_the_node() {
        let table = Table::new(1).unwrap();
        let score = Some((Score::mate_in(9), Bound::Exact));
        table.store(77 << 20, 4, Entry { score, ..entry(1, 0) });
        let loaded = table.load(77 << 20, 2).unwrap();
        assert_eq!(loaded.score, Some((Score::mate_in(7), Bound::Exact)));
    }

    #[test]
    fn torn_entries_are_not_loaded() {
        let table = Table::new(1).unwrap();
        let key = 0x0123_4567_89AB_CDEF;
        table.store(key, 0, entry(5, 10));
        let slot = &table.bucket(key).0[0];
        for bit in 0..64 {
            let data = slot.data.load(Relaxed);
            slot.data.store(data ^ 1 << bit, Relaxed);
            assert_eq!(table.load(key, 0), None, "bit {bit}");
            slot.data.store(data, Relaxed);
        }
        assert!(table.load(key, 0).is_some());
    }

    #[test]
    fn threads_never_load_what_nobody_stored() {
        let table = Table::new(1).unwrap();
        // Few keys, so that threads tear each other's entries; code, score and static score name the key.
        std::thread::scope(|scope| {
            for thread in 0..4_u64 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..200_000_u64 {
                        let name = (mix(round + thread) >> 61) as i32 + 1;
                        let key = mix(name as u64) & KEY_MASK;
                        if let Some(found) = table.load(key, 0) {
                            assert_eq!(found, entry(name as u32, name));
                        }
                        table.store(key, 0, entry(name as u32, name));
                    }
                });
            }
        });
    }

    #[test]
    fn deep_entries_outlive_shallow_ones_of_the_same_search() {
        let table = Table { buckets: Box::new([Bucket::zeroed()]), generation: 0, touched: 0 };
        let keys: Vec<u64> = (1..=5).map(|index| index << 32).collect();
        for (&key, depth) in keys.iter().zip([9, 2, 8, 7, 6]) {
            table.store(key, 0, Entry { depth, ..entry(1, 0) });
        }
        let kept: Vec<bool> = keys.iter().map(|&key| table.load(key, 0).is_some()).collect();
        assert_eq!(kept, [true, false, true, true, true]);
    }

    #[test]
    fn clearing_forgets_with_any_number_of_threads() {
        for threads in [1, 3] {
            let mut table = Table::new(1).unwrap();
            table.store(99 << 30, 0, entry(1, 1));
            table.clear(threads);
            assert_eq!(table.load(99 << 30, 0), None);
            assert_eq!(table.hashfull(), 0);
        }
    }

    #[test]
    fn too_much_memory_is_an_error() {
        assert!(Table::new(usize::MAX >> 20).is_err());
        assert!(Table::new(usize::MAX).is_err());
    }

    #[test]
    fn touching_a_table_changes_no_entry_and_comes_to_an_end() {
        let mut table = Table::new(5).unwrap();
        let entry = Entry {
            code: 7,
            score: Some((Score::centipawns(12), Bound::Exact)),
            static_score: None,
            depth: 3,
            was_pv: false,
        };
        let keys: Vec<u64> = (0..4000_u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
        for &key in &keys {
            table.store(key, 0, entry);
        }
        let before: Vec<_> = keys.iter().map(|&key| table.load(key, 0)).collect();
        assert!(before.contains(&Some(entry)));
        assert_eq!(std::iter::from_fn(|| table.touch_next().then_some(())).count(), 2);
        assert!(!table.touch_next());
        let after: Vec<_> = keys.iter().map(|&key| table.load(key, 0)).collect();
        assert_eq!(after, before);
    }
}
