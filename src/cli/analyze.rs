//! `analyze`: a batch of positions in, a record for each out. Here is what its arguments mean; `sink` writes.

mod args;
mod progress;
mod sink;

use std::fs;
use std::io::{self, Cursor, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use super::args::{EngineArgs, GameArgs, ParamsArgs, RuleArgs, named, no_position, split_moves};
use super::failure::Failure;
use super::interrupt;
use super::number::whole;
use super::terminal::Terminal;
use crate::analysis::input::{
    Every, GameMode, Input, InputOptions, Reader, UnknownOpcodes, encoding_named,
};
use crate::analysis::journal::{JournalError, Settings, journal_path};
use crate::analysis::output::Layout;
use crate::analysis::pool::{End, Order, Pool};
use crate::analysis::{Batch, Plan, Timing};
use crate::files::{self, Place, Way};
use crate::game::{Evaluate, Named, Rules};
use crate::games::{self, Command, GameId, detect};
use crate::search::Limits;
use args::{InputArgs, LimitArgs, RecordArgs};
use sink::{Output, Writer};

/// Analyse files of positions and games
///
/// Reads FEN lines, EPD, JSON Lines and PGN, from files or standard input, and writes one record a position.
/// A limit must be given: --depth, --nodes, --movetime or --mate; whichever comes first ends a search.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen analyze positions.fen --nodes 1M --output out.jsonl
  kyokumen analyze positions.fen --nodes 1M --output out.jsonl --resume   (after a kill or Ctrl-C)
  kyokumen analyze games/*.pgn --every 10 --depth 8 --as csv > games.csv
  kyokumen analyze mates.epd --nodes 200k --as table
  cat games.jsonl | kyokumen analyze --movetime 500 --multipv 3 --notation wxf
  kyokumen analyze -p startpos -m \"h2e2 h9g7\" --depth 12

Input (recognised for each file, or --input):
  FEN          POSITION [moves M1 M2 ...]; also `startpos moves ...`
  EPD          POSITION bm M1; am M2; id \"name\"; ...   bm and am are counted as solved or not
  JSON Lines   {\"fen\": ..., \"moves\": ..., \"id\": ...}; with a \"result\" it is a game (or --games)
  PGN          tags and moves (or moves alone) in UTF-8, GBK or Big5, comments and variations skipped
  Empty lines and lines that begin with # are skipped. A bad line gives a record with its error.

Output: records as JSON Lines with the fields index, file, line, id, ply, input, position, game, rules,
depth, seldepth, nodes, time_ms, stop, pvs (rank, score_cp | mate | rule, first, bound, wdl, moves),
bestmove, and where they apply played, solved, verdict, opcodes, warnings; or error (column, message).
Scores are for the side to move, under `first` (and in tables) for the first player; mate in moves; wdl per mille.

Repeatable: with --depth, --nodes or --mate and one thread a position, output is the same byte for byte
for any --threads; time_ms is therefore null unless --movetime or --timing is given.

Exit codes: 0 done, 1 some positions refused, 2 usage, 3 refused with --strict, 4 input/output, 130 interrupted.")]
pub struct AnalyzeArgs {
    /// Files to read; `-` or none: standard input
    #[arg(value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// A position instead of files
    #[arg(short, long, value_name = "TEXT", conflicts_with = "files", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// The moves played from --position
    #[arg(
        short,
        long,
        value_name = "M1 M2 ...",
        requires = "position",
        allow_hyphen_values = true
    )]
    pub moves: Option<String>,
    /// Limits of each search.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How input is read.
    #[command(flatten)]
    pub input: InputArgs,
    /// Where records go.
    #[command(flatten)]
    pub output: RecordArgs,
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// The machine: threads are positions at a time, the hash table is each one's.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Threads that search one position together; with more than one, results are not repeatable
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = whole(1_u32..=1024))]
    pub threads_per_position: u32,
    /// Lines of play with different first moves
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = whole(1_u32..=500))]
    pub multipv: u32,
    /// The parameters.
    #[command(flatten)]
    pub params: ParamsArgs,
    /// The rules.
    #[command(flatten)]
    pub rules: RuleArgs,
}

impl AnalyzeArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        self.limits.check()?;
        self.check_outputs()?;
        let mut inputs = self.inputs()?;
        let game = match self.game.game {
            Some(game) => game,
            None => {
                let first = inputs.first_mut().expect("there is always an input");
                recognise(&first.first_lines().map_err(|error| Failure::Io(error.to_string()))?)
            }
        };
        games::dispatch(game, Run { args: self, inputs, terminal })
    }

    fn inputs(&self) -> Result<Vec<Input>, Failure> {
        if let Some(position) = &self.position {
            if position.trim().is_empty() {
                return Err(no_position(None));
            }
            if let Some(path) = position.strip_prefix('@') {
                return Err(Failure::Usage(format!(
                    "-p @FILE: files of positions are arguments here; write `kyokumen analyze {path}`"
                )));
            }
            let line = match &self.moves {
                Some(_) if position.contains(';') => {
                    return Err(Failure::Usage(
                        "--moves cannot follow opcodes in --position; write 'moves M1 M2 ...' \
                         right behind the position"
                            .to_owned(),
                    ));
                }
                Some(moves) if split_moves(position).1.is_empty() => {
                    format!("{position} moves {moves}")
                }
                Some(moves) => format!("{position} {moves}"),
                None => position.clone(),
            };
            let reader = Box::new(Cursor::new(line.replace(['\n', '\r'], " ").into_bytes()));
            return Ok(vec![Input::Stream { name: None, reader }]);
        }
        let standard_input = || Input::Stream { name: None, reader: Box::new(io::stdin()) };
        if self.files.is_empty() {
            if io::stdin().is_terminal() {
                return Err(Failure::Usage(
                    "nothing to analyse; name files, pipe positions in, or give --position"
                        .to_owned(),
                ));
            }
            return Ok(vec![standard_input()]);
        }
        let is_dash = |path: &PathBuf| place(path) == Place::StandardInput;
        if self.files.iter().filter(|path| is_dash(path)).count() > 1 {
            return Err(Failure::Usage("'-' names standard input, which can be read once".into()));
        }
        let open = |path: &PathBuf| {
            if is_dash(path) {
                return Ok(standard_input());
            }
            // Found out now, not after hours of work on the files before it.
            let data = fs::metadata(path).map_err(|error| Failure::file(path, &error))?;
            if data.is_dir() {
                let path = path.display();
                return Err(Failure::Io(format!("{path} is a directory; name the files in it")));
            }
            Ok(Input::File(path.clone()))
        };
        self.files.iter().map(open).collect()
    }

    /// Refuses outputs that would harm what is read, and a standard output that would be read as it is written.
    fn check_outputs(&self) -> Result<(), Failure> {
        let mut inputs: Vec<Place<'_>> = self.files.iter().map(|path| place(path)).collect();
        if self.files.is_empty() && self.position.is_none() {
            inputs.push(Place::StandardInput);
        }
        inputs.extend(self.params.params.as_deref().map(Place::File));
        let Some(output) = &self.output.output else {
            if inputs.iter().any(|input| input.is(Place::StandardOutput)) {
                return Err(Failure::Usage(
                    "standard output goes to a file that is an input too; choose another file"
                        .to_owned(),
                ));
            }
            return Ok(());
        };
        let journal = journal_path(output);
        let mut outputs = vec![(output.as_path(), Way::Streamed)];
        if self.output.output_format.is_resumable() {
            outputs.push((&journal, Way::Renamed));
        }
        files::check(&outputs, &inputs).map_err(Failure::Usage)
    }

    /// The size of all inputs, where it is known.
    fn input_bytes(&self) -> Option<u64> {
        if self.files.is_empty() {
            return None;
        }
        let size = |path: &PathBuf| fs::metadata(path).ok().filter(|data| data.is_file());
        self.files.iter().map(|path| size(path).map(|data| data.len())).sum()
    }

    /// Positions searched at a time.
    fn workers(&self) -> usize {
        match self.engine.threads {
            Some(threads) => threads as usize,
            None => (self.engine.threads() / self.threads_per_position as usize).max(1),
        }
    }

    /// Each searcher's hash table: what the node limit can fill. It must not depend on the number of threads.
    fn hash_mib(&self) -> u64 {
        const BYTES_PER_NODE: u64 = 16;
        const SMALLEST: u64 = 1;
        const USUAL: u64 = 32;
        self.engine.hash.unwrap_or_else(|| match self.limits.nodes {
            None => USUAL,
            Some(nodes) => (nodes.saturating_mul(BYTES_PER_NODE) >> 20)
                .next_power_of_two()
                .clamp(SMALLEST, USUAL),
        })
    }

    fn order(&self) -> Order {
        if self.output.unordered { Order::Completion } else { Order::Input }
    }

    fn settings<G: Evaluate>(
        &self,
        rules: &Rules<G::RuleSet>,
        params: &G::Params,
        notation: G::Notation,
    ) -> Settings {
        let LimitArgs { depth, nodes, movetime, mate } = self.limits;
        let changed_params = self.params.params.as_ref().map(|_| params);
        let value = json!({
            "engine": concat!("kyokumen ", env!("CARGO_PKG_VERSION")),
            "game": G::NAME,
            "rules": rules.set.name(),
            "move_limit_plies": rules.move_limit_plies,
            "repetitions": rules.repetitions,
            "stalemate_loses": rules.stalemate_loses,
            "material_draw": rules.material_draw,
            "depth": depth,
            "nodes": nodes,
            "movetime_ms": movetime,
            "mate": mate,
            "multipv": self.multipv,
            "hash_mib": self.hash_mib(),
            "threads_per_position": self.threads_per_position,
            "params": changed_params,
            "input": self.input.input_format.name(),
            "encoding": self.input.encoding,
            "games": self.input.games,
            "every": match self.input.every {
                Every::Plies(plies) => Value::from(plies),
                Every::Last => Value::from("last"),
            },
            "as": self.output.output_format.name(),
            "notation": notation.name(),
            "timing": self.output.timing,
            "unordered": self.output.unordered,
        });
        match value {
            Value::Object(settings) => settings,
            _ => unreachable!("an object was written"),
        }
    }
}

/// Where a name of the command line leads: `-` is standard input.
fn place(path: &Path) -> Place<'_> {
    if path.as_os_str() == "-" { Place::StandardInput } else { Place::File(path) }
}

/// The game of a file, by the first line that is clearly of one.
fn recognise(lines: &[String]) -> GameId {
    const WHOLE_BOARDS: [usize; 2] = [9, 35];
    let boards = || lines.iter().map(|line| board_text(line));
    let is_whole = |text: &&str| {
        let board = text.split_whitespace().next().unwrap_or_default();
        let slashes = board.chars().filter(|&letter| letter == '/').count();
        WHOLE_BOARDS.contains(&slashes) || board.eq_ignore_ascii_case("TSFEN1")
    };
    let clear = boards().find(is_whole).or_else(|| boards().next());
    let named = || lines.iter().find_map(|line| named_game(line));
    clear.and_then(detect).or_else(named).unwrap_or(GameId::Xiangqi)
}

/// The game that a JSON line or a tag says it is of.
fn named_game(line: &str) -> Option<GameId> {
    let name = match line.strip_prefix("[Variant") {
        Some(rest) => rest.trim_matches([' ', '"', ']']).to_owned(),
        None if !line.starts_with('{') => return None,
        None => serde_json::from_str::<Value>(line).ok()?.get("game")?.as_str()?.to_owned(),
    };
    GameId::ALL.iter().copied().find(|game| name.eq_ignore_ascii_case(game.name()))
}

/// The part of a line where the board begins: JSON and tags have text before it.
fn board_text(line: &str) -> &str {
    let line = line.strip_prefix("position ").unwrap_or(line);
    let line = line.strip_prefix("fen ").unwrap_or(line);
    if let Some(tag) = line.strip_prefix("[FEN") {
        return tag.trim_start().trim_start_matches('"');
    }
    if !line.starts_with('{') {
        return line;
    }
    let after = |name: &str| line.find(name).map(|at| &line[at + name.len()..]);
    let value = after("\"fen\"").or_else(|| after("\"position\"")).unwrap_or_default();
    value.trim_start_matches([' ', ':', '"'])
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::Usage(text) => Self::Usage(text),
            error => Self::Io(error.to_string()),
        }
    }
}

struct Run<'a> {
    args: &'a AnalyzeArgs,
    inputs: Vec<Input>,
    terminal: &'a Terminal,
}

impl Command for Run<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Evaluate>(self) -> Self::Output {
        let Self { args, inputs, terminal } = self;
        let rules = args.rules.resolve::<G>()?;
        let params = args.params.resolve::<G>()?;
        let notation = match &args.output.notation {
            None => G::Notation::ALL[0],
            Some(name) => named::<G::Notation>("notation", G::NAME, name)?,
        };
        let encoding = match &args.input.encoding {
            None => None,
            Some(name) => Some(encoding_named(name).ok_or_else(|| {
                Failure::Usage(format!(
                    "unknown encoding '{name}'; try utf-8, gbk, gb18030 or big5"
                ))
            })?),
        };
        let options = InputOptions {
            format: args.input.input_format,
            encoding,
            games: if args.input.games { GameMode::Always } else { GameMode::ByResult },
            every: args.input.every,
            unknown_opcodes: if args.input.strict {
                UnknownOpcodes::Refused
            } else {
                UnknownOpcodes::Warned
            },
            rules,
        };
        let layout = Layout {
            format: args.output.output_format,
            multipv: args.multipv as usize,
            first_player: G::SIDES[0],
        };
        let settings = args.settings::<G>(&rules, &params, notation);
        let pool = Pool {
            window: 256,
            order: args.order(),
            interrupt: interrupt::watch()?,
            abort: Arc::new(AtomicBool::new(false)),
        };
        let is_timed = args.output.timing || args.limits.movetime.is_some();
        let plan = Plan::<G> {
            limits: Limits {
                depth: args.limits.depth(),
                nodes: args.limits.nodes,
                movetime: args.limits.movetime.map(Duration::from_millis),
                mate: args.limits.mate,
                multipv: args.multipv as usize,
                threads: args.threads_per_position as usize,
                stop: Arc::clone(&pool.abort),
                ..Limits::default()
            },
            params: Arc::new(params),
            hash_mib: args.hash_mib() as usize,
            notation,
            timing: if is_timed { Timing::Told } else { Timing::Hidden },
            layout,
        };
        let workers = args.workers();
        let batch = Batch::new(&plan, workers).map_err(|error| {
            Failure::Usage(format!("{error} ({workers} positions at a time have one each)"))
        })?;
        let (output, done) = Output::open(args, &settings, &layout)?;
        let mut writer = Writer::new(output, args, terminal, done.tally, &pool.interrupt);
        let end = batch.run(Reader::<G>::new(inputs, options), done, &pool, &mut writer);
        writer.finish(matches!(end, Ok(End::Complete)));
        match end? {
            End::Complete if writer.tally().refused > 0 => Err(Failure::SomePositions),
            End::Complete if writer.tally().records == 0 => {
                terminal.warn(&["the input holds no position; nothing was analysed".to_owned()]);
                Ok(())
            }
            End::Complete => Ok(()),
            End::Interrupted => Err(Failure::Interrupted),
            End::SourceFailed(error @ crate::analysis::SourceError::Read(_)) => {
                Err(Failure::Io(error.to_string()))
            }
            End::SourceFailed(error) => Err(Failure::Usage(error.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_whole_board_tells_the_game() {
        let check = |lines: &[&str], game| {
            let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
            assert_eq!(recognise(&lines), game, "{lines:?}");
        };
        let taikyoku = "36/".repeat(35) + "36 b 0 1";
        let xiangqi = "9/".repeat(9) + "9 w";
        check(&[], GameId::Xiangqi);
        check(&["startpos"], GameId::Xiangqi);
        check(&[&xiangqi, &taikyoku], GameId::Xiangqi);
        check(&["garbage / x", &taikyoku], GameId::Taikyoku);
        check(&[&format!("{{\"id\": 1, \"fen\": \"{taikyoku}\"}}")], GameId::Taikyoku);
        check(&["[Event \"a/b\"]", &format!("[FEN \"{taikyoku}\"]")], GameId::Taikyoku);
        check(&["TSFEN1 b 0 0"], GameId::Taikyoku);
    }
}
