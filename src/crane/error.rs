use super::mechanism::MechanismError;
use super::pose::PoseError;
use crate::brick::DeviceError;

/// A part of the crane, as its messages name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Lifts the cube.
    Elevator,
    /// Tips it.
    Flipper,
    /// Turns it.
    Turntable,
    /// Presses it square.
    Squisher,
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Part::Elevator => "elevator",
            Part::Flipper => "flipper",
            Part::Turntable => "turntable",
            Part::Squisher => "squisher",
        })
    }
}

/// Why the crane stopped.
#[derive(Debug, thiserror::Error)]
pub enum CraneError {
    /// A motor or sensor is not there or does not work.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The calibration does not know this cube.
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
    /// Not possible from where the crane is.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// A motor pushes and does not move.
    #[error("the {part} is stuck at {at} degrees on its way to {target}: free it, then start again")]
    Stuck {
        /// Which.
        part: Part,
        /// Where it stands, motor degrees.
        at: i32,
        /// Where it should be.
        target: i32,
    },
    /// A motor did not end its motion in time.
    #[error("the {part} did not end {doing} within {seconds:.1} s: check its cable and gears, then start again")]
    TimedOut {
        /// Which.
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
        /// Which.
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
    /// Somebody wants it to stop.
    #[error("stopped by the {by}: start again when ready")]
    Aborted {
        /// The touch sensor, or the stop signal.
        by: &'static str,
    },
    /// Somebody has left the crane in the middle of a motion, and its motors do not stand where they should.
    #[error(
        "the {part} is not where it was left: put the cube straight into its holder, square the turntable, push the flipper home"
    )]
    Lost {
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
