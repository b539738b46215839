//! The parameters of a fit: names, present values, and how far each may sensibly go.

use std::ops::RangeInclusive;

/// A number that is fitted.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// What it is, for people.
    pub name: String,
    /// Its present value, to which the fit is drawn.
    pub value: f64,
    /// A change that is neither small nor large. Steps and the pull back to the present value are measured in it.
    pub unit: f64,
    /// Values that make sense.
    pub range: RangeInclusive<f64>,
    /// Whether it keeps its value.
    pub fixed: bool,
}

impl Parameter {
    /// A parameter without bounds.
    pub fn new(name: impl Into<String>, value: f64, unit: f64) -> Self {
        let range = f64::NEG_INFINITY..=f64::INFINITY;
        Self { name: name.into(), value, unit, range, fixed: false }
    }

    /// The parameter with bounds; its present value widens them.
    #[must_use]
    pub fn within(mut self, range: RangeInclusive<f64>) -> Self {
        self.range = range.start().min(self.value)..=range.end().max(self.value);
        self
    }

    /// The parameter, not to be fitted if so.
    #[must_use]
    pub fn fixed_if(mut self, fixed: bool) -> Self {
        self.fixed = fixed;
        self
    }
}

/// All parameters of a model.
///
/// The first come in pairs, a value for the middle game and one for the end game, which features name by one index. For
/// `pairs` pairs, feature `i` is the parameters `2 i` and `2 i + 1` if `i < pairs`, else the parameter `i + pairs`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Parameters {
    /// The number of pairs.
    pub pairs: usize,
    /// All parameters, those of pairs first.
    pub list: Vec<Parameter>,
}

impl Parameters {
    /// The present values.
    pub fn values(&self) -> Vec<f64> {
        self.list.iter().map(|parameter| parameter.value).collect()
    }

    /// The number of indices that features may name.
    pub fn feature_count(&self) -> usize {
        self.list.len() - self.pairs
    }
}
