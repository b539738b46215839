//! All weights of taikyoku shogi: the search's numbers, those of the evaluation, and what pieces are worth.
//!
//! What a kind is worth follows from its moves (see [`super::values`]), unless a value is given for it. The defaults are the
//! file `weights.toml` as `kyokumen tune` wrote it (see docs/tuning.md), and give one for most kinds. A parameter file may say
//! otherwise for any number and any kind; `base` to `double_capture_percent`, which make values of moves, then only count for
//! kinds that have no value of their own.
//!
//! ```toml
//! [weights]
//! per_square = 42
//! [values]        # centipawns by native code
//! GG = 5000
//! [search.null_move]
//! base = 4
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::catalog::Kind;
use super::ruleset::RuleSet;
use super::values::Values;
use crate::search::params::{RangeError, SearchParams};

/// The weights of the evaluation. All are centipawns unless they say otherwise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Worth of a piece that could never move.
    pub base: i32,
    /// Worth of each square that a kind reaches, on the average over boards and squares.
    pub per_square: i32,
    /// Percent of occupied squares of the random boards that mobility is averaged over.
    pub crowding_percent: Vec<i32>,
    /// How much forward squares count, percent of others.
    pub forward_percent: i32,
    /// How much the squares of a hook's second leg count, percent: many routes end on the same square.
    pub hook_percent: i32,
    /// How much the squares of a range capture count, percent: it takes all on its way.
    pub range_percent: i32,
    /// How much the second capture of a lion move counts, percent of a square for each.
    pub double_capture_percent: i32,
    /// Part of what a promotion gains that a piece is worth more far from the zone, percent.
    pub promotion_percent: i32,
    /// Further part of it that the piece collects on its way to the zone, percent.
    pub approach_percent: i32,
    /// Each rank forward up to the promotion zone, in 64ths.
    pub advance: i32,
    /// Each file towards the centre, in 64ths.
    pub centre: i32,
    /// Each rank forward of a royal, in 64ths.
    pub royal_advance: i32,
    /// A royal that is not the last.
    pub royal: i32,
    /// The last royal, in exchanges.
    pub last_royal: i32,
    /// The right to move.
    pub tempo: i32,
    /// An own piece next to a royal.
    pub shelter: i32,
    /// Each empty square in front of a royal along a line that no piece covers within reach, up to six squares.
    pub open_line: i32,
    /// An enemy that attacks a royal along a line.
    pub line_attack: i32,
    /// An enemy within five squares of a royal.
    pub near_enemy: i32,
    /// How much the dangers of a royal count while there is another, percent.
    pub spare_royal_percent: i32,
    /// A lead up to here counts in full.
    pub full_lead: i32,
    /// What exceeds it is divided by this, so that the largest lead fits the band of static scores.
    pub lead_divisor: i32,
    /// History units for each centipawn of placement that a quiet move gains, in the order of moves.
    pub placement_order: i32,
    /// History units for a quiet move of the last royal while it is attacked, in the order of moves.
    pub flight_order: i32,
}

/// The numbers of taikyoku shogi as a parameter file holds them. What a file leaves out has its default.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numbers {
    /// The search.
    pub search: SearchParams,
    /// The evaluation.
    pub weights: Weights,
    /// What kinds are worth on an average square, by native code, where their moves shall not decide.
    pub values: BTreeMap<String, i32>,
}

impl Default for Numbers {
    fn default() -> Self {
        /// What the file holds.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fitted {
            weights: Weights,
            values: BTreeMap<String, i32>,
        }
        let Fitted { weights, values } =
            toml::from_str(include_str!("weights.toml")).expect("a test reads it");
        Self { search: search_defaults(), weights, values }
    }
}

/// The search with a thousand moves a node, where hardly any quiet move matters and there is no check.
fn search_defaults() -> SearchParams {
    let mut search = SearchParams::default();
    search.quiescence.check_plies = 0;
    search.quiescence.recapture_ply = 2;
    search.quiescence.evasion_plies = 2;
    search.late_move.base = 16;
    search.late_move.percent = 250;
    search.check_order.enabled = false;
    search.check_extension.enabled = false;
    search
}

/// Why numbers cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParamsError {
    /// A number of the search is out of its range.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// A name or a type is wrong.
    #[error("{0}")]
    Field(String),
    /// A value is given for a kind that does not exist.
    #[error("values: there is no kind of piece with the code '{0}'; 'piece --all' lists the codes")]
    UnknownKind(String),
    /// A value is too large to be summed up.
    #[error("values: {code} = {value}: give a number from 0 to {MAX_VALUE}")]
    Value {
        /// The code of the kind.
        code: String,
        /// The value found.
        value: i32,
    },
    /// A weight makes no sense.
    #[error("weights.{name} is {value}: give {remedy}")]
    Weight {
        /// The field.
        name: &'static str,
        /// The value found.
        value: i32,
        /// What would be sane.
        remedy: &'static str,
    },
}

/// Largest worth of a kind, so that 1,296 of them fit any sum.
pub(super) const MAX_VALUE: i32 = 100_000;

/// The numbers of taikyoku shogi with the tables made of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "serde_json::Value", into = "Numbers")]
pub struct Params {
    numbers: Numbers,
    values: [Arc<Values>; 2],
}

impl Params {
    /// Makes the tables of the numbers.
    ///
    /// # Errors
    /// A number that cannot be used, or a value for a kind that does not exist.
    pub fn new(numbers: Numbers) -> Result<Self, ParamsError> {
        numbers.search.check()?;
        check_weights(&numbers.weights)?;
        let mut given = BTreeMap::new();
        for (code, &value) in &numbers.values {
            let kind =
                Kind::from_code(code).ok_or_else(|| ParamsError::UnknownKind(code.clone()))?;
            if !(0..=MAX_VALUE).contains(&value) {
                return Err(ParamsError::Value { code: code.clone(), value });
            }
            given.insert(kind, value);
        }
        let values = [RuleSet::Seed, RuleSet::Atsa]
            .map(|set| Arc::new(Values::new(set, &numbers.weights, &given)));
        Ok(Self { numbers, values })
    }

    /// The numbers that the tables were made of.
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// What pieces are worth under a rule set.
    #[inline(always)]
    pub(crate) fn values(&self, set: RuleSet) -> &Arc<Values> {
        match set {
            RuleSet::Seed => &self.values[0],
            RuleSet::Atsa => &self.values[1],
        }
    }

    /// What a kind is worth on an average square under a rule set, centipawns; what it may promote to not counted.
    pub fn value(&self, set: RuleSet, kind: Kind) -> i32 {
        self.values(set).of_kind(kind)
    }
}

impl Default for Params {
    fn default() -> Self {
        Self::new(Numbers::default()).expect("a test builds the defaults")
    }
}

impl From<Params> for Numbers {
    fn from(params: Params) -> Self {
        params.numbers
    }
}

impl TryFrom<serde_json::Value> for Params {
    type Error = ParamsError;

    /// Reads numbers laid over the defaults of this game, which are not those of the search in general.
    fn try_from(given: serde_json::Value) -> Result<Self, ParamsError> {
        let field = |error: serde_json::Error| ParamsError::Field(error.to_string());
        let mut all = serde_json::to_value(Numbers::default()).map_err(field)?;
        lay_over(&mut all, given);
        Self::new(Numbers::deserialize(all).map_err(field)?)
    }
}

/// Replaces the fields of `base` that `given` names, at any depth.
fn lay_over(base: &mut serde_json::Value, given: serde_json::Value) {
    match (base, given) {
        (serde_json::Value::Object(base), serde_json::Value::Object(given)) => {
            for (name, value) in given {
                lay_over(base.entry(name).or_insert(serde_json::Value::Null), value);
            }
        }
        (base, given) => *base = given,
    }
}

fn check_weights(weights: &Weights) -> Result<(), ParamsError> {
    let fail = |name, value, remedy| Err(ParamsError::Weight { name, value, remedy });
    let crowding = &weights.crowding_percent;
    if crowding.is_empty() || crowding.len() > 16 {
        return fail("crowding_percent", crowding.len() as i32, "from 1 to 16 numbers");
    }
    if let Some(&percent) = crowding.iter().find(|percent| !(0..=100).contains(*percent)) {
        return fail("crowding_percent", percent, "percentages from 0 to 100");
    }
    if weights.lead_divisor < 1 {
        return fail("lead_divisor", weights.lead_divisor, "a number from 1 up");
    }
    let bounded = [
        ("base", weights.base, 10_000),
        ("per_square", weights.per_square, 1_000),
        ("forward_percent", weights.forward_percent, 1_000),
        ("hook_percent", weights.hook_percent, 1_000),
        ("range_percent", weights.range_percent, 1_000),
        ("double_capture_percent", weights.double_capture_percent, 1_000),
        ("promotion_percent", weights.promotion_percent, 1_000),
        ("approach_percent", weights.approach_percent, 1_000),
        ("royal", weights.royal, MAX_VALUE),
        ("last_royal", weights.last_royal, MAX_VALUE),
        ("full_lead", weights.full_lead, MAX_VALUE),
    ];
    if let Some(&(name, value, _)) =
        bounded.iter().find(|(_, value, most)| !(0..=*most).contains(value))
    {
        return fail(
            name,
            value,
            "a number from 0 up to a sane size (percentages 1000, royals 100000)",
        );
    }
    let free = [
        ("advance", weights.advance),
        ("centre", weights.centre),
        ("royal_advance", weights.royal_advance),
        ("tempo", weights.tempo),
        ("shelter", weights.shelter),
        ("open_line", weights.open_line),
        ("line_attack", weights.line_attack),
        ("near_enemy", weights.near_enemy),
        ("spare_royal_percent", weights.spare_royal_percent),
        ("placement_order", weights.placement_order),
        ("flight_order", weights.flight_order),
    ];
    if let Some(&(name, value)) = free.iter().find(|(_, value)| value.abs() > 20_000) {
        return fail(name, value, "a number from -20000 to 20000");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Params, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_partial_file_keeps_the_defaults_of_this_game() {
        let params = read("[search.null_move]\nbase = 4\n[values]\ngg = 5000\n").unwrap();
        assert_eq!(params.numbers().search.null_move.base, 4);
        assert_eq!(params.numbers().search.quiescence, Numbers::default().search.quiescence);
        let kind = Kind::from_code("GG").unwrap();
        for set in [RuleSet::Seed, RuleSet::Atsa] {
            assert_eq!(params.value(set, kind), 5000);
        }
        assert_eq!(read("").unwrap().numbers(), &Numbers::default());
    }

    #[test]
    fn bad_numbers_are_named() {
        for (text, part) in [
            ("[values]\nXYZ = 1\n", "XYZ"),
            ("[values]\nGG = -1\n", "GG"),
            ("[weights]\nlead_divisor = 0\n", "lead_divisor"),
            ("[weights]\ncrowding_percent = [101]\n", "101"),
            ("[weights]\nroyle = 3\n", "royle"),
            ("[search.null_move]\nbass = 3\n", "bass"),
            ("[search.null_move]\nbase = 99\n", "null_move.base"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn numbers_survive_a_round_trip() {
        let mut numbers = Numbers::default();
        numbers.values.insert("P".into(), 77);
        numbers.weights.tempo = 3;
        let params = Params::new(numbers.clone()).unwrap();
        let text = toml::to_string(&params).unwrap();
        assert_eq!(read(&text).unwrap().numbers(), &numbers);
    }
}
