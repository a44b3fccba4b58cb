//! The part of a job that solves and turns, both at once: another thread searches and plans what is certain, this one, which the devices
//! belong to, turns it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::journal::Record;
use super::run::{LISTEN, Means, Run};
use super::{Done, Event, JobError, Metric, Solved, Stage, Summary, solve_for_crane};
use crate::crane::{Plan, Planner, Pose};
use crate::cube::{State, Turn};
use crate::progress::Progress;
use crate::solve::{Options, Solver};
use crate::tables::Store;

/// Cubes larger than this are turned while the search goes on.
const WHOLE: usize = 5;

/// Turns that were planned together.
struct Part {
    start: Pose,
    turns: Vec<Turn>,
    plan: Plan,
    /// What planning took.
    time: Duration,
}

impl Part {
    /// No turns.
    fn nothing(desk: &Desk) -> Part {
        let start = desk.lock().end;
        Part {
            start,
            turns: Vec::new(),
            plan: desk.planner.plan(start, &[]),
            time: Duration::ZERO,
        }
    }
}

/// Where the searching thread puts what the turning one takes. There is never more than one part: what comes before the last one was taken
/// is planned together with it, so that turns about one axis merge and the cube stays up between them.
struct Desk<'a> {
    n: usize,
    planner: &'a Planner,
    inner: Mutex<Inner>,
    changed: Condvar,
}

struct Inner {
    part: Option<Part>,
    /// Where the plans so far leave the cube.
    end: Pose,
    /// Nothing more will come, and whether what came is all that there should be.
    finished: Option<bool>,
    /// Until the search has ended, nothing is given away.
    whole: bool,
    solution: Option<Solved>,
}

impl<'a> Desk<'a> {
    /// With nothing on it; the cube stands so.
    fn new(n: usize, planner: &'a Planner, end: Pose, whole: bool) -> Desk<'a> {
        Desk {
            n,
            planner,
            inner: Mutex::new(Inner {
                part: None,
                end,
                finished: None,
                whole,
                solution: None,
            }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A thread that panicked has changed one value or none.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plans further turns.
    fn add(&self, new: &[Turn]) {
        let began = Instant::now();
        let inner = self.lock();
        let (start, mut turns) = match &inner.part {
            Some(part) => (part.start, part.turns.clone()),
            None => (inner.end, Vec::new()),
        };
        let together = !turns.is_empty();
        drop(inner);
        turns.extend(new);
        // While this takes its time, the part may be taken.
        let plan = self.planner.plan(start, &turns);
        let mut inner = self.lock();
        let mut part = Part {
            start,
            turns,
            plan,
            time: Duration::ZERO,
        };
        if together && inner.part.is_none() {
            part.start = inner.end;
            part.turns = new.to_vec();
            drop(inner);
            part.plan = self.planner.plan(part.start, new);
            inner = self.lock();
        }
        part.time = began.elapsed();
        inner.end = part.plan.end;
        inner.part = Some(part);
        self.changed.notify_all();
    }

    fn finish(&self, solution: Option<Solved>, complete: bool) {
        let mut inner = self.lock();
        inner.solution = solution;
        inner.finished = Some(complete);
        self.changed.notify_all();
    }
}

/// A thread that waits at a desk goes on even if the search panics.
struct Finish<'a, 'd>(&'a Desk<'d>);

impl Drop for Finish<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.finish(None, false);
        }
    }
}

/// What the searching thread needs.
struct Search<'a> {
    store: &'a Store,
    progress: &'a dyn Progress,
    options: Options,
    metric: Metric,
    pose: Pose,
    /// Turns that come before what it finds.
    turns: &'a [Turn],
    /// The cube after these, if it is to be solved.
    state: Option<&'a State>,
    /// Whether its turns are wanted all at once.
    together: bool,
}

impl Search<'_> {
    /// Puts all turns on a desk; the thread that waits there is told when it ends, however it does.
    fn fill(&self, desk: &Desk) -> Result<(), JobError> {
        let finish = Finish(desk);
        let (solution, result) = match self.find(desk) {
            Ok(solution) => (solution, Ok(())),
            Err(why) => (None, Err(why)),
        };
        finish.0.finish(solution, result.is_ok());
        result
    }

    fn find(&self, desk: &Desk) -> Result<Option<Solved>, JobError> {
        if !self.turns.is_empty() || self.state.is_none() {
            desk.add(self.turns);
        }
        let Some(state) = self.state else { return Ok(None) };
        let solver = Solver::open_for(state, self.store, self.progress)?;
        let mut phases = Vec::new();
        let mut hand = |turns: &[Turn]| {
            phases.push(turns.len());
            desk.add(turns);
        };
        let solution = if self.together {
            // The cube is as it is held: nothing was turned before.
            let solution = match self.metric {
                Metric::Turns => solver.solve(state, &self.options)?,
                Metric::Machine => solve_for_crane(&solver, state, &self.options, desk.planner, self.pose)?,
            };
            hand(&solution.turns);
            solution
        } else {
            solver.stream(state, &self.options, &mut hand)?
        };
        Ok(Some(Solved {
            turns: solution.turns,
            phases,
            nodes: solution.nodes,
        }))
    }
}

/// What the crane has done of a job.
#[derive(Default)]
struct Made {
    motions: usize,
    milliseconds: u32,
}

impl Run<'_> {
    /// Makes these turns on a cube of size `n` at rest, and then, if there is a state, those that solve it, which is meant as it is after
    /// the former.
    pub(super) fn think_and_turn(
        &mut self,
        with: &Means,
        n: usize,
        pose: Pose,
        turns: Vec<Turn>,
        state: Option<&State>,
    ) -> Result<Summary, JobError> {
        let planner = Planner::new(self.mechanism, n)?;
        let together = n <= WHOLE && turns.is_empty();
        let desk = Desk::new(n, &planner, pose, state.is_none() || together);
        let given_up = Arc::new(AtomicBool::new(false));
        let search = Search {
            store: with.store,
            progress: with.progress,
            options: Options {
                stop: Some(given_up.clone()),
                ..with.options.clone()
            },
            metric: with.metric,
            pose,
            turns: &turns,
            state,
            together,
        };
        if state.is_some() {
            self.begin(Stage::Solve);
        }
        let (made, thought) = thread::scope(|scope| {
            let worker = match thread::Builder::new().spawn_scoped(scope, || search.fill(&desk)) {
                Ok(worker) => worker,
                Err(_) => return (Err(JobError::Thread), Ok(())),
            };
            let made = self.turn_as_planned(&desk, state.is_some());
            // The turns of this search cannot be made: it is not waited for.
            given_up.store(made.is_err(), Relaxed);
            let thought = worker.join().unwrap_or(Err(JobError::Broken));
            (made, thought)
        });
        // What stopped the crane also stopped the search.
        let Made { motions, milliseconds } = made?;
        thought?;
        let solution = desk.lock().solution.take();
        if state.is_some() && solution.is_none() {
            return Err(JobError::Broken);
        }
        Ok(Summary {
            size: n,
            solved: state.is_some(),
            seen: None,
            solution,
            motions,
            milliseconds,
            crane: Duration::ZERO,
        })
    }

    /// Performs part after part until there are no more, and parks.
    fn turn_as_planned(&mut self, desk: &Desk, mut solving: bool) -> Result<Made, JobError> {
        let mut all: Option<Made> = None;
        loop {
            let (part, complete) = self.next(desk, &mut solving)?;
            let part = match part {
                Some(part) => part,
                // There is nothing to turn.
                None if all.is_none() && complete => Part::nothing(desk),
                None => break,
            };
            self.announce(&part, all.as_ref(), complete);
            let mut made = all.unwrap_or_default();
            let (done, total) = (made.motions, made.motions + part.plan.primitives.len());
            for (i, &primitive) in part.plan.primitives.iter().enumerate() {
                let (rows, began) = (self.driver.pose().rows, self.now());
                self.driver.perform(primitive)?;
                let (n, time) = (desk.n, self.now() - began);
                self.tell(&Event::Moved {
                    n,
                    rows,
                    primitive,
                    time,
                });
                self.step(Stage::Turn, done + i + 1, total);
                if solving && desk.lock().finished.is_some() {
                    self.tell_solution(desk, &mut solving);
                }
            }
            made.motions = total;
            made.milliseconds += part.plan.milliseconds;
            all = Some(made);
            if complete {
                break;
            }
        }
        // Where nothing was found the search says why.
        let made = match all {
            None => return Ok(Made::default()),
            Some(made) => made,
        };
        self.driver.park()?;
        self.end(Done::Turned { motions: made.motions });
        Ok(made)
    }

    /// Tells of motions that come after those before.
    fn announce(&mut self, part: &Part, before: Option<&Made>, last: bool) {
        let Plan {
            primitives,
            milliseconds,
            ..
        } = &part.plan;
        let motions = before.map_or(0, |before| before.motions) + primitives.len();
        let milliseconds = *milliseconds;
        self.journal.borrow_mut().write(&Record::Plan {
            primitives: primitives.clone(),
            last,
        });
        if before.is_none() {
            self.begin(Stage::Plan);
            self.end_after(Done::Planned { motions, milliseconds }, part.time);
            self.begin(Stage::Turn);
        }
        self.tell(&Event::Planned {
            turns: part.turns.clone(),
            motions,
            milliseconds,
            last,
        });
    }

    /// The next part, if there is one, and whether it is the last one. Waits for it.
    fn next(&mut self, desk: &Desk, solving: &mut bool) -> Result<(Option<Part>, bool), JobError> {
        let began = Instant::now();
        let mut told = began;
        loop {
            let mut inner = desk.lock();
            let finished = inner.finished;
            if finished.is_none() && (inner.whole || inner.part.is_none()) {
                let waited = desk.changed.wait_timeout(inner, LISTEN);
                drop(waited.unwrap_or_else(PoisonError::into_inner));
                self.wait(Stage::Solve, began, &mut told)?;
                continue;
            }
            let part = inner.part.take();
            drop(inner);
            self.driver.listen()?;
            if finished.is_some() {
                self.tell_solution(desk, solving);
            }
            return Ok((part, finished == Some(true)));
        }
    }

    /// Tells once how the search has ended.
    fn tell_solution(&mut self, desk: &Desk, solving: &mut bool) {
        let solution = desk.lock().solution.clone();
        if let Some(solution) = solution.filter(|_| *solving) {
            *solving = false;
            self.end(Done::Solved(solution));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crane::Mechanism;
    use crate::cube::{Symmetry, random_turns};
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn parts_that_are_taken_at_any_time_make_all_turns_once(n in 2usize..6, seed: u64, count in 1usize..6) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let planner = Planner::new(&Mechanism::builtin(), n).unwrap();
            let desk = Desk::new(n, &planner, Pose::START, false);
            let mut cube = State::solved(n);
            cube.turn_all(&random_turns(n, 20, &mut rng));
            let (mut world, mut pose) = (cube.clone(), Pose::START);
            for _ in 0..count {
                let turns = random_turns(n, rng.random_range(1..4), &mut rng);
                cube.turn_all(&turns);
                desk.add(&turns);
                if rng.random_bool(0.5) && let Some(part) = desk.lock().part.take() {
                    prop_assert_eq!((part.start.rows, part.start.flipper), (pose.rows, pose.flipper));
                    for &primitive in &part.plan.primitives {
                        pose = pose.act(primitive, &mut world).unwrap();
                    }
                }
            }
            if let Some(part) = desk.lock().part.take() {
                for &primitive in &part.plan.primitives {
                    pose = pose.act(primitive, &mut world).unwrap();
                }
            }
            let ways = Symmetry::rotations();
            let same = ways.iter().any(|&way| {
                let mut held = world.clone();
                held.rotate(way);
                held == cube
            });
            prop_assert!(same && pose.rows == 0);
        }
    }
}
