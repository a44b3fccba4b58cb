//! cranecuber: a LEGO crane that solves a Rubik's cube alone.
//!
//! One value walks straight through the folders: six [`picture::Frame`]s become six [`vision::Lattice`]s, those one
//! [`colors::Resolution`], that a [`solve::Solution`], that a [`crane::Plan`], and the plan turned layers. Dependencies point one way,
//! from `app`, `report` and `cli` down to `cube`, `tables`, `picture` and `files`, which know nothing of the rest.
//!
//! A state is text, and so are turns. A 2x2x2 is always solved in as few turns as possible, with one table that is built
//! when it is missing:
//!
//! ```
//! use cranecuber::cube::{State, format_turns};
//! use cranecuber::solve::{Options, Solver};
//! use cranecuber::progress::Quiet;
//! use cranecuber::tables::Store;
//!
//! // Face by face in the order U R F D L B, each square by the letter of the face that has its colour.
//! let mut state: State = "DURLBLFFUUDDBRFLRBRLFBDU".parse()?;
//! # let folder = tempfile::tempdir()?;
//! # let tables = folder.path();
//! let solver = Solver::open(state.size(), &Store::new(tables), &Quiet)?;
//! let solution = solver.solve(&state, &Options::default())?;
//! println!("{} turns: {}", solution.turns.len(), format_turns(&solution.turns));
//!
//! state.turn_all(&solution.turns);
//! assert!(state.is_solved() && solution.optimal);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every module begins with an example of its own; `examples/` has whole programs.

/// The examples of the document are run, too.
#[cfg(doctest)]
#[doc = include_str!("../docs/how-it-solves.md")]
struct HowItSolves;

mod advice;
pub mod app;
pub mod brick;
pub mod calibration;
#[cfg(feature = "cli")]
pub mod cli;
pub mod colors;
pub mod crane;
pub mod cube;
pub mod drive;
pub mod files;
#[cfg(feature = "film")]
pub mod film;
#[cfg(any(all(test, feature = "pc"), fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
#[cfg(feature = "hands")]
pub mod hands;
pub mod history;
pub mod jaws;
pub mod lang;
pub mod machine;
pub mod methods;
pub mod net;
mod order;
pub mod picture;
pub mod progress;
pub mod report;
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
pub mod sim;
pub mod solve;
mod sure;
pub mod tables;
#[cfg(test)]
mod testing;
pub mod tilter;
pub mod vision;
