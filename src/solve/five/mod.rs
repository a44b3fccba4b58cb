//! The 5x5x5, reduced to a 3x3x3 in five phases (after the phases of cs0x7f's cube555).

mod centres;
mod edges;
mod phase1;
mod phase2;
mod phase3;
mod phase4;
mod phase5;
mod ring;
mod tables;

use super::reduction::{Candidate, Plan, Reduce, STEPS, Stage, advance};
use crate::cube::{Face, State, Turn};
use crate::search::{Limits, Meter, Phase, Wanted};
use crate::tables::{Progress, Store, TableError};
pub(crate) use tables::Table5;

/// The phases with their tables.
pub(crate) struct Solver5 {
    one: phase1::Phase1,
    two: phase2::Phase2,
    three: phase3::Phase3,
    four: phase4::Phase4,
    five: phase5::Phase5,
}

/// How hard a step tries.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// Width of phase 1's beam and ways of each length.
    one: usize,
    /// Ways through phase 2.
    two: usize,
    /// Width of phase 3's beam, and ways of each length.
    three: [usize; 2],
    /// Width of phase 4's beam, and ways of each length.
    four: [usize; 2],
    /// Nodes of phase 5, for as many 3x3x3s.
    five: (u64, usize),
    /// Nodes for those.
    finish: u64,
}

const PLAN: [Step; STEPS] = [
    Step {
        one: 500,
        two: 50,
        three: [300, 50],
        four: [2000, 100],
        five: (200_000, 20),
        finish: 100_000,
    },
    Step {
        one: 1000,
        two: 100,
        three: [1000, 100],
        four: [3000, 100],
        five: (1_000_000, 50),
        finish: 500_000,
    },
    Step {
        one: 5000,
        two: 500,
        three: [3000, 500],
        four: [5000, 200],
        five: (6_000_000, 300),
        finish: 4_000_000,
    },
    Step {
        one: 20_000,
        two: 3000,
        three: [10_000, 2000],
        four: [20_000, 1000],
        five: (60_000_000, 1000),
        finish: 40_000_000,
    },
];

impl Solver5 {
    /// Opens the tables, building them where that is allowed.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Solver5, TableError> {
        Ok(Solver5 {
            one: phase1::Phase1::open(store, progress)?,
            two: phase2::Phase2::open(store, progress)?,
            three: phase3::Phase3::open(store, progress)?,
            four: phase4::Phase4::open(store, progress)?,
            five: phase5::Phase5::open(store, progress)?,
        })
    }
}

impl Reduce for Solver5 {
    fn reduce(&self, state: &State, step: usize, longest: usize, meter: &mut Meter) -> Vec<Candidate> {
        let mut step = PLAN[step];
        if let Ok(text) = std::env::var("PLAN5") {
            let v: Vec<usize> = text.split(',').map(|x| x.parse().unwrap()).collect();
            step = Step {
                one: v[0],
                two: v[1],
                three: [v[2], v[3]],
                four: [v[4], v[5]],
                five: (v[6] as u64 * 1000, v[7]),
                finish: 0,
            };
        }
        let limits = |[width, keep]: [usize; 2]| Limits {
            width,
            keep,
            beyond: 1,
            longest,
        };
        let wanted = |keep, beyond, nodes| Wanted {
            keep,
            beyond,
            longest,
            nodes,
        };
        let every = usize::MAX;
        let mark = std::time::Instant::now();
        let ex: Vec<usize> = std::env::var("EX5").ok().map_or(vec![1, 2, 1, 1, 1], |t| t.split(',').map(|x| x.parse().unwrap()).collect());
        let one = Plan::Beam(Limits { beyond: ex[0], ..limits([step.one, step.one]) }, every);
        let ones = advance(&self.one, &[Candidate::new(state.clone())], one, meter);
        log::debug!(
            "1: {} {:?} {} {:?}",
            ones.len(),
            ones.first().map(|c| c.turns.len()),
            meter.nodes(),
            mark.elapsed()
        );
        let twos = advance(
            &self.two,
            &ones,
            Plan::Deepen(wanted(step.two, ex[1], u64::MAX), every),
            meter,
        );
        log::debug!(
            "2: {} {:?} {} {:?}",
            twos.len(),
            twos.first().map(|c| c.turns.len()),
            meter.nodes(),
            mark.elapsed()
        );
        // Few cubes may have four whole edges in the right places: then more of them are tried.
        for _ in 0..3 {
            let threes = advance(&self.three, &twos, Plan::Beam(Limits { beyond: ex[2], ..limits(step.three) }, every), meter);
            log::debug!(
                "3: {} {:?} {} {:?}",
                threes.len(),
                threes.first().map(|c| c.turns.len()),
                meter.nodes(),
                mark.elapsed()
            );
            let fours = advance(&self.four, &threes, Plan::Beam(Limits { beyond: ex[3], ..limits(step.four) }, every), meter);
            log::debug!(
                "4: {} {:?} {} {:?}",
                fours.len(),
                fours.first().map(|c| c.turns.len()),
                meter.nodes(),
                mark.elapsed()
            );
            let five = Plan::Deepen(wanted(step.five.1, ex[4], step.five.0), every);
            let fives = advance(&self.five, &fours, five, meter);
            log::debug!(
                "5: {} {:?} {} {:?}",
                fives.len(),
                fives.first().map(|c| c.turns.len()),
                meter.nodes(),
                mark.elapsed()
            );
            if !fives.is_empty() || meter.is_over() {
                return fives;
            }
            step.three = step.three.map(|n| 4 * n);
            step.four = step.four.map(|n| 4 * n);
        }
        Vec::new()
    }

    fn finish_nodes(&self, step: usize) -> u64 {
        if let Ok(text) = std::env::var("FIN5") {
            return text.parse().unwrap();
        }
        PLAN[step].finish
    }

    fn bound(&self, state: &State) -> usize {
        let mut most = 0;
        self.one.starts(state, &mut |_, node, ()| {
            most = self.one.distances(&node).into_iter().fold(most, u32::max);
        });
        most as usize
    }

    fn turns(&self) -> &[Turn] {
        self.one.turns()
    }
}

/// The turns of outer blocks of one and two layers that `holds` holds for.
fn turns(holds: impl Fn(&Turn) -> bool) -> Vec<Turn> {
    let all = Face::ALL.into_iter().flat_map(|face| {
        (1..=2).flat_map(move |width| (1..=3).map(move |quarters| Turn::outer(face, width, quarters)))
    });
    all.filter(holds).collect()
}

#[cfg(test)]
mod tests;
