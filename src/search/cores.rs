//! Work for all cores of a PC.

use rayon::prelude::*;

use crate::tables::BUILDS_TABLES;

/// Makes something of each, in their order, so that the result is the same whatever the number of cores. A brick has one core, and its
/// program no room for more.
pub fn on_all_cores<A, T: Send, U: Send>(all: A, make: impl Fn(T) -> U + Sync + Send) -> Vec<U>
where
    A: IntoIterator<Item = T> + IntoParallelIterator<Item = T>,
{
    match BUILDS_TABLES {
        true => all.into_par_iter().map(make).collect(),
        false => all.into_iter().map(make).collect(),
    }
}
