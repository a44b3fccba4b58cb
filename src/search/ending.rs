//! When a search has to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use crate::progress::Progress;

/// When a search has to end, for work that spends no nodes.
#[derive(Debug, Clone, Default)]
pub struct Ending {
    /// From when on it is over.
    pub deadline: Option<Instant>,
    /// Set when it is to end.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Progress for Ending {
    fn update(&self, _done: u64, _total: u64) {}
    fn stopped(&self) -> bool {
        self.deadline.is_some_and(|d| Instant::now() >= d) || self.stop.as_ref().is_some_and(|s| s.load(Relaxed))
    }
}
