//! USI with TSFEN, for taikyoku shogi.

use kyokumen::game::{Game, Named};
use kyokumen::games::taikyoku::Taikyoku;

use crate::engine::Engine;

#[test]
fn a_game_of_taikyoku_is_played() {
    let mut engine = Engine::start(&["usi"]);
    engine.send("usi");
    let lines = engine.until("usiok");
    assert!(lines.iter().any(|line| line.starts_with("option name USI_Hash ")));
    engine.send("usinewgame");
    let mut position = Taikyoku::start(Taikyoku::rules(Named::ALL[0]));
    let start = Taikyoku::format_position(&position, Named::ALL[0]).unwrap();
    let mut moves = String::new();
    for ply in 0..6 {
        let base = if ply % 2 == 0 { "startpos".to_owned() } else { format!("tsfen {start}") };
        engine.send(&format!("position {base} moves {moves}"));
        engine.send("go btime 100 wtime 100 byoyomi 50");
        let best = engine.best_move();
        if best == "resign" {
            assert_eq!(Taikyoku::count(&position), 0, "{moves}");
            break;
        }
        let mv = Taikyoku::parse_move(&position, &best).unwrap();
        Taikyoku::make(&mut position, mv);
        moves = format!("{moves} {best}");
    }
    engine.send("position startpos moves 1a1b");
    assert!(engine.ready()[0].contains("ply 1"));
    assert!(engine.quit().is_empty());
}

#[test]
fn games_of_thousands_of_plies_are_read() {
    let mut engine = Engine::start(&["usi"]);
    let rules = Taikyoku::rules(Named::ALL[0]);
    let start = Taikyoku::start(rules);
    let text = |position: &<Taikyoku as Game>::Position, mv| {
        Taikyoku::format_move(position, mv, Named::ALL[0])
    };
    // Two pieces that can step out and back.
    let mut cycle = None;
    let mut moves = Vec::new();
    Taikyoku::generate(&start, kyokumen::game::MoveKind::All, &mut moves);
    let back = |from: &str, to: &str| format!("{to}{from}");
    for &first in &moves {
        let mut position = start.clone();
        let out = text(&position, first);
        let (from, to) = split(&out);
        Taikyoku::make(&mut position, first);
        let mut answers = Vec::new();
        Taikyoku::generate(&position, kyokumen::game::MoveKind::All, &mut answers);
        for &second in answers.iter().take(40) {
            let mut position = position.clone();
            let answer = text(&position, second);
            let (answer_from, answer_to) = split(&answer);
            Taikyoku::make(&mut position, second);
            let home = [back(from, to), back(answer_from, answer_to)];
            let legal = home.iter().all(|mv| match Taikyoku::parse_move(&position, mv) {
                Ok(mv) => {
                    Taikyoku::make(&mut position, mv);
                    true
                }
                Err(_) => false,
            });
            if legal {
                cycle = Some(format!("{out} {answer} {} {} ", home[0], home[1]));
                break;
            }
        }
        if cycle.is_some() {
            break;
        }
    }
    let cycle = cycle.expect("some piece can go and come back");
    engine.send(&format!("position startpos moves {}", cycle.repeat(1250)));
    assert!(engine.ready().is_empty());
    engine.send("go nodes 100");
    engine.best_move();
}

/// The squares of a move of one step.
fn split(text: &str) -> (&str, &str) {
    let letters = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap();
    let end = letters + text[letters..].find(|letter: char| letter.is_ascii_digit()).unwrap();
    text.split_at(end)
}

#[test]
fn a_proof_of_mate_is_declined() {
    let mut engine = Engine::start(&["usi"]);
    for command in ["go mate infinite", "go mate 1000"] {
        engine.send(command);
        engine.until("checkmate notimplemented");
    }
    assert!(engine.quit().is_empty());
}
