//! Which machine a command is for: a simulated one or this brick, its calibration file, what was measured, and the journal beside the tables.

use std::path::{Path, PathBuf};

use super::Failure;
use crate::app::{Account, JobError};
use crate::brick::Brick;
use crate::crane::{Measured, Mechanism};
use crate::cube::State;
use crate::sim::{Eye, WorldHandle};
use crate::tables::Store;

/// Where the machine is, and what it is.
#[derive(Debug, clap::Args)]
pub(super) struct Machine {
    /// On a simulated crane with a simulated cube, on any computer
    #[arg(long)]
    pub(super) sim: bool,
    /// On a simulated crane in another process: bench resume has one
    #[cfg(all(unix, not(target_arch = "arm")))]
    #[arg(long, value_name = "SOCKET", hide = true, conflicts_with = "sim")]
    machine: Option<PathBuf>,
    #[command(flatten)]
    pub(super) crane: Crane,
    /// Where it is written down how far the job is, for --resume [default: cranecuber.journal beside the tables; with --sim none]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
}

/// Which crane it is.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Crane {
    /// The crane's calibration file [default: calibration/robot.toml beside the program, else the built-in one]
    #[arg(long, value_name = "FILE")]
    pub(super) calibration: Option<PathBuf>,
}

/// Where what was measured is kept.
pub(super) fn beside(calibration: &Path) -> PathBuf {
    calibration.with_file_name("measured.toml")
}

/// The journal beside the tables.
pub(super) fn journal_beside(store: &Store) -> Option<PathBuf> {
    store.folder().parent().map(|folder| folder.join("cranecuber.journal"))
}

/// What a journal tells, if it is there and can be read.
fn account(journal: Option<&Path>) -> Option<Account> {
    Account::read(&std::fs::read(journal?).ok()?)
}

/// Whether going on with the job that a journal tells of may take a camera: a crane that only turns cubes has none.
pub(super) fn may_look(journal: Option<&Path>) -> bool {
    account(journal).is_none_or(|account| account.may_look())
}

/// Removes what is not true any longer: a journal once something else has moved the crane, what was measured before a calibration.
pub(super) fn forget(old: Option<&Path>) {
    let Some(path) = old.filter(|path| path.is_file()) else {
        return;
    };
    if let Err(why) = std::fs::remove_file(path) {
        log::warn!("{} cannot be removed, remove it by hand: {why}", path.display());
    }
}

impl Machine {
    pub(super) fn mechanism(&self) -> Result<Mechanism, Failure> {
        self.crane.mechanism(self.sim)
    }

    /// A simulated crane does not outlive the program, so there is nothing to go on with.
    pub(super) fn journal(&self, store: &Store) -> Option<PathBuf> {
        self.journal
            .clone()
            .or_else(|| journal_beside(store).filter(|_| !self.sim))
    }

    /// Why a job has ended, and how it can be gone on with: a simulated cube is gone, and what cannot be read is of no use.
    pub(super) fn hinting(&self, why: &JobError, journal: Option<&Path>) -> Failure {
        let mut text = why.to_string();
        if !self.sim && account(journal).is_some() {
            text += "; cranecuber run --resume";
            for (option, path) in [("--calibration", &self.crane.calibration), ("--journal", &self.journal)] {
                if let Some(path) = path {
                    text += &format!(" {option} {}", path.display());
                }
            }
            text += " goes on with this cube";
        }
        Failure::Failed(text)
    }

    /// The brick that this program runs on.
    pub(super) fn real(&self, camera: Option<Option<&Path>>) -> Result<Brick, Failure> {
        #[cfg(all(unix, not(target_arch = "arm")))]
        if let Some(socket) = &self.machine {
            return crate::sim::connect(socket).map_err(|e| Failure::Failed(format!("{}: {e}", socket.display())));
        }
        real(camera)
    }
}

impl Crane {
    /// Its file, and whether somebody has named it; a file beside the program need not be there.
    pub(super) fn file(&self) -> Option<(PathBuf, bool)> {
        let beside = || {
            Some((
                std::env::current_exe().ok()?.parent()?.join("calibration/robot.toml"),
                false,
            ))
        };
        self.calibration.clone().map(|path| (path, true)).or_else(beside)
    }

    /// What is in its file, and on a real crane what was measured since.
    pub(super) fn mechanism(&self, sim: bool) -> Result<Mechanism, Failure> {
        let Some((path, _)) = self.file().filter(|(path, named)| *named || path.is_file()) else {
            return Ok(Mechanism::builtin());
        };
        let mut mechanism = Mechanism::load(&path).map_err(|e| Failure::Failed(e.to_string()))?;
        if !sim {
            mechanism.measured = Measured::load(&beside(&path)).unwrap_or_else(|why| {
                log::warn!("{why}");
                Measured::default()
            });
        }
        Ok(mechanism)
    }

    /// Keeps what a real crane's motions took; a job does not fail because that cannot be written.
    pub(super) fn remember(&self, measured: &Measured, before: &Mechanism, sim: bool) {
        let file = self
            .file()
            .filter(|(path, _)| !sim && path.is_file() && *measured != before.measured);
        if let Some(Err(why)) = file.map(|(path, _)| measured.save(&beside(&path))) {
            log::warn!("{why}");
        }
    }
}

#[cfg(target_os = "linux")]
pub(super) fn real(camera: Option<Option<&Path>>) -> Result<Brick, Failure> {
    crate::brick::ev3dev::open(camera).map_err(|e| Failure::Failed(format!("{e} (without a brick, try --sim)")))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn real(_: Option<Option<&Path>>) -> Result<Brick, Failure> {
    Err(Failure::Failed(
        "a real crane needs an EV3 with ev3dev; here, use --sim".to_string(),
    ))
}

pub(super) fn machine(mechanism: &Mechanism, cube: State, eye: Box<dyn Eye>) -> Result<(Brick, WorldHandle), Failure> {
    crate::sim::machine(mechanism, cube, eye).map_err(|e| Failure::Failed(e.to_string()))
}
