//! The tables of the three phases.

use super::{axis, halves, pairs};
use crate::solve::phase_table::PhaseTable;

/// All tables.
pub(crate) static TABLES: [&PhaseTable; 4] = [&axis::TABLE, &halves::TABLE, &pairs::SOLVED_CENTRES, &pairs::PAIRS];

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::cube::{Face, Square, State, Turn};
    use crate::progress::Quiet;
    use crate::tables::{Recipe, Store};
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use std::sync::OnceLock;

    /// All tables, made once for all tests.
    pub(in crate::solve::four) fn built() -> &'static Store {
        static BUILT: OnceLock<Store> = OnceLock::new();
        BUILT.get_or_init(|| crate::testing::built(&TABLES.map(PhaseTable::clone)))
    }

    /// Some of a phase's turns.
    pub(in crate::solve::four) fn chosen(turns: &[Turn], count: usize, rng: &mut ChaCha8Rng) -> Vec<Turn> {
        (0..count).map(|_| turns[rng.random_range(0..turns.len())]).collect()
    }

    /// The solved cube after some of a phase's turns.
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
        // A compass has some bytes for each state.
        for ((table, known), bytes) in TABLES.into_iter().zip(known).zip([1, 7, 5, 1]) {
            let spec = &table.spec;
            let histogram = built().open(table).unwrap().header().histogram.clone();
            assert_eq!(histogram, known, "{}", spec.name);
            assert_eq!(known.iter().sum::<u64>() * bytes, spec.entries, "{}", spec.name);
        }
    }

    #[test]
    fn tables_do_not_contradict_themselves_and_wrong_ones_do() {
        for table in TABLES {
            let built = built().open(table).unwrap();
            let contradiction = |payload: &[u8]| table.contradiction(payload, 5000, &Quiet);
            assert_eq!(contradiction(built.payload()), None, "{}", table.name());
            for byte in [0, 0x11, 0x55, 0x77, 0xff] {
                let wrong = vec![byte; built.payload().len()];
                assert!(contradiction(&wrong).is_some(), "{} {byte}", table.name());
            }
        }
    }
}
