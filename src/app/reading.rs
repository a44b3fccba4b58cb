//! From six pictures to a state: squares found, colours resolved, doubts kept.

use super::JobError;
use crate::colors::{self, Arrangement, CLIPPED, Resolution, Rival};
use crate::cube::{Face, Lie, Square};
use crate::picture::{Frame, LumaRange, Picture};
use crate::vision::{Lattice, Side, Survey, View, VisionError};

/// How a picture was taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Taken {
    /// Against the way that faces are read.
    pub lie: Lie,
    /// How many pictures of this side were taken before.
    pub number: usize,
}

/// What six pictures say.
#[derive(Debug)]
pub struct Reading {
    /// N.
    pub size: usize,
    /// Mean sRGB colours in the order of [`Face::ALL`], each side row by row as it is read; behind those of the picture that counts those
    /// of other pictures of the side that were taken into account.
    pub sides: [Vec<[u8; 3]>; 6],
    /// Where the squares are in the pictures, in the order of [`Face::ALL`]; row by row as the picture lies.
    pub lattices: [Lattice; 6],
    /// How each picture lies, and which of its side's pictures it is, from 0.
    pub pictures: [Taken; 6],
    /// Which sides have more than one picture.
    pub retaken: [bool; 6],
    /// How many stickers were placed from the lattice instead of seen.
    pub placed: usize,
    /// The state, and how sure it is.
    pub resolution: Resolution,
    /// Which picture is taken for which side, and how it lies beyond what is known of that. All that is said here by side is said of the
    /// sides that the pictures are taken for.
    pub arrangement: Arrangement,
    /// Another arrangement that is about as likely: the answer is not sure then.
    pub rival: Option<Rival>,
    /// Whether no cube fits well, with one mistake at most in how the pictures lie: the answer is not sure then.
    pub misfit: bool,
}

/// A side without any channel above this is dark.
const DARK: u8 = 90;

impl Reading {
    /// Whether it can be believed.
    pub fn is_sure(&self) -> bool {
        self.resolution.is_sure()
    }

    /// The sides with doubtful squares: another picture of these would help most.
    pub fn doubtful_sides(&self) -> Vec<Face> {
        let is_on = |face: &Face| self.resolution.doubtful().iter().any(|square| square.face == *face);
        Face::ALL.into_iter().filter(is_on).collect()
    }

    /// What the six colours are called, by the side that has each in its middle, or would if it were solved.
    pub fn colours_in_words(&self) -> String {
        let words = colors::in_words(&self.resolution.palette);
        let named = Face::ALL.iter().zip(words).map(|(face, word)| format!("{face} {word}"));
        named.collect::<Vec<_>>().join(", ")
    }

    /// The colours of a side in the picture that counts.
    pub fn squares(&self, face: Face) -> &[[u8; 3]] {
        &self.sides[face as usize][..self.size * self.size]
    }

    /// By how many stops another picture of a side should be brighter; 0 if its light seems good.
    fn wish(&self, face: Face) -> i8 {
        let brightest = |rgb: &[u8; 3]| rgb.iter().copied().max().unwrap_or(0);
        match self.squares(face).iter().map(brightest).max() {
            Some(CLIPPED..) => -2,
            Some(..DARK) => 2,
            _ => 0,
        }
    }

    /// Resolves the colours again with some squares told by the user. Colours keep their names.
    ///
    /// # Errors
    /// If there is no such square, or no legal cube has all these colours.
    pub fn correct(&mut self, fixed: &[(Square, Face)]) -> Result<(), JobError> {
        let before = std::mem::replace(
            &mut self.resolution,
            colors::resolve_with(self.size, &self.sides, fixed)?,
        );
        self.misfit = false;
        // What was said may tell the two ways apart in which the pictures may lie.
        let agrees = |rival: &Rival| {
            fixed
                .iter()
                .all(|&(square, colour)| rival.state.colour(square) == colour)
        };
        self.rival = self.rival.take().filter(agrees);
        if let Some(Rival { state, .. }) = &self.rival {
            let now = &mut self.resolution;
            now.margin = now.margin.min(before.margin);
            let is_open = |square: &Square| fixed.iter().all(|(said, _)| said != square);
            let differs = |square: &Square| state.colour(*square) != now.state.colour(*square);
            now.disputed = Square::all(self.size)
                .filter(|square| is_open(square) && differs(square))
                .collect();
        }
        Ok(())
    }

    /// The reading of photos by people, who may turn, mirror or exchange them: finds the arrangement in which they are those of a cube. (The
    /// crane shows its sides always in the same way, and a brick gets no photos.)
    ///
    /// # Errors
    /// As of resolving.
    #[cfg(feature = "photos")]
    pub fn arranged(mut self) -> Result<Reading, JobError> {
        let found = colors::resolve_arranged(self.size, &self.sides, self.resolution)?;
        let placed = found.arrangement.sides;
        self.sides = found.arrangement.sides(self.size, &self.sides);
        self.lattices = placed.map(|placed| self.lattices[placed.picture as usize].clone());
        self.retaken = placed.map(|placed| self.retaken[placed.picture as usize]);
        self.pictures = placed.map(|placed| {
            let taken = self.pictures[placed.picture as usize];
            Taken {
                lie: placed.lie.then(taken.lie),
                ..taken
            }
        });
        Ok(Reading {
            resolution: found.resolution,
            arrangement: found.arrangement,
            rival: found.rival,
            misfit: found.misfit,
            ..self
        })
    }
}

/// The sides of which another picture may help, and by how many stops each should be brighter.
pub(super) fn wishes(result: &Result<Reading, JobError>) -> Vec<(Face, i8)> {
    let about = |error: &VisionError| Face::ALL.into_iter().find(|&face| side(face) == error.side());
    match result {
        Ok(reading) if reading.is_sure() => Vec::new(),
        Ok(reading) => reading
            .doubtful_sides()
            .into_iter()
            .map(|face| (face, reading.wish(face)))
            .collect(),
        Err(JobError::Vision(error)) => {
            let stops = match error {
                VisionError::TooDark { .. } => 2,
                VisionError::TooBright { .. } | VisionError::NoCube { .. } => -2,
                VisionError::TooBlurred { .. } | VisionError::Disagree { .. } => 0,
                VisionError::Missing { .. } | VisionError::TooSmall { .. } => return Vec::new(),
            };
            about(error).map(|face| (face, stops)).into_iter().collect()
        }
        Err(_) => Vec::new(),
    }
}

/// Takes pictures of the six sides, one after the other, in any order and turned in any way, and reads them together.
#[derive(Debug, Default)]
pub struct Reader {
    survey: Survey,
    /// Of all pictures.
    range: LumaRange,
    /// Of the picture that counts, by face.
    taken: [Taken; 6],
    /// How many pictures of each side were taken.
    numbers: [usize; 6],
    /// Pictures that later ones have replaced.
    replaced: Vec<(Face, Taken, View)>,
    /// What was read in each picture when it counted.
    seen: Vec<Seen>,
}

/// The colours of a side in one picture, read as the side of a cube of some size.
#[derive(Debug)]
struct Seen {
    face: Face,
    number: usize,
    size: usize,
    rgb: Vec<[u8; 3]>,
}

impl Reader {
    /// Nothing seen yet.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// Looks at one side. Its picture, shown as it says itself, is rotated by so many quarter turns clockwise against the way that faces
    /// are read. A further picture of a side counts instead of the one before.
    ///
    /// # Errors
    /// If the frame cannot be decoded.
    pub fn add(&mut self, face: Face, quarters: u8, frame: &Frame) -> Result<(), JobError> {
        let picture = Picture::decode(frame).map_err(|source| JobError::Picture { face, source })?;
        self.range.add(frame.format, &picture);
        let (taken, number) = (&mut self.taken[face as usize], &mut self.numbers[face as usize]);
        let before = std::mem::replace(
            taken,
            Taken {
                lie: Lie::turned(quarters).then(frame.lie()),
                number: *number,
            },
        );
        *number += 1;
        if let Some(view) = self.survey.add(side(face), &picture) {
            self.replaced.push((face, before, view));
        }
        Ok(())
    }

    /// N, as far as the sides so far tell.
    ///
    /// # Errors
    /// If nothing like a cube is on one of them.
    pub fn size(&self) -> Result<usize, JobError> {
        Ok(self.survey.size()?)
    }

    /// Reads all six sides together; of a side with several pictures all that have something to say.
    ///
    /// # Errors
    /// If a side is missing, no stickers are found on one, or they disagree on N.
    pub fn finish(&mut self) -> Result<Reading, JobError> {
        let mut best = self.read().and_then(|newest| self.with_others(newest));
        for (face, taken, view) in std::mem::take(&mut self.replaced) {
            if best.as_ref().is_ok_and(Reading::is_sure) {
                break;
            }
            let newer = std::mem::replace(&mut self.taken[face as usize], taken);
            let Some(newer_view) = self.survey.exchange(side(face), view) else {
                continue;
            };
            let other = self.by_squares().and_then(|other| self.with_others(other));
            if margin(&other) > margin(&best) {
                best = other;
            } else {
                self.taken[face as usize] = newer;
                self.survey.exchange(side(face), newer_view);
            }
        }
        best
    }

    /// A reading with what other pictures of its sides have shown: a lamp's reflection that washes out a square in one may not do so in
    /// another.
    fn with_others(&mut self, mut reading: Reading) -> Result<Reading, JobError> {
        let size = reading.size;
        for (face, taken) in Face::ALL.into_iter().zip(reading.pictures) {
            let number = taken.number;
            let rgb = reading.squares(face).to_vec();
            let here = |seen: &&Seen| (seen.face, seen.size) == (face, size) && seen.number != number;
            for other in self.seen.iter().filter(here) {
                reading.sides[face as usize].extend(&other.rgb);
            }
            self.seen
                .retain(|seen| (seen.face, seen.size, seen.number) != (face, size, number));
            self.seen.push(Seen {
                face,
                number,
                size,
                rgb,
            });
        }
        if reading.sides.iter().any(|side| side.len() > size * size) {
            let alone = std::mem::replace(&mut reading.resolution, colors::resolve(size, &reading.sides)?);
            let together = &mut reading.resolution;
            log::debug!(
                "margin with earlier pictures {:.2}, without {:.2}",
                together.margin,
                alone.margin
            );
            // A bad picture that does not speak against a better one does not make it less sure.
            if together.state == alone.state && together.margin < alone.margin {
                *together = alone;
            }
        }
        Ok(reading)
    }

    /// By the squares that are seen, and where that leaves a doubt also by the lines between them.
    fn read(&self) -> Result<Reading, JobError> {
        let mut best = self.by_squares();
        // Where every square was seen lines have nothing to add.
        if best.as_ref().is_ok_and(|best| best.is_sure() || best.placed == 0) {
            return best;
        }
        for lattices in self.survey.by_lines()? {
            let by_lines = self.resolve(lattices);
            // Of two doubtful answers the one by squares is the better.
            if by_lines.as_ref().is_ok_and(Reading::is_sure) {
                return by_lines;
            }
            if margin(&best) < 0.0 {
                best = by_lines;
            }
        }
        best
    }

    fn by_squares(&self) -> Result<Reading, JobError> {
        self.resolve(self.survey.finish()?)
    }

    fn resolve(&self, lattices: [Lattice; 6]) -> Result<Reading, JobError> {
        let size = lattices[0].size;
        let mut lattices = Face::ALL.map(|face| lattices[side(face) as usize].clone());
        for rgb in lattices.iter_mut().flat_map(|lattice| &mut lattice.rgb) {
            *rgb = self.range.full(*rgb);
        }
        let sides = Face::ALL.map(|face| {
            let lie = self.taken[face as usize].lie;
            lie.upright(size, &lattices[face as usize].rgb)
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
            lattices,
            pictures: self.taken,
            retaken: self.numbers.map(|number| number > 1),
            placed,
            resolution,
            arrangement: Arrangement::NAMED,
            rival: None,
            misfit: false,
        })
    }
}

/// How sure an answer is; none is less sure than any.
fn margin(result: &Result<Reading, JobError>) -> f32 {
    result.as_ref().map_or(-1.0, |reading| reading.resolution.margin)
}

pub(super) fn side(face: Face) -> Side {
    match face {
        Face::U => Side::U,
        Face::R => Side::R,
        Face::F => Side::F,
        Face::D => Side::D,
        Face::L => Side::L,
        Face::B => Side::B,
    }
}

#[cfg(test)]
mod tests;
