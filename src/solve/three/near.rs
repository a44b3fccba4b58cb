//! What the table of twists × flips says of a cube: how far both are from phase 1's goal, and whether the cube may be near it.
//!
//! Pairs of coordinates say little of cubes that are near. So an entry tells more than a distance: slices fall into twelve groups, and the bit
//! of a group is set if one of its slices makes a cube of these twists and flips that is within seven turns of the goal. No near cube is denied,
//! so no solution is lost; of the others about a quarter is taken for near. It is one look at memory for both, and halves the nodes of a search.
//!
//! An entry is one byte, a code for what is worth telling apart ([`CODES`]). Most twists and flips that are seven turns away are near with one
//! or two groups. Where they are near with more, groups are told in pairs: this takes few codes and denies nearly as much.

use super::coordinates::{At1, FLIPS, Phase1, SLICES};
use crate::cube::Cubies;
use crate::progress::Progress;
use crate::sure::surely;
use crate::tables::Depths;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

/// A cube is near within so many turns of the goal.
pub(super) const NEAR: usize = 7;
/// The greatest distance of twists and flips.
const FARTHEST: usize = 9;
const DISTANCE_BITS: u32 = 4;
const GROUPS: u32 = 12;
/// The bits of all groups.
const ALL_GROUPS: u16 = ((1 << GROUPS) - 1) << DISTANCE_BITS;
/// What each code says: four bits for the distance, then a bit for each group. The last codes stand for nothing.
static CODES: [u16; 256] = codes();
/// What is wrong with a table that would lose solutions.
const DENIED: &str = "it denies that a cube is near the goal";

/// What the table says of a cube's twists and flips.
#[derive(Clone, Copy)]
pub(super) struct Said {
    entry: u16,
    /// The symmetry that brings the twists to their representative.
    back: u8,
}

impl Said {
    /// The entry of a cube.
    #[inline]
    pub fn of(payload: &[u8], one: &Phase1, at: At1) -> Said {
        let (pair, back) = pair(one, at);
        Said {
            entry: entry(payload, pair),
            back: back as u8,
        }
    }

    /// How far twists and flips are from the goal.
    #[inline]
    pub fn distance(self) -> usize {
        distance(self.entry)
    }

    /// Whether the same cube may be within [`NEAR`] turns of the goal.
    #[inline]
    pub fn may_be_near(self, one: &Phase1, at: At1) -> bool {
        self.entry & mark(one.slice.moved(at.slice as usize, self.back as usize)) != 0
    }
}

/// A cube's twists and flips, moved by the symmetry that brings the twists to their representative; and this symmetry.
#[inline]
fn pair(one: &Phase1, at: At1) -> (usize, usize) {
    let (class, by) = one.twist.split(at.twist as usize);
    let (flip, flip_by) = one.flip.split(at.flip as usize);
    let back = one.group.inverse(by);
    let flip = one.flip.value(flip << one.group.bits() | one.group.then(flip_by, back));
    (class * FLIPS + flip, back)
}

#[inline]
fn entry(payload: &[u8], pair: usize) -> u16 {
    CODES[payload[pair] as usize]
}

#[inline]
const fn distance(entry: u16) -> usize {
    (entry & !ALL_GROUPS) as usize
}

/// The distances of all pairs in a payload.
pub(super) fn distances(payload: &[u8]) -> Vec<u8> {
    (0..payload.len())
        .map(|pair| distance(entry(payload, pair)) as u8)
        .collect()
}

/// What a code says instead of this distance and these groups: the same distance, and no group less.
const fn told(entry: u16) -> u16 {
    let (distance, groups) = (entry & !ALL_GROUPS, entry & ALL_GROUPS);
    let exact = match distance {
        // So few that no group has to be told apart.
        0..=5 => return distance | ALL_GROUPS,
        6 => 1,
        7 => 2,
        _ => return distance,
    };
    if groups.count_ones() <= exact {
        return entry;
    }
    let first_of_pairs = (groups | groups >> 1) & (0x5555 << DISTANCE_BITS);
    distance | first_of_pairs | first_of_pairs << 1
}

/// All that is told, for all distances that there are.
const fn codes() -> [u16; 256] {
    let mut codes = [0; 256];
    let mut count = 0;
    let mut entry: u16 = 0;
    while entry < u16::MAX {
        // Nothing that is this near has no group.
        let empty = entry & ALL_GROUPS == 0 && distance(entry) <= NEAR;
        if distance(entry) <= FARTHEST && !empty && told(entry) == entry {
            codes[count] = entry;
            count += 1;
        }
        entry += 1;
    }
    codes
}

/// The code for an entry.
fn code(entry: u16) -> u8 {
    surely(CODES.iter().position(|&said| said == told(entry))) as u8
}

/// The bit of a slice's group. Slices that are alike are in different groups.
#[inline]
fn mark(slice: usize) -> u16 {
    let scattered = (slice as u32).wrapping_mul(0x9e37_79b1) >> 16;
    1 << (DISTANCE_BITS + ((scattered * GROUPS) >> 16))
}

/// The payload, from the distances of all pairs.
pub(super) fn marked(one: &Phase1, distances: Depths, progress: &dyn Progress) -> Option<Depths> {
    let mut entries: Vec<u16> = distances.depths.into_iter().map(u16::from).collect();
    let mut seen = HashSet::new();
    let mut layer = vec![one.of(&Cubies::SOLVED)];
    for left in (0..=NEAR).rev() {
        let mut next = Vec::new();
        for at in layer {
            if progress.stopped() {
                return None;
            }
            if !seen.insert(key(one, at)) {
                continue;
            }
            let (class, by) = one.twist.split(at.twist as usize);
            // Symmetries that leave the twists as they are give other entries of the same cube.
            for &same in one.twist.stable(class) {
                let by = one.group.then(one.group.inverse(same as usize), by);
                let twist = class << one.group.bits() | by;
                let key = key(
                    one,
                    At1 {
                        twist: twist as u16,
                        ..at
                    },
                );
                seen.insert(key);
                entries[key as usize / SLICES] |= mark(key as usize % SLICES);
            }
            if left > 0 {
                next.extend((0..one.group.turns().len()).map(|turn| one.turned(at, turn)));
            }
        }
        layer = next;
    }
    Some(Depths {
        depths: entries.into_iter().map(code).collect(),
        histogram: distances.histogram,
    })
}

/// A number for a cube, moved by the symmetry that brings its twists to their representative.
fn key(one: &Phase1, at: At1) -> u32 {
    let (pair, back) = pair(one, at);
    (pair * SLICES + one.slice.moved(at.slice as usize, back)) as u32
}

/// Walks from the goal so many times, and checks that what is near is not denied.
pub(super) fn denies_what_is_near(
    one: &Phase1,
    payload: &[u8],
    walks: u64,
    progress: &dyn Progress,
) -> Option<&'static str> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let turns = one.group.turns().len();
    let mut walk = |_| {
        let mut at = one.of(&Cubies::SOLVED);
        (0..NEAR).any(|_| {
            at = one.turned(at, rng.random_range(0..turns));
            !Said::of(payload, one, at).may_be_near(one, at)
        })
    };
    (0..walks)
        .take_while(|_| !progress.stopped())
        .any(&mut walk)
        .then_some(DENIED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::random_turns;
    use crate::progress::Quiet;
    use crate::solve::three::Table3;
    use crate::tables::Recipe;

    #[test]
    fn what_is_near_is_never_denied_and_little_else_is_taken_for_near() {
        let table = crate::testing::tables(3)
            .open_or_build(&Table3::TwistFlip, &Quiet)
            .unwrap();
        let one = Phase1::new(false);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut near = |count: usize| {
            let turns = random_turns(3, count, &mut rng);
            let cube = turns.iter().fold(Cubies::SOLVED, |c, &t| c.then(&Cubies::of_turn(t)));
            let at = one.of(&cube);
            Said::of(table.payload(), &one, at).may_be_near(&one, at)
        };
        assert!((0..=NEAR).all(|count| (0..3000).all(|_| near(count))));
        let far = (0..20_000).filter(|_| near(40)).count();
        assert!(far < 20_000 / 3, "{far}");
    }

    #[test]
    fn the_codes_tell_every_distance_and_leave_no_group_out() {
        for entry in 0..u16::MAX {
            let near = (1..=NEAR).contains(&distance(entry)) && entry & ALL_GROUPS != 0;
            if near || (NEAR + 1..=FARTHEST).contains(&distance(entry)) {
                let told = CODES[code(entry) as usize];
                assert_eq!(distance(told), distance(entry));
                assert!(!near || told & entry == entry, "{entry:#x} {told:#x}");
            }
        }
        let known: std::collections::HashSet<u16> = CODES.into_iter().collect();
        assert_eq!(known.len(), 219);
    }

    #[test]
    fn a_table_that_denies_one_group_is_found_out() {
        let table = crate::testing::tables(3)
            .open_or_build(&Table3::TwistFlip, &Quiet)
            .unwrap();
        let mut payload = table.payload().to_vec();
        assert_eq!(Table3::TwistFlip.contradiction(&payload, 1000, &Quiet), None);
        // The first group for the last one, where few are told.
        let (first, last) = (1 << DISTANCE_BITS, 1 << (DISTANCE_BITS + GROUPS - 1));
        for was in &mut payload {
            let said = CODES[*was as usize];
            if distance(said) == NEAR && said & last != 0 && (said & ALL_GROUPS).count_ones() <= 2 {
                *was = code(said & !last | first);
            }
        }
        assert_eq!(Table3::TwistFlip.contradiction(&payload, 1000, &Quiet), Some(DENIED));
    }
}
