//! The program on an emulated brick: the unmodified ev3dev-lang-rust writes to files that behave like the kernel's, and a crane turns a
//! cube. This takes Linux, root and `/dev/fuse`; without them a test says by name that it is skipped, with `CI=true` it fails.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../examples/emulated_brick/emulation/mod.rs"]
mod emulation;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use cranecuber::brick::MotorPort;
use cranecuber::cube::{State, parse_moves};
use emulation::{Emulation, End, Setup};

/// How much faster than real time the crane runs, as far as the program keeps up.
const SPEED: f64 = 20.0;

const SCRAMBLE: &str = "R U2 F' D B2 L' U F2 R2 D' B U' L2 F R' D2 B' U R2 F";

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
    let mut cube = State::solved(3);
    cube.do_moves(&parse_moves(3, SCRAMBLE).unwrap());
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
    let setup = Setup {
        cube,
        speed: SPEED,
        press: press.map(Duration::from_secs),
        unplug: unplug.map(|(port, seconds)| (port, Duration::from_secs(seconds))),
    };
    Some(Emulation::start(setup).unwrap())
}

/// Lets the program undo the scramble; gives what it said, and how the machine stands then.
fn turn(brick: Emulation) -> (Output, String, End) {
    let output = brick
        .command(OsStr::new(env!("CARGO_BIN_EXE_cranecuber")))
        .args(["turn", "--size", "3", &inverse(SCRAMBLE)])
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
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("20 turns, "));
    // Green, and something stands on the LCD.
    assert_eq!(end.leds.map(|led| led > 0), [false, true, false, true]);
    assert!((1..178 * 128 / 2).contains(&end.black), "{}", end.black);
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
