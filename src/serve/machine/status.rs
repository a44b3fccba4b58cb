//! What browsers are told of the machine: one value that says all, changed by each event of a job.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::app::{Done, Event, Model, Solved, Stage};
use crate::cube::{State, Turn, format_turns};

/// What the machine does for a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Solves the cube in it.
    Solve,
    /// Goes on with a job that was broken off.
    Resume,
    /// Mixes the solved cube in it.
    Mix,
    /// Another cube is put in, which only people and a simulated crane can do.
    Cube,
    /// A part of it is calibrated.
    Calibrate,
}

/// How the last task has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ended {
    /// Whether it did what it was for.
    pub good: bool,
    /// In a line.
    pub words: String,
}

/// A picture that a browser can ask for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shot {
    /// Another one for each picture: who has this one need not ask again.
    pub number: u32,
    /// It lies so many quarter turns clockwise against the way that sides are read.
    pub quarters: u8,
}

/// All that a browser must know to show the machine; it can begin with any of these.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Status {
    /// What the calibration calls the crane.
    pub name: String,
    /// Whether the crane is simulated.
    pub simulated: bool,
    /// Whether it sees its cube; else it must be told.
    pub sees: bool,
    /// The cubes that it turns, by N.
    pub sizes: Vec<usize>,
    /// What it does; none while it rests.
    pub task: Option<Task>,
    /// How much of the missing tables is built, of a thousand.
    pub building: Option<u32>,
    /// The stage that has begun last and not ended.
    pub stage: Option<Stage>,
    /// Steps done of the stage, and steps in all.
    pub step: Option<(usize, usize)>,
    /// What the turns are for now.
    pub phase: Option<String>,
    /// Whether the crane waits for its touch sensor.
    pub waits: bool,
    /// How many seconds the crane has stood still while it thinks.
    pub waiting: Option<u64>,
    /// N of the cube in it, if that is known.
    pub size: Option<usize>,
    /// The cube in it as it is now, if that is known. Its sides keep their names while the crane tips it.
    pub state: Option<String>,
    /// The turns that solve it, as they were found.
    pub solution: Option<String>,
    /// Motions are known to this end; while a search goes on, more come.
    pub planned: bool,
    /// Seconds that the planned motions still take.
    pub left: Option<u64>,
    /// The battery's millivolts.
    pub battery: Option<u32>,
    /// Whether they are few.
    pub weak: bool,
    /// The sides that were photographed, by the letter.
    pub pictures: BTreeMap<String, Shot>,
    /// Whether there is a job that can go on.
    pub resumable: bool,
    /// How the last task ended.
    pub ended: Option<Ended>,
    #[serde(skip)]
    cube: Option<State>,
    /// What the motions planned so far take, and what those that are made took, in milliseconds.
    #[serde(skip)]
    motions: (u64, u64),
    /// The solution, whose phases are told as the crane comes to them; none when the stages of a method are told themselves.
    #[serde(skip)]
    phases: Option<Solved>,
    #[serde(skip)]
    shots: u32,
}

impl Status {
    /// A crane at rest; the calibration says what it is called and which cubes it turns.
    pub fn new(model: &Model, simulated: bool) -> Status {
        Status {
            name: model.name().to_string(),
            simulated,
            sees: model.sees(),
            sizes: model.sizes(),
            ..Status::default()
        }
    }

    /// A task begins; nothing is left of the one before but the cube.
    pub fn begin(&mut self, task: Task) {
        *self = Status {
            task: Some(task),
            name: std::mem::take(&mut self.name),
            simulated: self.simulated,
            sizes: std::mem::take(&mut self.sizes),
            size: self.size,
            cube: self.cube.take(),
            state: self.state.take(),
            battery: self.battery,
            weak: self.weak,
            shots: self.shots,
            ..Status::default()
        };
    }

    /// The cube in the crane is known without a picture.
    pub fn cube_is(&mut self, cube: &State) {
        self.size = Some(cube.size());
        self.state = Some(cube.to_string());
        self.cube = Some(cube.clone());
    }

    /// Takes note of an event. Gives the turns that it tells of, and what these took.
    pub fn hear(&mut self, event: &Event) -> Option<(Vec<Turn>, Duration)> {
        match event {
            Event::Mixing { size, .. } => self.cube_is(&State::solved(*size)),
            Event::Began(stage) => {
                (self.stage, self.step, self.waiting) = (Some(*stage), None, None);
            }
            // While the crane turns, the search may go on: the motions are what people see.
            Event::Step { stage, done, total } => {
                (self.stage, self.step) = (Some(*stage), Some((*done, *total)));
                if self.planned
                    && *stage == Stage::Turn
                    && let Some(phase) = self.phases.as_ref().and_then(|all| all.phase_at(*done, *total))
                {
                    self.phase = Some(phase.name.clone());
                }
            }
            Event::Waiting { stage, time } if self.stage == Some(*stage) => self.waiting = Some(time.as_secs()),
            Event::Picture { face, quarters, .. } => {
                self.shots += 1;
                let shot = Shot {
                    number: self.shots,
                    quarters: *quarters,
                };
                self.pictures.insert(face.to_string(), shot);
            }
            Event::CubeIs(cube) => self.cube_is(cube),
            Event::Taught { name, waits, .. } => {
                (self.phase, self.waits) = (Some(name.clone()), *waits);
                self.phases = None;
            }
            Event::Planned { milliseconds, last, .. } => {
                self.waits = false;
                self.motions.0 += u64::from(*milliseconds);
                self.planned = *last;
                self.count_down();
            }
            Event::Moved { turned, time, .. } => return self.moved(turned, *time),
            Event::Battery { millivolts } => self.battery = Some(*millivolts),
            Event::Weak { millivolts } => (self.battery, self.weak) = (Some(*millivolts), true),
            Event::Ended { result, .. } => self.stage_ended(result),
            Event::Finished(summary) => {
                let motions = summary.motions;
                let seconds = summary.crane.as_secs();
                let what = if summary.solved { "Solved" } else { "Done" };
                self.end(true, format!("{what}: {motions} motions in {seconds} s"));
            }
            Event::Failed { message } => self.end(false, message.clone()),
            Event::PutIn
            | Event::SideRead { .. }
            | Event::Again(_)
            | Event::TriedAgain { .. }
            | Event::Waiting { .. }
            | Event::Calibrating { .. }
            | Event::Calibrated(_) => {}
        }
        None
    }

    /// Nothing is done any more.
    pub fn rest(&mut self, resumable: bool) {
        (self.task, self.stage, self.step, self.building, self.left) = (None, None, None, None, None);
        self.resumable = resumable;
    }

    /// The task has failed, which may have been told already.
    pub fn fail(&mut self, why: &str) {
        if self.ended.is_none() {
            self.end(false, why.to_string());
        }
    }

    /// Says how the task has ended.
    pub fn end(&mut self, good: bool, words: String) {
        self.ended = Some(Ended { good, words });
    }

    fn moved(&mut self, turned: &[Turn], time: Duration) -> Option<(Vec<Turn>, Duration)> {
        self.motions.1 += time.as_millis() as u64;
        self.count_down();
        let cube = self.cube.as_mut().filter(|_| !turned.is_empty())?;
        cube.turn_all(turned);
        self.state = Some(cube.to_string());
        Some((turned.to_vec(), time))
    }

    fn count_down(&mut self) {
        let (planned, made) = self.motions;
        self.left = self.planned.then(|| planned.saturating_sub(made).div_ceil(1000));
    }

    fn stage_ended(&mut self, result: &Done) {
        if self.stage == Some(result.stage()) {
            (self.stage, self.step, self.waiting) = (None, None, None);
        }
        match result {
            // A state that is not sure is not shown as if it were.
            Done::Resolved { seen, .. } => self.size = Some(seen.state.size()),
            Done::Solved(solved) => {
                self.solution = Some(format_turns(&solved.turns));
                self.phases = Some(solved.clone());
            }
            Done::Homed | Done::Scanned { .. } | Done::Planned { .. } | Done::Turned { .. } => {}
        }
    }
}
