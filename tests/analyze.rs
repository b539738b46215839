//! The `analyze` command, as users and scripts run it.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/analysis").join(name)
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kyokumen"));
    command.arg("analyze").args(arguments).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn feed(mut child: Child, input: &[u8]) -> Output {
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A process that ends early closes the pipe.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    feed(command(arguments).spawn().unwrap(), input.as_ref())
}

fn records(output: &[u8]) -> Vec<Value> {
    output
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

#[track_caller]
fn check_code(output: &Output, code: i32) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "standard error:\n{errors}");
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A batch of games and bad lines that takes a moment.
fn batch() -> Vec<u8> {
    let games = fs::read_to_string(data("games.jsonl")).unwrap();
    let mut text = String::new();
    for (number, line) in games.lines().take(12).enumerate() {
        writeln!(text, "{line}").unwrap();
        writeln!(text, "bad line {number}").unwrap();
        writeln!(text, "{START} moves h2e2 ; c0 x").unwrap();
    }
    text.into_bytes()
}

const BATCH_LIMITS: [&str; 4] = ["--nodes", "1500", "--every", "30"];

fn with<'a>(first: &[&'a str], second: &[&'a str]) -> Vec<&'a str> {
    [first, second].concat()
}

#[test]
fn a_run_without_a_limit_is_refused() {
    let output = run(&[], START);
    check_code(&output, 2);
    for limit in ["--depth", "--nodes", "--movetime", "--mate"] {
        assert!(errors(&output).contains(limit));
    }
    assert!(output.stdout.is_empty());
}

#[test]
fn an_input_without_positions_is_warned_of() {
    let output = run(&["--depth", "1", "-"], "# nothing but a comment\n\n");
    check_code(&output, 0);
    assert!(output.stdout.is_empty());
    assert!(errors(&output).contains("holds no position"), "{}", errors(&output));
}

#[test]
fn every_line_gives_a_record() {
    let input = format!(
        "# comment\n\n{START}\n  \n?rubbish\n{START} moves h2e2 h9g7 a0a8\n{{\"fen\": \"{START}\", \
         \"moves\": [\"h2e2\"], \"id\": 7}}\r\n{{\"fen\": 3}}\n{START};c0 touching\n"
    );
    let output = run(&["--depth", "3", "--multipv", "2"], input);
    check_code(&output, 1);
    let all = records(&output.stdout);
    let lines: Vec<u64> = all.iter().map(|record| record["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [3, 5, 6, 7, 8, 9]);
    for (index, record) in all.iter().enumerate() {
        assert_eq!(record["index"], index);
        assert_eq!(record["game"], "xiangqi");
        assert_eq!(record["rules"], "asian");
    }
    let good = &all[0];
    assert_eq!((&good["position"], &good["input"]), (&START.into(), &START.into()));
    assert_eq!((&good["depth"], &good["stop"]), (&3.into(), &"depth".into()));
    assert!(good["time_ms"].is_null() && good["nodes"].as_u64().unwrap() > 0);
    let pvs = good["pvs"].as_array().unwrap();
    assert_eq!(pvs.len(), 2);
    assert_eq!((&pvs[0]["rank"], &pvs[0]["bound"]), (&1.into(), &"exact".into()));
    assert_eq!(pvs[0]["moves"][0], good["bestmove"]);
    assert_eq!(pvs[0]["score_cp"], pvs[0]["first"]["score_cp"]);
    assert_eq!(all[1]["error"]["column"], 1);
    assert_eq!(all[2]["error"]["column"], START.len() + 18);
    let message = all[2]["error"]["message"].as_str().unwrap();
    assert!(message.contains("ply 3") && message.contains("a0a8"), "{message}");
    assert_eq!(all[3]["id"], 7);
    let black = &all[3]["pvs"][0];
    let (own, first) = (&black["score_cp"], &black["first"]["score_cp"]);
    assert_eq!(own.as_i64().unwrap(), -first.as_i64().unwrap());
    assert!(all[4]["error"]["message"].as_str().unwrap().contains("'fen'"));
    assert_eq!(all[5]["opcodes"]["c0"], "touching");
}

#[test]
fn finished_games_have_a_verdict_and_no_lines() {
    let mated = "3k1R3/4R4/9/9/9/9/9/9/9/4K4 b - - 0 1";
    let output = run(&["--depth", "4"], mated);
    check_code(&output, 0);
    let record = &records(&output.stdout)[0];
    assert_eq!(record["stop"], "terminal");
    assert_eq!(record["verdict"]["rule"], "checkmate");
    assert_eq!(record["verdict"]["result"], "first");
    assert!(record["bestmove"].is_null() && record["pvs"].as_array().unwrap().is_empty());
}

#[test]
fn output_is_the_same_for_any_number_of_threads() {
    let input = batch();
    let outputs: Vec<Vec<u8>> = ["1", "1", "2", "5"]
        .map(|threads| run(&with(&BATCH_LIMITS, &["--threads", threads]), &input).stdout)
        .into();
    assert!(outputs[0].len() > 10_000);
    assert!(outputs.iter().all(|output| *output == outputs[0]));
    let unordered = run(&with(&BATCH_LIMITS, &["--unordered", "--threads", "3"]), &input).stdout;
    let sorted = |output: &[u8]| {
        let mut lines: Vec<Vec<u8>> =
            output.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&unordered), sorted(&outputs[0]));
}

/// A small generator of numbers for tests: the same in every run.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

#[test]
fn garbage_gives_one_error_a_line_and_harms_nothing() {
    let good: [&[u8]; 3] =
        [START.as_bytes(), b"startpos moves h2e2", b"4k4/9/9/9/9/9/9/9/3R5/3K5 w"];
    let alone = records(&run(&["--depth", "2"], good.join(&b"\n"[..])).stdout);
    let (mut input, mut bad, mut state) = (Vec::new(), 0, 1);
    for round in 0..10_000_u64 {
        match round % 5 {
            // Random bytes, never valid UTF-8.
            0 => {
                input.push(0xff);
                let length = random(&mut state) % 200;
                let bytes = (0..length).map(|_| random(&mut state) as u8);
                input.extend(bytes.filter(|byte| !b"\r\n".contains(byte)));
            }
            // A position cut short within its board.
            1 => input.extend(&START.as_bytes()[..1 + (random(&mut state) % 50) as usize]),
            // NULs and control characters.
            2 => input.extend([0, 1, b'x', 0, 27]),
            // A position with a random letter that no piece has.
            3 => {
                let at = (random(&mut state) % 50) as usize;
                input.extend(&START.as_bytes()[..at]);
                input.push(b'?');
                input.extend(&START.as_bytes()[at..]);
            }
            _ => input.extend(format!("{{\"fen\": {}", random(&mut state)).bytes()),
        }
        bad += 1;
        input.push(b'\n');
        if round % 3500 == 1000 {
            input.extend(good[(round / 3500) as usize]);
            input.push(b'\n');
        }
    }
    for _ in 0..3 {
        input.resize(input.len() + 10_000_000, b'p');
        input.push(b'\n');
        bad += 1;
    }
    let output = run(&["--depth", "2"], &input);
    check_code(&output, 1);
    let all = records(&output.stdout);
    let refused: Vec<&Value> = all.iter().filter(|record| record.get("error").is_some()).collect();
    assert_eq!(refused.len(), bad);
    for record in refused {
        assert!(record["error"]["column"].as_u64().unwrap() >= 1);
        assert!(!record["error"]["message"].as_str().unwrap().is_empty());
    }
    let kept: Vec<&Value> = all.iter().filter(|record| record.get("error").is_none()).collect();
    assert_eq!(kept.len(), alone.len());
    for (kept, alone) in kept.iter().zip(&alone) {
        for field in ["position", "pvs", "nodes", "bestmove"] {
            assert_eq!(kept[field], alone[field]);
        }
    }
}

struct Files {
    _folder: TempDir,
    input: PathBuf,
    output: PathBuf,
}

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("in.txt");
        fs::write(&input, batch()).unwrap();
        Self { output: folder.path().join("out"), input, _folder: folder }
    }

    fn arguments<'a>(&'a self, more: &[&'a str]) -> Vec<&'a str> {
        let files = [self.input.to_str().unwrap(), "--output", self.output.to_str().unwrap()];
        [&files[..], &BATCH_LIMITS, more].concat()
    }

    fn read(&self) -> Vec<u8> {
        fs::read(&self.output).unwrap()
    }
}

#[test]
fn a_run_resumed_after_any_cut_ends_in_the_same_file() {
    for format in ["jsonl", "csv"] {
        let files = Files::new();
        check_code(&run(&files.arguments(&["--as", format]), ""), 1);
        let whole = files.read();
        let mut state = 7;
        for round in 0..8 {
            let cut =
                if round == 0 { whole.len() } else { random(&mut state) as usize % whole.len() };
            fs::write(&files.output, &whole[..cut]).unwrap();
            check_code(&run(&files.arguments(&["--as", format, "--resume"]), ""), 1);
            assert!(files.read() == whole, "cut at byte {cut} of {}", whole.len());
        }
    }
}

#[test]
fn a_killed_run_is_resumed() {
    let files = Files::new();
    check_code(&run(&files.arguments(&[]), ""), 1);
    let whole = files.read();
    for order in [&["--threads", "2"][..], &["--threads", "2", "--unordered"]] {
        let arguments = with(&files.arguments(&[]), order);
        fs::remove_file(&files.output).unwrap();
        let mut child = command(&arguments).spawn().unwrap();
        // Killed when some records are there; a child that is done by then is no failure of the test.
        while fs::metadata(&files.output).map_or(0, |data| data.len()) < whole.len() as u64 / 4
            && child.try_wait().unwrap().is_none()
        {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        check_code(&run(&with(&arguments, &["--resume"]), ""), 1);
        let lines = |bytes: &[u8]| {
            let mut lines: Vec<String> = bytes.lines().map(Result::unwrap).collect();
            lines.sort();
            lines
        };
        assert_eq!(lines(&files.read()), lines(&whole));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_finishes_what_runs_and_is_resumed() {
    let files = Files::new();
    check_code(&run(&files.arguments(&[]), ""), 1);
    let whole = files.read();
    fs::remove_file(&files.output).unwrap();
    let mut child = command(&files.arguments(&["--threads", "1"])).spawn().unwrap();
    while fs::metadata(&files.output).map_or(0, |data| data.len()) < whole.len() as u64 / 4 {
        std::thread::yield_now();
    }
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let code = child.wait().unwrap().code();
    let part = files.read();
    assert!(whole.starts_with(&part) && part.ends_with(b"\n"));
    // On a busy machine the run may be over before the signal arrives.
    assert_eq!(code, Some(if part == whole { 1 } else { 130 }));
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(part == whole || text.contains("--resume"), "{text}");
    check_code(&run(&files.arguments(&["--resume"]), ""), 1);
    assert!(files.read() == whole);
}

#[test]
fn an_output_is_safe_from_mistakes() {
    let files = Files::new();
    check_code(&run(&files.arguments(&[]), ""), 1);
    let whole = files.read();
    let refused = |arguments: &[&str], reason: &str| {
        let output = run(&files.arguments(arguments), "");
        check_code(&output, 2);
        assert!(errors(&output).contains(reason), "{}", errors(&output));
        assert!(files.read() == whole);
    };
    refused(&[], "--force");
    refused(&["--resume", "--multipv", "2"], "multipv was 1, now 2");
    refused(&["--resume", "--rules", "simple"], "rules was \"asian\", now \"simple\"");
    let input = fs::read_to_string(&files.input).unwrap();
    fs::write(&files.input, input.replacen("bad line 0", "bad line x", 1)).unwrap();
    refused(&["--resume"], "another line");
    fs::write(&files.input, input.lines().next().unwrap()).unwrap();
    refused(&["--resume"], "records");
    let itself = files.output.to_str().unwrap();
    let output = run(&[itself, "--depth", "1", "--output", itself, "--force"], "");
    check_code(&output, 2);
    assert!(files.read() == whole);
}

#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    let mut child = command(&with(&BATCH_LIMITS, &["--quiet"])).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&batch());
    });
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    writer.join().unwrap();
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!((child.wait().unwrap().code(), text.as_str()), (Some(0), ""));
    assert!(first.starts_with("{\"index\":0,"));
}

#[test]
fn strict_runs_stop_at_the_first_bad_line() {
    let output = run(&["--depth", "1", "--strict"], format!("{START}\n?rubbish\n{START}\n"));
    check_code(&output, 3);
    assert_eq!(records(&output.stdout).len(), 1);
    assert!(errors(&output).contains("line 2, column 1"), "{}", errors(&output));
}

#[test]
fn missing_files_are_found_before_the_work_begins() {
    let files = Files::new();
    let output = run(&files.arguments(&["/no/such/file"]), "");
    check_code(&output, 4);
    assert!(errors(&output).contains("/no/such/file"));
    assert!(!files.output.exists());
}

#[test]
fn tests_with_a_best_move_are_counted() {
    let mate = "3k5/R8/9/9/9/9/9/9/9/4K3R w - -";
    let input = format!(
        "{mate} bm i0i9; id \"a; b\";\n{mate} am i0i9;\n{mate} 0 1 bm i0i9 i0h0; dm 1; c0 x;\n\
         {mate} bm a0a1;\n"
    );
    let output = run(&["--depth", "4"], &input);
    check_code(&output, 0);
    let all = records(&output.stdout);
    let solved: Vec<Option<bool>> = all.iter().map(|record| record["solved"].as_bool()).collect();
    assert_eq!((&solved[..2], solved[3]), (&[Some(true), Some(false)][..], None));
    assert_eq!(all[0]["id"], "a; b");
    assert_eq!((&all[0]["pvs"][0]["mate"], &all[0]["bestmove"]), (&1.into(), &"i0i9".into()));
    assert!(all[3]["warnings"][0].as_str().unwrap().contains("a0a1"));
    assert!(errors(&output).contains("of 3 solved"), "{}", errors(&output));
    // What is written as EPD is read again, with the same tests.
    let epd = run(&["--depth", "4", "--as", "epd"], &input);
    let again = records(&run(&["--depth", "4"], &epd.stdout).stdout);
    for (first, second) in all.iter().zip(&again) {
        for field in ["position", "bestmove", "solved"] {
            assert_eq!(first[field], second[field]);
        }
    }
}

#[test]
fn pgn_games_equal_their_json_lines() {
    let games = data("games.jsonl");
    let expected = records(&run(&[games.to_str().unwrap(), "--depth", "1"], "").stdout);
    let paths: Vec<PathBuf> = (0..24).map(|game| data(&format!("pgn/{game:03}.pgn"))).collect();
    let mut arguments = vec!["--depth", "1"];
    arguments.extend(paths.iter().map(|path| path.to_str().unwrap()));
    let output = run(&arguments, "");
    check_code(&output, 0);
    let found = records(&output.stdout);
    assert_eq!(found.len(), expected.len());
    assert!(found.len() > 1000);
    for (found, expected) in found.iter().zip(&expected) {
        for field in ["ply", "position", "played", "bestmove"] {
            assert_eq!(found[field], expected[field]);
        }
    }
}

#[test]
fn an_illegal_move_is_named_and_the_other_games_are_read() {
    let mut text = fs::read(data("pgn/003.pgn")).unwrap();
    text.extend(fs::read(data("pgn/illegal-move.pgn")).unwrap());
    text.extend(fs::read(data("pgn/005.pgn")).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("three.pgn");
    fs::write(&path, text).unwrap();
    let output = run(&[path.to_str().unwrap(), "--depth", "1", "--every", "last"], "");
    check_code(&output, 1);
    let all = records(&output.stdout);
    assert_eq!(all.len(), 3);
    let message = all[1]["error"]["message"].as_str().unwrap();
    for part in ["three.pgn", "game 2", "move ", "'"] {
        assert!(message.contains(part), "{message}");
    }
    assert!(all[0].get("error").is_none() && all[2].get("error").is_none());
    assert_eq!(all[2]["id"], "game 3");
}

#[test]
fn games_are_read_in_any_encoding_and_notation() {
    let header = "[Game \"Chinese Chess\"]\n[Red \"紅方 马\"]\n\n";
    let text =
        format!("{header}1. 炮二平五 马８进７ {{好}} (1... 炮8平5) 2. 马二进三 $1 车９平８ *\n");
    let (gbk, ..) = encoding_rs::GB18030.encode(&text);
    let wxf = format!("{header}1. C2=5 H8+7 2. H2+3 R9=8 1-0");
    let iccs = b"\xef\xbb\xbf[Red \"\xc4\xfb\"]\n[Format \"ICCS\"]\n\n1. H2-E2 H9-G7\n2. H0-G2 I9-H9\n1/2-1/2\n";
    let expected = {
        let line = "startpos moves h2e2 h9g7 h0g2 i9h9";
        records(&run(&["--depth", "1"], line).stdout)[0]["position"].clone()
    };
    let check = |input: &[u8], arguments: &[&str]| {
        let output = run(&with(&["--depth", "1", "--every", "last"], arguments), input);
        check_code(&output, 0);
        assert_eq!(records(&output.stdout)[0]["position"], expected);
    };
    check(text.as_bytes(), &[]);
    check(&gbk, &[]);
    check(&gbk, &["--encoding", "gbk"]);
    check(wxf.as_bytes(), &["--input", "pgn"]);
    check(iccs, &[]);
}

#[test]
fn a_position_on_the_command_line_is_analysed() {
    let output = run(&["-p", "startpos", "-m", "h2e2 h9g7", "--depth", "2", "--as", "table"], "");
    check_code(&output, 0);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 2);
}

#[test]
fn text_that_may_change_the_position_is_never_dropped() {
    let board = START.trim_end_matches(" w - - 0 1");
    let refused = |tail: &str, parts: &[&str]| {
        let line = format!("{board} {tail}");
        let output = run(&["--depth", "1", "--as", "table"], &line);
        check_code(&output, 1);
        let errors = errors(&output);
        for part in parts {
            assert!(errors.contains(part), "{tail}: no '{part}' in {errors}");
        }
    };
    let column = format!("column {}", board.len() + 4);
    refused("w h2e2", &[&column, "'h2e2'", "write 'moves'"]);
    refused("w a0a9;", &[&column, "'a0a9'", "write 'moves'"]);
    refused("w 炮二平五", &[&column, "write 'moves'"]);
    refused("w - - 0 1 move h2e2", &["'move'", "'moves M1 M2 ...'"]);
    refused("w - - 0 1 Moves h2e2", &["'Moves'"]);
    refused("w - - 0 1 moves: h2e2", &["'moves:'"]);
    refused("w; moves h2e2", &["'moves'"]);
    refused("w bm h2e2; moves h2e2", &["'moves'"]);
    refused("w bm h2e2 moves h9g7", &["'bm'", "right behind the position"]);
    refused("w id \"x\" moves h2e2", &["'id'", "right behind the position"]);
    refused("w foo moves h2e2;", &["'foo'", "right behind the position"]);
    refused("w - - 0 1 extra", &["'extra'", "';'"]);
    refused(&format!("w {START}"), &[&column, "one position a line"]);
}

#[test]
fn an_opcode_that_is_passed_over_is_told_everywhere() {
    let line = format!("{START} foo 3; id \"x\";");
    for format in ["table", "epd"] {
        let output = run(&["--depth", "1", "--as", format], &line);
        check_code(&output, 0);
        let errors = errors(&output);
        assert!(errors.contains("warning: line 1: unknown opcode 'foo' is ignored"), "{errors}");
    }
    let output = run(&["--depth", "1"], &line);
    check_code(&output, 0);
    assert_eq!(records(&output.stdout)[0]["warnings"][0], "unknown opcode 'foo' is ignored");
    let output = run(&["--depth", "1", "--strict"], &line);
    check_code(&output, 3);
    assert!(errors(&output).contains("unknown opcode 'foo'"), "{}", errors(&output));
}

#[test]
fn a_carriage_return_ends_a_line() {
    let output = run(&["--depth", "1"], format!("{START}\r# c\r{START} moves h2e2\r"));
    check_code(&output, 0);
    let lines: Vec<_> = records(&output.stdout).iter().map(|it| it["line"].clone()).collect();
    assert_eq!(lines, [1, 3]);
}

#[test]
fn comments_make_no_games_of_their_own() {
    let game = "[Event \"x\"]\n\n1. h2e2 h9g7 *\n";
    for comment in ["; made by X", "% made by X", "# made by X", "{made\nby X}"] {
        let text = format!("{comment}\n{game}{comment}\n\n{game}{comment}\n");
        for more in [&[][..], &["--input", "pgn"]] {
            let output = run(&with(&["--depth", "1", "--every", "last"], more), &text);
            check_code(&output, 0);
            let all = records(&output.stdout);
            let ids: Vec<_> = all.iter().map(|record| record["id"].clone()).collect();
            assert_eq!(ids, ["game 1", "game 2"], "{comment} {more:?}");
        }
    }
}

#[test]
fn a_tag_in_a_comment_begins_no_game() {
    let text = "[Event \"x\"]\n\n1. h2e2 {see\n[Event \"Cup 2001\"] for this} h9g7 2. h0g2 *\n";
    let output = run(&["--depth", "1", "--every", "last"], text);
    check_code(&output, 0);
    assert_eq!(records(&output.stdout)[0]["ply"], 3);

    let open = "[Event \"x\"]\n\n1. h2e2 {see\n\n[Event \"y\"]\n\n1. h2e2 {ok} h9g7 *\n";
    let output = run(&["--depth", "1", "--every", "last"], open);
    check_code(&output, 1);
    let all = records(&output.stdout);
    assert_eq!((all.len(), &all[1]["ply"]), (2, &2.into()));
    assert_eq!((&all[0]["line"], &all[0]["error"]["column"]), (&3.into(), &9.into()));
}

#[test]
fn a_list_of_moves_is_a_game() {
    for text in [
        "C2=5 H8+7\nH2+3 R9=8\n",
        "h2e2 h9g7\nh0g2 i9h9 *\n",
        "1. h2e2 h9g7\n2. h0g2 i9h9\n",
        "炮二平五 馬８進７\n馬二進三 車９平８\n",
    ] {
        let output = run(&["--depth", "1", "--every", "last"], text);
        check_code(&output, 0);
        let all = records(&output.stdout);
        assert_eq!((all.len(), &all[0]["ply"]), (1, &4.into()), "{text}");
    }
    let output = run(&["--depth", "1"], "h3h4 h9g7\n");
    check_code(&output, 1);
    assert!(errors(&output).contains("--input pgn"), "{}", errors(&output));
}

#[test]
fn files_of_other_kinds_are_named() {
    let refused = |bytes: &[u8], part: &str| {
        let output = run(&["--depth", "1"], bytes);
        check_code(&output, 1);
        assert_eq!(records(&output.stdout).len(), 1);
        assert!(errors(&output).contains(part), "no '{part}' in {}", errors(&output));
    };
    refused(b"\x1f\x8b\x08\0\0\n\n", "gzip; unpack it first");
    refused(b"XQ\x0a\0\0\0", "XQF");
    refused(b"[DhtmlXQ]\n[DhtmlXQ_title]x[/DhtmlXQ_title]\n", "DhtmlXQ");
    refused(b"[\n{\"fen\": \"startpos\"}\n]\n", "one JSON object a line");
    refused(b"[{\"fen\": \"startpos\"}]\n", "one JSON object a line");
}

#[test]
fn json_lines_are_refused_in_plain_words() {
    let refused = |line: &str, parts: &[&str]| {
        let output = run(&["--depth", "1", "--input", "jsonl"], line);
        check_code(&output, 1);
        for part in parts {
            assert!(errors(&output).contains(part), "no '{part}' in {}", errors(&output));
        }
        assert!(!errors(&output).contains("struct"), "{}", errors(&output));
    };
    refused("{\"fen\": \"startpos\"}\n [1]", &["line 2, column 2", "'fen'", "not an array"]);
    refused("null", &["line 1, column 1", "not null"]);
    refused("{\"fen\":\"startpos\",\"id\":true}", &["column 19", "a text or a number"]);
    refused("{\"fen\":\"startpos\",\"id\":{}}", &["column 19", "a text or a number"]);
    let long = "12345678901234567890123";
    refused(&format!("{{\"fen\":\"startpos\",\"id\":{long}}}"), &["write it as a text", long]);
}

#[test]
fn a_name_with_line_ends_stays_on_its_line() {
    let line = "{\"fen\":\"startpos\",\"id\":\"nl\\nx\\r\\ny\\u0085\"}\n";
    for (format, extra) in [("epd", 0), ("table", 1), ("csv", 1)] {
        let output = run(&["--depth", "1", "--as", format], line);
        check_code(&output, 0);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.matches(char::is_control).count(), 1 + extra, "{text}");
        if format == "epd" {
            let again = run(&["--depth", "1"], text);
            check_code(&again, 0);
            assert_eq!(records(&again.stdout)[0]["id"], "nl x  y ");
        }
    }
}

#[test]
fn an_empty_position_is_refused() {
    for position in ["", "  "] {
        let output = run(&["--depth", "1", "-p", position], "");
        check_code(&output, 1);
        assert!(errors(&output).contains("position is empty"), "{}", errors(&output));
    }
    let output = run(&["--depth", "1", "-p", "startpos", "-m", "1. h2e2 h9g7 2.h0g2 *"], "");
    check_code(&output, 0);
    let output = run(&["--depth", "1", "-p", "startpos moves h2e2", "-m", "h9g7"], "");
    check_code(&output, 0);
    let output = run(&["--depth", "1", "-p", "startpos; c0 x", "-m", "h2e2"], "");
    check_code(&output, 2);
    let output =
        run(&["--depth", "1", "-p", "startpos; c0 \"x moves h2e2\"; id \"moves h2e2\";"], "");
    check_code(&output, 0);
}

#[cfg(unix)]
#[test]
fn no_output_is_written_through_a_link_or_over_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let text = "startpos\n";
    fs::write(at("in.fen"), text).unwrap();
    fs::write(at("other"), text).unwrap();
    fs::hard_link(at("in.fen"), at("hard")).unwrap();
    std::os::unix::fs::symlink(at("other"), at("link")).unwrap();
    for (output, part) in [("hard", "an input too"), ("link", "this is a link")] {
        let ran = run(&[&at("in.fen"), "--depth", "1", "--force", "--output", &at(output)], "");
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.code() == Some(2) && errors.contains(part), "{errors}");
    }
    for name in ["in.fen", "other"] {
        assert_eq!(fs::read_to_string(at(name)).unwrap(), text);
    }
}

#[cfg(unix)]
#[test]
fn nothing_that_is_read_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let text = "startpos\n";
    for name in ["in.fen", "out.journal", "params.toml"] {
        fs::write(at(name), if name == "params.toml" { "" } else { text }).unwrap();
    }
    let check = |arguments: &[&str], input: &str, output: Option<&str>, part: &str| {
        let mut command = command(&["--depth", "1"]);
        command.current_dir(folder.path()).args(arguments);
        command.stdin(fs::File::open(at(input)).unwrap());
        if let Some(output) = output {
            command.stdout(fs::OpenOptions::new().append(true).open(at(output)).unwrap());
        }
        let ran = command.output().unwrap();
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}: {}", errors(&ran));
        assert!(errors(&ran).contains(part), "{}", errors(&ran));
    };
    let refused = "an input too";
    check(&["--force", "--output", "in.fen"], "in.fen", None, refused);
    check(&["--force", "--output", "in.fen", "-", "out.journal"], "in.fen", None, refused);
    check(&["--output", "out", "out.journal"], "in.fen", None, "out.journal: it is an input too");
    check(&["--output", "params.toml", "--params", "params.toml"], "in.fen", None, refused);
    check(&[], "in.fen", Some("in.fen"), refused);
    check(&["in.fen"], "out.journal", Some("in.fen"), refused);
    for name in ["in.fen", "out.journal"] {
        assert_eq!(fs::read_to_string(at(name)).unwrap(), text);
    }
    assert!(!at("out").exists());
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.pgn");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let child = command(&["--depth", "1", pipe.to_str().unwrap()]).spawn().unwrap();
    // More than is looked at to recognise the game.
    let game = "[Event \"x\"]\n\n1. h2e2 h9g7\n\n".to_owned();
    let note = format!("[Event \"y\"]\n\n{{{}}} 1. h2e2 *\n", "long ".repeat(20_000));
    fs::write(&pipe, game + &note).unwrap();
    let output = feed(child, b"");
    check_code(&output, 0);
    let found = records(&output.stdout);
    let files = found.iter().map(|record| record["file"].as_str().unwrap());
    assert_eq!(files.collect::<Vec<_>>(), [pipe.to_str().unwrap(); 5]);
}

#[test]
fn lines_of_another_game_are_refused() {
    let refused = |line: &str, parts: &[&str]| {
        let output = run(&["--depth", "1", "--game", "xiangqi"], line);
        check_code(&output, 1);
        let text = errors(&output);
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    };
    refused("{\"fen\":\"startpos\",\"game\":\"taikyoku\"}", &["column 19", "'taikyoku'", "--game"]);
    refused("{\"fen\":\"startpos\",\"game\":\"chess\"}", &["the game 'chess'"]);
    refused("{\"fen\":\"startpos\",\"Moves\":\"h2e2\"}", &["write 'moves'"]);
    for line in ["{\"game\":\"taikyoku\",\"fen\":\"startpos\"}", "[Variant \"Taikyoku\"]\n\n*\n"] {
        let output = run(&["--depth", "1"], line);
        check_code(&output, 0);
        assert_eq!(records(&output.stdout)[0]["game"], "taikyoku");
    }
    let output = run(&["--depth", "1"], "[Variant \"Chess\"]\n\n1. h2e2 *\n");
    check_code(&output, 0);
    let warning = &records(&output.stdout)[0]["warnings"][0];
    assert!(warning.as_str().unwrap().contains("tag Variant says 'Chess'"), "{warning}");
    let line = "{\"fen\":\"startpos\",\"rules\":\"wxf\"}";
    let warned = |arguments: &[&str]| {
        let output = run(&[&["--depth", "1"], arguments].concat(), line);
        check_code(&output, 0);
        !records(&output.stdout)[0]["warnings"].is_null()
    };
    assert!(warned(&[]) && !warned(&["--rules", "wxf"]));
}

#[test]
fn nothing_in_a_game_is_passed_over_silently() {
    let output = run(&["--depth", "1"], "1. h2e2 h9g7 1-0 1. b0c2 b9c7 0-1\n");
    check_code(&output, 1);
    assert!(errors(&output).contains("behind the result"), "{}", errors(&output));
    for text in ["1. h2e2 0000 *\n", "startpos moves h2e2 7747\n"] {
        let output = run(&["--depth", "1"], text);
        check_code(&output, 1);
        assert!(errors(&output).contains("not a move"), "{}", errors(&output));
    }
    let game = "[FEN \"\"]\n[\u{5f00}\u{5c40} \"x\"]\n[Red]\n\n1. h2e2 *\n";
    let output = run(&["--depth", "1"], game);
    check_code(&output, 0);
    let found = records(&output.stdout);
    assert_eq!(found.len(), 2);
    assert!(found[0]["warnings"][0].as_str().unwrap().contains("tag FEN is empty"));
}
