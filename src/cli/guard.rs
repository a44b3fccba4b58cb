//! A guard: a small process of this program that watches the one that drives a crane.
//!
//! It sleeps in reading from a connection whose other end only that program has. If the program says that it is done, so is the guard. If
//! the connection ends without a word, the program has died: the guard stops the motors, puts the cube down, and says so in the journal.
//! It has inherited the program's locks, so that no other program comes in between.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use super::board;
use crate::app::{calibrate, rescue};
use crate::brick::{Brick, Light};
use crate::crane::{Mechanism, calibration_text};
use crate::files::{FileError, Lock, sign_as_heir};

/// The first argument of a guard, which is not for users: of a job, or of a calibration, which has no journal.
const GUARD: &str = "--guard";
const GUARD_CALIBRATION: &str = "--guard-calibration";
/// A guard says that it watches, a program that it needs it no longer.
const READY: u8 = b'R';
const DONE: u8 = b'D';
/// A guard that has not begun by then never will.
const BEGINS: Duration = Duration::from_secs(5);

/// What is guarded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// What its journal tells.
    Job,
    /// Parts that are moved by themselves.
    Calibration,
}

/// The guard of this process. It is let go with this value, unless the process panics.
#[derive(Debug)]
pub(super) struct Guard {
    child: Child,
    line: UnixStream,
}

impl Guard {
    /// Starts a guard for a crane, and waits until it watches. `journal` is where it is and its lock.
    pub(super) fn start(
        what: Work,
        crane: &Lock,
        journal: Option<(&Path, Option<&Lock>)>,
        calibration: Option<&Path>,
        machine: Option<&Path>,
    ) -> io::Result<Guard> {
        let (mut line, theirs) = UnixStream::pair()?;
        // The guard stands in no folder, so that all can be unmounted.
        let whole = |path: Option<&Path>| path.map_or(Ok(PathBuf::new()), std::path::absolute);
        let path = whole(journal.map(|(path, _)| path))?;
        let locks = [Some(crane), journal.and_then(|(_, lock)| lock)];
        // This very program, even if its file is replaced meanwhile.
        let itself = PathBuf::from("/proc/self/exe");
        let mut command = Command::new(if itself.exists() {
            itself
        } else {
            std::env::current_exe()?
        });
        command.arg0("cranecuber").arg(match what {
            Work::Job => GUARD,
            Work::Calibration => GUARD_CALIBRATION,
        });
        command.args([whole(Some(crane.path()))?, path, whole(calibration)?, whole(machine)?]);
        command.stdin(OwnedFd::from(theirs)).stdout(Stdio::null());
        let inherit = |may| locks.iter().flatten().try_for_each(|lock| lock.inherit(may));
        let child = inherit(true).and_then(|()| command.spawn());
        // Its end of the line is the child's alone from here on.
        drop(command);
        inherit(false)?;
        let child = child?;
        let mut guard = Guard {
            child,
            line: line.try_clone()?,
        };
        line.set_read_timeout(Some(BEGINS))?;
        let mut word = [0];
        let begun = line.read_exact(&mut word);
        if begun.is_err() || word != [READY] {
            let _ = guard.child.kill();
            return Err(begun.err().unwrap_or_else(|| io::Error::other("it does not begin")));
        }
        die_of_panics();
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        drop(std::panic::take_hook());
        let _ = self.line.write_all(&[DONE]);
        let _ = self.child.wait();
    }
}

/// A program that panics where it drives lets go of its motors and its cube on its way out. With a guard it dies at once instead, with the
/// motors as they are, so that the guard can put the cube down. A search in another thread does not drive.
fn die_of_panics() {
    let (driver, tell) = (std::thread::current().id(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |panic| {
        tell(panic);
        if std::thread::current().id() == driver {
            std::process::abort();
        }
    }));
}

/// What a guard is told when it begins.
struct Orders {
    work: Work,
    crane: PathBuf,
    journal: Option<PathBuf>,
    /// The calibration's text as it was then; none for the built-in one.
    calibration: Option<Result<String, FileError>>,
    /// Where the crane is another process.
    #[cfg(feature = "benches")]
    machine: Option<PathBuf>,
}

/// Guards, if this process was started for that.
pub(super) fn watch() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    let work = match args.next()?.to_str() {
        Some(GUARD) => Work::Job,
        Some(GUARD_CALIBRATION) => Work::Calibration,
        _ => return None,
    };
    let mut path = || args.next().filter(|path| !path.is_empty()).map(PathBuf::from);
    let (crane, journal, calibration) = (path()?, path(), path());
    let orders = Orders {
        work,
        crane,
        journal,
        calibration: calibration.map(|path| calibration_text(&path)),
        #[cfg(feature = "benches")]
        machine: path(),
    };
    // Neither ctrl-C nor the end of a terminal is meant for it, and its folder can be unmounted.
    let _ = rustix::process::setsid();
    let _ = std::env::set_current_dir("/");
    // As `killall` and `ps` name it.
    let _ = std::fs::write("/proc/self/comm", "crane-guard");
    match has_died() {
        Ok(false) => Some(ExitCode::SUCCESS),
        Ok(true) => Some(orders.carry_out()),
        Err(_) => Some(ExitCode::FAILURE),
    }
}

/// Waits until the program is done, or has died.
fn has_died() -> io::Result<bool> {
    let line = io::stdin().as_fd().try_clone_to_owned()?;
    let mut line = UnixStream::from(line);
    line.write_all(&[READY])?;
    let mut word = [0];
    Ok(line.read_exact(&mut word).is_err() || word != [DONE])
}

impl Orders {
    fn carry_out(&self) -> ExitCode {
        let mut brick = match self.brick() {
            Ok(brick) => brick,
            Err(why) => return say(&format!("the crane cannot be reached: {why}"), false),
        };
        let moved = rescue::stop(&mut brick);
        // Who waits for the crane waits for the guard now.
        let _ = sign_as_heir(&self.crane);
        let done = if moved { self.put_down(&mut brick) } else { Ok(()) };
        rescue::let_go(&mut brick);
        let _ = brick.leds.show(Light::Red);
        match done {
            _ if !moved => say("the program has died; no motor had power", true),
            Ok(()) => {
                let further = match self.work {
                    Work::Job => "; run --resume goes on",
                    Work::Calibration => "",
                };
                let text = "the program that drove the crane has died; its guard has put the cube down";
                say(&format!("{text}{further}"), true)
            }
            Err(why) => say(
                &format!("the program that drove the crane has died, and THE CUBE MAY STILL BE UP: {why}"),
                false,
            ),
        }
    }

    fn brick(&self) -> io::Result<Brick> {
        #[cfg(feature = "benches")]
        if let Some(socket) = &self.machine {
            return crate::sim::connect(socket);
        }
        board::limbs()
    }

    fn put_down(&self, brick: &mut Brick) -> Result<(), String> {
        let mechanism = match &self.calibration {
            Some(Ok(text)) => Mechanism::parse(text, "the calibration").map_err(|why| why.to_string())?,
            Some(Err(why)) => return Err(why.to_string()),
            None => Mechanism::builtin(),
        };
        match self.work {
            Work::Job => rescue::put_down(brick, &mechanism, self.journal.as_deref()),
            Work::Calibration => calibrate::put_down(brick, &mechanism).map_err(|why| why.to_string()),
        }
    }
}

/// Says how it ended. The journal says it too, in case the terminal is gone.
fn say(text: &str, good: bool) -> ExitCode {
    let _ = writeln!(io::stderr(), "cranecuber: {text}");
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
