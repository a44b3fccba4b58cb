//! The compass of phase 1: what tables of twists × slice and of flips × slice say of a state. That is its distance from the goal, and which
//! turns lead nearer and which farther.
//!
//! Tables of distances alone would be asked for each of 18 turns. An entry of the compass answers for all of them.

use super::coordinates::{At1, Phase1, SLICES};
use crate::search::{Group, Reduced};
use crate::tables::Table;

/// Bytes of an entry: four bits for each face, then the distance.
pub(super) const BYTES: usize = 4;
/// Bits of a face: one for each of its turns, by one, two and three quarters, and [`FARTHER`].
const FACE_BITS: usize = 4;
/// Set in a face's bits: its turns that are marked lead farther. Else they lead nearer. It never has both, as the turns of one face are
/// one turn apart.
const FARTHER: u32 = 8;
/// Where the distance begins.
const DISTANCE: usize = 6 * FACE_BITS;

/// A set of turns has the bits of an entry: these are all turns, and the first turn of each face.
pub(super) const ALL: u32 = 0x77_7777;
pub(super) const FIRST: u32 = 0x11_1111;
/// The turns that may be the last of phase 1: quarters of the sides that phase 2 turns only by half. What phase 2 may do is left to it.
pub(super) const LAST: u32 = 0x55_0550;

/// The turns of a face.
pub(super) const fn turns_of(face: usize) -> u32 {
    7 << (face * FACE_BITS)
}

/// The entry of a state, from the distances of all.
pub(super) fn entry_of(one: &Phase1, reduced: &Reduced, distances: &[u8], state: usize) -> u32 {
    let (class, slice) = (state / SLICES, state % SLICES);
    let here = distances[state];
    let mut entry = u32::from(here) << DISTANCE;
    for turn in 0..18 {
        let (class, by) = reduced.split(reduced.turn(&one.group, class << one.group.bits(), turn));
        let slice = one.slice.moved(one.slice.turn(slice, turn), one.group.inverse(by));
        let there = distances[class * SLICES + slice];
        let mark = 1 << (turn % 3) | if there > here { FARTHER } else { 0 };
        if there != here {
            entry |= mark << (turn / 3 * FACE_BITS);
        }
    }
    entry
}

/// The entry of a state in a payload.
#[inline]
pub(super) fn entry(payload: &[u8], state: usize) -> u32 {
    let bytes = &payload[state * BYTES..][..BYTES];
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// The distance that an entry has.
#[inline]
pub(super) fn distance(entry: u32) -> usize {
    (entry >> DISTANCE) as usize
}

/// Both tables, and how symmetries exchange faces.
pub(super) struct Compass {
    twists: Table,
    flips: Table,
    /// [symmetry]: where each face's bits are, and whether turns by one and three quarters are exchanged.
    seen: Vec<([u8; 6], bool)>,
}

/// What the compass says of the turns of a cube that must reach the goal in a given number of turns.
#[derive(Clone, Copy)]
pub(super) struct Bearings {
    /// For twists and flips: the entry as the cube is held.
    entries: [u32; 2],
    /// Turns that lead too far away.
    pub far: u32,
    /// Turns that lead so far away that no other turn of the face can be near enough.
    pub hopeless: u32,
}

impl Compass {
    pub fn new([twists, flips]: [Table; 2], group: &Group) -> Compass {
        let seen = |s: usize| {
            let turn = |face: usize| group.moved(face * 3, group.inverse(s));
            let bits = std::array::from_fn(|face| (turn(face) / 3 * FACE_BITS) as u8);
            (bits, turn(0) % 3 == 2)
        };
        Compass {
            twists,
            flips,
            seen: (0..group.order()).map(seen).collect(),
        }
    }

    /// Of a cube that must reach the goal in `turns` turns.
    #[inline]
    pub fn bearings(&self, one: &Phase1, at: At1, turns: usize) -> Bearings {
        let [twist, flip] = self.entries(one, at);
        let entries = [self.held(twist.0, twist.1), self.held(flip.0, flip.1)];
        let [(far, hopeless), (flip_far, flip_hopeless)] = entries.map(|entry| said(entry, turns));
        Bearings {
            entries,
            far: far | flip_far,
            hopeless: hopeless | (!far & flip_hopeless),
        }
    }

    /// The larger of both distances.
    #[inline]
    pub fn distance(&self, one: &Phase1, at: At1) -> usize {
        let [twist, flip] = self.entries(one, at);
        distance(twist.0).max(distance(flip.0))
    }

    /// For twists and flips the entry of the representative, and the symmetry that makes the cube of that.
    #[inline]
    fn entries(&self, one: &Phase1, at: At1) -> [(u32, usize); 2] {
        let of = |reduced: u16, coordinate: &Reduced, table: &Table| {
            let (class, by) = coordinate.split(usize::from(reduced));
            let slice = one.slice.moved(usize::from(at.slice), one.group.inverse(by));
            (entry(table.payload(), class * SLICES + slice), by)
        };
        [
            of(at.twist, &one.twist, &self.twists),
            of(at.flip, &one.flip, &self.flips),
        ]
    }

    /// A representative's entry, with its faces and turns as the cube has them.
    #[inline]
    fn held(&self, entry: u32, by: usize) -> u32 {
        let (from, mirrored) = &self.seen[by];
        let mut held = entry >> DISTANCE << DISTANCE;
        for (face, from) in from.iter().enumerate() {
            held |= (entry >> from & 15) << (face * FACE_BITS);
        }
        if *mirrored {
            held = held & !(FIRST | FIRST << 2) | (held & FIRST) << 2 | held >> 2 & FIRST;
        }
        held
    }
}

/// What an entry says of a cube that must reach the goal in `turns` turns: the turns that lead too far, and those that are hopeless.
#[inline]
fn said(entry: u32, turns: usize) -> (u32, u32) {
    let marked = entry & ALL;
    let farther = (entry >> 3 & FIRST) * 7;
    match turns.saturating_sub(distance(entry)) {
        0 => (!marked & ALL | farther, marked & farther),
        1 => (marked & farther, 0),
        _ => (0, 0),
    }
}

/// Of a set of turns, those that are left to try when each of the `hopeless` ends its face.
#[inline]
pub(super) fn tried(turns: u32, hopeless: u32) -> u32 {
    let hopeless = hopeless & turns;
    turns & !(hopeless << 1 & ALL | (hopeless & FIRST) << 2)
}

/// The first of a set of turns: its number among the 18, and its bit.
#[inline]
pub(super) fn first_of(turns: u32) -> Option<(usize, u32)> {
    let bit = turns & turns.wrapping_neg();
    let at = bit.trailing_zeros() as usize;
    (bit != 0).then(|| (at / FACE_BITS * 3 + at % FACE_BITS, bit))
}

impl Bearings {
    /// The larger of both distances after a turn.
    #[inline]
    pub fn after(&self, turn: usize) -> usize {
        let after = |entry: u32| {
            let bits = entry >> (turn / 3 * FACE_BITS);
            let marked = (bits >> (turn % 3) & 1) as usize;
            if bits & FARTHER == 0 {
                distance(entry).saturating_sub(marked)
            } else {
                distance(entry) + marked
            }
        };
        after(self.entries[0]).max(after(self.entries[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Cubies, random_turns};
    use crate::progress::Quiet;
    use crate::solve::three::Solver3;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use std::sync::LazyLock;

    static SOLVER: LazyLock<Solver3> = LazyLock::new(|| Solver3::open(&crate::testing::tables(3), &Quiet).unwrap());

    /// Twists' and flips' distance.
    fn distances(at: At1) -> [usize; 2] {
        SOLVER
            .compass
            .entries(&SOLVER.one, at)
            .map(|(entry, _)| distance(entry))
    }

    #[test]
    fn sets_of_turns_are_counted_face_by_face() {
        let all: Vec<(usize, u32)> = (0..18).map(|turn| (turn, 1 << (turn / 3 * 4 + turn % 3))).collect();
        assert_eq!(all.iter().fold(0, |set, (_, bit)| set | bit), ALL);
        assert!(
            all.iter()
                .all(|&(turn, bit)| first_of(bit | bit << 1 & ALL) == Some((turn, bit)))
        );
        assert_eq!(first_of(0), None);
        for &(turn, bit) in &all {
            let ended = all.iter().filter(|(other, _)| other / 3 == turn / 3 && *other > turn);
            assert_eq!(tried(ALL, bit), ended.fold(ALL, |set, (_, bit)| set & !bit));
            assert_eq!(tried(ALL & !bit, bit), ALL & !bit);
        }
    }

    proptest! {
        #[test]
        fn what_is_said_of_turns_is_what_they_do(seed: u64, count in 0usize..30, more in 0usize..4) {
            let mixed = random_turns(3, count, &mut ChaCha8Rng::seed_from_u64(seed));
            let cubies = mixed.iter().fold(Cubies::SOLVED, |c, &t| c.then(&Cubies::of_turn(t)));
            let at = SOLVER.one.of(&cubies);
            let here = distances(at);
            let turns = here[0].max(here[1]) + more;
            prop_assume!(turns > 0);
            let bearings = SOLVER.compass.bearings(&SOLVER.one, at, turns);
            for turn in 0..18 {
                let [twist, flip] = distances(SOLVER.one.turned(at, turn));
                let bit = 1 << (turn / 3 * 4 + turn % 3);
                prop_assert_eq!(bearings.after(turn), twist.max(flip));
                prop_assert_eq!(bearings.far & bit != 0, twist.max(flip) >= turns);
                // The first table that says too far decides.
                let said = if twist >= turns { twist } else { flip };
                prop_assert_eq!(bearings.hopeless & bit != 0, said > turns);
            }
        }
    }
}
