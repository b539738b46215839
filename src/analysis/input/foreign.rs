//! Files of kinds that are not read, recognised by how they begin, so that the message can name the kind and the remedy.

/// How files of a kind begin, what they are, and what to do with them.
const KINDS: [(&[u8], &str); 15] = [
    (b"\x1f\x8b", "the file is packed by gzip; unpack it first"),
    (b"PK\x03\x04", "the file is packed by zip; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "the file is packed by zstd; unpack it first"),
    (b"\xfd7zXZ\0", "the file is packed by xz; unpack it first"),
    (b"BZh", "the file is packed by bzip2; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "the file is packed by 7-Zip; unpack it first"),
    (b"Rar!", "the file is packed by RAR; unpack it first"),
    (b"\xff\xfe", "the text is UTF-16; save it as UTF-8"),
    (b"\xfe\xff\0", "the text is UTF-16; save it as UTF-8"),
    (b"CCBridge", "games of CCBridge are not read; save them as PGN there"),
    (
        b"\x89KYOGAM\x1a",
        "this is a file of training data; `kyokumen data export` writes its positions as text",
    ),
    (b"FORMAT WXF", WXF),
    (b"FORMAT\tWXF", WXF),
    (b"[DhtmlXQ", "games in DhtmlXQ (UBB) text are not read; save them as PGN"),
    (b"[dhtmlxq", "games in DhtmlXQ (UBB) text are not read; save them as PGN"),
];

const WXF: &str = "the head of a WXF file is not read; leave only its moves (C2=5 H8+7 ...)";

/// Why a file that begins so is not read, and the remedy; `None` for what may be a text of ours.
pub fn foreign(head: &[u8]) -> Option<&'static str> {
    // XQF: two letters and the version, which is no letter.
    if head.starts_with(b"XQ") && head.get(2).is_some_and(u8::is_ascii_control) {
        return Some("games of XQStudio (XQF) are not read; save them as PGN there");
    }
    let text = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head).trim_ascii_start();
    let (_, message) =
        KINDS.iter().find(|(start, _)| head.starts_with(start) || text.starts_with(start))?;
    Some(message)
}

/// Whether a text begins as a JSON array does.
pub(super) fn is_json_array(first_line: &str) -> bool {
    let inner = first_line.trim_start().strip_prefix('[').map(str::trim_start);
    inner.is_some_and(|inner| inner.is_empty() || inner.starts_with(['{', '[', ']', '"']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_known_by_their_beginning() {
        let check = |head: &[u8], part: &str| {
            let message = foreign(head).unwrap_or_else(|| panic!("{part} is not recognised"));
            assert!(message.contains(part), "{message}");
        };
        check(b"\x1f\x8b\x08\0", "gzip");
        check(b"XQ\x0a\0", "XQF");
        check(b"\xff\xfe4\0", "UTF-16");
        check(b"\xfe\xff\x004", "UTF-16");
        check(b"\xef\xbb\xbf\n[DhtmlXQ]\n", "DhtmlXQ");
        for text in ["", "XQ", "[Event \"x\"]", "4k4/9 w", "{\"fen\"", "BCE", "h2e2"] {
            assert_eq!(foreign(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn an_array_is_not_a_tag() {
        for text in ["[", "[]", "[{\"fen\"", " [ [", "[\"a\""] {
            assert!(is_json_array(text), "{text}");
        }
        for text in ["[Event \"x\"]", "[ FEN \"x\"]", "{", "", "x["] {
            assert!(!is_json_array(text), "{text}");
        }
    }
}
