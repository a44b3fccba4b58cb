//! The touch sensor at in1.

use ev3dev_lang_rust::Attribute;
use ev3dev_lang_rust::sensors::SensorPort;

use super::place::Place;
use crate::brick::{DeviceError, Touch};

const DRIVERS: [&str; 2] = ["lego-ev3-touch", "lego-nxt-touch"];

/// The touch sensor. After its cable was out it is another device of the kernel, so it is looked for again.
pub(super) struct TouchSensor {
    place: Place,
    /// 0 free, 1 pressed.
    value: Option<Attribute>,
}

impl TouchSensor {
    pub(super) fn open() -> Result<Self, DeviceError> {
        let hint = "plug the touch sensor into port 1, or push its cable in at both ends";
        let place = Place {
            what: "touch sensor",
            place: "in1".to_owned(),
            hint,
        };
        let value = Some(Self::find(&place)?);
        Ok(Self { place, value })
    }

    fn find(place: &Place) -> Result<Attribute, DeviceError> {
        use SensorPort::{In1, In2, In3, In4};
        let (folder, _) = place.find("lego-sensor", &[&In1, &In2, &In3, &In4], &DRIVERS)?;
        place.attribute(&folder, "value0")
    }
}

impl Touch for TouchSensor {
    fn pressed(&mut self) -> Result<bool, DeviceError> {
        let value = match self.value.take() {
            Some(value) => value,
            None => Self::find(&self.place)?,
        };
        let pressed = self.place.check(value.get::<i32>());
        if !matches!(pressed, Err(DeviceError::Missing { .. })) {
            self.value = Some(value);
        }
        Ok(pressed? != 0)
    }
}
