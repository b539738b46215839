//! Training data by the program: the same file for any number of threads, stops and kills; games that the rules confirm.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use kyokumen::data::{Chain, EndReason, PlyFlags, Reader};
use kyokumen::game::{Evaluate, GameResult, Side};
use kyokumen::games::taikyoku::Taikyoku;
use kyokumen::games::xiangqi::Xiangqi;
use kyokumen::score::ScoreKind;
use serde_json::Value;

const BINARY: &str = env!("CARGO_BIN_EXE_kyokumen");

/// Quick games of xiangqi.
const QUICK: [&str; 6] = ["--nodes", "150", "--max-plies", "40", "--seed", "11"];

fn command(output: &Path, arguments: &[&str]) -> std::process::Command {
    let mut command = std::process::Command::new(BINARY);
    command.arg("datagen").arg("--output").arg(output).args(arguments);
    command
}

fn run(output: &Path, arguments: &[&str]) -> Output {
    command(output, arguments).output().unwrap()
}

#[track_caller]
fn check_code(output: &Output, code: i32) -> String {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{errors}");
    errors
}

/// The bytes of a run that ends well.
#[track_caller]
fn made(output: &Path, arguments: &[&str]) -> Vec<u8> {
    check_code(&run(output, &[arguments, &["--quiet"]].concat()), 0);
    fs::read(output).unwrap()
}

fn with<'a>(first: &[&'a str], second: &[&'a str]) -> Vec<&'a str> {
    [first, second].concat()
}

fn games(bytes: &[u8]) -> Vec<Chain> {
    let reader = Reader::from_bytes(bytes.to_vec()).unwrap();
    let mut games = Vec::new();
    for block in reader.blocks() {
        games.extend(block.unwrap().games().map(|game| game.to_chain()));
    }
    games
}

#[test]
fn any_number_of_threads_makes_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let settings =
        with(&QUICK, &["--multipv", "3", "--teacher-every", "5", "--teacher-nodes", "400"]);
    let one = made(&path("one"), &with(&settings, &["--games", "20", "--threads", "1"]));
    let two = made(&path("two"), &with(&settings, &["--games", "20", "--threads", "2"]));
    let five = made(&path("five"), &with(&settings, &["--games", "20", "--threads", "5"]));
    assert_eq!(one, two);
    assert_eq!(one, five);
    let other = made(&path("other"), &with(&settings, &["--games", "20"]));
    assert_eq!(one, other);
    let games = games(&one);
    assert_eq!(games.len(), 20);
    let different: BTreeSet<Vec<u32>> =
        games.iter().map(|game| game.plies.iter().map(|ply| ply.code).collect()).collect();
    assert_eq!(different.len(), 20, "every game has a stream of its own");
}

#[test]
fn taikyoku_is_made_the_same_way() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let settings = ["--game", "taikyoku", "--games", "2", "--nodes", "20", "--max-plies", "14"];
    let one = made(&path("one"), &with(&settings, &["--threads", "1"]));
    let two = made(&path("two"), &with(&settings, &["--threads", "2"]));
    assert_eq!(one, two);
    confirm::<Taikyoku>(&one, 14, 4);
}

#[test]
fn runs_are_made_longer_without_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let at_once = made(&folder.path().join("at once"), &with(&QUICK, &["--games", "37"]));
    for games in ["1", "16", "17", "30", "37", "5"] {
        made(&path, &with(&QUICK, &["--resume", "--games", games]));
    }
    assert_eq!(fs::read(&path).unwrap(), at_once);
    let by_positions =
        made(&folder.path().join("positions"), &with(&QUICK, &["--positions", "300"]));
    let positions = |games: &[Chain]| {
        games.iter().flat_map(|game| &game.plies).filter(|ply| ply.score.is_some()).count()
    };
    let found = games(&by_positions);
    assert!(positions(&found) >= 300 && positions(&found[..found.len() - 1]) < 300);
    assert_eq!(found, games(&at_once)[..found.len()]);
}

/// Random delays: SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut value = *state;
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Kills in the test below; KYOKUMEN_KILLS changes it.
const KILLS: u64 = 16;

#[test]
fn kills_at_any_moment_leave_no_trace() {
    let kills = std::env::var("KYOKUMEN_KILLS").map_or(KILLS, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let settings = with(&QUICK, &["--games", "60", "--threads", "2"]);
    let whole = made(&folder.path().join("whole"), &settings);
    let resume = with(&settings, &["--resume"]);
    let start = || -> Child {
        let mut command = command(&path, &resume);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut state = 5;
    let mut sizes = BTreeSet::new();
    let mut killed = 0;
    while killed < kills {
        let mut child = start();
        sleep(Duration::from_micros(next(&mut state) % 150_000));
        if child.try_wait().unwrap().is_some() {
            let ended = child.wait_with_output().unwrap();
            check_code(&ended, 0);
            assert_eq!(fs::read(&path).unwrap(), whole, "after {killed} kills, seed 5");
            fs::remove_file(&path).unwrap();
            continue;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
        let length = fs::metadata(&path).map_or(0, |data| data.len() as usize);
        sizes.insert(length);
    }
    check_code(&start().wait_with_output().unwrap(), 0);
    assert_eq!(fs::read(&path).unwrap(), whole, "after {killed} kills, seed 5");
    assert!(sizes.len() > 1, "the kills came at different moments");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_run_that_can_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let settings = with(&QUICK, &["--games", "1000000"]);
    let child = command(&path, &settings).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let child = child.unwrap();
    let has_game = || Reader::open(&path).is_ok_and(|reader| reader.places().next().is_some());
    while !has_game() {
        sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    let errors = check_code(&ended, 130);
    assert!(errors.contains("--resume"), "{errors}");
    let there = games(&fs::read(&path).unwrap()).len();
    assert!(there > 0);
    let more = (there + 3).to_string();
    let resumed = made(&path, &with(&QUICK, &["--games", &more, "--resume"]));
    assert_eq!(resumed, made(&folder.path().join("whole"), &with(&QUICK, &["--games", &more])));
}

/// Replays every game by the rules and compares its end, its flags and its scores with them.
fn confirm<G: Evaluate>(bytes: &[u8], max_plies: usize, random_plies: usize) {
    let reader = Reader::from_bytes(bytes.to_vec()).unwrap();
    let rules = reader.header().rules.rules::<G>().unwrap();
    for game in games(bytes) {
        let label = format!("game {}", game.number);
        let mut random = 0;
        let replayed = game.replay::<G>(rules, |position, ply, mv| {
            let flags = ply.flags;
            assert_eq!(flags.contains(PlyFlags::IN_CHECK), G::in_check(position), "{label}");
            if flags.contains(PlyFlags::RANDOM) {
                random += 1;
                assert_eq!(ply.score, None, "{label}");
            }
            let best = ply.best.map_or(mv, |code| G::decode(position, code).unwrap());
            assert_eq!(flags.contains(PlyFlags::NOISY), G::is_noisy(position, best), "{label}");
            assert_eq!(best != mv, flags.contains(PlyFlags::SAMPLED), "{label}");
            // The winner mates after an odd number of plies, the loser is mated after an even one.
            if let Some(ScoreKind::Mate(plies)) = ply.score.map(|score| score.kind()) {
                assert_eq!(plies > 0, plies % 2 != 0, "{label}: mate after {plies} plies");
            }
        });
        let last = replayed.unwrap_or_else(|fault| panic!("{label}: {fault}"));
        assert!((random_plies..=random_plies + 1).contains(&random), "{label}: {random}");
        let verdict = G::judge(&last);
        match verdict.rule {
            Some(rule) => {
                assert_eq!((game.result, game.end), (verdict.result, rule.into()), "{label}");
            }
            None => match game.end {
                EndReason::LengthLimit => {
                    assert_eq!(game.result, GameResult::Draw, "{label}");
                    assert_eq!(game.plies.len(), max_plies, "{label}");
                }
                EndReason::AdjudicatedDraw => assert_eq!(game.result, GameResult::Draw),
                EndReason::AdjudicatedWin => {
                    // The last score is for the side that moved last.
                    let score = game.plies.last().unwrap().score.unwrap().get();
                    let winner =
                        if score > 0 { !G::side_to_move(&last) } else { G::side_to_move(&last) };
                    assert!(score.abs() >= 1200, "{label}");
                    assert_eq!(game.result, GameResult::win(winner), "{label}");
                }
                EndReason::AdjudicatedLead => {
                    assert!(matches!(game.result, GameResult::First | GameResult::Second));
                }
                end => panic!("{label}: the rules know nothing of its end {end:?}"),
            },
        }
    }
}

#[test]
fn the_rules_confirm_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let settings = ["--nodes", "250", "--multipv", "2", "--max-plies", "90", "--move-limit", "16"];
    let bytes = made(&path, &with(&settings, &["--games", "24"]));
    confirm::<Xiangqi>(&bytes, 90, 8);
    let all = games(&bytes);
    let ends: BTreeSet<EndReason> = all.iter().map(|game| game.end).collect();
    assert!(ends.len() >= 2 && ends.contains(&EndReason::MoveLimit), "{ends:?}");
    let has = |flags| all.iter().flat_map(|game| &game.plies).any(|ply| ply.flags.contains(flags));
    assert!(has(PlyFlags::SAMPLED) && has(PlyFlags::IN_CHECK) && has(PlyFlags::NOISY));
    assert!(!has(PlyFlags::TEACHER) && !has(PlyFlags::RESCORED));
    let numbers: Vec<u64> = all.iter().map(|game| game.number).collect();
    assert_eq!(numbers, (0..24).collect::<Vec<_>>());
}

#[test]
fn the_teacher_comes_every_nth_position() {
    let folder = tempfile::tempdir().unwrap();
    let settings = ["--games", "3", "--teacher-every", "4", "--teacher-nodes", "900"];
    let bytes = made(&folder.path().join("games"), &with(&QUICK, &settings));
    for game in games(&bytes) {
        let searched = game.plies.iter().filter(|ply| ply.score.is_some());
        for (index, ply) in searched.enumerate() {
            assert_eq!(ply.flags.contains(PlyFlags::TEACHER), index % 4 == 3);
        }
    }
}

#[test]
fn openings_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.fen");
    let middle = "2bakab2/9/1cn1c4/p1p1p1p1p/9/2P6/P3P1P1P/2N1C1N2/9/2BAKAB2 b";
    fs::write(&file, format!("startpos\n{middle}\n")).unwrap();
    let path = folder.path().join("games");
    let settings = with(&QUICK, &["--openings", file.to_str().unwrap(), "--random-plies", "0"]);
    let settings = with(&settings, &["--opening-bound", "none"]);
    let output = run(&path, &with(&settings, &["--games", "3"]));
    let errors = check_code(&output, 0);
    assert!(errors.contains("repeat"), "{errors}");
    let found = games(&fs::read(&path).unwrap());
    assert_eq!((found[0].start.as_deref(), &found[0].plies), (None, &found[2].plies));
    assert!(found[1].start.as_ref().unwrap().starts_with(middle), "{:?}", found[1].start);
    let last = found[1].replay::<Xiangqi>(
        Reader::open(&path).unwrap().header().rules.rules::<Xiangqi>().unwrap(),
        |_, _, _| (),
    );
    assert!(last.is_ok());
    // The same name with other content is another run.
    fs::write(&file, format!("{middle}\nstartpos\n")).unwrap();
    let errors = check_code(&run(&path, &with(&settings, &["--games", "4", "--resume"])), 2);
    assert!(errors.contains("settings.openings.fnv1a was"), "{errors}");
}

#[test]
fn the_bound_of_openings_holds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let settings =
        with(&QUICK, &["--games", "12", "--opening-bound", "60", "--random-plies", "10"]);
    for game in games(&made(&path, &settings)) {
        let first = game.plies.iter().find_map(|ply| ply.score).unwrap();
        assert!(first.get().abs() <= 60, "game {}: {first}", game.number);
    }
    let rooks = "4k4/9/9/9/9/9/9/9/9/RR3K3 w";
    let file = folder.path().join("uneven.fen");
    fs::write(&file, rooks).unwrap();
    let settings = ["--games", "1", "--openings", file.to_str().unwrap(), "--random-plies", "1"];
    let settings = with(&settings, &["--nodes", "50"]);
    let errors = check_code(&run(&folder.path().join("none"), &settings), 2);
    assert!(errors.contains("--opening-bound"), "{errors}");
}

#[test]
fn bad_usage_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let refuse = |arguments: &[&str], texts: &[&str]| {
        let errors = check_code(&run(&path, arguments), 2);
        assert!(texts.iter().all(|text| errors.contains(text)), "{errors}");
    };
    refuse(&[], &["--games"]);
    refuse(&["--games", "0"], &["0"]);
    refuse(&["--games", "1", "--win-adjudication", "5"], &["CP:PLIES", "none"]);
    refuse(&["--games", "1", "--teacher-every", "5"], &["--teacher-nodes"]);
    refuse(&["--games", "1", "--rules", "sedd"], &["asian"]);
    assert!(!path.exists(), "a refused run leaves no file");

    let bytes = made(&path, &with(&QUICK, &["--games", "2"]));
    refuse(&with(&QUICK, &["--games", "2"]), &["exists", "--resume"]);
    let changes: [(&[&str], &str); 6] = [
        (
            &["--nodes", "151", "--max-plies", "40", "--seed", "11"],
            "settings.nodes was 150, now 151",
        ),
        (&["--nodes", "150", "--max-plies", "40", "--seed", "12"], "seed was 11, now 12"),
        (&["--nodes", "150", "--max-plies", "41", "--seed", "11"], "settings.max_plies was 40"),
        (
            &["--nodes", "150", "--max-plies", "40", "--seed", "11", "--rules", "wxf"],
            "rules.set was",
        ),
        (
            &["--nodes", "150", "--max-plies", "40", "--seed", "11", "--hash", "1"],
            "settings.hash_mib",
        ),
        (&["--game", "taikyoku"], "game was \"xiangqi\""),
    ];
    for (change, text) in changes {
        refuse(&with(change, &["--games", "3", "--resume"]), &[text]);
    }
    assert_eq!(fs::read(&path).unwrap(), bytes, "a refused run changes nothing");

    fs::write(&path, "not a file of games, but long enough to be one".repeat(100)).unwrap();
    let errors = check_code(&run(&path, &with(&QUICK, &["--games", "2", "--resume"])), 4);
    assert!(errors.contains("no whole header"), "{errors}");
}

#[test]
fn smallest_limits_still_play() {
    let folder = tempfile::tempdir().unwrap();
    let settings = ["--games", "2", "--nodes", "1", "--hard-nodes", "1", "--max-plies", "30"];
    let bytes = made(&folder.path().join("games"), &settings);
    assert_eq!(games(&bytes).len(), 2);
    let last = games(&bytes)[0].plies.last().copied().unwrap();
    assert!(last.score.is_some());
}

#[test]
fn the_summary_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let output = run(&path, &with(&QUICK, &["--games", "10", "--json", "--quiet"]));
    check_code(&output, 0);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = games(&fs::read(&path).unwrap());
    let count = |name: &str| summary[name].as_u64().unwrap();
    let sum = |name: &str| -> u64 {
        summary[name].as_object().unwrap().values().map(|value| value.as_u64().unwrap()).sum()
    };
    assert_eq!(count("games"), 10);
    assert_eq!(count("plies"), all.iter().map(|game| game.plies.len() as u64).sum::<u64>());
    assert_eq!(count("first_wins") + count("draws") + count("second_wins"), 10);
    assert_eq!((sum("ends"), sum("scores")), (10, count("positions")));
    let wins = |side| all.iter().filter(|game| game.result == GameResult::win(side)).count() as u64;
    assert_eq!(count("first_wins"), wins(Side::First));
    assert_eq!(summary["interrupted"], false);
    assert_eq!(count("file_bytes"), fs::metadata(&path).unwrap().len());
}
