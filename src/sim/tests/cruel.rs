//! Turning on a crane on which much goes wrong: it ends solved, or parked with a name; and the driver knows what became of the cube.

use super::*;

/// What the issue of faults is measured with.
const COMMON: Faults = Faults {
    jam: 1.0,
    stall: 1.0,
    slip: 5.0,
    ..Faults::NONE
};

/// How turning ended.
struct Ended {
    result: Result<(), CraneError>,
    world: WorldHandle,
    solved: bool,
}

/// Turns a cube of size `n` back that was turned so often, `setup` being what is wrong with the world.
fn turned_back(n: usize, count: usize, seed: u64, setup: impl FnOnce(&WorldHandle)) -> Ended {
    let mechanism = Mechanism::builtin();
    let turns = random_turns(n, count, &mut ChaCha8Rng::seed_from_u64(seed));
    let mut cube = State::solved(n);
    cube.turn_all(&turns);
    let back: Vec<Turn> = turns.iter().rev().map(|turn| turn.inverse()).collect();
    let (mut brick, world) = crane(&mechanism, cube.clone());
    world.set_limit(Duration::from_secs(7200));
    setup(&world);
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
    if last_turn != LastTurn::InDoubt && !result.as_ref().is_err_and(CraneError::is_cube_up) {
        // Parking may have tipped it, and the driver knows.
        cube.rotate(pose.orientation.inverse().then(driver.pose().orientation));
        assert_eq!(world.cube(), cube, "size {n} seed {seed}: {result:?}");
    }
    let solved = world.cube().is_solved();
    Ended {
        result,
        world,
        solved,
    }
}

/// Whatever happens, nothing breaks or hangs; what ends well is solved, and what does not is parked if its motors allow it.
fn faulty(n: usize, count: usize, seed: u64, faults: Faults) -> Ended {
    let faults = Faults { seed, ..faults };
    let ended = turned_back(n, count, seed, |world| world.set_faults(&faults));
    let Ended { result, world, solved } = &ended;
    assert_eq!(world.fault(), None, "size {n} seed {seed}: {result:?}");
    match result {
        Ok(()) => assert!(*solved && world.parked(), "size {n} seed {seed}"),
        Err(CraneError::NotParked { .. }) => assert!(!world.motors_work() || faults.unplug > 0.0),
        Err(error) => assert!(world.parked(), "size {n} seed {seed}: {error}"),
    }
    ended
}

#[test]
fn with_jams_stalls_and_slips_turning_ends_solved() {
    let (mut struck, mut solved, runs) = (0, 0, 240);
    for seed in 0..runs {
        let ended = faulty(2 + seed as usize % 6, 30, seed, COMMON);
        struck += ended.world.struck();
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
            Err(CraneError::NotParked { left: Left::CubeUp, .. }) => up += 1,
            Err(CraneError::NotParked { left: Left::CubeDown, .. }) => down += 1,
            Err(_) => parked += 1,
        }
    }
    println!("of 300: {parked} parked, {down} only down, {up} up");
    assert!(up > 0 && down > 0 && parked > 0);
}
