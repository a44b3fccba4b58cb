//! `tables learn`: what it does to a folder. How guides learn is tested where it is written.

#![allow(clippy::unwrap_used, reason = "a test ends where something is not as expected")]

use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;

fn learn(into: &Path) -> Command {
    let mut command = Command::cargo_bin("cranecuber").unwrap();
    command
        .args(["-q", "tables", "learn", "--size", "6", "--exam", "1", "--into"])
        .arg(into);
    command
}

/// A round that takes a second.
const LITTLE: [&str; 2] = ["--more", "16x10"];

#[test]
fn a_guide_that_does_not_lead_better_than_before_is_not_kept_and_the_folder_stays_empty_but_for_its_lock() {
    let folder = tempfile::tempdir().unwrap();
    let output = learn(folder.path()).args(LITTLE).arg("--json").assert().success();
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let reports: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(reports.len(), 3, "{text}");
    let files: Vec<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let manifest = std::fs::read_to_string(folder.path().join("manifest.toml")).unwrap_or_default();
    for report in reports {
        let name = report["name"].as_str().unwrap();
        let kept = report["kept"].as_bool().unwrap();
        assert_eq!(report["saved"].as_i64().unwrap() > 0, kept, "{report}");
        assert_eq!(files.contains(&format!("{name}.weights.gz")), kept, "{files:?}");
        assert_eq!(manifest.contains(name), kept, "{manifest}");
        assert!(report["turns"].as_f64().unwrap() > 5.0);
    }
    assert!(!files.iter().any(|file| file.ends_with(".notes")), "{files:?}");
    // Where a guide was kept, the next lesson goes on from it.
    learn(folder.path()).args(LITTLE).assert().success();
}

#[test]
fn files_that_are_not_ours_stay_as_they_are() {
    for (name, why) in [
        ("manifest.toml", "is not ours and stays as it is"),
        ("6x6x6-2-guide.weights.gz", "is not named in"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, "a letter to my aunt").unwrap();
        let said = predicate::str::contains(why);
        learn(folder.path())
            .args(LITTLE)
            .assert()
            .code(1)
            .stdout("")
            .stderr(said);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a letter to my aunt");
    }
}

#[test]
fn notes_that_are_none_are_named_before_anything_is_learned() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("6x6x6-1-guide.notes");
    std::fs::write(&path, "{}\n").unwrap();
    let said = predicate::str::contains("are no notes of this program");
    learn(folder.path())
        .args(LITTLE)
        .assert()
        .code(1)
        .stdout("")
        .stderr(said);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}\n");
}

#[test]
fn wrong_arguments_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for more in ["800", "0x10", "16x1", "x", "16x-3", "1e3x10"] {
        let said = predicate::str::contains("takes two numbers, as 800x1000");
        learn(folder.path())
            .arg(format!("--more={more}"))
            .assert()
            .code(2)
            .stdout("")
            .stderr(said);
    }
    let nowhere = folder.path().join("file");
    std::fs::write(&nowhere, "").unwrap();
    learn(&nowhere)
        .assert()
        .code(1)
        .stdout("")
        .stderr(predicate::str::contains("cannot make"));
}
