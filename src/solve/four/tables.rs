//! The tables of the three phases.

use super::{axis, halves, pairs};
use crate::search::Cells;
use crate::tables::{Depths, Progress, Recipe, Spec, Width, breadth_first};

/// One of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Table4 {
    /// Phase 1, the centres of one axis.
    Axis,
    /// Phase 2, the other centres.
    Centres,
    /// Phase 3, all centres.
    SolvedCentres,
    /// Phase 3, the wings.
    Pairs,
}

impl Table4 {
    /// All of them.
    pub const ALL: [Table4; 4] = [Table4::Axis, Table4::Centres, Table4::SolvedCentres, Table4::Pairs];
}

impl Recipe for Table4 {
    fn spec(&self) -> Spec {
        let (name, entries, width) = match self {
            Table4::Axis => ("4x4x4-1-axis", 735_471, Width::Nibble),
            Table4::Centres => ("4x4x4-2-centres", 6435 * 35 * 2, Width::Nibble),
            Table4::SolvedCentres => ("4x4x4-3-centres", 70 * 70 * 12 * 2, Width::Nibble),
            Table4::Pairs => ("4x4x4-3-pairs", 1538 * 20_160, Width::Mod3),
        };
        Spec {
            name,
            revision: 1,
            width,
            compression: 1,
            entries,
        }
    }

    fn size(&self) -> usize {
        4
    }

    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        match self {
            Table4::Axis => breadth_first(&axis::sets(&Cells::new(4, axis::CENTRES)), progress),
            Table4::Centres => breadth_first(&halves::Centres::new(), progress),
            Table4::SolvedCentres => breadth_first(&pairs::Centres::new(), progress),
            Table4::Pairs => breadth_first(&pairs::Pairs::new(), progress),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::cube::{Face, Square, State, Turn};
    use crate::tables::{Quiet, Store};
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use std::sync::OnceLock;

    /// All tables, made once for all tests by the code as it is. They stay where the tests of the whole program find
    /// them.
    pub(in crate::solve::four) fn built() -> &'static Store {
        static BUILT: OnceLock<Store> = OnceLock::new();
        BUILT.get_or_init(|| {
            let store = Store::new(concat!(env!("CARGO_MANIFEST_DIR"), "/target/tmp/tables"));
            for table in Table4::ALL {
                store.build(&table, &Quiet).unwrap();
            }
            store
        })
    }

    /// Some of a phase's turns.
    pub(in crate::solve::four) fn chosen(turns: &[Turn], count: usize, rng: &mut ChaCha8Rng) -> Vec<Turn> {
        (0..count).map(|_| turns[rng.random_range(0..turns.len())]).collect()
    }

    /// What some of a phase's turns make of the solved cube.
    pub(in crate::solve::four) fn shuffled(turns: &[Turn], count: usize, rng: &mut ChaCha8Rng) -> State {
        let mut state = State::solved(4);
        state.turn_all(&chosen(turns, count, rng));
        state
    }

    /// The colours of the centres on both faces of an axis, four and four.
    pub(in crate::solve::four) fn centres(state: &State, axis: usize) -> Vec<Face> {
        let faces = Face::ALL.into_iter().filter(|face| face.axis() == axis);
        let squares = faces.flat_map(|face| [5, 6, 9, 10].map(|i| Square::at(4, face, i / 4, i % 4)));
        squares.map(|square| state.colour(square)).collect()
    }

    #[test]
    fn every_entry_is_reached_and_the_numbers_at_each_distance_do_not_change() {
        let known: [&[u64]; 4] = [
            &[3, 6, 108, 1434, 15210, 126306, 420312, 171204, 888],
            &[6, 11, 97, 840, 5651, 30868, 114112, 217442, 80295, 1128],
            &[4, 12, 136, 952, 4472, 14876, 27964, 33440, 26400, 8832, 512],
            &[
                1, 3, 12, 39, 269, 1598, 10353, 65365, 407719, 2292838, 8964228, 15749991, 3510525, 3139,
            ],
        ];
        for (table, known) in Table4::ALL.into_iter().zip(known) {
            let spec = table.spec();
            let histogram = built().open(&table).unwrap().header().histogram.clone();
            assert_eq!(histogram, known, "{}", spec.name);
            assert_eq!(known.iter().sum::<u64>(), spec.entries, "{}", spec.name);
        }
    }
}
