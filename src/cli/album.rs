//! `--save DIR`: keeps the pictures as they came, so that `scan --photos DIR` sees exactly the same again.

use std::path::PathBuf;

use crate::app::Reading;
use crate::cube::Face;
use crate::picture::{Frame, PictureError};

/// One picture of a side.
struct Shot {
    quarters: u8,
    frame: Frame,
}

/// All pictures of a scan, in the order in which they were taken.
#[derive(Default)]
pub(super) struct Album {
    /// Where they are kept, if they are.
    folder: Option<PathBuf>,
    /// Pictures are large: without folder they are not held.
    shots: [Vec<Shot>; 6],
}

impl Album {
    pub(super) fn new(folder: Option<PathBuf>) -> Album {
        Album {
            folder,
            ..Album::default()
        }
    }

    /// Keeps the first picture of a side as `F`, further ones as `F-2` and so on.
    pub(super) fn add(&mut self, face: Face, quarters: u8, frame: &Frame) -> Result<(), PictureError> {
        let shots = &mut self.shots[face as usize];
        let Some(folder) = &self.folder else { return Ok(()) };
        let name = match shots.len() {
            0 => face.to_string(),
            before => format!("{face}-{}", before + 1),
        };
        // Also what could not be written counts.
        let saved = frame.save_side(folder, &name, quarters);
        let frame = frame.clone();
        shots.push(Shot { quarters, frame });
        saved
    }

    /// Gives the pictures that were read in the end the names under which they are found; a first one that was not becomes `F-1`.
    pub(super) fn settle(&self, reading: &Reading) -> Result<(), PictureError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        for face in Face::ALL {
            let number = reading.pictures[face as usize].number;
            if let ([first, ..], Some(used), 1..) = (&*self.shots[face as usize], self.used(face, number), number) {
                first.frame.save_side(folder, &format!("{face}-1"), first.quarters)?;
                used.frame.save_side(folder, &face.to_string(), used.quarters)?;
            }
        }
        Ok(())
    }

    fn used(&self, face: Face, number: usize) -> Option<&Shot> {
        self.shots[face as usize].get(number)
    }
}
