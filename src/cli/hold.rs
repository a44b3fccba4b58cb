//! What a command holds while it drives a crane: a lock of the crane, one of its journal, and a guard that watches it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::guard::{Guard, Work};
use super::{Failure, Stop, board};
use crate::files::{Holder, Lock, LockError, Trouble};

/// How often it is looked whether a guard is done.
const LOOK: Duration = Duration::from_millis(50);

/// The locks of one that drives. They end with it, and with its guard.
#[derive(Debug, Default)]
pub(super) struct Hold {
    journal: Option<(PathBuf, Option<Lock>)>,
    crane: Option<Lock>,
}

/// The lock of this brick's crane: a file of the system that is gone when the brick goes out, where every user may make one.
pub(super) fn this_crane() -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    // Without motors there is nothing to lock, and soon a message that says which one is missing.
    board::is_there().then(|| {
        let run = Path::new("/run/lock");
        let for_all = run
            .metadata()
            .is_ok_and(|run| run.is_dir() && run.permissions().mode() & 0o002 != 0);
        if for_all { run } else { Path::new("/tmp") }.join("cranecuber.lock")
    })
}

impl Hold {
    /// Takes the locks of a crane and of a journal, as far as there are such. A guard at work is waited for; of anyone else it is said who
    /// it is.
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
                    // Where no lock can be written there can be no journal either, and that is said when it is begun.
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

    /// Has the crane watched from here on, as long as the value lives; a simulated one needs no guard.
    pub(super) fn guard(&self, work: Work, calibration: Option<&Path>, machine: Option<&Path>) -> Option<Guard> {
        let crane = self.crane.as_ref()?;
        let journal = self
            .journal
            .as_ref()
            .map(|(path, lock)| (path.as_path(), lock.as_ref()));
        let guard = Guard::start(work, crane, journal, calibration, machine);
        guard
            .inspect_err(|why| log::warn!("no guard ({why}): if this program is killed, nobody stops the motors"))
            .ok()
    }
}

/// Why there is no lock.
enum Locking {
    /// Another program has it, or something else is in its place.
    Held(Failure),
    /// The system does not allow one.
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
