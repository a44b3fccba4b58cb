//! The parts of a machine that motors move, and within which limits.

use std::fmt;

use crate::calibration::{BatteryLimits, MotorSpec};

/// A part of a machine, as its messages name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Part {
    /// Its place among the machine's parts, from 0.
    pub index: usize,
    /// What it is called.
    pub name: &'static str,
}

impl Part {
    /// The part at a place among the parts of its machine.
    pub const fn new(index: usize, name: &'static str) -> Part {
        Part { index, name }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

/// A part with its motor.
#[derive(Debug, Clone, PartialEq)]
pub struct Driven {
    /// The part.
    pub part: Part,
    /// Its motor.
    pub motor: MotorSpec,
    /// How far it may miss its place, in degrees of the motor's tacho.
    pub tolerance: i32,
}

/// What a machine's calibration says of all its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// The voltage at which each motor's `top_speed` holds.
    pub reference_millivolts: u32,
    /// When the battery is too weak.
    pub battery: BatteryLimits,
    /// How often a motion is tried.
    pub tries: u32,
    /// How long a jammed motor is left alone, milliseconds.
    pub pause_ms: u32,
    /// How far a zero that is found again may lie from where it was, in degrees.
    pub zero: i32,
    /// Where the cube and the parts must be before a machine is homed by hand: what a user is told who has moved them.
    pub by_hand: &'static str,
}
