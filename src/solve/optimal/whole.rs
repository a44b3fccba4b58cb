//! The whole cube in twenty bytes, and its coordinates along three axes, of itself and of its inverse.

use super::cosets::{At, Cosets};
use crate::cube::{Cubies, Face};
use crate::solve::three::{Held, SLICE};

/// How many axes.
pub(super) const AXES: usize = 3;

/// A cube: in each place piece · 3 + twist, or piece · 2 + flip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Whole {
    pub corners: [u8; 8],
    pub midges: [u8; 12],
}

impl Whole {
    pub fn of(cubies: &Cubies) -> Whole {
        Whole {
            corners: std::array::from_fn(|p| cubies.corners[p] * 3 + cubies.twists[p]),
            midges: std::array::from_fn(|p| cubies.midges[p] * 2 + cubies.flips[p]),
        }
    }

    /// After a turn, which is given as a cube.
    #[inline]
    pub fn turned(&self, by: &Cubies) -> Whole {
        /// [code · 3 + twist]: the code with one twist more.
        const TWISTED: [u8; 72] = {
            let mut all = [0; 72];
            let mut i = 0;
            while i < 72 {
                let (code, twist) = (i / 3, i % 3);
                all[i] = (code - code % 3 + (code % 3 + twist) % 3) as u8;
                i += 1;
            }
            all
        };
        Whole {
            corners: std::array::from_fn(|p| {
                let code = self.corners[usize::from(by.corners[p]) & 7];
                TWISTED[usize::from(code) * 3 + usize::from(by.twists[p])]
            }),
            midges: std::array::from_fn(|p| self.midges[usize::from(by.midges[p])] ^ by.flips[p]),
        }
    }

    pub fn cubies(&self) -> Cubies {
        Cubies {
            corners: self.corners.map(|code| code / 3),
            twists: self.corners.map(|code| code % 3),
            midges: self.midges.map(|code| code / 2),
            flips: self.midges.map(|code| code % 2),
        }
    }

    pub fn inverse(&self) -> Whole {
        let mut inverse = *self;
        for (place, &code) in self.corners.iter().enumerate() {
            inverse.corners[usize::from(code / 3)] = place as u8 * 3 + (3 - code % 3) % 3;
        }
        for (place, &code) in self.midges.iter().enumerate() {
            inverse.midges[usize::from(code / 2)] = place as u8 * 2 + code % 2;
        }
        inverse
    }
}

/// Sums of all axes side by side: so many bits for each.
const LANE: u32 = 16;

/// What one place with its piece adds to the sums from which coordinates are read.
#[derive(Clone)]
struct Sums {
    /// [place][code]: the twists.
    corners: [[u64; 24]; 8],
    /// [place][code]: the flips; the places of the slice midges as digits of base 12.
    midges: [[[u64; 2]; 24]; 12],
}

/// The sums of a cube.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read {
    twists: u64,
    flips: u64,
    digits: u64,
}

/// The coordinates of cubes as they are seen along the axes.
pub(super) struct Views {
    /// Of the cube, of its inverse.
    sums: [Sums; 2],
    /// The number of the slice midges by the digits of their places.
    slice: Vec<u16>,
    /// [axis][turn]: the turn as it is seen.
    pub seen: [[u8; 18]; AXES],
    /// The turns, a bit each, that leave the coordinate along an axis at its goal.
    pub kept: [u32; AXES],
}

impl Views {
    pub fn new(cosets: &Cosets) -> Views {
        let held = Held::all();
        let turns = cosets.group.turns();
        let seen: [[u8; 18]; AXES] = std::array::from_fn(|axis| {
            let seen = |t: usize| {
                let moved = turns[t].moved(held[axis].by);
                crate::sure::place_of(turns, &moved) as u8
            };
            std::array::from_fn(seen)
        });
        let is_kept = |axis: usize, t: usize| turns[usize::from(seen[axis][t])].face.axis() == Face::U.axis();
        let kept = std::array::from_fn(|axis| (0..18).filter(|&t| is_kept(axis, t)).fold(0, |all, t| all | 1 << t));
        let digits = |number: usize| [number % 12, number / 12 % 12, number / 144 % 12, number / 1728];
        let is_possible = |places: [usize; 4]| (0..4).all(|i| (0..i).all(|j| places[i] != places[j]));
        let number = |places| {
            if is_possible(places) {
                cosets.slice_at(places) as u16
            } else {
                0
            }
        };
        let sums = Sums::of(&held);
        let inverse = sums.clone().inverse();
        Views {
            sums: [sums, inverse],
            slice: (0..20_736).map(|n| number(digits(n))).collect(),
            seen,
            kept,
        }
    }

    /// What is read of the cube, or of its inverse.
    #[inline]
    pub fn read(&self, cube: &Whole, inverse: bool) -> Read {
        let sums = &self.sums[usize::from(inverse)];
        let corners = sums.corners.iter().zip(cube.corners);
        let twists = corners.map(|(of, code)| of[usize::from(code)]).sum();
        let midges = sums.midges.iter().zip(cube.midges);
        let [flips, digits] = midges.fold([0, 0], |[flips, digits], (of, code)| {
            let [more_flips, more_digits] = of[usize::from(code)];
            [flips + more_flips, digits + more_digits]
        });
        Read { twists, flips, digits }
    }

    /// Class and symmetry of the coordinate along an axis.
    #[inline]
    pub fn reduced(&self, cosets: &Cosets, read: &Read, axis: usize) -> u32 {
        let slice = self.slice[along(axis, read.digits)];
        cosets.reduced(along(axis, read.flips), usize::from(slice))
    }

    /// The coordinate along an axis, when these are known.
    #[inline]
    pub fn at(&self, cosets: &Cosets, reduced: u32, read: &Read, axis: usize) -> At {
        let slice = self.slice[along(axis, read.digits)];
        cosets.at(reduced, usize::from(slice), along(axis, read.twists))
    }

    /// The coordinates of the cube, or of its inverse.
    pub fn of(&self, cosets: &Cosets, cube: &Whole, inverse: bool) -> [At; AXES] {
        let read = self.read(cube, inverse);
        std::array::from_fn(|axis| self.at(cosets, self.reduced(cosets, &read, axis), &read, axis))
    }
}

/// The sum of one axis.
#[inline]
fn along(axis: usize, sums: u64) -> usize {
    usize::from((sums >> (LANE * axis as u32)) as u16)
}

impl Sums {
    /// For cubes that are held in some ways: place, piece and turning go where the rotation takes them.
    fn of(held: &[Held]) -> Sums {
        let mut sums = Sums {
            corners: [[0; 24]; 8],
            midges: [[[0; 2]; 24]; 12],
        };
        for (axis, held) in held.iter().enumerate() {
            sums.add(held, LANE * axis as u32);
        }
        sums
    }

    /// Adds what is read of cubes that are held in a way.
    fn add(&mut self, held: &Held, lane: u32) {
        let [to, from] = held.pieces();
        for seen in 0..8 {
            let place = usize::from(to.corners[seen]);
            for code in 0..24u8 {
                // Only the twist is looked at, and the last place's follows from the others.
                let twist = from.twists[usize::from(code / 3)] + code % 3 + to.twists[seen];
                let digit = if seen < 7 { 3u64.pow(6 - seen as u32) } else { 0 };
                self.corners[place][usize::from(code)] |= (u64::from(twist % 3) * digit) << lane;
            }
        }
        for seen in 0..12 {
            let place = usize::from(to.midges[seen]);
            for code in 0..24u8 {
                let piece = from.midges[usize::from(code / 2)];
                let flip = from.flips[usize::from(code / 2)] ^ (code % 2) ^ to.flips[seen];
                let bit = if seen < 11 { u64::from(flip) << seen } else { 0 };
                let digit = match usize::from(piece).checked_sub(SLICE) {
                    Some(number) => seen as u64 * 12u64.pow(number as u32),
                    None => 0,
                };
                let [flips, digits] = &mut self.midges[place][usize::from(code)];
                *flips |= bit << lane;
                *digits |= digit << lane;
            }
        }
    }

    /// The same of the inverse: places and pieces exchanged.
    fn inverse(self) -> Sums {
        let corner = |place: usize, code: usize| self.corners[code / 3][place * 3 + (3 - code % 3) % 3];
        let midge = |place: usize, code: usize| self.midges[code / 2][place * 2 + code % 2];
        Sums {
            corners: std::array::from_fn(|place| std::array::from_fn(|code| corner(place, code))),
            midges: std::array::from_fn(|place| std::array::from_fn(|code| midge(place, code))),
        }
    }
}
