//! `tune` as a program: from a file of games to a parameter file that other commands load.

mod tune_support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use kyokumen::data::{Chain, EndReason, Header, Ply, PlyFlags, RuleSettings, Writer, header};
use kyokumen::game::{Evaluate, GameResult, Named, Side};
use kyokumen::games::taikyoku::Taikyoku;
use kyokumen::games::xiangqi::Xiangqi;
use serde_json::{Map, Value};
use tempfile::TempDir;
use tune_support::random_game;

/// Writes random games. Who is far ahead at the end wins; scores are static evaluations.
fn write_games<G: Evaluate>(path: &Path, games: u64, plies: usize) {
    let rules = G::rules(G::RuleSet::ALL[0]);
    let params = G::Params::default();
    let header = Header {
        game: G::NAME.to_owned(),
        rules: RuleSettings::of(rules),
        engine: "kyokumen test".to_owned(),
        commit: None,
        evaluation: header::evaluation_hash::<G>(&params),
        seed: 1,
        block_games: 8,
        settings: Map::new(),
    };
    let mut writer = Writer::create(path, &header).unwrap();
    for number in 0..games {
        let mut list = Vec::new();
        let last = random_game::<G>(rules, number, plies, |position, mv| {
            let mut flags = PlyFlags::default();
            if list.len() < 4 {
                flags = flags.with(PlyFlags::RANDOM);
            }
            if G::in_check(position) {
                flags = flags.with(PlyFlags::IN_CHECK);
            }
            if G::is_noisy(position, mv) {
                flags = flags.with(PlyFlags::NOISY);
            }
            let score = Some(G::evaluate(position, &params));
            list.push(Ply { code: G::encode(mv), score, flags, best: None });
        });
        let score = G::evaluate(&last, &params).get();
        let result = match score * if G::side_to_move(&last) == Side::First { 1 } else { -1 } {
            150.. => GameResult::First,
            ..=-150 => GameResult::Second,
            _ => GameResult::Draw,
        };
        let end = match result {
            GameResult::Draw => EndReason::LengthLimit,
            _ => EndReason::AdjudicatedWin,
        };
        let game = Chain { number, start: None, first_ply: 0, plies: list, result, end };
        writer.push(game).unwrap();
    }
    writer.finish().unwrap();
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("kyokumen"));
        command.args(arguments.split_whitespace()).current_dir(self.0.path());
        command
    }

    fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn ok(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments}: {error}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn fails(&self, arguments: &str, code: i32, part: &str) {
        let output = self.run(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments}: {error}");
        assert!(error.contains(part), "{arguments}: {error}");
    }
}

#[test]
fn tuned_weights_load_and_do_not_depend_on_threads() {
    let folder = Folder::new();
    write_games::<Xiangqi>(&folder.path("x.kyo"), 60, 120);
    // The scores come from the usual weights, so a fit to scores must undo this change.
    let start = "[weights]\nmaterial = [[0, 0], [115, 135], [115, 125], [200, 250], [930, 1000], \
                 [460, 420], [55, 80]]\n";
    fs::write(folder.path("start.toml"), start).unwrap();
    let tune = "tune x.kyo --params start.toml --blend 0 --json --epochs 4 --batch 500 --rate 0.1 --keep-noisy";
    let text = folder.ok(&format!("{tune} --output new.toml --plot new.svg --threads 1"));
    let summary: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&summary["game"], &summary["games"]), (&"xiangqi".into(), &60.into()));
    assert!(summary["taken"].as_u64().unwrap() > 1000, "{summary}");
    assert_eq!(summary["held_out"]["games"], 6);
    let loss = |when: &str| summary["loss"][when].as_f64().unwrap();
    assert!(loss("after") < loss("before"), "{summary}");
    let largest = &summary["changes"][0];
    assert!(largest["weight"].as_str().unwrap().starts_with("material horse"), "{largest}");
    assert!(largest["after"].as_f64() > largest["before"].as_f64(), "{largest}");

    let explained = folder.ok("eval --params new.toml --explain -m h2e2");
    assert_ne!(explained, folder.ok("eval --explain -m h2e2"));
    let svg = fs::read_to_string(folder.path("new.svg")).unwrap();
    let picture = roxmltree::Document::parse(&svg).unwrap();
    assert!(picture.descendants().filter(|node| node.has_tag_name("polyline")).count() >= 4);

    let again = folder.ok(&format!("{tune} --output two.toml --threads 2"));
    assert_eq!(again, text);
    let read = |name: &str| fs::read(folder.path(name)).unwrap();
    assert!(read("new.toml") == read("two.toml"));
    // A second fit goes on from the weights of the first.
    folder.ok("tune x.kyo --params new.toml --output three.toml --epochs 2 --keep-noisy");
    assert!(read("new.toml") != read("three.toml"));
    folder.fails("tune x.kyo --output new.toml", 2, "--force");
    folder.ok("tune x.kyo --output new.toml --force --epochs 1");
}

#[test]
fn taikyoku_values_are_written_by_code() {
    let folder = Folder::new();
    write_games::<Taikyoku>(&folder.path("t.kyo"), 10, 100);
    let tune = "tune t.kyo --game taikyoku --output t.toml --epochs 2 --batch 100 --rate 0.2";
    folder.ok(&format!("{tune} --keep-noisy --scale 0.001 --fraction 0.5"));
    let text = fs::read_to_string(folder.path("t.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    assert!(!table["values"].as_table().unwrap().is_empty(), "{text}");
    let eval = "eval --game taikyoku --json --params t.toml";
    let summary: Value = serde_json::from_str(&folder.ok(eval)).unwrap();
    assert_eq!(summary["game"], "taikyoku");
}

#[test]
fn bad_input_is_explained() {
    let folder = Folder::new();
    write_games::<Xiangqi>(&folder.path("x.kyo"), 20, 60);
    write_games::<Taikyoku>(&folder.path("t.kyo"), 2, 10);
    fs::write(folder.path("text.kyo"), "no games\n").unwrap();
    fs::write(folder.path("bad.toml"), "[weights]\ntemp = 3\n").unwrap();
    folder.fails("tune none.kyo", 4, "none.kyo");
    folder.fails("tune text.kyo", 4, "text.kyo");
    folder.fails("tune", 2, "FILES");
    folder.fails("tune x.kyo t.kyo", 2, "t.kyo: games of taikyoku");
    folder.fails("tune x.kyo --game taikyoku", 2, "not of taikyoku");
    folder.fails("tune x.kyo --params bad.toml", 2, "bad.toml:2:1");
    folder.fails("tune x.kyo --min-ply 1000", 2, "no position to learn from: 20 games");
    folder.fails("tune x.kyo --output no/where.toml", 4, "no/where.toml");
    folder.fails("tune x.kyo --blend 1.5", 2, "from 0 to 1");
    folder.fails("tune x.kyo --scale 0", 2, "above 0");
    folder.fails("tune x.kyo --rate nan", 2, "no number");

    let mut bytes = fs::read(folder.path("x.kyo")).unwrap();
    let last = bytes.len() - 20;
    bytes[last] ^= 1;
    fs::write(folder.path("damaged.kyo"), bytes).unwrap();
    let output = folder.run("tune damaged.kyo --epochs 1 --keep-noisy --json --output part.toml");
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4), "{error}");
    assert!(folder.path("part.toml").exists(), "the fit is made of what is whole");
    assert!(error.contains("damaged.kyo: offset") && error.contains("passed over"), "{error}");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["games"], 16, "one block of four games is lost");
}

#[test]
fn no_output_takes_the_place_of_an_input() {
    let folder = Folder::new();
    write_games::<Xiangqi>(&folder.path("x.kyo"), 12, 60);
    fs::write(folder.path("now.toml"), "").unwrap();
    fs::hard_link(folder.path("x.kyo"), folder.path("y.kyo")).unwrap();
    let before = fs::read(folder.path("x.kyo")).unwrap();
    for arguments in [
        "--output x.kyo",
        "--plot x.kyo",
        "--output ../x.kyo/../x.kyo",
        "--output y.kyo",
        "--params now.toml --output now.toml",
    ] {
        let output = folder.run(&format!("tune x.kyo --epochs 1 --force {arguments}"));
        assert!([2, 4].contains(&output.status.code().unwrap()), "{arguments}: {output:?}");
    }
    assert!(fs::read(folder.path("x.kyo")).unwrap() == before);
    assert_eq!(fs::read(folder.path("now.toml")).unwrap(), b"");
}

#[cfg(target_os = "linux")]
#[test]
fn weights_are_written_where_nobody_hears_of_the_work() {
    let folder = Folder::new();
    write_games::<Xiangqi>(&folder.path("x.kyo"), 12, 60);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = folder.command("tune x.kyo --epochs 2 --keep-noisy --output new.toml");
    let output = command.stderr(full).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(folder.path("new.toml").exists());
}

#[test]
fn games_that_break_the_rules_are_passed_over() {
    let folder = Folder::new();
    let path = folder.path("x.kyo");
    write_games::<Xiangqi>(&path, 8, 60);
    let reader = kyokumen::data::Reader::open(&path).unwrap();
    let mut games: Vec<Chain> = reader
        .blocks()
        .flat_map(|block| block.unwrap().games().map(|game| game.to_chain()).collect::<Vec<_>>())
        .collect();
    // A general never gets to the far corner.
    games[3].plies[20].code = 0xFFFF;
    let mut writer = Writer::create(&folder.path("y.kyo"), reader.header()).unwrap();
    games.into_iter().for_each(|game| writer.push(game).unwrap());
    writer.finish().unwrap();
    let output = folder.run("tune y.kyo --epochs 1 --keep-noisy --json");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("game 3, ply 21"), "{error}");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["games"], &summary["broken_games"]), (&7.into(), &1.into()));
}

#[cfg(unix)]
#[test]
fn an_interrupted_fit_writes_its_best_weights() {
    let folder = Folder::new();
    write_games::<Xiangqi>(&folder.path("x.kyo"), 30, 100);
    let mut child = folder
        .command("tune x.kyo --output x.toml --epochs 100000 --patience 100000 --batch 64")
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("epoch   3")));
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    // Read on, or the child would wait for room to write.
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:?}");
    folder.ok("eval --params x.toml");
}
