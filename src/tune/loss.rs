//! The logistic loss of an evaluation over positions, and its gradient.
//!
//! ```text
//! p    = 1 / (1 + exp(-K * evaluation))              predicted result of the first player
//! t    = blend * result + (1 - blend) / (1 + exp(-K * score))
//! loss = -mean(t * ln(p) + (1 - t) * ln(1 - p))      so that d loss / d evaluation = K * (p - t)
//! ```

use rayon::prelude::*;

use super::Curve;
use super::sample::{Sample, Samples};

/// Positions whose gradients are summed by one task. The size is fixed, and sums of shards are added in order, so that the
/// number of threads does not show in the result.
const SHARD: usize = 512;

/// The chance of a win (draws counted as half) that a number of units of the logistic curve stands for.
pub fn sigmoid(value: f64) -> f64 {
    if value >= 0.0 {
        1.0 / (1.0 + (-value).exp())
    } else {
        let power = value.exp();
        power / (1.0 + power)
    }
}

/// The loss where `value` units predict a result of `target`.
pub fn cross_entropy(value: f64, target: f64) -> f64 {
    // ln(1 + exp(v)) - t v, without overflow.
    value.max(0.0) - target * value + (-value.abs()).exp().ln_1p()
}

/// An evaluation and what its results are compared with.
#[derive(Clone, Copy)]
pub struct Objective<'a, C: ?Sized> {
    /// The curve of the evaluation.
    pub curve: &'a C,
    /// The number of pairs among the parameters.
    pub pairs: usize,
    /// All positions.
    pub samples: &'a Samples,
    /// Units of the logistic curve for a centipawn.
    pub scale: f64,
    /// How much the result of the game counts against the searched score, from 0 to 1.
    pub blend: f64,
}

impl<C: Curve + ?Sized> Objective<'_, C> {
    /// What the position of a number should be predicted as.
    pub fn target(&self, number: usize) -> f64 {
        let outcome = self.samples.outcome(number);
        let result = f64::from(outcome.result);
        match outcome.score {
            Some(score) => {
                let expected = sigmoid(self.scale * f64::from(score));
                self.blend * result + (1.0 - self.blend) * expected
            }
            None => result,
        }
    }

    /// The evaluation of a position in centipawns, from the first player's view.
    #[inline]
    pub fn evaluate(&self, number: usize, values: &[f64]) -> f64 {
        let sample = self.samples.get(number);
        let sum = self.sum(sample, values);
        self.curve.shaped(sample.shape(), sum, values).value + self.outer(sample, values)
    }

    #[inline]
    fn weight(&self, index: usize, middle: f64, values: &[f64]) -> f64 {
        if index < self.pairs {
            middle * values[2 * index] + (1.0 - middle) * values[2 * index + 1]
        } else {
            values[index + self.pairs]
        }
    }

    #[inline]
    fn sum(&self, sample: Sample<'_>, values: &[f64]) -> f64 {
        let middle = sample.middle();
        let plain = sample.plain();
        let plain: f64 =
            plain.map(|(index, times)| times * self.weight(index, middle, values)).sum();
        let products: f64 = sample
            .products()
            .map(|(factor, index, times)| {
                times * self.weight(factor, middle, values) * self.weight(index, middle, values)
            })
            .sum();
        sample.constant() + plain + products
    }

    #[inline]
    fn outer(&self, sample: Sample<'_>, values: &[f64]) -> f64 {
        let middle = sample.middle();
        sample.outer().map(|(index, times)| times * self.weight(index, middle, values)).sum()
    }

    /// Adds the change of one position's loss with each parameter to `gradient`, and gives the loss.
    fn add_gradient(&self, number: usize, values: &[f64], gradient: &mut [f64]) -> f64 {
        let sample = self.samples.get(number);
        let middle = sample.middle();
        let shaped = self.curve.shaped(sample.shape(), self.sum(sample, values), values);
        let value = self.scale * (shaped.value + self.outer(sample, values));
        let target = self.target(number);
        let slope = self.scale * (sigmoid(value) - target);
        let mut add = |index: usize, change: f64| {
            if index < self.pairs {
                gradient[2 * index] += middle * change;
                gradient[2 * index + 1] += (1.0 - middle) * change;
            } else {
                gradient[index + self.pairs] += change;
            }
        };
        let inner = slope * shaped.slope;
        sample.plain().for_each(|(index, times)| add(index, inner * times));
        for (factor, index, times) in sample.products() {
            add(index, inner * times * self.weight(factor, middle, values));
            add(factor, inner * times * self.weight(index, middle, values));
        }
        sample.outer().for_each(|(index, times)| add(index, slope * times));
        if let Some((parameter, change)) = shaped.parameter {
            gradient[parameter] += slope * change;
        }
        cross_entropy(value, target)
    }

    /// The mean loss over some positions.
    pub fn loss(&self, numbers: &[u32], values: &[f64]) -> f64 {
        self.mean(numbers, |number| {
            let value = self.scale * self.evaluate(number, values);
            cross_entropy(value, self.target(number))
        })
    }

    /// The mean loss over some positions if only results count, for comparing fits with different blends.
    pub fn result_loss(&self, numbers: &[u32], values: &[f64]) -> f64 {
        self.mean(numbers, |number| {
            let value = self.scale * self.evaluate(number, values);
            cross_entropy(value, f64::from(self.samples.outcome(number).result))
        })
    }

    /// The root mean square of the evaluations of some positions: how large a centipawn is.
    pub fn spread(&self, numbers: &[u32], values: &[f64]) -> f64 {
        self.mean(numbers, |number| self.evaluate(number, values).powi(2)).sqrt()
    }

    fn mean(&self, numbers: &[u32], of: impl Fn(usize) -> f64 + Sync) -> f64 {
        let sums: Vec<f64> = numbers
            .par_chunks(SHARD)
            .map(|shard| shard.iter().map(|&number| of(number as usize)).sum())
            .collect();
        sums.iter().sum::<f64>() / numbers.len().max(1) as f64
    }

    /// The mean loss over some positions and its change with each parameter.
    pub fn gradient(&self, numbers: &[u32], values: &[f64]) -> (f64, Vec<f64>) {
        let shards: Vec<(f64, Vec<f64>)> = numbers
            .par_chunks(SHARD)
            .map(|shard| {
                let mut gradient = vec![0.0; values.len()];
                let losses = shard
                    .iter()
                    .map(|&number| self.add_gradient(number as usize, values, &mut gradient));
                (losses.sum(), gradient)
            })
            .collect();
        let mut loss = 0.0;
        let mut total = vec![0.0; values.len()];
        for (part, gradient) in shards {
            loss += part;
            total.iter_mut().zip(gradient).for_each(|(total, part)| *total += part);
        }
        let count = numbers.len().max(1) as f64;
        total.iter_mut().for_each(|change| *change /= count);
        (loss / count, total)
    }

    /// How much each parameter counts in some positions: the mean size of its coefficient.
    pub fn usage(&self, numbers: &[u32], parameters: usize) -> Vec<f64> {
        let mut usage = vec![0.0; parameters];
        for &number in numbers {
            let sample = self.samples.get(number as usize);
            let plain = sample.plain().chain(sample.outer());
            let products = sample
                .products()
                .flat_map(|(factor, index, times)| [(factor, times), (index, times)]);
            for (index, times) in plain.chain(products) {
                if index < self.pairs {
                    usage[2 * index] += times.abs() * sample.middle();
                    usage[2 * index + 1] += times.abs() * (1.0 - sample.middle());
                } else {
                    usage[index + self.pairs] += times.abs();
                }
            }
        }
        let count = numbers.len().max(1) as f64;
        usage.iter_mut().for_each(|usage| *usage /= count);
        usage
    }
}
