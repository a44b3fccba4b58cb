//! Which squares matter at the end of a stage. The others are shown dim.

use crate::cube::{Face, Square};

/// Whether a square matters, by its colour and its place.
pub type Matters = fn(colour: Face, at: At) -> bool;

/// Where a square is on a cube.
#[derive(Debug, Clone, Copy)]
pub struct At {
    /// The side on which it is.
    pub face: Face,
    /// Its position, as of a cubie of a 3x3x3: each coordinate is −1, 0 or 1, and 0 for all inner layers.
    place: [i32; 3],
}

impl At {
    /// A square of a cube of size `n`.
    pub fn new(n: usize, square: Square) -> At {
        let outer = n as i32 - 1;
        let place = square
            .position(n)
            .map(|along| if along.abs() == outer { along.signum() } else { 0 });
        At {
            face: square.face,
            place,
        }
    }

    fn outer_layers(self) -> usize {
        self.place.iter().filter(|&&along| along != 0).count()
    }

    pub(super) fn is_centre(self) -> bool {
        self.outer_layers() == 1
    }

    pub(super) fn is_edge(self) -> bool {
        self.outer_layers() == 2
    }

    pub(super) fn is_corner(self) -> bool {
        self.outer_layers() == 3
    }

    pub(super) fn is_on_top(self) -> bool {
        self.place[1] > 0
    }

    /// Whether it is in the lowest layer, and no centre.
    pub(super) fn is_below(self) -> bool {
        self.place[1] < 0 && !self.is_centre()
    }
}

/// What matters at the end of a phase of a solver.
pub(super) fn of_phase(name: &str) -> Matters {
    match name {
        "first axis" | "all axes" | "centres" => |_, at| at.is_centre(),
        "edges" => |_, at| !at.is_corner(),
        _ => |_, _| true,
    }
}
