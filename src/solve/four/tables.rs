//! The tables of the three phases.

use super::{axis, halves, pairs};
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
            Table4::Axis => breadth_first(&axis::Coordinate::new(), progress),
            Table4::Centres => breadth_first(&halves::Centres::new(), progress),
            Table4::SolvedCentres => breadth_first(&pairs::Centres::new(), progress),
            Table4::Pairs => breadth_first(&pairs::Pairs::new(), progress),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Quiet;

    #[test]
    fn every_entry_is_reached_and_the_numbers_at_each_distance_do_not_change() {
        for table in Table4::ALL {
            let t = std::time::Instant::now();
            let depths = table.depths(&Quiet).unwrap();
            eprintln!("{} {:?} {:?}", table.spec().name, depths.histogram, t.elapsed());
            assert_eq!(
                depths.histogram.iter().sum::<u64>(),
                table.spec().entries,
                "{}",
                table.spec().name
            );
        }
    }
}
