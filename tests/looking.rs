//! While a picture takes long to read, waiting events are sent and a stop is obeyed.
//!
//! No picture takes long on every computer. But the reading thread logs what it finds, and the log of this test holds it up until
//! something has happened.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cranecuber::app::{Event, JobError, Stage, Summary};
use cranecuber::brick::{DeviceError, Motor, MotorState, Motors, Profile, StopAction};
use cranecuber::crane::Mechanism;
use cranecuber::cube::{State, scramble};
use cranecuber::drive::MachineError;
use cranecuber::sim::{Renderer, Scene, WorldHandle, machine};
use jobs::{job, tables};
use log::{LevelFilter, Log, Metadata, Record};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[path = "common/jobs.rs"]
mod jobs;

/// If nothing happens until then, it never will.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the next one that has looked at a picture waits for.
static HOLD: Mutex<Option<Receiver<()>>> = Mutex::new(None);
/// It has happened.
static LET_GO: AtomicBool = AtomicBool::new(false);
/// All tests of a program share its log.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

struct Detaining;

impl Log for Detaining {
    fn enabled(&self, metadata: &Metadata) -> bool {
        metadata.target().starts_with("cranecuber::vision")
    }

    fn log(&self, record: &Record) {
        if self.enabled(record.metadata())
            && let Some(hold) = lock(&HOLD).take()
        {
            LET_GO.store(hold.recv_timeout(PATIENCE).is_ok(), Relaxed);
        }
    }

    fn flush(&self) {}
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A motor that tells when it is without power.
struct Telling {
    motor: Box<dyn Motor>,
    coasts: Sender<()>,
}

impl Motor for Telling {
    fn position(&mut self) -> Result<i32, DeviceError> {
        self.motor.position()
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        self.motor.state()
    }

    fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError> {
        self.motor.run_to(target, profile)
    }

    fn run(&mut self, speed: i32, stop: StopAction) -> Result<(), DeviceError> {
        self.motor.run(speed, stop)
    }

    fn stop(&mut self, how: StopAction) -> Result<(), DeviceError> {
        let stopped = self.motor.stop(how);
        if how == StopAction::Coast {
            let _ = self.coasts.send(());
        }
        stopped
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.motor.reset()
    }
}

/// Runs a job on a machine that has these motors. The thread that reads the first picture is held up until `hold` receives something.
fn run(
    hold: Receiver<()>,
    wired: impl FnOnce(Motors) -> Motors,
    mut heard: impl FnMut(&Event, &WorldHandle),
) -> (Result<Summary, JobError>, WorldHandle) {
    // Another test may have set it.
    let _ = log::set_logger(&Detaining);
    log::set_max_level(LevelFilter::Debug);
    LET_GO.store(false, Relaxed);
    let mut cube = State::solved(2);
    cube.turn_all(&scramble(2, &mut ChaCha8Rng::seed_from_u64(5)));
    let mechanism = Mechanism::builtin();
    let eye = Renderer::new(Scene::calm(), 5);
    let (mut brick, world) = machine(&mechanism, cube, Box::new(eye)).unwrap();
    brick.motors = wired(brick.motors);
    let mut hold = Some(hold);
    let mut listener = |event: &Event| {
        if matches!(event, Event::Picture { .. })
            && let Some(hold) = hold.take()
        {
            *lock(&HOLD) = Some(hold);
        }
        heard(event, &world);
    };
    let result = job(&mut brick, &mechanism.into(), &tables(), &mut listener).run();
    (result, world)
}

#[test]
fn while_a_picture_takes_long_it_is_told_that_it_goes_on() {
    let _alone = lock(&ONE_AT_A_TIME);
    let (told, hold) = channel();
    let heard = |event: &Event, _: &WorldHandle| {
        if matches!(event, Event::Waiting { stage: Stage::Scan, .. }) {
            let _ = told.send(());
        }
    };
    let (result, world) = run(hold, |motors| motors, heard);
    result.unwrap();
    assert!(LET_GO.load(Relaxed) && world.cube().is_solved());
}

#[test]
fn the_touch_sensor_is_looked_at_while_a_picture_takes_long_and_parks_the_crane_at_once() {
    let _alone = lock(&ONE_AT_A_TIME);
    let (coasts, hold) = channel();
    // Homing lets go of all others.
    let tell = |mut motors: Motors| -> Motors {
        let (port, motor) = motors.remove(2);
        motors.insert(2, (port, Box::new(Telling { motor, coasts })));
        motors
    };
    let mut steps = 0;
    let heard = |event: &Event, world: &WorldHandle| match event {
        Event::Picture { .. } => world.press_at(Duration::from_secs_f64(world.seconds())),
        Event::Step { stage: Stage::Scan, .. } => steps += 1,
        _ => {}
    };
    let (result, world) = run(hold, tell, heard);
    let why = result.map(|_| ()).unwrap_err();
    assert!(
        matches!(why, JobError::Machine(MachineError::Aborted { by: "touch sensor" })),
        "{why}"
    );
    assert!(LET_GO.load(Relaxed) && world.parked());
    assert_eq!((steps, world.fault()), (0, None));
}
