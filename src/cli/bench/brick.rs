//! How long the EV3 takes for what a search or a whole job computes.
//!
//! Measured by `BRICK_TIME_OPTS=,marks=on cross/brick-time PROGRAM -v solve STATE`, on one or two mixed cubes of each size at `normal`, from
//! the 6x6x6 on with `--stream`. Where there are two, these are means: they differ by a tenth. The lines tell the nodes so far, and the marks
//! the milliseconds of the processor's model. `cross/README.md` says what the model leaves out; that the crane's motors are watched
//! meanwhile is left out, too. The card is counted here: every phase reads its tables from it, once.

use crate::app::Metric;
use crate::solve::{Effort, Work};

/// Kilobytes that the card gives in a millisecond: from 10 to 20 are known of such cards.
const CARD: u64 = 15;

/// What a phase costs.
struct Cost {
    /// The phase, as [`Work`] names it: N of the cube that it searches, and its name.
    phase: (usize, &'static str),
    /// Kilobytes of its tables.
    tables: u64,
    /// Milliseconds for what it does once.
    once_ms: u64,
    /// Microseconds for each cube that it begins with.
    cube_us: u64,
    /// Nanoseconds for each node.
    node_ns: u64,
}

const fn cost(size: usize, phase: &'static str, tables: u64, once_ms: u64, node_ns: u64) -> Cost {
    Cost {
        phase: (size, phase),
        tables,
        once_ms,
        cube_us: 0,
        node_ns,
    }
}

impl Cost {
    /// The same, and so many microseconds for each cube that the phase begins with.
    const fn and_each_cube(self, cube_us: u64) -> Cost {
        Cost { cube_us, ..self }
    }
}

/// The phases of each size from 2 on. What is first also stands for the beginning, and opens the 3x3x3's tables.
const COSTS: [&[Cost]; 6] = [
    &[cost(2, "near", 0, 0, 20_000), cost(2, "every state", 919, 20, 20_000)],
    &[
        cost(3, "near", 0, 0, 20_000),
        cost(3, "both phases", 2040, 405, 645),
        cost(3, "by price", 0, 0, 2260),
    ],
    &[
        cost(4, "near", 2040, 0, 0),
        cost(4, "first axis", 368, 620, 4210),
        // What is each cube's and what each node's is told by two cubes, of half a million and of a million nodes.
        cost(4, "all axes", 3153, 0, 1260).and_each_cube(32),
        cost(4, "centres and edges", 8340, 0, 2240),
        cost(3, "last turns", 0, 250, 620),
    ],
    &[
        cost(5, "near", 2040, 0, 0),
        // Beams that sample their layers take 4100, the quick look of a waiting machine 6000.
        cost(5, "first axis", 4931, 720, 4400),
        cost(5, "all axes", 6107, 280, 145_200),
        // For every cube it looks at three thousand choices of wings. Runs from 300, 400 and 1000 cubes tell what is each cube's and what
        // each node's.
        cost(5, "halves", 3657, 0, 11_400).and_each_cube(5520),
        cost(5, "four edges", 14_513, 0, 5220),
        cost(5, "centres and edges", 7092, 980, 3840),
        cost(3, "last turns", 0, 1080, 567),
    ],
    &[
        cost(6, "near", 2040, 0, 0),
        cost(6, "first axis", 404, 920, 11_400),
        cost(6, "all axes", 929, 0, 25_500),
        cost(6, "blocks", 409, 0, 11_250),
        cost(4, "all axes", 3153, 0, 3090),
        cost(4, "centres and edges", 8340, 0, 2270),
        cost(5, "halves", 3657, 0, 8620),
        cost(5, "four edges", 14_513, 0, 6150),
        cost(5, "centres and edges", 7092, 1200, 2990),
        cost(3, "last turns", 0, 760, 618),
    ],
    &[
        cost(7, "near", 2040, 0, 0),
        cost(7, "first axis", 4729, 2170, 15_800),
        cost(7, "all axes", 3486, 0, 27_000),
        cost(7, "blocks", 1477, 0, 22_250),
        cost(5, "halves", 3657, 0, 9830),
        cost(5, "four edges", 14_513, 0, 5420),
        cost(5, "centres and edges", 7092, 0, 3710),
        cost(3, "last turns", 0, 760, 634),
    ],
];

/// Microseconds to plan a turn.
const PLAN_US: u64 = 500;
/// Milliseconds to count what the runs of a 3x3x3's turns cost: 2350 were measured before this took a third of the work.
const AUTOMATON_MS: u64 = 800;
/// Milliseconds to read a picture, uncompressed and in the simulated camera's size, and those for the colours of all six together, from the
/// 2x2x2 on: of one or two cubes each.
const PICTURES_MS: [[u64; 2]; 6] = [[102, 110], [105, 250], [111, 320], [122, 620], [131, 650], [142, 840]];

/// Milliseconds to read a picture of a cube of size `n`, and to find out its colours from six pictures.
pub(super) fn pictures_ms(n: usize) -> [u64; 2] {
    let known = n.checked_sub(2).and_then(|i| PICTURES_MS.get(i));
    known.copied().unwrap_or_default()
}

/// A phase whose cost was never measured.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("it is not known how long a brick takes for the phase \"{phase}\" of a {size}x{size}x{size}")]
pub(super) struct Unmeasured {
    phase: &'static str,
    size: usize,
}

/// Milliseconds for a search that has spent so much on a cube of size `n`.
///
/// # Errors
/// If a phase is not among those that were measured.
pub(super) fn search_ms(n: usize, work: &[Work]) -> Result<u64, Unmeasured> {
    let known = n.checked_sub(2).and_then(|i| COSTS.get(i)).copied().unwrap_or_default();
    let one = |(i, spent): (usize, &Work)| {
        let &Work { phase, size, .. } = spent;
        let cost = known.iter().find(|cost| cost.phase == (size, phase));
        let cost = cost.ok_or(Unmeasured { phase, size })?;
        let again = work[..i]
            .iter()
            .any(|before| (before.size, before.phase) == (size, phase));
        let once_ms = if again { 0 } else { cost.tables / CARD + cost.once_ms };
        Ok(once_ms + cost.cube_us * spent.cubes / 1000 + cost.node_ns * spent.nodes / 1_000_000)
    };
    work.iter().enumerate().map(one).sum()
}

/// The first of a size's phases, which read their tables before a search begins: what is near, and the first phase.
const OPENED: usize = 2;
/// Milliseconds for what is computed of these tables, and checked, from the 2x2x2 on. They are part of what the first phase does once.
const OPENING_MS: [u64; 6] = [20, 290, 620, 720, 530, 830];

/// Milliseconds to open what a search of a cube of size `n` begins with.
pub(super) fn opening_ms(n: usize) -> u64 {
    let Some(i) = n.checked_sub(2).filter(|&i| i < COSTS.len()) else {
        return 0;
    };
    let read: u64 = COSTS[i].iter().take(OPENED).map(|cost| cost.tables / CARD).sum();
    read + OPENING_MS[i]
}

/// Milliseconds to plan so many turns.
pub(super) fn plan_ms(turns: usize) -> u64 {
    PLAN_US * turns as u64 / 1000
}

/// Milliseconds for what a search by price takes before it begins. Only who asks for the best of a 3x3x3 has one.
pub(super) fn before_ms(n: usize, metric: Metric, effort: Effort) -> u64 {
    match (n, metric, effort) {
        (3, Metric::Machine, Effort::Best) => AUTOMATON_MS,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_opened_before_a_search_is_part_of_what_that_takes() {
        for (n, costs) in (2..).zip(COSTS) {
            let once: u64 = costs[..OPENED]
                .iter()
                .map(|cost| cost.tables / CARD + cost.once_ms)
                .sum();
            assert!((20..=once).contains(&opening_ms(n)), "{n}");
        }
        assert_eq!([opening_ms(0), opening_ms(8)], [0; 2]);
    }

    #[test]
    fn a_search_takes_what_its_phases_and_their_nodes_do() {
        let Cost {
            phase: (size, phase),
            tables,
            once_ms,
            node_ns,
            ..
        } = COSTS[3][4];
        let once_ms = tables / 15 + once_ms;
        let work = |nodes| Work {
            phase,
            size,
            cubes: 7,
            nodes,
        };
        assert_eq!(search_ms(5, &[]), Ok(0));
        assert_eq!(search_ms(5, &[work(3_000_000)]), Ok(once_ms + 3 * node_ns));
        assert_eq!(
            search_ms(5, &[work(1_000_000), work(2_000_000)]),
            Ok(once_ms + 3 * node_ns)
        );
        let halves = |cubes| Work {
            phase: COSTS[3][3].phase.1,
            cubes,
            ..work(0)
        };
        let more = search_ms(5, &[halves(1000)]).unwrap() - search_ms(5, &[halves(0)]).unwrap();
        assert_eq!(more, COSTS[3][3].cube_us);
        let unknown = Work { size: 9, ..work(1) };
        assert_eq!(search_ms(5, &[work(1), unknown]), Err(Unmeasured { phase, size: 9 }));
        assert!(search_ms(1, &[work(1)]).is_err() && search_ms(8, &[work(1)]).is_err());
    }
}
