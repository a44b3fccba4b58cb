use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::journal::{Journal, Record};
use super::{JobError, Reading};
use crate::brick::{Brick, Light};
use crate::crane::{CraneError, Driver, Mechanism, Plan, Pose, Primitive};
use crate::cube::{Face, State, Turn};
use crate::picture::Frame;
use crate::solve::{Options, Solution};
use crate::tables::{Progress, Store};

/// While nothing else happens, somebody is told so often that it goes on, and the wish to stop is looked for.
const TELL: Duration = Duration::from_secs(1);
const LISTEN: Duration = Duration::from_millis(50);

/// One step of the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Finds the crane's zeros.
    Home,
    /// Takes six pictures.
    Scan,
    /// Stickers and colours to a state.
    Resolve,
    /// State to turns. From the 6x6x6 on it goes on while the crane turns what is certain already: then it ends after [`Stage::Turn`] has
    /// begun.
    Solve,
    /// The first turns to motions.
    Plan,
    /// Turns the layers.
    Turn,
}

/// What happens, as it happens.
#[derive(Debug)]
pub enum Event<'a> {
    /// A stage has begun.
    Began(Stage),
    /// Part of a stage is done.
    Step {
        /// The stage.
        stage: Stage,
        /// Steps done.
        done: usize,
        /// Steps in all; those of [`Stage::Turn`] become more with each [`Event::Planned`].
        total: usize,
    },
    /// The crane stands still for a stage that takes long; told every second.
    Waiting {
        /// The stage.
        stage: Stage,
        /// Since the crane has stood still.
        time: Duration,
    },
    /// The crane knows more motions.
    Planned {
        /// All so far, done ones among them.
        motions: usize,
        /// What the new ones cost by the calibration.
        milliseconds: u32,
        /// Whether these are the last.
        last: bool,
    },
    /// A picture was taken.
    Picture {
        /// Of this side.
        face: Face,
        /// Rotated by so many quarter turns clockwise against the way that faces are read.
        quarters: u8,
        /// As it came.
        frame: &'a Frame,
    },
    /// These sides are photographed again, because it is not sure what they show.
    Again(&'a [Face]),
    /// The state is known, with its margin and the squares that are doubtful; if it is not sure, the job ends.
    Resolved(&'a Reading),
    /// The battery is weak; the job goes on until it is too weak.
    Weak {
        /// What is left.
        millivolts: u32,
    },
    /// The crane has made a motion.
    Moved {
        /// The cube's N.
        n: usize,
        /// Rows that were in the turntable before.
        rows: u8,
        /// The motion.
        primitive: Primitive,
        /// The crane's time for it.
        time: Duration,
    },
    /// A stage has ended.
    Ended {
        /// The stage.
        stage: Stage,
        /// What came of it, in a few words.
        result: String,
        /// The program's time.
        time: Duration,
        /// The crane's time, which a simulated crane makes up.
        crane: Duration,
    },
}

/// What a job has done.
#[derive(Debug)]
pub struct Outcome {
    /// What was seen.
    pub reading: Reading,
    /// How it was solved.
    pub solution: Solution,
    /// What the crane did.
    pub plan: Plan,
    /// The crane's time for all of it.
    pub crane: Duration,
}

/// Everything that a job needs.
pub struct Job<'a> {
    /// The devices.
    pub brick: &'a mut Brick,
    /// The crane's calibration.
    pub mechanism: &'a Mechanism,
    /// The tables.
    pub store: &'a Store,
    /// Who is told of tables being built.
    pub progress: &'a dyn Progress,
    /// How to search.
    pub options: Options,
    /// N where the user has said it.
    pub size: Option<usize>,
    /// Parks the crane and ends the job when it becomes true.
    pub stop: Arc<AtomicBool>,
    /// Where it is written down how far the job is, so that another one can go on with it; nowhere if nobody wants that.
    pub journal: Option<&'a Path>,
    /// Who is told how it goes.
    pub listener: &'a mut dyn FnMut(&Event),
}

impl Job<'_> {
    /// Homes the crane, scans, resolves, solves, plans and turns; then parks.
    ///
    /// # Errors
    /// [`JobError`]; the crane is parked as far as it can be.
    pub fn run(self) -> Result<Outcome, JobError> {
        let (mut run, with) = self.split();
        let began = run.now();
        let result = run
            .start_afresh(&with, &[])
            .and_then(|()| run.scan_and_solve(&with, None));
        let outcome = result.map(|(reading, solution, plan)| {
            let crane = run.now() - began;
            Outcome {
                reading,
                solution,
                plan,
                crane,
            }
        });
        run.leave(outcome)
    }

    /// Homes the crane and turns a cube of size `n` that stands in it, without looking at it; then parks.
    ///
    /// # Errors
    /// As [`Job::run`].
    pub fn turn(self, n: usize, turns: &[Turn]) -> Result<Plan, JobError> {
        let (mut run, with) = self.split();
        let plan = run.plan_and_turn(&with, n, turns);
        run.leave(plan)
    }
}

/// What solving needs.
pub(super) struct Means<'a> {
    pub store: &'a Store,
    pub progress: &'a dyn Progress,
    pub options: Options,
    pub size: Option<usize>,
    pub path: Option<&'a Path>,
    pub boot: Option<String>,
}

/// A job under way.
pub(super) struct Run<'a> {
    pub driver: Driver<'a>,
    pub mechanism: &'a Mechanism,
    pub listener: &'a mut dyn FnMut(&Event),
    /// When each stage began.
    watches: [(Instant, Duration); 6],
    pub stop: Arc<AtomicBool>,
    /// What the driver does goes there as well.
    pub journal: Rc<RefCell<Journal>>,
    /// A journal that was found there.
    pub found: bool,
    /// That the battery is weak.
    told_weak: bool,
}

impl<'a> Job<'a> {
    pub(super) fn split(self) -> (Run<'a>, Means<'a>) {
        let Job {
            brick,
            mechanism,
            store,
            progress,
            options,
            size,
            stop,
            journal: path,
            listener,
        } = self;
        let watch = (Instant::now(), brick.clock.now());
        let boot = brick.clock.boot();
        let mut driver = Driver::new(brick, mechanism, {
            let stop = stop.clone();
            Box::new(move || stop.load(Relaxed))
        });
        let found = path.and_then(Journal::find);
        let is_found = found.is_some();
        // Nothing is written before there is something to go on with.
        let journal = found.unwrap_or_else(|| Journal::begin(None, boot.clone(), &mechanism.name, &[]));
        let journal = Rc::new(RefCell::new(journal));
        driver.watch({
            let journal = journal.clone();
            Box::new(move |step| journal.borrow_mut().write(&Record::Step(step)))
        });
        (
            Run {
                driver,
                mechanism,
                listener,
                watches: [watch; 6],
                stop,
                journal,
                found: is_found,
                told_weak: false,
            },
            Means {
                store,
                progress,
                options,
                size,
                path,
                boot,
            },
        )
    }
}

impl Run<'_> {
    /// Homes, scans, solves and turns. `before` is what the cube may be like, as far as that is known.
    pub(super) fn scan_and_solve(
        &mut self,
        with: &Means,
        before: Option<&[State]>,
    ) -> Result<(Reading, Solution, Plan), JobError> {
        self.home()?;

        self.begin(Stage::Scan);
        let (mut reader, pose, lifted_as) = self.scan(with.size)?;
        self.end(Stage::Scan, "6 pictures".to_string());

        self.begin(Stage::Resolve);
        let (reading, pose) = self.read(&mut reader, lifted_as, pose)?;
        match with.size {
            _ if reading.size == lifted_as => {}
            Some(said) => {
                return Err(JobError::Size {
                    seen: reading.size,
                    said,
                });
            }
            None => {
                return Err(JobError::Undecided {
                    first: lifted_as,
                    then: reading.size,
                });
            }
        }
        (self.listener)(&Event::Resolved(&reading));
        let n = reading.size;
        if !reading.is_sure() {
            return Err(JobError::Doubtful {
                margin: reading.resolution.margin,
                squares: reading.resolution.doubtful,
            });
        }
        let state = &reading.resolution.state;
        self.end(
            Stage::Resolve,
            format!("{n}x{n}x{n}, margin {:.1}: {state}", reading.resolution.margin),
        );
        if let Some(before) = before {
            super::resuming::compare(state, before);
        }

        self.driver.set_size(n)?;
        self.journal.borrow_mut().write(&Record::Cube {
            state: state.clone(),
            seen: true,
            pose,
        });
        let (solution, plan) = self.think_and_turn(with, pose, Vec::new(), Some(state))?;
        let Some(solution) = solution else {
            return Err(JobError::Stopped);
        };
        Ok((reading, solution, plan))
    }

    fn plan_and_turn(&mut self, with: &Means, n: usize, turns: &[Turn]) -> Result<Plan, JobError> {
        // A size that the calibration does not know is said before anything moves.
        self.driver.set_size(n)?;
        let cube = Record::Cube {
            state: State::solved(n),
            seen: false,
            pose: Pose::START,
        };
        let all = Record::Turns {
            turns: turns.to_vec(),
            last: true,
        };
        self.start_afresh(with, &[cube, all])?;
        self.home()?;
        let (_, plan) = self.think_and_turn(with, Pose::START, turns.to_vec(), None)?;
        Ok(plan)
    }

    pub(super) fn home(&mut self) -> Result<(), JobError> {
        self.begin(Stage::Home);
        self.driver.home()?;
        self.end(Stage::Home, "zeros found".to_string());
        Ok(())
    }

    /// Does something that may take long in another thread; meanwhile it is told that it goes on, and the wish to stop parks the crane. Then
    /// the work comes to its end all the same, but nothing comes of it.
    pub(super) fn meanwhile<T: Send>(&mut self, stage: Stage, work: impl FnOnce() -> T + Send) -> Result<T, JobError> {
        let began = Instant::now();
        let (give, given) = channel();
        thread::scope(|scope| {
            // Where the wish to stop came first nobody takes the result.
            let work = move || drop(give.send(work()));
            let worker = thread::Builder::new()
                .spawn_scoped(scope, work)
                .map_err(|_| JobError::Thread)?;
            let mut told = began;
            let result = loop {
                match given.recv_timeout(LISTEN) {
                    Ok(result) => break result,
                    Err(RecvTimeoutError::Timeout) => self.wait(stage, began, &mut told)?,
                    // It has panicked; a scope would panic as well if nobody had joined it.
                    Err(RecvTimeoutError::Disconnected) => {
                        let _ = worker.join();
                        return Err(JobError::Stopped);
                    }
                }
            };
            self.driver.listen()?;
            Ok(result)
        })
    }

    /// One look whether somebody wants to stop while the crane stands still, and every second a word that it goes on.
    pub(super) fn wait(&mut self, stage: Stage, began: Instant, told: &mut Instant) -> Result<(), JobError> {
        self.driver.listen()?;
        if told.elapsed() >= TELL {
            *told = Instant::now();
            let time = began.elapsed();
            (self.listener)(&Event::Waiting { stage, time });
        }
        Ok(())
    }

    /// Parks after a failure, and shows how it ended.
    pub(super) fn leave<T>(&mut self, result: Result<T, JobError>) -> Result<T, JobError> {
        if let Err(why) = &result {
            if let Err(also) = self.driver.park() {
                log::warn!("the crane could not be parked: {also}");
            }
            self.close(why);
            self.show(Light::Red);
        } else {
            self.journal.borrow_mut().remove();
            self.show(Light::Green);
        }
        result
    }

    /// Keeps the journal if there is something to go on with.
    fn close(&mut self, why: &JobError) {
        let mut journal = self.journal.borrow_mut();
        let trouble = !matches!(why, JobError::Crane(CraneError::Aborted { .. }));
        journal.write(&Record::Parked { trouble });
        if journal.account.cube.is_none() && journal.account.left().is_none() {
            journal.remove();
        }
    }

    pub(super) fn begin(&mut self, stage: Stage) {
        self.watches[stage as usize] = (Instant::now(), self.now());
        (self.listener)(&Event::Began(stage));
        self.show(Light::Orange);
    }

    pub(super) fn step(&mut self, stage: Stage, done: usize, total: usize) {
        (self.listener)(&Event::Step { stage, done, total });
        if let (Some(millivolts), false) = (self.driver.weak_battery(), self.told_weak) {
            self.told_weak = true;
            (self.listener)(&Event::Weak { millivolts });
        }
    }

    pub(super) fn end(&mut self, stage: Stage, result: String) {
        let (began, at) = self.watches[stage as usize];
        let (time, crane) = (began.elapsed(), self.now() - at);
        (self.listener)(&Event::Ended {
            stage,
            result,
            time,
            crane,
        });
    }

    /// As [`Run::end`], of something that another thread did in so long a time.
    pub(super) fn end_after(&mut self, stage: Stage, result: String, time: Duration) {
        let crane = Duration::ZERO;
        (self.listener)(&Event::Ended {
            stage,
            result,
            time,
            crane,
        });
    }

    pub(super) fn now(&mut self) -> Duration {
        self.driver.brick().clock.now()
    }

    /// Lights the LEDs; a job does not fail because they do.
    pub(super) fn show(&mut self, light: Light) {
        if let Err(why) = self.driver.brick().leds.show(light) {
            log::debug!("{why}");
        }
    }
}
