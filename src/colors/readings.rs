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
        square => 1 + square % 2,
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Side = [[u16; 3]; AREA];

    /// One or more readings of each side.
    fn readings(white: [u16; 3], most: u16, sides: &[Vec<Side>; 6]) -> Readings {
        let mut readings = Readings::new(white, most);
        for (face, side) in Face::ALL.into_iter().zip(sides) {
            side.iter().for_each(|one| readings.add(face, one).unwrap());
        }
        readings
    }

    /// What a sensor may read.
    fn side() -> impl Strategy<Value = Side> {
        prop::array::uniform9(prop::array::uniform3(20u16..300))
    }

    fn sides() -> impl Strategy<Value = [Side; 6]> {
        [side(), side(), side(), side(), side(), side()]
    }

    fn colours(white: [u16; 3], most: u16, sides: &[Side; 6]) -> [Vec<[u8; 3]>; 6] {
        let sides = sides.map(|side| vec![side]);
        readings(white, most, &sides).colours().unwrap()
    }

    proptest! {
        #[test]
        fn levels_are_parts_of_white_with_edges_and_corners_as_bright_as_centres(sides in sides(), white in prop::array::uniform3(100u16..300)) {
            let found = colours(white, 1000, &sides).concat();
            let counts = sides.concat();
            let kind = |square: usize| match square % 9 {
                4 => 0,
                1 | 3 | 5 | 7 => 1,
                _ => 2,
            };
            let part = |square: usize, channel: usize| f64::from(counts[square][channel]) / f64::from(white[channel]);
            let mean = |channel: usize, of: usize| {
                let all: Vec<f64> = (0..54).filter(|&i| kind(i) == of).map(|i| part(i, channel)).collect();
                all.iter().sum::<f64>() / all.len() as f64
            };
            let even = |i: usize, channel: usize| part(i, channel) * mean(channel, 0) / mean(channel, kind(i));
            let all = |i: usize| [0, 1, 2].map(|channel| even(i, channel));
            let brightest = (0..54).flat_map(all).fold(0.0, f64::max);
            for (i, rgb) in found.iter().enumerate() {
                for (level, expected) in rgb.iter().zip(all(i).map(|part| part / brightest * BRIGHTEST as f64)) {
                    prop_assert!(expected - f64::from(*level) < 1.1 && f64::from(*level) - expected < 0.1, "{level} {expected}");
                }
            }
        }

        #[test]
        fn two_readings_of_a_side_are_as_their_middle_in_either_order(first in side(), second in side(), others in sides()) {
            let of = |both: Vec<Side>| {
                let mut sides = others.map(|side| vec![side]);
                sides[2] = both;
                readings([150; 3], 1000, &sides).colours().unwrap()
            };
            let middle: Side = std::array::from_fn(|i| std::array::from_fn(|c| (first[i][c] + second[i][c]) / 2));
            prop_assert_eq!(of(vec![first, second]), of(vec![middle]));
            prop_assert_eq!(of(vec![second, first]), of(vec![middle]));
        }

        #[test]
        fn of_three_readings_the_middle_one_of_each_square_and_channel_counts(three in [side(), side(), side()], others in sides()) {
            let of = |all: Vec<Side>| {
                let mut sides = others.map(|side| vec![side]);
                sides[5] = all;
                readings([150; 3], 1000, &sides).colours().unwrap()
            };
            let between = |mut counts: [u16; 3]| {
                counts.sort_unstable();
                counts[1]
            };
            let middle: Side = std::array::from_fn(|i| std::array::from_fn(|c| between(three.map(|one| one[i][c]))));
            prop_assert_eq!(of(three.to_vec()), of(vec![middle]));
        }

        #[test]
        fn what_is_at_the_sensors_end_is_as_bright_as_can_be_and_the_rest_stays_below(sides in sides(), most in 200u16..300) {
            let found = colours([150; 3], most, &sides);
            for (counts, level) in sides.concat().concat().iter().zip(found.concat().concat()) {
                prop_assert_eq!(level == END, *counts >= most);
                prop_assert!(level == END || i64::from(level) <= BRIGHTEST);
            }
        }
    }

    proptest! {
        // A wrong cube takes long.
        #![proptest_config(ProptestConfig::with_cases(4))]

        #[test]
        fn the_margin_counts_less_the_more_a_square_costs(sides in sides()) {
            let all = readings([150; 3], 1000, &sides.map(|side| vec![side]));
            let [found, plain] = [all.resolve().unwrap(), resolve(3, &all.colours().unwrap()).unwrap()];
            let part = if plain.cost <= FITS { 1.0 } else { FITS / plain.cost };
            prop_assert!((found.margin - plain.margin * part).abs() <= 1e-4 * plain.margin);
            prop_assert_eq!(found.state, plain.state);
        }
    }

    #[test]
    fn three_times_white_is_taken_and_a_count_more_is_not() {
        let add = |counts: [u16; 3]| {
            let mut side = [[50; 3]; AREA];
            side[7] = counts;
            Readings::new([100, 200, 300], 2000).add(Face::B, &side)
        };
        for channel in 0..3 {
            let mut counts = [50; 3];
            counts[channel] = 300 * (channel as u16 + 1);
            assert_eq!(add(counts), Ok(()));
            counts[channel] += 1;
            let (white, square) = (
                [100, 200, 300],
                Square {
                    face: Face::B,
                    number: 8,
                },
            );
            assert_eq!(add(counts), Err(ReadingError::AboveWhite { square, counts, white }));
        }
    }

    #[test]
    fn a_twenty_fourth_of_white_in_one_channel_is_taken_and_less_in_all_is_black() {
        let add = |counts: [u16; 3]| {
            let mut side = [[50; 3]; AREA];
            side[0] = counts;
            Readings::new([240; 3], 2000).add(Face::D, &side)
        };
        let square = Square {
            face: Face::D,
            number: 1,
        };
        for channel in 0..3 {
            let mut counts = [0; 3];
            counts[channel] = 9;
            assert_eq!(add(counts), Err(ReadingError::Black { square, counts }));
            counts[channel] = 10;
            assert_eq!(add(counts), Ok(()));
        }
    }

    #[test]
    fn nine_blinded_squares_are_taken_and_ten_are_named_with_the_first_of_them() {
        for (first, face, number) in [(5, Face::U, 6), (17, Face::R, 9), (40, Face::L, 5)] {
            let sides = |count: usize| {
                let square = |i: usize| {
                    if (first..first + count).contains(&i) {
                        [180; 3]
                    } else {
                        [90, 60, 179]
                    }
                };
                std::array::from_fn(|side| vec![std::array::from_fn(|i| square(side * AREA + i))])
            };
            assert!(readings([100; 3], 180, &sides(9)).colours().is_ok());
            let error = readings([100; 3], 180, &sides(10)).resolve().unwrap_err();
            let square = Square { face, number };
            assert_eq!(error, ReadingError::Saturated { count: 10, square });
        }
    }

    #[test]
    fn a_sensor_that_sees_nothing_white_or_nothing_at_all_does_not_end_the_program() {
        // Of red light only.
        let red = readings([0; 3], 100, &std::array::from_fn(|_| vec![[[3, 0, 0]; AREA]]));
        assert_eq!(red.colours().unwrap().concat(), vec![[BRIGHTEST as u8, 0, 0]; 54]);
        let mut again = red.clone();
        assert!(!Face::ALL.into_iter().any(|face| again.is_read_again(face)));
        again.add(Face::L, &[[3, 0, 0]; AREA]).unwrap();
        assert_eq!(
            Face::ALL.map(|face| again.is_read_again(face)),
            [false, false, false, false, true, false]
        );
    }

    #[test]
    fn a_side_without_a_reading_is_named() {
        let mut readings = Readings::new([100; 3], 1000);
        for (i, face) in Face::ALL.into_iter().enumerate() {
            assert_eq!(readings.colours(), Err(ReadingError::Missing { face: Face::ALL[i] }));
            readings.add(face, &[[90; 3]; AREA]).unwrap();
        }
        assert!(readings.colours().is_ok());
    }
}
