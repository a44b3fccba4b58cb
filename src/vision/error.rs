//! Why nothing is found.

use super::Side;

/// Why there are no six lattices. Every message names the side and says what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VisionError {
    /// No picture of a side was given.
    #[error("there is no picture of side {side}: photograph it too")]
    Missing {
        /// The side.
        side: Side,
    },
    /// Not enough pixels to see stickers in.
    #[error("the picture of side {side} is too small: at least 96x72 pixels are needed, better 160x120")]
    TooSmall {
        /// The side.
        side: Side,
    },
    /// Nothing found, and the picture is nearly black.
    #[error("side {side} is too dark to see the cube: give it more light or a longer exposure")]
    TooDark {
        /// The side.
        side: Side,
    },
    /// Nothing found, and the picture is nearly white.
    #[error("side {side} is over-exposed: give it less light or a shorter exposure")]
    TooBright {
        /// The side.
        side: Side,
    },
    /// Nothing found, and there are no sharp edges.
    #[error("side {side} is too blurred to see the stickers: focus the camera and keep it still")]
    TooBlurred {
        /// The side.
        side: Side,
    },
    /// Nothing found although the picture looks usable.
    #[error(
        "no cube found on side {side}: the whole side must be in the picture, upright, at least a third of its height"
    )]
    NoCube {
        /// The side.
        side: Side,
    },
    /// The sides look like cubes of different sizes.
    #[error(
        "the sides disagree on the cube's size: most show {size}x{size}, but side {side} looks like {other}x{other}; photograph all six again"
    )]
    Disagree {
        /// The size that the sides support together.
        size: usize,
        /// The first side that does not.
        side: Side,
        /// What that side looks like.
        other: usize,
    },
}

impl VisionError {
    /// The side that it is about.
    pub fn side(self) -> Side {
        match self {
            VisionError::Missing { side }
            | VisionError::TooSmall { side }
            | VisionError::TooDark { side }
            | VisionError::TooBright { side }
            | VisionError::TooBlurred { side }
            | VisionError::NoCube { side }
            | VisionError::Disagree { side, .. } => side,
        }
    }
}
