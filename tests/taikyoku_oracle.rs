//! Taikyoku shogi against the data of an independent slow implementation: both generators, both rule sets, every file.

#[path = "taikyoku_support/mod.rs"]
#[expect(dead_code, reason = "each test file uses a part of the common support")]
mod support;

use std::collections::{BTreeMap, BTreeSet};

use kyokumen::game::Game;
use kyokumen::games::taikyoku::reference::legal_moves_slow;
use kyokumen::games::taikyoku::{Format, Notation, Position, Taikyoku};
use kyokumen::perft::perft;
use support::{data, hash, json_lines, moves, parse, rules, texts};

fn text<'a>(entry: &'a serde_json::Value, field: &str) -> &'a str {
    entry[field].as_str().unwrap_or_else(|| panic!("{field} is missing in {entry}"))
}

#[test]
fn moves_of_positions_agree() {
    for entry in json_lines("positions.jsonl") {
        let id = text(&entry, "id");
        let rules = rules(text(&entry, "preset"));
        if text(&entry, "kind") == "over" {
            // Without a royal there is no game to play: the text is refused.
            let result = Taikyoku::parse_position(text(&entry, "tsfen"), rules);
            assert!(result.is_err(), "{id}");
            assert_eq!(entry["moves_count"], 0, "{id}");
            continue;
        }
        let position = parse(text(&entry, "tsfen"), rules);
        let list = moves(&position);
        let mut per_type = BTreeMap::<String, u64>::new();
        for mv in &list {
            let piece = position.piece_at(mv.from()).unwrap();
            *per_type.entry(piece.kind().info().code.clone()).or_default() += 1;
        }
        let expected: BTreeMap<String, u64> =
            serde_json::from_value(entry["per_type"].clone()).unwrap();
        assert_eq!(per_type, expected, "{id}");
        assert_eq!(entry["moves_count"], list.len(), "{id}");
        assert_eq!(Taikyoku::count(&position), list.len() as u64, "{id}");
        let list = texts(&position, &list);
        assert_eq!(hash(&list), text(&entry, "moves_sha256"), "{id}");
        let slow = texts(&position, &legal_moves_slow(&position));
        assert_eq!(slow, list, "{id}");
        let written = Taikyoku::format_position(&position, Format::Tsfen).unwrap();
        assert_eq!(written, text(&entry, "tsfen"), "{id}");
    }
}

#[test]
fn perft_2_of_positions_agrees() {
    for entry in json_lines("positions.jsonl") {
        let Some(expected) = entry["perft2"].as_u64() else { continue };
        if text(&entry, "kind") == "over" {
            continue;
        }
        let mut position = parse(text(&entry, "tsfen"), rules(text(&entry, "preset")));
        assert_eq!(perft::<Taikyoku>(&mut position, 2), expected, "{}", text(&entry, "id"));
    }
}

#[test]
fn moves_of_every_kind_agree() {
    for entry in json_lines("types.jsonl") {
        let id = text(&entry, "id");
        let position = parse(text(&entry, "tsfen"), rules(text(&entry, "preset")));
        let expected: Vec<String> = serde_json::from_value(entry["moves"].clone()).unwrap();
        let square = text(&entry, "square");
        for list in [moves(&position), legal_moves_slow(&position)] {
            let own: Vec<_> =
                list.into_iter().filter(|&mv| Taikyoku::origin(mv) == square).collect();
            assert_eq!(texts(&position, &own), expected, "{id}");
        }
    }
}

#[test]
fn games_agree() {
    for entry in json_lines("games.jsonl") {
        let id = text(&entry, "id");
        let rules = rules(text(&entry, "preset"));
        let mut position = parse(text(&entry, "start"), rules);
        let game: Vec<String> = serde_json::from_value(entry["moves"].clone()).unwrap();
        let checkpoints: BTreeMap<String, String> =
            serde_json::from_value(entry["checkpoints"].clone()).unwrap();
        let written =
            |position: &Position| Taikyoku::format_position(position, Format::Tsfen).unwrap();
        for (ply, mv) in game.iter().enumerate() {
            if let Some(expected) = checkpoints.get(&ply.to_string()) {
                assert_eq!(&written(&position), expected, "{id} at ply {ply}");
            }
            let mv = Taikyoku::parse_move(&position, mv).unwrap_or_else(|e| panic!("{id}: {e}"));
            Taikyoku::make(&mut position, mv);
        }
        assert_eq!(written(&position), text(&entry, "final"), "{id}");
        assert_eq!(entry["final_moves_count"], moves(&position).len(), "{id}");
        while Taikyoku::plies(&position) > 0 {
            Taikyoku::unmake(&mut position);
        }
        assert_eq!(written(&position), text(&entry, "start"), "{id} taken back");
    }
}

#[test]
fn initial_position_agrees() {
    let file: serde_json::Value = serde_json::from_str(&data("initial.json")).unwrap();
    for (set, perft_3) in [("seed", 33_741_239), ("atsa", 124_344_667)] {
        let entry = &file[set];
        let mut position = Taikyoku::start(rules(set));
        let written = Taikyoku::format_position(&position, Format::Tsfen).unwrap();
        assert_eq!(written, text(entry, "tsfen"));
        let list = texts(&position, &moves(&position));
        assert_eq!(hash(&list), text(entry, "moves_sha256"), "{set}");
        for depth in 1..=3 {
            let nodes = perft::<Taikyoku>(&mut position, depth);
            assert_eq!(entry["perft"][depth.to_string()], nodes, "{set} perft {depth}");
            assert!(depth < 3 || nodes == perft_3);
        }
    }
}

#[test]
fn sample_boards_agree_in_every_format() {
    for line in data("counts.tsv").lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let rules = rules(fields[1]);
        let native = parse(&data(&format!("{}.native.tsfen", fields[0])), rules);
        let list = texts(&native, &moves(&native));
        assert_eq!(list.len().to_string(), fields[2], "{line}");
        assert_eq!(hash(&list), fields[3], "{line}");
        for (ending, format) in [
            ("native.tsfen", Format::Tsfen),
            ("atsi.tsfen", Format::Atsa),
            ("tsfen1", Format::Tsfen1),
            ("jh85.tsfen", Format::Jh85),
        ] {
            let file = data(&format!("{}.{ending}", fields[0]));
            let position = parse(&file, rules);
            assert_eq!(texts(&position, &moves(&position)), list, "{line} {ending}");
            let written = Taikyoku::format_position(&position, format).unwrap();
            assert_eq!(
                parse(&written, rules).key(),
                native.key(),
                "{line} {ending} written and read again"
            );
        }
    }
}

#[test]
fn disputed_moves_are_those_that_the_web_client_refuses() {
    let table = include_str!("data/taikyoku/web_client_refuses.tsv");
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [board, count, refused] = columns[..] else { panic!("{line}") };
        let position = parse(&data(board), rules("atsa"));
        let list = moves(&position);
        assert_eq!(list.len().to_string(), count, "{board}");
        let disputed: BTreeSet<String> = list
            .iter()
            .filter(|&&mv| Taikyoku::is_disputed(&position, mv))
            .map(|&mv| Taikyoku::format_move(&position, mv, Notation::Atsi))
            .collect();
        let expected: BTreeSet<String> =
            refused.split(',').filter(|text| !text.is_empty()).map(str::to_owned).collect();
        let wrong: Vec<_> = disputed.symmetric_difference(&expected).collect();
        assert!(wrong.is_empty(), "{board}: {wrong:?}");
    }
}
