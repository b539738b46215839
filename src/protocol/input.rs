//! The reading side: a thread that turns an input stream into lines, so that an engine can think and listen at once.

use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::time::Instant;

use crossbeam_channel::{Receiver, bounded};

/// A line from the other side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The text without its end of line.
    pub text: String,
    /// When it was read: clocks start here.
    pub received: Instant,
    /// False for a line that was longer than [`LONGEST_LINE`]; its text is only the beginning.
    pub complete: bool,
}

/// The longest line that is read, bytes: some ten million moves.
pub const LONGEST_LINE: u64 = 64 << 20;

/// What is kept of a longer line, bytes: enough to see what it was.
const BEGINNING: usize = 64;

/// Lines that may wait; a faster sender has to wait, too.
const WAITING: usize = 256;

/// The lines of a stream. The channel closes when the stream does.
pub fn lines(stream: impl Read + Send + 'static) -> Receiver<Line> {
    let (sender, receiver) = bounded(WAITING);
    std::thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        while let Some(line) = next_line(&mut reader) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

/// The next line; `None` at the end of the stream or when it cannot be read any more.
fn next_line(reader: &mut impl BufRead) -> Option<Line> {
    let mut bytes = Vec::new();
    read_until_newline(reader, &mut bytes)?;
    let complete = bytes.ends_with(b"\n") || (bytes.len() as u64) < LONGEST_LINE;
    let received = Instant::now();
    if !complete {
        let beginning = bytes[..BEGINNING].to_vec();
        while !bytes.ends_with(b"\n") {
            bytes.clear();
            if read_until_newline(reader, &mut bytes).is_none() {
                break;
            }
        }
        bytes = beginning;
    }
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
    Some(Line { text: text.to_owned(), received, complete })
}

/// Reads to the end of the line, or of the longest line allowed; `None` if there is nothing to read.
fn read_until_newline(reader: &mut impl BufRead, bytes: &mut Vec<u8>) -> Option<()> {
    loop {
        let left = LONGEST_LINE.saturating_sub(bytes.len() as u64);
        match reader.take(left).read_until(b'\n', bytes) {
            Ok(_) if bytes.is_empty() => return None,
            Ok(_) => return Some(()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_any_way_and_need_not_be_text() {
        let receiver = lines(&b"\xef\xbb\xbfuci\r\n\n  go \xff depth 1  \nquit"[..]);
        let texts: Vec<String> = receiver.iter().map(|line| line.text).collect();
        assert_eq!(texts, ["uci", "", "go \u{fffd} depth 1", "quit"]);
    }

    #[test]
    fn a_line_without_end_is_left_out() {
        let endless = std::io::repeat(b'x').take(LONGEST_LINE + 10).chain(&b"\nquit\n"[..]);
        let got: Vec<Line> = lines(endless).iter().collect();
        assert_eq!(got.len(), 2);
        assert!(!got[0].complete && got[0].text == "x".repeat(BEGINNING));
        assert!(got[1].complete && got[1].text == "quit");
    }
}
