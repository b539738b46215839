//! All weights of xiangqi: the search's numbers and those of the evaluation, and the tables made of them.

use serde::{Deserialize, Serialize};

use super::exchange::ExchangeValues;
use super::piece::{Kind, PIECES, Piece};
use super::square::{SQUARES, Square};
use crate::game::Side;
use crate::search::params::{RangeError, SearchParams};

/// A weight in centipawns for the middle game and for the end game; positions in between get a mixture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Weight(pub i32, pub i32);

/// Piece-square weights: files a to e (the board is symmetric), from the own back rank (first) to the enemy's.
pub type Placement = [[i32; 5]; 10];

/// The weights of the evaluation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// Worth of a piece by kind: general, advisor, elephant, horse, chariot, cannon, soldier.
    pub material: [Weight; 7],
    /// Worth in exchanges by kind.
    pub exchange: [i32; 7],
    /// What a point adds in the middle game, by kind.
    pub placement_middle: [Placement; 7],
    /// What a point adds in the end game, by kind.
    pub placement_end: [Placement; 7],
    /// A chariot, by number of points it reaches (0 to 17).
    pub chariot_mobility: [Weight; 18],
    /// A horse, by number of points it reaches.
    pub horse_mobility: [Weight; 9],
    /// A cannon, for each point it reaches.
    pub cannon_mobility: Weight,
    /// A chariot on a file without own soldiers.
    pub open_file: Weight,
    /// Two chariots protecting each other.
    pub linked_chariots: Weight,
    /// Two soldiers side by side beyond the river.
    pub linked_soldiers: Weight,
    /// Two horses protecting each other.
    pub linked_horses: Weight,
    /// A cannon that faces the enemy general along a file with nothing between.
    pub hollow_cannon: Weight,
    /// A cannon on the enemy general's file with two pieces between.
    pub central_cannon: Weight,
    /// A cannon on the enemy back rank, aiming along it past at most two pieces.
    pub bottom_cannon: Weight,
    /// A chariot on the file of the enemy general with one piece between, or on the files beside it in the enemy half.
    pub rib_chariot: Weight,
    /// Each point of the enemy palace that a piece attacks, by kind.
    pub palace_attack: [Weight; 7],
    /// Percent of the palace attacks that count, by number of attacking pieces.
    pub attackers_percent: [i32; 7],
    /// Each missing advisor, for each enemy chariot.
    pub missing_advisor: Weight,
    /// Each missing elephant, for each enemy cannon.
    pub missing_elephant: Weight,
    /// Having lost both advisors.
    pub no_advisors: Weight,
    /// A piece attacked by one that costs less: horses and cannons by soldiers, chariots by any other.
    pub threat: Weight,
    /// A horse or cannon attacked by a chariot, horse or cannon.
    pub loose: Weight,
    /// The right to move.
    pub tempo: i32,
    /// Percent of the score that remains when the better side has at most one piece and no soldier that could attack.
    pub drawish_percent: i32,
}

/// The numbers of xiangqi as a parameter file holds them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Numbers {
    /// The search.
    pub search: SearchParams,
    /// The evaluation.
    pub weights: Weights,
}

/// Middle and end game weight in one number: both are added at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Packed(i32);

impl Packed {
    pub(super) const ZERO: Self = Self(0);

    pub(super) const fn new(weight: Weight) -> Self {
        Self((weight.0 << 16) + weight.1)
    }

    /// The middle game half.
    pub(super) const fn middle(self) -> i32 {
        // The end game half may have borrowed from it.
        (self.0 + 0x8000) >> 16
    }

    /// The end game half.
    pub(super) const fn end(self) -> i32 {
        self.0 as i16 as i32
    }
}

impl std::ops::Add for Packed {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl std::ops::AddAssign for Packed {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl std::ops::Sub for Packed {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl std::ops::Mul<i32> for Packed {
    type Output = Self;
    fn mul(self, factor: i32) -> Self {
        Self(self.0 * factor)
    }
}

/// The numbers of xiangqi with the tables that are made of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Numbers", into = "Numbers")]
pub struct Params {
    numbers: Numbers,
    pub(super) exchange: ExchangeValues,
    /// Material and placement by piece and square, from the piece's own side's view.
    pub(super) squares: Box<[[Packed; SQUARES]; PIECES]>,
    pub(super) compiled: Compiled,
}

/// The weights of [`Weights`], packed.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    pub(super) material: [Packed; 7],
    pub(super) chariot_mobility: [Packed; 18],
    pub(super) horse_mobility: [Packed; 9],
    pub(super) cannon_mobility: Packed,
    pub(super) open_file: Packed,
    pub(super) linked_chariots: Packed,
    pub(super) linked_soldiers: Packed,
    pub(super) linked_horses: Packed,
    pub(super) hollow_cannon: Packed,
    pub(super) central_cannon: Packed,
    pub(super) bottom_cannon: Packed,
    pub(super) rib_chariot: Packed,
    pub(super) palace_attack: [Packed; 7],
    pub(super) missing_advisor: Packed,
    pub(super) missing_elephant: Packed,
    pub(super) no_advisors: Packed,
    pub(super) threat: Packed,
    pub(super) loose: Packed,
}

impl Params {
    /// Makes the tables of the numbers.
    ///
    /// # Errors
    /// A search number that is out of its range.
    pub fn new(numbers: Numbers) -> Result<Self, RangeError> {
        numbers.search.check()?;
        let weights = &numbers.weights;
        let mut squares = Box::new([[Packed::ZERO; SQUARES]; PIECES]);
        for side in Side::ALL {
            for kind in Kind::ALL {
                for square in Square::all() {
                    let own = if side == Side::First { square } else { square.rotated() };
                    let file = own.file().min(8 - own.file());
                    let index = kind.index();
                    let Weight(middle, end) = weights.material[index];
                    squares[Piece::new(side, kind).index()][square.index()] = Packed::new(Weight(
                        middle + weights.placement_middle[index][own.rank()][file],
                        end + weights.placement_end[index][own.rank()][file],
                    ));
                }
            }
        }
        let compiled = Compiled {
            material: weights.material.map(Packed::new),
            chariot_mobility: weights.chariot_mobility.map(Packed::new),
            horse_mobility: weights.horse_mobility.map(Packed::new),
            cannon_mobility: Packed::new(weights.cannon_mobility),
            open_file: Packed::new(weights.open_file),
            linked_chariots: Packed::new(weights.linked_chariots),
            linked_soldiers: Packed::new(weights.linked_soldiers),
            linked_horses: Packed::new(weights.linked_horses),
            hollow_cannon: Packed::new(weights.hollow_cannon),
            central_cannon: Packed::new(weights.central_cannon),
            bottom_cannon: Packed::new(weights.bottom_cannon),
            rib_chariot: Packed::new(weights.rib_chariot),
            palace_attack: weights.palace_attack.map(Packed::new),
            missing_advisor: Packed::new(weights.missing_advisor),
            missing_elephant: Packed::new(weights.missing_elephant),
            no_advisors: Packed::new(weights.no_advisors),
            threat: Packed::new(weights.threat),
            loose: Packed::new(weights.loose),
        };
        let mut exchange = weights.exchange;
        // See `ExchangeValues`.
        exchange[Kind::General.index()] = 0;
        Ok(Self { exchange, squares, compiled, numbers })
    }

    /// The numbers.
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }
}

impl Default for Params {
    fn default() -> Self {
        Self::new(Numbers::default()).expect("the defaults are in range")
    }
}

impl TryFrom<Numbers> for Params {
    type Error = RangeError;
    fn try_from(numbers: Numbers) -> Result<Self, RangeError> {
        Self::new(numbers)
    }
}

impl From<Params> for Numbers {
    fn from(params: Params) -> Self {
        params.numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_halves_do_not_mix() {
        for middle in [-3000, -1, 0, 1, 3000] {
            for end in [-3000, -1, 0, 1, 3000] {
                let packed = Packed::new(Weight(middle, end)) + Packed::new(Weight(5, -7)) * 3;
                assert_eq!((packed.middle(), packed.end()), (middle + 15, end - 21));
            }
        }
    }

    #[test]
    fn parameter_files_round_trip_and_may_be_partial() {
        let params = Params::default();
        let text = serde_json::to_string(&params).unwrap();
        let read: Params = serde_json::from_str(&text).unwrap();
        assert_eq!(read.numbers(), params.numbers());
        let partial: Params = serde_json::from_str(r#"{"weights": {"tempo": 3}}"#).unwrap();
        assert_eq!(partial.numbers().weights.tempo, 3);
        assert!(serde_json::from_str::<Params>(r#"{"weights": {"temp": 3}}"#).is_err());
        let text = r#"{"search": {"history": {"bonus_max": 0}}}"#;
        assert!(serde_json::from_str::<Params>(text).is_err());
    }
}
