//! A program that drives a crane is killed, and its guard puts the cube down; and two programs at one crane.

use super::*;
use cranecuber::app::Account;
use cranecuber::brick::Brick;
use cranecuber::crane::{BUILTIN, Mechanism, Primitive};
use cranecuber::drive::StepKind;
use cranecuber::files::Lock;
use cranecuber::sim::{Renderer, Scene, WorldHandle, answer, machine};
use std::io::Write;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// Turns a scramble back, and what the scramble is.
const MOVES: &str = "B' L2 D' F U2 R'";
const SCRAMBLE: &str = "R U2 F' D L2 B";

/// A crane in this process that lives on.
struct Crane {
    folder: tempfile::TempDir,
    listener: UnixListener,
    brick: Brick,
    world: WorldHandle,
}

impl Crane {
    fn new() -> Crane {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join("socket")).unwrap();
        let mut cube = State::solved(3);
        cube.do_moves(&parse_moves(3, SCRAMBLE).unwrap());
        let eye = Box::new(Renderer::new(Scene::calm(), 0));
        let (brick, world) = machine(&Mechanism::builtin(), cube, eye).unwrap();
        Crane {
            folder,
            listener,
            brick,
            world,
        }
    }

    fn journal(&self) -> PathBuf {
        self.folder.path().join("journal")
    }

    fn start(&self, arguments: &[&str]) -> Child {
        let path = |name: &str| self.folder.path().join(name).to_str().unwrap().to_string();
        let (socket, journal) = (path("socket"), path("journal"));
        start(&[arguments, &["--machine", &socket, "--journal", &journal]].concat())
    }

    /// The next program that connects.
    fn accept(&self) -> UnixStream {
        self.listener.set_nonblocking(true).unwrap();
        let began = Instant::now();
        let stream = loop {
            match self.listener.accept() {
                Ok((stream, _)) => break stream,
                Err(_) => assert!(began.elapsed() < Duration::from_secs(60), "no guard comes"),
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        stream.set_nonblocking(false).unwrap();
        stream
    }

    fn answer(&mut self, stream: &mut UnixStream) -> bool {
        answer(&mut self.brick, stream).unwrap()
    }

    /// Answers until layers have begun to be turned for the n-th time.
    fn until_it_turns(&mut self, stream: &mut UnixStream, times: usize) {
        // The program goes on between two looks, so each is compared with the one before.
        let (mut turned, mut was) = (0, is_turning(&self.journal()));
        while turned < times || !self.runs() {
            assert!(self.answer(stream), "it ends before that");
            let is = is_turning(&self.journal());
            turned += usize::from(!was && is);
            was = is;
        }
    }

    fn runs(&mut self) -> bool {
        self.brick
            .motors
            .iter_mut()
            .any(|(_, motor)| motor.state().unwrap().running)
    }
}

fn is_turning(journal: &Path) -> bool {
    let step = Account::at(journal).unwrap().and_then(|account| account.left());
    let Some(StepKind::Begin(motion)) = step.map(|left| left.step.kind) else {
        return false;
    };
    matches!(Primitive::of(motion), Some(Primitive::Turn { .. }))
}

#[test]
fn a_killed_program_s_guard_stops_the_motors_and_puts_the_cube_down_and_the_next_one_goes_on() {
    let mut crane = Crane::new();
    let mut child = crane.start(&["-q", "turn", MOVES]);
    for (times, signal) in [(2, "-KILL"), (1, "-ABRT")] {
        let mut stream = crane.accept();
        crane.until_it_turns(&mut stream, times);
        assert!(!crane.world.is_cube_down());
        // The next program comes before the guard has done anything, and has to wait.
        send(signal, &child);
        child.wait().unwrap();
        let killed = crane.world.seconds();
        let next = crane.start(&["run", "--resume"]);
        drop(stream);
        let mut guard = crane.accept();
        let mut stopped = None;
        while crane.answer(&mut guard) {
            if stopped.is_none() && !crane.runs() {
                stopped = Some(crane.world.seconds() - killed);
            }
        }
        assert!(stopped.unwrap() <= 0.3, "{stopped:?}");
        assert!(crane.world.is_cube_down() && crane.world.parked() && !crane.world.cube().is_solved());
        assert_eq!(crane.world.fault(), None);
        let account = Account::at(&crane.journal()).unwrap().unwrap();
        assert_eq!((account.left(), account.parked), (None, Some(false)));
        let output = std::mem::replace(&mut child, next).wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            said.contains("its guard has put the cube down; run --resume goes on"),
            "{said}"
        );
    }
    let mut stream = crane.accept();
    while crane.answer(&mut stream) {}
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(crane.world.cube().is_solved() && crane.world.parked() && crane.world.fault().is_none());
    assert!(!crane.journal().exists());
    assert_eq!(
        std::fs::read_dir(crane.folder.path()).unwrap().count(),
        2,
        "the socket and the crane's lock"
    );
}

#[test]
fn ctrl_c_twice_ends_the_program_at_once_and_its_guard_puts_the_cube_down() {
    let mut crane = Crane::new();
    let mut child = crane.start(&["-q", "turn", MOVES]);
    let mut stream = crane.accept();
    crane.until_it_turns(&mut stream, 1);
    // Nothing is answered in between, so that the first one does nothing yet.
    send("-INT", &child);
    std::thread::sleep(Duration::from_millis(50));
    send("-INT", &child);
    child.wait().unwrap();
    drop(stream);
    let mut guard = crane.accept();
    while crane.answer(&mut guard) {}
    assert!(crane.world.parked() && crane.world.fault().is_none());
}

#[test]
fn the_guard_of_a_killed_calibration_puts_the_cube_down() {
    let mut crane = Crane::new();
    let calibration = crane.folder.path().join("robot.toml");
    std::fs::write(&calibration, BUILTIN).unwrap();
    for part in ["elevator", "squisher"] {
        let mut child = crane.start(&["-q", "calibrate", part, "--calibration", calibration.to_str().unwrap()]);
        child.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
        let mut stream = crane.accept();
        // Not the little that it is lifted first.
        let mut lifts = 0;
        while lifts < 2 {
            let was = crane.world.is_cube_down();
            assert!(crane.answer(&mut stream));
            lifts += usize::from(was && !crane.world.is_cube_down());
        }
        child.kill().unwrap();
        child.wait().unwrap();
        drop(stream);
        let mut guard = crane.accept();
        while crane.answer(&mut guard) {}
        assert!(crane.world.is_cube_down() && crane.world.parked() && crane.world.fault().is_none());
        let said = child.wait_with_output().unwrap().stderr;
        assert!(String::from_utf8_lossy(&said).ends_with("its guard has put the cube down\n"));
        assert_eq!(std::fs::read_to_string(&calibration).unwrap(), BUILTIN);
    }
}

#[test]
fn a_second_program_says_who_has_the_crane_and_moves_nothing() {
    let mut crane = Crane::new();
    let mut child = crane.start(&["-q", "turn", MOVES]);
    let mut stream = crane.accept();
    crane.until_it_turns(&mut stream, 1);
    let journal = std::fs::read(crane.journal()).unwrap();
    for arguments in [
        &["-q", "turn", "R"][..],
        &["-q", "run"],
        &["-q", "run", "--resume"],
        &["-q", "mix"],
        &["-q", "calibrate", "motors"],
    ] {
        let output = crane.start(arguments).wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
        let who = format!("cranecuber: the crane is in use by process {}, for ", child.id());
        assert!(said.starts_with(&who) && said.lines().count() == 1, "{said}");
    }
    assert_eq!(std::fs::read(crane.journal()).unwrap(), journal);
    while crane.answer(&mut stream) {}
    assert!(child.wait().unwrap().success() && crane.world.cube().is_solved());
    assert!(
        crane.listener.accept().is_err(),
        "another program has asked for the crane"
    );
}

#[test]
fn a_journal_is_one_program_s_also_on_simulated_cranes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let lock = Lock::take(&folder.path().join("journal.lock")).unwrap().removed();
    let turn = || {
        let arguments = ["-q", "turn", "R", "--sim", "--journal", path.to_str().unwrap()];
        start(&arguments).wait_with_output().unwrap()
    };
    let output = turn();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let who = format!(
        "cranecuber: the journal is in use by process {}, for ",
        std::process::id()
    );
    assert!(output.status.code() == Some(1) && said.starts_with(&who), "{said}");
    drop(lock);
    assert!(turn().status.success());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
