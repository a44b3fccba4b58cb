//! The program on an emulated brick: the unmodified ev3dev-lang-rust writes to files that behave like the kernel's, and a crane or a tilter
//! turns a cube. This takes Linux, root and `/dev/fuse`; without them a test says by name that it is skipped, with `CI=true` it fails.

#![cfg(all(target_os = "linux", feature = "ev3"))]
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "kernel/doctor.rs"]
mod doctor;
#[path = "../examples/emulated_brick/emulation/mod.rs"]
mod emulation;
#[path = "kernel/sensors.rs"]
mod sensors;
#[path = "kernel/tilter.rs"]
mod tilter;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use cranecuber::app::Account;
use cranecuber::brick::MotorPort;
use cranecuber::crane::Primitive;
use cranecuber::cube::{State, parse_moves};
use cranecuber::drive::StepKind;
use cranecuber::machine::Code;
use cranecuber::sim::Faults;
use emulation::{Emulation, End, Robot, Setup, sensor};

/// How much faster than real time the crane runs, as far as the program keeps up.
const SPEED: f64 = 20.0;

/// The same where motors stall. On the way the program looks every 40 ms of its own time, and an obstacle must be seen before the table has
/// dragged the squisher far: within 0.4 s of the crane's time, of which the kernel takes 0.1 s to show it.
const WITH_FAULTS: f64 = 4.0;

/// A program that has not come to its end by then never will.
const DEADLINE: Duration = Duration::from_secs(120);

const SCRAMBLE: &str = "R U2 F' D B2 L' U F2 R2 D' B U'";

/// What undoes moves.
fn inverse(moves: &str) -> String {
    let undo = |turn: &str| match (turn.strip_suffix('\''), turn.ends_with('2')) {
        (Some(turn), _) => turn.to_string(),
        (None, true) => turn.to_string(),
        (None, false) => format!("{turn}'"),
    };
    moves.split(' ').rev().map(undo).collect::<Vec<_>>().join(" ")
}

/// Builds a brick with a scrambled cube, unless that cannot be done here.
fn brick(test: &str, press: Option<u64>, unplug: Option<(MotorPort, u64)>) -> Option<Emulation> {
    brick_with(SCRAMBLE, test, press, unplug)
}

fn brick_with(scramble: &str, test: &str, press: Option<u64>, unplug: Option<(MotorPort, u64)>) -> Option<Emulation> {
    brick_at(SPEED, scramble, test, press, unplug)
}

fn brick_at(
    speed: f64,
    scramble: &str,
    test: &str,
    press: Option<u64>,
    unplug: Option<(MotorPort, u64)>,
) -> Option<Emulation> {
    let setup = Setup {
        speed,
        press: press.map(Duration::from_secs),
        unplug: unplug.map(|(port, seconds)| (port, Duration::from_secs(seconds))),
        ..plain(scramble)
    };
    started(test, setup)
}

/// A brick on which nothing happens.
fn plain(scramble: &str) -> Setup {
    let mut cube = State::solved(3);
    cube.do_moves(&parse_moves(3, scramble).unwrap());
    Setup {
        robot: Robot::Crane,
        cube,
        speed: SPEED,
        press: None,
        unplug: None,
        faults: Faults::NONE,
        sensors: sensor::of_crane(),
    }
}

fn started(test: &str, setup: Setup) -> Option<Emulation> {
    let is_root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|id| id.stdout == b"0\n");
    if !is_root || !Path::new("/dev/fuse").exists() {
        let why = format!("{test} (it takes root and /dev/fuse)");
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{why}");
        eprintln!("skipped: {why}");
        return None;
    }
    Some(Emulation::start(setup).unwrap())
}

fn program(brick: &Emulation, journal: &Path, args: &[&str]) -> Command {
    let mut command = brick.command(OsStr::new(env!("CARGO_BIN_EXE_cranecuber")));
    command.args(args).arg("--journal").arg(journal);
    // Nothing of the user's own is looked at.
    command.env("XDG_DATA_HOME", journal.with_extension("data"));
    command
}

/// Lets the program undo the scramble; gives what it said, and how the machine stands then.
fn turn(brick: Emulation) -> (Output, String, End) {
    // Bricks that run at the same time would find each other's.
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["turn", &inverse(SCRAMBLE)];
    let output = program(&brick, &folder.path().join("journal"), &arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("panicked"), "{said}");
    (output, said, brick.end().unwrap())
}

#[test]
fn a_whole_solution_is_turned_through_the_kernels_files_and_the_cube_ends_solved() {
    let Some(brick) = brick("a whole solution through the kernel's files", None, None) else {
        return;
    };
    let (output, said, end) = turn(brick);
    assert!(output.status.success(), "{said}");
    assert!(end.is_good(), "{end}\n{said}");
    println!("{end}");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("12 turns, "));
    // Green, and something stands on the LCD.
    assert_eq!(end.leds.map(|led| led > 0), [false, true, false, true]);
    assert!((1..178 * 128 / 2).contains(&end.black), "{}", end.black);
}

#[test]
#[ignore = "half a minute: the crane turns in its own time"]
fn motors_that_stall_and_slip_behind_the_kernels_files_are_told_again_and_the_cube_ends_solved() {
    let faults = Faults {
        seed: 1,
        stall: 4.0,
        slip: 4.0,
        ..Faults::NONE
    };
    let setup = Setup {
        faults,
        speed: WITH_FAULTS,
        ..plain(SCRAMBLE)
    };
    let Some(brick) = started("motors that stall and slip", setup) else {
        return;
    };
    let (output, said, end) = turn(brick);
    assert!(output.status.success() && end.is_good(), "{end}\n{said}");
    assert!(said.contains("trying again"), "{said}");
}

#[test]
fn a_motor_that_is_unplugged_in_the_middle_is_named_in_one_line() {
    let unplug = Some((MotorPort::B, 25));
    let Some(brick) = brick("a motor that is unplugged", None, unplug) else {
        return;
    };
    let (output, said, end) = turn(brick);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let last = said.lines().last().unwrap();
    assert!(
        last.starts_with("cranecuber: ") && last.contains("no motor at outB"),
        "{said}"
    );
    assert!(!end.solved && end.seconds > 25.0, "{end}");
}

#[test]
fn the_touch_sensor_stops_and_parks_the_machine() {
    let Some(brick) = brick("the touch sensor", Some(25), None) else {
        return;
    };
    let (output, said, end) = turn(brick);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("stopped by the touch sensor"), "{said}");
    assert!(!end.solved && end.parked && end.fault.is_none(), "{end}\n{said}");
    assert!(end.seconds > 25.0, "{end}");
    assert_eq!(end.leds.map(|led| led > 0), [true, false, true, false]);
}

/// Whether the journal says that a crane turns layers.
fn is_turning(journal: &Path) -> bool {
    let turns = |motion| matches!(Primitive::of(motion), Some(Primitive::Turn { .. }));
    under_way(journal).is_some_and(turns)
}

/// The motion that has begun, as the journal says.
fn under_way(journal: &Path) -> Option<Code> {
    let account = fs::read(journal).ok().and_then(|bytes| Account::read(&bytes))?;
    match account.left()?.step.kind {
        StepKind::Begin(motion) => Some(motion),
        _ => None,
    }
}

/// Sends a signal to a program that is doing what the journal tells, and waits until it ends by itself.
fn stop(
    brick: &Emulation,
    (journal, is_doing): (&Path, fn(&Path) -> bool),
    mut child: Child,
    signal: &'static str,
) -> Output {
    let (began, id) = (Instant::now(), child.id().to_string());
    loop {
        let (journal, id) = (journal.to_path_buf(), id.clone());
        // No time passes for the machine while it is asked, so the program cannot have gone on.
        let sent = brick
            .crane()
            .with(move |_| is_doing(&journal) && Command::new("kill").args([signal, &id]).status().unwrap().success());
        if sent.unwrap() || child.try_wait().unwrap().is_some() {
            break;
        }
        assert!(began.elapsed() < DEADLINE, "it does not turn");
        std::thread::sleep(Duration::from_millis(2));
    }
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > DEADLINE {
            child.kill().unwrap();
            panic!("it goes on after {signal}");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

#[test]
#[ignore = "half a minute: the crane turns in its own time"]
fn a_signal_while_it_turns_parks_the_machine_and_the_next_program_goes_on_until_the_cube_is_solved() {
    let scramble = "R U2 F' D L2 B";
    let Some(brick) = brick_with(scramble, "signals", None, None) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    for (signal, arguments) in [
        ("-INT", &["-q", "turn", &inverse(scramble)][..]),
        ("-TERM", &RESUME[..]),
    ] {
        let mut command = program(&brick, &journal, arguments);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let output = stop(&brick, (&journal, is_turning), child, signal);
        let said = String::from_utf8_lossy(&output.stderr);
        let why = format!(
            "stopped by the stop signal: start again when ready; cranecuber run --resume --journal {} goes on with this cube",
            journal.display()
        );
        assert_eq!(said, format!("cranecuber: {why}\n"), "{signal}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{signal}");
        let end = brick.crane().end().unwrap();
        assert!(end.parked && !end.solved && end.fault.is_none(), "{signal}: {end}");
        assert_eq!(end.leds.map(|led| led > 0), [true, false, true, false]);
    }
    goes_on_to_the_end(brick, &journal);
}

const RESUME: [&str; 3] = ["-q", "run", "--resume"];

/// The next program goes on until the cube is solved.
fn goes_on_to_the_end(brick: Emulation, journal: &Path) {
    let output = program(&brick, journal, &RESUME).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
    let end = brick.end().unwrap();
    assert!(end.is_good() && !journal.exists(), "{end}");
}

/// The bar is 0.3 s of real time (the crane alone is faster here); where many tests share a processor, one of a few times has to do.
#[test]
fn the_guard_of_a_killed_program_stops_the_motors_within_0_3_s_and_puts_the_cube_down() {
    // Half turns take long enough to be broken off.
    let scramble = "R2 U2 F2";
    let Some(brick) = brick_at(3.0, scramble, "a guard", None, None) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    let mut times = Vec::new();
    let turn = ["-q", "turn", &inverse(scramble)];
    // Without mercy, and as a program dies whose mapped tables cannot be read any more.
    for (signal, arguments) in [("-KILL", &turn[..]), ("-BUS", &RESUME[..])] {
        let mut child = program(&brick, &journal, arguments)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let began = Instant::now();
        let mut runs = false;
        while !runs {
            assert!(began.elapsed() < DEADLINE, "it does not turn");
            std::thread::sleep(Duration::from_millis(2));
            let journal = journal.clone();
            runs = brick
                .crane()
                .with(move |machine| is_turning(&journal) && machine.runs())
                .unwrap();
        }
        let killed = Instant::now();
        let id = child.id().to_string();
        // Again until it dies: of signals that no memory has caused, the standard library's handler takes the first, and two that
        // come at once count as one.
        while child.try_wait().unwrap().is_none() {
            assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
            std::thread::sleep(Duration::from_millis(2));
        }
        while brick.crane().with(|machine| machine.runs()).unwrap() {
            std::thread::sleep(Duration::from_millis(1));
        }
        times.push(killed.elapsed());
        // Until the guard, too, has ended.
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("its guard has put the cube down"), "{signal}: {said}");
        let end = brick.crane().end().unwrap();
        assert!(end.parked && !end.solved && end.fault.is_none(), "{end}");
        assert_eq!(end.leds.map(|led| led > 0), [true, false, true, false]);
    }
    println!("motors stood {times:?} after the program was killed");
    assert!(times.iter().min() <= Some(&Duration::from_millis(300)), "{times:?}");
    goes_on_to_the_end(brick, &journal);
}

#[test]
fn a_second_program_on_the_brick_says_who_has_the_crane_and_moves_nothing() {
    let Some(brick) = brick_at(3.0, SCRAMBLE, "two programs", None, None) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    let mut first = program(&brick, &journal, &["-q", "turn", &inverse(SCRAMBLE)])
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !is_turning(&journal) {
        assert!(began.elapsed() < DEADLINE, "it does not turn");
        std::thread::sleep(Duration::from_millis(2));
    }
    let other = folder.path().join("other");
    for command in [&["-q", "turn", "R"][..], &["-q", "mix"], &["-q", "calibrate", "motors"]] {
        let output = program(&brick, &other, command).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let who = format!("cranecuber: the crane is in use by process {}, for ", first.id());
        assert!(said.starts_with(&who) && output.status.code() == Some(1), "{said}");
        assert!(!other.exists());
    }
    let output = brick
        .command(OsStr::new(env!("CARGO_BIN_EXE_cranecuber")))
        .args(["-q", "menu"])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("cranecuber: the crane is in use by "));
    assert!(first.try_wait().unwrap().is_none());
    let sent = Command::new("kill").args(["-TERM", &first.id().to_string()]).status();
    assert!(sent.unwrap().success() && first.wait().unwrap().code() == Some(1));
    let end = brick.end().unwrap();
    assert!(end.parked && end.fault.is_none() && !end.solved, "{end}");
}

#[test]
fn the_files_behave_as_the_tacho_motor_class() {
    let Some(brick) = brick("the files of the tacho-motor class", None, None) else {
        return;
    };
    let class = brick.folder().join("class/tacho-motor");
    let motors = fs::read_dir(&class).unwrap().map(|entry| entry.unwrap().path());
    let motor = motors
        .into_iter()
        .find(|motor| fs::read_to_string(motor.join("address")).unwrap() == "ev3-ports:outD\n")
        .unwrap();
    let read = |name: &str| fs::read_to_string(motor.join(name)).unwrap().trim_end().to_string();
    let write = |name: &str, text: &str| fs::write(motor.join(name), text).map_err(|error| error.raw_os_error());
    let refused = Err(Some(22));
    // A shorter value replaces a longer one.
    assert_eq!(
        (write("speed_sp", "1020"), write("speed_sp", "800\n")),
        (Ok(()), Ok(()))
    );
    assert_eq!(read("speed_sp"), "800");
    for (name, wrong) in [
        ("speed_sp", "1051"),
        ("speed_sp", "fast"),
        ("ramp_up_sp", "60001"),
        ("duty_cycle_sp", "-101"),
        ("time_sp", "-1"),
        ("stop_action", "float"),
        ("command", "run"),
    ] {
        assert_eq!(write(name, wrong), refused, "{name} {wrong}");
    }
    // Until the command nothing moves; a second relative move counts from the target of the first, wherever the motor is.
    write("stop_action", "hold").unwrap();
    write("position_sp", "300").unwrap();
    assert_eq!((read("state").as_str(), read("position").as_str()), ("", "0"));
    write("command", "run-to-rel-pos").unwrap();
    assert!(read("state").starts_with("running"), "{}", read("state"));
    write("command", "run-to-rel-pos").unwrap();
    while read("state") != "holding" {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(read("position"), "600");
    write("command", "reset").unwrap();
    let values = ["position", "position_sp", "speed_sp", "stop_action", "state"].map(read);
    assert_eq!(values, ["0", "0", "0", "coast", ""]);
    brick.end().unwrap();
}
