//! The tables of the four phases: exact distances of all that a phase can see.

use super::coordinates::Looks;
use crate::solve::phase_table::PhaseTable;
use crate::tables::Width;

/// All tables, in the order of the phases.
pub(in crate::solve) static TABLES: [PhaseTable; 4] = [
    PhaseTable {
        explore: |task| task.explore(&Looks::flips()),
        ..PhaseTable::new(3, "3x3x3-g1-flip", Width::Nibble, 2048, [0.01, 0.0])
    },
    PhaseTable {
        explore: |task| task.explore(&Looks::twists()),
        ..PhaseTable::new(3, "3x3x3-g2-twist-slice", Width::Nibble, 2187 * 495, [0.01, 0.1])
    },
    PhaseTable {
        explore: |task| task.explore(&Looks::orbits()),
        ..PhaseTable::new(3, "3x3x3-g3-corners-midges", Width::Nibble, 420 * 70, [0.01, 0.0])
    },
    PhaseTable {
        explore: |task| task.explore(&Looks::pieces()),
        ..PhaseTable::new(3, "3x3x3-g4-half-turns", Width::Nibble, 96 * 6912, [0.01, 0.03])
    },
];
