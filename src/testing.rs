//! What unit tests share.

use std::sync::{Mutex, PoisonError};

use crate::progress::Quiet;
use crate::tables::{Recipe, Store};

/// Whether tests try everything, as under `.ci/run`. Otherwise they try as much as fits into the minutes of a plain `cargo test`.
fn is_whole() -> bool {
    std::env::var_os("CRANECUBER_TESTS").is_some_and(|tests| tests == "all")
}

/// What a long test tries, or how much of it: in `.ci/run` all of it.
pub(crate) fn cases<T>(all: T, plainly: T) -> T {
    if is_whole() { all } else { plainly }
}

/// A folder of tables that all tests share, those of the whole program too. It is kept, so tables that are there are not built again.
pub(crate) fn store() -> Store {
    Store::new(concat!(env!("CARGO_MANIFEST_DIR"), "/target/tmp/tables")).building(true)
}

/// One test builds, others wait for it.
static BUILDING: Mutex<()> = Mutex::new(());

/// The same folder, with the tables that solve one size.
pub(crate) fn tables(n: usize) -> Store {
    let _alone = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    crate::solve::prepare(n, &store(), &Quiet).unwrap();
    store()
}

/// The same folder, with these tables, which `.ci/run` builds by the code as it is.
pub(crate) fn built(tables: &[impl Recipe]) -> Store {
    let _alone = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    let tables: Vec<&dyn Recipe> = tables.iter().map(|table| table as &dyn Recipe).collect();
    let missing = tables
        .into_iter()
        .filter(|&table| is_whole() || store().look(table).is_err());
    assert!(store().build(&missing.collect::<Vec<_>>(), &Quiet).unwrap().is_empty());
    store()
}
