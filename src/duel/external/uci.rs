//! The match's end of UCI, UCCI and USI.

use std::time::Instant;

use super::super::player::{Allowance, Board, Choice, Lapse};
use super::super::spec::{ExternalSpec, Squares};
use super::READY_PATIENCE;
use super::process::Process;
use crate::game::{Game, Side};
use crate::protocol::Dialect;
use crate::score::Score;

/// A conversation with an engine.
pub(super) struct UciTalk {
    process: Process,
    dialect: Dialect,
    squares: Squares,
    side: Side,
}

impl UciTalk {
    /// Shakes hands and sets the options.
    pub(super) fn open(
        mut process: Process,
        dialect: Dialect,
        spec: &ExternalSpec,
    ) -> Result<Self, Lapse> {
        let deadline = Instant::now() + READY_PATIENCE;
        process.send(dialect.name());
        let end = dialect.handshake_end();
        let mut tells_milliseconds = false;
        process
            .wait(deadline, |line| {
                tells_milliseconds |= line.starts_with("option usemillisec");
                (line == end).then_some(())
            })
            .map_err(|lapse| during(lapse, &format!("no '{end}'")))?;
        if tells_milliseconds {
            process.send("setoption usemillisec true");
        }
        for (name, value) in &spec.options {
            process.send(&match dialect {
                Dialect::Ucci => format!("setoption {name} {value}"),
                Dialect::Uci | Dialect::Usi => format!("setoption name {name} value {value}"),
            });
        }
        let mut talk = Self { process, dialect, squares: spec.squares, side: Side::First };
        talk.synchronise()?;
        Ok(talk)
    }

    /// Waits until the engine has done all it was told; what it said before is dropped.
    fn synchronise(&mut self) -> Result<(), Lapse> {
        self.process.send("isready");
        self.process
            .wait(Instant::now() + READY_PATIENCE, |line| (line == "readyok").then_some(()))
            .map_err(|lapse| during(lapse, "no 'readyok'"))
    }

    pub(super) fn begin(&mut self, side: Side) -> Result<(), Lapse> {
        self.side = side;
        self.process.send(match self.dialect {
            Dialect::Uci => "ucinewgame",
            Dialect::Ucci => "setoption newgame",
            Dialect::Usi => "usinewgame",
        });
        self.synchronise()
    }

    pub(super) fn choose<G: Game>(
        &mut self,
        board: &Board<'_, G>,
        allowance: &Allowance,
    ) -> Result<Choice<G::Move>, Lapse> {
        let keyword = if self.dialect == Dialect::Usi { "sfen" } else { "fen" };
        let mut position = format!("position {keyword} {}", board.root);
        if !board.moves.is_empty() {
            position += " moves";
        }
        for mv in board.moves {
            position.push(' ');
            position += &self.to_engine(mv);
        }
        self.process.send(&position);
        self.synchronise()?;
        let started = Instant::now();
        self.process.send(&go(self.dialect, self.side, allowance));
        let mut told = Told::default();
        let dialect = self.dialect;
        let answer = self.process.wait(started + allowance.patience, |line| {
            if line == "nobestmove" {
                return Some("(none)".to_owned());
            }
            let (word, rest) = line.split_once(char::is_whitespace)?;
            match word {
                "bestmove" => Some(rest.trim().to_owned()),
                "info" => {
                    told.read(rest, dialect);
                    None
                }
                _ => None,
            }
        })?;
        let time = started.elapsed();
        let mut words = answer.split_whitespace();
        let text = words.next().unwrap_or_default();
        if text == "resign" || answer.ends_with(" resign") {
            return Err(Lapse::Resigned("it resigned".to_owned()));
        }
        let illegal = |reason: &str| Lapse::Illegal(format!("it played '{answer}': {reason}"));
        let ours = self.to_us(text).ok_or_else(|| illegal("ranks begin with 1"))?;
        let mv = G::parse_move(board.position, &ours).map_err(|error| illegal(&error.message))?;
        Ok(Choice { mv, score: told.score, depth: told.depth, nodes: told.nodes, time })
    }

    fn to_engine(&self, text: &str) -> String {
        match self.squares {
            Squares::Ours => text.to_owned(),
            Squares::FromOne => shift_ranks(text, 1).expect("ranks go up"),
        }
    }

    fn to_us(&self, text: &str) -> Option<String> {
        match self.squares {
            Squares::Ours => Some(text.to_owned()),
            Squares::FromOne => shift_ranks(text, -1),
        }
    }
}

/// Adds to what went wrong when it did.
fn during(lapse: Lapse, what: &str) -> Lapse {
    match lapse {
        // An engine that never gets ready is no engine, however long one waits.
        Lapse::Stall(_) => Lapse::Crash(format!("{what} within {} s", READY_PATIENCE.as_secs())),
        Lapse::Crash(text) => Lapse::Crash(format!("{what}: {text}")),
        other => other,
    }
}

/// The move with every number changed; `None` if one becomes negative.
fn shift_ranks(text: &str, by: i64) -> Option<String> {
    let mut shifted = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            shifted.push(letter);
            rest = &rest[letter.len_utf8()..];
            continue;
        }
        let rank = rest[..digits].parse::<i64>().ok()?.checked_add(by)?;
        if rank < 0 {
            return None;
        }
        shifted += &rank.to_string();
        rest = &rest[digits..];
    }
    Some(shifted)
}

/// The command that starts a search.
fn go(dialect: Dialect, side: Side, allowance: &Allowance) -> String {
    let pace = &allowance.pace;
    let mut text = "go".to_owned();
    let mut add = |name: &str, value: u128| text += &format!(" {name} {value}");
    if let Some(depth) = pace.depth {
        add("depth", u128::from(depth));
    }
    if let Some(nodes) = pace.nodes {
        add("nodes", u128::from(nodes));
    }
    if let Some(time) = pace.movetime {
        let ms = time.as_millis();
        match dialect {
            Dialect::Uci => add("movetime", ms),
            // These have no fixed time for a move; the next is what their documents offer.
            Dialect::Ucci => {
                add("time", ms);
                add("movestogo", 1);
                add("increment", 0);
            }
            Dialect::Usi => {
                add("btime", 0);
                add("wtime", 0);
                add("byoyomi", ms);
            }
        }
    }
    if let Some(own) = allowance.remaining[side.index()] {
        // An opponent without a clock is shown with the same time.
        let [first, second] = allowance.remaining.map(|time| time.unwrap_or(own).as_millis());
        let [first_gain, second_gain] = allowance.increments.map(|gain| gain.as_millis());
        match (dialect, side) {
            (Dialect::Uci, _) => {
                add("wtime", first);
                add("btime", second);
                add("winc", first_gain);
                add("binc", second_gain);
            }
            (Dialect::Usi, _) => {
                add("btime", first);
                add("wtime", second);
                add("binc", first_gain);
                add("winc", second_gain);
            }
            (Dialect::Ucci, side) => {
                let times = [(first, first_gain), (second, second_gain)];
                let (own, opponent) = (times[side.index()], times[(!side).index()]);
                add("time", own.0);
                add("increment", own.1);
                add("opptime", opponent.0);
                add("oppincrement", opponent.1);
            }
        }
    }
    text
}

/// What an engine last told about its search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Told {
    score: Option<Score>,
    depth: Option<u32>,
    nodes: Option<u64>,
}

impl Told {
    fn read(&mut self, info: &str, dialect: Dialect) {
        let words: Vec<&str> = info.split_whitespace().collect();
        let after = |name: &str| {
            let at = words.iter().position(|&word| word == name)?;
            words.get(at + 1).copied()
        };
        if words.first() == Some(&"string") || after("multipv").is_some_and(|rank| rank != "1") {
            return;
        }
        let number = |text: Option<&str>| text.and_then(|text| text.parse::<i64>().ok());
        if let Some(kind) = after("score") {
            let score = match kind {
                "cp" => number(after("cp")).map(centipawns),
                "mate" => number(after("mate")).map(|mate| mate_score(mate, dialect)),
                plain => number(Some(plain)).map(centipawns),
            };
            self.score = score.or(self.score);
        }
        let positive = |name| number(after(name)).and_then(|number| u64::try_from(number).ok());
        self.depth = positive("depth").and_then(|depth| u32::try_from(depth).ok()).or(self.depth);
        self.nodes = positive("nodes").or(self.nodes);
    }
}

fn centipawns(value: i64) -> Score {
    const LIMIT: i64 = 1 << 20;
    Score::centipawns(value.clamp(-LIMIT, LIMIT) as i32)
}

/// A mate, in moves of the winner or (USI) in plies.
fn mate_score(mate: i64, dialect: Dialect) -> Score {
    let count = mate.unsigned_abs().min(crate::score::MAX_PLY as u64 / 2) as usize;
    let plies = match (dialect, mate > 0) {
        (Dialect::Usi, _) => count,
        (_, true) => (2 * count).saturating_sub(1),
        (_, false) => 2 * count,
    };
    if mate > 0 { Score::mate_in(plies) } else { Score::mated_in(plies) }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::super::pace::Pace;
    use super::*;

    #[test]
    fn ranks_are_shifted_both_ways() {
        let check = |ours: &str, theirs: &str| {
            assert_eq!(shift_ranks(ours, 1).as_deref(), Some(theirs));
            assert_eq!(shift_ranks(theirs, -1).as_deref(), Some(ours));
        };
        check("h2e2", "h3e3");
        check("h9g7", "h10g8");
        check("a0a9", "a1a10");
        assert_eq!(shift_ranks("a0a1", -1), None);
        assert_eq!(shift_ranks("(none)", -1).as_deref(), Some("(none)"));
    }

    #[test]
    fn a_search_is_asked_for_as_each_dialect_has_it() {
        let ms = Duration::from_millis;
        let plain = Allowance {
            pace: Pace { movetime: Some(ms(100)), ..Pace::default() },
            remaining: [None; 2],
            increments: [ms(0); 2],
            patience: ms(1000),
        };
        assert_eq!(go(Dialect::Uci, Side::First, &plain), "go movetime 100");
        assert_eq!(go(Dialect::Ucci, Side::First, &plain), "go time 100 movestogo 1 increment 0");
        assert_eq!(go(Dialect::Usi, Side::First, &plain), "go btime 0 wtime 0 byoyomi 100");
        let clocks = Allowance {
            pace: Pace { nodes: Some(5), depth: Some(3), ..Pace::default() },
            remaining: [Some(ms(1000)), Some(ms(2000))],
            increments: [ms(10), ms(20)],
            patience: ms(1000),
        };
        assert_eq!(
            go(Dialect::Uci, Side::Second, &clocks),
            "go depth 3 nodes 5 wtime 1000 btime 2000 winc 10 binc 20"
        );
        assert_eq!(
            go(Dialect::Ucci, Side::Second, &clocks),
            "go depth 3 nodes 5 time 2000 increment 20 opptime 1000 oppincrement 10"
        );
    }

    #[test]
    fn what_an_engine_tells_is_read() {
        let mut told = Told::default();
        told.read("depth 7 seldepth 9 multipv 1 score cp -34 nodes 1200 pv a0a1", Dialect::Uci);
        told.read("depth 7 multipv 2 score cp -90 nodes 1300", Dialect::Uci);
        told.read("string score cp 5", Dialect::Uci);
        let expected =
            Told { score: Some(Score::centipawns(-34)), depth: Some(7), nodes: Some(1200) };
        assert_eq!(told, expected);
        told.read("depth 8 score mate -2", Dialect::Uci);
        assert_eq!(told.score, Some(Score::mated_in(4)));
        told.read("depth 8 score 120 pv a0a1", Dialect::Ucci);
        assert_eq!(told.score, Some(Score::centipawns(120)));
    }
}
