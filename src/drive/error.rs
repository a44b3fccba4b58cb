//! What can go wrong with a machine.

use super::part::Part;
use crate::brick::{DeviceError, MotorKind, MotorPort};
use crate::calibration::CalibrationError;

/// How a machine was left that could not be parked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Whether the cube may still be where only the machine can bring it down.
    pub is_cube_up: bool,
    /// What is so, and what the user has to do by hand.
    pub words: &'static str,
}

/// Why a machine stopped. When the error is reported, the machine is parked and the cube is at rest, except after
/// [`MachineError::NotParked`].
#[derive(Debug, thiserror::Error)]
pub enum MachineError {
    /// A motor or sensor is not there or does not work.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The calibration does not know this cube.
    #[error(transparent)]
    Mechanism(#[from] CalibrationError),
    /// Not possible from where the machine is.
    #[error("{0}")]
    Impossible(String),
    /// A motor pushes and does not move.
    #[error("the {part} is stuck at {at} degrees on its way to {target}: free it, then start again")]
    Stuck {
        /// Which part.
        part: Part,
        /// Where it stands, motor degrees.
        at: i32,
        /// Where it should be.
        target: i32,
    },
    /// A motor did not end its motion in time.
    #[error("the {part} did not end {doing} within {seconds:.1} s: check its cable and gears, then start again")]
    TimedOut {
        /// Which part.
        part: Part,
        /// What it was doing.
        doing: &'static str,
        /// The limit.
        seconds: f64,
    },
    /// A motor ended somewhere else.
    #[error(
        "the {part} stopped at {at} degrees instead of {target}: check its gears and the battery, then start again"
    )]
    Missed {
        /// Which part.
        part: Part,
        /// Where it stands, motor degrees.
        at: i32,
        /// Where it should be.
        target: i32,
    },
    /// All tries to get past a jam have failed.
    #[error("the cube jammed {tries} times while {doing}: take it out, straighten its layers, and start again")]
    Jammed {
        /// What was being done.
        doing: &'static str,
        /// How often it was tried.
        tries: u32,
    },
    /// A stop was requested.
    #[error("stopped by the {by}: start again when ready")]
    Aborted {
        /// The touch sensor, or the stop signal.
        by: &'static str,
    },
    /// A motor was unplugged for a moment, and its tacho has another zero now.
    #[error(
        "the {part}'s motor lost its place when its cable was out: push the cable in at both ends, then start again"
    )]
    Lost {
        /// Which part.
        part: Part,
    },
    /// A motor of another kind than the calibration says.
    #[error(
        "the {part}'s motor at port {port} is a {found} one and should be a {wanted} one: swap the cables, or correct the calibration"
    )]
    WrongMotor {
        /// The part that the motor moves.
        part: Part,
        /// Its port.
        port: MotorPort,
        /// What is plugged in there.
        found: MotorKind,
        /// What the calibration wants.
        wanted: MotorKind,
    },
    /// The brick would soon switch itself off.
    #[error("the battery is down to {}.{} V: charge it or change it, then start again", millivolts / 1000, millivolts % 1000 / 100)]
    LowBattery {
        /// What is left.
        millivolts: u32,
    },
    /// The machine could not be parked after something else had failed.
    #[error("{why}; {}", left.words)]
    NotParked {
        /// What had failed first.
        why: Box<MachineError>,
        /// How it was left.
        left: Left,
    },
    /// The machine was left in the middle of a motion, and its motors do not stand where they should.
    #[error("the {part} is not where it was left: {by_hand}")]
    Moved {
        /// The part that says so.
        part: Part,
        /// What to do by hand.
        by_hand: &'static str,
    },
    /// Lifting rows of a cube whose N is not known.
    #[error("the size of the cube is not known yet, so it cannot be lifted by rows: scan it first")]
    SizeUnknown,
    /// Moving before the motors' zeros are known.
    #[error("the machine does not know where its motors stand: home it first")]
    NotHomed,
}

impl MachineError {
    /// Whether something was in the way, so that another try may do.
    pub(crate) fn is_obstacle(&self) -> bool {
        matches!(self, MachineError::Stuck { .. } | MachineError::Missed { .. })
    }

    /// Whether a call of the system failed or a cable was out: the same may work the next time.
    pub(super) fn may_work_again(&self) -> bool {
        match self {
            MachineError::Device(why) => matches!(why, DeviceError::Failed { .. } | DeviceError::Missing { .. }),
            MachineError::NotParked { why, .. } => why.may_work_again(),
            _ => false,
        }
    }

    /// Whether the cube may still be where only the machine can bring it down.
    pub fn is_cube_up(&self) -> bool {
        matches!(self, MachineError::NotParked { left, .. } if left.is_cube_up)
    }
}
