//! `show --svg` and `piece` as users and scripts see them: files, JSON fields, exit codes, messages.

use std::fs;
use std::process::Output;

use assert_cmd::Command;
use roxmltree::Document;
use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin!("kyokumen")).args(arguments).output().unwrap()
}

fn ok(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn fails(arguments: &[&str], code: i32, parts: &[&str]) {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{errors}");
    for part in parts {
        assert!(errors.contains(part), "no '{part}' in: {errors}");
    }
}

fn count(picture: &str, class: &str) -> usize {
    let document = Document::parse(picture).unwrap();
    document.descendants().filter(|node| node.attribute("class") == Some(class)).count()
}

#[test]
fn pictures_go_to_standard_output_or_to_a_file() {
    let picture = ok(&["show", "-m", "h2e2 h9g7", "--from", "b0", "--svg", "-"]);
    assert_eq!((count(&picture, "piece"), count(&picture, "mark")), (32, 2));
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("board.svg");
    let name = path.to_str().unwrap();
    assert_eq!(ok(&["show", "--game", "taikyoku", "--svg", name]), "");
    assert_eq!(count(&fs::read_to_string(&path).unwrap(), "piece"), 804);
    let letters = ok(&["show", "--game", "taikyoku", "--letters", "--svg", "-"]);
    assert!(letters.contains(">GG</text>") && !letters.contains(">玉</text>"));
    let json: Value = serde_json::from_str(&ok(&["show", "--json", "--svg", name])).unwrap();
    assert_eq!(json["game"], "xiangqi");
    assert_eq!(count(&fs::read_to_string(&path).unwrap(), "piece"), 32);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn pictures_that_cannot_be_written_are_refused() {
    fails(&["show", "--svg", "/nowhere/at/all.svg"], 4, &["/nowhere/at/all.svg"]);
    let directory = tempfile::tempdir().unwrap();
    fails(&["piece", "K", "--svg", directory.path().to_str().unwrap()], 4, &["directory"]);
    fails(&["show", "--json", "--svg", "-"], 2, &["--svg", "--json", "file name"]);
}

#[test]
fn a_kind_is_described() {
    let text = ok(&["piece", "gg"]);
    for part in ["Great General", "大将", "taishō", "19gg", "18d", "VG Vice General", "rank"] {
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
    let text = ok(&["piece", "right general"]);
    for part in ["rules seed", "rules atsa", "s:F1,B1,BL1,L1,FL1", "move-RG"] {
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
    let json: Value = serde_json::from_str(&ok(&["piece", "LN", "--json"])).unwrap();
    assert_eq!(json["code"], "LN");
    assert_eq!(json["moves"][0]["rules"], "seed");
    assert_eq!(json["initial_squares"].as_array().unwrap().len(), 2);
    assert!(json["diagrams"]["seed"].as_str().unwrap().contains('L'));
    let atsa: Value =
        serde_json::from_str(&ok(&["piece", "RG", "--rules", "atsa", "--json"])).unwrap();
    assert_eq!(atsa["moves"][0]["rules"], "atsa");
    let other: Value =
        serde_json::from_str(&ok(&["piece", "C", "--codes", "atsa", "--json"])).unwrap();
    assert_eq!(other["code"], "CA");
    assert_eq!(count(&ok(&["piece", "RG", "--svg", "-"]), "card"), 1);
}

#[test]
fn the_catalogue_is_a_table_a_page_or_json() {
    let table = ok(&["piece", "--all"]);
    assert_eq!(table.lines().count(), 1 + 301 + 2);
    assert_eq!(count(&ok(&["piece", "--all", "--svg", "-"]), "card"), 301);
    let json: Value = serde_json::from_str(&ok(&["piece", "--all", "--json"])).unwrap();
    assert_eq!(
        (json["count"].as_u64(), json["pieces"].as_array().unwrap().len()),
        (Some(301), 301)
    );
}

#[test]
fn unknown_kinds_are_refused_with_suggestions() {
    fails(&["piece", "Grate General"], 2, &["Grate General", "GG (Great General)"]);
    fails(&["piece", "great"], 2, &["'great' may be", "give the code"]);
    fails(&["piece", "K", "--rules", "chess"], 2, &["chess", "seed, atsa"]);
    fails(&["piece", "K", "--codes", "usi"], 2, &["usi", "native, atsa, jh85"]);
    fails(&["piece"], 2, &["CODE"]);
}
