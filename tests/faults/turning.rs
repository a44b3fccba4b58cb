//! A program that turns a cube on a machine in this process, while calls of the system fail.

use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use cranecuber::brick::Brick;
use cranecuber::crane::Mechanism;
use cranecuber::cube::{State, parse_moves};
use cranecuber::sim::{Renderer, Scene, WorldHandle, answer, machine};

use super::calls::{Call, calls_of};
use super::{End, HANGS, PROGRAM, campaign, folder, has, hung, named, one_of, strace};

/// One turn has every motion that a cube needs: it is flipped, lifted, turned and put down. A second one only asks the motors more often.
const SOLUTION: &str = "R";

/// A machine, and where it listens.
struct Machine {
    brick: Brick,
    world: WorldHandle,
    listener: UnixListener,
}

impl Machine {
    fn new(folder: &Path) -> Machine {
        let mut cube = State::solved(2);
        cube.do_moves(&parse_moves(2, "R'").unwrap());
        let eye = Renderer::new(Scene::calm(), 1);
        let (brick, world) = machine(&Mechanism::builtin(), cube, Box::new(eye)).unwrap();
        let listener = UnixListener::bind(folder.join("socket")).unwrap();
        listener.set_nonblocking(true).unwrap();
        Machine { brick, world, listener }
    }

    /// Answers a program until it ends.
    fn serve(&mut self, mut command: Command, folder: &Path) -> Result<Output, String> {
        command.args(["--machine"]).arg(folder.join("socket"));
        command.args(["--journal"]).arg(folder.join("journal"));
        command.args(["--tables"]).arg(folder.join("tables"));
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let began = Instant::now();
        let mut child = command.spawn().map_err(|e| e.to_string())?;
        let mut streams: Vec<UnixStream> = Vec::new();
        while child.try_wait().map_err(|e| e.to_string())?.is_none() {
            if let Ok((stream, _)) = self.listener.accept() {
                // A program that stops in the middle of a question is seen to have ended.
                let _ = stream.set_nonblocking(false);
                let _ = stream.set_read_timeout(Some(Duration::from_millis(20)));
                streams.push(stream);
            }
            streams.retain_mut(|stream| answer_some(&mut self.brick, stream));
            if streams.is_empty() {
                std::thread::sleep(Duration::from_millis(1));
            }
            if began.elapsed() > HANGS {
                hung(&mut child);
                return Err("it hangs".to_string());
            }
        }
        child.wait_with_output().map_err(|e| e.to_string())
    }

    fn is_done(&self) -> bool {
        self.world.cube().is_solved() && self.world.parked() && self.world.fault().is_none()
    }

    /// What came of a fault.
    fn judged(&mut self, output: &Output, call: &Call, folder: &Path) -> Result<End, String> {
        if let Some(fault) = self.world.fault() {
            return Err(format!("{fault}: {}", String::from_utf8_lossy(&output.stderr)));
        }
        if output.status.success() {
            return match self.is_done() {
                true => Ok(End::Solved),
                false => {
                    Err("it says that all is well, and the cube is not solved or the machine not parked".to_string())
                }
            };
        }
        if call.is_memory() && output.status.code().is_none() {
            return self.taken_over(folder);
        }
        let end = named(output, call.is_write())?;
        let said = String::from_utf8_lossy(&output.stderr);
        match self.world.parked() || said.contains("still up") {
            true => Ok(end),
            false => Err(format!("not parked: {said}")),
        }
    }

    /// A program that died: the next one goes on.
    fn taken_over(&mut self, folder: &Path) -> Result<End, String> {
        let mut command = Command::new(PROGRAM);
        let is_begun = folder.join("journal").exists();
        let end = if is_begun && self.world.parked() {
            End::Guarded
        } else {
            End::Resumed
        };
        match is_begun {
            true => command.args(["-q", "run", "--resume"]),
            false => command.args(["-q", "turn", "--size", "2", SOLUTION]),
        };
        let output = self.serve(command, folder)?;
        match output.status.success() && self.is_done() {
            true => Ok(end),
            false => Err(format!("died and not resumed: {output:?}")),
        }
    }
}

/// Answers all requests that have come; false if the other end has closed.
fn answer_some(brick: &mut Brick, stream: &mut UnixStream) -> bool {
    loop {
        match answer(brick, stream) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(why) => {
                return matches!(
                    why.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                );
            }
        }
    }
}

fn turn(mut command: Command) -> Command {
    command.args(["-q", "turn", "--size", "2", SOLUTION]);
    command
}

#[test]
fn a_fault_at_any_call_while_a_cube_is_turned_leaves_it_solved_or_the_machine_parked() {
    let name = "a_fault_at_any_call_while_a_cube_is_turned";
    if !has(name, "strace", &["-qq", "-o", "/dev/null", "true"]) {
        return;
    }
    let dry = folder();
    let log = dry.path().join("log");
    let mut healthy = Machine::new(dry.path());
    let output = healthy.serve(turn(strace(&log, None)), dry.path()).unwrap();
    assert!(output.status.success() && healthy.is_done(), "{output:?}");
    let log = std::fs::read_to_string(log).unwrap();
    let calls = calls_of(&log, one_of(60));
    campaign(name, &calls, |_, call| {
        let folder = folder();
        let mut machine = Machine::new(folder.path());
        let output = machine.serve(turn(strace(&folder.path().join("log"), Some(call))), folder.path())?;
        machine.judged(&output, call, folder.path())
    });
}
