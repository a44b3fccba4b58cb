//! The puzzle and nothing else: facelets, orbits, turns, notation, states, validity, for any N of at least 2.
//!
//! Knows no other layer.
//!
//! Axes: x to the right (face R), y up (U), z towards the viewer (F). A position is that of a cubie, each coordinate one of
//! −(N−1), −(N−3), …, N−1; a square is a cubie's position and the face that it lies on. A colour is named after its home face.
//!
//! A [`State`] is a list of colours, and turns permute it:
//!
//! ```
//! use cranecuber::cube::{State, parse_moves};
//!
//! let mut cube = State::solved(3);
//! cube.do_moves(&parse_moves(3, "R U R' U'")?);
//! assert!(!cube.is_solved());
//! // Six times the same, and it is as it was.
//! for _ in 0..5 {
//!     cube.do_moves(&parse_moves(3, "R U R' U'")?);
//! }
//! assert!(cube.is_solved());
//! # Ok::<(), cranecuber::cube::NotationError>(())
//! ```
//!
//! Not every list of colours is a cube. [`Pieces::of`] says why not:
//!
//! ```
//! use cranecuber::cube::{Face, Pieces, Square, State};
//!
//! // The edge between U and F was taken out and put in the other way round.
//! let [up, front]: [Square; 2] = ["U8".parse()?, "F2".parse()?];
//! let flipped = State::from_fn(3, |square| match square {
//!     square if square == up => Face::F,
//!     square if square == front => Face::U,
//!     square => square.face,
//! });
//! let why = Pieces::of(&flipped).unwrap_err();
//! assert!(why.to_string().starts_with("one edge is flipped in its place"), "{why}");
//! # Ok::<(), cranecuber::cube::ParseSquareError>(())
//! ```

mod cubies;
mod exchanges;
mod face;
mod geometry;
mod illegal;
mod lenient;
mod lie;
mod notation;
mod orbit;
mod pieces;
mod relative;
mod scramble;
mod sequence;
mod shown;
mod simplified;
mod state;
mod symmetry;
mod turn;

pub use cubies::{CORNERS, Cubies, MIDGES};
pub use exchanges::Exchanges;
pub use face::Face;
pub use geometry::{ParseSquareError, Square};
pub use illegal::StateError;
pub use lenient::{Colours, ColoursError, ReadStateError, read_state};
pub use lie::Lie;
pub use notation::{Notation, NotationError, format_turns};
pub use orbit::{Orbit, OrbitKind, orbits};
pub use pieces::{Pieces, is_odd};
pub use relative::{as_drawn, relative};
pub use scramble::{random_turns, scramble};
pub use sequence::{is_like_moves, parse_moves};
pub use shown::shown;
pub use simplified::simplified;
pub use state::{Order, ParseStateError, State};
pub use symmetry::Symmetry;
pub use turn::{Move, Turn, all_turns, backwards, count_obtm, merged, merged_with_parts, without_rotations};

/// The largest N that the cube model accepts; only the size of a square's number limits it.
pub const MAX_SIZE: usize = 99;
