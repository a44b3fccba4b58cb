//! The crane: its mechanism as data, its primitives, what they cost in seconds, the planner and the driver.
//!
//! Knows `cube` (turns, rotations) and the device traits of `brick`; must not know pictures, solvers, or which devices it drives.

mod check;
mod cost;
mod driver;
mod error;
mod mechanism;
mod motion;
mod plan;
mod pose;
mod route;
mod scan;

pub use cost::{Costs, travel_ms};
pub use driver::Driver;
pub use error::{CraneError, Part};
pub use mechanism::{
    Elevator, Flipper, Leg, Mechanism, MechanismError, MotorSpec, Pace, Size, SquishBefore, Squisher, Timing, Turntable,
};
pub use plan::{Plan, Planner};
pub use pose::{Pose, PoseError, Primitive, Side, tipped, yawed};
pub use scan::{Look, first_looks, last_looks, seen, upright};
