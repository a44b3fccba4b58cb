//! The crane: its mechanism as data, its primitives, what they cost in seconds, the planner and the driver.
//!
//! A cube rests in the flipper's holder. The *flipper* tips it by a quarter about the east-west axis, to and fro. The *elevator* lifts it out
//! of the holder into the *turntable* above, row by row. The table turns the rows that are in it against those that are still below, or,
//! when all are in, the whole cube. The *squisher* sits in the table and presses the cube square. The camera looks at it from the south.
//!
//! [`Mechanism`] is all that as data; a [`Primitive`] is one motion; a [`Pose`] says how the cube stands; [`Costs`] are milliseconds;
//! [`Planner`] makes a [`Plan`] of turns; [`first_looks`] and [`last_looks`] are the scan; [`Driver`] performs, and takes over
//! from one that ended in the middle of a motion; [`CraneLogic`] says what motions do to those who do not know the crane. [`Gentle`] moves single parts of a crane whose calibration is
//! still to be made.
//!
//! Knows `cube` (turns, rotations), `machine` (the planner), `drive` (motors and what watches over them) and the device traits of `brick`; must not know pictures, solvers, or which devices it drives.
//!
//! A plan is the cheapest list of motions for some turns. What each motion does to the cube is known, so a plan can be tried
//! without a crane:
//!
//! ```
//! use cranecuber::crane::{Mechanism, Planner, Pose};
//! use cranecuber::cube::State;
//!
//! let turns = ["R", "U2", "F'"].map(|turn| turn.parse().unwrap());
//! let planner = Planner::new(&Mechanism::builtin(), 3)?;
//! let plan = planner.plan(Pose::START, &turns);
//! println!("{} motions, {} s", plan.primitives.len(), plan.milliseconds / 1000);
//!
//! // The crane turns the cube as a whole as well: afterwards it stands as `end` says.
//! let (mut pose, mut world) = (Pose::START, State::solved(3));
//! for &primitive in &plan.primitives {
//!     pose = pose.act(primitive, &mut world)?;
//! }
//! let mut cube = State::solved(3);
//! cube.turn_all(&turns);
//! cube.rotate(plan.end.orientation);
//! assert_eq!((world, pose), (cube, plan.end));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod cost;
mod driver;
mod gentle;
mod limits;
mod logic;
mod measured;
mod mechanism;
pub mod part;
mod plan;
mod pose;
mod rules;
mod scan;

pub use cost::Costs;
pub use driver::{Driver, LastTurn};
pub use gentle::Gentle;
pub use limits::{Retry, Tolerance};
pub use logic::CraneLogic;
pub use measured::Measured;
pub use mechanism::{
    BUILTIN, Elevator, Flipper, KIND, Leg, Mechanism, Size, SquishBefore, Squisher, Timing, Turntable,
};
pub use plan::{Plan, Planner};
pub use pose::{FlipperEnd, Pose, PoseError, Primitive, tipped, yawed};
pub use scan::{first_looks, last_looks, seen};
