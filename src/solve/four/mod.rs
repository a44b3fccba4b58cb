//! The 4x4x4: three phases that make a 3x3x3 of it (after Tsai).
//!
//! 1. The eight centres of one axis come onto one axis, here held as that of R and L and named x.
//! 2. The other centres come onto their axes, and half turns can solve the x-centres. The two wings of every edge come
//!    into different *halves*: two sets of twelve places that the turns of phase 3 do not mix.
//! 3. Centres are solved and wings are paired, without the parities that no 3x3x3 has.

mod axis;
mod centres;
mod edges;
mod halves;
mod pairs;
mod tables;

use super::SolveError;
use super::candidate::Candidate;
use super::reduction::{Attempt, ONCE, Reduce, STEPS, Tries, advance_deepen, at_least};
use crate::cube::State;
use crate::progress::Progress;
use crate::search::{Effort, Meter, Wanted};
use crate::tables::{Store, TableError};
pub(crate) use tables::TABLES;

/// The phases with their tables.
pub(crate) struct Solver4 {
    one: axis::Axis,
    two: halves::Halves,
    three: pairs::Pairing,
}

/// How many ways phases 1 and 2 keep.
#[derive(Clone, Copy)]
struct Ways {
    /// How many ways through phase 1 are kept.
    ones: usize,
    /// How many of these, the best, phase 2 starts from.
    from_ones: usize,
    /// How many ways through phase 2 are kept.
    twos: usize,
}

/// The ways of a quick look at phases 1 and 2, which finds the first turns for a waiting machine.
const SCOUT: Ways = Ways {
    ones: 2000,
    from_ones: 200,
    twos: 40,
};

/// How many turns a waiting machine has had after that look, and after phases 2 and 3. Each of them makes a solution a little longer; on
/// a brick they last to about the end of the search.
const SCOUTED: usize = 3;
const GIVEN: [usize; 2] = [5, 8];

/// How much work a step may do.
#[derive(Clone, Copy)]
struct StepWork {
    /// Phases 1 and 2.
    halves: Ways,
    /// Nodes for phase 3.
    three: u64,
    /// How many ways through phase 3 are kept, each of them a 3x3x3.
    threes: usize,
    /// Nodes for finishing the 3x3x3s.
    finish: u64,
}

const PLAN: [StepWork; STEPS] = [
    StepWork {
        halves: Ways {
            ones: 2000,
            from_ones: 200,
            twos: 40,
        },
        three: 100_000,
        threes: 100,
        finish: 400_000,
    },
    StepWork {
        halves: Ways {
            ones: 5000,
            from_ones: 400,
            // More of them gain more than the same time in phase 3 or in the 3x3x3s.
            twos: 300,
        },
        three: 1_000_000,
        threes: 500,
        finish: 4_200_000,
    },
    StepWork {
        halves: Ways {
            ones: 30_000,
            from_ones: 3000,
            twos: 1000,
        },
        three: 10_000_000,
        threes: 1000,
        finish: 20_000_000,
    },
];

/// The normal step for a waiting machine, which has turns for twenty seconds by the end of phase 2.
const AWAITED: StepWork = StepWork {
    halves: Ways {
        ones: 5000,
        from_ones: 400,
        twos: 500,
    },
    three: 2_000_000,
    threes: 800,
    finish: 10_000_000,
};

impl StepWork {
    /// How much work an attempt may do.
    fn of(attempt: &Attempt) -> StepWork {
        let work = match attempt.is_awaited_normal() {
            true => AWAITED,
            false => PLAN[attempt.step],
        };
        work.times(attempt.times)
    }

    /// So many times as much work.
    fn times(self, times: usize) -> StepWork {
        let Ways { ones, from_ones, twos } = self.halves;
        StepWork {
            halves: Ways {
                ones: times * ones,
                from_ones: times * from_ones,
                twos: times * twos,
            },
            three: times as u64 * self.three,
            threes: times * self.threes,
            finish: times as u64 * self.finish,
        }
    }
}

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

/// How many ways of pairing are found at least: the next ring cannot go on from every cube, but always from one of so
/// many.
const FEW: usize = 4;

/// Phases 2 and 3 for the innermost layers of a bigger cube, whose centres are all on their axes.
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

    /// Pairs the innermost wings and solves the centres; keeps at most `halves` ways through phase 2 and `keep` through
    /// phase 3. Each phase ends after so many nodes, but phase 3 not before it has found [`FEW`] ways.
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

/// At most `keep` ways, at most `beyond` turns longer than the shortest, for so many nodes.
fn wanted(keep: usize, beyond: usize, longest: usize, nodes: u64) -> Wanted {
    Wanted {
        keep,
        beyond,
        longest,
        nodes,
        at_least: 1,
    }
}

impl Solver4 {
    /// Phases 1 and 2: brings all centres onto their axes and the wings of every edge into different halves.
    fn halves(&self, from: Candidate, ways: &Ways, longest: usize, meter: &mut Meter) -> Vec<Candidate> {
        let ones = wanted(ways.ones, 9, longest, u64::MAX);
        let twos = wanted(ways.twos, 9, longest, u64::MAX);
        let found = advance_deepen(&self.one, &[from], ones, 3, meter);
        advance_deepen(&self.two, &found, twos, ways.from_ones, meter)
    }

    /// Hands out the first turns of cubes after a phase, until a waiting machine has had so many.
    fn fix(&self, found: Vec<Candidate>, turns: usize, attempt: &mut Attempt) -> Vec<Candidate> {
        attempt
            .committed
            .fix(found, turns, attempt.meter.work(), |cube| at_least(&self.three, cube))
    }
}

impl Reduce for Solver4 {
    fn reduce(&self, state: &State, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        let (work, longest) = (StepWork::of(attempt), attempt.longest);
        if attempt.committed.is_awaited() {
            let found = self.halves(Candidate::new(state.clone()), &SCOUT, longest, attempt.meter);
            self.fix(found, SCOUTED, attempt);
        }
        let found = self.halves(attempt.after_these(state), &work.halves, longest, attempt.meter);
        let found = self.fix(found, GIVEN[0], attempt);
        let threes = wanted(work.threes, 1, longest, work.three);
        let found = advance_deepen(&self.three, &found, threes, work.halves.twos, attempt.meter);
        Ok(self.fix(found, GIVEN[1], attempt))
    }

    fn finish_nodes(&self, attempt: &Attempt) -> u64 {
        StepWork::of(attempt).finish
    }

    /// Half of what larger cubes have: the machine has turns for less time.
    fn end_nodes(&self, attempt: &Attempt) -> u64 {
        if attempt.step == 0 { 0 } else { 10_000_000 }
    }

    fn tries(&self, step: usize) -> Tries {
        match step == Effort::Best as usize {
            true => Tries { ways: 2, times: 16 },
            false => ONCE,
        }
    }
}
