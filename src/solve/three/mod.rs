//! The 3x3x3: Kociemba's two phases, reduced by symmetry. Searched along three axes, for the cube and its inverse.

mod beside;
mod cheapest;
mod compass;
mod coordinates;
mod finish;
mod near;
mod path;
mod search;
mod solver;
mod start;
mod tables;
mod textbook;
mod wanted;

pub(super) use coordinates::{FLIPS, SLICE, SLICES, TWISTS, flip_of, flips_of, slice_of, twist_of, twists_of};
#[cfg(feature = "optimal")]
pub(super) use coordinates::{PlaceMap, number_of_twists};
pub(super) use finish::Reduced3;
#[cfg(feature = "optimal")]
pub(super) use path::{NO_FACE, may_follow};
pub(super) use solver::Solver3;
pub(super) use start::Held;
pub(super) use tables::Table3;
pub use textbook::TwoPhase;
pub(super) use wanted::{LONGEST, Wanted};
