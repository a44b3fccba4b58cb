//! Puts together what a command needs to drive a machine: calibration, journal, locks, tables, devices, display, listeners, and the wish to
//! stop.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::building::Building;
use super::guard::Work;
use super::hold::Hold;
use super::listening::{Averages, Lines, tell};
use super::machine::{Machine, account, forget_all, may_look};
use super::{Failure, Global, Stop, board};
use crate::app::CalibrationPart;
use crate::app::calibrate::{Builder, CalibrateError, File, OnDisplay, calibrate};
#[cfg(feature = "serve")]
use crate::app::forget;
use crate::app::panel::plain;
use crate::app::{Correct, Event, Job, JobError, Learnt, Listener, Metric, Model, Panel, Recorder, Summary, melody};
use crate::brick::{Brick, Webcam};
use crate::cube::State;
use crate::drive::Sight;
use crate::files::{self, FileError};
use crate::history::{Entry, History, Kind, Moment};
use crate::lang::Language;
use crate::progress::Progress;
use crate::sim::{Eye, Sensor, WorldFault, WorldHandle};
use crate::solve::{self, Options, SolveError};
use crate::tables::{Store, TableError};

/// Where the devices come from.
pub(super) enum Devices<'a> {
    /// A simulated crane with this cube in it; the eye is its camera.
    Simulated(State, Box<dyn Eye>),
    /// The real crane.
    Real(Webcam<'a>),
    /// The real crane, to resume a job; without the camera if the journal tells that no picture is needed.
    Resumed(Option<&'a Path>),
    /// The brick's own display, keys, sound, LEDs and battery; motors, touch sensor and camera are opened later.
    Console,
}

/// How the user wants a job done.
#[derive(Default)]
pub(super) struct Ask<'a> {
    /// What the history calls it.
    pub(super) kind: Kind,
    /// How to search.
    pub(super) options: Options,
    /// By what the best solution is chosen.
    pub(super) metric: Metric,
    /// N, if the user has named it.
    pub(super) size: Option<usize>,
    /// Corrects the colours that the camera saw.
    pub(super) correct: Option<Correct<'a>>,
}

/// Everything that a command has while it drives a crane.
pub(super) struct Setup<'a> {
    /// The arguments that choose the machine.
    pub(super) machine: &'a Machine,
    stop: &'a Stop,
    /// The machine by its calibration, with the times measured since.
    pub(super) model: Model,
    pub(super) store: Store,
    /// The journal's path.
    journal: Option<PathBuf>,
    hold: Hold,
    pub(super) brick: Brick,
    /// The world of a simulated crane.
    pub(super) world: Option<WorldHandle>,
    pub(super) panel: Panel,
    #[cfg(feature = "serve")]
    language: Language,
    lines: Option<Lines>,
    /// The user knows that nothing can be written to the history.
    told: bool,
}

impl<'a> Setup<'a> {
    /// Takes the locks and opens the devices. From then on the command itself must watch for the wish to stop.
    pub(super) fn new(
        machine: &'a Machine,
        model: Model,
        devices: Devices,
        global: &Global,
        stop: &'a Stop,
    ) -> Result<Setup<'a>, Failure> {
        let journal = match devices {
            // If something else is in the journal's place, the job that needs the journal fails and says so.
            Devices::Console => machine.journal_path(),
            _ => machine.journal()?,
        };
        let hold = machine.hold(journal.as_deref(), stop)?;
        let (mut brick, world) = match devices {
            Devices::Simulated(cube, eye) => {
                let (brick, world) = simulated(&model, cube, eye)?;
                (brick, Some(world))
            }
            Devices::Real(camera) => (machine.real(&model, if_it_looks(&model, camera))?, None),
            Devices::Resumed(camera) => {
                let camera = Webcam::of(may_look(journal.as_deref()), camera);
                (machine.real(&model, if_it_looks(&model, camera))?, None)
            }
            Devices::Console => (board::built_in().map_err(|e| Failure::Failed(e.to_string()))?, None),
        };
        stop.is_watched();
        let mut panel = Panel::of(&mut brick);
        panel.speak(global.language());
        Ok(Setup {
            machine,
            stop,
            model,
            store: global.store(),
            journal,
            hold,
            panel,
            #[cfg(feature = "serve")]
            language: global.language(),
            brick,
            world,
            lines: machine.events.then(Lines::default),
            told: false,
        })
    }

    /// Makes sure that tables are there: those of the `known` size, else of all sizes that the crane turns.
    pub(super) fn prepare(&self, known: Option<usize>, progress: &dyn Progress) -> Result<(), Failure> {
        prepare(known, &self.model.sizes(), &self.store, progress)
    }

    /// Does a job with the crane, under guard, keeps the times that its motions took, and adds it to the history. The `further` listeners hear of every event before
    /// the display and the terminal do.
    pub(super) fn perform(
        &mut self,
        ask: Ask,
        further: Vec<&mut dyn Listener>,
        job: &dyn Fn(Job) -> Result<Summary, JobError>,
    ) -> Result<Summary, JobError> {
        let began = Instant::now();
        let mut recorder = Recorder::new(Moment::now(), ask.kind, self.machine.is_simulated(), ask.size);
        let mut averages = Averages {
            model: &self.model,
            measured: self.model.measured(),
        };
        let mut terminal = tell;
        let mut listeners: Vec<&mut dyn Listener> = further.into_iter().map(|one| one as _).collect();
        listeners.extend(self.lines.as_mut().map(|lines| lines as &mut dyn Listener));
        listeners.extend([
            &mut averages as &mut dyn Listener,
            &mut recorder,
            &mut self.panel,
            &mut terminal,
        ]);
        let _guard = self.machine.guard(Work::Job, &self.hold);
        let done = job(Job {
            brick: &mut self.brick,
            machine: &self.model,
            store: &self.store,
            progress: &Building::new(self.stop, None),
            options: ask.options,
            metric: ask.metric,
            size: ask.size,
            correct: ask.correct,
            stop: self.stop.requested.clone(),
            journal: self.journal.as_deref(),
            listeners,
        });
        let Averages { measured, .. } = averages;
        let machine = self.machine;
        machine.crane.remember(&measured, &self.model, machine.sim);
        self.keep(&recorder.entry(&done, began.elapsed()));
        done
    }

    /// Adds a job to the history. If that fails, the job does not, and it is said once.
    fn keep(&mut self, entry: &Entry) {
        let Err(why) = History::of(self.store.folder()).add(entry) else {
            return;
        };
        // Where tables could not be written either, the user knows that this folder cannot be.
        match self.told || self.store.is_in_memory() {
            true => log::debug!("{why}"),
            false => log::warn!("this job is not in the history: {why}"),
        }
        self.told = true;
    }

    /// Calibrates a part of the crane, under guard. Without a `builder` it asks on the display.
    pub(super) fn calibrate(
        &mut self,
        part: CalibrationPart,
        n: usize,
        file: &mut File,
        builder: Option<&mut dyn Builder>,
    ) -> Result<Learnt, CalibrateError> {
        if !self.machine.sim {
            forget_all(self.journal.as_deref(), file.path());
        }
        self.tell(&Event::Calibrating { part, size: n });
        let _guard = self.machine.guard(Work::Calibration, &self.hold);
        let stop = &self.stop.requested;
        let mut on_display = OnDisplay::new(&mut self.panel, stop);
        let builder: &mut dyn Builder = match builder {
            Some(builder) => builder,
            None => &mut on_display,
        };
        let learnt = calibrate(part, n, &mut self.brick, builder, file, stop);
        self.tell(&match &learnt {
            Ok(learnt) => Event::Calibrated(learnt.clone()),
            Err(why) => Event::Failed {
                message: why.to_string(),
            },
        });
        learnt
    }

    /// Puts another simulated crane in the place of this one, whose unfinished job is gone with it.
    #[cfg(feature = "serve")]
    pub(super) fn exchange(&mut self, mut brick: Brick, world: WorldHandle) {
        if let Some(path) = &self.journal {
            forget(path);
        }
        self.panel = Panel::of(&mut brick);
        self.panel.speak(self.language);
        (self.brick, self.world) = (brick, Some(world));
    }

    /// The display speaks a language from now on; on a brick it is kept for the next start, in the file that the start files read.
    pub(super) fn speak(&mut self, language: Language) -> Result<(), FileError> {
        self.panel.speak(language);
        #[cfg(feature = "serve")]
        {
            self.language = language;
        }
        match beside("language") {
            Some(path) if !self.machine.is_simulated() => keep(&path, language),
            _ => Ok(()),
        }
    }

    /// Writes a line of what happens outside a job.
    pub(super) fn tell(&mut self, event: &Event) {
        if let Some(lines) = &mut self.lines {
            lines.hear(event);
        }
    }

    /// Whether there is an unfinished job that can be resumed.
    pub(super) fn can_resume(&self) -> bool {
        account(self.journal.as_deref()).is_some()
    }

    /// Whether resuming it may take pictures.
    pub(super) fn may_look(&self) -> bool {
        may_look(self.journal.as_deref())
    }

    /// Shows on the display why a job has failed, and plays a melody. A job that is done has its result on the display already.
    pub(super) fn show_end(&mut self, why: Option<&JobError>, melody: &melody::Melody) {
        if let Some(why) = why {
            self.panel.words("Stopped", &plain(why), &[], 0);
        }
        melody::play(&mut self.brick, if why.is_none() { melody } else { melody::FAILED });
    }

    /// The failure of a job, with a hint how to resume it.
    pub(super) fn failure(&self, why: &JobError) -> Failure {
        self.machine.hinting(why, self.journal.as_deref())
    }

    /// Fails if a simulated crane was broken.
    pub(super) fn is_whole(&self) -> Result<(), Failure> {
        whole(self.world.as_ref().and_then(WorldHandle::fault))
    }

    /// Gives the command's answer; with `--events` ends the lines instead.
    pub(super) fn answer(self, answer: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        self.lines.map_or_else(answer, Lines::end)
    }
}

/// The webcam of a machine that sees its cube by one; others have none.
fn if_it_looks<'a>(model: &Model, camera: Webcam<'a>) -> Webcam<'a> {
    match model.sight() {
        Sight::Camera => camera,
        Sight::Sensor | Sight::Nothing => Webcam::Unused,
    }
}

/// A simulated machine with a cube in it. The eye is the camera of those that have one.
pub(super) fn simulated(model: &Model, cube: State, eye: Box<dyn Eye>) -> Result<(Brick, WorldHandle), Failure> {
    match model {
        Model::Crane(mechanism) => crate::sim::machine(mechanism, cube, eye).map_err(|why| why.to_string()),
        Model::Tilter(mechanism) if cube.size() == 3 => {
            // The sensor is the one for which the calibration's white holds. The same cube has the same noise.
            let seed = cube
                .to_string()
                .bytes()
                .fold(0, |sum: u64, byte| sum * 31 % 1_000_003 + u64::from(byte));
            let sensor = Sensor::of_white(mechanism.color_sensor.white, seed);
            Ok(crate::sim::tilter(mechanism, cube, sensor))
        }
        Model::Jaws(mechanism) if cube.size() == 3 => Ok(crate::sim::jaws(mechanism, cube)),
        model => Err(model.turns(cube.size()).map_or_else(
            |why| why.to_string(),
            |()| "this machine is not simulated: leave --sim out".to_string(),
        )),
    }
    .map_err(Failure::Failed)
}

/// A file beside the program.
fn beside(name: &str) -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.join(name))
}

/// Writes a language's letters into the file, unless that has something else.
fn keep(path: &Path, language: Language) -> Result<(), FileError> {
    let ours = |text: &str| text.trim().is_empty() || Language::named(text.trim()).is_some();
    match files::read_text(path, 100) {
        Err(why) if why.is_missing() => {}
        Ok(text) if ours(&text) => {}
        _ => return Err(FileError::foreign(path, "a language")),
    }
    files::replace(path, &[language.code().as_bytes(), b"\n"]).map(|_| ())
}

/// Fails if there is a fault.
pub(super) fn whole(fault: Option<WorldFault>) -> Result<(), Failure> {
    match fault {
        Some(fault) => Err(Failure::Failed(format!("the simulated crane was broken: {fault}"))),
        None => Ok(()),
    }
}

/// Makes sure that the tables of the `known` size are there. If the size will only be known when the cube is seen, the tables of some sizes
/// may be enough: warns for each size without tables, and fails if no size has them.
fn prepare(known: Option<usize>, sizes: &[usize], store: &Store, progress: &dyn Progress) -> Result<(), Failure> {
    if let Some(n) = known {
        return Ok(solve::prepare(n, store, progress)?);
    }
    let mut first = None;
    let mut ready = false;
    for &n in sizes {
        match solve::prepare(n, store, progress) {
            Ok(()) => ready = true,
            Err(SolveError::Table(
                why @ (TableError::Interrupted { .. } | TableError::Late { .. } | TableError::NoTime { .. }),
            )) => return Err(why.into()),
            Err(why) => {
                log::warn!("a {n}x{n}x{n} cannot be solved: {why}");
                first.get_or_insert(why);
            }
        }
    }
    match first {
        Some(why) if !ready => Err(why.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Quiet;

    #[test]
    fn a_language_is_kept_for_the_start_files_and_replaces_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("language");
        for language in Language::ALL {
            keep(&path, language).unwrap();
            assert_eq!(
                std::fs::read_to_string(&path).unwrap(),
                format!("{}\n", language.code())
            );
        }
        std::fs::write(&path, "").unwrap();
        keep(&path, Language::French).unwrap();
        std::fs::write(&path, "Esperanto\n").unwrap();
        let why = keep(&path, Language::German).unwrap_err().to_string();
        assert!(why.contains("it is not a language of this program"), "{why}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "Esperanto\n");
    }

    #[test]
    fn of_an_unknown_cube_the_tables_of_one_size_are_enough() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        let brick = store.clone().building(false);
        let missing = prepare(None, &[2, 3, 4], &brick, &Quiet).unwrap_err().to_string();
        assert!(missing.contains("2x2x2-states.table is missing"), "{missing}");
        prepare(Some(2), &[], &store.building(true), &Quiet).unwrap();
        assert!(prepare(None, &[2, 3, 4], &brick, &Quiet).is_ok() && prepare(Some(2), &[], &brick, &Quiet).is_ok());
        assert!(prepare(Some(4), &[], &brick, &Quiet).is_err());
    }
}
