//! The coordinate: what is left of a cube for the group of the turns U and D and of all that twists no corner, flips no midge, keeps
//! the slice midges between U and D, and exchanges both pairs of opposite ones or neither.
//!
//! It has three parts: flips and places of the slice midges together, which the 16 symmetries that keep the axis of U and D reduce to
//! classes; how the slice midges are exchanged, up to that exchange of both pairs; twists.

use crate::cube::{Cubies, Face, Turn};
use crate::search::{Group, Plain, Reduced, permutation_rank, permutation_unrank, subset_rank, subset_unrank};
use crate::solve::three::{PlaceMap, SLICE, number_of_twists, twists_of};
use crate::sure::place_of;

/// Values of the twists.
pub(super) const TWISTS: usize = 2187;
/// Exchanges of the four slice midges, where that of each with the opposite one counts as none.
pub(super) const EXCHANGES: usize = 12;
/// How many turns there are.
const TURNS: usize = 18;
/// Symmetries that keep an axis.
const SYMMETRIES: usize = 16;
/// Bits of a step that hold a symmetry, and a change of exchanges.
const STEP_BITS: (u32, u32) = (4, 8);
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
    /// [symmetry][turn]: the turn of a cube as it is seen by the class's representative, which the symmetry makes the cube.
    seen: [[u8; TURNS]; SYMMETRIES],
    /// [class · turns + turn]: the class after the turn, how exchanges change, and the symmetry from the representative.
    steps: Vec<u32>,
    /// [change << 4 | exchange]: what ways there are to change exchanges.
    changes: Vec<[u8; 16]>,
    /// [slice << 4 | symmetry]: the exchange as it is seen after the symmetry.
    exchange: Vec<u8>,
}

/// A cube as the coordinate sees it: everything as it is for the representative of its class, which a symmetry makes the cube.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct At {
    pub class: u32,
    pub twist: u16,
    pub exchange: u8,
    pub by: u8,
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
        let seen = |s, turn| group.moved(turn, group.inverse(s)) as u8;
        let exchange =
            (0..slice.values() * SYMMETRIES).map(|i| slice.moved(i / SYMMETRIES, i % SYMMETRIES) % EXCHANGES);
        let mut cosets = Cosets {
            seen: std::array::from_fn(|s| std::array::from_fn(|turn| seen(s, turn))),
            exchange: exchange.map(|exchange| exchange as u8).collect(),
            steps: Vec::new(),
            changes: Vec::new(),
            group,
            edges,
            slice,
            twist,
            flips,
            exchanges,
        };
        cosets.fill_steps();
        cosets
    }

    fn fill_steps(&mut self) {
        for class in 0..self.edges.classes() {
            let places = self.places(class) * EXCHANGES;
            for turn in 0..TURNS {
                let (to, by) = self
                    .edges
                    .split(self.edges.turn(&self.group, class << self.group.bits(), turn));
                let back = self.group.inverse(by);
                let mut change = [0; 16];
                for (exchange, after) in change[..EXCHANGES].iter_mut().enumerate() {
                    *after = (self.slice.moved(self.slice.turn(places + exchange, turn), back) % EXCHANGES) as u8;
                }
                let known = self.changes.iter().position(|&known| known == change);
                let number = known.unwrap_or(self.changes.len());
                if known.is_none() {
                    self.changes.push(change);
                }
                self.steps
                    .push(((to << STEP_BITS.1 | number) << STEP_BITS.0 | by) as u32);
            }
        }
    }

    /// How many entries a table has.
    pub fn entries(&self) -> usize {
        self.edges.classes() * EXCHANGES * TWISTS
    }

    /// Class and symmetry, from the flips of the first eleven places, a bit each, and the places of the slice midges.
    #[inline]
    pub fn reduced(&self, flips: usize, slice: usize) -> u32 {
        self.edges.of(slice / EXCHANGES * self.flips + flips % self.flips) as u32
    }

    /// From class and symmetry, the places of the slice midges, and the twists of the first seven corners.
    #[inline]
    pub fn at(&self, reduced: u32, slice: usize, twist: usize) -> At {
        let (class, by) = self.edges.split(reduced as usize);
        let back = self.group.inverse(by);
        At {
            class: class as u32,
            twist: self.twist.moved(twist, back) as u16,
            exchange: self.exchange[slice * SYMMETRIES + back],
            by: by as u8,
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
        let slice = self.slice_at([8, 9, 10, 11]);
        self.at(self.reduced(0, slice), slice, 0)
    }

    /// After a turn.
    #[inline]
    pub fn turned(&self, at: At, turn: usize) -> At {
        let seen = usize::from(self.seen[usize::from(at.by) % SYMMETRIES][turn]);
        let step = self.steps[at.class as usize * TURNS + seen];
        let (class, by) = (step >> (STEP_BITS.0 + STEP_BITS.1), step as usize % SYMMETRIES);
        let change = &self.changes[(step >> STEP_BITS.0) as usize % (1 << STEP_BITS.1)];
        let twist = self.twist.turn(usize::from(at.twist), seen);
        At {
            class,
            twist: self.twist.moved(twist, self.group.inverse(by)) as u16,
            exchange: change[usize::from(at.exchange) % 16],
            by: self.group.then(by, usize::from(at.by)) as u8,
        }
    }

    /// Reads what turns of a cube will need, so that it is in the cache.
    #[inline]
    pub fn touch(&self, at: At) -> u32 {
        let row = at.class as usize * TURNS;
        self.steps[row] ^ self.steps[row + TURNS - 1]
    }

    /// The entry of the table.
    #[inline]
    pub fn entry(&self, at: At) -> u32 {
        (at.class * EXCHANGES as u32 + u32::from(at.exchange)) * TWISTS as u32 + u32::from(at.twist)
    }

    /// The entry where exchanges are not told apart.
    #[inline]
    pub fn coarse(&self, at: At) -> u32 {
        at.class * TWISTS as u32 + u32::from(at.twist)
    }

    /// The parts of the coordinate as they are for the cube itself.
    #[cfg(test)]
    pub fn parts(&self, at: At) -> (usize, usize, usize) {
        let (class, by) = (at.class as usize, usize::from(at.by));
        let slice = self.places(class) * EXCHANGES + usize::from(at.exchange);
        (
            self.edges.value(class << self.group.bits() | by),
            self.slice.moved(slice, by),
            self.twist.moved(usize::from(at.twist), by),
        )
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

/// The number of every permutation of four, where two that differ by the exchange of opposite ones have the same.
fn exchanges() -> [u8; 24] {
    let least = |rank: usize| {
        let permutation = permutation_unrank::<4>(rank);
        rank.min(permutation_rank(&permutation.map(|piece| piece ^ 2)))
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
