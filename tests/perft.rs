//! Perft with threads, table and without bulk counting gives what the plain recursion gives, for every game.

use kyokumen::game::{Evaluate, Game, MoveKind, Named};
use kyokumen::games::xiangqi::Xiangqi;
use kyokumen::games::{Command, GameId, dispatch};
use kyokumen::perft::table::Table;
use kyokumen::perft::{CountError, LastPly, Monitor, Options, count, divide, perft};

struct EveryWay {
    depth: u32,
}

/// The position after some moves, chosen by a rule that goes to all corners of the board.
fn wander<G: Evaluate>(steps: usize) -> G::Position {
    let mut position = G::start(G::rules(G::RuleSet::ALL[0]));
    let mut moves = Vec::new();
    for step in 0..steps {
        moves.clear();
        G::generate(&position, MoveKind::All, &mut moves);
        if moves.is_empty() {
            break;
        }
        G::make(&mut position, moves[(step * 7919 + 13) % moves.len()]);
    }
    position
}

impl Command for EveryWay {
    type Output = ();

    fn run<G: Evaluate>(self) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let table = Table::new(1).unwrap();
        for steps in [0, 5, 21, 60] {
            let position = wander::<G>(steps);
            for depth in 0..=self.depth {
                let expected = perft::<G>(&mut position.clone(), depth);
                for (last_ply, table) in [
                    (LastPly::Counted, None),
                    (LastPly::Played, None),
                    (LastPly::Counted, Some(&table)),
                    (LastPly::Played, Some(&table)),
                ] {
                    let monitor = Monitor::default();
                    let options = Options { depth, last_ply, table, monitor: &monitor };
                    let found = pool.install(|| count::<G>(&position, options)).unwrap();
                    assert_eq!(found, expected, "{} {steps} {depth} {last_ply:?}", G::NAME);
                    assert!((0.99..=1.0).contains(&monitor.done()), "{}", monitor.done());
                }
                let monitor = Monitor::default();
                let options =
                    Options { depth, last_ply: LastPly::Counted, table: None, monitor: &monitor };
                let parts = pool.install(|| divide::<G>(&position, options)).unwrap();
                let sum: u64 = parts.iter().map(|&(_, nodes)| nodes).sum();
                assert_eq!(sum, if depth == 0 { 0 } else { expected });
            }
        }
    }
}

#[test]
fn every_way_of_counting_agrees_in_xiangqi() {
    dispatch(GameId::Xiangqi, EveryWay { depth: 4 });
}

#[test]
fn every_way_of_counting_agrees_in_taikyoku() {
    dispatch(GameId::Taikyoku, EveryWay { depth: 2 });
}

struct StopAtOnce;

impl Command for StopAtOnce {
    type Output = ();

    fn run<G: Evaluate>(self) {
        let monitor = Monitor::default();
        monitor.stop.store(true, std::sync::atomic::Ordering::Relaxed);
        let options =
            Options { depth: 20, last_ply: LastPly::Counted, table: None, monitor: &monitor };
        assert_eq!(count::<G>(&wander::<G>(0), options), Err(CountError::Stopped));
        assert_eq!(divide::<G>(&wander::<G>(0), options), Err(CountError::Stopped));
    }
}

/// The exact sum is 19284226943256015872, more than 2^64.
#[test]
fn a_sum_beyond_64_bits_is_an_error() {
    let rules = Xiangqi::rules(<Xiangqi as Game>::RuleSet::ALL[0]);
    let text = "3k5/9/9/9/9/9/9/9/9/4K4 w";
    let position = Xiangqi::parse_position(text, rules).unwrap().position;
    let (table, monitor) = (Table::new(16).unwrap(), Monitor::default());
    let options = |depth| Options {
        depth,
        last_ply: LastPly::Counted,
        table: Some(&table),
        monitor: &monitor,
    };
    assert!(count::<Xiangqi>(&position, options(61)).is_ok());
    assert_eq!(count::<Xiangqi>(&position, options(62)), Err(CountError::TooMany));
    assert_eq!(divide::<Xiangqi>(&position, options(64)), Err(CountError::TooMany));
}

#[test]
fn a_stopped_count_ends() {
    for &game in GameId::ALL {
        dispatch(game, StopAtOnce);
    }
}
