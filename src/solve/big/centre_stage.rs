//! The centre phases and their stages: which cells each looks at, and its goal.

use crate::cube::{OrbitKind, Turn, orbits};
use crate::solve::words;

/// From so many layers on the first two phases are done by commutators.
const COMMUTED: usize = 14;
/// How many pairs of layers a stage of the first two phases looks at where a net leads it. One, and three: those of three layers, which an
/// 8x8x8 and a 9x9x9 have. On even cubes four, too, and six: those of four layers. A net misleads with more pairs than it has learned: that for three takes a
/// 10x10x10 492 turns instead of 444.
const fn netted(n: usize) -> &'static [usize] {
    match n % 2 {
        0 => &[1, 3, 4, 6],
        _ => &[1, 3],
    }
}

/// One of the three centre phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CentrePhase {
    /// Brings the centres of one axis onto one axis, named x here.
    Axis,
    /// Brings the centres of the other two axes onto theirs, and the wings of every layer into an even permutation. Half turns
    /// keep both.
    Axes,
    /// Makes blocks of centres that the turns of the innermost layer's ring move as one piece: in each corner of a face the
    /// obliques of that layer and of outer ones agree with its x-centres, and at each edge all t-centres agree.
    Blocks,
}

impl CentrePhase {
    /// The phases in their order.
    pub const ALL: [CentrePhase; 3] = [CentrePhase::Axis, CentrePhase::Axes, CentrePhase::Blocks];

    /// What it is called in messages.
    pub const fn name(self) -> &'static str {
        match self {
            CentrePhase::Axis => words::FIRST_AXIS,
            CentrePhase::Axes => words::ALL_AXES,
            CentrePhase::Blocks => words::BLOCKS,
        }
    }

    /// The set of cells of every orbit at the goal, in the order of [`Cells`](crate::search::Cells).
    pub const fn goal(self) -> u32 {
        match self {
            CentrePhase::Axis => 0xff_0000,
            CentrePhase::Axes => 0x00_00ff,
            CentrePhase::Blocks => 0x0f_0f0f,
        }
    }

    /// Whether a turn keeps what the phases before have done.
    pub fn keeps(self, turn: &Turn) -> bool {
        match self {
            CentrePhase::Axis => true,
            CentrePhase::Axes => turn.last == 1 || turn.quarters == 2 || turn.face.axis() == 0,
            CentrePhase::Blocks => turn.last == 1 || turn.quarters == 2,
        }
    }
}

/// A stage of a centre phase, which looks at some pairs of layers of a cube.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CentreStage {
    /// The size of the cube.
    pub n: usize,
    /// The phase.
    pub phase: CentrePhase,
    /// The pairs of layers, each with the outer one first. Looked at are their x-centres, their t-centres and the obliques that
    /// lie in both.
    pub pairs: Vec<[usize; 2]>,
}

impl CentreStage {
    /// The last stage of a phase, which looks at all pairs of layers. Pairs of inner layers come first, and of these pairs of near ones.
    pub fn all(n: usize, phase: CentrePhase) -> CentreStage {
        let inner = (2..n / 2).rev();
        let pairs: Vec<[usize; 2]> = match phase {
            CentrePhase::Axis | CentrePhase::Axes => inner.flat_map(|i| (i + 1..=n / 2).map(move |j| [i, j])).collect(),
            CentrePhase::Blocks => inner.map(|i| [i, n / 2]).collect(),
        };
        CentreStage { n, phase, pairs }
    }

    /// The stages of a phase, each with one more pair of layers, because a beam that begins with all of them gets stuck far from the goal.
    /// Where nets lead, two pairs more may come together.
    pub fn stages(n: usize, phase: CentrePhase) -> Vec<CentreStage> {
        let all = CentreStage::all(n, phase);
        if all.is_commuted() {
            return vec![all];
        }
        let (last, netted) = (all.pairs.len(), netted(n));
        let is_end = |end| phase == CentrePhase::Blocks || netted.contains(&end) || netted.iter().all(|&led| led < end);
        let ends = (1..=last).filter(|&end| is_end(end));
        let stage = |end| CentreStage {
            pairs: all.pairs[..end].to_vec(),
            ..all.clone()
        };
        ends.map(stage).collect()
    }

    /// Whether no guide leads it, but commutators bring all orbits to its goal together. With so many layers beams that are led get stuck
    /// in most stages. What makes blocks looks at one layer's orbits, and is led always.
    pub fn is_commuted(&self) -> bool {
        self.n >= COMMUTED && self.phase != CentrePhase::Blocks
    }

    /// Whether what the net of its guide tells holds for it, if that has one. The net for the blocks of several pairs has learned two, and
    /// leads with more, too: beams of a 17x17x17, with up to seven, are hardly stuck any more (`README.md`).
    pub fn trusts_net(&self) -> bool {
        self.phase == CentrePhase::Blocks || netted(self.n).contains(&self.pairs.len())
    }

    /// The most turns that it takes. A beam that is stuck ends sooner.
    pub fn longest(&self) -> usize {
        match self.is_commuted() {
            true => 6 * self.n * self.n,
            false => 20 * self.n,
        }
    }

    /// Whether the cube has so many layers that the phase has several stages.
    pub fn has_several_pairs(&self) -> bool {
        CentreStage::all(self.n, self.phase).pairs.len() > 1
    }

    /// Whether a layer is in one of the pairs.
    pub fn has(&self, layer: u8) -> bool {
        self.pairs.iter().flatten().any(|&l| l == usize::from(layer))
    }

    /// The orbits of centres that the stage looks at.
    pub fn orbits(&self) -> Vec<OrbitKind> {
        let kinds = orbits(self.n).into_iter().map(|orbit| orbit.kind);
        let nearest = |line: u8| line.min(self.n as u8 + 1 - line);
        kinds
            .filter(|&kind| match kind {
                OrbitKind::XCentre { layer } => {
                    self.has(layer) && (self.phase != CentrePhase::Blocks || usize::from(layer) == self.n / 2)
                }
                OrbitKind::TCentre { layer } => self.has(layer),
                OrbitKind::Oblique { row, column } => {
                    let mut pair = [row, column].map(|line| usize::from(nearest(line)));
                    crate::order::by(&mut pair, PartialOrd::lt);
                    self.pairs.contains(&pair)
                }
                _ => false,
            })
            .collect()
    }
}
