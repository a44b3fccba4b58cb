//! The tables of all five phases.

use super::{phase1, phase2, phase3, phase5, ring};
use crate::solve::phase_table::PhaseTable;

/// The tables of all phases.
pub(crate) static TABLES: [&PhaseTable; 15] = [
    &phase1::T_CENTRES,
    &phase1::X_CENTRES,
    &phase1::NEARBY,
    &phase2::ALL,
    &phase3::WINGS,
    &phase3::MIDGES_BARS,
    &phase3::NEARBY,
    &ring::EDGES,
    &ring::WINGS_SIDES,
    &ring::WINGS_LAYERS,
    &ring::ALL_CENTRES,
    &ring::NEARBY,
    &phase5::WINGS_CENTRES,
    &phase5::ALL_CENTRES,
    &phase5::NEARBY,
];

#[cfg(test)]
#[cfg(feature = "build-tables")]
pub(super) mod tests {
    use super::*;
    use crate::progress::Quiet;
    use crate::tables::{Recipe, Store, Width};
    use std::sync::OnceLock;

    /// All tables, made once for all tests.
    pub(in crate::solve::five) fn built() -> &'static Store {
        static BUILT: OnceLock<Store> = OnceLock::new();
        BUILT.get_or_init(|| crate::testing::built(&TABLES.map(PhaseTable::clone)))
    }

    #[test]
    #[ignore = "builds the tables of a 5x5x5"]
    fn every_entry_is_reached_and_the_numbers_at_each_distance_do_not_change() {
        let known: [&[u64]; 15] = [
            &[1, 4, 66, 900, 9626, 80202, 329202, 302146, 13324],
            &[1, 4, 82, 1206, 14116, 123404, 422508, 173254, 896],
            &[1, 1, 9, 142, 2623, 51793, 1019932],
            &[
                1, 1, 4, 41, 348, 3424, 33065, 296646, 2065895, 7910858, 11129419, 2950486, 37056, 16,
            ],
            &[2, 4, 58, 556, 3636, 29156, 225752, 905700, 1195944, 331624, 11724],
            &[216, 432, 6984, 69392, 367092, 996732, 941992, 124804, 1156],
            &[1, 1, 4, 33, 267, 2937, 32456, 306147],
            &[
                1, 2, 10, 56, 337, 2100, 12525, 71445, 385107, 1889220, 7564378, 19318262, 18165899, 2335978, 9560,
            ],
            &[
                6, 12, 78, 508, 3610, 25650, 161628, 823708, 2871368, 5000760, 3333596, 568582, 4606,
            ],
            &[
                6, 12, 78, 516, 3047, 20246, 129232, 792151, 4459706, 20441854, 57963527, 55470719, 5829269, 8037,
            ],
            &[36, 132, 1146, 7176, 36836, 171754, 503484, 749808, 483736, 158924, 3768],
            &[17, 33, 249, 1909, 15449, 134835],
            &[
                1, 1, 7, 41, 225, 1343, 7956, 47388, 270792, 1383928, 5354156, 11247225, 7171765, 426062, 310,
            ],
            &[1, 4, 42, 280, 1691, 8806, 36264, 77966, 46518, 4828],
            &[1, 1, 5, 36, 264, 2057, 16924, 142386],
        ];
        for (table, known) in TABLES.into_iter().zip(known) {
            let spec = &table.spec;
            let histogram = built().open(table).unwrap().header().histogram.clone();
            assert_eq!(histogram, known, "{}", spec.name);
            let all = spec.width == Width::Byte || known.iter().sum::<u64>() == spec.entries;
            assert!(all, "{}", spec.name);
        }
    }

    #[test]
    #[ignore = "builds the tables of a 5x5x5"]
    fn tables_do_not_contradict_themselves_and_wrong_ones_do() {
        for table in TABLES {
            let spec = &table.spec;
            let built = built().open(table).unwrap();
            let contradiction = |payload: &[u8]| table.contradiction(payload, 5000, &Quiet);
            assert_eq!(contradiction(built.payload()), None, "{}", spec.name);
            for byte in [0, 0x55, 0xff] {
                let wrong = vec![byte; built.payload().len()];
                let found = table.flaw(&wrong).or_else(|| contradiction(&wrong));
                assert!(found.is_some(), "{} {byte}", spec.name);
            }
        }
    }
}
