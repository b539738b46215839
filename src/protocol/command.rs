//! What the other side of a protocol can ask, whatever the dialect: the typed form of a line.

use std::time::Duration;

use crate::game::Side;
use crate::search::time::Clock;

/// A line that was understood.
#[derive(Clone, PartialEq, Debug)]
pub enum Command<'a> {
    /// An empty line, or one that this engine has no use for (`register`, `gameover`).
    Nothing,
    /// Introduce yourself.
    Handshake,
    /// Are you there?
    IsReady,
    /// What comes next is another game.
    NewGame,
    /// Change an option.
    SetOption {
        /// Its name as given.
        name: &'a str,
        /// The new value; `None` for a button.
        value: Option<&'a str>,
    },
    /// Set up a position.
    Position {
        /// The text of the position; empty: the initial one.
        base: &'a str,
        /// The moves played from it, separated by blanks.
        moves: &'a str,
    },
    /// Moves that the next searches must not choose.
    BanMoves(&'a str),
    /// Think.
    Go(Box<Go<'a>>),
    /// Prove a mate (USI), within a time.
    ProveMate,
    /// Stop thinking and answer.
    Stop,
    /// The opponent played the expected move.
    PonderHit,
    /// Draw the position.
    Show,
    /// Explain the static evaluation.
    Evaluate,
    /// Count leaf nodes, so many plies deep.
    Perft(u32),
    /// Tell what the table knows of a position (UCCI).
    Probe,
    /// Search a fixed set of positions to this depth and tell the speed.
    Bench(Option<u32>),
    /// Say more or less.
    Debug,
    /// List the commands.
    Help,
    /// End.
    Quit,
}

/// Why a line was not understood: the reason with the bad text and the remedy.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct CommandError(pub String);

/// What a `go` asks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Go<'a> {
    /// The first moves to choose from; empty: all.
    pub searchmoves: Vec<&'a str>,
    /// Think on the opponent's time.
    pub ponder: bool,
    /// Answer only when told to.
    pub infinite: bool,
    /// Deepest iteration, plies.
    pub depth: Option<u32>,
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Find a mate in so many moves.
    pub mate: Option<u32>,
    /// Fixed time.
    pub movetime: Option<Duration>,
    /// The clocks.
    pub clocks: Clocks,
    /// Count leaf nodes instead, so many plies deep.
    pub perft: Option<u32>,
    /// What was odd and passed over.
    pub notes: Vec<String>,
}

/// One player's clock as far as it was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlayerClock {
    /// Time left; managers of games send negative ones, too: they count as none left.
    pub remaining: Option<Duration>,
    /// Added after every move.
    pub increment: Duration,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
}

/// Whose clock a number is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// The player who moves first in the initial position.
    First,
    /// The other one.
    Second,
    /// Who is asked to move.
    Own,
    /// Who is not.
    Opponent,
    /// Both.
    Both,
}

/// The clocks of both players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    by_side: [PlayerClock; 2],
    by_role: [PlayerClock; 2],
    byoyomi: Duration,
}

impl Clocks {
    /// The clock that the side to move plays by, if there is any.
    ///
    /// If only the opponent's time is known, it stands for both: an engine that knows no bound might never answer.
    pub fn of(&self, side: Side) -> Option<Clock> {
        let candidates = [
            self.by_side[side.index()],
            self.by_role[0],
            self.by_side[(!side).index()],
            self.by_role[1],
        ];
        let known = candidates.into_iter().find(|clock| clock.remaining.is_some());
        if known.is_none() && self.byoyomi.is_zero() {
            return None;
        }
        let clock = known.unwrap_or_default();
        Some(Clock {
            remaining: clock.remaining.unwrap_or_default(),
            increment: clock.increment,
            moves_to_go: clock.moves_to_go,
            byoyomi: self.byoyomi,
        })
    }

    fn change(&mut self, player: Player, change: impl Fn(&mut PlayerClock)) {
        match player {
            Player::First => change(&mut self.by_side[0]),
            Player::Second => change(&mut self.by_side[1]),
            Player::Own => change(&mut self.by_role[0]),
            Player::Opponent => change(&mut self.by_role[1]),
            Player::Both => {
                self.by_side.iter_mut().chain(&mut self.by_role).for_each(change);
            }
        }
    }
}

/// What a keyword of `go` means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoWord {
    /// The words up to the next keyword are moves.
    SearchMoves,
    /// [`Go::ponder`].
    Ponder,
    /// [`Go::infinite`].
    Infinite,
    /// [`Go::depth`].
    Depth,
    /// [`Go::nodes`].
    Nodes,
    /// [`Go::mate`].
    Mate,
    /// [`Go::movetime`].
    MoveTime,
    /// Time left on a clock.
    Time(Player),
    /// Increment of a clock.
    Increment(Player),
    /// Moves to the next time control.
    MovesToGo(Player),
    /// Time for a move when the clock has run out.
    ByoYomi,
    /// [`Go::perft`].
    Perft,
    /// Understood and without meaning here.
    Ignored,
}

/// Reads what follows a `go`.
///
/// Unknown words are passed over with a note, as UCI asks. A number that cannot be read takes its limit away; if no limit is
/// left then, the whole is refused, because a search without bounds was not what was meant.
///
/// # Errors
/// No usable limit, and one that could not be read.
pub fn parse_go<'a>(
    text: &'a str,
    keyword: impl Fn(&str) -> Option<GoWord>,
    milliseconds_per_unit: f64,
) -> Result<Go<'a>, CommandError> {
    let mut go = Go::default();
    let mut words = text.split_whitespace().peekable();
    let mut bad = Vec::new();
    let mut limited = false;
    while let Some(word) = words.next() {
        let Some(meaning) = keyword(word) else {
            go.notes.push(format!("go: unknown word '{}' is passed over", shortened(word)));
            continue;
        };
        match meaning {
            GoWord::SearchMoves => {
                while let Some(mv) = words.next_if(|next| keyword(next).is_none()) {
                    go.searchmoves.push(mv);
                }
                continue;
            }
            GoWord::Ponder => {
                go.ponder = true;
                continue;
            }
            GoWord::Infinite => {
                go.infinite = true;
                continue;
            }
            GoWord::Ignored => continue,
            _ => {}
        }
        if words.next_if_eq(&"infinite").is_some() {
            go.infinite = true;
            continue;
        }
        let Some(number) = words.next_if(|next| keyword(next).is_none()) else {
            bad.push(format!("'{word}' without its number"));
            continue;
        };
        let Some(value) = parse_number(number) else {
            bad.push(format!("'{word} {}' is no number", shortened(number)));
            continue;
        };
        let time =
            || Duration::from_millis((value * milliseconds_per_unit).clamp(0.0, LONGEST_MS) as u64);
        limited |= !matches!(meaning, GoWord::Increment(_) | GoWord::MovesToGo(_));
        match meaning {
            GoWord::Depth => go.depth = Some(value.clamp(0.0, 1e9) as u32),
            GoWord::Nodes => go.nodes = Some(value.clamp(1.0, 1e18) as u64),
            GoWord::Mate => go.mate = Some(value.clamp(1.0, 1e9) as u32),
            GoWord::Perft => go.perft = Some(value.clamp(0.0, 1e9) as u32),
            GoWord::MoveTime => go.movetime = Some(time()),
            GoWord::Time(player) => {
                go.clocks.change(player, |clock| clock.remaining = Some(time()))
            }
            GoWord::Increment(player) => go.clocks.change(player, |clock| clock.increment = time()),
            GoWord::MovesToGo(player) => {
                let moves = (value >= 1.0).then_some(value.min(1e9) as u32);
                go.clocks.change(player, |clock| clock.moves_to_go = moves);
            }
            GoWord::ByoYomi => go.clocks.byoyomi = time(),
            GoWord::SearchMoves | GoWord::Ponder | GoWord::Infinite | GoWord::Ignored => {}
        }
    }
    if !bad.is_empty() {
        let reasons = bad.join(", ");
        if !limited && !go.infinite {
            return Err(CommandError(format!(
                "go: {reasons}; nothing else bounds the search, so it is refused"
            )));
        }
        go.notes.push(format!("go: {reasons}; passed over"));
    }
    Ok(go)
}

/// The longest time taken at its word: a year.
const LONGEST_MS: f64 = 365.0 * 24.0 * 3600.0 * 1000.0;

/// A number as protocols write it: digits, a sign, in some a fraction.
fn parse_number(text: &str) -> Option<f64> {
    let plain =
        text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.'));
    if plain { text.parse().ok() } else { None }
}

/// A piece of input for a message: one line, not too long, without control characters.
pub fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    let mut short: String = text
        .chars()
        .take(MOST)
        .map(|letter| if letter.is_control() { '\u{fffd}' } else { letter })
        .collect();
    if text.chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    short
}

/// The first word and the rest.
pub fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.find(char::is_whitespace) {
        Some(end) => (&text[..end], text[end..].trim_start()),
        None => (text, ""),
    }
}

/// Reads what follows a `position`: `startpos`, or a keyword such as `fen` and a text; then, maybe, `moves ...`.
///
/// # Errors
/// Neither of these.
pub fn parse_position<'a>(text: &'a str, keywords: &[&str]) -> Result<Command<'a>, CommandError> {
    let (kind, rest) = first_word(text);
    let (base, moves) = split_moves(rest);
    let wanted = || {
        let names = keywords.join(" ... or ");
        format!("write 'position startpos' or 'position {names} ...', then 'moves ...'")
    };
    if kind == "startpos" {
        if !base.is_empty() {
            let text = shortened(base);
            return Err(CommandError(format!(
                "position: unknown '{text}' after startpos; {}",
                wanted()
            )));
        }
        return Ok(Command::Position { base: "", moves });
    }
    if keywords.contains(&kind) {
        if base.is_empty() {
            return Err(CommandError(format!("position: no text after '{kind}'; {}", wanted())));
        }
        return Ok(Command::Position { base, moves });
    }
    // Clients exist that leave the keyword out.
    if kind.contains('/') {
        let (base, moves) = split_moves(text);
        return Ok(Command::Position { base, moves });
    }
    Err(CommandError(format!("position: unknown '{}'; {}", shortened(kind), wanted())))
}

/// What stands before the word `moves`, and behind it.
fn split_moves(text: &str) -> (&str, &str) {
    const WORD: &str = "moves";
    for (at, _) in text.match_indices(WORD) {
        let (before, after) = (&text[..at], &text[at + WORD.len()..]);
        let opens = before.is_empty() || before.ends_with(char::is_whitespace);
        if opens && (after.is_empty() || after.starts_with(char::is_whitespace)) {
            return (before.trim(), after.trim());
        }
    }
    (text.trim(), "")
}

/// Reads the depth behind `perft` and `bench`.
///
/// # Errors
/// A depth that is no number.
pub fn parse_depth(command: &str, text: &str) -> Result<Option<u32>, CommandError> {
    if text.is_empty() {
        return Ok(None);
    }
    let depth = text.split_whitespace().next().unwrap_or_default();
    depth.parse().map(Some).map_err(|_| {
        CommandError(format!(
            "{command}: '{}' is no depth; write for example '{command} 4'",
            shortened(depth)
        ))
    })
}

/// The commands that are no part of any protocol, and the same in all dialects.
///
/// # Errors
/// A known command with a bad argument.
pub fn parse_extra<'a>(word: &str, rest: &'a str) -> Result<Option<Command<'a>>, CommandError> {
    Ok(Some(match word {
        "" | "register" | "gameover" => Command::Nothing,
        "isready" => Command::IsReady,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" | "exit" => Command::Quit,
        "debug" => Command::Debug,
        "d" | "show" => Command::Show,
        "eval" => Command::Evaluate,
        "perft" => Command::Perft(parse_depth("perft", rest)?.unwrap_or(1)),
        "bench" => Command::Bench(parse_depth("bench", rest)?),
        "help" | "?" => Command::Help,
        _ => return Ok(None),
    }))
}

/// The error for a word that no command begins with.
pub fn unknown(word: &str) -> CommandError {
    CommandError(format!("unknown command '{}'; 'help' lists the commands", shortened(word)))
}
