//! Whole jobs of a tilter: the program reads the cube with the colour sensor's files and turns it with those of the motors.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use cranecuber::tilter::Motion;

use super::emulation::sensor::{COLOR, INFRARED, LegoSensor, TOUCH};
use super::emulation::{Emulation, Robot};
use super::{SCRAMBLE, Setup, plain, program, started, stop, under_way};

const CALIBRATION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/calibration/mindcub3r.toml");

/// The tables of a 3x3x3, the same for all these tests.
const TABLES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/kernel-tables");

/// A tilter with its sensors as its calibration file has them, unless that cannot be done here.
fn brick(test: &str, color_port: usize) -> Option<Emulation> {
    started(test, setup(color_port))
}

fn setup(color_port: usize) -> Setup {
    let sensors = vec![
        LegoSensor::at(color_port, &COLOR, [0; 3]),
        LegoSensor::at(2, &INFRARED, [0; 3]),
    ];
    Setup {
        robot: Robot::Tilter,
        sensors,
        ..plain(SCRAMBLE)
    }
}

/// The program that does a whole job, or goes on with the one in the journal.
fn run(brick: &Emulation, journal: &Path, resume: bool) -> Command {
    let mut arguments = vec!["-q", "--tables", TABLES, "run", "--calibration", CALIBRATION];
    if resume {
        arguments.push("--resume");
    }
    program(brick, journal, &arguments)
}

fn said(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("panicked"), "{said}");
    said
}

/// Whether the journal says that the tilter turns its lowest layer.
fn is_turning(journal: &Path) -> bool {
    let turns = |motion| matches!(Motion::of(motion), Some(Motion::Turn { .. }));
    under_way(journal).is_some_and(turns)
}

#[test]
#[ignore = "half a minute: the tilter turns in its own time"]
fn a_tilter_reads_and_turns_its_cube_through_the_kernels_files_and_who_goes_on_for_a_stopped_program_solves_it() {
    let Some(brick) = brick("a whole job of a tilter through the kernel's files", 1) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    let mut command = run(&brick, &journal, false);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let output = stop(&brick, (&journal, is_turning), child, "-INT");
    let words = said(&output);
    assert_eq!(output.status.code(), Some(1), "{words}");
    assert!(words.starts_with("cranecuber: stopped by the stop signal"), "{words}");
    let end = brick.crane().end().unwrap();
    assert!(!end.solved && end.parked && end.fault.is_none(), "{end}\n{words}");
    let output = run(&brick, &journal, true).output().unwrap();
    let (words, end) = (said(&output), brick.end().unwrap());
    assert!(output.status.success() && end.is_good(), "{end}\n{words}");
    // Green.
    assert_eq!(end.leds.map(|led| led > 0), [false, true, false, true]);
}

#[test]
#[ignore = "half a minute: the tilter turns in its own time"]
fn a_touch_sensor_at_any_port_stops_and_parks_a_tilter() {
    let mut setup = setup(1);
    setup.sensors.push(LegoSensor::at(3, &TOUCH, [0; 3]));
    // Reading takes it 40 s.
    setup.press = Some(Duration::from_secs(55));
    let Some(brick) = started("a touch sensor of a tilter", setup) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let output = run(&brick, &folder.path().join("journal"), false).output().unwrap();
    let words = said(&output);
    assert_eq!(output.status.code(), Some(1), "{words}");
    assert!(words.starts_with("cranecuber: stopped by the touch sensor"), "{words}");
    let end = brick.end().unwrap();
    assert!(!end.solved && end.parked && end.fault.is_none(), "{end}\n{words}");
}

#[test]
fn a_colour_sensor_at_another_port_is_named_before_anything_moves() {
    let Some(brick) = brick("a colour sensor at another port", 4) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let output = run(&brick, &folder.path().join("journal"), false).output().unwrap();
    let words = said(&output);
    assert_eq!(output.status.code(), Some(1), "{words}");
    assert!(
        words.starts_with("cranecuber: the colour sensor is at in4, and belongs to in1"),
        "{words}"
    );
    let end = brick.end().unwrap();
    assert!(!end.solved && end.parked && end.fault.is_none(), "{end}");
}
