//! The first phase: the t-centres and x-centres of one axis on its two faces.

use super::tables::Table5;
use super::turns;
use crate::cube::{Face, OrbitKind, State, Symmetry, Turn};
use crate::search::{Cells, Phase, SetMap, Sets, Subsets};
use crate::tables::{Depths, Progress, Store, Table, TableError, breadth_first};

/// The cells of R and L.
const GOAL: u32 = 0xff_0000;
/// Ways to choose eight of 24 cells.
pub(super) const SETS: usize = 735_471;

/// The coordinates.
pub(super) struct Look1 {
    /// T-centres, then x-centres.
    centres: [Cells; 2],
    turns: Vec<Turn>,
    /// By orbit and turn.
    turned: [Vec<SetMap>; 2],
    subsets: Subsets,
}

impl Look1 {
    /// Fills all tables.
    pub fn new() -> Look1 {
        let centres =
            [OrbitKind::TCentre { layer: 2 }, OrbitKind::XCentre { layer: 2 }].map(|kind| Cells::new(5, kind));
        let turns = turns(|_| true);
        let maps = |orbit: usize| turns.iter().map(|&t| SetMap::new(&centres[orbit].turned(t))).collect();
        Look1 {
            turned: [maps(0), maps(1)],
            subsets: Subsets::new(24, 8),
            centres,
            turns,
        }
    }

    /// Distances of t-centres (`orbit` 0) or x-centres (1).
    pub fn orbit(&self, orbit: usize, progress: &dyn Progress) -> Option<Depths> {
        let sets = Sets {
            subsets: self.subsets.clone(),
            turns: self.turned[orbit].clone(),
            goal: GOAL,
        };
        breadth_first(&sets, progress)
    }
}

/// A cube as the first phase sees it: the cells of the t-centres and x-centres that belong to R and L.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node1 {
    t: u32,
    x: u32,
}

/// The first phase with its tables.
pub(crate) struct Phase1 {
    look: Look1,
    t: Table,
    x: Table,
}

impl Phase1 {
    /// Opens the tables.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Phase1, TableError> {
        Ok(Phase1 {
            look: Look1::new(),
            t: store.open_or_build(&Table5::T1, progress)?,
            x: store.open_or_build(&Table5::X1, progress)?,
        })
    }

    /// The ways to see a state, whose fixed centres are at home: each of the three axes as that of R and L.
    pub fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Node1)) {
        for held in axes() {
            let mut seen = state.renamed(held);
            seen.rotate(held);
            let [t, x] = [0, 1].map(|orbit: usize| self.look.centres[orbit].of_axis(&seen, 0));
            push(held, Node1 { t, x });
        }
    }

    /// Distances to the goal of t-centres and of x-centres.
    #[inline]
    fn distances(&self, node: &Node1) -> [u32; 2] {
        let subsets = &self.look.subsets;
        [
            Table::nibble(self.t.payload(), subsets.rank(node.t)) as u32,
            Table::nibble(self.x.payload(), subsets.rank(node.x)) as u32,
        ]
    }
}

/// Three ways to hold a cube that take each axis to that of R and L.
pub(super) fn axes() -> [Symmetry; 3] {
    let once = Symmetry::turning(Face::U, 1).then(Symmetry::turning(Face::R, 1));
    [Symmetry::IDENTITY, once, once.then(once)]
}

impl Phase for Phase1 {
    type Node = Node1;

    fn turns(&self) -> &[Turn] {
        &self.look.turns
    }

    #[inline]
    fn child(&self, node: &Node1, turn: usize) -> Node1 {
        let [t, x] = &self.look.turned;
        Node1 {
            t: t[turn].apply(node.t),
            x: x[turn].apply(node.x),
        }
    }

    #[inline]
    fn estimate(&self, node: &Node1) -> u32 {
        let [t, x] = self.distances(node);
        8 * t.max(x) + 4 * t.min(x)
    }

    fn key(&self, node: &Node1) -> u64 {
        node.t as u64 | (node.x as u64) << 24
    }
}
