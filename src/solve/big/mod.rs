//! The 6x6x6, the 7x7x7 and every larger cube, reduced to a 3x3x3 from the centres outwards.
//!
//! 1. The centres of one axis come onto one axis, all orbits at once.
//! 2. The centres of the other two axes come onto theirs, and the wings of every layer into an even permutation.
//! 3. Every face becomes one colour (all but the outermost x-centres, which the last ring brings in).
//! 4. With faces of one colour the outer layers and the block down to an inner layer turn like a 4x4x4 or a 5x5x5: ring by ring, from the
//!    inside out, its last phases pair the wings of that layer and bring the centres back.
//!
//! The centre phases are searched by beams that a guide leads.

mod centres;
#[allow(dead_code)]
mod closing;
mod near;
mod patterns;
mod rings;
mod tables;

use super::SolveError;
use super::committed::Committed;
use super::five::Solver5;
use super::four::Inner4;
use super::reduction::{Candidate, Reduce, STEPS, Stage, advance_beam};
use crate::cube::{State, Turn};
use crate::search::{Limits, Meter, Ranked};
use crate::tables::{Progress, Store, TableError};
use centres::{Centres, Part};
pub(crate) use tables::Guide;

/// The solver of one size whose cubes have at most `K` orbits of centres.
pub(crate) struct SolverBig<const K: usize> {
    n: usize,
    parts: [Centres<K>; 3],
    inner: Option<Inner4>,
    rings: Solver5,
}

/// How hard a step tries.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// Width of the centre phases' beams.
    width: [usize; 3],
    /// Ways of each length that they keep.
    keep: [usize; 3],
    /// Ways through the phase that puts the innermost wings into halves, and of their pairing.
    inner: [usize; 2],
    /// Nodes of that pairing.
    nodes: u64,
    /// Ways through a ring that the next ring goes on from.
    rings: usize,
    /// Nodes for the 3x3x3s.
    finish: u64,
}

const PLAN: [Step; STEPS] = [
    Step {
        width: [1000, 1000, 1000],
        keep: [300, 300, 1000],
        inner: [20, 30],
        nodes: 200_000,
        rings: 30,
        finish: 700_000,
    },
    Step {
        width: [5000, 5000, 5000],
        keep: [1000, 1000, 3000],
        inner: [80, 100],
        nodes: 2_000_000,
        rings: 100,
        finish: 4_000_000,
    },
    Step {
        width: [20_000, 20_000, 20_000],
        keep: [3000, 3000, 10_000],
        inner: [300, 300],
        nodes: 20_000_000,
        rings: 300,
        finish: 50_000_000,
    },
];

/// The most turns of one centre phase.
const FARTHEST: usize = 60;

impl<const K: usize> SolverBig<K> {
    /// Opens the tables for cubes of size `n`, building them where that is allowed.
    pub fn open(n: usize, store: &Store, progress: &dyn Progress) -> Result<SolverBig<K>, TableError> {
        let even = n.is_multiple_of(2);
        let part = |part| {
            Ok(Centres::new(
                n,
                part,
                store.open_or_build(&Guide::of(n, part), progress)?,
            ))
        };
        Ok(SolverBig {
            n,
            parts: [part(Part::Axis)?, part(Part::Axes)?, part(Part::Blocks)?],
            inner: if even {
                Some(Inner4::open(store, progress)?)
            } else {
                None
            },
            rings: Solver5::open(store, progress)?,
        })
    }

    /// Lets `pair` make a 3x3x3 of the smaller cube in a ring of every cube; what comes out of it is done to the whole cubes.
    fn ring(
        &self,
        given: &State,
        wholes: &[Candidate],
        [layer, size]: [usize; 2],
        pair: impl FnOnce(&[Candidate]) -> Result<Vec<Candidate>, SolveError>,
    ) -> Result<Vec<Candidate>, SolveError> {
        let inside = wholes.iter().enumerate().map(|(i, whole)| {
            let state = rings::ring(&whole.state, layer, size);
            Candidate::inside(whole, i, state)
        });
        let paired = pair(&inside.collect::<Vec<_>>())?;
        let whole = |inside: Candidate| {
            let mut turns = wholes[inside.whole].turns.clone();
            turns.extend(inside.turns.iter().map(|&turn| rings::widened(turn, layer)));
            Candidate::after(given, turns)
        };
        Ok(paired.into_iter().map(whole).collect())
    }
}

/// How far a cube seems to be from the goal of the phase that it is to go through next.
fn promise<const K: usize>(next: &Centres<K>, candidate: &Candidate) -> u32 {
    let mut least = u32::MAX;
    next.starts(&candidate.state, &mut |_, node, ()| {
        least = least.min(next.estimate(&node))
    });
    least
}

impl<const K: usize> Reduce for SolverBig<K> {
    fn directly(&self, state: &State, meter: &mut Meter) -> Result<Option<Vec<Turn>>, SolveError> {
        Ok(near::near(state, meter))
    }

    fn reduce(
        &self,
        state: &State,
        step: usize,
        longest: usize,
        committed: &mut Committed,
        meter: &mut Meter,
    ) -> Result<Vec<Candidate>, SolveError> {
        let effort = step;
        let step = &PLAN[step];
        let mut found = vec![Candidate::new(state.clone())];
        for (i, part) in self.parts.iter().enumerate() {
            let limits = Limits {
                width: step.width[i],
                keep: step.keep[i],
                beyond: 1,
                // A beam that has not got there by then never does.
                longest: longest.min(found.first().map_or(0, Candidate::length) + FARTHEST),
            };
            let starts = step.width[i];
            let before = found.first().map_or(0, Candidate::length);
            found = advance_beam(part, &found, limits, starts, meter);
            let next = self.parts.get(i + 1);
            found = committed.fix(found, |candidate| {
                8 * candidate.length() as u32 + next.map_or(0, |next| promise(next, candidate))
            });
            log::debug!(
                "{}: {} {}",
                i + 1,
                found.len(),
                found.first().map_or(0, Candidate::length) - before
            );
        }
        found = found.into_iter().map(|c| Candidate::after(state, c.turns)).collect();
        let mut layer = self.n.div_ceil(2) - 1;
        if let Some(inner) = &self.inner {
            layer += 1;
            let before = found.first().map_or(0, Candidate::length);
            found = self.ring(state, &found, [layer, 4], |inside| {
                Ok(inner.pair(inside, step.inner, step.nodes, longest, meter))
            })?;
            log::debug!(
                "inner: {} {}",
                found.len(),
                found.first().map_or(0, Candidate::length) - before
            );
            layer -= 1;
        }
        while layer >= 2 {
            found = committed.fix(found, Candidate::length);
            found.truncate(step.rings);
            let before = found.first().map_or(0, Candidate::length);
            found = self.ring(state, &found, [layer, 5], |inside| {
                self.rings.pair(inside, effort, longest, meter)
            })?;
            log::debug!(
                "ring {layer}: {} {}",
                found.len(),
                found.first().map_or(0, Candidate::length) - before
            );
            layer -= 1;
        }
        Ok(found)
    }

    fn finish_nodes(&self, step: usize) -> u64 {
        PLAN[step].finish
    }
}

#[cfg(test)]
mod tests;
