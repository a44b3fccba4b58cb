//! The coordinates of the two phases (after Kociemba).
//!
//! Phase 1 brings the cube into the group of the turns U, D, R2, L2, F2 and B2: no corner is twisted, no midge is flipped,
//! and the four slice midges are between U and D. Phase 2 puts all pieces in place by turns of that group.

use crate::cube::{CORNERS, Cubies, Face, MIDGES, Symmetry, Turn};
use crate::search::{Group, Plain, Reduced, permutation_rank, permutation_unrank, subset_rank, subset_unrank};
use crate::sure::surely;

/// Values of the twist coordinate: the last twist follows from the others.
pub(in crate::solve) const TWISTS: usize = 2187;
/// Values of the flip coordinate: the last flip follows from the others.
pub(in crate::solve) const FLIPS: usize = 2048;
/// Values of the slice coordinate: the four of twelve places where the slice midges are.
pub(in crate::solve) const SLICES: usize = 495;
/// The number of the first slice midge. These are the last four midges; they belong between U and D.
pub(in crate::solve) const SLICE: usize = 8;
/// The slice coordinate of the solved cube.
pub(super) const SLICE_HOME: usize = SLICES - 1;

/// Where a symmetry takes the places of corners and midges.
pub(in crate::solve) struct PlaceMap {
    pub corners: [u8; 8],
    pub midges: [u8; 12],
    pub mirrors: bool,
}

impl PlaceMap {
    pub fn of(s: Symmetry) -> PlaceMap {
        fn place<const K: usize>(named: &[[Face; K]], from: [Face; K], s: Symmetry) -> u8 {
            let to = from.map(|f| s.face(f));
            let is_there = |faces: &[Face; K]| to.iter().all(|f| faces.contains(f));
            surely(named.iter().position(is_there)) as u8
        }
        PlaceMap {
            corners: CORNERS.map(|faces| place(&CORNERS, faces, s)),
            midges: MIDGES.map(|faces| place(&MIDGES, faces, s)),
            mirrors: !s.is_rotation(),
        }
    }
}

/// The coordinates of phase 1.
pub(super) struct Phase1 {
    /// The 18 turns and the 8 symmetries that keep every axis. These move twists and flips, and a flip stays a flip.
    pub group: Group,
    /// Corner twists.
    pub twist: Reduced,
    /// Midge flips.
    pub flip: Reduced,
    /// Midge flips once more, not reduced by symmetry, for the pair with twists.
    pub flip_plain: Option<Plain>,
    /// Places of the slice midges.
    pub slice: Plain,
}

impl Phase1 {
    /// Fills all tables. If `building`, also those that are only needed to build pruning tables.
    pub fn new(building: bool) -> Phase1 {
        let turns: Vec<Turn> = Face::ALL
            .into_iter()
            .flat_map(|f| (1..=3).map(move |q| Turn::outer(f, 1, q)))
            .collect();
        let by: Vec<Cubies> = turns.iter().map(|&t| Cubies::of_turn(t)).collect();
        let group = Group::new(turns, |s| Face::ALL.iter().all(|&f| s.face(f).axis() == f.axis()));
        let maps: Vec<PlaceMap> = group.symmetries().iter().map(|&s| PlaceMap::of(s)).collect();

        let twist = Reduced::new(
            &group,
            TWISTS,
            twists_of,
            |twists, t| number_of_twists(|place| twists[by[t].corners[place] as usize] + by[t].twists[place]),
            |twists, s| {
                let mut moved = [0; 8];
                for (place, &twist) in twists.iter().enumerate() {
                    let to = maps[s].corners[place] as usize;
                    moved[to] = if maps[s].mirrors { (3 - twist) % 3 } else { twist };
                }
                number_of_twists(|place| moved[place])
            },
        );
        let turn_flip = |&flips: &usize, t: usize| {
            let one = |place: usize| (flips >> by[t].midges[place] & 1) ^ by[t].flips[place] as usize;
            (0..11).fold(0, |bits, place| bits | one(place) << place)
        };
        let move_flip = |&flips: &usize, s: usize| {
            (0..12).fold(0, |bits, place| bits | (flips >> place & 1) << maps[s].midges[place]) & (FLIPS - 1)
        };
        let flip = Reduced::new(&group, FLIPS, flips_of, turn_flip, move_flip);
        let flip_plain = building.then(|| Plain::new(&group, FLIPS, flips_of, turn_flip, move_flip));
        let slice = Plain::new(
            &group,
            SLICES,
            |value| subset_unrank(value, 4),
            |bits, t| subset_rank((0..12).fold(0, |b, place| b | (bits >> by[t].midges[place] & 1) << place)),
            |bits, s| subset_rank((0..12).fold(0, |b, place| b | (bits >> place & 1) << maps[s].midges[place])),
        );
        Phase1 {
            group,
            twist,
            flip,
            flip_plain,
            slice,
        }
    }

    /// The coordinates after a turn.
    #[inline]
    pub fn turned(&self, at: At1, turn: usize) -> At1 {
        At1 {
            twist: self.twist.turn(&self.group, at.twist as usize, turn) as u16,
            flip: self.flip.turn(&self.group, at.flip as usize, turn) as u16,
            slice: self.slice.turn(at.slice as usize, turn) as u16,
        }
    }

    /// Whether a cube is at the goal, without asking tables, in two parts: twists and slice; flips.
    pub fn is_home(&self, at: At1) -> [bool; 2] {
        let class = |reduced: u16| usize::from(reduced) >> self.group.bits();
        [
            class(at.twist) == 0 && usize::from(at.slice) == SLICE_HOME,
            class(at.flip) == 0,
        ]
    }

    /// The coordinates of a cube.
    pub fn of(&self, cubies: &Cubies) -> At1 {
        At1 {
            twist: self.twist.of(twist_of(cubies)) as u16,
            flip: self.flip.of(flip_of(cubies)) as u16,
            slice: slice_of(cubies) as u16,
        }
    }
}

/// A cube as phase 1 sees it: reduced twist, reduced flip, slice.
#[derive(Debug, Clone, Copy)]
pub(in crate::solve) struct At1 {
    pub twist: u16,
    pub flip: u16,
    pub slice: u16,
}

/// The twist coordinate of a cube.
pub(in crate::solve) fn twist_of(cubies: &Cubies) -> usize {
    number_of_twists(|place| cubies.twists[place])
}

/// The flip coordinate of a cube.
pub(in crate::solve) fn flip_of(cubies: &Cubies) -> usize {
    (0..11).fold(0, |bits, place| bits | (cubies.flips[place] as usize) << place)
}

/// The slice coordinate of a cube.
pub(in crate::solve) fn slice_of(cubies: &Cubies) -> usize {
    subset_rank((0..12).fold(0, |bits, place| {
        bits | u32::from(cubies.midges[place] as usize >= SLICE) << place
    }))
}

/// The twists of a value of the twist coordinate.
pub(in crate::solve) fn twists_of(mut value: usize) -> [u8; 8] {
    let mut twists = [0; 8];
    let mut sum = 0;
    for place in (0..7).rev() {
        twists[place] = (value % 3) as u8;
        sum += value % 3;
        value /= 3;
    }
    twists[7] = ((3 - sum % 3) % 3) as u8;
    twists
}

pub(in crate::solve) fn number_of_twists(twist: impl Fn(usize) -> u8) -> usize {
    (0..7).fold(0, |value, place| value * 3 + twist(place) as usize % 3)
}

/// The flips of a value of the flip coordinate, a bit for each place.
pub(in crate::solve) fn flips_of(value: usize) -> usize {
    value | (value.count_ones() as usize & 1) << 11
}

/// The coordinates of phase 2.
pub(super) struct Phase2 {
    /// The ten turns that keep phase 1's goal, and the 16 symmetries that keep the axis of U and D.
    pub group: Group,
    /// Permutation of the corners.
    pub corners: Reduced,
    /// Permutation of the eight midges of U and D.
    pub midges: Reduced,
    /// Permutation of the four slice midges.
    pub slice: Plain,
}

impl Phase2 {
    /// Fills all tables.
    pub fn new() -> Phase2 {
        let turns: Vec<Turn> = Face::ALL
            .into_iter()
            .flat_map(|f| (1..=3).map(move |q| Turn::outer(f, 1, q)))
            .filter(|t| t.face.axis() == Face::U.axis() || t.quarters == 2)
            .collect();
        let by: Vec<Cubies> = turns.iter().map(|&t| Cubies::of_turn(t)).collect();
        let group = Group::new(turns, |s| s.face(Face::U).axis() == Face::U.axis());
        let maps: Vec<PlaceMap> = group.symmetries().iter().map(|&s| PlaceMap::of(s)).collect();
        let corners = Reduced::new(
            &group,
            40_320,
            permutation_unrank::<8>,
            |p, t| permutation_rank(&turned(p, &by[t].corners)),
            |p, s| permutation_rank(&moved(p, &maps[s].corners)),
        );
        let midges = Reduced::new(
            &group,
            40_320,
            permutation_unrank::<8>,
            |p, t| permutation_rank(&turned(p, &by[t].midges)),
            |p, s| permutation_rank(&moved(p, &maps[s].midges)),
        );
        let last = |places: &[u8; 12]| -> [u8; 4] { std::array::from_fn(|i| places[SLICE + i] - SLICE as u8) };
        let slice = Plain::new(
            &group,
            24,
            permutation_unrank::<4>,
            |p, t| permutation_rank(&turned(p, &last(&by[t].midges))),
            |p, s| permutation_rank(&moved(p, &last(&maps[s].midges))),
        );
        Phase2 {
            group,
            corners,
            midges,
            slice,
        }
    }

    /// The corners after one of the ten turns.
    #[inline]
    pub fn turned_corners(&self, at: At2, turn: usize) -> u16 {
        self.corners.turn(&self.group, at.corners as usize, turn) as u16
    }

    /// The same for the midges that are not in the slice.
    #[inline]
    pub fn turned_midges(&self, at: At2, turn: usize) -> u16 {
        self.midges.turn(&self.group, at.midges as usize, turn) as u16
    }

    /// The same for the slice.
    #[inline]
    pub fn turned_slice(&self, at: At2, turn: usize) -> u16 {
        self.slice.turn(at.slice as usize, turn) as u16
    }

    /// Whether a cube is at the goal, without asking tables, in two parts: corners and slice; midges.
    pub fn is_home(&self, at: At2) -> [bool; 2] {
        let class = |reduced: u16| usize::from(reduced) >> self.group.bits();
        [class(at.corners) == 0 && at.slice == 0, class(at.midges) == 0]
    }

    /// The coordinates of a cube that phase 1 has brought to its goal.
    pub fn of(&self, corners: &[u8; 8], midges: &[u8; 12]) -> At2 {
        let slice: [u8; 4] = std::array::from_fn(|i| midges[SLICE + i] - SLICE as u8);
        At2 {
            corners: self.corners.of(permutation_rank(corners)) as u16,
            midges: self.midges.of(permutation_rank(&midges[..8])) as u16,
            slice: permutation_rank(&slice) as u16,
        }
    }
}

/// A cube as phase 2 sees it: reduced corners, reduced midges, slice.
#[derive(Debug, Clone, Copy)]
pub(super) struct At2 {
    pub corners: u16,
    pub midges: u16,
    pub slice: u16,
}

/// First the permutation, then the turn.
fn turned<const N: usize>(pieces: &[u8; N], turn: &[u8]) -> [u8; N] {
    std::array::from_fn(|place| pieces[turn[place] as usize])
}

/// The permutation of the cube after a symmetry: places and pieces go where the symmetry takes them.
fn moved<const N: usize>(pieces: &[u8; N], map: &[u8]) -> [u8; N] {
    let mut after = [0; N];
    for place in 0..N {
        after[map[place] as usize] = map[pieces[place] as usize];
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Pieces, State, random_turns};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn the_numbers_of_classes_are_the_known_ones() {
        let (one, two) = (Phase1::new(false), Phase2::new());
        assert_eq!((one.group.order(), two.group.order()), (8, 16));
        assert_eq!((one.twist.classes(), one.flip.classes()), (324, 336));
        assert_eq!((two.corners.classes(), two.midges.classes()), (2768, 2768));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]
        #[test]
        fn turning_coordinates_is_turning_the_cube(seed: u64) {
            let (one, two) = (Phase1::new(false), Phase2::new());
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut state = State::solved(3);
            let mut at = one.of(&Cubies::SOLVED);
            for turn in random_turns(3, 100, &mut rng) {
                let t = one.group.turns().iter().position(|&u| u == turn).unwrap();
                state.turn(turn);
                at = At1 {
                    twist: one.twist.turn(&one.group, at.twist as usize, t) as u16,
                    flip: one.flip.turn(&one.group, at.flip as usize, t) as u16,
                    slice: one.slice.turn(at.slice as usize, t) as u16,
                };
                let is = one.of(&Pieces::of(&state).unwrap().cubies);
                prop_assert_eq!(one.twist.value(at.twist as usize), one.twist.value(is.twist as usize));
                prop_assert_eq!(one.flip.value(at.flip as usize), one.flip.value(is.flip as usize));
                prop_assert_eq!(at.slice, is.slice);
            }
            let mut state = State::solved(3);
            let mut at = two.of(&Cubies::SOLVED.corners, &Cubies::SOLVED.midges);
            for t in random_turns(3, 100, &mut rng).iter().map(|turn| turn.face as usize + turn.quarters as usize) {
                state.turn(two.group.turns()[t]);
                at = At2 {
                    corners: two.corners.turn(&two.group, at.corners as usize, t) as u16,
                    midges: two.midges.turn(&two.group, at.midges as usize, t) as u16,
                    slice: two.slice.turn(at.slice as usize, t) as u16,
                };
                let cubies = Pieces::of(&state).unwrap().cubies;
                let is = two.of(&cubies.corners, &cubies.midges);
                prop_assert_eq!(two.corners.value(at.corners as usize), two.corners.value(is.corners as usize));
                prop_assert_eq!(two.midges.value(at.midges as usize), two.midges.value(is.midges as usize));
                prop_assert_eq!(at.slice, is.slice);
            }
        }
    }
}
