//! Measures taikyoku play: `taikyoku values`, `taikyoku search DEPTH SECONDS [TSFEN]`, or `taikyoku random GAMES MILLISECONDS PLIES
//! [SEED]`, which plays against a random mover.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use kyokumen::game::{Evaluate, Game, GameResult, MoveKind, Named, Side};
use kyokumen::games::taikyoku::params::Params;
use kyokumen::games::taikyoku::{Kind, Notation, RuleSet, Taikyoku};
use kyokumen::search::{Limits, Searcher};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| -> anyhow::Result<u64> {
        let text = arguments.get(index).context("a number is missing")?;
        text.parse().with_context(|| format!("'{text}' is no number"))
    };
    let params = Arc::new(Params::default());
    match arguments.first().map(String::as_str) {
        Some("values") => values(&params),
        Some("search") => search(params, number(1)?, number(2)?, arguments.get(3))?,
        Some("random") => {
            let seed = if arguments.len() > 4 { number(4)? } else { 1 };
            random(params, number(1)?, number(2)?, number(3)? as usize, seed)?;
        }
        _ => bail!("say what to do: values, search or random"),
    }
    Ok(())
}

fn values(params: &Params) {
    let mut kinds: Vec<Kind> = Kind::all().collect();
    kinds.sort_by_key(|&kind| std::cmp::Reverse(params.value(RuleSet::Seed, kind)));
    let mut total = 0;
    for kind in kinds {
        let info = kind.info();
        let value = params.value(RuleSet::Seed, kind);
        total += value * info.initial_count as i32;
        println!(
            "{:4} {:5} x{} {} {}",
            info.code, value, info.initial_count, info.name, info.moves_text
        );
    }
    println!("total {total}");
}

fn search(
    params: Arc<Params>,
    depth: u64,
    seconds: u64,
    text: Option<&String>,
) -> anyhow::Result<()> {
    let rules = RuleSet::ALL[0].rules();
    let position = match text {
        Some(text) => Taikyoku::parse_position(text, rules)?.position,
        None => Taikyoku::start(rules),
    };
    for term in Taikyoku::explain(&position, &params) {
        println!("{:14} {:8} {:8}", term.name, term.first, term.second);
    }
    let mut searcher = Searcher::<Taikyoku>::new(params, 64)?;
    let limits = Limits {
        depth: Some(depth as u32),
        movetime: Some(Duration::from_secs(seconds)),
        ..Limits::default()
    };
    let report = searcher.search(&position, &limits, &mut |report| {
        println!(
            "depth {:2} seldepth {:2} score {} nodes {} time {:.2} nps {:.0} pv {}",
            report.depth,
            report.seldepth,
            report.score(),
            report.nodes,
            report.time.as_secs_f64(),
            report.nodes as f64 / report.time.as_secs_f64(),
            report.lines[0]
                .moves
                .iter()
                .map(|&mv| Taikyoku::format_move(&position, mv, Notation::Native))
                .collect::<Vec<_>>()
                .join(" ")
        );
    });
    println!("nodes {} time {:.2}", report.nodes, report.time.as_secs_f64());
    Ok(())
}

fn random(
    params: Arc<Params>,
    games: u64,
    milliseconds: u64,
    most: usize,
    seed: u64,
) -> anyhow::Result<()> {
    let mut state = seed;
    let mut next = move |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit as u64) as usize
    };
    for game in 0..games {
        let engine = Side::ALL[(game % 2) as usize];
        let mut position = Taikyoku::start(RuleSet::ALL[0].rules());
        let mut searcher = Searcher::<Taikyoku>::new(Arc::clone(&params), 64)?;
        let started = Instant::now();
        let (mut depths, mut moves_made, mut nodes) = (0, 0, 0);
        let mut slowest = Duration::ZERO;
        while position.plies() < most && Taikyoku::judge(&position).result == GameResult::None {
            let mv = if position.side_to_move() == engine {
                let limits = Limits {
                    movetime: Some(Duration::from_millis(milliseconds)),
                    ..Limits::default()
                };
                let report = searcher.search(&position, &limits, &mut |_| {});
                depths += report.depth;
                moves_made += 1;
                nodes += report.nodes;
                slowest = slowest.max(report.time);
                report.best_move.context("no move")?
            } else {
                let mut moves = Vec::new();
                Taikyoku::generate(&position, MoveKind::All, &mut moves);
                moves[next(moves.len())]
            };
            Taikyoku::make(&mut position, mv);
        }
        let verdict = Taikyoku::judge(&position);
        println!(
            "game {game}: engine is {engine:?}, result {:?} after {} plies: {}; pieces {} to {}, royals {} to {}, \
             mean depth {:.1}, {:.0} nodes/s, slowest move {} ms",
            verdict.result,
            position.plies(),
            verdict.explanation,
            position.piece_count(engine),
            position.piece_count(!engine),
            position.royal_count(engine),
            position.royal_count(!engine),
            f64::from(depths) / f64::from(moves_made),
            nodes as f64 / started.elapsed().as_secs_f64(),
            slowest.as_millis()
        );
    }
    Ok(())
}
