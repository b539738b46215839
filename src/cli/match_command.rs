//! `match`: engine against engine. Reads the arguments, opens the files, shows the score; [`crate::duel`] plays.

mod args;
mod display;

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use self::args::{EndArgs, GameOutputArgs, OpeningArgs, PaceArgs};
use self::display::Display;
use super::args::{GameArgs, ParamsArgs, RuleArgs, named};
use super::failure::Failure;
use super::interrupt;
use super::number::whole;
use super::terminal::Terminal;
use crate::analysis::journal::{Existing, Settings, journal_path};
use crate::duel::contest::{Contest, End, Entrant, Flow, Pairing};
use crate::duel::external::External;
use crate::duel::journal::GameFile;
use crate::duel::opening::{self, Book, Opening, OpeningError};
use crate::duel::own::{Own, OwnSetting};
use crate::duel::player::{Player, Stop};
use crate::duel::record::GameRecord;
use crate::duel::referee::Referee;
use crate::duel::spec::{EngineKind, EngineSpec, OwnSpec, Squares};
use crate::duel::sprt::{Decision, Sprt};
use crate::duel::standing::Standing;
use crate::duel::{pgn, schedule};
use crate::files::{self, Place, Way};
use crate::game::{Evaluate, Named, Rules};
use crate::games::{self, Command, GameId};
use crate::protocol::Protocol;
use crate::search::TableError;

/// Play engine against engine
///
/// Our own search with two settings, or any program that speaks UCI, UCCI, USI or ATSI. Our rules are the referee: every
/// position is judged, and records tell why a game ended. An engine that crashes, oversteps its time or plays no legal move
/// loses that game and is started anew.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen match --engine own,params=new.toml,name=new --engine own,name=old --random-plies 6 --nodes 20k
  kyokumen match --engine own --engine cmd=./fairy-stockfish,ranks=1,option.UCI_Variant=xiangqi \\
      --openings games.jsonl --movetime 100 --games 100 --output match.jsonl --pgn match.pgn
  kyokumen match ... --output match.jsonl --resume                (after a kill or Ctrl-C)
  kyokumen match --engine own,nodes=40k --engine own,nodes=20k --random-plies 8 --sprt elo0=0,elo1=10 --games 2000
  kyokumen match --game taikyoku --rules atsa --engine own --engine cmd=./tomatene,proto=atsi,order=tomatene,margin=60000 \\
      --movetime 500 --random-plies 4 --adjudicate-lead 3000,300 --max-plies 600 --games 10

Engines are NAME=VALUE,... (a comma in a value is \\,):
  own             our search in this process: params=FILE threads=N hash=MIB rules=NAME
  cmd=PROGRAM     a program: args=\"A B\" dir=DIR proto=uci|ucci|usi|atsi option.NAME=VALUE
                  ranks=1 if it counts ranks from 1, order=tomatene for START END STEP in atsi
  both            name=X, and limits of its own: nodes= depth= movetime= tc= margin=
With one --engine the other one is `own`.

Elo, its 95% interval and the likelihood of superiority are the first engine's, from whole pairs.
--sprt elo0=A,elo1=B[,alpha=0.05,beta=0.05,model=logistic|normalized] ends the match when the results decide.

Repeatable: with --nodes or --depth, one thread an engine and no program, every game is the same byte for byte.

Exit codes: 0 done, 2 usage, 4 input/output, 130 interrupted (games under way are given up; --resume goes on).")]
pub struct MatchArgs {
    /// An engine; twice at most
    #[arg(long = "engine", value_name = "SPEC")]
    pub engines: Vec<EngineSpec>,
    /// Games, two for each opening; an odd number is rounded up
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole(1_u64..=10_000_000))]
    pub games: u64,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1_u32..=1024))]
    pub concurrency: u32,
    /// A test that ends the match: elo0=0,elo1=5
    #[arg(long, value_name = "TEST")]
    pub sprt: Option<Sprt>,
    /// Limits.
    #[command(flatten)]
    pub pace: PaceArgs,
    /// Openings.
    #[command(flatten)]
    pub opening: OpeningArgs,
    /// Early ends.
    #[command(flatten)]
    pub end: EndArgs,
    /// Output.
    #[command(flatten)]
    pub output: GameOutputArgs,
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// Threads of our own engine for each game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1_u32..=1024))]
    pub threads: u32,
    /// Size of our own engine's hash table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = whole(0_u64..=1 << 20))]
    pub hash: u64,
    /// The parameters of our own engine, where its specification names none.
    #[command(flatten)]
    pub params: ParamsArgs,
    /// The rules.
    #[command(flatten)]
    pub rules: RuleArgs,
}

impl MatchArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        let game = self.game.game.unwrap_or(GameId::Xiangqi);
        games::dispatch(game, Run { args: self, terminal })
    }

    /// The two engines and their names.
    fn specs(&self) -> Result<([EngineSpec; 2], [String; 2]), Failure> {
        let own = || "own".parse::<EngineSpec>().expect("`own` is an engine");
        let specs = match &self.engines[..] {
            [] => [own(), own()],
            [one] => [one.clone(), own()],
            [one, other] => [one.clone(), other.clone()],
            more => {
                return Err(Failure::Usage(format!(
                    "{} engines; a match has two, give --engine at most twice",
                    more.len()
                )));
            }
        };
        let [mut first, mut second] = [specs[0].usual_name(), specs[1].usual_name()];
        if first == second {
            first += "-1";
            second += "-2";
        }
        Ok((specs, [first, second]))
    }

    /// Refuses outputs that would harm each other or what is read.
    fn check_outputs(&self, specs: &[EngineSpec]) -> Result<(), Failure> {
        let own_params = specs.iter().filter_map(|spec| match &spec.kind {
            EngineKind::Own(own) => own.params.as_deref(),
            EngineKind::External(_) => None,
        });
        let inputs: Vec<Place<'_>> = own_params
            .chain(self.opening.openings.as_deref())
            .chain(self.params.params.as_deref())
            .map(Place::File)
            .collect();
        let games = self.output.output.as_deref();
        let journal = games.map(journal_path);
        let mut outputs = Vec::new();
        outputs.extend(games.map(|path| (path, Way::Streamed)));
        outputs.extend(self.output.pgn.as_deref().map(|path| (path, Way::Streamed)));
        outputs.extend(journal.as_deref().map(|path| (path, Way::Renamed)));
        files::check(&outputs, &inputs).map_err(Failure::Usage)
    }

    fn existing(&self) -> Existing {
        match (self.output.resume, self.output.force) {
            (true, _) => Existing::Resume,
            (_, true) => Existing::Overwrite,
            _ => Existing::Refuse,
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        Self::Usage(format!("{error} (each game at a time has its own tables)"))
    }
}

impl From<OpeningError> for Failure {
    fn from(error: OpeningError) -> Self {
        match error {
            OpeningError::Read(text) => Self::Io(text),
            OpeningError::Bad(text) => Self::Usage(text),
        }
    }
}

/// The position format of ATSI.
const ATSI_FORMAT: &str = "atsa";

/// An engine, ready to be made as often as games run at a time.
enum Maker<G: Evaluate> {
    Own(OwnSetting<G>),
    External(crate::duel::spec::ExternalSpec),
}

impl<G: Evaluate> Maker<G> {
    fn make(&self, stop: &Stop) -> Result<Box<dyn Player<G>>, Failure> {
        Ok(match self {
            Self::Own(setting) => Box::new(Own::new(setting.clone(), Arc::clone(stop))?),
            Self::External(spec) => Box::new(External::new(spec.clone(), Arc::clone(stop))),
        })
    }
}

struct Run<'a> {
    args: &'a MatchArgs,
    terminal: &'a Terminal,
}

impl Command for Run<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Evaluate>(self) -> Self::Output {
        let Self { args, terminal } = self;
        let rules = args.rules.resolve::<G>()?;
        let (specs, names) = args.specs()?;
        let entrants = [0, 1].map(|engine: usize| Entrant {
            name: names[engine].clone(),
            pace: specs[engine].pace.or(args.pace.pace()),
            margin: specs[engine].margin.unwrap_or(Duration::from_millis(args.pace.margin)),
        });
        for (entrant, spec) in entrants.iter().zip(&specs) {
            check::<G>(entrant, spec)?;
        }
        let makers =
            [maker::<G>(args, &specs[0].kind, rules)?, maker::<G>(args, &specs[1].kind, rules)?];
        args.check_outputs(&specs)?;
        let book = book::<G>(args, &specs, rules, terminal)?;
        let settings = settings::<G>(args, &specs, &entrants, &makers, rules);
        let games = args.games.next_multiple_of(2);
        warn_of_equal_games(&book, &entrants, &specs, games, terminal);
        let (mut file, finished) = match &args.output.output {
            None => (None, Vec::new()),
            Some(path) => {
                let (file, finished) = GameFile::open(path, args.existing(), &settings)?;
                check_openings(&finished, &book, path)?;
                (Some(file), finished)
            }
        };
        let mut pgn = PgnFile::<G>::open(args, rules, &finished)?;
        let mut standing = Standing::default();
        finished.iter().for_each(|record| standing.add(record));

        let sprt = args.sprt.as_ref();
        let display = Display::new(terminal, games, G::SIDES, sprt);
        let stop = interrupt::watch()?;
        let fixtures = match standing.decision(sprt) {
            Decision::Undecided => schedule::remaining(games, &finished),
            _ => Vec::new(),
        };
        let workers = (args.concurrency as usize).min(fixtures.len());
        let pairings: Result<Vec<Pairing<G>>, Failure> =
            (0..workers).map(|_| Ok([makers[0].make(&stop)?, makers[1].make(&stop)?])).collect();
        let pairings = pairings?;
        let referee = Referee {
            adjudication: args.end.adjudication(),
            patience: Duration::from_secs(args.pace.patience),
            params: Arc::default(),
        };
        let contest = Contest {
            referee: &referee,
            book: &book,
            entrants: &entrants,
            fixtures: &fixtures,
            stop: Arc::clone(&stop),
        };
        display.start(&standing);
        let end = contest.run(pairings, |record| {
            if let Some(file) = &mut file {
                file.write(&record)?;
            }
            if let Some(pgn) = &mut pgn {
                pgn.write(&record)?;
            }
            standing.add(&record);
            display.game(&record, &standing);
            Ok::<_, Failure>(match standing.decision(sprt) {
                Decision::Undecided => Flow::Continue,
                Decision::AcceptsNull | Decision::AcceptsAlternative => Flow::Enough,
            })
        });
        display.finish();
        let end = end?;
        let names = [names[0].as_str(), names[1].as_str()];
        if args.output.json {
            let mut summary = standing.json(names, sprt);
            summary.insert("game".to_owned(), json!(G::NAME));
            summary.insert("rules".to_owned(), json!(rules.set.name()));
            summary.insert("interrupted".to_owned(), json!(end == End::Interrupted));
            terminal.print_json(&Value::Object(summary))?;
        } else {
            terminal.print(&display.result(names, &standing))?;
        }
        match end {
            End::Interrupted => Err(Failure::Interrupted),
            End::Complete | End::Enough => Ok(()),
        }
    }
}

/// Refuses engines that cannot play this match at all.
fn check<G: Evaluate>(entrant: &Entrant, spec: &EngineSpec) -> Result<(), Failure> {
    let refuse = |reason: &str| Err(Failure::Usage(format!("engine {}: {reason}", entrant.name)));
    if entrant.pace.is_unlimited() {
        return refuse("no limit; give --movetime MS, --nodes N, --depth N or --tc BASE+INC");
    }
    let EngineKind::External(external) = &spec.kind else { return Ok(()) };
    if external.squares == Squares::FromOne && G::NAME != GameId::Xiangqi.name() {
        return refuse("ranks=1 has a meaning only in xiangqi; leave it out");
    }
    if external.protocol == Protocol::Atsi {
        if G::Format::from_name(ATSI_FORMAT).is_none() {
            return refuse("atsi is a protocol of taikyoku; add --game taikyoku");
        }
        if !entrant.pace.is_timed() {
            return refuse("atsi knows only limits of time; add movetime=MS or tc=BASE+INC to it");
        }
    }
    External::try_start(external)
        .map_err(|error| Failure::Usage(format!("engine {}: {error}", entrant.name)))
}

fn maker<G: Evaluate>(
    args: &MatchArgs,
    kind: &EngineKind,
    rules: Rules<G::RuleSet>,
) -> Result<Maker<G>, Failure> {
    let OwnSpec { params, threads, hash_mib, rules: own_rules } = match kind {
        EngineKind::External(spec) => return Ok(Maker::External(spec.clone())),
        EngineKind::Own(spec) => spec,
    };
    let params = params.as_ref().or(args.params.params.as_ref()).cloned();
    let own_rules = match own_rules {
        None => None,
        Some(name) => {
            let set = named::<G::RuleSet>("rule set", G::NAME, name)?;
            (set != rules.set).then(|| G::rules(set))
        }
    };
    Ok(Maker::Own(OwnSetting {
        params: Arc::new(ParamsArgs { params }.resolve::<G>()?),
        hash_mib: hash_mib.unwrap_or(args.hash as usize),
        threads: threads.unwrap_or(args.threads as usize),
        rules: own_rules,
    }))
}

fn book<G: Evaluate>(
    args: &MatchArgs,
    specs: &[EngineSpec; 2],
    rules: Rules<G::RuleSet>,
    terminal: &Terminal,
) -> Result<Book<G>, Failure> {
    let openings = match &args.opening.openings {
        None => vec![Opening::new(None, G::start(rules))],
        Some(path) => {
            let file = opening::read::<G>(path, args.opening.opening_plies, rules)?;
            terminal.warn(&file.warnings);
            file.openings
        }
    };
    let mut book = Book::new(openings, args.opening.order.into(), args.opening.seed);
    book.random_plies = args.opening.random_plies as usize;
    book.balance_cp = args.opening.balance;
    let speaks_atsi = |spec: &EngineSpec| match &spec.kind {
        EngineKind::External(external) => external.protocol == Protocol::Atsi,
        EngineKind::Own(_) => false,
    };
    if specs.iter().any(speaks_atsi) {
        book.format = G::Format::from_name(ATSI_FORMAT);
        book.check_format()?;
    }
    Ok(book)
}

/// Deterministic engines play the same game from the same opening again and again, and it counts each time.
fn warn_of_equal_games<G: Evaluate>(
    book: &Book<G>,
    entrants: &[Entrant; 2],
    specs: &[EngineSpec; 2],
    games: u64,
    terminal: &Terminal,
) {
    let Some(size) = book.size() else { return };
    let is_own = |spec: &EngineSpec| matches!(spec.kind, EngineKind::Own(_));
    let repeats =
        entrants.iter().all(|entrant| !entrant.pace.is_timed()) && specs.iter().all(is_own);
    if repeats && games > 2 * size as u64 {
        terminal.warn(&[format!(
            "{games} games from {size} openings: later games repeat earlier ones move by move; \
             give more --openings, or --random-plies N"
        )]);
    }
}

/// All that shapes games, by name.
fn settings<G: Evaluate>(
    args: &MatchArgs,
    specs: &[EngineSpec; 2],
    entrants: &[Entrant; 2],
    makers: &[Maker<G>; 2],
    rules: Rules<G::RuleSet>,
) -> Settings {
    let engine = |engine: usize| {
        let Entrant { name, pace, margin } = &entrants[engine];
        let own = match &makers[engine] {
            Maker::External(_) => Value::Null,
            Maker::Own(setting) => json!({
                "params": args.params.params.is_some().then_some(&*setting.params),
                "hash_mib": setting.hash_mib,
                "threads": setting.threads,
            }),
        };
        json!({
            "spec": specs[engine].text,
            "name": name,
            "limits": pace.to_string(),
            "margin_ms": margin.as_millis() as u64,
            "own": own,
        })
    };
    let end = &args.end;
    let opening = &args.opening;
    let value = json!({
        "game": G::NAME,
        "rules": rules.set.name(),
        "move_limit_plies": rules.move_limit_plies,
        "repetitions": rules.repetitions,
        "stalemate_loses": rules.stalemate_loses,
        "material_draw": rules.material_draw,
        "engine_1": engine(0),
        "engine_2": engine(1),
        "openings": opening.openings.as_ref().map(|path| path.display().to_string()),
        "opening_plies": opening.opening_plies,
        "order": format!("{:?}", opening.order).to_lowercase(),
        "random_plies": opening.random_plies,
        "balance": opening.balance,
        "seed": opening.seed,
        "resign": end.resign.map(|rule| [rule.cp, rule.moves as i32]),
        "draw": end.draw.map(|rule| [rule.cp, rule.moves as i32, rule.from as i32]),
        "max_plies": end.max_plies,
        "adjudicate_lead": end.adjudicate_lead.map(|rule| [rule.cp, rule.ply as i32]),
    });
    match value {
        Value::Object(settings) => settings,
        _ => unreachable!("an object was written"),
    }
}

/// Refuses to go on with a file whose games began elsewhere: the file of openings has changed.
fn check_openings<G: Evaluate>(
    finished: &[GameRecord],
    book: &Book<G>,
    path: &std::path::Path,
) -> Result<(), Failure> {
    for record in finished {
        let opening = book.opening(record.pair.saturating_sub(1))?;
        let moves = record.moves.split_whitespace().take(record.opening_plies);
        if record.fen != opening.root || !moves.eq(&opening.moves) {
            return Err(Failure::Usage(format!(
                "{}: game {} began from another opening; --resume needs the openings of the first \
                 run",
                path.display(),
                record.id
            )));
        }
    }
    Ok(())
}

/// The file of games as PGN.
struct PgnFile<G: Evaluate> {
    path: PathBuf,
    file: File,
    rules: Rules<G::RuleSet>,
    notation: G::Notation,
}

impl<G: Evaluate> PgnFile<G> {
    /// Opens the file, if it is wanted, and writes the finished games: those of the JSON Lines are the truth.
    fn open(
        args: &MatchArgs,
        rules: Rules<G::RuleSet>,
        finished: &[GameRecord],
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = &args.output.pgn else { return Ok(None) };
        let notation = match &args.output.notation {
            Some(name) => named::<G::Notation>("notation", G::NAME, name)?,
            None => G::Notation::from_name("iccs").unwrap_or(G::Notation::ALL[0]),
        };
        let has_games = std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() > 0);
        if has_games && args.existing() == Existing::Refuse {
            return Err(Failure::Usage(format!(
                "{}: the file exists and is not empty; overwrite it with --force",
                path.display()
            )));
        }
        let file = File::create(path).map_err(|error| Failure::file(path, &error))?;
        let mut pgn = Self { path: path.clone(), file, rules, notation };
        for record in finished {
            pgn.write(record)?;
        }
        Ok(Some(pgn))
    }

    fn write(&mut self, record: &GameRecord) -> Result<(), Failure> {
        let text = pgn::render::<G>(record, self.rules, self.notation).map_err(|error| {
            Failure::Io(format!("{}: game {}: {error}", self.path.display(), record.id))
        })?;
        self.file.write_all(text.as_bytes()).map_err(|error| Failure::file(&self.path, &error))
    }
}
