//! Why a command did not do its work.

use std::io::Write;
use std::process::ExitCode;

use crate::app::JobError;
use crate::calibration::CalibrationError;
use crate::colors::Ambiguous;
use crate::cube::ParseStateError;
use crate::files::FileError;
#[cfg(feature = "hands")]
use crate::hands::HandsError;
#[cfg(feature = "cubers")]
use crate::methods::MethodError;
use crate::picture::PictureError;
use crate::solve::SolveError;
use crate::tables::TableError;

/// Why a command did not do its work.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The arguments make no sense.
    #[error("{0}")]
    Usage(String),
    /// The work failed.
    #[error("{0}")]
    Failed(String),
    /// The cube may be another one than was seen. Programs that read the answer must not take it for sure.
    #[error("{0}")]
    Doubtful(String),
    /// The reader of standard output has gone away.
    #[error("standard output is closed")]
    Closed,
}

impl Failure {
    /// What programs call it, and the exit code.
    pub(super) fn kind(&self) -> (&'static str, u8) {
        match self {
            Failure::Failed(_) => ("failed", 1),
            Failure::Usage(_) => ("usage", 2),
            Failure::Doubtful(_) => ("doubtful", 3),
            Failure::Closed => ("closed", 0),
        }
    }

    /// Says it in one line on standard error; gives the exit code.
    pub(super) fn tell(&self, json: bool) -> ExitCode {
        let (kind, code) = self.kind();
        if code > 0 {
            let line = if json {
                serde_json::json!({ "error": kind, "message": self.to_string(), "exit_code": code }).to_string()
            } else {
                format!("cranecuber: {self}")
            };
            // Where even standard error is closed, the exit code has to do.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
        ExitCode::from(code)
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        Failure::Failed(error.to_string())
    }
}

#[cfg(feature = "cubers")]
impl From<MethodError> for Failure {
    fn from(error: MethodError) -> Failure {
        match error {
            MethodError::Size { .. } => Failure::Usage(error.to_string()),
            MethodError::Solve(why) => why.into(),
        }
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Failure {
        match error {
            JobError::Doubtful { .. } => Failure::Doubtful(error.to_string()),
            _ => Failure::Failed(error.to_string()),
        }
    }
}

impl From<CalibrationError> for Failure {
    fn from(error: CalibrationError) -> Failure {
        Failure::Failed(error.to_string())
    }
}

impl From<PictureError> for Failure {
    fn from(error: PictureError) -> Failure {
        Failure::Failed(error.to_string())
    }
}

#[cfg(feature = "hands")]
impl From<HandsError> for Failure {
    fn from(error: HandsError) -> Failure {
        Failure::Failed(error.to_string())
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        Failure::Failed(error.to_string())
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::Failed(error.to_string())
    }
}

impl From<Ambiguous> for Failure {
    fn from(error: Ambiguous) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<ParseStateError> for Failure {
    fn from(error: ParseStateError) -> Failure {
        Failure::Usage(error.to_string())
    }
}
