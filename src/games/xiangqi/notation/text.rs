//! Characters and excerpts: what all readers of this folder share.

/// The most characters of bad text that a message repeats.
const EXCERPT: usize = 20;

/// The ASCII form of a full-width character, wide space or typographic dash; others stay.
pub(super) fn ascii_of(letter: char) -> char {
    match letter {
        '\u{FF01}'..='\u{FF5E}' => {
            char::from_u32(letter as u32 - 0xFEE0).expect("the range maps onto printable ASCII")
        }
        '\u{3000}' => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        _ => letter,
    }
}

/// The start of a text, short and printable, to be quoted in a message.
pub(super) fn excerpt(text: &str) -> String {
    let mut letters = text.chars();
    let mut short: String = letters
        .by_ref()
        .take(EXCERPT)
        .map(|letter| if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter })
        .collect();
    if letters.next().is_some() {
        short.push('…');
    }
    short
}
