//! A compact table of all nodes near a goal.

use std::collections::HashSet;

use crate::progress::Progress;
use crate::tables::{Depths, FAR_GOAL, Task};

/// The distances of all nodes near a goal: a hash table with 16 bits for each node. It keeps fingerprints instead of the
/// nodes, so that one in some thousands of other nodes is taken for one in the table. A node that is not found is farther
/// than all that are in it.
///
/// As bytes: slots of 16 bits, little endian. 0 is an empty slot; otherwise the upper 12 bits are the fingerprint and the
/// lower four the distance plus 1. The low bits of a hash are the slot where the search begins, bits 32 to 43 are the
/// fingerprint.
#[derive(Debug)]
pub struct NearTable<'a>(&'a [u8]);

/// Shows images of a node.
pub type Images<'a, N> = dyn Fn(&N, &mut dyn FnMut(&N)) + 'a;

/// The space in which the nodes near a goal are found.
pub struct Around<'a, N> {
    /// Everything at distance 0.
    pub goals: Vec<N>,
    /// The number of turns.
    pub turns: usize,
    /// A node after a turn.
    pub child: &'a dyn Fn(&N, usize) -> N,
    /// Shows a node and all nodes that are as near by symmetry, so that the hashes of all of them are known.
    pub images: &'a Images<'a, N>,
    /// The hash of a node. Different nodes have different hashes, unless they are equal up to symmetry.
    pub hash: &'a dyn Fn(&N) -> u64,
}

impl<N: Copy> Around<'_, N> {
    /// Does a task, to build or check, for the table of all nodes within `depth` turns.
    pub fn explore(&self, depth: u8, slots: usize, task: &mut Task) {
        task.other(
            |progress| self.search(depth, slots, progress),
            |payload, samples, progress| self.contradiction(depth, payload, samples, progress),
        );
    }

    /// Checks a table by `samples` walks from goals to near nodes. Gives the contradiction that it finds.
    fn contradiction(&self, depth: u8, payload: &[u8], samples: u64, progress: &dyn Progress) -> Option<&'static str> {
        let near = NearTable::new(payload);
        let distance = |node: &N| near.distance((self.hash)(node));
        if self.goals.iter().any(|goal| distance(goal) != Some(0)) {
            return Some(FAR_GOAL);
        }
        let mut random = 1u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (random >> 33) as usize % below
        };
        let mut wrong = 0;
        for sample in 0..samples {
            if sample % 64 == 0 && progress.stopped() {
                return None;
            }
            let mut node = self.goals[next(self.goals.len())];
            let steps = next(usize::from(depth) + 1);
            (0..steps).for_each(|_| node = (self.child)(&node, next(self.turns)));
            wrong += u64::from(distance(&node).is_none_or(|found| usize::from(found) > steps));
        }
        // A few may be wrong: one node in some thousands is taken for another.
        (wrong > samples / 20).then_some("it does not know what is near the goal")
    }

    /// The bytes of a table of all nodes within `depth` turns. The number of `slots` is a power of two and well above the
    /// number of nodes. The histogram counts nodes up to symmetry. `None` if it was stopped, or if there are too many nodes.
    pub fn search(&self, depth: u8, slots: usize, progress: &dyn Progress) -> Option<Depths> {
        let mut seen = HashSet::new();
        let mut near: Vec<(u64, u8)> = Vec::new();
        let mut layer: Vec<N> = Vec::new();
        let mut histogram = Vec::new();
        for distance in 0..=depth {
            if progress.stopped() {
                return None;
            }
            let mut next = Vec::new();
            let mut see = |node: N| {
                if !seen.contains(&(self.hash)(&node)) {
                    next.push(node);
                    (self.images)(&node, &mut |image| {
                        let hash = (self.hash)(image);
                        if seen.insert(hash) {
                            near.push((hash, distance));
                        }
                    });
                }
            };
            if distance == 0 {
                self.goals.iter().for_each(|&goal| see(goal));
            }
            for node in &layer {
                if progress.stopped() {
                    return None;
                }
                (0..self.turns).for_each(|turn| see((self.child)(node, turn)));
            }
            histogram.push(next.len() as u64);
            layer = next;
        }
        // In a full table, a search for a node that is not there would not end.
        (near.len() < slots / 8 * 7).then(|| Depths {
            depths: NearTable::build(slots, near),
            histogram,
        })
    }
}

/// Mixes two numbers that identify a node into one whose bits are as good as random.
#[inline]
pub fn mixed(a: u64, b: u64) -> u64 {
    let once = (a ^ b.rotate_left(23).wrapping_mul(0xff51_afd7_ed55_8ccd)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (once ^ once >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(32)
}

/// No table has so many slots in a row without a free one; some hundred occur.
const LONGEST_RUN: usize = 4096;

/// Where the fingerprint is in a hash.
const FINGERPRINT: u32 = 32;

impl<'a> NearTable<'a> {
    /// Reads all bytes of a table of the nodes within `depth` turns. Gives a flaw if it has one: a distance above `depth`, or too
    /// few free slots for a search to end.
    pub fn flaw(bytes: &[u8], depth: u8) -> Option<&'static str> {
        let (mut run, mut first, mut used) = (0, None, 0);
        for slot in bytes.chunks_exact(2) {
            let entry = u16::from_le_bytes([slot[0], slot[1]]);
            if entry == 0 {
                first.get_or_insert(run);
                run = 0;
                continue;
            }
            (run, used) = (run + 1, used + 1);
            if !(1..=u16::from(depth) + 1).contains(&(entry & 15)) {
                return Some("it has a distance that cannot be");
            }
            if run > LONGEST_RUN {
                return Some("it has hardly a free slot");
            }
        }
        // The last slot is followed by the first.
        match first {
            Some(first) if run + first <= LONGEST_RUN && used > 0 => None,
            Some(_) if used == 0 => Some("it is empty"),
            _ => Some("it has hardly a free slot"),
        }
    }

    /// From the bytes of a table; their number must be a power of two.
    pub fn new(bytes: &'a [u8]) -> NearTable<'a> {
        NearTable(bytes)
    }

    /// The bytes of a table from hashes and distances of at most 14. The number of `slots` is a power of two and well above
    /// the number of nodes.
    fn build(slots: usize, nodes: impl IntoIterator<Item = (u64, u8)>) -> Vec<u8> {
        let mut bytes = vec![0; 2 * slots];
        for (hash, distance) in nodes {
            let mut slot = hash as usize & (slots - 1);
            while bytes[2 * slot] != 0 || bytes[2 * slot + 1] != 0 {
                slot = (slot + 1) & (slots - 1);
            }
            let entry = ((hash >> FINGERPRINT) as u16) << 4 | (distance as u16 + 1);
            bytes[2 * slot..][..2].copy_from_slice(&entry.to_le_bytes());
        }
        bytes
    }

    /// The distance of the node with a hash, if it is near.
    #[inline]
    pub fn distance(&self, hash: u64) -> Option<u8> {
        let mask = self.0.len() / 2 - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = u16::from_le_bytes([self.0[2 * slot], self.0[2 * slot + 1]]);
            if entry == 0 {
                return None;
            }
            if entry >> 4 == (hash >> FINGERPRINT) as u16 & 0xfff {
                return Some((entry as u8 & 15).wrapping_sub(1));
            }
            slot = (slot + 1) & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Quiet;

    #[test]
    fn what_is_near_is_found_and_hardly_anything_else() {
        let hash = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
        let bytes = NearTable::build(1 << 12, (0..2000).map(|n| (hash(n), (n % 7) as u8)));
        let near = NearTable::new(&bytes);
        // Two with one fingerprint side by side are taken for each other.
        let wrong = (0..2000)
            .filter(|&n| near.distance(hash(n)) != Some((n % 7) as u8))
            .count();
        let more = (2000..22_000).filter(|&n| near.distance(hash(n)).is_some()).count();
        assert!(wrong <= 4 && more <= 20, "{wrong} {more}");
    }

    #[test]
    fn tables_that_would_be_searched_without_end_are_refused() {
        let hash = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
        let good = NearTable::build(1 << 14, (0..10_000).map(|n| (hash(n), (n % 7) as u8)));
        assert_eq!(NearTable::flaw(&good, 6), None);
        assert!(NearTable::flaw(&good, 5).is_some(), "a distance of 6");
        for byte in [0, 1, 0x11, 0x10, 0xff] {
            assert!(NearTable::flaw(&vec![byte; good.len()], 6).is_some(), "{byte}");
        }
        // All free slots together, in the middle or over the end.
        for from in [0, 3000] {
            let mut bytes = vec![1; good.len()];
            bytes[2 * from..][..2 * 9000].fill(0);
            assert!(NearTable::flaw(&bytes, 6).is_some(), "{from}");
        }
    }

    #[test]
    fn a_search_finds_all_that_is_near_with_its_distance_and_nothing_that_is_farther() {
        // A grid, where steps to all four sides are turns, and what is opposite is as near.
        let hash = |&[x, y]: &[i32; 2]| mixed(x as u64, y as u64);
        let around = Around {
            goals: vec![[0, 0]],
            turns: 4,
            child: &|&[x, y], turn| [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]][turn],
            images: &|&[x, y], see| [[x, y], [-x, -y]].iter().for_each(see),
            hash: &hash,
        };
        let found = around.search(14, 1 << 12, &Quiet).unwrap();
        assert_eq!(found.histogram, (0..=14).map(|d| (2 * d).max(1)).collect::<Vec<u64>>());
        let near = NearTable::new(&found.depths);
        let all = (-30..=30).flat_map(|x| (-30..=30).map(move |y| [x, y]));
        let contradiction = |bytes: &[u8]| around.contradiction(14, bytes, 4000, &Quiet);
        assert_eq!(contradiction(&found.depths), None);
        for flip in [1, 5, 0x80] {
            let wrong: Vec<u8> = found
                .depths
                .iter()
                .map(|byte| if *byte == 0 { 0 } else { byte ^ flip })
                .collect();
            assert!(contradiction(&wrong).is_some(), "{flip}");
        }
        let wrong = |[x, y]: &[i32; 2]| {
            let distance = x.abs() + y.abs();
            near.distance(hash(&[*x, *y])) != Some(distance as u8).filter(|_| distance <= 14)
        };
        assert!(all.filter(wrong).count() <= 4);
        // A table without room.
        assert!(around.search(14, 1 << 8, &Quiet).is_none());
    }
}
