//! Where a device belongs, how it is found there, and what is said when it is not.

use std::fs;
use std::path::{Path, PathBuf};

use ev3dev_lang_rust::{Attribute, Driver, Ev3Error, Ev3Result, Port};

use crate::brick::DeviceError;

/// Where ev3dev shows its devices.
pub const CLASSES: &str = "/sys/class";

/// What the kernel answers when the device behind an open attribute was unplugged (ENODEV).
const GONE: &str = "os error 19";

/// A device to look for, and what to report: what it is, where it belongs, and what to do if it is not there.
#[derive(Debug, Clone)]
pub struct Place {
    pub what: &'static str,
    pub place: String,
    pub hint: &'static str,
}

impl Place {
    pub fn missing(&self) -> DeviceError {
        DeviceError::Missing {
            what: self.what,
            place: self.place.clone(),
            hint: self.hint,
        }
    }

    pub fn failed(&self, reason: impl ToString) -> DeviceError {
        DeviceError::Failed {
            what: self.what,
            place: self.place.clone(),
            reason: reason.to_string(),
        }
    }

    /// An error of the crate while the device was used.
    pub fn error(&self, error: Ev3Error) -> DeviceError {
        match error {
            Ev3Error::InternalError { msg } if msg.contains(GONE) => self.missing(),
            Ev3Error::InternalError { msg } => self.failed(msg),
            Ev3Error::NotConnected { .. } => self.missing(),
            Ev3Error::MultipleMatches { ports, .. } => {
                self.failed(format!("found more than once: {}", ports.join(", ")))
            }
        }
    }

    /// The folder of a device of this class, and the number of its driver among `drivers`. The device must be at the first of the `ports`; if
    /// it is at another one, or something else is in its place, the error tells so.
    pub fn find(&self, class: &str, ports: &[&dyn Port], drivers: &[&str]) -> Result<(PathBuf, usize), DeviceError> {
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
        let other = ports.first().and_then(|port| driver_at(class, &port.address()));
        Err(match other {
            Some(found) => DeviceError::OtherKind {
                what: self.what,
                place: self.place.clone(),
                found,
                hint: self.hint,
            },
            None => self.missing(),
        })
    }

    /// Opens one attribute in a device's folder.
    pub fn attribute(&self, folder: &Path, name: &str) -> Result<Attribute, DeviceError> {
        let path = folder.join(name);
        if !path.exists() {
            return Err(self.missing());
        }
        Attribute::from_path(&path).map_err(|error| self.failed(format!("{name}: {}", words(error))))
    }

    pub fn check<T>(&self, result: Ev3Result<T>) -> Result<T, DeviceError> {
        result.map_err(|error| self.error(error))
    }
}

/// The driver of whatever device of this class is at a port.
fn driver_at(class: &str, address: &str) -> Option<String> {
    let devices = fs::read_dir(Path::new(CLASSES).join(class)).ok()?;
    let text = |folder: &Path, name: &str| fs::read_to_string(folder.join(name)).ok();
    let mut folders = devices.flatten().map(|device| device.path());
    let there = folders.find(|folder| text(folder, "address").is_some_and(|at| at.contains(address)))?;
    Some(text(&there, "driver_name")?.trim_end().to_owned())
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
