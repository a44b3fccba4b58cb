//! What can go wrong with a crane.

use super::part::Part;
use super::pose::PoseError;
use crate::brick::{DeviceError, MotorKind, MotorPort};
use crate::calibration::CalibrationError;

/// How a crane was left that could not be parked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// The cube is in the turntable, or may be.
    CubeUp,
    /// The cube is down, but not all parts are where they start.
    CubeDown,
}

impl std::fmt::Display for Left {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Left::CubeUp => "THE CUBE IS STILL UP: square its layers and the turntable by hand before it comes down",
            Left::CubeDown => {
                "the cube is down, but not all is at its place: push the flipper home and open the squisher by hand"
            }
        })
    }
}

/// Why the crane stopped. When the error is reported, the crane is parked and the cube is down, except after [`CraneError::NotParked`].
#[derive(Debug, thiserror::Error)]
pub enum CraneError {
    /// A motor or sensor is not there or does not work.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The calibration does not know this cube.
    #[error(transparent)]
    Mechanism(#[from] CalibrationError),
    /// Not possible from where the crane is.
    #[error(transparent)]
    Pose(#[from] PoseError),
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
    /// The crane could not be parked after something else had failed.
    #[error("{why}; {left}")]
    NotParked {
        /// What had failed first.
        why: Box<CraneError>,
        /// How it was left.
        left: Left,
    },
    /// The crane was left in the middle of a motion, and its motors do not stand where they should.
    #[error(
        "the {part} is not where it was left: put the cube straight into its holder, square the turntable, push the flipper home"
    )]
    Moved {
        /// The part that says so.
        part: Part,
    },
    /// Lifting rows of a cube whose N is not known.
    #[error("the size of the cube is not known yet, so it cannot be lifted by rows: scan it first")]
    SizeUnknown,
    /// Moving before the motors' zeros are known.
    #[error("the crane does not know where its motors stand: home it first")]
    NotHomed,
}

impl CraneError {
    /// Whether something was in the way, so that another try may do.
    pub(super) fn is_obstacle(&self) -> bool {
        matches!(self, CraneError::Stuck { .. } | CraneError::Missed { .. })
    }

    /// Whether the cube may still be up.
    pub fn is_cube_up(&self) -> bool {
        matches!(self, CraneError::NotParked { left: Left::CubeUp, .. })
    }
}
