//! The pruning tables of both phases. Each is over a pair of coordinates, the first of them reduced by symmetry. Two of them are the
//! [compass](super::compass), one tells [what is near](super::near).

use super::compass::{self, distance, entry, entry_of};
use super::coordinates::{FLIPS, Phase1, Phase2, SLICE_HOME, SLICES};
use super::near;
use crate::progress::Progress;
use crate::search::Pair;
use crate::tables::{Cost, Depths, NO_WAY, Recipe, Spec, Task, Width};

/// One of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Table3 {
    /// Phase 1, twist × slice.
    TwistSlice,
    /// Phase 1, flip × slice.
    FlipSlice,
    /// Phase 1, twist × flip.
    TwistFlip,
    /// Phase 2, corners × slice.
    CornersSlice,
    /// Phase 2, midges × slice.
    MidgesSlice,
}

impl Table3 {
    /// All of them. What takes longest to build is last.
    pub const ALL: [Table3; 5] = [
        Table3::TwistSlice,
        Table3::FlipSlice,
        Table3::CornersSlice,
        Table3::MidgesSlice,
        Table3::TwistFlip,
    ];
}

impl Recipe for Table3 {
    fn spec(&self) -> Spec {
        let name = match self {
            Table3::TwistSlice => "3x3x3-1-twist-slice",
            Table3::FlipSlice => "3x3x3-1-flip-slice",
            Table3::TwistFlip => "3x3x3-1-twist-flip",
            Table3::CornersSlice => "3x3x3-2-corners-slice",
            Table3::MidgesSlice => "3x3x3-2-midges-slice",
        };
        let (revision, width, bytes) = match self {
            _ if self.is_of_compass() => (2, Width::Byte, compass::BYTES),
            Table3::TwistFlip => (3, Width::Byte, 1),
            _ => (1, Width::Nibble, 1),
        };
        Spec {
            name,
            revision,
            width,
            compression: 1,
            entries: (self.states() * bytes) as u64,
        }
    }

    fn size(&self) -> usize {
        3
    }

    fn cost(&self) -> Cost {
        let (alone, shared) = match self {
            Table3::TwistSlice | Table3::FlipSlice => (0.01, 0.02),
            Table3::TwistFlip => (0.51, 0.06),
            Table3::CornersSlice | Table3::MidgesSlice => (0.01, 0.01),
        };
        Cost { alone, shared }
    }

    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        let mut task = Task::find(progress);
        self.explore(&mut task)?;
        let distances = task.depths()?;
        let one = Phase1::new(false);
        if self == &Table3::TwistFlip {
            return near::marked(&one, distances, progress);
        }
        if !self.is_of_compass() {
            return Some(distances);
        }
        let Depths { depths, histogram } = distances;
        let entries = (0..depths.len()).flat_map(|state| self.entry(&one, &depths, state).to_le_bytes());
        Some(Depths {
            depths: entries.collect(),
            histogram,
        })
    }

    fn contradiction(&self, payload: &[u8], samples: u64, progress: &dyn Progress) -> Option<&'static str> {
        let distances: Vec<u8> = match self {
            _ if self.is_of_compass() => (0..self.states())
                .map(|state| distance(entry(payload, state)) as u8)
                .collect(),
            Table3::TwistFlip => near::distances(payload),
            _ => {
                let mut task = Task::check(self.spec(), payload, samples, progress);
                self.explore(&mut task)?;
                return task.contradiction();
            }
        };
        let spec = Spec {
            entries: self.states() as u64,
            ..self.spec()
        };
        let mut task = Task::check(spec, &distances, samples, progress);
        self.explore(&mut task)?;
        task.contradiction().or_else(|| {
            let one = Phase1::new(false);
            if self == &Table3::TwistFlip {
                return near::denies_what_is_near(&one, payload, samples, progress);
            }
            let step = (self.states() as u64 / samples.max(1)).max(1) as usize;
            let mut some = (0..self.states()).step_by(step).take_while(|_| !progress.stopped());
            some.any(|state| entry(payload, state) != self.entry(&one, &distances, state))
                .then_some(NO_WAY)
        })
    }
}

impl Table3 {
    /// The name, for messages.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// How many states it tells apart.
    fn states(self) -> usize {
        match self {
            Table3::TwistSlice => 324 * SLICES,
            Table3::FlipSlice => 336 * SLICES,
            Table3::TwistFlip => 324 * FLIPS,
            Table3::CornersSlice | Table3::MidgesSlice => 2768 * 24,
        }
    }

    /// Whether it tells of turns besides distances: see [`super::compass`].
    fn is_of_compass(self) -> bool {
        matches!(self, Table3::TwistSlice | Table3::FlipSlice)
    }

    /// The entry of the compass, from the distances of all states.
    fn entry(self, one: &Phase1, distances: &[u8], state: usize) -> u32 {
        let reduced = if self == Table3::TwistSlice {
            &one.twist
        } else {
            &one.flip
        };
        entry_of(one, reduced, distances, state)
    }

    fn explore(self, task: &mut Task) -> Option<()> {
        match self {
            Table3::TwistSlice | Table3::FlipSlice | Table3::TwistFlip => {
                let one = Phase1::new(true);
                let (reduced, plain) = match self {
                    Table3::TwistSlice => (&one.twist, Some(&one.slice)),
                    Table3::FlipSlice => (&one.flip, Some(&one.slice)),
                    _ => (&one.twist, one.flip_plain.as_ref()),
                };
                let goal = if self == Table3::TwistFlip {
                    (0, 0)
                } else {
                    (0, SLICE_HOME)
                };
                task.explore(&Pair {
                    group: &one.group,
                    reduced,
                    plain: plain?,
                    goals: vec![goal],
                });
            }
            Table3::CornersSlice | Table3::MidgesSlice => {
                let two = Phase2::new();
                let reduced = if self == Table3::CornersSlice {
                    &two.corners
                } else {
                    &two.midges
                };
                task.explore(&Pair {
                    group: &two.group,
                    reduced,
                    plain: &two.slice,
                    goals: vec![(0, 0)],
                });
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Quiet;

    #[test]
    fn every_entry_is_reached_and_the_numbers_at_each_distance_do_not_change() {
        let known: [&[u64]; 5] = [
            &[1, 2, 14, 109, 924, 7711, 42500, 85534, 23436, 149],
            &[1, 3, 26, 196, 1054, 6874, 37655, 90336, 30065, 110],
            &[
                1, 3, 10, 44, 214, 846, 2413, 5122, 8639, 12128, 12571, 12985, 7754, 3366, 336,
            ],
            &[1, 3, 11, 47, 286, 1441, 6112, 19389, 28940, 8596, 1252, 270, 84],
            &[1, 2, 12, 91, 845, 8875, 79885, 357785, 214574, 1482],
        ];
        for (table, known) in Table3::ALL.into_iter().zip(known) {
            let spec = table.spec();
            let depths = table.depths(&Quiet).unwrap();
            assert_eq!(depths.depths.len() as u64, spec.entries, "{}", spec.name);
            let states: u64 = depths.histogram.iter().sum();
            assert_eq!(states, table.states() as u64, "{}", spec.name);
            assert_eq!(depths.histogram, known, "{}", spec.name);
        }
    }
}
