//! `doctor` on an emulated brick: one with everything in its place, and bricks with something wrong.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use cranecuber::brick::MotorPort;
use cranecuber::tilter;

use super::emulation::sensor::{COLOR, INFRARED, LegoSensor, TOUCH};
use super::emulation::{Emulation, Setup};
use super::{SCRAMBLE, plain, started};

/// Looks a brick over, for a machine with this calibration.
fn doctor(brick: &Emulation, calibration: &str, folder: &Path) -> (Output, String) {
    let file = folder.join("machine.toml");
    fs::write(&file, calibration).unwrap();
    let mut command = brick.command(OsStr::new(env!("CARGO_BIN_EXE_cranecuber")));
    command.args(["-q", "doctor", "--calibration"]).arg(&file);
    command.env("XDG_DATA_HOME", folder.join("data"));
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
    (output, said)
}

/// The tilter, with motors of any kind: those of the emulated brick are a crane's.
fn tilter() -> String {
    let kinds = ["kind = \"large\"\n", "kind = \"medium\"\n"];
    kinds
        .into_iter()
        .fold(tilter::BUILTIN.to_string(), |text, kind| text.replace(kind, ""))
}

/// The lines that begin so.
fn lines(said: &str, begin: &str) -> Vec<String> {
    let found = said.lines().filter_map(|line| line.strip_prefix(begin));
    found.map(|line| line.trim_start().to_string()).collect()
}

/// No motor has moved, and none was told to.
fn nothing_moved(brick: &Emulation) {
    for motor in fs::read_dir(brick.folder().join("class/tacho-motor")).unwrap() {
        let read = |name: &str| fs::read_to_string(motor.as_ref().unwrap().path().join(name)).unwrap();
        let values = ["position", "state", "speed_sp", "position_sp"].map(|name| read(name).trim_end().to_string());
        assert_eq!(values, ["0", "", "0", "0"]);
    }
}

#[test]
fn a_brick_with_everything_in_its_place_is_well_and_nothing_moves() {
    let sensors = vec![
        LegoSensor::at(2, &INFRARED, [37, 0, 0]),
        LegoSensor::at(1, &COLOR, [212, 71, 38]),
    ];
    let Some(brick) = started(
        "a brick that is well",
        Setup {
            sensors,
            ..plain(SCRAMBLE)
        },
    ) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (output, said) = doctor(&brick, &tilter(), folder.path());
    assert!(output.status.success() && lines(&said, "WRONG").is_empty(), "{said}");
    for begin in [
        "kernel: ",
        "drivers: all 5 are there",
        "ports: they find by themselves",
        "keys, LEDs and display: they answer",
        "battery: 7.9 V",
        "arm at port A: a large motor, 0 degrees",
        "turntable at port B: a medium motor, 0 degrees",
        "sensor arm at port C: a large motor, 0 degrees",
        "colour sensor at port 1: it reads red 212, green 71, blue 38 of 1020",
        "infrared sensor at port 2: it reads 37 %",
        "memory: ",
        "disk: ",
        "clock: ",
    ] {
        assert!(
            lines(&said, "good ").iter().any(|line| line.starts_with(begin)),
            "no {begin} in\n{said}"
        );
    }
    nothing_moved(&brick);
    let end = brick.end().unwrap();
    // Green, and something stands on the LCD.
    assert_eq!(end.leds.map(|led| led > 0), [false, true, false, true]);
    assert!(end.black > 0 && end.fault.is_none());
}

#[test]
fn what_is_wrong_with_a_brick_is_told_line_by_line_with_what_to_do() {
    let setup = Setup {
        unplug: Some((MotorPort::B, Duration::ZERO)),
        sensors: vec![LegoSensor::at(3, &TOUCH, [0; 3]), LegoSensor::at(2, &COLOR, [0; 3])],
        ..plain(SCRAMBLE)
    };
    let Some(brick) = started("a brick that is not well", setup) else {
        return;
    };
    // Somebody has set a port, and two cables are swapped.
    fs::write(brick.folder().join("class/lego-port/port3/mode"), "dc-motor").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let calibration = cranecuber::crane::BUILTIN.replacen("kind = \"large\"", "kind = \"medium\"", 1);
    let (output, said) = doctor(&brick, &calibration, folder.path());
    assert_eq!(output.status.code(), Some(1), "{said}");
    let wrong = lines(&said, "WRONG");
    let expected = [
        "ports: outD is set to dc-motor: start the brick again, ",
        "elevator at port A: a large motor is there, and it should be a medium one: swap the cables, ",
        "flipper at port B: no motor at outB: plug a motor into port B, ",
        "touch sensor at port 1: the touch sensor is at in3, and belongs to in1: move its cable",
    ];
    for begin in expected {
        assert!(
            wrong.iter().any(|line| line.starts_with(begin)),
            "no {begin} in\n{said}"
        );
    }
    // There is a camera only where the computer has one.
    assert!(wrong.len() <= expected.len() + 1, "{said}");
    let why = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        why.contains(" things are wrong: do what their lines say") && why.lines().count() == 1,
        "{why}"
    );
    let end = brick.end().unwrap();
    assert_eq!(end.leds.map(|led| led > 0), [true, false, true, false]);
}
