//! Drives the motors of any machine, and checks by their tachos that each did what it should.
//!
//! A [`Drive`] has the brick and the machine's [`Part`]s, each with its motor. It starts motions and waits for their ends, notices what is
//! stuck, late, unplugged or not where it should be, finds zeros, and listens for the wish to stop and to the battery meanwhile. What the
//! parts do to a cube is for the folder of a machine, whose driver is a [`Robot`] to those above. It tells each [`Step`] before it moves
//! anything, so that another driver can take over from there.
//!
//! Knows the device traits of `brick`, motors as data from `calibration`, and what motions and poses are from `machine`; must not know any
//! one machine.

mod error;
mod gentle;
mod motion;
mod motors;
mod part;
mod power;
mod robot;
mod step;
mod zero;

pub use error::{Left, MachineError};
pub use gentle::Gentle;
pub use motion::Ended;
pub use motors::Drive;
pub use part::{Driven, Limits, Part};
pub(crate) use robot::insist;
pub use robot::{Robot, Sight};
pub use step::{Abandoned, Step, StepKind};
pub use zero::End;
