//! Whole jobs of machines that are no cranes, on simulated ones: what counts is the physical cube at the end, judged by the geometry of the
//! simulator.
#![cfg(feature = "benches")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where something is not as expected"
)]

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use cranecuber::app::{Event, Job, JobError, Listener, Model, Stage, rescue};
use cranecuber::brick::{Brick, DeviceError};
use cranecuber::cube::{State, backwards, scramble};
use cranecuber::drive::MachineError;
use cranecuber::sim::{Kill, Process, Sensor, Trouble, WorldHandle, jaws, tilter};
use cranecuber::tables::Store;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[path = "common/jobs.rs"]
mod jobs;
use jobs::{job, quick, tables};

const TILTER: &str = include_str!("../calibration/mindcub3r.toml");
const JAWS: &str = include_str!("../calibration/jaws.toml");

fn model(text: &str) -> Model {
    Model::parse(text, "a calibration").unwrap()
}

/// A simulated machine with a cube in it.
fn machine(model: &Model, cube: State, sensor: Sensor) -> (Brick, WorldHandle) {
    match model {
        Model::Tilter(mechanism) => tilter(mechanism, cube, sensor),
        Model::Jaws(mechanism) => jaws(mechanism, cube),
        _ => panic!("it is neither a tilter nor jaws"),
    }
}

fn mixed(seed: u64) -> State {
    let mut cube = State::solved(3);
    cube.turn_all(&scramble(3, &mut ChaCha8Rng::seed_from_u64(seed)));
    cube
}

/// A sensor whose white is that of the calibration.
fn sensor(seed: u64) -> Sensor {
    let Model::Tilter(mechanism) = model(TILTER) else {
        panic!("it is a tilter");
    };
    Sensor::of_white(mechanism.color_sensor.white, seed)
}

#[test]
fn a_tilter_reads_its_cube_and_solves_it() {
    let model = model(TILTER);
    let store = tables();
    for seed in 0..6 {
        let (mut brick, world) = machine(&model, mixed(seed), sensor(seed));
        let mut sides = 0;
        let mut listener = |event: &Event| sides += usize::from(matches!(event, Event::SideRead { .. }));
        let done = job(&mut brick, &model, &store, &mut listener).run().unwrap();
        assert_eq!(world.fault(), None, "{seed}");
        assert!(world.cube().is_solved() && world.parked(), "{seed}");
        assert!(done.solved && done.seen.is_some_and(|seen| seen.sure));
        assert!((6..=12).contains(&sides), "{sides}");
    }
}

#[test]
fn jaws_solve_a_cube_that_is_told_and_scan_none() {
    let model = model(JAWS);
    let store = tables();
    for seed in 0..6 {
        let (mut brick, world) = machine(&model, mixed(seed), sensor(0));
        let mut silent = |_: &Event| {};
        let why = job(&mut brick, &model, &store, &mut silent).run().unwrap_err();
        assert_eq!(
            why.to_string(),
            "Three jaws sees nothing: tell it the cube with --state, or on the page"
        );
        let done = job(&mut brick, &model, &store, &mut silent)
            .run_told(&mixed(seed))
            .unwrap();
        assert_eq!(world.fault(), None, "{seed}");
        assert!(world.cube().is_solved() && world.parked() && done.solved, "{seed}");
    }
}

#[test]
fn what_a_page_is_told_of_turns_leads_to_the_cube_as_it_is() {
    for text in [TILTER, JAWS] {
        let model = model(text);
        for seed in 0..4 {
            let turns = scramble(3, &mut ChaCha8Rng::seed_from_u64(seed));
            let (mut brick, world) = machine(&model, State::solved(3), sensor(0));
            let mut cube = State::solved(3);
            let mut follow = |event: &Event| {
                if let Event::Moved { turned, .. } = event {
                    cube.turn_all(turned);
                }
            };
            let store = Store::new("unused");
            job(&mut brick, &model, &store, &mut follow).turn(3, &turns).unwrap();
            assert_eq!((world.fault(), world.parked()), (None, true));
            // However the machine holds it now.
            let as_it_is = |cube: &State| {
                let ways = cranecuber::cube::Symmetry::rotations().into_iter().map(|way| {
                    let mut held = cube.clone();
                    held.rotate(way);
                    held.to_string()
                });
                ways.min().unwrap()
            };
            let mut wanted = State::solved(3);
            wanted.turn_all(&turns);
            assert_eq!(as_it_is(&cube), as_it_is(&wanted));
            assert_eq!(as_it_is(&world.cube()), as_it_is(&wanted));
        }
    }
}

#[test]
fn a_machine_for_one_size_refuses_others_before_anything_moves() {
    let turns = scramble(4, &mut ChaCha8Rng::seed_from_u64(1));
    for text in [TILTER, JAWS] {
        let model = model(text);
        let (mut brick, world) = machine(&model, State::solved(3), sensor(0));
        let mut silent = |_: &Event| {};
        let store = Store::new("unused");
        let why = job(&mut brick, &model, &store, &mut silent)
            .turn(4, &turns)
            .unwrap_err();
        assert!(
            why.to_string().ends_with("turns the 3x3x3 only, and this is a 4x4x4"),
            "{why}"
        );
        assert!(world.seconds() < 0.1 && world.cube().is_solved());
    }
}

#[test]
fn a_tilter_waits_until_a_cube_is_put_in() {
    let model = model(TILTER);
    let (mut brick, world) = machine(&model, mixed(3), sensor(3));
    world.take_out_until(Some(Duration::from_secs(20)));
    let mut asked = 0;
    let mut listener = |event: &Event| asked += usize::from(matches!(event, Event::PutIn));
    job(&mut brick, &model, &tables(), &mut listener).run().unwrap();
    assert_eq!((asked, world.fault()), (1, None));
    assert!(world.cube().is_solved() && world.seconds() > 20.0);
}

#[test]
fn a_sensor_that_stands_beside_the_stickers_is_told_and_nothing_is_turned() {
    let model = model(TILTER);
    let mut refused = 0;
    for seed in 0..4 {
        let bad = Sensor::troubled(&[Trouble::Beside, Trouble::Ambient], 1.0, seed);
        let Model::Tilter(mut mechanism) = model.clone() else {
            panic!("it is a tilter");
        };
        mechanism.color_sensor.white = bad.white();
        let model = Model::Tilter(mechanism);
        let (mut brick, world) = machine(&model, mixed(seed), bad);
        let mut silent = |_: &Event| {};
        match job(&mut brick, &model, &tables(), &mut silent).run() {
            Ok(_) => assert!(world.cube().is_solved()),
            Err(JobError::Doubtful { .. } | JobError::Reading(_)) => refused += 1,
            Err(why) => panic!("{why}"),
        }
        assert_eq!((world.fault(), world.parked()), (None, true));
    }
    assert!(refused < 4);
}

#[test]
fn a_stop_at_any_moment_leaves_a_machine_parked() {
    for (text, told) in [(TILTER, false), (JAWS, true)] {
        let model = model(text);
        let store = tables();
        for step in [1, 4, 9, 20, 30] {
            let (mut brick, world) = machine(&model, mixed(7), sensor(7));
            let stop = Arc::new(AtomicBool::new(false));
            let mut listener = |event: &Event| {
                if matches!(event, Event::Step { stage: Stage::Turn, done, .. } if *done == step) {
                    stop.store(true, Relaxed);
                }
            };
            let job = Job {
                stop: stop.clone(),
                ..job(&mut brick, &model, &store, &mut listener)
            };
            let result = if told { job.run_told(&mixed(7)) } else { job.run() };
            assert!(matches!(
                result,
                Err(JobError::Machine(MachineError::Aborted { by: "stop signal" }))
            ));
            assert_eq!((world.fault(), world.parked()), (None, true), "step {step}");
        }
    }
}

/// Turns a scramble back, killed now and then, and resumed by a guard and the next program. Gives how often it was killed.
fn killed(model: &Model, seed: u64) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let turns = scramble(3, &mut rng);
    let mut cube = State::solved(3);
    cube.turn_all(&turns);
    let back = backwards(&turns);
    let (brick, world) = machine(model, cube, sensor(seed));
    let brick = Rc::new(RefCell::new(brick));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let store = Store::new("unused");
    let mut kills = 0;
    loop {
        let kill = match kills {
            4.. => Kill::Never,
            _ => Kill::After(rng.random_range(1..2500)),
        };
        let (last, at) = (Rc::new(RefCell::new(None)), path.clone());
        let dying = {
            let last = last.clone();
            Box::new(move || *last.borrow_mut() = std::fs::read(&at).ok())
        };
        let (mut process, life) = Process::begin(&brick, kill, "a boot", dying);
        let mut silent = |_: &Event| {};
        let resumes = path.exists();
        let job = Job {
            options: quick(),
            journal: Some(&path),
            ..job(&mut process, model, &store, &mut silent as &mut dyn Listener)
        };
        let done = match resumes {
            true => job.resume(),
            false => job.turn(3, &back),
        };
        if !life.is_killed() {
            done.unwrap_or_else(|why| panic!("{} {seed}: {why}", model.name()));
            break;
        }
        kills += 1;
        // What the killed program would have written after its death is not there.
        match last.borrow_mut().take() {
            Some(bytes) => std::fs::write(&path, bytes).unwrap(),
            None => drop(std::fs::remove_file(&path)),
        }
        world.wait(Duration::from_millis(rng.random_range(0..3000)));
        let (mut process, _) = Process::begin(&brick, Kill::Never, "a boot", Box::new(|| {}));
        if rng.random_bool(0.5) && rescue::stop(&mut process) && path.exists() {
            rescue::put_down(&mut process, model, Some(&path))
                .unwrap_or_else(|why| panic!("{} {seed}: {why}", model.name()));
            rescue::let_go(&mut process);
        }
        assert_eq!(world.fault(), None, "{} {seed}", model.name());
    }
    assert_eq!((world.fault(), world.parked()), (None, true), "{} {seed}", model.name());
    assert!(world.cube().is_solved(), "{} {seed}: {}", model.name(), world.cube());
    kills
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn killed_jobs_go_on_and_end_solved(seed: u64) {
        for text in [TILTER, JAWS] {
            killed(&model(text), seed);
        }
    }
}

#[test]
fn a_motor_of_the_second_brick_that_is_missing_is_named_before_anything_moves() {
    let model = model(JAWS);
    let (mut brick, world) = machine(&model, State::solved(3), sensor(0));
    brick.motors.retain(|(port, _)| port.to_string() != "B@hands");
    let mut silent = |_: &Event| {};
    let why = job(&mut brick, &model, &Store::new("unused"), &mut silent).turn(3, &["R".parse().unwrap()]);
    let why = why.unwrap_err();
    assert!(
        matches!(
            &why,
            JobError::Machine(MachineError::Device(DeviceError::NoPort { .. }))
        ),
        "{why}"
    );
    assert!(why.to_string().contains("B@hands"), "{why}");
    assert_eq!(world.seconds(), 0.0);
}
