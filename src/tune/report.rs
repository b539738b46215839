//! What a fit changed, and how well the evaluation predicts results before and after.

use super::Curve;
use super::loss::{Objective, sigmoid};
use super::parameter::Parameters;

/// A parameter and what became of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// Its name.
    pub name: String,
    /// The value before.
    pub before: f64,
    /// The value after.
    pub after: f64,
    /// The change in units of the parameter.
    pub units: f64,
    /// How much it counts in a position of the data, on the average.
    pub usage: f64,
}

/// All changes, the largest (by its unit) first; what did not change is left out.
pub fn changes(parameters: &Parameters, values: &[f64], usage: &[f64]) -> Vec<Change> {
    let mut changes: Vec<Change> = parameters
        .list
        .iter()
        .enumerate()
        .filter(|&(index, parameter)| parameter.value.round() != values[index].round())
        .map(|(index, parameter)| Change {
            name: parameter.name.clone(),
            before: parameter.value,
            after: values[index],
            units: (values[index] - parameter.value) / parameter.unit,
            usage: usage[index],
        })
        .collect();
    // Stable: equal ones keep the order of the parameters.
    changes.sort_by(|one, other| other.units.abs().total_cmp(&one.units.abs()));
    changes
}

/// Positions that are predicted alike, and their results.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Bucket {
    /// Positions.
    pub count: usize,
    /// Their mean predicted result.
    pub predicted: f64,
    /// Their mean result.
    pub actual: f64,
}

/// How many equal parts the predictions from 0 to 1 are sorted into.
pub const BUCKETS: usize = 20;

/// Predicted against actual results.
pub fn calibration<C: Curve + ?Sized>(
    objective: &Objective<'_, C>,
    numbers: &[u32],
    values: &[f64],
) -> Vec<Bucket> {
    let mut buckets = vec![Bucket::default(); BUCKETS];
    for &number in numbers {
        let number = number as usize;
        let predicted = sigmoid(objective.scale * objective.evaluate(number, values));
        let bucket = &mut buckets[((predicted * BUCKETS as f64) as usize).min(BUCKETS - 1)];
        bucket.count += 1;
        bucket.predicted += predicted;
        bucket.actual += f64::from(objective.samples.outcome(number).result);
    }
    for bucket in buckets.iter_mut().filter(|bucket| bucket.count > 0) {
        bucket.predicted /= bucket.count as f64;
        bucket.actual /= bucket.count as f64;
    }
    buckets
}
