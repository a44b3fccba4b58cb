//! What is said when something is wrong: in one line, by exit code, as JSON where answers are.

use super::*;

/// The last line on standard error as JSON.
pub fn complaint(command: &mut Command, code: i32) -> serde_json::Value {
    let output = command.arg("--json").assert().code(code).get_output().stderr.clone();
    let text = String::from_utf8(output).unwrap();
    let value: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(value["exit_code"], code, "{text}");
    value
}

#[test]
fn under_json_errors_are_json_on_standard_error() {
    for (arguments, code, kind, message) in [
        (
            vec!["solve", "UUU"],
            2,
            "usage",
            "3 letters: a state has six faces of NxN",
        ),
        (
            vec!["scan"],
            2,
            "usage",
            "the following required arguments were not provided: --photos <DIR>",
        ),
        (vec!["nonsense"], 2, "usage", "unrecognized subcommand 'nonsense'"),
        (vec![], 2, "usage", "'cranecuber' requires a subcommand"),
        (
            vec!["scan", "--photos", "/nowhere"],
            1,
            "failed",
            "cannot read the photo /nowhere",
        ),
        (
            vec!["solve", IMPOSSIBLE_4X4X4],
            1,
            "failed",
            "no cube can have this state",
        ),
    ] {
        let said = complaint(cranecuber().args(&arguments), code);
        assert_eq!(said["error"], kind);
        let text = said["message"].as_str().unwrap();
        assert!(text.starts_with(message) && !text.contains("Usage"), "{text}");
    }
    // What people ask for stays as people read it.
    let help = cranecuber().args(["solve", "--help", "--json"]).assert().success();
    help.stdout(contains("Usage: cranecuber solve")).stderr(is_empty());
}

#[test]
fn bad_usage_is_exit_code_2_and_one_line() {
    for (arguments, message) in [
        (
            vec!["solve", "UUU"],
            "cranecuber: 3 letters: a state has six faces of NxN",
        ),
        (vec!["solve", "XUUURRRRFFFFDDDDLLLLBBBB"], "'X' in place 1"),
        (vec!["solve", " "], "there is no state"),
        (vec!["solve", "U\u{1b}[31m"], "'\\u{1b}' in place 2"),
        (
            vec!["solve", "--time-limit=-1", SUPERFLIP],
            "--time-limit takes a number of seconds",
        ),
        (vec!["solve", "R U2 F'"], "these are moves, but a state is needed"),
        (vec!["solve", "RUR'U'"], "these are moves, but a state is needed"),
        (
            vec!["turn", "--sim", "DURLBLFFUUDDBRFLRBRLFBDU"],
            "this is a state, but moves are needed",
        ),
        (vec!["turn", "--sim", "U'Q"], "cranecuber: 'U'Q' is not a move"),
        (
            vec!["turn", "--sim", "(R U"],
            "cranecuber: character 1 of the moves has no partner",
        ),
        (vec!["run", "--sim", "--scramble", SUPERFLIP], "this is a state"),
        (vec!["turn", "--sim", "R Q"], "'Q' is not a move"),
        (vec!["turn", "--sim", "3Rw"], "'3Rw' needs more layers than a 3x3x3 has"),
        (vec!["run", "--sim", "--scramble", "M5"], "'M5' is not a move"),
        (
            vec!["tables", "list", "--size", "18"],
            "there are no tables for size 18",
        ),
        (
            vec!["solve", "--stream", "--json", SUPERFLIP],
            "--stream prints lines of turns; leave out --json",
        ),
    ] {
        one_line(&arguments, 2, message);
    }
    for arguments in [
        vec!["solve"],
        vec!["nonsense"],
        vec!["run", "--seed", "1"],
        vec!["scan", "--photos", ".", "--set", "X3=R"],
        vec!["scan", "--photos", ".", "--set", "F3=R,U1=pink"],
        vec!["solve", "--effort", "huge", "U"],
    ] {
        cranecuber().args(&arguments).assert().code(2).stdout(is_empty());
    }
}

#[test]
fn what_is_wanted_is_said_of_numbers_below_0() {
    for (arguments, wanted) in [
        (
            vec!["run", "--sim", "--seed", "-1"],
            "'-1' for '--seed <NUMBER>': give a whole number from 0",
        ),
        (vec!["run", "--size", "-1"], "'-1' for '--size <N>': a cube has 2 to"),
        (vec!["turn", "--size", "-1", "U"], "a cube has 2 to"),
        (vec!["mix", "--sim", "--seed", "-1"], "give a whole number from 0"),
        (vec!["tables", "list", "--size", "-1"], "a cube has 2 to"),
        (
            vec!["bench", "vision", "--cubes", "-1"],
            "give a whole number from 1 to 1000000",
        ),
        (vec!["bench", "crane", "--seed", "ten"], "give a whole number from 0"),
        (
            vec!["solve", "--time-limit", "-1", SUPERFLIP],
            "--time-limit takes a number of seconds",
        ),
        (vec!["solve", "--time-limit", "soon", SUPERFLIP], "give a number"),
    ] {
        cranecuber()
            .args(&arguments)
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(contains(wanted));
    }
}

#[test]
fn paragraphs_of_the_help_are_wrapped_once() {
    let help = cranecuber()
        .arg("--help")
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let help = String::from_utf8(help).unwrap();
    let paragraph = &help[help.find("States are written").unwrap()..];
    let lines: Vec<&str> = paragraph.trim().lines().collect();
    for pair in lines.windows(2) {
        let next = pair[1].split(' ').next().unwrap();
        assert!(pair[0].len() <= 100 && pair[0].len() + 1 + next.len() > 100, "{pair:?}");
    }
}

/// What goes wrong is said in one line, and nothing is answered.
pub fn one_line(arguments: &[&str], code: i32, message: &'static str) {
    let assert = cranecuber()
        .args(arguments)
        .assert()
        .code(code)
        .stdout(is_empty())
        .stderr(contains(message));
    let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(said.lines().count(), 1, "{arguments:?}");
}

#[test]
fn failures_are_exit_code_1_and_one_line() {
    // Without tables it would be told that there is no time to build them.
    cranecuber()
        .args(["-q", "tables", "build", "--size", "3"])
        .assert()
        .success();
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
        (vec!["turn", "--plan", "--size", "9", "U"], "9"),
        (
            vec!["solve", IMPOSSIBLE_4X4X4],
            "no cube can have this state: colour U is on 17 squares",
        ),
    ] {
        one_line(&[&["-q"], &arguments[..]].concat(), 1, message);
    }
}

#[test]
fn an_address_of_another_computer_is_no_place_for_the_page() {
    // An address that no computer has, which is kept for documents.
    let said = cranecuber().args(["serve", "--listen", "192.0.2.1"]).assert().code(1);
    let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
    assert!(
        said.lines().count() == 1 && said.ends_with("; --listen 0.0.0.0 takes every address of this computer\n"),
        "{said}"
    );
}
