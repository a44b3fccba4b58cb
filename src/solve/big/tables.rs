//! The guides of the centre phases. The 6x6x6 and the 7x7x7 have their own. Larger cubes use these in the first stage of a phase,
//! which looks at one pair of layers. In later stages they use guides that went on learning on the 8x8x8 and the 9x9x9, because
//! guides that learned from one pair alone leave beams stuck near the goal more often; and even cubes from the fourth pair on those of the
//! 10x10x10, which have the same weights and nets of their own. From the 14x14x14 on only the phase that makes blocks has a guide.
//!
//! What they have learned travels with the program: see `learned.rs`. How they learn is in `learning.rs`.

use super::centre_stage::{CentrePhase, CentreStage};
#[cfg(any(test, feature = "build-tables"))]
use super::centres::Unguided;
#[cfg(feature = "build-tables")]
use super::learned;
use super::stages::stages;
use crate::progress::Progress;
use crate::search::Net;
use crate::tables::{Cost, Depths, Recipe, Spec, Width};

/// The guide of one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Guide {
    /// The size of the cubes that it learns from: 6 to 10.
    pub(super) size: usize,
    pub(super) phase: CentrePhase,
}

/// The most pairs of layers that a guide learns from: those of a 10x10x10.
#[cfg(any(test, feature = "build-tables"))]
pub(super) const PAIRS: usize = 6;

/// The guides that cubes of a size are solved with.
pub(crate) fn guides(n: usize) -> Vec<Guide> {
    let stages = stages(n).into_iter().filter(|stage| !stage.is_commuted());
    let mut all: Vec<Guide> = stages.map(|stage| Guide::of(&stage)).collect();
    all.sort_unstable_by_key(|guide| (guide.size, guide.phase as usize));
    all.dedup();
    all
}

impl Guide {
    /// All guides.
    pub fn all() -> Vec<Guide> {
        let phases = |size| CentrePhase::ALL.map(move |phase| Guide { size, phase });
        let all = (6..=10).flat_map(phases);
        // Blocks of an even cube have no net, and weights tell of any number of pairs the same.
        all.filter(|guide| guide.size < 10 || guide.has_net()).collect()
    }

    /// The guide for a stage.
    pub(super) fn of(stage: &CentreStage) -> Guide {
        let size = match (stage.n.is_multiple_of(2), stage.pairs.len()) {
            (true, 4..) if stage.phase != CentrePhase::Blocks => 10,
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

    /// What it learns: the last stage of its phase.
    #[cfg(any(test, feature = "build-tables"))]
    pub(super) fn unguided(self) -> Unguided<PAIRS> {
        Unguided::new(CentreStage::all(self.size, self.phase))
    }

    /// For every weight, the number of the one that stands for all weights equal to it by symmetry.
    #[cfg(test)]
    pub fn same(self) -> Vec<u32> {
        self.unguided().laid().blank(&|| true).unwrap().same
    }
}

impl Guide {
    /// What it is called, and how many weights it has.
    fn weighs(self) -> (&'static str, u64) {
        match (self.size, self.phase) {
            (6, CentrePhase::Axis) => ("6x6x6-1-guide", 393_216),
            (8, CentrePhase::Axis) => ("8x8x8-1-guide", 393_216),
            (10, CentrePhase::Axis) => ("10x10x10-1-guide", 393_216),
            (6, CentrePhase::Axes) => ("6x6x6-2-guide", 918_016),
            (8, CentrePhase::Axes) => ("8x8x8-2-guide", 918_016),
            (10, CentrePhase::Axes) => ("10x10x10-2-guide", 918_016),
            (6, CentrePhase::Blocks) => ("6x6x6-3-guide", 408_792),
            (8, CentrePhase::Blocks) => ("8x8x8-3-guide", 408_792),
            (7, CentrePhase::Axis) => ("7x7x7-1-guide", 4_718_592),
            (_, CentrePhase::Axis) => ("9x9x9-1-guide", 4_718_592),
            (7, CentrePhase::Axes) => ("7x7x7-2-guide", 3_475_712),
            (_, CentrePhase::Axes) => ("9x9x9-2-guide", 3_475_712),
            (7, CentrePhase::Blocks) => ("7x7x7-3-guide", 1_466_108),
            (_, CentrePhase::Blocks) => ("9x9x9-3-guide", 1_466_108),
        }
    }

    /// How many weights it has. What else it has learned is its net.
    #[cfg(feature = "build-tables")]
    pub fn weights(self) -> usize {
        self.weighs().1 as usize
    }

    /// Whether it has a net. Of an even cube's blocks a net tells hardly more than the weights do.
    pub fn has_net(self) -> bool {
        self.phase != CentrePhase::Blocks || !self.size.is_multiple_of(2)
    }
}

impl Recipe for Guide {
    fn spec(&self) -> Spec {
        let (name, weights) = self.weighs();
        let net = if self.has_net() { Net::BYTES as u64 } else { 0 };
        let entries = weights + net;
        Spec {
            name,
            // 5: learned once for all, and shipped. 6: with nets. 7: whose columns are bytes.
            revision: if self.has_net() { 7 } else { 5 },
            width: Width::Byte,
            compression: 1,
            entries,
        }
    }

    fn size(&self) -> usize {
        self.size
    }

    /// It is unpacked only.
    fn cost(&self) -> Cost {
        Cost {
            alone: 0.1,
            shared: 0.0,
        }
    }

    #[cfg(feature = "build-tables")]
    fn depths(&self, _: &dyn Progress) -> Option<Depths> {
        let weights = learned::numbers(&self.spec());
        Some(Depths {
            histogram: vec![weights.len() as u64],
            depths: weights,
        })
    }

    /// A brick's program has no room for what all guides have learned.
    #[cfg(not(feature = "build-tables"))]
    fn depths(&self, _: &dyn Progress) -> Option<Depths> {
        None
    }
}
