//! How all tables are made, and which of them each size needs. Knows every size's tables, and no search.

use super::big::{Guide, guides};
#[cfg(feature = "optimal")]
use super::optimal::Optimal3;
use super::three::Table3;
use super::two::States2;
use super::{SIZES, SolveError, five, four, thistlethwaite};
use crate::progress::Progress;
use crate::tables::{Recipe, Store};

/// How every table is made, of the smallest cube first.
pub fn tables() -> Vec<Box<dyn Recipe>> {
    let mut all: Vec<Box<dyn Recipe>> = vec![Box::new(States2)];
    all.extend(Table3::ALL.map(|table| Box::new(table) as Box<dyn Recipe>));
    all.extend(tables_for_methods(3));
    let of_phases = four::TABLES.into_iter().chain(five::TABLES);
    all.extend(of_phases.map(|table| Box::new(table.clone()) as Box<dyn Recipe>));
    all.extend(Guide::all().into_iter().map(|table| Box::new(table) as Box<dyn Recipe>));
    all
}

/// How the table is made that proofs need: see [`Solver::proving`]. It is large, so it belongs to no size's tables.
#[cfg(feature = "optimal")]
pub fn table_of_proofs() -> Box<dyn Recipe> {
    Box::new(Optimal3::Whole)
}

/// Sees to it that [`Solver::open`] will find its tables, by a look at the beginning of each; on a PC, missing ones are
/// built, all in one go.
pub fn prepare(n: usize, store: &Store, progress: &dyn Progress) -> Result<(), SolveError> {
    if !SIZES.contains(&n) {
        return Err(SolveError::Size(n));
    }
    Ok(store.prepare(&tables_for(n), progress)?)
}

/// The tables that the solver of one size opens; none if there is no such solver.
pub fn tables_for(n: usize) -> Vec<Box<dyn Recipe>> {
    let known = SIZES.contains(&n);
    let (big, even) = (n > 5, n.is_multiple_of(2));
    // A cube that is reduced ends as a 3x3x3. Big cubes become smaller ones on the way. The largest share their tables.
    let wanted = |size: usize| match size {
        3 => n >= 3,
        4 => n == 4 || (big && even),
        5 => n >= 5,
        _ => size == n && !big,
    };
    let mut all = tables();
    all.retain(|recipe| known && wanted(recipe.size()));
    let others: Vec<&'static str> = tables_for_methods(3).iter().map(|recipe| recipe.spec().name).collect();
    all.retain(|recipe| !others.contains(&recipe.spec().name));
    if known && big {
        all.extend(guides(n).into_iter().map(|guide| Box::new(guide) as Box<dyn Recipe>));
    }
    all
}

/// The tables of one size that only some methods open, when somebody asks for these. No [`Solver`] needs them.
pub fn tables_for_methods(n: usize) -> Vec<Box<dyn Recipe>> {
    let of_groups = thistlethwaite::TABLES.iter().filter(|table| table.size == n);
    of_groups
        .map(|table| Box::new(table.clone()) as Box<dyn Recipe>)
        .collect()
}
