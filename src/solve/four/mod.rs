//! The 4x4x4: three phases that make a 3x3x3 of it (after Tsai).
//!
//! 1. The eight centres of one axis come onto one axis, here named x.
//! 2. The other centres come onto their axes, too, the x-centres into a state that half turns can solve, and the two
//!    wings of every edge into opposite *halves*: sets of twelve places that the last phase's turns do not mix.
//! 3. Centres are solved and wings paired, without the parities that no 3x3x3 has.

mod axis;
mod halves;
mod pairs;
mod tables;

use super::SolveError;
use super::candidate::Candidate;
use super::reduction::{Attempt, Reduce, STEPS, advance_deepen};
use crate::cube::State;
use crate::progress::Progress;
use crate::search::{Meter, Wanted};
use crate::tables::{Store, TableError};
pub(crate) use tables::TABLES;

/// The phases with their tables.
pub(crate) struct Solver4 {
    one: axis::Axis,
    two: halves::Halves,
    three: pairs::Pairing,
}

/// How hard a step tries.
struct Step {
    /// Ways through phase 1.
    ones: usize,
    /// The best so many of them go on.
    from_ones: usize,
    /// Ways through phase 2.
    twos: usize,
    /// Nodes of phase 3.
    three: u64,
    /// 3x3x3s.
    threes: usize,
    /// Nodes for those.
    finish: u64,
}

const PLAN: [Step; STEPS] = [
    Step {
        ones: 2000,
        from_ones: 200,
        twos: 40,
        three: 200_000,
        threes: 100,
        finish: 400_000,
    },
    Step {
        ones: 8000,
        from_ones: 700,
        twos: 110,
        three: 1_500_000,
        threes: 500,
        finish: 2_200_000,
    },
    Step {
        ones: 30_000,
        from_ones: 3000,
        twos: 1000,
        three: 20_000_000,
        threes: 1000,
        finish: 30_000_000,
    },
];

impl Solver4 {
    /// Opens the tables, building them where that is allowed.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Solver4, TableError> {
        Ok(Solver4 {
            one: axis::Axis::open(store, progress)?,
            two: halves::Halves::open(store, progress)?,
            three: pairs::Pairing::open(store, progress)?,
        })
    }
}

/// Among so many cubes a ring is sure to find one that it can go on from.
const FEW: usize = 4;

/// The last two phases for the innermost layers of a bigger cube, whose centres are all solved.
pub(crate) struct Inner4 {
    two: halves::Halves,
    three: pairs::Pairing,
}

impl Inner4 {
    /// Opens the tables, building them where that is allowed.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Inner4, TableError> {
        Ok(Inner4 {
            two: halves::Halves::open_still(store, progress)?,
            three: pairs::Pairing::open(store, progress)?,
        })
    }

    /// Whether the tables are there.
    pub fn look(store: &Store) -> Result<(), TableError> {
        let tables = [&halves::TABLE, &pairs::SOLVED_CENTRES, &pairs::PAIRS];
        tables.into_iter().try_for_each(|table| store.look(table))
    }

    /// Pairs the innermost wings and brings the centres back; `keep` ways at most, for so many nodes each once there are
    /// a few: the ring around them cannot go on from every cube.
    pub fn pair(
        &self,
        from: &[Candidate],
        [halves, keep]: [usize; 2],
        nodes: u64,
        longest: usize,
        meter: &mut Meter,
    ) -> Vec<Candidate> {
        let halves = wanted(halves, 2, longest, nodes);
        let found = advance_deepen(&self.two, from, halves, usize::MAX, meter);
        let pairs = Wanted {
            at_least: FEW,
            ..wanted(keep, 1, longest, nodes)
        };
        advance_deepen(&self.three, &found, pairs, usize::MAX, meter)
    }
}

/// So many ways of at most `beyond` turns more than the shortest.
fn wanted(keep: usize, beyond: usize, longest: usize, nodes: u64) -> Wanted {
    Wanted {
        keep,
        beyond,
        longest,
        nodes,
        at_least: 1,
    }
}

impl Reduce for Solver4 {
    fn reduce(&self, state: &State, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        let (step, longest, meter) = (&PLAN[attempt.step], attempt.longest, &mut *attempt.meter);
        let ones = wanted(step.ones, 9, longest, u64::MAX);
        let twos = wanted(step.twos, 9, longest, u64::MAX);
        let threes = wanted(step.threes, 1, longest, step.three);
        let found = advance_deepen(&self.one, &[Candidate::new(state.clone())], ones, 3, meter);
        let found = advance_deepen(&self.two, &found, twos, step.from_ones, meter);
        Ok(advance_deepen(&self.three, &found, threes, step.twos, meter))
    }

    fn finish_nodes(&self, step: usize) -> u64 {
        PLAN[step].finish
    }
}
