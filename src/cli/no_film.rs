//! A program that is built without films.

use super::Failure;
use crate::app::{Event, JobError, Listener};
use crate::sim::WorldHandle;

/// Nothing can be wanted.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Filming {}

/// No film.
#[derive(Default)]
pub(super) struct Filmed;

impl Filmed {
    /// Begins none.
    pub(super) fn begin(_: &Filming) -> Result<Filmed, Failure> {
        Ok(Filmed)
    }

    /// Is pointed at nothing.
    pub(super) fn of(&self, _: Option<&WorldHandle>) {}

    /// Has nothing to write.
    pub(super) fn end(self, _: &Result<impl Sized, JobError>) -> Result<(), Failure> {
        Ok(())
    }
}

impl Listener for Filmed {
    fn hear(&mut self, _: &Event) {}
}
