//! The tables of all five phases.

use super::five::Look5;
use super::four::{LAYERS_K, Look4, SIDES_K};
use crate::tables::{Depths, Progress, Recipe, Spec, Width};

/// One of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Table5 {
    /// Phase 4, midges and both kinds of wings.
    Edges4,
    /// Phase 4, midges and low wings × centres of R and L.
    WingsSides4,
    /// Phase 4, midges and low wings × centres of U and D.
    WingsLayers4,
    /// Phase 4, centres of R and L × centres of U and D.
    Centres4,
    /// Phase 5, low wings × centres of U and D.
    WingsCentres5,
    /// Phase 5, all centres.
    Centres5,
}

impl Table5 {
    /// All of them.
    pub const ALL: [Table5; 6] = [
        Table5::Edges4,
        Table5::WingsSides4,
        Table5::WingsLayers4,
        Table5::Centres4,
        Table5::WingsCentres5,
        Table5::Centres5,
    ];
}

impl Recipe for Table5 {
    fn spec(&self) -> Spec {
        use Width::{Mod3, Nibble};
        let (name, width, compression, entries) = match self {
            Table5::Edges4 => ("5x5x5-4-edges", Mod3, 1, 29_616 * 1680),
            Table5::WingsSides4 => ("5x5x5-4-wings-sides", Nibble, SIDES_K as u8, 29_616 * 432),
            Table5::WingsLayers4 => ("5x5x5-4-wings-layers", Nibble, LAYERS_K as u8, 29_616 * 4900),
            Table5::Centres4 => ("5x5x5-4-centres", Nibble, 1, 432 * 4900),
            Table5::WingsCentres5 => ("5x5x5-5-wings-centres", Nibble, 2, 5288 * 4900),
            Table5::Centres5 => ("5x5x5-5-centres", Nibble, 1, 36 * 4900),
        };
        Spec {
            name,
            revision: 1,
            width,
            compression,
            entries,
        }
    }

    fn size(&self) -> usize {
        5
    }

    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        match self {
            Table5::Edges4 => Look4::new().edges(progress),
            Table5::WingsSides4 => Look4::new().wings_sides(progress),
            Table5::WingsLayers4 => Look4::new().wings_layers(progress),
            Table5::Centres4 => Look4::new().all_centres(progress),
            Table5::WingsCentres5 => Look5::new().wings_centres(progress),
            Table5::Centres5 => Look5::new().all_centres(progress),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Quiet;

    #[test]
    fn every_entry_is_reached_and_the_numbers_at_each_distance_do_not_change() {
        let known: [&[u64]; 6] = [
            &[
                1, 2, 10, 56, 337, 2100, 12525, 71445, 385107, 1889220, 7564378, 19318262, 18165899, 2335978, 9560,
            ],
            &[],
            &[],
            &[],
            &[
                1, 1, 7, 41, 225, 1343, 7956, 47388, 270792, 1383928, 5354156, 11247225, 7171765, 426062, 310,
            ],
            &[1, 4, 42, 280, 1691, 8806, 36264, 77966, 46518, 4828],
        ];
        for (table, known) in Table5::ALL.into_iter().zip(known) {
            let spec = table.spec();
            let began = std::time::Instant::now();
            let depths = table.depths(&Quiet).unwrap();
            eprintln!("{} {:?} {:?}", spec.name, began.elapsed(), depths.histogram);
            assert_eq!(depths.depths.len() as u64, spec.entries, "{}", spec.name);
            assert_eq!(depths.histogram.iter().sum::<u64>(), spec.entries, "{}", spec.name);
            if !known.is_empty() {
                assert_eq!(depths.histogram, known, "{}", spec.name);
            }
        }
    }
}
