//! Pruning tables on disk: the format, its checks, parallel breadth-first building, mapping and read-ahead.
//!
//! Knows nothing of cubes: a table is a name, a number of entries, and a space to search.
//!
//! A table holds for every *entry* of a coordinate space its distance to the goal. One file, one table:
//!
//! ```text
//! 0    magic "CRANETAB"
//! 8    format version, 16 bits      all numbers little endian
//! 10   bits of an entry: 2, 4 or 8
//! 11   min-compression factor k: stored entry j is the minimum of entries j·k .. j·k + k−1
//! 12   revision of the coordinate's definition, 32 bits
//! 16   name, 48 bytes, padded with zeros
//! 64   entries before compression, 64 bits
//! 72   bytes of the payload, 64 bits
//! 80   CRC-32 of the payload
//! 84   depths in the histogram, 32 bits
//! 88   histogram: entries at distance 0, 1, 2, …; up to 52 of 64 bits
//! 508  CRC-32 of the 508 bytes before
//! 512  payload: entries packed from the low bits of each byte upwards
//! ```
//!
//! Entries of 4 bits are the distance, 15 standing for 15 or more. Entries of 2 bits are the distance modulo 3, 3
//! standing for unreached: a search that knows its own distance tells from them whether a turn leads nearer or farther.
//! Entries of 8 bits are the bytes of something else, of which only the histogram is as above.

mod build;
mod format;
mod store;
mod table;

pub use build::{Depths, Progress, Quiet, Space, breadth_first};
pub use format::{Header, Spec, Width};
pub use store::{Recipe, Status, Store};
pub use table::Table;

use std::path::PathBuf;

/// What can be wrong with a table; one line, with the file's name and what to do.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// It is not there.
    #[error("table {} is missing; {}", path.display(), remedy(BUILDS_TABLES))]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// It is too short or too long: a copy that was cut off.
    #[error("table {} is truncated: {found} bytes instead of {expected}; {}", path.display(), remedy(BUILDS_TABLES))]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Bytes that it should have.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// Not one of this program's files.
    #[error("{} is not a cranecuber table; remove it, then {}", path.display(), remedy(BUILDS_TABLES))]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Another version of the format or of the coordinate.
    #[error("table {} is of another version ({found} instead of {expected}); {}", path.display(), remedy(BUILDS_TABLES))]
    Version {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
        /// What is needed.
        expected: String,
    },
    /// A checksum is wrong.
    #[error("table {} is damaged (its {part} checksum is wrong); {}", path.display(), remedy(BUILDS_TABLES))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Header or payload.
        part: &'static str,
    },
    /// The system refused.
    #[error("cannot {action} table {}: {}; {}", path.display(), source.kind(), advice(source.kind()))]
    Io {
        /// What was being done.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's word.
        source: std::io::Error,
    },
    /// A brick would take hours or days to build it; nothing was written.
    #[error("table {name} is made on a PC only: {}", remedy(false))]
    LeftToAPc {
        /// The table.
        name: String,
    },
    /// Building was interrupted by the user; nothing was written.
    #[error("interrupted while building table {name}; nothing was written")]
    Interrupted {
        /// The table.
        name: String,
    },
}

/// Whether this program runs where tables are built (a PC) or only used (a brick).
pub const BUILDS_TABLES: bool = !cfg!(target_arch = "arm");

fn advice(kind: std::io::ErrorKind) -> &'static str {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, StorageFull};
    match kind {
        StorageFull => "free some space, or name another folder with --tables",
        PermissionDenied | ReadOnlyFilesystem => "allow it, or name another folder with --tables",
        _ => "look whether the folder is right, or name another one with --tables",
    }
}

pub(crate) fn remedy(builds: bool) -> &'static str {
    if builds {
        "build it with `cranecuber tables build`"
    } else {
        "build it on a PC with `cranecuber tables build`, and copy it with `deploy/deploy`"
    }
}
