//! The `data` command, as users and scripts run it.

#[expect(dead_code, reason = "some of it is for other tests")]
mod data_support;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use data_support::{games, header, read, write};
use kyokumen::games::taikyoku::Taikyoku;
use kyokumen::games::xiangqi::Xiangqi;
use serde_json::Value;
use tempfile::TempDir;

/// A folder with a file of xiangqi games, `games.kyo`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("games.kyo"), &header::<Xiangqi>(1, 4), &games::<Xiangqi>(1, 12, 40));
    folder
}

fn data(folder: &TempDir, arguments: &str) -> Command {
    let mut command = Command::cargo_bin("kyokumen").unwrap();
    command.current_dir(folder).arg("data").args(arguments.split_whitespace());
    command
}

fn json(folder: &TempDir, arguments: &str) -> Value {
    let output = data(folder, arguments).arg("--json").assert().success().get_output().clone();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
fn refused(folder: &TempDir, arguments: &str, code: i32, text: &str) {
    let output = data(folder, arguments).assert().code(code).get_output().clone();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains(text), "{errors}");
}

/// Flips a bit in the payload of the first block.
fn damage(path: &Path) {
    let reader = kyokumen::data::Reader::open(path).unwrap();
    let at = reader.places().next().unwrap().unwrap().offset as usize + 60;
    drop(reader);
    let mut bytes = fs::read(path).unwrap();
    bytes[at] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn files_go_from_tool_to_tool() {
    let folder = folder();
    let verified = json(&folder, "verify games.kyo");
    assert_eq!((&verified["games"], &verified["faults"]), (&12.into(), &Value::Array(Vec::new())));
    let info = json(&folder, "info games.kyo");
    assert_eq!(info["games"], 12);
    let positions = info["positions"].as_u64().unwrap();

    let filtered =
        json(&folder, "filter games.kyo --no-check --min-ply 6 --quiet-margin 300 --output f.kyo");
    let left = filtered["positions_out"].as_u64().unwrap();
    assert!(0 < left && left < positions);
    let reasons = filtered["reasons"].as_object().unwrap().values();
    assert_eq!(reasons.map(|count| count.as_u64().unwrap()).sum::<u64>(), positions - left);
    let deduped = json(&folder, "dedupe f.kyo --keep teacher --output d.kyo");
    let once = deduped["positions_out"].as_u64().unwrap();
    assert_eq!(once, left - deduped["duplicates"].as_u64().unwrap());
    json(&folder, "shuffle d.kyo --seed 9 --output s.kyo --threads 3");
    let parts = json(&folder, "split s.kyo --into a.kyo=2 --into b.kyo=1");
    assert_eq!(parts["parts"].as_array().unwrap().len(), 2);
    let merged = json(&folder, "merge a.kyo b.kyo --output m.kyo");
    assert_eq!((&merged["games_out"], &merged["positions_out"]), (&12.into(), &once.into()));
    let sampled = json(&folder, "sample m.kyo --positions 20 --output x.kyo");
    assert_eq!(sampled["positions_out"], 20);
    let rescored = json(&folder, "rescore x.kyo --depth 1 --output r.kyo");
    assert_eq!(rescored["positions"], 20);
    assert_eq!(json(&folder, "verify r.kyo")["faults"], Value::Array(Vec::new()));

    let info = json(&folder, "info r.kyo");
    let history = info["header"]["settings"]["history"].as_array().unwrap();
    let steps: Vec<&str> = history.iter().map(|step| step["tool"].as_str().unwrap()).collect();
    assert_eq!(steps, ["merge", "sample", "rescore"]);
    let before = history[0]["settings"]["inputs"][0]["history"].as_array().unwrap();
    let before: Vec<&str> = before.iter().map(|step| step["tool"].as_str().unwrap()).collect();
    assert_eq!(before, ["filter", "dedupe", "shuffle", "split"]);
    assert_eq!((&info["positions"], &info["flags"]["rescored"]), (&20.into(), &20.into()));

    for (name, lines) in [("e.jsonl", 1), ("e.plain", 6), ("e.txt", 1), ("e.epd", 1)] {
        let exported = json(&folder, &format!("export r.kyo --output {name}"));
        assert_eq!(exported["rows"], 20, "{name}");
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(text.lines().count(), 20 * lines, "{name}");
        let manifest = folder.path().join(format!("{name}.manifest.json"));
        let manifest: Value = serde_json::from_slice(&fs::read(manifest).unwrap()).unwrap();
        assert_eq!(
            (&manifest["counts"]["rows"], &manifest["header"]["seed"]),
            (&20.into(), &1.into())
        );
    }
    json(&folder, "export r.kyo --output e.bin");
    assert_eq!(fs::read(folder.path().join("e.bin")).unwrap().len(), 20 * 72);
    let ordered = fs::read(folder.path().join("e.bin")).unwrap();
    json(&folder, "export r.kyo --shuffle --seed 4 --output e.bin --force");
    let shuffled = fs::read(folder.path().join("e.bin")).unwrap();
    assert!(shuffled.len() == ordered.len() && shuffled != ordered);
    json(&folder, "export r.kyo --output e.npy");
    assert_eq!(fs::read(folder.path().join("e.npy")).unwrap().len(), 1024 + 20 * 118);
    json(&folder, "export r.kyo --output e.parquet");
    assert!(!folder.path().join("e.parquet.manifest.json").exists());
    let all = json(&folder, "export r.kyo --output all.parquet --all");
    assert_eq!(all["rows"], info["plies"]);
    let left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("partial"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn reports_for_people_name_the_numbers() {
    let folder = folder();
    let output = data(&folder, "info games.kyo").assert().success().get_output().clone();
    let text = String::from_utf8(output.stdout).unwrap();
    for word in [
        "games                   12",
        "length_limit",
        "score, side to move",
        "phase",
        "positions again",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let verified = data(&folder, "verify games.kyo").assert().success().get_output().clone();
    assert!(String::from_utf8(verified.stdout).unwrap().contains("all right"));
    let config = data(&folder, "trainer-config").assert().success().get_output().clone();
    let config = String::from_utf8(config.stdout).unwrap();
    assert!(config.contains("#define DATA_SIZE 512") && config.contains("1 : 1276"));
    let python = data(&folder, "trainer-config variant.py").assert().success().get_output().clone();
    assert!(!String::from_utf8(python.stdout).unwrap().contains("#define"));
}

#[test]
fn mistakes_are_refused_with_a_remedy() {
    let folder = folder();
    let taikyoku = folder.path().join("taikyoku.kyo");
    write(&taikyoku, &header::<Taikyoku>(1, 4), &games::<Taikyoku>(1, 1, 4));
    fs::write(folder.path().join("text.kyo"), "no games").unwrap();
    refused(&folder, "info missing.kyo", 4, "missing.kyo");
    refused(&folder, "info text.kyo", 4, "no whole header");
    refused(&folder, "export games.kyo --output out.xyz", 2, "give --as parquet");
    refused(&folder, "export taikyoku.kyo --output out.bin", 2, "bin is a format of xiangqi");
    refused(&folder, "export games.kyo --all --output out.bin", 2, "leave --all out");
    refused(
        &folder,
        "export games.kyo --output games.kyo --as npy --force",
        2,
        "it is an input too",
    );
    fs::write(folder.path().join("p.toml"), "").unwrap();
    for tool in ["filter games.kyo --no-mates", "rescore games.kyo --depth 1"] {
        let line = format!("{tool} --params p.toml --output p.toml --force");
        refused(&folder, &line, 2, "p.toml: it is an input too");
    }
    refused(&folder, "split games.kyo --into a.kyo=1 --into ./a.kyo=2", 2, "two parts have");
    refused(&folder, "sample games.kyo --seed -1 --games 1 --output o.kyo", 2, "number from 0 to");
    refused(&folder, "export games.kyo --shuffle --output out.txt", 2, "kyokumen data shuffle");
    refused(&folder, "filter games.kyo --output out.kyo", 2, "no condition");
    refused(&folder, "filter games.kyo --no-end boredom --output out.kyo", 2, "length_limit");
    refused(&folder, "split games.kyo --into a.kyo", 2, "write FILE=SHARE");
    refused(
        &folder,
        "split games.kyo --into a.kyo=1 --into a.kyo=2",
        2,
        "two parts have this name",
    );
    refused(&folder, "sample games.kyo --output out.kyo", 2, "--positions");
    refused(&folder, "rescore games.kyo --output out.kyo", 2, "--depth");
    refused(&folder, "merge games.kyo games.kyo --output out.kyo", 2, "comes twice");
    refused(&folder, "merge games.kyo taikyoku.kyo --output out.kyo", 2, "game was");
    let names = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 4, "nothing was written");
}

#[test]
fn an_existing_file_is_replaced_only_by_force() {
    let folder = folder();
    fs::write(folder.path().join("out.kyo"), "mine").unwrap();
    for tool in ["shuffle games.kyo", "merge games.kyo", "rescore games.kyo --depth 1"] {
        refused(&folder, &format!("{tool} --output out.kyo"), 2, "it exists already");
        assert_eq!(fs::read(folder.path().join("out.kyo")).unwrap(), b"mine");
    }
    data(&folder, "rescore games.kyo --depth 1 --output out.kyo --force").assert().success();
    data(&folder, "shuffle games.kyo --output out.kyo --force").assert().success();
    assert_eq!(read(&folder.path().join("out.kyo")).len(), 12);
    refused(
        &folder,
        "rescore games.kyo --depth 1 --output out.kyo --resume",
        2,
        "settings.history",
    );
}

#[test]
fn damage_is_told_and_everything_else_used() {
    let folder = folder();
    damage(&folder.path().join("games.kyo"));
    let output = data(&folder, "verify games.kyo --json").assert().code(4).get_output().clone();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let fault = &report["faults"][0];
    assert_eq!((&report["games"], &fault["block"]), (&8.into(), &0.into()));
    assert!(fault["reason"].as_str().unwrap().contains("checksum"));
    let output = data(&folder, "verify games.kyo --quiet").assert().code(4).get_output().clone();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("offset ") && text.contains("block 0: block damaged"), "{text}");
    assert!(text.ends_with("1 fault\n"), "{text}");
    refused(&folder, "info games.kyo", 4, "block 0");
    refused(&folder, "merge games.kyo --output whole.kyo", 4, "1 damaged or contradictory parts");
    data(&folder, "verify whole.kyo").assert().success();
    assert_eq!(read(&folder.path().join("whole.kyo")).len(), 8);
    refused(&folder, "export games.kyo --output rows.parquet", 4, "block 0");
    assert!(folder.path().join("rows.parquet").exists());
    refused(&folder, "rescore games.kyo --depth 1 --output r.kyo", 4, "block 0");
    refused(&folder, "rescore games.kyo --depth 1 --output r.kyo --resume", 4, "block 0");
    assert_eq!(read(&folder.path().join("r.kyo")).len(), 8);
}
