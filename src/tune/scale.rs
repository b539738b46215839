//! The scale constant: how many units of the logistic curve a centipawn is.
//!
//! It is fitted to searched scores, not to static evaluations: these err more, so their best scale is too flat, and a fit by
//! that scale would blow up all weights against the margins of the search.

use super::loss::sigmoid;
use super::sample::Samples;

/// Bounds of the scale: a centipawn that decides games, and a thousand pawns that hardly do.
const LEAST: f64 = 1e-6;
const MOST: f64 = 0.1;

/// The scale by which the scores of some positions predict their results best; positions without a score do not count.
///
/// The loss is convex in the scale, so its slope has at most one zero, which bisection finds; without one (say, if every
/// score is zero) there is none: `None`.
pub fn fit(samples: &Samples, numbers: &[u32]) -> Option<f64> {
    let points: Vec<(f64, f64)> = numbers
        .iter()
        .filter_map(|&number| {
            let outcome = samples.outcome(number as usize);
            Some((f64::from(outcome.score?), f64::from(outcome.result)))
        })
        .collect();
    let slope = |scale: f64| -> f64 {
        points.iter().map(|&(score, result)| score * (sigmoid(scale * score) - result)).sum()
    };
    if slope(LEAST) >= 0.0 || slope(MOST) <= 0.0 {
        return None;
    }
    let (mut low, mut high) = (LEAST, MOST);
    for _ in 0..60 {
        let between = (low * high).sqrt();
        if slope(between) < 0.0 {
            low = between;
        } else {
            high = between;
        }
    }
    Some((low * high).sqrt())
}
