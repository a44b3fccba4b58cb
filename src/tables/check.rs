//! Checks whether the distances in a table can be right.
//!
//! A checksum tells that a file is as it was written, not that it was written right. But right distances obey rules: goals
//! and nothing else are at 0, a turn changes a distance by at most one, and from every other entry some turn leads nearer. A
//! table that obeys all rules everywhere *is* the table of distances. In a table of distances modulo 3 only the last rule can
//! be checked.

use std::collections::HashSet;

use super::{Depths, Space, Spec, Table, Width, breadth_first};
use crate::progress::Progress;

/// A rule that a table breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contradiction {
    /// The table's name.
    pub table: &'static str,
    /// What is wrong in it.
    pub what: &'static str,
}

/// A goal is not at 0.
pub const FAR_GOAL: &str = "it takes a goal for none";
/// An entry that is no goal is at 0.
pub const FALSE_GOAL: &str = "it takes for a goal what is none";
/// No way leads down.
pub const NO_WAY: &str = "from somewhere no turn leads nearer to the goal";
const JUMP: &str = "a single turn changes a distance by more than one";
const UNREACHED: &str = "it leaves entries out";

/// Work with the space of a table: to build the table or to check it.
pub struct Task<'a> {
    progress: &'a dyn Progress,
    wanted: Wanted<'a>,
}

enum Wanted<'a> {
    Depths(Option<Depths>),
    Contradiction {
        spec: Spec,
        payload: &'a [u8],
        samples: u64,
        found: Option<&'static str>,
    },
}

impl<'a> Task<'a> {
    /// To find all distances.
    pub fn find(progress: &'a dyn Progress) -> Task<'a> {
        let wanted = Wanted::Depths(None);
        Task { progress, wanted }
    }

    /// To check about so many entries of a payload, evenly spread.
    pub fn check(spec: Spec, payload: &'a [u8], samples: u64, progress: &'a dyn Progress) -> Task<'a> {
        let found = None;
        Task {
            progress,
            wanted: Wanted::Contradiction {
                spec,
                payload,
                samples,
                found,
            },
        }
    }

    /// Does the work for a table of distances.
    pub fn explore<S: Space>(&mut self, space: &S) {
        match &mut self.wanted {
            Wanted::Depths(depths) => *depths = breadth_first(space, self.progress),
            Wanted::Contradiction {
                spec,
                payload,
                samples,
                found,
            } => {
                let goals: HashSet<u64> = space
                    .goals()
                    .into_iter()
                    .map(|goal| goal as u64 / u64::from(spec.compression.max(1)))
                    .collect();
                let neighbours = |entry: u64, see: &mut dyn FnMut(u64)| {
                    space.neighbours(entry as usize, |next| see(next as u64));
                };
                *found = Check {
                    spec,
                    payload,
                    goals,
                    neighbours: &neighbours,
                }
                .some(*samples, self.progress);
            }
        }
    }

    /// Does the work for a table that is built and checked in another way.
    pub fn other(
        &mut self,
        make: impl FnOnce(&dyn Progress) -> Option<Depths>,
        check: impl FnOnce(&[u8], u64, &dyn Progress) -> Option<&'static str>,
    ) {
        match &mut self.wanted {
            Wanted::Depths(depths) => *depths = make(self.progress),
            Wanted::Contradiction {
                payload,
                samples,
                found,
                ..
            } => *found = check(payload, *samples, self.progress),
        }
    }

    /// The distances that were to be found.
    pub fn depths(self) -> Option<Depths> {
        match self.wanted {
            Wanted::Depths(depths) => depths,
            Wanted::Contradiction { .. } => None,
        }
    }

    /// The contradiction that was found.
    pub fn contradiction(self) -> Option<&'static str> {
        match self.wanted {
            Wanted::Depths(_) => None,
            Wanted::Contradiction { found, .. } => found,
        }
    }
}

/// Hands out the neighbours of an entry.
type Neighbours<'a> = dyn Fn(u64, &mut dyn FnMut(u64)) + 'a;

/// A payload beside its space.
struct Check<'a> {
    spec: &'a Spec,
    payload: &'a [u8],
    /// The stored entries that have a goal.
    goals: HashSet<u64>,
    neighbours: &'a Neighbours<'a>,
}

/// Samples between two questions whether to stop.
const LOOK: u64 = 64;

impl Check<'_> {
    /// A stored entry.
    fn at(&self, stored: u64) -> u8 {
        match self.spec.width {
            Width::Mod3 => Table::mod3(self.payload, stored as usize),
            Width::Nibble => Table::nibble(self.payload, stored as usize),
            Width::Byte => self.payload[stored as usize],
        }
    }

    /// The number of the stored entry of an entry.
    fn stored(&self, entry: u64) -> u64 {
        match self.spec.compression {
            0 | 1 => entry,
            k => entry / u64::from(k),
        }
    }

    fn some(&self, samples: u64, progress: &dyn Progress) -> Option<&'static str> {
        if self.goals.iter().any(|&goal| self.at(goal) != 0) {
            return Some(FAR_GOAL);
        }
        let factor = u64::from(self.spec.compression.max(1));
        let all = self.spec.entries.div_ceil(factor);
        let samples = (samples / factor).max(LOOK).min(all);
        // Multiples of the golden section are evenly spread, however many are taken.
        let step = if samples < all {
            (all * 618_034 / 1_000_000) | 1
        } else {
            1
        };
        let mut stored = 0;
        for sample in 0..samples {
            if sample % LOOK == 0 && progress.stopped() {
                return None;
            }
            stored = (stored + step) % all;
            let wrong = match self.spec.width {
                Width::Mod3 => self.residue(stored),
                _ => self.distance(stored),
            };
            if wrong.is_some() {
                return wrong;
            }
        }
        None
    }

    /// What is wrong with one distance modulo 3.
    fn residue(&self, stored: u64) -> Option<&'static str> {
        let here = self.at(stored);
        if here == 3 {
            return Some(UNREACHED);
        }
        let (nearer, mut leads) = ((here + 2) % 3, self.goals.contains(&stored));
        (self.neighbours)(stored, &mut |next| leads |= self.at(next) == nearer);
        (!leads).then_some(NO_WAY)
    }

    /// What is wrong with one stored distance. It is the least of some entries, so one of them must have it.
    fn distance(&self, stored: u64) -> Option<&'static str> {
        let here = self.at(stored);
        let is_goal = self.goals.contains(&stored);
        if here == 0 {
            return (!is_goal).then_some(FALSE_GOAL);
        }
        let factor = u64::from(self.spec.compression.max(1));
        let (mut any_leads, mut fits) = (false, false);
        for entry in (stored * factor..self.spec.entries).take(factor as usize) {
            let (mut least, mut most) = (u8::MAX, 0);
            (self.neighbours)(entry, &mut |next| {
                let next = self.at(self.stored(next));
                (least, most) = (least.min(next), most.max(next));
            });
            any_leads |= least < here;
            // A neighbour's stored distance, the least of several, may be less than its own.
            fits |= least < here && most <= here + 1 && (factor > 1 || least + 1 == here);
        }
        match (fits, any_leads) {
            (true, _) => None,
            (false, true) => Some(JUMP),
            (false, false) => Some(NO_WAY),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Quiet;
    use proptest::prelude::*;

    /// Entries in a circle, each a step from the next.
    struct Circle(usize);

    impl Space for Circle {
        fn entries(&self) -> usize {
            self.0
        }
        fn goals(&self) -> Vec<usize> {
            vec![7]
        }
        fn neighbours(&self, entry: usize, mut see: impl FnMut(usize)) {
            see((entry + 1) % self.0);
            see((entry + self.0 - 1) % self.0);
        }
    }

    const LENGTH: u64 = 26;

    fn specs() -> [Spec; 3] {
        [(Width::Mod3, 1), (Width::Nibble, 1), (Width::Nibble, 3)].map(|(width, compression)| Spec {
            name: "circle",
            revision: 1,
            width,
            compression,
            entries: LENGTH,
        })
    }

    fn checked(spec: &Spec, payload: &[u8]) -> Option<&'static str> {
        let mut task = Task::check(spec.clone(), payload, 10_000, &Quiet);
        task.explore(&Circle(LENGTH as usize));
        task.contradiction()
    }

    fn payload(spec: &Spec) -> Vec<u8> {
        let mut task = Task::find(&Quiet);
        task.explore(&Circle(LENGTH as usize));
        Table::pack(spec, &task.depths().unwrap()).payload().to_vec()
    }

    #[test]
    fn a_right_table_has_no_contradiction_and_what_is_all_the_same_has() {
        for spec in specs() {
            let right = payload(&spec);
            assert_eq!(checked(&spec, &right), None, "{spec:?}");
            for byte in [0, 0x11, 0x55, 0x77, 0xff] {
                assert!(checked(&spec, &vec![byte; right.len()]).is_some(), "{spec:?} {byte}");
            }
        }
    }

    /// What is wrong with the stored entry at a place if it has another distance.
    fn wrong(spec: &Spec, at: u64, distance: u8) -> Option<&'static str> {
        let circle = Circle(LENGTH as usize);
        let mut payload = payload(spec);
        let (byte, shift) = (at as usize / 2, at % 2 * 4);
        payload[byte] = payload[byte] & !(15 << shift) | distance << shift;
        let check = Check {
            spec,
            payload: &payload,
            goals: HashSet::from([7 / u64::from(spec.compression)]),
            neighbours: &|entry, see| circle.neighbours(entry as usize, |next| see(next as u64)),
        };
        check.distance(at)
    }

    #[test]
    fn a_distance_that_is_too_large_is_a_jump_and_one_that_is_too_small_leads_nowhere() {
        let spec = &specs()[1];
        for at in (0..LENGTH).filter(|&at| at != 7) {
            let right = at.abs_diff(7).min(LENGTH - at.abs_diff(7)) as u8;
            for distance in 0..16 {
                let expected = match distance {
                    _ if distance == right => None,
                    0 => Some(FALSE_GOAL),
                    _ if distance < right => Some(NO_WAY),
                    _ => Some(JUMP),
                };
                assert_eq!(wrong(spec, at, distance), expected, "{at} {distance}");
            }
        }
    }

    #[test]
    fn the_least_of_three_distances_may_not_be_less_than_what_its_neighbours_lead_to() {
        let spec = &specs()[2];
        let right = payload(spec);
        for at in (0..9).filter(|&at| at != 2) {
            let right = Table::nibble(&right, at);
            assert_eq!(wrong(spec, at as u64, right), None, "{at}");
            for distance in 1..right.saturating_sub(3) {
                assert_eq!(wrong(spec, at as u64, distance), Some(NO_WAY), "{at} {distance}");
            }
        }
    }

    #[test]
    fn as_many_samples_as_there_are_entries_are_all_of_them() {
        for entries in 65..150 {
            let spec = Spec {
                entries,
                ..specs()[0].clone()
            };
            for at in 0..entries as usize {
                let mut payload = vec![0; spec.payload_bytes() as usize];
                payload[at / 4] |= 3 << (at % 4 * 2);
                let check = Check {
                    spec: &spec,
                    payload: &payload,
                    goals: (0..entries).filter(|&goal| goal != at as u64).collect(),
                    neighbours: &|_, _| {},
                };
                assert_eq!(check.some(entries, &Quiet), Some(UNREACHED), "{at} of {entries}");
            }
        }
    }

    /// Stops at the second question whether to.
    #[derive(Default)]
    struct Second(std::sync::atomic::AtomicU8);

    impl Progress for Second {
        fn update(&self, _: u64, _: u64) {}
        fn stopped(&self) -> bool {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 0
        }
    }

    /// How many entries are looked at in a table in which all are one turn from the goal, and whether there is a contradiction.
    fn looked_at(entries: u64, compression: u8, samples: u64, progress: &dyn Progress) -> (u64, Option<&'static str>) {
        let spec = Spec {
            compression,
            entries,
            ..specs()[1].clone()
        };
        let mut payload = vec![0x11; spec.payload_bytes() as usize];
        payload[0] = 0x10;
        let looks = std::cell::Cell::new(0);
        let check = Check {
            spec: &spec,
            payload: &payload,
            goals: HashSet::from([0]),
            neighbours: &|_, see| {
                looks.set(looks.get() + 1);
                see(0);
            },
        };
        let found = check.some(samples, progress);
        (looks.get(), found)
    }

    #[test]
    fn about_as_many_entries_are_looked_at_as_there_shall_be_samples() {
        for compression in [1, 3] {
            let (looks, found) = looked_at(40_000, compression, 960, &Quiet);
            assert!(
                found.is_none() && (957..=960).contains(&looks),
                "{compression}: {looks}"
            );
        }
    }

    #[test]
    fn after_some_samples_it_is_asked_whether_to_stop() {
        assert_eq!(looked_at(40_000, 1, 960, &Second::default()), (LOOK, None));
    }

    #[test]
    fn few_samples_see_even_and_odd_entries_of_a_table_of_any_length() {
        for entries in 20_000..20_020 {
            let spec = Spec {
                entries,
                ..specs()[1].clone()
            };
            for (wrong, payload) in [(0, 0x01), (1, 0x10)] {
                let check = Check {
                    spec: &spec,
                    payload: &vec![payload; spec.payload_bytes() as usize],
                    goals: (0..entries).filter(|entry| entry % 2 != wrong).collect(),
                    neighbours: &|_, _| {},
                };
                assert_eq!(check.some(200, &Quiet), Some(NO_WAY), "{entries} {wrong}");
            }
        }
    }

    /// What few samples find in a large table of zeros, all of them goals but those in a part that is wrong; and how many were looked at.
    fn sampled(width: Width, compression: u8, wrong: std::ops::Range<u64>) -> (Option<&'static str>, u64) {
        let spec = Spec {
            name: "large",
            revision: 1,
            width,
            compression,
            entries: 120_000,
        };
        let mut payload = vec![0; spec.payload_bytes() as usize];
        let bytes = wrong.start as usize / 2..wrong.end as usize / 2;
        payload[bytes].fill(0x55);
        let goals = (0..120_000 / u64::from(compression))
            .filter(|entry| !wrong.contains(entry))
            .collect();
        let looks = std::cell::Cell::new(0);
        let check = Check {
            spec: &spec,
            payload: &payload,
            goals,
            neighbours: &|_, _| looks.set(looks.get() + 1),
        };
        (check.some(960, &Quiet), looks.get())
    }

    #[test]
    fn few_samples_of_a_large_table_are_spread_over_all_of_it() {
        assert_eq!(sampled(Width::Mod3, 1, 0..0), (None, 960));
        for (compression, stored) in [(1, 120_000), (3, 40_000)] {
            for part in 0..8 {
                let wrong = part * stored / 8..(part + 1) * stored / 8;
                let (found, _) = sampled(Width::Nibble, compression, wrong);
                assert_eq!(found, Some(NO_WAY), "{compression} {part}");
            }
        }
    }

    #[test]
    fn a_table_of_another_kind_is_made_and_checked_in_its_own_way() {
        let depths = || {
            Some(Depths {
                depths: vec![3],
                histogram: vec![1],
            })
        };
        let mut task = Task::find(&Quiet);
        task.other(|_| depths(), |_, _, _| None);
        assert_eq!(task.depths().unwrap().depths, [3]);
        let mut task = Task::check(specs()[1].clone(), &[7], 5, &Quiet);
        task.other(
            |_| depths(),
            |payload, samples, _| (payload == [7] && samples == 5).then_some(JUMP),
        );
        assert_eq!(task.contradiction(), Some(JUMP));
    }

    proptest! {
        #[test]
        fn one_wrong_entry_is_a_contradiction(at in 0u64..LENGTH, other in 1u8..16) {
            // Distances modulo 3, and the least of several, may have a single wrong one without a contradiction.
            let (spec, entry) = (&specs()[1], at as usize);
            let mut wrong = payload(spec);
            wrong[entry / 2] ^= other << (entry % 2 * 4);
            prop_assert!(checked(spec, &wrong).is_some());
        }
    }
}
