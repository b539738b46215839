//! ATSI: games as the web client's host plays them.

use kyokumen::game::{Game, Named};
use kyokumen::games::taikyoku::{Notation, RuleSet, Taikyoku};

use crate::engine::Engine;

fn begin(player: &str) -> Engine {
    let mut engine = Engine::start(&["atsi"]);
    engine.send("atsiinit v0");
    engine.until("atsiok");
    engine.send_all(&["identify", &format!("player {player}"), "time 2 0.1"]);
    assert!(engine.wait("info").starts_with("\"Kyokumen\" "));
    engine
}

/// The next move, with its evaluation before it.
fn next_move(engine: &mut Engine) -> String {
    let lines = engine.until("move ");
    let eval = lines.iter().find_map(|line| line.strip_prefix("eval ")).expect("an evaluation");
    assert!(eval.parse::<f64>().is_ok(), "{eval}");
    lines.last().unwrap()["move ".len()..].to_owned()
}

#[test]
fn two_engines_play_a_game() {
    let mut engines = [begin("0"), begin("1")];
    let mut position = Taikyoku::start(Taikyoku::rules(RuleSet::Atsa));
    engines.iter_mut().for_each(|engine| engine.send("startgame initial"));
    for ply in 0..10 {
        let text = next_move(&mut engines[ply % 2]);
        let mv = Taikyoku::parse_move(&position, &text).unwrap();
        assert_eq!(Taikyoku::format_move(&position, mv, Notation::Atsi), text);
        Taikyoku::make(&mut position, mv);
        if Taikyoku::count(&position) == 0 {
            break;
        }
        engines[1 - ply % 2].send(&format!("opmove {text} 1.5 2"));
    }
    for engine in engines {
        engine.quit();
    }
}

#[test]
fn both_versions_are_accepted_and_others_told() {
    for version in ["v0", "v00"] {
        let mut engine = Engine::start(&["atsi"]);
        engine.send(&format!("atsiinit {version}"));
        assert_eq!(engine.until("atsiok").len(), 1);
    }
    let mut engine = Engine::start(&["atsi"]);
    engine.send("atsiinit v7");
    assert!(engine.until("atsiok")[0].contains("'v7'"));
}

#[test]
fn positions_in_the_clients_own_text_are_read() {
    let start = Taikyoku::start(Taikyoku::rules(RuleSet::Atsa));
    let format = <Taikyoku as Game>::Format::from_name("atsa").unwrap();
    let text = Taikyoku::format_position(&start, format).unwrap();
    let mut engine = begin("0");
    engine.send(&format!("startgame {text}"));
    assert!(Taikyoku::parse_move(&start, &next_move(&mut engine)).is_ok());
}

#[test]
fn a_game_that_ends_or_begins_anew_makes_the_answer_void() {
    let mut engine = begin("0");
    engine.send_all(&["setparam MoveTime 600000", "startgame initial", "loss gave up"]);
    engine.send_all(&["setparam MoveTime 50", "startgame initial"]);
    next_move(&mut engine);
    engine.send("win");
    engine.send("opmove 1a 1b 1 1");
    assert!(engine.wait("log").contains("no game is on"));
    let said = engine.quit();
    assert!(!said.iter().any(|line| line.starts_with("move ")), "{said:?}");
}

#[test]
fn what_is_out_of_turn_or_illegal_is_told() {
    let mut engine = begin("1");
    engine.send_all(&["setparam MoveTime 50", "startgame initial"]);
    for (line, part) in [
        ("opmove 36jj 1a 1 1", "error opmove '36jj 1a'"),
        ("opmove 1", "two squares"),
        ("player 5", "'5'"),
        ("startgame", "startgame initial"),
        ("xyzzy", "'xyzzy'"),
        ("setparam Hash 0", "Hash"),
        ("setparam Nonsense 1", "Nonsense"),
    ] {
        engine.send(line);
        let log = engine.wait("log");
        assert!(log.starts_with("error") && log.contains(part), "{line}: {log}");
    }
    engine.send("startgame garbage");
    assert!(engine.wait("log").contains("no game is on"));
}

#[test]
fn closed_input_ends_the_program_while_thinking() {
    let mut engine = begin("0");
    engine.send_all(&["setparam MoveTime 600000", "startgame initial"]);
    let said = engine.close();
    assert!(!said.iter().any(|line| line.starts_with("move ")), "{said:?}");
}
