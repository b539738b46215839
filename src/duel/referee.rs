//! Plays one game between two players: asks them in turn, checks every move and the clocks, judges every position.

use std::sync::Arc;
use std::time::Duration;

use super::adjudication::{Adjudication, Watch};
use super::opening::Opening;
use super::pace::Pace;
use super::player::{Allowance, Board, Choice, Fault, Lapse, Outcome, Player};
use super::record::{GameRecord, Score};
use crate::game::{Evaluate, GameResult, MoveKind, Named, Side};

/// How games are refereed.
pub struct Referee<G: Evaluate> {
    /// When games end early.
    pub adjudication: Adjudication,
    /// How long an engine without a limit of time may take for a move.
    pub patience: Duration,
    /// The evaluation by which a lead is measured.
    pub params: Arc<G::Params>,
}

/// A player at the board.
pub struct Seat<'a, G: Evaluate> {
    /// The name in the record.
    pub name: &'a str,
    /// The engine.
    pub player: &'a mut dyn Player<G>,
    /// Its limits.
    pub pace: Pace,
    /// How far it may overstep its time.
    pub margin: Duration,
}

/// Which game it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    /// Number in the match, from 1.
    pub id: u64,
    /// Number of the pair, from 1.
    pub pair: u64,
}

/// A game under way.
struct Course<'a, G: Evaluate> {
    opening: &'a Opening<G>,
    position: G::Position,
    moves: Vec<String>,
    remaining: [Option<Duration>; 2],
    scores: Vec<Option<i32>>,
    depths: Vec<Option<u32>>,
    nodes: Vec<Option<u64>>,
    times_ms: Vec<u64>,
}

/// How a game ended.
struct Ending {
    result: GameResult,
    reason: String,
    fault: Option<Fault>,
    explanation: String,
}

impl<G: Evaluate> Referee<G> {
    /// Plays a game; the seats are those of the first and the second player. `None` if it was interrupted.
    pub fn play(
        &self,
        label: Label,
        opening: &Opening<G>,
        mut seats: [Seat<'_, G>; 2],
    ) -> Option<GameRecord> {
        let mut course = Course {
            opening,
            position: opening.position.clone(),
            moves: opening.moves.clone(),
            remaining: [0, 1].map(|side| {
                let control = seats[side].pace.control;
                control.map(|control| control.base + control.increment)
            }),
            scores: Vec::new(),
            depths: Vec::new(),
            nodes: Vec::new(),
            times_ms: Vec::new(),
        };
        G::prepare(&mut course.position, &self.params);
        let ending = match self.run(&mut course, &mut seats) {
            Ok(ending) => ending,
            Err((_, Lapse::Interrupted)) => return None,
            Err((side, lapse)) => {
                let seat = &mut seats[side.index()];
                if !matches!(lapse, Lapse::Resigned(_)) {
                    seat.player.restart();
                }
                forfeit::<G>(side, seat.name, lapse)
            }
        };
        for side in Side::ALL {
            let outcome = match ending.result {
                GameResult::Draw | GameResult::None => Outcome::Draw,
                result if result == GameResult::win(side) => Outcome::Win,
                _ => Outcome::Loss,
            };
            seats[side.index()].player.end(outcome);
        }
        let is_timed = seats.iter().any(|seat| seat.pace.is_timed());
        Some(GameRecord {
            id: label.id,
            pair: label.pair,
            game: G::NAME.to_owned(),
            rules: G::rules_of(&course.position).set.name().to_owned(),
            opening: opening.name.clone(),
            first: seats[0].name.to_owned(),
            second: seats[1].name.to_owned(),
            result: Score::of(ending.result),
            reason: ending.reason,
            fault: ending.fault,
            explanation: ending.explanation,
            plies: course.moves.len(),
            opening_plies: opening.moves.len(),
            fen: opening.root.clone(),
            moves: course.moves.join(" "),
            scores: course.scores,
            depths: course.depths,
            nodes: course.nodes,
            times_ms: is_timed.then_some(course.times_ms),
        })
    }

    fn run(
        &self,
        course: &mut Course<'_, G>,
        seats: &mut [Seat<'_, G>; 2],
    ) -> Result<Ending, (Side, Lapse)> {
        for side in Side::ALL {
            let allowance = self.allowance(course, seats, side);
            let player = &mut seats[side.index()].player;
            player.begin(side, &allowance).map_err(|lapse| (side, lapse))?;
        }
        let mut watch = Watch::new(self.adjudication);
        loop {
            if let Some(ending) = self.judge(course, &mut watch) {
                return Ok(ending);
            }
            let side = G::side_to_move(&course.position);
            let allowance = self.allowance(course, seats, side);
            let board = Board {
                root: &course.opening.root,
                position: &course.position,
                moves: &course.moves,
                opening_plies: course.opening.moves.len(),
            };
            let seat = &mut seats[side.index()];
            let choice = seat.player.choose(&board, &allowance);
            let choice = choice.map_err(|lapse| (side, lapse))?;
            course.check_clock(seat, side, &choice).map_err(|lapse| (side, lapse))?;
            course.play(side, &choice).map_err(|lapse| (side, lapse))?;
            watch.see_score(side, choice.score);
        }
    }

    fn judge(&self, course: &Course<'_, G>, watch: &mut Watch) -> Option<Ending> {
        let position = &course.position;
        let verdict = G::judge(position);
        if verdict.result != GameResult::None {
            let reason = verdict.rule.map(|rule| {
                let text = serde_json::to_value(rule).expect("a rule is a word");
                text.as_str().unwrap_or_default().to_owned()
            });
            return Some(Ending {
                result: verdict.result,
                reason: reason.unwrap_or_else(|| "rules".to_owned()),
                fault: None,
                explanation: verdict.explanation,
            });
        }
        let ruling = watch.rule(course.moves.len(), || {
            let score = G::evaluate(position, &self.params).get();
            match G::side_to_move(position) {
                Side::First => score,
                Side::Second => -score,
            }
        })?;
        Some(Ending {
            result: ruling.winner.map_or(GameResult::Draw, GameResult::win),
            reason: ruling.cause.name().to_owned(),
            fault: None,
            explanation: ruling.explanation,
        })
    }

    fn allowance(&self, course: &Course<'_, G>, seats: &[Seat<'_, G>; 2], side: Side) -> Allowance {
        let seat = &seats[side.index()];
        let increment = |seat: &Seat<'_, G>| {
            seat.pace.control.map(|control| control.increment).unwrap_or_default()
        };
        let time = [seat.pace.movetime, course.remaining[side.index()]].into_iter().flatten().min();
        Allowance {
            pace: seat.pace,
            remaining: course.remaining,
            increments: [increment(&seats[0]), increment(&seats[1])],
            patience: time.map_or(self.patience, |time| time + seat.margin),
        }
    }
}

impl<G: Evaluate> Course<'_, G> {
    /// Takes the time of a move from the clock.
    fn check_clock(
        &mut self,
        seat: &Seat<'_, G>,
        side: Side,
        choice: &Choice<G::Move>,
    ) -> Result<(), Lapse> {
        let late = |limit: Duration, what: &str| {
            let (time, limit) = (choice.time.as_millis(), limit.as_millis());
            Err(Lapse::Stall(format!("it took {time} ms, but {what} {limit} ms")))
        };
        if let Some(limit) = seat.pace.movetime.filter(|&limit| choice.time > limit + seat.margin) {
            return late(limit, "a move has");
        }
        if let Some(remaining) = self.remaining[side.index()] {
            if choice.time > remaining + seat.margin {
                return late(remaining, "its clock had");
            }
            let increment = seat.pace.control.map(|control| control.increment).unwrap_or_default();
            let left = remaining.saturating_sub(choice.time) + increment;
            self.remaining[side.index()] = Some(left);
        }
        Ok(())
    }

    /// Plays a move, if it is legal.
    fn play(&mut self, side: Side, choice: &Choice<G::Move>) -> Result<(), Lapse> {
        let mut moves = Vec::new();
        G::generate(&self.position, MoveKind::All, &mut moves);
        if !moves.contains(&choice.mv) {
            return Err(Lapse::Illegal(format!("it played {:?}, which is not legal", choice.mv)));
        }
        self.moves.push(G::format_move(&self.position, choice.mv, G::Notation::ALL[0]));
        G::make(&mut self.position, choice.mv);
        self.scores.push(choice.score.map(|score| match side {
            Side::First => score.get(),
            Side::Second => -score.get(),
        }));
        self.depths.push(choice.depth);
        self.nodes.push(choice.nodes);
        self.times_ms.push(choice.time.as_millis() as u64);
        Ok(())
    }
}

/// The game is lost for who made it impossible.
fn forfeit<G: Evaluate>(side: Side, name: &str, lapse: Lapse) -> Ending {
    let colour = G::SIDES[side.index()];
    let (fault, reason, text) = match lapse {
        Lapse::Crash(text) => (Some(Fault::Crash), "crash", text),
        Lapse::Stall(text) => (Some(Fault::Time), "time", text),
        Lapse::Illegal(text) => (Some(Fault::IllegalMove), "illegal_move", text),
        Lapse::Resigned(text) => (None, "resignation", text),
        Lapse::Interrupted => unreachable!("an interrupted game has no end"),
    };
    Ending {
        result: GameResult::win(!side),
        reason: reason.to_owned(),
        fault,
        explanation: format!("{name} ({colour}) loses: {text}."),
    }
}
