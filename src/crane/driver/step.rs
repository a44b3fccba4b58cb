//! The steps that a driver announces before it does them, so that another driver can go on from there.

use crate::crane::pose::{FlipperEnd, Primitive};

/// What a driver is about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// Finds the zeros of the motors: the cube is at rest, the flipper goes home.
    Home,
    /// Begins a primitive. The next step tells that it has ended or, if the crane is being parked, that it was given up. But a turn of the
    /// table that has begun is always completed, unless [`StepKind::Back`] follows.
    Begin(Primitive),
    /// Takes back the turn of the table that has begun, because something is in its way.
    Back,
    /// From now on the flipper moves only with the cube in it.
    Held,
    /// From now on the flipper moves only below a lifted cube.
    Free,
    /// The cube is at rest and the flipper at home.
    Rest,
}

/// One step, and where the crane's parts are before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What happens.
    pub kind: StepKind,
    /// N; 0 if it is not known yet.
    pub n: u8,
    /// Rows in the turntable.
    pub rows: u8,
    /// The flipper's end.
    pub flipper: FlipperEnd,
    /// The turntable's last square position, motor degrees.
    pub table: i32,
}

/// How a crane was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abandoned {
    /// The last step that was announced.
    pub step: Step,
    /// The end at which the flipper last was with the cube in it; none if the flipper moves below a lifted cube.
    pub held: Option<FlipperEnd>,
}
