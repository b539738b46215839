//! The arguments that commands share, and what they mean for a game: its rules, a position, parameters.
//!
//! Each group can be flattened into the arguments of a command by itself; [`CommonArgs`] holds them all.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;

use super::failure::Failure;
use super::number::whole;
use super::terminal::Terminal;
use crate::analysis::input::{foreign, is_result, strip_number};
use crate::game::{ChosenLimits, Evaluate, Game, Named, Parsed, Rules};
use crate::games::{Command, GameId, detect, dispatch};

/// Which game is played.
#[derive(Args, Clone, Debug, Default)]
pub struct GameArgs {
    /// The game [default: recognised from the position, else xiangqi]
    #[arg(long, value_name = "GAME", value_parser = game_parser(), ignore_case = true)]
    pub game: Option<GameId>,
}

/// The parser of a game's name, for every argument that takes one.
pub fn game_parser() -> impl TypedValueParser<Value = GameId> {
    PossibleValuesParser::new(GameId::ALL.iter().map(|game| game.name()))
        .try_map(|name| name.parse::<GameId>())
}

/// The rule set and what is changed in it.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Rules")]
pub struct RuleArgs {
    /// The rule set; `kyokumen rules` lists them
    #[arg(long, value_name = "NAME")]
    pub rules: Option<String>,
    /// Draw after so many plies without progress, or `60moves` for full moves
    #[arg(long, value_name = "PLIES", value_parser = parse_move_limit)]
    pub move_limit: Option<u32>,
    /// Play on however long nothing is captured
    #[arg(long, conflicts_with = "move_limit")]
    pub no_limit: bool,
    /// Judge a repetition at this occurrence of a position
    #[arg(long, value_name = "N", value_parser = whole(2_u32..=u32::MAX))]
    pub repetitions: Option<u32>,
    /// Never judge a repetition
    #[arg(long, conflicts_with = "repetitions")]
    pub no_repetition: bool,
    /// A side without a legal move and not in check draws instead of losing (not in xiangqi)
    #[arg(long)]
    pub stalemate_draws: bool,
    /// Play on when neither side can win with what is left
    #[arg(long)]
    pub no_material_draw: bool,
    /// Take positions with more pieces of a kind than a set has, with a warning
    #[arg(long)]
    pub lenient: bool,
}

fn parse_move_limit(text: &str) -> Result<u32, String> {
    let number_end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(number_end);
    let per_unit = match unit.trim() {
        "" | "plies" | "ply" => 1,
        "moves" | "move" => 2,
        _ => return Err(format!("unknown unit '{unit}'; write 120 (plies) or 60moves")),
    };
    let number: u32 =
        number.parse().map_err(|_| "no number; write 120 (plies) or 60moves".to_owned())?;
    match number.checked_mul(per_unit) {
        Some(0) => Err("a limit of 0 ends every game; use --no-limit for none".to_owned()),
        Some(plies) => Ok(plies),
        None => Err("too large".to_owned()),
    }
}

impl RuleArgs {
    /// The limits that are given, also where the rule set has the same.
    pub fn chosen_limits(&self) -> ChosenLimits {
        let chosen = |never, limit: Option<u32>| if never { Some(None) } else { limit.map(Some) };
        ChosenLimits {
            move_limit_plies: chosen(self.no_limit, self.move_limit),
            repetitions: chosen(self.no_repetition, self.repetitions),
        }
    }

    /// The rules of a game that these arguments ask for.
    ///
    /// # Errors
    /// A rule set that the game does not have, or an option that has no meaning in it.
    pub fn resolve<G: Game>(&self) -> Result<Rules<G::RuleSet>, Failure> {
        let set = match &self.rules {
            None => G::RuleSet::ALL[0],
            Some(name) => named::<G::RuleSet>("rule set", G::NAME, name)
                .map_err(|failure| hint_at_other_game(failure, name))?,
        };
        let mut rules = G::rules(set);
        self.chosen_limits().apply(&mut rules);
        if self.stalemate_draws {
            if G::NAME == GameId::Xiangqi.name() {
                return Err(Failure::Usage(
                    "--stalemate-draws: in xiangqi a side without a legal move always loses; \
                     leave the option out"
                        .to_owned(),
                ));
            }
            rules.stalemate_loses = false;
        }
        if self.no_material_draw {
            rules.material_draw = false;
        }
        rules.any_material |= self.lenient;
        Ok(rules)
    }
}

/// Adds the game that has the rule set, where the one at hand has not.
fn hint_at_other_game(failure: Failure, rules: &str) -> Failure {
    struct HasRules<'a>(&'a str);
    impl Command for HasRules<'_> {
        type Output = bool;
        fn run<G: Evaluate>(self) -> bool {
            G::RuleSet::from_name(self.0).is_some()
        }
    }
    match GameId::ALL.iter().find(|&&game| dispatch(game, HasRules(rules))) {
        Some(game) => Failure::Usage(format!("{failure}; for {rules} add `--game {game}`")),
        None => failure,
    }
}

/// The value of a name that a user typed; the error lists the valid names.
///
/// # Errors
/// A name that is not in the set.
pub fn named<N: Named>(what: &str, game: &str, name: &str) -> Result<N, Failure> {
    N::from_name(name).ok_or_else(|| {
        let valid: Vec<&str> = N::ALL.iter().map(|value| value.name()).collect();
        Failure::Usage(format!(
            "unknown {what} '{name}' for {game}; the valid ones are {}",
            valid.join(", ")
        ))
    })
}

/// A position and the moves played from it.
#[derive(Args, Clone, Debug, Default)]
pub struct PositionArgs {
    /// The position: `startpos`, a text in any format of the game (also with `moves M1 M2 ...` behind it),
    /// `@FILE`, or `-` for standard input
    #[arg(
        short,
        long,
        value_name = "TEXT",
        default_value = "startpos",
        allow_hyphen_values = true
    )]
    pub position: String,
    /// The moves played from the position, in any notation of the game; move numbers and a result at the end are skipped
    #[arg(short, long, value_name = "M1 M2 ...", allow_hyphen_values = true)]
    pub moves: Option<String>,
}

/// The file of parameters.
#[derive(Args, Clone, Debug, Default)]
pub struct ParamsArgs {
    /// A TOML file of search and evaluation parameters; what it leaves out keeps its default
    #[arg(long, value_name = "FILE")]
    pub params: Option<PathBuf>,
}

impl ParamsArgs {
    /// The parameters of a game: the defaults, changed by the file.
    ///
    /// # Errors
    /// A file that cannot be read, is no TOML, or names a parameter that does not exist: with line and column.
    pub fn resolve<G: Evaluate>(&self) -> Result<G::Params, Failure> {
        match &self.params {
            None => Ok(G::Params::default()),
            Some(path) => {
                let params: G::Params = read_toml(path)?;
                G::search_params(&params)
                    .check()
                    .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
                Ok(params)
            }
        }
    }
}

/// Reads a value from a TOML file.
///
/// # Errors
/// A file that cannot be read, is no TOML, or does not fit the value: with line and column.
pub fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    parse_toml(&path.display().to_string(), &text)
}

/// Reads a value from the text of a TOML file called `name`.
///
/// # Errors
/// A text that is no TOML or does not fit the value: with line and column.
pub fn parse_toml<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, Failure> {
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start.min(text.len()));
        let before = &text.as_bytes()[..start];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
        Failure::Usage(format!("{name}:{line}:{column}: {}", error.message()))
    })
}

/// How much of the machine to use.
#[derive(Args, Clone, Debug, Default)]
pub struct EngineArgs {
    /// Threads [default: all cores; in protocols one]
    #[arg(long, value_name = "N", value_parser = whole(1_u32..=1024))]
    pub threads: Option<u32>,
    /// Size of the hash table in MiB [default: the command's]
    #[arg(long, value_name = "MIB", value_parser = whole(0_u64..=1 << 20))]
    pub hash: Option<u64>,
}

impl EngineArgs {
    /// The number of threads: the one asked for, else one for each core.
    pub fn threads(&self) -> usize {
        match self.threads {
            Some(threads) => threads as usize,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// The arguments of a command that works on one position.
#[derive(Args, Clone, Debug, Default)]
pub struct CommonArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// The position.
    #[command(flatten)]
    pub position: PositionArgs,
    /// The parameters.
    #[command(flatten)]
    pub params: ParamsArgs,
    /// The machine.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// The rules.
    #[command(flatten)]
    pub rules: RuleArgs,
}

/// The texts of a position and its moves, with the game they belong to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The game.
    pub game: GameId,
    /// The position's text.
    pub position: String,
    /// The moves' texts.
    pub moves: Vec<String>,
    /// Where the texts are from.
    source: Source,
}

/// The text of the argument or of the file that it names.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Source {
    /// The file; `None` for the argument itself.
    name: Option<String>,
    text: String,
}

impl Source {
    /// The place of a column of the position: `position, column 7` or `FILE, line 2, column 7`.
    fn place(&self, column: usize) -> String {
        let blanks = self.text.chars().take_while(|letter| letter.is_whitespace()).count();
        let at = blanks + column.max(1) - 1;
        let before: String = self.text.chars().take(at).collect();
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&letter| letter != '\n').count() + 1;
        match &self.name {
            Some(name) => format!("{name}, line {line}, column {column}"),
            None if line > 1 => format!("position, line {line}, column {column}"),
            None => format!("position, column {column}"),
        }
    }
}

/// The refusal of a file (`None`: of an argument) without a position.
pub fn no_position(file: Option<&str>) -> Failure {
    let remedy = "write a position, or startpos for the initial one";
    Failure::Position(match file {
        Some(name) => format!("{name} holds no position; {remedy}"),
        None => format!("the position is empty; {remedy}"),
    })
}

/// A game ready to be worked on.
#[derive(Clone, Debug)]
pub struct Setup<G: Evaluate> {
    /// The position after the moves.
    pub position: G::Position,
    /// The rules it is played by.
    pub rules: Rules<G::RuleSet>,
    /// The numbers of search and evaluation.
    pub params: G::Params,
    /// What is odd but playable.
    pub warnings: Vec<String>,
}

/// What a command does with a position that is ready to be worked on.
pub trait PositionCommand {
    /// Does it; warnings about the position were given.
    ///
    /// # Errors
    /// See [`Failure`].
    fn run<G: Evaluate>(&self, setup: &Setup<G>, terminal: &Terminal) -> Result<(), Failure>;
}

/// A command with what it needs once the game is known.
struct OnPosition<'a, C> {
    common: &'a CommonArgs,
    command: &'a C,
    input: &'a Input,
    terminal: &'a Terminal,
}

impl<C: PositionCommand> Command for OnPosition<'_, C> {
    type Output = Result<(), Failure>;

    fn run<G: Evaluate>(self) -> Self::Output {
        let setup = self.common.setup::<G>(self.input)?;
        self.terminal.warn(&setup.warnings);
        self.command.run(&setup, self.terminal)
    }
}

impl CommonArgs {
    /// Runs a command on the position of the arguments.
    ///
    /// # Errors
    /// An input that is no position, or what the command itself refuses.
    pub fn run<C: PositionCommand>(&self, command: &C, terminal: &Terminal) -> Result<(), Failure> {
        let input = self.input()?;
        let game = input.game;
        dispatch(game, OnPosition { common: self, command, input: &input, terminal })
    }

    /// Reads the position's text from where it is and recognises the game.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn input(&self) -> Result<Input, Failure> {
        let source = self.position.read()?;
        let (position, moves) = split_moves(&source.text);
        if position.is_empty() {
            return Err(no_position(source.name.as_deref()));
        }
        let game = self.game.game.or_else(|| detect(position)).unwrap_or(GameId::Xiangqi);
        let mut moves = move_texts(moves);
        moves.extend(move_texts(self.position.moves.as_deref().unwrap_or("")));
        Ok(Input { game, position: position.to_owned(), moves, source })
    }

    /// What the arguments and the input mean for the game `G`.
    ///
    /// # Errors
    /// Rules, parameters, a position or moves that are not of the game.
    pub fn setup<G: Evaluate>(&self, input: &Input) -> Result<Setup<G>, Failure> {
        let rules = self.rules.resolve::<G>()?;
        let params = self.params.resolve::<G>()?;
        let parsed = play::<G>(input, rules)?;
        Ok(Setup { position: parsed.position, rules, params, warnings: parsed.warnings })
    }
}

impl PositionArgs {
    /// The text of the position, read from its file or standard input if it is there.
    ///
    /// # Errors
    /// A file that cannot be read, or is no text.
    fn read(&self) -> Result<Source, Failure> {
        let mut name = "standard input";
        let bytes = if self.position == "-" {
            let mut bytes = Vec::new();
            std::io::stdin()
                .lock()
                .read_to_end(&mut bytes)
                .map_err(|error| Failure::Io(format!("standard input: {error}")))?;
            bytes
        } else if let Some(path) = self.position.strip_prefix('@') {
            if path.is_empty() {
                return Err(Failure::Usage("'@' names no file; write @FILE".to_owned()));
            }
            name = path;
            let path = Path::new(path);
            std::fs::read(path).map_err(|error| Failure::file(path, &error))?
        } else {
            return Ok(Source { name: None, text: self.position.clone() });
        };
        let text =
            text_of(&bytes).map_err(|message| Failure::Position(format!("{name}: {message}")))?;
        Ok(Source { name: Some(name.to_owned()), text })
    }
}

/// The text of a file; the error says why there is none.
fn text_of(bytes: &[u8]) -> Result<String, String> {
    if let Some(message) = foreign(bytes) {
        return Err(message.to_owned());
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.trim_start_matches('\u{feff}').trim_end().to_owned()),
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
            let bad = bytes[error.valid_up_to()];
            Err(format!("line {line}: byte 0x{bad:02X} is not UTF-8; save the file as UTF-8"))
        }
    }
}

/// A position's text without the `moves ...` behind it, and those moves.
pub fn split_moves(text: &str) -> (&str, &str) {
    let text = text.trim();
    let mut from = 0;
    while let Some(at) = text[from..].find("moves").map(|at| at + from) {
        let after = at + "moves".len();
        let opens = at == 0 || text[..at].ends_with(char::is_whitespace);
        let closes = after == text.len() || text[after..].starts_with(char::is_whitespace);
        if opens && closes {
            return (text[..at].trim_end(), &text[after..]);
        }
        from = after;
    }
    (text, "")
}

/// The moves of a list, separated by blanks or commas.
pub fn split_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | '，'))
        .filter(|word| !word.is_empty())
}

/// The moves of a list, without numbers before them and a result at the end.
fn move_texts(text: &str) -> Vec<String> {
    let mut words: Vec<&str> = split_words(text).collect();
    words.pop_if(|last| is_result(last));
    words.into_iter().filter_map(strip_number).map(str::to_owned).collect()
}

/// Sets up a position (`startpos`: the initial one) and plays moves from it.
///
/// # Errors
/// A bad position with its place, a bad move with its ply.
fn play<G: Game>(input: &Input, rules: Rules<G::RuleSet>) -> Result<Parsed<G::Position>, Failure> {
    let mut parsed = if input.position.eq_ignore_ascii_case("startpos") {
        Parsed { position: G::start(rules), warnings: Vec::new() }
    } else {
        G::parse_position(&input.position, rules).map_err(|error| {
            let place = input.source.place(error.column);
            Failure::Position(format!("{place}: {}", error.message))
        })?
    };
    for (index, text) in input.moves.iter().enumerate() {
        let mv = G::parse_move(&parsed.position, text)
            .map_err(|error| Failure::Position(format!("ply {}: {error}", index + 1)))?;
        G::make(&mut parsed.position, mv);
    }
    Ok(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_behind_a_position_are_split_off() {
        assert_eq!(split_moves("startpos moves a b"), ("startpos", " a b"));
        assert_eq!(split_moves("x w moves"), ("x w", ""));
        assert_eq!(split_moves("removes w"), ("removes w", ""));
        assert_eq!(split_words(" a, b，c ").collect::<Vec<_>>(), ["a", "b", "c"]);
    }

    #[test]
    fn move_limits_have_units() {
        assert_eq!(parse_move_limit("120"), Ok(120));
        assert_eq!(parse_move_limit("60moves"), Ok(120));
        assert!(parse_move_limit("0").unwrap_err().contains("--no-limit"));
        assert!(parse_move_limit("60hours").unwrap_err().contains("hours"));
        assert!(parse_move_limit("4294967295moves").is_err());
    }

    #[test]
    fn toml_errors_name_line_and_column() {
        #[derive(serde::Deserialize, Debug)]
        #[serde(deny_unknown_fields)]
        struct Known {
            #[expect(dead_code, reason = "only its reading is tested")]
            depth: u32,
        }
        let error = parse_toml::<Known>("p.toml", "depth = 1\n  width = 2\n").unwrap_err();
        assert!(error.to_string().starts_with("p.toml:2:3: "), "{error}");
        assert!(error.to_string().contains("width"), "{error}");
        assert_eq!(error.exit_code(), 2);
    }
}
