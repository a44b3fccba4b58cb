//! The pruning table: one of three values for every entry of the coordinate, five in a byte. Built breadth first, class by class.
//!
//! Behind it there is a *coarse* one, for cubes that are nearer: two bits for every entry where exchanges are not told apart.
//!
//! A class has 26,244 entries, and a turn takes all of them to one other class. So the work of a turn stays within two small pieces
//! of memory, which is what makes 1.7 thousand million entries a matter of a minute.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use super::cosets::{At, Cosets, EXCHANGES, TWISTS};
use crate::progress::Progress;
use crate::tables::{Cost, Depths, FALSE_GOAL, FAR_GOAL, NO_WAY, Recipe, Spec, Width};

/// The greatest value. A value says that an entry is near, one turn farther than that, or at least two.
pub(super) const GREATEST: usize = 2;
/// The greatest value of the coarse table: as far as what is just near. The others are a turn nearer each; 0 is all that is nearer still.
pub(super) const COARSE: usize = 3;
/// Values in a byte: 3^5 is less than 256.
pub(super) const TOGETHER: usize = 5;
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
    /// Entries of at most so many turns are near.
    pub fn near(self) -> usize {
        match self {
            Optimal3::Whole => 9,
            #[cfg(test)]
            Optimal3::Small => 5,
        }
    }

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
            revision: 2,
            width: Width::Byte,
            compression: 1,
            entries: (classes * BLOCK as u64).div_ceil(TOGETHER as u64) + (classes * TWISTS as u64).div_ceil(4),
        }
    }

    fn size(&self) -> usize {
        3
    }

    fn choice(&self) -> String {
        "--proofs".to_string()
    }

    fn cost(&self) -> Cost {
        Cost {
            alone: 2.0,
            shared: 80.0,
        }
    }

    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        Build::new(&Cosets::new(self.flips())).depths(self.near(), progress)
    }

    fn contradiction(&self, payload: &[u8], samples: u64, progress: &dyn Progress) -> Option<&'static str> {
        let cosets = Cosets::new(self.flips());
        let behind = &payload[cosets.entries().div_ceil(TOGETHER)..];
        let fine = |at| value(payload, cosets.entry(at));
        let coarse = |at| coarse(behind, cosets.coarse(at));
        if fine(cosets.home()) != 0 || coarse(cosets.home()) != 0 {
            return Some(FAR_GOAL);
        }
        // Walks from the goal.
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
            let beside: [At; 18] = std::array::from_fn(|turn| cosets.turned(at, turn));
            let wrong = denied((fine(at), beside.map(fine)), (self.near(), GREATEST), turned)
                .or_else(|| denied((coarse(at), beside.map(coarse)), (self.near() - COARSE, COARSE), turned));
            if wrong.is_some() {
                return wrong;
            }
        }
        None
    }
}

/// Whether an entry that is so many turns from the goal or less cannot have its value: in so many turns none is farther, and next to each
/// far one there is a nearer one. A value says how much farther it is than what is `near`, up to the greatest.
fn denied((here, beside): (u8, [u8; 18]), (near, greatest): (usize, usize), turned: usize) -> Option<&'static str> {
    let (nearest, farthest) = beside
        .iter()
        .fold((u8::MAX, 0), |(low, high), &v| (v.min(low), v.max(high)));
    if usize::from(here) + near > turned.max(near) {
        return Some(FALSE_GOAL);
    }
    let is_exact = here > 0 && usize::from(here) < greatest;
    (farthest > here + 1 || (is_exact && nearest + 1 != here)).then_some(NO_WAY)
}

/// The value of an entry.
#[inline]
pub(super) fn value(payload: &[u8], entry: u32) -> u8 {
    /// [byte · 5 + i]: the value that is i-th in the byte.
    const VALUES: [u8; 256 * TOGETHER] = {
        let (mut all, mut i) = ([0; 256 * TOGETHER], 0);
        while i < all.len() {
            all[i] = (i / TOGETHER / 3usize.pow((i % TOGETHER) as u32) % 3) as u8;
            i += 1;
        }
        all
    };
    let byte = payload[(entry / TOGETHER as u32) as usize];
    VALUES[usize::from(byte) * TOGETHER + (entry % TOGETHER as u32) as usize]
}

/// The value of an entry of the coarse table.
#[inline]
pub(super) fn coarse(payload: &[u8], entry: u32) -> u8 {
    payload[(entry >> 2) as usize] >> ((entry & 3) * 2) & 3
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
    fn depths(self, near: usize, progress: &dyn Progress) -> Option<Depths> {
        let home: At = self.cosets.home();
        self.depths[self.cosets.entry(home) as usize].store(0, Relaxed);
        let mut histogram = vec![1];
        let classes = self.cosets.edges.classes();
        let starts: Vec<usize> = (0..classes).step_by(CLASSES).collect();
        let done = AtomicUsize::new(0);
        for depth in 0..=near {
            let found: u64 = starts
                .par_iter()
                .map(|&from| {
                    if progress.stopped() {
                        return 0;
                    }
                    let found = self.spread(from..classes.min(from + CLASSES), depth as u8);
                    // Nearly all of the work is that of the last depth.
                    if depth == near {
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
        let value = |depth: &AtomicU8| usize::from(depth.load(Relaxed)).clamp(near, near + GREATEST) - near;
        let pack = |some: &[AtomicU8]| some.iter().rfold(0, |byte, depth| byte * 3 + value(depth) as u8);
        let mut depths: Vec<u8> = self.depths.par_chunks(TOGETHER).map(pack).collect();
        // The nearest of the entries that differ in their exchanges.
        let nearest = |entry: usize| {
            let same = self.depths[entry / TWISTS * BLOCK + entry % TWISTS..].iter();
            let depths = same.step_by(TWISTS).take(EXCHANGES).map(|depth| depth.load(Relaxed));
            usize::from(depths.fold(u8::MAX, u8::min)).clamp(near - COARSE, near) + COARSE - near
        };
        let coarse = (0..(classes * TWISTS).div_ceil(4)).into_par_iter().map(|byte| {
            let some = 4 * byte..classes.saturating_mul(TWISTS).min(4 * byte + 4);
            some.rev().fold(0, |byte, entry| byte << 2 | nearest(entry) as u8)
        });
        depths.par_extend(coarse);
        Some(Depths { depths, histogram })
    }
}
