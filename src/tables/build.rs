//! Building: distances of all entries of a space from its goals, breadth first on all cores.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use crate::progress::Progress;

/// A coordinate space to be searched from its goals. Neighbourhood must be symmetric: turns come with their inverses.
pub trait Space: Sync {
    /// How many entries there are.
    fn entries(&self) -> usize;
    /// The entries at distance 0.
    fn goals(&self) -> Vec<usize>;
    /// Shows `see` every entry that is one turn away. Where a state has several entries, as in a symmetry class with symmetries of its
    /// own, all entries of each neighbour.
    fn neighbours(&self, entry: usize, see: impl FnMut(usize));
}

/// Distances of all entries.
#[derive(Debug, Clone)]
pub struct Depths {
    /// A byte for each entry; [`Depths::UNREACHED`] if no way leads there.
    pub depths: Vec<u8>,
    /// How many entries lie at each distance.
    pub histogram: Vec<u64>,
}

impl Depths {
    /// The depth of an entry that cannot be reached from the goals.
    pub const UNREACHED: u8 = u8::MAX;
}

/// Entries that one task handles: few enough to share the work, and enough to be worth a task.
const CHUNK: usize = 1 << 14;

/// Distances of all entries to the nearest goal, on all cores. `None` if it was stopped.
pub fn breadth_first<S: Space>(space: &S, progress: &dyn Progress) -> Option<Depths> {
    let total = space.entries();
    let depths: Vec<AtomicU8> = (0..total).map(|_| AtomicU8::new(Depths::UNREACHED)).collect();
    for goal in space.goals() {
        depths[goal].store(0, Relaxed);
    }
    let mut known = depths.iter().filter(|d| d.load(Relaxed) == 0).count();
    let mut histogram = vec![known as u64];
    for depth in 0..Depths::UNREACHED - 1 {
        let found = AtomicUsize::new(0);
        // While few entries are known, goes on from these. When few are left, looks back from those.
        let forward = known < total / 2;
        depths.par_chunks(CHUNK).enumerate().for_each(|(c, chunk)| {
            if progress.stopped() {
                return;
            }
            let mut here = 0;
            for (i, entry) in chunk.iter().enumerate() {
                let is = entry.load(Relaxed);
                if forward && is == depth {
                    space.neighbours(c * CHUNK + i, |next| {
                        let next = &depths[next];
                        // Two tasks may find the same entry: only the one that changes it counts it.
                        if next.load(Relaxed) == Depths::UNREACHED && next.swap(depth + 1, Relaxed) == Depths::UNREACHED
                        {
                            here += 1;
                        }
                    });
                } else if !forward && is == Depths::UNREACHED {
                    let mut near = false;
                    space.neighbours(c * CHUNK + i, |next| near |= depths[next].load(Relaxed) == depth);
                    if near {
                        entry.store(depth + 1, Relaxed);
                        here += 1;
                    }
                }
            }
            found.fetch_add(here, Relaxed);
        });
        if progress.stopped() {
            return None;
        }
        let found = found.into_inner();
        if found == 0 {
            break;
        }
        known += found;
        histogram.push(found as u64);
    }
    Some(Depths {
        depths: depths.into_iter().map(AtomicU8::into_inner).collect(),
        histogram,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Quiet;

    /// A line of entries, each a step from the next, and one that stands alone.
    struct Line(usize);

    impl Space for Line {
        fn entries(&self) -> usize {
            self.0 + 1
        }
        fn goals(&self) -> Vec<usize> {
            vec![10]
        }
        fn neighbours(&self, entry: usize, mut see: impl FnMut(usize)) {
            if entry < self.0 {
                see(entry.saturating_sub(1));
                see((entry + 1).min(self.0 - 1));
            }
        }
    }

    #[test]
    fn distances_on_a_line_are_differences() {
        let found = breadth_first(&Line(100), &Quiet).unwrap();
        for (i, &depth) in found.depths[..100].iter().enumerate() {
            assert_eq!(depth as usize, i.abs_diff(10));
        }
        assert_eq!(found.depths[100], Depths::UNREACHED);
        assert_eq!((found.histogram[0], found.histogram[1], found.histogram[89]), (1, 2, 1));
        assert_eq!(found.histogram.iter().sum::<u64>(), 100);
    }

    #[test]
    fn what_is_too_far_for_a_byte_counts_as_not_reached() {
        for length in [250, 260, 270, 300] {
            let found = breadth_first(&Line(length), &Quiet).unwrap();
            for (i, &depth) in found.depths[..length].iter().enumerate() {
                let distance = i.abs_diff(10).min(Depths::UNREACHED.into());
                assert_eq!(usize::from(depth), distance, "{length} {i}");
            }
            let reached = found.depths.iter().filter(|&&depth| depth != Depths::UNREACHED);
            assert_eq!(found.histogram.iter().sum::<u64>(), reached.count() as u64);
        }
    }

    /// A tree in which every place has ten behind it; which entry is at a place; and how often neighbours were asked for.
    struct Tree {
        entries: usize,
        backwards: bool,
        asked: AtomicUsize,
    }

    impl Tree {
        fn new(entries: usize, backwards: bool) -> Tree {
            let asked = AtomicUsize::new(0);
            Tree {
                entries,
                backwards,
                asked,
            }
        }
        /// The entry at a place, and the place of an entry.
        fn at(&self, place: usize) -> usize {
            if self.backwards {
                self.entries - 1 - place
            } else {
                place
            }
        }
    }

    impl Space for Tree {
        fn entries(&self) -> usize {
            self.entries
        }
        fn goals(&self) -> Vec<usize> {
            vec![self.at(0)]
        }
        fn neighbours(&self, entry: usize, mut see: impl FnMut(usize)) {
            self.asked.fetch_add(1, Relaxed);
            let place = self.at(entry);
            let behind = (10 * place + 1..=10 * place + 10).filter(|&next| next < self.entries);
            behind.for_each(|next| see(self.at(next)));
            if place > 0 {
                see(self.at((place - 1) / 10));
            }
        }
    }

    #[test]
    fn the_entries_of_a_tree_lie_as_deep_as_they_are_in_it_whichever_task_has_them() {
        let entries = CHUNK + 4000;
        for backwards in [false, true] {
            let tree = Tree::new(entries, backwards);
            let found = breadth_first(&tree, &Quiet).unwrap();
            for place in 1..entries {
                let [here, before] = [place, (place - 1) / 10].map(|place| found.depths[tree.at(place)]);
                assert_eq!(here, before + 1, "{place}");
            }
            assert_eq!(found.histogram[..5], [1, 10, 100, 1000, 10_000]);
            assert_eq!(found.histogram.iter().sum::<u64>(), entries as u64);
        }
    }

    #[test]
    fn it_goes_on_from_the_few_that_are_known_and_asks_none_when_all_are() {
        let tree = Tree::new(1111, false);
        assert_eq!(breadth_first(&tree, &Quiet).unwrap().histogram, [1, 10, 100, 1000]);
        assert_eq!(tree.asked.into_inner(), 111);
    }

    #[test]
    fn it_looks_back_from_the_few_that_are_left() {
        let tree = Tree::new(200, false);
        assert_eq!(breadth_first(&tree, &Quiet).unwrap().histogram, [1, 10, 100, 89]);
        assert_eq!(tree.asked.into_inner(), 1 + 10 + 89);
    }

    #[test]
    fn it_can_be_stopped() {
        struct Stop;
        impl Progress for Stop {
            fn update(&self, _: u64, _: u64) {}
            fn stopped(&self) -> bool {
                true
            }
        }
        assert!(breadth_first(&Line(100), &Stop).is_none());
    }
}
