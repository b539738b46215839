//! `work`: one piece of work on one position, again and again, for a profiler or for counting instructions.
//!
//! The difference of two runs with different `--rounds` leaves out everything that happens once.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use kyokumen::game::{Evaluate, MoveKind, Named};
use kyokumen::games::{Command, GameId, dispatch};

use crate::rule_set;

/// Do one piece of work on a position again and again, and print what a round costs
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen-tools work list --game taikyoku --position @profiles/boards/taikyoku/initial.tsfen --rounds 10000
  valgrind --tool=callgrind kyokumen-tools work count --game taikyoku --rules atsa --rounds 100")]
pub(crate) struct WorkArgs {
    /// What is done
    #[arg(value_name = "WHAT")]
    what: What,
    /// The game
    #[arg(long, value_name = "GAME", default_value = "taikyoku")]
    game: String,
    /// The rule set; without it the game's default
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// The position: a text in any format of the game, or @FILE; without it the initial position
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// How often it is done
    #[arg(long, value_name = "N", default_value_t = 1000)]
    rounds: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum What {
    /// List all legal moves
    List,
    /// List the noisy moves
    Noisy,
    /// List the quiet moves
    Quiet,
    /// Count the legal moves
    Count,
    /// Make and take back every legal move
    Make,
    /// The same with what an engine keeps up to date
    Prepared,
    /// Play random legal moves from the position, at most 1,000 plies a round
    Playout,
    /// Evaluate
    Evaluate,
    /// Estimate the exchange of every noisy move
    Exchange,
}

impl WorkArgs {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let game = GameId::from_name(&self.game)
            .with_context(|| format!("--game: there is no game '{}'", self.game))?;
        dispatch(game, Work { args: self.clone() })?;
        Ok(ExitCode::SUCCESS)
    }
}

struct Work {
    args: WorkArgs,
}

impl Command for Work {
    type Output = Result<()>;

    fn run<G: Evaluate>(self) -> Result<()> {
        let args = &self.args;
        let set = rule_set::<G>(args.rules.as_deref())?;
        let mut position = match &args.position {
            None => G::start(G::rules(set)),
            Some(text) => {
                let text = match text.strip_prefix('@') {
                    Some(path) => std::fs::read_to_string(path)
                        .with_context(|| format!("--position: {path}"))?,
                    None => text.clone(),
                };
                let parsed = G::parse_position(text.trim(), G::rules(set));
                parsed.context("--position")?.position
            }
        };
        let params = G::Params::default();
        if args.what != What::Make {
            G::prepare(&mut position, &params);
        }
        let started = Instant::now();
        let mut units = 0;
        let mut moves = Vec::new();
        let kind = match args.what {
            What::Noisy | What::Exchange => MoveKind::Noisy,
            What::Quiet => MoveKind::Quiet,
            _ => MoveKind::All,
        };
        G::generate(&position, kind, &mut moves);
        let listed = moves.clone();
        if listed.is_empty() {
            bail!("the position has no such move");
        }
        let mut random = 1;
        for _ in 0..args.rounds {
            units += match args.what {
                What::List | What::Noisy | What::Quiet => {
                    moves.clear();
                    G::generate(black_box(&position), kind, &mut moves);
                    moves.len() as u64
                }
                What::Count => G::count(black_box(&position)),
                What::Make | What::Prepared => {
                    for &mv in &listed {
                        G::make(&mut position, mv);
                        G::unmake(black_box(&mut position));
                    }
                    listed.len() as u64
                }
                What::Playout => playout::<G>(&mut position, &mut random),
                What::Evaluate => {
                    black_box(G::evaluate(black_box(&position), &params));
                    1
                }
                What::Exchange => {
                    let good = listed
                        .iter()
                        .filter(|&&mv| G::exchange_at_least(&position, &params, mv, 0));
                    black_box(good.count());
                    listed.len() as u64
                }
            };
        }
        let seconds = started.elapsed().as_secs_f64();
        println!(
            "{units} in {seconds:.3} s: {:.1} ns a round, {:.1} ns each, {:.0} a second",
            seconds * 1e9 / f64::from(args.rounds),
            seconds * 1e9 / units as f64,
            units as f64 / seconds
        );
        Ok(())
    }
}

/// Plays random legal moves until the game has no more or 1,000 are made, and takes them back; the plies.
fn playout<G: Evaluate>(position: &mut G::Position, random: &mut u64) -> u64 {
    let plies = G::play_at_random(position, 1000, |moves| {
        // CITE: xorshift64, George Marsaglia, https://doi.org/10.18637/jss.v008.i14
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        (((*random >> 32) * moves as u64) >> 32) as usize
    });
    for _ in 0..plies {
        G::unmake(position);
    }
    plies as u64
}
