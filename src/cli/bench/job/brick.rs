//! How long the EV3's processor takes for what a job computes.
//!
//! TODO

use crate::app::Metric;
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

/// Milliseconds for a search that has spent so much.
///
/// # Errors
/// If a phase is not among those that were measured.
pub(super) fn search_ms(work: &[Work]) -> Result<u64, Unmeasured> {
    let one = |work: &Work| {
        let &Work { phase, size, nodes } = work;
        let cost = COSTS.iter().find(|cost| cost.phase == (size, phase));
        let Cost { once_ms, node_ns, .. } = cost.ok_or(Unmeasured { phase, size })?;
        Ok(once_ms + node_ns * nodes / 1_000_000)
    };
    work.iter().map(one).sum()
}

/// Milliseconds to plan so many turns.
pub(super) fn plan_ms(turns: usize) -> u64 {
    PLAN_US * turns as u64 / 1000
}

/// Milliseconds to choose among solutions by what they cost the crane, beside the search.
pub(super) fn choice_ms(n: usize, metric: Metric) -> u64 {
    0
}

/// Milliseconds to find out the colours.
pub(super) fn resolve_ms(n: usize) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_takes_what_its_phases_and_their_nodes_do() {
        let Cost {
            phase: (size, phase),
            once_ms,
            node_ns,
        } = COSTS[COSTS.len() - 1];
        let work = |nodes| Work { phase, size, nodes };
        assert_eq!(search_ms(&[]), Ok(0));
        assert_eq!(search_ms(&[work(3_000_000)]), Ok(once_ms + 3 * node_ns));
        assert_eq!(search_ms(&[work(1_000_000), work(0)]), Ok(2 * once_ms + node_ns));
        let unknown = Work { size: 9, ..work(1) };
        assert_eq!(search_ms(&[work(1), unknown]), Err(Unmeasured { phase, size: 9 }));
    }
}
