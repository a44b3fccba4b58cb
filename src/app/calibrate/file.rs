//! A crane's file under calibration.

use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::CalibrateError;
use crate::crane::edit::{Table, set};
use crate::crane::{BUILTIN, Mechanism, MechanismError};

/// The text of a calibration file, what it says, and what was changed in it.
#[derive(Debug)]
pub struct File {
    path: PathBuf,
    text: String,
    mechanism: Mechanism,
    changed: bool,
    /// Whether what was changed is to be written.
    kept: bool,
}

impl File {
    /// Reads a file; where there is none, the built-in calibration becomes it when it is saved.
    ///
    /// # Errors
    /// If it cannot be read, or says what no crane can be.
    pub fn open(path: &Path) -> Result<File, CalibrateError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => BUILTIN.to_string(),
            Err(error) => {
                return Err(MechanismError::Read {
                    path: path.display().to_string(),
                    reason: error.to_string(),
                }
                .into());
            }
        };
        let mechanism = Mechanism::parse(&text, &path.display().to_string())?;
        Ok(File {
            path: path.to_path_buf(),
            text,
            mechanism,
            changed: false,
            kept: true,
        })
    }

    /// The same, never to be written.
    pub fn only_tried(self) -> File {
        File { kept: false, ..self }
    }

    /// What it says.
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// Changes a value, if the crane can be like that.
    pub(super) fn set(&mut self, table: Table, key: &str, value: &str) -> Result<(), CalibrateError> {
        let path = self.path.display().to_string();
        let Some(text) = set(&self.text, table, key, value) else {
            return Err(CalibrateError::Write {
                path,
                reason: format!("{key} is not written there in a line of its own; write {value} there by hand"),
            });
        };
        self.mechanism = Mechanism::parse(&text, &path)?;
        (self.text, self.changed) = (text, true);
        Ok(())
    }

    /// Puts the new text in the place of the old one, at once or not at all.
    pub(super) fn save(&mut self) -> Result<(), CalibrateError> {
        if !self.changed || !self.kept {
            return Ok(());
        }
        let written = self.replace();
        written.map_err(|error| CalibrateError::Write {
            path: self.path.display().to_string(),
            reason: error.to_string(),
        })?;
        self.changed = false;
        Ok(())
    }

    fn replace(&self) -> std::io::Result<()> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        // Whoever calibrates, everybody may read it.
        let readable = Permissions::from_mode(0o644);
        let mut new = tempfile::Builder::new().permissions(readable).tempfile_in(folder)?;
        new.write_all(self.text.as_bytes())?;
        if let Ok(old) = std::fs::metadata(&self.path) {
            new.as_file().set_permissions(old.permissions())?;
        }
        // After a power cut the name must not stand for a file whose bytes never reached the card.
        new.as_file().sync_all()?;
        // What was written is what will be read.
        Mechanism::load(new.path()).map_err(std::io::Error::other)?;
        new.persist(&self.path)?;
        Ok(())
    }
}
