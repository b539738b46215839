//! Resuming a batch: the output itself says what is done, a journal beside it says with which settings.
//!
//! A record is one line, written in one piece, so a killed process leaves whole lines and perhaps a torn last one. On
//! resuming, the torn line is cut off, every other is read back, and each job of the input is compared with the record that
//! bears its number. Only settings that shape records are compared: the number of threads is free.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use ahash::AHashMap;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::job::{Id, Label};
use super::output::{CSV_COLUMNS, Layout, OutputFormat};
use super::pool::Order;
use crate::files::{self, Way};

/// Everything that shapes the records, by name.
pub type Settings = Map<String, Value>;

/// What may happen to an output that exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// It is an error.
    Refuse,
    /// It is emptied.
    Overwrite,
    /// It is continued; if there is none, the batch starts from the beginning.
    Resume,
}

/// Why an output cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The user must decide.
    #[error("{0}")]
    Usage(String),
    /// The output, or its journal, is not what this program wrote.
    #[error("{}:{line}: damaged record: {reason}; move the file away, or start over with --force", path.display())]
    Damaged {
        /// The output.
        path: PathBuf,
        /// Line of the record.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A file operation failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
}

/// Counts of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Records.
    pub records: u64,
    /// Records of refused input.
    pub refused: u64,
    /// Records that name moves to find or to avoid.
    pub tests: u64,
    /// Those of them that were solved.
    pub solved: u64,
    /// Nodes searched.
    pub nodes: u64,
}

impl Tally {
    /// Counts a record.
    pub fn add(&mut self, refused: bool, solved: Option<bool>, nodes: u64) {
        self.records += 1;
        self.refused += u64::from(refused);
        self.tests += u64::from(solved.is_some());
        self.solved += u64::from(solved == Some(true));
        self.nodes += nodes;
    }
}

/// The records that an output already holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// Fingerprints of the records 0, 1, 2, ... without a gap.
    first: Vec<u64>,
    /// Those behind a gap.
    others: AHashMap<u64, u64>,
    /// What they count.
    pub tally: Tally,
}

impl Done {
    /// The fingerprint of record `index`, if it is there.
    pub fn fingerprint(&self, index: u64) -> Option<u64> {
        let first = usize::try_from(index).ok().and_then(|index| self.first.get(index));
        first.or_else(|| self.others.get(&index)).copied()
    }

    /// The number of records.
    pub fn len(&self) -> u64 {
        (self.first.len() + self.others.len()) as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn insert(&mut self, seen: &Seen) -> Result<(), String> {
        let index = seen.label.index;
        if self.fingerprint(index).is_some() {
            return Err(format!("record {index} is there twice"));
        }
        self.others.insert(index, seen.label.fingerprint());
        while let Some(next) = self.others.remove(&(self.first.len() as u64)) {
            self.first.push(next);
        }
        self.tally.add(seen.is_refused, seen.solved, seen.nodes);
        Ok(())
    }
}

/// An output file, locked, positioned behind its last whole record.
#[derive(Debug)]
pub struct OutputFile {
    /// The file.
    pub file: File,
    /// What it holds.
    pub done: Done,
}

impl OutputFile {
    /// Opens or creates an output and its journal. A symbolic link is followed: its target is written. Where the output is no
    /// ordinary file (`/dev/null`, a pipe), nothing is locked and there is no journal.
    ///
    /// # Errors
    /// See [`JournalError`]. Nothing is changed then.
    pub fn open(
        path: &Path,
        existing: Existing,
        settings: &Settings,
        layout: &Layout,
        order: Order,
    ) -> Result<Self, JournalError> {
        let failed = |error| JournalError::Io { path: path.to_owned(), error };
        let usage = |text: String| Err(JournalError::Usage(format!("{}: {text}", path.display())));
        let is_resumable = layout.format.is_resumable();
        if let Some(reason) = files::objection(path, Way::Streamed, &[]) {
            return usage(reason.to_owned());
        }
        let is_special = fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir());
        if is_special {
            if existing == Existing::Resume {
                return usage("only an ordinary file can be resumed".to_owned());
            }
            let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
            return Self { file, done: Done::default() }.with_header(layout).map_err(failed);
        }
        if existing == Existing::Resume && !is_resumable {
            let format = layout.format;
            return usage(format!(
                "a {} cannot be resumed; use --as jsonl or --as csv",
                crate::game::Named::name(format)
            ));
        }
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return usage("another process is writing this file".to_owned());
            }
            // A file system without locks.
            Err(TryLockError::Error(_)) => {}
        }
        let length = file.metadata().map_err(failed)?.len();
        let mut done = Done::default();
        if length > 0 && existing == Existing::Refuse {
            return usage(
                "the file exists and is not empty; continue it with --resume, or overwrite it \
                 with --force"
                    .to_owned(),
            );
        }
        let mut end = 0;
        if length > 0 && existing == Existing::Resume {
            compare_settings(path, settings)?;
            (done, end) = scan(path, &file, layout, order)?;
        }
        // First the records, then the journal: a kill between the two leaves an empty output, which starts from the beginning.
        file.set_len(end).map_err(failed)?;
        if end == 0 && is_resumable {
            write_journal(path, settings)?;
        }
        let mut output = Self { file, done };
        output.file.seek(SeekFrom::Start(end)).map_err(failed)?;
        if end > 0 { Ok(output) } else { output.with_header(layout).map_err(failed) }
    }

    fn with_header(mut self, layout: &Layout) -> io::Result<Self> {
        if let Some(header) = layout.header() {
            self.file.write_all(&header)?;
        }
        Ok(self)
    }
}

/// The journal of an output.
pub fn journal_path(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".journal");
    name.into()
}

/// Writes the journal in one step, so that there is never half of one.
pub(crate) fn write_journal(output: &Path, settings: &Settings) -> Result<(), JournalError> {
    let path = journal_path(output);
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    let temporary = PathBuf::from(temporary);
    let text = serde_json::to_string_pretty(settings).expect("settings are plain values") + "\n";
    fs::write(&temporary, text)
        .and_then(|()| fs::rename(&temporary, &path))
        .map_err(|error| JournalError::Io { path, error })
}

pub(crate) fn compare_settings(output: &Path, settings: &Settings) -> Result<(), JournalError> {
    let path = journal_path(output);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(JournalError::Usage(format!(
                "{} is missing, so nobody knows with which settings {} was made; start over with \
                 --force, or choose another --output",
                path.display(),
                output.display()
            )));
        }
        Err(error) => return Err(JournalError::Io { path, error }),
    };
    let old: Settings = serde_json::from_str(&text).map_err(|error| JournalError::Damaged {
        path: path.clone(),
        line: error.line() as u64,
        reason: error.to_string(),
    })?;
    let mut differences = Vec::new();
    for name in old.keys().chain(settings.keys().filter(|name| !old.contains_key(*name))) {
        let (was, is) = (old.get(name), settings.get(name));
        if was != is {
            let show = |value: Option<&Value>| value.map_or("unset".to_owned(), Value::to_string);
            differences.push(format!("{name} was {}, now {}", show(was), show(is)));
        }
    }
    if differences.is_empty() {
        return Ok(());
    }
    Err(JournalError::Usage(format!(
        "{} was made with other settings: {}; give the same ones to --resume it, or choose another \
         --output",
        output.display(),
        differences.join("; ")
    )))
}

/// What a record says of itself.
struct Seen {
    label: Label,
    is_refused: bool,
    solved: Option<bool>,
    nodes: u64,
}

/// Reads the records back; also gives the length up to which the file is whole.
fn scan(
    path: &Path,
    file: &File,
    layout: &Layout,
    order: Order,
) -> Result<(Done, u64), JournalError> {
    let failed = |error| JournalError::Io { path: path.to_owned(), error };
    let damaged = |line, reason| JournalError::Damaged { path: path.to_owned(), line, reason };
    let mut reader = BufReader::with_capacity(1 << 16, file);
    reader.seek(SeekFrom::Start(0)).map_err(failed)?;
    let header = layout.header();
    let (mut done, mut end, mut number) = (Done::default(), 0, 0);
    // A bad line is torn if it is the last one, else damage.
    let mut bad: Option<(u64, String)> = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line).map_err(failed)? as u64;
        if length == 0 {
            return Ok((done, end));
        }
        if let Some((number, reason)) = bad {
            return Err(damaged(number, reason));
        }
        number += 1;
        if line.last() != Some(&b'\n') {
            // Nothing can follow it.
            return Ok((done, end));
        }
        let result = match &header {
            Some(header) if number == 1 => {
                if line == *header {
                    Ok(())
                } else {
                    Err("the header is not that of these settings".to_owned())
                }
            }
            _ => read_back(&line, layout.format).and_then(|seen| {
                if order == Order::Input && seen.label.index != done.len() {
                    let (found, expected) = (seen.label.index, done.len());
                    return Err(format!("record {found} where record {expected} belongs"));
                }
                done.insert(&seen)
            }),
        };
        match result {
            Ok(()) => end += length,
            Err(reason) => bad = Some((number, reason)),
        }
    }
}

fn read_back(line: &[u8], format: OutputFormat) -> Result<Seen, String> {
    match format {
        OutputFormat::Jsonl => {
            #[derive(Deserialize)]
            struct Fields {
                #[serde(flatten)]
                label: Label,
                error: Option<Value>,
                solved: Option<bool>,
                nodes: Option<u64>,
            }
            let fields: Fields = serde_json::from_slice(line).map_err(|error| error.to_string())?;
            Ok(Seen {
                label: fields.label,
                is_refused: fields.error.is_some(),
                solved: fields.solved,
                nodes: fields.nodes.unwrap_or(0),
            })
        }
        OutputFormat::Csv => read_back_csv(line),
        OutputFormat::Table | OutputFormat::Epd => Err("a format that is not read back".to_owned()),
    }
}

fn read_back_csv(line: &[u8]) -> Result<Seen, String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line);
    let row = reader.records().next().ok_or("no row")?.map_err(|error| error.to_string())?;
    let text = |name: &str| {
        let column = CSV_COLUMNS.iter().position(|&column| column == name)?;
        row.get(column).filter(|field| !field.is_empty())
    };
    let owned = |name: &str| text(name).map(str::to_owned);
    let number = |name: &str| -> Result<Option<u64>, String> {
        let parse =
            |field: &str| field.parse().map_err(|_| format!("{name} '{field}' is no number"));
        text(name).map(parse).transpose()
    };
    if row.len() < CSV_COLUMNS.len() {
        return Err(format!("{} columns, not {} or more", row.len(), CSV_COLUMNS.len()));
    }
    Ok(Seen {
        label: Label {
            index: number("index")?.ok_or("no index")?,
            file: owned("file"),
            line: number("line")?.ok_or("no line number")?,
            id: owned("id").map(Id::Text),
            ply: number("ply")?,
            input: owned("input"),
            position: owned("position"),
            game: owned("game").unwrap_or_default(),
            rules: owned("rules").unwrap_or_default(),
        },
        is_refused: text("error").is_some(),
        solved: text("solved").map(|field| field == "true"),
        nodes: number("nodes")?.unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: Layout = Layout { format: OutputFormat::Jsonl, multipv: 1, first_player: "Red" };

    fn record(index: u64) -> String {
        format!(
            "{{\"index\":{index},\"file\":null,\"line\":{},\"id\":null,\"input\":\"x\",\
             \"position\":null,\"game\":\"g\",\"rules\":\"r\",\"nodes\":10}}\n",
            index + 1
        )
    }

    fn settings(depth: u64) -> Settings {
        let mut settings = Settings::new();
        settings.insert("depth".to_owned(), depth.into());
        settings
    }

    fn open(path: &Path, existing: Existing, order: Order) -> Result<OutputFile, JournalError> {
        OutputFile::open(path, existing, &settings(3), &LAYOUT, order)
    }

    #[test]
    fn a_torn_line_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        drop(open(&path, Existing::Refuse, Order::Input).unwrap());
        let whole = record(0) + &record(1);
        let torn = whole.clone() + &record(2);
        for end in whole.len()..torn.len() {
            fs::write(&path, &torn[..end]).unwrap();
            let output = open(&path, Existing::Resume, Order::Input).unwrap();
            assert_eq!((output.done.len(), output.done.tally.nodes), (2, 20));
            assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        }
    }

    #[test]
    fn damage_before_the_end_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        drop(open(&path, Existing::Refuse, Order::Input).unwrap());
        let check = |text: String, order, reason: &str| {
            fs::write(&path, &text).unwrap();
            let error = open(&path, Existing::Resume, order).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "an error changes nothing");
        };
        check("x\n".to_owned() + &record(0), Order::Input, ":1: damaged");
        check(record(0) + &record(2) + &record(3), Order::Input, "record 2 where record 1");
        check(record(0) + &record(0) + &record(1), Order::Completion, "twice");
    }

    #[test]
    fn unordered_outputs_know_their_gaps() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        drop(open(&path, Existing::Refuse, Order::Completion).unwrap());
        fs::write(&path, record(3) + &record(0) + &record(1)).unwrap();
        let done = open(&path, Existing::Resume, Order::Completion).unwrap().done;
        let there: Vec<bool> = (0..5).map(|index| done.fingerprint(index).is_some()).collect();
        assert_eq!(there, [true, true, false, true, false]);
    }

    #[test]
    fn an_output_is_not_overwritten_or_mixed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        drop(open(&path, Existing::Resume, Order::Input).unwrap());
        fs::write(&path, record(0)).unwrap();
        let error = open(&path, Existing::Refuse, Order::Input).unwrap_err().to_string();
        assert!(error.contains("--force"), "{error}");
        let other = OutputFile::open(&path, Existing::Resume, &settings(4), &LAYOUT, Order::Input);
        let error = other.unwrap_err().to_string();
        assert!(error.contains("depth was 3, now 4"), "{error}");
        fs::remove_file(journal_path(&path)).unwrap();
        let error = open(&path, Existing::Resume, Order::Input).unwrap_err().to_string();
        assert!(error.contains("missing"), "{error}");
        let first = open(&path, Existing::Overwrite, Order::Input).unwrap();
        assert_eq!(first.file.metadata().unwrap().len(), 0);
        let error = open(&path, Existing::Overwrite, Order::Input).unwrap_err().to_string();
        assert!(error.contains("another process"), "{error}");
    }
}
