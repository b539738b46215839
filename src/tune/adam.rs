//! The optimiser: steps of a size that adapts to each parameter.

/// Adam over parameters that all have the same natural size.
//
// CITE: Adam, Diederik Kingma and Jimmy Ba, https://arxiv.org/abs/1412.6980
#[derive(Clone, Debug)]
pub struct Adam {
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

/// How much of the mean gradient, and of its mean square, a step keeps.
const KEEP_MEAN: f64 = 0.9;
const KEEP_SQUARE: f64 = 0.999;
/// Keeps quotients finite where a parameter is never used.
const EPSILON: f64 = 1e-12;

impl Adam {
    /// An optimiser that has seen nothing.
    pub fn new(parameters: usize) -> Self {
        Self { mean: vec![0.0; parameters], square: vec![0.0; parameters], steps: 0 }
    }

    /// Moves each parameter against its gradient, by about `rate` at most.
    pub fn step(&mut self, parameters: &mut [f64], gradient: &[f64], rate: f64) {
        self.steps += 1;
        let mean_share = 1.0 - KEEP_MEAN.powi(self.steps);
        let square_share = 1.0 - KEEP_SQUARE.powi(self.steps);
        for (number, parameter) in parameters.iter_mut().enumerate() {
            let change = gradient[number];
            let mean = &mut self.mean[number];
            let square = &mut self.square[number];
            *mean = KEEP_MEAN * *mean + (1.0 - KEEP_MEAN) * change;
            *square = KEEP_SQUARE * *square + (1.0 - KEEP_SQUARE) * change * change;
            let size = (*square / square_share).sqrt() + EPSILON;
            *parameter -= rate * (*mean / mean_share) / size;
        }
    }
}
