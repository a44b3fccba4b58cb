//! The sensors of a machine without a camera: opened and read by this test itself, in the emulated brick.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use cranecuber::brick::{ColorSensor, DeviceError, Needs, Presence, PresenceKind, SensorPort, Webcam, ev3dev};

use super::emulation::Emulation;
use super::emulation::sensor::{COLOR, INFRARED, LegoSensor, TOUCH, Temper, ULTRASONIC};
use super::{SCRAMBLE, plain, started};

/// Says what the reader below opens: `color 1`, `infrared 2`.
const WANTED: &str = "CRANECUBER_TEST_SENSOR";

/// What is read again and again.
enum Sensor {
    Color(Box<dyn ColorSensor>),
    Presence(Box<dyn Presence>),
}

impl Sensor {
    fn open(wanted: &str) -> Result<Sensor, DeviceError> {
        let (kind, port) = wanted.split_once(' ').unwrap();
        let port = SensorPort::try_from(port.parse::<u8>().unwrap()).unwrap();
        let presence = match kind {
            "infrared" => Some((port, PresenceKind::Infrared)),
            "ultrasonic" => Some((port, PresenceKind::Ultrasonic)),
            _ => None,
        };
        let needs = Needs {
            color: (kind == "color").then_some(port),
            presence,
            ..Needs::default()
        };
        let brick = ev3dev::open(&needs, Webcam::Unused)?;
        Ok(match presence {
            None => Sensor::Color(brick.color),
            Some(_) => Sensor::Presence(brick.presence),
        })
    }

    fn read(&mut self) -> Result<String, DeviceError> {
        Ok(match self {
            Sensor::Color(sensor) => format!("{:?}", sensor.rgb()?),
            Sensor::Presence(sensor) => format!("{} %", sensor.proximity()?),
        })
    }
}

#[test]
#[ignore = "it is started by the other tests, in the emulated brick, where it reads a sensor once for each line that it is given"]
fn reader() {
    let Ok(wanted) = std::env::var(WANTED) else {
        return;
    };
    let say = |what: Result<String, DeviceError>| println!("\n> {}", what.unwrap_or_else(|why| why.to_string()));
    let mut sensor = match Sensor::open(&wanted) {
        Ok(sensor) => sensor,
        Err(why) => return say(Err(why)),
    };
    for _ in std::io::stdin().lock().lines() {
        say(sensor.read());
    }
}

/// The reader, under way on a brick.
struct Reader {
    child: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Reader {
    fn start(brick: &Emulation, wanted: &str) -> Reader {
        let own: OsString = std::env::current_exe().unwrap().into();
        let mut command = brick.command(&own);
        command.args(["--exact", "sensors::reader", "--ignored", "--nocapture"]);
        command.env(WANTED, wanted).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        Reader {
            ask: child.stdin.take().unwrap(),
            answers: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    /// What it says when it is asked to read once more; if it could not open the sensor, why.
    fn says(&mut self) -> String {
        // A reader that has ended is not asked any more.
        let _ = self.ask.write_all(b"\n").and_then(|()| self.ask.flush());
        let mut lines = self.answers.by_ref().lines().map(Result::unwrap);
        lines
            .find_map(|line| Some(line.strip_prefix("> ")?.to_string()))
            .unwrap()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A brick with these sensors, unless that cannot be done here.
fn brick(test: &str, sensors: Vec<LegoSensor>) -> Option<Emulation> {
    let setup = plain(SCRAMBLE);
    started(test, super::Setup { sensors, ..setup })
}

/// A colour sensor above an orange sticker, and a cube before the infrared one.
fn tilters() -> Vec<LegoSensor> {
    vec![
        LegoSensor::at(2, &INFRARED, [37, 0, 0]),
        LegoSensor::at(1, &COLOR, [212, 71, 38]),
        LegoSensor::at(4, &ULTRASONIC, [280, 0, 0]),
    ]
}

/// What the reader says of one sensor among others.
fn said(test: &str, sensors: Vec<LegoSensor>, wanted: &str) -> Option<String> {
    let brick = brick(test, sensors)?;
    let said = Reader::start(&brick, wanted).says();
    brick.end().unwrap();
    Some(said)
}

#[test]
fn the_sensors_of_a_tilter_are_put_into_their_modes_and_read() {
    let Some(brick) = brick("the sensors of a tilter", tilters()) else {
        return;
    };
    let mode = |number: usize| {
        let sensor = brick.folder().join(format!("class/lego-sensor/sensor{number}"));
        std::fs::read_to_string(sensor.join("mode")).unwrap()
    };
    assert_eq!([mode(0), mode(1)], ["IR-PROX\n", "COL-REFLECT\n"]);
    let mut color = Reader::start(&brick, "color 1");
    assert_eq!([color.says(), color.says()], ["[212, 71, 38]", "[212, 71, 38]"]);
    assert_eq!(mode(1), "RGB-RAW\n");
    // Counts as the driver should never give them.
    brick
        .crane()
        .with(|machine| machine.sensors[1].values = [1023, -1, 5])
        .unwrap();
    assert_eq!(color.says(), "[1020, 0, 5]");
    assert_eq!(Reader::start(&brick, "infrared 2").says(), "37 %");
    let mut ultrasonic = Reader::start(&brick, "ultrasonic 4");
    assert_eq!(ultrasonic.says(), "40 %");
    brick
        .crane()
        .with(|machine| machine.sensors[2].values[0] = 2550)
        .unwrap();
    assert_eq!(ultrasonic.says(), "100 %");
    drop((color, ultrasonic));
    brick.end().unwrap();
}

#[test]
fn a_sensor_in_the_wrong_port_is_named_with_both_ports() {
    let test = "a sensor in the wrong port";
    let exchanged = vec![
        LegoSensor::at(1, &INFRARED, [37, 0, 0]),
        LegoSensor::at(2, &COLOR, [9; 3]),
    ];
    if let Some(said) = said(test, exchanged.clone(), "color 1") {
        assert_eq!(said, "the colour sensor is at in2, and belongs to in1: move its cable");
    }
    if let Some(said) = said(test, exchanged, "infrared 2") {
        assert_eq!(
            said,
            "the infrared sensor is at in1, and belongs to in2: move its cable"
        );
    }
}

#[test]
fn another_sensor_in_its_place_is_named_and_so_is_an_empty_port() {
    let test = "another sensor in its place";
    let touch = vec![LegoSensor::at(1, &TOUCH, [0; 3])];
    let Some(at_1) = said(test, touch.clone(), "color 1") else {
        return;
    };
    assert!(
        at_1.starts_with("at in1 there is a lego-ev3-touch, and not the colour sensor: plug "),
        "{at_1}"
    );
    let at_2 = said(test, touch, "infrared 2").unwrap();
    assert!(at_2.starts_with("no infrared sensor at in2: plug "), "{at_2}");
    let of_a_home_set = said(test, tilters(), "ultrasonic 2").unwrap();
    assert_eq!(
        of_a_home_set,
        "the ultrasonic sensor is at in4, and belongs to in2: move its cable"
    );
}

#[test]
fn a_sensor_that_does_not_take_its_mode_is_named_with_the_mode() {
    for (temper, why) in [
        (Temper::Refuses, "it does not take the mode RGB-RAW: "),
        (
            Temper::Ignores,
            "it stays in the mode COL-REFLECT and does not take RGB-RAW",
        ),
    ] {
        let mut sensors = tilters();
        sensors[1].temper = temper;
        let Some(said) = said("a sensor that does not take its mode", sensors, "color 1") else {
            return;
        };
        let said = said.strip_prefix("colour sensor at in1 failed: ").unwrap();
        assert!(said.starts_with(why), "{said}");
    }
}

#[test]
fn a_sensor_that_is_unplugged_is_named_and_after_it_is_plugged_in_again_it_is_read_in_its_mode() {
    let Some(brick) = brick("a sensor that is unplugged", tilters()) else {
        return;
    };
    let mut color = Reader::start(&brick, "color 1");
    assert_eq!(color.says(), "[212, 71, 38]");
    brick.crane().with(|machine| machine.sensors[1].plug(false)).unwrap();
    for _ in 0..2 {
        let said = color.says();
        assert!(said.starts_with("no colour sensor at in1: plug "), "{said}");
    }
    brick.crane().with(|machine| machine.sensors[1].plug(true)).unwrap();
    assert_eq!(color.says(), "[212, 71, 38]");
    drop(color);
    brick.end().unwrap();
}

#[test]
fn the_files_behave_as_the_lego_sensor_class() {
    let Some(brick) = brick("the files of the lego-sensor class", tilters()) else {
        return;
    };
    let sensor = brick.folder().join("class/lego-sensor/sensor1");
    let read = |name: &str| std::fs::read_to_string(sensor.join(name)).map_err(|error| error.raw_os_error());
    let write = |name: &str, text: &str| std::fs::write(sensor.join(name), text).map_err(|error| error.raw_os_error());
    let text = |text: &str| Ok(format!("{text}\n"));
    assert_eq!(
        (read("address"), read("driver_name")),
        (text("ev3-ports:in1"), text("lego-ev3-color"))
    );
    assert_eq!(
        read("modes"),
        text("COL-REFLECT COL-AMBIENT COL-COLOR REF-RAW RGB-RAW COL-CAL")
    );
    // ENXIO: this mode has one value; EINVAL: there is no such mode.
    assert_eq!((read("num_values"), read("value1")), (text("1"), Err(Some(6))));
    assert_eq!(write("mode", "RGB"), Err(Some(22)));
    assert_eq!((write("mode", "RGB-RAW\n"), read("mode")), (Ok(()), text("RGB-RAW")));
    assert_eq!((read("num_values"), read("value1")), (text("3"), text("71")));
    brick.end().unwrap();
}
