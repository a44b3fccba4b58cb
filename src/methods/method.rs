//! Which methods there are.

use std::fmt;
use std::ops::RangeInclusive;

use crate::solve::SIZES;

/// A way to solve a cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// In as few turns as a search finds.
    #[default]
    Shortest,
    /// Layer by layer.
    Layers,
    /// Cross, pairs, last layer.
    Cfop,
    /// By four groups.
    Thistlethwaite,
    /// The first solution of two phases.
    TwoPhase,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 5] = [
        Method::Shortest,
        Method::Layers,
        Method::Cfop,
        Method::Thistlethwaite,
        Method::TwoPhase,
    ];

    /// The cubes that it is for.
    pub fn sizes(self) -> RangeInclusive<usize> {
        match self {
            Method::Shortest => SIZES,
            Method::Layers => 2..=7,
            _ => 3..=3,
        }
    }

    /// The same in words.
    pub(super) fn sizes_in_words(self) -> String {
        let (first, last) = (*self.sizes().start(), *self.sizes().end());
        match first == last {
            true => format!("a {first}x{first}x{first}"),
            false => format!("cubes from {first}x{first}x{first} to {last}x{last}x{last}"),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Method::Shortest => "shortest",
            Method::Layers => "layers",
            Method::Cfop => "cfop",
            Method::Thistlethwaite => "thistlethwaite",
            Method::TwoPhase => "two-phase",
        })
    }
}
