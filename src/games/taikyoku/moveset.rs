//! The move column of the piece table: its grammar, read into a [`MoveSet`] as its owner sees it.
//!
//! ```text
//! moves  = part { " " part }            parts in the order s l x o c h a g p
//! part   = "s:" slide  {"," slide}      slide  = DIR RANGE
//!        | "l:" leap   {"," leap}       leap   = DIR N ["+" RANGE ["!"]]
//!        | "x:" vector {"," vector}     vector = SIGNED SIGNED            (right, forward)
//!        | "o:" over   {"," over}       over   = DIR COUNT ["!"]
//!        | "c:" DIR {"," DIR} | "h:" DIR {"," DIR} | "g:" DIR {"," DIR}
//!        | "a:2" | "p:1"
//! ```
//!
//! Two marks extend the grammar of the published table for the rule set `atsa`: `!` after the range of a leap means that the
//! leap must go on by at least one square, and `p:1` is a pass like the lion's.

use super::square::DIRECTION_NAMES;

/// A range without limit.
pub const UNLIMITED: u8 = u8::MAX;

/// A leap to an exact square of a line, with or without a slide after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leap {
    /// Direction, 0 forward, clockwise.
    pub direction: u8,
    /// The square of the line it lands on: 2 to 4.
    pub distance: u8,
    /// How far it may slide on from an empty landing square; 0: not at all, [`UNLIMITED`]: any distance.
    pub further: u8,
    /// Whether it must slide on by at least one square.
    pub must_go_on: bool,
}

/// A slide that may pass over pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OverSlide {
    /// Direction, 0 forward, clockwise.
    pub direction: u8,
    /// Pieces it may pass over; [`UNLIMITED`]: any number.
    pub pieces: u8,
    /// Whether passing over pieces is allowed only if the move ends with a capture.
    pub capture_only: bool,
}

/// All moves of a kind of piece, as its owner sees them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveSet {
    /// Range of the slide per direction; 0: none.
    pub slides: [u8; 8],
    /// Leaps along lines.
    pub leaps: Vec<Leap>,
    /// Oblique leaps: squares to the right, squares forward.
    pub oblique: Vec<(i8, i8)>,
    /// Over-slides.
    pub overs: Vec<OverSlide>,
    /// Directions of range captures, one bit each.
    pub range_captures: u8,
    /// First legs of hook moves, one bit each.
    pub hooks: u8,
    /// The lion's move: jumps, two steps with captures, capture without moving, pass.
    pub lion: bool,
    /// Directions of capture without moving, one bit each.
    pub igui: u8,
    /// Step to an empty adjacent square and back.
    pub pass: bool,
}

/// Why a move text is not valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveSetError {
    /// Where in the text, in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl MoveSet {
    /// Reads the move column of the table.
    ///
    /// # Errors
    /// The place and the reason.
    pub fn parse(text: &str) -> Result<Self, MoveSetError> {
        let mut set = Self::default();
        let mut last_part = None;
        let mut start = 0;
        for part in text.split(' ') {
            let fail = |offset: usize, message: String| MoveSetError {
                column: start + offset + 1,
                message,
            };
            let (name, list) = part
                .split_once(':')
                .ok_or_else(|| fail(0, format!("'{part}' is no part such as 's:F1'")))?;
            let order = "slxochagp"
                .find(name)
                .filter(|_| name.len() == 1)
                .ok_or_else(|| fail(0, format!("unknown part '{name}:'")))?;
            if last_part.is_some_and(|last| last >= order) {
                return Err(fail(0, format!("part '{name}:' is repeated or out of order")));
            }
            last_part = Some(order);
            let mut offset = 2;
            for item in list.split(',') {
                set.add(name, item).map_err(|message| fail(offset, message))?;
                offset += item.len() + 1;
            }
            start += part.len() + 1;
        }
        Ok(set)
    }

    fn add(&mut self, part: &str, item: &str) -> Result<(), String> {
        let bad = || format!("'{item}' is not valid in part '{part}:'");
        match part {
            "s" => {
                let (direction, rest) = split_direction(item).ok_or_else(bad)?;
                let range = parse_range(rest).ok_or_else(bad)?;
                if self.slides[direction] != 0 {
                    return Err(format!("direction of '{item}' is given twice"));
                }
                self.slides[direction] = range;
            }
            "l" => {
                let (direction, rest) = split_direction(item).ok_or_else(bad)?;
                let (distance, further) = match rest.split_once('+') {
                    Some((distance, further)) => (distance, Some(further)),
                    None => (rest, None),
                };
                let distance =
                    distance.parse().ok().filter(|d| (2..=4).contains(d)).ok_or_else(bad)?;
                let must_go_on = further.is_some_and(|text| text.ends_with('!'));
                let further = match further {
                    Some(text) => parse_range(text.trim_end_matches('!')).ok_or_else(bad)?,
                    None => 0,
                };
                let leap = Leap { direction: direction as u8, distance, further, must_go_on };
                let same = |l: &Leap| l.direction == leap.direction && l.distance == leap.distance;
                if self.leaps.iter().any(same) {
                    return Err(format!("leap '{item}' is given twice"));
                }
                self.leaps.push(leap);
            }
            "x" => {
                let split = item.rfind(['+', '-']).filter(|&at| at > 0).ok_or_else(bad)?;
                let number = |text: &str| {
                    text.parse::<i8>().ok().filter(|n| n.abs() <= 7 && text.starts_with(['+', '-']))
                };
                let vector = number(&item[..split]).zip(number(&item[split..])).ok_or_else(bad)?;
                let (right, forward) = vector;
                if right == 0 || forward == 0 || right.abs() == forward.abs() {
                    return Err(format!(
                        "'{item}' lies on a line; write it as a leap in part 'l:'"
                    ));
                }
                if self.oblique.contains(&vector) {
                    return Err(format!("leap '{item}' is given twice"));
                }
                self.oblique.push(vector);
            }
            "o" => {
                let (direction, rest) = split_direction(item).ok_or_else(bad)?;
                let capture_only = rest.ends_with('!');
                let pieces = parse_range(rest.strip_suffix('!').unwrap_or(rest)).ok_or_else(bad)?;
                if self.overs.iter().any(|over| usize::from(over.direction) == direction) {
                    return Err(format!("direction of '{item}' is given twice"));
                }
                self.overs.push(OverSlide { direction: direction as u8, pieces, capture_only });
            }
            "c" | "h" | "g" => {
                let (direction, rest) = split_direction(item).ok_or_else(bad)?;
                let mask = match part {
                    "c" => &mut self.range_captures,
                    "h" => &mut self.hooks,
                    _ => &mut self.igui,
                };
                if !rest.is_empty() || *mask & 1 << direction != 0 {
                    return Err(bad());
                }
                *mask |= 1 << direction;
            }
            "a" if item == "2" => self.lion = true,
            "p" if item == "1" => self.pass = true,
            _ => return Err(bad()),
        }
        Ok(())
    }

    /// What the move generator and the move notation cannot tell apart, if anything: two ways to one square with different
    /// captures, or combinations that no table has used so far.
    pub fn conflict(&self) -> Option<&'static str> {
        let captures = self.range_captures;
        let on_capture_line = |direction: u8| captures & 1 << direction != 0;
        if self.leaps.iter().any(|leap| on_capture_line(leap.direction))
            || self.overs.iter().any(|over| on_capture_line(over.direction))
        {
            return Some("a range capture and a leap or over-slide share a direction");
        }
        if (0..8u8)
            .any(|direction| on_capture_line(direction) && self.slides[direction as usize] != 0)
        {
            return Some("a range capture and a slide share a direction");
        }
        if captures != 0 && (self.lion || self.igui != 0) {
            return Some("a range capture is combined with a lion move or igui");
        }
        if self.hooks != 0
            && (captures != 0
                || self.lion
                || self.igui != 0
                || self.pass
                || !self.oblique.is_empty()
                || !self.leaps.is_empty()
                || !self.overs.is_empty())
        {
            return Some("a hook move is combined with more than slides");
        }
        if self.lion && (self.igui != 0 || self.pass) {
            return Some("a lion move already contains igui and pass");
        }
        None
    }
}

fn split_direction(item: &str) -> Option<(usize, &str)> {
    let length = item.bytes().take_while(u8::is_ascii_uppercase).count();
    let direction = DIRECTION_NAMES.iter().position(|&name| name == &item[..length])?;
    Some((direction, &item[length..]))
}

fn parse_range(text: &str) -> Option<u8> {
    match text {
        "*" => Some(UNLIMITED),
        _ => text.parse().ok().filter(|range| (1..=7).contains(range) && text.len() == 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_read() {
        let text = "s:F*,BL3 l:F2+*,R3,B2+*! x:-1+2 o:FR3,FL*! c:L h:BR a:2 g:F,BL p:1";
        let set = MoveSet::parse(text).unwrap();
        assert_eq!(set.slides, [UNLIMITED, 0, 0, 0, 0, 3, 0, 0]);
        assert_eq!(set.leaps.len(), 3);
        assert!(set.leaps[2].must_go_on && set.leaps[0].further == UNLIMITED);
        assert_eq!(set.oblique, [(-1, 2)]);
        assert!(set.overs[1].capture_only && set.overs[0].pieces == 3);
        assert_eq!((set.range_captures, set.hooks, set.igui), (1 << 6, 1 << 3, 1 | 1 << 5));
        assert!(set.lion && set.pass);
    }

    #[test]
    fn errors_name_the_place() {
        for (text, column) in [
            ("s:F1,XX2", 6),
            ("s:F1 q:F", 6),
            ("l:F2 s:F1", 6),
            ("s:F1,F2", 6),
            ("l:F9", 3),
            ("x:+1+1", 3),
            ("s", 1),
            ("s:F8", 3),
            ("a:3", 3),
            ("", 1),
            ("c:F,F", 5),
            ("s:é", 3),
            ("o:F", 3),
        ] {
            assert_eq!(MoveSet::parse(text).unwrap_err().column, column, "{text}");
        }
    }
}
