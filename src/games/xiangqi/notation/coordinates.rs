//! Moves as pairs of points: UCI `h2e2` and ICCS `H2-E2`, in any case, with or without the dash.

use super::text::excerpt;
use crate::games::xiangqi::moves::Move;
use crate::games::xiangqi::square::Square;

/// Writes `H2-E2`.
pub(super) fn format_iccs(mv: Move) -> String {
    format!("{}-{}", mv.from(), mv.to()).to_ascii_uppercase()
}

/// Reads two points. `None`: the text does not look like coordinates.
pub(super) fn read(letters: &[char]) -> Option<Result<Move, String>> {
    let (from, rest) = split_point(letters)?;
    let rest = rest.strip_prefix(&['-']).unwrap_or(rest);
    let (to, rest) = split_point(rest)?;
    Some(point(&from).and_then(|from| {
        let to = point(&to)?;
        if !rest.is_empty() {
            let surplus = excerpt(&rest.iter().collect::<String>());
            return Err(format!(
                "'{surplus}' follows the move; nothing promotes in xiangqi: write {from}{to}"
            ));
        }
        Ok(Move::new(from, to))
    }))
}

/// Splits off one letter and the digits behind it.
fn split_point(letters: &[char]) -> Option<(String, &[char])> {
    let (file, rest) = letters.split_first()?;
    let digits = rest.iter().take_while(|letter| letter.is_ascii_digit()).count();
    if !file.is_ascii_alphabetic() || digits == 0 {
        return None;
    }
    let point = letters[..=digits].iter().collect::<String>().to_ascii_lowercase();
    Some((point, &rest[digits..]))
}

fn point(text: &str) -> Result<Square, String> {
    Square::parse(text).ok_or_else(|| {
        format!("'{text}' is no point: files are a to i, ranks 0 (Red's back rank) to 9")
    })
}
