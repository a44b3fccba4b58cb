use super::JobError;
use crate::colors::{self, Resolution};
use crate::crane::upright;
use crate::cube::{Face, Square};
use crate::picture::{Frame, Picture};
use crate::vision::{Side, Survey};

/// What six pictures say.
#[derive(Debug)]
pub struct Reading {
    /// N.
    pub size: usize,
    /// Mean sRGB colours in the order of [`Face::ALL`], each side row by row as it is read.
    pub sides: [Vec<[u8; 3]>; 6],
    /// How many stickers were placed from the lattice instead of seen.
    pub placed: usize,
    /// The state, and how sure it is.
    pub resolution: Resolution,
}

impl Reading {
    /// Resolves the colours again, where somebody has said what is on some squares; colours are called as they are called now.
    ///
    /// # Errors
    /// If there is no such square, or no legal cube has all these colours.
    pub fn correct(&mut self, fixed: &[(Square, Face)]) -> Result<(), JobError> {
        self.resolution = colors::resolve_with(self.size, &self.sides, fixed)?;
        Ok(())
    }
}

/// Takes pictures of the six sides, one after the other, in any order and turned in any way, and reads them together.
#[derive(Debug, Default)]
pub struct Reader {
    survey: Survey,
    /// Quarter turns clockwise of each side's picture, by face.
    quarters: [u8; 6],
}

impl Reader {
    /// Nothing seen yet.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// Looks at one side. Its picture is rotated by so many quarter turns clockwise against the way that faces are read.
    ///
    /// # Errors
    /// If the frame cannot be decoded.
    pub fn add(&mut self, face: Face, quarters: u8, frame: &Frame) -> Result<(), JobError> {
        let picture = Picture::decode(frame).map_err(|source| JobError::Picture { face, source })?;
        self.quarters[face as usize] = quarters;
        self.survey.add(side(face), &picture);
        Ok(())
    }

    /// N, as far as the sides so far tell.
    ///
    /// # Errors
    /// If nothing like a cube is on one of them.
    pub fn size(&self) -> Result<usize, JobError> {
        Ok(self.survey.size()?)
    }

    /// Reads all six sides together.
    ///
    /// # Errors
    /// If a side is missing, no stickers are found on one, or they disagree on N.
    pub fn finish(&self) -> Result<Reading, JobError> {
        let lattices = self.survey.finish()?;
        let size = lattices[0].size;
        let sides = Face::ALL.map(|face| {
            let lattice = &lattices[side(face) as usize];
            upright(size, &lattice.rgb, self.quarters[face as usize])
        });
        let placed = lattices
            .iter()
            .flat_map(|lattice| &lattice.found)
            .filter(|&&found| !found)
            .count();
        let resolution = colors::resolve(size, &sides)?;
        Ok(Reading {
            size,
            sides,
            placed,
            resolution,
        })
    }
}

fn side(face: Face) -> Side {
    match face {
        Face::U => Side::U,
        Face::R => Side::R,
        Face::F => Side::F,
        Face::D => Side::D,
        Face::L => Side::L,
        Face::B => Side::B,
    }
}
