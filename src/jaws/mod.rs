//! Three jaws that hold the cube in the air: left, right, and centre, which is behind it.
//!
//! Each *jaw* opens and closes, and turns. With all closed, a jaw that turns takes its layer along. With the centre open, left and right turn
//! the whole cube together; with both open, the centre does. An open jaw turns freely. [`Mechanism`] is that as data, with the rules of what
//! must hold and what may touch; a [`Motion`] is one step of one or more motors at once, [`Jaws`] is what the planner of
//! [`crate::machine`] takes, and [`Driver`] performs.
//!
//! Knows `cube`, `machine`, `calibration` and `drive`; must not know solvers, or which devices it drives.
//!
//! ```
//! use cranecuber::jaws::{Jaws, Mechanism};
//! use cranecuber::machine::Planner;
//!
//! let planner = Planner::new(Jaws::new(&Mechanism::builtin()));
//! let turns = ["B", "L", "R'"].map(|turn| turn.parse().unwrap());
//! let plan = planner.plan(Jaws::START, &turns);
//! let motions: Vec<String> = plan.motions.iter().map(ToString::to_string).collect();
//! // A centre that lies would touch the sides as they turn, so it goes back first.
//! let back = ["open centre", "turn centre 90", "close centre"];
//! assert_eq!(motions, [&["turn centre 90"][..], &back, &["turn left right -90"]].concat());
//! ```

mod driver;
mod jaw;
mod limits;
mod mechanism;
mod motion;
pub mod part;

pub use driver::Driver;
pub use jaw::{Jaw, Jawful, Set};
pub use limits::{Retry, Tolerance};
pub use mechanism::{BUILTIN, Finger, KIND, Mechanism, Rules, Timing, Wrist};
pub use motion::{Jaws, JawsLogic, Motion};
