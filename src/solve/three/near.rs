//! A filter: a table that tells which cubes are within seven turns of phase 1's goal, more exactly than pairs of coordinates do.
//!
//! It has a bit for every hash of a cube; one bit in six is set. Of all cubes, some hundred thousandths are within seven turns. The filter
//! takes every near cube for near, so no solution is lost, and one in six of the others.

use super::coordinates::{At1, FLIPS, Phase1, SLICES};
use crate::cube::Cubies;
use crate::progress::Progress;
use crate::tables::{Cost, Depths, Recipe, Spec, Table, Width};
use std::collections::HashSet;

/// A cube is near within so many turns of the goal.
pub(super) const NEAR: usize = 7;
/// The size of the filter. One in six of its bits is set.
const BYTES: usize = 1_400_000;

/// The table's recipe.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Near3;

impl Recipe for Near3 {
    fn spec(&self) -> Spec {
        Spec {
            name: "3x3x3-1-near",
            revision: 1,
            width: Width::Byte,
            compression: 1,
            entries: BYTES as u64,
        }
    }

    fn size(&self) -> usize {
        3
    }

    fn cost(&self) -> Cost {
        Cost {
            alone: 0.5,
            shared: 0.0,
        }
    }

    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        let one = Phase1::new(false);
        let mut bits = vec![0; BYTES];
        let mut seen = HashSet::new();
        let mut histogram = Vec::new();
        let mut layer = vec![one.of(&Cubies::SOLVED)];
        for distance in 0..=NEAR {
            if progress.stopped() {
                return None;
            }
            layer.retain(|&at| seen.insert(key(&one, at)));
            histogram.push(layer.len() as u64);
            let mut next = Vec::new();
            for &at in &layer {
                if progress.stopped() {
                    return None;
                }
                let (class, by) = one.twist.split(at.twist as usize);
                // Symmetries that leave the twists as they are give other keys of the same cube.
                for &same in one.twist.stable(class) {
                    let by = one.group.then(one.group.inverse(same as usize), by);
                    let twist = class << one.group.bits() | by;
                    let key = key(
                        &one,
                        At1 {
                            twist: twist as u16,
                            ..at
                        },
                    );
                    seen.insert(key);
                    let slot = slot(key);
                    bits[slot / 8] |= 1 << (slot % 8);
                }
                if distance < NEAR {
                    next.extend((0..one.group.turns().len()).map(|turn| one.turned(at, turn)));
                }
            }
            layer = next;
        }
        Some(Depths {
            depths: bits,
            histogram,
        })
    }
}

/// A number for a cube, moved by the symmetry that brings its twists to their representative.
#[inline]
fn key(one: &Phase1, at: At1) -> u32 {
    let (class, by) = one.twist.split(at.twist as usize);
    let back = one.group.inverse(by);
    let (flip, flip_by) = one.flip.split(at.flip as usize);
    let flip = one.flip.value(flip << one.group.bits() | one.group.then(flip_by, back));
    let slice = one.slice.moved(at.slice as usize, back);
    ((class * FLIPS + flip) * SLICES + slice) as u32
}

#[inline]
fn slot(key: u32) -> usize {
    let hash = u64::from(key.wrapping_mul(0x9e37_79b1));
    ((hash * 8 * BYTES as u64) >> 32) as usize
}

/// Whether a cube is within [`NEAR`] turns of the goal. Of cubes that are not, one in six is taken for near too.
#[inline]
pub(super) fn is_near(table: &Table, one: &Phase1, at: At1) -> bool {
    let slot = slot(key(one, at));
    table.payload()[slot / 8] >> (slot % 8) & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::random_turns;
    use crate::progress::Quiet;
    use crate::tables::Store;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn what_is_near_is_never_denied_and_little_else_is_taken_for_near() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path()).building(true);
        let table = store.open_or_build(&Near3, &Quiet).unwrap();
        let one = Phase1::new(false);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut near = |count: usize| {
            let turns = random_turns(3, count, &mut rng);
            let cube = turns.iter().fold(Cubies::SOLVED, |c, &t| c.then(&Cubies::of_turn(t)));
            is_near(&table, &one, one.of(&cube))
        };
        assert!((0..=NEAR).all(|count| (0..3000).all(|_| near(count))));
        let far = (0..20_000).filter(|_| near(40)).count();
        assert!(far < 20_000 / 5, "{far}");
    }
}
