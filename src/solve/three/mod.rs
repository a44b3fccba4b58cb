//! The 3x3x3: Kociemba's two phases, reduced by symmetry. Searched along three axes, for the cube and its inverse.

mod cheapest;
mod coordinates;
mod finish;
mod near;
mod path;
mod search;
mod solver;
mod start;
mod tables;
mod wanted;

#[cfg(feature = "optimal")]
pub(super) use coordinates::{PlaceMap, SLICE, number_of_twists, twists_of};
pub(super) use finish::Reduced3;
pub(super) use near::Near3;
#[cfg(feature = "optimal")]
pub(super) use path::{NO_FACE, may_follow};
pub(super) use solver::Solver3;
#[cfg(feature = "optimal")]
pub(super) use start::Held;
pub(super) use tables::Table3;
pub(super) use wanted::{LONGEST, Wanted};
