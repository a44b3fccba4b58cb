//! Whole calibrations of simulated cranes that are not as their file says.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::*;
use crate::app::{Job, Metric, Panel};
use crate::brick::Key::{self, Down, Enter, Right, Up};
use crate::brick::MotorPort;
use crate::calibration::edit::Table;
use crate::crane::{BUILTIN, Mechanism};
use crate::cube::{State, random_turns};
use crate::progress::Quiet;
use crate::sim::{Renderer, Scene, WorldHandle, machine};
use crate::solve::Options;
use crate::tables::Store;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// A file with the built-in calibration, in a folder of its own.
fn file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robot.toml");
    fs::write(&path, BUILTIN).unwrap();
    (folder, path)
}

/// A crane with solved cube of size `n`.
fn crane(mechanism: &Mechanism, n: usize) -> (Brick, WorldHandle) {
    let eye = Renderer::new(Scene::calm(), 1);
    machine(mechanism, State::solved(n), Box::new(eye)).unwrap()
}

/// Sees how high the rows truly are, and answers with steps that are never larger than a few degrees.
struct Seeing {
    heights: Vec<i32>,
    row: usize,
    asked: usize,
    /// Gives up at this question.
    last: usize,
    yes: bool,
}

impl Seeing {
    fn new(mechanism: &Mechanism, n: usize) -> Seeing {
        let size = mechanism.size(n).unwrap();
        Seeing {
            heights: (1..=n as u8).map(|row| mechanism.height(size, row)).collect(),
            row: 0,
            asked: 0,
            last: usize::MAX,
            yes: true,
        }
    }
}

impl Builder for Seeing {
    fn ask(&mut self, brick: &mut Brick, text: &str, question: Question) -> Result<Answer, CalibrateError> {
        self.asked += 1;
        if self.asked == self.last {
            return Err(CalibrateError::Stopped);
        }
        assert!(text.len() < 200, "{text}");
        if question != Question::Level {
            return Ok(if self.yes { Answer::Yes } else { Answer::No });
        }
        let above = -brick.motor(MotorPort::A)?.position()?;
        let off = -self.heights[self.row] - above;
        if off.abs() <= 1 {
            self.row += 1;
            return Ok(Answer::Yes);
        }
        Ok(Answer::Move(off.clamp(-5, 5)))
    }
}

fn never() -> AtomicBool {
    AtomicBool::new(false)
}

/// Calibrates with the file at a path, without a stop.
fn calibrated(
    part: CalibrationPart,
    n: usize,
    brick: &mut Brick,
    builder: &mut dyn Builder,
    path: &Path,
) -> Result<String, CalibrateError> {
    let learnt = calibrate(part, n, brick, builder, &mut File::open(path).unwrap(), &never());
    learnt.map(|learnt| learnt.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn a_crane_with_other_rows_fits_its_file_afterwards(n in 2usize..6, shift in -12i32..=25, stretch in 95i32..=110, seed: u64) {
        let mut true_crane = Mechanism::builtin();
        let size = true_crane.sizes.iter_mut().find(|size| size.n == n).unwrap();
        size.rows.iter_mut().for_each(|row| *row = (*row - shift) * stretch / 100);
        let (_folder, path) = file();
        let (mut brick, world) = crane(&true_crane, n);
        let mut builder = Seeing::new(&true_crane, n);
        let mut open = File::open(&path).unwrap();
        calibrate(CalibrationPart::Elevator, n, &mut brick, &mut builder, &mut open, &never()).unwrap();
        prop_assert_eq!((world.fault(), world.parked()), (None, true));
        // The file has what is true, and its comments; of other sizes nothing has changed.
        let written = fs::read_to_string(&path).unwrap();
        prop_assert_eq!(written.lines().count(), BUILTIN.lines().count());
        let calibrated = Mechanism::load(&path).unwrap();
        for (ours, truth) in calibrated.sizes.iter().zip(&true_crane.sizes) {
            prop_assert!(ours.rows.iter().zip(&truth.rows).all(|(a, b)| (a - b).abs() <= 1), "{:?} {:?}", ours.rows, truth.rows);
        }
        // The crane turns a cube by it.
        let turns = random_turns(n, 6, &mut ChaCha8Rng::seed_from_u64(seed));
        let job = Job {
            brick: &mut brick,
            machine: &calibrated.into(),
            store: &Store::new("/nonexistent").building(false),
            progress: &Quiet,
            metric: Metric::Turns,
            options: Options::default(),
            size: Some(n),
            correct: None,
            journal: None,
            stop: Default::default(),
            listeners: Vec::new(),
        };
        job.turn(n, &turns).unwrap();
        prop_assert_eq!((world.fault(), world.parked()), (None, true));
    }
}

#[test]
fn without_calibration_that_crane_fails() {
    let mut true_crane = Mechanism::builtin();
    true_crane.sizes[1].rows.iter_mut().for_each(|row| *row -= 20);
    let (mut brick, world) = crane(&true_crane, 3);
    let job = Job {
        brick: &mut brick,
        machine: &Mechanism::builtin().into(),
        store: &Store::new("/nonexistent").building(false),
        progress: &Quiet,
        metric: Metric::Turns,
        options: Options::default(),
        size: Some(3),
        correct: None,
        journal: None,
        stop: Default::default(),
        listeners: Vec::new(),
    };
    let turns = random_turns(3, 6, &mut ChaCha8Rng::seed_from_u64(1));
    assert!(job.turn(3, &turns).is_err() && world.fault().is_some());
}

#[test]
fn the_squisher_is_measured_by_the_cube_that_stops_it() {
    let mut true_crane = Mechanism::builtin();
    true_crane.sizes[1].squish = 77;
    let (_folder, path) = file();
    let (mut brick, world) = crane(&true_crane, 3);
    let mut open = File::open(&path).unwrap();
    let mut builder = Seeing::new(&true_crane, 3);
    let learnt = calibrate(
        CalibrationPart::Squisher,
        3,
        &mut brick,
        &mut builder,
        &mut open,
        &never(),
    );
    let learnt = learnt.unwrap().to_string();
    // A cube gives a little.
    let squish = Mechanism::load(&path).unwrap().size(3).unwrap().squish;
    assert!(
        (77..=90).contains(&squish) && learnt.contains(&squish.to_string()),
        "{learnt}"
    );
    assert_eq!((world.fault(), world.parked()), (None, true));
}

#[test]
fn whenever_it_is_stopped_the_file_stays_and_the_crane_rests() {
    for part in [
        CalibrationPart::Motors,
        CalibrationPart::Elevator,
        CalibrationPart::Squisher,
        CalibrationPart::Camera,
    ] {
        for last in 1..=4 {
            let (_folder, path) = file();
            let mechanism = Mechanism::builtin();
            let (mut brick, world) = crane(&mechanism, 3);
            let mut builder = Seeing::new(&mechanism, 3);
            builder.last = last;
            let result = calibrate(
                part,
                3,
                &mut brick,
                &mut builder,
                &mut File::open(&path).unwrap(),
                &never(),
            );
            assert!(
                builder.asked < last || matches!(result, Err(CalibrateError::Stopped)),
                "{part:?} {last}"
            );
            assert_eq!((world.fault(), world.parked()), (None, true), "{part:?} {last}");
            assert!(builder.asked < last || fs::read_to_string(&path).unwrap() == BUILTIN);
        }
    }
}

/// A clock that asks for a stop at a moment.
struct Watch {
    clock: Box<dyn crate::brick::Clock>,
    at: Duration,
    stop: std::sync::Arc<AtomicBool>,
}

impl crate::brick::Clock for Watch {
    fn now(&self) -> Duration {
        self.clock.now()
    }

    fn sleep(&self, time: Duration) {
        self.clock.sleep(time);
        if self.clock.now() > self.at {
            self.stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }
}

#[test]
fn a_signal_at_any_moment_leaves_the_file_and_a_crane_at_rest() {
    let mut stopped = 0;
    for part in [CalibrationPart::Elevator, CalibrationPart::Squisher] {
        for tenths in 0..120 {
            let (_folder, path) = file();
            let mechanism = Mechanism::builtin();
            let (mut brick, world) = crane(&mechanism, 3);
            let stop = std::sync::Arc::new(AtomicBool::new(false));
            let clock = std::mem::replace(&mut brick.clock, crane(&mechanism, 3).0.clock);
            brick.clock = Box::new(Watch {
                clock,
                at: Duration::from_millis(100 * tenths),
                stop: stop.clone(),
            });
            let mut builder = Seeing::new(&mechanism, 3);
            let result = calibrate(
                part,
                3,
                &mut brick,
                &mut builder,
                &mut File::open(&path).unwrap(),
                &stop,
            );
            assert_eq!(
                (world.fault(), world.parked()),
                (None, true),
                "{part:?} {tenths}: {result:?}"
            );
            if matches!(result, Err(CalibrateError::Stopped)) {
                stopped += 1;
                assert_eq!(fs::read_to_string(&path).unwrap(), BUILTIN);
            }
        }
    }
    assert!(stopped > 60, "{stopped}");
}

#[test]
fn a_file_that_cannot_be_written_is_named_and_the_crane_rests() {
    let (folder, path) = file();
    let mechanism = Mechanism::builtin();
    let (mut brick, world) = crane(&mechanism, 3);
    let mut open = File::open(&path).unwrap();
    fs::remove_dir_all(folder.path()).unwrap();
    fs::write(folder.path(), "no folder").unwrap();
    let mut builder = Seeing::new(&mechanism, 3);
    let error = calibrate(
        CalibrationPart::Squisher,
        3,
        &mut brick,
        &mut builder,
        &mut open,
        &never(),
    )
    .unwrap_err();
    assert!(
        error.to_string().starts_with("cannot write the calibration "),
        "{error}"
    );
    assert!(world.parked());
    fs::remove_file(folder.path()).unwrap();
}

#[test]
fn where_there_is_no_file_the_built_in_one_becomes_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calibration/robot.toml");
    let mut file = File::open(&path).unwrap();
    file.save().unwrap();
    assert!(!path.exists());
    file.set(Table::Named("elevator"), "row_offset", "-16").unwrap();
    file.save().unwrap();
    let mut wanted = Mechanism::load(&path).unwrap();
    assert_eq!(wanted.elevator.row_offset, -16);
    wanted.elevator.row_offset = -15;
    assert_eq!(wanted.sizes, Mechanism::builtin().sizes);
    // What no crane can be is not taken.
    assert!(file.set(Table::Size(3), "rows", "[-281, -224, -180]").is_err());
    let Model::Crane(crane) = file.model() else {
        panic!("it is a crane")
    };
    assert_eq!(crane.elevator.row_offset, -16);
}

#[test]
fn a_motor_that_goes_the_wrong_way_is_named_with_its_port() {
    let (_folder, path) = file();
    let mechanism = Mechanism::builtin();
    for (yes, message) in [
        (true, "all 4 motors are there and go the right way"),
        (
            false,
            "the elevator goes the wrong way: see whether its cable is in port A, else change the signs in [elevator]",
        ),
    ] {
        let (mut brick, world) = crane(&mechanism, 3);
        let mut builder = Seeing::new(&mechanism, 3);
        builder.yes = yes;
        let result = calibrated(CalibrationPart::Motors, 0, &mut brick, &mut builder, &path);
        assert_eq!(result.unwrap_or_else(|why| why.to_string()), message);
        assert_eq!((world.fault(), world.parked()), (None, true));
    }
    let (mut brick, world) = crane(&mechanism, 3);
    world.jam(MotorPort::C, 1);
    let mut builder = Seeing::new(&mechanism, 3);
    let result = calibrated(CalibrationPart::Motors, 0, &mut brick, &mut builder, &path);
    // So short a way does not jam.
    assert!(result.is_ok());
}

#[test]
fn the_camera_tells_what_it_sees() {
    let (_folder, path) = file();
    let mechanism = Mechanism::builtin();
    let (mut brick, _) = crane(&mechanism, 4);
    let mut builder = Seeing::new(&mechanism, 4);
    let result = calibrated(CalibrationPart::Camera, 0, &mut brick, &mut builder, &path);
    let text = result.unwrap();
    assert!(text.starts_with("I see a 4x4x4. Brightness "), "{text}");
}

#[test]
fn the_keys_and_the_display_are_enough() {
    let (_folder, path) = file();
    let mut true_crane = Mechanism::builtin();
    true_crane.sizes[1].rows.iter_mut().for_each(|row| *row -= 6);
    let (mut brick, world) = crane(&true_crane, 3);
    let press = |keys: &[Key]| {
        let keys: Vec<_> = keys.iter().map(|&key| (Duration::from_millis(200), key)).collect();
        world.press_keys(&keys);
    };
    // Ready; three up and one down for the first row; the others follow.
    press(&[Enter, Up, Up, Up, Down, Enter, Enter, Enter]);
    let stop = never();
    let mut panel = Panel::of(&mut brick);
    let mut file = File::open(&path).unwrap();
    calibrate(
        CalibrationPart::Elevator,
        3,
        &mut brick,
        &mut OnDisplay::new(&mut panel, &stop),
        &mut file,
        &stop,
    )
    .unwrap();
    assert_eq!(Mechanism::load(&path).unwrap().sizes, true_crane.sizes);
    assert!(world.page().find("Calibrate", 2).is_some() && world.page().find("Yes", 1).is_some());
    // Every word of every question is to be seen.
    world.press_keys(&[(Duration::from_millis(200), Right), (Duration::from_millis(200), Enter)]);
    let stopped = calibrate(
        CalibrationPart::Squisher,
        3,
        &mut brick,
        &mut OnDisplay::new(&mut panel, &stop),
        &mut file,
        &stop,
    );
    assert!(matches!(stopped, Err(CalibrateError::Stopped)));
    assert!(world.page().find("presses.", 1).is_some(), "{:?}", world.page());
}
