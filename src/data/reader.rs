//! Reads a file of games block by block. A damaged block is told and passed over; all others are read.

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;

use super::block::{Block, BlockHead, HEAD_BYTES};
use super::error::{BlockFault, DataError, FaultReason};
use super::header::{Header, HeaderFault};
use super::map;

/// An open file. Threads may share it: each takes a [`Place`] and reads its block.
pub struct Reader {
    bytes: Source,
    header: Header,
    /// Where the first copy of the header does not stand at the start, or the second one not behind it.
    header_fault: Option<BlockFault>,
    blocks_from: usize,
    /// Keeps the shared lock.
    _file: Option<File>,
}

enum Source {
    Map(Mmap),
    Memory(Vec<u8>),
}

impl Source {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Map(map) => map,
            Self::Memory(bytes) => bytes,
        }
    }
}

/// Where a block lies. Its head is whole and it ends inside the file; its payload is not looked at yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// The head.
    pub head: BlockHead,
}

impl Reader {
    /// Opens a file. While another process writes it, what is there by now is read.
    ///
    /// # Errors
    /// It cannot be read, is no file of games, or neither copy of its header is whole.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let io = DataError::io(path);
        let file = File::open(path).map_err(&io)?;
        let data = file.metadata().map_err(&io)?;
        if !data.is_file() {
            return Err(DataError::usage(path, "this is no ordinary file; name a file of games"));
        }
        // A writer at work holds the lock; it only appends. A file system may have no locks.
        let _ = file.try_lock_shared();
        let bytes = match data.len() {
            0 => Source::Memory(Vec::new()),
            _ => Source::Map(map::map(&file).map_err(&io)?),
        };
        Self::new(bytes, Some(file)).map_err(|reason| DataError::damaged(path, reason))
    }

    /// Reads a file that is in memory.
    ///
    /// # Errors
    /// The reason, if it is no file of games or neither copy of its header is whole.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, String> {
        Self::new(Source::Memory(bytes), None)
    }

    fn new(source: Source, file: Option<File>) -> Result<Self, String> {
        let bytes = source.bytes();
        let fault = |offset: usize, bytes: usize| BlockFault {
            offset: offset as u64,
            bytes: bytes as u64,
            number: 0,
            blocks: 0,
            reason: FaultReason::HeaderCopy,
        };
        let (header, blocks_from, header_fault) = match Header::decode(bytes) {
            Ok((header, length)) => match Header::decode(&bytes[length..]) {
                Ok((second, other)) if second == header => (header, length + other, None),
                // Its length is that of the first one, unless the file ends before.
                _ => {
                    let end = bytes.len().min(2 * length);
                    (header, end, Some(fault(length, end - length)))
                }
            },
            Err(HeaderFault::Foreign(reason)) => return Err(reason),
            Err(HeaderFault::Missing) => match Header::find(bytes, 1) {
                Some((header, at, length)) => (header, at + length, Some(fault(0, at))),
                None => {
                    return Err("no whole header of a file of games; is it one, written by \
                                `kyokumen datagen` or `kyokumen data`?"
                        .to_owned());
                }
            },
        };
        Ok(Self { bytes: source, header, header_fault, blocks_from, _file: file })
    }

    /// How the file was made.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Size of the file in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.bytes.bytes().len() as u64
    }

    /// The blocks, read and checked, and what is damaged, in the order of the file.
    pub fn blocks(&self) -> impl Iterator<Item = Result<Block, BlockFault>> + '_ {
        self.places().map(|place| self.block(&place?))
    }

    /// Where the blocks lie, and what is damaged of heads and order. Quick: payloads are not touched.
    pub fn places(&self) -> Places<'_> {
        Places {
            bytes: self.bytes.bytes(),
            at: self.blocks_from,
            expected: 0,
            fault: self.header_fault.clone(),
            place: None,
        }
    }

    /// Reads a block and checks all of it.
    ///
    /// # Errors
    /// It is damaged.
    pub fn block(&self, place: &Place) -> Result<Block, BlockFault> {
        let at = place.offset as usize;
        let block = at..at + place.head.block_bytes();
        Block::decode(place.head, &self.bytes.bytes()[block.clone()][HEAD_BYTES..]).map_err(
            |reason| BlockFault {
                offset: place.offset,
                bytes: block.len() as u64,
                number: place.head.number,
                blocks: 1,
                reason,
            },
        )
    }
}

/// See [`Reader::places`].
pub struct Places<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The number of the next block.
    expected: u32,
    /// To be told first.
    fault: Option<BlockFault>,
    /// To be given after the fault.
    place: Option<Place>,
}

impl Places<'_> {
    fn fault(&self, end: usize, blocks: u32, reason: FaultReason) -> BlockFault {
        let (offset, bytes) = (self.at as u64, (end - self.at) as u64);
        BlockFault { offset, bytes, number: self.expected, blocks, reason }
    }

    /// The head at a place, if its block ends inside the file.
    fn whole(&self, at: usize, head: BlockHead) -> Option<Place> {
        let fits = head.block_bytes() <= self.bytes.len() - at;
        fits.then_some(Place { offset: at as u64, head })
    }

    /// The next block at or behind a place.
    fn search(&self, mut from: usize) -> Option<Place> {
        loop {
            let (at, head) = BlockHead::find(self.bytes, from)?;
            if let Some(place) = self.whole(at, head) {
                return Some(place);
            }
            from = at + 1;
        }
    }

    fn give(&mut self, place: Place) -> Place {
        self.at = place.offset as usize + place.head.block_bytes();
        self.expected = place.head.number.wrapping_add(1);
        place
    }
}

impl Iterator for Places<'_> {
    type Item = Result<Place, BlockFault>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(fault) = self.fault.take() {
            return Some(Err(fault));
        }
        if let Some(place) = self.place.take() {
            return Some(Ok(self.give(place)));
        }
        if self.at >= self.bytes.len() {
            return None;
        }
        let here =
            BlockHead::read(&self.bytes[self.at..]).and_then(|head| self.whole(self.at, head));
        if let Some(place) = here {
            if place.head.number == self.expected {
                return Some(Ok(self.give(place)));
            }
            let lost = place.head.number.saturating_sub(self.expected);
            self.place = Some(place);
            return Some(Err(self.fault(self.at, lost, FaultReason::Sequence)));
        }
        match self.search(self.at + 1) {
            Some(place) => {
                let lost = place.head.number.saturating_sub(self.expected);
                let fault = self.fault(place.offset as usize, lost, FaultReason::Head);
                self.place = Some(place);
                Some(Err(fault))
            }
            None => {
                let fault = self.fault(self.bytes.len(), 0, FaultReason::Torn);
                self.at = self.bytes.len();
                Some(Err(fault))
            }
        }
    }
}
