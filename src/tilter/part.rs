//! The parts of a tilter.

use crate::drive::Part;

/// Pulls the cube over, and holds its upper layers.
pub const ARM: Part = Part::new(0, "arm");
/// Turns the cube, or its lowest layer.
pub const TURNTABLE: Part = Part::new(1, "turntable");
/// Brings the colour sensor over the upper side.
pub const SENSOR_ARM: Part = Part::new(2, "sensor arm");
