//! What the crane has done: a line of `solves.csv` for every job, and what all of them together say.
//!
//! A [`History`] is that file: lines are only ever added, until it has 10 MB; then the oldest go. [`Statistics`] are counted from its
//! [`Entry`]s, and [`svg`] draws them.
//!
//! Knows `cube` and `files`; must not know how a job is done (`app` makes an entry of it), nor who asks.
//!
//! ```
//! use cranecuber::history::{Ended, Entry, History, Kind, Moment, Statistics, svg};
//! use std::time::Duration;
//!
//! # let folder = tempfile::tempdir()?;
//! let history = History::of(folder.path());
//! let mut entry = Entry::new(Moment(1_795_408_200), Kind::Run);
//! entry.size = Some(3);
//! entry.whole = Duration::from_millis(71_500);
//! entry.ended = Ended::Solved;
//! history.add(&entry)?;
//!
//! let text = std::fs::read_to_string(history.path())?;
//! assert!(text.ends_with("\n2026-11-23T04:30:00Z,run,real,3,,,,,,,,71.500,0,0,,solved\n"));
//! let statistics = Statistics::of(&history.read()?.entries, None, false);
//! assert_eq!((statistics.sizes[0].size, statistics.sizes[0].solved), (3, 1));
//! assert!(svg(&statistics).contains("mean 71.5"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod entry;
mod file;
mod moment;
mod statistics;
mod svg;

pub use entry::{Ended, Entry, Kind};
pub use file::{History, Told};
pub use moment::Moment;
pub use statistics::{Counted, Distribution, Figures, OfSize, Seconds, Statistics};
pub use svg::{BEGIN as SVG_BEGIN, svg};
