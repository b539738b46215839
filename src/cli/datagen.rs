//! `datagen`: training data by self-play. Here is what its arguments mean; [`crate::datagen`] plays and writes.

mod args;
mod display;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde_json::{Map, Value, json};

use self::args::{Defaults, EndArgs, GoalArgs, OpeningArgs, SearchArgs, given};
use self::display::{Display, summary, summary_json};
use super::args::{EngineArgs, GameArgs, ParamsArgs, RuleArgs};
use super::failure::Failure;
use super::interrupt;
use super::number::whole;
use super::terminal::Terminal;
use crate::data::header::{evaluation_hash, stable_hash};
use crate::data::{Header, RuleSettings, Writer};
use crate::datagen::Plan;
use crate::datagen::opening::Openings;
use crate::datagen::run::{Count, End, RunError, run};
use crate::datagen::tally::Tally;
use crate::duel::opening::{self, Opening};
use crate::game::{Evaluate, Named, Rules};
use crate::games::{self, Command, GameId};

/// Make training data by self-play
///
/// Plays games against itself on all cores and stores them with the score of every position. The number of games or positions
/// must be given.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen datagen --games 10000 --output games.kyo
  kyokumen datagen --games 10000 --output games.kyo --resume         (after Ctrl-C, a crash, a kill; or to add games)
  kyokumen datagen --game taikyoku --positions 1M --seed 7 --output taikyoku.kyo
  kyokumen datagen --games 5k --nodes 2000 --teacher-every 16 --teacher-nodes 50k --output taught.kyo
  kyokumen datagen --games 5k --multipv 4 --temperature 20 --draw-adjudication none --output varied.kyo

A game depends on nothing but the settings, the seed and its number. So the file is the same byte for byte for any number of
threads, and for any number of stops: games are written in the order of their numbers, at once when they and all before them
are finished, and --resume cuts a torn end off and goes on. It refuses other settings or another build, and names what differs.

The score of a position is the search's, for the side to move; mates keep their distance. Random moves have none.
A game that reaches --max-plies is a draw, with the reason length_limit. docs/data-format.md describes the file.

Exit codes: 0 done, 2 usage, 4 input/output or damaged file, 130 interrupted (--resume goes on).")]
pub struct DatagenArgs {
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Continue the run in --output; begin it if there is none
    #[arg(long)]
    pub resume: bool,
    /// How many games.
    #[command(flatten)]
    pub goal: GoalArgs,
    /// Seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole(0_u64..=u64::MAX))]
    pub seed: u64,
    /// Print the summary as one JSON object
    #[arg(long)]
    pub json: bool,
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// The machine: threads are games at a time, the hash table is each one's.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// The parameters.
    #[command(flatten)]
    pub params: ParamsArgs,
    /// The search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Openings.
    #[command(flatten)]
    pub opening: OpeningArgs,
    /// Early ends.
    #[command(flatten)]
    pub end: EndArgs,
    /// The rules.
    #[command(flatten)]
    pub rules: RuleArgs,
}

impl DatagenArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        if self.goal.games.is_none() && self.goal.positions.is_none() {
            return Err(Failure::Usage(
                "nothing says when to stop; give --games N or --positions N".to_owned(),
            ));
        }
        let game = self.game.game.unwrap_or(GameId::Xiangqi);
        games::dispatch(game, Run { args: self, defaults: Defaults::of(game), terminal })
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Data(error) => error.into(),
            RunError::Opening(_) | RunError::Memory(_) => Self::Usage(error.to_string()),
            RunError::Panic { .. } => Self::Io(error.to_string()),
        }
    }
}

struct Run<'a> {
    args: &'a DatagenArgs,
    defaults: Defaults,
    terminal: &'a Terminal,
}

impl Command for Run<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Evaluate>(self) -> Self::Output {
        let Self { args, defaults, terminal } = self;
        let rules = args.rules.resolve::<G>()?;
        let params = args.params.resolve::<G>()?;
        let plan = plan::<G>(args, &defaults, rules, params, terminal)?;
        let header = header(args, &defaults, &plan)?;
        let (mut writer, count) = open(args, &header, terminal)?;
        let mut count = Count::new(count);
        let goal = args.goal.goal();
        let mut display = Display::new(terminal, goal, &count);
        let threads = args.engine.threads();
        let end = run(&plan, goal, threads, &mut writer, &mut count, &mut |count| {
            display.update(count);
        });
        display.clear();
        writer.finish()?;
        let bytes = fs::metadata(&args.output).map_or(0, |data| data.len());
        if args.json {
            let mut summary = Map::new();
            summary.insert("game".to_owned(), json!(G::NAME));
            summary.insert("rules".to_owned(), json!(rules.set.name()));
            summary.insert("interrupted".to_owned(), json!(matches!(end, Ok(End::Interrupted))));
            summary.extend(summary_json(&count, bytes));
            terminal.print_json(&Value::Object(summary))?;
        } else {
            terminal.print(&summary(&count, &args.output, bytes, G::SIDES))?;
        }
        match end? {
            End::Complete => Ok(()),
            End::Interrupted => {
                terminal.note(&format!(
                    "{} holds what is done; the same command with --resume goes on from there",
                    args.output.display()
                ));
                Err(Failure::Interrupted)
            }
        }
    }
}

fn plan<G: Evaluate>(
    args: &DatagenArgs,
    defaults: &Defaults,
    rules: Rules<G::RuleSet>,
    params: G::Params,
    terminal: &Terminal,
) -> Result<Plan<G>, Failure> {
    let bases = match &args.opening.openings {
        None => vec![Opening::new(None, G::start(rules))],
        Some(path) => {
            let file = opening::read::<G>(path, args.opening.opening_plies, rules)?;
            terminal.warn(&file.warnings);
            file.openings
        }
    };
    let random_plies = args.opening.random_plies.unwrap_or(defaults.random_plies) as usize;
    let variety = args.search.variety();
    let most = args.goal.games.unwrap_or(u64::MAX);
    if random_plies == 0 && variety.is_none() && most > bases.len() as u64 {
        terminal.warn(&[format!(
            "more games than the {} openings, no random plies and no --multipv: later games repeat \
             earlier ones move by move",
            bases.len()
        )]);
    }
    let bound = given(args.opening.opening_bound, |bound| bound.0, Some(defaults.opening_bound));
    let adjudication = args.end.adjudication(defaults);
    if adjudication.max_plies.is_none() && rules.move_limit_plies.is_none() {
        terminal.warn(&["neither --max-plies nor a move limit: a game may never end".to_owned()]);
    }
    Ok(Plan {
        rules,
        params: Arc::new(params),
        hash_mib: args.engine.hash.unwrap_or(defaults.hash_mib) as usize,
        seed: args.seed,
        effort: args.search.effort(defaults),
        teacher: args.search.teacher(defaults),
        variety,
        adjudication,
        openings: Openings::new(bases, random_plies, bound),
        stop: interrupt::watch()?,
    })
}

/// All that shapes the games, for the file.
fn header<G: Evaluate>(
    args: &DatagenArgs,
    defaults: &Defaults,
    plan: &Plan<G>,
) -> Result<Header, Failure> {
    let openings = match &args.opening.openings {
        None => Value::Null,
        Some(path) => {
            let bytes = fs::read(path).map_err(|error| Failure::file(path, &error))?;
            json!({
                "file": path.file_name().map(|name| name.to_string_lossy()),
                "fnv1a": format!("{:016x}", stable_hash(&bytes)),
                "plies": args.opening.opening_plies,
            })
        }
    };
    let end = plan.adjudication;
    let settings = json!({
        "generator": "datagen",
        "depth": plan.effort.depth,
        "nodes": plan.effort.soft_nodes,
        "hard_nodes": plan.effort.hard_nodes,
        "teacher": plan.teacher.map(|teacher| json!({
            "every": teacher.every,
            "nodes": teacher.effort.soft_nodes,
            "hard_nodes": teacher.effort.hard_nodes,
        })),
        "variety": plan.variety.map(|variety| json!({
            "multipv": variety.moves,
            "temperature_cp": variety.temperature_cp,
            "plies": variety.plies,
        })),
        "hash_mib": plan.hash_mib,
        "openings": openings,
        "random_plies": plan.openings.random_plies,
        "opening_bound_cp": plan.openings.bound_cp,
        "win_adjudication": end.resign.map(|rule| json!({"cp": rule.cp, "plies": 2 * rule.moves})),
        "draw_adjudication": end.draw.map(|rule| {
            json!({"cp": rule.cp, "plies": 2 * rule.moves, "from_ply": 2 * rule.from})
        }),
        "lead_adjudication": end.lead.map(|rule| json!({"cp": rule.cp, "from_ply": rule.ply})),
        "max_plies": end.max_plies,
    });
    let Value::Object(settings) = settings else { unreachable!("an object was written") };
    Ok(Header {
        game: G::NAME.to_owned(),
        rules: RuleSettings::of(plan.rules),
        engine: concat!("kyokumen ", env!("CARGO_PKG_VERSION")).to_owned(),
        commit: option_env!("KYOKUMEN_COMMIT").map(str::to_owned),
        evaluation: evaluation_hash::<G>(&plan.params),
        seed: plan.seed,
        block_games: defaults.block_games,
        settings,
    })
}

/// Opens the file; also counts what it holds.
fn open(
    args: &DatagenArgs,
    header: &Header,
    terminal: &Terminal,
) -> Result<(Writer, Tally), Failure> {
    let mut tally = Tally::default();
    if !args.resume {
        return Ok((Writer::create(&args.output, header)?, tally));
    }
    let mut stray = None;
    let (writer, resumed) = Writer::resume(&args.output, header, |game| {
        if game.number() != tally.games {
            stray.get_or_insert((tally.games, game.number()));
        }
        tally.add(game.result(), game.end(), game.plies());
    })?;
    if let Some((expected, found)) = stray {
        return Err(not_a_run(&args.output, expected, found));
    }
    if let Some(fault) = resumed.cut {
        let bytes = fault.bytes;
        terminal.warn(&[format!(
            "{}: {fault}: {bytes} bytes cut off, their games are made again",
            args.output.display()
        )]);
    }
    Ok((writer, tally))
}

fn not_a_run(path: &Path, expected: u64, found: u64) -> Failure {
    Failure::Usage(format!(
        "{}: game {found} stands where game {expected} belongs, so this is no file of one run; \
         choose another --output",
        path.display()
    ))
}
