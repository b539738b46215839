//! UCI: the handshake, positions, options, and commands in every state of the engine.

use std::time::Duration;

use crate::engine::{Engine, is_legal};

const TWO_KINGS_ROOK: &str = "R8/3k5/9/9/9/9/9/9/9/4K4 w - - 0 1";

#[test]
fn the_handshake_names_engine_and_options() {
    let mut engine = Engine::uci();
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Kyokumen "));
    for name in [
        "Threads",
        "Hash",
        "Clear Hash",
        "Ponder",
        "MultiPV",
        "Move Overhead",
        "Skill Level",
        "UCI_ShowWDL",
        "Rules",
        "UCI_Variant",
    ] {
        let line = format!("option name {name} type ");
        assert!(lines.iter().any(|found| found.starts_with(&line)), "{name}");
    }
    assert!(engine.quit().is_empty());
}

#[test]
fn isready_is_answered_while_thinking() {
    let mut engine = Engine::uci();
    engine.send_all(&["position startpos", "go infinite"]);
    for _ in 0..5 {
        let lines = engine.ready();
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    }
    engine.send("stop");
    assert!(is_legal("startpos", "", &engine.best_move()));
    assert!(engine.quit().is_empty());
}

#[test]
fn a_second_go_ends_the_first_and_both_are_answered() {
    let mut engine = Engine::uci();
    engine.send_all(&["go infinite", "go depth 3", "isready"]);
    engine.until("readyok");
    let lines = [engine.close(), Vec::new()].concat();
    let answers = lines.iter().filter(|line| line.starts_with("bestmove")).count();
    assert!(answers <= 2, "{lines:?}");

    let mut engine = Engine::uci();
    engine.send_all(&["go infinite", "go depth 3", "go movetime 10", "go infinite"]);
    for _ in 0..3 {
        engine.best_move();
    }
    engine.ready();
    engine.send("stop");
    engine.best_move();
    assert!(engine.quit().is_empty());
}

#[test]
fn a_position_during_a_search_is_for_the_next_go() {
    let mut engine = Engine::uci();
    engine.send_all(&["position startpos", "go infinite", "position startpos moves h2e2", "stop"]);
    let old = engine.best_move();
    assert!(is_legal("startpos", "", &old), "{old}");
    engine.send("go depth 2");
    let new = engine.best_move();
    assert!(is_legal("startpos", "h2e2", &new), "{new}");
}

#[test]
fn infinite_searches_answer_only_when_told() {
    // The generals may not face each other.
    let one_move = "5k3/9/9/9/9/9/9/9/9/4K4 b - - 0 1";
    for fen in [TWO_KINGS_ROOK, one_move] {
        let mut engine = Engine::uci();
        engine.send(&format!("position fen {fen}"));
        engine.send("go infinite");
        let lines = engine.listen(Duration::from_millis(1500));
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{fen}: {lines:?}");
        engine.send("stop");
        assert!(is_legal(fen, "", &engine.best_move()));
    }
}

#[test]
fn a_finished_game_has_no_move_and_infinite_waits_there_too() {
    // Mate by two chariots.
    let fen = "R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1";
    let mut engine = Engine::uci();
    engine.send(&format!("position fen {fen}"));
    engine.send("go depth 5");
    assert_eq!(engine.wait("bestmove"), "(none)");
    engine.send("go infinite");
    let lines = engine.listen(Duration::from_millis(500));
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    engine.send("stop");
    assert_eq!(engine.wait("bestmove"), "(none)");
}

#[test]
fn pondering_goes_on_until_the_hit() {
    let mut engine = Engine::uci();
    engine.send_all(&["position startpos", "go ponder wtime 500 btime 500"]);
    let lines = engine.listen(Duration::from_millis(1500));
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    engine.send("ponderhit");
    assert!(is_legal("startpos", "", &engine.best_move()));
    engine.send("go ponder wtime 500 btime 500");
    engine.send("stop");
    engine.best_move();
    assert!(engine.quit().is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn pondering_to_a_depth_waits_without_work() {
    let mut engine = Engine::uci();
    engine.send_all(&["position startpos", "go ponder depth 3"]);
    engine.listen(Duration::from_millis(500));
    let before = processor_ticks(engine.id());
    let lines = engine.listen(Duration::from_secs(1));
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    // A busy wait would have used about 100 ticks.
    let used = processor_ticks(engine.id()) - before;
    assert!(used < 50, "{used} ticks");
    engine.send("ponderhit");
    engine.best_move();
}

/// User and system time of a process in ticks of 10 ms.
#[cfg(target_os = "linux")]
fn processor_ticks(id: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    let fields: Vec<&str> = text.rsplit_once(')').unwrap().1.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

#[test]
fn stop_and_ponderhit_while_idle_do_no_harm() {
    let mut engine = Engine::uci();
    engine.send_all(&["uci", "stop"]);
    let lines = engine.until("uciok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    assert!(engine.ready().is_empty());
    engine.send("ponderhit");
    assert!(engine.ready().iter().all(|line| line.starts_with("info string")));
    assert!(engine.quit().is_empty());
}

#[test]
fn an_empty_move_list_is_accepted() {
    let mut engine = Engine::uci();
    engine.send("position startpos moves");
    assert!(engine.ready().is_empty());
    engine.send("go depth 1");
    assert!(is_legal("startpos", "", &engine.best_move()));
}

#[test]
fn an_illegal_move_is_named_and_the_position_stays() {
    let mut engine = Engine::uci();
    engine.send("position startpos moves h2e2");
    engine.send("position startpos moves h2e2 h9g7 a0a8 b0c2");
    let lines = engine.ready();
    assert_eq!(lines.len(), 1);
    for part in ["info string error", "ply 3", "'a0a8'", "stays"] {
        assert!(lines[0].contains(part), "{part}: {lines:?}");
    }
    engine.send("go depth 2");
    let lines = engine.until("bestmove");
    assert!(lines.iter().any(|line| line.contains("refused")), "{lines:?}");
    let best = lines.last().unwrap().split_whitespace().nth(1).unwrap();
    assert!(is_legal("startpos", "h2e2", best));
}

#[test]
fn a_position_sent_with_the_moves_that_led_to_it_is_refused() {
    let check = |fen: &str, moves: &str, ply: &str, text: &str| {
        let mut engine = Engine::uci();
        engine.send(&format!("position fen {fen} moves {moves}"));
        let lines = engine.ready().join("\n");
        assert!(lines.contains(ply) && lines.contains(text), "{lines}");
    };
    let current = "1Cba1rb2/4kn3/1R7/p2R4p/4p4/2p6/P1r5P/4B4/9/2BAKA3 w";
    check(current, "b7e7 b0c2", "ply 2", "'b0c2'");
    let root = "1Cbakrb2/5n3/9/p2R4p/4p4/2p6/P1r5P/4B4/9/1RBAKA3 w";
    check(root, "b7e7 b0c2", "ply 1", "'b7e7'");
}

#[test]
fn unplayable_positions_are_refused() {
    let mut engine = Engine::uci();
    for text in ["4k4/9/9/9/9/9/9/9/9/9 w - - 0 1", "9/9/9 w", "x", "rnbakabnr/9 w", ""] {
        engine.send(&format!("position fen {text}"));
        let lines = engine.ready();
        assert!(lines.iter().any(|line| line.contains("error position")), "{text}: {lines:?}");
    }
    engine.send("go depth 1");
    assert!(is_legal("startpos", "", &engine.best_move()));
}

#[test]
fn searchmoves_bound_the_choice_and_unknown_ones_are_told() {
    let mut engine = Engine::uci();
    engine.send("go depth 4 searchmoves a3a4");
    assert_eq!(engine.best_move(), "a3a4");
    engine.send("go depth 3 searchmoves z9z9 a0a5");
    let lines = engine.until("bestmove");
    assert!(lines[0].contains("'z9z9'") && lines[1].contains("'a0a5'"), "{lines:?}");
    assert!(lines[2].contains("all moves are searched"), "{lines:?}");
    let best = lines.last().unwrap().split_whitespace().nth(1).unwrap();
    assert!(is_legal("startpos", "", best));
}

#[test]
fn options_change_while_thinking_and_bad_values_are_refused() {
    let mut engine = Engine::uci();
    for round in 0..20 {
        engine.send("go infinite");
        engine.send(&format!("setoption name Hash value {}", 1 + round % 8));
        engine.send(&format!("setoption name Threads value {}", 1 + round % 3));
        engine.send("ucinewgame");
        assert!(!engine.ready().iter().any(|line| line.contains("error")));
        engine.send("stop");
        engine.best_move();
    }
    for option in ["Threads value 0", "MultiPV value -1", "Rules value chess", "Nonsense value 1"] {
        engine.send(&format!("setoption name {option}"));
        let lines = engine.ready();
        assert!(lines.len() == 1 && lines[0].contains("error"), "{option}: {lines:?}");
    }
    engine.send("go depth 3");
    engine.best_move();
}

#[test]
fn a_hash_that_does_not_fit_leaves_the_old_one() {
    let mut engine = Engine::uci();
    engine.send("setoption name Hash value 99999999");
    let lines = engine.ready();
    assert!(lines.len() == 1 && lines[0].contains("error"), "{lines:?}");
    engine.send("go depth 5");
    engine.best_move();
    for size in ["16", "32", "1"] {
        engine.send(&format!("setoption name Hash value {size}"));
        assert!(engine.ready().is_empty());
        engine.send("go depth 5");
        engine.best_move();
        engine.send("uci");
        let line = format!("option name Hash type spin default {size} min 1 ");
        assert!(engine.until("uciok").iter().any(|found| found.starts_with(&line)), "{size}");
    }
}

#[test]
fn garbage_is_told_and_passed_over() {
    let mut engine = Engine::uci();
    let garbage = ["xyzzy", "go depth x", "position", "setoption", "\u{0}\u{1}", "perft x", "UCI"];
    for line in garbage {
        engine.send(line);
        let lines = engine.ready();
        assert!(lines.len() == 1 && lines[0].starts_with("info string error"), "{line}: {lines:?}");
    }
    engine.send(&"x".repeat(1_000_000));
    assert!(engine.ready()[0].len() < 300);
    engine.send("go depth 1");
    engine.best_move();
}

#[test]
fn perft_divides_as_other_engines_do() {
    let mut engine = Engine::uci();
    for command in ["go perft 3", "perft 3"] {
        engine.send(command);
        let lines = engine.until("Nodes searched: 79666");
        let sum: u64 = lines
            .iter()
            .filter(|line| line.len() > 6 && line.as_bytes()[4] == b':')
            .map(|line| line[6..].parse::<u64>().unwrap())
            .sum();
        assert_eq!(sum, 79666);
    }
}

#[test]
fn a_piped_script_gets_its_counts_before_the_end() {
    let mut engine = Engine::uci();
    engine.send_all(&["position startpos", "go perft 3"]);
    let lines = engine.quit();
    assert!(lines.iter().any(|line| line == "Nodes searched: 79666"), "{lines:?}");
}

#[test]
fn the_position_can_be_shown_and_explained() {
    let mut engine = Engine::uci();
    engine.send("position startpos moves h2e2");
    engine.send("d");
    let lines = engine.ready().join("\n");
    assert!(
        lines.contains("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b"),
        "{lines}"
    );
    engine.send("eval");
    assert!(engine.ready().last().unwrap().contains("Black to move"));
    engine.send("help");
    assert!(engine.ready().len() > 5);
}

#[test]
fn the_benchmark_counts_the_same_twice() {
    let bench = || {
        let mut engine = Engine::uci();
        engine.send("bench 4");
        engine.wait("Nodes searched")
    };
    assert_eq!(bench(), bench());
}

#[test]
fn the_first_word_chooses_the_protocol() {
    for (word, end) in
        [("uci", "uciok"), ("ucci", "ucciok"), ("usi", "usiok"), ("atsiinit v0", "atsiok")]
    {
        for arguments in [&[][..], &["protocol"]] {
            let mut engine = Engine::start(arguments);
            engine.send_all(&["", word]);
            engine.until(end);
            engine.quit();
        }
    }
    let mut engine = Engine::start(&[]);
    engine.ready();
    engine.send("go depth 1");
    engine.best_move();
    assert!(Engine::start(&[]).close().is_empty());
}

#[test]
fn another_game_can_be_chosen() {
    let mut engine = Engine::uci();
    engine.send("setoption name UCI_Variant value taikyoku");
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines.iter().any(|line| line.contains("UCI_Variant type combo default taikyoku")));
    engine.send("go nodes 200");
    assert!(
        engine.best_move().ends_with(|letter: char| letter.is_ascii_lowercase() || letter == '+')
    );
    engine.send("setoption name UCI_Variant value xiangqi");
    engine.send("go depth 1");
    assert!(is_legal("startpos", "", &engine.best_move()));
}

#[test]
fn options_stay_when_the_game_or_the_rules_change() {
    let mut engine = Engine::start(&["uci", "--rules", "wxf", "--move-limit", "30"]);
    for (name, value) in [("Hash", "8"), ("Threads", "2"), ("MultiPV", "3"), ("Repetitions", "5")] {
        engine.send(&format!("setoption name {name} value {value}"));
    }
    let check = |engine: &mut Engine, part: &str| {
        engine.send("uci");
        let lines = engine.until("uciok");
        assert!(lines.iter().any(|line| line.contains(part)), "no '{part}' in {lines:?}");
    };
    engine.send("setoption name Rules value asian");
    check(&mut engine, "Rules type combo default asian");
    check(&mut engine, "MoveLimit type spin default 30");
    check(&mut engine, "Repetitions type spin default 5");
    engine.send("setoption name UCI_Variant value taikyoku");
    let lines = engine.until("info string taikyoku has no rule set wxf");
    assert!(lines.last().unwrap().ends_with("the rules are seed"), "{lines:?}");
    for part in ["Hash type spin default 8", "Threads type spin default 2"] {
        check(&mut engine, part);
    }
    check(&mut engine, "MultiPV type spin default 3");
    check(&mut engine, "MoveLimit type spin default 30");
}

#[test]
fn a_position_that_cannot_be_read_is_remembered() {
    for bad in ["position startpos h2e2 h9g7", "position foo", "position fen"] {
        let mut engine = Engine::uci();
        engine.send("position startpos moves h2e2");
        engine.send(bad);
        engine.send("go depth 1");
        engine.until("info string warning the last position was refused");
        engine.best_move();
    }
}

#[test]
fn a_position_that_is_too_long_is_remembered() {
    let mut engine = Engine::uci();
    engine.send(&format!("position startpos moves {}", "h2e2 ".repeat(14 << 20)));
    engine.until("info string error a line of more than");
    engine.send("go depth 1");
    engine.until("info string warning the last position was refused");
    engine.best_move();
}

#[test]
fn what_was_chosen_stays_across_variants_and_rules() {
    let mut engine = Engine::start(&["uci", "--game", "taikyoku", "--stalemate-draws"]);
    engine.send("setoption name UCI_Variant value xiangqi");
    engine.until("info string");
    engine.send_all(&["setoption name Rules value simple", "setoption name Hash value 5"]);
    engine.send_all(&["setoption name UCI_Variant value taikyoku", "setoption name Hash value 6"]);
    engine.send_all(&["setoption name UCI_Variant value xiangqi", "uci"]);
    let told = engine.until("uciok").join("\n");
    assert!(told.contains("Rules type combo default simple"), "{told}");
    assert!(told.contains("Hash type spin default 6"), "{told}");
    assert!(told.contains("Repetitions type spin default 4"), "{told}");
    // As asian has it, too; chosen all the same.
    let mut engine = Engine::start(&["uci", "--repetitions", "3"]);
    engine.send_all(&["setoption name Rules value simple", "uci"]);
    engine.until("option name Repetitions type spin default 3");
}

#[test]
fn a_count_of_taikyoku_ends_soon() {
    let mut engine = Engine::start(&["uci", "--game", "taikyoku", "--rules", "atsa"]);
    engine.send_all(&["position startpos", "go perft 5", "stop"]);
    engine.until("info string perft was stopped");
}

#[test]
fn a_count_ends_with_the_session_and_has_a_depth() {
    for end in ["quit", "setoption name UCI_Variant value taikyoku"] {
        let mut engine = Engine::uci();
        engine.send("go perft 12");
        engine.send(end);
        if end != "quit" {
            engine.ready();
            engine.send("quit");
        }
        engine.quit();
    }
    let mut engine = Engine::uci();
    for command in ["perft 100000", "go perft 1000000000"] {
        engine.send(command);
        engine.until("info string error perft: depth");
    }
    engine.ready();
}
