//! What proofs are made with: the coordinate and its table.

use memmap2::MmapMut;

use super::cosets::Cosets;
use super::table::Optimal3;
use super::whole::Views;
use crate::progress::Progress;
use crate::tables::{Store, Table, TableError};

/// Proves for cubes that nothing shorter exists.
pub(in crate::solve) struct Prover {
    pub(super) cosets: Cosets,
    pub(super) views: Views,
    pub(super) table: Table,
    /// The table once more, in large pages of memory where the system has such: that takes a third off the time of asking it.
    large: Option<MmapMut>,
}

impl Prover {
    /// Opens the table, building it where that is allowed.
    pub fn open(recipe: Optimal3, store: &Store, progress: &dyn Progress) -> Result<Prover, TableError> {
        let table = store.open_or_build(&recipe, progress)?;
        let cosets = Cosets::new(recipe.flips());
        Ok(Prover {
            views: Views::new(&cosets),
            cosets,
            large: in_large_pages(table.payload()),
            table,
        })
    }

    /// The table's bytes.
    pub(super) fn payload(&self) -> &[u8] {
        self.large.as_deref().unwrap_or(self.table.payload())
    }
}

/// A copy; none if the system refuses.
fn in_large_pages(payload: &[u8]) -> Option<MmapMut> {
    let mut copy = MmapMut::map_anon(payload.len()).ok()?;
    #[cfg(target_os = "linux")]
    copy.advise(memmap2::Advice::HugePage).ok()?;
    copy.copy_from_slice(payload);
    Some(copy)
}
