//! The simulated brick: the same traits on virtual time, with a coordinate cube in a crane and a renderer as its camera.
//!
//! Knows `brick`, `crane`, `cube` and `picture`; shares no code with the recogniser in `vision`, and knows by itself where the machine takes
//! the cube (`geometry`), so that it cannot cheat.
//!
//! A whole job, from the first picture to the last turn. The crane and its camera are simulated; everything else is the program that
//! runs on a brick. [`WorldHandle`] is the view from outside: how the cube really stands.
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::AtomicBool;
//!
//! use cranecuber::app::{Job, Metric};
//! use cranecuber::crane::Mechanism;
//! use cranecuber::cube::{State, parse_moves};
//! use cranecuber::sim::{Renderer, Scene, machine};
//! use cranecuber::solve::Options;
//! use cranecuber::progress::Quiet;
//! use cranecuber::tables::Store;
//!
//! let mut cube = State::solved(3);
//! cube.do_moves(&parse_moves(3, "R U2 F'")?);
//! let mechanism = Mechanism::builtin();
//! let (mut brick, world) = machine(&mechanism, cube, Box::new(Renderer::new(Scene::calm(), 1)))?;
//!
//! let done = Job {
//!     brick: &mut brick,
//!     machine: &mechanism.into(),
//!     store: &Store::new("no tables here"), // A cube this near to solved needs none.
//!     progress: &Quiet,
//!     options: Options::default(),
//!     metric: Metric::Turns,
//!     size: None, // The pictures say it.
//!     correct: None,
//!     stop: Arc::new(AtomicBool::new(false)),
//!     journal: None,
//!     listeners: Vec::new(),
//! }
//! .run()?;
//!
//! assert_eq!(done.size, 3);
//! assert!(world.cube().is_solved() && world.parked());
//! println!("{} motions, {:.0} s of the crane", done.motions, done.crane.as_secs_f64());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assembled;
mod body;
mod console;
mod crane;
mod devices;
mod eye;
mod fault;
mod faults;
mod faulty;
mod geometry;
mod jaws;
#[cfg(feature = "benches")]
mod killed;
#[cfg(feature = "hands")]
mod loose;
mod motor;
mod paced;
#[cfg(feature = "film")]
mod paints;
mod photos;
mod render;
mod sensor;
#[cfg(all(unix, feature = "benches"))]
mod socket;
mod tilter;
mod world;

pub use devices::{WorldHandle, jaws, machine, tilter};
pub use eye::{Eye, View};
pub use fault::WorldFault;
pub use faults::Faults;
pub use faulty::{Mishaps, Roles, faulty};
#[cfg(feature = "benches")]
pub use killed::{Kill, Process};
#[cfg(feature = "hands")]
pub use loose::{Untouched, loose};
pub use paced::Paced;
pub use photos::PhotoEye;
pub use render::{Disturbance, Renderer, Scene, draw};
pub use sensor::{Below, Sensor, Spot, Trouble};
#[cfg(all(unix, feature = "benches"))]
pub use socket::{answer, connect};

#[cfg(test)]
mod tests;
