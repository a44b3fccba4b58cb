//! The table of the method: its algorithms, and for every stage the cost of each way in which its pieces can lie.

use super::algorithms::ALL;
use super::course::{STAGES, doings, four, goals};
use crate::cube::Turn;
use crate::methods::ladder::{LIES, costs};
use crate::methods::word::{CELL, of_cell, to_cell};
use crate::methods::words::{Words, ease};
use crate::progress::Progress;
use crate::tables::{BUILDS_TABLES, Cost, Depths, Recipe, Spec, Width};

/// Where the costs begin.
const COSTS: usize = ALL.len() * CELL;
/// Turns of half an algorithm: none of the short ones has more than eight, none of the others more than ten.
const HALVES: [usize; 2] = [4, 5];

/// The table of the method.
#[derive(Debug, Clone, Copy)]
pub(in crate::methods) struct LayersTable;

impl Recipe for LayersTable {
    fn spec(&self) -> Spec {
        Spec {
            name: "3x3x3-layers",
            revision: 1,
            width: Width::Byte,
            compression: 1,
            entries: (COSTS + STAGES * LIES) as u64,
        }
    }

    fn size(&self) -> usize {
        3
    }

    fn cost(&self) -> Cost {
        Cost {
            alone: 0.8,
            shared: 0.4,
        }
    }

    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        // Half a million words take more memory than a brick has.
        if !BUILDS_TABLES {
            return None;
        }
        let words = words(progress)?;
        let mut bytes = vec![0; COSTS];
        for (cell, word) in bytes.chunks_mut(CELL).zip(&words) {
            to_cell(word, cell);
        }
        for stage in 0..STAGES {
            if progress.stopped() {
                return None;
            }
            bytes.extend(costs(four(stage), &doings(stage, &words), &goals(stage)));
        }
        Some(Depths {
            histogram: vec![bytes.len() as u64],
            depths: bytes,
        })
    }

    fn flaw(&self, payload: &[u8]) -> Option<&'static str> {
        let all_there = algorithms(payload).iter().all(|word| !word.is_empty());
        (!all_there).then_some("an algorithm is missing")
    }
}

/// The algorithms of a table.
pub(super) fn algorithms(payload: &[u8]) -> Vec<Vec<Turn>> {
    payload[..COSTS].chunks(CELL).map(of_cell).collect()
}

/// The costs of a stage.
pub(super) fn costs_of(payload: &[u8], stage: usize) -> &[u8] {
    &payload[COSTS + stage * LIES..][..LIES]
}

/// Finds the algorithms: of all words that do what is wanted the one that is learned most easily. `None` if stopped.
fn words(progress: &dyn Progress) -> Option<Vec<Vec<Turn>>> {
    let mut found: Vec<Vec<Turn>> = vec![Vec::new(); ALL.len()];
    // Algorithms that leave the same pieces where they are stand side by side.
    let numbers: Vec<usize> = (0..ALL.len()).collect();
    for group in numbers.chunk_by(|&a, &b| ALL[a].kept == ALL[b].kept) {
        let first = &ALL[group[0]];
        let words = Words::new(first.kept, HALVES[usize::from(first.stage > 2)], progress)?;
        words.see(|effect, length, turns| {
            for &number in group {
                let known = &found[number];
                if (ALL[number].is_it)(effect) && (known.is_empty() || length <= known.len()) {
                    let turns = turns();
                    if known.is_empty() || ease(&turns) < ease(known) {
                        found[number] = turns;
                    }
                }
            }
        });
    }
    Some(found)
}
