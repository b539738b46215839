//! Chances to win, draw and lose, made from a score.
//!
//! A logistic curve: at [`EVEN_WIN`] centipawns a game is won as often as not, and [`SPREAD`] says how fast the chance rises
//! around it. Losses are the mirror image, draws what is left. The two numbers are a rough guess by hand and not fitted to
//! games; they order scores, they do not forecast.

use crate::score::{Score, ScoreKind};

/// The score that wins half of the games, centipawns.
const EVEN_WIN: f64 = 220.0;
/// Centipawns from there to a chance of 73 percent.
const SPREAD: f64 = 90.0;

/// Chances in thousandths; together 1000.
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
        let won = |centipawns: f64| 1000.0 / (1.0 + ((EVEN_WIN - centipawns) / SPREAD).exp());
        let (win, loss) = match score.kind() {
            ScoreKind::Centipawns(value) => {
                let value = f64::from(value);
                (won(value).round() as u32, won(-value).round() as u32)
            }
            ScoreKind::Mate(_) | ScoreKind::Rule(_) if score > Score::ZERO => (1000, 0),
            ScoreKind::Mate(_) | ScoreKind::Rule(_) => (0, 1000),
        };
        Self { win, draw: 1000 - win - loss, loss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_mirror() {
        for raw in -32_000..=32_000 {
            let (ours, theirs) =
                (Chances::of(Score::from_raw(raw)), Chances::of(Score::from_raw(-raw)));
            assert_eq!(ours.win + ours.draw + ours.loss, 1000);
            if raw != 0 {
                assert_eq!((ours.win, ours.loss), (theirs.loss, theirs.win));
            }
        }
        assert_eq!(Chances::of(Score::mate_in(3)), Chances { win: 1000, draw: 0, loss: 0 });
        assert_eq!(Chances::of(Score::rule_loss_in(3)), Chances { win: 0, draw: 0, loss: 1000 });
    }
}
