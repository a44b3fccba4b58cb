//! The 6x6x6, the 7x7x7 and every larger cube, reduced to a 3x3x3 from the centres outwards.
//!
//! 1. The centres of one axis come onto one axis, all orbits at once.
//! 2. The centres of the other two axes come onto theirs. The wings of every layer come into an even permutation.
//! 3. Then layer by layer, from the inside out:
//!    - *Blocks*: in each corner of a face, the obliques of this layer and of outer ones come to agree with the x-centres
//!      of this layer. At each edge, the t-centres come to agree with each other.
//!    - *Ring*: each block now moves as one piece, so the outer layer and the block of layers down to this one turn like
//!      a 4x4x4 or a 5x5x5. Their last phases pair the wings of this layer and solve the centres.
//!    - Everything inside of this layer is now done and turns as one middle layer. What is left is a cube of odd size,
//!      with one layer less on each side.
//!
//! The centre phases are beam searches led by a guide. From the 8x8x8 on they have stages. Those of the first two phases look at one
//! pair of layers, then at the three pairs of three layers, then at one pair more each; those of the third at one pair more each. Where a
//! beam gets stuck, commutators do the rest. From the 14x14x14 on they do the first two phases whole.
//! `README.md` here tells what was tried.

mod centre_stage;
mod centres;
mod closing;
mod commuting;
mod faces;
#[cfg(feature = "build-tables")]
mod learned;
#[cfg(feature = "build-tables")]
mod learning;
mod patterns;
mod plan;
mod rings;
mod stages;
mod tables;
mod waiting;
mod wings;

use std::sync::Arc;

use super::SolveError;
use super::candidate::Candidate;
use super::committed::Committed;
use super::five::Solver5;
use super::four::Inner4;
use super::reduction::{Attempt, Early, Open, Reduce, Tries, while_it_goes_on};
use crate::cube::{State, Turn};
use crate::progress::{Progress, Quiet};
use crate::search::{Limits, Meter};
use crate::tables::{Store, TableError};
use centre_stage::{CentrePhase, CentreStage};
use centres::{Centring, centring};
use closing::Closing;
use commuting::Commuting;
#[cfg(feature = "build-tables")]
pub(crate) use learning::{Lessons, Marks, Start};
use plan::{StepWork, tries};
use rings::Inside;
use stages::stages;
pub(crate) use tables::{Guide, guides};
use waiting::{Budgets, HELD_BACK, Scout, waiting};

/// Brings the centres of a cube of more than three layers to their sides, a few at a time, without tables and without a search.
pub struct CentreCycles {
    closing: Closing,
}

impl CentreCycles {
    /// For cubes of size `n`.
    pub fn new(n: usize) -> CentreCycles {
        let closing = Closing::new(n);
        CentreCycles { closing }
    }

    /// Turns that bring some more centres to the sides after which their colours are named, and leave those that are there. `None`
    /// if all are there.
    pub fn next(&self, state: &State) -> Option<Vec<Turn>> {
        self.closing.next_home(state)
    }
}

/// The solver of one size.
pub(crate) struct SolverBig {
    n: usize,
    store: Store,
    /// For cubes of this size and for the smaller cubes inside.
    closings: Vec<Arc<Closing>>,
    /// The centre phases in their order.
    stages: Vec<CentreStage>,
    kept: Option<Kept>,
    /// The first stage, if it was opened before the search.
    early: Early<dyn Centring>,
    rings: Solver5,
}

/// Phases that a PC keeps open.
struct Kept {
    stages: Vec<Box<dyn Centring>>,
    inner: Option<Inner4>,
}

/// If a beam gets stuck, one that is so many times as wide is tried.
const WIDER: usize = 4;
/// A beam is stuck after so many turns without a better estimate.
const PATIENCE: usize = 16;

/// About how many turns commutators take for each wrong cell.
const TURNS_A_CELL: usize = 3;
/// How many cubes commutators are tried on.
const CLOSED: usize = 3;

impl SolverBig {
    /// Opens the tables for cubes of size `n`, building them where that is allowed.
    pub fn open(n: usize, store: &Store, progress: &dyn Progress) -> Result<SolverBig, TableError> {
        let stages = stages(n);
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
            // Fails at once if a table is missing.
            guides(n).iter().try_for_each(|guide| store.look(guide))?;
            if n.is_multiple_of(2) {
                Inner4::look(store)?;
            }
            None
        };
        let mut sizes: Vec<usize> = stages.iter().map(|stage| stage.n).collect();
        sizes.dedup();
        Ok(SolverBig {
            n,
            store: store.clone(),
            closings: sizes.into_iter().map(|size| Arc::new(Closing::new(size))).collect(),
            stages,
            kept,
            early: Early::default(),
            rings: Solver5::open(store, progress)?,
        })
    }

    /// How much work the attempt may do where no machine waits.
    fn planned(&self, attempt: &Attempt) -> StepWork {
        StepWork::of(self.n, attempt.step, attempt.times)
    }

    /// How much work its beams and its rings may do; its rings are the last one or one before.
    fn work(&self, attempt: &Attempt, last_ring: bool) -> StepWork {
        let work = self.planned(attempt);
        match waiting(self.n).budgets {
            Some(Budgets { widths, inner, rings }) if attempt.is_awaited_normal() => StepWork {
                widths,
                inner: inner.0,
                nodes: inner.1,
                wings: rings[usize::from(last_ring)],
                ..work
            },
            _ => work,
        }
    }

    fn stage(&self, number: usize, meter: &Meter) -> Result<Open<'_, dyn Centring>, TableError> {
        Ok(match &self.kept {
            Some(kept) => Open::Kept(&*kept.stages[number]),
            None => Open::Opened(opened(&self.stages[number], &self.store, &meter.ending())?),
        })
    }

    fn inner(&self, meter: &Meter) -> Result<Open<'_, Inner4>, TableError> {
        match self.kept.as_ref().and_then(|kept| kept.inner.as_ref()) {
            Some(inner) => Ok(Open::Kept(inner)),
            None => Ok(Open::Opened(Box::new(Inner4::open(&self.store, &meter.ending())?))),
        }
    }

    /// One stage of a centre phase.
    fn centres(&self, number: usize, from: &[Candidate], attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        let (before, work, stage) = (shortest(from), self.work(attempt, false), &self.stages[number]);
        let search = self.stage(number, attempt.meter)?;
        let width = work.width_for(stage, search.turns(), &self.stages);
        let mut found = Vec::new();
        for width in [width, WIDER * width] {
            let limits = Limits {
                width,
                keep: work.keep,
                beyond: 1,
                longest: attempt.longest.min(before + stage.longest()),
                patience: PATIENCE,
                samples: false,
            };
            found = search.advance(from, limits, attempt.meter);
            if found.first().is_some_and(|cube| search.is_done(cube)) {
                break;
            }
        }
        let stuck = found.first().is_some_and(|cube| !search.is_done(cube));
        drop(search);
        if stuck {
            found = self.closed(found, stage, &work, attempt);
        }
        log::debug!(
            "{0}x{0}x{0}, {1} with layers {2:?}: {3} turns{4}",
            stage.n,
            stage.phase.name(),
            stage.pairs.last().unwrap_or(&[0, 0]),
            shortest(&found).saturating_sub(before),
            if stuck { ", the last by commutators" } else { "" }
        );
        Ok(found)
    }

    /// Brings the centres of all axes onto theirs.
    fn axes(&self, from: Vec<Candidate>, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        let mut found = from;
        let blocks = self.stages.iter().position(|stage| stage.phase == CentrePhase::Blocks);
        for number in 0..blocks.unwrap_or(self.stages.len()) {
            found = self.centres(number, &found, attempt)?;
            if attempt.committed.is_awaited() && number + 1 < self.stages.len() {
                let next = self.stage(number + 1, attempt.meter)?;
                found = fixed(found, waiting(self.n).axes, attempt, |cube| next.promise(cube));
            }
        }
        Ok(found)
    }

    /// Searches the first stage quickly and hands out its first turns. The machine makes them while the stage is searched
    /// again more thoroughly.
    fn scout(&self, state: &State, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        let stage = match self.early.take() {
            Some(stage) => Open::Opened(stage),
            None => self.stage(0, attempt.meter)?,
        };
        let mut cube = Candidate::new(state.clone());
        for &Scout { width, ahead, given } in &waiting(self.n).scouts {
            let limits = Limits {
                width,
                keep: 1,
                beyond: 0,
                longest: attempt.longest.min(cube.length() + ahead),
                patience: PATIENCE,
                samples: false,
            };
            let found = stage.advance(std::slice::from_ref(&cube), limits, attempt.meter);
            let Some(first) = found.into_iter().next() else {
                break;
            };
            let mut turns = first.turns;
            turns.truncate(given);
            attempt.committed.hand_out(&turns, attempt.meter.work());
            cube = Candidate::after(state, turns);
        }
        Ok(vec![cube])
    }

    /// Takes cubes that a beam left near the goal, and brings them to the goal by commutators: by a beam of these, or if that is stuck, too, by
    /// the best at each step. Gives those that take the fewest turns in all.
    fn closed(
        &self,
        near: Vec<Candidate>,
        stage: &CentreStage,
        work: &StepWork,
        attempt: &mut Attempt,
    ) -> Vec<Candidate> {
        let Some(closing) = self.closings.iter().find(|closing| closing.size() == stage.n) else {
            return Vec::new();
        };
        let limits = Limits {
            width: work.commuting,
            keep: work.keep,
            beyond: 1,
            longest: attempt.longest,
            patience: PATIENCE,
            samples: false,
        };
        let meter = &mut *attempt.meter;
        let commuting = Commuting::new(stage.clone(), closing.clone());
        let found = commuting.advance(&near, limits, meter);
        if found.first().is_some_and(|cube| commuting.is_done(cube)) {
            return found;
        }
        let far = |cube: &Candidate| cube.length() + TURNS_A_CELL * closing.wrong(&cube.state, stage);
        let mut near = while_it_goes_on(near, meter, |cube| (far(&cube), cube));
        near.sort_by_key(|&(far, _)| far);
        near.truncate(CLOSED);
        let close = |(_, near): (usize, Candidate)| {
            let turns = closing.close(&near.state, stage, work.closing.min(stage.n / 2), meter)?;
            Some(near.then(&turns))
        };
        let closed = near.into_iter().filter_map(close);
        closed.min_by_key(Candidate::length).into_iter().collect()
    }

    /// Makes blocks of the centres of a layer. Everything inside of it is done already.
    fn blocks(&self, found: &[Candidate], layer: usize, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        let inside = Inside::down_to(self.n, layer);
        let is_here = |stage: &CentreStage| (stage.n, stage.phase) == (inside.size(), CentrePhase::Blocks);
        let here = (0..self.stages.len()).filter(|&number| is_here(&self.stages[number]));
        inside.search(found, attempt, |mut cubes, attempt| {
            for number in here {
                cubes = self.centres(number, &cubes, attempt)?;
            }
            Ok(cubes)
        })
    }

    /// Pairs the wings of a layer whose centres are blocks.
    fn pair(&self, found: &[Candidate], layer: usize, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        let StepWork {
            inner, nodes, wings, ..
        } = self.work(attempt, layer == 2);
        let longest = attempt.longest;
        let before = shortest(found);
        let paired = Inside::ring(self.n, layer).search(found, attempt, |cubes, attempt| {
            if 2 * layer == self.n {
                let four = self.inner(attempt.meter)?;
                Ok(four.pair(&cubes, inner, nodes, longest, attempt.meter))
            } else {
                self.rings
                    .pair(&cubes, wings, longest, &mut Committed::not_awaited(), attempt.meter)
            }
        })?;
        log::debug!(
            "edges of layer {layer}: {} turns",
            shortest(&paired).saturating_sub(before)
        );
        Ok(paired)
    }
}

/// After a phase, hands out what a waiting machine can do meanwhile: all but the last turns.
fn fixed(
    found: Vec<Candidate>,
    held_back: usize,
    attempt: &mut Attempt,
    promise: impl Fn(&Candidate) -> u32,
) -> Vec<Candidate> {
    let turns = shortest(&found).saturating_sub(held_back);
    attempt.committed.fix(found, turns, attempt.meter.work(), promise)
}

/// A cube's promise where nothing is known of the next phase.
fn by_length(cube: &Candidate) -> u32 {
    8 * cube.length() as u32
}

/// The length of the shortest way, which is the first.
fn shortest(found: &[Candidate]) -> usize {
    found.first().map_or(0, Candidate::length)
}

fn opened(stage: &CentreStage, store: &Store, progress: &dyn Progress) -> Result<Box<dyn Centring>, TableError> {
    if stage.is_commuted() {
        return Ok(Box::new(Commuting::new(stage.clone(), Arc::new(Closing::new(stage.n)))));
    }
    let weights = store.open_or_build(&Guide::of(stage), progress)?;
    Ok(centring(stage.clone(), weights))
}

impl Reduce for SolverBig {
    fn open_first(&self) -> Result<(), TableError> {
        if self.kept.is_none() {
            self.early.keep(opened(&self.stages[0], &self.store, &Quiet)?);
        }
        Ok(())
    }

    fn reduce(&self, state: &State, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        let mut found = vec![Candidate::new(state.clone())];
        if attempt.committed.is_awaited() {
            found = self.scout(state, attempt)?;
        }
        found = self.axes(found, attempt)?;
        found = while_it_goes_on(found, attempt.meter, Candidate::held_as_given);
        for layer in (2..=self.n / 2).rev() {
            if layer > 2 {
                found = self.blocks(&found, layer, attempt)?;
                found = fixed(found, HELD_BACK, attempt, by_length);
            }
            found = self.pair(&found, layer, attempt)?;
            if layer > 2 {
                found = fixed(found, HELD_BACK, attempt, by_length);
                found.truncate(self.planned(attempt).rings);
            }
        }
        Ok(found)
    }

    fn finish_nodes(&self, attempt: &Attempt) -> u64 {
        let finish = self.planned(attempt).finish;
        match attempt.committed.is_awaited() && attempt.step > 0 {
            true => finish.max(waiting(self.n).finish),
            false => finish,
        }
    }

    fn first_step(&self, last: usize) -> usize {
        last.min(1)
    }

    fn tries(&self, step: usize) -> Tries {
        tries(self.n, step)
    }
}

#[cfg(test)]
mod tests;
