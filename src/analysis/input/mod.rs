//! From files and streams to jobs: recognises each file's format, reads it in bounded memory, numbers the records.
//!
//! A bad line gives exactly one job with an error and does not touch its neighbours. Empty lines and lines that begin with
//! `#` give none, but are counted.

mod encoding;
mod epd;
mod foreign;
mod game;
mod json;
mod lines;
mod pgn;
mod setup;
mod source;

use std::collections::VecDeque;

use encoding_rs::Encoding;

pub use self::encoding::named as encoding_named;
pub use self::foreign::foreign;
pub use self::game::Every;
pub use self::setup::{is_result, strip_number};
pub use self::source::{Input, ReadError};

use self::game::PlayedGame;
use self::lines::{LINE_LIMIT, Line};
use self::source::{Shape, Stream};
use super::job::{Id, InputError, Job, Label, Task, shorten};
use crate::game::{Game, Named, Rules};

/// How an input is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputFormat {
    /// Recognised for each file by its name and first line; lines of FEN, EPD and JSON may be mixed.
    Auto,
    /// A position a line, `moves ...` may follow.
    Fen,
    /// A position a line, with opcodes.
    Epd,
    /// A JSON object a line.
    Jsonl,
    /// Games with tags and move text, or with move text alone.
    Pgn,
}

impl Named for InputFormat {
    const ALL: &'static [Self] = &[Self::Auto, Self::Fen, Self::Epd, Self::Jsonl, Self::Pgn];

    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Fen => "fen",
            Self::Epd => "epd",
            Self::Jsonl => "jsonl",
            Self::Pgn => "pgn",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Auto => "recognised for each file by its name and first line",
            Self::Fen => "a position a line, 'moves ...' may follow",
            Self::Epd => "a position a line, with opcodes (bm, am, id, ...)",
            Self::Jsonl => "a JSON object a line (fen, moves, id; result: a game)",
            Self::Pgn => "games with tags and move text",
        }
    }
}

/// Whether JSON lines with moves are games, of which many positions are analysed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameMode {
    /// Those with a `result` are; of the others only the last position counts.
    ByResult,
    /// All are.
    Always,
}

/// What becomes of EPD opcodes that nobody knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownOpcodes {
    /// They are passed over, with a warning.
    Warned,
    /// Their line is refused.
    Refused,
}

/// How to read the inputs.
#[derive(Clone, Copy, Debug)]
pub struct InputOptions<S> {
    /// The format of all files.
    pub format: InputFormat,
    /// The text encoding; `None`: UTF-8, for games also found by trial.
    pub encoding: Option<&'static Encoding>,
    /// What counts as a game.
    pub games: GameMode,
    /// Which positions of a game are wanted.
    pub every: Every,
    /// What becomes of opcodes that nobody knows.
    pub unknown_opcodes: UnknownOpcodes,
    /// The rules of all positions.
    pub rules: Rules<S>,
}

/// Longest echo of a good line and of a bad one, in characters.
const ECHO_LIMIT: usize = 1 << 16;
const BAD_ECHO_LIMIT: usize = 200;

/// The jobs of a list of inputs, in order.
pub struct Reader<G: Game> {
    inputs: VecDeque<Input>,
    options: InputOptions<G::RuleSet>,
    stream: Option<Stream>,
    game: Option<PlayedGame<G>>,
    /// Bytes of the inputs before the current one.
    bytes_before: u64,
    /// Bytes of the current input before the record in hand.
    record_start: u64,
    next_index: u64,
}

impl<G: Game> Reader<G> {
    /// Reads the inputs one after another. Files are opened when their turn comes.
    pub fn new(inputs: Vec<Input>, options: InputOptions<G::RuleSet>) -> Self {
        Self {
            inputs: inputs.into(),
            options,
            stream: None,
            game: None,
            bytes_before: 0,
            record_start: 0,
            next_index: 0,
        }
    }

    fn next_job(&mut self) -> Result<Option<Job<G>>, ReadError> {
        loop {
            if let Some(job) = self.next_of_game() {
                return Ok(Some(job));
            }
            let Some(stream) = &mut self.stream else {
                let Some(input) = self.inputs.pop_front() else { return Ok(None) };
                self.stream = Some(Stream::open::<G>(input, &self.options)?);
                continue;
            };
            self.record_start = stream.bytes_read();
            let name = &stream.name;
            let failed = |error| ReadError { file: name.clone(), error };
            let item = match &mut stream.shape {
                Shape::Lines { lines, format } => {
                    let format = *format;
                    lines.next_line().map_err(failed)?.map(|line| self.read_line(&line, format))
                }
                Shape::Games { games, count, likely } => {
                    let game = games.next_game().map_err(failed)?;
                    *count += 1;
                    let (count, likely) = (*count, *likely);
                    game.map(|game| self.read_game(&game, count, likely))
                }
                Shape::Refused(error) => {
                    let error = error.take();
                    error.map(|error| Some(self.job(1, None, None, None, Err(error))))
                }
            };
            match item {
                Some(Some(job)) => return Ok(Some(job)),
                Some(None) => {}
                None => {
                    let stream = self.stream.take().expect("the stream that just ended");
                    self.bytes_before += stream.bytes_read();
                }
            }
        }
    }

    /// The job of a line; `None` if it has none (blank, comment, a game whose positions follow).
    fn read_line(&mut self, line: &Line, format: InputFormat) -> Option<Job<G>> {
        if line.is_blank() {
            return None;
        }
        let text = match encoding::decode_line(&line.bytes, self.options.encoding) {
            Ok(text) if text.trim().is_empty() || text.trim_start().starts_with('#') => {
                return None;
            }
            _ if line.is_too_long() => Err(InputError::new(
                LINE_LIMIT + 1,
                format!(
                    "the line has {} bytes, more than the {LINE_LIMIT} that are read; \
                     write one position a line",
                    line.length
                ),
            )),
            text => text,
        };
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                let echo = String::from_utf8_lossy(&line.bytes[..line.bytes.len().min(1 << 12)]);
                let echo = shorten(&echo, BAD_ECHO_LIMIT);
                return Some(self.job(line.number, None, None, Some(echo), Err(error)));
            }
        };
        let is_json = match format {
            InputFormat::Auto => text.trim_start().starts_with('{'),
            format => format == InputFormat::Jsonl,
        };
        let (task, id) = if is_json {
            match self.read_json(&text, line.number) {
                Ok(None) => return None,
                Ok(Some((task, id))) => (Ok(task), id),
                Err((error, id)) => (Err(error), id),
            }
        } else {
            let opcodes = match format {
                InputFormat::Fen => epd::Opcodes::Refused,
                _ => epd::Opcodes::Read(self.options.unknown_opcodes),
            };
            match epd::read::<G>(&text, self.options.rules, opcodes) {
                Ok((task, id)) => (Ok(task), id),
                Err(error) => (Err(error), None),
            }
        };
        let limit = if task.is_ok() { ECHO_LIMIT } else { BAD_ECHO_LIMIT };
        let echo = shorten(&text, limit);
        Some(self.job(line.number, id, None, Some(echo), task))
    }

    /// The task of a JSON line; `None` if it is a game, whose positions follow.
    #[expect(clippy::type_complexity, reason = "used once, by the caller above")]
    fn read_json(
        &mut self,
        text: &str,
        line: u64,
    ) -> Result<Option<(Task<G>, Option<Id>)>, (InputError, Option<Id>)> {
        let json = json::parse(text).map_err(|error| (error, None))?;
        let rules = self.options.rules;
        if !json.is_game && self.options.games == GameMode::ByResult {
            return match json.last::<G>(text, rules) {
                Ok(task) => Ok(Some((task, json.id))),
                Err(error) => Err((error, json.id)),
            };
        }
        let (mut root, mut moves) = (None, Vec::new());
        let visit = |position: &G::Position, mv| {
            root.get_or_insert_with(|| position.clone());
            moves.push(mv);
        };
        match json.visit::<G>(text, rules, visit) {
            Err(error) => Err((error, json.id)),
            Ok(task) => {
                let root = root.unwrap_or(task.position);
                let mut game = PlayedGame::new(line, json.id, root, moves);
                game.warnings = task.warnings;
                self.game = Some(game);
                Ok(None)
            }
        }
    }

    /// Sets up the positions of a game; the job is that of its error, if it has one.
    fn read_game(
        &mut self,
        raw: &pgn::RawGame,
        number: u64,
        likely: &'static Encoding,
    ) -> Option<Job<G>> {
        match raw.read::<G>(number, self.options.rules, self.options.encoding, likely) {
            Ok((game, encoding)) => {
                self.game = Some(game);
                if let Some(Stream { shape: Shape::Games { likely, .. }, .. }) = &mut self.stream {
                    *likely = encoding;
                }
                None
            }
            Err(pgn::GameError { line, mut error }) => {
                if let Some(Stream { name: Some(name), .. }) = &self.stream {
                    error.message = format!("{name}, {}", error.message);
                }
                let id = Some(Id::Text(format!("game {number}")));
                Some(self.job(line, id, None, None, Err(error)))
            }
        }
    }

    /// The next wanted position of the game in hand.
    fn next_of_game(&mut self) -> Option<Job<G>> {
        let game = self.game.as_mut()?;
        let Some((ply, task)) = game.next_task(self.options.every) else {
            self.game = None;
            return None;
        };
        let (line, id) = (game.line, game.id.clone());
        Some(self.job(line, id, Some(ply), None, Ok(task)))
    }

    fn job(
        &mut self,
        line: u64,
        id: Option<Id>,
        ply: Option<u64>,
        input: Option<String>,
        task: Result<Task<G>, InputError>,
    ) -> Job<G> {
        let index = self.next_index;
        self.next_index += 1;
        let position = task.as_ref().ok().map(|task| {
            G::format_position(&task.position, G::Format::ALL[0])
                .expect("the native format can say every position")
        });
        let label = Label {
            index,
            file: self.stream.as_ref().and_then(|stream| stream.name.clone()),
            line,
            id,
            ply,
            input,
            position,
            game: G::NAME.to_owned(),
            rules: self.options.rules.set.name().to_owned(),
        };
        Job { label, task, bytes_read: self.bytes_before + self.bytes_of_stream() }
    }

    /// Bytes of the current stream that are done; a game counts by the share of its positions.
    fn bytes_of_stream(&self) -> u64 {
        let Some(stream) = &self.stream else { return 0 };
        let read = stream.bytes_read();
        match &self.game {
            None => read,
            Some(game) => {
                let rest = (1.0 - game.share()) * read.saturating_sub(self.record_start) as f64;
                read - rest as u64
            }
        }
    }
}

impl<G: Game> Iterator for Reader<G> {
    type Item = Result<Job<G>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_job().transpose()
    }
}
