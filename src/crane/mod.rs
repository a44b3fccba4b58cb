//! The crane: its mechanism as data, its primitives, what they cost in seconds, the planner and the driver.
//!
//! A cube rests in the flipper's holder. The *flipper* tips it by a quarter about the east-west axis, to and fro. The *elevator* lifts it out
//! of the holder into the *turntable* above, row by row. The table turns the rows that are in it against those that are still below, or,
//! when all are in, the whole cube. The *squisher* sits in the table and presses the cube square. The camera looks at it from the south.
//!
//! [`Mechanism`] is all that as data; a [`Primitive`] is one motion; a [`Pose`] says how the cube stands; [`Costs`] are milliseconds;
//! [`Planner`] makes a [`Plan`] of turns; [`first_looks`] and [`last_looks`] are the scan; [`Driver`] performs, and [`Abandoned`]
//! is what a driver takes over from one that ended in the middle of a motion.
//!
//! Knows `cube` (turns, rotations) and the device traits of `brick`; must not know pictures, solvers, or which devices it drives.

mod automaton;
mod check;
mod cost;
mod driver;
pub mod edit;
mod error;
mod limits;
mod measured;
mod mechanism;
mod motion;
mod plan;
mod pose;
mod route;
mod scan;

pub use automaton::{Automaton, Transition};
pub use cost::{Costs, travel_ms};
pub use driver::{Abandoned, Driver, LastTurn, Step, What};
pub use error::{CraneError, Left, Part};
pub use limits::{BatteryLimits, Retry, Tolerance};
pub use measured::Measured;
pub use mechanism::{
    BUILTIN, Elevator, Flipper, Leg, Mechanism, MechanismError, MotorSpec, Pace, Size, SquishBefore, Squisher, Timing,
    Turntable,
};
pub use plan::{Plan, Planner};
pub use pose::{Pose, PoseError, Primitive, Side, tipped, yawed};
pub use scan::{Look, first_looks, last_looks, seen, upright};
