//! The small programs of `examples/` do what they say.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::process::Command;

use cranecuber::cube::State;

/// What an example prints, line by line; `None` where only this test was built, and no examples.
fn output(test: &str, name: &str, arguments: &[&str]) -> Option<Vec<String>> {
    let tests = std::env::current_exe().unwrap();
    let program = tests
        .parent()
        .and_then(Path::parent)
        .unwrap()
        .join("examples")
        .join(name);
    if !program.exists() {
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "{test}: no {}",
            program.display()
        );
        eprintln!("skipped: {test} (no {}: cargo test builds it)", program.display());
        return None;
    }
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(
        output.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(
        String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(String::from)
            .collect(),
    )
}

#[test]
fn a_scramble_is_solved() {
    let said = output("a_scramble_is_solved", "solve_scramble", &["4", "Rw U2 x"]);
    assert!(said.is_none_or(|said| said == ["2 turns: B2 Rw'"]));
}

#[test]
fn a_machine_of_ones_own_turns_its_cube() {
    for moves in ["R U2 F'", "L D B2 U' R2 F", ""] {
        let said = output("a_machine_of_ones_own_turns_its_cube", "own_machine", &[moves]);
        let last = said.map(|said| said.last().cloned().unwrap());
        assert!(
            last.is_none_or(|last| last == "the cube is turned as wanted"),
            "{moves}"
        );
    }
}

#[test]
fn six_photos_are_read() {
    let test = "six_photos_are_read";
    let Some(data) = common::data(test) else { return };
    let photos = data.join("photos/7x7x7-random-01");
    let Some(said) = output(test, "read_photos", &[photos.to_str().unwrap()]) else {
        return;
    };
    let seen: State = said.concat().parse().unwrap();
    let answer: State = std::fs::read_to_string(photos.join("state.txt"))
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(seen, answer);
}

#[test]
fn turns_are_planned_for_the_crane_of_a_file() {
    let test = "turns_are_planned_for_the_crane_of_a_file";
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/calibration/robot.toml");
    for arguments in [&["3", "R U2 F'"][..], &["3", "R U2 F'", file]] {
        let Some(said) = output(test, "plan_for_crane", arguments) else {
            return;
        };
        let turns = said.iter().filter(|line| line.starts_with("turn ")).count();
        assert!(turns == 3 && said.last().unwrap().ends_with(" s"), "{said:?}");
    }
}
