//! UCCI: what differs from UCI.

use std::time::Duration;

use crate::engine::{Engine, is_legal};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn start() -> Engine {
    let mut engine = Engine::start(&["ucci"]);
    engine.send("ucci");
    engine.until("ucciok");
    engine
}

#[test]
fn the_handshake_announces_milliseconds() {
    let mut engine = Engine::start(&["ucci"]);
    engine.send("ucci");
    let lines = engine.until("ucciok");
    assert!(lines.iter().any(|line| line == "option usemillisec type check default true"));
    assert!(lines.iter().any(|line| line.starts_with("option hashsize type spin ")));
    assert_eq!(engine.quit(), ["bye"]);
}

#[test]
fn scores_are_plain_numbers() {
    let mut engine = start();
    engine.send(&format!("position fen {START}"));
    engine.send("go depth 5");
    let lines = engine.until("bestmove");
    let scored: Vec<&String> = lines.iter().filter(|line| line.contains(" score ")).collect();
    assert!(!scored.is_empty());
    for line in scored {
        let score = line.split_whitespace().skip_while(|&word| word != "score").nth(1).unwrap();
        assert!(score.parse::<i32>().is_ok(), "{line}");
        assert!(line.starts_with("info depth "), "{line}");
    }
    assert!(lines.iter().any(|line| line.starts_with("info time ") && line.contains(" nodes ")));
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mut engine = start();
    engine.send("position fen R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1");
    engine.send("go depth 3");
    engine.until("nobestmove");
    assert_eq!(engine.quit(), ["bye"]);
}

#[test]
fn stop_while_idle_is_answered() {
    let mut engine = start();
    engine.send("stop");
    assert_eq!(engine.ready(), ["nobestmove"]);
}

#[test]
fn depth_zero_gives_the_static_score() {
    let mut engine = start();
    engine.send("go depth 0");
    let lines = engine.until("nobestmove");
    assert!(lines[0].starts_with("info depth 0 score "), "{lines:?}");
}

#[test]
fn banned_moves_are_not_played_until_the_next_position() {
    let mut engine = start();
    engine.send(&format!("position fen {START}"));
    engine.send("go depth 3");
    let favourite = engine.best_move();
    engine.send(&format!("banmoves {favourite} z9z9"));
    assert!(engine.ready()[0].contains("'z9z9'"));
    engine.send("go depth 3");
    assert_ne!(engine.best_move(), favourite);
    engine.send("uccinewgame");
    engine.send(&format!("position fen {START}"));
    engine.send("go depth 3");
    assert_eq!(engine.best_move(), favourite);
}

#[test]
fn clocks_and_pondering_work() {
    let mut engine = start();
    for unit in ["true", "false"] {
        engine.send(&format!("setoption usemillisec {unit}"));
        engine.send("go time 1 increment 0 opptime 300000 oppincrement 0");
        assert!(is_legal(START, "", &engine.best_move()));
    }
    engine.send("go ponder time 1 increment 0");
    let lines = engine.listen(Duration::from_millis(700));
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    engine.send("ponderhit draw");
    engine.best_move();
    assert_eq!(engine.quit(), ["bye"]);
}

#[test]
fn answers_come_in_the_order_of_the_searches() {
    let mut engine = Engine::start(&["ucci"]);
    engine.send("go infinite");
    engine.send("go depth 0");
    let lines = engine.until("nobestmove");
    assert!(lines.iter().any(|line| line.starts_with("bestmove ")), "{lines:?}");
    engine.send("probe startpos");
    engine.until("pophash");
}

#[test]
fn an_endless_search_in_batch_mode_hears_of_the_end() {
    let mut engine = Engine::start(&["ucci"]);
    engine.send("setoption batch true");
    engine.send("go infinite");
    let lines = engine.close();
    assert!(lines.iter().any(|line| line.starts_with("bestmove ")), "{lines:?}");
}
