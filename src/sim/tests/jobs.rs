//! Whole jobs without a picture, and aborts in them.

use super::*;

/// Scans, plans the inverse of the scramble and performs it; gives the planned and the measured seconds of the turning.
fn whole_job(mechanism: &Mechanism, turns: &[Turn], n: usize) -> (f64, f64) {
    let mut cube = State::solved(n);
    cube.turn_all(turns);
    let witness = Witness::default();
    let (mut brick, world) = machine(mechanism, cube.clone(), Box::new(witness.clone())).unwrap();
    let mut driver = Driver::new(&mut brick, mechanism, Box::new(|| false)).unwrap();
    driver.home().unwrap();
    let mut looks = first_looks(Pose::START).unwrap();
    let mut sides = [const { Vec::new() }; 6];
    let mut taken = 0;
    while taken < 6 {
        if taken == 4 {
            driver.set_size(n).unwrap();
            looks.extend(last_looks(n, looks[3].pose.into()).unwrap());
        }
        let look = &looks[taken];
        for &motion in &look.motions {
            Robot::perform(&mut driver, motion).unwrap();
        }
        driver.drive().brick().camera.frame().unwrap();
        let view = witness.0.borrow().last().unwrap().clone();
        assert!(!view.blocked);
        assert_eq!((view.face, view.quarters), (look.face, look.quarters));
        sides[look.face as usize] = Lie::turned(look.quarters).upright(n, &view.colours);
        taken += 1;
    }
    assert_eq!(State::from_colours(sides.concat()).unwrap(), cube);

    let solution: Vec<Turn> = turns.iter().rev().map(|turn| turn.inverse()).collect();
    let plan = Planner::new(mechanism, n)
        .unwrap()
        .plan(looks[5].pose.into(), &solution);
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
fn a_squisher_that_opens_while_a_yaw_begins_takes_no_time_to_open() {
    let mechanism = Mechanism::builtin();
    for n in 2..=7u8 {
        let press = Costs::new(&mechanism, n.into()).unwrap().of(n, Primitive::Press);
        let (mut brick, world) = crane(&mechanism, State::solved(n.into()));
        let mut driver = driver(&mut brick, &mechanism, n.into());
        driver.home().unwrap();
        driver.perform(up(n)).unwrap();
        for quarters in 1..=3 {
            let times = [yaw(quarters), Primitive::Press, yaw(quarters)].map(|primitive| {
                let begin = world.seconds();
                driver.perform(primitive).unwrap();
                (world.seconds() - begin) * 1000.0
            });
            let as_planned = (times[1] - f64::from(press)).abs() < 15.0;
            assert!(
                as_planned && times[2] - times[0] < 15.0,
                "{n}, {quarters}: {times:?}, {press}"
            );
        }
        driver.perform(up(0)).unwrap();
        assert_eq!(world.fault(), None);
    }
}

#[test]
fn a_pressed_cube_that_does_not_yaw_or_could_not_be_let_go_in_time_is_let_go_first() {
    // So slow that it would press the cube until the table goes back.
    let mut mechanism = Mechanism::builtin();
    mechanism.squisher.press.speed = 100;
    for next in [
        up(0),
        up(1),
        Primitive::Flip,
        Primitive::Squish,
        Primitive::Press,
        yaw(1),
        yaw(3),
    ] {
        let (mut brick, world) = crane(&mechanism, State::solved(3));
        let mut driver = driver(&mut brick, &mechanism, 3);
        driver.home().unwrap();
        for primitive in [up(3), Primitive::Press, next] {
            driver.perform(primitive).unwrap();
        }
        driver.park().unwrap();
        assert_eq!((world.fault(), world.parked()), (None, true), "{next}");
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

#[test]
fn the_view_is_blocked_by_the_flipper_and_by_a_lifted_cube() {
    let mechanism = Mechanism::builtin();
    let witness = Witness::default();
    let (mut brick, _) = machine(&mechanism, State::solved(3), Box::new(witness.clone())).unwrap();
    let mut driver = driver(&mut brick, &mechanism, 3);
    driver.home().unwrap();
    for primitive in [Primitive::Flip, Primitive::Clear, up(1), up(0)] {
        driver.perform(primitive).unwrap();
        driver.drive().brick().camera.frame().unwrap();
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
        let mut driver = Driver::new(&mut brick, &mechanism, Box::new(|| clock.seconds() > asked.get())).unwrap();
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
            Err(MachineError::Aborted { by }) => prop_assert_eq!(by, if by_touch { "touch sensor" } else { "stop signal" }),
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
    let mut ms = 0;
    loop {
        let (mut brick, world) = crane(&mechanism, State::solved(3));
        let mut driver = driver(&mut brick, &mechanism, 3);
        driver.home().unwrap();
        world.press_at(Duration::from_secs_f64(world.seconds() + f64::from(ms) / 1000.0));
        let error = everything()
            .into_iter()
            .find_map(|primitive| driver.perform(primitive).err());
        let Some(error) = error else { break };
        assert!(matches!(error, MachineError::Aborted { .. }), "{ms} ms: {error}");
        assert_eq!(world.fault(), None, "{ms} ms");
        assert!(world.parked(), "{ms} ms");
        ms += 6;
    }
    assert!(ms > 6000);
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
fn a_driver_knows_the_looks_of_a_scan_for_those_who_do_not_know_cranes() {
    let mechanism = Mechanism::builtin();
    let (mut brick, _) = crane(&mechanism, State::solved(3));
    let driver = driver(&mut brick, &mechanism, 3);
    let away = Pose {
        flipper: Pose::START.flipper.other(),
        ..Pose::START
    };
    for pose in [Pose::START, away] {
        let looks = driver.first_looks(pose.into()).unwrap();
        assert_eq!((looks.len(), &looks), (4, &first_looks(pose).unwrap()));
        for n in 2..=7 {
            let looks = driver.last_looks(n, pose.into()).unwrap();
            assert_eq!((looks.len(), &looks), (2, &last_looks(n, pose).unwrap()));
        }
        let lifted = Pose { rows: 1, ..pose };
        assert!(driver.first_looks(lifted.into()).is_err() && driver.last_looks(3, lifted.into()).is_err());
    }
}
