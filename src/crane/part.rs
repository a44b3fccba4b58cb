//! The parts of a crane.

/// A part of the crane, as its messages name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Lifts the cube.
    Elevator,
    /// Tips it.
    Flipper,
    /// Turns it.
    Turntable,
    /// Presses it square.
    Squisher,
}

impl Part {
    /// All of them.
    pub const ALL: [Part; 4] = [Part::Elevator, Part::Flipper, Part::Turntable, Part::Squisher];
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Part::Elevator => "elevator",
            Part::Flipper => "flipper",
            Part::Turntable => "turntable",
            Part::Squisher => "squisher",
        })
    }
}
