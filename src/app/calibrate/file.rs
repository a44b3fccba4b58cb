//! A machine's file under calibration.

use std::path::{Path, PathBuf};

use super::asking::CalibrateError;
use crate::app::Model;
use crate::calibration::edit::{Table, set};
use crate::calibration::{CalibrationError, calibration_text};
use crate::crane::BUILTIN;
use crate::files::{self, Trouble};

/// The text of a calibration file, what it says, and what was changed in it.
#[derive(Debug)]
pub struct File {
    path: PathBuf,
    text: String,
    model: Model,
    changed: bool,
    /// Whether what was changed is to be written.
    kept: bool,
}

impl File {
    /// Reads a file; where there is none, the built-in crane's becomes it when it is saved.
    ///
    /// # Errors
    /// If it cannot be read, or says what no machine can be.
    pub fn open(path: &Path) -> Result<File, CalibrateError> {
        let text = match calibration_text(path) {
            Err(why) if why.is_missing() => BUILTIN.to_string(),
            read => read.map_err(|why| CalibrationError::Read {
                path: path.display().to_string(),
                reason: why.trouble.to_string(),
            })?,
        };
        let model = Model::parse(&text, &path.display().to_string())?;
        Ok(File {
            path: path.to_path_buf(),
            text,
            model,
            changed: false,
            kept: true,
        })
    }

    /// The same, never to be written.
    pub fn only_tried(self) -> File {
        File { kept: false, ..self }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it says.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Changes a value, if the machine can be like that.
    pub(super) fn set(&mut self, table: Table, key: &str, value: &str) -> Result<(), CalibrateError> {
        let path = self.path.display().to_string();
        let Some(text) = set(&self.text, table, key, value) else {
            return Err(CalibrateError::Write {
                path,
                reason: format!("{key} is not written there in a line of its own; write {value} there by hand"),
            });
        };
        self.model = Model::parse(&text, &path)?;
        (self.text, self.changed) = (text, true);
        Ok(())
    }

    /// Puts the new text in the place of the old one, at once or not at all.
    pub(super) fn save(&mut self) -> Result<(), CalibrateError> {
        if !self.changed || !self.kept {
            return Ok(());
        }
        let written = std::fs::create_dir_all(files::folder(&self.path)).map_err(Trouble::from);
        let written = written.and_then(|()| files::replace(&self.path, &[self.text.as_bytes()]).map_err(|e| e.trouble));
        written.map_err(|why| CalibrateError::Write {
            path: self.path.display().to_string(),
            reason: why.to_string(),
        })?;
        self.changed = false;
        Ok(())
    }
}
