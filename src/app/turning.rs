//! Solves and turns at the same time: one thread searches and plans the turns that are certain, the job's own thread, which has the
//! devices, makes them.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::cheapest::{WHOLE, solve_in_parts};
use super::early::Early;
use super::handover::{Batch, Handover, Lecture};
use super::journal::Record;
use super::run::{LISTEN, Means, Run};
use super::{Done, Event, JobError, Metric, Solved, Stage, Summary};
use crate::cube::{State, Turn};
use crate::machine::Pose;
use crate::methods::{Method, Teacher};
use crate::progress::Progress;
use crate::solve::{Options, Solver, Work};
use crate::tables::Store;

/// Ends a handover if the search panics, so that the turning thread does not wait for ever.
struct Finish<'a, 'd>(&'a Handover<'d>);

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
    /// Turns to make before those of the solution.
    turns: &'a [Turn],
    /// The cube after `turns`, if it is to be solved.
    state: Option<&'a State>,
    /// A solver that was opened for it.
    early: Option<Early>,
}

impl Search<'_> {
    /// Hands over all turns. The handover is finished in every case: after success, an error or a panic.
    fn fill(self, handover: &Handover) -> Result<(), JobError> {
        let finish = Finish(handover);
        let (solution, result) = match self.find(handover) {
            Ok(solution) => (solution, Ok(())),
            Err(why) => (None, Err(why)),
        };
        finish.0.finish(solution, result.is_ok());
        result
    }

    fn find(self, handover: &Handover) -> Result<Option<Solved>, JobError> {
        if !self.turns.is_empty() || self.state.is_none() {
            handover.add(self.turns);
        }
        let Some(state) = self.state else { return Ok(None) };
        if let (Metric::Taught { method, pauses }, true) = (self.metric, self.turns.is_empty()) {
            return self.teach(method, pauses, state, handover).map(Some);
        }
        let early = self.early.and_then(Early::solver);
        let solver = match early.filter(|solver| solver.size() == state.size()) {
            Some(solver) => solver,
            None => Solver::open_for(state, self.store, self.progress)?,
        };
        let mut add = |turns: &[Turn], _: &[Work]| handover.add(turns);
        let solution = if self.turns.is_empty() {
            // `pose` still holds: nothing is turned before.
            let by = (self.metric, handover.plans);
            solve_in_parts(&solver, (state, self.pose), &self.options, by, &mut add)?
        } else {
            solver.stream(state, &self.options, &mut add)?
        };
        Ok(Some(solution.into()))
    }

    /// Solves by a method, and hands over its stages. A stage whose turns are all done together with those before is told with these.
    fn teach(&self, method: Method, pauses: bool, state: &State, handover: &Handover) -> Result<Solved, JobError> {
        let teacher = Teacher::open(method, state.size(), self.store, self.progress)?;
        let solution = teacher.solve(state, &self.options)?.solution;
        let mut inner = handover.lock();
        for phase in solution.phases.iter().filter(|phase| phase.turns > 0) {
            let waits = pauses && !inner.stages.is_empty();
            inner.stages.push_back(Lecture {
                name: phase.name,
                goal: phase.goal,
                turns: solution.turns[phase.from..][..phase.turns].to_vec(),
                waits,
            });
        }
        drop(inner);
        Ok(solution.into())
    }
}

/// The motions that the machine has made for a job.
#[derive(Default)]
struct Made {
    motions: usize,
    milliseconds: u32,
}

impl Run<'_> {
    /// Makes `turns` on a cube of size `n` at rest. If there is a `state`, which is the cube after `turns`, then solves it, too.
    pub(super) fn think_and_turn(
        &mut self,
        with: &Means,
        n: usize,
        pose: Pose,
        turns: Vec<Turn>,
        state: Option<&State>,
    ) -> Result<Summary, JobError> {
        let plans = self.machine.plans(n)?;
        let is_taught = matches!(with.metric, Metric::Taught { .. });
        let together = (n <= WHOLE || is_taught) && turns.is_empty();
        let handover = Handover::new(n, &*plans, pose, state.is_none() || together);
        let given_up = Arc::new(AtomicBool::new(false));
        let search = Search {
            store: with.store,
            progress: with.progress,
            options: Options {
                awaited: true,
                stop: Some(given_up.clone()),
                ..with.options.clone()
            },
            metric: with.metric,
            pose,
            turns: &turns,
            state,
            early: self.early.take(),
        };
        if state.is_some() {
            self.begin(Stage::Solve);
        }
        let (made, thought) = thread::scope(|scope| {
            let handover = &handover;
            let worker = match thread::Builder::new().spawn_scoped(scope, move || search.fill(handover)) {
                Ok(worker) => worker,
                Err(_) => return (Err(JobError::Thread), Ok(())),
            };
            let made = self.turn_as_planned(handover, state.is_some());
            // If the machine has failed, the solution cannot be turned: stop the search.
            given_up.store(made.is_err(), Relaxed);
            let thought = worker.join().unwrap_or(Err(JobError::Broken));
            (made, thought)
        });
        // The machine's error comes first: it also stopped the search.
        let Made { motions, milliseconds } = made?;
        thought?;
        let solution = handover.lock().solution.take();
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

    /// Performs all batches as they come, then parks.
    fn turn_as_planned(&mut self, handover: &Handover, mut solving: bool) -> Result<Made, JobError> {
        let mut all: Option<Made> = None;
        loop {
            let (batch, complete) = self.next(handover, &mut solving)?;
            let batch = match batch {
                Some(batch) => batch,
                // There is nothing to turn.
                None if all.is_none() && complete => handover.nothing(),
                None => break,
            };
            self.announce(&batch, all.as_ref(), complete);
            let later = batch.later(self.robot.pose(), self.machine.logic(), handover.n);
            if !later.is_empty() {
                let (turns, last) = (later, false);
                self.journal.borrow_mut().write(&Record::Turns { turns, last });
            }
            let mut made = all.unwrap_or_default();
            let (done, total) = (made.motions, made.motions + batch.plan.motions.len());
            let (n, logic) = (handover.n, handover.plans.logic());
            for (i, &code) in batch.plan.motions.iter().enumerate() {
                let (pose, began) = (self.robot.pose(), self.now());
                self.robot.perform(code)?;
                let time = self.now() - began;
                self.tell(&Event::Moved {
                    n,
                    at: pose.station,
                    code,
                    motion: logic.words(code),
                    turned: pose.turned(logic, n, code),
                    time,
                });
                self.step(Stage::Turn, done + i + 1, total);
                if solving && handover.lock().finished.is_some() {
                    self.tell_solution(handover, &mut solving);
                }
            }
            made.motions = total;
            made.milliseconds += batch.plan.milliseconds;
            all = Some(made);
            if complete {
                break;
            }
        }
        // No turns came: the search has an error that says why.
        let made = match all {
            None => return Ok(Made::default()),
            Some(made) => made,
        };
        self.robot.park()?;
        self.end(Done::Turned { motions: made.motions });
        Ok(made)
    }

    /// Tells of a batch, whose motions follow those `before`.
    fn announce(&mut self, batch: &Batch, before: Option<&Made>, last: bool) {
        let milliseconds = batch.plan.milliseconds;
        let motions = before.map_or(0, |before| before.motions) + batch.plan.motions.len();
        self.journal.borrow_mut().write(&Record::Plan {
            motions: batch.plan.motions.clone(),
            last,
        });
        if before.is_none() {
            self.begin(Stage::Plan);
            self.end_after(Done::Planned { motions, milliseconds }, batch.time);
            self.begin(Stage::Turn);
        }
        self.tell(&Event::Planned {
            turns: batch.turns.clone(),
            motions,
            milliseconds,
            last,
        });
    }

    /// The next batch, if there is one, and whether it is the last one. Waits for it.
    fn next(&mut self, handover: &Handover, solving: &mut bool) -> Result<(Option<Batch>, bool), JobError> {
        let began = Instant::now();
        let mut told = began;
        loop {
            let mut inner = handover.lock();
            let finished = inner.finished;
            if inner.has_nothing() {
                let waited = handover.changed.wait_timeout(inner, LISTEN);
                drop(waited.unwrap_or_else(PoisonError::into_inner));
                self.wait(Stage::Solve, began, &mut told)?;
                continue;
            }
            let batch = inner.take(handover.plans);
            let lecture = inner.stages.pop_front();
            drop(inner);
            self.robot.listen()?;
            if finished.is_some() {
                self.tell_solution(handover, solving);
            }
            if let Some(lecture) = lecture {
                return self.lecture(handover, lecture).map(|(batch, last)| (Some(batch), last));
            }
            return Ok((batch, finished == Some(true)));
        }
    }

    /// Tells of a stage, waits if it is wanted, and plans its turns. Gives also whether it is the last one.
    fn lecture(&mut self, handover: &Handover, lecture: Lecture) -> Result<(Batch, bool), JobError> {
        self.tell(&Event::Taught {
            name: lecture.name.to_string(),
            goal: lecture.goal.to_string(),
            waits: lecture.waits,
        });
        if lecture.waits {
            self.wait_for_touch()?;
        }
        let mut inner = handover.lock();
        let batch = Batch::of(handover.plans, inner.end, lecture.turns);
        inner.end = handover.plans.end(inner.end, &batch.plan);
        Ok((batch, inner.stages.is_empty()))
    }

    /// Waits until the touch sensor is pressed and let go, or the job is to end. While the machine turns, a press stops it; here it only
    /// goes on.
    fn wait_for_touch(&mut self) -> Result<(), JobError> {
        // Free, pressed, free again: what is pressed already does not count.
        let mut seen = 0;
        while seen < 3 {
            if self.stop.load(Relaxed) {
                self.robot.listen()?;
            }
            let brick = self.robot.drive().brick();
            if brick.touch.pressed()? == (seen == 1) {
                seen += 1;
            } else {
                brick.clock.sleep(LISTEN);
            }
        }
        Ok(())
    }

    /// Tells once how the search has ended.
    fn tell_solution(&mut self, handover: &Handover, solving: &mut bool) {
        let solution = handover.lock().solution.clone();
        if let Some(solution) = solution.filter(|_| *solving) {
            *solving = false;
            self.end(Done::Solved(solution));
        }
    }
}
