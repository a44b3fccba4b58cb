//! The steps that a driver announces before it does them, so that another driver can go on from there.

use crate::machine::{Code, Station};

/// What a driver is about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// Finds the zeros of the motors. The cube is at rest.
    Home,
    /// Begins a motion. The next step tells that it has ended or, if the machine is being parked, that it was given up. But a motion that
    /// turns layers or the whole cube by motors that have begun is always completed, unless [`StepKind::Back`] follows.
    Begin(Code),
    /// Begins a motion on the way to rest, which no plan has and which turns nothing of the cube.
    Aside(Code),
    /// Takes back the turn that has begun, because something is in its way.
    Back,
    /// From now on the part that holds the cube takes it along.
    Held,
    /// From now on the part that holds the cube moves without it.
    Free,
    /// The machine is at rest.
    Rest,
}

/// One step, and where the machine's parts are before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What happens.
    pub kind: StepKind,
    /// N; 0 if it is not known yet.
    pub n: u8,
    /// How the parts stand.
    pub at: Station,
    /// The last square positions of the motors that turn the cube, in motor degrees, in an order of the machine's own; 0 where there are
    /// fewer.
    pub marks: [i32; 3],
}

/// How a machine was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abandoned {
    /// The last step that was announced.
    pub step: Step,
    /// The station at which the part that takes the cube along was last with the cube in it; none if it moves without the cube, or the
    /// machine has no such part.
    pub held: Option<Station>,
}
