//! Lines of bytes from a stream, in bounded memory: an endless line is cut, counted and skipped. Lines end with LF, CR LF or CR.

use std::io::{self, BufRead};

/// Longest line (or game) that is read; a longer one is refused.
pub(super) const LINE_LIMIT: usize = 1 << 20;

/// One line without its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    /// The bytes, at most [`LINE_LIMIT`] of them.
    pub(super) bytes: Vec<u8>,
    /// From 1.
    pub(super) number: u64,
    /// How long the line is in the input.
    pub(super) length: u64,
}

impl Line {
    pub(super) fn is_too_long(&self) -> bool {
        self.length > LINE_LIMIT as u64
    }

    pub(super) fn is_blank(&self) -> bool {
        self.bytes.iter().all(u8::is_ascii_whitespace)
    }
}

/// The lines of a stream.
pub(super) struct Lines<R> {
    reader: R,
    number: u64,
    bytes_read: u64,
    /// Whether the last line ended with a carriage return, so that a line feed right behind it is no line of its own.
    after_return: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, number: 0, bytes_read: 0, after_return: false }
    }

    /// Bytes consumed so far.
    pub(super) fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    /// The next line; `None` at the end. A last line without an end counts. A byte order mark is taken off the first line.
    pub(super) fn next_line(&mut self) -> io::Result<Option<Line>> {
        let mut line = Line { bytes: Vec::new(), number: self.number + 1, length: 0 };
        let mut ended = false;
        while !ended {
            let chunk = match self.reader.fill_buf() {
                Ok([]) => break,
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if std::mem::take(&mut self.after_return) && chunk[0] == b'\n' {
                self.reader.consume(1);
                self.bytes_read += 1;
                continue;
            }
            let end = chunk.iter().position(|&byte| matches!(byte, b'\n' | b'\r'));
            ended = end.is_some();
            self.after_return = end.is_some_and(|end| chunk[end] == b'\r');
            let content = &chunk[..end.unwrap_or(chunk.len())];
            let room = LINE_LIMIT - line.bytes.len();
            line.bytes.extend_from_slice(&content[..content.len().min(room)]);
            line.length += content.len() as u64;
            let used = content.len() + usize::from(ended);
            self.reader.consume(used);
            self.bytes_read += used as u64;
        }
        if !ended && line.length == 0 {
            return Ok(None);
        }
        if line.number == 1 && line.bytes.starts_with(BYTE_ORDER_MARK) {
            line.bytes.drain(..BYTE_ORDER_MARK.len());
        }
        self.number += 1;
        Ok(Some(line))
    }
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<(u64, Vec<u8>, u64)> {
        let mut lines = Lines::new(io::BufReader::with_capacity(3, bytes));
        let mut all = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            all.push((line.number, line.bytes, line.length));
        }
        assert_eq!(lines.bytes_read(), bytes.len() as u64);
        all
    }

    #[test]
    fn lines_are_counted_and_trimmed() {
        let all = lines(b"\xef\xbb\xbfone\r\n\ntwo\nlast");
        let expected = [(1, "one", 6), (2, "", 0), (3, "two", 3), (4, "last", 4)]
            .map(|(number, text, length)| (number, text.as_bytes().to_vec(), length));
        assert_eq!(all, expected);
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\n"), [(1, vec![], 0)]);
        for text in ["a\r\rb", "a\n\rb", "a\r\n\r\nb\r\n", "a\r\r\nb\r"] {
            let expected = [(1, b"a".to_vec(), 1), (2, vec![], 0), (3, b"b".to_vec(), 1)];
            assert_eq!(lines(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn an_endless_line_is_cut_and_the_next_is_whole() {
        let mut input = vec![b'x'; LINE_LIMIT + 5];
        input.extend_from_slice(b"\nok\n");
        let mut lines = Lines::new(&input[..]);
        let long = lines.next_line().unwrap().unwrap();
        assert!(long.is_too_long());
        assert_eq!((long.bytes.len(), long.length), (LINE_LIMIT, LINE_LIMIT as u64 + 5));
        let next = lines.next_line().unwrap().unwrap();
        assert_eq!((next.bytes.as_slice(), next.number), (&b"ok"[..], 2));
    }
}
