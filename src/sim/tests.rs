//! Whole jobs of the driver on the simulated crane: what counts is the physical cube at the end.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::brick::{Brick, DeviceError, Motor, MotorPort, MotorState, Profile, StopAction};
use crate::crane::{CraneError, Driver, Mechanism, Part, Planner, Pose, Primitive, first_looks, last_looks, upright};
use crate::cube::{Face, State, Turn, random_turns, scramble};
use crate::picture::{Frame, PixelFormat};

/// An eye that only remembers what it saw.
#[derive(Clone, Default)]
struct Witness(Rc<RefCell<Vec<View>>>);

impl Eye for Witness {
    fn look(&mut self, view: &View) -> Result<Frame, DeviceError> {
        self.0.borrow_mut().push(view.clone());
        Ok(Frame {
            width: 0,
            height: 0,
            stride: 0,
            format: PixelFormat::Rgb8,
            data: Vec::new(),
        })
    }
}

fn crane(mechanism: &Mechanism, cube: State) -> (Brick, WorldHandle) {
    machine(mechanism, cube, Box::new(Witness::default())).unwrap()
}

fn driver<'a>(brick: &'a mut Brick, mechanism: &'a Mechanism, n: usize) -> Driver<'a> {
    let mut driver = Driver::new(brick, mechanism, Box::new(|| false));
    driver.set_size(n).unwrap();
    driver
}

fn turn(quarters: u8) -> Primitive {
    Primitive::Turn { quarters, flip: false }
}

fn yaw(quarters: u8) -> Primitive {
    Primitive::Yaw { quarters, flip: false }
}

fn up(rows: u8) -> Primitive {
    Primitive::Elevate { rows }
}

/// Scans, plans the inverse of the scramble and performs it; gives the planned and the measured seconds of the turning.
fn whole_job(mechanism: &Mechanism, turns: &[Turn], n: usize) -> (f64, f64) {
    let mut cube = State::solved(n);
    cube.turn_all(turns);
    let witness = Witness::default();
    let (mut brick, world) = machine(mechanism, cube.clone(), Box::new(witness.clone())).unwrap();
    let mut driver = Driver::new(&mut brick, mechanism, Box::new(|| false));
    driver.home().unwrap();
    let mut looks = first_looks(Pose::START).unwrap();
    let mut sides = [const { Vec::new() }; 6];
    let mut taken = 0;
    while taken < 6 {
        if taken == 4 {
            driver.set_size(n).unwrap();
            looks.extend(last_looks(n, looks[3].pose).unwrap());
        }
        let look = &looks[taken];
        for &primitive in &look.primitives {
            driver.perform(primitive).unwrap();
        }
        driver.brick().camera.frame().unwrap();
        let view = witness.0.borrow().last().unwrap().clone();
        assert!(!view.blocked);
        assert_eq!((view.face, view.quarters), (look.face, look.quarters));
        sides[look.face as usize] = upright(n, &view.colours, look.quarters);
        taken += 1;
    }
    assert_eq!(State::from_colours(sides.concat()).unwrap(), cube);

    let solution: Vec<Turn> = turns.iter().rev().map(|turn| turn.inverse()).collect();
    let plan = Planner::new(mechanism, n).unwrap().plan(looks[5].pose, &solution);
    let begin = world.seconds();
    for &primitive in &plan.primitives {
        if let Err(error) = driver.perform(primitive) {
            panic!("{primitive:?}: {error}");
        }
    }
    let measured = world.seconds() - begin;
    driver.park().unwrap();
    assert!(world.parked());
    assert_eq!(world.fault(), None);
    assert!(world.cube().is_solved(), "{}", world.cube());
    (f64::from(plan.milliseconds) / 1000.0, measured)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(36))]

    #[test]
    fn a_scrambled_cube_in_the_crane_is_scanned_and_ends_solved(n in 2usize..8, seed: u64) {
        let turns = scramble(n, &mut ChaCha8Rng::seed_from_u64(seed));
        let (planned, measured) = whole_job(&Mechanism::builtin(), &turns, n);
        prop_assert!((measured / planned - 1.0).abs() < 0.04, "{n}: {planned} s planned, {measured} s measured");
    }
}

#[test]
fn another_robot_is_another_file() {
    let mut mechanism = Mechanism::builtin();
    // Elevator and turntable geared the other way round, motors plugged in elsewhere, the flipper slower, no overlap.
    let e = &mut mechanism.elevator;
    (e.clear, e.row_offset, e.home_lift) = (-e.clear, -e.row_offset, -e.home_lift);
    mechanism
        .sizes
        .iter_mut()
        .for_each(|size| size.rows.iter_mut().for_each(|row| *row = -*row));
    mechanism.turntable.quarter = -560;
    mechanism.squisher.table_degrees_per_degree = 7.0;
    (mechanism.elevator.motor.port, mechanism.squisher.motor.port) = (MotorPort::D, MotorPort::A);
    mechanism.flipper.with_cube.speed = 300;
    mechanism.timing.overlap_empty_flips = false;
    let turns = random_turns(4, 20, &mut ChaCha8Rng::seed_from_u64(4));
    whole_job(&mechanism, &turns, 4);
}

#[test]
fn a_weak_battery_makes_it_slower_but_not_wrong() {
    let mechanism = Mechanism::builtin();
    let (mut brick, world) = crane(&mechanism, State::solved(3));
    let mut driver = driver(&mut brick, &mechanism, 3);
    driver.home().unwrap();
    let mut seconds = [0.0; 2];
    for (i, millivolts) in [8300, 6500].into_iter().enumerate() {
        world.set_millivolts(millivolts);
        let begin = world.seconds();
        for primitive in [up(1), turn(1), turn(3), up(0)] {
            driver.perform(primitive).unwrap();
        }
        seconds[i] = world.seconds() - begin;
    }
    assert!(seconds[1] > 1.1 * seconds[0], "{seconds:?}");
    assert!(world.cube().is_solved());
}

/// Does something with the motors that the driver never does; gives the fault.
fn fault_of(n: usize, prepare: &[Primitive], act: impl FnOnce(&mut Brick)) -> (WorldFault, String) {
    let mechanism = Mechanism::builtin();
    let (mut brick, world) = crane(&mechanism, State::solved(n));
    let mut driver = driver(&mut brick, &mechanism, n);
    driver.home().unwrap();
    for &primitive in prepare {
        driver.perform(primitive).unwrap();
    }
    assert_eq!(world.fault(), None);
    act(driver.brick());
    let error = driver.brick().motor(MotorPort::A).position().unwrap_err();
    (world.fault().unwrap(), error.to_string())
}

fn run(brick: &mut Brick, port: MotorPort, target: i32, speed: i32) {
    let profile = Profile {
        speed,
        ramp_up_ms: 0,
        ramp_down_ms: 0,
        stop: StopAction::Hold,
    };
    // A fault shows in the world.
    let _ = brick.motor(port).run_to(target, &profile);
    brick.clock.sleep(Duration::from_secs(3));
}

#[test]
fn what_the_real_crane_cannot_do_is_a_fault_with_a_name() {
    use MotorPort::{A, B, C, D};
    let fault = |prepare: &[Primitive], moves: &[(MotorPort, i32, i32)]| {
        fault_of(3, prepare, |brick| {
            moves.iter().for_each(|&(port, to, speed)| run(brick, port, to, speed))
        })
        .0
    };
    // The table stops where the last leg has not squared it.
    assert_eq!(
        fault(&[up(3)], &[(C, 60, 500), (A, 0, 500)]),
        WorldFault::TableOffSquare(13)
    );
    assert_eq!(
        fault(&[], &[(C, 100, 500), (A, -239, 500)]),
        WorldFault::TableOffSquare(21)
    );
    // Not far enough past the end: the play has eaten the turn.
    assert_eq!(
        fault(&[up(1)], &[(C, 420, 500), (D, 50, 500), (A, 0, 500)]),
        WorldFault::SquisherForced
    );
    assert_eq!(
        fault(&[up(1)], &[(D, 30, 500), (C, 420, 500), (D, 50, 500), (A, 0, 500)]),
        WorldFault::LayersOffSquare(44)
    );
    assert_eq!(fault(&[], &[(B, -70, 200), (A, -239, 500)]), WorldFault::FlipperHalfWay);
    assert_eq!(
        fault(&[], &[(A, -100, 500), (B, -140, 300)]),
        WorldFault::FlippedWithRowsUp
    );
    assert_eq!(
        fault(&[up(2)], &[(B, -70, 500), (A, 0, 500)]),
        WorldFault::FlipperHalfWay
    );
    assert_eq!(fault(&[], &[(B, -140, 1020)]), WorldFault::FlippedTooFast);
    assert_eq!(
        fault(&[], &[(A, -217, 500), (C, 420, 500)]),
        WorldFault::TurnedBetweenRows
    );
    assert_eq!(
        fault(&[up(3)], &[(D, 120, 400), (C, 420, 500)]),
        WorldFault::SquisherClosed
    );
    assert_eq!(
        fault(&[up(3)], &[(D, 120, 400), (A, 0, 500)]),
        WorldFault::SquisherClosed
    );
}

#[test]
fn a_fault_ends_the_run_with_its_name() {
    let (_, error) = fault_of(3, &[], |brick| run(brick, MotorPort::B, -140, 1020));
    assert_eq!(
        error,
        "simulated motor at outA failed: the flipper tipped the cube too fast"
    );
}

#[test]
fn lifting_while_the_table_turns_is_refused() {
    let (fault, _) = fault_of(3, &[up(1)], |brick| {
        let slow = Mechanism::builtin().elevator.lower.profile(StopAction::Hold);
        brick.motor(MotorPort::C).run_to(15, &slow).unwrap();
        brick.motor(MotorPort::A).run_to(-239, &slow).unwrap();
        brick.clock.sleep(Duration::from_secs(1));
    });
    assert_eq!(fault, WorldFault::TurnedWhileLifting);
}

#[test]
fn a_cube_of_another_size_than_thought_is_not_turned() {
    // The constants of a 2x2x2 leave a 3x3x3 between two rows.
    let mechanism = Mechanism::builtin();
    let (mut brick, world) = crane(&mechanism, State::solved(3));
    let mut driver = driver(&mut brick, &mechanism, 2);
    driver.home().unwrap();
    driver.perform(up(1)).unwrap();
    assert!(driver.perform(turn(1)).is_err());
    assert_eq!(world.fault(), Some(WorldFault::TurnedBetweenRows));
}

#[test]
fn illegal_sequences_are_refused_by_name_and_park_the_crane() {
    let mechanism = Mechanism::builtin();
    for (sequence, message) in [
        (
            vec![turn(1)],
            "cannot turn layers of a 3x3x3 with 0 rows in the turntable: 1 to 2 can turn",
        ),
        (
            vec![up(1), yaw(1)],
            "cannot yaw a 3x3x3 with 1 rows in the turntable: all must be in",
        ),
        (vec![up(4)], "cannot lift 4 rows of a 3x3x3"),
        (
            vec![Primitive::Squish],
            "cannot squish a cube that is not in the turntable",
        ),
        (
            vec![up(2), Primitive::Clear],
            "cannot clear the flipper from below a cube that is lifted already: a flip does that",
        ),
    ] {
        let (mut brick, world) = crane(&mechanism, State::solved(3));
        let mut driver = driver(&mut brick, &mechanism, 3);
        driver.home().unwrap();
        let error = sequence
            .iter()
            .find_map(|&primitive| driver.perform(primitive).err())
            .unwrap();
        assert_eq!(error.to_string(), message);
        assert!(world.parked());
        assert!(matches!(driver.perform(up(0)), Err(CraneError::NotHomed)));
    }
}

#[test]
fn rows_of_a_cube_of_unknown_size_are_not_lifted() {
    let mechanism = Mechanism::builtin();
    let (mut brick, world) = crane(&mechanism, State::solved(3));
    let mut driver = Driver::new(&mut brick, &mechanism, Box::new(|| false));
    assert!(matches!(driver.perform(Primitive::Flip), Err(CraneError::NotHomed)));
    driver.home().unwrap();
    driver.perform(Primitive::Flip).unwrap();
    driver.perform(Primitive::Clear).unwrap();
    assert!(matches!(driver.perform(up(1)), Err(CraneError::SizeUnknown)));
    assert!(world.parked());
    assert!(matches!(driver.set_size(9), Err(CraneError::Mechanism(_))));
}

#[test]
fn a_single_jam_is_overcome_and_many_end_parked_with_a_name() {
    let mechanism = Mechanism::builtin();
    for (port, primitive, tries) in [(MotorPort::A, up(2), 2), (MotorPort::B, Primitive::Flip, 3)] {
        for jams in [1, tries - 1, tries] {
            let (mut brick, world) = crane(&mechanism, State::solved(3));
            let mut driver = driver(&mut brick, &mechanism, 3);
            driver.home().unwrap();
            world.jam(port, jams);
            let result = driver.perform(primitive);
            assert_eq!(world.fault(), None);
            if jams < tries {
                result.unwrap();
                driver.perform(up(1)).unwrap();
                driver.perform(turn(1)).unwrap();
                driver.perform(up(0)).unwrap();
                // The settling flips have left no trace.
                let mut expected = State::solved(3);
                let mut pose = Pose::START;
                for step in [primitive, up(1), turn(1)] {
                    pose = pose.act(step, &mut expected).unwrap();
                }
                assert_eq!(world.cube(), expected);
                driver.park().unwrap();
            } else {
                assert!(
                    matches!(result, Err(CraneError::Jammed { tries: t, .. }) if t == tries),
                    "{result:?}"
                );
            }
            assert!(world.parked());
        }
    }
}

#[test]
fn a_stuck_turntable_is_named() {
    let mechanism = Mechanism::builtin();
    let (mut brick, world) = crane(&mechanism, State::solved(3));
    let mut driver = driver(&mut brick, &mechanism, 3);
    driver.home().unwrap();
    driver.perform(up(1)).unwrap();
    world.jam(MotorPort::C, 1);
    let error = driver.perform(turn(1)).unwrap_err();
    assert!(
        matches!(
            error,
            CraneError::Stuck {
                part: Part::Turntable,
                at: 159,
                target: 634
            }
        ),
        "{error}"
    );
    // It went on when asked again, so the layers are square and the cube is down.
    assert!(world.parked());
    assert_eq!(world.fault(), None);
    let mut expected = State::solved(3);
    expected.turn(Turn::outer(Face::U, 1, 1));
    assert_eq!(world.cube(), expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn an_abort_at_any_moment_leaves_the_machine_parked(n in 2usize..8, seed: u64, after_ms in 0u64..25_000, by_touch: bool) {
        let mechanism = Mechanism::builtin();
        let turns = random_turns(n, 8, &mut ChaCha8Rng::seed_from_u64(seed));
        let (mut brick, world) = crane(&mechanism, State::solved(n));
        let plan = Planner::new(&mechanism, n).unwrap().plan(Pose::START, &turns);
        let clock = world.clone();
        let asked = std::cell::Cell::new(f64::INFINITY);
        let mut driver = Driver::new(&mut brick, &mechanism, Box::new(|| clock.seconds() > asked.get()));
        driver.set_size(n).unwrap();
        driver.home().unwrap();
        driver.perform(Primitive::Clear).unwrap();
        driver.perform(Primitive::Clear).unwrap();
        let then = world.seconds() + after_ms as f64 / 1000.0;
        if by_touch {
            world.press_at(Duration::from_secs_f64(then));
        } else {
            asked.set(then);
        }
        let mut result = Ok(());
        for &primitive in &[&[Primitive::Clear, Primitive::Clear], &plan.primitives[..]].concat() {
            result = driver.perform(primitive);
            if result.is_err() {
                break;
            }
        }
        match result {
            Ok(()) => driver.park().unwrap(),
            Err(CraneError::Aborted { by }) => prop_assert_eq!(by, if by_touch { "touch sensor" } else { "stop signal" }),
            Err(error) => prop_assert!(false, "{}", error),
        }
        prop_assert_eq!(world.fault(), None);
        prop_assert!(world.parked());
        // Nothing is left half turned: it can go on from here.
        world.press_at(Duration::MAX);
        asked.set(f64::INFINITY);
        driver.home().unwrap();
        driver.perform(up(1)).unwrap();
        driver.perform(up(0)).unwrap();
        prop_assert_eq!(world.fault(), None);
    }
}

#[test]
fn an_abort_at_every_moment_of_every_primitive_leaves_the_machine_parked() {
    let mechanism = Mechanism::builtin();
    let flip_turn = Primitive::Turn {
        quarters: 1,
        flip: true,
    };
    let sequence = [
        Primitive::Clear,
        Primitive::Flip,
        up(1),
        flip_turn,
        up(2),
        turn(2),
        up(3),
        Primitive::Squish,
        yaw(1),
        up(0),
    ];
    let mut ms = 0;
    loop {
        let (mut brick, world) = crane(&mechanism, State::solved(3));
        let mut driver = driver(&mut brick, &mechanism, 3);
        driver.home().unwrap();
        world.press_at(Duration::from_secs_f64(world.seconds() + f64::from(ms) / 1000.0));
        let error = sequence.iter().find_map(|&primitive| driver.perform(primitive).err());
        let Some(error) = error else { break };
        assert!(matches!(error, CraneError::Aborted { .. }), "{ms} ms: {error}");
        assert_eq!(world.fault(), None, "{ms} ms");
        assert!(world.parked(), "{ms} ms");
        ms += 6;
    }
    assert!(ms > 6000);
}

/// A motor that is not there, or one that says that it runs and never arrives.
struct Broken {
    missing: bool,
}

impl Broken {
    fn answer<T>(&self, value: T) -> Result<T, DeviceError> {
        if self.missing {
            return Err(DeviceError::Missing {
                what: "Large motor",
                place: "outA".to_string(),
                hint: "plug the elevator in there",
            });
        }
        Ok(value)
    }
}

impl Motor for Broken {
    fn position(&mut self) -> Result<i32, DeviceError> {
        self.answer(0)
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        self.answer(MotorState {
            running: true,
            ..MotorState::default()
        })
    }

    fn run_to(&mut self, _: i32, _: &Profile) -> Result<(), DeviceError> {
        self.answer(())
    }

    fn run(&mut self, _: i32, _: StopAction) -> Result<(), DeviceError> {
        self.answer(())
    }

    fn stop(&mut self, _: StopAction) -> Result<(), DeviceError> {
        self.answer(())
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.answer(())
    }
}

#[test]
fn a_motor_that_is_missing_or_never_arrives_ends_in_one_line_and_without_power() {
    let mechanism = Mechanism::builtin();
    for (missing, message) in [
        (true, "no Large motor at outA: plug the elevator in there"),
        (
            false,
            "the elevator did not end a motion within 2.3 s: check its cable and gears, then start again",
        ),
    ] {
        let (mut brick, world) = crane(&mechanism, State::solved(3));
        brick.motors[0] = Box::new(Broken { missing });
        let mut driver = driver(&mut brick, &mechanism, 3);
        assert_eq!(driver.home().unwrap_err().to_string(), message);
        assert!(world.parked());
    }
}

#[test]
fn the_button_that_started_the_job_does_not_stop_it() {
    let mechanism = Mechanism::builtin();
    let (mut brick, world) = crane(&mechanism, State::solved(3));
    world.press_at(Duration::ZERO);
    let mut driver = driver(&mut brick, &mechanism, 3);
    driver.home().unwrap();
    driver.perform(Primitive::Flip).unwrap();
}

#[test]
fn the_view_is_blocked_by_the_flipper_and_by_a_lifted_cube() {
    let mechanism = Mechanism::builtin();
    let witness = Witness::default();
    let (mut brick, _) = machine(&mechanism, State::solved(3), Box::new(witness.clone())).unwrap();
    let mut driver = driver(&mut brick, &mechanism, 3);
    driver.home().unwrap();
    for primitive in [Primitive::Flip, Primitive::Clear, up(1), up(0)] {
        driver.perform(primitive).unwrap();
        driver.brick().camera.frame().unwrap();
    }
    let blocked: Vec<bool> = witness.0.borrow().iter().map(|view| view.blocked).collect();
    assert_eq!(blocked, [true, false, true, false]);
    assert_eq!(witness.0.borrow()[1].face, Face::D);
}

#[test]
fn a_cube_put_in_later_is_held_as_the_one_before() {
    let mechanism = Mechanism::builtin();
    let (mut brick, world) = crane(&mechanism, State::solved(3));
    let mut driver = driver(&mut brick, &mechanism, 3);
    driver.home().unwrap();
    driver.perform(Primitive::Flip).unwrap();
    world.put(State::solved(3));
    assert_eq!(world.cube().face(Face::U)[0], Face::F);
}
