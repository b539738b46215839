//! A session in a dialect of the UCI family: commands in, searches out, never deaf.
//!
//! Three threads: one reads lines ([`super::input`]), one thinks ([`super::engine`]), and the session between them only ever
//! waits for news of either. What a command does while the engine thinks:
//!
//! | command | effect |
//! |---|---|
//! | `isready` | `readyok` at once |
//! | `stop` | the search ends and answers |
//! | `go` | the search before it ends and answers, then this one begins: one `bestmove` for each `go` |
//! | `position`, most options | kept for the next `go`; the search goes on as it was |
//! | `Hash`, `Clear Hash`, `ucinewgame`, `perft`, `bench` | done after the search |
//! | `quit` | the search ends and answers, counts have a second to end, then the program ends |
//! | end of input | a search with a limit has a second, counts come to their end while somebody reads |
//!
//! `go infinite` and `go ponder` are answered only when they are told to, however early the search itself has ended.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, never, select};

use super::command::{Command, Go, first_word, shortened};
use super::count;
use super::dialect::Dialect;
use super::engine::{Done, Engine, Event, Job, JobId, News};
use super::input::Line;
use super::lines::{self, Show};
use super::options::{Change, Kept, Options};
use super::setup::Setup;
use super::skill::Skill;
use super::{End, Setting};
use crate::game::{Evaluate, MoveKind, Named};
use crate::perft::{DEEPEST, Monitor};
use crate::score::Score;
use crate::search::time::{TimeParams, TimePlan};
use crate::search::{Limits, Report};

/// While the engine thinks, it says so this often: the only way to notice that nobody reads any more.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// How long a search may take to end when the program ends.
const PATIENCE: Duration = Duration::from_millis(800);
/// How long counts may go on after `quit`, and searches with a limit after the end of the input, as scripts end right behind them.
const GRACE: Duration = Duration::from_secs(1);

/// Runs a session until the other side ends it or wants another game.
///
/// # Errors
/// Output that cannot be written.
pub(super) fn run<G: Evaluate>(
    dialect: Dialect,
    setting: &Setting<G>,
    input: &Receiver<Line>,
    output: &mut dyn Write,
) -> io::Result<End> {
    let engine = match Engine::<G>::new(Arc::clone(&setting.params), setting.hash_mib) {
        Ok(engine) => engine,
        Err(error) => return Err(io::Error::other(error)),
    };
    let mut options =
        Options::new(setting.hash_mib, setting.threads, setting.rules, &setting.variants);
    options.choose_limits(setting.chosen_limits);
    if let Some(kept) = &setting.kept {
        options.take_over(kept);
    }
    let mut session = Session {
        dialect,
        params: Arc::clone(&setting.params),
        engine,
        setup: Setup::start(options.rules),
        options,
        banned: Vec::new(),
        refused: false,
        tickets: VecDeque::new(),
        leaving: None,
        output,
    };
    for note in &setting.notes {
        session.note(note)?;
    }
    session.run(input)
}

struct Session<'a, G: Evaluate> {
    dialect: Dialect,
    params: Arc<G::Params>,
    engine: Engine<G>,
    setup: Setup<G>,
    options: Options<G>,
    /// Moves that must not be chosen, until the next `position`.
    banned: Vec<G::Move>,
    /// Whether the last `position` was refused.
    refused: bool,
    /// The jobs that are not yet done or not yet answered, oldest first.
    tickets: VecDeque<Ticket<G>>,
    leaving: Option<Leaving>,
    output: &'a mut dyn Write,
}

/// A session that ends.
struct Leaving {
    /// The game to go on with; `None`: the program ends.
    variant: Option<String>,
    since: Instant,
    counts: Counts,
    /// Whether something may still go on for [`GRACE`] from `since`.
    in_grace: bool,
}

/// What becomes of counts when a session ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Counts {
    /// They are told to stop.
    GivenUp,
    /// They have [`GRACE`] to end.
    Limited,
    /// They come to their end: the input has ended, as that of a pipe does, and nobody asked to quit.
    GoOn,
}

/// A job on its way.
struct Ticket<G: Evaluate> {
    job: JobId,
    kind: Kind<G>,
}

enum Kind<G: Evaluate> {
    Search(Box<Search<G>>),
    /// Perft or benchmark.
    Count(Arc<Monitor>, Arc<AtomicBool>),
    Resize(usize),
    Clear,
    /// `readyok` is owed.
    Ready,
}

/// A search that was asked for and not yet answered.
struct Search<G: Evaluate> {
    position: G::Position,
    show: Show<G::Notation>,
    skill: Skill,
    started: Instant,
    stop: Arc<AtomicBool>,
    pondering: Arc<AtomicBool>,
    /// Answer only when told to.
    infinite: bool,
    /// What was shown last.
    shown: Option<Report<G::Move>>,
    note: Option<String>,
    /// The result, kept back until it may be told.
    result: Option<Done<G::Move>>,
}

impl<G: Evaluate> Search<G> {
    fn stop(&self) {
        // Relaxed, here and below: the flags order no other memory; the search sees them at its next poll.
        self.stop.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether it is answered only when it is told to.
    fn is_endless(&self) -> bool {
        self.infinite || self.pondering.load(Ordering::Relaxed)
    }

    fn may_answer(&self) -> bool {
        self.is_stopped() || !self.is_endless()
    }
}

impl<G: Evaluate> Session<'_, G> {
    fn run(mut self, input: &Receiver<Line>) -> io::Result<End> {
        let nothing = never();
        loop {
            self.give_up()?;
            if let Some(Leaving { variant, since, .. }) = &self.leaving {
                let is_late = !self.waits() && since.elapsed() > PATIENCE;
                if self.tickets.is_empty() || is_late {
                    let end = match variant {
                        Some(name) => End::Variant(name.clone(), self.kept()),
                        None => End::Quit,
                    };
                    self.answer_unfinished()?;
                    if self.dialect == Dialect::Ucci && end == End::Quit {
                        self.say("bye")?;
                    }
                    self.output.flush()?;
                    return Ok(end);
                }
            }
            self.output.flush()?;
            // In batch mode, and on the way out, commands wait.
            let lines = if self.is_deaf() { &nothing } else { input };
            let events = self.engine.events().clone();
            select! {
                recv(lines) -> line => match line {
                    Ok(line) => self.hear(&line)?,
                    Err(_) => self.leave(None, Counts::GoOn)?,
                },
                recv(events) -> event => {
                    self.on_event(event.expect("the thinking thread lives as long as its session"))?;
                }
                default(self.next_beat()) => self.beat()?,
            }
        }
    }

    fn next_beat(&self) -> Duration {
        match &self.leaving {
            Some(leaving) if leaving.counts != Counts::GoOn || !self.has_counts() => PATIENCE / 8,
            _ => HEARTBEAT,
        }
    }

    /// Whether commands wait until something is done.
    fn is_deaf(&self) -> bool {
        self.leaving.is_some() || (self.options.batch && self.is_finite())
    }

    /// What another game goes on with. A table that is not made yet counts as made.
    fn kept(&self) -> Kept {
        let mut kept = self.options.kept();
        for ticket in &self.tickets {
            if let Kind::Resize(hash_mib) = ticket.kind {
                kept.hash_mib = hash_mib;
            }
        }
        kept
    }

    /// Says that the engine still thinks.
    fn beat(&mut self) -> io::Result<()> {
        let searching = self.tickets.iter().find_map(|ticket| match &ticket.kind {
            Kind::Search(search) => Some(search.started),
            _ => None,
        });
        match searching {
            Some(started) => self.say(&format!("info time {}", started.elapsed().as_millis())),
            None if self.has_counts() && !self.is_quitting() => self.note("the count goes on"),
            None => Ok(()),
        }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }

    fn note(&mut self, text: &str) -> io::Result<()> {
        self.say(&self.dialect.note(text))
    }

    fn error(&mut self, text: &str) -> io::Result<()> {
        self.note(&format!("error {text}"))
    }

    fn hear(&mut self, line: &Line) -> io::Result<()> {
        if !line.complete {
            self.refused |= is_position(line);
            let most = super::input::LONGEST_LINE >> 20;
            return self.error(&format!("a line of more than {most} MiB is passed over"));
        }
        match self.dialect.parse(&line.text, self.options.unit) {
            Ok(command) => self.obey(command, line.received),
            Err(error) => {
                self.refused |= is_position(line);
                self.error(&error.to_string())
            }
        }
    }

    fn obey(&mut self, command: Command<'_>, received: Instant) -> io::Result<()> {
        match command {
            Command::Nothing | Command::Debug => Ok(()),
            Command::Handshake => self.introduce(),
            Command::IsReady => self.ready(),
            Command::NewGame => self.new_game(),
            Command::SetOption { name, value } => self.set_option(name, value),
            Command::Position { base, moves } => self.position(base, moves),
            Command::BanMoves(moves) => self.ban(moves),
            Command::Go(go) => self.go(*go, received),
            Command::ProveMate => self.say("checkmate notimplemented"),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Show => self.show(),
            Command::Evaluate => self.evaluate(),
            Command::Perft(depth) => self.perft(depth),
            Command::Bench(depth) => self.bench(depth),
            // The table is the thinking thread's. An empty answer means that nothing is known.
            Command::Probe => self.say("pophash"),
            Command::Help => self.help(),
            Command::Quit => self.leave(None, Counts::Limited),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.say(&format!("id name {}", super::NAME))?;
        if self.dialect == Dialect::Ucci {
            self.say(&format!("id copyright {}", super::LICENCE))?;
        }
        self.say(&format!("id author {}", super::AUTHORS))?;
        for line in self.options.describe(self.dialect) {
            self.say(&line)?;
        }
        self.say(self.dialect.handshake_end())
    }

    /// While the engine thinks, the answer comes at once. Otherwise it comes when what was asked before is done.
    fn ready(&mut self) -> io::Result<()> {
        let busy = |ticket: &Ticket<G>| matches!(ticket.kind, Kind::Search(_) | Kind::Count(..));
        if self.tickets.iter().any(busy) {
            return self.say("readyok");
        }
        self.queue(Job::Sync, Kind::Ready);
        Ok(())
    }

    fn queue(&mut self, job: Job<G>, kind: Kind<G>) {
        let job = self.engine.send(job);
        self.tickets.push_back(Ticket { job, kind });
    }

    fn new_game(&mut self) -> io::Result<()> {
        self.queue(Job::Clear, Kind::Clear);
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        match self.options.set(name, value) {
            Ok(Change::Stored) => Ok(()),
            Ok(Change::Hash(hash_mib)) => {
                self.queue(Job::Resize(hash_mib), Kind::Resize(hash_mib));
                Ok(())
            }
            Ok(Change::ClearHash) => self.new_game(),
            Ok(Change::Rules) => {
                self.banned.clear();
                if G::rules_of(self.setup.position()) != self.options.rules {
                    // Scores by other rules are of no use.
                    self.new_game()?;
                }
                match self.setup.change_rules(self.options.rules) {
                    Ok(()) => Ok(()),
                    Err(error) => self.error(&format!(
                        "{error}; by the new rules the position is the initial one now"
                    )),
                }
            }
            Ok(Change::Variant(name)) => self.leave(Some(name), Counts::GivenUp),
            Err(error) => self.error(&error),
        }
    }

    fn position(&mut self, base: &str, moves: &str) -> io::Result<()> {
        match self.setup.set(base, moves, self.options.rules) {
            Ok(warnings) => {
                self.refused = false;
                self.banned.clear();
                for warning in warnings {
                    self.note(&format!("warning {warning}"))?;
                }
                Ok(())
            }
            Err(error) => {
                self.refused = true;
                self.error(&format!("{error}; the position before this command stays"))
            }
        }
    }

    fn ban(&mut self, texts: &str) -> io::Result<()> {
        self.banned.clear();
        for text in texts.split_whitespace() {
            match G::parse_move(self.setup.position(), text) {
                Ok(mv) => self.banned.push(mv),
                Err(error) => {
                    let text = shortened(text);
                    self.error(&format!("banmoves: '{text}': {}; passed over", error.message))?;
                }
            }
        }
        Ok(())
    }

    fn go(&mut self, go: Go<'_>, received: Instant) -> io::Result<()> {
        for note in &go.notes {
            self.note(note)?;
        }
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        self.stop_searches()?;
        if self.refused {
            let text = G::format_position(self.setup.position(), G::Format::ALL[0])
                .unwrap_or_else(|_| "the one before it".to_owned());
            self.note(&format!("warning the last position was refused; this search is of {text}"))?;
        }
        if self.dialect == Dialect::Ucci && go.depth == Some(0) {
            let score = G::evaluate(self.setup.position(), &self.params);
            let answer = self.dialect.answer(None, None);
            // In its turn, as searches before it have still to answer.
            let task = Box::new(move |tell: &mut dyn FnMut(String)| {
                tell(format!("info depth 0 score {}", score.get()));
                tell(answer);
            });
            self.queue(Job::Task(task), Kind::Count(Arc::default(), Arc::default()));
            return Ok(());
        }
        let allowed = self.allowed(&go.searchmoves)?;
        let search = self.search(&go, received);
        let clock = go.clocks.of(G::side_to_move(self.setup.position())).map(|clock| {
            let params =
                TimeParams { overhead_ms: self.options.overhead_ms, ..TimeParams::default() };
            TimePlan::from_clock(clock, &params)
        });
        let skilled = self.options.skill.nodes(G::count(self.setup.position()));
        let nodes = [go.nodes, skilled].into_iter().flatten().min();
        let bounded = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
        let infinite = go.infinite || !(bounded || go.movetime.is_some() || clock.is_some());
        let limits = Limits {
            depth: go.depth.filter(|_| !infinite).map(|depth| depth.max(1)),
            nodes: if infinite { skilled } else { nodes },
            mate: go.mate.filter(|_| !infinite),
            movetime: go.movetime.filter(|_| !infinite),
            clock: clock.filter(|_| !infinite),
            multipv: self.options.skill.lines(self.options.multipv),
            searchmoves: allowed,
            infinite,
            threads: self.options.threads,
            stop: Arc::clone(&search.stop),
            pondering: Arc::clone(&search.pondering),
            started: Some(received),
            ..Limits::default()
        };
        let position = search.position.clone();
        let search = Search { infinite, ..search };
        self.queue(Job::Search { position, limits }, Kind::Search(Box::new(search)));
        Ok(())
    }

    /// The record of a search that is about to begin.
    fn search(&self, go: &Go<'_>, started: Instant) -> Search<G> {
        Search {
            position: self.setup.position().clone(),
            show: Show {
                dialect: self.dialect,
                notation: G::Notation::ALL[0],
                lines: self.options.multipv,
                wdl: self.options.show_wdl,
            },
            skill: self.options.skill,
            started,
            stop: Arc::default(),
            pondering: Arc::new(AtomicBool::new(go.ponder)),
            infinite: go.infinite,
            shown: None,
            note: None,
            result: None,
        }
    }

    /// The moves that a search may choose from; empty: all.
    ///
    /// Unknown and illegal ones are told and passed over; if nothing is left, or everything is banned, all moves count.
    fn allowed(&mut self, wanted: &[&str]) -> io::Result<Vec<G::Move>> {
        let mut allowed = Vec::new();
        for text in wanted {
            match G::parse_move(self.setup.position(), text) {
                Ok(mv) => allowed.push(mv),
                Err(error) => {
                    let text = shortened(text);
                    self.error(&format!("searchmoves: '{text}': {}; passed over", error.message))?;
                }
            }
        }
        if !wanted.is_empty() && allowed.is_empty() {
            self.note("searchmoves: none of the moves is legal; all moves are searched")?;
        }
        if self.banned.is_empty() {
            return Ok(allowed);
        }
        if allowed.is_empty() {
            G::generate(self.setup.position(), MoveKind::All, &mut allowed);
        }
        allowed.retain(|mv| !self.banned.contains(mv));
        if allowed.is_empty() {
            self.note("banmoves: every move is banned; the bans are passed over")?;
        }
        Ok(allowed)
    }

    /// Ends all searches; those that had ended before are answered now.
    fn stop_searches(&mut self) -> io::Result<()> {
        for ticket in &self.tickets {
            if let Kind::Search(search) = &ticket.kind {
                search.stop();
            }
        }
        self.answer()
    }

    fn stop(&mut self) -> io::Result<()> {
        if self.tickets.is_empty() && self.dialect == Dialect::Ucci {
            // UCCI asks for this answer, so that a user interface which mistook the state does not wait for ever.
            return self.say(&self.dialect.answer(None, None));
        }
        self.stop_counts();
        self.stop_searches()
    }

    fn ponder_hit(&mut self) -> io::Result<()> {
        let mut hit = false;
        for ticket in &self.tickets {
            if let Kind::Search(search) = &ticket.kind {
                hit |= search.pondering.swap(false, Ordering::Relaxed);
            }
        }
        if !hit {
            self.note("ponderhit: no search is pondering")?;
        }
        self.answer()
    }

    fn leave(&mut self, variant: Option<String>, counts: Counts) -> io::Result<()> {
        let in_grace = match counts {
            Counts::GivenUp => false,
            Counts::Limited => self.has_counts(),
            Counts::GoOn => true,
        };
        self.leaving = Some(Leaving { variant, since: Instant::now(), counts, in_grace });
        if counts == Counts::GivenUp {
            self.stop_counts();
        }
        if counts != Counts::GoOn {
            return self.stop_searches();
        }
        for ticket in &self.tickets {
            if let Kind::Search(search) = &ticket.kind
                && search.is_endless()
            {
                search.stop();
            }
        }
        self.answer()
    }

    /// Ends what has no time left after the end of the input or of the session.
    fn give_up(&mut self) -> io::Result<()> {
        let Some(leaving) = &mut self.leaving else { return Ok(()) };
        if leaving.since.elapsed() <= GRACE || !leaving.in_grace {
            return Ok(());
        }
        leaving.in_grace = false;
        leaving.since = Instant::now();
        if leaving.counts == Counts::Limited {
            leaving.counts = Counts::GivenUp;
            self.stop_counts();
        }
        self.stop_searches()
    }

    /// Whether the other side wants the end, not only has no more to say.
    fn is_quitting(&self) -> bool {
        self.leaving.as_ref().is_some_and(|leaving| leaving.counts != Counts::GoOn)
    }

    fn has_counts(&self) -> bool {
        self.tickets.iter().any(|ticket| matches!(ticket.kind, Kind::Count(..)))
    }

    /// Whether the end of the session waits for what is under way.
    fn waits(&self) -> bool {
        let waits = |leaving: &Leaving| {
            leaving.in_grace || leaving.counts == Counts::GoOn && self.has_counts()
        };
        self.leaving.as_ref().is_some_and(waits)
    }

    /// Whether there are jobs, and all come to an end by themselves.
    fn is_finite(&self) -> bool {
        let endless = |ticket: &Ticket<G>| match &ticket.kind {
            Kind::Search(search) => search.is_endless(),
            _ => false,
        };
        !self.tickets.is_empty() && !self.tickets.iter().any(endless)
    }

    fn stop_counts(&self) {
        for ticket in &self.tickets {
            if let Kind::Count(monitor, stop) = &ticket.kind {
                monitor.stop.store(true, Ordering::Relaxed);
                stop.store(true, Ordering::Relaxed);
            }
        }
    }

    fn on_event(&mut self, event: Event<G::Move>) -> io::Result<()> {
        let Some(index) = self.tickets.iter().position(|ticket| ticket.job == event.job) else {
            return Ok(());
        };
        match event.news {
            News::Text(text) => self.say(&text),
            News::Progress(report) => self.show_report(index, report),
            News::Done(done) => match &mut self.tickets[index].kind {
                Kind::Search(search) => {
                    search.result = Some(done);
                    self.answer()
                }
                _ => self.finish(index, done),
            },
        }
    }

    fn show_report(&mut self, index: usize, report: Report<G::Move>) -> io::Result<()> {
        let Kind::Search(search) = &mut self.tickets[index].kind else { return Ok(()) };
        let mut texts = lines::report::<G>(search.show, &search.position, &report);
        let note = lines::rule_note(&report);
        if note != search.note {
            texts.extend(note.as_ref().map(|text| self.dialect.note(text)));
            search.note = note;
        }
        search.shown = Some(report);
        texts.iter().try_for_each(|text| self.say(text))
    }

    /// Answers the searches that have ended and may be answered, oldest first.
    fn answer(&mut self) -> io::Result<()> {
        let ready = |ticket: &Ticket<G>| match &ticket.kind {
            Kind::Search(search) => search.result.is_some() && search.may_answer(),
            _ => false,
        };
        while let Some(index) = self.tickets.iter().position(ready) {
            let Kind::Search(search) = &mut self.tickets[index].kind else { return Ok(()) };
            let report = match search.result.take() {
                Some(Done::Searched(report)) => Some(report),
                _ => None,
            };
            match &report {
                // The last lines may be newer than what the last whole iteration told.
                Some(report) if is_new(search.shown.as_ref(), report) => {
                    self.show_report(index, report.clone())?;
                }
                Some(_) => {}
                None => self.error("a fault of the program ended the search; please report it")?,
            }
            let ticket = self.tickets.remove(index).expect("the index was just found");
            let Kind::Search(search) = ticket.kind else { return Ok(()) };
            let answer = self.best_move(&search, report.as_ref());
            self.say(&answer)?;
        }
        Ok(())
    }

    /// Answers the searches that did not end in time, by what they told last.
    fn answer_unfinished(&mut self) -> io::Result<()> {
        for ticket in std::mem::take(&mut self.tickets) {
            if let Kind::Search(search) = ticket.kind {
                let answer = self.best_move(&search, search.shown.as_ref());
                self.say(&answer)?;
            }
        }
        Ok(())
    }

    /// The answer to a search. If there is a legal move, it is one.
    fn best_move(&self, search: &Search<G>, report: Option<&Report<G::Move>>) -> String {
        let mut position = search.position.clone();
        let notation = search.show.notation;
        let line = report.and_then(|report| search.skill.choose(report, G::hash(&position)));
        let texts = line.map(|line| lines::moves::<G>(&mut position, notation, line));
        if let Some([best, rest @ ..]) = texts.as_deref() {
            return self.dialect.answer(Some(best), rest.first().map(String::as_str));
        }
        let mut legal = Vec::new();
        G::generate(&position, MoveKind::All, &mut legal);
        let first = legal.first().map(|&mv| G::format_move(&position, mv, notation));
        self.dialect.answer(first.as_deref(), None)
    }

    /// The end of a job that is no search.
    fn finish(&mut self, index: usize, done: Done<G::Move>) -> io::Result<()> {
        let ticket = self.tickets.remove(index).expect("the index was just found");
        match (ticket.kind, done) {
            (_, Done::Failed) => self.error("a fault of the program ended this; please report it"),
            (Kind::Resize(wanted), Done::Resized { hash_mib, error: Some(error) }) => {
                self.options.hash_mib = hash_mib;
                self.error(&format!(
                    "hash {wanted} MiB: {error}; the table stays at {hash_mib} MiB"
                ))
            }
            (Kind::Resize(_), Done::Resized { hash_mib, error: None }) => {
                self.options.hash_mib = hash_mib;
                Ok(())
            }
            (Kind::Ready, _) => self.say("readyok"),
            _ => Ok(()),
        }
    }

    fn show(&mut self) -> io::Result<()> {
        let position = self.setup.position();
        let text = G::format_position(position, G::Format::ALL[0])
            .unwrap_or_else(|reason| format!("({reason})"));
        let side = G::SIDES[G::side_to_move(position).index()];
        let check = if G::in_check(position) { ", in check" } else { "" };
        let verdict = G::judge(position);
        let mut drawing = G::draw(position);
        drawing.truncate(drawing.trim_end().len());
        drawing += &format!(
            "\n\nPosition: {text}\nKey: {:016X}\nRules: {}\n{side} to move{check}",
            G::hash(position),
            self.options.rules.set.name()
        );
        if verdict.rule.is_some() {
            drawing += &format!("\nOver: {}", verdict.explanation);
        }
        self.say(&drawing)
    }

    fn evaluate(&mut self) -> io::Result<()> {
        let position = self.setup.position();
        let terms = G::explain(position, &self.params);
        let score: Score = G::evaluate(position, &self.params);
        let side = G::SIDES[G::side_to_move(position).index()];
        for term in &terms {
            let total = term.first - term.second;
            self.say(&format!("{:<24}{:>8}{:>8}{total:>+8}", term.name, term.first, term.second))?;
        }
        self.say(&format!("Evaluation: {score} centipawns ({side} to move)"))
    }

    fn perft(&mut self, depth: u32) -> io::Result<()> {
        if depth > DEEPEST {
            return self
                .error(&format!("perft: depth {depth} is not a number from 0 to {DEEPEST}"));
        }
        let monitor = Arc::new(Monitor::default());
        let position = self.setup.position().clone();
        let notation = G::Notation::ALL[0];
        let task = count::perft::<G>(
            position,
            notation,
            depth,
            self.options.threads,
            Arc::clone(&monitor),
        );
        self.queue(Job::Task(task), Kind::Count(monitor, Arc::default()));
        Ok(())
    }

    fn bench(&mut self, depth: Option<u32>) -> io::Result<()> {
        let stop = Arc::new(AtomicBool::new(false));
        let start = G::start(self.options.rules);
        let task = count::bench::<G>(Arc::clone(&self.params), start, depth, Arc::clone(&stop));
        self.queue(Job::Task(task), Kind::Count(Arc::default(), stop));
        Ok(())
    }

    fn help(&mut self) -> io::Result<()> {
        let name = self.dialect.name();
        let position = match self.dialect {
            Dialect::Uci | Dialect::Ucci => "fen FEN",
            Dialect::Usi => "tsfen TSFEN",
        };
        self.say(&format!(
            "{name}                       introduce the engine and its options
isready                   readyok
position startpos|{position} [moves M1 M2 ...]
go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder] [searchmoves ...] [clocks]
stop, ponderhit, {name}newgame, setoption, quit
d                         draw the position
eval                      static evaluation, term by term
perft N, go perft N       leaf nodes below each move
bench [DEPTH]             nodes and speed over fixed positions"
        ))
    }
}

/// Whether a final report says more than what was shown last.
fn is_new<M: PartialEq>(shown: Option<&Report<M>>, report: &Report<M>) -> bool {
    match shown {
        None => !report.lines.is_empty(),
        Some(shown) => shown.depth != report.depth || shown.lines != report.lines,
    }
}

/// Whether a line that is not understood means to set up a position.
fn is_position(line: &Line) -> bool {
    first_word(&line.text).0.eq_ignore_ascii_case("position")
}

/// The first word of a line, for the choice of a protocol.
pub(super) fn opening_word(line: &Line) -> &str {
    first_word(&line.text).0
}
