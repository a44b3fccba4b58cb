//! How long the EV3's processor takes for what a job computes.
//!
//! TODO

use crate::solve::Work;

/// What a phase costs.
struct Cost {
    /// The phase, as [`Work`] names it.
    phase: (usize, &'static str),
    /// Milliseconds for what it does once: opening its tables, and making them ready.
    once_ms: u64,
    /// Nanoseconds for each node.
    node_ns: u64,
}

const fn cost(size: usize, phase: &'static str, once_ms: u64, node_ns: u64) -> Cost {
    Cost {
        phase: (size, phase),
        once_ms,
        node_ns,
    }
}

/// All phases.
const COSTS: &[Cost] = &[cost(2, "every state", 0, 0)];

/// Milliseconds for a plan of one turn.
const PLAN_US: u64 = 0;
/// Milliseconds to find the squares in a picture.
pub(super) const PICTURE_MS: u64 = 0;

/// A phase whose cost was never measured.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("it is not known how long a brick takes for the phase \"{phase}\" of a {size}x{size}x{size}")]
pub(super) struct Unmeasured {
    phase: &'static str,
    size: usize,
}
