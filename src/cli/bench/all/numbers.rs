//! The file of all figures.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cli::Failure;
use crate::files;

/// The file of all figures, in the folder of the documents.
pub(super) const NUMBERS: &str = "numbers.json";
/// How it begins.
const BEGIN: &str = "{\n  \"made_by\": \"cranecuber bench all\",";
/// The most bytes of a document.
pub(super) const LONGEST: u64 = 1_000_000;

/// All figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Numbers {
    /// What makes this file.
    pub made_by: String,
    /// By name.
    pub measured: BTreeMap<String, Measured>,
}

/// What one measurement gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Measured {
    /// What gives it again.
    pub command: String,
    /// The program's version.
    pub version: String,
    /// How many cores the computer had.
    pub cores: usize,
    /// What the command printed, but for single jobs.
    pub figures: Value,
}

impl Numbers {
    pub fn none() -> Numbers {
        Numbers {
            made_by: "cranecuber bench all".to_string(),
            measured: BTreeMap::new(),
        }
    }

    /// Those in a folder of documents; none if there is no such file yet.
    pub fn read(docs: &Path) -> Result<Numbers, Failure> {
        let path = docs.join(NUMBERS);
        if files::find(&path).map_err(failed)?.is_none() {
            return Ok(Numbers::none());
        }
        let text = files::read_text(&path, LONGEST).map_err(failed)?;
        serde_json::from_str(&text).map_err(|why| {
            Failure::Failed(format!(
                "{} has no figures of cranecuber: {why}; name another folder",
                path.display()
            ))
        })
    }

    pub fn write(&self, docs: &Path) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(self).map_err(failed)?;
        let what = "a file of cranecuber's figures";
        files::replace_own(&docs.join(NUMBERS), (BEGIN, what), &format!("{text}\n")).map_err(failed)
    }
}

/// A failure in these words.
pub(super) fn failed(why: impl std::fmt::Display) -> Failure {
    Failure::Failed(why.to_string())
}
