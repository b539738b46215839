//! The scale constant: how many units of the logistic curve a centipawn is, so that the present evaluation predicts the
//! results as well as it can.

use super::Curve;
use super::loss::{Objective, sigmoid};
use super::sample::Samples;

/// Bounds of the scale: a centipawn that decides games, and a thousand pawns that hardly do.
const LEAST: f64 = 1e-6;
const MOST: f64 = 0.1;

/// The scale that predicts the results of some positions best, by these weights.
///
/// The loss is convex in the scale, so its slope has at most one zero, which bisection finds; without one (say, if every
/// evaluation is zero) there is none: `None`.
pub fn fit(
    curve: &(impl Curve + ?Sized),
    pairs: usize,
    samples: &Samples,
    numbers: &[u32],
    values: &[f64],
) -> Option<f64> {
    let objective = Objective { curve, pairs, samples, scale: 1.0, blend: 1.0 };
    let points: Vec<(f64, f64)> = numbers
        .iter()
        .map(|&number| {
            let number = number as usize;
            (objective.evaluate(number, values), f64::from(samples.outcome(number).result))
        })
        .collect();
    let slope = |scale: f64| -> f64 {
        points.iter().map(|&(value, result)| value * (sigmoid(scale * value) - result)).sum()
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
