//! Jobs in processes of their own, killed by SIGKILL while the machine lives on in this one.

use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::resume::{Figures, under_way};
use crate::app::Account;
use crate::brick::Brick;
use crate::cli::Failure;
use crate::crane::{Mechanism, Planner, Pose};
use crate::cube::{State, format_turns, random_turns};
use crate::sim::{Renderer, Scene, answer, machine};

/// What homing takes at most.
const HOMING: Duration = Duration::from_secs(10);
/// A process that has not asked for anything by then never will.
const STARTS: Duration = Duration::from_secs(20);

/// One job, whose processes are killed until one comes to its end.
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
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|why| failed(&why))?;
        let mortal = life == 0 || (life < 5 && rng.random_bool(0.4));
        let moment = Duration::from_micros(rng.random_range(0..time.as_micros() as u64));
        let death = mortal.then(|| brick.clock.now() + moment);
        let killed = serve(&mut brick, &listener, &mut child, death, &mut rng);
        if !killed.map_err(|why| failed(&why))? {
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
        }
        figures.kills += 1;
        let account = std::fs::read(&journal).ok().and_then(|bytes| Account::read(&bytes));
        *figures.during.entry(under_way(account.as_ref())).or_insert(0) += 1;
        resumes = account.is_some();
        world.wait(Duration::from_millis(rng.random_range(0..8000)));
        if !resumes && world.cube().is_solved() {
            // It was killed after all was done.
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

/// Answers a process until it ends, or until its time has come and it is killed; gives whether it was.
fn serve(
    brick: &mut Brick,
    listener: &UnixListener,
    child: &mut Child,
    death: Option<Duration>,
    rng: &mut ChaCha8Rng,
) -> std::io::Result<bool> {
    let began = Instant::now();
    let mut stream: UnixStream = loop {
        match listener.accept() {
            Ok((stream, _)) => break stream,
            Err(why) if why.kind() != std::io::ErrorKind::WouldBlock => return Err(why),
            Err(_) if child.try_wait()?.is_some() || began.elapsed() > STARTS => {
                let _ = child.kill();
                return Ok(false);
            }
            Err(_) => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    stream.set_nonblocking(false)?;
    loop {
        if death.is_some_and(|death| brick.clock.now() >= death) {
            // Anywhere in what it does between two questions, and in the middle of one.
            if rng.random_bool(0.7) && !answer(brick, &mut stream)? {
                return Ok(false);
            }
            std::thread::sleep(Duration::from_micros(rng.random_range(0..400)));
            child.kill()?;
            child.wait()?;
            return Ok(true);
        }
        if !answer(brick, &mut stream)? {
            return Ok(false);
        }
    }
}
