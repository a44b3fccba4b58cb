//! The parts of machines that are calibrated.

use serde::{Deserialize, Serialize};

use super::models::Model;

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
    /// What a colour sensor reads of white.
    White,
}

impl CalibrationPart {
    /// Those of a machine, in the order in which a builder needs them.
    pub fn of(model: &Model) -> &'static [CalibrationPart] {
        use CalibrationPart::{Camera, Elevator, Motors, Squisher, White};
        match model {
            Model::Crane(_) => &[Motors, Elevator, Squisher, Camera],
            Model::Tilter(_) => &[Motors, White],
            Model::Jaws(_) => &[Motors],
            Model::Own(_) => &[],
        }
    }

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
            CalibrationPart::White => "White",
        }
    }
}
