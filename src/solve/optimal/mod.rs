//! Proofs for the 3x3x3: a solution, and that nothing shorter exists.
//!
//! One pruning table says how far a cube is from the group of the turns U and D, by flips, slice midges and twists (see
//! [`cosets`]). It is asked six times for a cube: along three axes, for the cube and its inverse. A search depth by depth goes on from
//! either side, the cube or its inverse, whichever leaves fewer turns to try: where the table says that all the turns that are left
//! are needed to reach the group along an axis, the first turn on the other side cannot be one of the group's.
//!
//! It has its own search, as `search::deepen` knows one node with one bound, and neither sides to choose from nor threads.

mod cosets;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod whole;

use super::three::Solver3;
use crate::cube::{Cubies, Turn};
use crate::progress::Progress;
use crate::search::Meter;
use crate::tables::{Store, Table, TableError};
use cosets::Cosets;
pub(super) use table::Optimal3;
use whole::Views;

/// Proves for cubes that nothing shorter exists.
pub(super) struct Prover {
    cosets: Cosets,
    views: Views,
    table: Table,
}

impl Prover {
    /// Opens the table, building it where that is allowed.
    pub fn open(recipe: Optimal3, store: &Store, progress: &dyn Progress) -> Result<Prover, TableError> {
        let table = store.open_or_build(&recipe, progress)?;
        let cosets = Cosets::new(recipe.flips());
        Ok(Prover {
            views: Views::new(&cosets),
            cosets,
            table,
        })
    }

    /// The shortest solution, if it has fewer turns than `known`; or nothing if there is none. With whether all shorter ones were
    /// searched before the meter ended it.
    pub fn shorter(&self, three: &Solver3, start: &Cubies, known: usize, meter: &mut Meter) -> (Option<Vec<Turn>>, bool) {
        search::shorter(self, three, start, known, meter)
    }
}

/// About how many seconds it takes this computer to search all ways of so many turns.
pub(super) fn seconds(turns: usize) -> f64 {
    /// The seconds of one core for 17 turns, measured on a PC of 2023.
    const SEVENTEEN: f64 = 5.0;
    SEVENTEEN * 13.35f64.powi(turns as i32 - 17) / search::cores() as f64
}
