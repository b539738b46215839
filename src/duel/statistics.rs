//! What the results of game pairs say about strength: Elo with its error, and the likelihood of superiority.
//!
//! Two games from one opening are not independent, so results are counted by pairs: a pair brings 0, 1/2, 1, 3/2 or 2 points,
//! and the five counts (the pentanomial) tell the spread that error bars need.
//
// CITE: Normalized Elo and the pentanomial model, Michel Van den Bergh, https://www.cantate.be/Fishtest/normalized_elo.pdf

use serde::Serialize;

/// Standard errors of an interval that holds the true value in 95 of 100 cases.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// Pairs of games by the points of the first engine: 0, 1/2, 1, 3/2, 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts a pair, by twice the points of the first engine.
    ///
    /// # Panics
    /// If there are more than four half points.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The share of pairs with each result, with the result as a score from 0 to 1; `None` without pairs.
    pub(super) fn distribution(&self) -> Option<Vec<(f64, f64)>> {
        let pairs = self.pairs();
        (pairs > 0).then(|| {
            let share = |(result, &count): (usize, &u64)| {
                (result as f64 / 4.0, count as f64 / pairs as f64)
            };
            self.0.iter().enumerate().map(share).collect()
        })
    }

    /// What the pairs say; `None` without pairs.
    pub fn estimate(&self) -> Option<Estimate> {
        let (mean, variance) = moments(&self.distribution()?);
        Some(Estimate::new(mean, (variance / self.pairs() as f64).sqrt()))
    }
}

/// Mean and variance of a distribution of (value, probability).
pub(super) fn moments(distribution: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = distribution.iter().map(|&(value, share)| value * share).sum();
    let variance = distribution.iter().map(|&(value, share)| share * (value - mean).powi(2)).sum();
    (mean, variance)
}

/// Strength of the first engine against the second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Points for each game, from 0 to 1.
    pub score: f64,
    /// Elo difference; infinite if every point or none was won.
    pub elo: f64,
    /// Half the width of the 95 percent interval of Elo; `None` while all pairs ended alike, which tells no spread.
    pub elo_error: Option<f64>,
    /// The chance that the first engine is the stronger one; `None` likewise.
    pub superiority: Option<f64>,
}

impl Estimate {
    fn new(score: f64, standard_error: f64) -> Self {
        let has_spread = standard_error > 0.0;
        let reach = TWO_SIDED_95 * standard_error;
        let width = elo(score + reach) - elo(score - reach);
        Self {
            score,
            elo: elo(score),
            elo_error: has_spread.then_some(width / 2.0),
            superiority: has_spread.then(|| normal_cumulative((score - 0.5) / standard_error)),
        }
    }
}

/// The Elo difference that explains an expected score; infinite from 0 and 1 on.
pub fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        // Adding zero turns a negative zero into a plain one.
        -400.0 * (1.0 / score - 1.0).log10() + 0.0
    }
}

/// The expected score at an Elo difference: the inverse of [`elo`].
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The chance that a normally distributed value is below `x` standard deviations.
fn normal_cumulative(x: f64) -> f64 {
    0.5 * complementary_error(-x / std::f64::consts::SQRT_2)
}

/// The complementary error function, to about 12 digits: its Taylor series near zero, its continued fraction elsewhere.
fn complementary_error(x: f64) -> f64 {
    use std::f64::consts::PI;
    /// From here on the continued fraction converges fast.
    const NEAR: f64 = 2.5;
    const TERMS: i32 = 60;
    if x < 0.0 {
        return 2.0 - complementary_error(-x);
    }
    if x < NEAR {
        let mut term = x;
        let mut sum = x;
        for n in 1..TERMS {
            term *= -x * x / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        1.0 - 2.0 / PI.sqrt() * sum
    } else {
        let tail = (1..TERMS).rev().fold(x, |rest, n| x + f64::from(n) / 2.0 / rest);
        (-x * x).exp() / PI.sqrt() / tail
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_function_has_its_known_values() {
        let check = |x: f64, value: f64| {
            let found = complementary_error(x);
            assert!((found - value).abs() < 1e-11, "{x}: {found}, not {value}");
        };
        // Tables of the error function, as in Abramowitz and Stegun 7.1.
        check(0.0, 1.0);
        check(0.5, 0.479_500_122_186_953);
        check(1.0, 0.157_299_207_050_285);
        check(2.0, 0.004_677_734_981_047);
        check(3.0, 0.000_022_090_496_999);
        check(-1.0, 1.842_700_792_949_715);
    }

    #[test]
    fn scores_and_elo_are_inverse() {
        for difference in [-300.0, -5.0, 0.0, 120.0] {
            assert!((elo(expected_score(difference)) - difference).abs() < 1e-9);
        }
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert_eq!(elo(1.0), f64::INFINITY);
    }
}
