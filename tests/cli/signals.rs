//! Interruptions: what was found is still said, nothing half-made stays behind.

// The crane that outlives a program is what `bench resume` has.
#[cfg(feature = "benches")]
mod driven;
#[cfg(all(target_os = "linux", feature = "benches"))]
mod guarded;

use super::*;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn start(arguments: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("cranecuber"))
        .args(arguments)
        .envs(own_home())
        .env_remove("CRANECUBER_TABLES")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn send(signal: &str, child: &Child) {
    let done = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(done.success());
}

/// Signals after a while, and waits for the end.
fn interrupt(arguments: &[&str], after: Duration, signal: &str) -> Output {
    let child = start(arguments);
    std::thread::sleep(after);
    send(signal, &child);
    let began = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(began.elapsed() < Duration::from_secs(20), "{arguments:?}");
    output
}

#[test]
fn an_interrupted_search_returns_the_best_so_far() {
    // Tables first, so that the signal meets the search.
    cranecuber().args(["tables", "build", "--size", "3"]).assert().success();
    for signal in ["-INT", "-TERM"] {
        let arguments = ["--tables", tables(), "solve", "--effort", "best", SUPERFLIP];
        let output = interrupt(&arguments, Duration::from_millis(150), signal);
        let text = String::from_utf8_lossy(&output.stdout);
        match output.status.code() {
            Some(0) => assert!(text.split_whitespace().count() >= 20, "{text}"),
            code => {
                assert_eq!((code, &*text), (Some(1), ""));
                let why = String::from_utf8_lossy(&output.stderr);
                assert!(why.ends_with("interrupted before there was a solution\n"), "{why}");
            }
        }
    }
}

#[test]
fn an_interrupted_build_leaves_no_half_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    interrupt(
        &["--tables", path, "tables", "build"],
        Duration::from_millis(60),
        "-INT",
    );
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(name.ends_with(".table"), "{name}");
    }
    with_tables(path)
        .args(["tables", "build", "--size", "3"])
        .assert()
        .success();
}

#[test]
fn a_long_build_ends_soon() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let arguments = ["--tables", path, "tables", "build", "--size", "4"];
    let output = interrupt(&arguments, Duration::from_millis(1500), "-INT");
    assert_eq!(output.status.code(), Some(1));
    let why = String::from_utf8_lossy(&output.stderr);
    assert!(why.contains("interrupted while building table"), "{why}");
    assert!(!folder.path().join("4x4x4-3-pairs.table").exists());
}

#[test]
fn an_interrupted_bench_prints_what_it_has() {
    cranecuber().args(["tables", "build", "--size", "3"]).assert().success();
    let folder = tempfile::tempdir().unwrap();
    let states = folder.path().join("states.txt");
    std::fs::write(&states, format!("{SUPERFLIP}\n").repeat(2000)).unwrap();
    let all = [
        vec!["solve", "--states", states.to_str().unwrap(), "--effort", "quick"],
        vec!["vision", "--cubes", "100000", "--size", "2"],
        vec!["crane", "--sequences", "100000"],
        vec!["faults", "--solves", "100000"],
        vec!["resume", "--kills", "100000"],
    ];
    for bench in all {
        let mut arguments = vec!["-q", "--json", "--tables", tables(), "bench"];
        arguments.extend(&bench);
        // On a machine with much else to do the first may take its time.
        let figures = [1, 4, 16].into_iter().find_map(|seconds| {
            let output = interrupt(&arguments, Duration::from_secs(seconds), "-INT");
            assert_eq!(output.status.code(), Some(1), "{bench:?}");
            // Before the work begins it ends without a word.
            let said: serde_json::Value = serde_json::from_slice(&output.stderr).ok()?;
            assert!(said["message"].as_str().unwrap().starts_with("interrupted"), "{said}");
            let figures: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
            // One kind of figures, or a list of them.
            let figures = figures.get(0).unwrap_or(&figures);
            let counted = ["states", "cubes", "sequences", "solves", "jobs"];
            counted
                .iter()
                .find_map(|name| figures[name].as_u64())
                .filter(|&count| count > 0)
        });
        assert!(figures.is_some_and(|count| count <= 100_000), "{bench:?}");
    }
}

#[test]
fn waiting_for_input_ends_at_once() {
    let output = interrupt(&["solve", "-"], Duration::from_millis(100), "-TERM");
    assert!(!output.status.success() && output.stdout.is_empty());
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = start(&["--tables", tables(), "solve", "DURLBLFFUUDDBRFLRBRLFBDU"]);
    drop(child.stdout.take());
    assert!(child.wait_with_output().unwrap().status.success());
}

#[test]
fn jobs_that_are_killed_at_random_moments_end_solved_when_they_are_resumed() {
    for seed in ["101", "102"] {
        let arguments = [
            "-q",
            "bench",
            "resume",
            "--kills",
            "60",
            "--processes",
            "3",
            "--seed",
            seed,
        ];
        let output = cranecuber().args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}");
        assert!(text.contains("turn: "), "{text}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert!(text.contains("by the guard") && !text.contains(" 0 times by"), "{text}");
    }
}

#[test]
fn there_is_nothing_to_resume_without_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none");
    let arguments = [
        "run",
        "--sim",
        "--size",
        "2",
        "--resume",
        "--journal",
        path.to_str().unwrap(),
    ];
    let output = cranecuber().args(arguments).output().unwrap();
    let why = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(why.contains("there is no unfinished job to go on with"), "{why}");
}
