//! The driver's limits as data: the part of a calibration that may be left out.

use serde::{Deserialize, Serialize};

/// How far each part may miss its place, in degrees of its motor's tacho.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tolerance {
    /// The arm, where it holds, has pulled or is away.
    pub arm: i32,
    /// When it is square.
    pub turntable: i32,
    /// The colour sensor's arm.
    pub sensor_arm: i32,
    /// How far a zero that is found again may lie from where it was.
    pub zero: i32,
}

impl Default for Tolerance {
    fn default() -> Tolerance {
        Tolerance {
            arm: 10,
            turntable: 8,
            sensor_arm: 12,
            zero: 10,
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
}

impl Default for Retry {
    fn default() -> Retry {
        Retry {
            tries: 3,
            pause_ms: 1000,
        }
    }
}
