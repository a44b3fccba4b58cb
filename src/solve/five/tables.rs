//! The tables of all five phases.

use super::five::Look5;
use crate::tables::{Depths, Progress, Recipe, Spec, Width};

/// One of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Table5 {
    /// Phase 5, low wings × centres of U and D.
    WingsCentres5,
    /// Phase 5, all centres.
    Centres5,
}

impl Table5 {
    /// All of them.
    pub const ALL: [Table5; 2] = [Table5::WingsCentres5, Table5::Centres5];
}

impl Recipe for Table5 {
    fn spec(&self) -> Spec {
        use Width::Nibble;
        let (name, width, compression, entries) = match self {
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
        let known: [&[u64]; 2] = [
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
            assert_eq!(depths.histogram, known, "{}", spec.name);
        }
    }
}
