//! What proofs are made with: the coordinate and its table.

use memmap2::MmapMut;

use super::cosets::Cosets;
use super::table::{COARSE, GREATEST, Optimal3, TOGETHER};
use super::whole::Views;
use crate::progress::Progress;
use crate::tables::{Store, Table, TableError};

/// Proves for cubes that nothing shorter exists.
pub(in crate::solve) struct Prover {
    pub(super) cosets: Cosets,
    pub(super) views: Views,
    pub(super) table: Table,
    /// Entries of at most so many turns are near: the table does not tell them apart.
    pub(super) near: usize,
    /// The greatest bound that the table can say.
    pub(super) far: usize,
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
            near: recipe.near(),
            far: recipe.near() + GREATEST,
            large: in_large_pages(table.payload()),
            table,
        })
    }

    /// What a value of the table says; 0 if it is near.
    #[inline]
    pub(super) fn bound_of(&self, value: u8) -> usize {
        if value == 0 { 0 } else { self.near + usize::from(value) }
    }

    /// The same of the coarse table.
    #[inline]
    pub(super) fn coarse_bound_of(&self, value: u8) -> usize {
        if value == 0 {
            0
        } else {
            self.near - COARSE + usize::from(value)
        }
    }

    /// The bytes of the table, and of the coarse one.
    pub(super) fn payloads(&self) -> (&[u8], &[u8]) {
        let both = self.large.as_deref().unwrap_or(self.table.payload());
        both.split_at(self.cosets.entries().div_ceil(TOGETHER))
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
