//! Chances to win, draw and lose, made from a score.
//!
//! The chance of a win is `1 / (1 + exp((150 - cp) / 110))`, that of a loss the same for `-cp`, the rest are draws: a
//! logistic curve on either side of the draw. The two numbers are an estimate, meant to make scores comparable and not a
//! promise; an even position is drawn 59 times in 100. Games decided by mate or by a rule are certain.

use crate::score::{Score, ScoreKind};

/// The score that wins half of the games, centipawns.
const HALF_WON: f64 = 150.0;
/// Centipawns by which the odds of a win change by a factor of e.
const SCALE: f64 = 110.0;

/// Chances of the side to move, in thousandths; together 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chances {
    /// The side to move wins.
    pub win: u32,
    /// Nobody wins.
    pub draw: u32,
    /// The side to move loses.
    pub loss: u32,
}

impl Chances {
    /// The chances behind a score.
    pub fn of(score: Score) -> Self {
        let won = |centipawns: f64| {
            (1000.0 / (1.0 + ((HALF_WON - centipawns) / SCALE).exp())).round() as u32
        };
        let (win, loss) = match score.kind() {
            ScoreKind::Centipawns(value) => (won(f64::from(value)), won(-f64::from(value))),
            ScoreKind::Mate(_) | ScoreKind::Rule(_) if score > Score::ZERO => (1000, 0),
            ScoreKind::Mate(_) | ScoreKind::Rule(_) => (0, 1000),
        };
        Self { win, draw: 1000 - win - loss, loss }
    }

    /// Win, draw and loss, in this order.
    pub const fn to_array(self) -> [u32; 3] {
        [self.win, self.draw, self.loss]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_mirror_and_grow() {
        let mut last = 0;
        for raw in -32_000..=32_000 {
            let (ours, theirs) =
                (Chances::of(Score::from_raw(raw)), Chances::of(Score::from_raw(-raw)));
            assert_eq!(ours.win + ours.draw + ours.loss, 1000);
            assert!(ours.win >= last);
            last = ours.win;
            if raw != 0 {
                assert_eq!((ours.win, ours.loss), (theirs.loss, theirs.win));
            }
        }
        assert_eq!(Chances::of(Score::mate_in(3)).to_array(), [1000, 0, 0]);
        assert_eq!(Chances::of(Score::rule_loss_in(3)).to_array(), [0, 0, 1000]);
    }
}
