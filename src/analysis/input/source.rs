//! Where input comes from: files and streams, opened in their turn, and the shape that their first bytes show.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use encoding_rs::{Encoding, UTF_8};

use super::encoding::{CANDIDATES, decode_lossy};
use super::foreign::{foreign, is_json_array};
use super::lines::Lines;
use super::pgn::Games;
use super::setup::{strip_number, words};
use super::{InputFormat, InputOptions};
use crate::analysis::job::InputError;
use crate::game::Game;

/// One input of a batch.
pub enum Input {
    /// A file, opened when its turn comes.
    File(PathBuf),
    /// Something already open.
    Stream {
        /// The name for records and messages; `None` for standard input.
        name: Option<String>,
        /// The bytes.
        reader: Box<dyn Read + Send>,
    },
}

/// An input that could not be read to its end.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", file.as_deref().unwrap_or("standard input"))]
pub struct ReadError {
    /// The input's name.
    pub file: Option<String>,
    /// What happened.
    pub error: io::Error,
}

/// Most bytes looked at to recognise a format or a game.
const HEAD_LIMIT: u64 = 1 << 16;

impl Input {
    /// The first lines that are neither blank nor comments, as far as they lie in the first 64 KiB; of a stream, those
    /// that can be had without waiting for a second one. What is read stays in the input.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn first_lines(&mut self) -> Result<Vec<String>, ReadError> {
        let name = self.name();
        let failed = |error| ReadError { file: name, error };
        if let Self::File(path) = self
            && path.metadata().is_ok_and(|data| !data.is_file())
        {
            // A pipe gives what it holds once, so it stays open.
            let reader = match File::open(path) {
                Ok(file) => Box::new(file),
                Err(error) => return Err(failed(error)),
            };
            *self = Self::Stream { name: self.name(), reader };
        }
        let head = match self {
            Self::File(path) => {
                let mut head = Vec::new();
                let file = File::open(path);
                file.and_then(|file| file.take(HEAD_LIMIT).read_to_end(&mut head))
                    .map_err(failed)?;
                head
            }
            Self::Stream { reader, .. } => {
                let head = read_head(reader).map_err(failed)?;
                let rest = std::mem::replace(reader, Box::new(io::empty()));
                *reader = Box::new(Cursor::new(head.clone()).chain(rest));
                head
            }
        };
        let text = String::from_utf8_lossy(strip_mark(&head));
        Ok(content_lines(&text).map(str::to_owned).collect())
    }

    fn name(&self) -> Option<String> {
        match self {
            Self::File(path) => Some(path.display().to_string()),
            Self::Stream { name, .. } => name.clone(),
        }
    }
}

/// The lines that are neither blank nor comments of any format.
fn content_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r'])
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with(['#', '%', ';']))
}

fn strip_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// Reads until a line with content is complete, the limit is reached or the input ends.
fn read_head(reader: &mut Box<impl Read + ?Sized>) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let mut chunk = [0; 4096];
    while (head.len() as u64) < HEAD_LIMIT && !has_content_line(&head) {
        match reader.read(&mut chunk) {
            Ok(0) => break,
            Ok(length) => head.extend_from_slice(&chunk[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(head)
}

fn has_content_line(bytes: &[u8]) -> bool {
    let complete = bytes.iter().rposition(|byte| b"\r\n".contains(byte)).unwrap_or(0);
    content_lines(&String::from_utf8_lossy(strip_mark(&bytes[..complete]))).next().is_some()
}

/// How an open input is cut into records.
pub(super) enum Shape {
    Lines {
        lines: Lines<Box<dyn BufRead + Send>>,
        format: InputFormat,
    },
    Games {
        games: Games<Box<dyn BufRead + Send>>,
        count: u64,
        likely: &'static Encoding,
    },
    /// Not text of any kind we read: one error, then nothing.
    Refused(Option<InputError>),
}

/// An input that is open.
pub(super) struct Stream {
    pub(super) name: Option<String>,
    pub(super) shape: Shape,
}

impl Stream {
    pub(super) fn open<G: Game>(
        input: Input,
        options: &InputOptions<G::RuleSet>,
    ) -> Result<Self, ReadError> {
        let name = input.name();
        let failed = |error| ReadError { file: name.clone(), error };
        let extension = name.as_deref().and_then(|name| Path::new(name).extension());
        let extension = extension.map(|text| text.to_ascii_lowercase());
        let mut reader: Box<dyn Read + Send> = match input {
            Input::File(path) => Box::new(File::open(path).map_err(failed)?),
            Input::Stream { reader, .. } => reader,
        };
        let head = read_head(&mut reader).map_err(failed)?;
        let extension = extension.as_ref().and_then(|text| text.to_str());
        let format = match options.format {
            InputFormat::Auto => recognise(extension, &head),
            format => format,
        };
        let format = match format {
            InputFormat::Auto if begins_with_move::<G>(&head, options) => InputFormat::Pgn,
            format => format,
        };
        let refusal = foreign(&head).or_else(|| {
            let text = String::from_utf8_lossy(strip_mark(&head));
            let first = content_lines(&text).next().unwrap_or_default();
            is_json_array(first).then_some(
                "this is a JSON array; write one JSON object a line, as `jq -c .[]` does",
            )
        });
        let reader: Box<dyn BufRead + Send> =
            Box::new(BufReader::with_capacity(1 << 16, Cursor::new(head).chain(reader)));
        let lines = Lines::new(reader);
        let shape = if let Some(message) = refusal {
            Shape::Refused(Some(InputError::new(1, message)))
        } else if format == InputFormat::Pgn {
            Shape::Games { games: Games::new(lines), count: 0, likely: UTF_8 }
        } else {
            Shape::Lines { lines, format }
        };
        Ok(Self { name, shape })
    }

    /// Bytes consumed so far.
    pub(super) fn bytes_read(&self) -> u64 {
        match &self.shape {
            Shape::Lines { lines, .. } => lines.bytes_read(),
            Shape::Games { games, .. } => games.lines.bytes_read(),
            Shape::Refused(_) => 0,
        }
    }
}

/// The format of a file, by its name, else by its first line.
fn recognise(extension: Option<&str>, head: &[u8]) -> InputFormat {
    match extension {
        Some("pgn") => return InputFormat::Pgn,
        Some("jsonl" | "ndjson") => return InputFormat::Jsonl,
        Some("epd") => return InputFormat::Epd,
        _ => {}
    }
    let text = String::from_utf8_lossy(strip_mark(head));
    let first = content_lines(&text).next().unwrap_or_default();
    let begins_comment = first.strip_prefix('{').is_some_and(|rest| {
        !rest.trim_start().is_empty() && !rest.trim_start().starts_with(['"', '}'])
    });
    let is_tag = is_tag(first) || begins_comment && content_lines(&text).any(is_tag);
    let is_move_text = first.strip_prefix("1.").is_some_and(|rest| !rest.contains('/'));
    if is_tag || is_move_text { InputFormat::Pgn } else { InputFormat::Auto }
}

fn is_tag(line: &str) -> bool {
    line.strip_prefix('[').is_some_and(|rest| {
        rest.starts_with(|letter: char| letter.is_ascii_alphabetic()) && rest.contains(" \"")
    })
}

/// Whether the first word is a legal first move, so that the text is a game without tags.
fn begins_with_move<G: Game>(head: &[u8], options: &InputOptions<G::RuleSet>) -> bool {
    let start = G::start(options.rules);
    let encodings = options.encoding.map_or(CANDIDATES.to_vec(), |encoding| vec![encoding]);
    encodings.into_iter().any(|encoding| {
        let (text, _) = decode_lossy(strip_mark(head), encoding);
        let first = content_lines(&text).next().unwrap_or_default();
        let word = words(first).find_map(|word| strip_number(word.text));
        word.is_some_and(|word| G::parse_move(&start, word).is_ok())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised() {
        let check = |extension, head: &str, format| {
            assert_eq!(recognise(extension, head.as_bytes()), format, "{head}");
        };
        check(None, "\u{feff}\n[Event \"x\"]\n", InputFormat::Pgn);
        check(None, "1. h2e2 h9g7\n", InputFormat::Pgn);
        check(None, "1r1k5/9 w\n", InputFormat::Auto);
        check(Some("pgn"), "", InputFormat::Pgn);
        check(None, "; by X\r% y\r[Event \"x\"]\r", InputFormat::Pgn);
        check(None, "{by X\nor Y}\n[Event \"x\"]\n", InputFormat::Pgn);
        check(None, "{ \"fen\": \"x\"}\n[Event \"x\"]\n", InputFormat::Auto);
        check(Some("txt"), "{\"fen\"", InputFormat::Auto);
        check(Some("jsonl"), "[x]", InputFormat::Jsonl);
    }

    #[test]
    fn looking_ahead_takes_nothing() {
        let text = "# c\n\nfirst line\nsecond\n";
        let reader = Box::new(text.as_bytes().take(1000));
        let mut input = Input::Stream { name: None, reader };
        assert_eq!(input.first_lines().unwrap(), ["first line", "second"]);
        assert_eq!(input.first_lines().unwrap(), ["first line", "second"]);
        let Input::Stream { mut reader, .. } = input else { unreachable!() };
        let mut all = String::new();
        reader.read_to_string(&mut all).unwrap();
        assert_eq!(all, text);
    }
}
