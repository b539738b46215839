//! Fonts that people have, and which characters these can show.

/// Font families for Latin text.
pub const LATIN: &str =
    "'Noto Sans', 'DejaVu Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";

/// Font families for Japanese characters: Linux, macOS and Windows, brush-like before plain.
const JAPANESE: &str = "'Noto Serif CJK JP', 'Noto Serif JP', 'Source Han Serif JP', 'Source Han Serif', 'Yu Mincho', \
    YuMincho, 'Hiragino Mincho ProN', 'MS Mincho', 'Noto Sans CJK JP', 'Noto Sans JP', 'Source Han Sans', IPAMincho, \
    'Droid Sans Fallback', 'WenQuanYi Zen Hei', 'WenQuanYi Micro Hei', serif";

/// Font families for traditional Chinese characters.
const CHINESE: &str = "'Noto Serif CJK TC', 'Noto Serif TC', 'Source Han Serif TC', 'Source Han Serif', 'Kaiti TC', \
    'Songti TC', PMingLiU, MingLiU, 'Noto Sans CJK TC', 'Noto Sans TC', 'Source Han Sans TC', 'PingFang TC', \
    'Microsoft JhengHei', SimSun, 'Droid Sans Fallback', 'WenQuanYi Zen Hei', 'WenQuanYi Micro Hei', serif";

/// The font families for the characters of a language.
pub fn han(language: &str) -> &'static str {
    if language.starts_with("zh") { CHINESE } else { JAPANESE }
}

/// Whether fonts that people have can show a text of Chinese characters: it is not empty, and every character is in the first
/// block of unified ideographs (U+4E00 to U+9FFF).
///
/// Later blocks are missing in many fonts of Windows and macOS, and descriptions of characters (such as `⿰古寺`) are no
/// characters at all.
pub fn has_common_characters(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter))
}

/// The width of a text in a Latin font of size 1: near enough to break lines.
pub fn width(text: &str) -> f64 {
    text.chars()
        .map(|letter| match letter {
            'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | 'I' | ' ' | '(' | ')' => 0.32,
            'm' | 'w' | 'M' | 'W' => 0.88,
            'A'..='Z' => 0.67,
            '\u{2e80}'.. => 1.0,
            _ => 0.56,
        })
        .sum()
}

/// A text in lines that are no wider than `limit` in a font of size 1.
pub fn wrap(text: &str, limit: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + width(" ") + width(word) <= limit => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_characters_are_told_from_common_ones() {
        for common in ["玉将", "四天王", "鷦"] {
            assert!(has_common_characters(common), "{common}");
        }
        for rare in ["", "?", "遊䳇", "𠵇犬", "仙⿱而鷦", "P"] {
            assert!(!has_common_characters(rare), "{rare}");
        }
    }

    #[test]
    fn lines_keep_to_their_width_and_lose_no_word() {
        let text = "Slides any distance forward, and up to three squares sideways.";
        let lines = wrap(text, 14.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line) <= 14.0), "{lines:?}");
        assert_eq!(lines.join(" "), text);
        assert!(wrap(" ", 5.0).is_empty());
    }
}
