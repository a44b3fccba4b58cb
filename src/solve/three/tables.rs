//! The pruning tables of both phases. Each is over a pair of coordinates, the first of them reduced by symmetry.

use super::coordinates::{Phase1, Phase2, SLICE_HOME};
use crate::progress::Progress;
use crate::search::Pair;
use crate::tables::{Cost, Depths, Recipe, Spec, Task, Width};

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
    /// All of them.
    pub const ALL: [Table3; 5] = [
        Table3::TwistSlice,
        Table3::FlipSlice,
        Table3::TwistFlip,
        Table3::CornersSlice,
        Table3::MidgesSlice,
    ];
}

impl Recipe for Table3 {
    fn spec(&self) -> Spec {
        let (name, entries) = match self {
            Table3::TwistSlice => ("3x3x3-1-twist-slice", 324 * 495),
            Table3::FlipSlice => ("3x3x3-1-flip-slice", 336 * 495),
            Table3::TwistFlip => ("3x3x3-1-twist-flip", 324 * 2048),
            Table3::CornersSlice => ("3x3x3-2-corners-slice", 2768 * 24),
            Table3::MidgesSlice => ("3x3x3-2-midges-slice", 2768 * 24),
        };
        Spec {
            name,
            revision: 1,
            width: Width::Nibble,
            compression: 1,
            entries,
        }
    }

    fn size(&self) -> usize {
        3
    }

    fn cost(&self) -> Cost {
        let (alone, shared) = match self {
            Table3::TwistSlice | Table3::FlipSlice => (0.01, 0.02),
            Table3::TwistFlip => (0.01, 0.06),
            Table3::CornersSlice | Table3::MidgesSlice => (0.01, 0.01),
        };
        Cost { alone, shared }
    }

    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        let mut task = Task::find(progress);
        self.explore(&mut task)?;
        task.depths()
    }

    fn contradiction(&self, payload: &[u8], samples: u64, progress: &dyn Progress) -> Option<&'static str> {
        let mut task = Task::check(self.spec(), payload, samples, progress);
        self.explore(&mut task)?;
        task.contradiction()
    }
}

impl Table3 {
    /// The name, for messages.
    pub fn name(self) -> &'static str {
        self.spec().name
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
            &[1, 2, 12, 91, 845, 8875, 79885, 357785, 214574, 1482],
            &[
                1, 3, 10, 44, 214, 846, 2413, 5122, 8639, 12128, 12571, 12985, 7754, 3366, 336,
            ],
            &[1, 3, 11, 47, 286, 1441, 6112, 19389, 28940, 8596, 1252, 270, 84],
        ];
        for (table, known) in Table3::ALL.into_iter().zip(known) {
            let spec = table.spec();
            let depths = table.depths(&Quiet).unwrap();
            assert_eq!(depths.depths.len() as u64, spec.entries, "{}", spec.name);
            assert_eq!(depths.histogram.iter().sum::<u64>(), spec.entries, "{}", spec.name);
            assert_eq!(depths.histogram, known, "{}", spec.name);
        }
    }
}
