//! The real brick under ev3dev: each device through the attributes that the kernel shows in `/sys/class`, read and written by
//! `ev3dev-lang-rust`.
//!
//! The crate's own device types look an attribute up when it is used and panic if it is not there, as after a cable was pulled out.
//! Here every attribute is opened once, when the device is opened, and each later error is a [`DeviceError`].

mod battery;
mod display;
mod keys;
mod leds;
mod motor;
mod sound;
mod touch;
mod unplugged;

use std::path::{Path, PathBuf};

use ev3dev_lang_rust::motors::MotorPort as OutPort;
use ev3dev_lang_rust::{Attribute, Driver, Ev3Error, Ev3Result, Port};

use super::camera::{NoCamera, UsbCamera};
use super::clock::SystemClock;
use super::{Brick, Camera, DeviceError, Motor};

/// Where ev3dev shows its devices.
const CLASSES: &str = "/sys/class";

/// What the kernel answers when the device behind an open attribute was unplugged (ENODEV).
const GONE: &str = "os error 19";

/// Opens all devices of the brick that this program runs on: motors at outA to outD, the touch sensor at in1, keys, LEDs, display,
/// battery, and the webcam at a path (`Some(None)`: the first one that takes pictures; `None`: a job that needs no pictures).
///
/// # Errors
/// The first device that is missing or refuses, by name, with what to do about it. Nothing moves before all are there.
pub fn open(camera: Option<Option<&Path>>) -> Result<Brick, DeviceError> {
    let (motors, camera) = (motors()?, eye(camera)?);
    Ok(Brick {
        motors,
        touch: Box::new(touch::TouchSensor::open()?),
        camera,
        ..front()?
    })
}

/// Opens what people see, press and hear, and the battery; motors, touch sensor and camera are opened by [`connect`], because a cable
/// that is not plugged in must be told on the display. Until then a motor refuses, and the touch sensor is not pressed.
///
/// # Errors
/// As [`open`].
pub fn front() -> Result<Brick, DeviceError> {
    Ok(Brick {
        motors: std::array::from_fn(|_| -> Box<dyn Motor> { Box::new(unplugged::Unplugged) }),
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
        clock: Box::new(SystemClock::new()),
    })
}

/// Opens motors, touch sensor and camera anew: a cable that was pulled out and plugged in again makes another device.
///
/// # Errors
/// As [`open`].
pub fn connect(brick: &mut Brick, camera: Option<Option<&Path>>) -> Result<(), DeviceError> {
    // A camera lets only one have its pictures.
    brick.camera = Box::new(NoCamera);
    brick.motors = motors()?;
    brick.touch = Box::new(touch::TouchSensor::open()?);
    brick.camera = eye(camera)?;
    Ok(())
}

fn motors() -> Result<[Box<dyn Motor>; 4], DeviceError> {
    Ok([
        motor(OutPort::OutA)?,
        motor(OutPort::OutB)?,
        motor(OutPort::OutC)?,
        motor(OutPort::OutD)?,
    ])
}

fn eye(camera: Option<Option<&Path>>) -> Result<Box<dyn Camera>, DeviceError> {
    Ok(match camera {
        Some(path) => Box::new(UsbCamera::open(path)?),
        None => Box::new(NoCamera),
    })
}

fn motor(port: OutPort) -> Result<Box<dyn Motor>, DeviceError> {
    Ok(Box::new(motor::PortMotor::open(port)?))
}

/// A device that is looked for and reported: what it is, where it belongs, and what to do if it is not there.
#[derive(Debug, Clone)]
struct Place {
    what: &'static str,
    place: String,
    hint: &'static str,
}

impl Place {
    fn missing(&self) -> DeviceError {
        DeviceError::Missing {
            what: self.what,
            place: self.place.clone(),
            hint: self.hint,
        }
    }

    fn failed(&self, reason: impl ToString) -> DeviceError {
        DeviceError::Failed {
            what: self.what,
            place: self.place.clone(),
            reason: reason.to_string(),
        }
    }

    /// An error of the crate while the device was used.
    fn error(&self, error: Ev3Error) -> DeviceError {
        match error {
            Ev3Error::InternalError { msg } if msg.contains(GONE) => self.missing(),
            Ev3Error::InternalError { msg } => self.failed(msg),
            Ev3Error::NotConnected { .. } => self.missing(),
            Ev3Error::MultipleMatches { ports, .. } => {
                self.failed(format!("found more than once: {}", ports.join(", ")))
            }
        }
    }

    /// The folder of the device of a class that sits at one of these ports, of which the first is the right one, and the driver that it
    /// has, by its number among those that will do.
    fn find(&self, class: &str, ports: &[&dyn Port], drivers: &[&str]) -> Result<(PathBuf, usize), DeviceError> {
        for (i, port) in ports.iter().enumerate() {
            for (kind, &driver) in drivers.iter().enumerate() {
                match Driver::find_name_by_port_and_driver(class, *port, &[driver]) {
                    Ok(name) if i == 0 => return Ok((Path::new(CLASSES).join(class).join(name), kind)),
                    Ok(_) => {
                        return Err(DeviceError::Misplaced {
                            what: self.what,
                            place: self.place.clone(),
                            found: port.address(),
                        });
                    }
                    // Without ev3dev's drivers there is not even the class.
                    Err(_) => {}
                }
            }
        }
        Err(self.missing())
    }

    /// Opens one attribute in a device's folder.
    fn attribute(&self, folder: &Path, name: &str) -> Result<Attribute, DeviceError> {
        let path = folder.join(name);
        if !path.exists() {
            return Err(self.missing());
        }
        Attribute::from_path(&path).map_err(|error| self.failed(format!("{name}: {}", words(error))))
    }

    fn check<T>(&self, result: Ev3Result<T>) -> Result<T, DeviceError> {
        result.map_err(|error| self.error(error))
    }
}

/// The message of an error of the crate without its decoration.
fn words(error: Ev3Error) -> String {
    match error {
        Ev3Error::InternalError { msg } => msg,
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_motors_says_which_one_to_plug_in() {
        if Path::new(CLASSES).join("tacho-motor").exists() {
            return;
        }
        let error = open(None).err().map(|error| error.to_string());
        assert_eq!(
            error.as_deref(),
            Some("no motor at outA: plug a motor into port A, or push its cable in at both ends")
        );
    }

    #[test]
    fn every_other_device_that_is_not_there_is_named_with_its_place() {
        if Path::new(CLASSES).join("lego-sensor").exists() {
            return;
        }
        let errors = [
            touch::TouchSensor::open().err().map(|error| error.to_string()),
            keys::BrickKeys::open().err().map(|error| error.to_string()),
            leds::StatusLeds::open().err().map(|error| error.to_string()),
            battery::BrickBattery::open().err().map(|error| error.to_string()),
        ];
        for (error, start) in errors.iter().zip([
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

    #[test]
    fn an_unplugged_device_is_reported_as_missing_and_another_error_in_the_drivers_words() {
        let place = Place {
            what: "motor",
            place: "outB".to_owned(),
            hint: "plug it in",
        };
        let gone = Ev3Error::InternalError {
            msg: "No such device (os error 19)".to_owned(),
        };
        assert_eq!(place.error(gone).to_string(), "no motor at outB: plug it in");
        let refused = Ev3Error::InternalError {
            msg: "Invalid argument (os error 22)".to_owned(),
        };
        assert_eq!(
            place.error(refused).to_string(),
            "motor at outB failed: Invalid argument (os error 22)"
        );
    }
}
