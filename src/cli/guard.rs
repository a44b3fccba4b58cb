//! The guard: a small process of this program that watches the process that drives a crane.
//!
//! It sleeps reading from a connection whose other end only the watched program has. If the program writes that it is done, the guard ends.
//! If the connection ends without a word, the program has died: the guard stops the motors, puts the cube down, and notes that in the
//! journal. The guard has inherited the program's locks, so that no other program can drive the crane in between.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use super::board;
use crate::app::{Model, calibrate, rescue};
use crate::brick::{Brick, Light};
use crate::calibration::calibration_text;
use crate::crane::Mechanism;
use crate::files::{FileError, Lock, sign_as_heir};

/// The first argument of a job's guard. Users do not see it.
const GUARD: &str = "--guard";
/// The first argument of a calibration's guard, which has no journal.
const GUARD_CALIBRATION: &str = "--guard-calibration";
/// Sent by the guard: it watches.
const READY: u8 = b'R';
/// Sent by the program: it needs the guard no longer.
const DONE: u8 = b'D';
/// How long a guard may take to begin.
const BEGINS: Duration = Duration::from_secs(5);

/// What is guarded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// A job; the journal tells what it was doing.
    Job,
    /// A calibration, which moves single parts.
    Calibration,
}

/// The guard of this process. To drop it ends the guard, except in a panic.
#[derive(Debug)]
pub(super) struct Guard {
    child: Child,
    line: UnixStream,
}

impl Guard {
    /// Starts a guard for a crane and waits until it watches. `journal` is the journal's path and its lock.
    pub(super) fn start(
        what: Work,
        crane: &Lock,
        journal: Option<(&Path, Option<&Lock>)>,
        calibration: Option<&Path>,
        machine: Option<&Path>,
    ) -> io::Result<Guard> {
        let (mut line, theirs) = UnixStream::pair()?;
        // The guard works in `/`, so that other folders can be unmounted; it needs absolute paths.
        let whole = |path: Option<&Path>| path.map_or(Ok(PathBuf::new()), std::path::absolute);
        let path = whole(journal.map(|(path, _)| path))?;
        let locks = [Some(crane), journal.and_then(|(_, lock)| lock)];
        // This very program, even if its file was replaced since it started.
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
        // The command still has the guard's end of the line, which only the guard may keep.
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

/// Makes a panic of this thread, which drives, end the process at once. The motors then keep their power and the guard can put the cube
/// down; a panic that unwinds would let the motors and the cube go first. A panic of a searching thread is left alone.
fn die_of_panics() {
    let (driver, tell) = (std::thread::current().id(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |panic| {
        tell(panic);
        if std::thread::current().id() == driver {
            std::process::abort();
        }
    }));
}

/// The arguments of a guard.
struct Orders {
    work: Work,
    crane: PathBuf,
    journal: Option<PathBuf>,
    /// The calibration's text when the guard began; none for the built-in one.
    calibration: Option<Result<String, FileError>>,
    /// The socket of a simulated crane in another process.
    #[cfg(feature = "benches")]
    machine: Option<PathBuf>,
}

/// Does a guard's work, if this process was started as one.
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
    // Leaves the terminal, so that neither ctrl-C nor the terminal's end reaches it, and its folder, so that this can be unmounted.
    let _ = rustix::process::setsid();
    let _ = std::env::set_current_dir("/");
    // The name that `killall` and `ps` know.
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
        // Programs that wait for the crane now see that a guard has it.
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
        board::motors_and_leds()
    }

    fn put_down(&self, brick: &mut Brick) -> Result<(), String> {
        let model = match &self.calibration {
            Some(Ok(text)) => Model::parse(text, "the calibration").map_err(|why| why.to_string())?,
            Some(Err(why)) => return Err(why.to_string()),
            None => Mechanism::builtin().into(),
        };
        match self.work {
            Work::Job => rescue::put_down(brick, &model, self.journal.as_deref()),
            Work::Calibration => calibrate::put_down(brick, &model).map_err(|why| why.to_string()),
        }
    }
}

/// Prints how it ended. The journal has it, too, in case the terminal is gone.
fn say(text: &str, good: bool) -> ExitCode {
    let _ = writeln!(io::stderr(), "cranecuber: {text}");
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
