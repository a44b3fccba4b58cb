//! Why a job ended without a solved cube.

use crate::brick::DeviceError;
use crate::calibration::CalibrationError;
use crate::colors::{ColorError, SURE};
use crate::cube::{Face, Square};
use crate::drive::MachineError;
use crate::files::FileError;
use crate::methods::MethodError;
use crate::picture::PictureError;
use crate::solve::SolveError;
use crate::vision::VisionError;

/// Why a job ended without a solved cube; every one is a line that says what happened and what to do.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// A picture is unusable.
    #[error("side {face}: {source}")]
    Picture {
        /// The side.
        face: Face,
        /// What is wrong with it.
        source: PictureError,
    },
    /// A photo file is unusable.
    #[error(transparent)]
    Photo(#[from] PictureError),
    /// No stickers were found.
    #[error(transparent)]
    Vision(#[from] VisionError),
    /// The colours make no sense.
    #[error(transparent)]
    Colors(#[from] ColorError),
    /// There is no solution.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The method is not for such cubes.
    #[error(transparent)]
    Method(MethodError),
    /// The machine failed.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// The calibration is wrong or does not know the size.
    #[error(transparent)]
    Mechanism(#[from] CalibrationError),
    /// A device of the brick failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Two cubes fit nearly equally well, also after looking again.
    #[error("not sure which cube this is (margin {margin:.1}, sure from {SURE}): {what}; {help}")]
    Doubtful {
        /// How sure.
        margin: f32,
        /// Where the two differ.
        squares: Vec<Square>,
        /// These in words.
        what: String,
        /// What to do.
        help: String,
    },
    /// A machine without eyes is to scan its cube.
    #[error("{name} sees nothing: tell it the cube with --state, or on the page")]
    Sightless {
        /// What the machine is called.
        name: String,
    },
    /// What is in the place of the journal.
    #[error(transparent)]
    File(#[from] FileError),
    /// Nothing to go on with.
    #[error(
        "there is no unfinished job to go on with ({path} is missing, or no journal that can be read): start without --resume"
    )]
    NoJournal {
        /// Where it would be.
        path: String,
    },
    /// A correction that makes no sense.
    #[error("{0}")]
    Correction(String),
    /// The rest of a job that never looked at its cube cannot be told.
    #[error(
        "{why}, and nobody has looked at this cube: start without --resume, so that it is scanned, or told with --state"
    )]
    Blind {
        /// What is in doubt.
        why: String,
    },
    /// The system is out of memory, or nearly.
    #[error("the system cannot start another thread: end other programs, then start again")]
    Thread,
    /// A part of the program broke down.
    #[error("the program has an error; please report what was written above")]
    Broken,
    /// The pictures show another size than the user said.
    #[error("the pictures show a {seen}x{seen}x{seen}, but --size says {said}")]
    Size {
        /// What the pictures show.
        seen: usize,
        /// What the user said.
        said: usize,
    },
    /// Four sides look like one size, all six like another.
    #[error(
        "four sides look like a {first}x{first}x{first}, all six like a {then}x{then}x{then}: start again, or say --size"
    )]
    Undecided {
        /// What the first four show.
        first: usize,
        /// What all six show.
        then: usize,
    },
}

impl From<MethodError> for JobError {
    fn from(why: MethodError) -> JobError {
        match why {
            MethodError::Solve(why) => JobError::Solve(why),
            why => JobError::Method(why),
        }
    }
}
