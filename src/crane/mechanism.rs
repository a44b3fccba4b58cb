//! The mechanism as data: what `calibration/robot.toml` says, checked.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::limits::{Retry, Tolerance};
use super::measured::Measured;
use super::part;
use crate::brick::Needs;
use crate::calibration::{self, BatteryLimits, CalibrationError, MotorSpec, Pace};
use crate::drive::Part;

/// What a calibration of a crane begins with.
pub const KIND: &str = "crane";

/// The calibration file of the robot that the program was written for.
pub const BUILTIN: &str = include_str!("../../calibration/robot.toml");

/// Everything about one crane that is not the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mechanism {
    /// What it is: a crane. Files of before there were other machines do not say it.
    #[serde(default = "kind")]
    kind: String,
    /// What the robot is called.
    pub name: String,
    /// Time besides motion.
    pub timing: Timing,
    /// Lifts the cube into the turntable.
    pub elevator: Elevator,
    /// Tips the cube.
    pub flipper: Flipper,
    /// Turns the rows that are in it.
    pub turntable: Turntable,
    /// Presses the cube square.
    pub squisher: Squisher,
    /// By how much the parts may miss their place.
    #[serde(default)]
    pub tolerance: Tolerance,
    /// What is done when something jams or stalls.
    #[serde(default)]
    pub retry: Retry,
    /// When the battery is too weak.
    #[serde(default)]
    pub battery: BatteryLimits,
    /// Constants per cube size.
    #[serde(rename = "size")]
    pub sizes: Vec<Size>,
    /// How long its motions took; a file of its own.
    #[serde(skip)]
    pub measured: Measured,
    /// Where it was read from, for messages.
    #[serde(skip)]
    origin: String,
}

/// Time besides motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// The voltage at which each `top_speed` holds.
    pub reference_millivolts: u32,
    /// Milliseconds that one motor command costs besides its motion.
    pub command_ms: u32,
    /// Whether the flipper may change sides while the turntable turns.
    pub overlap_empty_flips: bool,
    /// Whether the squisher may open while the table begins to turn the cube that it has pressed.
    #[serde(default)]
    pub overlap_opening: bool,
}

/// The elevator. Its zero is the cube at rest in the flipper's holder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Elevator {
    /// Its motor.
    pub motor: MotorSpec,
    /// Position at which the flipper passes below a lifted cube of any size; its sign says where up is.
    pub clear: i32,
    /// Added to every row position.
    pub row_offset: i32,
    /// From rest up.
    pub lift: Pace,
    /// Between rows, up.
    pub raise: Pace,
    /// Between rows, down.
    pub lower: Pace,
    /// Down to rest.
    pub rest: Pace,
    /// Homing: so far up first, and back.
    pub home_lift: i32,
    /// Homing: speed of that, degrees per second.
    pub home_lift_speed: i32,
    /// Homing: then further down at this speed until it stops.
    pub home_speed: i32,
    /// Homing: longest time, besides that of the way down from the highest row.
    pub home_limit_ms: u32,
}

/// The flipper. Its zero is its home end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flipper {
    /// Its motor.
    pub motor: MotorSpec,
    /// Position of its other end.
    pub away: i32,
    /// Degrees that a flip must move at least.
    pub least_travel: i32,
    /// With the cube in it.
    pub with_cube: Pace,
    /// Empty.
    pub empty: Pace,
    /// To settle a cube that jammed.
    pub slow: Pace,
    /// Homing speed, degrees per second.
    pub home_speed: i32,
    /// Homing: longest time.
    pub home_limit_ms: u32,
}

/// The turntable. It has no zero of its own: the operator squares it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turntable {
    /// Its motor.
    pub motor: MotorSpec,
    /// Degrees of a quarter turn clockwise as seen from above.
    pub quarter: i32,
    /// How far a yaw goes past its end.
    pub yaw_touch: i32,
    /// The leg that brings layers to their place.
    pub accurate: Pace,
    /// All other legs.
    pub free: Pace,
}

/// The squisher. Its zero is wide open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Squisher {
    /// Its motor.
    pub motor: MotorSpec,
    /// Degrees of the turntable's motor that drag it by one degree.
    pub table_degrees_per_degree: f64,
    /// Whether it presses only a cube that is wholly in the turntable.
    pub only_at_full_height: bool,
    /// Closing and opening.
    pub press: Pace,
    /// Homing speed, degrees per second.
    pub home_speed: i32,
    /// Homing: longest time.
    pub home_limit_ms: u32,
}

/// What needs layers that were pressed square since they last turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SquishBefore {
    /// Lowering the cube to rest.
    Lower,
    /// Turning the whole cube.
    Yaw,
    /// Turning other layers.
    Turn,
}

/// Constants for one cube size, in motor degrees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// N.
    pub n: usize,
    /// Edge of the cube.
    pub millimetres: u32,
    /// Elevator positions for 1 to N rows in the turntable, before the elevator's offset.
    pub rows: Vec<i32>,
    /// How far a layer turn goes past its end.
    pub touch: i32,
    /// The leg back that squares the cube, where one is needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub square_cube: Option<i32>,
    /// How far the squisher closes.
    pub squish: i32,
    /// When it has to.
    #[serde(default)]
    pub squish_before: Vec<SquishBefore>,
    /// The most that the elevator may do, degrees per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elevator_speed: Option<i32>,
}

/// One leg of a turn of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leg {
    /// Where it ends, relative to the square position from which the whole turn starts.
    pub to: i32,
    /// How it goes.
    pub pace: Pace,
}

impl Elevator {
    /// How far up a position of its motor is, in degrees.
    pub fn up(&self, at: i32) -> i32 {
        at * self.clear.signum()
    }

    /// The speed of its motor with which it goes gently down.
    pub fn gently_down(&self) -> i32 {
        -self.up(self.home_speed)
    }
}

impl Flipper {
    /// The speed of its motor with which it goes gently home.
    pub fn gently_home(&self) -> i32 {
        -self.away.signum() * self.home_speed
    }
}

impl Squisher {
    /// The speed of its motor with which it goes gently open.
    pub fn gently_open(&self) -> i32 {
        -self.home_speed
    }

    /// How it goes so many degrees while the table turns for so many milliseconds: by 15 percent faster. Where it has hardly anything to go, it
    /// goes as fast as when its zero is found: what its gears have slipped and its tacho does not show would else take seconds.
    pub fn along(&self, way: i32, table_ms: u32) -> Pace {
        let least = self.home_speed.min(self.press.speed);
        Pace {
            speed: (way.abs() * 1150 / table_ms.max(1) as i32).clamp(least, self.press.speed),
            ramp_up_ms: 0,
            ramp_down_ms: 0,
        }
    }
}

fn kind() -> String {
    KIND.to_string()
}

impl Mechanism {
    /// The robot that the program was written for.
    pub fn builtin() -> Mechanism {
        #[allow(clippy::expect_used)] // The text is part of the program, and a test reads it.
        Mechanism::parse(BUILTIN, "(built in)").expect("the built-in calibration is valid")
    }

    /// Reads a calibration file and checks it.
    pub fn load(path: &Path) -> Result<Mechanism, CalibrationError> {
        calibration::load(path, Mechanism::parse)
    }

    /// Reads the text of a calibration file and checks it; `origin` is its name in messages.
    pub fn parse(text: &str, origin: &str) -> Result<Mechanism, CalibrationError> {
        let mut mechanism: Mechanism = calibration::parse(text, origin, KIND, Mechanism::check)?;
        mechanism.origin = origin.to_string();
        Ok(mechanism)
    }

    /// The motor of a part.
    pub fn motor(&self, part: Part) -> &MotorSpec {
        match part {
            part::ELEVATOR => &self.elevator.motor,
            part::FLIPPER => &self.flipper.motor,
            part::TURNTABLE => &self.turntable.motor,
            _ => &self.squisher.motor,
        }
    }

    /// What it needs of its brick.
    pub fn needs(&self) -> Needs {
        Needs {
            motors: part::ALL.map(|part| self.motor(part).port).to_vec(),
            touch: true,
            ..Needs::default()
        }
    }

    /// The constants for a cube of size `n`.
    pub fn size(&self, n: usize) -> Result<&Size, CalibrationError> {
        self.sizes
            .iter()
            .find(|size| size.n == n)
            .ok_or_else(|| CalibrationError::MissingSize {
                path: self.origin.clone(),
                n,
                known: self
                    .sizes
                    .iter()
                    .map(|s| s.n.to_string())
                    .collect::<Vec<_>>()
                    .join(", "),
            })
    }

    /// The elevator's position with `rows` rows in the turntable; 0 is rest.
    pub fn height(&self, size: &Size, rows: u8) -> i32 {
        match rows.checked_sub(1).and_then(|row| size.rows.get(row as usize)) {
            Some(position) => position + self.elevator.row_offset,
            None => 0,
        }
    }

    /// Degrees by which the elevator is up with the whole of a cube in the turntable, of the size that is lifted highest.
    pub fn highest(&self) -> i32 {
        let heights = self.sizes.iter().map(|size| self.height(size, size.n as u8).abs());
        heights.max().unwrap_or(0)
    }

    /// How the elevator goes from one number of rows to another.
    pub fn elevator_pace(&self, size: &Size, from: u8, to: u8) -> Pace {
        let elevator = &self.elevator;
        let pace = if to == 0 {
            elevator.rest
        } else if from == 0 {
            elevator.lift
        } else if to > from {
            elevator.raise
        } else {
            elevator.lower
        };
        size.elevator_speed.map_or(pace, |speed| pace.at_most(speed))
    }

    /// The legs of a layer turn of 1 to 3 quarters clockwise (3 are one the other way): too far, back, and to the square.
    pub fn turn_legs(&self, size: &Size, quarters: u8) -> Vec<Leg> {
        let (end, sense) = self.table_travel(quarters);
        let over = end + sense * size.touch;
        let (accurate, free) = (self.turntable.accurate, self.turntable.free);
        let mut legs = vec![Leg {
            to: over,
            pace: accurate,
        }];
        legs.extend(size.square_cube.map(|back| Leg {
            to: over + sense * back,
            pace: free,
        }));
        legs.push(Leg { to: end, pace: free });
        legs
    }

    /// The legs of a turn of the whole cube by 1 to 3 quarters clockwise (3 are one the other way).
    pub fn yaw_legs(&self, quarters: u8) -> Vec<Leg> {
        let (end, sense) = self.table_travel(quarters);
        let pace = self.turntable.free;
        [end + sense * self.turntable.yaw_touch, end]
            .map(|to| Leg { to, pace })
            .to_vec()
    }

    /// Degrees of the table for so many quarters clockwise, the shorter way, and their sign.
    fn table_travel(&self, quarters: u8) -> (i32, i32) {
        let signed = if quarters == 3 { -1 } else { i32::from(quarters) };
        let end = self.turntable.quarter * signed;
        (end, end.signum())
    }

    /// The squisher's position that keeps it wide open when the turntable is at `table`, both counted from where it was homed.
    pub fn dragged(&self, table: i32) -> i32 {
        (f64::from(table) / self.squisher.table_degrees_per_degree).round() as i32
    }
}

#[cfg(test)]
mod tests;
