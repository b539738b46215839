//! Fitting the weights of an evaluation to the results of games by logistic regression.
//!
//! A game takes part by [`Tunable`]: it lists its weights as [`parameter::Parameter`]s and says of a position with which coefficient each
//! of them counts. All else is generic:
//!
//! ```text
//! files of games -> sample (features of a position, result, score)      gather
//!                -> training games and held-out games                   split
//!                -> K of result = 1 / (1 + exp(-K * evaluation))        scale
//!                -> mini-batch Adam on all cores, early stop            fit, loss
//!                -> parameter file, largest changes, pictures           report, plot
//! ```
//!
//! The same data, settings and seed give the same weights, whatever the number of threads: gradients are summed over shards of
//! a fixed size in a fixed order.

pub mod adam;
pub mod fit;
pub mod gather;
pub mod loss;
pub mod parameter;
pub mod plot;
pub mod report;
pub mod sample;
pub mod scale;
pub mod split;

use crate::game::{Evaluate, Rules};
use parameter::Parameters;
use sample::Features;

/// A value and how it changes: what [`Curve::shaped`] makes of the sum of all features.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shaped {
    /// The value, centipawns.
    pub value: f64,
    /// Its change with the sum.
    pub slope: f64,
    /// A parameter that it depends on, and its change with that one.
    pub parameter: Option<(usize, f64)>,
}

/// What an evaluation does to the weighted sum of its features before it is a score, such as damping drawish positions.
pub trait Curve: Sync {
    /// The shaped sum, for one of the shapes that [`Features::shape`] named.
    fn shaped(&self, shape: u8, sum: f64, values: &[f64]) -> Shaped;
}

/// The weights of an evaluation, opened for fitting.
pub trait Model<G: Evaluate>: Curve {
    /// The parameters with their present values.
    fn parameters(&self) -> &Parameters;

    /// Says with which coefficients the parameters count in a position, from the first player's view. `features` is empty.
    fn features(&self, position: &G::Position, features: &mut Features);

    /// The numbers of the game with these values in place of the present ones. `usage` tells how much each parameter counted
    /// in the data, for weights that follow others by a rule.
    ///
    /// # Errors
    /// Values that the game refuses.
    fn rebuild(&self, values: &[f64], usage: &[f64]) -> Result<G::Params, String>;
}

/// A game whose evaluation can be fitted.
pub trait Tunable: Evaluate {
    /// Its weights.
    type Model: Model<Self>;

    /// The weights of these numbers, as they count under these rules.
    fn model(params: &Self::Params, rules: Rules<Self::RuleSet>) -> Self::Model;
}
