//! Calibration files: what all kinds of machines have in common there, the text, its errors, and motors as data.
//!
//! A file begins with `kind`, which says what machine it is for; the folder of that machine says the rest, and gives [`load`] the check that
//! its values must pass. Errors name the file, the line, the key, and what would be right. [`edit`] changes single values in the text and
//! leaves all else, comments too, as it is.
//!
//! Knows `files` and the ports and kinds of motors in `brick`; must not know any one machine.

pub mod edit;
mod motor;
mod rules;

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::files::{self, FileError};
use edit::{Table, find};
pub use motor::{BatteryLimits, MotorSpec, Pace, travel_ms};
pub(crate) use rules::{
    Broken, FARTHEST, FASTEST, HOMING_MS, LONGEST_MS, TOP, check_address, check_battery, check_motors, check_paces,
    check_timing, must, within,
};

/// More bytes than a calibration has with any comments.
const LARGEST: u64 = 1 << 20;

/// The text of a calibration file.
pub(crate) fn calibration_text(path: &Path) -> Result<String, FileError> {
    files::read_text(path, LARGEST)
}

/// What is wrong with a calibration file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CalibrationError {
    /// The file cannot be read.
    #[error("cannot read the calibration {path}: {reason}")]
    Read {
        /// The file.
        path: String,
        /// The system's words.
        reason: String,
    },
    /// Not TOML, an unknown key, a key that is missing, a value of the wrong kind.
    #[error("calibration {path}, line {line}: {reason}")]
    Syntax {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// Another kind of machine.
    #[error("calibration {path} is for a machine of the kind {found:?}, and not of the kind {wanted:?}")]
    Kind {
        /// The file.
        path: String,
        /// The kind that it names.
        found: String,
        /// The kind that it should be.
        wanted: &'static str,
    },
    /// A kind of machine that there is not.
    #[error("calibration {path} is for a machine of the kind {found:?}, which is not known: {known} are")]
    UnknownKind {
        /// The file.
        path: String,
        /// The kind that it names.
        found: String,
        /// All that are known.
        known: String,
    },
    /// A machine that turns one size of cubes only.
    #[error("the machine {name:?} turns the 3x3x3 only, and this is a {n}x{n}x{n}")]
    OtherSize {
        /// What the machine is called.
        name: String,
        /// The size asked for.
        n: usize,
    },
    /// A machine whose rules forbid what it is for.
    #[error("the rules of the machine {name:?} leave no way to turn {turn}: loosen [rules] in its calibration")]
    NoWay {
        /// What the machine is called.
        name: String,
        /// A turn.
        turn: String,
    },
    /// Well written, but no machine can be like that.
    #[error("calibration {path}{}: {reason}", line.map_or(String::new(), |line| format!(", line {line}")))]
    Value {
        /// The file.
        path: String,
        /// The line, from 1. `None` if the key is not in a line of its own.
        line: Option<usize>,
        /// What is wrong and what would be right.
        reason: String,
    },
    /// No constants for a cube of this size.
    #[error("calibration {path} has no size {n}, only {known}: a file with a [[size]] table for it does")]
    MissingSize {
        /// The file.
        path: String,
        /// The size asked for.
        n: usize,
        /// The sizes it has.
        known: String,
    },
}

/// The kind that a file names.
#[derive(Deserialize)]
struct Kinded {
    kind: Option<String>,
}

/// The kind of machine that the text of a calibration file is for, if it says so.
pub fn kind(text: &str) -> Option<String> {
    toml::from_str(text).ok().and_then(|file: Kinded| file.kind)
}

/// Reads a calibration file, by what parses a text with the file's name.
///
/// # Errors
/// As the parser; [`CalibrationError::Read`].
pub fn load<T>(
    path: &Path,
    parse: impl FnOnce(&str, &str) -> Result<T, CalibrationError>,
) -> Result<T, CalibrationError> {
    let name = path.display().to_string();
    let text = calibration_text(path).map_err(|why| CalibrationError::Read {
        path: name.clone(),
        reason: why.trouble.to_string(),
    })?;
    parse(&text, &name)
}

/// Reads the text of a calibration file of a kind, and checks it; `origin` is its name in messages.
pub(crate) fn parse<T: DeserializeOwned>(
    text: &str,
    origin: &str,
    wanted: &'static str,
    check: impl FnOnce(&T) -> Result<(), Broken>,
) -> Result<T, CalibrationError> {
    let path = origin.to_string();
    if let Some(found) = kind(text).filter(|found| found != wanted) {
        return Err(CalibrationError::Kind { path, found, wanted });
    }
    let machine = toml::from_str(text).map_err(|error| {
        let line = line(text, error.span().map_or(0, |span| span.start));
        let written = text.lines().nth(line - 1).and_then(|written| written.split_once('='));
        CalibrationError::Syntax {
            path: path.clone(),
            line,
            reason: in_plain_words(written.map_or("", |(key, _)| key.trim()), error.message()),
        }
    })?;
    check(&machine).map_err(|Broken { table, key, why }| CalibrationError::Value {
        path,
        line: find(text, table, key).map(|at| self::line(text, at)),
        reason: match table {
            Table::Named("") => format!("{key}: {why}"),
            Table::Named(name) => format!("{name}.{key}: {why}"),
            Table::Size(n) => format!("size {n}, {key}: {why}"),
        },
    })?;
    Ok(machine)
}

/// The line of a place in a text, from 1.
fn line(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1
}

/// What is wrong with the value of a key, in plain words instead of names of Rust types.
fn in_plain_words(key: &str, why: &str) -> String {
    let mut why = why.replace('\n', " ");
    for (theirs, ours) in [
        ("i32", "a whole number"),
        ("u32", "a whole number, 0 or more"),
        ("usize", "a whole number, 0 or more"),
        ("u8", "a whole number from 0 to 255"),
        ("u16", "a whole number from 0 to 65535"),
        ("f64", "a number"),
    ] {
        if let Some(before) = why.strip_suffix(theirs) {
            why = format!("{before}{ours}");
        }
    }
    match key.is_empty() || why.contains(&format!("`{key}`")) {
        true => why,
        false => format!("{key}: {why}"),
    }
}
