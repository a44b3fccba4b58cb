//! Reads a state from six pictures: finds the squares, resolves the colours, keeps the doubts.

use super::JobError;
use crate::colors::{self, Arrangement, CLIPPED, Resolution, Rival};
#[cfg(feature = "photos")]
use crate::cube::State;
use crate::cube::{Face, Lie, Square};
use crate::picture::{Frame, LumaRange, Picture};
use crate::vision::{Lattice, Side, SideView, Survey, VisionError};

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
    /// Mean sRGB colours in the order of [`Face::ALL`], each side row by row as it is read. Colours from further pictures of a side follow
    /// those of its main picture.
    pub sides: [Vec<[u8; 3]>; 6],
    /// Where the squares are in the pictures, in the order of [`Face::ALL`]; row by row as the picture lies.
    pub lattices: [Lattice; 6],
    /// How the main picture of each side was taken.
    pub pictures: [Taken; 6],
    /// Which sides have more than one picture.
    pub retaken: [bool; 6],
    /// How many stickers were not seen, but placed by the lattice.
    pub placed: usize,
    /// The state, and how sure it is.
    pub resolution: Resolution,
    /// What the pictures are called, in the places of [`Face::ALL`], where not after sides.
    pub names: Option<[String; 6]>,
    /// Which picture is taken for which side, and how it is turned or mirrored against what was known. All fields by side mean the sides
    /// that the pictures are taken for.
    pub arrangement: Arrangement,
    /// Another arrangement that is about as likely; then the answer is not sure.
    pub rival: Option<Rival>,
    /// Whether no cube fits well, even with one mistake in how the pictures lie; then the answer is not sure.
    pub misfit: bool,
}

/// A side is dark if no channel is above this.
const DARK: u8 = 90;

impl Reading {
    /// Whether the state can be believed.
    pub fn is_sure(&self) -> bool {
        self.resolution.is_sure()
    }

    /// The sides with doubtful squares. Another picture of them helps most.
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
        #[cfg(feature = "photos")]
        let fixed = &self.follow(fixed)?[..];
        let before = std::mem::replace(
            &mut self.resolution,
            colors::resolve_with(self.size, &self.sides, fixed)?,
        );
        self.misfit = false;
        // The user's squares may tell which of two arrangements is right.
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

    /// The reading of a user's photos, which may be turned, mirrored or exchanged: finds the arrangement in which they show a cube. (The
    /// crane always shows its sides in the same way, and a brick gets no photos.)
    ///
    /// # Errors
    /// As of resolving.
    #[cfg(feature = "photos")]
    pub fn arranged(self) -> Result<Reading, JobError> {
        let found = colors::resolve_arranged(self.size, &self.sides, self.resolution.clone())?;
        Ok(self.laid(found))
    }

    /// Taken as it was found to lie.
    #[cfg(feature = "photos")]
    fn laid(mut self, found: colors::Arranged) -> Reading {
        self.lay(&found.arrangement);
        Reading {
            resolution: found.resolution,
            arrangement: found.arrangement,
            rival: found.rival,
            misfit: found.misfit,
            ..self
        }
    }

    /// Takes what is known of sides for that of others.
    #[cfg(feature = "photos")]
    fn lay(&mut self, arrangement: &Arrangement) {
        let placed = arrangement.sides;
        self.sides = arrangement.sides(self.size, &self.sides);
        self.lattices = placed.map(|placed| self.lattices[placed.picture as usize].clone());
        self.retaken = placed.map(|placed| self.retaken[placed.picture as usize]);
        self.pictures = placed.map(|placed| {
            let taken = self.pictures[placed.picture as usize];
            Taken {
                lie: placed.lie.then(taken.lie),
                ..taken
            }
        });
    }

    /// Where the user's squares are those of the other arrangement and not of this one, takes that one. Gives the squares with the colours
    /// as they are called then.
    #[cfg(feature = "photos")]
    fn follow(&mut self, fixed: &[(Square, Face)]) -> Result<Vec<(Square, Face)>, JobError> {
        let are_in = |state: &State| fixed.iter().all(|&(square, colour)| state.colour(square) == colour);
        let Some(rival) = self
            .rival
            .take_if(|rival| are_in(&rival.state) && !are_in(&self.resolution.state))
        else {
            return Ok(fixed.to_vec());
        };
        self.lay(&rival.arrangement.after(&self.arrangement));
        self.arrangement = rival.arrangement;
        let free = colors::resolve(self.size, &self.sides)?;
        let called = |&(square, _): &(Square, Face)| (square, free.state.colour(square));
        Ok(fixed.iter().map(called).collect())
    }
}

/// The sides of which another picture may help, each with the stops by which it should be brighter.
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

/// Gets pictures of the six sides, in any order and turned in any way, and reads them together.
#[derive(Debug, Default)]
pub struct Reader {
    survey: Survey,
    /// The brightness range of all pictures.
    range: LumaRange,
    /// How the main picture of each side was taken.
    taken: [Taken; 6],
    /// How many pictures of each side were taken.
    numbers: [usize; 6],
    /// Earlier pictures, which a later one has replaced as the main picture.
    replaced: Vec<(Face, Taken, SideView)>,
    /// The colours read in each picture while it was the main one.
    seen: Vec<Seen>,
    /// That each picture may show any side, turned in any way, and how the cube is held in the answer then.
    #[cfg(feature = "photos")]
    any: Option<colors::Hold>,
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

    /// Lets each picture show any side, turned in any way, whatever it is called when it is added: one for each side.
    #[cfg(feature = "photos")]
    pub fn in_any_order(hold: colors::Hold) -> Reader {
        Reader {
            any: Some(hold),
            ..Reader::default()
        }
    }

    /// Adds the picture of a side. After its own orientation tag is applied, it is rotated by so many quarter turns clockwise against the way
    /// that faces are read. A further picture of a side becomes its main picture.
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

    /// N, by the sides so far.
    ///
    /// # Errors
    /// If one of them shows nothing like a cube.
    pub fn size(&self) -> Result<usize, JobError> {
        Ok(self.survey.size()?)
    }

    /// Reads all six sides together, with further pictures of a side where they help.
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

    /// Adds what other pictures of the sides have shown. A lamp's reflection may wash out a square in one picture and not in another.
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
            // If a bad picture leads to the same state, it does not make the reading less sure.
            if together.state == alone.state && together.margin < alone.margin {
                *together = alone;
            }
        }
        Ok(reading)
    }

    /// Reads by the squares that are seen and, if that leaves a doubt, also by the lines between them.
    fn read(&self) -> Result<Reading, JobError> {
        let mut best = self.by_squares();
        // If every square was seen, lines add nothing.
        if best.as_ref().is_ok_and(|best| best.is_sure() || best.placed == 0) {
            return best;
        }
        for lattices in self.survey.by_lines()? {
            let by_lines = self.resolve(lattices);
            // Of two doubtful answers, the one by squares is better.
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
        let reading = |resolution: Resolution, sides: [Vec<[u8; 3]>; 6]| Reading {
            size,
            sides,
            lattices,
            pictures: self.taken,
            retaken: self.numbers.map(|number| number > 1),
            placed,
            resolution,
            names: None,
            arrangement: Arrangement::NAMED,
            rival: None,
            misfit: false,
        };
        #[cfg(feature = "photos")]
        if let Some(hold) = self.any {
            let found = colors::resolve_any(size, &sides, hold)?;
            return Ok(reading(found.resolution.clone(), sides).laid(found));
        }
        Ok(reading(colors::resolve(size, &sides)?, sides))
    }
}

/// How sure an answer is; an error is less sure than any answer.
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
