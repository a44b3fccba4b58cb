//! How hard each step of a solve tries: the one place where widths of beams and budgets are set. What a waiting machine gets instead is
//! in `waiting.rs`.

use super::centre_stage::CentreStage;
use crate::search::Effort;
use crate::solve::five::Pairing;
use crate::solve::reduction::{ONCE, STEPS, Tries};

/// The steps that a PC tries harder than a brick.
const NORMAL: usize = Effort::Normal as usize;
const BEST: usize = Effort::Best as usize;

/// How hard a PC tries a step with a cube of size `n`: so that *normal* takes no more than a minute or two, and *best* half a minute. The largest
/// cubes need that as it is.
pub(super) fn tries(n: usize, step: usize) -> Tries {
    match (n, step) {
        (6, NORMAL) => Tries { ways: 1, times: 8 },
        (7, NORMAL) => Tries { ways: 1, times: 6 },
        (8, NORMAL) => Tries { ways: 1, times: 3 },
        (9 | 10, NORMAL) => Tries { ways: 1, times: 2 },
        (6, BEST) => Tries { ways: 2, times: 4 },
        (7, BEST) => Tries { ways: 1, times: 3 },
        _ => ONCE,
    }
}

/// From the 8x8x8 on, a PC that tries a cube harder than a brick tries what looks at one layer at least so many times as hard.
const LAYERS: usize = 6;
/// The same for what pairs the wings of a ring. Of a 9x9x9 layers and rings take a third of the nodes.
const RINGS: usize = 12;

/// How much work a step may do.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepWork {
    /// Widths of the centre phases' beams, by [`CentrePhase`](super::centre_stage::CentrePhase).
    pub widths: [usize; 3],
    /// The same for phases that look at several pairs of layers.
    pub several: usize,
    /// The same for commutators.
    pub commuting: usize,
    /// What limits widths on larger cubes: see [`StepWork::width_for`].
    pub work: u64,
    /// The same where commutators do the first two phases, which leaves few stages for the same time.
    pub commuted: u64,
    /// Ways of each length that these beams keep.
    pub keep: usize,
    /// For the innermost layers of an even cube: ways that are kept through phase 2 and 3 of the 4x4x4.
    pub inner: [usize; 2],
    /// Nodes for each of these two phases.
    pub nodes: u64,
    /// How hard the last phases of the 5x5x5 try, for all other rings.
    pub wings: Pairing,
    /// Ways through a ring that are kept for the next layer.
    pub rings: usize,
    /// The most layers of a turn that is tried before a commutator and undone after it.
    pub closing: usize,
    /// Nodes for the 3x3x3s.
    pub finish: u64,
}

/// The work of each step: quick, normal, best.
const PLAN: [StepWork; STEPS] = [
    StepWork {
        widths: [400; 3],
        several: 1600,
        commuting: 50,
        work: 7_000_000_000,
        commuted: 7_000_000_000,
        keep: 300,
        inner: [60, 100],
        nodes: 100_000,
        wings: Pairing {
            deepen: 300_000,
            ..Pairing::QUICK
        },
        rings: 100,
        closing: 1,
        finish: 200_000,
    },
    StepWork {
        // More nodes gain most in blocks.
        widths: [5000, 3000, 12_500],
        several: 26_000,
        commuting: 100,
        work: 110_000_000_000,
        commuted: 14_000_000_000,
        keep: 3000,
        inner: [300, 400],
        nodes: 500_000,
        wings: Pairing {
            three: [3000, 450],
            four: [9000, 2250],
            five: [7500, 450],
            // The same nodes gain more in the beams.
            deepen: 0,
            samples: true,
            ..Pairing::QUICK
        },
        rings: 1000,
        closing: 4,
        finish: 6_000_000,
    },
    StepWork {
        widths: [20_000; 3],
        several: 80_000,
        commuting: 400,
        work: 340_000_000_000,
        commuted: 56_000_000_000,
        keep: 3000,
        inner: [1000, 1000],
        nodes: 20_000_000,
        wings: Pairing::BEST,
        rings: 2000,
        closing: 8,
        finish: 36_000_000,
    },
];

/// *best* of a 7x7x7: *normal*, with all beams nearly four times as wide. The last step of [`PLAN`] takes it more nodes and finds a turn more; a
/// 6x6x6 needs a turn less by that step (`README.md`).
const BEST_OF_SEVEN: StepWork = StepWork {
    widths: [18_000, 11_000, 46_000],
    keep: 11_000,
    wings: Pairing {
        three: [11_000, 1650],
        four: [33_000, 8250],
        five: [27_500, 1650],
        ..PLAN[NORMAL].wings
    },
    rings: 3700,
    ..PLAN[BEST]
};

impl StepWork {
    /// What a step does with a cube of size `n`, if it tries so many `times` as hard as a brick.
    pub fn of(n: usize, step: usize, times: usize) -> StepWork {
        let once = match (n, step) {
            (7, BEST) => BEST_OF_SEVEN,
            _ => PLAN[step],
        };
        let work = once.times(times);
        match (n, step, times) {
            (8.., NORMAL, 2..) => work.with_layers_of(once.times(times.max(LAYERS)), once.times(times.max(RINGS))),
            _ => work,
        }
    }

    /// The same, but what looks at one layer is as in `layers`. So is how many ways go on from phase to phase, and the nodes of the 3x3x3s.
    /// What pairs the wings of a ring is as in `rings`, with ways through phase 3 that are a turn longer yet: either alone gains little.
    fn with_layers_of(self, layers: StepWork, rings: StepWork) -> StepWork {
        StepWork {
            several: self.several,
            commuting: self.commuting,
            work: self.work,
            commuted: self.commuted,
            inner: rings.inner,
            nodes: rings.nodes,
            wings: Pairing {
                beyond: rings.wings.beyond + 1,
                ..rings.wings
            },
            ..layers
        }
    }

    /// So many times as much work.
    fn times(self, times: usize) -> StepWork {
        let more = |nodes: u64| times as u64 * nodes;
        StepWork {
            widths: self.widths.map(|width| times * width),
            several: times * self.several,
            commuting: times * self.commuting,
            work: more(self.work),
            commuted: more(self.commuted),
            keep: times * self.keep,
            inner: self.inner.map(|ways| times * ways),
            nodes: more(self.nodes),
            wings: self.wings.times(times),
            rings: times * self.rings,
            closing: self.closing,
            finish: more(self.finish),
        }
    }

    /// The width of the beam of a stage that has so many turns, in a solve of these stages. Where a phase looks at
    /// several pairs of layers, beams must be wider. But on a larger cube a stage has more turns, takes longer, and each
    /// node costs more.
    pub fn width_for(&self, stage: &CentreStage, turns: usize, stages: &[CentreStage]) -> usize {
        if stage.is_commuted() {
            return self.commuting;
        }
        let wanted = if stage.has_several_pairs() {
            self.several
        } else {
            self.widths[stage.phase as usize]
        };
        let work = match stages.iter().any(CentreStage::is_commuted) {
            true => self.commuted,
            false => self.work,
        };
        let allowed = work / (turns as u64 * (stages.len() as u64).pow(4));
        wanted.min(allowed as usize).max(NARROWEST)
    }
}

/// The least width of a beam. Narrower ones find nothing.
const NARROWEST: usize = 30;
