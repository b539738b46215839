//! Scores of positions: centipawns, distances to mate, and decisions by a repetition rule.
//!
//! All scores are from the view of the side to move. Three bands share one integer, so that a search can compare them:
//!
//! ```text
//!      0 ..= 24,999   static evaluation, centipawns
//! 25,000 ..= 28,000   won by a rule (perpetual check or chase) after (28,000 - score) plies
//! 29,000 ..= 32,000   mate after (32,000 - score) plies
//! ```

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A score in centipawns from the view of the side to move; see the module for its three bands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

/// Longest distance in plies from the root that a mate or rule score can express.
pub const MAX_PLY: usize = 1000;

const MATE: i32 = 32_000;
const RULE_WIN: i32 = 28_000;
const BAND: i32 = 3_000;
const MAX_STATIC: i32 = RULE_WIN - BAND - 1;

/// What a score says, for output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreKind {
    /// Static or searched evaluation in centipawns.
    Centipawns(i32),
    /// The side to move mates (positive) or is mated (negative) in so many plies; 0 plies (mated now) is `Mate(0)`.
    Mate(i32),
    /// The side to move wins (positive) or loses (negative) by a repetition rule after so many plies.
    Rule(i32),
}

/// How a searched score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    /// The score is exact.
    #[default]
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

impl Score {
    /// An even position.
    pub const ZERO: Self = Self(0);
    /// Greater than every score of a position.
    pub const INFINITE: Self = Self(MATE + 1);

    /// A static evaluation, cut to the band of static scores.
    pub const fn centipawns(value: i32) -> Self {
        if value > MAX_STATIC {
            Self(MAX_STATIC)
        } else if value < -MAX_STATIC {
            Self(-MAX_STATIC)
        } else {
            Self(value)
        }
    }

    /// Whether a static evaluation lies at the border of its band, where [`Score::centipawns`] may have cut it.
    pub(crate) const fn may_be_cut(self) -> bool {
        self.0.abs() >= MAX_STATIC
    }

    /// The side to move wins by mate (or by taking the last royal) `plies` from the root.
    pub const fn mate_in(plies: usize) -> Self {
        Self(MATE - plies as i32)
    }

    /// The side to move is mated `plies` from the root.
    pub const fn mated_in(plies: usize) -> Self {
        Self(plies as i32 - MATE)
    }

    /// The side to move wins by a repetition rule `plies` from the root.
    pub const fn rule_win_in(plies: usize) -> Self {
        Self(RULE_WIN - plies as i32)
    }

    /// The side to move loses by a repetition rule `plies` from the root.
    pub const fn rule_loss_in(plies: usize) -> Self {
        Self(plies as i32 - RULE_WIN)
    }

    /// The bare integer, for arithmetic and storage. It fits 16 bits.
    pub const fn get(self) -> i32 {
        self.0
    }

    /// The inverse of [`Score::get`], cut to the range of scores.
    pub const fn from_raw(raw: i32) -> Self {
        if raw > MATE + 1 {
            Self(MATE + 1)
        } else if raw < -MATE - 1 {
            Self(-MATE - 1)
        } else {
            Self(raw)
        }
    }

    /// Whether the score is won or lost by mate.
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= MATE - BAND && self.0.abs() <= MATE
    }

    /// Whether the score is won or lost by mate or by a rule: not a static evaluation.
    pub const fn is_decisive(self) -> bool {
        self.0.abs() > MAX_STATIC
    }

    /// What the score says.
    pub const fn kind(self) -> ScoreKind {
        let size = self.0.abs();
        let sign = if self.0 < 0 { -1 } else { 1 };
        if size >= MATE - BAND {
            ScoreKind::Mate(sign * (MATE - size))
        } else if size > MAX_STATIC {
            ScoreKind::Rule(sign * (RULE_WIN - size))
        } else {
            ScoreKind::Centipawns(self.0)
        }
    }

    /// A score counted from the root, as stored in a table at `ply`: decisive distances become distances from the node.
    pub const fn to_table(self, ply: usize) -> Self {
        if !self.is_decisive() {
            self
        } else if self.0 > 0 {
            Self(self.0 + ply as i32)
        } else {
            Self(self.0 - ply as i32)
        }
    }

    /// The inverse of [`Score::to_table`].
    pub const fn from_table(self, ply: usize) -> Self {
        if !self.is_decisive() {
            self
        } else if self.0 > 0 {
            Self(self.0 - ply as i32)
        } else {
            Self(self.0 + ply as i32)
        }
    }
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    fn add(self, centipawns: i32) -> Self {
        Self::from_raw(self.0 + centipawns)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    fn sub(self, centipawns: i32) -> Self {
        Self::from_raw(self.0 - centipawns)
    }
}

impl fmt::Display for Score {
    /// `35`, `-120`, `mate 3` (moves of the winner, UCI style), `rule -4` (plies).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ScoreKind::Centipawns(value) => write!(f, "{value}"),
            ScoreKind::Mate(plies) => write!(f, "mate {}", mate_moves(plies, self.0)),
            ScoreKind::Rule(plies) => write!(f, "rule {plies}"),
        }
    }
}

/// Mate distance in full moves of the winner: `2n - 1` plies for the winner, `2n` for the loser, are `n` and `-n`.
const fn mate_moves(plies: i32, raw: i32) -> i32 {
    if raw > 0 { (plies + 1) / 2 } else { plies / 2 }
}

impl Score {
    /// Distance to mate in full moves, positive if the side to move mates, negative (or 0: mated now) if it is mated.
    pub const fn mate_moves(self) -> Option<i32> {
        match self.kind() {
            ScoreKind::Mate(plies) => Some(mate_moves(plies, self.0)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_distance_is_odd_for_the_winner_and_even_for_the_loser() {
        for moves in 1..50 {
            assert_eq!(Score::mate_in(2 * moves - 1).mate_moves(), Some(moves as i32));
            assert_eq!(Score::mated_in(2 * moves).mate_moves(), Some(-(moves as i32)));
        }
        assert_eq!(Score::mated_in(0).mate_moves(), Some(0));
    }

    #[test]
    fn bands_do_not_touch() {
        assert!(Score::centipawns(i32::MAX / 2) < Score::rule_win_in(MAX_PLY));
        assert!(Score::rule_win_in(0) < Score::mate_in(MAX_PLY));
        assert_eq!(Score::rule_loss_in(7).kind(), ScoreKind::Rule(-7));
        assert_eq!(Score::mate_in(7).to_table(3).from_table(3), Score::mate_in(7));
    }
}
