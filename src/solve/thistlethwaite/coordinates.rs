//! What each phase looks at: two coordinates, which its turns and the goal need and nothing else.

use crate::cube::{Cubies, Symmetry, Turn, all_turns, is_odd};
use crate::search::{Group, Plain, closure, permutation_rank, permutation_unrank, subset_rank, subset_unrank};
use crate::solve::three::{FLIPS, SLICE, SLICES, TWISTS, flip_of, flips_of, slice_of, twist_of, twists_of};
use crate::sure::surely;
use crate::tables::Space;

/// Permutations of the corners.
const CORNERS: usize = 40_320;
/// Permutations of four pieces.
const FOUR: usize = 24;
/// The midges that half turns exchange among themselves. Each number is also that of a place.
const ORBITS: [[u8; 4]; 3] = [[0, 2, 4, 6], [1, 3, 5, 7], [8, 9, 10, 11]];

/// The number of a part of a cube.
type Number = Box<dyn Fn(&Cubies) -> usize + Send + Sync>;

/// A number for a part of a cube, and what turns make of it.
struct Coordinate {
    plain: Plain,
    number: Number,
}

/// A cube as a phase sees it: the values of its two coordinates.
pub(super) type At = [u16; 2];

/// What a phase looks at, and its turns. The goal is what it sees of the solved cube.
pub(super) struct Looks {
    /// The turns.
    pub turns: Vec<Turn>,
    /// What each does to a cube.
    pub by: Vec<Cubies>,
    coordinates: [Coordinate; 2],
}

/// Makes coordinates for some turns.
struct Maker {
    group: Group,
    by: Vec<Cubies>,
}

impl Maker {
    /// For the turns of the 3x3x3 that `keep` is true for.
    fn new(keep: impl Fn(&Turn) -> bool) -> Maker {
        let turns: Vec<Turn> = all_turns(3).into_iter().filter(keep).collect();
        Maker {
            by: turns.iter().map(|&turn| Cubies::of_turn(turn)).collect(),
            // The tables are small enough without symmetries.
            group: Group::new(turns, |s| s == Symmetry::IDENTITY),
        }
    }

    /// A coordinate with so many values: `decode` makes a cube of a value, and `number` undoes that.
    fn coordinate(&self, values: usize, decode: &dyn Fn(usize) -> Cubies, number: Number) -> Coordinate {
        let plain = Plain::new(
            &self.group,
            values,
            |value| (value, decode(value)),
            |(_, cubies), turn| number(&cubies.then(&self.by[turn])),
            |&(value, _), _| value,
        );
        Coordinate { plain, number }
    }

    fn looks(self, coordinates: [Coordinate; 2]) -> Looks {
        Looks {
            turns: self.group.turns().to_vec(),
            by: self.by,
            coordinates,
        }
    }
}

impl Looks {
    /// Phase 1, by all turns: the flips of the midges. There is nothing else to look at.
    pub fn flips() -> Looks {
        let make = Maker::new(|_| true);
        let flips = make.coordinate(FLIPS, &with_flips, Box::new(flip_of));
        let nothing = make.coordinate(1, &|_| Cubies::SOLVED, Box::new(|_| 0));
        make.looks([flips, nothing])
    }

    /// Phase 2, by turns that flip nothing: the twists of the corners, and where the slice's midges are.
    pub fn twists() -> Looks {
        let make = Maker::new(|turn| turn.quarters == 2 || turn.face.axis() != 2);
        let twist = |value| Cubies {
            twists: twists_of(value),
            ..Cubies::SOLVED
        };
        let twists = make.coordinate(TWISTS, &twist, Box::new(twist_of));
        let slice = make.coordinate(SLICES, &with_slice, Box::new(slice_of));
        make.looks([twists, slice])
    }

    /// Phase 3, by turns that twist nothing: which permutation the corners have, where those that half turns can make of each other
    /// count as one; and where the midges of one orbit are.
    pub fn orbits() -> Looks {
        let make = Maker::new(|turn| turn.quarters == 2 || turn.face.axis() == 1);
        let all = by_half_turns();
        let mut class_of = vec![u16::MAX; CORNERS];
        let mut firsts: Vec<[u8; 8]> = Vec::new();
        for rank in 0..CORNERS {
            if class_of[rank] != u16::MAX {
                continue;
            }
            // Half turns before all others do nothing but exchange names of pieces that are as good as each other.
            let first = permutation_unrank::<8>(rank);
            for names in &all {
                class_of[permutation_rank(&first.map(|piece| names[piece as usize]))] = firsts.len() as u16;
            }
            firsts.push(first);
        }
        let decode = |value: usize| Cubies {
            corners: firsts[value],
            ..Cubies::SOLVED
        };
        let number = move |cubies: &Cubies| usize::from(class_of[permutation_rank(&cubies.corners)]);
        let corners = make.coordinate(firsts.len(), &decode, Box::new(number));
        let midges = make.coordinate(70, &with_orbit, Box::new(orbit_of));
        make.looks([corners, midges])
    }

    /// Phase 4, by half turns: every piece.
    pub fn pieces() -> Looks {
        let make = Maker::new(|turn| turn.quarters == 2);
        let mut ranks: Vec<u16> = by_half_turns().iter().map(|p| permutation_rank(p) as u16).collect();
        ranks.sort_unstable();
        let known = ranks.clone();
        let decode = |value: usize| Cubies {
            corners: permutation_unrank::<8>(usize::from(known[value])),
            ..Cubies::SOLVED
        };
        let number =
            move |cubies: &Cubies| surely(ranks.binary_search(&(permutation_rank(&cubies.corners) as u16)).ok());
        let corners = make.coordinate(known.len(), &decode, Box::new(number));
        let midges = make.coordinate(FOUR * FOUR * FOUR / 2, &with_midges, Box::new(midges_of));
        make.looks([corners, midges])
    }

    /// What the phase sees of a cube that has done the phases before.
    pub fn at(&self, cubies: &Cubies) -> At {
        [0, 1].map(|i| (self.coordinates[i].number)(cubies) as u16)
    }

    /// What it sees after a turn.
    #[inline]
    pub fn turned(&self, at: At, turn: usize) -> At {
        [0, 1].map(|i| self.coordinates[i].plain.turn(usize::from(at[i]), turn) as u16)
    }

    /// The number of what it sees among all that it can see.
    #[inline]
    pub fn entry(&self, at: At) -> usize {
        usize::from(at[0]) * self.coordinates[1].plain.values() + usize::from(at[1])
    }
}

impl Space for Looks {
    fn entries(&self) -> usize {
        self.coordinates.iter().map(|one| one.plain.values()).product()
    }

    fn goals(&self) -> Vec<usize> {
        vec![self.entry(self.at(&Cubies::SOLVED))]
    }

    fn neighbours(&self, entry: usize, mut see: impl FnMut(usize)) {
        let values = self.coordinates[1].plain.values();
        let at = [entry / values, entry % values].map(|value| value as u16);
        (0..self.turns.len()).for_each(|turn| see(self.entry(self.turned(at, turn))));
    }
}

/// The corners after half turns, in all ways.
fn by_half_turns() -> Vec<[u8; 8]> {
    let turns = all_turns(3).into_iter().filter(|turn| turn.quarters == 2);
    let by: Vec<[u8; 8]> = turns.map(|turn| Cubies::of_turn(turn).corners).collect();
    closure(Cubies::SOLVED.corners, |corners: [u8; 8]| {
        let turned = by.iter().map(|turn| turn.map(|place| corners[place as usize]));
        turned.collect::<Vec<_>>()
    })
}

fn with_flips(value: usize) -> Cubies {
    let flips = flips_of(value);
    Cubies {
        flips: std::array::from_fn(|place| (flips >> place & 1) as u8),
        ..Cubies::SOLVED
    }
}

/// The midges of `places` come from `inside`, those of the others from `outside`, each in order.
fn placed(places: u32, mut inside: impl Iterator<Item = u8>, mut outside: impl Iterator<Item = u8>) -> Cubies {
    let mut cubies = Cubies::SOLVED;
    for (place, midge) in cubies.midges.iter_mut().enumerate() {
        let next = if places >> place & 1 == 1 {
            inside.next()
        } else {
            outside.next()
        };
        *midge = next.unwrap_or(*midge);
    }
    cubies
}

fn with_slice(value: usize) -> Cubies {
    placed(subset_unrank(value, 4), SLICE as u8..12, 0..SLICE as u8)
}

/// The midges outside the slice: the second orbit's are in so many places.
fn with_orbit(value: usize) -> Cubies {
    placed(
        subset_unrank(value, 4),
        ORBITS[1].into_iter(),
        ORBITS[0].into_iter().chain(ORBITS[2]),
    )
}

fn orbit_of(cubies: &Cubies) -> usize {
    let is_in = |place: usize| u32::from(ORBITS[1].contains(&cubies.midges[place]));
    subset_rank((0..SLICE).fold(0, |places, place| places | is_in(place) << place))
}

/// All midges. The sign of the last orbit's permutation follows from the others, so one number is enough for two of its
/// permutations: in the order of numbers, each second one is odd where the one before it is even, and the other way round.
fn with_midges(value: usize) -> Cubies {
    let mut cubies = Cubies::SOLVED;
    let mut place = |orbit: [u8; 4], number: usize| {
        for (place, which) in orbit.into_iter().zip(permutation_unrank::<4>(number)) {
            cubies.midges[usize::from(place)] = orbit[usize::from(which)];
        }
        is_odd(&cubies.midges)
    };
    place(ORBITS[0], value / (FOUR / 2) / FOUR);
    place(ORBITS[1], value / (FOUR / 2) % FOUR);
    let last = value % (FOUR / 2) * 2;
    if place(ORBITS[2], last) {
        place(ORBITS[2], last + 1);
    }
    cubies
}

fn midges_of(cubies: &Cubies) -> usize {
    let number = |orbit: [u8; 4]| {
        let pieces = orbit.map(|place| cubies.midges[usize::from(place)]);
        permutation_rank(&pieces.map(|piece| orbit.iter().filter(|&&other| other < piece).count() as u8))
    };
    let [first, second, last] = ORBITS.map(number);
    (first * FOUR + second) * (FOUR / 2) + last / 2
}
