//! The 3x3x3: two phases (Kociemba), reduced by symmetry, from three axes, for the cube and its inverse.

mod cheapest;
mod coordinates;
mod finish;
mod near;
mod search;
mod start;
mod tables;

pub(super) use finish::Reduced3;
pub(super) use near::Near3;
pub(super) use search::{LONGEST, Solver3, Wanted};
pub(super) use tables::Table3;
