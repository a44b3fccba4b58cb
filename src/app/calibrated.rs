//! The parts of a crane that are calibrated.

use serde::{Deserialize, Serialize};

/// What can be calibrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CalibrationPart {
    /// Whether each is there and goes the right way.
    Motors,
    /// The heights of the rows.
    Elevator,
    /// How far it closes.
    Squisher,
    /// What it sees.
    Camera,
}

impl CalibrationPart {
    /// All of them, in the order in which a builder needs them.
    pub const ALL: [CalibrationPart; 4] = [
        CalibrationPart::Motors,
        CalibrationPart::Elevator,
        CalibrationPart::Squisher,
        CalibrationPart::Camera,
    ];

    /// Whether it is done for each size of cube.
    pub fn needs_size(self) -> bool {
        matches!(self, CalibrationPart::Elevator | CalibrationPart::Squisher)
    }

    /// Its name on the display.
    pub fn name(self) -> &'static str {
        match self {
            CalibrationPart::Motors => "Motors",
            CalibrationPart::Elevator => "Elevator",
            CalibrationPart::Squisher => "Squisher",
            CalibrationPart::Camera => "Camera",
        }
    }
}
