//! What a driver tells before it does it, so that another one can go on from there.

use crate::crane::pose::{Primitive, Side};

/// What a driver is about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Finds the zeros of the motors: the cube is at rest, the flipper goes home.
    Home,
    /// Begins a primitive. Another step means that it has ended, or, where that is a step to rest, that it was given up; but a turn of the
    /// table that has begun is ended, unless it is told that it goes back.
    Begin(Primitive),
    /// The turn of the table that has begun is taken back, because something is in its way.
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
    pub what: What,
    /// N; 0 if it is not known yet.
    pub n: u8,
    /// Rows in the turntable.
    pub rows: u8,
    /// The flipper's end.
    pub flipper: Side,
    /// The turntable's last square position, motor degrees.
    pub table: i32,
}

/// How a crane was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abandoned {
    /// The last step that was told.
    pub step: Step,
    /// The end at which the flipper was when the cube was in it; none if it moves only below a lifted cube.
    pub held: Option<Side>,
}
