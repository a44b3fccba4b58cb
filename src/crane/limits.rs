//! The driver's limits as data: the part of a calibration that may be left out.

use serde::{Deserialize, Serialize};

/// How far each part may miss its place, in degrees of its motor's tacho.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tolerance {
    /// Less than half the way between two rows.
    pub elevator: i32,
    /// At its ends.
    pub flipper: i32,
    /// When it is square.
    pub turntable: i32,
    /// When it follows the turntable wide open.
    pub squisher: i32,
    /// How far a zero that is found again may lie from where it was.
    pub zero: i32,
}

impl Default for Tolerance {
    fn default() -> Tolerance {
        Tolerance {
            elevator: 7,
            flipper: 15,
            turntable: 8,
            squisher: 12,
            zero: 8,
        }
    }
}

/// What is done when something jams or stalls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Retry {
    /// How often a motion is tried.
    pub tries: u32,
    /// How long a jammed motor is left alone, milliseconds.
    pub pause_ms: u32,
    /// A lift that ends before this share of its way has jammed, percent.
    pub least_lift_percent: i32,
    /// The elevator's zero is found again after the cube was put down so many times; 0 is never.
    pub zero_every: u32,
    /// How far the turntable may drag a squisher whose motor does not follow, in degrees.
    pub most_drag: i32,
}

impl Default for Retry {
    fn default() -> Retry {
        Retry {
            tries: 3,
            pause_ms: 1000,
            least_lift_percent: 90,
            zero_every: 100,
            most_drag: 30,
        }
    }
}
