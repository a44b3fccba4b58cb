//! One picture to a lattice of colours: luma, edges, components, lattice, and the joint decision on N.
//!
//! ```text
//!            Edges      Labeller      Finder       patches     placements        Survey
//! luma ──► edge masks ─► components ─► squares ──► patches ──► N x N windows ─┐
//!                                                                one side     ├─► six Lattices
//!                                                     five more sides ... ────┘
//! ```
//!
//! A cube that is turned in its picture by so much that lines and columns cannot be told apart is turned upright first (`roll`).
//!
//! Where that leaves a doubt, `comb` finds the lines between stickers instead, in all six pictures at once.
//!
//! Each pixel stage is one file and reuses its buffers; from `squares` on there are a hundred or so candidates, and the arithmetic is
//! per sticker. [`Survey`] takes one side after the other and keeps little of it; [`find`] does all six at once.
//!
//! Integer arithmetic per pixel, float only per sticker. Knows `picture`; must not know cubes, colours or cameras.
//!
//! Six pictures in, six lattices of colours out. [`crate::colors`] makes a state of them:
//!
//! ```
//! use cranecuber::colors::resolve;
//! use cranecuber::cube::{Face, State, parse_moves};
//! use cranecuber::picture::Picture;
//! use cranecuber::sim::{Scene, draw};
//! use cranecuber::vision::{Side, find};
//!
//! let mut cube = State::solved(3);
//! cube.do_moves(&parse_moves(3, "R U2 F' L D B'")?);
//! // Drawn as a small webcam sees it, side by side in the order U L F R B D.
//! let faces = Side::ALL.map(|side| Face::from_letter(side.name().chars().next().unwrap()).unwrap());
//! let frames = faces.map(|face| draw(3, cube.face(face), &Scene::calm(), face as u64));
//! let pictures = frames.map(|frame| Picture::decode(&frame).unwrap());
//!
//! let lattices = find(&pictures)?;
//! assert!(lattices.iter().all(|lattice| lattice.size == 3 && lattice.rgb.len() == 9));
//!
//! let colours = Face::ALL.map(|face| {
//!     let at = faces.iter().position(|&side| side == face).unwrap();
//!     lattices[at].rgb.clone()
//! });
//! let resolution = resolve(3, &colours)?;
//! assert_eq!(resolution.state, cube);
//! assert!(resolution.is_sure());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod comb;
mod components;
#[cfg(test)]
mod drawing;
mod edges;
mod error;
mod grid;
mod joint;
mod lattice;
mod mask;
mod patch;
mod placement;
mod refine;
mod roll;
mod side;
mod squares;
mod survey;
mod view;

pub use error::VisionError;
pub use lattice::Lattice;
pub use side::Side;
pub use survey::Survey;
pub use view::SideView;

use crate::picture::Picture;

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
