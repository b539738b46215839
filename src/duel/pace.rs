//! How long an engine may think: by nodes, depth, time for each move, or a clock for the whole game.

use std::fmt;
use std::time::Duration;

/// The limits of every move of an engine. Whichever comes first ends a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pace {
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Deepest iteration, plies.
    pub depth: Option<u32>,
    /// Time for each move.
    pub movetime: Option<Duration>,
    /// Time for the game.
    pub control: Option<TimeControl>,
}

/// A clock: a base and what every move adds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// At the start.
    pub base: Duration,
    /// After each move.
    pub increment: Duration,
}

impl Pace {
    /// Whether there is no limit at all.
    pub const fn is_unlimited(&self) -> bool {
        self.nodes.is_none()
            && self.depth.is_none()
            && self.movetime.is_none()
            && self.control.is_none()
    }

    /// Whether results depend on time.
    pub const fn is_timed(&self) -> bool {
        self.movetime.is_some() || self.control.is_some()
    }

    /// This pace, or the other where this one has no limit.
    pub const fn or(self, other: Self) -> Self {
        if self.is_unlimited() { other } else { self }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.control.map(|control| format!("tc={control}")),
            self.movetime.map(|time| format!("movetime={}", time.as_millis())),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// Reads `BASE+INCREMENT` in seconds, fractions possible: `10+0.1`; the increment may be left out.
///
/// # Errors
/// The bad text with the remedy.
pub fn parse_control(text: &str) -> Result<TimeControl, String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let (base, increment) = (seconds(base)?, seconds(increment)?);
    if base.is_zero() && increment.is_zero() {
        return Err("a clock without time; write BASE+INCREMENT in seconds, such as 10+0.1".into());
    }
    Ok(TimeControl { base, increment })
}

fn seconds(text: &str) -> Result<Duration, String> {
    /// A year.
    const LONGEST: f64 = 365.0 * 24.0 * 3600.0;
    text.trim()
        .parse::<f64>()
        .ok()
        .filter(|seconds| (0.0..=LONGEST).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| {
            format!("'{text}' is no time; write BASE+INCREMENT in seconds, such as 10+0.1")
        })
}

/// Reads a count with an optional unit: `50000`, `200k`, `10M`.
///
/// # Errors
/// The bad text with the remedy.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let (number, factor) = match text.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&text[..at], 1_000),
        Some((at, 'm' | 'M')) => (&text[..at], 1_000_000),
        _ => (text, 1),
    };
    number
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(factor))
        .filter(|&count| count > 0)
        .ok_or_else(|| format!("'{text}' is no count; write it like 50000, 200k or 10M"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_in_seconds() {
        let control = parse_control("0.1+0.01").unwrap();
        assert_eq!(control.base, Duration::from_millis(100));
        assert_eq!(control.increment, Duration::from_millis(10));
        assert_eq!(control.to_string(), "0.1+0.01");
        assert_eq!(parse_control("60").unwrap().increment, Duration::ZERO);
        for bad in ["", "0", "x+1", "1+", "-1", "nan", "1e99"] {
            assert!(parse_control(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn counts_may_have_units() {
        assert_eq!(parse_count("200k"), Ok(200_000));
        for bad in ["", "0", "k", "1.5M", "99999999999999M"] {
            assert!(parse_count(bad).is_err(), "{bad}");
        }
    }
}
