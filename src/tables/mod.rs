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
//! Entries of 8 bits are bytes of something else; their histogram is as above.
//!
//! # From a coordinate to a stored distance
//!
//! Say, the puzzle is a dial of ten digits that a turn moves by 1 or by 3, either way, and the goal is 0. Its *coordinate* is
//! the digit: a number below 10 for every position. A [`Space`] tells the goals and the neighbours of each number, and a
//! [`Recipe`] gives the table its name and its shape. A [`Store`] searches the space breadth first from the goals, writes the
//! file, and maps it.
//!
//! ```
//! use cranecuber::progress::{Progress, Quiet};
//! use cranecuber::tables::{Cost, Depths, Recipe, Space, Spec, Store, Table, Width, breadth_first};
//!
//! struct Dial;
//!
//! impl Space for Dial {
//!     fn entries(&self) -> usize {
//!         10
//!     }
//!     fn goals(&self) -> Vec<usize> {
//!         vec![0]
//!     }
//!     fn neighbours(&self, digit: usize, mut see: impl FnMut(usize)) {
//!         [1, 3, 7, 9].into_iter().for_each(|turn| see((digit + turn) % 10));
//!     }
//! }
//!
//! impl Recipe for Dial {
//!     fn spec(&self) -> Spec {
//!         Spec {
//!             name: "dial",
//!             revision: 1,
//!             width: Width::Nibble,
//!             compression: 1,
//!             entries: 10,
//!         }
//!     }
//!     fn size(&self) -> usize {
//!         2 // Tables belong to a size of cube.
//!     }
//!     fn cost(&self) -> Cost {
//!         Cost { alone: 0.0, shared: 0.0 }
//!     }
//!     fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
//!         breadth_first(self, progress)
//!     }
//! }
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let store = Store::new(folder);
//! store.open_or_build(&Dial, &Quiet)?;
//! // The file is there now: this maps it.
//! let table = store.open(&Dial)?;
//! assert_eq!(table.header().histogram, [1, 4, 4, 1]);
//!
//! // Digit 5 by hand: 0 turns reach 0; one reaches 1, 3, 7, 9; two reach 2, 4, 6, 8; so 5 is three turns away, 5 = 3 + 3 - 1.
//! // Entries of 4 bits lie two in a byte, so entry 5 is in byte 5 / 2 = 2, in its upper half; the lower half is entry 4.
//! assert_eq!(table.payload()[2], 0x32);
//! assert_eq!(Table::nibble(table.payload(), 5), 3);
//!
//! // What a search does with it: of all turns it takes one that leads nearer.
//! let (mut digit, mut turns) = (5, 0);
//! while digit != 0 {
//!     let nearer = |next: &usize| Table::nibble(table.payload(), *next) < Table::nibble(table.payload(), digit);
//!     digit = [1, 3, 7, 9].map(|turn| (digit + turn) % 10).into_iter().find(nearer).ok_or("a wrong table")?;
//!     turns += 1;
//! }
//! assert_eq!(turns, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A cube's coordinates are the same with larger numbers: `search` makes them of pieces, and `solve` says which.

mod build;
mod check;
mod format;
mod store;
mod table;

pub use build::{Depths, Space, breadth_first};
pub use check::{Contradiction, FALSE_GOAL, FAR_GOAL, NO_WAY, Task};
#[cfg(any(test, fuzzing))]
pub(crate) use format::forged;
pub use format::{Header, Spec, Width};
pub use store::{Cost, Recipe, Status, Store};
pub use table::Table;

use std::path::PathBuf;

use crate::advice;

/// What can be wrong with a table. Its text is one line: [`TableError::what`], with the file's name, and [`TableError::remedy`].
#[derive(Debug)]
pub enum TableError {
    /// It is not there.
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// It is too short, as a copy that was cut off, or too long.
    Length {
        /// The file.
        path: PathBuf,
        /// Bytes that it should have.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// Not one of this program's files; it is left as it is.
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Another version of the format or of the coordinate.
    Version {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
        /// What is needed.
        expected: String,
    },
    /// A checksum is wrong.
    Damaged {
        /// The file.
        path: PathBuf,
        /// Header or payload.
        part: &'static str,
    },
    /// The system refused.
    Io {
        /// What was being done to the path.
        action: &'static str,
        /// The file, or the folder.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
    /// A brick would take hours or days to build it; nothing was written.
    LeftToAPc {
        /// The table.
        name: &'static str,
    },
    /// It is as it was written, but contradicts itself: built by an older program, or forged.
    Contradicts {
        /// The file.
        path: PathBuf,
        /// The options of `tables build` that choose it.
        choice: String,
        /// The contradiction.
        what: &'static str,
    },
    /// Reading was interrupted by the user, or by a time limit.
    Stopped {
        /// The file.
        path: PathBuf,
    },
    /// Building was interrupted by the user.
    Interrupted {
        /// The table.
        name: &'static str,
    },
    /// The time limit came while it was being built.
    Late {
        /// The table.
        name: &'static str,
        /// The options of `tables build` that choose it.
        choice: String,
    },
    /// Building will take longer than there is time; nothing was begun.
    NoTime {
        /// About how long it takes.
        seconds: u64,
        /// The options of `tables build` that choose it.
        choice: String,
    },
}

impl TableError {
    /// What is wrong.
    pub fn what(&self) -> String {
        match self {
            TableError::Missing { path } => format!("table {} is missing", path.display()),
            TableError::Length { path, expected, found } => {
                let long = if found < expected { "truncated" } else { "too long" };
                format!(
                    "table {} is {long}: {found} bytes instead of {expected}",
                    path.display()
                )
            }
            TableError::Foreign { path } => format!("{} is not a cranecuber table", path.display()),
            TableError::Version { path, found, expected } => {
                let path = path.display();
                format!("table {path} is of another version ({found} instead of {expected})")
            }
            TableError::Damaged { path, part } => {
                format!("table {} is damaged (its {part} checksum is wrong)", path.display())
            }
            TableError::Io { action, path, source } => {
                format!("cannot {action} {}: {}", path.display(), source.kind())
            }
            TableError::Contradicts { path, what, .. } => {
                format!("table {} contradicts itself: {what}", path.display())
            }
            TableError::Stopped { path } => format!("interrupted while reading table {}", path.display()),
            TableError::LeftToAPc { name } => format!("table {name} is made on a PC only"),
            TableError::Interrupted { name } => format!("interrupted while building table {name}"),
            TableError::Late { name, .. } => {
                format!("the time limit came while table {name} was being built")
            }
            TableError::NoTime { seconds, .. } => format!(
                "the time limit cannot be met: tables are missing, and building them takes about {}",
                in_words(*seconds as f64)
            ),
        }
    }

    /// What to do.
    pub fn remedy(&self) -> String {
        match self {
            TableError::Foreign { .. } => advice::FOREIGN.to_string(),
            TableError::Io { source, .. } => advice::folder(source.kind()).to_string(),
            TableError::LeftToAPc { .. } => advice::missing(false).to_string(),
            TableError::Contradicts { choice, .. } => advice::wrong("it", choice, BUILDS_TABLES),
            TableError::Stopped { .. } => "nothing was changed".to_string(),
            TableError::Interrupted { .. } => "nothing half-made is left".to_string(),
            TableError::Late { choice, .. } | TableError::NoTime { choice, .. } => advice::no_time(choice),
            _ => advice::missing(BUILDS_TABLES).to_string(),
        }
    }
}

impl std::fmt::Display for TableError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; {}", self.what(), self.remedy())
    }
}

impl std::error::Error for TableError {}

/// A length of time as people say it.
pub(crate) fn in_words(seconds: f64) -> String {
    match seconds.round() as u64 {
        0..=1 => "a second".to_string(),
        seconds @ 2..100 => format!("{seconds} s"),
        seconds => format!("{} minutes", (seconds + 30) / 60),
    }
}

/// Whether this program builds missing tables (a PC's), or only uses what is there (a brick's).
pub const BUILDS_TABLES: bool = cfg!(feature = "build-tables");

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;

    #[test]
    fn each_error_is_one_line_that_ends_with_what_to_do_about_it() {
        let (path, name, choice) = (PathBuf::from("t"), "t", "--size 4".to_string());
        let io = |kind: ErrorKind| TableError::Io {
            action: "write table",
            path: "t".into(),
            source: kind.into(),
        };
        let late = TableError::Late {
            name,
            choice: choice.clone(),
        };
        let what = "it is flat";
        for (error, remedy) in [
            (TableError::Foreign { path: path.clone() }, "remove it"),
            (io(ErrorKind::StorageFull), "free some space"),
            (io(ErrorKind::PermissionDenied), "allow it"),
            (TableError::LeftToAPc { name }, advice::missing(false)),
            (
                TableError::Missing { path: path.clone() },
                advice::missing(BUILDS_TABLES),
            ),
            (TableError::Stopped { path: path.clone() }, "nothing was changed"),
            (TableError::Interrupted { name }, "nothing half-made is left"),
            (late, "beforehand with `cranecuber tables build --size 4`"),
            (
                TableError::Contradicts { path, choice, what },
                "tables build --force --size 4`",
            ),
        ] {
            let text = error.to_string();
            assert!(text.starts_with(&format!("{}; ", error.what())), "{text}");
            assert!(
                text.ends_with(&error.remedy()) && error.remedy().contains(remedy),
                "{text}"
            );
            assert!(error.what().contains('t') && !text.contains('\n'), "{text}");
        }
    }

    #[test]
    fn a_length_of_time_is_in_minutes_from_a_hundred_seconds_on() {
        for (seconds, words) in [
            (0.0, "a second"),
            (1.4, "a second"),
            (1.6, "2 s"),
            (99.4, "99 s"),
            (99.6, "2 minutes"),
            (149.0, "2 minutes"),
            (150.0, "3 minutes"),
            (3600.0, "60 minutes"),
        ] {
            assert_eq!(in_words(seconds), words, "{seconds}");
        }
    }
}
