//! Whole jobs of a tilter: the program reads the cube with the colour sensor's files and turns it with those of the motors.

use std::path::Path;
use std::process::Output;
use std::time::Duration;

use super::emulation::sensor::{COLOR, INFRARED, LegoSensor, TOUCH};
use super::emulation::{Emulation, Robot};
use super::{SCRAMBLE, Setup, plain, program, started};

const CALIBRATION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/calibration/mindcub3r.toml");

/// The tables of a 3x3x3, the same for all these tests.
const TABLES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/kernel-tables");

/// A tilter with its sensors as its calibration file has them, and a touch sensor, unless that cannot be done here.
fn brick(test: &str, setup: impl FnOnce(&mut Setup)) -> Option<Emulation> {
    let mut brick = Setup {
        robot: Robot::Tilter,
        sensors: vec![
            LegoSensor::at(1, &COLOR, [0; 3]),
            LegoSensor::at(2, &INFRARED, [0; 3]),
            LegoSensor::at(3, &TOUCH, [0; 3]),
        ],
        ..plain(SCRAMBLE)
    };
    setup(&mut brick);
    started(test, brick)
}

/// Lets the program do a whole job, or what a journal says.
fn run(brick: &Emulation, folder: &Path, resume: bool) -> (Output, String) {
    let mut arguments = vec!["--calibration", CALIBRATION, "--tables", TABLES, "run"];
    if resume {
        arguments.push("--resume");
    }
    let output = program(brick, &folder.join("journal"), &arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("panicked"), "{said}");
    (output, said)
}

#[test]
fn a_tilter_reads_and_solves_its_cube_through_the_kernels_files() {
    let Some(brick) = brick("a whole job of a tilter through the kernel's files", |_| ()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (output, said) = run(&brick, folder.path(), false);
    let end = brick.end().unwrap();
    assert!(output.status.success() && end.is_good(), "{end}\n{said}");
    // Green.
    assert_eq!(end.leds.map(|led| led > 0), [false, true, false, true]);
}

#[test]
fn a_tilter_that_is_stopped_parks_and_the_next_program_solves_its_cube() {
    let stopped = brick("a tilter that is stopped", |setup| {
        // It reads for 40 s, then it turns.
        setup.press = Some(Duration::from_secs(65));
    });
    let Some(brick) = stopped else { return };
    let folder = tempfile::tempdir().unwrap();
    let (output, said) = run(&brick, folder.path(), false);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("stopped by the touch sensor"), "{said}");
    let end = brick.crane().end().unwrap();
    assert!(!end.solved && end.parked && end.fault.is_none(), "{end}\n{said}");
    let (output, said) = run(&brick, folder.path(), true);
    let end = brick.end().unwrap();
    assert!(output.status.success() && end.is_good(), "{end}\n{said}");
}

#[test]
fn a_colour_sensor_at_another_port_is_named_before_anything_moves() {
    let elsewhere = brick("a colour sensor at another port", |setup| setup.sensors[0].port = 4);
    let Some(brick) = elsewhere else { return };
    let folder = tempfile::tempdir().unwrap();
    let (output, said) = run(&brick, folder.path(), false);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let last = said.lines().last().unwrap_or_default();
    assert!(last.starts_with("cranecuber: ") && last.contains("in1"), "{said}");
    let end = brick.end().unwrap();
    assert!(!end.solved && end.parked && end.fault.is_none(), "{end}");
}
