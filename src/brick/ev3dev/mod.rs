//! The real brick under ev3dev: each device through the attributes that the kernel shows in `/sys/class`, read and written by
//! `ev3dev-lang-rust`.
//!
//! The crate's own device types look an attribute up when it is used and panic if it is not there, as after a cable was pulled out.
//! Here every attribute is opened once, when the device is opened, and each later error is a [`DeviceError`].

mod battery;
mod display;
mod ground;
mod keys;
mod leds;
mod motor;
mod place;
mod sensor;
mod sound;
mod touch;
mod unplugged;

use std::path::Path;

use ev3dev_lang_rust::motors::MotorPort as OutPort;

use super::camera::{NoCamera, UsbCamera};
use super::clock::SystemClock;
use super::{
    Brick, Camera, ColorSensor, DeviceError, Motor, MotorPort, Motors, Needs, NoSensor, Nothing, Presence, Touch,
    Webcam,
};
pub use ground::{each, ground, is_brick};
use place::CLASSES;

/// The ports, and what the kernel calls them: outA to outD.
const PORTS: [(MotorPort, OutPort); 4] = [
    (MotorPort::A, OutPort::OutA),
    (MotorPort::B, OutPort::OutB),
    (MotorPort::C, OutPort::OutC),
    (MotorPort::D, OutPort::OutD),
];

/// What the display and a motor make of attributes, one in each line, for [`crate::fuzzing`].
#[cfg(any(all(test, feature = "pc"), fuzzing))]
pub(crate) fn read_attributes(text: &str) {
    display::read_attributes(text);
    motor::read_attributes(text);
}

/// Opens all devices of the brick that this program runs on: what a machine needs, keys, LEDs, display, battery, and a webcam.
///
/// # Errors
/// The first device that is missing or refuses, by name, with what to do about it. Nothing moves before all are there.
pub fn open(needs: &Needs, camera: Webcam) -> Result<Brick, DeviceError> {
    let (motors, camera) = (motors(needs)?, eye(camera)?);
    Ok(Brick {
        motors,
        touch: touch(needs)?,
        color: color(needs)?,
        presence: presence(needs)?,
        camera,
        ..built_in()?
    })
}

/// Opens what is built into the brick: keys, LEDs, display, speaker and battery. [`connect`] opens motors, sensors and camera later,
/// because a cable that is not plugged in must be told on the display. Until then motors refuse. A touch sensor that is not plugged in
/// counts as not pressed.
///
/// # Errors
/// As [`open`].
pub fn built_in() -> Result<Brick, DeviceError> {
    Ok(Brick {
        motors: at_ports(|_| Box::new(unplugged::Unplugged)),
        touch: match touch::TouchSensor::open() {
            Ok(touch) => Box::new(touch),
            Err(_) => Box::new(unplugged::Unplugged),
        },
        keys: Box::new(keys::BrickKeys::open()?),
        leds: Box::new(leds::StatusLeds::open()?),
        display: Box::new(display::Lcd::open()?),
        sound: Box::new(sound::Speaker::open()),
        battery: Box::new(battery::BrickBattery::open()?),
        camera: Box::new(NoCamera),
        color: Box::new(NoSensor),
        presence: Box::new(NoSensor),
        clock: Box::new(SystemClock::new()),
    })
}

/// Only the motors and the LEDs, as far as they are plugged in: for a guard, which must stop the motors without losing time. Keys and touch
/// sensor are not pressed.
pub fn motors_and_leds() -> Brick {
    let unplugged = || Box::new(unplugged::Unplugged);
    Brick {
        motors: at_ports(|port| Box::new(motor::PortMotor::later(port))),
        touch: unplugged(),
        keys: unplugged(),
        leds: match leds::StatusLeds::open() {
            Ok(leds) => Box::new(leds),
            Err(_) => unplugged(),
        },
        display: Box::new(Nothing),
        sound: Box::new(Nothing),
        battery: match battery::BrickBattery::open() {
            Ok(battery) => Box::new(battery),
            Err(_) => unplugged(),
        },
        camera: Box::new(NoCamera),
        color: Box::new(NoSensor),
        presence: Box::new(NoSensor),
        clock: Box::new(SystemClock::new()),
    }
}

/// Whether this is a brick at all.
pub fn is_there() -> bool {
    Path::new(CLASSES).join("tacho-motor").exists()
}

/// Opens motors, sensors and camera anew: a cable that was pulled out and plugged in again makes another device.
///
/// # Errors
/// As [`open`].
pub fn connect(brick: &mut Brick, needs: &Needs, camera: Webcam) -> Result<(), DeviceError> {
    // A camera lets only one have its pictures.
    brick.camera = Box::new(NoCamera);
    brick.motors = motors(needs)?;
    brick.touch = touch(needs)?;
    brick.color = color(needs)?;
    brick.presence = presence(needs)?;
    brick.camera = eye(camera)?;
    Ok(())
}

/// A motor for each port.
fn at_ports(motor: fn(OutPort) -> Box<dyn Motor>) -> Motors {
    PORTS.into_iter().map(|(port, out)| (port, motor(out))).collect()
}

/// A motor for each port; those that the machine does not need refuse.
fn motors(needs: &Needs) -> Result<Motors, DeviceError> {
    let mut motors: Motors = Vec::new();
    for (port, out) in PORTS {
        let motor: Box<dyn Motor> = match needs.motors.contains(&port) {
            true => Box::new(motor::PortMotor::open(out)?),
            false => Box::new(unplugged::Unplugged),
        };
        motors.push((port, motor));
    }
    Ok(motors)
}

fn touch(needs: &Needs) -> Result<Box<dyn Touch>, DeviceError> {
    Ok(match needs.touch {
        true => Box::new(touch::TouchSensor::open()?),
        false => match touch::TouchSensor::anywhere() {
            Some(touch) => Box::new(touch),
            None => Box::new(unplugged::Unplugged),
        },
    })
}

fn color(needs: &Needs) -> Result<Box<dyn ColorSensor>, DeviceError> {
    Ok(match needs.color {
        Some(port) => Box::new(sensor::Color::open(port)?),
        None => Box::new(NoSensor),
    })
}

fn presence(needs: &Needs) -> Result<Box<dyn Presence>, DeviceError> {
    Ok(match needs.presence {
        Some((port, kind)) => Box::new(sensor::Notices::open(port, kind)?),
        None => Box::new(NoSensor),
    })
}

fn eye(camera: Webcam) -> Result<Box<dyn Camera>, DeviceError> {
    Ok(match camera {
        Webcam::Unused => Box::new(NoCamera),
        Webcam::First => Box::new(UsbCamera::open(None)?),
        Webcam::At(path) => Box::new(UsbCamera::open(Some(path))?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brick::{PresenceKind, SensorPort};

    /// Whether this computer is a brick, on which a test of what is missing says that it is skipped; CI runs on none.
    fn has(test: &str, class: &str) -> bool {
        let found = Path::new(CLASSES).join(class).exists();
        if found {
            assert!(
                std::env::var("CI").as_deref() != Ok("true"),
                "{test}: there is a {class}"
            );
            eprintln!("skipped: {test} (there is a {class})");
        }
        found
    }

    /// What a machine with everything needs.
    fn all() -> Needs {
        Needs {
            motors: PORTS.map(|(port, _)| port).to_vec(),
            touch: true,
            color: SensorPort::ALL.first().copied(),
            presence: None,
        }
    }

    #[test]
    fn a_machine_without_motors_says_which_one_to_plug_in() {
        if has("a_machine_without_motors_says_which_one_to_plug_in", "tacho-motor") {
            return;
        }
        let error = open(&all(), Webcam::Unused).err().map(|error| error.to_string());
        assert_eq!(
            error.as_deref(),
            Some("no motor at outA: plug a motor into port A, or push its cable in at both ends")
        );
    }

    #[test]
    fn every_other_device_that_is_not_there_is_named_with_its_place() {
        if has(
            "every_other_device_that_is_not_there_is_named_with_its_place",
            "lego-sensor",
        ) {
            return;
        }
        let [one, two, ..] = SensorPort::ALL;
        let notices = |kind| sensor::Notices::open(two, kind).err().map(|error| error.to_string());
        let errors = [
            sensor::Color::open(one).err().map(|error| error.to_string()),
            notices(PresenceKind::Infrared),
            notices(PresenceKind::Ultrasonic),
            touch::TouchSensor::open().err().map(|error| error.to_string()),
            keys::BrickKeys::open().err().map(|error| error.to_string()),
            leds::StatusLeds::open().err().map(|error| error.to_string()),
            battery::BrickBattery::open().err().map(|error| error.to_string()),
        ];
        for (error, start) in errors.iter().zip([
            "no colour sensor at in1: ",
            "no infrared sensor at in2: ",
            "no ultrasonic sensor at in2: ",
            "no touch sensor at in1: ",
            "no keys at ",
            "no LEDs at ",
            "no battery at ",
        ]) {
            assert!(
                error.as_deref().is_some_and(|error| error.starts_with(start)),
                "{error:?} does not start with {start}"
            );
        }
    }
}
