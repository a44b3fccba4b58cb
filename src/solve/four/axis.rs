//! Phase 1: brings the eight centres of one axis onto one axis. Any axis will do.

use crate::cube::{Face, OrbitKind, State, Symmetry, Turn, all_turns};
use crate::progress::Progress;
use crate::search::{Cells, Phase, SetMap, Sets, Subsets};
use crate::solve::phase_table::PhaseTable;
use crate::solve::reduction::Stage;
use crate::solve::words;
use crate::sure::surely;
use crate::tables::{Contradiction, Store, Table, TableError, Width};

/// All turns, those of the outer layers first.
pub(super) fn turns() -> Vec<Turn> {
    let mut turns = all_turns(4);
    crate::order::by_key(&mut turns, |turn| turn.last);
    turns
}

/// The centres of a 4x4x4.
pub(super) const CENTRES: OrbitKind = OrbitKind::XCentre { layer: 2 };

/// The cells on the two faces of each axis, x, y, z, as sets: a bit for each cell.
pub(super) const AXES: [u32; 3] = [0xff_0000, 0xff, 0xff00];

/// The coordinate of phase 1: the set of cells where the eight centres are.
pub(super) fn sets(cells: &Cells) -> Sets {
    Sets {
        turns: turns().into_iter().map(|t| SetMap::new(&cells.turned(t))).collect(),
        goals: AXES.to_vec(),
        subsets: Subsets::new(24, 8),
    }
}

/// The pruning table of phase 1.
pub(super) static TABLE: PhaseTable = PhaseTable {
    explore: |task| task.explore(&sets(&Cells::new(4, CENTRES))),
    ..PhaseTable::new(4, "4x4x4-1-axis", Width::Nibble, 735_471, [0.01, 0.07])
};

/// The phase with its table.
pub(super) struct Axis {
    cells: Cells,
    turns: Vec<Turn>,
    sets: Sets,
    table: Table,
}

impl Axis {
    /// Opens the table.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Axis, TableError> {
        let cells = Cells::new(4, CENTRES);
        Ok(Axis {
            sets: sets(&cells),
            cells,
            turns: turns(),
            table: store.open_or_build(&TABLE, progress)?,
        })
    }
}

impl Phase for Axis {
    type Node = u32;
    type Root = ();

    fn turns(&self) -> &[Turn] {
        &self.turns
    }

    fn child(&self, node: &u32, turn: usize) -> u32 {
        self.sets.turns[turn].apply(*node)
    }

    #[inline]
    fn bound(&self, node: &u32) -> u32 {
        u32::from(Table::nibble(self.table.payload(), self.sets.subsets.rank(*node)))
    }

    fn denied(&self, goal: &u32) -> Option<&'static str> {
        (!AXES.contains(goal)).then(|| TABLE.name())
    }
}

impl Stage for Axis {
    fn name(&self) -> &'static str {
        words::FIRST_AXIS
    }

    /// Three starts: phase 1 may bring the colours of any axis together.
    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, u32, ())) -> Result<(), Contradiction> {
        for axis in 0..3 {
            push(Symmetry::IDENTITY, self.cells.of_axis(state, axis), ());
        }
        Ok(())
    }
}

/// The rotation that brings an axis to x.
pub(super) fn to_x(axis: usize) -> Symmetry {
    let fits = |s: &Symmetry| s.face(Face::at(axis, 1)) == Face::R;
    surely(Symmetry::rotations().into_iter().find(fits))
}

#[cfg(test)]
mod tests {
    use super::super::tables::tests::{built, centres, shuffled};
    use super::*;
    use crate::progress::Quiet;
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Whether the centres of one axis have only the colours of one axis.
    fn is_done(state: &State) -> bool {
        (0..3).any(|axis| {
            let shown = centres(state, axis);
            shown.iter().all(|colour| colour.axis() == shown[0].axis())
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn turning_a_node_is_turning_the_cube(seed: u64, count in 0usize..6) {
            let phase = Axis::open(built(), &Quiet).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let starts = |state: &State| {
                let mut starts = Vec::new();
                phase.starts(state, &mut |_, node, ()| starts.push(node)).unwrap();
                starts
            };
            let mut state = shuffled(phase.turns(), count, &mut rng);
            let mut nodes = starts(&state);
            for _ in 0..8 {
                let nearest = nodes.iter().map(|node| phase.bound(node)).min();
                prop_assert_eq!(nearest == Some(0), is_done(&state), "{}", state);
                let turn = rng.random_range(0..phase.turns().len());
                state.turn(phase.turns()[turn]);
                nodes.iter_mut().for_each(|node| *node = phase.child(node, turn));
                prop_assert_eq!(&nodes, &starts(&state));
            }
        }
    }
}
