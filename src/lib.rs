//! cranecuber: a LEGO crane that solves a Rubik's cube alone.
//!
//! One value walks straight through the folders: six [`picture::Frame`]s become six [`vision::Lattice`]s, those one
//! [`colors::Resolution`], that a [`solve::Solution`], that a [`crane::Plan`], and the plan turned layers. Dependencies point one way,
//! from `app`, `report` and `cli` down to `cube`, `tables` and `picture`, which know nothing of the rest.

pub mod app;
pub mod brick;
pub mod cli;
pub mod colors;
pub mod crane;
pub mod cube;
pub mod picture;
pub mod report;
pub mod search;
pub mod sim;
pub mod solve;
pub mod tables;
pub mod vision;
