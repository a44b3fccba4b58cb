//! The guides of the centre phases. The 6x6x6 and the 7x7x7 have their own. Larger cubes use these in the first stage of a phase,
//! which looks at one pair of layers. In later stages they use guides that went on learning on the 8x8x8 and the 9x9x9, because
//! guides that learned from one pair alone leave beams stuck near the goal more often.

use super::centre_stage::{CentrePhase, CentreStage};
use super::centres::Unguided;
use super::stages::stages;
use crate::progress::Progress;
use crate::search::{Begin, Round, Walks, teach};
use crate::tables::{BUILDS_TABLES, Cost, Depths, Recipe, Spec, Width};

/// The guide of one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Guide {
    /// The size of the cubes that it learns from: 6 to 9.
    size: usize,
    phase: CentrePhase,
}

/// How many pairs of layers a 9x9x9 has.
const PAIRS: usize = 3;

/// The guides that cubes of a size are solved with.
pub(crate) fn guides(n: usize) -> Vec<Guide> {
    let mut all: Vec<Guide> = stages(n).iter().map(Guide::of).collect();
    all.sort_unstable_by_key(|guide| (guide.size, guide.phase as usize));
    all.dedup();
    all
}

impl Guide {
    /// All guides.
    pub fn all() -> Vec<Guide> {
        let phases = |size| CentrePhase::ALL.map(move |phase| Guide { size, phase });
        [6, 7, 8, 9].into_iter().flat_map(phases).collect()
    }

    /// The guide for a stage.
    pub(super) fn of(stage: &CentreStage) -> Guide {
        let size = match (stage.n.is_multiple_of(2), stage.pairs.len()) {
            (true, 2..) => 8,
            (true, _) => 6,
            (false, 2..) => 9,
            (false, _) => 7,
        };
        Guide {
            size,
            phase: stage.phase,
        }
    }

    fn unguided(self) -> Unguided<PAIRS> {
        Unguided::new(CentreStage::all(self.size, self.phase))
    }

    /// For every weight, the number of the one that stands for all weights equal to it by symmetry.
    #[cfg(test)]
    pub fn same(self) -> Vec<u32> {
        self.unguided().laid().blank(&|| true).unwrap().same
    }

    /// The random walks that it learns from first. Chosen by trial: walks that are too short or saturate too early leave beams
    /// stuck.
    fn walks(self) -> Walks {
        let (longest, saturation) = match (self.size, self.phase) {
            (6, CentrePhase::Axis) => (30, 10.0),
            (6, CentrePhase::Axes) => (24, 9.0),
            (6, CentrePhase::Blocks) => (24, 12.0),
            (_, CentrePhase::Axis) => (48, 16.0),
            (_, CentrePhase::Axes) => (32, 13.0),
            (_, CentrePhase::Blocks) => (30, 12.0),
        };
        Walks {
            turns: 20_000_000,
            longest,
            saturation,
            rate: 0.12,
        }
    }

    /// The rounds of learning from rivals, by trial: cubes to solve, width of the beam, rate. More rounds gain less and less.
    fn rounds(self) -> Vec<Round> {
        let round = |(solved, width, rate)| Round { solved, width, rate };
        let rounds: &[(usize, usize, f32)] = match (self.size, self.phase) {
            (6, CentrePhase::Blocks) => &[(640, 300, 0.001), (800, 600, 0.0007)],
            (6, _) => &[(1600, 300, 0.001), (800, 600, 0.0007)],
            (7, CentrePhase::Axis) => &[(320, 300, 0.001), (800, 600, 0.0007), (400, 1000, 0.0005)],
            (7, CentrePhase::Axes) => &[(800, 300, 0.001), (800, 600, 0.0007), (400, 1000, 0.0005)],
            (7, CentrePhase::Blocks) => &[(640, 300, 0.001), (800, 600, 0.0007), (400, 1000, 0.0005)],
            (_, _) => &[(960, 300, 0.001), (480, 800, 0.0007)],
        };
        rounds.iter().copied().map(round).collect()
    }

    fn learn(self, begin: Begin, progress: &dyn Progress) -> Option<Depths> {
        // A brick would need days to learn, so its program does not have the code.
        if !BUILDS_TABLES {
            return None;
        }
        let unguided = self.unguided();
        let blank = unguided.laid().blank(&|| !progress.stopped())?;
        let learned = teach(&unguided, &blank, begin, &self.rounds(), progress);
        learned.map(|weights| Depths {
            histogram: vec![weights.len() as u64],
            depths: weights,
        })
    }
}

impl Recipe for Guide {
    fn spec(&self) -> Spec {
        let (name, entries) = match (self.size, self.phase) {
            (6, CentrePhase::Axis) => ("6x6x6-1-guide", 393_216),
            (8, CentrePhase::Axis) => ("8x8x8-1-guide", 393_216),
            (6, CentrePhase::Axes) => ("6x6x6-2-guide", 918_016),
            (8, CentrePhase::Axes) => ("8x8x8-2-guide", 918_016),
            (6, CentrePhase::Blocks) => ("6x6x6-3-guide", 408_792),
            (8, CentrePhase::Blocks) => ("8x8x8-3-guide", 408_792),
            (7, CentrePhase::Axis) => ("7x7x7-1-guide", 4_718_592),
            (_, CentrePhase::Axis) => ("9x9x9-1-guide", 4_718_592),
            (7, CentrePhase::Axes) => ("7x7x7-2-guide", 3_475_712),
            (_, CentrePhase::Axes) => ("9x9x9-2-guide", 3_475_712),
            (7, CentrePhase::Blocks) => ("7x7x7-3-guide", 1_466_108),
            (_, CentrePhase::Blocks) => ("9x9x9-3-guide", 1_466_108),
        };
        Spec {
            name,
            // 4: the order of cells in an index has changed.
            revision: 4,
            width: Width::Byte,
            compression: 1,
            entries,
        }
    }

    fn size(&self) -> usize {
        self.size
    }

    fn cost(&self) -> Cost {
        let (alone, shared) = match (self.size, self.phase) {
            (6, CentrePhase::Axis) => (22.0, 115.0),
            (6, CentrePhase::Axes) => (32.0, 146.0),
            (6, CentrePhase::Blocks) => (33.0, 33.0),
            (7, CentrePhase::Axis) => (40.0, 290.0),
            (7, CentrePhase::Axes) => (40.0, 340.0),
            (7, CentrePhase::Blocks) => (40.0, 320.0),
            // The larger ones go on from what these have learned.
            (8, _) => (1.0, 300.0),
            _ => (1.0, 500.0),
        };
        Cost { alone, shared }
    }

    fn begins_with(&self) -> Option<Box<dyn Recipe>> {
        (self.size > 7).then(|| -> Box<dyn Recipe> {
            Box::new(Guide {
                size: self.size - 2,
                ..*self
            })
        })
    }

    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        self.learn(Begin::Walks(self.walks()), progress)
    }

    fn depths_after(&self, known: &[u8], progress: &dyn Progress) -> Option<Depths> {
        self.learn(Begin::Known(known), progress)
    }
}
