//! The window of scores that still matter: alpha and beta as one value.

use std::ops::Neg;

use crate::score::Score;

/// An open interval of scores from the view of the side to move: scores up to `alpha` and from `beta` on are only bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    alpha: Score,
    beta: Score,
}

impl Window {
    /// Every score matters.
    pub const FULL: Self =
        Self { alpha: Score::from_raw(-Score::INFINITE.get()), beta: Score::INFINITE };

    /// The window between two bounds.
    pub const fn new(alpha: Score, beta: Score) -> Self {
        Self { alpha, beta }
    }

    /// The window of width one above `alpha`, which only tells "more" from "not more".
    pub fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The window of width one below `beta`.
    pub fn below(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }

    /// The score that is already certain.
    pub const fn alpha(self) -> Score {
        self.alpha
    }

    /// The score that the opponent will not allow.
    pub const fn beta(self) -> Score {
        self.beta
    }

    /// Whether no score lies inside.
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// The part of the window between `low` and `high`.
    pub fn narrow(self, low: Score, high: Score) -> Self {
        Self { alpha: self.alpha.max(low), beta: self.beta.min(high) }
    }

    /// The window with a better certain score.
    pub fn raise(self, alpha: Score) -> Self {
        Self { alpha: self.alpha.max(alpha), ..self }
    }

    /// Whether the score is better than what is certain.
    pub fn improves(self, score: Score) -> bool {
        score > self.alpha
    }

    /// Whether the score is more than the opponent will allow.
    pub fn cuts(self, score: Score) -> bool {
        score >= self.beta
    }

    /// The zero-width window for all moves after the first.
    pub fn scout(self) -> Self {
        Self::above(self.alpha)
    }
}

impl Neg for Window {
    type Output = Self;
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negation_swaps_the_players() {
        let window = Window::new(Score::centipawns(-10), Score::centipawns(30));
        assert_eq!(-window, Window::new(Score::centipawns(-30), Score::centipawns(10)));
        assert_eq!(-Window::FULL, Window::FULL);
    }

    #[test]
    fn a_scout_window_holds_no_score() {
        let scout = Window::new(Score::ZERO, Score::centipawns(30)).scout();
        assert!(!scout.is_empty());
        assert!(scout.cuts(Score::centipawns(1)) && !scout.improves(Score::ZERO));
    }

    #[test]
    fn narrowing_may_empty_a_window() {
        let window = Window::new(Score::mate_in(3), Score::INFINITE);
        assert!(window.narrow(Score::mated_in(4), Score::mate_in(5)).is_empty());
    }
}
