//! How long the EV3 takes for what a job computes.
//!
//! Measured by `BRICK_TIME_OPTS=,marks=on cross/brick-time PROGRAM -v solve STATE`, on one mixed cube of each size at `normal`, from the
//! 6x6x6 on with `--stream`. The lines tell the nodes so far, and the marks the milliseconds of the processor's model. Where a phase was
//! at work twice, a line through both gives what it takes once and for each node. `cross/README.md` says what the model leaves out; that
//! the crane's motors are watched meanwhile is left out, too. The card is counted here: every phase reads its tables from it.

use crate::app::Metric;
use crate::solve::Work;

/// Kilobytes that the card gives in a millisecond: from 10 to 20 are known of such cards.
const CARD: u64 = 15;

/// What a phase costs.
struct Cost {
    /// The phase, as [`Work`] names it: N and its name.
    phase: (usize, &'static str),
    /// Kilobytes of its tables.
    tables: u64,
    /// Milliseconds for what it does once.
    once_ms: u64,
    /// Nanoseconds for each node.
    node_ns: u64,
}

const fn cost(size: usize, phase: &'static str, tables: u64, once_ms: u64, node_ns: u64) -> Cost {
    Cost {
        phase: (size, phase),
        tables,
        once_ms,
        node_ns,
    }
}

/// All phases. What is searched first also stands for the beginning of the program, and opens the 3x3x3's tables.
const COSTS: &[Cost] = &[
    cost(2, "near", 0, 1, 20_000),
    cost(2, "every state", 919, 20, 20_000),
    cost(3, "near", 0, 1, 20_000),
    cost(3, "both phases", 3108, 410, 695),
    cost(3, "by price", 0, 0, 2258),
    cost(3, "last turns", 0, 400, 550),
    cost(4, "near", 1708, 0, 0),
    cost(4, "first axis", 368, 710, 7410),
    cost(4, "all axes", 226, 0, 1220),
    cost(4, "centres and edges", 7811, 0, 2280),
    cost(5, "near", 1708, 0, 0),
    cost(5, "first axis", 4931, 720, 8940),
    cost(5, "all axes", 6107, 280, 85_500),
    cost(5, "halves", 3657, 0, 55_800),
    cost(5, "four edges", 14_513, 0, 8630),
    cost(5, "centres and edges", 7092, 1480, 2510),
];

/// Microseconds to plan a turn.
const PLAN_US: u64 = 500;
/// Milliseconds to count what the runs of a 3x3x3's turns cost.
const AUTOMATON_MS: u64 = 2350;
/// Milliseconds to read a picture, uncompressed and in the simulated camera's size; six, and then their colours, take 950.
pub(super) const PICTURE_MS: u64 = 160;

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
        let cost = cost.ok_or(Unmeasured { phase, size })?;
        Ok(cost.tables / CARD + cost.once_ms + cost.node_ns * nodes / 1_000_000)
    };
    work.iter().map(one).sum()
}

/// Milliseconds to plan so many turns.
pub(super) fn plan_ms(turns: usize) -> u64 {
    PLAN_US * turns as u64 / 1000
}

/// Milliseconds for what a search by the crane's seconds takes before it begins.
pub(super) fn before_ms(n: usize, metric: Metric) -> u64 {
    match (n, metric) {
        (3, Metric::Machine) => AUTOMATON_MS,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_takes_what_its_phases_and_their_nodes_do() {
        let Cost {
            phase: (size, phase),
            tables,
            once_ms,
            node_ns,
        } = COSTS[COSTS.len() - 1];
        let once_ms = tables / 15 + once_ms;
        let work = |nodes| Work { phase, size, nodes };
        assert_eq!(search_ms(&[]), Ok(0));
        assert_eq!(search_ms(&[work(3_000_000)]), Ok(once_ms + 3 * node_ns));
        assert_eq!(search_ms(&[work(1_000_000), work(0)]), Ok(2 * once_ms + node_ns));
        let unknown = Work { size: 9, ..work(1) };
        assert_eq!(search_ms(&[work(1), unknown]), Err(Unmeasured { phase, size: 9 }));
    }
}
