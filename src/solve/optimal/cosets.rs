//! The coordinate: what is left of a cube for the group of the turns U and D and of all that twists no corner, flips no midge, keeps
//! the slice midges between U and D, and exchanges them in pairs only.
//!
//! It has three parts: flips and places of the slice midges together, which the 16 symmetries that keep the axis of U and D reduce to
//! classes; how the slice midges are exchanged, up to exchanges of two pairs at once; twists.

use crate::cube::{Cubies, Face, Turn};
use crate::search::{Group, Plain, Reduced, permutation_rank, permutation_unrank, subset_rank, subset_unrank};
use crate::solve::three::{PlaceMap, SLICE, number_of_twists, twists_of};
use crate::sure::place_of;

/// Values of the twists.
pub(super) const TWISTS: usize = 2187;
/// Exchanges of the four slice midges, where exchanges of two pairs at once count as none.
pub(super) const EXCHANGES: usize = 6;
/// Where the four slice midges can be.
const SLICES: usize = 495;
/// In place of a slice midge's number: another midge.
const OTHER: u8 = u8::MAX;

/// The coordinate with its tables.
pub(super) struct Cosets {
    /// All turns, and the symmetries that keep the axis of U and D.
    pub group: Group,
    /// Flips and places of the slice midges: place set · flips + flips.
    pub edges: Reduced<u32>,
    /// Places of the slice midges with their exchanges.
    pub slice: Plain,
    /// Twists of corners.
    pub twist: Plain,
    /// How many values of the flips are told apart: all, or for a small table none.
    flips: usize,
    /// The number of every permutation of the slice midges, by rank.
    exchanges: [u8; 24],
}

/// A cube as the coordinate sees it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct At {
    pub edges: u32,
    pub slice: u16,
    pub twist: u16,
}

/// The slice midge in each place, from 0, or [`OTHER`].
type Slice = [u8; 12];

impl Cosets {
    /// Fills all tables. Without flips the table is small and knows little: for tests.
    pub fn new(with_flips: bool) -> Cosets {
        let turns: Vec<Turn> = Face::ALL
            .into_iter()
            .flat_map(|f| (1..=3).map(move |q| Turn::outer(f, 1, q)))
            .collect();
        let by: Vec<Cubies> = turns.iter().map(|&t| Cubies::of_turn(t)).collect();
        let group = Group::new(turns, |s| s.face(Face::U).axis() == Face::U.axis());
        let maps: Vec<PlaceMap> = group.symmetries().iter().map(|&s| PlaceMap::of(s)).collect();
        let flips = if with_flips { 2048 } else { 1 };
        let edges = edges(&group, &by, &maps, flips);
        let exchanges = exchanges();
        let slice = Plain::new(
            &group,
            SLICES * EXCHANGES,
            |value| slice_of(value, &exchanges),
            |slice, t| slice_number(&by[t].midges.map(|from| slice[usize::from(from)]), &exchanges),
            |slice, s| {
                let mut moved = [OTHER; 12];
                for place in 0..12 {
                    if slice[place] != OTHER {
                        let piece = maps[s].midges[SLICE + usize::from(slice[place])];
                        moved[usize::from(maps[s].midges[place])] = piece - SLICE as u8;
                    }
                }
                slice_number(&moved, &exchanges)
            },
        );
        let twist = Plain::new(
            &group,
            TWISTS,
            twists_of,
            |twists, t| number_of_twists(|place| twists[by[t].corners[place] as usize] + by[t].twists[place]),
            |twists, s| {
                let mut moved = [0; 8];
                for (place, &twist) in twists.iter().enumerate() {
                    moved[maps[s].corners[place] as usize] = if maps[s].mirrors { (3 - twist) % 3 } else { twist };
                }
                number_of_twists(|place| moved[place])
            },
        );
        Cosets {
            group,
            edges,
            slice,
            twist,
            flips,
            exchanges,
        }
    }

    /// How many entries a table has.
    pub fn entries(&self) -> usize {
        self.edges.classes() * EXCHANGES * TWISTS
    }

    /// From the flips of the first eleven places, a bit each; the places of the slice midges; the twists of the first seven corners.
    pub fn at(&self, flips: usize, slice: usize, twist: usize) -> At {
        At {
            edges: self.edges.of(slice / EXCHANGES * self.flips + flips % self.flips) as u32,
            slice: slice as u16,
            twist: twist as u16,
        }
    }

    /// The number of slice midges at these places, in the order of their own numbers.
    pub fn slice_at(&self, places: [usize; 4]) -> usize {
        let mut slice = [OTHER; 12];
        for (piece, place) in places.into_iter().enumerate() {
            slice[place] = piece as u8;
        }
        slice_number(&slice, &self.exchanges)
    }

    /// Where the slice midges of a class's representative are.
    pub fn places(&self, class: usize) -> usize {
        self.edges.value(class << self.group.bits()) / self.flips
    }

    /// A solved cube.
    pub fn home(&self) -> At {
        self.at(0, self.slice_at([8, 9, 10, 11]), 0)
    }

    /// After a turn.
    #[inline]
    pub fn turned(&self, at: At, turn: usize) -> At {
        At {
            edges: self.edges.turn(&self.group, at.edges as usize, turn) as u32,
            slice: self.slice.turn(at.slice as usize, turn) as u16,
            twist: self.twist.turn(at.twist as usize, turn) as u16,
        }
    }

    /// The entry of the table.
    #[inline]
    pub fn entry(&self, at: At) -> usize {
        let (class, by) = self.edges.split(at.edges as usize);
        let back = self.group.inverse(by);
        let exchange = self.slice.moved(at.slice as usize, back) % EXCHANGES;
        (class * EXCHANGES + exchange) * TWISTS + self.twist.moved(at.twist as usize, back)
    }
}

/// Flips and places of the slice midges, reduced. The turns are given as cubes.
fn edges(group: &Group, by: &[Cubies], maps: &[PlaceMap], flips: usize) -> Reduced<u32> {
    // A slice midge is named by F and B. A symmetry that takes these to R and L turns it over.
    let over: Vec<bool> = group
        .symmetries()
        .iter()
        .map(|s| s.face(Face::F).axis() != Face::F.axis())
        .collect();
    Reduced::new(
        group,
        SLICES * flips,
        |value| {
            let set = subset_unrank(value / flips, 4);
            let flips = value % flips;
            (set, flips | (flips.count_ones() as usize & 1) << 11)
        },
        |&(set, bits), t| {
            let moved = |place: usize| u32::from(by[t].midges[place]);
            let set = (0..12).fold(0, |b, place| b | (set >> moved(place) & 1) << place);
            let flip = |place: usize| (bits >> moved(place) & 1) ^ usize::from(by[t].flips[place]);
            let bits = (0..11).fold(0, |b, place| b | flip(place) << place);
            subset_rank(set) * flips + bits % flips
        },
        |&(set, bits), s| {
            let to = |place: usize| u32::from(maps[s].midges[place]);
            let moved = (0..12).fold(0, |b, place| b | (set >> place & 1) << to(place));
            let turns_over = |place: usize| over[s] && (place >= SLICE) != (set >> place & 1 != 0);
            let flip = |place: usize| (bits >> place & 1) ^ usize::from(turns_over(place));
            let bits = (0..12).fold(0, |b, place| b | flip(place) << to(place));
            subset_rank(moved) * flips + bits % flips
        },
    )
}

/// The number of every permutation of four, where two that differ by exchanges of two pairs have the same.
fn exchanges() -> [u8; 24] {
    let pairs: [[u8; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]];
    let least = |rank: usize| {
        let permutation = permutation_unrank::<4>(rank);
        let ranks = pairs.map(|pair| permutation_rank(&permutation.map(|piece| pair[usize::from(piece)])));
        ranks.into_iter().fold(rank, usize::min)
    };
    let all: Vec<usize> = (0..24).filter(|&rank| least(rank) == rank).collect();
    std::array::from_fn(|rank| place_of(&all, &least(rank)) as u8)
}

fn slice_number(slice: &Slice, exchanges: &[u8; 24]) -> usize {
    let (mut set, mut order, mut found) = (0, [0; 4], 0);
    for (place, &piece) in slice.iter().enumerate() {
        if piece != OTHER {
            set |= 1 << place;
            order[found] = piece;
            found += 1;
        }
    }
    subset_rank(set) * EXCHANGES + usize::from(exchanges[permutation_rank(&order)])
}

fn slice_of(value: usize, exchanges: &[u8; 24]) -> Slice {
    let rank = place_of(exchanges, &((value % EXCHANGES) as u8));
    let order = permutation_unrank::<4>(rank);
    let (set, mut next) = (subset_unrank(value / EXCHANGES, 4), 0);
    std::array::from_fn(|place| {
        if set >> place & 1 == 0 {
            return OTHER;
        }
        next += 1;
        order[next - 1]
    })
}
