//! A big cube becomes a 3x3x3 in phases: what each has found is carried to the next, and of all the 3x3x3s that come
//! out the one is taken that ends soonest.

use std::ops::Deref;

use super::SolveError;
use super::committed::Committed;
use super::three::{Reduced3, Solver3};
use crate::cube::{Pieces, Square, State, StateError, Symmetry, Turn, merged};
use crate::search::{Limits, Meter, Phase, Ranked, Start, Wanted, Way, beam, deepen};

/// A phase that is kept, or was opened for a while.
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

/// A phase that knows where it may begin.
pub(super) trait Stage: Phase {
    /// Shows `push` every way to see a cube for which the phases before are done: how the cube is held from here on,
    /// and the node.
    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Self::Node, Self::Root));
}

/// A cube on its way.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// As it is now, held as `held` says, and its colours renamed likewise.
    pub state: State,
    /// How the cube is held, against how it was given.
    held: Symmetry,
    /// What was done, as the cube was given.
    pub turns: Vec<Turn>,
    /// Of a cube inside a bigger one: the turns that the bigger one has cost before.
    before: usize,
    /// Of a cube inside a bigger one: the number of the bigger one.
    pub whole: usize,
}

impl Candidate {
    /// A cube as it is given.
    pub fn new(state: State) -> Candidate {
        Candidate {
            state,
            held: Symmetry::IDENTITY,
            turns: Vec::new(),
            before: 0,
            whole: 0,
        }
    }

    /// A cube that turns like a part of `whole`, which has this number.
    pub fn inside(whole: &Candidate, number: usize, state: State) -> Candidate {
        Candidate {
            before: whole.length(),
            whole: number,
            ..Candidate::new(state)
        }
    }

    /// A cube as it is given, after turns.
    pub fn after(given: &State, turns: Vec<Turn>) -> Candidate {
        let mut state = given.clone();
        state.turn_all(&turns);
        Candidate {
            turns,
            ..Candidate::new(state)
        }
    }

    /// The same after more turns, which are meant as it is held now.
    pub fn then(mut self, turns: &[Turn]) -> Candidate {
        let back = self.held.inverse();
        self.state.turn_all(turns);
        self.turns.extend(turns.iter().map(|turn| turn.moved(back)));
        self
    }

    /// The same, held as it was given.
    pub fn held_as_given(self) -> Candidate {
        Candidate {
            state: self.state.held(self.held.inverse()),
            held: Symmetry::IDENTITY,
            ..self
        }
    }

    /// Turns so far.
    pub fn length(&self) -> usize {
        self.before + self.turns.len()
    }
}

/// Brings cubes through a phase layer by layer, from the best so many starts; what comes out is ordered by length.
pub(super) fn advance_beam<S: Stage + Ranked>(
    stage: &S,
    from: &[Candidate],
    limits: Limits,
    best: usize,
    meter: &mut Meter,
) -> Vec<Candidate> {
    let promise = |start: &StartOf<S>| promise_of(stage, start);
    advance(stage, from, best, promise, |starts| beam(stage, starts, limits, meter))
}

/// Brings cubes through a phase depth first, from the best so many starts; what comes out is ordered by length.
pub(super) fn advance_deepen<S: Stage>(
    stage: &S,
    from: &[Candidate],
    wanted: Wanted,
    best: usize,
    meter: &mut Meter,
) -> Vec<Candidate> {
    let promise = |start: &StartOf<S>| start.length as u32 + stage.bound(&start.node);
    advance(stage, from, best, promise, |starts| {
        deepen(stage, starts, wanted, meter)
    })
}

type StartOf<S> = Start<<S as Phase>::Node, <S as Phase>::Root>;

/// Shows all starts of a phase for one cube, and how each is held.
fn starts_of<S: Stage>(stage: &S, candidate: &Candidate, mut show: impl FnMut(Symmetry, StartOf<S>)) {
    let length = candidate.length();
    stage.starts(&candidate.state, &mut |hold, node, root| {
        show(hold, Start { node, root, length })
    });
}

/// What a cube has cost so far and how far the end of a phase seems to be, in eighths of a turn.
pub(super) fn promise<S: Stage + Ranked>(stage: &S, candidate: &Candidate) -> u32 {
    let mut least = u32::MAX;
    starts_of(stage, candidate, |_, start| {
        least = least.min(promise_of(stage, &start))
    });
    least
}

/// Whether a phase is done for a cube.
pub(super) fn is_done<S: Stage>(stage: &S, candidate: &Candidate) -> bool {
    let mut done = false;
    starts_of(stage, candidate, |_, start| done |= stage.bound(&start.node) == 0);
    done
}

fn promise_of<S: Stage + Ranked>(stage: &S, start: &StartOf<S>) -> u32 {
    8 * start.length as u32 + stage.estimate(&start.node)
}

/// Finds the starts of a phase, searches from the `best` of least `promise`, and does the turns that were found.
fn advance<S: Stage>(
    stage: &S,
    from: &[Candidate],
    best: usize,
    promise: impl Fn(&StartOf<S>) -> u32,
    search: impl FnOnce(&[StartOf<S>]) -> Vec<Way>,
) -> Vec<Candidate> {
    let mut starts = Vec::new();
    for (i, candidate) in from.iter().enumerate() {
        starts_of(stage, candidate, |hold, start| {
            starts.push((promise(&start), i as u32, hold, start));
        });
        // There may be hundreds for one cube, and memory for few.
        if starts.len() / 2 > best {
            starts.sort_by_key(|&(promise, ..)| promise);
            starts.truncate(best);
        }
    }
    starts.sort_by_key(|&(promise, ..)| promise);
    starts.truncate(best);
    let nodes: Vec<StartOf<S>> = starts.iter().map(|&(.., start)| start).collect();
    let ways = search(&nodes);
    let n = from.first().map_or(0, |candidate| candidate.state.size());
    let permutations: Vec<Vec<usize>> = stage.turns().iter().map(|turn| turn.permutation(n)).collect();
    let arrive = |way: Way| {
        let (_, i, hold, _) = starts[way.start];
        let i = i as usize;
        let mut state = from[i].state.held(hold);
        let held = from[i].held.then(hold);
        let back = held.inverse();
        let mut turns = from[i].turns.clone();
        for turn in way.turns {
            state.permute(&permutations[turn as usize]);
            turns.push(stage.turns()[turn as usize].moved(back));
        }
        Candidate {
            state,
            held,
            turns,
            ..from[i]
        }
    };
    ways.into_iter().map(arrive).collect()
}

/// One try to reduce a cube.
pub(super) struct Attempt<'a, 'b> {
    /// How hard it tries: which of [`STEPS`].
    pub step: usize,
    /// The most turns in all.
    pub longest: usize,
    /// Who waits for turns.
    pub committed: &'a mut Committed<'b>,
    /// What it may cost.
    pub meter: &'a mut Meter,
}

/// A size that is reduced.
pub(super) trait Reduce {
    /// A solution of at most [`NEAR`] turns, if there is one: see [`directly`].
    fn directly(&self, state: &State, meter: &mut Meter) -> Result<Option<Vec<Turn>>, SolveError>;
    /// Brings a cube to many 3x3x3s.
    fn reduce(&self, state: &State, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError>;
    /// Nodes for the 3x3x3s of a step.
    fn finish_nodes(&self, step: usize) -> u64;
    /// The step to begin with where time is not limited, so that nobody waits for a first solution.
    fn first_step(&self) -> usize {
        0
    }
}

/// Steps of growing work, one for each effort: later ones look for something shorter.
pub(super) const STEPS: usize = 3;

/// No cube that can be solved here needs more turns.
const LONGEST: usize = 5000;

/// Cubes so near are solved directly.
const NEAR: usize = 4;

/// Solves a cube by reducing it, in steps up to `last`; the shortest that was found and whether nothing shorter can be.
pub(super) fn solve(
    reducer: &dyn Reduce,
    three: &Solver3,
    state: &State,
    last: usize,
    meter: &mut Meter,
) -> Result<Option<(Vec<Turn>, bool)>, SolveError> {
    if let Some(turns) = reducer.directly(state, meter)? {
        return Ok(Some((turns, true)));
    }
    let mut best: Option<Vec<Turn>> = None;
    let first = if meter.is_timed() {
        0
    } else {
        reducer.first_step().min(last)
    };
    // Rarely a step finds nothing: then the others are needed whatever the effort, the cheapest first.
    for step in (first..=last).chain(0..first).chain(last + 1..STEPS) {
        if best.is_some() && !(first..=last).contains(&step) {
            break;
        }
        let longest = best.as_ref().map_or(LONGEST, |turns| turns.len() - 1);
        meter.begin(u64::MAX, best.is_some());
        let mut attempt = Attempt {
            step,
            longest,
            committed: &mut Committed::nobody(),
            meter,
        };
        if let Some(all) = run(reducer, three, state, &mut attempt)? {
            let all = merged(&all);
            log::debug!("step {step}: {} turns", all.len());
            best = Some(all);
        }
        if meter.is_over() {
            break;
        }
    }
    Ok(best.map(|turns| (turns, false)))
}

/// Solves a cube in one go, handing out what is certain; all that was handed out.
pub(super) fn stream(
    reducer: &dyn Reduce,
    three: &Solver3,
    state: &State,
    step: usize,
    hand: &mut dyn FnMut(&[Turn]),
    meter: &mut Meter,
) -> Result<Option<Vec<Turn>>, SolveError> {
    let mut committed = Committed::to(hand);
    let found = match reducer.directly(state, meter)? {
        Some(turns) => Some(turns),
        None => {
            let mut attempt = Attempt {
                step,
                longest: LONGEST,
                committed: &mut committed,
                meter,
            };
            run(reducer, three, state, &mut attempt)?
        }
    };
    Ok(found.map(|turns| {
        committed.hand_out(&turns);
        committed.all()
    }))
}

/// One step: reductions, and the one that ends soonest.
fn run(
    reducer: &dyn Reduce,
    three: &Solver3,
    state: &State,
    attempt: &mut Attempt,
) -> Result<Option<Vec<Turn>>, SolveError> {
    let candidates = reducer.reduce(state, attempt)?;
    let reductions: Result<Vec<Reduced3>, StateError> = candidates.iter().map(as_three).collect();
    attempt
        .meter
        .begin(reducer.finish_nodes(attempt.step), attempt.longest < LONGEST);
    let found = three.finish(&reductions?, attempt.longest, attempt.meter);
    Ok(found.map(|(i, turns)| {
        let back = candidates[i].held.inverse();
        let mut all = candidates[i].turns.clone();
        all.extend(turns.into_iter().map(|turn| turn.moved(back)));
        all
    }))
}

/// Looks for the shortest solution of a cube that is very near solved; `bound` says how far it is at least.
pub(super) fn directly(
    state: &State,
    turns: &[Turn],
    bound: impl Fn(&State) -> usize,
    meter: &mut Meter,
) -> Option<Vec<Turn>> {
    let mut path = Vec::new();
    (0..=NEAR)
        .any(|depth| visit(state, turns, &bound, depth, &mut path, meter))
        .then_some(path)
}

fn visit(
    state: &State,
    turns: &[Turn],
    bound: &impl Fn(&State) -> usize,
    depth: usize,
    path: &mut Vec<Turn>,
    meter: &mut Meter,
) -> bool {
    if bound(state) > depth {
        return false;
    }
    if depth == 0 {
        return state.is_solved();
    }
    for &turn in turns {
        if path
            .last()
            .is_some_and(|last| (last.face, last.last) == (turn.face, turn.last))
            || !meter.spend()
        {
            continue;
        }
        let mut next = state.clone();
        next.turn(turn);
        path.push(turn);
        if visit(&next, turns, bound, depth - 1, path, meter) {
            return true;
        }
        path.pop();
    }
    false
}

/// A reduced cube as the 3x3x3 that it turns like; an error if it is none.
fn as_three(candidate: &Candidate) -> Result<Reduced3, StateError> {
    let n = candidate.state.size();
    // Any square of an edge and of a face stands for the whole.
    let layer = [0, 1, n - 1];
    let colours = Square::all(3).map(|square| {
        let (row, col) = square.row_col(3);
        candidate
            .state
            .colour(Square::at(n, square.face, layer[row], layer[col]))
    });
    let three = State::from_colours(colours.collect()).unwrap_or(State::solved(3));
    Ok(Reduced3 {
        before: candidate.length(),
        cubies: Pieces::of(&three)?.cubies,
    })
}
