//! The tables of all five phases.

use super::phase1::Look1;
use super::phase2::Look2;
use super::phase3::Look3;
use super::phase5::Look5;
use super::ring::{LAYERS_K, Look4, SIDES_K};
use super::{phase1, phase2, phase3, phase5, ring};
use crate::tables::{BUILDS_TABLES, Depths, Progress, Recipe, Spec, Width};

/// One of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Table5 {
    /// Phase 1, t-centres.
    T1,
    /// Phase 1, x-centres.
    X1,
    /// Phase 1, everything near the goal.
    Near1,
    /// Phase 2, everything.
    All2,
    /// Phase 3, wings.
    Wings3,
    /// Phase 3, midges × centres of R and L.
    MidgesBars3,
    /// Phase 3, wings and midges near the goal.
    Near3,
    /// Phase 4, midges and both kinds of wings.
    Edges4,
    /// Phase 4, midges and low wings × centres of R and L.
    WingsSides4,
    /// Phase 4, midges and low wings × centres of U and D.
    WingsLayers4,
    /// Phase 4, centres of R and L × centres of U and D.
    Centres4,
    /// Phase 4, everything near the goal.
    Near4,
    /// Phase 5, low wings × centres of U and D.
    WingsCentres5,
    /// Phase 5, all centres.
    Centres5,
    /// Phase 5, everything near the goal.
    Near5,
}

impl Table5 {
    /// All of them.
    pub const ALL: [Table5; 15] = [
        Table5::T1,
        Table5::X1,
        Table5::Near1,
        Table5::All2,
        Table5::Wings3,
        Table5::MidgesBars3,
        Table5::Near3,
        Table5::Edges4,
        Table5::WingsSides4,
        Table5::WingsLayers4,
        Table5::Centres4,
        Table5::Near4,
        Table5::WingsCentres5,
        Table5::Centres5,
        Table5::Near5,
    ];
}

impl Recipe for Table5 {
    fn spec(&self) -> Spec {
        use Width::{Byte, Mod3, Nibble};
        let (name, width, compression, entries) = match self {
            Table5::T1 => ("5x5x5-1-t-centres", Nibble, 1, phase1::SETS),
            Table5::X1 => ("5x5x5-1-x-centres", Nibble, 1, phase1::SETS),
            Table5::Near1 => ("5x5x5-1-near", Byte, 1, phase1::NEAR_BYTES),
            Table5::All2 => ("5x5x5-2-centres", Mod3, 1, 949 * 2 * phase2::HALVES),
            Table5::Wings3 => ("5x5x5-3-wings", Nibble, 1, 2_704_156),
            Table5::MidgesBars3 => ("5x5x5-3-midges-centres", Nibble, 1, phase3::FLIPS * phase3::BARS),
            Table5::Near3 => ("5x5x5-3-near", Byte, 1, phase3::NEAR_BYTES),
            Table5::Edges4 => ("5x5x5-4-edges", Mod3, 1, 29_616 * 1680),
            Table5::WingsSides4 => ("5x5x5-4-wings-sides", Nibble, SIDES_K as u8, 29_616 * 432),
            Table5::WingsLayers4 => ("5x5x5-4-wings-layers", Nibble, LAYERS_K as u8, 29_616 * 4900),
            Table5::Centres4 => ("5x5x5-4-centres", Nibble, 1, 432 * 4900),
            Table5::Near4 => ("5x5x5-4-near", Byte, 1, ring::NEAR_BYTES),
            Table5::Near5 => ("5x5x5-5-near", Byte, 1, phase5::NEAR_BYTES),
            Table5::WingsCentres5 => ("5x5x5-5-wings-centres", Nibble, 2, 5288 * 4900),
            Table5::Centres5 => ("5x5x5-5-centres", Nibble, 1, 36 * 4900),
        };
        Spec {
            name,
            revision: 1,
            width,
            compression,
            entries: entries as u64,
        }
    }

    fn size(&self) -> usize {
        5
    }

    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        // What would take a brick hours is not even in its program.
        if !BUILDS_TABLES {
            return None;
        }
        match self {
            Table5::T1 => Look1::new().orbit(0, progress),
            Table5::X1 => Look1::new().orbit(1, progress),
            Table5::Near1 => Look1::new().near(progress),
            Table5::All2 => Look2::new().all(progress),
            Table5::Wings3 => Look3::new().wings(progress),
            Table5::MidgesBars3 => Look3::new().midges_bars(progress),
            Table5::Near3 => Look3::new().near(progress),
            Table5::Edges4 => Look4::new().edges(progress),
            Table5::WingsSides4 => Look4::new().wings_sides(progress),
            Table5::WingsLayers4 => Look4::new().wings_layers(progress),
            Table5::Centres4 => Look4::new().all_centres(progress),
            Table5::Near4 => Look4::new().near(progress),
            Table5::Near5 => Look5::new().near(progress),
            Table5::WingsCentres5 => Look5::new().wings_centres(progress),
            Table5::Centres5 => Look5::new().all_centres(progress),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::tables::{Quiet, Store};
    use std::sync::OnceLock;

    /// All tables, made once for all tests by the code as it is. They stay where the tests of the whole program find
    /// them.
    pub(in crate::solve::five) fn built() -> &'static Store {
        static BUILT: OnceLock<Store> = OnceLock::new();
        BUILT.get_or_init(|| {
            let store = Store::new(concat!(env!("CARGO_MANIFEST_DIR"), "/target/tmp/tables"));
            for table in Table5::ALL {
                store.build(&table, &Quiet).unwrap();
            }
            store
        })
    }

    #[test]
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
            &[1],
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
            &[1],
            &[
                1, 1, 7, 41, 225, 1343, 7956, 47388, 270792, 1383928, 5354156, 11247225, 7171765, 426062, 310,
            ],
            &[1, 4, 42, 280, 1691, 8806, 36264, 77966, 46518, 4828],
            &[1],
        ];
        for (table, known) in Table5::ALL.into_iter().zip(known) {
            let spec = table.spec();
            let histogram = built().open(&table).unwrap().header().histogram.clone();
            if known == [1] {
                continue;
            }
            assert_eq!(histogram, known, "{}", spec.name);
            let all = spec.width == Width::Byte || known.iter().sum::<u64>() == spec.entries;
            assert!(all, "{}", spec.name);
        }
    }
}
