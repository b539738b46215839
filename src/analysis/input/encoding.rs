//! Text encodings: UTF-8 unless a name is given; games find theirs by which one gives legal moves (see `pgn`).

use encoding_rs::{BIG5, Encoding, GB18030, UTF_8};

use crate::analysis::job::{InputError, column_at};

/// The encodings that are tried for a game, the likeliest first.
pub(super) const CANDIDATES: [&Encoding; 3] = [UTF_8, GB18030, BIG5];

/// The encoding of a name or label (`utf-8`, `gbk`, `gb18030`, `big5`, ...).
pub fn named(name: &str) -> Option<&'static Encoding> {
    Encoding::for_label(name.as_bytes())
}

/// The text of a line.
///
/// # Errors
/// Bytes that the encoding does not have, with the column of the first of them.
pub(super) fn decode_line(
    bytes: &[u8],
    encoding: Option<&'static Encoding>,
) -> Result<String, InputError> {
    let encoding = encoding.unwrap_or(UTF_8);
    if encoding == UTF_8 {
        return match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(error) => {
                let good = error.valid_up_to();
                let before = std::str::from_utf8(&bytes[..good]).expect("checked by from_utf8");
                Err(InputError::new(
                    column_at(before, good),
                    format!(
                        "byte 0x{:02X} is not UTF-8; save the file as UTF-8, or name its encoding \
                         with --encoding gbk or --encoding big5",
                        bytes[good]
                    ),
                ))
            }
        };
    }
    let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
    if had_errors {
        let at = text.find(char::REPLACEMENT_CHARACTER).unwrap_or(0);
        return Err(InputError::new(
            column_at(&text, at),
            format!("bytes that are not {}; name the right --encoding", encoding.name()),
        ));
    }
    Ok(text.into_owned())
}

/// The text of a game, bad bytes replaced, and whether there were any.
pub(super) fn decode_lossy(bytes: &[u8], encoding: &'static Encoding) -> (String, bool) {
    let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
    (text.into_owned(), had_errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_bytes_are_named_with_their_column() {
        let error = decode_line(b"a\xe9\xa6\xacb\xff", None).unwrap_err();
        assert_eq!(error.column, 4);
        assert!(error.message.contains("0xFF"), "{}", error.message);
        assert_eq!(decode_line(b"\xb0\xa8", named("big5")).unwrap(), "馬");
        assert_eq!(decode_line(b"\xc2\xed", named("gbk")).unwrap(), "马");
        assert!(decode_line(b"\xff\xff", named("big5")).is_err());
        assert!(named("klingon").is_none());
    }
}
