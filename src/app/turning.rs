//! The part of a job that solves and turns, both at once: another thread searches and plans what is certain, this one, which the devices
//! belong to, turns it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::job::{Event, Means, Run, Stage};
use super::journal::Record;
use super::{JobError, solve_for_crane};
use crate::crane::{Plan, Planner, Pose};
use crate::cube::{State, Turn, format_turns};
use crate::solve::{Options, Solution, Solver};

/// How long to wait before looking again whether somebody wants to stop.
const LISTEN: Duration = Duration::from_millis(50);
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
    solution: Option<Solution>,
}

impl Desk<'_> {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Whoever panicked in between has changed one value or none.
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

    fn finish(&self, solution: Option<Solution>, complete: bool) {
        let mut inner = self.lock();
        inner.solution = solution;
        inner.finished = Some(complete);
        self.changed.notify_all();
    }
}

/// Whoever waits at a desk goes on even if the search panics.
struct Finish<'a, 'd>(&'a Desk<'d>);

impl Drop for Finish<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.finish(None, false);
        }
    }
}

impl Run<'_> {
    /// Makes these turns on a cube at rest, and then, if there is a state, those that solve it, which is meant as it is after the former.
    pub(super) fn think_and_turn(
        &mut self,
        with: &Means,
        pose: Pose,
        turns: Vec<Turn>,
        state: Option<&State>,
    ) -> Result<(Option<Solution>, Plan), JobError> {
        let n = self
            .journal
            .borrow()
            .account
            .cube
            .as_ref()
            .map_or(0, |(cube, _)| cube.size());
        let planner = Planner::new(self.mechanism, n)?;
        let together = n <= WHOLE && turns.is_empty();
        let desk = Desk {
            n,
            planner: &planner,
            inner: Mutex::new(Inner {
                part: None,
                end: pose,
                finished: None,
                whole: state.is_none() || together,
                solution: None,
            }),
            changed: Condvar::new(),
        };
        let given_up = Arc::new(AtomicBool::new(false));
        let options = Options {
            stop: Some(given_up.clone()),
            ..with.options.clone()
        };
        if state.is_some() {
            self.begin(Stage::Solve);
        }
        let (store, progress) = (with.store, with.progress);
        let (plan, thought) = thread::scope(|scope| {
            let think = || -> Result<(), JobError> {
                let finish = Finish(&desk);
                let solution = (|| {
                    if !turns.is_empty() || state.is_none() {
                        desk.add(&turns);
                    }
                    let Some(state) = state else { return Ok(None) };
                    let solver = Solver::open(n, store, progress)?;
                    if together {
                        // The cube is as it is held: nothing was turned before.
                        let solution = solve_for_crane(&solver, state, &options, &planner, pose)?;
                        desk.add(&solution.turns);
                        return Ok(Some(solution));
                    }
                    let mut hand = |turns: &[Turn]| desk.add(turns);
                    Ok(Some(solver.stream(state, &options, &mut hand)?))
                })();
                let (solution, result) = match solution {
                    Ok(solution) => (solution, Ok(())),
                    Err(why) => (None, Err(why)),
                };
                finish.0.finish(solution, result.is_ok());
                result
            };
            let worker = match thread::Builder::new().spawn_scoped(scope, think) {
                Ok(worker) => worker,
                Err(_) => return (Err(JobError::Thread), Ok(())),
            };
            let plan = self.turn_as_planned(&desk, state.is_some());
            // Nobody waits for a search whose turns cannot be made.
            given_up.store(plan.is_err(), Relaxed);
            let thought = worker.join().unwrap_or(Err(JobError::Stopped));
            (plan, thought)
        });
        // What stopped the crane also stopped the search.
        let plan = plan?;
        thought?;
        let solution = desk.lock().solution.take();
        Ok((solution, plan))
    }

    /// Performs part after part until there are no more, and parks.
    fn turn_as_planned(&mut self, desk: &Desk, mut solving: bool) -> Result<Plan, JobError> {
        let mut all: Option<Plan> = None;
        loop {
            let (part, complete) = self.next(desk, &mut solving)?;
            let (plan, time) = match part {
                Some(part) => (part.plan, part.time),
                // There is nothing to turn.
                None if all.is_none() && complete => (desk.planner.plan(desk.lock().end, &[]), Duration::ZERO),
                None => break,
            };
            self.announce(&plan, all.as_ref(), complete, time);
            let done = all.as_ref().map_or(0, |all| all.primitives.len());
            let total = done + plan.primitives.len();
            for (i, &primitive) in plan.primitives.iter().enumerate() {
                let (rows, began) = (self.driver.pose().rows, self.now());
                self.driver.perform(primitive)?;
                let (n, time) = (desk.n, self.now() - began);
                (self.listener)(&Event::Moved {
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
            match &mut all {
                Some(all) => {
                    all.primitives.extend(plan.primitives);
                    all.milliseconds += plan.milliseconds;
                    all.end = plan.end;
                }
                None => all = Some(plan),
            }
            if complete {
                break;
            }
        }
        let Some(all) = all else {
            // Nothing was found, and the search says why.
            return Ok(desk.planner.plan(Pose::START, &[]));
        };
        self.driver.park()?;
        self.end(Stage::Turn, format!("{} motions", all.primitives.len()));
        Ok(all)
    }

    /// Tells of motions that come after those before.
    fn announce(&mut self, plan: &Plan, before: Option<&Plan>, last: bool, time: Duration) {
        let primitives = plan.primitives.clone();
        let motions = before.map_or(0, |before| before.primitives.len()) + primitives.len();
        self.journal.borrow_mut().write(&Record::Plan { primitives, last });
        if before.is_none() {
            self.begin(Stage::Plan);
            let seconds = f64::from(plan.milliseconds) / 1000.0;
            self.end_after(Stage::Plan, format!("{motions} motions, {seconds:.1} s"), time);
            self.begin(Stage::Turn);
        }
        (self.listener)(&Event::Planned {
            motions,
            milliseconds: plan.milliseconds,
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
        let inner = desk.lock();
        let Some(solution) = inner.solution.as_ref().filter(|_| *solving) else {
            return;
        };
        let text = format!("{} turns: {}", solution.turns.len(), format_turns(&solution.turns));
        drop(inner);
        *solving = false;
        self.end(Stage::Solve, text);
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
            let desk = Desk {
                n,
                planner: &planner,
                inner: Mutex::new(Inner {
                    part: None,
                    end: Pose::START,
                    finished: None,
                    whole: false,
                    solution: None,
                }),
                changed: Condvar::new(),
            };
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
