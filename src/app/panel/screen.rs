//! What can be on the display, as plain data.

use crate::app::entry::Mark;

/// What is written on stickers of each colour, and how they are filled: an index into this.
pub(super) const COLOURS: [&str; 6] = ["white", "yellow", "orange", "red", "green", "blue"];

/// The usual colours of the sides in the order of [`Face::ALL`](crate::cube::Face::ALL).
pub(super) const USUAL: [u8; 6] = [0, 3, 4, 1, 2, 5];

/// A job under way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Work {
    pub heading: &'static str,
    /// What the turns are for now, in place of the heading.
    pub phase: String,
    /// Whether the crane waits for the touch sensor.
    pub waits: bool,
    /// N, once it is known.
    pub size: Option<usize>,
    /// By [`COLOURS`], face by face in the order of [`Face::ALL`]; none until all are known.
    pub squares: Vec<u8>,
    /// Sides that were photographed.
    pub seen: [bool; 6],
    /// Under the size.
    pub note: String,
    pub progress: Progress,
    /// Seconds to go, once they are planned.
    pub left: Option<u32>,
    pub warning: String,
}

/// How far a stage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Progress {
    /// Nothing is shown.
    #[default]
    None,
    /// So many pixels of the bar.
    Filled(u16),
    /// It goes on for an unknown time: how many waiting events have come.
    Busy(u16),
}

/// Everything that can be on the display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Screen {
    Work(Work),
    List {
        title: String,
        items: Vec<String>,
        at: usize,
        footer: String,
    },
    /// A cube that is being told: its squares by [`COLOURS`], and what is marked.
    Entry {
        n: usize,
        squares: Vec<u8>,
        mark: Mark,
    },
    Words {
        title: String,
        text: String,
        choices: Vec<&'static str>,
        at: usize,
    },
}
