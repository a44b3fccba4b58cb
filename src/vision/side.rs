//! The six sides, in the order in which they are given.

use std::fmt;

/// A side of the cube, by its usual letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Side {
    /// Up.
    U,
    /// Left.
    L,
    /// Front.
    F,
    /// Right.
    R,
    /// Back.
    B,
    /// Down.
    D,
}

impl Side {
    /// All six, in the order in which lattices are given.
    pub const ALL: [Side; 6] = [Side::U, Side::L, Side::F, Side::R, Side::B, Side::D];

    /// Its letter.
    pub fn name(self) -> &'static str {
        match self {
            Side::U => "U",
            Side::L => "L",
            Side::F => "F",
            Side::R => "R",
            Side::B => "B",
            Side::D => "D",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
