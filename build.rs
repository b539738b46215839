//! Tells the program the commit it is built from, for the header of training data. Only in optimised builds, so that a commit
//! does not make the tests build again; in others, and without git, the commit is unknown.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=KYOKUMEN_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    let is_given = std::env::var_os("KYOKUMEN_COMMIT").is_some();
    if is_given || std::env::var("PROFILE").as_deref() != Ok("release") {
        return;
    }
    let Some(head) = git(&["rev-parse", "--git-path", "HEAD"]) else { return };
    for path in ["src", "Cargo.toml", "Cargo.lock", &head] {
        println!("cargo::rerun-if-changed={path}");
    }
    if let Some(branch) = git(&["symbolic-ref", "--quiet", "HEAD"])
        && let Some(path) = git(&["rev-parse", "--git-path", &branch])
    {
        println!("cargo::rerun-if-changed={path}");
    }
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else { return };
    let changes = ["status", "--porcelain", "--untracked-files=no", "--", "src", "Cargo.lock"];
    let mark = if git(&changes).is_some() { "-dirty" } else { "" };
    println!("cargo::rustc-env=KYOKUMEN_COMMIT={commit}{mark}");
}

/// What git says, without the line's end; `None` if it fails or says nothing.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
