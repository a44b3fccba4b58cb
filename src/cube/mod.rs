//! The puzzle and nothing else: facelets, orbits, turns, notation, states, validity, for any N of at least 2.
//!
//! Knows no other layer.
//!
//! Axes: x to the right (face R), y up (U), z towards the viewer (F). A position is that of a cubie, each coordinate one of
//! −(N−1), −(N−3), …, N−1; a square is a cubie's position and the face that it lies on. A colour is named after its home face.

mod cubies;
mod face;
mod geometry;
mod illegal;
mod notation;
mod orbit;
mod pieces;
mod scramble;
mod state;
mod symmetry;
mod turn;

pub use cubies::Cubies;
pub use face::Face;
pub use geometry::{ParseSquareError, Square};
pub use illegal::StateError;
pub use notation::{NotationError, format_turns, parse_moves};
pub use orbit::{Orbit, OrbitKind, orbits};
pub use pieces::{CORNERS, MIDGES, Pieces, is_odd};
pub use scramble::{random_turns, scramble};
pub use state::{Order, ParseStateError, State};
pub use symmetry::Symmetry;
pub use turn::{Move, Turn, all_turns, count_obtm, merged, without_rotations};

/// The largest N that the cube model accepts; only the size of a square's number limits it.
pub const MAX_SIZE: usize = 99;
