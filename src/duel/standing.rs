//! The score of a match while it runs, from the first engine's view.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::player::Fault;
use super::record::GameRecord;
use super::schedule::Fixture;
use super::sprt::{Decision, Sprt};
use super::statistics::{Estimate, Pentanomial};

/// Games won, drawn and lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

impl Tally {
    fn add(&mut self, half_points: usize) {
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// All games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    fn json(&self) -> Value {
        json!({ "wins": self.wins, "draws": self.draws, "losses": self.losses })
    }
}

/// Faults of one engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Faults {
    /// Games lost because it ended or could not be started.
    pub crashes: u64,
    /// Games lost by its time.
    pub time_losses: u64,
    /// Games lost by a move that is not legal.
    pub illegal_moves: u64,
}

impl Faults {
    /// All of them.
    pub const fn count(&self) -> u64 {
        self.crashes + self.time_losses + self.illegal_moves
    }
}

/// The score so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standing {
    /// Games by their result for the first engine.
    pub total: Tally,
    /// Those in which it played first, and second.
    pub by_colour: [Tally; 2],
    /// Whole pairs.
    pub pentanomial: Pentanomial,
    /// Faults of the engines.
    pub faults: [Faults; 2],
    /// Games by what ended them.
    pub reasons: BTreeMap<String, u64>,
    /// Pairs of which one game is finished, with twice the points of the first engine.
    halves: BTreeMap<u64, usize>,
}

impl Standing {
    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord) {
        let Some(fixture) = Fixture::of(record) else { return };
        let first_engine = fixture.first_engine();
        let of_first = record.result.half_points_of_first();
        let half_points = if first_engine == 0 { of_first } else { 2 - of_first };
        self.total.add(half_points);
        self.by_colour[first_engine].add(half_points);
        *self.reasons.entry(record.reason.clone()).or_default() += 1;
        if let Some(fault) = record.fault {
            // Whoever is at fault has lost.
            let faults = &mut self.faults[usize::from(half_points == 2)];
            match fault {
                Fault::Crash => faults.crashes += 1,
                Fault::Time => faults.time_losses += 1,
                Fault::IllegalMove => faults.illegal_moves += 1,
            }
        }
        match self.halves.remove(&fixture.pair()) {
            Some(other) => self.pentanomial.add(half_points + other),
            None => {
                self.halves.insert(fixture.pair(), half_points);
            }
        }
    }

    /// The running score in one line.
    pub fn line(&self, sprt: Option<&Sprt>) -> String {
        let Tally { wins, draws, losses } = self.total;
        let mut text = format!("+{wins} ={draws} -{losses}");
        if let Some(estimate) = self.pentanomial.estimate() {
            let [ll, ld, even, wd, ww] = self.pentanomial.0;
            text += &format!(
                ", Elo {}, LOS {}, pairs [{ll} {ld} {even} {wd} {ww}]",
                elo_text(&estimate),
                superiority_text(&estimate),
            );
        }
        if let Some(sprt) = sprt {
            let (lower, upper) = sprt.bounds();
            let llr = sprt.llr(&self.pentanomial);
            text += &format!(", LLR {llr:.2} ({lower:.2}, {upper:.2})");
        }
        text
    }

    /// How a test stands.
    pub fn decision(&self, sprt: Option<&Sprt>) -> Decision {
        match sprt {
            None => Decision::Undecided,
            Some(sprt) => sprt.decision(sprt.llr(&self.pentanomial)),
        }
    }

    /// Everything, for programs. Numbers that are not finite are null.
    pub fn json(&self, names: [&str; 2], sprt: Option<&Sprt>) -> Map<String, Value> {
        let total = self.total;
        let estimate = self.pentanomial.estimate();
        let faults = |engine: usize| {
            let Faults { crashes, time_losses, illegal_moves } = self.faults[engine];
            json!({
                "name": names[engine],
                "crashes": crashes,
                "time_losses": time_losses,
                "illegal_moves": illegal_moves,
            })
        };
        let sprt = sprt.map(|sprt| {
            let (lower, upper) = sprt.bounds();
            let llr = sprt.llr(&self.pentanomial);
            let mut value = json!(sprt);
            value["llr"] = json!(llr);
            value["lower"] = json!(lower);
            value["upper"] = json!(upper);
            value["decision"] = json!(sprt.decision(llr));
            value
        });
        let value = json!({
            "engines": [faults(0), faults(1)],
            "games": total.games(),
            "wins": total.wins,
            "draws": total.draws,
            "losses": total.losses,
            "points": total.points(),
            "score": (total.games() > 0).then(|| total.points() / total.games() as f64),
            "as_first": self.by_colour[0].json(),
            "as_second": self.by_colour[1].json(),
            "pairs": self.pentanomial.pairs(),
            "pentanomial": self.pentanomial,
            "elo": estimate.map(|estimate| estimate.elo),
            "elo_error": estimate.and_then(|estimate| estimate.elo_error),
            "superiority": estimate.and_then(|estimate| estimate.superiority),
            "sprt": sprt,
            "reasons": self.reasons,
        });
        match value {
            Value::Object(fields) => fields,
            _ => unreachable!("an object was written"),
        }
    }
}

/// Elo with its error, `?` where nobody knows it.
pub fn elo_text(estimate: &Estimate) -> String {
    let elo = estimate.elo;
    match estimate.elo_error {
        Some(error) => format!("{elo:+.1} +/- {error:.1}"),
        None => format!("{elo:+.1} +/- ?"),
    }
}

/// The likelihood of superiority in percent.
pub fn superiority_text(estimate: &Estimate) -> String {
    match estimate.superiority {
        Some(chance) => format!("{:.1}%", chance * 100.0),
        None => "?".to_owned(),
    }
}
