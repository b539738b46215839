//! The match's end of ATSI: the engine keeps the board and moves whenever it is its turn.

use std::time::{Duration, Instant};

use super::super::player::{Allowance, Board, Choice, Lapse, Outcome};
use super::super::spec::ExternalSpec;
use super::READY_PATIENCE;
use super::process::Process;
use crate::game::{Game, MoveKind, Named, Side};

/// The position format of the protocol, and its order of steps.
const FORMAT: &str = "atsa";
const DOCUMENT_NOTATION: &str = "atsi";
/// The parameter of our own engine for a fixed time, which the protocol cannot say.
const MOVE_TIME: &str = "MoveTime";

/// A conversation with an engine.
pub(super) struct AtsiTalk {
    process: Process,
    step_notation: &'static str,
    /// Whether the engine announced [`MOVE_TIME`].
    has_move_time: bool,
    side: Side,
    /// Whether the engine was told of the game.
    playing: bool,
}

impl AtsiTalk {
    /// Shakes hands and sets the parameters.
    pub(super) fn open(mut process: Process, spec: &ExternalSpec) -> Result<Self, Lapse> {
        let deadline = Instant::now() + READY_PATIENCE;
        let not_ready = |what: &str, lapse| match lapse {
            Lapse::Stall(_) => {
                Lapse::Crash(format!("no '{what}' within {} s", READY_PATIENCE.as_secs()))
            }
            other => other,
        };
        process.send("atsiinit v0");
        process
            .wait(deadline, |line| (line == "atsiok").then_some(()))
            .map_err(|lapse| not_ready("atsiok", lapse))?;
        process.send("identify");
        process
            .wait(deadline, |line| line.starts_with("info ").then_some(()))
            .map_err(|lapse| not_ready("info", lapse))?;
        for (name, value) in &spec.options {
            process.send(&format!("setparam {name} {value}"));
        }
        // Parameters follow without an end mark; what is there soon counts.
        const SOON: Duration = Duration::from_millis(200);
        let wanted = format!("param {MOVE_TIME} ");
        let found =
            process.wait(Instant::now() + SOON, |line| line.starts_with(&wanted).then_some(()));
        let has_move_time = match found {
            Ok(()) => true,
            Err(Lapse::Stall(_)) => false,
            Err(lapse) => return Err(lapse),
        };
        let step_notation = spec.step_notation;
        Ok(Self { process, step_notation, has_move_time, side: Side::First, playing: false })
    }

    pub(super) fn begin(&mut self, side: Side, allowance: &Allowance) -> Result<(), Lapse> {
        self.side = side;
        self.playing = false;
        self.process.send(&format!("player {}", side.index()));
        if let Some(time) = allowance.pace.movetime {
            if self.has_move_time {
                self.process.send(&format!("setparam {MOVE_TIME} {}", time.as_millis()));
            }
            // So long at first, and as much again with every move.
            let seconds = time.as_secs_f64();
            self.process.send(&format!("time {seconds} {seconds}"));
        } else if let Some(start) = allowance.remaining[side.index()] {
            let gain = allowance.increments[side.index()].as_secs_f64();
            self.process.send(&format!("time {} {gain}", start.as_secs_f64()));
        }
        Ok(())
    }

    pub(super) fn choose<G: Game>(
        &mut self,
        board: &Board<'_, G>,
        allowance: &Allowance,
    ) -> Result<Choice<G::Move>, Lapse> {
        let started = Instant::now();
        if !self.playing {
            self.playing = true;
            let opening = self.opening::<G>(board)?;
            self.process.send(&format!("startgame {opening}"));
        }
        if board.moves.len() > board.opening_plies {
            let times = |side: Side| {
                let time = allowance.remaining[side.index()].or(allowance.pace.movetime);
                time.unwrap_or_default().as_secs_f64()
            };
            let squares = self.last_move::<G>(board.position)?;
            let (own, opponent) = (times(self.side), times(!self.side));
            self.process.send(&format!("opmove {squares} {own} {opponent}"));
        }
        let line = self.process.wait(started + allowance.patience, |line| {
            let word = line.split_whitespace().next()?;
            matches!(word, "move" | "resign" | "quit").then(|| line.to_owned())
        })?;
        let time = started.elapsed();
        let (word, squares) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "resign" => Err(Lapse::Resigned(format!("it resigned: {squares}"))),
            "quit" => Err(Lapse::Crash("it wants no more".to_owned())),
            _ => {
                let squares: Vec<&str> = squares.split_whitespace().collect();
                let mv = self.find_move::<G>(board.position, &squares).map_err(|reason| {
                    Lapse::Illegal(format!("it played '{}': {reason}", squares.join(" ")))
                })?;
                Ok(Choice { mv, score: None, depth: None, nodes: None, time })
            }
        }
    }

    pub(super) fn end(&mut self, outcome: Outcome) {
        if self.playing {
            self.playing = false;
            self.process.send(match outcome {
                Outcome::Win => "win",
                Outcome::Draw => "draw",
                Outcome::Loss => "loss",
            });
        }
    }

    /// The position after the opening, as the protocol writes it.
    fn opening<G: Game>(&self, board: &Board<'_, G>) -> Result<String, Lapse> {
        let format = G::Format::from_name(FORMAT)
            .ok_or_else(|| Lapse::Crash(format!("ATSI cannot say positions of {}", G::NAME)))?;
        let mut position = board.position.clone();
        for _ in board.opening_plies..board.moves.len() {
            G::unmake(&mut position);
        }
        let start = G::start(G::rules_of(&position));
        if board.opening_plies == 0 && G::hash(&start) == G::hash(&position) {
            return Ok("initial".to_owned());
        }
        G::format_position(&position, format).map_err(Lapse::Crash)
    }

    /// The last move in the engine's order of steps.
    fn last_move<G: Game>(&self, position: &G::Position) -> Result<String, Lapse> {
        let notation = G::Notation::from_name(self.step_notation)
            .ok_or_else(|| Lapse::Crash(format!("ATSI cannot say moves of {}", G::NAME)))?;
        let mv = *G::moves_made(position).last().expect("a move was made since the opening");
        let mut before = position.clone();
        G::unmake(&mut before);
        Ok(G::format_move(&before, mv, notation))
    }

    /// The legal move of some squares.
    fn find_move<G: Game>(
        &self,
        position: &G::Position,
        squares: &[&str],
    ) -> Result<G::Move, String> {
        let mut squares = squares.to_vec();
        let (Some(&start), Some(_)) = (squares.first(), squares.get(1)) else {
            return Err("less than two squares".to_owned());
        };
        if self.step_notation != DOCUMENT_NOTATION && squares.len() > 2 {
            // START END STEP -> START STEP END.
            squares[1..].rotate_left(1);
        }
        let end = squares[squares.len() - 1];
        let error = match G::parse_move(position, &squares.join(" ")) {
            Ok(mv) => return Ok(mv),
            Err(error) => error.message,
        };
        if squares.len() > 2 {
            // A step over an empty square changes nothing, and the move has a shorter name.
            return G::parse_move(position, &format!("{start} {end}")).map_err(|_| error);
        }
        // A step may be left out where only one move leads there.
        let notation = G::Notation::from_name(DOCUMENT_NOTATION).unwrap_or(G::Notation::ALL[0]);
        let mut moves = Vec::new();
        G::generate(position, MoveKind::All, &mut moves);
        moves.retain(|&mv| {
            let text = G::format_move(position, mv, notation);
            let mut words = text.split_whitespace();
            words.next() == Some(start) && words.next_back() == Some(end)
        });
        match moves[..] {
            [mv] => Ok(mv),
            _ => Err(error),
        }
    }
}
