use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::reading::wishes;
use super::{JobError, Reader, Reading, solve_for_crane};
use crate::brick::{Brick, Light};
use crate::crane::{CraneError, Driver, Look, Mechanism, Plan, Planner, Pose, Primitive, first_looks, last_looks};
use crate::cube::{Face, Turn, format_turns};
use crate::picture::Frame;
use crate::solve::{Options, Solution, Solver};
use crate::tables::{Progress, Store};

/// How often sides are photographed again.
const AGAIN: i8 = 2;
/// No camera is asked for pictures that are brighter or darker by more stops.
const MOST_STOPS: i8 = 4;

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
    /// State to turns.
    Solve,
    /// Turns to motions.
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
        let outcome = run.scan_and_solve(&with).map(|(reading, solution, plan)| {
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
        let (mut run, _) = self.split();
        let plan = run.plan_and_turn(n, turns);
        run.leave(plan)
    }
}

/// What solving needs.
struct Means<'a> {
    store: &'a Store,
    progress: &'a dyn Progress,
    options: Options,
    size: Option<usize>,
}

/// A job under way.
struct Run<'a> {
    driver: Driver<'a>,
    mechanism: &'a Mechanism,
    listener: &'a mut dyn FnMut(&Event),
    watch: (Instant, Duration),
    stop: Arc<AtomicBool>,
}

/// How sides were photographed again.
#[derive(Debug, Default)]
struct Again {
    rounds: i8,
    /// Stops, by face.
    asked: [i8; 6],
    can_expose: bool,
}

impl Again {
    /// The stops at which sides are to be photographed next, given what would be better than the last time; none if that is hopeless.
    fn next(&mut self, wishes: Vec<(Face, i8)>) -> Vec<(Face, i8)> {
        if self.rounds == AGAIN || (self.rounds > 0 && !self.can_expose) {
            return Vec::new();
        }
        self.rounds += 1;
        let next = |(face, better): (Face, i8)| {
            let asked = &mut self.asked[face as usize];
            // Where nothing speaks for one or the other, first a little darker and then a little brighter than the camera does it.
            *asked = match better {
                0 => 2 * self.rounds - 3,
                _ => (*asked + better).clamp(-MOST_STOPS, MOST_STOPS),
            };
            (face, *asked)
        };
        wishes.into_iter().map(next).collect()
    }
}

impl<'a> Job<'a> {
    fn split(self) -> (Run<'a>, Means<'a>) {
        let Job {
            brick,
            mechanism,
            store,
            progress,
            options,
            size,
            stop,
            listener,
        } = self;
        let watch = (Instant::now(), brick.clock.now());
        let driver = Driver::new(brick, mechanism, {
            let stop = stop.clone();
            Box::new(move || stop.load(Relaxed))
        });
        (
            Run {
                driver,
                mechanism,
                listener,
                watch,
                stop,
            },
            Means {
                store,
                progress,
                options,
                size,
            },
        )
    }
}

impl Run<'_> {
    fn scan_and_solve(&mut self, with: &Means) -> Result<(Reading, Solution, Plan), JobError> {
        self.begin(Stage::Home);
        self.driver.home()?;
        self.end(Stage::Home, "zeros found".to_string());

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

        self.begin(Stage::Solve);
        let solver = Solver::open(n, with.store, with.progress)?;
        let planner = Planner::new(self.mechanism, n)?;
        let solution = solve_for_crane(&solver, state, &with.options, &planner, pose)?;
        self.end(
            Stage::Solve,
            format!("{} turns: {}", solution.turns.len(), format_turns(&solution.turns)),
        );

        self.driver.set_size(n)?;
        let plan = self.plan(n, pose, &solution.turns)?;
        self.perform(n, &plan)?;
        Ok((reading, solution, plan))
    }

    fn plan_and_turn(&mut self, n: usize, turns: &[Turn]) -> Result<Plan, JobError> {
        // A size that the calibration does not know is said before anything moves.
        self.driver.set_size(n)?;
        let plan = self.plan(n, Pose::START, turns)?;
        self.begin(Stage::Home);
        self.driver.home()?;
        self.end(Stage::Home, "zeros found".to_string());
        self.perform(n, &plan)?;
        Ok(plan)
    }

    /// Takes the six pictures. N is needed only for the last two, and the first four tell it; it is returned as well.
    fn scan(&mut self, size: Option<usize>) -> Result<(Reader, Pose, usize), JobError> {
        let mut reader = Reader::new();
        let mut looks = first_looks(Pose::START)?;
        let mut pose = Pose::START;
        let mut done = 0;
        let mut n = 0;
        while done < looks.len() {
            pose = self.show_to_camera(&looks[done])?;
            self.take(&mut reader, &looks[done])?;
            done += 1;
            self.step(Stage::Scan, done, 6);
            if done == 4 {
                (n, pose) = self.find_size(&mut reader, size, pose)?;
                self.driver.set_size(n)?;
                looks.extend(last_looks(n, pose)?);
            }
        }
        Ok((reader, pose, n))
    }

    fn show_to_camera(&mut self, look: &Look) -> Result<Pose, JobError> {
        for &primitive in &look.primitives {
            self.driver.perform(primitive)?;
        }
        Ok(look.pose)
    }

    /// Takes a picture of the side that is shown.
    fn take(&mut self, reader: &mut Reader, look: &Look) -> Result<(), JobError> {
        let frame = match self.driver.brick().camera.frame() {
            // The signal that asks to stop also interrupts a wait for the camera.
            Err(_) if self.stop.load(Relaxed) => return Err(CraneError::Aborted { by: "stop signal" }.into()),
            frame => frame?,
        };
        let (face, quarters) = (look.face, look.quarters);
        (self.listener)(&Event::Picture {
            face,
            quarters,
            frame: &frame,
        });
        reader.add(face, quarters, &frame)
    }

    /// N by the first four sides, if it was not said. A side on which no cube is found is photographed again.
    fn find_size(&mut self, reader: &mut Reader, said: Option<usize>, pose: Pose) -> Result<(usize, Pose), JobError> {
        if let Some(n) = said {
            return Ok((n, pose));
        }
        let mut again = Again::default();
        let mut pose = pose;
        loop {
            match reader.size() {
                Ok(n) => return Ok((n, pose)),
                Err(why) => {
                    let wishes = again.next(wishes(&Err(why)));
                    if wishes.is_empty() {
                        // The same error once more.
                        return reader.size().map(|n| (n, pose));
                    }
                    pose = self.look_again(reader, &mut again, wishes, None, pose)?;
                }
            }
        }
    }

    /// Reads the pictures; sides that leave a doubt are photographed again.
    fn read(&mut self, reader: &mut Reader, n: usize, mut pose: Pose) -> Result<(Reading, Pose), JobError> {
        let mut again = Again::default();
        loop {
            let result = reader.finish();
            let wishes = again.next(wishes(&result));
            if wishes.is_empty() {
                return result.map(|reading| (reading, pose));
            }
            pose = self.look_again(reader, &mut again, wishes, Some(n), pose)?;
        }
    }

    /// Photographs sides again, each at its own exposure. Without N only those four that a cube shows when it is tipped over and over.
    fn look_again(
        &mut self,
        reader: &mut Reader,
        again: &mut Again,
        mut wishes: Vec<(Face, i8)>,
        n: Option<usize>,
        mut pose: Pose,
    ) -> Result<Pose, JobError> {
        let faces: Vec<Face> = wishes.iter().map(|wish| wish.0).collect();
        (self.listener)(&Event::Again(&faces));
        let mut looks = first_looks(pose)?;
        let mut done = 0;
        while done < looks.len() && !wishes.is_empty() {
            pose = self.show_to_camera(&looks[done])?;
            if let Some(i) = wishes.iter().position(|wish| wish.0 == looks[done].face) {
                let (_, stops) = wishes.swap_remove(i);
                again.can_expose |= self.driver.brick().camera.expose(stops)?;
                let taken = self.take(reader, &looks[done]);
                self.driver.brick().camera.expose(0)?;
                taken?;
            }
            done += 1;
            if let (4, Some(n)) = (done, n) {
                looks.extend(last_looks(n, pose)?);
            }
        }
        Ok(pose)
    }

    fn plan(&mut self, n: usize, pose: Pose, turns: &[Turn]) -> Result<Plan, JobError> {
        self.begin(Stage::Plan);
        let plan = Planner::new(self.mechanism, n)?.plan(pose, turns);
        (self.listener)(&Event::Planned {
            motions: plan.primitives.len(),
            milliseconds: plan.milliseconds,
            last: true,
        });
        let seconds = f64::from(plan.milliseconds) / 1000.0;
        self.end(
            Stage::Plan,
            format!("{} motions, {seconds:.1} s", plan.primitives.len()),
        );
        Ok(plan)
    }

    fn perform(&mut self, n: usize, plan: &Plan) -> Result<(), JobError> {
        self.begin(Stage::Turn);
        let total = plan.primitives.len();
        // A plan begins with the cube at rest.
        let mut rows = 0;
        for (done, &primitive) in plan.primitives.iter().enumerate() {
            let began = self.now();
            self.driver.perform(primitive)?;
            let time = self.now() - began;
            (self.listener)(&Event::Moved {
                n,
                rows,
                primitive,
                time,
            });
            if let Primitive::Elevate { rows: to } = primitive {
                rows = to;
            }
            self.step(Stage::Turn, done + 1, total);
        }
        self.driver.park()?;
        self.end(Stage::Turn, format!("{total} motions"));
        Ok(())
    }

    /// Parks after a failure, and shows how it ended.
    fn leave<T>(&mut self, result: Result<T, JobError>) -> Result<T, JobError> {
        if result.is_err() {
            if let Err(also) = self.driver.park() {
                log::warn!("the crane could not be parked: {also}");
            }
            self.show(Light::Red);
        } else {
            self.show(Light::Green);
        }
        result
    }

    fn begin(&mut self, stage: Stage) {
        self.watch = (Instant::now(), self.now());
        (self.listener)(&Event::Began(stage));
        self.show(Light::Orange);
    }

    fn step(&mut self, stage: Stage, done: usize, total: usize) {
        (self.listener)(&Event::Step { stage, done, total });
    }

    fn end(&mut self, stage: Stage, result: String) {
        let (time, crane) = (self.watch.0.elapsed(), self.now() - self.watch.1);
        (self.listener)(&Event::Ended {
            stage,
            result,
            time,
            crane,
        });
    }

    fn now(&mut self) -> Duration {
        self.driver.brick().clock.now()
    }

    /// Lights the LEDs; a job does not fail because they do.
    fn show(&mut self, light: Light) {
        if let Err(why) = self.driver.brick().leds.show(light) {
            log::debug!("{why}");
        }
    }
}
