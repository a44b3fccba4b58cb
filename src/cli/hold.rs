//! What a command holds while it drives a crane: the lock of the crane, the lock of its journal, and a guard that watches the command.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::guard::{Guard, Work};
use super::{Failure, Stop, board};
use crate::files::{Holder, Lock, LockError, Trouble};

/// How often a lock is tried again while a guard has it.
const LOOK: Duration = Duration::from_millis(50);

/// The locks of a command that drives. They end when the command and its guard have ended.
#[derive(Debug, Default)]
pub(super) struct Hold {
    journal: Option<(PathBuf, Option<Lock>)>,
    crane: Option<Lock>,
}

/// The lock of this brick's crane: in a folder where every user may make a file, and which the system empties at every start.
pub(super) fn this_crane() -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    // Without motors there is nothing to lock. Opening them then fails and names the one that is missing.
    board::is_there().then(|| {
        let run = Path::new("/run/lock");
        let for_all = run
            .metadata()
            .is_ok_and(|run| run.is_dir() && run.permissions().mode() & 0o002 != 0);
        if for_all { run } else { Path::new("/tmp") }.join("cranecuber.lock")
    })
}

impl Hold {
    /// Takes the locks of a crane and of a journal, if there are such. Waits while a guard holds one; fails if another program does, and
    /// names its process.
    pub(super) fn take(crane: Option<&Path>, journal: Option<&Path>, stop: &Stop) -> Result<Hold, Failure> {
        let crane = crane.map(|path| lock("the crane", path, stop)).transpose()?;
        let journal = match journal {
            None => None,
            Some(path) => {
                let mut name = path.as_os_str().to_owned();
                name.push(".lock");
                let lock = match lock("the journal", Path::new(&name), stop) {
                    Ok(lock) => Some(lock.removed()),
                    Err(Locking::Held(why)) => return Err(why),
                    // Where no lock can be written, no journal can be either. The job tells that when it begins its journal.
                    Err(Locking::Impossible(why)) => {
                        log::debug!("{why}");
                        None
                    }
                };
                Some((path.to_path_buf(), lock))
            }
        };
        Ok(Hold { journal, crane })
    }

    /// Starts a guard that watches until the value is dropped; none for a simulated crane.
    pub(super) fn guard(
        &self,
        work: Work,
        calibration: Option<&Path>,
        machine: Option<&Path>,
        token: Option<&str>,
    ) -> Option<Guard> {
        let crane = self.crane.as_ref()?;
        let journal = self
            .journal
            .as_ref()
            .map(|(path, lock)| (path.as_path(), lock.as_ref()));
        let guard = Guard::start(work, crane, journal, [calibration, machine], token);
        guard
            .inspect_err(|why| log::warn!("no guard ({why}): if this program is killed, nobody stops the motors"))
            .ok()
    }
}

/// Why a lock was not taken.
enum Locking {
    /// Another program has it, or something else is in its place.
    Held(Failure),
    /// The system allows no file there.
    Impossible(Failure),
}

impl From<Locking> for Failure {
    fn from(why: Locking) -> Failure {
        match why {
            Locking::Held(why) | Locking::Impossible(why) => why,
        }
    }
}

fn lock(what: &str, path: &Path, stop: &Stop) -> Result<Lock, Locking> {
    let mut told = false;
    loop {
        match Lock::take(path) {
            Ok(lock) => return Ok(lock),
            Err(LockError::Held(holder @ Holder { is_heir: true, .. })) if !stop.requested() => {
                if !told {
                    log::warn!("a program has died, and its guard ({holder}) puts the cube down: waiting for {what}");
                    told = true;
                }
                std::thread::sleep(LOOK);
            }
            Err(LockError::Held(holder)) => {
                let why = format!("{what} is in use by {holder}: end that program first, or wait for it");
                return Err(Locking::Held(Failure::Failed(why)));
            }
            Err(LockError::File(why)) if matches!(why.trouble, Trouble::System(_)) => {
                return Err(Locking::Impossible(why.into()));
            }
            Err(LockError::File(why)) => return Err(Locking::Held(why.into())),
        }
    }
}
