//! The battery's voltage.

use std::path::Path;

use ev3dev_lang_rust::Attribute;

use super::place::{CLASSES, Place};
use crate::brick::{Battery, DeviceError};

/// The battery or the accumulator of the brick.
pub(super) struct BrickBattery {
    place: Place,
    microvolts: Attribute,
}

impl BrickBattery {
    pub(super) fn open() -> Result<Self, DeviceError> {
        let folder = Path::new(CLASSES).join("power_supply/lego-ev3-battery");
        let place = Place {
            what: "battery",
            place: folder.display().to_string(),
            hint: "start the program on an EV3 under ev3dev",
        };
        let microvolts = place.attribute(&folder, "voltage_now")?;
        Ok(Self { place, microvolts })
    }
}

impl Battery for BrickBattery {
    fn millivolts(&mut self) -> Result<u32, DeviceError> {
        Ok(self.place.check(self.microvolts.get::<u32>())? / 1000)
    }
}
