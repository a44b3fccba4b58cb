//! What stands in the camera's place: something that turns the view of the south side into a frame.

use crate::brick::DeviceError;
use crate::cube::Face;
use crate::picture::Frame;

/// What there is to see from the south.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// N.
    pub size: usize,
    /// The colours of the south side's squares, row by row as the camera sees them.
    pub colours: Vec<Face>,
    /// Which side of the cube that is, in the frame in which it was put in.
    pub face: Face,
    /// Quarter turns clockwise by which that side's picture is rotated against the way that faces are read (U with F below it, D with F
    /// above it, the others with U above).
    pub quarters: u8,
    /// Nothing of this can be seen: the flipper is in the way, or the cube is lifted.
    pub blocked: bool,
}

/// Draws what a camera in the south would see, or shows a photo of it.
pub trait Eye {
    /// A fresh frame of the view.
    fn look(&mut self, view: &View) -> Result<Frame, DeviceError>;

    /// As [`crate::brick::Camera::expose`].
    fn expose(&mut self, stops: i8) -> bool {
        let _ = stops;
        false
    }
}
