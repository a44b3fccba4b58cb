//! The touch sensor at in1.

use ev3dev_lang_rust::Attribute;
use ev3dev_lang_rust::sensors::SensorPort;

use super::Place;
use crate::brick::{DeviceError, Touch};

const DRIVERS: [&str; 2] = ["lego-ev3-touch", "lego-nxt-touch"];

/// The touch sensor's value: 0 free, 1 pressed.
pub(super) struct TouchSensor {
    place: Place,
    value: Attribute,
}

impl TouchSensor {
    pub(super) fn open() -> Result<Self, DeviceError> {
        let hint = "plug the touch sensor into port 1, or push its cable in at both ends";
        let place = Place {
            what: "touch sensor",
            place: "in1".to_owned(),
            hint,
        };
        let folder = place.find("lego-sensor", &SensorPort::In1, &DRIVERS)?;
        let value = place.attribute(&folder, "value0")?;
        Ok(Self { place, value })
    }
}

impl Touch for TouchSensor {
    fn pressed(&mut self) -> Result<bool, DeviceError> {
        Ok(self.place.check(self.value.get::<i32>())? != 0)
    }
}
