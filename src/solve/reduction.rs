//! Reduces a big cube to a 3x3x3 in phases. Each phase goes on from all cubes that the phase before has found. Of all the
//! 3x3x3s at the end, the one with the fewest turns in all is taken.

use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::SolveError;
use super::candidate::Candidate;
use super::committed::Committed;
use super::three::{self, Reduced3, Solver3};
use super::words;
use crate::cube::{Exchanges, Pieces, State, Symmetry, Turn};
use crate::search::{Effort, Limits, Meter, Phase, Ranked, Start, Wanted, Way, beam, deepen, on_all_cores, show_each};
use crate::tables::{BUILDS_TABLES, Contradiction, TableError};

/// A phase with its tables: always open, or opened for a while.
pub(super) enum Open<'a, P: ?Sized> {
    /// A PC keeps all phases with their tables.
    Kept(&'a P),
    /// A brick has room for the tables of one phase at a time.
    Opened(Box<P>),
}

impl<P: ?Sized> Deref for Open<'_, P> {
    type Target = P;

    fn deref(&self) -> &P {
        match self {
            Open::Kept(phase) => phase,
            Open::Opened(phase) => phase,
        }
    }
}

/// A phase that was opened before its search begins.
pub(super) struct Early<P: ?Sized>(Mutex<Option<Box<P>>>);

impl<P: ?Sized> Default for Early<P> {
    fn default() -> Early<P> {
        Early(Mutex::new(None))
    }
}

impl<P: ?Sized> Early<P> {
    fn lock(&self) -> MutexGuard<'_, Option<Box<P>>> {
        // A thread that panicked has changed it or not.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the phase until it is taken.
    pub fn keep(&self, phase: Box<P>) {
        *self.lock() = Some(phase);
    }

    /// The phase, if it is kept.
    pub fn take(&self) -> Option<Box<P>> {
        self.lock().take()
    }
}

/// A phase that knows where it may begin.
pub(super) trait Stage: Phase {
    /// What it is called in messages, as in `docs/how-it-solves.md`.
    fn name(&self) -> &'static str;
    /// Shows `push` every start of a cube that has done the phases before: how the cube is held from here on, and the node. An
    /// error if a table contradicts itself.
    fn starts(
        &self,
        state: &State,
        push: &mut dyn FnMut(Symmetry, Self::Node, Self::Root),
    ) -> Result<(), Contradiction>;
    /// The same, but a beam wants no start whose estimate is above `most`, in eighths of a turn: where it saves work, such a start is not
    /// shown.
    fn starts_within(
        &self,
        state: &State,
        _most: u32,
        push: &mut dyn FnMut(Symmetry, Self::Node, Self::Root),
    ) -> Result<(), Contradiction> {
        self.starts(state, push)
    }
}

/// Brings cubes through a phase by a beam, from the `best` starts. Gives the cubes, the shortest first.
pub(super) fn advance_beam<S: Stage + Ranked + Sync>(
    stage: &S,
    from: &[Candidate],
    limits: Limits,
    best: usize,
    meter: &mut Meter,
) -> Vec<Candidate> {
    let promise = |start: &StartOf<S>| promise_of(stage, start);
    let starts = best_starts(stage, from, best, promise, most_of_beam, meter);
    advance(stage, from, starts, meter, |starts, meter| {
        beam(stage, starts, limits, meter)
    })
}

/// Brings cubes through a phase depth first, from the `best` starts. Gives the cubes, the shortest first.
pub(super) fn advance_deepen<S: Stage + Sync>(
    stage: &S,
    from: &[Candidate],
    wanted: Wanted,
    best: usize,
    meter: &mut Meter,
) -> Vec<Candidate> {
    let promise = |start: &StartOf<S>| start.length as u32 + stage.bound(&start.node);
    let starts = best_starts(stage, from, best, promise, |_, _| Some(u32::MAX), meter);
    advance(stage, from, starts, meter, |starts, meter| {
        deepen(stage, starts, wanted, meter)
    })
}

pub(super) type StartOf<S> = Start<<S as Phase>::Node, <S as Phase>::Root>;

/// Shows the starts of a phase for one cube, but for those that the stage leaves out as it estimates them above `most`, and how each is held.
fn starts_of<S: Stage>(
    stage: &S,
    candidate: &Candidate,
    most: u32,
    mut show: impl FnMut(Symmetry, StartOf<S>),
) -> Result<(), Contradiction> {
    let length = candidate.length();
    stage.starts_within(&candidate.state, most, &mut |hold, node, root| {
        show(hold, Start { node, root, length })
    })
}

/// What a cube has cost so far and how far the end of a phase seems to be, in eighths of a turn.
pub(super) fn promise<S: Stage + Ranked>(stage: &S, candidate: &Candidate) -> u32 {
    let mut least = u32::MAX;
    let known = starts_of(stage, candidate, u32::MAX, |_, start| {
        least = least.min(promise_of(stage, &start))
    });
    known.map_or(u32::MAX, |()| least)
}

/// What a cube has cost so far and how far the end of a phase is at least, in eighths of a turn.
pub(super) fn at_least<S: Stage>(stage: &S, candidate: &Candidate) -> u32 {
    let mut least = u32::MAX;
    let known = starts_of(stage, candidate, u32::MAX, |_, start| {
        least = least.min(8 * (start.length as u32 + stage.bound(&start.node)));
    });
    known.map_or(u32::MAX, |()| least)
}

/// Whether a phase is done for a cube.
pub(super) fn is_done<S: Stage>(stage: &S, candidate: &Candidate) -> bool {
    let mut done = false;
    let known = starts_of(stage, candidate, u32::MAX, |_, start| {
        done |= stage.bound(&start.node) == 0
    });
    known.is_ok() && done
}

pub(super) fn promise_of<S: Stage + Ranked>(stage: &S, start: &StartOf<S>) -> u32 {
    8 * start.length as u32 + stage.estimate(&start.node)
}

/// The highest estimate, in eighths of a turn, of a beam's start after so many turns that promises less than enough; none if no start can.
pub(super) fn most_of_beam(length: usize, enough: u32) -> Option<u32> {
    enough.checked_sub(8 * length as u32 + 1)
}

/// Keeps the `best` starts with the least promise, ordered by promise; equal ones keep their order. It sorts pairs of numbers, because
/// sorting another type would make the brick's program larger.
fn keep_best<H: Copy, S: Copy>(starts: &mut Vec<(u32, u32, H, S)>, best: usize) {
    let mut order: Vec<(u32, u32)> = (0..).zip(&*starts).map(|(i, start)| (start.0, i)).collect();
    order.sort_unstable();
    *starts = order.iter().take(best).map(|&(_, i)| starts[i as usize]).collect();
}

/// A start: what it promises, the number of its cube, how that is held, and the start itself.
pub(super) type Promised<S> = (u32, u32, Symmetry, StartOf<S>);

/// Cubes whose starts all cores of a PC find together: few, as those of one cube tell which of the next may be left out.
const TOGETHER: usize = if BUILDS_TABLES { 16 } else { 1 };

/// The `best` starts of least `promise`, ordered by promise; of equal ones the first. None if the search must end. `most` tells up to
/// which estimate starts after so many turns may still promise less than enough, as [`most_of_beam`] does.
pub(super) fn best_starts<S: Stage + Sync>(
    stage: &S,
    from: &[Candidate],
    best: usize,
    promise: impl Fn(&StartOf<S>) -> u32 + Sync,
    most: impl Fn(usize, u32) -> Option<u32> + Sync,
    meter: &mut Meter,
) -> Option<Vec<Promised<S>>> {
    let mut starts = Vec::new();
    // As many as are kept promise no more than this: a later start has to promise less.
    let mut enough = u32::MAX;
    let numbered: Vec<(u32, &Candidate)> = (0..).zip(from).collect();
    for lot in numbered.chunks(TOGETHER) {
        if !meter.goes_on() {
            return None;
        }
        let own = |&(i, candidate): &(u32, &Candidate)| {
            let mut own: Vec<Promised<S>> = Vec::new();
            let Some(most) = most(candidate.length(), enough) else {
                return Ok(own);
            };
            starts_of(stage, candidate, most, |hold, start| {
                let promise = promise(&start);
                if promise < enough {
                    own.push((promise, i, hold, start));
                }
            })?;
            Ok(own)
        };
        for own in on_all_cores(lot, own) {
            match own {
                Ok(own) => starts.extend(own),
                Err(contradiction) => {
                    meter.contradict(contradiction);
                    return None;
                }
            }
        }
        // One cube may have hundreds of starts, and memory is scarce.
        if starts.len() / 2 > best {
            keep_best(&mut starts, best);
            enough = starts.last().map_or(enough, |last| last.0);
        }
    }
    keep_best(&mut starts, best);
    Some(starts)
}

/// Searches a phase from its starts, and does the turns that were found. Without starts the search must end, and gives none.
fn advance<S: Stage + Sync>(
    stage: &S,
    from: &[Candidate],
    starts: Option<Vec<Promised<S>>>,
    meter: &mut Meter,
    search: impl FnOnce(&[StartOf<S>], &mut Meter) -> Vec<Way>,
) -> Vec<Candidate> {
    let Some(starts) = starts else {
        return Vec::new();
    };
    let nodes: Vec<StartOf<S>> = starts.iter().map(|&(.., start)| start).collect();
    let ways = search(&nodes, meter);
    let n = from.first().map_or(0, |candidate| candidate.state.size());
    let exchanges = stage.turns().iter().map(|turn| Exchanges::new(&turn.permutation(n)));
    let exchanges: Vec<Exchanges> = exchanges.collect();
    let arrive = |way: Way| {
        let (_, i, hold, _) = starts[way.start];
        let i = i as usize;
        let mut state = from[i].state.held(hold);
        let held = from[i].held.then(hold);
        let back = held.inverse();
        let mut turns = Vec::with_capacity(from[i].turns.len() + way.turns.len());
        turns.extend_from_slice(&from[i].turns);
        for turn in way.turns {
            state.exchange(&exchanges[turn as usize]);
            turns.push(stage.turns()[turn as usize].moved(back));
        }
        Candidate {
            state,
            held,
            turns,
            ..from[i]
        }
    };
    let found = while_it_goes_on(ways, meter, arrive);
    meter.book_from(from.len() as u64, stage.name(), n);
    say(stage.name(), &found, meter);
    found
}

/// Says what a phase has found.
fn say(name: &str, found: &[Candidate], meter: &Meter) {
    if let Some(shortest) = found.iter().min_by_key(|cube| cube.length()) {
        let (n, length, ways, nodes) = (shortest.state.size(), shortest.length(), found.len(), meter.nodes());
        log::debug!("{n}x{n}x{n}, {name}: {ways} found, the shortest has {length} turns in all; {nodes} nodes so far");
    }
}

/// Cubes between two checks whether to end, which all cores of a PC work on together. For the largest cubes this takes some milliseconds.
const LOOK: usize = if BUILDS_TABLES { 64 } else { 16 };

/// Maps all cubes by `make`. Gives none if the search must end meanwhile, because no phase could go on from them.
pub(super) fn while_it_goes_on<T: Send, U: Send>(
    all: Vec<T>,
    meter: &mut Meter,
    make: impl Fn(T) -> U + Sync + Send,
) -> Vec<U> {
    let mut made = Vec::with_capacity(all.len());
    let all_made = show_each(all.into_iter(), LOOK, make, |one| {
        if made.len() % LOOK == 0 && !meter.goes_on() {
            return None;
        }
        made.push(one);
        Some(())
    });
    all_made.map_or_else(Vec::new, |()| made)
}

/// One try to reduce a cube.
pub(super) struct Attempt<'a, 'b> {
    /// Which of the [`STEPS`], which tells how hard it tries.
    pub step: usize,
    /// So many times harder.
    pub times: usize,
    /// The most turns in all.
    pub longest: usize,
    /// How many solutions to keep, and how many turns longer than the best one may be.
    pub several: [usize; 2],
    /// Where turns go that are certain.
    pub committed: &'a mut Committed<'b>,
    /// Limits nodes and time.
    pub meter: &'a mut Meter,
}

impl Attempt<'_, '_> {
    /// Whether a machine waits for the normal step, which may take as long as the machine turns what it has.
    pub fn is_awaited_normal(&self) -> bool {
        self.committed.is_awaited() && self.step == Effort::Normal as usize
    }

    /// The cube after the turns that were handed out.
    pub fn after_these(&self, state: &State) -> Candidate {
        Candidate::after(state, self.committed.searched().to_vec())
    }
}

/// How hard a step is tried on a PC, where no time limit is given and nobody waits for the first turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tries {
    /// With the cube held in so many ways, at the same time.
    pub ways: usize,
    /// So many times harder, each of them.
    pub times: usize,
}

/// The cube as it is given, once.
pub(super) const ONCE: Tries = Tries { ways: 1, times: 1 };

/// A size that is reduced.
pub(super) trait Reduce: Send + Sync {
    /// Opens the phase that a search begins with, where it is not open already, so that the search finds it so.
    fn open_first(&self) -> Result<(), TableError> {
        Ok(())
    }
    /// Brings a cube to many 3x3x3s.
    fn reduce(&self, state: &State, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError>;
    /// How many nodes an attempt may spend on its 3x3x3s.
    fn finish_nodes(&self, attempt: &Attempt) -> u64;
    /// How many more it may spend on other ends for a waiting machine whose seconds count. That takes a brick twelve seconds, while the machine
    /// has turns for longer than that; within a time limit, what is left of it at most.
    fn end_nodes(&self, attempt: &Attempt) -> u64 {
        if attempt.step == 0 { 0 } else { 20_000_000 }
    }
    /// The first step of a search that ends with step `last`, if its time is not limited and no step before the last is tried harder. The normal
    /// step needs none before it; a search that takes longer soon finds something for who stops it.
    fn first_step(&self, last: usize) -> usize {
        if last + 1 == STEPS { 0 } else { last }
    }
    /// How hard a step is tried on a PC if it is what was asked for: as two cores do it within some seconds, the last step within half a
    /// minute and in less than a gigabyte.
    fn tries(&self, _step: usize) -> Tries {
        ONCE
    }
}

/// Steps of growing work, one for each effort: later ones look for something shorter.
pub(super) const STEPS: usize = 3;

/// More turns than any cube needs here.
pub(super) const LONGEST: usize = 5000;

/// One step: reduces the cube in many ways and finishes those that take the fewest turns in all.
pub(super) fn run(
    reducer: &dyn Reduce,
    three: &Solver3,
    state: &State,
    attempt: &mut Attempt,
) -> Result<Vec<Vec<Turn>>, SolveError> {
    let mut candidates = reducer.reduce(state, attempt)?;
    let mut reductions = Vec::with_capacity(candidates.len());
    candidates.retain(|candidate| {
        let three = as_three(candidate);
        reductions.extend(three);
        three.is_some()
    });
    attempt
        .meter
        .begin(reducer.finish_nodes(attempt), attempt.longest < LONGEST);
    let [keep, slack] = attempt.several;
    let wanted = three::Wanted {
        keep,
        slack,
        ..three::Wanted::shortest(attempt.longest)
    };
    let mut found = three.finish(&reductions, wanted, attempt.meter);
    found.extend(other_ends((reducer, three), &reductions, &found, attempt));
    attempt.meter.book(words::LAST, 3);
    let whole = |(i, turns): (usize, Vec<Turn>)| {
        let back = candidates[i].held.inverse();
        let mut all = candidates[i].turns.clone();
        all.extend(turns.into_iter().map(|turn| turn.moved(back)));
        all
    };
    let mut all: Vec<Vec<Turn>> = found.into_iter().map(whole).collect();
    // Of equal ones the first, which is the shortest. Where seconds do not count, all are equal.
    if let Some(soonest) = (0..all.len()).min_by_key(|&i| attempt.committed.cost_of_rest(&all[i])) {
        all.swap(0, soonest);
    }
    Ok(all)
}

/// Among how many other ends a machine chooses: to plan more takes a brick longer than it saves.
const OTHER_ENDS: usize = 32;
/// How many turns longer than the shortest end they may be.
const END_SLACK: usize = 1;

/// Ends that are about as short as the shortest one that was `found`, if a machine waits whose seconds count: it may make one of them sooner.
fn other_ends(
    (reducer, three): (&dyn Reduce, &Solver3),
    reductions: &[Reduced3],
    found: &[(usize, Vec<Turn>)],
    attempt: &mut Attempt,
) -> Vec<(usize, Vec<Turn>)> {
    let nodes = reducer.end_nodes(attempt);
    let shortest = found.first().map(|(i, turns)| reductions[*i].before + turns.len());
    let Some(shortest) = shortest.filter(|_| attempt.committed.counts_seconds() && nodes > 0) else {
        return Vec::new();
    };
    let wanted = three::Wanted {
        keep: OTHER_ENDS,
        slack: END_SLACK,
        ..three::Wanted::shortest(attempt.longest.min(shortest + END_SLACK))
    };
    attempt.meter.begin(nodes, true);
    three.finish(reductions, wanted, attempt.meter)
}

/// A reduced cube as the 3x3x3 that it turns like; `None` if it is not reduced, because tables were wrong.
fn as_three(candidate: &Candidate) -> Option<Reduced3> {
    Some(Reduced3 {
        before: candidate.length(),
        cubies: Pieces::of(&candidate.state.reduced(2)).ok()?.cubies,
    })
}
