//! The weights of the evaluation as a list of numbers, and how often each counts in a position: what a fit needs.
//!
//! 301 values are too many for the games that one can play, so they share structure:
//!
//! - a kind is worth the same whether it promoted to what it is or started so: values belong to kinds;
//! - kinds that move alike, or as mirror images of each other (left and right), have one value in the fit;
//! - the weights by which moves are turned into values are fitted too. They shift all kinds at once, and a kind's own value
//!   only tells how far it is from that; the pull of the fit keeps this small where there is little to learn from.
//!
//! ```text
//! value of a kind = value now + sum(change of shared weight * d value / d weight) + change of its class
//! ```
//!
//! What a promotion gains counts as in the evaluation, with the percentages and the sign of the gain as they are now; these
//! percentages are not fitted, nor are the royals' own values.

use std::collections::BTreeMap;

use super::Taikyoku;
use super::catalog::Kind;
use super::compile::Table;
use super::evaluate::safety_sum;
use super::moveset::MoveSet;
use super::params::{MAX_VALUE, Params, Weights};
use super::position::Position;
use super::royals::is_royal;
use super::ruleset::RuleSet;
use super::values::{RANKS_TO_ZONE, all_by_moves, place};
use crate::game::{Rules, Side};
use crate::tune::parameter::{Parameter, Parameters};
use crate::tune::sample::Features;
use crate::tune::{Curve, Model, Shaped, Tunable};

/// A weight with its name and unit.
struct Field {
    name: &'static str,
    unit: f64,
    of: fn(&mut Weights) -> &mut i32,
}

/// A field of [`Weights`] by its name.
macro_rules! field {
    ($name:ident, $unit:expr) => {
        Field { name: stringify!($name), unit: $unit, of: |weights| &mut weights.$name }
    };
}

/// Weights of royal safety: a coefficient is the safety where this weight is 1 and the others are 0.
const SAFETY: [Field; 4] = [
    field!(shelter, 4.0),
    field!(open_line, 3.0),
    field!(line_attack, 20.0),
    field!(near_enemy, 5.0),
];

/// Weights of placement.
const PLACEMENT: [Field; 3] =
    [field!(advance, 32.0), field!(centre, 16.0), field!(royal_advance, 128.0)];

/// Weights that turn moves into values. Each by itself changes values linearly.
const SHARED: [Field; 6] = [
    field!(base, 10.0),
    field!(per_square, 4.0),
    field!(forward_percent, 10.0),
    field!(hook_percent, 15.0),
    field!(range_percent, 25.0),
    field!(double_capture_percent, 15.0),
];

const TEMPO: Field = field!(tempo, 10.0);

/// Places in the list of parameters.
mod slot {
    pub(super) const TEMPO: usize = 0;
    pub(super) const SAFETY: usize = 1;
    pub(super) const PLACEMENT: usize = SAFETY + super::SAFETY.len();
    pub(super) const SHARED: usize = PLACEMENT + super::PLACEMENT.len();
    pub(super) const CLASSES: usize = SHARED + super::SHARED.len();
}

/// The weights outside the classes, in the order of their slots.
fn fields() -> impl Iterator<Item = &'static Field> {
    std::iter::once(&TEMPO).chain(&SAFETY).chain(&PLACEMENT).chain(&SHARED)
}

/// The evaluation of taikyoku shogi, opened for fitting.
#[derive(Debug)]
pub struct TaikyokuModel {
    params: Params,
    set: RuleSet,
    parameters: Parameters,
    /// By kind.
    kinds: Vec<KindTerms>,
    /// Weights of which one is 1 and the others are 0, for [`SAFETY`].
    units: Vec<Weights>,
}

#[derive(Debug)]
struct KindTerms {
    value: f64,
    royal: bool,
    class: usize,
    /// The change of its value with each of [`SHARED`].
    slopes: [f64; SHARED.len()],
    /// What it promotes to, if that is worth more.
    better: Option<Promotion>,
    /// Its value less what the parameters make of it.
    rest: f64,
}

/// What the chance of a promotion adds to a piece, as parts of its gain; cut to whole numbers as [`super::values`] does.
#[derive(Debug)]
struct Promotion {
    target: usize,
    /// Everywhere.
    always: f64,
    /// For each rank forward.
    per_rank: f64,
    /// The same in 64ths of a centipawn.
    per_rank_64: i32,
}

impl Promotion {
    fn new(target: Kind, gain: i32, weights: &Weights) -> Self {
        let per_rank_64 = gain * weights.approach_percent / 100 * 64 / RANKS_TO_ZONE as i32;
        Self {
            target: target.index(),
            always: f64::from(gain * weights.promotion_percent / 100) / f64::from(gain),
            per_rank: f64::from(per_rank_64) / 64.0 / f64::from(gain),
            per_rank_64,
        }
    }
}

/// Classes of kinds with the same moves but for a reflection, in the order of their first members.
pub fn classes(set: RuleSet) -> Vec<Vec<Kind>> {
    let table = Table::of(set);
    let mut numbers: BTreeMap<(bool, String), usize> = BTreeMap::new();
    let mut classes: Vec<Vec<Kind>> = Vec::new();
    for kind in Kind::all() {
        let moves = table.move_set(kind);
        let text = sorted(moves.clone()).min(sorted(mirrored(moves)));
        let number = *numbers.entry((is_royal(&kind.info().code), text)).or_insert(classes.len());
        if number == classes.len() {
            classes.push(Vec::new());
        }
        classes[number].push(kind);
    }
    classes
}

/// The move set as text, in which the order of its parts does not show.
fn sorted(mut moves: MoveSet) -> String {
    moves.leaps.sort_by_key(|leap| (leap.direction, leap.distance));
    moves.oblique.sort_unstable();
    moves.overs.sort_by_key(|over| over.direction);
    format!("{moves:?}")
}

/// The move set with left and right exchanged.
fn mirrored(moves: &MoveSet) -> MoveSet {
    let turned = |direction: u8| (8 - direction) & 7;
    let bits = |set: u8| {
        (0..8)
            .filter(|direction| set >> direction & 1 != 0)
            .fold(0, |all, at| all | 1 << turned(at))
    };
    let mut mirrored = moves.clone();
    for direction in 0..8 {
        mirrored.slides[usize::from(turned(direction))] = moves.slides[usize::from(direction)];
    }
    mirrored.leaps.iter_mut().for_each(|leap| leap.direction = turned(leap.direction));
    mirrored.oblique.iter_mut().for_each(|(right, _)| *right = -*right);
    mirrored.overs.iter_mut().for_each(|over| over.direction = turned(over.direction));
    mirrored.range_captures = bits(moves.range_captures);
    mirrored.hooks = bits(moves.hooks);
    mirrored.igui = bits(moves.igui);
    mirrored
}

impl Tunable for Taikyoku {
    type Model = TaikyokuModel;

    fn model(params: &Params, rules: Rules<RuleSet>) -> TaikyokuModel {
        let numbers = params.numbers();
        let mut weights = numbers.weights.clone();
        let mut list: Vec<Parameter> = fields()
            .enumerate()
            .map(|(place, field)| {
                let value = f64::from(*(field.of)(&mut weights));
                let parameter = Parameter::new(field.name, value, field.unit);
                // The file refuses more.
                let range = if place >= slot::SHARED { 0.0..=1000.0 } else { -2000.0..=2000.0 };
                parameter.within(range)
            })
            .collect();
        let now = all_by_moves(rules.set, &weights);
        let more: Vec<Vec<f64>> = SHARED
            .iter()
            .map(|field| {
                let mut weights = weights.clone();
                *(field.of)(&mut weights) += 1;
                all_by_moves(rules.set, &weights)
            })
            .collect();
        let worth = |kind: Kind| params.value(rules.set, kind);
        let value = |kind: Kind| f64::from(worth(kind));
        let classes = classes(rules.set);
        let mut class_of = vec![0; now.len()];
        for (class, members) in classes.iter().enumerate() {
            let mean = members.iter().map(|&kind| value(kind)).sum::<f64>() / members.len() as f64;
            let codes: Vec<&str> = members.iter().map(|kind| kind.info().code.as_str()).collect();
            let parameter =
                Parameter::new(format!("value {}", codes.join(" ")), mean, 0.15 * mean + 10.0)
                    .within(0.0..=f64::from(MAX_VALUE) / 2.0)
                    .fixed_if(is_royal(codes[0]));
            list.push(parameter);
            members.iter().for_each(|kind| class_of[kind.index()] = class);
        }
        let kinds = Kind::all()
            .map(|kind| {
                let info = kind.info();
                let index = kind.index();
                let given = numbers.values.keys().any(|code| code.eq_ignore_ascii_case(&info.code));
                let slopes =
                    std::array::from_fn(
                        |shared| {
                            if given { 0.0 } else { more[shared][index] - now[index] }
                        },
                    );
                let class = slot::CLASSES + class_of[index];
                let shared: f64 = slopes
                    .iter()
                    .zip(&list[slot::SHARED..])
                    .map(|(slope, parameter): (&f64, _)| slope * parameter.value)
                    .sum();
                let better = info.promotes_to.filter(|&target| worth(target) > worth(kind));
                let better = better
                    .map(|target| Promotion::new(target, worth(target) - worth(kind), &weights));
                KindTerms {
                    value: value(kind),
                    royal: is_royal(&info.code),
                    class,
                    slopes,
                    better,
                    rest: value(kind) - shared - list[class].value,
                }
            })
            .collect();
        let units = SAFETY
            .iter()
            .map(|field| {
                let mut unit = weights.clone();
                SAFETY.iter().for_each(|other| *(other.of)(&mut unit) = 0);
                *(field.of)(&mut unit) = 1;
                unit
            })
            .collect();
        let parameters = Parameters { pairs: 0, list };
        TaikyokuModel { params: params.clone(), set: rules.set, parameters, kinds, units }
    }
}

impl Curve for TaikyokuModel {
    fn shaped(&self, _shape: u8, sum: f64, _values: &[f64]) -> Shaped {
        let weights = &self.params.numbers().weights;
        let (full, divisor) = (f64::from(weights.full_lead), f64::from(weights.lead_divisor));
        if sum.abs() <= full {
            return Shaped { value: sum, slope: 1.0, parameter: None };
        }
        let value = (full + (sum.abs() - full) / divisor) * sum.signum();
        Shaped { value, slope: 1.0 / divisor, parameter: None }
    }
}

const fn sign(side: Side) -> f64 {
    match side {
        Side::First => 1.0,
        Side::Second => -1.0,
    }
}

impl Model<Taikyoku> for TaikyokuModel {
    fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    fn features(&self, position: &Position, features: &mut Features) {
        let weights = &self.params.numbers().weights;
        let mut times = vec![0.0; self.parameters.list.len()];
        let mut kind_times = vec![0.0; self.kinds.len()];
        let mut constant = 0.0;
        for side in Side::ALL {
            let sign = sign(side);
            for (square, piece) in position.pieces(side) {
                let kind = &self.kinds[piece.kind().index()];
                let place = place(side, square);
                let [ahead, inward] = place.map(f64::from);
                let mut per_rank = if kind.royal { weights.royal_advance } else { weights.advance };
                kind_times[piece.kind().index()] += sign;
                if let Some(better) = kind.better.as_ref().filter(|_| !piece.promoted()) {
                    let part = better.always + better.per_rank * ahead;
                    kind_times[piece.kind().index()] -= sign * part;
                    kind_times[better.target] += sign * part;
                    per_rank += better.per_rank_64;
                }
                if kind.royal {
                    times[slot::PLACEMENT + 2] += sign * ahead / 64.0;
                } else {
                    times[slot::PLACEMENT] += sign * ahead / 64.0;
                    times[slot::PLACEMENT + 1] += sign * inward / 64.0;
                }
                // What the evaluation cuts off.
                let per_file = if kind.royal { 0 } else { weights.centre };
                let cut = (per_rank * place[0] + per_file * place[1]) & 63;
                constant -= sign * f64::from(cut) / 64.0;
            }
            let spare = position.royal_count(side) > 1;
            let part = if spare { f64::from(weights.spare_royal_percent) / 100.0 } else { 1.0 };
            for (number, unit) in self.units.iter().enumerate() {
                let sum = f64::from(safety_sum(position, side, unit));
                times[slot::SAFETY + number] += sign * part * sum;
            }
        }
        for (kind, &count) in self.kinds.iter().zip(&kind_times).filter(|(_, count)| **count != 0.0)
        {
            constant += count * kind.rest;
            times[kind.class] += count;
            for (shared, slope) in kind.slopes.iter().enumerate() {
                times[slot::SHARED + shared] += count * slope;
            }
        }
        features.constant = constant as f32;
        let used = times.iter().enumerate().filter(|(_, times)| times.abs() > 1e-6);
        features.plain.extend(used.map(|(index, &times)| (index as u16, times as f32)));
        features.outer.push((slot::TEMPO as u16, sign(position.side_to_move()) as f32));
    }

    /// The file names the value of a kind only where it differs from what the new weights make of its moves.
    fn rebuild(&self, values: &[f64], _usage: &[f64]) -> Result<Params, String> {
        let mut numbers = self.params.numbers().clone();
        for (field, value) in fields().zip(values) {
            *(field.of)(&mut numbers.weights) = value.round() as i32;
        }
        let changed = |place: usize| values[place] - self.parameters.list[place].value;
        let moved = all_by_moves(self.set, &numbers.weights);
        let given = std::mem::take(&mut numbers.values);
        for (kind, terms) in Kind::all().zip(&self.kinds) {
            let shared: f64 = (terms.slopes.iter().enumerate())
                .map(|(shared, slope)| slope * changed(slot::SHARED + shared))
                .sum();
            let value = terms.value + shared + changed(terms.class);
            let value = value.clamp(0.0, f64::from(MAX_VALUE)).round();
            let code = &kind.info().code;
            let was_given = given.keys().any(|given| given.eq_ignore_ascii_case(code));
            if was_given || (value - moved[kind.index()]).abs() > 1.0 {
                numbers.values.insert(code.clone(), value as i32);
            }
        }
        Params::new(numbers).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_and_right_kinds_are_of_one_class() {
        let classes = classes(RuleSet::Seed);
        let sizes: usize = classes.iter().map(Vec::len).sum();
        assert_eq!(sizes, Kind::all().count());
        let class_of = |code: &str| {
            let kind = Kind::from_code(code).unwrap();
            classes.iter().position(|members| members.contains(&kind)).unwrap()
        };
        let table = Table::of(RuleSet::Seed);
        for members in &classes {
            for &kind in members {
                let (one, other) = (table.move_set(members[0]), table.move_set(kind));
                let same = sorted(one.clone()) == sorted(other.clone());
                assert!(same || sorted(one.clone()) == sorted(mirrored(other)), "{members:?}");
            }
        }
        assert_ne!(class_of("P"), class_of("GG"));
        assert!(classes.iter().filter(|members| members.len() > 1).count() > 20);
    }
}
