//! Proofs for the 3x3x3: a solution, and that nothing shorter exists.
//!
//! One pruning table says how far a cube is from the group of the turns U and D, by flips, slice midges and twists (see
//! [`cosets`]). It is asked six times for a cube: along three axes, for the cube and its inverse. A search depth by depth goes on from
//! either side, the cube or its inverse, whichever leaves fewer turns to try: where the table says that all the turns that are left
//! are needed to reach the group along an axis, the first turn on the other side cannot be one of the group's.
//!
//! Before the long search of a number of turns there is a hasty one, which leaves out what hardly leads to a solution. If there is one of
//! so many turns, most often it finds one, in a fraction of the time.
//!
//! It has its own search, as `search::deepen` knows one node with one bound, and neither sides to choose from nor threads.

mod cosets;
mod level;
mod prover;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod whole;

use super::three::Solver3;
use super::words::PROOF;
use crate::cube::{Cubies, Turn};
use crate::search::Meter;
use crate::tables::in_words;
pub(super) use prover::Prover;
pub(super) use table::Optimal3;

impl Prover {
    /// Puts the shortest solution before those that were found, if it is another one; and whether it is proved to be.
    pub fn prove(
        &self,
        three: &Solver3,
        cubies: &Cubies,
        (mut found, proved): (Vec<Vec<Turn>>, bool),
        keep: usize,
        meter: &mut Meter,
    ) -> (Vec<Vec<Turn>>, bool) {
        let Some(known) = found.first().map(Vec::len).filter(|_| !proved) else {
            return (found, proved);
        };
        let all = known.saturating_sub(1);
        log::info!(
            "{known} turns are found; to search all of up to {all} takes {} at most",
            in_words(seconds(all))
        );
        let (shorter, proved) = self.shorter(three, cubies, known, meter);
        meter.book(PROOF, 3);
        if let Some(turns) = shorter {
            found.insert(0, turns);
            found.truncate(keep.max(1));
        }
        if !proved {
            log::warn!("ended before it was proved that nothing shorter exists");
        }
        (found, proved)
    }

    /// The shortest solution, if it has fewer turns than `known`; or nothing if there is none. With whether all shorter ones were
    /// searched before the meter ended it.
    pub fn shorter(
        &self,
        three: &Solver3,
        start: &Cubies,
        known: usize,
        meter: &mut Meter,
    ) -> (Option<Vec<Turn>>, bool) {
        search::shorter(self, three, start, known, meter)
    }
}

/// About how many seconds it takes this computer to search all ways of so many turns.
fn seconds(turns: usize) -> f64 {
    /// The seconds of one core for 17 turns, measured on a busy PC of 2023.
    const SEVENTEEN: f64 = 25.0;
    SEVENTEEN * 13.35f64.powi(turns as i32 - 17) / search::cores() as f64
}
