//! The 5x5x5: five phases that make a 3x3x3 of it (after Chen Shuang's *cube555*).
//!
//! 1. The t-centres and x-centres of one axis come onto one axis, here held as that of R and L.
//! 2. All other centres come onto their axes, and the wings' permutation becomes even.
//! 3. Of the two wings of every edge, one comes into a *high* cell and one into a *low* cell. There are twelve cells of
//!    each kind, and the last phases' turns do not mix them. Midges are then flipped as the wings are, and the centres
//!    of one axis, held as R and L again, can be solved by half turns.
//! 4. Four edges are paired and stand in a ring around one axis, and phase 5 can finish the centres of the other two
//!    axes.
//! 5. The ring is held between U and D. The other eight edges are paired and all centres are solved.
//!
//! Phase 2 is searched depth first, because its table tells the exact distance. The tables of the other phases tell
//! less, so their searches go layer by layer. At *quick*, phase 5 then looks depth first for something shorter.

mod centres;
mod edges;
mod phase1;
mod phase2;
mod phase3;
mod phase4;
mod phase5;
mod ranking;
mod ring;
mod tables;
mod turns;

use super::SolveError;
use super::candidate::Candidate;
use super::committed::Committed;
use super::reduction::{Attempt, Early, ONCE, Open, Reduce, STEPS, Tries, advance_beam, advance_deepen, promise};
use crate::cube::State;
use crate::progress::{Progress, Quiet};
use crate::search::{Effort, Limits, Meter, Wanted};
use crate::tables::{Store, TableError};
use phase1::Phase1;
pub(crate) use tables::TABLES;

/// Solves the 5x5x5. A PC keeps all phases open with their tables. A brick has room for the tables of one phase at a time. Only phase 1
/// stays open during the quick look for a waiting machine, whose phase 2 is small.
pub(crate) struct Solver5 {
    store: Store,
    kept: Option<Phases>,
    /// The first phase, if it was opened before the search.
    early: Early<Phase1>,
}

struct Phases {
    one: Phase1,
    two: phase2::Phase2,
    three: phase3::Phase3,
    four: phase4::Phase4,
    five: phase5::Phase5,
}

/// How much work a step may do.
#[derive(Debug, Clone, Copy)]
struct StepWork {
    /// Width of phase 1's beam, and how many ways of each length it keeps.
    one: usize,
    /// How many ways through phase 2 are kept.
    two: usize,
    /// Phases 3 to 5.
    pairing: Pairing,
    /// Nodes for finishing the 3x3x3s.
    finish: u64,
}

/// How hard phases 3 to 5 try.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pairing {
    /// Width of phase 3's beam, and how many ways of each length it keeps.
    pub three: [usize; 2],
    /// How many turns a way through phase 3 may be longer than the shortest.
    pub beyond: usize,
    /// Width and ways for phase 4, as for phase 3.
    pub four: [usize; 2],
    /// The same for phase 5, whose beam finds the first 3x3x3s.
    pub five: [usize; 2],
    /// Nodes for the search after phase 5's beam, for shorter ways.
    pub deepen: u64,
    /// Whether beams sample their layers: phases 1 and 4 take a brick a third less then.
    pub samples: bool,
}

impl StepWork {
    /// So many times as much work.
    fn times(self, times: usize) -> StepWork {
        StepWork {
            one: times * self.one,
            two: times * self.two,
            pairing: self.pairing.times(times),
            finish: times as u64 * self.finish,
        }
    }
}

impl Pairing {
    /// So many times as much effort; if that is more, also ways through phase 3 that are a turn longer.
    pub fn times(self, times: usize) -> Pairing {
        let more = |[width, keep]: [usize; 2]| [times * width, times * keep];
        Pairing {
            three: more(self.three),
            // They are many and give phase 4 more choice, but a brick has no time and memory for them.
            beyond: self.beyond + usize::from(times > 1),
            four: more(self.four),
            five: more(self.five),
            deepen: times as u64 * self.deepen,
            samples: self.samples,
        }
    }

    /// The least effort that finds good ways.
    pub const QUICK: Pairing = Pairing {
        three: [500, 100],
        beyond: 1,
        four: [5000, 500],
        five: [3000, 50],
        deepen: 2_000_000,
        samples: false,
    };
    /// More effort than this hardly makes a way shorter.
    pub const BEST: Pairing = Pairing {
        three: [10_000, 2000],
        beyond: 1,
        four: [60_000, 6000],
        five: [20_000, 1000],
        // Deepening and exact estimates of all nodes take longer and gain less than the error of 48 cubes.
        deepen: 0,
        samples: true,
    };
}

const PLAN: [StepWork; STEPS] = [
    StepWork {
        one: 1000,
        two: 100,
        pairing: Pairing::QUICK,
        finish: 700_000,
    },
    StepWork {
        one: 4000,
        two: 400,
        pairing: Pairing {
            three: [1000, 600],
            // Twice as wide it takes 30 MB of a brick's memory.
            four: [12_000, 6000],
            five: [17_000, 2400],
            // The same nodes gain more in the beams.
            deepen: 0,
            samples: true,
            ..Pairing::QUICK
        },
        finish: 11_000_000,
    },
    StepWork {
        one: 16_000,
        two: 3000,
        pairing: Pairing {
            four: [30_000, 3000],
            ..Pairing::BEST
        },
        finish: 36_000_000,
    },
];

/// The same for a waiting machine. The normal step does no more than a brick can while the machine makes the turns that it was given.
const AWAITED: [StepWork; STEPS] = [
    PLAN[0],
    StepWork {
        one: 5000,
        two: 300,
        pairing: Pairing {
            three: [1000, 300],
            four: [9000, 4500],
            five: [15_000, 2000],
            ..PLAN[1].pairing
        },
        ..PLAN[1]
    },
    PLAN[2],
];

/// Width of phase 1's beam and ways through phase 2 of the quick look that finds the first turns for a waiting machine.
const SCOUT: [usize; 2] = [1000, 100];
/// How many of these turns are handed out.
const SCOUTED: usize = 3;
/// How many turns the machine has had after phases 2, 3 and 4 and after phase 5's beam. Each of them makes a solution a little
/// longer; on a brick they last to about the end of the next search.
const GIVEN: [usize; 4] = [7, 10, 13, 18];

/// A beam ends after so many turns; no phase needs half as many.
const FARTHEST: usize = 40;
/// How often phases 3 to 5 are tried.
const RETRIES: usize = 4;

impl Solver5 {
    /// Opens the tables, building them where that is allowed.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Solver5, TableError> {
        let kept = if store.builds() {
            Some(Phases {
                one: Phase1::open(store, progress)?,
                two: phase2::Phase2::open(store, progress)?,
                three: phase3::Phase3::open(store, progress)?,
                four: phase4::Phase4::open(store, progress)?,
                five: phase5::Phase5::open(store, progress)?,
            })
        } else {
            // Fails at once if a table is missing; each phase reads its tables when it begins.
            TABLES.into_iter().try_for_each(|table| store.look(table))?;
            None
        };
        Ok(Solver5 {
            store: store.clone(),
            kept,
            early: Early::default(),
        })
    }

    fn phase<'a, P>(
        &'a self,
        of: impl Fn(&'a Phases) -> &'a P,
        open: impl Fn(&Store, &dyn Progress) -> Result<P, TableError>,
        meter: &Meter,
    ) -> Result<Open<'a, P>, TableError> {
        Ok(match &self.kept {
            Some(phases) => Open::Kept(of(phases)),
            None => Open::Opened(Box::new(open(&self.store, &meter.ending())?)),
        })
    }

    /// Phases 3 to 5, once.
    fn pair_with(
        &self,
        twos: &[Candidate],
        pairing: &Pairing,
        longest: usize,
        committed: &mut Committed,
        meter: &mut Meter,
    ) -> Result<Vec<Candidate>, SolveError> {
        // A beam that finds no way ends after so many turns: there may be no way.
        let limits = |[width, keep]: [usize; 2], beyond, from: &[Candidate]| Limits {
            width,
            keep,
            beyond,
            longest: longest.min(from.first().map_or(0, Candidate::length) + FARTHEST),
            patience: usize::MAX,
            samples: pairing.samples,
        };
        let three = self.phase(|p| &p.three, phase3::Phase3::open, meter)?;
        let threes = limits(pairing.three, pairing.beyond, twos);
        let found = advance_beam(&*three, twos, threes, 4 * pairing.three[0], meter);
        drop(three);
        let four = self.phase(|p| &p.four, phase4::Phase4::open, meter)?;
        let found = committed.fix(found, GIVEN[1], meter.work(), |cube| promise(&*four, cube));
        let fours = limits(pairing.four, 2, &found);
        let found = advance_beam(&*four, &found, fours, pairing.four[0], meter);
        drop(four);
        let five = self.phase(|p| &p.five, phase5::Phase5::open, meter)?;
        let found = committed.fix(found, GIVEN[2], meter.work(), |cube| promise(&*five, cube));
        // The beam always ends, with or without a way. If it finds one, longer ways are not searched for.
        let fives = advance_beam(&*five, &found, limits(pairing.five, 1, &found), usize::MAX, meter);
        let mut fives = committed.fix(fives, GIVEN[3], meter.work(), by_length);
        let found = committed.that_go_on(found);
        let wanted = Wanted {
            keep: pairing.five[1],
            beyond: 1,
            longest: fives.first().map_or(longest, |first| first.length()),
            nodes: pairing.deepen,
            // If the beam found nothing, there may be nothing: the caller then tries with more candidates.
            at_least: 0,
        };
        fives.extend(advance_deepen(&*five, &found, wanted, usize::MAX, meter));
        Ok(fives)
    }
}

impl Solver5 {
    /// Phases 3 to 5: cubes whose centres are on their axes and whose wings' permutation is even become 3x3x3s.
    pub fn pair(
        &self,
        twos: &[Candidate],
        mut pairing: Pairing,
        longest: usize,
        committed: &mut Committed,
        meter: &mut Meter,
    ) -> Result<Vec<Candidate>, SolveError> {
        // With few cubes, it may be that none gets four whole edges where phase 4 needs them, or not in time. Then more and longer
        // ways are tried too.
        for _ in 0..RETRIES {
            let found = self.pair_with(twos, &pairing, longest, committed, meter)?;
            if !found.is_empty() || meter.is_over() {
                return Ok(found);
            }
            // This happens rarely, but always with wrong tables: they are checked.
            meter.doubt();
            pairing.three = pairing.three.map(|n| 2 * n);
            pairing.beyond += 1;
            pairing.four = pairing.four.map(|n| 2 * n);
            pairing.five = pairing.five.map(|n| 2 * n);
        }
        Ok(Vec::new())
    }
}

/// A cube's promise where nothing is known of the next phase.
fn by_length(cube: &Candidate) -> u32 {
    8 * cube.length() as u32
}

impl Solver5 {
    /// The first phase.
    fn first(&self, meter: &Meter) -> Result<Open<'_, Phase1>, TableError> {
        match self.early.take() {
            Some(one) => Ok(Open::Opened(one)),
            None => self.phase(|p| &p.one, Phase1::open, meter),
        }
    }

    /// Phase 1.
    fn first_axis(
        one: &Phase1,
        from: Candidate,
        width: usize,
        samples: bool,
        longest: usize,
        meter: &mut Meter,
    ) -> Vec<Candidate> {
        let limits = Limits {
            width,
            keep: width,
            beyond: 2,
            longest: longest.min(from.length() + FARTHEST),
            patience: usize::MAX,
            samples,
        };
        advance_beam(one, &[from], limits, usize::MAX, meter)
    }

    /// Phase 2.
    fn all_axes(
        &self,
        ones: &[Candidate],
        keep: usize,
        longest: usize,
        meter: &mut Meter,
    ) -> Result<Vec<Candidate>, SolveError> {
        let two = self.phase(|p| &p.two, phase2::Phase2::open, meter)?;
        let wanted = Wanted {
            keep,
            beyond: 2,
            longest,
            nodes: u64::MAX,
            at_least: 1,
        };
        Ok(advance_deepen(&*two, ones, wanted, usize::MAX, meter))
    }
}

impl Reduce for Solver5 {
    fn open_first(&self) -> Result<(), TableError> {
        if self.kept.is_none() {
            self.early.keep(Box::new(Phase1::open(&self.store, &Quiet)?));
        }
        Ok(())
    }

    fn reduce(&self, state: &State, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        let (step, times, longest) = (attempt.step, attempt.times, attempt.longest);
        let mut plan = PLAN;
        let first = self.first(attempt.meter)?;
        if attempt.committed.is_awaited() {
            let [width, keep] = SCOUT;
            let cube = Candidate::new(state.clone());
            let ones = Solver5::first_axis(&first, cube, width, false, longest, attempt.meter);
            let twos = self.all_axes(&ones, keep, longest, attempt.meter)?;
            attempt.committed.fix(twos, SCOUTED, attempt.meter.work(), by_length);
            plan = AWAITED;
        }
        let StepWork { one, two, pairing, .. } = plan[step].times(times);
        let from = attempt.after_these(state);
        let ones = Solver5::first_axis(&first, from, one, pairing.samples, longest, attempt.meter);
        drop(first);
        let twos = self.all_axes(&ones, two, longest, attempt.meter)?;
        let twos = attempt.committed.fix(twos, GIVEN[0], attempt.meter.work(), by_length);
        self.pair(&twos, pairing, longest, attempt.committed, attempt.meter)
    }

    fn finish_nodes(&self, attempt: &Attempt) -> u64 {
        PLAN[attempt.step].times(attempt.times).finish
    }

    fn tries(&self, step: usize) -> Tries {
        match step == Effort::Best as usize {
            true => Tries { ways: 2, times: 12 },
            false => ONCE,
        }
    }
}

#[cfg(test)]
#[cfg(feature = "build-tables")]
mod tests;
