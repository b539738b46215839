//! The file of a match's games, and how a later run goes on with it.
//!
//! One line for each game, written in one piece when the game ends; a torn last line of a killed process is cut off. A
//! journal beside the file tells with which settings it was made, and only those may go on with it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::record::GameRecord;
use super::schedule::Fixture;
use crate::analysis::journal::{Existing, JournalError, Settings, compare_settings, write_journal};
use crate::files::{self, Way};

/// The games of a match in a file.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    file: File,
}

impl GameFile {
    /// Opens or creates the file; gives the games in it, if it is to be continued.
    ///
    /// # Errors
    /// A file that cannot be read or written, exists although it should not, was made with other settings, or is damaged.
    pub fn open(
        path: &Path,
        existing: Existing,
        settings: &Settings,
    ) -> Result<(Self, Vec<GameRecord>), JournalError> {
        let failed = |error| JournalError::Io { path: path.to_owned(), error };
        let usage = |text: &str| Err(JournalError::Usage(format!("{}: {text}", path.display())));
        if let Some(reason) = files::objection(path, Way::Streamed, &[]) {
            return usage(reason);
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return usage("another process is writing this file"),
            // A file system without locks.
            Err(TryLockError::Error(_)) => {}
        }
        let length = file.metadata().map_err(failed)?.len();
        let mut records = Vec::new();
        let mut end = 0;
        if length > 0 {
            match existing {
                Existing::Refuse => {
                    return usage(
                        "the file exists and is not empty; continue it with --resume, or overwrite \
                         it with --force",
                    );
                }
                Existing::Overwrite => {}
                Existing::Resume => {
                    compare_settings(path, settings)?;
                    let mut bytes = Vec::new();
                    file.read_to_end(&mut bytes).map_err(failed)?;
                    (records, end) = read_back(path, &bytes)?;
                }
            }
        }
        file.set_len(end).map_err(failed)?;
        if end == 0 {
            write_journal(path, settings)?;
        }
        file.seek(SeekFrom::Start(end)).map_err(failed)?;
        Ok((Self { path: path.to_owned(), file }, records))
    }

    /// Writes a game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, record: &GameRecord) -> Result<(), JournalError> {
        let mut line = serde_json::to_vec(record).expect("a record is plain values");
        line.push(b'\n');
        self.file
            .write_all(&line)
            .map_err(|error| JournalError::Io { path: self.path.clone(), error })
    }
}

/// The games of a file, and the length up to which it is whole.
fn read_back(path: &Path, bytes: &[u8]) -> Result<(Vec<GameRecord>, u64), JournalError> {
    let mut records: Vec<GameRecord> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    let mut end = 0;
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if !line.ends_with(b"\n") {
            break;
        }
        let damaged = |reason: String| JournalError::Damaged {
            path: path.to_owned(),
            line: index as u64 + 1,
            reason,
        };
        let record: GameRecord =
            serde_json::from_slice(line).map_err(|error| damaged(error.to_string()))?;
        if Fixture::of(&record).is_none() || !seen.insert(record.id) {
            return Err(damaged(format!("game {} is there twice, or no game", record.id)));
        }
        records.push(record);
        end += line.len() as u64;
    }
    Ok((records, end))
}
