//! The tasks that people choose at the brick or in a browser, done on one machine, one after the other.

use std::path::Path;

use super::building::Building;
use super::machine::random_seed;
use super::setup::{Ask, Setup};
use super::{Failure, Search, Stop, doctor, mix};
use crate::app::CalibrationPart;
use crate::app::calibrate::{CalibrateError, File};
use crate::app::doctor::Finding;
use crate::app::menu::{Task, Tasks};
use crate::app::panel::plain;
use crate::app::{JobError, Listener, Metric, Model, Panel};
use crate::brick::{Absent, Brick, DeviceError};
use crate::cube::State;
use crate::drive::Sight;
use crate::history::Kind;
use crate::lang::Language;
use crate::methods::Method;
use crate::progress::Progress;

/// Plugs in what a task needs: motors, touch sensor, and the camera if it takes pictures.
pub(super) type Connect<'a> = dyn FnMut(&mut Brick, &Model, bool) -> Result<(), Failed> + 'a;

/// How the menu shows how a cube is solved.
const SHOWN: Metric = Metric::Taught {
    method: Method::Layers,
    pauses: true,
};

/// How solving begins.
pub(super) enum First {
    /// The machine looks at its cube. Tables that are missing are built for this size, if it is known, else for all.
    Look(Option<usize>),
    /// The cube is told.
    Told(State),
    /// A job that was broken off goes on.
    Resume,
}

/// Performs what the menu offers.
pub(super) struct MachineTasks<'a> {
    pub(super) setup: Setup<'a>,
    pub(super) search: &'a Search,
    pub(super) stop: &'a Stop,
    pub(super) connect: Box<Connect<'a>>,
    /// The camera that the user has named.
    pub(super) camera: Option<&'a Path>,
    /// The cube, for a machine that sees nothing.
    pub(super) told: Option<State>,
    /// Are told of the events of every job.
    pub(super) listeners: Vec<Box<dyn Listener + 'a>>,
}

impl MachineTasks<'_> {
    /// Begins a task, by the calibration as it is now.
    fn begin(&mut self, pictures: bool) -> Result<(), Failed> {
        self.setup.model = self.setup.machine.model()?;
        self.setup.panel.begin();
        self.setup.panel.heading("Getting ready");
        let looks = pictures && self.setup.model.sight() == Sight::Camera;
        (self.connect)(&mut self.setup.brick, &self.setup.model, looks)
    }

    /// Solves the cube in the machine, or goes on with a job that was broken off.
    pub(super) fn solve(&mut self, first: &First, progress: &dyn Progress) -> Result<(), Failed> {
        self.solve_by(self.search.metric_of_crane(), first, progress)
    }

    fn solve_by(&mut self, metric: Metric, first: &First, progress: &dyn Progress) -> Result<(), Failed> {
        let options = self.search.options(self.stop)?;
        self.begin(match first {
            First::Look(_) => true,
            First::Told(_) => false,
            First::Resume => self.setup.may_look(),
        })?;
        match first {
            First::Look(known) => self.setup.prepare(*known, progress)?,
            First::Told(state) => self.setup.prepare(Some(state.size()), progress)?,
            // There need not be anything left to solve.
            First::Resume => {}
        }
        let ask = Ask {
            kind: match first {
                First::Resume => Kind::Resume,
                First::Look(_) | First::Told(_) => Kind::Run,
            },
            options,
            metric,
            ..Ask::default()
        };
        let further = self.listeners.iter_mut().map(|one| &mut **one as &mut dyn Listener);
        self.setup.perform(ask, further.collect(), &|job| match first {
            First::Resume => job.resume(),
            First::Look(_) => job.run(),
            First::Told(state) => job.run_told(state),
        })?;
        Ok(())
    }

    /// Mixes the solved cube of size `n` in the crane.
    pub(super) fn mix(&mut self, n: usize, seed: u64) -> Result<(), Failed> {
        self.begin(false)?;
        let further = self.listeners.iter_mut().map(|one| &mut **one as &mut dyn Listener);
        mix::mix(&mut self.setup, n, seed, further.collect(), self.stop)?;
        Ok(())
    }

    fn calibrate(&mut self, part: CalibrationPart, n: usize) -> Result<(), Failed> {
        let Some((path, _)) = self.setup.machine.crane.file() else {
            return Err(Failed("I cannot find my own folder".to_string()));
        };
        let mut file = File::open(&path)?;
        (self.connect)(&mut self.setup.brick, file.model(), part == CalibrationPart::Camera)?;
        let learnt = self.setup.calibrate(part, n, &mut file, None)?.to_string();
        log::info!("{learnt}");
        self.setup.panel.words("Done", &learnt, &["Menu"], 0);
        Ok(())
    }
}

impl From<CalibrateError> for Failed {
    fn from(why: CalibrateError) -> Failed {
        Failed(why.to_string())
    }
}

impl Tasks for MachineTasks<'_> {
    fn brick_and_panel(&mut self) -> (&mut Brick, &mut Panel) {
        (&mut self.setup.brick, &mut self.setup.panel)
    }

    fn can_resume(&self) -> bool {
        self.setup.can_resume()
    }

    fn sees(&self) -> bool {
        // An error in the calibration is told when a task begins.
        let model = self.setup.machine.model();
        model.map_or(true, |model| model.sees())
    }

    fn tell(&mut self, cube: State) {
        self.told = Some(cube);
    }

    fn speak(&mut self, language: Language) -> Result<(), String> {
        self.setup.speak(language).map_err(|why| Failed(why.to_string()).told())
    }

    fn sizes(&self) -> Vec<usize> {
        self.setup.machine.model().map_or(Vec::new(), |model| model.sizes())
    }

    fn parts(&self) -> Vec<CalibrationPart> {
        let model = self.setup.machine.model();
        model.map_or(Vec::new(), |model| CalibrationPart::of(&model).to_vec())
    }

    fn check(&mut self) -> Vec<Finding> {
        let setup = &mut self.setup;
        if setup.machine.is_simulated() {
            return doctor::troubles(setup.machine, Some(&mut setup.brick), &setup.store, None);
        }
        // A camera lets only one have its pictures.
        setup.brick.camera = Box::new(Absent(DeviceError::Missing {
            what: "camera",
            place: "this job".to_string(),
            hint: "start again",
        }));
        doctor::troubles(setup.machine, None, &setup.store, self.camera)
    }

    fn perform(&mut self, task: Task) -> Result<(), String> {
        let building = Building::new(self.stop, None);
        let first = match &self.told {
            Some(cube) if !self.sees() => First::Told(cube.clone()),
            _ => First::Look(None),
        };
        let done = match task {
            Task::Solve => self.solve(&first, &building),
            Task::ShowHow => self.solve_by(SHOWN, &first, &building),
            Task::Mix(n) => self.mix(n, random_seed()),
            Task::Calibrate(part, n) => self.calibrate(part, n),
            Task::Resume => self.solve(&First::Resume, &building),
            // Nobody orders anything here.
            Task::Ordered => Ok(()),
        };
        done.map_err(Failed::told)
    }
}

/// Why a task was not done, in plain words.
pub(super) struct Failed(pub(super) String);

impl Failed {
    /// Writes it to the log.
    pub(super) fn told(self) -> String {
        log::error!("{}", self.0);
        self.0
    }
}

impl From<JobError> for Failed {
    fn from(why: JobError) -> Failed {
        Failed(plain(&why))
    }
}

impl From<Failure> for Failed {
    fn from(why: Failure) -> Failed {
        Failed(why.to_string())
    }
}

impl From<DeviceError> for Failed {
    fn from(why: DeviceError) -> Failed {
        Failed(why.to_string())
    }
}
