//! The program as users and scripts see it: commands, fields of JSON, exit codes, messages.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

const GAMES: [&str; 2] = ["xiangqi", "taikyoku"];
const MATED: &str = "3k5/4R4/3R5/9/9/9/9/9/9/4K4 b";

/// What a run of the program left behind.
struct Run {
    code: i32,
    output: String,
    errors: String,
}

impl Run {
    fn ok(self) -> String {
        assert_eq!(self.code, 0, "{}{}", self.output, self.errors);
        self.output
    }

    fn json(self) -> Value {
        let output = self.ok();
        assert_eq!(output.lines().count(), 1, "{output}");
        serde_json::from_str(&output).unwrap()
    }

    /// Checks that the run failed with a code and an error message with all the parts, and wrote nothing else.
    fn fails(self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, code, "{}", self.errors);
        assert_eq!(self.output, "");
        assert!(self.errors.starts_with("error: "), "{}", self.errors);
        for part in parts {
            assert!(self.errors.contains(part), "no '{part}' in: {}", self.errors);
        }
    }
}

fn kyokumen(args: &[&str]) -> Run {
    let output = Command::new(cargo_bin("kyokumen")).args(args).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        output: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Runs the words of a line; for arguments without blanks.
fn run(line: &str) -> Run {
    kyokumen(&words(line))
}

#[test]
fn every_command_explains_itself_with_examples() {
    let help = run("--help").ok();
    assert!(help.contains("Exit codes") && help.contains("130"));
    for command in ["perft", "moves", "apply", "judge", "show", "eval", "bench", "rules"] {
        assert!(help.contains(command), "{command}");
        let own = run(&format!("{command} --help")).ok();
        assert!(own.contains("Examples:"), "{command}");
        assert!(own.contains(&format!("kyokumen {command}")), "{command}");
    }
}

#[test]
fn usage_errors_exit_with_2() {
    run("perft").fails(2, &["--depth"]);
    run("perft --depth x").fails(2, &["'x'", "--depth"]);
    run("perft --depth 1 --threads 0").fails(2, &["--threads"]);
    run("perft --depth 1 --hash 1000000000").fails(2, &["--hash"]);
    run("perft --depth 1 --hash 1000000").fails(2, &["--hash"]);
    run("nonsense").fails(2, &["nonsense"]);
    run("moves --game chess").fails(2, &["chess", "xiangqi", "taikyoku"]);
    run("moves --rules nonsense").fails(2, &["'nonsense'", "asian", "wxf", "simple"]);
    run("moves --rules seed").fails(2, &["'seed'", "--game taikyoku"]);
    run("moves --notation nonsense").fails(2, &["'nonsense'", "native"]);
    run("apply --format nonsense").fails(2, &["'nonsense'", "native"]);
    run("moves --stalemate-draws").fails(2, &["--stalemate-draws"]);
    run("moves --move-limit 60hours").fails(2, &["hours", "60moves"]);
    run("moves --move-limit 60 --no-limit").fails(2, &["--no-limit"]);
    run("rules chess").fails(2, &["chess", "xiangqi"]);
}

#[test]
fn bad_positions_and_moves_exit_with_1_and_name_the_place() {
    kyokumen(&["moves", "-p", "rnbakabnr/9/9x w"]).fails(1, &["column"]);
    kyokumen(&["moves", "-p", "4kk3/9/9/9/9/9/9/9/9/3K5 w"]).fails(1, &["column"]);
    kyokumen(&["apply", "-m", "h2e2 h2e2"]).fails(1, &["ply 2", "h2e2"]);
    kyokumen(&["apply", "-p", "startpos moves h2e2", "-m", "a0a9"]).fails(1, &["ply 2", "a0a9"]);
    for command in ["perft --depth 1", "moves", "apply", "judge", "show", "eval"] {
        run(&format!("{command} -p nonsense")).fails(1, &["column"]);
        run(&format!("{command} --game taikyoku -p nonsense")).fails(1, &["column"]);
    }
}

#[test]
fn missing_files_exit_with_4_and_bad_parameters_with_2() {
    run("moves -p @no-such-file").fails(4, &["no-such-file"]);
    run("eval --params no-such-file").fails(4, &["no-such-file"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.toml");
    fs::write(&path, "# parameters\nnonsense = 1\n").unwrap();
    run(&format!("eval --params {}", path.display())).fails(2, &["p.toml:2:1", "nonsense"]);
    fs::write(&path, "= 1\n").unwrap();
    run(&format!("eval --params {}", path.display())).fails(2, &["p.toml:1:1"]);
}

#[test]
fn perft_ends_with_the_nodes() {
    let output = run("perft --depth 3").ok();
    assert_eq!(output.lines().last(), Some("nodes 79666"));
    assert!(output.lines().any(|line| line.starts_with("time ")));
    assert!(output.lines().any(|line| line.starts_with("nps ")));
    assert!(run("perft --depth 0").ok().ends_with("nodes 1\n"));
}

#[test]
fn perft_counts_the_same_in_every_way() {
    let ways = ["", "--threads 1", "--threads 3", "--hash 1", "--threads 4 --hash 1", "--no-bulk"];
    for way in ways {
        let object = run(&format!("perft --depth 4 --json --divide {way}")).json();
        assert_eq!(object["nodes"], 3_290_240, "{way}");
        assert_eq!(object["depth"], 4);
        assert!(object["seconds"].as_f64().unwrap() >= 0.0);
        let divide = object["divide"].as_object().unwrap();
        assert_eq!(divide.len(), 44);
        assert_eq!(divide.values().map(|nodes| nodes.as_u64().unwrap()).sum::<u64>(), 3_290_240);
        assert!(divide.keys().is_sorted());
    }
}

#[test]
fn perft_refuses_a_sum_that_is_too_large() {
    let args = ["perft", "--depth", "62", "--threads", "1", "--hash", "16", "-p"];
    let kings = "3k5/9/9/9/9/9/9/9/9/4K4 w";
    kyokumen(&[&args[..], &[kings]].concat()).fails(2, &["--depth", "18446744073709551615"]);
    kyokumen(&[&args[..], &[kings, "--divide"]].concat()).fails(2, &["--depth"]);
}

#[test]
fn perft_divide_lists_moves_in_text_too() {
    let output = run("perft --depth 2 --divide").ok();
    let moves: Vec<&str> = output.lines().filter(|line| line.contains(": ")).collect();
    assert_eq!(moves.len(), 44);
    assert!(moves.contains(&"a0a1: 44"));
}

#[test]
fn perft_counts_taikyoku() {
    let one = run("perft --game taikyoku --depth 1 --json").json();
    let moves = run("moves --game taikyoku --json").json();
    assert_eq!(one["nodes"], moves["count"]);
    let two = run("perft --game taikyoku --depth 2 --divide --json").json();
    assert_eq!(two["divide"].as_object().unwrap().len() as u64, moves["count"].as_u64().unwrap());
}

#[cfg(unix)]
#[test]
fn an_interrupted_perft_exits_with_130() {
    let mut child = Command::new(cargo_bin("kyokumen"))
        .args(["perft", "--depth", "30"])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn moves_are_sorted_and_counted() {
    for game in GAMES {
        let text = run(&format!("moves --game {game}")).ok();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.is_sorted());
        let object = run(&format!("moves --game {game} --json")).json();
        assert_eq!(object["count"], lines.len());
        assert_eq!(object["moves"].as_array().unwrap().len(), lines.len());
        assert_eq!(object["in_check"], false);
        assert_eq!(object["game"], game);
    }
    assert_eq!(run("moves --json").json()["count"], 44);
}

#[test]
fn moves_can_be_chosen_by_square_and_by_capture() {
    assert_eq!(run("moves --from b0").ok(), "b0a2\nb0c2\n");
    assert_eq!(run("moves --captures").ok(), "b2b9\nh2h9\n");
    assert_eq!(run("moves --captures --from H2").ok(), "h2h9\n");
    let none = run("moves --from e5");
    assert!(none.errors.starts_with("warning: ") && none.errors.contains("h2"));
    assert_eq!(none.ok(), "");
    assert_eq!(run("moves --from e5 --quiet").errors, "");
}

#[test]
fn moves_know_check() {
    let object = kyokumen(&["moves", "--json", "-p", MATED]).json();
    assert_eq!((&object["in_check"], &object["count"]), (&true.into(), &0.into()));
}

#[test]
fn the_position_may_come_with_moves_and_from_files() {
    let expected = kyokumen(&["apply", "-m", "h2e2 h9g7"]).ok();
    assert_eq!(kyokumen(&["apply", "-p", "startpos moves h2e2 h9g7"]).ok(), expected);
    assert_eq!(kyokumen(&["apply", "-p", "startpos moves h2e2", "-m", "h9g7"]).ok(), expected);
    assert_eq!(kyokumen(&["apply", "-m", "h2e2,h9g7"]).ok(), expected);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("position.txt");
    fs::write(&path, format!("\u{feff}{expected}\r\n")).unwrap();
    assert_eq!(run(&format!("apply -p @{}", path.display())).ok(), expected);
}

#[test]
fn apply_prints_a_position_that_is_read_back() {
    for game in GAMES {
        let start = run(&format!("apply --game {game}")).ok();
        assert_eq!(kyokumen(&["apply", "-p", start.trim()]).ok(), start);
        let object = run(&format!("apply --game {game} --json")).json();
        assert_eq!(object["position"], start.trim());
        assert_eq!((&object["outcome"], &object["reason"]), (&"none".into(), &Value::Null));
    }
    let object = kyokumen(&["apply", "--json", "-p", MATED]).json();
    assert_eq!((&object["outcome"], &object["reason"]), (&"first".into(), &"checkmate".into()));
}

#[test]
fn judge_names_result_and_rule() {
    let object = kyokumen(&["judge", "--json", "-p", MATED]).json();
    assert_eq!(object["result"], "first");
    assert_eq!(object["rule"], "checkmate");
    assert_eq!(object["rules"], "asian");
    for field in ["offender", "cycle", "cycle_moves", "pieces", "explanation"] {
        assert!(object.get(field).is_some(), "{field}");
    }
    assert!(kyokumen(&["judge", "-p", MATED]).ok().starts_with("Red wins by checkmate\n"));
    for game in GAMES {
        let object = run(&format!("judge --game {game} --json")).json();
        assert_eq!((&object["result"], &object["rule"]), (&"none".into(), &Value::Null));
    }
}

#[test]
fn judge_follows_the_rules_asked_for() {
    let moves = "e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9";
    let judge = |more: &[&str]| {
        let mut args = vec!["judge", "--json", "-p", "3k5/9/9/9/9/9/9/9/4R4/5K3 w", "-m", moves];
        args.extend(more);
        kyokumen(&args).json()
    };
    let object = judge(&[]);
    assert_eq!((&object["result"], &object["rule"]), (&"second".into(), &"perpetual_check".into()));
    assert_eq!(object["offender"], "first");
    assert!(!object["cycle"].as_array().unwrap().is_empty());
    assert_eq!(judge(&["--no-repetition"])["result"], "none");
    assert_eq!(judge(&["--repetitions", "4"])["result"], "none");
    assert_eq!(judge(&["--no-repetition", "--move-limit", "8"])["rule"], "move_limit");
    assert_eq!(judge(&["--no-repetition", "--move-limit", "4moves"])["rule"], "move_limit");
    assert_eq!(judge(&["--rules", "simple"])["rules"], "simple");
}

#[test]
fn show_draws_and_says_whose_turn_it_is() {
    let text = kyokumen(&["show", "-m", "h2e2", "--from", "b9"]).ok();
    assert!(text.contains("Black") && text.contains("to move"));
    assert!(kyokumen(&["show", "-p", MATED]).ok().contains("Black is in check"));
    assert!(text.contains("2 from b9: b9a7 b9c7"));
    let object = run("show --game taikyoku --json").json();
    assert!(object["board"].as_str().unwrap().lines().count() > 36);
    assert_eq!(object["side_to_move"], "first");
}

#[test]
fn eval_explains_its_score() {
    for game in GAMES {
        let object = run(&format!("eval --game {game} --json")).json();
        assert!(object["score_cp"].is_i64());
        let terms = object["terms"].as_array().unwrap();
        assert!(!terms.is_empty());
        for term in terms {
            let number = |field: &str| term[field].as_i64().unwrap();
            assert_eq!(number("total"), number("first") - number("second"));
        }
        let table = run(&format!("eval --game {game} --explain")).ok();
        assert!(table.lines().next().unwrap().starts_with("term"));
        assert!(table.lines().last().unwrap().ends_with("to move)"));
    }
}

#[test]
fn rules_lists_the_sets_of_both_games() {
    let text = run("rules").ok();
    for name in ["asian", "wxf", "simple", "seed", "atsa", "They differ in"] {
        assert!(text.contains(name), "{name}");
    }
    assert!(!run("rules xiangqi").ok().contains("atsa"));
    let object = run("rules --json").json();
    for game in GAMES {
        let description = &object["games"][game];
        let sets = description["sets"].as_array().unwrap();
        assert!(sets.len() >= 2 && sets[0]["default"] == true);
        let points = description["points"].as_array().unwrap();
        assert!(points.iter().any(|point| point["differs"] == true), "{game}");
        for point in points {
            assert_eq!(point["values"].as_object().unwrap().len(), sets.len(), "{point}");
        }
    }
}

const PROFILE: &str = "
summary = 'a small one'
game = 'xiangqi'
measure = 'perft'
depth = 2
repeats = 2
expected = 1920
[[positions]]
position = 'startpos'
";

#[test]
fn bench_counts_times_and_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.toml");
    fs::write(&path, PROFILE).unwrap();
    let path = path.display().to_string();
    let text = run(&format!("bench {path}")).ok();
    let last = words(text.lines().last().unwrap());
    assert_eq!((last[0], last[1], last[3]), ("1920", "nodes", "nps"));
    let records = folder.path().join("records").display().to_string();
    for _ in 0..2 {
        let object =
            run(&format!("bench {path} --json --record --records {records} --machine m")).json();
        assert_eq!((&object["profile"], &object["nodes"]), (&"small".into(), &1920.into()));
        assert!(object["seconds"].is_f64() && object["nps"].is_u64());
    }
    let files: Vec<_> = fs::read_dir(folder.path().join("records/m")).unwrap().collect();
    let record = fs::read_to_string(files[0].as_ref().unwrap().path()).unwrap();
    assert!(files.len() > 1 || record.lines().count() == 3, "{record}");
    assert!(record.starts_with("time_utc,commit,"));
}

#[test]
fn bench_refuses_wrong_counts_and_profiles() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.toml");
    let check = |from: &str, to: &str, code: i32, parts: &[&str]| {
        fs::write(&path, PROFILE.replace(from, to)).unwrap();
        run(&format!("bench {}", path.display())).fails(code, parts);
    };
    check("1920", "1921", 1, &["1920", "1921"]);
    check("'xiangqi'", "'chess'", 2, &["chess", "taikyoku"]);
    check("depth", "width", 2, &["small.toml:5:1", "width"]);
    check("'startpos'", "'nonsense'", 2, &["number 1", "column"]);
    for (line, reason) in [
        ("repeats = 0", "repeats: 0 is not from 1"),
        ("rounds = 0", "rounds: 0 is not from 1"),
        ("threads = 0", "threads: 0 is not from 1 to 1024"),
        ("threads = 5000", "threads: 5000 is not from 1 to 1024"),
    ] {
        check("repeats = 2", line, 2, &["profile small", reason]);
    }
    run("bench no-such-profile").fails(2, &["no-such-profile", "xiangqi-perft"]);
    run("bench no-such-profile.toml").fails(4, &["no-such-profile.toml"]);
}

#[test]
fn bench_runs_every_measure_and_says_what_a_profile_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.toml");
    let bench = |game: &str, measure: &str, numbers: &str| {
        let text = format!(
            "summary = 's'\ngame = '{game}'\nmeasure = '{measure}'\nrepeats = 1\nthreads = 2\n\
             {numbers}\n[[positions]]\nposition = 'startpos'\n"
        );
        fs::write(&path, text).unwrap();
        run(&format!("bench {} --json", path.display()))
    };
    for game in ["xiangqi", "taikyoku"] {
        for (measure, numbers, unit, count) in [
            ("movegen", "", "moves", None),
            ("make_unmake", "", "moves", None),
            ("perft", "depth = 1", "leaves", None),
            ("playout", "plies = 7\nrounds = 3", "plies", Some(21)),
            ("search", "nodes = 200", "nodes", None),
            ("batch", "nodes = 200", "nodes", Some(200)),
            ("table", "nodes = 50\nhash_mib = 1", "keys", Some(100)),
            ("datagen", "nodes = 50\nplies = 5\nrounds = 2", "positions", Some(10)),
        ] {
            let object = bench(game, measure, numbers).json();
            assert_eq!(object["unit"], unit, "{game} {measure}");
            assert!(object["nodes"].as_u64().unwrap() > 0, "{game} {measure}");
            assert!(count.is_none_or(|count| object["nodes"] == count), "{game} {object}");
        }
    }
    for (measure, remedy) in [
        ("perft", "add depth"),
        ("playout", "add plies"),
        ("search", "add depth or nodes"),
        ("batch", "add depth or nodes"),
        ("table", "add nodes"),
        ("datagen", "add depth or nodes"),
    ] {
        bench("xiangqi", measure, "").fails(2, &["profile one", remedy]);
    }
}

#[test]
fn the_signature_is_one_line_with_the_same_nodes_every_time() {
    let nodes = |text: &str| {
        assert_eq!(text.lines().count(), 1, "{text}");
        let words = words(text);
        assert_eq!((words[1], words[3]), ("nodes", "nps"));
        words[0].parse::<u64>().unwrap()
    };
    let first = nodes(&run("bench --repeats 1").ok());
    assert!(first > 0);
    assert_eq!(first, nodes(&run("bench --repeats 1").ok()));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = Command::new(cargo_bin("kyokumen"))
        .args(["perft", "--depth", "5", "--divide"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let errors: Vec<String> =
        BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap).collect();
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn colour_is_for_terminals_or_on_request() {
    assert!(!run("show").ok().contains('\u{1b}'));
    assert!(run("show --color always").ok().contains('\u{1b}'));
    assert!(!run("show --color never").ok().contains('\u{1b}'));
    assert!(run("eval --color always -p x").errors.contains("\u{1b}[1;31merror:"));
}

const POSITION_COMMANDS: [&str; 6] = ["perft --depth 1", "moves", "apply", "judge", "show", "eval"];

#[test]
fn an_empty_position_is_no_initial_position() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.fen");
    fs::write(&path, "\n").unwrap();
    let file = format!("@{}", path.display());
    for command in POSITION_COMMANDS {
        let with = |position| kyokumen(&[&words(command)[..], &["-p", position]].concat());
        with("").fails(1, &["the position is empty", "startpos"]);
        with("  ").fails(1, &["the position is empty"]);
        with("moves h2e2").fails(1, &["the position is empty"]);
        with("-").fails(1, &["standard input holds no position"]);
        with(&file).fails(1, &["empty.fen holds no position"]);
        with("@").fails(2, &["@FILE"]);
    }
}

#[test]
fn a_position_in_a_file_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |bytes: &[u8], parts: &[&str]| {
        let path = folder.path().join("p.fen");
        fs::write(&path, bytes).unwrap();
        kyokumen(&["moves", "-p", &format!("@{}", path.display())]).fails(1, parts);
    };
    refused(b"\n  x/9 w\n", &["p.fen, line 2, column 3: "]);
    refused(format!("{MATED}\n{MATED}\n").as_bytes(), &["p.fen, line 2, column 1: "]);
    refused(b"\x1f\x8b\x08\0", &["p.fen: ", "gzip"]);
    refused(b"\xff\xfe4\0", &["p.fen: ", "UTF-16"]);
    refused(b"4k4\n\xc2\xed", &["p.fen: line 2", "0xC2"]);
}

#[test]
fn numbers_of_moves_and_a_result_are_passed_over() {
    let plain = kyokumen(&["apply", "-m", "b2e2 b9c7 b0c2 a9b9"]).ok();
    for moves in [
        "1. b2e2 b9c7 2. b0c2 a9b9",
        "1.b2e2 1...b9c7 2.b0c2 a9b9 *",
        "1. b2e2, b9c7, 2. b0c2, a9b9 1-0",
    ] {
        assert_eq!(kyokumen(&["apply", "-m", moves]).ok(), plain, "{moves}");
        assert_eq!(kyokumen(&["apply", "-p", &format!("startpos moves {moves}")]).ok(), plain);
    }
    kyokumen(&["apply", "-m", "b2e2 * b9c7"]).fails(1, &["ply 2", "'*'"]);
}

#[test]
fn a_fen_is_judged_as_the_moves_that_led_to_it() {
    let moves = "a9a8 d8d9 a8a9 d9d8 ".repeat(8);
    let rules = ["--no-repetition", "--move-limit", "24"];
    let run = |command, position, moves| {
        kyokumen(&[&[command, "-p", position, "-m", moves], &rules[..]].concat()).ok()
    };
    let start = "R8/3k5/9/9/9/9/9/9/9/4K4 w";
    assert!(run("judge", start, &moves).starts_with("The game goes on"));
    let fen = run("apply", start, &moves);
    assert_eq!(fen.trim_end(), "R8/3k5/9/9/9/9/9/9/9/4K4 w - - 20 17");
    assert!(run("judge", &fen, "").starts_with("The game goes on"));
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    for (arguments, range) in [
        ("perft --depth 3x", "0 to 200"),
        ("perft --depth 99999999999999999999", "0 to 200"),
        ("perft --depth -1", "0 to 200"),
        ("analyze --depth -5 games.fen", "1 to 127"),
        ("match --games 0", "1 to 10000000"),
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        kyokumen(&arguments).fails(2, &[&format!("write a whole number from {range}")]);
    }
}

#[test]
fn from_names_a_square_of_the_game() {
    for arguments in [["moves", "--from=z9"], ["moves", "--from="], ["show", "--from=18cc"]] {
        kyokumen(&arguments).fails(2, &["is no square of xiangqi; write it like"]);
    }
    assert!(kyokumen(&["moves", "--from", "B2"]).ok().contains("b2e2"));
    let taikyoku = kyokumen(&["moves", "--game", "taikyoku", "--from", "18CC"]).ok();
    assert!(taikyoku.contains("18cc"), "{taikyoku}");
}

#[test]
fn kinds_of_pieces_have_the_names_of_all_sources() {
    for (name, code) in [("酔象", "DE"), ("王将", "K"), ("Reed bird", "YBI"), ("醉象", "DE")]
    {
        let text = kyokumen(&["piece", name]).ok();
        assert!(text.contains(code), "{name}: {text}");
    }
    kyokumen(&["piece", "卍卍"]).fails(2, &["give a code"]);
}

#[test]
fn a_list_of_valid_names_holds_each_once() {
    kyokumen(&["moves", "--game", "taikyoku", "--notation", "foo"])
        .fails(2, &["the valid ones are native, atsi, tomatene\n"]);
}

#[test]
fn a_game_that_is_played_on_is_said_to_have_ended() {
    let moves = "a9a8 d8d9 a8a9 d9d8 ".repeat(4);
    let start = "R8/3k5/9/9/9/9/9/9/9/4K4 w - - 0 1";
    let judged = kyokumen(&["judge", "-p", start, "-m", &moves]);
    assert!(judged.errors.contains("had ended after ply 8: "), "{}", judged.errors);
    assert!(judged.output.contains("after ply 16 occurs for the fifth time"), "{}", judged.output);
    let judged = kyokumen(&["judge", "-p", start, "-m", &moves, "--json"]).json();
    assert_eq!(
        (&judged["ended_before"]["ply"], &judged["rule"]),
        (&8.into(), &judged["ended_before"]["rule"])
    );
    let judged = kyokumen(&["judge", "-p", start, "-m", &moves[..39], "--json"]).json();
    assert!(judged["ended_before"].is_null() && judged["result"] != "none", "{judged}");
}

#[test]
fn numbers_that_are_no_move_numbers_are_refused() {
    for moves in ["7747", "0000", "12345 h2e2", "h2e2 0000"] {
        kyokumen(&["apply", "-m", moves]).fails(1, &["not a move"]);
    }
    let moved = kyokumen(&["apply", "-m", "1 C2=5 H8+7 / 2 H2+3 R9=8 / 3. R1=2 H2+3"]).ok();
    assert!(moved.contains("r1bakabr1/9/1cn3nc1"), "{moved}");
}

#[test]
fn more_pieces_than_a_set_has_are_refused() {
    let many = "rrrrkrrrr/rrrrrrrrr/9/9/9/9/9/9/9/4K4 w - - 0 1";
    kyokumen(&["moves", "-p", many]).fails(1, &["chariot on c9", "no more than 2", "--lenient"]);
    let run = kyokumen(&["moves", "-p", many, "--lenient"]);
    assert!(run.errors.contains("Black has 17 chariots"), "{}", run.errors);
    run.ok();
}
