//! The machine that a command drives: a simulated one or this brick, its calibration, its measured times, and the journal.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::guard::{Guard, Work};
use super::hold::{Hold, this_crane};
use super::{Failure, Stop, board, home, second};
use crate::app::{Account, JobError, Model, Plans, forget};
use crate::brick::{Brick, Webcam};
use crate::crane::{Measured, Mechanism};
use crate::cube::MAX_SIZE;

/// The machine that a command drives.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Machine {
    /// On a simulated crane with a simulated cube, on any computer
    #[arg(long)]
    pub(super) sim: bool,
    /// On a simulated crane in another process: bench resume has one
    #[cfg(all(unix, feature = "benches"))]
    #[arg(long, value_name = "SOCKET", hide = true, conflicts_with = "sim")]
    machine: Option<PathBuf>,
    #[command(flatten)]
    pub(super) crane: Crane,
    /// The word that a second brick knows, too, for machines that have one; better put it into the variable CRANECUBER_TOKEN
    #[arg(long, value_name = "WORD")]
    pub(super) hands_token: Option<String>,
    /// Where it is written down how far the job is, for --resume [default: cranecuber.journal beside the program or in your
    /// data folder, as the tables; with --sim none]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Writes what happens to standard output as it happens, a line of JSON for each event, in the place of the answer
    #[arg(long)]
    pub(super) events: bool,
}

/// The crane, by its calibration file.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Crane {
    /// The machine's calibration file [default: calibration/robot.toml beside the program, else the built-in crane]
    #[arg(long, value_name = "FILE")]
    pub(super) calibration: Option<PathBuf>,
}

/// The file of measured times that belongs to a calibration.
pub(super) fn beside(calibration: &Path) -> PathBuf {
    calibration.with_file_name("measured.toml")
}

/// The journal, if the user names none: beside the tables, but not in the folder of `--tables`, so that `--resume` finds it without that
/// option.
pub(super) fn usual_journal() -> PathBuf {
    home().join("cranecuber.journal")
}

/// What a journal tells. `None` if it is missing or cannot be read.
pub(super) fn account(journal: Option<&Path>) -> Option<Account> {
    Account::at(journal?).ok()?
}

/// Whether resuming the journal's job may need a camera; a crane that only turns cubes has none.
pub(super) fn may_look(journal: Option<&Path>) -> bool {
    account(journal).is_none_or(|account| account.may_look())
}

/// Removes the journal and the measured times. Both are no longer true once a calibration moves the crane.
pub(super) fn forget_all(journal: Option<&Path>, calibration: &Path) {
    if let Some(path) = journal {
        forget(path);
    }
    if let Err(why) = Measured::forget(&beside(calibration)) {
        log::warn!("{why}; old measurements there must be removed by hand");
    }
}

impl Machine {
    /// The brick that this program runs on, for its menu.
    pub(super) fn of_this_brick(crane: &Crane) -> Machine {
        Machine {
            crane: crane.clone(),
            ..Machine::default()
        }
    }

    /// The machine that is looked over.
    pub(super) fn of_doctor(crane: &Crane, sim: bool, hands_token: Option<&str>) -> Machine {
        Machine {
            sim,
            hands_token: hands_token.map(str::to_string),
            ..Machine::of_this_brick(crane)
        }
    }

    /// The same with this journal, if the user has not named another.
    #[cfg(feature = "serve")]
    pub(super) fn with_journal(&self, path: &Path) -> Machine {
        let mut same = self.clone();
        same.journal.get_or_insert_with(|| path.to_path_buf());
        same
    }

    pub(super) fn model(&self) -> Result<Model, Failure> {
        self.crane.model(self.sim)
    }

    /// The journal's path: the one that is named, else the usual one. A simulated crane has a journal only if it is named: the crane does not
    /// outlive the program, so there is nothing to resume.
    pub(super) fn journal_path(&self) -> Option<PathBuf> {
        self.journal.clone().or_else(|| (!self.sim).then(usual_journal))
    }

    /// The journal's path, if one is wanted.
    ///
    /// # Errors
    /// If there is something else in its place.
    pub(super) fn journal(&self) -> Result<Option<PathBuf>, Failure> {
        let path = self.journal_path();
        if let Some(path) = &path {
            Account::at(path)?;
        }
        Ok(path)
    }

    /// Whether the crane is a simulated one, in this process or another.
    pub(super) fn is_simulated(&self) -> bool {
        self.sim || self.socket().is_some()
    }

    /// Takes the locks of the machine and of a journal. A simulated crane needs none: each program has its own.
    pub(super) fn hold(&self, journal: Option<&Path>, stop: &Stop) -> Result<Hold, Failure> {
        let crane = match self.socket() {
            _ if self.sim => None,
            Some(socket) => Some(socket.with_added_extension("lock")),
            None => this_crane(),
        };
        Hold::take(crane.as_deref(), journal, stop)
    }

    /// Starts a guard for the machine.
    pub(super) fn guard(&self, work: Work, hold: &Hold) -> Option<Guard> {
        hold.guard(
            work,
            self.crane.used().as_deref(),
            self.socket(),
            self.hands_token.as_deref(),
        )
    }

    #[cfg(all(unix, feature = "benches"))]
    fn socket(&self) -> Option<&Path> {
        self.machine.as_deref()
    }

    #[cfg(not(all(unix, feature = "benches")))]
    fn socket(&self) -> Option<&Path> {
        None
    }

    /// The failure of a job, with a hint how to resume it. Without the hint if it cannot be resumed, because the cube was simulated or the
    /// journal cannot be read.
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
        match why {
            JobError::Doubtful { .. } => Failure::Doubtful(text),
            _ => Failure::Failed(text),
        }
    }

    /// The brick that this program runs on.
    pub(super) fn real(&self, model: &Model, camera: Webcam) -> Result<Brick, Failure> {
        #[cfg(all(unix, feature = "benches"))]
        if let Some(socket) = &self.machine {
            return crate::sim::connect(socket).map_err(|e| Failure::Failed(format!("{}: {e}", socket.display())));
        }
        let mut brick = real(model, camera)?;
        second::join(&mut brick, model, self.hands_token.as_deref())?;
        Ok(brick)
    }
}

impl Crane {
    /// The calibration file, and whether the user has named it. If not, it is the file beside the program, which may be missing.
    pub(super) fn file(&self) -> Option<(PathBuf, bool)> {
        let beside = || {
            Some((
                std::env::current_exe().ok()?.parent()?.join("calibration/robot.toml"),
                false,
            ))
        };
        self.calibration.clone().map(|path| (path, true)).or_else(beside)
    }

    /// The file that is read; none for the built-in calibration.
    pub(super) fn used(&self) -> Option<PathBuf> {
        self.file()
            .filter(|(path, named)| *named || path.is_file())
            .map(|(path, _)| path)
    }

    /// The machine by its calibration; for a real crane also with the measured times.
    pub(super) fn model(&self, sim: bool) -> Result<Model, Failure> {
        let Some(path) = self.used() else {
            return Ok(Mechanism::builtin().into());
        };
        let mut model = Model::load(&path)?;
        if let (Model::Crane(mechanism), false) = (&mut model, sim) {
            mechanism.measured = Measured::load(&beside(&path)).unwrap_or_else(|why| {
                log::warn!("{why}");
                Measured::default()
            });
        }
        Ok(model)
    }

    /// How it turns a cube of size `n`.
    pub(super) fn plans(&self, n: usize) -> Result<Box<dyn Plans>, Failure> {
        Ok(self.model(true)?.plans(n)?)
    }

    /// Writes the times of a real crane's motions. If that fails, the job does not.
    pub(super) fn remember(&self, measured: &Measured, before: &Model, sim: bool) {
        let Model::Crane(before) = before else { return };
        let file = self
            .file()
            .filter(|(path, _)| !sim && path.is_file() && *measured != before.measured);
        if let Some(Err(why)) = file.map(|(path, _)| measured.save(&beside(&path))) {
            log::warn!("{why}");
        }
    }
}

fn real(model: &Model, camera: Webcam) -> Result<Brick, Failure> {
    board::open(&model.needs(), camera).map_err(|e| Failure::Failed(format!("{e} (without a brick, try --sim)")))
}

/// Reads N.
pub(super) fn size_of_a_cube(text: &str) -> Result<usize, String> {
    let size = text.parse().ok().filter(|n| (2..=MAX_SIZE).contains(n));
    size.ok_or_else(|| format!("a cube has 2 to {MAX_SIZE} layers"))
}

/// Another number every time.
pub(super) fn random_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| u64::from(now.subsec_nanos()))
}
