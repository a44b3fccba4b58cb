//! One picture to a lattice of colours: luma, edges, components, lattice, and the joint decision on N.
//!
//! ```text
//!            Edges      Labeller      Finder       patches     placements        Survey
//! luma ──► edge masks ─► components ─► squares ──► patches ──► N x N windows ─┐
//!                                                                one side     ├─► six Lattices
//!                                                     five more sides ... ────┘
//! ```
//!
//! Where that leaves a doubt, `comb` finds the lines between stickers instead, in all six pictures at once.
//!
//! Each pixel stage is one file and reuses its buffers; from `squares` on there are a hundred or so candidates, and the arithmetic is
//! per sticker. [`Survey`] takes one side after the other and keeps little of it; [`find`] does all six at once.
//!
//! Integer arithmetic per pixel, float only per sticker. Knows `picture`; must not know cubes, colours or cameras.

mod comb;
mod components;
#[cfg(test)]
mod drawing;
mod edges;
mod grid;
mod joint;
mod mask;
mod patch;
mod placement;
mod refine;
mod squares;
mod survey;

use std::fmt;

pub use survey::{Survey, View};

use crate::picture::Picture;

/// A side of the cube, by its usual letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Side {
    /// Up.
    U,
    /// Left.
    L,
    /// Front.
    F,
    /// Right.
    R,
    /// Back.
    B,
    /// Down.
    D,
}

impl Side {
    /// All six, in the order in which lattices are given.
    pub const ALL: [Side; 6] = [Side::U, Side::L, Side::F, Side::R, Side::B, Side::D];

    /// Its letter.
    pub fn name(self) -> &'static str {
        match self {
            Side::U => "U",
            Side::L => "L",
            Side::F => "F",
            Side::R => "R",
            Side::B => "B",
            Side::D => "D",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The stickers of one side as its picture shows them; every list runs row by row from the top left and has `size`² entries.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Lattice {
    /// Stickers per row and per column, 2 to 7, the same on all six sides.
    pub size: usize,
    /// Mean red, green and blue of each sticker.
    pub rgb: Vec<[u8; 3]>,
    /// Column and line of each sticker's centre in the picture; (0, 0) is the centre of the pixel at the top left.
    pub centres: Vec<[f32; 2]>,
    /// Whether the sticker was seen as a square; the others were placed from the lattice.
    pub found: Vec<bool>,
    /// Mean distance of neighbouring centres in pixels.
    pub pitch: f32,
}

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

/// Finds the stickers of all six sides; pictures and lattices are in the order of [`Side::ALL`].
///
/// # Errors
/// [`VisionError`], which names the side and what to do.
pub fn find(pictures: &[Picture; 6]) -> Result<[Lattice; 6], VisionError> {
    let mut survey = Survey::new();
    for (side, picture) in Side::ALL.into_iter().zip(pictures) {
        survey.add(side, picture);
    }
    survey.finish()
}
