//! The weights of the evaluation as a list of numbers, and how often each counts in a position: what a fit needs.
//!
//! The counts come from the evaluation itself, which tells a [`Trace`] of every weight that it adds, so the two cannot drift
//! apart. Two things are no plain sums and are treated exactly all the same: the palace attacks of a side are multiplied by a
//! percentage that depends on the number of attackers (both are fitted), and the whole score is damped if the better side has
//! nothing to attack with.

use super::Xiangqi;
use super::evaluate::{self, FULL_PHASE};
use super::params::{Params, Weights};
use super::piece::Kind;
use super::position::Position;
use super::rules::XiangqiRules;
use super::square::Square;
use super::terms::{self, Trace};
use crate::game::Side;
use crate::tune::parameter::{Parameter, Parameters};
use crate::tune::sample::Features;
use crate::tune::{Curve, Model, Shaped, Tunable};

/// The places of weights in the list: first the pairs of middle and end game.
pub(super) mod slot {
    use super::{Kind, Side, Square};

    pub(in super::super) const MATERIAL: usize = 0;
    pub(in super::super) const PLACEMENT: usize = MATERIAL + 7;
    pub(in super::super) const CHARIOT_MOBILITY: usize = PLACEMENT + 7 * 50;
    pub(in super::super) const HORSE_MOBILITY: usize = CHARIOT_MOBILITY + 18;
    pub(in super::super) const CANNON_MOBILITY: usize = HORSE_MOBILITY + 9;
    pub(in super::super) const OPEN_FILE: usize = CANNON_MOBILITY + 1;
    pub(in super::super) const LINKED_CHARIOTS: usize = OPEN_FILE + 1;
    pub(in super::super) const LINKED_SOLDIERS: usize = LINKED_CHARIOTS + 1;
    pub(in super::super) const LINKED_HORSES: usize = LINKED_SOLDIERS + 1;
    pub(in super::super) const HOLLOW_CANNON: usize = LINKED_HORSES + 1;
    pub(in super::super) const CENTRAL_CANNON: usize = HOLLOW_CANNON + 1;
    pub(in super::super) const BOTTOM_CANNON: usize = CENTRAL_CANNON + 1;
    pub(in super::super) const RIB_CHARIOT: usize = BOTTOM_CANNON + 1;
    pub(in super::super) const PALACE_ATTACK: usize = RIB_CHARIOT + 1;
    pub(in super::super) const MISSING_ADVISOR: usize = PALACE_ATTACK + 7;
    pub(in super::super) const MISSING_ELEPHANT: usize = MISSING_ADVISOR + 1;
    pub(in super::super) const NO_ADVISORS: usize = MISSING_ELEPHANT + 1;
    pub(in super::super) const THREAT: usize = NO_ADVISORS + 1;
    pub(in super::super) const LOOSE: usize = THREAT + 1;
    /// The number of pairs; behind them come single numbers.
    pub(super) const PAIRS: usize = LOOSE + 1;
    pub(super) const ATTACKERS: usize = PAIRS;
    pub(super) const TEMPO: usize = ATTACKERS + 7;
    pub(super) const DRAWISH: usize = TEMPO + 1;
    pub(super) const END: usize = DRAWISH + 1;

    /// The placement of a side's piece on a point, by the point as that side sees it.
    #[inline(always)]
    pub(in super::super) fn placement(side: Side, kind: Kind, square: Square) -> usize {
        let own = if side == Side::First { square } else { square.rotated() };
        PLACEMENT + 50 * kind.index() + 5 * own.rank() + own.file().min(8 - own.file())
    }
}

const KINDS: [&str; 7] =
    ["general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"];

/// A weight that is a pair: its name, unit and bounds, and where its two numbers are.
struct Pair<'a> {
    name: String,
    unit: f64,
    bound: f64,
    middle: &'a mut i32,
    end: &'a mut i32,
}

/// All pairs in the order of [`slot`]: the one list from which weights are read and to which they are written.
fn pairs(weights: &mut Weights) -> Vec<Pair<'_>> {
    let mut list = Vec::with_capacity(slot::PAIRS);
    let mut add = |name: String, unit, bound, middle, end| {
        list.push(Pair { name, unit, bound, middle, end });
    };
    for (kind, weight) in KINDS.into_iter().zip(&mut weights.material) {
        add(format!("material {kind}"), 30.0, 3000.0, &mut weight.0, &mut weight.1);
    }
    let placements = weights.placement_middle.iter_mut().zip(&mut weights.placement_end);
    for (kind, (middle, end)) in KINDS.into_iter().zip(placements) {
        for (rank, (middle, end)) in middle.iter_mut().zip(end).enumerate() {
            for (file, (middle, end)) in middle.iter_mut().zip(end).enumerate() {
                let file = char::from(b'a' + file as u8);
                add(format!("placement {kind} {file}{rank}"), 15.0, 500.0, middle, end);
            }
        }
    }
    for (points, weight) in weights.chariot_mobility.iter_mut().enumerate() {
        add(format!("chariot_mobility {points}"), 10.0, 300.0, &mut weight.0, &mut weight.1);
    }
    for (points, weight) in weights.horse_mobility.iter_mut().enumerate() {
        add(format!("horse_mobility {points}"), 10.0, 300.0, &mut weight.0, &mut weight.1);
    }
    let lines = [
        ("cannon_mobility", 2.0, &mut weights.cannon_mobility),
        ("open_file", 10.0, &mut weights.open_file),
        ("linked_chariots", 10.0, &mut weights.linked_chariots),
        ("linked_soldiers", 10.0, &mut weights.linked_soldiers),
        ("linked_horses", 10.0, &mut weights.linked_horses),
        ("hollow_cannon", 20.0, &mut weights.hollow_cannon),
        ("central_cannon", 10.0, &mut weights.central_cannon),
        ("bottom_cannon", 10.0, &mut weights.bottom_cannon),
        ("rib_chariot", 10.0, &mut weights.rib_chariot),
    ];
    for (name, unit, weight) in lines {
        add(name.to_owned(), unit, 500.0, &mut weight.0, &mut weight.1);
    }
    for (kind, weight) in KINDS.into_iter().zip(&mut weights.palace_attack) {
        add(format!("palace_attack {kind}"), 4.0, 500.0, &mut weight.0, &mut weight.1);
    }
    let others = [
        ("missing_advisor", 8.0, &mut weights.missing_advisor),
        ("missing_elephant", 8.0, &mut weights.missing_elephant),
        ("no_advisors", 10.0, &mut weights.no_advisors),
        ("threat", 10.0, &mut weights.threat),
        ("loose", 8.0, &mut weights.loose),
    ];
    for (name, unit, weight) in others {
        add(name.to_owned(), unit, 500.0, &mut weight.0, &mut weight.1);
    }
    list
}

/// The evaluation of xiangqi, opened for fitting.
#[derive(Debug)]
pub struct XiangqiModel {
    params: Params,
    parameters: Parameters,
}

impl Tunable for Xiangqi {
    type Model = XiangqiModel;

    fn model(params: &Params, _rules: XiangqiRules) -> XiangqiModel {
        let mut weights = params.numbers().weights.clone();
        let mut list = Vec::new();
        for (number, pair) in pairs(&mut weights).into_iter().enumerate() {
            let bound = pair.bound;
            // Both sides always have a general, so it would change nothing.
            let fixed = number == slot::MATERIAL + Kind::General.index();
            for (part, value) in [("middle", *pair.middle), ("end", *pair.end)] {
                let name = format!("{} {part}", pair.name);
                let parameter = Parameter::new(name, f64::from(value), pair.unit);
                list.push(parameter.within(-bound..=bound).fixed_if(fixed));
            }
        }
        for (pieces, &percent) in weights.attackers_percent.iter().enumerate() {
            let name = format!("attackers_percent {pieces}");
            list.push(Parameter::new(name, f64::from(percent), 15.0).within(0.0..=1000.0));
        }
        list.push(Parameter::new("tempo", f64::from(weights.tempo), 8.0).within(0.0..=100.0));
        let drawish = f64::from(weights.drawish_percent);
        list.push(Parameter::new("drawish_percent", drawish, 10.0).within(0.0..=100.0));
        let parameters = Parameters { pairs: slot::PAIRS, list };
        debug_assert_eq!(parameters.feature_count(), slot::END);
        XiangqiModel { params: params.clone(), parameters }
    }
}

/// Counts how often weights count, the second side's negative.
struct Counts<'a> {
    times: [i32; slot::PAIRS],
    /// Attacked points of the palace by kind, of the side that is looked at.
    palace: [i32; 7],
    features: &'a mut Features,
}

const fn sign(side: Side) -> i32 {
    match side {
        Side::First => 1,
        Side::Second => -1,
    }
}

impl Trace for Counts<'_> {
    fn weigh(&mut self, slot: usize, side: Side, times: i32) {
        match slot.checked_sub(slot::PALACE_ATTACK) {
            Some(kind @ 0..7) => self.palace[kind] += times,
            _ => self.times[slot] += times * sign(side),
        }
    }

    fn attackers(&mut self, side: Side, pieces: usize) {
        let factor = (slot::ATTACKERS + pieces.min(6)) as u16;
        for (kind, points) in std::mem::take(&mut self.palace).into_iter().enumerate() {
            if points != 0 {
                let times = (points * sign(side)) as f32 / 100.0;
                let index = (slot::PALACE_ATTACK + kind) as u16;
                self.features.products.push((factor, index, times));
            }
        }
    }
}

/// Shapes: which of the sides could not attack if it were better.
const FIRST_DRAWISH: u8 = 1;
const SECOND_DRAWISH: u8 = 2;

impl Curve for XiangqiModel {
    fn shaped(&self, shape: u8, sum: f64, values: &[f64]) -> Shaped {
        let better = if sum > 0.0 { FIRST_DRAWISH } else { SECOND_DRAWISH };
        if shape & better == 0 {
            return Shaped { value: sum, slope: 1.0, parameter: None };
        }
        let parameter = slot::DRAWISH + slot::PAIRS;
        let part = values[parameter] / 100.0;
        Shaped { value: sum * part, slope: part, parameter: Some((parameter, sum / 100.0)) }
    }
}

impl Model<Xiangqi> for XiangqiModel {
    fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    fn features(&self, position: &Position, features: &mut Features) {
        features.middle = evaluate::phase(position) as f32 / FULL_PHASE as f32;
        features.shape = 0;
        for (side, mark) in [(Side::First, FIRST_DRAWISH), (Side::Second, SECOND_DRAWISH)] {
            if !evaluate::can_attack(position, side) {
                features.shape |= mark;
            }
        }
        let mut counts = Counts { times: [0; slot::PAIRS], palace: [0; 7], features };
        terms::trace(position, &self.params, &mut counts);
        let times = counts.times;
        let used = times.iter().enumerate().filter(|&(_, &times)| times != 0);
        features.plain.extend(used.map(|(index, &times)| (index as u16, times as f32)));
        let tempo = sign(position.side_to_move()) as f32;
        features.outer.push((slot::TEMPO as u16, tempo));
    }

    /// What pieces are worth in exchanges is not part of the evaluation: it changes by as much as the average over middle and
    /// end game of material and placement, points weighted by how often they count in the data.
    fn rebuild(&self, values: &[f64], usage: &[f64]) -> Result<Params, String> {
        let mut numbers = self.params.numbers().clone();
        let rounded = |index: usize| values[index].round() as i32;
        for (index, pair) in pairs(&mut numbers.weights).into_iter().enumerate() {
            (*pair.middle, *pair.end) = (rounded(2 * index), rounded(2 * index + 1));
        }
        let singles = slot::PAIRS;
        for (pieces, percent) in numbers.weights.attackers_percent.iter_mut().enumerate() {
            *percent = rounded(singles + slot::ATTACKERS + pieces);
        }
        numbers.weights.tempo = rounded(singles + slot::TEMPO);
        numbers.weights.drawish_percent = rounded(singles + slot::DRAWISH);
        let changed = |index: usize| values[index] - self.parameters.list[index].value;
        for kind in Kind::ALL.into_iter().filter(|&kind| kind != Kind::General) {
            let mean = |pairs: std::ops::Range<usize>| {
                let places = 2 * pairs.start..2 * pairs.end;
                let all: f64 = usage[places.clone()].iter().sum();
                let sum: f64 = places.map(|place| changed(place) * usage[place]).sum();
                if all > 0.0 { sum / all } else { 0.0 }
            };
            let kind = kind.index();
            let placement = slot::PLACEMENT + 50 * kind;
            let material = 2 * (slot::MATERIAL + kind);
            let change =
                (changed(material) + changed(material + 1)) / 2.0 + mean(placement..placement + 50);
            let exchange = &mut numbers.weights.exchange[kind];
            *exchange = (*exchange + change.round() as i32).max(1);
        }
        Params::new(numbers).map_err(|error| error.to_string())
    }
}
