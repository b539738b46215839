//! Finds a kind by what people call it.

use super::catalog::{Kind, catalog};
use crate::game::Named;

/// Whose codes a text is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Codes {
    /// Our own.
    Native,
    /// The ATSA web client's.
    Atsa,
    /// The ones of jh85's engine.
    Jh85,
}

impl Named for Codes {
    const ALL: &'static [Self] = &[Self::Native, Self::Atsa, Self::Jh85];

    fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Atsa => "atsa",
            Self::Jh85 => "jh85",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Native => "the codes of the native position text",
            Self::Atsa => "the codes of the ATSA web client",
            Self::Jh85 => "the codes of jh85's engine",
        }
    }
}

/// Why a text names no kind, with the remedy.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct UnknownKind(String);

/// How many kinds an error suggests.
const SUGGESTIONS: usize = 5;

/// The kind of a code, of a name (English, romaji, kanji, or in yetiowin805's engine), or of the beginning of a name, without
/// regard to case.
///
/// # Errors
/// Nothing fits, or several kinds do: with the nearest ones.
pub fn find(text: &str, codes: Codes) -> Result<Kind, UnknownKind> {
    let text = text.trim();
    // A promoted piece in a position text.
    let code = text.strip_prefix('+').unwrap_or(text).trim_matches(['(', ')']).to_ascii_uppercase();
    let by_code = match codes {
        Codes::Native => Kind::from_code(&code),
        Codes::Atsa => catalog().from_atsa(&code),
        Codes::Jh85 => catalog()
            .from_jh85(&text.trim_matches(['(', ')']).to_ascii_uppercase())
            .or_else(|| catalog().from_jh85(&code)),
    };
    if let Some(kind) = by_code {
        return Ok(kind);
    }
    let wanted = folded(text);
    if wanted.is_empty() {
        return Err(UnknownKind(format!(
            "no kind of piece is called '{text}'; give a code or a name"
        )));
    }
    let named = |fits: &dyn Fn(&str) -> bool| -> Vec<Kind> {
        Kind::all()
            .filter(|kind| {
                let info = kind.info();
                let names = [&*info.name, &info.romaji, &info.kanji].into_iter();
                names.chain(info.other_names()).any(|name| fits(&folded(name)))
            })
            .collect()
    };
    let is_named_there = |kind: &Kind| folded(&kind.info().yetiowin805_name) == wanted;
    let mut found = named(&|name| name == wanted);
    if found.is_empty() {
        // Some of that engine's names are the usual ones of other kinds, so they come second.
        found = Kind::all().filter(is_named_there).collect();
    }
    if found.is_empty() {
        found = named(&|name| name.starts_with(&wanted));
    }
    match found[..] {
        [kind] => Ok(kind),
        [] => {
            let near = nearest(&wanted);
            let remedy = match near.is_empty() {
                true => "give a code, an English or a Japanese name".to_owned(),
                false => format!("the nearest are {}", listed(&near)),
            };
            Err(UnknownKind(format!("no kind of piece is called '{text}'; {remedy}")))
        }
        _ => Err(UnknownKind(format!("'{text}' may be {}; give the code", listed(&found)))),
    }
}

/// A name without case, blanks, hyphens, apostrophes and marks on letters.
fn folded(name: &str) -> String {
    name.chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .map(|letter| match letter {
            'ō' | 'ô' => 'o',
            'ū' | 'û' => 'u',
            'ā' | 'â' => 'a',
            'ē' | 'ê' => 'e',
            'ī' | 'î' => 'i',
            _ => letter,
        })
        .collect()
}

/// How like a name has to be to be suggested, from 0 to 1.
const LEAST_LIKENESS: f64 = 0.6;

/// The kinds whose code or name is nearest to a text, if any is near.
fn nearest(wanted: &str) -> Vec<Kind> {
    let mut kinds: Vec<(f64, Kind)> = Kind::all()
        .map(|kind| {
            let info = kind.info();
            let names = [&info.code, &info.name, &info.romaji, &info.kanji];
            let likeness = |name: &&String| strsim::jaro_winkler(&folded(name), wanted);
            (names.iter().map(likeness).fold(0.0, f64::max), kind)
        })
        .filter(|&(likeness, _)| likeness >= LEAST_LIKENESS)
        .collect();
    kinds.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    kinds.into_iter().take(SUGGESTIONS).map(|(_, kind)| kind).collect()
}

fn listed(kinds: &[Kind]) -> String {
    let name = |kind: &Kind| format!("{} ({})", kind.info().code, kind.info().name);
    let shown: Vec<String> = kinds.iter().take(SUGGESTIONS).map(name).collect();
    match kinds.len().saturating_sub(SUGGESTIONS) {
        0 => shown.join(", "),
        more => format!("{} or {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str, codes: Codes) -> String {
        find(text, codes).map_or_else(|error| error.to_string(), |kind| kind.info().code.clone())
    }

    #[test]
    fn codes_and_names_find_kinds() {
        for text in ["gg", "GG", "Great General", "great-general", "great gen", "大将", "+(gg)"] {
            assert_eq!(code(text, Codes::Native), "GG", "{text}");
        }
        assert_eq!(code("gyokusho", Codes::Native), "K");
        assert_eq!(code("FreeBaku", Codes::Native), "FT");
        for kind in Kind::all() {
            let info = kind.info();
            assert_eq!(find(&info.code, Codes::Native), Ok(kind));
            assert_eq!(find(&info.atsa_code, Codes::Atsa), Ok(kind), "{}", info.atsa_code);
            assert_eq!(find(&info.jh85_code, Codes::Jh85), Ok(kind), "{}", info.jh85_code);
        }
        assert_eq!(code("C", Codes::Atsa), "CA");
    }

    #[test]
    fn errors_suggest_what_may_be_meant() {
        let error = code("Great Generol", Codes::Native);
        assert!(error.contains("GG (Great General)"), "{error}");
        let error = code("great", Codes::Native);
        assert!(error.contains("may be") && error.contains("more"), "{error}");
        assert!(code("𠵇犬", Codes::Native).contains("HDR"));
        for text in ["", "+", "()", "'"] {
            assert!(find(text, Codes::Native).is_err(), "{text}");
        }
    }
}
