//! The sequential probability ratio test: plays until the results decide between two hypotheses about the Elo difference.
//!
//! The generalised test: for each hypothesis the most likely distribution of pair results that fulfils it is found; the
//! log-likelihood ratio (LLR) of the two is compared with bounds that follow from the error rates.
//
// CITE: A Practical Introduction to the GSPRT, Michel Van den Bergh, https://www.cantate.be/Fishtest/GSPRT_approximation.pdf
// CITE: Comments on Normalized Elo, Michel Van den Bergh, https://www.cantate.be/Fishtest/normalized_elo_practical.pdf

use std::str::FromStr;

use serde::Serialize;

use super::statistics::{Pentanomial, expected_score, moments};

/// Put for a count of 0, so that an unseen result stays possible.
const UNSEEN: f64 = 1e-3;

/// How Elo bounds are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// By the expected score.
    #[default]
    Logistic,
    /// By the expected score in units of its spread, so that a test takes as long with many draws as with few.
    Normalized,
}

/// A test of two hypotheses.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    /// Elo difference of the null hypothesis.
    pub elo0: f64,
    /// Elo difference of the alternative, greater than `elo0`.
    pub elo1: f64,
    /// Chance to accept the alternative wrongly.
    pub alpha: f64,
    /// Chance to accept the null hypothesis wrongly.
    pub beta: f64,
    /// What the differences mean.
    pub model: EloModel,
}

/// How a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// More games are needed.
    Undecided,
    /// The null hypothesis stands: the difference is not as large as `elo1`.
    AcceptsNull,
    /// The alternative holds: the difference is larger than `elo0`.
    AcceptsAlternative,
}

impl Sprt {
    /// The LLR at which the null hypothesis is accepted, and that of the alternative.
    pub fn bounds(&self) -> (f64, f64) {
        let Self { alpha, beta, .. } = self;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The log-likelihood ratio of the alternative against the null hypothesis; 0 without pairs.
    pub fn llr(&self, results: &Pentanomial) -> f64 {
        if results.pairs() == 0 {
            return 0.0;
        }
        let counts = results.0.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let values = [0.0, 0.25, 0.5, 0.75, 1.0];
        let seen: Vec<(f64, f64)> =
            values.into_iter().zip(counts.map(|count| count / total)).collect();
        let [null, alternative] = [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => likeliest_with_mean(&seen, expected_score(elo)),
            EloModel::Normalized => {
                // A pair is two games: its score spreads less by the root of two.
                let per_deviation = 800.0 / std::f64::consts::LN_10;
                likeliest_with_ratio(&seen, elo / per_deviation * std::f64::consts::SQRT_2)
            }
        });
        let ratio: f64 = seen
            .iter()
            .zip(null.iter().zip(&alternative))
            .map(|(&(_, share), (null, alternative))| share * (alternative / null).ln())
            .sum();
        total * ratio
    }

    /// How the test stands at a log-likelihood ratio.
    pub fn decision(&self, llr: f64) -> Decision {
        let (lower, upper) = self.bounds();
        if llr <= lower {
            Decision::AcceptsNull
        } else if llr >= upper {
            Decision::AcceptsAlternative
        } else {
            Decision::Undecided
        }
    }
}

/// Probabilities with a given mean under which `seen` is likeliest.
fn likeliest_with_mean(seen: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let deviations: Vec<f64> = seen.iter().map(|&(value, _)| value - mean).collect();
    tilted(seen, &deviations)
}

/// Probabilities whose mean is `ratio` standard deviations above an even score, under which `seen` is likeliest.
///
/// The constraint is not linear, so it is made linear at the last answer, again and again.
fn likeliest_with_ratio(seen: &[(f64, f64)], ratio: f64) -> Vec<f64> {
    const ROUNDS: usize = 50;
    const SETTLED: f64 = 1e-9;
    let mut shares = vec![1.0 / seen.len() as f64; seen.len()];
    for _ in 0..ROUNDS {
        let now: Vec<(f64, f64)> =
            seen.iter().zip(&shares).map(|(&(value, _), &share)| (value, share)).collect();
        let (mean, variance) = moments(&now);
        let deviation = variance.sqrt();
        let slopes: Vec<f64> = seen
            .iter()
            .map(|&(value, _)| {
                let place = (mean - value) / deviation;
                value - 0.5 - ratio * deviation * (1.0 + place * place) / 2.0
            })
            .collect();
        let next = tilted(seen, &slopes);
        let change = next.iter().zip(&shares).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        shares = next;
        if change < SETTLED {
            break;
        }
    }
    shares
}

/// The likeliest probabilities under which the mean of `slopes` is zero: `share / (1 + x * slope)` for the right `x`.
fn tilted(seen: &[(f64, f64)], slopes: &[f64]) -> Vec<f64> {
    let lowest = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if lowest >= 0.0 || highest <= 0.0 {
        // No probabilities fulfil the constraint; those seen are as good as any.
        return seen.iter().map(|&(_, share)| share).collect();
    }
    // The sum falls from plus to minus infinity between the two poles.
    let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
    const HALVINGS: usize = 200;
    for _ in 0..HALVINGS {
        let x = f64::midpoint(low, high);
        let sum: f64 = seen
            .iter()
            .zip(slopes)
            .map(|(&(_, share), slope)| share * slope / (1.0 + x * slope))
            .sum();
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    let x = f64::midpoint(low, high);
    seen.iter().zip(slopes).map(|(&(_, share), slope)| share / (1.0 + x * slope)).collect()
}

impl FromStr for Sprt {
    type Err = String;

    /// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic`; the last three may be left out.
    fn from_str(text: &str) -> Result<Self, String> {
        let (mut elo0, mut elo1) = (None, None);
        let mut sprt =
            Self { elo0: 0.0, elo1: 0.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic };
        for part in text.split([',', ' ']).filter(|part| !part.is_empty()) {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| format!("'{part}' has no value; write elo0=0,elo1=5"))?;
            if name == "model" {
                sprt.model = match value {
                    "logistic" => EloModel::Logistic,
                    "normalized" | "normalised" => EloModel::Normalized,
                    _ => return Err(format!("model '{value}' is neither logistic nor normalized")),
                };
                continue;
            }
            let number: f64 = value
                .parse()
                .ok()
                .filter(|number: &f64| number.is_finite())
                .ok_or_else(|| format!("'{value}' of {name} is no number"))?;
            match name {
                "elo0" => elo0 = Some(number),
                "elo1" => elo1 = Some(number),
                "alpha" => sprt.alpha = number,
                "beta" => sprt.beta = number,
                _ => {
                    return Err(format!(
                        "unknown name '{name}'; the names are elo0, elo1, alpha, beta, model"
                    ));
                }
            }
        }
        let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
            return Err("elo0 and elo1 are needed, such as elo0=0,elo1=5".to_owned());
        };
        if elo0 >= elo1 {
            return Err(format!("elo0 ({elo0}) must be less than elo1 ({elo1})"));
        }
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        if !is_rate(sprt.alpha) || !is_rate(sprt.beta) {
            return Err("alpha and beta must be between 0 and 0.5".to_owned());
        }
        Ok(Self { elo0, elo1, ..sprt })
    }
}
