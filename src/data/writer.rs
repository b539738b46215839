//! Writes a file of games. At any moment the file is whole but for its last block: a killed process loses nothing before it.
//!
//! Games are gathered until a block is full. [`Writer::flush`] writes the block under way as it is; the next flush writes it
//! again, larger, in the same place. So a file never depends on when it was flushed, and a run that goes on
//! ([`Writer::resume`]) takes the games of an unfinished last block back.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::block::{self, MOST_GAMES, MOST_PLIES};
use super::chain::{Chain, ChainView};
use super::error::{BlockFault, DataError, FaultReason};
use super::header::{HEAD_BYTES, Header, TEXT_BYTES_AT};
use super::reader::Reader;

/// A file that is being written, locked against other writers.
pub struct Writer {
    path: PathBuf,
    file: File,
    block_games: usize,
    /// The games of the block under way.
    pending: Vec<Chain>,
    pending_plies: usize,
    /// Whether the file holds all of them.
    is_flushed: bool,
    /// Where the block under way begins.
    offset: u64,
    /// Its number.
    number: u32,
}

/// What a file held when it was taken up again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Resumed {
    /// Games that are there.
    pub games: u64,
    /// What was cut off at its end.
    pub cut: Option<BlockFault>,
}

impl Writer {
    /// Begins a file. An empty file is taken, one with content is not.
    ///
    /// # Errors
    /// The file exists and is not empty, is a link or in use, or cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<Self, DataError> {
        let file = open(path)?;
        if file.metadata().map_err(DataError::io(path))?.len() > 0 {
            return Err(DataError::usage(
                path,
                "the file exists and is not empty; continue it with --resume, or choose another \
                 name",
            ));
        }
        Self::begin(path, file, header)
    }

    /// As [`Writer::create`], with `room` bytes free in the header for what [`Writer::finish_with`] adds to it.
    ///
    /// # Errors
    /// Those of [`Writer::create`].
    pub fn create_with_room(path: &Path, header: &Header, room: usize) -> Result<Self, DataError> {
        let mut writer = Self::create(path, header)?;
        let text_bytes = header.encode().len() + room;
        let start = header.encode_padded(text_bytes).repeat(2);
        writer.write_at(0, &start)?;
        writer.offset = start.len() as u64;
        Ok(writer)
    }

    /// Takes a file up again where it ends; begins it if there is none. `visit` sees every game that is there.
    ///
    /// # Errors
    /// The file was made otherwise (the message names the fields), is damaged before its end, in use, or cannot be read or
    /// written. It is not changed then.
    pub fn resume(
        path: &Path,
        header: &Header,
        mut visit: impl FnMut(&ChainView<'_>),
    ) -> Result<(Self, Resumed), DataError> {
        let io = DataError::io(path);
        let mut file = open(path)?;
        let twice = start_of_file(header);
        let length = file.metadata().map_err(&io)?.len();
        if length < twice.len() as u64 {
            // Killed before the header was whole.
            let mut start = Vec::new();
            file.read_to_end(&mut start).map_err(&io)?;
            if twice.starts_with(&start) {
                return Ok((Self::begin(path, file, header)?, Resumed::default()));
            }
        }
        let reader = Reader::open(path)?;
        let differences = reader.header().differences(header);
        if !differences.is_empty() {
            return Err(DataError::usage(
                path,
                format!(
                    "it was made with other settings, so --resume would mix two kinds of games: \
                     {}; give the same settings, or choose another file",
                    differences.join("; ")
                ),
            ));
        }
        let mut writer = Self::new(path, file, header);
        let mut resumed = Resumed::default();
        writer.offset = twice.len() as u64;
        let mut is_header_whole = true;
        for block in reader.blocks() {
            let block = match block {
                Err(fault) if fault.reason == FaultReason::HeaderCopy => {
                    is_header_whole = false;
                    continue;
                }
                // Only damage that nothing follows may be a torn write.
                Err(fault) => {
                    resumed.cut.get_or_insert(fault);
                    continue;
                }
                Ok(block) => block,
            };
            if let Some(fault) = &resumed.cut {
                return Err(damaged_inside(path, fault));
            }
            if !writer.pending.is_empty() {
                let reason = format!(
                    "offset {}: a block that is not full stands inside the file, so it is not of one run",
                    writer.offset
                );
                return Err(DataError::damaged(path, reason));
            }
            block.games().for_each(|game| visit(&game));
            resumed.games += block.games().count() as u64;
            writer.pending = block.games().map(|game| game.to_chain()).collect();
            writer.pending_plies = block.head().plies as usize;
            if writer.is_full() {
                writer.next_block(block.head().block_bytes() as u64);
            }
        }
        drop(reader);
        writer.is_flushed = resumed.cut.is_none();
        if let Some(fault) = &resumed.cut {
            writer.file.set_len(fault.offset).map_err(&io)?;
        }
        if !is_header_whole {
            writer.file.seek(SeekFrom::Start(0)).map_err(&io)?;
            writer.file.write_all(&twice).map_err(&io)?;
        }
        Ok((writer, resumed))
    }

    fn begin(path: &Path, file: File, header: &Header) -> Result<Self, DataError> {
        let mut writer = Self::new(path, file, header);
        let start = start_of_file(header);
        writer.write_at(0, &start)?;
        writer.offset = start.len() as u64;
        Ok(writer)
    }

    fn new(path: &Path, file: File, header: &Header) -> Self {
        Self {
            path: path.to_owned(),
            file,
            block_games: (header.block_games as usize).clamp(1, MOST_GAMES),
            pending: Vec::new(),
            pending_plies: 0,
            is_flushed: true,
            offset: 0,
            number: 0,
        }
    }

    /// Adds a game; a full block is written.
    ///
    /// # Errors
    /// A game that the format cannot say (it is left out), or a failed write.
    pub fn push(&mut self, game: Chain) -> Result<(), DataError> {
        block::check(&game)?;
        self.pending_plies += game.plies.len();
        self.pending.push(game);
        self.is_flushed = false;
        if self.is_full() {
            let bytes = self.write_block()?;
            self.next_block(bytes);
        }
        Ok(())
    }

    /// Writes the block under way, so that readers see its games and a kill does not lose them.
    ///
    /// # Errors
    /// A failed write.
    pub fn flush(&mut self) -> Result<(), DataError> {
        if !self.is_flushed {
            self.write_block()?;
            self.is_flushed = true;
        }
        Ok(())
    }

    /// Writes all games and waits until the disk has them.
    ///
    /// # Errors
    /// A failed write.
    pub fn finish(mut self) -> Result<(), DataError> {
        self.flush()?;
        self.file.sync_all().map_err(DataError::io(&self.path))
    }

    /// As [`Writer::finish`], with another header instead of the one that the file was created with, such as with counts.
    ///
    /// # Errors
    /// A failed write, or a header that is larger than the room it has.
    pub fn finish_with(mut self, header: &Header) -> Result<(), DataError> {
        self.flush()?;
        let io = DataError::io(&self.path);
        let mut length = [0; size_of::<u32>()];
        self.file.seek(SeekFrom::Start(TEXT_BYTES_AT)).map_err(&io)?;
        self.file.read_exact(&mut length).map_err(&io)?;
        let room = u32::from_le_bytes(length) as usize;
        let start = header.encode_padded(room);
        if start.len() != HEAD_BYTES + room {
            let reason =
                format!("its header needs {} bytes more than were kept free", start.len() - room);
            return Err(DataError::usage(&self.path, reason));
        }
        self.file.seek(SeekFrom::Start(0)).map_err(&io)?;
        self.file.write_all(&start.repeat(2)).map_err(&io)?;
        self.file.sync_all().map_err(&io)
    }

    /// Size of the file up to the block under way, in bytes.
    pub fn full_bytes(&self) -> u64 {
        self.offset
    }

    fn is_full(&self) -> bool {
        self.pending.len() >= self.block_games || self.pending_plies >= MOST_PLIES
    }

    fn next_block(&mut self, bytes: u64) {
        self.offset += bytes;
        self.number += 1;
        self.pending.clear();
        self.pending_plies = 0;
        self.is_flushed = true;
    }

    fn write_block(&mut self) -> Result<u64, DataError> {
        let bytes = block::encode(&self.pending, self.number)?;
        self.write_at(self.offset, &bytes)?;
        Ok(bytes.len() as u64)
    }

    /// Writes the last bytes of the file. What stood there is older and may be longer.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<(), DataError> {
        let io = DataError::io(&self.path);
        let end = offset + bytes.len() as u64;
        self.file.seek(SeekFrom::Start(offset)).map_err(&io)?;
        self.file.write_all(bytes).map_err(&io)?;
        if self.file.metadata().map_err(&io)?.len() > end {
            self.file.set_len(end).map_err(&io)?;
        }
        Ok(())
    }
}

/// Both copies of the header.
fn start_of_file(header: &Header) -> Vec<u8> {
    header.encode().repeat(2)
}

fn damaged_inside(path: &Path, fault: &BlockFault) -> DataError {
    DataError::damaged(
        path,
        format!(
            "{fault}; whole games stand behind it, so this is no torn end and --resume leaves the \
             file alone: `kyokumen data verify` lists the damage, `kyokumen data merge` copies what \
             is whole"
        ),
    )
}

/// Opens a file for writing, locked, as it is.
fn open(path: &Path) -> Result<File, DataError> {
    let io = DataError::io(path);
    if path.symlink_metadata().is_ok_and(|data| !data.is_file()) {
        return Err(DataError::usage(
            path,
            "this is a link, a directory or a device; name an ordinary file",
        ));
    }
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(&io)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(DataError::usage(path, "another process is using this file"))
        }
        // A file system without locks.
        Err(TryLockError::Error(_)) => Ok(file),
    }
}
