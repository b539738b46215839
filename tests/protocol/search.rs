//! What searches answer: legal moves within any limit, legal lines, scores that say what they are.

use std::collections::BTreeSet;

use kyokumen::game::{Game, MoveKind, Named};
use kyokumen::games::xiangqi::Xiangqi;

use crate::engine::{Engine, is_legal, pv, word_after, xiangqi};

/// Positions along games of pseudo-random moves, as move lists from the start.
fn random_games(count: u64, plies: u64) -> Vec<String> {
    let game = |seed: u64| {
        let mut position = xiangqi("startpos", "");
        let mut texts = Vec::new();
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        for _ in 0..plies * seed / count.max(1) {
            let mut moves = Vec::new();
            Xiangqi::generate(&position, MoveKind::All, &mut moves);
            if moves.is_empty() {
                break;
            }
            moves.sort();
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let mv = moves[(state % moves.len() as u64) as usize];
            texts.push(Xiangqi::format_move(&position, mv, Named::ALL[0]));
            Xiangqi::make(&mut position, mv);
        }
        texts.join(" ")
    };
    (1..=count).map(game).collect()
}

#[test]
fn every_answer_is_legal_however_tight_the_limit() {
    let mut engine = Engine::uci();
    let limits = [
        "wtime 1 btime 1",
        "nodes 1",
        "movetime 1",
        "wtime -500 btime -500",
        "wtime 0 btime 0 winc 0 binc 0",
        "depth 0",
        "wtime 100 btime 100 winc 10 binc 10 movestogo 1",
        "mate 1 nodes 10",
    ];
    for (index, moves) in random_games(60, 150).iter().enumerate() {
        engine.send(&format!("position startpos moves {moves}"));
        for limit in [limits[index % limits.len()], limits[(index + 3) % limits.len()]] {
            engine.send(&format!("go {limit}"));
            let best = engine.best_move();
            let over = best == "(none)" && Xiangqi::count(&xiangqi("startpos", moves)) == 0;
            assert!(over || is_legal("startpos", moves, &best), "{moves}: {limit}: {best}");
        }
    }
    assert!(engine.quit().is_empty());
}

#[test]
fn bursts_never_give_a_move_of_another_position() {
    let mut engine = Engine::uci();
    engine.send("setoption name Threads value 2");
    for moves in random_games(150, 80) {
        engine.send(&format!("position startpos moves {moves}"));
        engine.send_all(&["go infinite", "stop"]);
        let best = engine.best_move();
        assert!(best == "(none)" || is_legal("startpos", &moves, &best), "{moves}: {best}");
    }
}

#[test]
fn lines_are_legal_to_their_end() {
    let mut engine = Engine::uci();
    engine.send_all(&["setoption name Threads value 2", "setoption name MultiPV value 4"]);
    for moves in random_games(8, 100) {
        engine.send(&format!("position startpos moves {moves}"));
        engine.send("go nodes 30000");
        for line in engine.until("bestmove") {
            let mut played = moves.clone();
            for mv in pv(&line) {
                assert!(is_legal("startpos", &played, mv), "{moves}: {line}");
                played = format!("{played} {mv}");
            }
        }
    }
}

#[test]
fn more_lines_than_moves_are_all_moves() {
    let mut engine = Engine::uci();
    let last_lines = |engine: &mut Engine, depth: &str| -> BTreeSet<String> {
        let lines = engine.until("bestmove");
        lines
            .iter()
            .filter(|line| word_after(line, "depth") == Some(depth))
            .map(|line| pv(line)[0].to_owned())
            .collect()
    };
    engine.send_all(&["setoption name MultiPV value 500", "go depth 4"]);
    assert_eq!(last_lines(&mut engine, "4").len(), 44);
    engine.send_all(&["setoption name MultiPV value 3", "go depth 5 searchmoves h2e2 b0c2"]);
    let lines = last_lines(&mut engine, "5");
    assert_eq!(lines.into_iter().collect::<Vec<_>>(), ["b0c2", "h2e2"]);
}

#[test]
fn a_mate_is_told_with_its_whole_line() {
    // Two chariots against a bare general: mate in two.
    let fen = "3k5/R8/9/9/9/9/9/9/9/R3K4 w - - 0 1";
    let mut engine = Engine::uci();
    engine.send(&format!("position fen {fen}"));
    engine.send("go mate 3");
    let lines = engine.until("bestmove");
    let last = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
    let moves: usize = word_after(last, "mate").expect("a mate").parse().unwrap();
    assert_eq!(pv(last).len(), 2 * moves - 1, "{last}");
    assert_eq!(lines.last().unwrap().split_whitespace().nth(1), Some(pv(last)[0]));
}

#[test]
fn rule_verdicts_are_no_mates() {
    let repeated = "position fen 1rbaka3/3r5/n1c1b4/p1p1R3p/9/2c3P2/P3P3P/2NC2N2/4A4/R1BAK1B2 b - - 0 12 moves \
        d8d5 d2f2 d5f5 c0e2 c4c3 a3a4 b9b8 e6e4 f5f3 g2h4 b8h8 g4g5 f3g3 g5f5 g3h3 h4g6 h8h6 f5f6 h3f3 g6h4 f3h3";
    let chase = "position fen 5R3/4k4/9/4r4/9/9/5p3/5A3/5K3/9 b - - 0 1";
    let rook_end = "position fen 3aka3/4n4/9/9/9/9/2C6/9/6r2/3AK4 b - - 0 1";
    for (position, limit) in [
        (repeated, "depth 5"),
        (chase, "depth 30 nodes 300000"),
        (rook_end, "depth 30 nodes 300000"),
    ] {
        let mut engine = Engine::uci();
        engine.send(position);
        assert!(engine.ready().iter().all(|line| !line.contains("error")));
        engine.send(&format!("go {limit}"));
        for line in engine.until("bestmove") {
            assert_eq!(word_after(&line, "mate"), None, "{position}: {line}");
        }
    }
}

#[test]
fn a_drawn_position_still_gets_a_move() {
    let idle = "h0g2 h9g7 g2h0 g7h9 ".repeat(3);
    let mut engine = Engine::uci();
    engine.send(&format!("position startpos moves {idle}"));
    engine.send("go depth 6");
    assert!(is_legal("startpos", &idle, &engine.best_move()));
}

#[test]
fn chances_are_shown_on_request_and_add_up() {
    let mut engine = Engine::uci();
    engine.send("go depth 2");
    assert!(engine.until("bestmove").iter().all(|line| !line.contains(" wdl ")));
    engine.send_all(&["setoption name UCI_ShowWDL value true", "go depth 2"]);
    let lines = engine.until("bestmove");
    let line = lines.iter().find(|line| line.contains(" wdl ")).unwrap();
    let words = line.split_whitespace().skip_while(|&word| word != "wdl").skip(1).take(3);
    assert_eq!(words.map(|word| word.parse::<u32>().unwrap()).sum::<u32>(), 1000);
}

#[test]
fn weak_levels_play_weaker_and_the_same_each_time() {
    let play = |level: &str, seed: &str| -> Vec<String> {
        let mut engine = Engine::uci();
        engine.send(&format!("setoption name Skill Level value {level}"));
        engine.send(&format!("setoption name Skill Seed value {seed}"));
        let mut best = Vec::new();
        for moves in random_games(12, 60) {
            engine.send_all(&[
                "ucinewgame",
                &format!("position startpos moves {moves}"),
                "go depth 4",
            ]);
            best.push(engine.best_move());
        }
        best
    };
    let weak = play("0", "1");
    assert_eq!(weak, play("0", "1"));
    assert_ne!(weak, play("0", "2"));
    assert_ne!(weak, play("20", "1"));
}

/// The answer to a search with a limit in nodes, without time and speed, which differ from run to run.
fn search(engine: &mut Engine, nodes: u32) -> Vec<String> {
    engine.send(&format!("go nodes {nodes}"));
    let lines = engine.until("bestmove");
    let timeless = |line: &String| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let timed = |at: usize| at > 0 && matches!(words[at - 1], "time" | "nps");
        (0..words.len()).filter(|&at| !timed(at)).map(|at| words[at]).collect::<Vec<_>>().join(" ")
    };
    lines.iter().filter(|line| !line.starts_with("info time")).map(timeless).collect()
}

#[test]
fn searches_with_a_node_limit_repeat_exactly() {
    let run = || -> Vec<String> {
        let mut engine = Engine::uci();
        engine.send("position startpos moves h2e2 h9g7");
        search(&mut engine, 20_000)
    };
    assert_eq!(run(), run());
}

#[test]
fn nothing_learnt_by_other_rules_is_used() {
    for (protocol, rules) in [(["uci"].as_slice(), "wxf"), (&["usi", "--game", "taikyoku"], "atsa")]
    {
        let [mut fresh, mut used] = [(); 2].map(|()| Engine::start(protocol));
        used.send("position startpos");
        search(&mut used, 3000);
        let [fresh, used] = [&mut fresh, &mut used].map(|engine| {
            engine.send_all(&[&format!("setoption name Rules value {rules}"), "position startpos"]);
            search(engine, 3000)
        });
        assert_eq!(used, fresh, "{protocol:?}");
    }
}
