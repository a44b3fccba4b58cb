//! What a machine needs of its brick.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::MotorPort;

/// A port for a sensor, by the number beside it: 1 to 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct SensorPort(u8);

impl SensorPort {
    /// All that a brick has.
    pub const ALL: [SensorPort; 4] = [SensorPort(1), SensorPort(2), SensorPort(3), SensorPort(4)];
}

impl TryFrom<u8> for SensorPort {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<SensorPort, &'static str> {
        match number {
            1..=4 => Ok(SensorPort(number)),
            _ => Err("a port for a sensor is a number from 1 to 4"),
        }
    }
}

impl From<SensorPort> for u8 {
    fn from(port: SensorPort) -> u8 {
        port.0
    }
}

impl fmt::Display for SensorPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A kind of sensor that notices a cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PresenceKind {
    /// The infrared one, of the home sets.
    Infrared,
    /// The ultrasonic one, of the education sets.
    Ultrasonic,
}

/// The devices that are opened for a machine, besides its webcam and what is built into the brick. Everything that is named must be there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    /// Ports with motors. Those of a second brick are not looked for on this one.
    pub motors: Vec<MotorPort>,
    /// A touch sensor at port 1. A machine that needs none is stopped by one at any port; without one it counts as never pressed.
    pub touch: bool,
    /// The port of a colour sensor.
    pub color: Option<SensorPort>,
    /// The port of a sensor that notices a cube, and its kind.
    pub presence: Option<(SensorPort, PresenceKind)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_for_a_sensor_is_written_and_read_as_its_number_and_nothing_else_is_one() {
        for (number, port) in (1..).zip(SensorPort::ALL) {
            assert_eq!(serde_json::to_string(&port).unwrap(), number.to_string());
            assert_eq!(serde_json::from_str::<SensorPort>(&port.to_string()).unwrap(), port);
        }
        for other in ["0", "5", "-1", "256", "\"1\"", "1.0", "null"] {
            assert!(serde_json::from_str::<SensorPort>(other).is_err(), "{other}");
        }
    }
}
