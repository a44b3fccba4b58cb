//! Tests of what every solver has in common: advice, checks, limits.

use super::candidate::Candidate;
use super::reduction::{Attempt, Tries};
use super::*;
use crate::cube::{Face, Symmetry, random_turns};
use crate::progress::Quiet;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A reducer that finds nothing.
struct Nothing;

impl Reduce for Nothing {
    fn reduce(&self, _: &State, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        attempt.meter.spend();
        Ok(Vec::new())
    }

    fn finish_nodes(&self, _: &Attempt) -> u64 {
        1
    }
}

#[test]
fn more_time_is_advised_only_where_time_ended_the_search() {
    let three = Solver3::open(&crate::testing::tables(3), &Quiet).unwrap();
    let solver = Solver {
        size: 4,
        kind: Kind::Reduced(Box::new(Nothing), Box::new(three)),
        store: Store::new("nowhere"),
        #[cfg(feature = "optimal")]
        prover: None,
    };
    let mut far = State::solved(4);
    far.turn_all(&random_turns(4, 40, &mut ChaCha8Rng::seed_from_u64(1)));
    let failure = |time_limit: Option<Duration>| {
        let options = Options {
            time_limit,
            ..Options::default()
        };
        solver.solve(&far, &options).unwrap_err()
    };
    let whole_day = Duration::from_secs(86_400);
    for limit in [None, Some(whole_day)] {
        let why = failure(limit);
        assert!(matches!(why, SolveError::NotFound { nodes: STEPS.., .. }), "{why}");
        assert!(!why.to_string().contains("time"), "{why}");
    }
    let why = failure(Some(Duration::ZERO));
    assert!(matches!(why, SolveError::Ended { nodes: 0, .. }), "{why}");
    assert!(why.to_string().ends_with("allow more time"), "{why}");
}

/// A reducer that finds turns which solve nothing.
struct Wrong;

impl Reduce for Wrong {
    fn reduce(&self, _: &State, _: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        Ok(vec![Candidate::new(State::solved(4))])
    }

    fn finish_nodes(&self, _: &Attempt) -> u64 {
        1
    }
}

#[test]
fn turns_that_do_not_solve_never_leave_the_solver() {
    let three = Solver3::open(&crate::testing::tables(3), &Quiet).unwrap();
    let solver = Solver {
        size: 4,
        kind: Kind::Reduced(Box::new(Wrong), Box::new(three)),
        // Without tables, none is blamed.
        store: Store::new("nowhere"),
        #[cfg(feature = "optimal")]
        prover: None,
    };
    let mut far = State::solved(4);
    far.turn_all(&random_turns(4, 40, &mut ChaCha8Rng::seed_from_u64(1)));
    let why = solver.solve(&far, &Options::default()).unwrap_err();
    assert!(matches!(why, SolveError::NotFound { .. }), "{why}");
    assert!(why.to_string().contains("may be wrong; build them again"), "{why}");
    let mut state = State::solved(4);
    state.turn(Turn::outer(Face::U, 1, 3));
    assert_eq!(solver.solve(&state, &Options::default()).unwrap().turns.len(), 1);
}

/// The fewest nodes of a solve that finds nothing: one for each step.
const STEPS: u64 = reduction::STEPS as u64;

#[test]
fn a_2x2x2_is_done_in_as_few_turns_as_its_table_says() {
    let solver = Solver::open(2, &crate::testing::tables(2), &Quiet).unwrap();
    for seed in 0..20 {
        let turns = random_turns(2, 30, &mut ChaCha8Rng::seed_from_u64(seed));
        let fewer = shorter(2, &turns, Same::Squares, &mut Meter::new(0, None, None));
        let mut state = State::solved(2);
        state.turn_all(&turns);
        let solution = solver.solve(&state, &Options::default()).unwrap();
        assert!(solution.optimal);
        assert_eq!(fewer.len(), solution.turns.len());
    }
}

/// A reducer that hands out a turn to who waits and then knows no way on; else it takes a cube whose wings are paired as it is.
struct Halfway;

const FIRST: Turn = Turn::outer(Face::U, 1, 1);

impl Reduce for Halfway {
    fn reduce(&self, state: &State, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        if attempt.committed.is_awaited() {
            attempt.committed.hand_out(&[FIRST], &[]);
            return Ok(Vec::new());
        }
        Ok(vec![Candidate::new(state.clone())])
    }

    fn finish_nodes(&self, _: &Attempt) -> u64 {
        10_000
    }
}

#[test]
fn where_nothing_goes_on_from_what_was_handed_out_the_cube_is_solved_as_it_is_then() {
    let three = Solver3::open(&crate::testing::tables(3), &Quiet).unwrap();
    let mut state = State::solved(4);
    let layers = random_turns(3, 40, &mut ChaCha8Rng::seed_from_u64(2)).into_iter();
    state.turn_all(&layers.filter(|turn| turn.last == 1).collect::<Vec<_>>());
    let mut parts: Vec<Vec<Turn>> = Vec::new();
    let mut meter = Meter::new(u64::MAX, None, None);
    let mut sink = |turns: &[Turn], _: &[Work]| parts.push(turns.to_vec());
    let machine = Waiting {
        sink: &mut sink,
        cost: None,
    };
    let all = steps::stream((&Halfway, &three), &state, 1, machine, &mut meter).unwrap();
    assert!(parts.len() == 2 && parts[0] == [FIRST]);
    assert_eq!(all, [parts.concat()]);
    state.turn_all(&parts.concat());
    assert!(state.is_solved());
}

#[test]
#[cfg(feature = "build-tables")]
fn who_waits_for_a_4x4x4_gets_turns_long_before_the_search_ends() {
    let solver = Solver::open(4, &crate::testing::tables(4), &Quiet).unwrap();
    let Kind::Reduced(reducer, three) = &solver.kind else {
        panic!("a 4x4x4 is reduced");
    };
    let mut state = State::solved(4);
    state.turn_all(&random_turns(4, 80, &mut ChaCha8Rng::seed_from_u64(3)));
    // Nodes until so many parts have come.
    let nodes = |parts: usize| {
        let (stop, mut come) = (Arc::new(AtomicBool::new(false)), 0);
        let mut meter = Meter::new(u64::MAX, None, Some(stop.clone()));
        let mut sink = |_: &[Turn], _: &[Work]| {
            come += 1;
            stop.store(come == parts, Relaxed);
        };
        let machine = Waiting {
            sink: &mut sink,
            cost: None,
        };
        let found = steps::stream((reducer.as_ref(), three), &state, 1, machine, &mut meter).unwrap();
        assert!(found.is_empty() || come < parts);
        meter.nodes()
    };
    let [first, second, all] = [1, 2, usize::MAX].map(nodes);
    assert!(
        4 * first < all && first < second && second < all,
        "{first} {second} {all}"
    );
}

/// A reducer that takes cubes whose wings are paired as they are, by way of a detour that is shorter the more often it is asked. It notes
/// how hard it is to try, and ends the search after some tries.
struct Detours {
    tries: Mutex<Vec<(usize, State)>>,
    stop: Arc<AtomicBool>,
}

impl Detours {
    /// After so many tries it is enough.
    const MOST: usize = 7;
}

impl Reduce for Detours {
    fn reduce(&self, state: &State, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
        let mut tries = self.tries.lock().unwrap();
        tries.push((attempt.times, state.clone()));
        self.stop.store(tries.len() == Self::MOST, Relaxed);
        let wide = Turn::outer(Face::U, 2, 1);
        let detour = vec![wide; 4 * (Self::MOST - tries.len())];
        Ok(vec![Candidate::after(state, detour)])
    }

    fn finish_nodes(&self, _: &Attempt) -> u64 {
        10_000
    }

    fn tries(&self, step: usize) -> Tries {
        let times = if step == 1 { 3 } else { 1 };
        Tries { ways: 1, times }
    }
}

/// A 4x4x4 whose wings are paired.
fn paired() -> State {
    let mut state = State::solved(4);
    let layers = random_turns(3, 40, &mut ChaCha8Rng::seed_from_u64(2)).into_iter();
    state.turn_all(&layers.filter(|turn| turn.last == 1).collect::<Vec<_>>());
    state
}

#[test]
fn a_pc_tries_harder_than_a_brick_what_was_asked_for_and_within_a_time_limit_at_the_end() {
    let three = Solver3::open(&crate::testing::tables(3), &Quiet).unwrap();
    let state = paired();
    let tries = |as_brick, limit| {
        let detours = Detours {
            tries: Mutex::default(),
            stop: Arc::default(),
        };
        let aim = steps::Aim {
            last: 1,
            several: [1, 0],
            goes_on: false,
            as_brick,
        };
        let mut meter = Meter::new(u64::MAX, limit, Some(detours.stop.clone()));
        assert_eq!(
            steps::solve((&detours, &three), &state, aim, &mut meter).unwrap().len(),
            1
        );
        let tries = detours.tries.into_inner().unwrap();
        tries.into_iter().map(|(times, _)| times).collect::<Vec<_>>()
    };
    let hour = Some(Duration::from_secs(3600));
    assert_eq!(tries(true, None), [1]);
    assert_eq!(tries(true, hour), [1, 1]);
    if BUILDS_TABLES {
        assert_eq!(tries(false, None), [1, 3]);
        assert_eq!(tries(false, hour), [1, 1, 3]);
    }
}

#[test]
fn a_brick_finds_what_a_pc_finds_unless_that_tries_harder_or_time_is_limited() {
    let three = || Solver3::open(&crate::testing::tables(3), &Quiet).unwrap();
    let detours = Detours {
        tries: Mutex::default(),
        stop: Arc::default(),
    };
    let solvers = [
        Solver::of(3, Kind::Three(Box::new(three())), &crate::testing::store()),
        Solver::of(
            4,
            Kind::Reduced(Box::new(detours), Box::new(three())),
            &crate::testing::store(),
        ),
    ];
    let is_same = |effort, as_brick, time_limit| {
        let options = Options {
            effort,
            as_brick,
            time_limit,
            ..Options::default()
        };
        [&solvers[0], &solvers[1]].map(|solver| solver.is_as_on_a_brick(&options))
    };
    assert_eq!(is_same(Effort::Quick, false, None), [true, true]);
    assert_eq!(is_same(Effort::Normal, false, None), [true, false]);
    assert_eq!(is_same(Effort::Best, false, None), [false, true]);
    for effort in [Effort::Normal, Effort::Best] {
        assert_eq!(is_same(effort, true, None), [true; 2]);
        assert_eq!(is_same(effort, true, Some(Duration::from_secs(60))), [false; 2]);
    }
}

#[test]
fn a_search_that_goes_on_tries_harder_with_the_cube_held_in_other_ways_and_keeps_what_is_shortest() {
    let three = Solver3::open(&crate::testing::tables(3), &Quiet).unwrap();
    let state = paired();
    for goes_on in [false, true] {
        let detours = Detours {
            tries: Mutex::default(),
            stop: Arc::default(),
        };
        let aim = steps::Aim {
            last: 0,
            several: [1, 0],
            goes_on,
            as_brick: false,
        };
        let mut meter = Meter::new(u64::MAX, None, Some(detours.stop.clone()));
        let found = steps::solve((&detours, &three), &state, aim, &mut meter).unwrap();
        let mut solved = state.clone();
        solved.turn_all(&found[0]);
        assert!(solved.is_solved() && found.len() == 1);
        let tries = detours.tries.into_inner().unwrap();
        let times: &[usize] = if goes_on { &[1, 2, 2, 4, 4, 8, 8] } else { &[1] };
        assert_eq!(tries.len(), times.len());
        // Those of one round are at work together, so any may be the first of them.
        for (&times, hold) in times.iter().zip(Symmetry::rotations()) {
            assert!(tries.contains(&(times.min(steps::HARDEST), state.held(hold))));
        }
    }
}

#[test]
#[cfg(feature = "build-tables")]
fn a_search_whose_first_phase_was_opened_early_finds_the_same() {
    for n in crate::testing::cases(vec![3, 4, 5, 6, 7], vec![5]) {
        // As on a brick, which opens one phase after the other.
        let store = crate::testing::tables(n).building(false);
        let mut state = State::solved(n);
        state.turn_all(&random_turns(n, 20 * n, &mut ChaCha8Rng::seed_from_u64(4)));
        let parts = |solver: Solver| {
            let mut parts = Vec::new();
            let options = Options {
                effort: Effort::Quick,
                ..Options::default()
            };
            let mut sink = |turns: &[Turn], work: &[Work]| parts.push((turns.to_vec(), work.len()));
            solver.stream(&state, &options, &mut sink).unwrap();
            parts
        };
        let early = Solver::open_early(n, &store).unwrap();
        assert_eq!(parts(early), parts(Solver::open(n, &store, &Quiet).unwrap()), "{n}");
    }
    assert!(Solver::open_early(5, &Store::new("no tables here")).is_none());
}
