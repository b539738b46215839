//! The search as its users see it: limits, reports, determinism, mates, and its slow twin.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kyokumen::game::{Evaluate, Game, MoveKind, Named, TreeVerdict};
use kyokumen::games::xiangqi::params::{Numbers, Params};
use kyokumen::games::xiangqi::rules::RuleSet;
use kyokumen::games::xiangqi::{Move, Position, Xiangqi};
use kyokumen::score::Score;
use kyokumen::search::params::SearchParams;
use kyokumen::search::{Limits, Report, Searcher, StopReason};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
const MIDDLE: &str = "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1CN1C1N2/9/R1BAKAB1R b - - 0 1";
const MATE_IN_3: &str = "1rbak3r/1N1Ra4/cR2b1N2/9/9/9/9/9/5p3/4K4 w - - 0 1";

fn position(fen: &str) -> Position {
    Xiangqi::parse_position(fen, RuleSet::ALL[0].rules()).unwrap().position
}

fn searcher() -> Searcher<Xiangqi> {
    Searcher::new(Arc::default(), 4).unwrap()
}

fn search(fen: &str, limits: &Limits<Move>) -> Report<Move> {
    searcher().search(&position(fen), limits, &mut |_| {})
}

/// All that must not depend on anything but position and limits.
fn signature(report: &Report<Move>) -> String {
    format!("{:?} {} {} {}", report.lines, report.depth, report.seldepth, report.nodes)
}

fn assert_legal(fen: &str, line: &[Move]) {
    let mut position = position(fen);
    for &mv in line {
        assert!(position.is_legal(mv), "{fen}: {mv} of {line:?}");
        position.make(mv);
    }
}

/// The search's slow twin: negamax without window, table or order.
fn negamax(position: &mut Position, params: &Params, depth: u32, ply: usize) -> Score {
    if ply > 0
        && let Some(verdict) = Xiangqi::tree_verdict(position, ply)
    {
        return match verdict {
            TreeVerdict::Draw => Score::ZERO,
            TreeVerdict::RuleWin => Score::rule_win_in(ply),
            TreeVerdict::RuleLoss => Score::rule_loss_in(ply),
            TreeVerdict::Lost => Score::mated_in(ply),
            TreeVerdict::Won => Score::mate_in(ply),
        };
    }
    if depth == 0 {
        return Xiangqi::evaluate(position, params);
    }
    let mut moves = Vec::new();
    position.generate(MoveKind::All, &mut moves);
    let mut best = Score::mated_in(ply);
    for mv in moves {
        position.make(mv);
        best = best.max(-negamax(position, params, depth - 1, ply + 1));
        position.unmake();
    }
    best
}

#[test]
fn search_without_pruning_equals_negamax() {
    let numbers = Numbers { search: SearchParams::plain(), ..Numbers::default() };
    let params = Arc::new(Params::new(numbers).unwrap());
    let mut searcher = Searcher::<Xiangqi>::new(Arc::clone(&params), 4).unwrap();
    for fen in [START, MIDDLE, MATE_IN_3, "4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w - - 0 1"] {
        for depth in 1..=3 {
            searcher.clear();
            let expected = negamax(&mut position(fen), &params, depth, 0);
            let report = searcher.search(&position(fen), &Limits::to_depth(depth), &mut |_| {});
            assert_eq!(report.score(), expected, "{fen} depth {depth}");
        }
    }
}

#[test]
fn the_same_search_gives_the_same_result() {
    for limits in [Limits::to_nodes(20_000), Limits::to_depth(7)] {
        for fen in [START, MIDDLE, MATE_IN_3] {
            assert_eq!(signature(&search(fen, &limits)), signature(&search(fen, &limits)));
        }
    }
}

#[test]
fn a_cleared_searcher_is_as_good_as_new() {
    let mut used = searcher();
    let limits = Limits::to_nodes(20_000);
    used.search(&position(MIDDLE), &limits, &mut |_| {});
    used.search(&position(MATE_IN_3), &Limits { threads: 2, ..limits.clone() }, &mut |_| {});
    used.clear();
    let report = used.search(&position(START), &limits, &mut |_| {});
    assert_eq!(signature(&report), signature(&search(START, &limits)));
}

#[test]
fn the_node_limit_is_never_exceeded() {
    for nodes in [0, 1, 2, 10, 100, 1023, 1024, 1025, 5000] {
        let report = search(MIDDLE, &Limits::to_nodes(nodes));
        assert_eq!((report.nodes, report.stop_reason), (nodes, Some(StopReason::Nodes)));
        let report = search(MIDDLE, &Limits { threads: 3, ..Limits::to_nodes(nodes) });
        assert!(report.nodes <= nodes, "{} of {nodes}", report.nodes);
        assert_legal(MIDDLE, &report.lines[0].moves);
        assert!(report.best_move.is_some());
    }
}

#[test]
fn threads_that_take_over_from_each_other_reach_the_depth() {
    for fen in [START, MIDDLE, MATE_IN_3] {
        for (threads, multipv) in [(2, 1), (3, 1), (2, 3), (5, 4)] {
            let limits = Limits { threads, multipv, ..Limits::to_depth(7) };
            let mut depths = Vec::new();
            let report = searcher().search(&position(fen), &limits, &mut |report| {
                depths.push(report.depth);
                assert_eq!(report.lines.len(), multipv);
            });
            assert!(depths.is_sorted_by(|a, b| a < b), "{depths:?}");
            assert_eq!((report.depth, report.stop_reason), (7, Some(StopReason::Depth)));
            let mut firsts: Vec<_> = report.lines.iter().map(|line| line.moves[0]).collect();
            firsts.sort();
            firsts.dedup();
            assert_eq!(firsts.len(), multipv, "{:?}", report.lines);
            for line in &report.lines {
                assert_legal(fen, &line.moves);
            }
        }
    }
}

#[test]
fn there_is_always_a_move_however_short_the_search() {
    let nothing = Limits { movetime: Some(Duration::ZERO), ..Limits::default() };
    let stopped = Limits { stop: Arc::new(AtomicBool::new(true)), ..Limits::to_depth(50) };
    for (limits, reason) in [(nothing, StopReason::Time), (stopped, StopReason::Interrupted)] {
        let report = search(MIDDLE, &limits);
        assert_eq!(report.stop_reason, Some(reason));
        assert!(position(MIDDLE).is_legal(report.best_move.unwrap()));
    }
}

#[test]
fn iterations_are_reported_up_to_the_depth_asked_for() {
    let mut depths = Vec::new();
    let report = searcher().search(&position(START), &Limits::to_depth(6), &mut |report| {
        assert_eq!(report.stop_reason, None);
        assert_legal(START, &report.lines[0].moves);
        depths.push(report.depth);
    });
    assert_eq!(depths, [1, 2, 3, 4, 5, 6]);
    assert_eq!((report.depth, report.stop_reason), (6, Some(StopReason::Depth)));
}

#[test]
fn the_observer_may_set_the_stop_flag() {
    let limits = Limits { infinite: true, ..Limits::default() };
    let stop = Arc::clone(&limits.stop);
    let report = searcher().search(&position(START), &limits, &mut |report| {
        if report.depth == 4 {
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert_eq!(report.stop_reason, Some(StopReason::Interrupted));
}

#[test]
fn several_lines_have_distinct_first_moves_in_order_of_score() {
    for (multipv, expected) in [(3, 3), (44, 44), (500, 44)] {
        let limits = Limits { multipv, ..Limits::to_depth(3) };
        let report = search(START, &limits);
        assert_eq!((report.lines.len(), report.depth), (expected, 3));
        let mut first: Vec<Move> = report.lines.iter().map(|line| line.moves[0]).collect();
        first.sort();
        first.dedup();
        assert_eq!(first.len(), expected);
        assert!(report.lines.is_sorted_by(|a, b| a.score >= b.score && a.rank < b.rank));
        for line in &report.lines {
            assert_legal(START, &line.moves);
        }
    }
}

#[test]
fn an_interrupted_search_keeps_several_lines_in_order_of_score() {
    const MATE: &str = "3ak1b1r/4a2Pn/4b4/4C4/9/9/cR7/n8/4A1p2/3AKC3 w - - 0 1";
    for fen in [MATE, MIDDLE] {
        for nodes in [20, 100, 1000, 3000, 10_000, 30_000, 60_000] {
            let limits = Limits { multipv: 5, nodes: Some(nodes), ..Limits::default() };
            let lines = search(fen, &limits).lines;
            assert!(lines.is_sorted_by(|a, b| a.score >= b.score && a.rank < b.rank), "{lines:?}");
        }
    }
}

#[test]
fn the_second_line_is_what_the_search_finds_without_the_first_move() {
    let both = search(MATE_IN_3, &Limits { multipv: 2, ..Limits::to_depth(5) });
    assert_ne!(both.lines[0].moves[0], both.lines[1].moves[0]);
    assert!(both.lines[0].score.is_mate());
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let start = position(START);
    let allowed: Vec<Move> =
        ["a3a4", "i3i4"].iter().map(|text| Xiangqi::parse_move(&start, text).unwrap()).collect();
    let limits = Limits { multipv: 3, searchmoves: allowed.clone(), ..Limits::to_depth(4) };
    let report = search(START, &limits);
    assert_eq!(report.lines.len(), 2);
    assert!(report.lines.iter().all(|line| allowed.contains(&line.moves[0])));
}

#[test]
fn mates_are_shown_to_the_end() {
    let limits = Limits { mate: Some(3), ..Limits::to_depth(20) };
    let report = search(MATE_IN_3, &limits);
    assert_eq!(report.stop_reason, Some(StopReason::Mate));
    assert_eq!(report.score().mate_moves(), Some(3));
    assert_eq!(report.best_move.unwrap().to_string(), "d8d9");
    let line = &report.lines[0].moves;
    assert_eq!(line.len(), 5);
    assert_legal(MATE_IN_3, line);
    let mut end = position(MATE_IN_3);
    line.iter().for_each(|&mv| end.make(mv));
    assert!(!end.has_moves());
}

#[test]
fn a_finished_game_is_terminal() {
    let report = search("3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1", &Limits::to_depth(5));
    assert_eq!(report.stop_reason, Some(StopReason::Terminal));
    assert_eq!((report.best_move, report.score()), (None, Score::mated_in(0)));
}

#[test]
fn no_mate_is_seen_where_an_advisor_steps_between() {
    let mut position = position("c3k2C1/4anR2/9/3NP4/9/6n2/9/1r1p5/4p4/3K5 w - - 0 1");
    position.make(Xiangqi::parse_move(&position, "g8g9").unwrap());
    for depth in 1..=6 {
        let report = searcher().search(&position, &Limits::to_depth(depth), &mut |_| {});
        assert_eq!(report.best_move.unwrap().to_string(), "e8f9");
        assert_ne!(report.score(), Score::mated_in(0));
    }
}

#[test]
fn most_composed_mates_are_solved_with_few_nodes() {
    let text = include_str!("data/xiangqi/mates.epd");
    let mut searcher = searcher();
    let (mut solved, mut total) = (0, 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (fen, opcodes) = line.split_once(" bm ").unwrap();
        searcher.clear();
        let report = searcher.search(&position(fen), &Limits::to_nodes(20_000), &mut |_| {});
        let best = report.best_move.unwrap().to_string();
        solved += u32::from(opcodes.split(';').next() == Some(&best));
        total += 1;
        for line in &report.lines {
            assert_legal(fen, &line.moves);
        }
    }
    assert_eq!(total, 71);
    assert!(solved >= 57, "{solved} of {total}");
}

#[test]
fn the_bench_signature_does_not_depend_on_the_order_of_positions() {
    let nodes = |fens: &[&str]| {
        let mut searcher = Searcher::<Xiangqi>::new(Arc::default(), 1).unwrap();
        fens.iter()
            .map(|fen| {
                searcher.clear();
                searcher.search(&position(fen), &Limits::to_depth(7), &mut |_| {}).nodes
            })
            .sum::<u64>()
    };
    assert_eq!(nodes(&[START, MIDDLE, MATE_IN_3]), nodes(&[MATE_IN_3, START, MIDDLE]));
}
