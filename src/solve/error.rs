//! Why there is no solution.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::advice;
use crate::cube::StateError;
use crate::tables::{BUILDS_TABLES, Store, TableError};

/// The sizes that can be solved.
pub const SIZES: RangeInclusive<usize> = 2..=17;

/// Why there is no solution.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// No cube can have this state.
    #[error("no cube can have this state: {0}")]
    Illegal(#[from] StateError),
    /// A table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// No solver for this size.
    #[error("a {0}x{0}x{0} cannot be solved; sizes {first} to {last} can", first = SIZES.start(), last = SIZES.end())]
    Size(usize),
    /// For this size nothing can be proved.
    #[cfg(feature = "optimal")]
    #[error(
        "of a {0}x{0}x{0} it cannot be proved that nothing shorter exists, only of a 2x2x2 and a 3x3x3; take effort best"
    )]
    Unprovable(usize),
    /// A request stopped the search before the first solution.
    #[error("interrupted before there was a solution")]
    Interrupted,
    /// The time limit came before the first solution.
    #[error("no solution within {seconds:.1} s ({nodes} nodes); allow more time")]
    Ended {
        /// Nodes searched.
        nodes: u64,
        /// Seconds spent.
        seconds: f64,
    },
    /// The search came to its end without a solution, or with turns that do not solve the cube. No limit and no request had ended
    /// it, and no table was found to contradict itself.
    #[error(
        "no solution found, though nothing cut the search short ({nodes} nodes, {seconds:.1} s): tables in {} may be wrong; \
         {remedy}; if that does not help, please report this state",
        folder.display()
    )]
    NotFound {
        /// Nodes searched.
        nodes: u64,
        /// Seconds spent.
        seconds: f64,
        /// The folder of the tables.
        folder: PathBuf,
        /// What to do about them.
        remedy: String,
    },
}

impl SolveError {
    /// That a search has found nothing which solves a cube, though nothing cut it short: tables for cubes of size `n` may be wrong.
    pub(crate) fn not_found(store: &Store, n: usize, nodes: u64, seconds: f64) -> SolveError {
        SolveError::NotFound {
            nodes,
            seconds,
            folder: store.folder().to_path_buf(),
            remedy: advice::wrong("them", &format!("--size {n}"), BUILDS_TABLES),
        }
    }
}
