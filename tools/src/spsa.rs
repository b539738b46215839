//! `spsa`: tunes numbers of search or evaluation by games, all at once.
//!
//! CITE: J. Spall, simultaneous perturbation stochastic approximation, 1992. A pair of games is played between the numbers
//! moved by a step each in random directions, and the same moved the opposite way; the winner's directions are followed by
//! a small part of the step. What has no influence wanders; what has one drifts to where it wins.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use kyokumen::duel::adjudication::{Adjudication, Even, Lead, Resign};
use kyokumen::duel::opening::{Book, Opening, Order};
use kyokumen::duel::own::{Own, OwnSetting};
use kyokumen::duel::pace::Pace;
use kyokumen::duel::record::Score;
use kyokumen::duel::referee::{Label, Referee, Seat};
use kyokumen::game::Evaluate;
use kyokumen::games::{Command, GameId, dispatch};
use kyokumen::search::params::{Range, SearchParams};
use serde_json::Value;

use crate::rule_set;

/// Tune numbers of search or evaluation by pairs of games between slightly changed settings
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Every --tune names a number of the parameter file, or a group whose numbers are all tuned; =STEP sets how far it is moved in a
game (default: the tuning step of a search number, a tenth of any other).

Examples:
  kyokumen-tools spsa --tune search.reduction --tune search.futility --nodes 2000 --pairs 5000 --output tuned.toml
  kyokumen-tools spsa --game taikyoku --tune weights.per_square=5 --tune weights.tempo=10 --nodes 200 --lead 6000,40 \\
      --output tuned.toml
  kyokumen-tools spsa --params tuned.toml --seed 2 --tune search --output more.toml      (goes on from a file)

The file is written anew at every report, so that a run can be ended at any time. With one thread a run is repeatable.")]
pub(crate) struct SpsaArgs {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "xiangqi")]
    game: String,
    /// The rule set; without it the game's default
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// Begin with the numbers of this file
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    /// A number or a group to tune: search.null_move, weights.tempo=5
    #[arg(long, value_name = "PATH[=STEP]", required = true)]
    tune: Vec<String>,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 2000)]
    nodes: u64,
    /// Pairs of games
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pairs: u64,
    /// Part of a step that a won pair moves the numbers at first
    #[arg(long, value_name = "R", default_value_t = 0.15)]
    rate: f64,
    /// Random moves of the openings
    #[arg(long, value_name = "N", default_value_t = 8)]
    random_plies: usize,
    /// Openings further from even, in centipawns, are drawn anew
    #[arg(long, value_name = "CP", default_value_t = 150)]
    balance: i32,
    /// A loss: CP,MOVES
    #[arg(long, value_name = "CP,MOVES", default_value = "700,3")]
    resign: Resign,
    /// A draw: CP,MOVES,FROM
    #[arg(long, value_name = "CP,MOVES,FROM", default_value = "20,6,40")]
    draw: Even,
    /// A win by static evaluation: CP,PLY
    #[arg(long, value_name = "CP,PLY")]
    lead: Option<Lead>,
    /// A draw after so many plies
    #[arg(long, value_name = "N", default_value_t = 300)]
    max_plies: usize,
    /// Games at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Seed of openings and directions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl SpsaArgs {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let game: GameId = self.game.parse().map_err(anyhow::Error::msg)?;
        dispatch(game, Tuning(self))
    }
}

struct Tuning(SpsaArgs);

/// A number under way.
#[derive(Clone, Debug)]
struct Number {
    /// Its place in the parameters, as a JSON pointer.
    pointer: String,
    before: i64,
    value: f64,
    step: f64,
}

struct State {
    numbers: Vec<Number>,
    next: u64,
    done: u64,
    points: [u64; 5],
}

/// Pairs between two reports.
const REPORT: u64 = 50;
/// The rate falls with the power of the number of pairs that SPSA's theory asks for, after a tenth of the run.
const DECAY: f64 = 0.602;
/// How long a player may think without a limit of time: nothing ends a game of nodes but a fault.
const PATIENCE: Duration = Duration::from_secs(600);

impl Command for Tuning {
    type Output = Result<ExitCode>;

    fn run<G: Evaluate>(self) -> Result<ExitCode> {
        let args = self.0;
        let rules = rule_set::<G>(args.rules.as_deref())?;
        let start = match &args.params {
            None => G::Params::default(),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("{} cannot be read", path.display()))?;
                toml::from_str(&text).with_context(|| format!("{} is bad", path.display()))?
            }
        };
        let root = serde_json::to_value(&start)?;
        let numbers = numbers(&root, &args.tune)?;
        let mut book = Book::<G>::new(
            vec![Opening::new(None, G::start(G::rules(rules)))],
            Order::Sequential,
            args.seed,
        );
        book.random_plies = args.random_plies;
        book.balance_cp = Some(args.balance);
        let referee = Referee::<G> {
            adjudication: Adjudication {
                resign: Some(args.resign),
                draw: Some(args.draw),
                lead: args.lead,
                max_plies: Some(args.max_plies),
            },
            patience: PATIENCE,
            params: Arc::default(),
        };
        let state = Mutex::new(State { numbers, next: 0, done: 0, points: [0; 5] });
        let started = Instant::now();
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..args.threads.max(1))
                .map(|_| scope.spawn(|| work(&args, &root, &book, &referee, &state, started)))
                .collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
        })?;
        let state = state.into_inner().expect("no worker panics");
        write(&args.output, &root, &state.numbers)?;
        print!("{}", report(&state.numbers));
        Ok(ExitCode::SUCCESS)
    }
}

/// Plays pairs until there are enough.
fn work<G: Evaluate>(
    args: &SpsaArgs,
    root: &Value,
    book: &Book<G>,
    referee: &Referee<G>,
    state: &Mutex<State>,
    started: Instant,
) -> Result<()> {
    loop {
        let (pair, numbers) = {
            let mut state = state.lock().expect("no worker panics");
            if state.next == args.pairs {
                return Ok(());
            }
            state.next += 1;
            (state.next - 1, state.numbers.clone())
        };
        let mut random = fastrand::Rng::with_seed(args.seed.rotate_left(32) ^ pair);
        let signs: Vec<f64> =
            numbers.iter().map(|_| if random.bool() { 1.0 } else { -1.0 }).collect();
        let moved = |side: f64| -> Result<G::Params> {
            let shifted = numbers
                .iter()
                .zip(&signs)
                .map(|(number, sign)| (number, number.value + side * sign * number.step));
            settle(root, shifted)
        };
        let points = play(args, book, referee, pair, [moved(1.0)?, moved(-1.0)?])?;
        let mut state = state.lock().expect("no worker panics");
        let patience = (args.pairs as f64 / 10.0).max(1.0);
        let rate = args.rate / (1.0 + state.done as f64 / patience).powf(DECAY);
        for (number, sign) in state.numbers.iter_mut().zip(&signs) {
            number.value += rate * number.step * sign * (f64::from(points) - 2.0) / 2.0;
        }
        state.points[points as usize] += 1;
        state.done += 1;
        if state.done.is_multiple_of(REPORT) {
            let pace = started.elapsed().as_secs_f64() / state.done as f64;
            let left = (args.pairs - state.done) as f64 * pace / 60.0;
            eprintln!(
                "{} of {} pairs, {:.2} s each, {left:.0} minutes left, pairs by points {:?}",
                state.done, args.pairs, pace, state.points
            );
            write(&args.output, root, &state.numbers)?;
        }
    }
}

/// The half points of the first setting in a pair of games, 0 to 4.
fn play<G: Evaluate>(
    args: &SpsaArgs,
    book: &Book<G>,
    referee: &Referee<G>,
    pair: u64,
    params: [G::Params; 2],
) -> Result<u8> {
    let opening = book.opening(pair)?;
    let stop = Arc::new(AtomicBool::new(false));
    let [first, second] = params.map(|params| {
        let setting = OwnSetting { params: Arc::new(params), hash_mib: 4, threads: 1, rules: None };
        Own::<G>::new(setting, Arc::clone(&stop))
    });
    let mut players = [first?, second?];
    let pace = Pace { nodes: Some(args.nodes), ..Pace::default() };
    let mut points = 0;
    for swapped in [false, true] {
        let label = Label { id: 2 * pair + u64::from(swapped) + 1, pair: pair + 1 };
        let [a, b] = &mut players;
        let mut seats = [("plus", a), ("minus", b)].map(|(name, player)| Seat {
            name,
            player,
            pace,
            margin: Duration::ZERO,
        });
        if swapped {
            seats.reverse();
        }
        let record = referee.play(label, &opening, seats).context("nothing interrupts a game")?;
        if let Some(fault) = record.fault {
            bail!("a game ended by a fault ({fault:?}): {}", record.explanation);
        }
        points += match (record.result, swapped) {
            (Score::Draw, _) => 1,
            (Score::First, false) | (Score::Second, true) => 2,
            _ => 0,
        };
    }
    Ok(points)
}

/// The numbers that are asked for.
fn numbers(root: &Value, wanted: &[String]) -> Result<Vec<Number>> {
    let mut numbers: Vec<Number> = Vec::new();
    for text in wanted {
        let (path, step) = match text.split_once('=') {
            Some((path, step)) => {
                let step: f64 = step.parse().with_context(|| format!("--tune {text}: bad step"))?;
                if step.is_nan() || step < 0.5 {
                    bail!("--tune {text}: a step is at least 0.5");
                }
                (path, Some(step))
            }
            None => (text.as_str(), None),
        };
        let pointer = format!("/{}", path.replace('.', "/"));
        let found = root
            .pointer(&pointer)
            .with_context(|| format!("--tune {text}: the parameters have no '{path}'"))?;
        let before = numbers.len();
        collect(found, &pointer, step, &mut numbers);
        if numbers.len() == before {
            bail!("--tune {text}: there is no whole number in '{path}'");
        }
    }
    Ok(numbers)
}

/// All whole numbers of a part of the parameters.
fn collect(value: &Value, pointer: &str, step: Option<f64>, numbers: &mut Vec<Number>) {
    match value {
        Value::Number(number) => {
            let Some(before) = number.as_i64() else { return };
            let usual = || match range(pointer) {
                Some(range) => f64::from(range.step),
                None => (before as f64 / 10.0).abs().max(1.0),
            };
            let step = step.unwrap_or_else(usual);
            let pointer = pointer.to_owned();
            numbers.push(Number { pointer, before, value: before as f64, step });
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                collect(field, &format!("{pointer}/{name}"), step, numbers);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, &format!("{pointer}/{index}"), step, numbers);
            }
        }
        _ => {}
    }
}

/// The range of a number of the search.
fn range(pointer: &str) -> Option<Range> {
    let (group, name) = pointer.strip_prefix("/search/")?.split_once('/')?;
    SearchParams::range(group, name)
}

/// Parameters with these numbers, rounded and kept in their ranges.
fn settle<'a, P: serde::de::DeserializeOwned>(
    root: &Value,
    values: impl Iterator<Item = (&'a Number, f64)>,
) -> Result<P> {
    let mut root = root.clone();
    for (number, value) in values {
        *root.pointer_mut(&number.pointer).expect("collected from there") =
            kept(number, value).into();
    }
    serde_json::from_value(root)
        .context("the numbers left what the engine accepts; choose smaller steps")
}

fn kept(number: &Number, value: f64) -> i64 {
    let rounded = value.round() as i64;
    match range(&number.pointer) {
        Some(range) => rounded.clamp(i64::from(range.min), i64::from(range.max)),
        None => rounded,
    }
}

fn report(numbers: &[Number]) -> String {
    let mut text = String::new();
    for number in numbers {
        let name = number.pointer[1..].replace('/', ".");
        let (before, after) = (number.before, kept(number, number.value));
        let steps = (after - before) as f64 / number.step;
        let _ = writeln!(text, "{name:40} {before:7} -> {after:7}  ({steps:+.1} steps)");
    }
    text
}

/// Writes the whole set of parameters.
fn write(path: &Path, root: &Value, numbers: &[Number]) -> Result<()> {
    let values = numbers.iter().map(|number| (number, number.value));
    let whole: Value = settle(root, values)?;
    let text = toml::to_string(&whole).context("the parameters cannot be written")?;
    let name = path.display();
    let part = path.with_extension("part");
    std::fs::write(&part, text).with_context(|| format!("{} cannot be written", part.display()))?;
    std::fs::rename(&part, path).with_context(|| format!("{name} cannot be written"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_numbers_are_found_and_named() {
        let root = serde_json::json!({"search": {"null_move": {"enabled": true, "base": 3}}, "weights": {"tempo": 15}});
        let found = numbers(&root, &["search".into(), "weights.tempo=4".into()]).unwrap();
        let shown: Vec<_> = found.iter().map(|n| (n.pointer.as_str(), n.before, n.step)).collect();
        assert_eq!(shown, [("/search/null_move/base", 3, 1.0), ("/weights/tempo", 15, 4.0)]);
    }

    #[test]
    fn what_is_not_there_is_refused_by_name() {
        let root = serde_json::json!({"weights": {"tempo": 15}});
        let error = numbers(&root, &["weights.tempi".into()]).unwrap_err();
        assert!(error.to_string().contains("weights.tempi"), "{error}");
        assert!(numbers(&root, &["weights.tempo=0".into()]).is_err());
    }

    #[test]
    fn numbers_stay_in_their_ranges() {
        let pointer = "/search/reduction/history_divisor".to_owned();
        let number = Number { pointer, before: 9, value: -50.0, step: 1.0 };
        assert_eq!(kept(&number, number.value), 1);
    }
}
