//! The command line as a user meets it: answers on standard output alone, one-line errors, exit codes.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};

const SUPERFLIP: &str = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB";

fn tables() -> &'static str {
    concat!(env!("CARGO_TARGET_TMPDIR"), "/tables")
}

fn cranecuber() -> Command {
    let mut command = Command::cargo_bin("cranecuber").unwrap();
    command.args(["--tables", tables()]);
    command
}

fn json(command: &mut Command) -> serde_json::Value {
    let output = command.arg("--json").assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

#[test]
fn solve_prints_the_turns_and_nothing_else() {
    let mut command = cranecuber();
    command.args(["solve", "DURLBLFFUUDDBRFLRBRLFBDU"]);
    command
        .assert()
        .success()
        .stdout(predicate::str::is_match("^([URF][2']? ?){1,11}\n$").unwrap());
    cranecuber()
        .args(["-q", "solve", "-"])
        .write_stdin(" UUUURRRRFFFFDDDDLLLLBBBB\n")
        .assert()
        .success()
        .stdout("\n")
        .stderr("");
}

#[test]
fn solve_takes_the_faces_in_the_other_order() {
    let answer = json(cranecuber().args(["solve", "--order", "ULFRBD", "UUUUFFLLRRFFBBRRLLBBDDDD"]));
    assert_eq!(answer["turns"], 1);
    assert_eq!(answer["solution"], "U'");
}

#[test]
fn solve_as_json_has_the_promised_fields() {
    let answer = json(cranecuber().args(["solve", "--effort", "quick", SUPERFLIP]));
    assert_eq!(answer["size"], 3);
    let turns = answer["solution"].as_str().unwrap().split(' ').count();
    assert_eq!(answer["turns"], turns);
    assert!(answer["nodes"].as_u64().unwrap() > 0 && answer["seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn bad_usage_is_exit_code_2_and_one_line() {
    for (arguments, message) in [
        (
            vec!["solve", "UUU"],
            "cranecuber: 3 letters: a state has six faces of NxN",
        ),
        (vec!["solve", "XUUURRRRFFFFDDDDLLLLBBBB"], "'X' in place 1"),
        (
            vec!["solve", "--time-limit=-1", SUPERFLIP],
            "--time-limit takes a number of seconds",
        ),
        (vec!["turn", "--sim", "R Q"], "'Q' is not a move"),
        (vec!["turn", "--sim", "3Rw"], "'3Rw' needs more layers than a 3x3x3 has"),
        (vec!["run", "--sim", "--scramble", "M5"], "'M5' is not a move"),
        (
            vec!["tables", "list", "--size", "11"],
            "there are no tables for size 11",
        ),
    ] {
        let assert = cranecuber()
            .args(&arguments)
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(contains(message));
        assert_eq!(
            String::from_utf8_lossy(&assert.get_output().stderr).lines().count(),
            1,
            "{arguments:?}"
        );
    }
    for arguments in [
        vec!["solve"],
        vec!["nonsense"],
        vec!["run", "--seed", "1"],
        vec!["solve", "--effort", "huge", "U"],
    ] {
        cranecuber().args(&arguments).assert().code(2).stdout(is_empty());
    }
}

#[test]
fn failures_are_exit_code_1_and_one_line() {
    let flipped = "UUUUUUUFURRRRRRRRRFUFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    for (arguments, message) in [
        (
            vec!["solve", flipped],
            "no cube can have this state: one edge is flipped in its place",
        ),
        (vec!["solve", "--time-limit", "0", SUPERFLIP], "no solution within"),
        (vec!["scan", "--photos", "/nowhere"], "/nowhere"),
        (vec!["bench", "solve", "--states", "/nowhere"], "cannot read /nowhere"),
        (vec!["run", "--sim", "--calibration", "/nowhere.toml"], "/nowhere.toml"),
    ] {
        let assert = cranecuber()
            .arg("-q")
            .args(&arguments)
            .assert()
            .code(1)
            .stdout(is_empty())
            .stderr(contains(message));
        assert_eq!(
            String::from_utf8_lossy(&assert.get_output().stderr).lines().count(),
            1,
            "{arguments:?}"
        );
    }
}

#[test]
fn without_a_brick_the_missing_device_is_named() {
    let missing = contains("no ").and(contains("--sim"));
    cranecuber()
        .arg("run")
        .assert()
        .code(1)
        .stdout(is_empty())
        .stderr(missing);
}

#[test]
fn help_teaches_and_goes_to_standard_output() {
    cranecuber()
        .arg("--help")
        .assert()
        .success()
        .stdout(contains("Examples:"))
        .stderr(is_empty());
    for command in ["run", "scan", "solve", "turn", "tables", "bench"] {
        cranecuber()
            .args([command, "--help"])
            .assert()
            .success()
            .stdout(contains("Usage: cranecuber"));
    }
}

#[test]
fn tables_are_built_listed_and_verified_and_damage_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let tables = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("cranecuber").unwrap();
        command.arg("--tables").arg(folder.path()).arg("tables").args(arguments);
        command
    };
    tables(&["verify"])
        .assert()
        .code(1)
        .stdout(contains("missing"))
        .stderr(contains("6 of 6 tables are missing or bad"));
    tables(&["list"]).assert().success();
    tables(&["build", "--size", "3"])
        .assert()
        .success()
        .stdout(contains("3x3x3-1-twist-slice").and(contains("good")));
    let rows = json(&mut tables(&["build"]));
    let bytes: u64 = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["bytes"].as_u64().unwrap())
        .sum();
    assert!(bytes <= 3_000_000, "tables for 2 and 3 take {bytes} bytes");
    tables(&["verify"]).assert().success();
    let path = folder.path().join("3x3x3-1-flip-slice.table");
    let mut whole = std::fs::read(&path).unwrap();
    whole[5000] ^= 1;
    std::fs::write(&path, &whole).unwrap();
    tables(&["verify"]).assert().code(1).stderr(contains("is damaged"));
    let mut solve = Command::cargo_bin("cranecuber").unwrap();
    solve
        .arg("--tables")
        .arg(folder.path())
        .args(["solve", "--effort", "quick", SUPERFLIP]);
    solve
        .assert()
        .success()
        .stderr(contains("is damaged").and(contains("building it again")));
    tables(&["verify"]).assert().success();
}

#[test]
fn bench_solve_gives_every_figure() {
    let states = "UUUURRRRFFFFDDDDLLLLBBBB\nDURLBLFFUUDDBRFLRBRLFBDU\n\nDLRRFULLDUBFDURDBFBRBLFU\n";
    let mut command = cranecuber();
    let answer = json(command.args(["bench", "solve", "--states", "-"]).write_stdin(states));
    let figures = &answer[0];
    assert_eq!(
        (figures["size"].as_u64(), figures["states"].as_u64()),
        (Some(2), Some(3))
    );
    for (group, names) in [
        ("turns", vec!["average", "min", "max"]),
        ("nodes", vec!["average", "min", "max"]),
        ("seconds", vec!["average", "median", "p95", "max"]),
    ] {
        for name in names {
            assert!(figures[group][name].is_number(), "{group} {name}");
        }
    }
    cranecuber()
        .args(["bench", "solve", "--states", "-"])
        .write_stdin("UUU\n")
        .assert()
        .code(1)
        .stderr(contains("line 1"));
}

#[test]
fn a_simulated_job_ends_with_the_virtual_cube_solved() {
    for (size, arguments) in [
        (2, vec!["--size", "2", "--seed", "5"]),
        (3, vec!["--scramble", "R U2 F' M x"]),
        (3, vec!["--seed", "9"]),
    ] {
        let answer = json(
            cranecuber()
                .args(["run", "--sim", "--effort", "quick"])
                .args(&arguments),
        );
        assert_eq!(answer["size"], size);
        assert_eq!(answer["solved"], true, "{arguments:?}");
        assert!(answer["crane_seconds"].as_f64().unwrap() > answer["planned_seconds"].as_f64().unwrap());
    }
}

#[test]
fn photos_take_the_place_of_the_simulated_camera() {
    let Some(data) = common::data("photos_take_the_place_of_the_simulated_camera") else {
        return;
    };
    let photos = data.join("photos/3x3x3-random-01");
    let answer = json(cranecuber().args(["run", "--sim", "--photos"]).arg(&photos));
    let state = std::fs::read_to_string(photos.join("state.txt")).unwrap();
    assert_eq!(answer["state"], state.trim());
    assert_eq!(answer["solved"], true);
    let scanned = cranecuber().args(["scan", "--photos"]).arg(&photos).assert().success();
    assert_eq!(
        String::from_utf8_lossy(&scanned.get_output().stdout),
        format!("{}\n", state.trim())
    );
}

#[test]
fn turn_says_what_the_crane_does() {
    let planned = json(cranecuber().args(["turn", "--plan", "R U2 F' M"]));
    assert_eq!(
        (planned["turns"].as_u64(), planned["performed"].as_bool()),
        (Some(5), Some(false))
    );
    let done = json(cranecuber().args(["turn", "--sim", "--size", "5", "3Rw U2"]));
    assert_eq!(done["performed"], true);
    assert!(done["planned_seconds"].as_f64().unwrap() > 1.0);
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_returns_its_best_and_a_closed_pipe_is_no_failure() {
    use std::process::Stdio;
    let program = assert_cmd::cargo::cargo_bin("cranecuber");
    let mut child = std::process::Command::new(&program)
        .args(["--tables", tables(), "solve", "--effort", "best", SUPERFLIP])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}
