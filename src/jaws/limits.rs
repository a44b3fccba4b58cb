//! The driver's limits as data: the part of a calibration that may be left out.

use serde::{Deserialize, Serialize};

/// How far each part may miss its place, in degrees of its motor's tacho.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tolerance {
    /// A jaw's fingers, open or closed.
    pub grip: i32,
    /// A jaw that is upright or lies.
    pub turn: i32,
    /// How far a zero that is found again may lie from where it was.
    pub zero: i32,
}

impl Default for Tolerance {
    fn default() -> Tolerance {
        Tolerance {
            grip: 12,
            turn: 8,
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
