//! The simulated camera: turns a view of the south side into a frame.

use crate::brick::DeviceError;
use crate::cube::Face;
use crate::picture::Frame;

/// What a camera in the south sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// N.
    pub size: usize,
    /// The colours of the south side's squares, row by row as the camera sees them.
    pub colours: Vec<Face>,
    /// Which side of the cube it is, in the frame in which the cube was put in.
    pub face: Face,
    /// Quarter turns clockwise by which that side's picture is rotated against the way that faces are read (U with F below it, D with F
    /// above it, the others with U above).
    pub quarters: u8,
    /// Whether the side is hidden, by the flipper or because the cube is lifted.
    pub blocked: bool,
}

/// Draws the view of a camera in the south, or shows a photo of it.
pub trait Eye {
    /// A fresh frame of the view.
    fn look(&mut self, view: &View) -> Result<Frame, DeviceError>;

    /// As [`crate::brick::Camera::expose`].
    fn expose(&mut self, stops: i8) -> bool {
        let _ = stops;
        false
    }
}
