//! The pruning table: two bits for every entry of the coordinate. Built breadth first, class by class.
//!
//! A class has 13,122 entries, and a turn takes all of them to one other class. So the work of a turn stays within two small pieces
//! of memory, which is what makes 850 million entries a matter of a minute.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use super::cosets::{At, Cosets, EXCHANGES, TWISTS};
use crate::progress::Progress;
use crate::tables::{Cost, Depths, FALSE_GOAL, FAR_GOAL, NO_WAY, Recipe, Spec, Width};

/// What the two bits say: at most [`NEAR`] turns, 9, 10, or 11 and more.
pub(super) const NEAR: usize = 8;
/// The greatest bound that two bits can say.
pub(super) const FAR: usize = NEAR + 3;
/// Entries of a class.
const BLOCK: usize = EXCHANGES * TWISTS;
/// Classes that one task handles.
const CLASSES: usize = 16;

/// The table's recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Optimal3 {
    /// The one that proofs need.
    Whole,
    /// One that leaves flips out: small, and good for few turns only.
    #[cfg(test)]
    Small,
}

impl Optimal3 {
    /// Whether flips are told apart.
    pub fn flips(self) -> bool {
        self == Optimal3::Whole
    }
}

impl Recipe for Optimal3 {
    fn spec(&self) -> Spec {
        let (name, classes) = match self {
            Optimal3::Whole => ("3x3x3-optimal", 64_430),
            #[cfg(test)]
            Optimal3::Small => ("3x3x3-optimal-small", 45),
        };
        Spec {
            name,
            revision: 1,
            width: Width::Byte,
            compression: 1,
            entries: (classes * BLOCK as u64).div_ceil(4),
        }
    }

    fn size(&self) -> usize {
        3
    }

    fn cost(&self) -> Cost {
        Cost {
            alone: 2.0,
            shared: 40.0,
        }
    }

    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        Build::new(&Cosets::new(self.flips())).depths(progress)
    }

    fn contradiction(&self, payload: &[u8], samples: u64, progress: &dyn Progress) -> Option<&'static str> {
        let cosets = Cosets::new(self.flips());
        let home = cosets.entry(cosets.home());
        if value(payload, home) != 0 {
            return Some(FAR_GOAL);
        }
        // Walks from the goal: in so many turns no entry is farther, and next to each far one there is a nearer one.
        let mut at = cosets.home();
        let mut turned = 0;
        for step in 0..samples {
            if progress.stopped() {
                return None;
            }
            if step % 64 == 0 {
                (at, turned) = (cosets.home(), 0);
            }
            let turn = (step.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % 18;
            at = cosets.turned(at, turn);
            turned += 1;
            let here = value(payload, cosets.entry(at));
            let beside = (0..18).map(|t| value(payload, cosets.entry(cosets.turned(at, t))));
            let (nearest, farthest) = beside.fold((3, 0), |(low, high), v| (v.min(low), v.max(high)));
            if usize::from(here) + NEAR > turned.max(NEAR) {
                return Some(FALSE_GOAL);
            }
            if farthest > here + 1 || (matches!(here, 1 | 2) && nearest + 1 != here) {
                return Some(NO_WAY);
            }
        }
        None
    }
}

/// The two bits of an entry.
#[inline]
pub(super) fn value(payload: &[u8], entry: usize) -> u8 {
    payload[entry >> 2] >> ((entry & 3) * 2) & 3
}

/// A table being built.
struct Build<'a> {
    cosets: &'a Cosets,
    /// [turn · 16 + s]: for every twist, the twist after the turn as it is seen before symmetry s.
    twists: Vec<Vec<u16>>,
    depths: Vec<AtomicU8>,
}

/// Where a turn takes the entries of a class: exchange by exchange the first entry of another one's, and the twists.
type Way<'a> = ([usize; EXCHANGES], &'a [u16]);

impl<'a> Build<'a> {
    fn new(cosets: &'a Cosets) -> Build<'a> {
        let symmetries = cosets.group.order();
        let map = |i: usize| -> Vec<u16> {
            let back = cosets.group.inverse(i % symmetries);
            let after = |twist| cosets.twist.moved(cosets.twist.turn(twist, i / symmetries), back) as u16;
            (0..TWISTS).map(after).collect()
        };
        Build {
            cosets,
            twists: (0..18 * symmetries).map(map).collect(),
            depths: (0..cosets.entries())
                .map(|_| AtomicU8::new(Depths::UNREACHED))
                .collect(),
        }
    }

    /// Calls for all ways out of a class: for each turn, and each symmetry that leaves the class where it leads as it is.
    fn ways(&self, class: usize, mut see: impl FnMut(Way)) {
        let Cosets {
            group, edges, slice, ..
        } = self.cosets;
        let places = self.cosets.places(class) * EXCHANGES;
        for turn in 0..18 {
            let (to, by) = edges.split(edges.turn(group, class << group.bits(), turn));
            for &same in edges.stable(to) {
                // Seen before `by`, and then moved by a symmetry that changes nothing.
                let seen = group.then(group.inverse(by), usize::from(same));
                let row = |exchange: usize| {
                    let after = slice.moved(slice.turn(places + exchange, turn), seen) % EXCHANGES;
                    to * BLOCK + after * TWISTS
                };
                let twists = &self.twists[turn * group.order() + group.inverse(seen)];
                see((std::array::from_fn(row), twists));
            }
        }
    }

    /// Finds what is one turn farther than `depth` from the entries of some classes; gives how many these are.
    fn spread(&self, classes: std::ops::Range<usize>, depth: u8) -> u64 {
        let mut found = 0;
        let mut here: [Vec<u16>; EXCHANGES] = Default::default();
        for class in classes {
            let block = &self.depths[class * BLOCK..(class + 1) * BLOCK];
            for (here, row) in here.iter_mut().zip(block.chunks(TWISTS)) {
                here.clear();
                let is_here = row.iter().enumerate().filter(|(_, is)| is.load(Relaxed) == depth);
                here.extend(is_here.map(|(twist, _)| twist as u16));
            }
            if here.iter().all(Vec::is_empty) {
                continue;
            }
            self.ways(class, |(rows, twists)| {
                for (here, row) in here.iter().zip(rows) {
                    let row = &self.depths[row..row + TWISTS];
                    for &twist in here {
                        let next = &row[usize::from(twists[usize::from(twist)])];
                        // Two tasks may find the same entry: only the one that changes it counts it.
                        if next.load(Relaxed) == Depths::UNREACHED && next.swap(depth + 1, Relaxed) == Depths::UNREACHED
                        {
                            found += 1;
                        }
                    }
                }
            });
        }
        found
    }

    /// All distances up to the greatest that is told apart, packed. The last number of the histogram counts all that is farther.
    fn depths(self, progress: &dyn Progress) -> Option<Depths> {
        let home: At = self.cosets.home();
        self.depths[self.cosets.entry(home)].store(0, Relaxed);
        let mut histogram = vec![1];
        let classes = self.cosets.edges.classes();
        let starts: Vec<usize> = (0..classes).step_by(CLASSES).collect();
        let done = AtomicUsize::new(0);
        for depth in 0..FAR as u8 - 1 {
            let found: u64 = starts
                .par_iter()
                .map(|&from| {
                    if progress.stopped() {
                        return 0;
                    }
                    let found = self.spread(from..classes.min(from + CLASSES), depth);
                    // Nearly all of the work is that of the last depth.
                    if usize::from(depth) == FAR - 2 {
                        progress.update(done.fetch_add(1, Relaxed) as u64, starts.len() as u64);
                    }
                    found
                })
                .sum();
            histogram.push(found);
        }
        if progress.stopped() {
            return None;
        }
        histogram.push(self.depths.len() as u64 - histogram.iter().sum::<u64>());
        let two_bits = |depth: &AtomicU8| usize::from(depth.load(Relaxed)).clamp(NEAR, FAR) - NEAR;
        let pack = |four: &[AtomicU8]| {
            let bits = four.iter().enumerate();
            bits.fold(0, |byte, (i, depth)| byte | (two_bits(depth) as u8) << (2 * i))
        };
        Some(Depths {
            depths: self.depths.par_chunks(4).map(pack).collect(),
            histogram,
        })
    }
}
