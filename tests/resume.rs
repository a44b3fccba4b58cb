//! Jobs that were stopped, killed or lost their power, and how they are gone on with.

// The crane that outlives a program is what `bench resume` has.
#![cfg(feature = "benches")]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use cranecuber::app::{Account, Done, Event, Job, JobError, Listener, Metric, Model, Stage, Summary};
use cranecuber::brick::{Brick, MotorPort};
use cranecuber::crane::Mechanism;
use cranecuber::cube::{Face, State, Turn, scramble};
use cranecuber::drive::MachineError;
use cranecuber::progress::Quiet;
use cranecuber::search::Effort;
use cranecuber::sim::{Kill, Process, Renderer, Scene, WorldHandle, machine};
use cranecuber::solve::{Options, prepare};
use cranecuber::tables::Store;
use jobs::{job, quick, tables};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[path = "common/jobs.rs"]
mod jobs;

/// A crane with a cube in it, and a place for journals.
struct Bench {
    machine: Model,
    brick: Rc<RefCell<Brick>>,
    world: WorldHandle,
    folder: tempfile::TempDir,
    boot: String,
    options: Options,
    metric: Metric,
}

impl Bench {
    fn new(n: usize, seed: u64) -> Bench {
        let mechanism = Mechanism::builtin();
        let mut cube = State::solved(n);
        cube.turn_all(&scramble(n, &mut ChaCha8Rng::seed_from_u64(seed)));
        let eye = Renderer::new(Scene::calm(), seed);
        let (brick, world) = machine(&mechanism, cube, Box::new(eye)).unwrap();
        Bench {
            machine: mechanism.into(),
            brick: Rc::new(RefCell::new(brick)),
            world,
            folder: tempfile::tempdir().unwrap(),
            boot: "first".to_string(),
            options: quick(),
            metric: Metric::Turns,
        }
    }

    fn journal(&self) -> PathBuf {
        self.folder.path().join("cranecuber.journal")
    }

    fn account(&self) -> Option<Account> {
        Account::read(&std::fs::read(self.journal()).ok()?)
    }

    /// One life of a program; what it leaves on the disk is what was there when it died.
    fn live<T>(
        &self,
        kill: Kill,
        journal: &Path,
        mut heard: impl FnMut(&Event, &AtomicBool),
        job: impl FnOnce(Job) -> Result<T, JobError>,
    ) -> Result<T, JobError> {
        let last: Rc<RefCell<Option<Vec<u8>>>> = Rc::default();
        let dying = {
            let (last, path) = (last.clone(), journal.to_path_buf());
            move || *last.borrow_mut() = std::fs::read(&path).ok()
        };
        let (mut brick, _) = Process::begin(&self.brick, kill, &self.boot, Box::new(dying));
        let stop = Arc::new(AtomicBool::new(false));
        let listener = &mut |event: &Event| heard(event, &stop);
        let result = job(self.job(&mut brick, &tables(), &stop, Some(journal), listener));
        if let Some(bytes) = last.take() {
            std::fs::write(journal, bytes).unwrap();
        }
        result
    }

    fn job<'a>(
        &'a self,
        brick: &'a mut Brick,
        store: &'a Store,
        stop: &Arc<AtomicBool>,
        journal: Option<&'a Path>,
        listener: &'a mut dyn Listener,
    ) -> Job<'a> {
        Job {
            options: self.options.clone(),
            metric: self.metric,
            stop: stop.clone(),
            journal,
            ..job(brick, &self.machine, store, listener)
        }
    }

    fn run(&self, heard: impl FnMut(&Event, &AtomicBool)) -> Result<Summary, JobError> {
        self.live(Kill::Never, &self.journal(), heard, |job| job.run())
    }

    /// Runs until something has been done so often, and is killed there.
    fn killed_at(&self, stage: Stage, step: usize) {
        let asked = Rc::new(RefCell::new(None));
        // How much is asked of the devices until then: a first life on a machine of its own tells.
        let other = Bench::new(self.world.cube().size(), 0);
        other.world.put(self.world.cube());
        let (mut brick, life) = Process::begin(&other.brick, Kill::Never, "", Box::new(|| {}));
        let heard = &mut |event: &Event| {
            if matches!(event, Event::Step { stage: s, done, .. } if (*s, *done) == (stage, step)) {
                asked.borrow_mut().get_or_insert(life.asked());
            }
        };
        let stop = Arc::default();
        self.job(&mut brick, &tables(), &stop, None, heard).run().unwrap();
        let kill = Kill::After(asked.take().unwrap() + 12);
        let result = self.live(kill, &self.journal(), |_, _| {}, |job| job.run());
        result.map(|_| ()).unwrap_err();
        // The motors go on to where they were sent.
        self.world.wait(Duration::from_secs(5));
        assert!(!self.world.parked());
    }

    fn resume(&self) -> Result<Summary, JobError> {
        self.live(Kill::Never, &self.journal(), |_, _| {}, |job| job.resume())
    }

    fn assert_done(&self) {
        assert_eq!(self.world.fault(), None);
        assert!(self.world.cube().is_solved() && self.world.parked());
        assert!(!self.journal().exists());
    }
}

/// Asks to stop at a step of a stage.
fn stop_at(stage: Stage, step: usize) -> impl FnMut(&Event, &AtomicBool) {
    move |event, stop| {
        let there = match event {
            Event::Step { stage: s, done, .. } => (*s, *done) == (stage, step),
            Event::Began(s) => step == 0 && *s == stage,
            _ => false,
        };
        if there {
            stop.store(true, Relaxed);
        }
    }
}

#[test]
fn a_job_that_was_stopped_goes_on_without_another_look() {
    for (step, seed) in [(0, 1), (1, 2), (5, 3), (9, 4), (14, 5), (20, 6)] {
        let bench = Bench::new(3, seed);
        let why = bench.run(stop_at(Stage::Turn, step)).map(|_| ()).unwrap_err();
        assert!(matches!(why, JobError::Machine(MachineError::Aborted { .. })), "{why}");
        assert!(bench.world.parked() && !bench.world.cube().is_solved());
        let resumed = bench.resume().unwrap();
        assert!(resumed.seen.is_none() && resumed.size == 3);
        bench.assert_done();
    }
}

#[test]
fn a_stop_before_the_state_is_known_leaves_nothing_to_go_on_with() {
    for stage in [Stage::Home, Stage::Scan, Stage::Resolve] {
        let bench = Bench::new(2, 7);
        let why = bench.run(stop_at(stage, 0)).map(|_| ()).unwrap_err();
        assert!(
            matches!(why, JobError::Machine(MachineError::Aborted { .. })),
            "{stage:?}: {why}"
        );
        assert!(bench.world.parked() && !bench.journal().exists(), "{stage:?}");
        let why = bench.resume().map(|_| ()).unwrap_err();
        assert!(matches!(why, JobError::NoJournal { .. }) && !why.to_string().contains('\n'));
        bench.run(|_, _| {}).unwrap();
        bench.assert_done();
    }
}

#[test]
fn a_stop_while_it_thinks_ends_the_search_and_the_state_is_kept() {
    let bench = Bench::new(3, 8);
    let why = bench.run(stop_at(Stage::Solve, 0)).map(|_| ()).unwrap_err();
    assert!(matches!(why, JobError::Machine(MachineError::Aborted { .. })), "{why}");
    let resumed = bench.resume().unwrap();
    assert!(resumed.seen.is_none() && resumed.solution.is_some());
    bench.assert_done();
}

#[test]
fn the_touch_sensor_ends_the_search_too_and_the_state_is_kept() {
    // Missing tables would be built by the first search, and the touch sensor does not stop that.
    prepare(3, &tables(), &Quiet).unwrap();
    let mut bench = Bench::new(3, 9);
    let cube = bench.world.cube();
    // The search is so long that the test sees whether the job waits for its end.
    bench.options = Options {
        effort: Effort::Best,
        ..Options::default()
    };
    bench.metric = Metric::Machine;
    let mut pressed = None;
    let press = |event: &Event, _: &AtomicBool| {
        if matches!(event, Event::Began(Stage::Solve)) {
            let now = Duration::from_secs_f64(bench.world.seconds());
            let later = now + Duration::from_millis(300);
            bench.world.press_between(now, later);
            // While the crane stands still its time does not go on by itself.
            bench.world.wait(Duration::from_millis(100));
            pressed = Some(Instant::now());
        }
    };
    let why = bench.run(press).map(|_| ()).unwrap_err();
    let stopped = pressed.unwrap().elapsed();
    assert!(
        matches!(why, JobError::Machine(MachineError::Aborted { by: "touch sensor" })),
        "{why}"
    );
    assert!(bench.world.parked() && bench.world.fault().is_none());
    let account = bench.account().unwrap();
    assert!(account.turns_left().is_empty());
    assert_eq!((account.parked, account.complete), (Some(false), false));
    assert_eq!(account.cube, Some((cube, true)));
    let mut search = Duration::ZERO;
    let measure = |event: &Event, _: &AtomicBool| {
        if let Event::Ended {
            result: Done::Solved(_),
            time,
            ..
        } = event
        {
            search = *time;
        }
    };
    let resumed = bench.live(Kill::Never, &bench.journal(), measure, |job| job.resume());
    assert!(resumed.unwrap().seen.is_none());
    bench.assert_done();
    assert!(
        stopped * 2 < search,
        "{stopped:?} after the press, of {search:?} in all"
    );
}

#[test]
fn a_killed_program_leaves_a_crane_that_the_next_one_takes_over() {
    for (step, seed) in [(1, 10), (2, 11), (3, 12), (4, 13), (11, 14), (24, 15)] {
        let bench = Bench::new(3, seed);
        bench.killed_at(Stage::Turn, step);
        let resumed = bench.resume().unwrap();
        assert!(resumed.seen.is_none(), "{step}");
        bench.assert_done();
    }
}

#[test]
fn a_new_run_brings_a_crane_to_rest_that_a_killed_one_has_left() {
    for (stage, step) in [(Stage::Scan, 2), (Stage::Scan, 5), (Stage::Turn, 2), (Stage::Turn, 7)] {
        let bench = Bench::new(3, 20);
        bench.killed_at(stage, step);
        bench.run(|_, _| {}).unwrap();
        bench.assert_done();
    }
}

#[test]
fn after_a_loss_of_power_and_after_trouble_the_cube_is_looked_at_again() {
    // Power.
    let mut bench = Bench::new(3, 30);
    bench.killed_at(Stage::Turn, 12);
    bench.world.unplug();
    bench.boot = "second".to_string();
    assert!(bench.resume().unwrap().seen.is_some());
    bench.assert_done();
    // Trouble, and a side is turned by hand.
    let bench = Bench::new(2, 31);
    let jam = |event: &Event, world: &WorldHandle| {
        if matches!(
            event,
            Event::Step {
                stage: Stage::Turn,
                done: 5,
                ..
            }
        ) {
            world.jam(MotorPort::A, 100);
        }
    };
    let why = bench.run(|event, _| jam(event, &bench.world)).map(|_| ()).unwrap_err();
    assert!(matches!(why, JobError::Machine(_)), "{why}");
    assert_eq!(bench.account().unwrap().parked, Some(true));
    bench.world.jam(MotorPort::A, 0);
    bench.world.unplug();
    let mut cube = State::solved(2);
    cube.turn(Turn::outer(Face::R, 1, 1));
    bench.world.put(cube);
    assert!(bench.resume().unwrap().seen.is_some());
    bench.assert_done();
    // The motors were let go while the program was dead.
    let bench = Bench::new(3, 32);
    bench.killed_at(Stage::Turn, 12);
    bench.world.unplug();
    assert!(bench.resume().unwrap().seen.is_some());
    bench.assert_done();
}

#[test]
fn a_damaged_journal_is_not_believed() {
    let bench = Bench::new(3, 40);
    bench.run(stop_at(Stage::Turn, 8)).map(|_| ()).unwrap_err();
    let mut bytes = std::fs::read(bench.journal()).unwrap();
    let last = bytes.len() - 9;
    bytes[last] ^= 4;
    std::fs::write(bench.journal(), bytes).unwrap();
    assert!(bench.resume().unwrap().seen.is_some());
    bench.assert_done();
}

#[test]
fn the_turns_of_a_cube_that_was_never_scanned_are_resumed_only_where_they_are_certain() {
    let turns: Vec<Turn> = scramble(4, &mut ChaCha8Rng::seed_from_u64(50))[..12].to_vec();
    let mut bench = Bench::new(4, 0);
    let mut cube = State::solved(4);
    turns.iter().rev().for_each(|turn| cube.turn(turn.inverse()));
    bench.world.put(cube);
    let path = bench.journal();
    let stop = bench.live(Kill::Never, &path, stop_at(Stage::Turn, 15), |job| job.turn(4, &turns));
    stop.map(|_| ()).unwrap_err();
    // After the brick was off it is not known how the cube stands.
    let journal = std::fs::read(&path).unwrap();
    bench.boot = "second".to_string();
    let why = bench.resume().map(|_| ()).unwrap_err();
    assert!(matches!(why, JobError::Blind { .. }), "{why}");
    std::fs::write(&path, journal).unwrap();
    bench.boot = "first".to_string();
    bench.resume().unwrap();
    bench.assert_done();
}

#[test]
fn a_journal_that_cannot_be_written_hinders_no_job() {
    let bench = Bench::new(2, 60);
    let nowhere = bench.folder.path().join("no folder").join("journal");
    bench.live(Kill::Never, &nowhere, |_, _| {}, |job| job.run()).unwrap();
    bench.assert_done();
}

#[test]
#[ignore = "builds the tables of a 5x5x5"]
fn a_large_cube_is_turned_while_the_rest_is_searched_and_goes_on_when_stopped_in_between() {
    turned_while_searched(6, [70, 71]);
}

#[test]
fn a_4x4x4_is_turned_while_the_rest_is_searched_and_goes_on_when_stopped_in_between() {
    prepare(4, &tables(), &Quiet).unwrap();
    turned_while_searched(4, [72, 73]);
}

fn turned_while_searched(n: usize, [first, second]: [u64; 2]) {
    let bench = Bench::new(n, first);
    let mut told = Vec::new();
    bench
        .run(|event, _| match event {
            Event::Began(stage) => told.push((*stage, false)),
            Event::Ended { result, .. } => told.push((result.stage(), true)),
            _ => {}
        })
        .unwrap();
    bench.assert_done();
    let at = |what| told.iter().position(|&t| t == what).unwrap();
    assert!(at((Stage::Turn, false)) < at((Stage::Solve, true)), "{told:?}");
    assert!(at((Stage::Plan, true)) < at((Stage::Turn, false)), "{told:?}");
    // Stopped while the search goes on: what is certain is turned, the rest is searched anew.
    let bench = Bench::new(n, second);
    let why = bench.run(stop_at(Stage::Turn, 5)).map(|_| ()).unwrap_err();
    assert!(matches!(why, JobError::Machine(MachineError::Aborted { .. })), "{why}");
    let account = bench.account().unwrap();
    assert!(!account.complete && !account.turns_left().is_empty());
    let resumed = bench.resume().unwrap();
    assert!(resumed.seen.is_none() && resumed.solution.is_some());
    bench.assert_done();
}

#[test]
fn a_cube_that_was_told_is_gone_on_with_without_a_look() {
    for (stage, step, seed) in [(Stage::Solve, 0, 21), (Stage::Turn, 0, 22), (Stage::Turn, 5, 23)] {
        let mut bench = Bench::new(3, seed);
        let (path, state) = (bench.journal(), bench.world.cube());
        let told = bench.live(Kill::Never, &path, stop_at(stage, step), |job| job.run_told(&state));
        told.map(|_| ()).unwrap_err();
        assert!(!bench.account().unwrap().may_look());
        // On another day only people can say how it is.
        let journal = std::fs::read(&path).unwrap();
        bench.boot = "second".to_string();
        let why = bench.resume().map(|_| ()).unwrap_err();
        assert!(matches!(why, JobError::Blind { .. }), "{why}");
        std::fs::write(&path, journal).unwrap();
        bench.boot = "first".to_string();
        let resumed = bench.resume().unwrap();
        assert!(resumed.seen.is_none(), "{stage:?} {step}");
        bench.assert_done();
    }
}
