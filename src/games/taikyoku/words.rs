//! A move set in plain words.

use super::moveset::{MoveSet, UNLIMITED};
use super::ruleset::{RangeEnd, RangeLeap, Reading};

/// Directions in groups that have a name, the larger groups first. One bit a direction, 0 forward, clockwise.
const GROUPS: [(u8, &str); 16] = [
    (0b1111_1111, "in all eight directions"),
    (0b0101_0101, "orthogonally"),
    (0b1010_1010, "diagonally"),
    (0b0001_0001, "straight forward and backward"),
    (0b0100_0100, "sideways"),
    (0b1000_0010, "diagonally forward"),
    (0b0010_1000, "diagonally backward"),
    (0b0000_0001, "straight forward"),
    (0b0000_0010, "diagonally forward to the right"),
    (0b0000_0100, "to the right"),
    (0b0000_1000, "diagonally backward to the right"),
    (0b0001_0000, "straight backward"),
    (0b0010_0000, "diagonally backward to the left"),
    (0b0100_0000, "to the left"),
    (0b1000_0000, "diagonally forward to the left"),
    (0, ""),
];

/// A set of directions in words.
fn directions(mut mask: u8) -> String {
    let mut names = Vec::new();
    for (group, name) in GROUPS {
        if group != 0 && mask & group == group {
            names.push(name);
            mask &= !group;
        }
    }
    list(&names, "and")
}

/// Words with commas, and a word before the last.
fn list(words: &[impl AsRef<str>], word: &str) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} {word} {last}", rest.join(", ")),
    }
}

fn squares(range: u8) -> String {
    match range {
        UNLIMITED => "any distance".to_owned(),
        1 => "one square".to_owned(),
        _ => format!("up to {range} squares"),
    }
}

fn ordinal(number: u8) -> String {
    let ending = match number {
        2 => "nd",
        3 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// Items in groups of equal keys, in the order in which the keys first come.
fn grouped<K: PartialEq, T>(items: impl IntoIterator<Item = (K, T)>) -> Vec<(K, Vec<T>)> {
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    for (key, item) in items {
        match groups.iter_mut().find(|(other, _)| *other == key) {
            Some((_, members)) => members.push(item),
            None => groups.push((key, vec![item])),
        }
    }
    groups
}

fn mask(directions: &[u8]) -> u8 {
    directions.iter().fold(0, |mask, &direction| mask | 1 << direction)
}

/// A move set in sentences, as its owner sees it; `rank` is that of its range captures.
pub(super) fn sentences(moves: &MoveSet, rank: u8, reading: Reading) -> Vec<String> {
    let mut sentences = Vec::new();
    let slides = moves.slides.iter().zip(0u8..).filter(|(range, _)| **range != 0);
    let mut slides = grouped(slides.map(|(&range, direction)| (range, direction)));
    slides.sort_by_key(|(range, _)| std::cmp::Reverse(*range));
    for (range, members) in slides {
        let verb = if range == 1 { "Steps" } else { "Slides" };
        sentences.push(format!("{verb} {} {}.", squares(range), directions(mask(&members))));
    }
    leap_sentences(moves, &mut sentences);
    for ((pieces, capture_only), members) in
        grouped(moves.overs.iter().map(|over| ((over.pieces, over.capture_only), over.direction)))
    {
        let count = match pieces {
            UNLIMITED => "any number of pieces".to_owned(),
            1 => "one piece".to_owned(),
            _ => format!("at most {pieces} pieces"),
        };
        let end = if capture_only { ", but only if the move ends with a capture" } else { "" };
        let along = directions(mask(&members));
        sentences.push(format!(
            "Slides any distance {along} and may pass over {count} of either side, which stay{end}."
        ));
    }
    if moves.range_captures != 0 {
        let end = match reading.range_end {
            RangeEnd::EnemyOfAnyRank => {
                "it ends on an empty square or on an enemy of any rank, which is captured"
            }
            RangeEnd::LowerOfEitherSide => {
                "it ends on an empty square or on a piece of lower rank, also an own one, which is removed"
            }
        };
        sentences.push(format!(
            "Flies any distance {} over pieces of lower rank than its own ({rank}; 1 is the highest), friend or foe, and \
             removes them; {end}.",
            directions(moves.range_captures)
        ));
        if reading.range_leap == RangeLeap::Removes && !moves.leaps.is_empty() {
            sentences.push("Its leap also removes the pieces it leaps over.".to_owned());
        }
    }
    if moves.hooks != 0 {
        sentences.push(format!(
            "Slides any distance {} and may turn once by 90 degrees, either way, on an empty square to slide on; the first \
             capture ends the move.",
            directions(moves.hooks)
        ));
    }
    if moves.lion {
        sentences.push(
            "Moves as a lion: jumps to any square at distance one or two; or captures on an adjacent square and goes on with \
             a second step, which may capture too or return to the start; or steps to an empty adjacent square and back, \
             which is a pass."
                .to_owned(),
        );
    }
    if moves.igui != 0 {
        sentences.push(format!(
            "Captures an enemy on an adjacent square {} without moving.",
            directions(moves.igui)
        ));
    }
    if moves.pass {
        sentences
            .push("May step to an empty adjacent square and back, which is a pass.".to_owned());
    }
    sentences
}

fn leap_sentences(moves: &MoveSet, sentences: &mut Vec<String>) {
    let leaps = moves.leaps.iter();
    let by_square =
        grouped(leaps.map(|leap| ((leap.distance, leap.further, leap.must_go_on), leap.direction)));
    let by_directions =
        grouped(by_square.into_iter().map(|((distance, further, must), members)| {
            ((mask(&members), further, must), distance)
        }));
    for ((members, further, must), mut distances) in by_directions {
        distances.sort_unstable();
        let places: Vec<String> = distances.into_iter().map(ordinal).collect();
        let mut sentence = format!(
            "Leaps to the {} square {}, whatever stands between",
            list(&places, "or"),
            directions(members)
        );
        if further > 0 {
            let may = if must { "must" } else { "may" };
            let on = squares(further);
            sentence.push_str(&format!(
                ", and from there, if the square is empty, {may} slide on {on}"
            ));
        }
        sentences.push(sentence + ".");
    }
    if !moves.oblique.is_empty() {
        let places: Vec<String> =
            moves.oblique.iter().map(|&(right, ahead)| in_words(right, ahead)).collect();
        sentences
            .push(format!("Leaps to the square {}, whatever stands between.", list(&places, "or")));
    }
}

fn in_words(right: i8, ahead: i8) -> String {
    let side = if right > 0 { "right" } else { "left" };
    let way = if ahead > 0 { "forward" } else { "backward" };
    format!("{} {way} and {} {side}", ahead.abs(), right.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::taikyoku::RuleSet;
    use crate::games::taikyoku::{Kind, Table};

    fn words(text: &str) -> String {
        sentences(&MoveSet::parse(text).unwrap(), 2, RuleSet::Seed.reading()).join(" ")
    }

    #[test]
    fn parts_are_put_in_words() {
        let queen = words("s:F*,FR*,R*,BR*,B*,BL*,L*,FL*");
        assert_eq!(queen, "Slides any distance in all eight directions.");
        let gold = words("s:F1,FR1,R1,B1,L1,FL1");
        assert_eq!(gold, "Steps one square orthogonally and diagonally forward.");
        let eagle = words("s:F3 l:F2+*,F3+*,FR4");
        assert!(eagle.contains("Slides up to 3 squares straight forward."), "{eagle}");
        assert!(eagle.contains("to the 2nd or 3rd square straight forward"), "{eagle}");
        assert!(eagle.contains("may slide on any distance"), "{eagle}");
        assert!(eagle.contains("to the 4th square diagonally forward to the right"), "{eagle}");
        let knight = words("x:-1+2,+1+2");
        assert!(knight.contains("2 forward and 1 left or 2 forward and 1 right"), "{knight}");
        assert!(words("c:F").contains("rank than its own (2;"));
    }

    #[test]
    fn every_kind_has_words_for_every_direction() {
        for set in [RuleSet::Seed, RuleSet::Atsa] {
            for kind in Kind::all() {
                let sentences = sentences(Table::of(set).move_set(kind), 5, set.reading());
                assert!(!sentences.is_empty(), "{}", kind.info().code);
                for sentence in &sentences {
                    assert!(!sentence.contains("  ") && !sentence.contains(" ."), "{sentence}");
                }
            }
        }
        for set in 1..=u8::MAX {
            assert!(!directions(set).is_empty(), "{set:b}");
        }
    }
}
