//! Fixed records in random order, in bounded memory: for trainers that read a file from its beginning to its end.
//!
//! Every record draws a number and goes to a file by the first bits of it; in the end each file is sorted in memory. So the order
//! is that of the numbers, and does not depend on how many files there are.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use super::Sink;
use crate::dataset::target::Scratch;
use crate::random::Random;

/// Bytes of a record's number before it.
const KEY_BYTES: usize = 8;

/// A sink that gives another sink its records in random order.
pub struct Shuffled<S> {
    inner: S,
    record_bytes: usize,
    seed: u64,
    /// Records so far.
    records: u64,
    buckets: Vec<Bucket>,
    /// Holds the files of the buckets.
    _scratch: Scratch,
}

struct Bucket {
    path: PathBuf,
    file: BufWriter<File>,
}

impl<S: Sink<Vec<u8>>> Shuffled<S> {
    /// A sink for at most about `most_records` records; `memory_mib` MiB are used in the end. The order depends on the seed.
    ///
    /// # Errors
    /// The files cannot be created.
    pub fn new(
        inner: S,
        record_bytes: usize,
        most_records: u64,
        seed: u64,
        memory_mib: u64,
        scratch: Scratch,
    ) -> io::Result<Self> {
        // A record is in memory twice, as read and as sorted.
        let bytes = most_records * 2 * (record_bytes + KEY_BYTES) as u64;
        let count = bytes.div_ceil((memory_mib << 20).max(1)).clamp(1, 512);
        let bucket = |number| {
            let path = scratch.file(&format!("records.{number}"));
            let file = BufWriter::with_capacity(1 << 16, File::create(&path)?);
            Ok(Bucket { path, file })
        };
        let buckets = (0..count).map(bucket).collect::<io::Result<_>>()?;
        Ok(Self { inner, record_bytes, seed, records: 0, buckets, _scratch: scratch })
    }
}

impl<S: Sink<Vec<u8>>> Sink<Vec<u8>> for Shuffled<S> {
    fn write(&mut self, part: Vec<u8>) -> io::Result<()> {
        for record in part.chunks_exact(self.record_bytes) {
            let key = Random::new(self.seed, self.records).next();
            self.records += 1;
            let bucket = (u128::from(key) * self.buckets.len() as u128) >> 64;
            let file = &mut self.buckets[bucket as usize].file;
            file.write_all(&key.to_le_bytes())?;
            file.write_all(record)?;
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        for Bucket { path, file } in self.buckets {
            drop(file.into_inner().map_err(io::IntoInnerError::into_error)?);
            let bytes = fs::read(&path)?;
            fs::remove_file(&path)?;
            let mut records: Vec<&[u8]> =
                bytes.chunks_exact(KEY_BYTES + self.record_bytes).collect();
            let key = |record: &&[u8]| {
                u64::from_le_bytes(record[..KEY_BYTES].try_into().expect("the key comes first"))
            };
            records.sort_by_key(key);
            let sorted = records.iter().flat_map(|record| &record[KEY_BYTES..]).copied();
            self.inner.write(sorted.collect())?;
        }
        self.inner.finish()
    }
}
