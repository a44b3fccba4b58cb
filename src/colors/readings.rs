//! What a colour sensor reads above each sticker, brought to colours that [`resolve`] takes.
//!
//! Counts are divided by those of white paper. From the centre to edges and corners less and less light comes back; how much less, the
//! readings say themselves: each colour has one centre, four edges and four corners, so all centres together, all edges and all corners are
//! equally bright on average. The brightest reading then decides how bright the whole is, for white paper may have been any white.

use super::{ColorError, Resolution, resolve};
use crate::cube::{Face, Square};

/// The squares of a side.
const AREA: usize = 9;
/// The square in its middle.
const CENTRE: usize = 4;

/// White paper, in the unit of scaled readings.
const WHITE: i64 = 1 << 16;
/// The level that the brightest reading gets: below [`super::CLIPPED`].
const BRIGHTEST: i64 = 235;
/// The level of what is at the sensor's end.
const END: u8 = 255;

/// So many times as bright as white paper is no sticker.
const TOO_BRIGHT: i64 = 3;
/// A reading is black if its brightest channel is this part of white paper: plastic has a twentieth, blue stickers a sixth, in corners half
/// of that.
const BLACK: i64 = 24;

/// Where a square costs more than this on average, the margin counts the less the more it costs. Nearly all simulated readings of an arm
/// above the stickers cost less; those of an arm beside them that gave a wrong answer with a margin from 4 on cost twice to eight times as
/// much.
const FITS: f32 = 2500.0;

/// Why readings cannot be those of a cube's stickers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadingError {
    /// More squares are at the sensor's end in all channels than can be white.
    #[error(
        "{count} readings are saturated, the first at {square}: the room is too bright for the sensor, or it is too near; shade it, then \
         read again"
    )]
    Saturated {
        /// How many.
        count: usize,
        /// The first of them.
        square: Square,
    },
    /// Far brighter than white paper.
    #[error(
        "the reading of {square}, {counts:?}, is more than {TOO_BRIGHT} times the white {white:?} of the calibration: measure white again"
    )]
    AboveWhite {
        /// Where.
        square: Square,
        /// What was read.
        counts: [u16; 3],
        /// The calibration's white.
        white: [u16; 3],
    },
    /// Hardly any light came back.
    #[error(
        "the reading of {square} is black, {counts:?}: the sensor's arm stands beside the sticker, or no cube is there"
    )]
    Black {
        /// Where.
        square: Square,
        /// What was read.
        counts: [u16; 3],
    },
    /// A side that was not read.
    #[error("side {face} was not read")]
    Missing {
        /// The side.
        face: Face,
    },
    /// As of [`resolve`].
    #[error(transparent)]
    Colors(#[from] ColorError),
}

/// The readings of a 3x3x3: of each side at least one, each of nine squares row by row.
#[derive(Debug, Clone)]
pub struct Readings {
    white: [u16; 3],
    /// The sensor's end.
    most: u16,
    sides: [Vec<[[u16; 3]; AREA]>; 6],
}

impl Readings {
    /// None yet. A sensor reads `white` above white paper, and never more than `most`.
    pub fn new(white: [u16; 3], most: u16) -> Readings {
        Readings {
            white: white.map(|white| white.max(1)),
            most,
            sides: Default::default(),
        }
    }

    /// Adds the reading of a side, its first one or a further one.
    ///
    /// # Errors
    /// If the sensor cannot have stood above stickers: then the reading is not taken.
    pub fn add(&mut self, face: Face, side: &[[u16; 3]; AREA]) -> Result<(), ReadingError> {
        for (number, &counts) in (1..).zip(side) {
            let square = Square { face, number };
            let scaled = self.scaled(counts);
            if scaled.iter().any(|&part| part > TOO_BRIGHT * WHITE) {
                let white = self.white;
                return Err(ReadingError::AboveWhite { square, counts, white });
            }
            if scaled.iter().all(|&part| part < WHITE / BLACK) {
                return Err(ReadingError::Black { square, counts });
            }
        }
        self.sides[face as usize].push(*side);
        Ok(())
    }

    /// Whether a side was read more than once.
    pub fn is_read_again(&self, face: Face) -> bool {
        self.sides[face as usize].len() > 1
    }

    /// The legal state that fits best, and how sure it is. The sides of [`Resolution::doubtful`] squares are those to read again.
    ///
    /// # Errors
    /// [`ReadingError::Missing`], [`ReadingError::Saturated`].
    pub fn resolve(&self) -> Result<Resolution, ReadingError> {
        let mut found = resolve(3, &self.colours()?)?;
        // A sensor has its own light, alike on all sides. What fits badly then are stickers that were seen in part, all by as much, and in
        // that even the next likely cubes are wrong.
        found.margin *= (FITS / found.cost.max(FITS)).min(1.0);
        Ok(found)
    }

    /// The colours of the sides in the order of [`Face::ALL`], as those of pictures.
    ///
    /// # Errors
    /// As [`Readings::resolve`].
    pub fn colours(&self) -> Result<[Vec<[u8; 3]>; 6], ReadingError> {
        if let Some(face) = Face::ALL.into_iter().find(|&face| self.sides[face as usize].is_empty()) {
            return Err(ReadingError::Missing { face });
        }
        let counts: Vec<[u16; 3]> = self.sides.iter().flat_map(|side| middle(side)).collect();
        self.check_end(&counts)?;
        let mut parts: Vec<[i64; 3]> = counts.iter().map(|&counts| self.scaled(counts)).collect();
        let is_at_end = |square: usize, channel: usize| counts[square][channel] >= self.most;
        for channel in 0..3 {
            even_out(&mut parts, channel);
        }
        let inside = (0..parts.len()).flat_map(|i| (0..3).map(move |channel| (i, channel)));
        let inside = inside.filter(|&(i, channel)| !is_at_end(i, channel));
        let brightest = inside
            .map(|(i, channel)| parts[i][channel])
            .max()
            .unwrap_or(WHITE)
            .max(1);
        let level = |i: usize, channel: usize| match is_at_end(i, channel) {
            true => END,
            false => encoded(parts[i][channel], brightest),
        };
        let square = |i: usize| std::array::from_fn(|channel| level(i, channel));
        Ok(std::array::from_fn(|side| {
            (side * AREA..(side + 1) * AREA).map(square).collect()
        }))
    }

    /// A white square may be brighter than the sensor can tell; nine are white.
    fn check_end(&self, counts: &[[u16; 3]]) -> Result<(), ReadingError> {
        let is_blinded = |i: &usize| counts[*i].iter().all(|&count| count >= self.most);
        let mut blinded = (0..counts.len()).filter(is_blinded);
        let Some(first) = blinded.next() else {
            return Ok(());
        };
        match blinded.count() + 1 {
            count if count > AREA => Err(ReadingError::Saturated {
                count,
                square: Square {
                    face: Face::ALL[first / AREA],
                    number: (first % AREA + 1) as u16,
                },
            }),
            _ => Ok(()),
        }
    }

    /// Parts of [`WHITE`].
    fn scaled(&self, counts: [u16; 3]) -> [i64; 3] {
        std::array::from_fn(|i| i64::from(counts[i]) * WHITE / i64::from(self.white[i]))
    }
}

/// Of several readings of a side the middle ones, square by square and channel by channel.
fn middle(readings: &[[[u16; 3]; AREA]]) -> [[u16; 3]; AREA] {
    std::array::from_fn(|square| {
        std::array::from_fn(|channel| {
            let mut counts: Vec<u16> = readings.iter().map(|side| side[square][channel]).collect();
            counts.sort_unstable();
            let (low, high) = (counts[(counts.len() - 1) / 2], counts[counts.len() / 2]);
            low.midpoint(high)
        })
    })
}

/// Makes edges and corners as bright as centres, on average.
fn even_out(parts: &mut [[i64; 3]], channel: usize) {
    let kind = |square: usize| match square % AREA {
        CENTRE => 0,
        square if square % 2 == 1 => 1,
        _ => 2,
    };
    let mut sums = [0; 3];
    for (i, part) in parts.iter().enumerate() {
        sums[kind(i)] += part[channel];
    }
    // There are four times as many edges, and corners.
    for (i, part) in parts.iter_mut().enumerate() {
        if kind(i) > 0 && sums[kind(i)] > 0 {
            part[channel] = part[channel] * 4 * sums[0] / sums[kind(i)];
        }
    }
}

/// A level from 0 to [`BRIGHTEST`].
fn encoded(part: i64, brightest: i64) -> u8 {
    (part.clamp(0, brightest) * BRIGHTEST / brightest) as u8
}
