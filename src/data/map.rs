//! A file as a slice of bytes: one of the two places of the crate that need `unsafe`.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps a whole file for reading. The caller keeps the file locked (shared) while the map is used, if the system has locks.
///
/// # Errors
/// The system refused.
#[expect(unsafe_code, reason = "a memory map depends on what other processes do to the file")]
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map must not change while a slice of it is used. Files of games are only appended to, behind the part that
    // is mapped; what cuts or rewrites their end (`Writer`) takes an exclusive lock, which the reader's shared lock keeps
    // off. A foreign program that ignores locks can still change the bytes: they are only ever read as plain numbers, by
    // code that takes any value for them and checks a checksum first, or end the process by cutting the file off.
    unsafe { Mmap::map(file) }
}
