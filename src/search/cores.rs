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

/// Makes something of each and shows it, in their order, until `show` says no. All cores of a PC make so many `together`; a brick, which has
/// little memory, makes one when it is to be shown.
pub fn show_each<T: Send, U: Send>(
    mut all: impl Iterator<Item = T>,
    together: usize,
    make: impl Fn(T) -> U + Sync + Send,
    mut show: impl FnMut(U) -> Option<()>,
) -> Option<()> {
    if !BUILDS_TABLES {
        return all.try_for_each(|one| show(make(one)));
    }
    loop {
        let lot: Vec<T> = all.by_ref().take(together).collect();
        if lot.is_empty() {
            return Some(());
        }
        on_all_cores(lot, &make).into_iter().try_for_each(&mut show)?;
    }
}
