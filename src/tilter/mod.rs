//! The tilter: a turntable, an arm that pulls the cube over or holds its upper layers, and a colour sensor on a second arm.
//!
//! The cube lies on the turntable. The *arm* pulls it over, always the same way: what was F comes up. Holding the two upper layers, it lets
//! the table turn the lowest one. Away from the cube, it lets the table turn all of it. [`Mechanism`] is that as data, a [`Motion`] is one
//! motion, [`Tilter`] is what the planner of [`crate::machine`] takes, and [`Driver`] performs.
//!
//! Knows `cube`, `machine`, `calibration`, `drive` and the device traits of `brick`; must not know solvers, pictures, or which devices it
//! drives.
//!
//! ```
//! use cranecuber::machine::Planner;
//! use cranecuber::tilter::{Mechanism, Tilter};
//!
//! let planner = Planner::new(Tilter::new(&Mechanism::builtin()));
//! let turns = ["D", "B2"].map(|turn| turn.parse().unwrap());
//! let plan = planner.plan(Tilter::START, &turns);
//! let motions: Vec<String> = plan.motions.iter().map(ToString::to_string).collect();
//! assert_eq!(motions, ["hold", "turn -90", "flip", "hold", "turn 180"]);
//! ```

mod driver;
mod limits;
mod mechanism;
mod motion;
pub mod part;
mod scan;
mod sensors;

pub use driver::Driver;
pub use limits::{Retry, Tolerance};
pub use mechanism::{Arm, BUILTIN, KIND, Mechanism, SensorArm, Timing, Turntable};
pub use motion::{Motion, Tilter, TilterLogic};
pub use scan::looks;
pub use sensors::{ColorSensorSpec, PresenceSpec};
