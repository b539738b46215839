//! Positions as the fit sees them: sparse features, packed one after another, with result and score.

use crate::game::GameResult;

/// The features of one position from the first player's view:
///
/// ```text
/// evaluation = curve(constant + sum(coefficient * weight) + sum(coefficient * factor * weight)) + sum(coefficient * weight)
///                               plain                       products                              outer
/// ```
///
/// A weight that is a pair counts as `middle * first + (1 - middle) * second`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Features {
    /// How much the first weights of pairs count, from 0 to 1.
    pub middle: f32,
    /// Which curve the sum goes through.
    pub shape: u8,
    /// What no parameter changes.
    pub constant: f32,
    /// Features and coefficients.
    pub plain: Vec<(u16, f32)>,
    /// Factors (parameters that are no pairs), features and coefficients.
    pub products: Vec<(u16, u16, f32)>,
    /// What is added after the curve.
    pub outer: Vec<(u16, f32)>,
}

impl Features {
    /// Forgets a position.
    pub fn clear(&mut self) {
        (self.middle, self.shape, self.constant) = (0.0, 0, 0.0);
        self.plain.clear();
        self.products.clear();
        self.outer.clear();
    }
}

/// What is known of a position beside its features.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// The game it is from: positions of one game are never parted by the split.
    pub game: u32,
    /// What the first player made of the game: 1, 0.5 or 0.
    pub result: f32,
    /// The searched score from the first player's view in centipawns, if there is one.
    pub score: Option<i16>,
}

/// What a finished game is worth to the first player; `None` if it is not finished.
pub fn points(result: GameResult) -> Option<f32> {
    match result {
        GameResult::First => Some(1.0),
        GameResult::Second => Some(0.0),
        GameResult::Draw => Some(0.5),
        GameResult::None => None,
    }
}

#[derive(Clone, Copy, Debug)]
struct Head {
    /// Where its features start, and its factors.
    start: usize,
    factors: usize,
    plain: u16,
    products: u16,
    outer: u16,
    shape: u8,
    middle: f32,
    constant: f32,
    outcome: Outcome,
}

/// Many positions: 6 bytes for each feature (2 more with a factor) and a head of fixed size each.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    heads: Vec<Head>,
    indices: Vec<u16>,
    coefficients: Vec<f32>,
    factors: Vec<u16>,
}

/// A position of [`Samples`].
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    head: &'a Head,
    indices: &'a [u16],
    coefficients: &'a [f32],
    factors: &'a [u16],
}

impl Samples {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a position.
    ///
    /// # Panics
    /// If it has more than 65,535 features of a sort.
    pub fn push(&mut self, features: &Features, outcome: Outcome) {
        let count = |length: usize| u16::try_from(length).expect("a position has few features");
        self.heads.push(Head {
            start: self.indices.len(),
            factors: self.factors.len(),
            plain: count(features.plain.len()),
            products: count(features.products.len()),
            outer: count(features.outer.len()),
            shape: features.shape,
            middle: features.middle,
            constant: features.constant,
            outcome,
        });
        let mut add = |index, coefficient| {
            self.indices.push(index);
            self.coefficients.push(coefficient);
        };
        features.plain.iter().for_each(|&(index, coefficient)| add(index, coefficient));
        features.products.iter().for_each(|&(_, index, coefficient)| add(index, coefficient));
        features.outer.iter().for_each(|&(index, coefficient)| add(index, coefficient));
        self.factors.extend(features.products.iter().map(|&(factor, _, _)| factor));
    }

    /// Adds all positions of others behind its own.
    pub fn append(&mut self, other: &Self) {
        let (start, factors) = (self.indices.len(), self.factors.len());
        self.heads.extend(other.heads.iter().map(|head| Head {
            start: head.start + start,
            factors: head.factors + factors,
            ..*head
        }));
        self.indices.extend_from_slice(&other.indices);
        self.coefficients.extend_from_slice(&other.coefficients);
        self.factors.extend_from_slice(&other.factors);
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.heads)
            + size_of_val(&*self.indices)
            + size_of_val(&*self.coefficients)
            + size_of_val(&*self.factors)
    }

    /// The position of a number.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline]
    pub fn get(&self, number: usize) -> Sample<'_> {
        let head = &self.heads[number];
        let count = usize::from(head.plain) + usize::from(head.products) + usize::from(head.outer);
        let range = head.start..head.start + count;
        Sample {
            head,
            indices: &self.indices[range.clone()],
            coefficients: &self.coefficients[range],
            factors: &self.factors[head.factors..head.factors + usize::from(head.products)],
        }
    }

    /// What is known of a position.
    pub fn outcome(&self, number: usize) -> Outcome {
        self.heads[number].outcome
    }
}

impl Sample<'_> {
    /// How much the first weights of pairs count.
    #[inline]
    pub fn middle(&self) -> f64 {
        f64::from(self.head.middle)
    }

    /// Which curve the sum goes through.
    #[inline]
    pub fn shape(&self) -> u8 {
        self.head.shape
    }

    /// What no parameter changes.
    #[inline]
    pub fn constant(&self) -> f64 {
        f64::from(self.head.constant)
    }

    fn part(&self, from: usize, count: u16) -> impl Iterator<Item = (usize, f64)> {
        let range = from..from + usize::from(count);
        let indices = self.indices[range.clone()].iter().map(|&index| usize::from(index));
        indices.zip(self.coefficients[range].iter().map(|&number| f64::from(number)))
    }

    /// Features and coefficients that count in the sum.
    #[inline]
    pub fn plain(&self) -> impl Iterator<Item = (usize, f64)> {
        self.part(0, self.head.plain)
    }

    /// Factors, features and coefficients that count in the sum.
    #[inline]
    pub fn products(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let part = self.part(usize::from(self.head.plain), self.head.products);
        let factors = self.factors.iter().map(|&factor| usize::from(factor));
        factors.zip(part).map(|(factor, (index, coefficient))| (factor, index, coefficient))
    }

    /// Features and coefficients that are added behind the curve.
    #[inline]
    pub fn outer(&self) -> impl Iterator<Item = (usize, f64)> {
        let from = usize::from(self.head.plain) + usize::from(self.head.products);
        self.part(from, self.head.outer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_give_back_what_was_put_in() {
        let features = Features {
            middle: 0.25,
            shape: 2,
            constant: -3.0,
            plain: vec![(1, 2.0), (7, -1.5)],
            products: vec![(9, 3, 0.5)],
            outer: vec![(8, 1.0)],
        };
        let outcome = Outcome { game: 4, result: 0.5, score: Some(-12) };
        let mut other = Samples::new();
        other.push(&features, outcome);
        let mut samples = Samples::new();
        samples.push(&Features::default(), Outcome { game: 3, ..outcome });
        samples.append(&other);
        samples.append(&other);
        assert_eq!(samples.len(), 3);
        for number in [1, 2] {
            let sample = samples.get(number);
            assert_eq!(sample.plain().collect::<Vec<_>>(), [(1, 2.0), (7, -1.5)]);
            assert_eq!(sample.products().collect::<Vec<_>>(), [(9, 3, 0.5)]);
            assert_eq!(sample.outer().collect::<Vec<_>>(), [(8, 1.0)]);
            assert_eq!((sample.middle(), sample.shape(), sample.constant()), (0.25, 2, -3.0));
            assert_eq!(samples.outcome(number), outcome);
        }
        assert_eq!(samples.get(0).plain().count(), 0);
    }
}
