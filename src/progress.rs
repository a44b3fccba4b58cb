//! How a long computation goes, and whether it is to stop: what a table, a lesson and a benchmark tell, and a terminal shows.

use std::path::Path;

/// Who is told how a long computation goes, and can end it.
pub trait Progress: Sync {
    /// `done` of `total` of the work at hand is done, as even in time as can be told. What cannot tell says nothing.
    fn update(&self, done: u64, total: u64);
    /// Whether to stop now.
    fn stopped(&self) -> bool;
    /// Whether it is the time limit that asks to stop.
    fn is_late(&self) -> bool {
        false
    }
    /// These tables are going to be built, in this order, and kept in a folder, or else for this time only. Whether to begin.
    fn plan(&self, _tables: &[Planned], _kept: Option<&Path>) -> bool {
        true
    }
    /// The next one of them is begun.
    fn next(&self) {}
    /// All of them are done, or will not be.
    fn finish(&self) {}
}

/// A table that is going to be built.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Planned {
    /// Its name.
    pub name: &'static str,
    /// About how long it takes on this computer.
    pub seconds: f64,
}

/// No progress is shown, and nothing stops.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quiet;

impl Progress for Quiet {
    fn update(&self, _done: u64, _total: u64) {}
    fn stopped(&self) -> bool {
        false
    }
}
