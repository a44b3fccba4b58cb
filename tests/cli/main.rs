//! The command line as a user meets it: answers on standard output alone, one-line errors, exit codes.

#![allow(clippy::unwrap_used, clippy::panic)]

#[cfg(feature = "benches")]
mod bench;
#[path = "../common/mod.rs"]
mod common;
mod crane;
#[cfg(unix)]
mod doctor;
mod events;
#[cfg(feature = "film")]
mod film;
#[cfg(unix)]
mod history;
#[cfg(unix)]
mod journal;
mod lenient;
mod messages;
mod methods;
mod scan;
mod show;
#[cfg(unix)]
mod signals;
mod tables;
#[cfg(target_os = "linux")]
mod terminal;
mod wishes;

use assert_cmd::Command;
use cranecuber::cube::{Order, State, parse_moves, random_turns};
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const SUPERFLIP: &str = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB";

/// One R sticker is a U one.
const IMPOSSIBLE_4X4X4: &str = concat!(
    "UUUUUUUUUUUUUUUURRRRRRRRRRRRRRRU",
    "FFFFFFFFFFFFFFFFDDDDDDDDDDDDDDDDLLLLLLLLLLLLLLLLBBBBBBBBBBBBBBBB"
);

fn tables() -> &'static str {
    concat!(env!("CARGO_TARGET_TMPDIR"), "/tables")
}

fn cranecuber() -> Command {
    with_tables(tables())
}

fn with_tables(folder: impl AsRef<std::path::Path>) -> Command {
    let mut command = program();
    command.arg("--tables").arg(folder.as_ref());
    command
}

/// A home folder of the tests' own.
fn own_home() -> [(&'static str, &'static str); 2] {
    let home = concat!(env!("CARGO_TARGET_TMPDIR"), "/nobody");
    [("HOME", home), ("XDG_DATA_HOME", home)]
}

/// The program, for whom there is nothing but what a test names.
fn program() -> Command {
    let mut command = Command::cargo_bin("cranecuber").unwrap();
    command.envs(own_home()).env_remove("CRANECUBER_TABLES");
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
fn moves_make_a_state_are_verified_and_become_fewer() {
    let mut reached = State::solved(4);
    reached.do_moves(&parse_moves(4, "R 2U2 Fw'").unwrap());
    let text = reached.format(Order::Urfdlb);
    let state = |command: &mut Command| {
        command
            .args(["state", "--size", "4", "-"])
            .write_stdin("R 2U2 Fw'\n")
            .assert()
    };
    state(&mut cranecuber()).success().stdout(format!("{text}\n"));
    let verify = |moves: &str| cranecuber().args(["-q", "verify", &text, moves]).assert();
    verify("Fw 2U2 R'").success().stdout("").stderr("");
    let mut after = reached;
    after.do_moves(&parse_moves(4, "R'").unwrap());
    verify("R'")
        .code(1)
        .stdout(format!("{}\n", after.format(Order::Urfdlb)))
        .stderr("cranecuber: these moves do not solve it\n");
    let answer = json(cranecuber().args(["simplify", "R U D' U' D R2 x F"]));
    assert_eq!(answer["moves"], "R' D");
    assert_eq!((&answer["turns"], &answer["turns_before"]), (&2.into(), &7.into()));
    let most_of_a_loop = "R U R' U' R U R' U' R U R' U' R U R' U' R U";
    let answer = json(cranecuber().args(["simplify", "--deep", most_of_a_loop]));
    assert_eq!(answer["moves"], "U R U' R' U R");
    for (field, turns) in [("turns", 6), ("turns_plain", 18), ("turns_before", 18)] {
        assert_eq!(answer[field], turns);
    }
    cranecuber()
        .args(["simplify", "--size", "4", "--deep", "R D' U F F' U'"])
        .assert()
        .success()
        .stdout("R D'\n")
        .stderr(contains("6 turns before, 2 without --deep, 2 now"));
    cranecuber()
        .args(["simplify", "R Q"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains("Q"));
}

#[test]
fn a_seed_gives_the_same_scrambles_and_each_makes_its_state() {
    for size in ["2", "3", "5"] {
        let scramble = |more: &[&str]| {
            let scramble = ["-q", "scramble", "--size", size, "--count", "3", "--seed", "8"];
            let output = cranecuber().args(scramble).args(more).assert().success();
            String::from_utf8(output.get_output().stdout.clone()).unwrap()
        };
        let plain = scramble(&[]);
        assert_eq!(plain, scramble(&[]));
        let lines: Vec<&str> = plain.lines().collect();
        assert!(lines.len() == 3 && lines[0] != lines[1]);
        for (line, answer) in lines.iter().zip(scramble(&["--json"]).lines()) {
            let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
            let n = size.parse().unwrap();
            let mut cube = State::solved(n);
            cube.do_moves(&parse_moves(n, line).unwrap());
            assert_eq!(
                (&answer["moves"], &answer["state"]),
                (&(*line).into(), &cube.to_string().into())
            );
        }
    }
}

#[test]
fn solve_takes_a_scramble_and_makes_a_state() {
    cranecuber()
        .args(["-q", "solve", "--scramble", "R U2"])
        .assert()
        .success()
        .stdout("U2 R'\n");
    cranecuber()
        .args(["-q", "solve", "--generator", "--scramble", "R U2"])
        .assert()
        .success()
        .stdout("R U2\n");
    let answer = json(cranecuber().args(["solve", "--effort", "quick", "--generator", SUPERFLIP]));
    let mut cube = State::solved(3);
    cube.do_moves(&parse_moves(3, answer["generator"].as_str().unwrap()).unwrap());
    assert_eq!(cube.to_string(), SUPERFLIP);
    cranecuber().args(["solve"]).assert().code(2).stdout("");
    cranecuber()
        .args(["solve", "--scramble", "R", SUPERFLIP])
        .assert()
        .code(2)
        .stdout("");
}

#[test]
fn a_list_is_solved_line_by_line_and_wrong_lines_are_named() {
    let list = format!("# two cubes\n{SUPERFLIP}\n\nUUUURRRRFFFFDDDDLLLLBBBB\nnonsense\n{IMPOSSIBLE_4X4X4}\n");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list");
    std::fs::write(&file, &list).unwrap();
    let quick = ["-q", "solve", "--effort", "quick"];
    let by_file = cranecuber().args(quick).arg(&file).assert().code(1);
    let by_stdin = cranecuber().args(quick).arg("-").write_stdin(list).assert().code(1);
    let output = by_file.get_output();
    assert_eq!(output, by_stdin.get_output());
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "cranecuber: 2 of 4 states are not solved\n"
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6);
    assert_eq!([lines[0], lines[2], lines[3]], ["# two cubes", "", ""]);
    let mut cube = State::parse(SUPERFLIP, Order::Urfdlb).unwrap();
    cube.do_moves(&parse_moves(3, lines[1]).unwrap());
    assert!(cube.is_solved());
    assert!(
        lines[4].starts_with("# line 5: ") && lines[5].starts_with("# line 6: "),
        "{text}"
    );
    let answers = cranecuber().args(quick).arg(&file).arg("--json").assert().code(1);
    let answers = String::from_utf8_lossy(&answers.get_output().stdout).into_owned();
    let answers: Vec<serde_json::Value> = answers
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let places: Vec<&serde_json::Value> = answers.iter().map(|answer| &answer["line"]).collect();
    assert_eq!(places, [2, 4, 5, 6]);
    assert!(answers[0]["solution"] == lines[1] && answers[2]["error"].is_string());
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
fn streamed_turns_of_a_small_cube_come_in_one_line() {
    streamed(SUPERFLIP, 3, 1..=1);
}

#[test]
fn streamed_turns_of_a_4x4x4_come_in_lines_that_together_solve() {
    let mut state = State::solved(4);
    state.turn_all(&random_turns(4, 80, &mut ChaCha8Rng::seed_from_u64(9)));
    streamed(&state.format(Order::Urfdlb), 4, 2..=4);
}

#[test]
#[ignore = "builds the tables of a 5x5x5"]
fn streamed_turns_of_a_large_cube_come_in_lines_that_together_solve() {
    let mut state = State::solved(6);
    state.turn_all(&random_turns(6, 120, &mut ChaCha8Rng::seed_from_u64(9)));
    streamed(&state.format(Order::Urfdlb), 6, 5..=20);
}

fn streamed(letters: &str, n: usize, lines: std::ops::RangeInclusive<usize>) {
    let mut command = cranecuber();
    command.args(["-q", "solve", "--stream", "--effort", "quick", letters]);
    let output = command.assert().success().stderr("").get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    assert!(lines.contains(&text.lines().count()), "{text}");
    let mut state = State::parse(letters, Order::Urfdlb).unwrap();
    for line in text.lines() {
        assert!(!state.is_solved() && !line.is_empty(), "{text}");
        state.do_moves(&parse_moves(n, line).unwrap());
    }
    assert!(state.is_solved(), "{text}");
}

#[test]
fn without_a_brick_the_missing_device_is_named() {
    let missing = contains("no motor at outA").and(contains("--sim"));
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
    for command in ["run", "scan", "solve", "stats", "turn", "tables", "bench"] {
        cranecuber()
            .args([command, "--help"])
            .assert()
            .success()
            .stdout(contains("Usage: cranecuber"));
    }
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
    let far = cranecuber()
        .args(["solve", "--time-limit", "1e19", "UUUURRRRFFFFDDDDLLLLBBBB"])
        .assert()
        .code(0);
    far.stdout("\n");
    cranecuber()
        .args(["bench", "solve", "--states", "-"])
        .write_stdin("UUUURRRRFFFFDDDDLLLLBBBB\r\nUUUFRRRRUFFFDDDDLLLLBBBB\r\n")
        .assert()
        .code(1)
        .stdout(is_empty())
        .stderr(contains("line 2: no cube can have this state"));
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
        (4, vec!["--size", "4", "--seed", "3"]),
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

#[cfg(target_os = "linux")]
#[test]
fn a_camera_that_is_none_is_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let camera = |args: &[&str]| {
        let mut command = cranecuber();
        command
            .arg("camera")
            .args(args)
            .arg("--save")
            .arg(folder.path())
            .assert()
    };
    camera(&["--device", "/dev/null"])
        .code(1)
        .stdout(is_empty())
        .stderr("cranecuber: camera at /dev/null failed: it gives neither YUYV nor JPEG pictures of 160x120 or more\n");
    camera(&["--name", "../F"])
        .code(2)
        .stdout(is_empty())
        .stderr(contains("a picture cannot be called '../F'"));
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
}

#[test]
fn photos_take_the_place_of_the_simulated_camera() {
    let Some(data) = common::data("photos_take_the_place_of_the_simulated_camera") else {
        return;
    };
    let photos = data.join("photos/2x2x2-random-01");
    let answer = json(cranecuber().args(["run", "--sim", "--photos"]).arg(&photos));
    assert_eq!(answer["solved"], true);
    // Photos that leave a doubt are not turned by, but read: the answer is right, and which photos would help is said.
    let photos = data.join("photos/3x3x3-random-01");
    let mut run = cranecuber();
    run.args(["-q", "run", "--sim", "--photos"]).arg(&photos);
    let doubt =
        predicate::str::is_match("^cranecuber: not sure which cube this is .*: U6 .*F2 F4 .*F8 .*may have").unwrap();
    run.assert().code(3).stdout(is_empty()).stderr(doubt);
}

#[test]
fn photos_of_the_same_side_cut_photos_and_other_sizes_are_named() {
    let Some(data) = common::data("photos_of_the_same_side_cut_photos_and_other_sizes_are_named") else {
        return;
    };
    let photos = data.join("photos/2x2x2-random-01");
    let folder = tempfile::tempdir().unwrap();
    for side in ["U", "L", "F", "R", "B", "D"] {
        std::fs::copy(
            photos.join(format!("{side}.jpg")),
            folder.path().join(format!("{side}.jpg")),
        )
        .unwrap();
    }
    let scan = |message: &str| {
        let mut command = cranecuber();
        command.args(["-q", "scan", "--photos"]).arg(folder.path());
        command.assert().code(1).stdout(is_empty()).stderr(contains(message));
    };
    let of = |side: &str| folder.path().join(format!("{side}.jpg"));
    std::fs::copy(photos.join("U.jpg"), of("R")).unwrap();
    scan("the photos of U and R are the same");
    let whole = std::fs::read(photos.join("R.jpg")).unwrap();
    std::fs::write(of("R"), &whole[..3000]).unwrap();
    scan("R.jpg: it is cut off");
    std::fs::copy(photos.join("R.jpg"), of("r-90")).unwrap();
    scan("there are two photos of side R, ");
    std::fs::remove_file(of("r-90")).unwrap();
    std::fs::remove_file(of("R")).unwrap();
    scan("no photo of side R in");
    std::fs::write(of("R"), "not a picture").unwrap();
    scan("neither JPEG nor PNG");
    let mut run = cranecuber();
    run.args(["run", "--sim", "--size", "3", "--photos"]).arg(&photos);
    run.assert()
        .code(1)
        .stderr(contains("the pictures show a 2x2x2, but --size says 3"));
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

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_does_not_hinder_solving() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let program = assert_cmd::cargo::cargo_bin!("cranecuber");
    let solve = |state: &str, out: std::fs::File, err: std::process::Stdio| {
        let mut command = std::process::Command::new(program);
        command
            .envs(own_home())
            .args(["--tables", tables(), "solve", state])
            .stdout(out)
            .stderr(err);
        command.output().unwrap()
    };
    let output = solve("DURLBLFFUUDDBRFLRBRLFBDU", full(), std::process::Stdio::piped());
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let last = said.lines().last().unwrap();
    assert!(
        last.contains("cannot write the answer") && last.ends_with("; make room there, or name another place"),
        "{said}"
    );
    assert_eq!(solve("nonsense", full(), full().into()).status.code(), Some(2));
    // A folder that cannot be: tables are used from memory.
    with_tables("/dev/null/tables")
        .args(["solve", "DURLBLFFUUDDBRFLRBRLFBDU"])
        .assert()
        .success()
        .stderr(contains("cannot write tables to /dev/null/tables").and(contains("from memory")));
}
