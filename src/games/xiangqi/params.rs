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

impl Default for Weights {
    fn default() -> Self {
        Self {
            material: [
                Weight(0, 0),
                Weight(115, 135),
                Weight(115, 125),
                Weight(400, 450),
                Weight(930, 1000),
                Weight(460, 420),
                Weight(55, 80),
            ],
            exchange: [0, 120, 120, 420, 950, 440, 90],
            placement_middle: [GENERAL, ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON, SOLDIER_MIDDLE],
            placement_end: [
                GENERAL_END,
                ADVISOR,
                ELEPHANT,
                HORSE_END,
                CHARIOT_END,
                CANNON_END,
                SOLDIER_END,
            ],
            chariot_mobility: CHARIOT_MOBILITY,
            horse_mobility: HORSE_MOBILITY,
            cannon_mobility: Weight(3, 3),
            open_file: Weight(12, 8),
            linked_chariots: Weight(12, 10),
            linked_soldiers: Weight(20, 28),
            linked_horses: Weight(18, 14),
            hollow_cannon: Weight(120, 70),
            central_cannon: Weight(32, 10),
            bottom_cannon: Weight(38, 20),
            rib_chariot: Weight(18, 12),
            palace_attack: [
                Weight(0, 0),
                Weight(0, 0),
                Weight(0, 0),
                Weight(10, 7),
                Weight(9, 6),
                Weight(7, 3),
                Weight(8, 10),
            ],
            attackers_percent: [0, 40, 90, 140, 180, 210, 230],
            missing_advisor: Weight(-16, -18),
            missing_elephant: Weight(-14, -10),
            no_advisors: Weight(-24, -16),
            threat: Weight(32, 26),
            loose: Weight(14, 12),
            tempo: 14,
            drawish_percent: 25,
        }
    }
}

const GENERAL: Placement = [
    [0, 0, 0, 2, 12],
    [0, 0, 0, -22, -18],
    [0, 0, 0, -40, -34],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
];

const GENERAL_END: Placement = [
    [0, 0, 0, 2, 8],
    [0, 0, 0, -2, 6],
    [0, 0, 0, -10, -4],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
];

const ADVISOR: Placement = [
    [0, 0, 0, 4, 0],
    [0, 0, 0, 0, 10],
    [0, 0, 0, -10, 0],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
];

const ELEPHANT: Placement = [
    [0, 0, 4, 0, 0],
    [0; 5],
    [-14, 0, 0, 0, 14],
    [0; 5],
    [0, 0, -4, 0, 0],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
    [0; 5],
];

const HORSE: Placement = [
    [-30, -32, -18, -20, -30],
    [-16, -14, -6, -6, -50],
    [-10, -4, 4, 0, 2],
    [-4, 6, 6, 10, 8],
    [2, 18, 14, 22, 20],
    [6, 22, 26, 30, 26],
    [14, 30, 34, 38, 34],
    [16, 28, 46, 40, 30],
    [10, 24, 52, 26, 8],
    [4, 4, 16, 6, 0],
];

const HORSE_END: Placement = [
    [-26, -22, -14, -14, -20],
    [-14, -10, -4, -4, -20],
    [-8, -2, 4, 4, 4],
    [-2, 4, 8, 10, 10],
    [2, 12, 14, 18, 18],
    [4, 16, 22, 26, 24],
    [8, 22, 30, 34, 32],
    [8, 22, 38, 36, 32],
    [4, 16, 34, 24, 14],
    [-6, 0, 8, 2, -4],
];

const CHARIOT: Placement = [
    [-22, -4, -6, 4, -14],
    [-14, 0, -4, 6, -8],
    [-10, 2, -2, 8, 0],
    [-4, 4, 2, 10, 6],
    [4, 10, 8, 14, 12],
    [6, 12, 10, 16, 14],
    [10, 16, 14, 22, 22],
    [8, 14, 14, 24, 26],
    [14, 22, 20, 30, 34],
    [10, 14, 12, 22, 20],
];

const CHARIOT_END: Placement = [
    [-12, -6, -4, 0, -4],
    [-8, -2, 0, 4, 0],
    [-4, 0, 2, 6, 4],
    [0, 2, 4, 8, 8],
    [4, 6, 8, 12, 12],
    [6, 8, 10, 14, 14],
    [8, 12, 14, 18, 20],
    [8, 12, 14, 18, 20],
    [10, 14, 14, 20, 22],
    [6, 8, 8, 14, 14],
];

const CANNON: Placement = [
    [-4, -2, 2, 6, 4],
    [-2, 2, 4, 6, 4],
    [2, 4, 6, 10, 16],
    [0, 2, 2, 2, 8],
    [0, 0, 4, 2, 14],
    [0, 0, 2, 2, 12],
    [2, 4, 4, 4, 14],
    [6, 6, 2, -2, -8],
    [8, 6, 2, -6, -10],
    [14, 12, 4, -8, -12],
];

const CANNON_END: Placement = [
    [0, 2, 4, 8, 10],
    [0, 2, 4, 8, 8],
    [0, 0, 4, 6, 10],
    [0, 0, 0, 2, 4],
    [0, 0, 0, 2, 4],
    [0, 0, 0, 2, 4],
    [0, 0, 0, 0, 2],
    [0, 0, 0, -2, -2],
    [2, 2, 0, -2, -2],
    [4, 4, 2, 0, -2],
];

const SOLDIER_MIDDLE: Placement = [
    [0; 5],
    [0; 5],
    [0; 5],
    [0, 0, 6, 0, 14],
    [8, 0, 18, 0, 20],
    [28, 40, 50, 60, 64],
    [48, 66, 86, 104, 108],
    [58, 82, 106, 128, 132],
    [54, 82, 106, 138, 146],
    [2, 10, 20, 30, 36],
];

const SOLDIER_END: Placement = [
    [0; 5],
    [0; 5],
    [0; 5],
    [0, 0, 4, 0, 8],
    [8, 0, 12, 0, 16],
    [44, 52, 60, 68, 70],
    [66, 80, 94, 106, 108],
    [66, 84, 104, 122, 124],
    [50, 70, 92, 118, 122],
    [-10, 0, 10, 22, 28],
];

const CHARIOT_MOBILITY: [Weight; 18] = [
    Weight(-46, -50),
    Weight(-36, -40),
    Weight(-26, -30),
    Weight(-18, -22),
    Weight(-12, -14),
    Weight(-6, -8),
    Weight(-2, -4),
    Weight(2, 0),
    Weight(6, 4),
    Weight(10, 8),
    Weight(13, 12),
    Weight(16, 15),
    Weight(19, 18),
    Weight(22, 21),
    Weight(24, 24),
    Weight(26, 26),
    Weight(28, 28),
    Weight(30, 30),
];

const HORSE_MOBILITY: [Weight; 9] = [
    Weight(-50, -56),
    Weight(-30, -34),
    Weight(-14, -18),
    Weight(-4, -6),
    Weight(4, 4),
    Weight(10, 12),
    Weight(15, 18),
    Weight(19, 23),
    Weight(22, 27),
];

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
