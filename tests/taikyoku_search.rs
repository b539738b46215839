//! Evaluation and search of taikyoku shogi: laws of the evaluation, and play that anyone can check by eye.

#[expect(dead_code, reason = "other tests use the rest")]
mod taikyoku_support;

use std::sync::Arc;

use Side::{First, Second};
use kyokumen::game::{Evaluate, Game, GameResult, MoveKind, Named, Side};
use kyokumen::games::taikyoku::params::Params;
use kyokumen::games::taikyoku::{Kind, Move, Piece, Position, RuleSet, Square, Taikyoku};
use kyokumen::score::Score;
use kyokumen::search::{Limits, Report, Searcher, StopReason};
use taikyoku_support::{Random, moves, random_board, rules};

fn piece(side: Side, code: &str) -> Piece {
    Piece::new(side, Kind::from_code(code).unwrap(), false)
}

/// A board with pieces given as row, column, side and code.
fn board(side_to_move: Side, pieces: &[(usize, usize, Side, &str)]) -> Position {
    let mut position = Position::empty(RuleSet::Seed.rules());
    for &(row, column, side, code) in pieces {
        position.place(Square::new(row, column), piece(side, code));
    }
    position.set_state(side_to_move, 0, 1);
    position
}

fn search(position: &Position, limits: Limits<Move>) -> Report<Move> {
    let mut searcher = Searcher::<Taikyoku>::new(Arc::new(Params::default()), 4).unwrap();
    searcher.search(position, &limits, &mut |_| {})
}

/// The position with the board turned and the colours exchanged.
fn turned(position: &Position) -> Position {
    let mut other = Position::empty(position.rules());
    for side in Side::ALL {
        for (square, piece) in position.pieces(side) {
            let piece = Piece::new(!side, piece.kind(), piece.promoted());
            other.place(square.turned(), piece);
        }
    }
    other.set_state(!position.side_to_move(), position.no_progress_plies(), 1);
    other
}

#[test]
fn evaluation_is_the_same_for_both_colours() {
    let params = Params::default();
    let mut random = Random(11);
    for round in 0..400 {
        let set = if round % 2 == 0 { "seed" } else { "atsa" };
        let position = random_board(&mut random, rules(set));
        let score = Taikyoku::evaluate(&position, &params);
        assert_eq!(score, Taikyoku::evaluate(&turned(&position), &params), "{position:?}");
        let terms = Taikyoku::explain(&position, &params);
        let sum: i32 = terms.iter().map(|term| term.first - term.second).sum();
        let sign = if position.side_to_move() == Side::First { 1 } else { -1 };
        assert_eq!(score, Score::centipawns(sum * sign), "the terms add up");
    }
}

#[test]
fn sums_kept_by_moves_equal_fresh_ones() {
    let params = Params::default();
    for (set, seed) in [("seed", 3), ("atsa", 4)] {
        let mut random = Random(seed);
        for game in 0..3 {
            let mut position = match game {
                0 => Taikyoku::start(rules(set)),
                _ => random_board(&mut random, rules(set)),
            };
            Taikyoku::prepare(&mut position, &params);
            let check = |position: &Position| {
                let fresh = position.with_rules(position.rules());
                let kept = Taikyoku::evaluate(position, &params);
                assert_eq!(kept, Taikyoku::evaluate(&fresh, &params));
                assert!(position.is_consistent());
            };
            let mut plies = 0;
            while plies < 300 && !position.is_over() {
                let mut list = Vec::new();
                // Captures and promotions more often than chance has it.
                let kind = if random.below(3) == 0 { MoveKind::Noisy } else { MoveKind::All };
                Taikyoku::generate(&position, kind, &mut list);
                if list.is_empty() {
                    list = moves(&position);
                }
                if list.is_empty() {
                    break;
                }
                Taikyoku::make(&mut position, list[random.below(list.len())]);
                plies += 1;
                check(&position);
            }
            for _ in 0..plies {
                Taikyoku::unmake(&mut position);
            }
            check(&position);
        }
    }
}

#[test]
fn gain_is_what_the_material_changes() {
    let params = Params::default();
    let mut random = Random(5);
    let mut captures = 0;
    for round in 0..200 {
        let set = if round % 2 == 0 { "seed" } else { "atsa" };
        let mut position = random_board(&mut random, rules(set));
        let material = |position: &Position, side: Side| {
            let term = &Taikyoku::explain(position, &params)[0];
            if side == Side::First { term.first - term.second } else { term.second - term.first }
        };
        let us = position.side_to_move();
        let before = material(&position, us);
        let list = moves(&position);
        let mut noisy = Vec::new();
        Taikyoku::generate(&position, MoveKind::Noisy, &mut noisy);
        noisy.sort_unstable();
        for mv in list {
            assert_eq!(Taikyoku::is_noisy(&position, mv), noisy.binary_search(&mv).is_ok());
            let gain = Taikyoku::gain(&position, &params, mv);
            Taikyoku::make(&mut position, mv);
            let over = position.is_over();
            let change = material(&position, us) - before;
            Taikyoku::unmake(&mut position);
            if over {
                assert!(gain.abs() > 10_000 || position.royal_count(us) == 0, "{mv:?}: {gain}");
            } else {
                captures += u32::from(gain != 0);
                assert_eq!(gain, change, "{mv:?} in {position:?}");
            }
        }
    }
    assert!(captures > 1000, "only {captures} captures");
}

#[test]
fn codes_are_decoded_where_the_move_is_legal() {
    let mut random = Random(6);
    for round in 0..60 {
        let set = if round % 2 == 0 { "seed" } else { "atsa" };
        let position = random_board(&mut random, rules(set));
        let other = random_board(&mut random, rules(set));
        let mut list = moves(&position);
        for &mv in &list {
            assert_ne!(Taikyoku::encode(mv), 0);
            assert_eq!(Taikyoku::decode(&position, Taikyoku::encode(mv)), Some(mv));
        }
        list.sort_unstable();
        for mv in moves(&other) {
            let legal = list.binary_search(&mv).is_ok();
            assert_eq!(Taikyoku::decode(&position, Taikyoku::encode(mv)).is_some(), legal);
        }
        for _ in 0..5000 {
            let code = random.next() as u32;
            let Some(mv) = Taikyoku::decode(&position, code) else { continue };
            assert!(list.binary_search(&mv).is_ok(), "{mv:?} is not legal");
        }
        assert_eq!(Taikyoku::decode(&position, 0), None);
    }
}

/// Kings with princes, far from everything.
const ROYALS: [(usize, usize, Side, &str); 4] =
    [(35, 0, First, "K"), (35, 1, First, "CP"), (0, 35, Second, "K"), (0, 34, Second, "CP")];

fn with_royals(side: Side, pieces: &[(usize, usize, Side, &str)]) -> Position {
    board(side, &[&ROYALS, pieces].concat())
}

#[test]
fn a_hanging_great_general_is_taken() {
    for (row, column, code) in
        [(25, 10, "P"), (24, 12, "N"), (24, 9, "G"), (30, 10, "L"), (24, 30, "Q")]
    {
        // Each stands so that it takes the general on rank 24, file of column 10, or (knight) two ranks ahead.
        let target = match code {
            "N" => (22, 11),
            _ => (24, 10),
        };
        let position = with_royals(
            First,
            &[
                (row, column, First, code),
                (target.0, target.1, Second, "GG"),
                (10, 20, Second, "P"),
            ],
        );
        let report = search(&position, Limits::to_depth(2));
        let best = report.best_move.unwrap();
        assert_eq!(best.to(), Square::new(target.0, target.1), "{code}: {best:?}");
        assert_eq!(best.from(), Square::new(row, column), "{code}");
    }
}

#[test]
fn an_attacked_great_general_is_saved() {
    // Among many idle pieces, the one move that matters: the general goes, or its attacker falls.
    for attacker in [(9, 10, "P"), (9, 9, "G"), (2, 10, "L"), (10, 30, "Q")] {
        let mut pieces = vec![(10, 10, First, "GG"), (attacker.0, attacker.1, Second, attacker.2)];
        for column in 12..30 {
            pieces.push((30, column, First, "G"));
            pieces.push((3, column, Second, "G"));
        }
        let position = with_royals(First, &pieces);
        let mut after = position.clone();
        let report = search(&position, Limits::to_depth(2));
        let best = report.best_move.unwrap();
        Taikyoku::make(&mut after, best);
        let general = |position: &Position| {
            position
                .pieces(First)
                .find(|&(_, piece)| piece.kind() == Kind::from_code("GG").unwrap())
                .map(|(square, _)| square)
        };
        let stands = general(&after).expect("the general is still there");
        let attacked = after.attackers(stands, Second);
        assert!(attacked.is_empty(), "{attacker:?}: {best:?} leaves it to {attacked:?}");
    }
}

#[test]
fn taking_the_last_royal_is_mate() {
    let position = board(
        First,
        &[(35, 0, First, "K"), (0, 20, Second, "K"), (30, 20, First, "L"), (5, 5, Second, "Q")],
    );
    for depth in 1..4 {
        let report = search(&position, Limits::to_depth(depth));
        assert_eq!(report.score(), Score::mate_in(1));
        assert_eq!(report.best_move.unwrap().to(), Square::new(0, 20));
    }
}

#[test]
fn one_of_two_royals_may_fall() {
    let position = board(
        First,
        &[
            (35, 0, First, "K"),
            (0, 20, Second, "K"),
            (0, 0, Second, "CP"),
            (30, 20, First, "L"),
            (5, 5, Second, "Q"),
        ],
    );
    let report = search(&position, Limits::to_depth(3));
    assert_eq!(report.best_move.unwrap().to(), Square::new(0, 20));
    assert!(!report.score().is_mate());
}

#[test]
fn the_last_royal_flees() {
    // Both sides attack a king, and Black is to move; then White is.
    let pieces = [
        (35, 10, First, "K"),
        (0, 30, Second, "K"),
        (20, 10, Second, "Q"),
        (30, 3, First, "R"),
        (31, 4, First, "G"),
    ];
    let position = board(First, &pieces);
    assert!(Taikyoku::in_check(&position));
    for depth in 1..5 {
        let report = search(&position, Limits::to_depth(depth));
        let mut after = position.clone();
        Taikyoku::make(&mut after, report.best_move.unwrap());
        let royal = after.royals(First).next().unwrap();
        assert!(!after.is_attacked(royal, Second), "depth {depth}: {:?}", report.best_move);
    }
}

#[test]
fn a_game_is_won_at_once_where_a_move_takes_the_last_royal() {
    let mut random = Random(11);
    let mut seen = [0; 2];
    for &set in RuleSet::ALL {
        for _ in 0..1500 {
            let mut position = random_board(&mut random, Taikyoku::rules(set));
            let them = !position.side_to_move();
            let wins = moves(&position).into_iter().any(|mv| {
                Taikyoku::make(&mut position, mv);
                let royals = position.royal_count(them);
                Taikyoku::unmake(&mut position);
                royals == 0
            });
            assert_eq!(Taikyoku::wins_at_once(&position), wins);
            seen[usize::from(wins)] += 1;
        }
    }
    assert!(seen.iter().all(|&boards| boards > 20), "{seen:?}");
}

/// Hundreds of captures that leave the last royal to be taken are no reason to follow each of them to its end.
#[test]
fn an_attacked_royal_does_not_blow_up_the_first_iterations() {
    let text = include_str!("data/taikyoku/attacked_royals.tsfen");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let position = Taikyoku::parse_position(line, RuleSet::Atsa.rules()).unwrap().position;
        for (depth, most) in [(1, 20_000), (2, 200_000)] {
            let report = search(&position, Limits::to_depth(depth));
            assert!(report.nodes < most, "{} nodes to depth {depth}: {line}", report.nodes);
        }
    }
}

#[test]
fn a_side_without_royal_has_lost() {
    let position = board(First, &[(0, 30, Second, "K"), (20, 10, First, "Q")]);
    let report = search(&position, Limits::to_depth(3));
    assert_eq!(report.score(), Score::mated_in(0));
    assert_eq!((report.best_move, report.stop_reason), (None, Some(StopReason::Terminal)));
}

#[test]
fn no_legal_move_loses_or_draws_by_rule() {
    // Two files full of pawns, a king in the corner behind them.
    let mut pieces = vec![(35, 0, First, "K"), (0, 30, Second, "K"), (1, 30, Second, "G")];
    for row in 0..36 {
        pieces.push((row, 1, First, "P"));
        if row < 35 {
            pieces.push((row, 0, First, "P"));
        }
    }
    let position = board(First, &pieces);
    assert_eq!(moves(&position), []);
    assert_eq!(search(&position, Limits::to_depth(2)).score(), Score::mated_in(0));
    let mut rules = position.rules();
    rules.stalemate_loses = false;
    let position = position.with_rules(rules);
    assert_eq!(search(&position, Limits::to_depth(2)).score(), Score::ZERO);
}

#[test]
fn a_pass_is_no_repetition() {
    // Black is far behind; its lion may pass, which changes whose turn it is and draws nothing.
    let position = with_royals(
        First,
        &[(20, 20, First, "LN"), (5, 5, Second, "Q"), (5, 9, Second, "Q"), (6, 9, Second, "R")],
    );
    let mut passed = position.clone();
    Taikyoku::make(&mut passed, Move::new(Square::new(20, 20), Square::new(20, 20)));
    assert_ne!(Taikyoku::hash(&position), Taikyoku::hash(&passed));
    for depth in 1..5 {
        let score = search(&position, Limits::to_depth(depth)).score();
        assert!(score < Score::centipawns(-500), "{score} at depth {depth}");
    }
}

#[test]
fn a_search_to_a_depth_is_repeatable() {
    let position = Taikyoku::start(RuleSet::Seed.rules());
    let first = search(&position, Limits::to_nodes(20_000));
    let second = search(&position, Limits::to_nodes(20_000));
    assert_eq!((first.lines, first.nodes), (second.lines, second.nodes));
}

#[test]
fn a_random_mover_is_beaten() {
    let params = Arc::new(Params::default());
    for game in 0..3 {
        let engine = Side::ALL[game % 2];
        let mut random = Random(100 + game as u64);
        let mut searcher = Searcher::<Taikyoku>::new(Arc::clone(&params), 4).unwrap();
        let mut position = Taikyoku::start(RuleSet::Seed.rules());
        while position.plies() < 120 && Taikyoku::judge(&position).result == GameResult::None {
            let mv = if position.side_to_move() == engine {
                let report = searcher.search(&position, &Limits::to_nodes(3_000), &mut |_| {});
                report.best_move.unwrap()
            } else {
                let list = moves(&position);
                list[random.below(list.len())]
            };
            Taikyoku::make(&mut position, mv);
        }
        let result = Taikyoku::judge(&position).result;
        let material = &Taikyoku::explain(&position, &params)[0];
        let lead = match engine {
            Side::First => material.first - material.second,
            Side::Second => material.second - material.first,
        };
        assert!(
            result == GameResult::win(engine) || result == GameResult::None && lead > 10_000,
            "game {game}: {result:?}, {lead} centipawns ahead after {} plies",
            position.plies()
        );
    }
}
