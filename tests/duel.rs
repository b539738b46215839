//! Matches: the statistics against published numbers, and whole matches by the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use kyokumen::duel::sprt::{Decision, Sprt};
use kyokumen::duel::statistics::Pentanomial;
use serde_json::Value;
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_kyokumen");

fn run(arguments: &[&str]) -> Output {
    Command::new(BINARY).arg("match").args(arguments).output().unwrap()
}

#[track_caller]
fn check_code(output: &Output, code: i32) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{errors}");
}

/// The summary of a match that ends well.
#[track_caller]
fn summary(arguments: &[&str]) -> Value {
    let output = run(&[arguments, &["--json", "--quiet"]].concat());
    check_code(&output, 0);
    serde_json::from_slice(&output.stdout).unwrap()
}

fn records(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A short match of our own engine, with random openings.
const SHORT: [&str; 8] = [
    "--random-plies",
    "6",
    "--max-plies",
    "30",
    "--engine",
    "own,nodes=300,name=more",
    "--engine",
    "own,nodes=60,name=less",
];

fn with<'a>(first: &[&'a str], second: &[&'a str]) -> Vec<&'a str> {
    [first, second].concat()
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, not {expected}");
}

/// Results of match runner fastchess as published in a log of the engine eschec,
/// https://github.com/KSaiAkshit/eschec (docs/dev_log.md): pairs, Elo, error, likelihood of superiority in percent, and the
/// log-likelihood ratio of the normalized test of 0 against 10 Elo.
const PUBLISHED: [([u64; 5], f64, f64, f64, f64); 6] = [
    ([1, 24, 42, 25, 8], 26.11, 31.23, 95.04, 0.60),
    ([2, 23, 32, 35, 8], 41.89, 33.28, 99.38, 0.92),
    ([1, 11, 47, 25, 16], 77.71, 33.03, 100.0, 1.71),
    ([1, 15, 25, 33, 26], 123.02, 40.58, 100.0, 2.19),
    ([1, 42, 106, 46, 5], 10.43, 17.99, 87.23, 0.49),
    ([2, 4, 25, 15, 4], 52.51, 43.47, 99.22, 0.58),
];

#[test]
fn estimates_and_normalized_tests_agree_with_published_ones() {
    let sprt: Sprt = "elo0=0,elo1=10,model=normalized".parse().unwrap();
    for (pairs, elo, error, superiority, llr) in PUBLISHED {
        let pairs = Pentanomial(pairs);
        let estimate = pairs.estimate().unwrap();
        near(estimate.elo, elo, 0.005);
        near(estimate.elo_error.unwrap(), error, 0.01);
        near(estimate.superiority.unwrap() * 100.0, superiority, 0.005);
        near(sprt.llr(&pairs), llr, 0.0051);
    }
}

#[test]
fn equal_pairs_tell_no_spread() {
    let estimate = Pentanomial([0, 0, 3, 0, 0]).estimate().unwrap();
    assert_eq!((estimate.elo_error, estimate.superiority), (None, None));
    near(estimate.elo, 0.0, 1e-9);
    assert_eq!(Pentanomial::default().estimate(), None);
}

/// The textbook case: with wins and losses only, in pairs that are won or lost whole, the test is Wald's for a coin.
#[test]
fn the_logistic_test_of_a_coin_is_walds() {
    let sprt: Sprt = "elo0=0 elo1=50".parse().unwrap();
    let expected = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    let (p0, p1) = (expected(0.0), expected(50.0));
    let wald = 60.0 * (p1 / p0).ln() + 40.0 * ((1.0 - p1) / (1.0 - p0)).ln();
    near(sprt.llr(&Pentanomial([40, 0, 0, 0, 60])), wald, 0.01);
}

#[test]
fn tests_end_at_their_bounds() {
    let sprt: Sprt = "elo0=0,elo1=5,alpha=0.05,beta=0.05".parse().unwrap();
    let (lower, upper) = sprt.bounds();
    near(lower, -2.944, 0.001);
    near(upper, 2.944, 0.001);
    assert_eq!(sprt.decision(2.9), Decision::Undecided);
    assert_eq!(
        sprt.decision(sprt.llr(&Pentanomial([0, 20, 300, 400, 100]))),
        Decision::AcceptsAlternative
    );
    assert_eq!(
        sprt.decision(sprt.llr(&Pentanomial([100, 400, 300, 20, 0]))),
        Decision::AcceptsNull
    );
    near(sprt.llr(&Pentanomial([0; 5])), 0.0, 0.0);
    for bad in ["", "elo0=1", "elo0=5,elo1=0", "elo0=0,elo1=x", "elo0=0,elo1=5,alpha=0.7", "e=1"] {
        assert!(bad.parse::<Sprt>().is_err(), "{bad}");
    }
}

#[test]
fn equal_matches_give_equal_games() {
    let folder = TempDir::new().unwrap();
    let files = ["a", "b"].map(|name| folder.path().join(name));
    let pgns = ["a.pgn", "b.pgn"].map(|name| folder.path().join(name));
    let mut summaries = Vec::new();
    for (file, (pgn, concurrency)) in files.iter().zip(pgns.iter().zip(["1", "3"])) {
        let more = ["--games", "6", "--output", text(file), "--pgn", text(pgn)];
        let more = with(&more, &["--concurrency", concurrency]);
        summaries.push(summary(&with(&SHORT, &more)));
    }
    assert_eq!(summaries[0], summaries[1]);
    let sorted = |path: &PathBuf| {
        let mut all = records(path);
        all.sort_by_key(|record| record["id"].as_u64());
        all
    };
    let games = sorted(&files[0]);
    assert_eq!(games, sorted(&files[1]));
    assert_eq!(games.len(), 6);
    assert_eq!(summaries[0]["games"], 6);
    assert_eq!(summaries[0]["pairs"], 3);
    for pair in games.chunks(2) {
        // The same opening, with colours swapped.
        let opening = |game: &Value| {
            let moves = game["moves"].as_str().unwrap().split(' ').take(6);
            moves.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(opening(&pair[0]), opening(&pair[1]));
        assert_eq!((&pair[0]["first"], &pair[1]["first"]), (&"more".into(), &"less".into()));
        assert_eq!(pair[0]["opening_plies"], 6);
        assert_eq!(pair[0]["times_ms"], Value::Null);
    }
    assert_ne!(
        games[0]["moves"].as_str().unwrap()[..24],
        games[2]["moves"].as_str().unwrap()[..24]
    );
    // Both forms are games that the program reads again.
    for file in [&files[0], &pgns[0]] {
        let output = Command::new(BINARY)
            .args([
                "analyze",
                text(file),
                "--input",
                if file == &files[0] { "jsonl" } else { "pgn" },
            ])
            .args(["--every", "last", "--depth", "1", "--quiet"])
            .output()
            .unwrap();
        check_code(&output, 0);
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 6);
    }
}

#[test]
fn a_match_goes_on_where_it_was_stopped() {
    let folder = TempDir::new().unwrap();
    let (whole, part) = (folder.path().join("whole"), folder.path().join("part"));
    let pgn = folder.path().join("part.pgn");
    let arguments = |file| with(&SHORT, &["--games", "4", "--output", file]);
    let expected = summary(&arguments(text(&whole)));
    let lines = fs::read_to_string(&whole).unwrap();
    let lines: Vec<&str> = lines.split_inclusive('\n').collect();
    // Game 2 is missing, and the last line is torn.
    let rest = [lines[0], lines[2], &lines[3][..40]].concat();
    fs::write(&part, rest).unwrap();
    let journal = |file: &Path| PathBuf::from(format!("{}.journal", file.display()));
    fs::copy(journal(&whole), journal(&part)).unwrap();
    let output = run(&arguments(text(&part)));
    check_code(&output, 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("--resume"));
    let resumed = with(&arguments(text(&part)), &["--resume", "--pgn", text(&pgn)]);
    assert_eq!(summary(&resumed), expected);
    let text_of = fs::read_to_string(&part).unwrap();
    let order: Vec<&str> = text_of.split_inclusive('\n').collect();
    assert_eq!(order, [lines[0], lines[2], lines[1], lines[3]]);
    assert_eq!(fs::read_to_string(&pgn).unwrap().matches("[Round ").count(), 4);
    // All is played: nothing happens. Other settings are refused.
    assert_eq!(summary(&resumed), expected);
    let output = run(&with(&resumed, &["--seed", "2"]));
    check_code(&output, 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("seed was 1, now 2"));
}

#[test]
fn programs_play_by_their_protocols() {
    for (protocol, arguments) in [("uci", "uci"), ("ucci", "ucci")] {
        let spec = format!("cmd={BINARY},args={arguments},proto={protocol},name=it,option.Hash=1");
        let engine = ["--engine", &spec, "--engine", "own,name=us", "--depth", "1", "--games", "2"];
        let short = ["--max-plies", "24", "--random-plies", "4"];
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("games");
        let found = summary(&with(&with(&engine, &short), &["--output", text(&file)]));
        assert_eq!(found["games"], 2, "{found}");
        for engine in 0..2 {
            for fault in ["crashes", "time_losses", "illegal_moves"] {
                assert_eq!(found["engines"][engine][fault], 0, "{found}");
            }
        }
        // The program is our own engine: both sides think alike, so every move has a score.
        let game = &records(&file)[0];
        let played = game["plies"].as_u64().unwrap() - 4;
        assert_eq!(game["scores"].as_array().unwrap().len() as u64, played);
        assert!(game["scores"].as_array().unwrap().iter().all(Value::is_i64), "{game}");
        assert!(game["depths"].as_array().unwrap().iter().all(|depth| depth == 1), "{game}");
    }
}

#[test]
fn clocks_are_kept_and_shown_to_engines() {
    let spec = format!("cmd={BINARY},args=uci,name=it,option.Hash=1,margin=20000");
    let engine = ["--engine", &spec, "--engine", "own,margin=20000", "--tc", "0.2+0.01"];
    let found =
        summary(&with(&engine, &["--games", "2", "--max-plies", "12", "--random-plies", "4"]));
    assert_eq!((&found["games"], &found["reasons"]["max_plies"]), (&2.into(), &2.into()));
}

#[cfg(unix)]
#[test]
fn engines_that_fail_lose_and_the_match_goes_on() {
    let check = |spec: &str, fault: &str, reason: &str| {
        let games = ["--engine", spec, "--engine", "own", "--depth", "1", "--games", "4"];
        let found = summary(&with(&games, &["--patience", "1", "--random-plies", "2"]));
        assert_eq!(found["losses"], 4, "{spec}: {found}");
        assert_eq!(found["engines"][0][fault], 4, "{spec}: {found}");
        assert_eq!(found["reasons"][reason], 4, "{spec}: {found}");
        assert_eq!(found["engines"][1][fault], 0, "{spec}: {found}");
    };
    check("cmd=false,name=gone", "crashes", "crash");
    let folder = TempDir::new().unwrap();
    let script = |name: &str, answer: &str| {
        let path = folder.path().join(name);
        let lines = format!(
            "while read -r word rest; do case $word in\nuci) echo uciok;;\nisready) echo readyok;;\n\
             go) {answer};;\nquit) exit 0;;\nesac; done\n"
        );
        fs::write(&path, lines).unwrap();
        format!("cmd=sh,args={},name={name}", path.display())
    };
    check(&script("cheat", "echo bestmove a0a9"), "illegal_moves", "illegal_move");
    check(&script("dies", "echo 'no more' >&2; exit 3"), "crashes", "crash");
    check(&script("sleeps", ":"), "time_losses", "time");
    // Resigning is no fault.
    let spec = script("polite", "echo bestmove resign");
    let found = summary(&["--engine", &spec, "--depth", "1", "--games", "2"]);
    assert_eq!((&found["losses"], &found["reasons"]["resignation"]), (&2.into(), &2.into()));
}

#[test]
fn an_explained_crash_is_in_the_record() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games");
    let spec = format!("cmd={BINARY},args=uci --game nonsense,name=broken");
    summary(&["--engine", &spec, "--depth", "1", "--games", "2", "--output", text(&file)]);
    let game = &records(&file)[0];
    assert_eq!((&game["fault"], &game["result"]), (&"crash".into(), &"0-1".into()));
    let explanation = game["explanation"].as_str().unwrap();
    assert!(explanation.contains("broken (Red)") && explanation.contains("ended"), "{explanation}");
}

#[test]
fn openings_come_from_positions_and_games() {
    let folder = TempDir::new().unwrap();
    let (book, file) = (folder.path().join("book"), folder.path().join("games"));
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let lines = format!(
        "# openings\n{start} moves h2e2 h9g7\n{{\"id\": \"g\", \"fen\": \"{start}\", \"moves\": \"h2e2 \
         h9g7 h0g2\", \"result\": \"1-0\"}}\n{{\"fen\": \"{start}\", \"moves\": \"h2e2\", \"result\": \
         \"1-0\"}}\n"
    );
    fs::write(&book, lines).unwrap();
    let games = ["--openings", text(&book), "--opening-plies", "3", "--depth", "1", "--games", "6"];
    let games = with(&games, &["--max-plies", "5", "--output", text(&file)]);
    let output = run(&games);
    check_code(&output, 0);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("book:4: the game has less than 3 plies"), "{errors}");
    assert!(errors.contains("repeat earlier ones"), "{errors}");
    let found: Vec<_> = records(&file)
        .iter()
        .map(|game| (game["opening"].clone(), game["opening_plies"].as_u64().unwrap()))
        .collect();
    let expected = [("line 2", 2), ("line 2", 2), ("g", 3), ("g", 3), ("line 2", 2), ("line 2", 2)];
    assert_eq!(found, expected.map(|(name, plies)| (Value::from(name), plies)));
    fs::write(&book, "rnbakabnr/9/x w\n").unwrap();
    let output = run(&with(&games, &["--force"]));
    check_code(&output, 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("book:1:"));
}

#[test]
fn a_test_ends_a_match_early() {
    let arguments = ["--sprt", "elo0=-400,elo1=-300", "--games", "400", "--depth", "1"];
    let found = summary(&with(&arguments, &["--random-plies", "4", "--max-plies", "6"]));
    assert_eq!(found["sprt"]["decision"], "accepts_alternative", "{found}");
    assert!(found["games"].as_u64().unwrap() < 400, "{found}");
}

#[test]
fn taikyoku_ends_at_its_ply_cap_or_by_a_lead() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games");
    let spec =
        format!("cmd={BINARY},args=atsi --rules atsa,proto=atsi,movetime=20,margin=20000,name=it");
    let arguments = ["--game", "taikyoku", "--rules", "atsa", "--engine", &spec, "--engine"];
    let arguments = with(&arguments, &["own,nodes=50", "--max-plies", "8", "--games", "2"]);
    let arguments = with(&arguments, &["--random-plies", "3"]);
    let found = summary(&with(&arguments, &["--output", text(&file)]));
    assert_eq!(found["reasons"]["max_plies"], 2, "{found}");
    for game in records(&file) {
        assert_eq!((&game["plies"], &game["result"]), (&8.into(), &"1/2-1/2".into()));
    }
    let spec = format!("cmd={BINARY},args=usi --rules atsa,proto=usi,name=it,nodes=3000");
    let arguments = ["--game", "taikyoku", "--rules", "atsa", "--engine", &spec, "--engine"];
    let arguments = with(&arguments, &["own,nodes=100", "--games", "2"]);
    let found = summary(&with(&arguments, &["--max-plies", "30", "--adjudicate-lead", "1,4"]));
    assert_eq!(found["reasons"]["adjudicated_lead"], 2, "{found}");
}

#[test]
fn bad_matches_are_refused_with_the_remedy() {
    let check = |arguments: &[&str], parts: &[&str]| {
        let output = run(arguments);
        check_code(&output, 2);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        for part in parts {
            assert!(errors.contains(part), "{arguments:?}: {errors}");
        }
    };
    check(&[], &["no limit", "--movetime"]);
    check(&["--engine", "colour=red"], &["'colour'", "option.NAME"]);
    check(&["--engine", "cmd=/no/such/program", "--depth", "1"], &["/no/such/program", "started"]);
    check(&["--engine", "cmd=false,proto=atsi", "--movetime", "9"], &["--game taikyoku"]);
    let atsi = ["--game", "taikyoku", "--engine", "cmd=false,proto=atsi", "--depth", "1"];
    check(&atsi, &["movetime=MS"]);
    check(&["--depth", "1", "--sprt", "elo0=5,elo1=0"], &["elo0 (5)"]);
    check(&["--depth", "1", "--resign", "500"], &["CP,MOVES"]);
    check(&["--depth", "1", "--engine", "own,rules=chess"], &["'chess'", "asian"]);
    check(&["--depth", "1", "--resume"], &["--output"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_can_be_resumed() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games");
    let spec = format!("cmd={BINARY},args=uci,name=it,option.Hash=1");
    let arguments = ["--engine", &spec, "--engine", "own", "--depth", "1", "--max-plies", "20"];
    let arguments = with(&arguments, &["--random-plies", "4", "--output", text(&file), "--json"]);
    let child = std::process::Command::new(BINARY)
        .arg("match")
        .args(with(&arguments, &["--games", "100000"]))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // A wait that lasts longer than this is a hang.
    let guard = Instant::now() + Duration::from_secs(120);
    while !file.exists() || records_so_far(&file) < 3 {
        assert!(Instant::now() < guard, "no games");
        std::thread::sleep(Duration::from_millis(10));
    }
    let signal =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.unwrap().success());
    let output = child.wait_with_output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(130));
    let stopped: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(stopped["interrupted"], true);
    let games = records(&file).len() as u64;
    assert_eq!(stopped["games"], games);
    let whole = (games + 2).next_multiple_of(2);
    let found = summary(&with(
        &arguments[..arguments.len() - 1],
        &["--resume", "--games", &whole.to_string()],
    ));
    assert_eq!((&found["games"], &found["pairs"]), (&whole.into(), &(whole / 2).into()));
}

#[cfg(unix)]
fn records_so_far(path: &Path) -> usize {
    fs::read_to_string(path).unwrap().matches('\n').count()
}

#[test]
fn outputs_harm_neither_each_other_nor_the_openings() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let openings = "{\"fen\":\"startpos\",\"moves\":\"h2e2\"}\n";
    std::fs::write(at("openings.jsonl"), openings).unwrap();
    let check = |arguments: &[&str], part: &str| {
        let usual = ["--engine", "own", "--nodes", "50", "--games", "2", "--max-plies", "10"];
        let output = run(&[&usual[..], arguments].concat());
        check_code(&output, 2);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(part), "{errors}");
    };
    let (games, book) = (at("games"), at("openings.jsonl"));
    check(&["--random-plies", "4", "--output", &games, "--pgn", &games], "two outputs");
    let journal = format!("{games}.journal");
    check(&["--random-plies", "4", "--output", &games, "--pgn", &journal], "two outputs");
    for option in ["--output", "--pgn"] {
        check(&["--openings", &book, option, &book, "--force"], "an input too");
    }
    assert_eq!(std::fs::read_to_string(&book).unwrap(), openings);
}
