//! Jobs in processes of their own, killed by SIGKILL. The simulated machine lives on in this process.

use std::io;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::killed::{Figures, under_way};
use crate::app::Account;
use crate::brick::Brick;
use crate::cli::Failure;
use crate::crane::{Mechanism, Planner, Pose};
use crate::cube::{State, format_turns, random_turns};
use crate::sim::{Renderer, Scene, WorldHandle, answer, machine};

/// The longest that homing takes.
const HOMING: Duration = Duration::from_secs(10);
/// The longest wait for the first question of a process. One that has not asked by then never will.
const STARTS: Duration = Duration::from_secs(20);

/// One job. Its processes are killed until one comes to its end.
pub(super) fn trial(seed: u64, number: u64, folder: &Path) -> Result<Figures, Failure> {
    let failed = |why: &dyn std::fmt::Display| Failure::Failed(why.to_string());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    let n = rng.random_range(2..=7);
    let turns = random_turns(n, rng.random_range(4..=12), &mut rng);
    let mut cube = State::solved(n);
    turns.iter().rev().for_each(|turn| cube.turn(turn.inverse()));
    let mechanism = Mechanism::builtin();
    let plan = Planner::new(&mechanism, n)
        .map_err(|why| failed(&why))?
        .plan(Pose::START, &turns);
    let time = HOMING + Duration::from_millis(plan.milliseconds.into());
    let eye = Renderer::new(Scene::calm(), number);
    let (mut brick, world) = machine(&mechanism, cube, Box::new(eye)).map_err(|why| failed(&why))?;

    let path = |what: &str| folder.join(format!("{number}.{what}"));
    let (socket, journal) = (path("socket"), path("process-journal"));
    let listener = UnixListener::bind(&socket).map_err(|why| failed(&why))?;
    listener.set_nonblocking(true).map_err(|why| failed(&why))?;
    let program = std::env::current_exe().map_err(|why| failed(&why))?;
    let mut figures = Figures {
        jobs: 1,
        ..Figures::default()
    };
    let mut resumes = false;
    for life in 0.. {
        let mut command = Command::new(&program);
        match resumes {
            true => command.args(["-q", "run", "--resume"]),
            false => command.args(["-q", "turn", "--size", &n.to_string(), &format_turns(&turns)]),
        };
        command.arg("--machine").arg(&socket).arg("--journal").arg(&journal);
        // What is measured is not in the user's history.
        command.arg("--tables").arg(folder);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|why| failed(&why))?;
        let mortal = life == 0 || (life < 5 && rng.random_bool(0.4));
        let moment = Duration::from_micros(rng.random_range(0..time.as_micros() as u64));
        let death = mortal.then(|| brick.clock.now() + moment);
        let end = serve(&mut brick, &listener, &mut child, death, &mut rng).map_err(|why| failed(&why))?;
        let End::Killed { guard } = end else {
            let output = child.wait_with_output().map_err(|why| failed(&why))?;
            if resumes {
                figures.trusted += 1;
            }
            if !output.status.success() {
                let why = String::from_utf8_lossy(&output.stderr);
                figures
                    .failures
                    .push(format!("process {number}, {n}x{n}x{n}: {}", why.trim()));
            }
            break;
        };
        resumes = succeeded(&mut figures, number, (&mut brick, &world, &listener), &journal, guard)
            .map_err(|why| failed(&why))?;
        world.wait(Duration::from_millis(rng.random_range(0..8000)));
        if !resumes && world.cube().is_solved() {
            // It was killed after everything was done.
            break;
        }
    }
    if world.cube().is_solved() && world.parked() && world.fault().is_none() && !journal.exists() {
        figures.solved = 1;
    } else if figures.failures.is_empty() {
        figures.failures.push(format!(
            "process {number}, {n}x{n}x{n}: not solved, {:?}",
            world.fault()
        ));
    }
    Ok(figures)
}

/// Counts what a killed job was doing, and whether its guard or the next program takes over the crane. Gives whether another job
/// can resume it.
fn succeeded(
    figures: &mut Figures,
    number: u64,
    (brick, world, listener): (&mut Brick, &WorldHandle, &UnixListener),
    journal: &Path,
    guard: Option<u32>,
) -> io::Result<bool> {
    figures.kills += 1;
    let account = std::fs::read(journal).ok().and_then(|bytes| Account::read(&bytes));
    *figures.during.entry(under_way(account.as_ref())).or_insert(0) += 1;
    let resumes = account.is_some();
    match guard.filter(|_| resumes) {
        Some(guard) => match guarded(brick, listener, guard)? {
            true if !world.parked() => figures
                .failures
                .push(format!("process {number}: the guard has not parked the crane")),
            true => figures.guarded += 1,
            false => figures.found += 1,
        },
        None => figures.found += u64::from(resumes),
    }
    Ok(resumes)
}

/// How a process ends.
enum End {
    /// By itself.
    Itself,
    /// It was killed.
    Killed {
        /// The guard's process; `None` if it was killed as well or had not begun.
        guard: Option<u32>,
    },
}

/// Answers a process until it ends, or kills it at `death`, a time of the machine's clock.
fn serve(
    brick: &mut Brick,
    listener: &UnixListener,
    child: &mut Child,
    death: Option<Duration>,
    rng: &mut ChaCha8Rng,
) -> io::Result<End> {
    let Some(mut stream) = accept(listener, || Ok(child.try_wait()?.is_some()))? else {
        let _ = child.kill();
        return Ok(End::Itself);
    };
    loop {
        if death.is_some_and(|death| brick.clock.now() >= death) {
            // The kill may come anywhere between two questions, or in the middle of one.
            if rng.random_bool(0.7) && !answer(brick, &mut stream)? {
                return Ok(End::Itself);
            }
            std::thread::sleep(Duration::from_micros(rng.random_range(0..400)));
            let mut guard = guard_of(child);
            if rng.random_bool(0.5) {
                // The guard first, so that it has no time to do anything.
                if let Some(guard) = guard.take() {
                    Command::new("kill").args(["-KILL", &guard.to_string()]).status()?;
                }
            }
            child.kill()?;
            child.wait()?;
            return Ok(End::Killed { guard });
        }
        if !answer(brick, &mut stream)? {
            return Ok(End::Itself);
        }
    }
}

/// Answers a guard until it ends. Gives whether it began its work.
fn guarded(brick: &mut Brick, listener: &UnixListener, guard: u32) -> io::Result<bool> {
    // A process that has ended stays as a zombie until its parent asks how it ended.
    let has_ended = || {
        let stat = std::fs::read_to_string(format!("/proc/{guard}/stat"));
        Ok(stat.map_or(true, |stat| stat.contains(") Z")))
    };
    let Some(mut stream) = accept(listener, has_ended)? else {
        return Ok(false);
    };
    while answer(brick, &mut stream)? {}
    Ok(true)
}

/// The guard that watches a process: its child.
fn guard_of(child: &Child) -> Option<u32> {
    let id = child.id();
    let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).ok()?;
    children.split_whitespace().next()?.parse().ok()
}

/// The next connection. `None` if the process that should connect has ended, or has not begun after [`STARTS`].
fn accept(listener: &UnixListener, mut has_ended: impl FnMut() -> io::Result<bool>) -> io::Result<Option<UnixStream>> {
    let began = Instant::now();
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false)?;
                return Ok(Some(stream));
            }
            Err(why) if why.kind() != io::ErrorKind::WouldBlock => return Err(why),
            Err(_) if has_ended()? || began.elapsed() > STARTS => return Ok(None),
            Err(_) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}
