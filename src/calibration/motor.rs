//! Motors as data: where they are plugged in, how they go, and how long that takes.

use serde::{Deserialize, Serialize};

use crate::brick::{MotorKind, MotorPort, Profile, StopAction};

/// One motor: where it is plugged in and what it can do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotorSpec {
    /// Its port.
    pub port: MotorPort,
    /// Its kind, if only one will do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<MotorKind>,
    /// The driver's limit, degrees per second; ramps refer to it.
    pub max_speed: i32,
    /// Degrees per second that it reaches under load at the reference voltage.
    pub top_speed: i32,
    /// Degrees per second, per second, without ramps.
    pub acceleration: i32,
}

/// Speed and ramps of a motion, as the motor driver takes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Degrees per second.
    pub speed: i32,
    /// Milliseconds from standstill to the driver's maximum.
    pub ramp_up_ms: i32,
    /// Milliseconds from the driver's maximum to standstill.
    pub ramp_down_ms: i32,
}

impl Pace {
    /// The same for a motor, with what it does at the end.
    pub const fn profile(self, stop: StopAction) -> Profile {
        Profile {
            speed: self.speed,
            ramp_up_ms: self.ramp_up_ms,
            ramp_down_ms: self.ramp_down_ms,
            stop,
        }
    }

    /// The same, with at most this speed.
    pub fn at_most(self, speed: i32) -> Pace {
        Pace {
            speed: self.speed.min(speed),
            ..self
        }
    }
}

/// When the battery is too weak.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BatteryLimits {
    /// Below this a warning is given once.
    pub warn_millivolts: u32,
    /// Below this nothing is started, and a crane at work parks.
    pub least_millivolts: u32,
}

impl Default for BatteryLimits {
    fn default() -> BatteryLimits {
        BatteryLimits {
            warn_millivolts: 6500,
            least_millivolts: 6000,
        }
    }
}

/// The longest time of a motion, in milliseconds, so that sums do not overflow whatever a calibration says.
const LONGEST_MS: u32 = 1_000_000;

/// Milliseconds that a motor takes for so many degrees, at a voltage relative to the one at which `top_speed` holds.
pub fn travel_ms(motor: &MotorSpec, degrees: i32, pace: &Pace, voltage: f64) -> u32 {
    let distance = f64::from(degrees.abs());
    let top = f64::from(pace.speed).min(f64::from(motor.top_speed) * voltage);
    let steepness = |ramp_ms: i32| {
        let hard = f64::from(motor.acceleration);
        if ramp_ms == 0 {
            hard
        } else {
            hard.min(f64::from(motor.max_speed) * 1000.0 / f64::from(ramp_ms))
        }
    };
    // Time spent per unit of speed in both ramps together.
    let ramps = 1.0 / steepness(pace.ramp_up_ms) + 1.0 / steepness(pace.ramp_down_ms);
    let reached = (2.0 * distance / ramps).sqrt();
    let seconds = if reached <= top {
        reached * ramps
    } else {
        distance / top + top * ramps / 2.0
    };
    ((seconds * 1000.0).round() as u32).min(LONGEST_MS)
}
