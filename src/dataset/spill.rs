//! Records sorted in parts that fit into memory: scattered to files by a share of their order, then read back one file at a time.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::PathBuf;

use super::error::ToolError;
use super::target::Scratch;

/// A record: sorted by both numbers.
pub type Record = [u64; 2];

/// Records on their way to disk.
pub struct Spill {
    paths: Vec<PathBuf>,
    files: Vec<BufWriter<File>>,
}

impl Spill {
    /// Files for about `records` records, each of which sorts in `memory_bytes`.
    ///
    /// # Errors
    /// The files cannot be created.
    pub fn new(
        scratch: &Scratch,
        name: &str,
        records: u64,
        memory_bytes: u64,
    ) -> Result<Self, ToolError> {
        let each = (memory_bytes / size_of::<Record>() as u64).max(1);
        let count = records.div_ceil(each).clamp(1, 1024);
        let paths: Vec<PathBuf> =
            (0..count).map(|part| scratch.file(&format!("{name}.{part}"))).collect();
        let create = |path: &PathBuf| {
            let file = File::create(path).map_err(ToolError::io(path))?;
            Ok(BufWriter::with_capacity(1 << 14, file))
        };
        let files = paths.iter().map(create).collect::<Result<_, ToolError>>()?;
        Ok(Self { paths, files })
    }

    /// Adds a record to the part that holds `share` of `whole`. Shares must rise with the first number of records.
    ///
    /// # Errors
    /// A failed write.
    pub fn push(&mut self, record: Record, share: u64, whole: u64) -> Result<(), ToolError> {
        let parts = self.files.len() as u128;
        let part = (u128::from(share) * parts / u128::from(whole.max(1))).min(parts - 1) as usize;
        self.files[part]
            .write_all(bytemuck::bytes_of(&record))
            .map_err(ToolError::io(&self.paths[part]))
    }

    /// The sorted parts, in order; each is read when it is asked for.
    ///
    /// # Errors
    /// A failed write.
    pub fn sorted(self) -> Result<Sorted, ToolError> {
        for (path, file) in self.paths.iter().zip(self.files) {
            file.into_inner().map_err(|error| ToolError::io(path)(error.into_error()))?;
        }
        Ok(Sorted { paths: self.paths.into_iter() })
    }
}

/// See [`Spill::sorted`].
pub struct Sorted {
    paths: std::vec::IntoIter<PathBuf>,
}

impl Iterator for Sorted {
    type Item = Result<Vec<Record>, ToolError>;

    fn next(&mut self) -> Option<Self::Item> {
        let path = self.paths.next()?;
        let read = || -> std::io::Result<Vec<Record>> {
            let file = File::open(&path)?;
            let count = file.metadata()?.len() as usize / size_of::<Record>();
            let mut records: Vec<Record> = vec![[0; 2]; count];
            BufReader::new(file).read_exact(bytemuck::cast_slice_mut(&mut records))?;
            std::fs::remove_file(&path)?;
            Ok(records)
        };
        Some(read().map_err(ToolError::io(&path)).map(|mut records| {
            records.sort_unstable();
            records
        }))
    }
}
