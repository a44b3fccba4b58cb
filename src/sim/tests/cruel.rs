//! Tests of turning on a crane with many faults: it ends solved, or parked with an error that has a name, and the driver knows how the cube stands.

use super::*;

/// The faults with which the issue of faults is measured.
const COMMON: Faults = Faults {
    jam: 1.0,
    stall: 1.0,
    slip: 5.0,
    ..Faults::NONE
};

/// How turning ended.
struct Ended {
    result: Result<(), MachineError>,
    world: WorldHandle,
    mishaps: Mishaps,
    solved: bool,
}

/// Turns a cube of size `n` back that was turned so often, on motors with these faults.
fn turned_back(n: usize, count: usize, seed: u64, faults: &Faults) -> Ended {
    let mechanism = Mechanism::builtin();
    let turns = random_turns(n, count, &mut ChaCha8Rng::seed_from_u64(seed));
    let mut cube = State::solved(n);
    cube.turn_all(&turns);
    let back: Vec<Turn> = turns.iter().rev().map(|turn| turn.inverse()).collect();
    let (brick, world) = crane(&mechanism, cube.clone());
    let (mut brick, mishaps) = super::faulty(brick, &mechanism, faults);
    world.set_limit(Duration::from_secs(7200));
    let mut driver = driver(&mut brick, &mechanism, n);
    let plan = Planner::new(&mechanism, n).unwrap().plan(Pose::START, &back);
    let mut pose = Pose::START;
    let mut result = driver.home();
    if result.is_ok() {
        for &primitive in &plan.primitives {
            result = driver.perform(primitive);
            let turning = matches!(primitive, Primitive::Turn { .. } | Primitive::Yaw { .. });
            if result.is_ok() || (turning && driver.last_turn() == LastTurn::Done) {
                pose = pose.act(primitive, &mut cube).unwrap();
            }
            if result.is_err() {
                break;
            }
        }
    }
    if result.is_ok() {
        result = driver.park();
    }
    let last_turn = driver.last_turn();
    let parked = !matches!(result, Err(MachineError::NotParked { .. }));
    if last_turn != LastTurn::InDoubt && parked {
        // Parking may have tipped it, and the driver knows.
        cube.rotate(pose.orientation.inverse().then(driver.pose().orientation));
        assert_eq!(world.cube(), cube, "size {n} seed {seed}: {result:?}");
    }
    let solved = world.cube().is_solved();
    Ended {
        result,
        world,
        mishaps,
        solved,
    }
}

/// With any faults, nothing breaks or hangs. A job that ends well is solved; after one that fails, the crane is parked if its motors
/// allow it.
fn faulty(n: usize, count: usize, seed: u64, faults: Faults) -> Ended {
    let faults = Faults { seed, ..faults };
    let ended = turned_back(n, count, seed, &faults);
    let Ended {
        result,
        world,
        mishaps,
        solved,
    } = &ended;
    assert_eq!(world.fault(), None, "size {n} seed {seed}: {result:?}");
    match result {
        Ok(()) => assert!(*solved && world.parked(), "size {n} seed {seed}"),
        Err(MachineError::NotParked { .. }) => assert!(!mishaps.motors_work() || faults.unplug > 0.0, "{seed}"),
        Err(_) if !mishaps.motors_work() => {}
        Err(error) => assert!(world.parked(), "size {n} seed {seed}: {error}"),
    }
    if !result.as_ref().is_err_and(MachineError::is_cube_up) {
        assert!(world.is_cube_down(), "size {n} seed {seed}: {result:?}");
    }
    ended
}

#[test]
fn with_jams_stalls_and_slips_turning_ends_solved() {
    let (mut struck, mut solved, runs) = (0, 0, 240);
    for seed in 0..runs {
        let ended = faulty(2 + seed as usize % 6, 30, seed, COMMON);
        struck += ended.mishaps.struck();
        solved += u32::from(ended.result.is_ok());
    }
    println!("{struck} faults in {runs} runs, {solved} solved");
    assert!(struck > 2000 && u64::from(solved) + 1 >= runs);
}

#[test]
fn with_ten_times_as_much_going_wrong_nothing_breaks() {
    let faults = Faults {
        jam: 10.0,
        stall: 10.0,
        slip: 20.0,
        drift: 2.0,
        ..Faults::NONE
    };
    let runs = 120;
    let solved = (0..runs)
        .filter(|&seed| faulty(2 + seed as usize % 6, 12, seed, faults.clone()).result.is_ok())
        .count();
    println!("{solved} of {runs} solved");
    assert!(solved > 0);
}

#[test]
fn with_motors_that_die_or_go_missing_or_stick_nothing_breaks() {
    let faults = Faults {
        unplug: 0.3,
        dead: 0.3,
        stuck: 0.3,
        ..COMMON
    };
    let (mut up, mut down, mut parked) = (0, 0, 0);
    for seed in 0..300 {
        match faulty(2 + seed as usize % 6, 20, seed, faults.clone()).result {
            Ok(()) => {}
            Err(MachineError::NotParked { left, .. }) if left.is_cube_up => up += 1,
            Err(MachineError::NotParked { .. }) => down += 1,
            Err(_) => parked += 1,
        }
    }
    println!("of 300: {parked} parked, {down} only down, {up} up");
    assert!(up > 0 && down > 0 && parked > 0);
}

#[test]
fn a_cable_that_comes_out_at_any_moment_breaks_nothing_and_is_named() {
    let mechanism = Mechanism::builtin();
    for (port, place) in [
        (MotorPort::A, "outA"),
        (MotorPort::B, "outB"),
        (MotorPort::C, "outC"),
        (MotorPort::D, "outD"),
    ] {
        for time in [None, Some(Duration::from_millis(700))] {
            let (mut ms, mut ended) = (0, false);
            let (mut up, mut parked) = (0, 0);
            while !ended {
                let (mut brick, world) = crane(&mechanism, State::solved(3));
                let mut driver = driver(&mut brick, &mechanism, 3);
                world.unplug_at(port, Duration::from_millis(ms), time);
                let result = driver.home();
                let result = result.and_then(|()| everything().into_iter().try_for_each(|p| driver.perform(p)));
                assert_eq!(world.fault(), None, "{place} at {ms} ms: {result:?}");
                match result {
                    Ok(()) => ended = true,
                    Err(error) => {
                        assert!(error.to_string().contains(place), "at {ms} ms: {error}");
                        assert!(
                            world.is_cube_down() || error.is_cube_up(),
                            "{place} at {ms} ms: {error}"
                        );
                        up += u32::from(error.is_cube_up());
                        parked += u32::from(world.parked());
                    }
                }
                ms += 55;
            }
            println!("{place} for {time:?}: {up} up, {parked} parked, {} in all", ms / 55);
            assert!(parked > 40, "{place}: {parked}, {up}");
        }
    }
}

#[test]
fn what_blocks_a_part_for_good_is_named_and_the_cube_comes_down_if_it_can() {
    let mechanism = Mechanism::builtin();
    for (port, part) in [
        (MotorPort::A, "lifted"),
        (MotorPort::B, "flip"),
        (MotorPort::C, "turntable"),
        (MotorPort::D, "squisher"),
    ] {
        for after in 0..everything().len() {
            let (mut brick, world) = crane(&mechanism, State::solved(3));
            let mut driver = driver(&mut brick, &mechanism, 3);
            driver.home().unwrap();
            let all = everything();
            let (before, rest) = all.split_at(after);
            before.iter().for_each(|&p| driver.perform(p).unwrap());
            world.jam_for_good(port);
            let result = rest.iter().try_for_each(|&p| driver.perform(p));
            assert_eq!(world.fault(), None, "{port:?} after {after}: {result:?}");
            let Err(error) = result else { continue };
            assert!(error.to_string().contains(part), "{port:?} after {after}: {error}");
            // A part that moves one way also moves back. But a turntable that does not square the layers keeps the cube up.
            assert!(
                world.is_cube_down() != error.is_cube_up(),
                "{port:?} after {after}: {error}"
            );
        }
    }
}

#[test]
fn a_motor_that_waits_is_hardly_looked_at() {
    let mechanism = Mechanism::builtin();
    let turns = random_turns(7, 60, &mut ChaCha8Rng::seed_from_u64(1));
    let (mut brick, world) = crane(&mechanism, State::solved(7));
    let plan = Planner::new(&mechanism, 7).unwrap().plan(Pose::START, &turns);
    let mut driver = driver(&mut brick, &mechanism, 7);
    driver.home().unwrap();
    let (began, asked) = (world.seconds(), world.asked());
    plan.primitives.iter().for_each(|&p| driver.perform(p).unwrap());
    let rate = (world.asked() - asked) as f64 / (world.seconds() - began);
    println!("{rate:.0} looks a second");
    // Each takes the brick 0.2 ms: 5 % of its time.
    assert!(rate < 250.0, "{rate} looks a second");
}
