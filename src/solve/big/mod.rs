//! The 6x6x6, the 7x7x7 and every larger cube, reduced to a 3x3x3 from the centres outwards.
//!
//! 1. The centres of one axis come onto one axis, all orbits at once.
//! 2. The centres of the other two axes come onto theirs, and the wings of every layer into an even permutation.
//! 3. In each corner of a face the obliques come to agree with the x-centres of the inner of their layers, and at each
//!    edge the t-centres with each other. (The outermost x-centres are free: the last ring brings them in.)
//! 4. As such a block moves as one piece, the outer layers and the block down to an inner layer now turn like a 4x4x4
//!    or a 5x5x5: ring by ring, from the inside out, its last phases pair the wings of that layer and solve the centres.
//!
//! The centre phases are searched by beams that a guide leads, from the 8x8x8 on in stages of one pair of layers more at
//! a time, and closed by commutators where a beam gets stuck. `README.md` here tells what was tried.

mod centres;
mod closing;
mod near;
mod patterns;
mod rings;
mod tables;
mod wings;

use super::SolveError;
use super::five::Solver5;
use super::four::Inner4;
use super::reduction::{Attempt, Candidate, Open, Reduce, STEPS, advance_beam, promise};
use crate::cube::{State, Turn};
use crate::search::{Limits, Meter};
use crate::tables::{Progress, Quiet, Store, TableError};
use centres::{Centres, Part, Scope};
use closing::Closing;
pub(crate) use tables::Guide;

/// The solver of one size whose cubes have fewer than `K` orbits of centres.
pub(crate) struct SolverBig<const K: usize> {
    n: usize,
    store: Store,
    closing: Closing,
    /// The centre phases in their order.
    stages: Vec<Scope>,
    kept: Option<Kept<K>>,
    rings: Solver5,
}

/// Phases that a PC keeps open.
struct Kept<const K: usize> {
    stages: Vec<Centres<K>>,
    inner: Option<Inner4>,
}

/// How hard a step tries.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// Width of the centre phases' beams.
    width: usize,
    /// Ways of each length that they keep.
    keep: usize,
    /// Ways through the phase that puts the innermost wings into halves, and of their pairing.
    inner: [usize; 2],
    /// Nodes of that pairing.
    nodes: u64,
    /// Nodes for the last phase of a 5x5x5's pairing, behind a beam.
    deepen: u64,
    /// Ways through a ring that the next ring goes on from.
    rings: usize,
    /// Width of the turns tried around commutators.
    closing: usize,
    /// Nodes for the 3x3x3s.
    finish: u64,
}

const PLAN: [Step; STEPS] = [
    Step {
        width: 400,
        keep: 300,
        inner: [60, 100],
        nodes: 100_000,
        deepen: 300_000,
        rings: 100,
        closing: 1,
        finish: 200_000,
    },
    Step {
        width: 5000,
        keep: 1000,
        inner: [300, 400],
        nodes: 500_000,
        deepen: 2_000_000,
        rings: 500,
        closing: 4,
        finish: 2_000_000,
    },
    Step {
        width: 20_000,
        keep: 3000,
        inner: [1000, 1000],
        nodes: 20_000_000,
        deepen: 100_000_000,
        rings: 2000,
        closing: 8,
        finish: 50_000_000,
    },
];

/// The most turns of one centre phase, for every layer of the cube: an 8x8x8 takes up to 60 in all. What gets stuck
/// ends before.
const FARTHEST: usize = 20;

/// Width of the beam that finds the first turns for who waits, and how many it hands out.
const SCOUT: usize = 100;
const SCOUTED: usize = 4;

/// About what commutators take for a cell that is wrong.
const TURNS_A_CELL: usize = 3;
/// Cubes that they are tried on.
const CLOSED: usize = 6;

impl<const K: usize> SolverBig<K> {
    /// Opens the tables for cubes of size `n`, building them where that is allowed.
    pub fn open(n: usize, store: &Store, progress: &dyn Progress) -> Result<SolverBig<K>, TableError> {
        let stages: Vec<Scope> = Part::ALL.into_iter().flat_map(|part| Scope::stages(n, part)).collect();
        let kept = if store.builds() {
            let inner = n.is_multiple_of(2).then(|| Inner4::open(store, progress)).transpose()?;
            Some(Kept {
                stages: stages
                    .iter()
                    .map(|stage| opened(stage, store, progress))
                    .collect::<Result<_, _>>()?,
                inner,
            })
        } else {
            // What is missing is said before anything begins.
            stages.iter().try_for_each(|scope| store.look(&Guide::of(scope)))?;
            if n.is_multiple_of(2) {
                Inner4::look(store)?;
            }
            None
        };
        Ok(SolverBig {
            n,
            store: store.clone(),
            closing: Closing::new(n),
            stages,
            kept,
            rings: Solver5::open(store, progress)?,
        })
    }

    fn stage(&self, number: usize) -> Result<Open<'_, Centres<K>>, TableError> {
        Ok(match &self.kept {
            Some(kept) => Open::Kept(&kept.stages[number]),
            None => Open::Opened(Box::new(opened(&self.stages[number], &self.store, &Quiet)?)),
        })
    }

    fn inner(&self) -> Result<Open<'_, Inner4>, TableError> {
        match self.kept.as_ref().and_then(|kept| kept.inner.as_ref()) {
            Some(inner) => Ok(Open::Kept(inner)),
            None => Ok(Open::Opened(Box::new(Inner4::open(&self.store, &Quiet)?))),
        }
    }

    /// One of the centre phases, or a stage of it.
    fn centres(
        &self,
        number: usize,
        from: Vec<Candidate>,
        attempt: &mut Attempt,
    ) -> Result<Vec<Candidate>, SolveError> {
        let (before, step) = (shortest(&from), &PLAN[attempt.step]);
        let part = self.stages[number].part;
        let next = self.stages.get(number + 1);
        // With half turns only, layers are short and paths long: where several pairs of layers are to agree, narrow
        // beams get stuck.
        let wider = if part == Part::Blocks && self.n > 7 { 4 } else { 1 };
        let width = wider * step.width;
        let limits = Limits {
            width,
            keep: step.keep,
            beyond: 1,
            longest: attempt.longest.min(before + FARTHEST * self.n),
            patience: 16,
        };
        let stage = self.stage(number)?;
        let mut found = advance_beam(&*stage, &from, limits, width, attempt.meter);
        drop(stage);
        if next.is_none_or(|next| next.part != part) {
            let is_done = |candidate: &Candidate| self.closing.wrong(&candidate.state, part) == 0;
            if !found.first().is_some_and(is_done) {
                found = self.closed(found, part, step.closing);
            }
        }
        log::debug!(
            "centres, {part:?}, stage {number}: {} ways, {} turns; {} nodes so far",
            found.len(),
            shortest(&found).saturating_sub(before),
            attempt.meter.nodes()
        );
        if next.is_none() || !attempt.committed.is_awaited() {
            return Ok(attempt.committed.fix(found, Candidate::length));
        }
        let next = self.stage(number + 1)?;
        Ok(attempt.committed.fix(found, |candidate| promise(&*next, candidate)))
    }

    /// Who waits for turns is handed the first ones of a quick look at the first phase: a machine turns them while the
    /// phase is searched.
    fn scout(&self, state: &State, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        let stage = self.stage(0)?;
        let limits = Limits {
            width: SCOUT,
            keep: 1,
            beyond: 0,
            longest: FARTHEST * self.n,
            patience: 16,
        };
        let found = advance_beam(&*stage, &[Candidate::new(state.clone())], limits, SCOUT, attempt.meter);
        let mut turns = found.into_iter().next().map_or(Vec::new(), |first| first.turns);
        turns.truncate(SCOUTED);
        attempt.committed.hand_out(&turns);
        Ok(vec![Candidate::after(state, turns)])
    }

    /// Of cubes that a beam came near the goal with, the one that commutators bring there in the fewest turns in all.
    fn closed(&self, mut near: Vec<Candidate>, part: Part, widest: usize) -> Vec<Candidate> {
        near.sort_by_cached_key(|cube| cube.length() + TURNS_A_CELL * self.closing.wrong(&cube.state, part));
        near.truncate(CLOSED);
        let close = |near: Candidate| {
            let turns = self.closing.close(&near.state, part, widest.min(self.n / 2))?;
            Some(near.then(&turns))
        };
        let closed = near.into_iter().filter_map(close);
        closed.min_by_key(Candidate::length).into_iter().collect()
    }

    /// Pairs the wings of all layers, from the inside out.
    fn pair(&self, state: &State, from: Vec<Candidate>, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        let Step {
            inner,
            nodes,
            deepen,
            rings,
            ..
        } = PLAN[attempt.step];
        let (step, longest) = (attempt.step, attempt.longest);
        let mut found = from;
        for layer in (2..=self.n / 2).rev() {
            let before = shortest(&found);
            found = if 2 * layer == self.n {
                let phases = self.inner()?;
                self.ring(state, &found, [layer, 4], |inside| {
                    Ok(phases.pair(inside, inner, nodes, longest, attempt.meter))
                })?
            } else {
                self.ring(state, &found, [layer, 5], |inside| {
                    self.rings.pair(inside, step, deepen, longest, attempt.meter)
                })?
            };
            log::debug!(
                "wings of layer {layer}: {} ways, {} turns; {} nodes so far",
                found.len(),
                shortest(&found).saturating_sub(before),
                attempt.meter.nodes()
            );
            if layer > 2 {
                found = attempt.committed.fix(found, Candidate::length);
                found.truncate(rings);
            }
        }
        Ok(found)
    }

    /// Lets `pair` make a 3x3x3 of the smaller cube in a ring of every cube; what comes out of it is done to the whole
    /// cubes.
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

/// Turns of the shortest, which come first.
fn shortest(found: &[Candidate]) -> usize {
    found.first().map_or(0, Candidate::length)
}

fn opened<const K: usize>(scope: &Scope, store: &Store, progress: &dyn Progress) -> Result<Centres<K>, TableError> {
    let weights = store.open_or_build(&Guide::of(scope), progress)?;
    Ok(Centres::new(scope.clone(), weights))
}

impl<const K: usize> Reduce for SolverBig<K> {
    fn directly(&self, state: &State, meter: &mut Meter) -> Result<Option<Vec<Turn>>, SolveError> {
        Ok(near::near(state, meter))
    }

    fn reduce(&self, state: &State, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        let mut found = vec![Candidate::new(state.clone())];
        if attempt.committed.is_awaited() {
            found = self.scout(state, attempt)?;
        }
        for number in 0..self.stages.len() {
            found = self.centres(number, found, attempt)?;
        }
        let found = found.into_iter().map(|c| Candidate::after(state, c.turns)).collect();
        self.pair(state, found, attempt)
    }

    fn finish_nodes(&self, step: usize) -> u64 {
        PLAN[step].finish
    }
}

#[cfg(test)]
mod tests;
