//! Long games, dying partners, and everything else that must not make the engine hang or crash.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::engine::{Engine, GUARD, is_legal};

#[test]
fn games_of_any_length_fit_into_a_line() {
    let mut engine = Engine::uci();
    for rounds in [500, 5_000, 50_000] {
        // Up to 200,000 plies: a line of 1 MB.
        let moves = "h0g2 h9g7 g2h0 g7h9 ".repeat(rounds);
        engine.send(&format!("position startpos moves {moves}"));
        assert!(engine.ready().is_empty(), "{rounds}");
        engine.send("go depth 1");
        assert!(is_legal("startpos", "", &engine.best_move()));
    }
}

#[test]
fn closed_input_ends_the_program() {
    for commands in
        [&[][..], &["go infinite"], &["go infinite", "go infinite"], &["go ponder wtime 9 btime 9"]]
    {
        let mut engine = Engine::uci();
        engine.send_all(commands);
        let answers = engine.close();
        let answers = answers.iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(answers, commands.len());
    }
}

#[test]
fn a_piped_search_with_a_limit_comes_to_its_end() {
    let mut engine = Engine::uci();
    engine.send_all(&["position startpos", "go depth 5"]);
    let lines = engine.close();
    assert!(lines.iter().any(|line| line.starts_with("info depth 5 ")), "{lines:?}");
    // More than a second is not waited for.
    let mut engine = Engine::uci();
    engine.send("go depth 100");
    assert!(engine.close().last().unwrap().starts_with("bestmove"));
}

#[test]
fn closed_output_ends_the_program_quietly() {
    for (protocol, commands) in
        [("uci", "go infinite"), ("uci", "perft 12"), ("ucci", "setoption batch true\nperft 12")]
    {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kyokumen"))
            .arg(protocol)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        writeln!(input, "{commands}").unwrap();
        std::thread::sleep(Duration::from_millis(200));
        drop(child.stdout.take());
        let started = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < GUARD, "the program does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
        let result = child.wait_with_output().unwrap();
        assert!(result.status.success(), "{}", result.status);
        assert_eq!(String::from_utf8_lossy(&result.stderr), "");
    }
}

#[test]
fn line_ends_and_blanks_do_not_matter() {
    let mut engine = Engine::uci();
    engine.send("  isready \r");
    engine.until("readyok");
    engine.send("position\tstartpos \t moves   h2e2\r");
    engine.send("go  depth   1\r");
    assert!(is_legal("startpos", "h2e2", &engine.best_move()));
}

#[test]
fn batch_scripts_run_to_their_end() {
    let mut engine = Engine::start(&["ucci"]);
    let fen = "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    engine.send_all(&["setoption batch true", fen, "go depth 4", fen, "go depth 5"]);
    let lines = engine.quit();
    let depth =
        |depth: &str| lines.iter().any(|line| line.starts_with(&format!("info depth {depth} ")));
    assert!(depth("4") && depth("5"), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 2);
    assert_eq!(lines.last().map(String::as_str), Some("bye"));
}
