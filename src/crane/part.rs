//! The parts of a crane.

use crate::drive::Part;

/// Lifts the cube.
pub const ELEVATOR: Part = Part::new(0, "elevator");
/// Tips it.
pub const FLIPPER: Part = Part::new(1, "flipper");
/// Turns it.
pub const TURNTABLE: Part = Part::new(2, "turntable");
/// Presses it square.
pub const SQUISHER: Part = Part::new(3, "squisher");

/// All of them, in their order.
pub const ALL: [Part; 4] = [ELEVATOR, FLIPPER, TURNTABLE, SQUISHER];
