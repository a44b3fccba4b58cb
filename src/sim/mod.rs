//! The simulated brick: the same traits on virtual time, with a coordinate cube in a crane and a renderer as its camera.
//!
//! Knows `brick`, `crane`, `cube` and `picture`; shares no code with the recogniser in `vision`, so that it cannot cheat.

mod devices;
mod eye;
mod faults;
mod front;
#[cfg(not(target_arch = "arm"))]
mod mortal;
mod motor;
mod photos;
#[cfg(all(unix, not(target_arch = "arm")))]
mod remote;
mod render;
mod world;

pub use devices::{WorldHandle, machine};
pub use eye::{Eye, View};
pub use faults::Faults;
#[cfg(not(target_arch = "arm"))]
pub use mortal::{Death, Life};
pub use photos::PhotoEye;
#[cfg(all(unix, not(target_arch = "arm")))]
pub use remote::{answer, connect};
pub use render::{Disturbance, Renderer, Scene, draw};
pub use world::WorldFault;

#[cfg(test)]
mod tests;
