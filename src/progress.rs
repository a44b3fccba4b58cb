//! The progress of a long computation, and whether it is to stop. Tables, lessons and benchmarks tell it, and a terminal shows it.

use std::path::Path;

/// Receives the progress of a long computation, and can end it.
pub trait Progress: Sync {
    /// Tells that `done` of `total` of the present work is done, as evenly in time as possible. Work that cannot tell its progress tells
    /// nothing.
    fn update(&self, done: u64, total: u64);
    /// Whether to stop now.
    fn stopped(&self) -> bool;
    /// Whether it is the time limit that asks to stop.
    fn is_late(&self) -> bool {
        false
    }
    /// Tells that these tables are going to be built, in this order, and kept in a folder, or else for this time only. Gives whether to begin.
    fn plan(&self, _tables: &[Planned], _kept: Option<&Path>) -> bool {
        true
    }
    /// Tells that the next of these tables is begun.
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
