//! Everything that a command needs to drive a crane, put together in one place: calibration, journal, locks, tables, devices, display,
//! listeners, and the wish to stop.

use std::path::{Path, PathBuf};

use super::building::Building;
use super::guard::Work;
use super::hold::Hold;
use super::listening::{Averages, Lines, tell};
use super::machine::{Machine, account, forget_all, may_look};
use super::{Failure, Global, Stop, board};
use crate::app::calibrate::{Builder, CalibrateError, File, Front, calibrate};
use crate::app::menu::Part;
use crate::app::panel::plain;
use crate::app::{Correct, Event, Job, JobError, Learnt, Listener, Metric, Panel, Summary, tune};
use crate::brick::{Brick, Webcam};
use crate::crane::Mechanism;
use crate::cube::State;
use crate::progress::Progress;
use crate::sim::{Eye, WorldFault, WorldHandle};
use crate::solve::{self, Options, SolveError};
use crate::tables::{Store, TableError};

/// Where the devices come from.
pub(super) enum Devices<'a> {
    /// A simulated crane with this cube in it, and what its camera sees.
    Simulated(State, Box<dyn Eye>),
    /// The crane that is there.
    Real(Webcam<'a>),
    /// As `Real`, to go on with a job: the camera is left out where the journal says that no picture is needed.
    Resumed(Option<&'a Path>),
    /// Only what people stand before; motors and camera are plugged in later.
    Front,
}

/// What a job is to go by.
#[derive(Default)]
pub(super) struct Ask<'a> {
    /// How to search.
    pub(super) options: Options,
    /// Which solution is wanted.
    pub(super) metric: Metric,
    /// N, where the user has said it.
    pub(super) size: Option<usize>,
    /// What the user sees better than the camera.
    pub(super) correct: Option<Correct<'a>>,
}

/// All that a command has while it drives a crane.
pub(super) struct Setup<'a> {
    /// The arguments that say which machine it is.
    pub(super) machine: &'a Machine,
    stop: &'a Stop,
    /// The calibration, and what was measured since.
    pub(super) mechanism: Mechanism,
    pub(super) store: Store,
    /// How far the last job is.
    journal: Option<PathBuf>,
    hold: Hold,
    pub(super) brick: Brick,
    /// The world of a simulated crane.
    pub(super) world: Option<WorldHandle>,
    pub(super) panel: Panel,
    lines: Option<Lines>,
}

impl<'a> Setup<'a> {
    /// Takes the locks and opens the devices. From then on the command must look whether it is to stop.
    pub(super) fn new(
        machine: &'a Machine,
        mechanism: Mechanism,
        devices: Devices,
        global: &Global,
        stop: &'a Stop,
    ) -> Result<Setup<'a>, Failure> {
        let journal = match devices {
            // What is in the journal's place is said by the job that wants it.
            Devices::Front => machine.journal_path(),
            _ => machine.journal()?,
        };
        let hold = machine.hold(journal.as_deref(), stop)?;
        let (mut brick, world) = match devices {
            Devices::Simulated(cube, eye) => {
                let made = crate::sim::machine(&mechanism, cube, eye);
                let (brick, world) = made.map_err(|e| Failure::Failed(e.to_string()))?;
                (brick, Some(world))
            }
            Devices::Real(camera) => (machine.real(camera)?, None),
            Devices::Resumed(camera) => {
                let looks = may_look(journal.as_deref());
                (machine.real(Webcam::of(looks, camera))?, None)
            }
            Devices::Front => (board::front().map_err(|e| Failure::Failed(e.to_string()))?, None),
        };
        stop.is_watched();
        Ok(Setup {
            machine,
            stop,
            mechanism,
            store: global.store(),
            journal,
            hold,
            panel: Panel::of(&mut brick),
            brick,
            world,
            lines: machine.events.then(Lines::default),
        })
    }

    /// Sees to the tables of a size, or, of a cube that is known only when it is seen, of all that the crane turns.
    pub(super) fn prepare(&self, known: Option<usize>, progress: &dyn Progress) -> Result<(), Failure> {
        let sizes: Vec<usize> = self.mechanism.sizes.iter().map(|size| size.n).collect();
        prepare(known, &sizes, &self.store, progress)
    }

    /// Has the crane do a job, under guard; keeps what its motions took. `further` hear of it before the display and the terminal do.
    pub(super) fn perform(
        &mut self,
        ask: Ask,
        further: Vec<&mut dyn Listener>,
        job: &dyn Fn(Job) -> Result<Summary, JobError>,
    ) -> Result<Summary, JobError> {
        let mut averages = Averages {
            mechanism: &self.mechanism,
            measured: self.mechanism.measured.clone(),
        };
        let mut terminal = tell;
        let mut listeners: Vec<&mut dyn Listener> = further.into_iter().map(|one| one as _).collect();
        listeners.extend(self.lines.as_mut().map(|lines| lines as &mut dyn Listener));
        listeners.extend([&mut averages as &mut dyn Listener, &mut self.panel, &mut terminal]);
        let _guard = self.machine.guard(Work::Job, &self.hold);
        let done = job(Job {
            brick: &mut self.brick,
            mechanism: &self.mechanism,
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
        machine.crane.remember(&measured, &self.mechanism, machine.sim);
        done
    }

    /// Calibrates a part of the crane, under guard; without a builder, people are asked on the display.
    pub(super) fn calibrate(
        &mut self,
        part: Part,
        n: usize,
        file: &mut File,
        builder: Option<&mut dyn Builder>,
    ) -> Result<Learnt, CalibrateError> {
        if !self.machine.sim {
            forget_all(self.journal.as_deref(), file.path());
        }
        let _guard = self.machine.guard(Work::Calibration, &self.hold);
        let stop = &self.stop.requested;
        let mut front = Front::new(&mut self.panel, stop);
        let builder: &mut dyn Builder = match builder {
            Some(builder) => builder,
            None => &mut front,
        };
        let learnt = calibrate(part, n, &mut self.brick, builder, file, stop);
        if let Some(lines) = &mut self.lines {
            lines.hear(&match &learnt {
                Ok(learnt) => Event::Calibrated(learnt.clone()),
                Err(why) => Event::Failed {
                    message: why.to_string(),
                },
            });
        }
        learnt
    }

    /// Whether a job was broken off that can go on.
    pub(super) fn can_resume(&self) -> bool {
        account(self.journal.as_deref()).is_some()
    }

    /// Whether going on with it takes pictures.
    pub(super) fn may_look(&self) -> bool {
        may_look(self.journal.as_deref())
    }

    /// Lets it be seen and heard how a job has ended; one that is done shows itself.
    pub(super) fn show_end(&mut self, why: Option<&JobError>, tune: &tune::Tune) {
        if let Some(why) = why {
            self.panel.words("Stopped", &plain(why), &[], 0);
        }
        tune::play(&mut self.brick, if why.is_none() { tune } else { tune::FAILED });
    }

    /// Why a job has ended, and how it can be gone on with.
    pub(super) fn failure(&self, why: &JobError) -> Failure {
        self.machine.hinting(why, self.journal.as_deref())
    }

    /// Whether nothing broke in a simulated crane.
    pub(super) fn is_whole(&self) -> Result<(), Failure> {
        whole(self.world.as_ref().and_then(WorldHandle::fault))
    }

    /// Gives the command's answer, in whose place there may be lines.
    pub(super) fn answer(self, answer: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        self.lines.map_or_else(answer, Lines::end)
    }
}

/// Whether nothing broke.
pub(super) fn whole(fault: Option<WorldFault>) -> Result<(), Failure> {
    match fault {
        Some(fault) => Err(Failure::Failed(format!("the simulated crane was broken: {fault}"))),
        None => Ok(()),
    }
}

/// Sees to the tables of the known size. Of a cube that is known only when it is seen, the tables of some sizes may be all that is wanted:
/// what is missing is said, and that all is missing is a failure.
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
