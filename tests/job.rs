//! Whole jobs on the simulated crane: they end with the physical cube solved, or parked with a named error.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use cranecuber::app::{Done, Event, Job, JobError, Stage, Summary};
use cranecuber::brick::{DeviceError, Light, MotorPort};
use cranecuber::crane::Mechanism;
use cranecuber::cube::{Face, Square, State, Turn, scramble};
use cranecuber::drive::MachineError;
use cranecuber::picture::Frame;
use cranecuber::sim::{Eye, Renderer, Scene, View, WorldHandle, machine};
use cranecuber::tables::Store;
use cranecuber::vision::VisionError;
use jobs::{job, tables};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[path = "common/jobs.rs"]
mod jobs;

/// A scrambled cube in a classroom.
fn scrambled(n: usize, seed: u64) -> (State, Renderer) {
    let mut cube = State::solved(n);
    cube.turn_all(&scramble(n, &mut ChaCha8Rng::seed_from_u64(seed)));
    (cube, Renderer::new(Scene::classroom(seed), seed))
}

/// Runs a job; `setup` changes the world beforehand and `heard` hears every event.
fn run(
    cube: State,
    eye: impl Eye + 'static,
    size: Option<usize>,
    setup: impl FnOnce(&WorldHandle, &Arc<AtomicBool>),
    mut heard: impl FnMut(&Event, &WorldHandle, &AtomicBool),
) -> (Result<Summary, JobError>, WorldHandle) {
    let mechanism = Mechanism::builtin();
    let model = mechanism.clone().into();
    let (mut brick, world) = machine(&mechanism, cube, Box::new(eye)).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    setup(&world, &stop);
    let (store, mut listener) = (tables(), |event: &Event| heard(event, &world, &stop));
    let job = Job {
        size,
        stop: stop.clone(),
        ..job(&mut brick, &model, &store, &mut listener)
    };
    let result = job.run();
    (result, world)
}

#[test]
fn every_job_ends_with_the_physical_cube_solved_and_the_crane_parked() {
    for n in [2, 3] {
        for seed in 0..25 {
            let (cube, eye) = scrambled(n, seed);
            let (result, world) = run(cube.clone(), eye, None, |_, _| {}, |_, _, _| {});
            let done = result.unwrap_or_else(|why| panic!("size {n} seed {seed}: {why}"));
            assert!(world.cube().is_solved(), "size {n} seed {seed}: {}", world.cube());
            assert_eq!(
                (world.fault(), world.parked(), world.light()),
                (None, true, Light::Green)
            );
            // Two ways to the same state: what was seen is what was there.
            let (seen, solution) = (done.seen.unwrap(), done.solution.unwrap());
            let mut seen = seen.state;
            seen.turn_all(&solution.turns);
            assert!(seen.is_solved() && !cube.is_solved());
            assert_eq!(
                solution.phases.iter().map(|phase| phase.turns).sum::<usize>(),
                solution.turns.len()
            );
        }
    }
}

#[test]
fn a_solved_cube_needs_no_turns() {
    for n in [2, 3] {
        let eye = Renderer::new(Scene::calm(), 1);
        let (result, world) = run(State::solved(n), eye, None, |_, _| {}, |_, _, _| {});
        assert!(result.unwrap().solution.unwrap().turns.is_empty());
        assert!(world.cube().is_solved() && world.parked());
    }
}

#[test]
fn a_weak_battery_is_told_once_and_a_weaker_one_stops_the_job() {
    for (millivolts, ends_solved) in [(6400, true), (5900, false)] {
        let (cube, eye) = scrambled(2, 3);
        let mut told = Vec::new();
        let (result, world) = run(
            cube,
            eye,
            None,
            |_, _| {},
            |event, world, _| match event {
                Event::Began(Stage::Turn) => world.set_millivolts(millivolts),
                Event::Weak { millivolts } => told.push(*millivolts),
                _ => {}
            },
        );
        assert_eq!((world.fault(), world.parked()), (None, true));
        assert_eq!(world.cube().is_solved(), ends_solved);
        if ends_solved {
            assert_eq!(told, [6400]);
        } else {
            let why = result.unwrap_err().to_string();
            assert!(why.starts_with("the battery is down to 5.9 V"), "{why}");
        }
    }
}

#[test]
fn the_stages_come_in_order_and_each_ends() {
    let (cube, eye) = scrambled(3, 7);
    let mut began = Vec::new();
    let mut ended = Vec::new();
    let (result, _) = run(
        cube,
        eye,
        None,
        |_, _| {},
        |event, _, _| match event {
            Event::Began(stage) => began.push(*stage),
            Event::Ended { result, .. } => ended.push(result.stage()),
            _ => {}
        },
    );
    result.unwrap();
    assert_eq!(
        began,
        [
            Stage::Home,
            Stage::Scan,
            Stage::Resolve,
            Stage::Solve,
            Stage::Plan,
            Stage::Turn
        ]
    );
    assert_eq!(ended, began);
}

#[test]
fn a_request_to_stop_while_turning_parks_the_crane() {
    let (cube, eye) = scrambled(3, 11);
    let (result, world) = run(
        cube,
        eye,
        None,
        |_, _| {},
        |event, _, stop| {
            if matches!(
                event,
                Event::Step {
                    stage: Stage::Turn,
                    done: 9,
                    ..
                }
            ) {
                stop.store(true, Relaxed);
            }
        },
    );
    assert!(
        matches!(result, Err(JobError::Machine(MachineError::Aborted { .. }))),
        "{result:?}"
    );
    assert!(world.parked() && !world.cube().is_solved());
    assert_eq!((world.fault(), world.light()), (None, Light::Red));
}

#[test]
fn the_touch_sensor_stops_it_too() {
    let (cube, eye) = scrambled(3, 12);
    let (result, world) = run(
        cube,
        eye,
        None,
        |w, _| w.press_at(Duration::from_secs(30)),
        |_, _, _| {},
    );
    assert!(
        matches!(result, Err(JobError::Machine(MachineError::Aborted { .. }))),
        "{result:?}"
    );
    assert!(world.parked() && world.fault().is_none());
}

#[test]
fn one_jam_is_overcome_and_many_are_named() {
    let (cube, eye) = scrambled(2, 13);
    let jam = |times| {
        move |event: &Event, world: &WorldHandle, _: &AtomicBool| {
            if matches!(event, Event::Began(Stage::Turn)) {
                world.jam(MotorPort::A, times);
            }
        }
    };
    let (result, world) = run(cube.clone(), eye.clone(), None, |_, _| {}, jam(1));
    result.unwrap();
    assert!(world.cube().is_solved());
    let (result, world) = run(cube, eye, None, |_, _| {}, jam(100));
    let text = result.unwrap_err().to_string();
    assert!(text.contains("jammed") || text.contains("stuck"), "{text}");
    assert_eq!(world.fault(), None);
}

#[test]
fn a_wrong_size_is_named_before_anything_turns() {
    let (cube, eye) = scrambled(2, 14);
    let mut turned = false;
    let (result, world) = run(
        cube,
        eye,
        Some(3),
        |_, _| {},
        |event, _, _| {
            turned |= matches!(event, Event::Began(Stage::Turn));
        },
    );
    let error = result.map(|_| ()).unwrap_err();
    assert!(
        matches!(error, JobError::Size { seen: 2, said: 3 } | JobError::Machine(_)),
        "{error}"
    );
    assert_eq!(world.fault(), None);
    assert!(!turned);
}

/// An eye that fails in some way.
enum BadEye {
    Unplugged,
    Dark,
}

impl Eye for BadEye {
    fn look(&mut self, _: &View) -> Result<Frame, DeviceError> {
        match self {
            BadEye::Unplugged => Err(DeviceError::Missing {
                what: "camera",
                place: "/dev/video0".to_string(),
                hint: "plug it in",
            }),
            BadEye::Dark => Ok(Frame {
                width: 160,
                height: 120,
                stride: 480,
                format: cranecuber::picture::PixelFormat::Rgb8,
                data: vec![3; 480 * 120],
            }),
        }
    }
}

#[test]
fn a_missing_camera_and_a_dark_room_are_named_and_the_crane_is_parked() {
    let (cube, _) = scrambled(3, 15);
    let (result, world) = run(cube.clone(), BadEye::Unplugged, None, |_, _| {}, |_, _, _| {});
    assert_eq!(result.unwrap_err().to_string(), "no camera at /dev/video0: plug it in");
    assert!(world.parked());
    let (result, world) = run(cube, BadEye::Dark, None, |_, _| {}, |_, _, _| {});
    assert!(
        matches!(result, Err(JobError::Vision(VisionError::TooDark { .. }))),
        "{result:?}"
    );
    assert!(world.parked());
}

/// Cameras meter too brightly in front of a black crane.
fn glaring(seed: u64, metering: f32) -> Scene {
    Scene {
        metering,
        ..Scene::classroom(seed)
    }
}

#[test]
fn overexposed_pictures_are_taken_again_and_the_cube_ends_solved() {
    let mut again = [0; 2];
    for (n, metering) in [(2, 4.5), (2, 5.5), (3, 4.5)] {
        for seed in 20..24 {
            let (cube, _) = scrambled(n, seed);
            let eye = Renderer::new(glaring(seed, metering), seed);
            let (mut pictures, mut used) = (0, 0);
            let (result, world) = run(
                cube,
                eye,
                None,
                |_, _| {},
                |event, _, _| match event {
                    Event::Again(_) => again[n - 2] += 1,
                    Event::Picture { .. } => pictures += 1,
                    Event::Ended {
                        result:
                            Done::Resolved {
                                reading: Some(reading), ..
                            },
                        ..
                    } => used = reading.pictures.iter().filter(|taken| taken.number > 0).count(),
                    _ => {}
                },
            );
            let done = result.unwrap_or_else(|why| panic!("size {n} seed {seed}, {metering} stops: {why}"));
            assert!(world.cube().is_solved(), "size {n} seed {seed}, {metering} stops");
            assert_eq!((world.fault(), world.parked()), (None, true));
            assert!(done.seen.unwrap().sure);
            assert!((6 + used..=18).contains(&pictures), "{used} of {pictures}");
        }
    }
    assert!(again.iter().all(|&times| times > 0), "{again:?}");
}

/// Something shines into the camera while it takes its first pictures.
struct Flash {
    eye: Renderer,
    dazzled: Renderer,
    pictures: usize,
}

impl Eye for Flash {
    fn look(&mut self, view: &View) -> Result<Frame, DeviceError> {
        self.pictures = self.pictures.saturating_sub(1);
        let eye = if self.pictures > 0 {
            &mut self.dazzled
        } else {
            &mut self.eye
        };
        eye.look(view)
    }
}

#[test]
fn first_pictures_without_a_cube_in_them_are_taken_again() {
    for (n, dazzled) in [(2, 1), (3, 1), (3, 2), (3, 100)] {
        let (cube, eye) = scrambled(n, 30);
        let flash = Flash {
            eye,
            dazzled: Renderer::new(glaring(30, 12.0), 1),
            pictures: dazzled + 1,
        };
        let mut again = Vec::new();
        let heard = |event: &Event, _: &WorldHandle, _: &AtomicBool| {
            if let Event::Again(faces) = event {
                again.extend(faces.to_vec());
            }
        };
        let (result, world) = run(cube, flash, None, |_, _| {}, heard);
        if dazzled < 100 {
            result.map(|_| ()).unwrap();
            assert!(world.cube().is_solved());
        } else {
            // A camera that cannot be told how to expose gets one more try.
            let error = result.map(|_| ()).unwrap_err();
            assert!(matches!(error, JobError::Vision(_)), "{error}");
        }
        assert!(again.contains(&Face::F) || dazzled > 1, "{again:?}");
        assert!((1..=dazzled).contains(&again.len()) && world.parked(), "{again:?}");
    }
}

#[test]
fn a_cube_that_cannot_be_told_is_not_turned() {
    let mut doubtful = 0;
    for seed in 20..26 {
        let (cube, _) = scrambled(3, seed);
        // So bright, and cannot be told how to expose: white, yellow and the rest are often one colour.
        let dazzled = Renderer::new(glaring(seed, 6.0), seed);
        let eye = Flash {
            eye: dazzled.clone(),
            dazzled,
            pictures: 0,
        };
        let (mut again, mut turned) = (0, false);
        let heard = |event: &Event, _: &WorldHandle, _: &AtomicBool| {
            again += usize::from(matches!(event, Event::Again(_)));
            turned |= matches!(event, Event::Began(Stage::Solve | Stage::Turn));
        };
        let (result, world) = run(cube, eye, None, |_, _| {}, heard);
        assert_eq!((world.fault(), world.parked()), (None, true));
        match result {
            Ok(_) => assert!(world.cube().is_solved(), "seed {seed}"),
            Err(error) => {
                assert!(again > 0 && !turned, "seed {seed}: {error}");
                assert_eq!(world.light(), Light::Red);
                if let JobError::Doubtful { margin, squares, .. } = &error {
                    assert!(*margin < 2.0 && !squares.is_empty());
                    let text = error.to_string();
                    // Of a side that is mostly doubtful no squares are listed.
                    let (sides, _) = text.split_once(" unusable").unwrap_or_default();
                    let sides = sides.rsplit("side").next().unwrap();
                    let is_named = |square: &Square| {
                        text.contains(&square.to_string()) || sides.contains(&square.face.to_string())
                    };
                    assert!(squares.iter().all(is_named), "{error}");
                    doubtful += 1;
                }
            }
        }
    }
    assert!(doubtful > 0);
}

/// A camera that is interrupted by the signal that asks to stop.
struct Interrupted(Rc<RefCell<Arc<AtomicBool>>>);

impl Eye for Interrupted {
    fn look(&mut self, _: &View) -> Result<Frame, DeviceError> {
        self.0.borrow().store(true, Relaxed);
        Err(DeviceError::Failed {
            what: "camera",
            place: "/dev/video0".to_string(),
            reason: "Interrupted system call".to_string(),
        })
    }
}

#[test]
fn a_stop_during_a_picture_is_no_trouble_of_the_camera() {
    let (cube, _) = scrambled(3, 16);
    let shared = Rc::new(RefCell::default());
    let eye = Interrupted(shared.clone());
    let setup = |_: &WorldHandle, stop: &Arc<AtomicBool>| *shared.borrow_mut() = stop.clone();
    let (result, world) = run(cube, eye, None, setup, |_, _, _| {});
    let aborted = matches!(
        result,
        Err(JobError::Machine(MachineError::Aborted { by: "stop signal" }))
    );
    assert!(aborted && world.parked());
}

#[test]
fn turning_without_looking_turns_as_told() {
    let mechanism = Mechanism::builtin();
    let model = mechanism.clone().into();
    for n in 2..=7 {
        let turns: Vec<Turn> = scramble(n, &mut ChaCha8Rng::seed_from_u64(n as u64))
            .into_iter()
            .take(12)
            .collect();
        let eye = Renderer::new(Scene::calm(), 1);
        let (mut brick, world) = machine(&mechanism, State::solved(n), Box::new(eye)).unwrap();
        let (store, mut silent) = (Store::new("unused"), |_: &Event| {});
        job(&mut brick, &model, &store, &mut silent).turn(n, &turns).unwrap();
        let cube = world.cube();
        // However the crane holds it now, some way of holding it undoes the turns.
        let ways = cranecuber::cube::Symmetry::rotations();
        let solved = ways.into_iter().any(|way| {
            let mut cube = cube.clone();
            cube.rotate(way);
            turns.iter().rev().for_each(|turn| cube.turn(turn.inverse()));
            cube.is_solved()
        });
        assert!(solved, "{n}");
        assert!(world.parked());
    }
}
