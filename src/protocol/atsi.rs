//! ATSI v0, the protocol of the taikyoku shogi web client: the engine plays one side of a game and keeps the board itself.
//!
//! The host says who is who (`player`), sets the clock (`time`), starts a game (`startgame`) and tells the opponent's moves
//! (`opmove`); the engine sends `move` whenever it is its turn. What the host did not ask for goes into `log` lines. Moves of
//! several steps are written START STEP END; the parameter `StepOrder` chooses the order of the engine tomatene instead.
//! Moves that the web client refuses although it lists them are avoided, unless the parameter `AvoidDisputed` is false.
//!
//! A game that ends, or begins anew, while the engine thinks makes its answer void: it is not sent.
//
// CITE: the web client of the American Taikyoku Shogi Association, https://github.com/taikyoku-shogi/taikyoku-shogi.github.io

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, never, select};

use super::command::{first_word, shortened};
use super::engine::{Done, Engine, Event, Job, JobId, News};
use super::input::Line;
use super::lines;
use super::options::{Change, Options, StepOrder};
use super::setup::Setup;
use super::{End, Setting};
use crate::game::{Evaluate, MoveKind, Named, Rule, Side};
use crate::score::Score;
use crate::search::time::{Clock, TimeParams, TimePlan};
use crate::search::{Limits, Report};

/// A line from the host that was understood.
#[derive(Clone, PartialEq, Debug)]
pub enum HostCommand<'a> {
    /// An empty line.
    Nothing,
    /// `atsiinit VERSION`.
    Init(&'a str),
    /// `identify`.
    Identify,
    /// `player 0|1`: which side the engine plays.
    Player(Side),
    /// `time START [INCREMENT]`.
    Time {
        /// Time at the start of the game.
        start: Duration,
        /// Added after each move.
        increment: Duration,
    },
    /// `startgame initial|TSFEN`: the position's text, empty for the initial one.
    StartGame(&'a str),
    /// `opmove START [STEP...] END TIME OP_TIME`.
    OpponentMove {
        /// The squares in the order of the line.
        squares: Vec<&'a str>,
        /// The engine's time left, if it was told.
        time: Option<Duration>,
    },
    /// `win`, `loss` or `draw`, with a reason.
    GameOver,
    /// `setparam NAME VALUE`.
    SetParam(&'a str, &'a str),
    /// `quit`.
    Quit,
}

/// Reads a line from the host.
///
/// # Errors
/// The reason with the bad text and the remedy.
pub fn parse(line: &str) -> Result<HostCommand<'_>, String> {
    let (word, rest) = first_word(line);
    Ok(match word {
        "" => HostCommand::Nothing,
        "atsiinit" => HostCommand::Init(rest),
        "identify" => HostCommand::Identify,
        "player" => match rest {
            "0" => HostCommand::Player(Side::First),
            "1" => HostCommand::Player(Side::Second),
            _ => return Err(format!("player: '{}' is not 0 or 1", shortened(rest))),
        },
        "time" => {
            let (start, increment) = first_word(rest);
            let increment = if increment.is_empty() { "0" } else { increment };
            let left = seconds(start)?;
            // Less than nothing is a clock that has run out; nothing is no clock.
            let start =
                if start.starts_with('-') { left.max(Duration::from_millis(1)) } else { left };
            HostCommand::Time { start, increment: seconds(increment)? }
        }
        "startgame" => match rest {
            "" => {
                return Err("startgame: write 'startgame initial' or 'startgame TSFEN'".to_owned());
            }
            "initial" => HostCommand::StartGame(""),
            _ => HostCommand::StartGame(rest),
        },
        "opmove" => {
            let is_square =
                |word: &&str| word.ends_with(|letter: char| letter.is_ascii_alphabetic());
            let squares: Vec<&str> = rest.split_whitespace().take_while(is_square).collect();
            if squares.len() < 2 {
                return Err(format!(
                    "opmove: '{}' has less than two squares; write 'opmove START END TIME OP_TIME'",
                    shortened(rest)
                ));
            }
            let time = rest.split_whitespace().nth(squares.len()).map(seconds).transpose()?;
            HostCommand::OpponentMove { squares, time }
        }
        "win" | "loss" | "draw" => HostCommand::GameOver,
        "setparam" => {
            let (name, value) = first_word(rest);
            HostCommand::SetParam(name, value)
        }
        "quit" => HostCommand::Quit,
        _ => return Err(format!("unknown command '{}'", shortened(word))),
    })
}

/// Seconds, fractions possible; negative ones are none.
fn seconds(text: &str) -> Result<Duration, String> {
    const LONGEST: f64 = 365.0 * 24.0 * 3600.0;
    match text.parse::<f64>() {
        Ok(seconds) if !seconds.is_nan() => {
            Ok(Duration::from_secs_f64(seconds.clamp(0.0, LONGEST)))
        }
        _ => Err(format!("'{}' is no number of seconds", shortened(text))),
    }
}

/// Time for a move where the host sets no clock.
const UNTIMED: Duration = Duration::from_secs(2);
/// How long a search may take to end when the program ends.
const PATIENCE: Duration = Duration::from_millis(800);
/// `eval` for a decided game: more than any board is worth.
const DECIDED: f64 = 1000.0;

/// Runs a session until the host ends it.
///
/// # Errors
/// Output that cannot be written, or no memory for the table.
pub(super) fn run<G: Evaluate>(
    setting: &Setting<G>,
    input: &Receiver<Line>,
    output: &mut dyn Write,
) -> io::Result<End> {
    let engine = Engine::<G>::new(Arc::clone(&setting.params), setting.hash_mib)
        .map_err(io::Error::other)?;
    let mut options =
        Options::new(setting.hash_mib, setting.threads, setting.rules, &setting.variants);
    options.choose_limits(setting.chosen_limits);
    let session = Session {
        engine,
        setup: Setup::start(setting.rules),
        options,
        player: Side::First,
        start_time: Duration::ZERO,
        remaining: Duration::ZERO,
        increment: Duration::ZERO,
        playing: false,
        thinking: None,
        waiting: 0,
        leaving: None,
        output,
    };
    session.run(input)
}

struct Session<'a, G: Evaluate> {
    engine: Engine<G>,
    setup: Setup<G>,
    options: Options<G>,
    player: Side,
    start_time: Duration,
    remaining: Duration,
    increment: Duration,
    /// Whether a game is on.
    playing: bool,
    thinking: Option<Thinking>,
    /// Jobs that are not done: the present search, and older ones whose answers are void.
    waiting: usize,
    leaving: Option<Instant>,
    output: &'a mut dyn Write,
}

struct Thinking {
    job: JobId,
    started: Instant,
    stop: Arc<AtomicBool>,
}

impl<G: Evaluate> Session<'_, G> {
    fn run(mut self, input: &Receiver<Line>) -> io::Result<End> {
        let nothing = never();
        loop {
            self.output.flush()?;
            if let Some(since) = self.leaving
                && (self.waiting == 0 || since.elapsed() > PATIENCE)
            {
                return Ok(End::Quit);
            }
            let lines = if self.leaving.is_some() { &nothing } else { input };
            let events = self.engine.events().clone();
            select! {
                recv(lines) -> line => match line {
                    Ok(line) => self.hear(&line)?,
                    Err(_) => self.leave(),
                },
                recv(events) -> event => {
                    self.on_event(event.expect("the thinking thread lives as long as its session"))?;
                }
                default(PATIENCE / 4) => {}
            }
        }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }

    fn log(&mut self, text: &str) -> io::Result<()> {
        self.say(&format!("log {text}"))
    }

    fn leave(&mut self) {
        self.give_up();
        self.leaving = Some(Instant::now());
    }

    /// Ends the present search; its answer is void.
    fn give_up(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            // Relaxed: the flag orders no other memory; the search sees it at its next poll.
            thinking.stop.store(true, Ordering::Relaxed);
        }
    }

    fn hear(&mut self, line: &Line) -> io::Result<()> {
        if !line.complete {
            return self.log("error a line that is too long is passed over");
        }
        let command = match parse(&line.text) {
            Ok(command) => command,
            Err(error) => return self.log(&format!("error {error}")),
        };
        match command {
            HostCommand::Nothing => Ok(()),
            HostCommand::Init(version) => self.init(version),
            HostCommand::Identify => self.identify(),
            HostCommand::Player(player) => {
                self.player = player;
                self.think(line.received)
            }
            HostCommand::Time { start, increment } => {
                (self.start_time, self.remaining, self.increment) = (start, start, increment);
                Ok(())
            }
            HostCommand::StartGame(text) => self.start_game(text, line.received),
            HostCommand::OpponentMove { squares, time } => {
                self.opponent_move(&squares, time, line.received)
            }
            HostCommand::GameOver => {
                self.give_up();
                self.playing = false;
                Ok(())
            }
            HostCommand::SetParam(name, value) => self.set_param(name, value),
            HostCommand::Quit => {
                self.leave();
                Ok(())
            }
        }
    }

    fn init(&mut self, version: &str) -> io::Result<()> {
        // The client's document says v00, its code v0.
        if !matches!(version, "v0" | "v00") {
            let version = shortened(version);
            self.log(&format!("warning version '{version}' is unknown; this engine speaks v0"))?;
        }
        self.say("atsiok")
    }

    fn identify(&mut self) -> io::Result<()> {
        let about = env!("CARGO_PKG_DESCRIPTION");
        let (version, authors) = (env!("CARGO_PKG_VERSION"), super::AUTHORS);
        self.say(&format!("info \"Kyokumen\" \"{about}\" \"{version}\" \"{authors}\""))?;
        for line in self.options.describe_atsi() {
            self.say(&line)?;
        }
        Ok(())
    }

    fn start_game(&mut self, text: &str, received: Instant) -> io::Result<()> {
        self.give_up();
        self.playing = false;
        let mut setup = Setup::start(self.options.rules);
        match setup.set(text, "", self.options.rules) {
            Ok(warnings) => {
                for warning in warnings {
                    self.log(&format!("warning {warning}"))?;
                }
            }
            Err(error) => return self.log(&format!("error startgame: {error}; no game is on")),
        }
        self.setup = setup;
        self.remaining = self.start_time;
        self.playing = true;
        self.send(Job::Clear);
        self.think(received)
    }

    fn send(&mut self, job: Job<G>) -> JobId {
        self.waiting += 1;
        self.engine.send(job)
    }

    fn opponent_move(
        &mut self,
        squares: &[&str],
        time: Option<Duration>,
        received: Instant,
    ) -> io::Result<()> {
        let text = squares.join(" ");
        let refusal = if !self.playing {
            Some("no game is on; send startgame first")
        } else if self.turn() == self.player {
            Some("it is the engine's turn")
        } else {
            None
        };
        if let Some(reason) = refusal {
            return self.log(&format!("error opmove '{}': {reason}", shortened(&text)));
        }
        match self.find_move(squares) {
            Ok(mv) => self.setup.play(mv),
            Err(reason) => {
                return self.log(&format!("error opmove '{}': {reason}", shortened(&text)));
            }
        }
        if let Some(time) = time {
            self.remaining = time;
        }
        self.think(received)
    }

    fn turn(&self) -> Side {
        G::side_to_move(self.setup.position())
    }

    /// The legal move of some squares.
    fn find_move(&self, squares: &[&str]) -> Result<G::Move, String> {
        let position = self.setup.position();
        let mut squares = squares.to_vec();
        if self.options.step_order == StepOrder::Tomatene && squares.len() > 2 {
            // START END STEP -> START STEP END.
            squares[1..].rotate_left(1);
        }
        let error = match G::parse_move(position, &squares.join(" ")) {
            Ok(mv) => return Ok(mv),
            Err(error) => error.message,
        };
        let (start, end) = (squares[0], squares[squares.len() - 1]);
        if squares.len() > 2 {
            // A step over an empty square changes nothing, and the move has a shorter name.
            return G::parse_move(position, &format!("{start} {end}")).map_err(|_| error);
        }
        // A step may be left out where only one move leads there.
        let notation = self.notation();
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

    /// The way moves are read and compared: the document's order of steps.
    fn notation(&self) -> G::Notation {
        G::Notation::from_name(StepOrder::Document.notation()).unwrap_or(G::Notation::ALL[0])
    }

    fn set_param(&mut self, name: &str, value: &str) -> io::Result<()> {
        match self.options.set(name, Some(value)) {
            Ok(Change::Stored) => Ok(()),
            Ok(Change::Hash(hash_mib)) => {
                self.send(Job::Resize(hash_mib));
                Ok(())
            }
            Ok(Change::ClearHash) => {
                self.send(Job::Clear);
                Ok(())
            }
            Ok(Change::Rules) => self.log("the rules change with the next startgame"),
            Ok(Change::Variant(name)) => {
                self.log(&format!("error parameter '{name}': this protocol knows one game"))
            }
            Err(error) => self.log(&format!("error {error}")),
        }
    }

    /// Begins to think, if a game is on and it is the engine's turn.
    fn think(&mut self, received: Instant) -> io::Result<()> {
        if !self.playing || self.thinking.is_some() || self.turn() != self.player {
            return Ok(());
        }
        let position = self.setup.position().clone();
        let mut moves = Vec::new();
        G::generate(&position, MoveKind::All, &mut moves);
        let verdict = G::judge(&position);
        if moves.is_empty() || verdict.rule == Some(Rule::Royals) {
            self.playing = false;
            return self.log(&format!("the game is over: {}", verdict.explanation));
        }
        let timed =
            !(self.remaining.is_zero() && self.increment.is_zero() && self.start_time.is_zero());
        let fixed = match self.options.movetime_ms {
            0 if timed => None,
            0 => Some(UNTIMED),
            milliseconds => Some(Duration::from_millis(milliseconds)),
        };
        let clock =
            Clock { remaining: self.remaining, increment: self.increment, ..Clock::default() };
        let params = TimeParams { overhead_ms: self.options.overhead_ms, ..TimeParams::default() };
        let stop = Arc::new(AtomicBool::new(false));
        let limits = Limits {
            nodes: self.options.skill.nodes(moves.len() as u64),
            movetime: fixed,
            clock: fixed.is_none().then(|| TimePlan::from_clock(clock, &params)),
            multipv: self.options.skill.lines(1),
            threads: self.options.threads,
            searchmoves: self.undisputed(&position, moves),
            stop: Arc::clone(&stop),
            started: Some(received),
            ..Limits::default()
        };
        let job = self.send(Job::Search { position, limits });
        self.thinking = Some(Thinking { job, started: received, stop });
        Ok(())
    }

    /// The moves to choose from, where the host would refuse others; none where it refuses none, or all.
    fn undisputed(&self, position: &G::Position, mut moves: Vec<G::Move>) -> Vec<G::Move> {
        let all = moves.len();
        if self.options.avoid_disputed {
            moves.retain(|&mv| !G::is_disputed(position, mv));
        }
        if moves.len() == all { Vec::new() } else { moves }
    }

    fn on_event(&mut self, event: Event<G::Move>) -> io::Result<()> {
        let current = self.thinking.as_ref().is_some_and(|thinking| thinking.job == event.job);
        match event.news {
            News::Progress(report) if current => self.show_progress(&report),
            News::Progress(_) | News::Text(_) => Ok(()),
            News::Done(done) => {
                self.waiting -= 1;
                match done {
                    Done::Searched(report) if current => self.answer(Some(&report)),
                    Done::Failed if current => self.answer(None),
                    Done::Resized { error: Some(error), hash_mib } => {
                        self.log(&format!("error {error}; the table stays at {hash_mib} MiB"))
                    }
                    _ => Ok(()),
                }
            }
        }
    }

    fn show_progress(&mut self, report: &Report<G::Move>) -> io::Result<()> {
        let mut position = self.setup.position().clone();
        let native = G::Notation::ALL[0];
        let line = report.lines.first();
        let pv = line.map(|line| lines::moves::<G>(&mut position, native, line).join(" "));
        self.log(&format!(
            "depth {} score {} nodes {} time {} pv {}",
            report.depth,
            report.score(),
            report.nodes,
            report.time.as_millis(),
            pv.unwrap_or_default()
        ))
    }

    /// Sends the move that was found, or any, if a fault of the program left none.
    fn answer(&mut self, report: Option<&Report<G::Move>>) -> io::Result<()> {
        let Some(thinking) = self.thinking.take() else { return Ok(()) };
        let position = self.setup.position();
        let line = report.and_then(|report| self.options.skill.choose(report, G::hash(position)));
        let found = line.and_then(|line| Some((*line.moves.first()?, line.score)));
        let found = found.filter(|&(mv, _)| lines::is_legal::<G>(position, mv));
        let (mv, score) = match found {
            Some(found) => found,
            None => {
                let mut moves = Vec::new();
                G::generate(position, MoveKind::All, &mut moves);
                let Some(&mv) = moves.first() else { return Ok(()) };
                (mv, Score::ZERO)
            }
        };
        let resign_cp = self.options.resign_cp as i64;
        if resign_cp > 0 && i64::from(score.get()) <= -resign_cp {
            self.playing = false;
            return self.say(&format!("resign \"behind by {} centipawns\"", -score.get()));
        }
        let notation = G::Notation::from_name(self.options.step_order.notation());
        let text = G::format_move(position, mv, notation.unwrap_or(G::Notation::ALL[0]));
        let eval = eval(score, self.player);
        self.setup.play(mv);
        let used = thinking.started.elapsed();
        self.remaining = self.remaining.saturating_sub(used) + self.increment;
        self.say(&format!("eval {eval}"))?;
        self.say(&format!("move {text}"))
    }
}

/// A score of the side `mover` as the host wants it: in pawns, positive if it is good for the first player.
fn eval(score: Score, mover: Side) -> f64 {
    let pawns = if score.is_decisive() {
        DECIDED.copysign(f64::from(score.get()))
    } else {
        f64::from(score.get()) / 100.0
    };
    match mover {
        Side::First => pawns,
        Side::Second => 0.0 - pawns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_lines_are_read() {
        let check =
            |line: &str, command: HostCommand<'_>| assert_eq!(parse(line), Ok(command), "{line}");
        let ms = Duration::from_millis;
        check("atsiinit v00", HostCommand::Init("v00"));
        check("player 1", HostCommand::Player(Side::Second));
        check("time 300", HostCommand::Time { start: ms(300_000), increment: ms(0) });
        check("time 0.5 0.25", HostCommand::Time { start: ms(500), increment: ms(250) });
        check("time -1 2", HostCommand::Time { start: ms(1), increment: ms(2000) });
        check("time 0 0", HostCommand::Time { start: ms(0), increment: ms(0) });
        check("startgame initial", HostCommand::StartGame(""));
        check("startgame a,b/c 0", HostCommand::StartGame("a,b/c 0"));
        let squares = vec!["26ee", "25dd", "24cc"];
        let time = Some(ms(299_500));
        check("opmove 26ee 25dd 24cc 299.5 300", HostCommand::OpponentMove { squares, time });
        let squares = vec!["1a", "1b"];
        check("opmove 1a 1b", HostCommand::OpponentMove { squares, time: None });
        check("loss all royals fell", HostCommand::GameOver);
        check("setparam Hash 64", HostCommand::SetParam("Hash", "64"));
    }

    #[test]
    fn bad_lines_are_named() {
        for (line, part) in [
            ("player 2", "'2'"),
            ("time x", "'x'"),
            ("startgame", "initial"),
            ("opmove 1a", "two squares"),
            ("opmove 1a 1b 2,5", "'2,5'"),
            ("xyzzy", "'xyzzy'"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
    }

    #[test]
    fn evaluations_are_the_first_players() {
        assert_eq!(eval(Score::centipawns(125), Side::First), 1.25);
        assert_eq!(eval(Score::centipawns(125), Side::Second), -1.25);
        assert_eq!(eval(Score::mated_in(4), Side::First), -1000.0);
    }
}
