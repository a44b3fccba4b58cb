//! The touch sensor: at in1 where a machine has one, else wherever one is plugged in.

use ev3dev_lang_rust::sensors::SensorPort::{self, In1, In2, In3, In4};
use ev3dev_lang_rust::{Attribute, Port};

use super::place::Place;
use crate::brick::{DeviceError, Touch};

const DRIVERS: [&str; 2] = ["lego-ev3-touch", "lego-nxt-touch"];

/// The ports, and what the kernel calls them.
const PORTS: [(SensorPort, &str); 4] = [(In1, "in1"), (In2, "in2"), (In3, "in3"), (In4, "in4")];

/// The touch sensor. After its cable was out it is another device of the kernel, so it is looked for again.
pub(super) struct TouchSensor {
    place: Place,
    /// Which of the ports.
    port: usize,
    /// 0 free, 1 pressed.
    value: Option<Attribute>,
}

impl TouchSensor {
    /// At the port where machines have it.
    pub(super) fn open() -> Result<Self, DeviceError> {
        Self::at(
            0,
            "plug the touch sensor into port 1, or push its cable in at both ends",
        )
    }

    /// At the first port where there is one; none if there is none.
    pub(super) fn anywhere() -> Option<Self> {
        (0..PORTS.len()).find_map(|port| Self::at(port, "push its cable in at both ends").ok())
    }

    fn at(port: usize, hint: &'static str) -> Result<Self, DeviceError> {
        let place = Place {
            what: "touch sensor",
            place: PORTS[port].1.to_owned(),
            hint,
        };
        let value = Some(Self::find(&place, port)?);
        Ok(Self { place, port, value })
    }

    fn find(place: &Place, port: usize) -> Result<Attribute, DeviceError> {
        // It must be at the first of these.
        let ports: [&dyn Port; 4] = std::array::from_fn(|i| &PORTS[(port + i) % 4].0 as &dyn Port);
        let (folder, _) = place.find("lego-sensor", &ports, &DRIVERS)?;
        place.attribute(&folder, "value0")
    }
}

impl Touch for TouchSensor {
    fn pressed(&mut self) -> Result<bool, DeviceError> {
        let value = match self.value.take() {
            Some(value) => value,
            None => Self::find(&self.place, self.port)?,
        };
        let pressed = self.place.check(value.get::<i32>());
        if !matches!(pressed, Err(DeviceError::Missing { .. })) {
            self.value = Some(value);
        }
        Ok(pressed? != 0)
    }
}
