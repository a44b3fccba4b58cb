//! The builder who is asked, and why a calibration may end early.

use crate::brick::{Brick, DeviceError};
use crate::calibration::CalibrationError;
use crate::drive::MachineError;
use crate::picture::PictureError;

/// Why a calibration has ended early; the machine's file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// The user has stopped it, or does not answer any more.
    #[error("calibration stopped: the machine's file is as it was")]
    Stopped,
    /// A device.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The file, or a size that it has not got.
    #[error(transparent)]
    Mechanism(#[from] CalibrationError),
    /// A picture.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A motor that goes where it should not, or a sensor that sees what it should not.
    #[error("{0}")]
    Wrong(String),
    /// The machine has no such part.
    #[error("{machine} has no {part} to calibrate: only {known}")]
    NoSuchPart {
        /// What was to be calibrated.
        part: String,
        /// The machine's name.
        machine: String,
        /// What it has.
        known: String,
    },
    /// The file cannot be written.
    #[error("cannot write the calibration {path}: {reason}")]
    Write {
        /// The file.
        path: String,
        /// The system's words.
        reason: String,
    },
}

impl From<MachineError> for CalibrateError {
    fn from(why: MachineError) -> CalibrateError {
        match why {
            MachineError::Device(why) => CalibrateError::Device(why),
            MachineError::Aborted { .. } => CalibrateError::Stopped,
            MachineError::TimedOut { part, .. } => CalibrateError::Wrong(format!(
                "the {part} moves and does not arrive: see whether it turns freely without its part"
            )),
            why => CalibrateError::Wrong(why.to_string()),
        }
    }
}

/// What can be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Yes, or: it is right so.
    Yes,
    /// No.
    No,
    /// So many degrees further up, or down if negative.
    Move(i32),
}

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Yes or no.
    YesNo,
    /// To move up and down until it is right.
    Level,
    /// To go on.
    Ready,
}

/// The user, who looks at the machine and answers.
pub trait Builder {
    /// Asks.
    ///
    /// # Errors
    /// [`CalibrateError::Stopped`] if there is no answer any more.
    fn ask(&mut self, brick: &mut Brick, text: &str, question: Question) -> Result<Answer, CalibrateError>;
}
