//! The fit: epochs of mini-batches, the held-out loss after each, and an end when it no longer falls.
//!
//! Every parameter is counted in its own unit from its present value, so one rate and one pull serve material and placement
//! alike. To the mean loss comes `pull / training games * sum(u * u)` over these distances `u`: the fewer games, the nearer to
//! the present weights. It is what tells apart weights that data cannot (a constant moved from placement to material changes
//! nothing).

use std::sync::atomic::{AtomicBool, Ordering};

use super::Curve;
use super::adam::Adam;
use super::loss::Objective;
use super::parameter::Parameters;
use super::split::Split;
use crate::random::Random;

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Most times that all training positions are used.
    pub epochs: u32,
    /// Positions for each step.
    pub batch: usize,
    /// Step of a parameter, in its units.
    pub rate: f64,
    /// Strength of the pull back to the present values.
    pub pull: f64,
    /// Epochs without a smaller held-out loss after which the fit ends; the rate is halved at each.
    pub patience: u32,
    /// Decides the order of positions.
    pub seed: u64,
}

/// The losses after an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// The number of the epoch; 0 is the start.
    pub number: u32,
    /// Mean loss over the training positions, without the pull; during the epoch, so it lags behind.
    pub training: f64,
    /// Mean loss over the positions held out (over the training positions if none are).
    pub held_out: f64,
    /// The rate of the epoch.
    pub rate: f64,
    /// Whether no epoch before had a smaller held-out loss.
    pub best: bool,
}

/// Why a fit ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All epochs are done.
    Epochs,
    /// The held-out loss fell no more.
    Patience,
    /// It was told to stop.
    Stopped,
}

/// What came of a fit.
#[derive(Clone, PartialEq, Debug)]
pub struct Fitted {
    /// The values with the smallest held-out loss.
    pub values: Vec<f64>,
    /// The losses from the start on.
    pub epochs: Vec<Epoch>,
    /// Why it ended.
    pub end: End,
}

/// Fits the parameters; `watch` is told of every epoch.
pub fn fit<C: Curve + ?Sized>(
    objective: &Objective<'_, C>,
    parameters: &Parameters,
    split: &Split,
    settings: &Settings,
    stop: &AtomicBool,
    mut watch: impl FnMut(&Epoch),
) -> Fitted {
    let judged = if split.held_out.is_empty() { &split.training } else { &split.held_out };
    let mut values = parameters.values();
    let mut best = values.clone();
    let mut best_loss = objective.loss(judged, &values);
    let training = objective.loss(&split.training, &values);
    let start = Epoch { number: 0, training, held_out: best_loss, rate: 0.0, best: true };
    watch(&start);
    let mut epochs = vec![start];
    let mut distances = vec![0.0; values.len()];
    let mut adam = Adam::new(values.len());
    let mut order = split.training.clone();
    let mut rate = settings.rate;
    let mut failures = 0;
    let pull = settings.pull / split.games[0].max(1) as f64;
    for number in 1..=settings.epochs {
        Random::new(settings.seed, 2 + u64::from(number)).shuffle(&mut order);
        let mut sum = 0.0;
        for batch in order.chunks(settings.batch.max(1)) {
            // Relaxed: the flag carries no data.
            if stop.load(Ordering::Relaxed) {
                return Fitted { values: best, epochs, end: End::Stopped };
            }
            let (loss, mut gradient) = objective.gradient(batch, &values);
            sum += loss * batch.len() as f64;
            for (index, parameter) in parameters.list.iter().enumerate() {
                gradient[index] = if parameter.fixed {
                    0.0
                } else {
                    gradient[index] * parameter.unit + 2.0 * pull * distances[index]
                };
            }
            adam.step(&mut distances, &gradient, rate);
            for (index, parameter) in parameters.list.iter().enumerate() {
                let (least, most) = (*parameter.range.start(), *parameter.range.end());
                values[index] =
                    (parameter.value + distances[index] * parameter.unit).clamp(least, most);
                distances[index] = (values[index] - parameter.value) / parameter.unit;
            }
        }
        let held_out = objective.loss(judged, &values);
        let improved = held_out < best_loss;
        let epoch = Epoch {
            number,
            training: sum / order.len().max(1) as f64,
            held_out,
            rate,
            best: improved,
        };
        watch(&epoch);
        epochs.push(epoch);
        if improved {
            best_loss = held_out;
            best.clone_from(&values);
            failures = 0;
        } else {
            failures += 1;
            rate /= 2.0;
            if failures >= settings.patience {
                return Fitted { values: best, epochs, end: End::Patience };
            }
        }
    }
    Fitted { values: best, epochs, end: End::Epochs }
}
