//! The whole cube in twenty bytes, and its coordinates along three axes, of itself and of its inverse.

use super::cosets::{At, Cosets};
use crate::cube::{Cubies, Face};
use crate::solve::three::{Held, SLICE};

/// How many axes.
pub(super) const AXES: usize = 3;
/// The flips take so many of the lowest bits of a sum.
const FLIP_BITS: u32 = 11;

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

/// What one place with its piece adds to the sums from which coordinates are read.
#[derive(Clone)]
struct Sums {
    /// [place][code]: the twists.
    corners: [[u16; 24]; 8],
    /// [place][code]: flips, and above them the places of the slice midges as digits of base 12.
    midges: [[u32; 24]; 12],
}

/// The coordinates of cubes as they are seen along the axes.
pub(super) struct Views {
    /// Of the cube, of its inverse.
    sums: [[Sums; AXES]; 2],
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
        let sums: [Sums; AXES] = std::array::from_fn(|axis| Sums::of(&held[axis]));
        let inverse = sums.clone().map(|sums| sums.inverse());
        Views {
            sums: [sums, inverse],
            slice: (0..20_736).map(|n| number(digits(n))).collect(),
            seen,
            kept,
        }
    }

    /// The coordinates of the cube, or of its inverse.
    #[inline]
    pub fn of(&self, cosets: &Cosets, cube: &Whole, inverse: bool) -> [At; AXES] {
        std::array::from_fn(|axis| {
            let sums = &self.sums[usize::from(inverse)][axis];
            let twist: u16 = (0..8).map(|p| sums.corners[p][usize::from(cube.corners[p])]).sum();
            let both: u32 = (0..12).map(|p| sums.midges[p][usize::from(cube.midges[p])]).sum();
            let (flips, digits) = (both & ((1 << FLIP_BITS) - 1), both >> FLIP_BITS);
            cosets.at(
                flips as usize,
                usize::from(self.slice[digits as usize]),
                usize::from(twist),
            )
        })
    }
}

impl Sums {
    /// For cubes that are held in a way: place, piece and turning go where the rotation takes them.
    fn of(held: &Held) -> Sums {
        let [to, from] = held.pieces();
        let mut sums = Sums {
            corners: [[0; 24]; 8],
            midges: [[0; 24]; 12],
        };
        for seen in 0..8 {
            let place = usize::from(to.corners[seen]);
            for code in 0..24u8 {
                // Only the twist is looked at, and the last place's follows from the others.
                let twist = from.twists[usize::from(code / 3)] + code % 3 + to.twists[seen];
                let digit = if seen < 7 { 3u16.pow(6 - seen as u32) } else { 0 };
                sums.corners[place][usize::from(code)] = u16::from(twist % 3) * digit;
            }
        }
        for seen in 0..12 {
            let place = usize::from(to.midges[seen]);
            for code in 0..24u8 {
                let piece = from.midges[usize::from(code / 2)];
                let flip = from.flips[usize::from(code / 2)] ^ (code % 2) ^ to.flips[seen];
                let bit = if seen < 11 { u32::from(flip) << seen } else { 0 };
                let digit = match usize::from(piece).checked_sub(SLICE) {
                    Some(number) => seen as u32 * 12u32.pow(number as u32),
                    None => 0,
                };
                sums.midges[place][usize::from(code)] = bit | digit << FLIP_BITS;
            }
        }
        sums
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
