//! Faults of the system at every call of a job in turn: each job ends solved, or parked with a named error. `strace` makes the k-th call
//! of a kind fail; what cuts reads and writes short and lets the clock jump is `short.c`, loaded into the program.
//!
//! A plain `cargo test` tries some of the calls, `.ci/run` all. The machine is in this process, so that it is judged by itself and outlives
//! a program that dies.

#![cfg(all(target_os = "linux", target_arch = "x86_64", feature = "benches"))]
#![allow(clippy::unwrap_used, clippy::panic)]

mod calls;
mod turning;

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use calls::{Call, calls_of};

const PROGRAM: &str = env!("CARGO_BIN_EXE_cranecuber");
const TABLES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/tables");
/// A job that takes a tenth of a second has hung by then, however busy the machine is.
const HANGS: Duration = Duration::from_secs(60);

/// How a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// As if nothing had happened.
    Solved,
    /// With an error in one line; a machine is parked, or the line says that the cube is still up.
    Named,
    /// The program died by a signal of its own because the system had no memory or thread for it, its guard parked the machine, and the next
    /// one solved the cube.
    Guarded,
    /// The same before there was a guard, or anything to guard.
    Resumed,
}

/// One call of so many is tried: all with `CRANECUBER_TESTS=all`, as in `.ci/run`, else few.
fn one_of(few: usize) -> usize {
    let all = std::env::var("CRANECUBER_TESTS").is_ok_and(|tests| tests == "all");
    if all { 1 } else { few }
}

/// Whether a tool answers; without it a test says by name that it is skipped, and with `CI=true` it fails.
fn has(test: &str, tool: &str, args: &[&str]) -> bool {
    let works = Command::new(tool).args(args).output().is_ok_and(|o| o.status.success());
    assert!(
        works || std::env::var("CI").as_deref() != Ok("true"),
        "{test}: no {tool}"
    );
    if !works {
        eprintln!("skipped: {test} (no {tool})");
    }
    works
}

/// `strace` with a fault for a program and its threads; its own words go to a file.
fn strace(log: &Path, call: Option<&Call>) -> Command {
    let mut command = Command::new("strace");
    command.process_group(0).env("RUST_BACKTRACE", "0");
    command.args(["-f", "-qq", "-o"]).arg(log);
    if let Some(Call { name, error, k, .. }) = call {
        command.args(["--seccomp-bpf", "-e", &format!("trace={name}"), "-e"]);
        command.arg(format!("inject={name}:{error}:when={k}"));
    }
    command.arg(PROGRAM);
    command
}

/// Waits for a program that may hang.
fn wait(mut child: std::process::Child) -> Result<Output, String> {
    let began = Instant::now();
    while child.try_wait().map_err(|e| e.to_string())?.is_none() {
        if began.elapsed() > HANGS {
            hung(&mut child);
            return Err("it hangs".to_string());
        }
        std::thread::sleep(Duration::from_millis(3));
    }
    child.wait_with_output().map_err(|e| e.to_string())
}

/// Ends a program and what runs it.
fn hung(child: &mut std::process::Child) {
    let _ = Command::new("kill")
        .args(["-KILL", "--", &format!("-{}", child.id())])
        .status();
    let _ = child.kill();
    let _ = child.wait();
}

/// What a program that failed has said: one line, unless saying it was what failed.
fn named(output: &Output, mute: bool) -> Result<End, String> {
    let said = String::from_utf8_lossy(&output.stderr);
    let errors = said.lines().filter(|line| line.starts_with("cranecuber: ")).count();
    match output.status.code() {
        _ if said.contains("panicked") => Err(format!("a panic: {said}")),
        None => Err(format!("{}: {said}", output.status)),
        Some(1..=3) if errors >= 1 || mute => Ok(End::Named),
        Some(code) => Err(format!("exit code {code}: {said}")),
    }
}

/// Tries every call, and all that was expected of none.
fn campaign(name: &str, calls: &[Call], try_one: impl Fn(usize, &Call) -> Result<End, String> + Sync) {
    let next = AtomicUsize::new(0);
    let (ends, broken) = (Mutex::new(BTreeMap::new()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((i, call)) = calls.get(next.fetch_add(1, Relaxed)).map(|c| (c.number, c)) {
                    match try_one(i, call) {
                        Ok(end) => *ends.lock().unwrap().entry(end).or_insert(0) += 1,
                        Err(why) => broken.lock().unwrap().push(format!("{call}: {why}")),
                    }
                }
            });
        }
    });
    let (ends, broken) = (ends.into_inner().unwrap(), broken.into_inner().unwrap());
    println!("{name}: {} faults, {ends:?}", calls.len());
    assert!(
        broken.is_empty(),
        "{} of {} faults broke the job:\n{}",
        broken.len(),
        calls.len(),
        broken.join("\n")
    );
}

/// A folder for each try.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn whole_job(command: &mut Command, folder: &Path) {
    command.args(["-q", "--tables", TABLES, "run", "--sim", "--size", "2", "--seed", "1"]);
    for (option, place) in [("--journal", "journal"), ("--save", "kept"), ("--report", "seen")] {
        command.arg(option).arg(folder.join(place));
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
}

/// The judge of `run --sim` is the program itself, which looks at its virtual cube.
fn judged(output: &Output, call: &Call) -> Result<End, String> {
    let solution = String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        return match solution.split_whitespace().count() {
            1..=12 => Ok(End::Solved),
            _ => Err(format!("no solution: {solution:?}")),
        };
    }
    // Where memory ends, the language ends the program.
    if call.is_memory() && output.status.code().is_none() {
        return Ok(End::Resumed);
    }
    named(output, call.is_write())
}

fn tables() {
    let built = Command::new(PROGRAM)
        .args(["-q", "--tables", TABLES, "tables", "build", "--size", "2"])
        .status();
    assert!(Path::new(TABLES).join("2x2x2-states.table").exists() || built.is_ok_and(|s| s.success()));
}

#[test]
fn a_fault_at_any_call_of_a_whole_job_leaves_it_solved_or_named() {
    let name = "a_fault_at_any_call_of_a_whole_job";
    if !has(name, "strace", &["-qq", "-o", "/dev/null", "true"]) {
        return;
    }
    tables();
    let dry = folder();
    let log: PathBuf = dry.path().join("log");
    let mut command = strace(&log, None);
    whole_job(&mut command, dry.path());
    assert!(wait(command.spawn().unwrap()).unwrap().status.success());
    let calls = calls_of(&std::fs::read_to_string(log).unwrap(), one_of(50));
    campaign(name, &calls, |_, call| {
        let folder = folder();
        let mut command = strace(&folder.path().join("log"), Some(call));
        whole_job(&mut command, folder.path());
        let output = wait(command.spawn().map_err(|e| e.to_string())?)?;
        judged(&output, call)
    });
}

#[test]
fn with_five_files_a_small_disk_or_little_memory_a_whole_job_ends_solved_or_named() {
    if !has("with_five_files", "bash", &["-c", "true"]) {
        return;
    }
    tables();
    // Files, blocks of 1 KB, KB of memory.
    let limits = [
        "-n 5",
        "-n 6",
        "-n 8",
        "-n 12",
        "-f 0",
        "-f 1",
        "-f 4",
        "-f 100",
        "-v 100000",
    ];
    for limit in limits {
        let folder = folder();
        let mut command = Command::new("bash");
        command.args(["-c", &format!("ulimit {limit}; exec \"$@\""), "limited", PROGRAM]);
        whole_job(&mut command, folder.path());
        let output = wait(command.spawn().unwrap()).unwrap();
        let end = match output.status.success() {
            true => Ok(End::Solved),
            false => named(&output, false),
        };
        println!(
            "ulimit {limit}: {end:?} {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
        assert!(end.is_ok(), "ulimit {limit}: {end:?}");
    }
}

#[test]
fn short_reads_and_writes_and_a_clock_that_jumps_do_no_harm() {
    let name = "short_reads_and_writes";
    if !has(name, "cc", &["--version"]) {
        return;
    }
    tables();
    let folder = folder();
    let shim = folder.path().join("short.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faults/short.c");
    let made = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&shim)
        .arg(source)
        .status();
    assert!(made.unwrap().success());
    for (variable, value) in [
        ("SHORT", "1"),
        ("SHORT", "7"),
        ("INTERRUPT", "2"),
        ("INTERRUPT", "3"),
        ("JUMP", "1"),
        ("JUMP", "100"),
    ] {
        let place = folder.path().join(format!("{variable}{value}"));
        std::fs::create_dir(&place).unwrap();
        let mut command = Command::new(PROGRAM);
        command.env("LD_PRELOAD", &shim).env(variable, value);
        whole_job(&mut command, &place);
        let output = wait(command.spawn().unwrap()).unwrap();
        assert!(output.status.success(), "{variable}={value}: {output:?}");
        assert!(place.join("seen/report.html").exists(), "{variable}={value}");
    }
}
