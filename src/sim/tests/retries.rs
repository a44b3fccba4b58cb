//! How often the crane's driver tries again, what it does between, and parts that were pushed by hand.

use super::*;
use crate::drive::StepKind;

/// What a driver tells of its steps while it does something, how often it tries again, and how that ends.
fn told(
    mechanism: &Mechanism,
    before: &[Primitive],
    jam: (MotorPort, u32),
    act: Primitive,
) -> (Vec<StepKind>, u32, Result<(), MachineError>) {
    let (mut brick, world) = crane(mechanism, State::solved(3));
    let mut driver = driver(&mut brick, mechanism, 3);
    driver.home().unwrap();
    for &primitive in before {
        driver.perform(primitive).unwrap();
    }
    let steps = Rc::new(RefCell::new(Vec::new()));
    driver.drive().watch({
        let steps = steps.clone();
        Box::new(move |step| steps.borrow_mut().push(step.kind))
    });
    world.jam(jam.0, jam.1);
    let result = driver.perform(act);
    let retries = driver.drive().retries();
    assert_eq!(world.fault(), None, "{jam:?}, {act}");
    let steps = steps.borrow().clone();
    (steps, retries, result)
}

#[test]
fn each_jam_is_one_further_try_until_there_have_been_enough() {
    let mechanism = Mechanism::builtin();
    let tries = mechanism.retry.tries;
    for (port, before, act) in [
        (MotorPort::A, vec![], up(2)),
        (MotorPort::B, vec![], Primitive::Flip),
        (MotorPort::C, vec![up(1)], turn(1)),
        (MotorPort::D, vec![up(3)], Primitive::Press),
    ] {
        for jams in 0..tries {
            let (_, retries, result) = told(&mechanism, &before, (port, jams), act);
            result.unwrap();
            assert_eq!(retries, jams, "{port:?}");
        }
        let (_, retries, result) = told(&mechanism, &before, (port, tries), act);
        // A table that is blocked goes back.
        assert!(
            result.is_err() && (retries == tries - 1 || port == MotorPort::C),
            "{port:?}"
        );
    }
}

#[test]
fn a_jammed_lift_is_settled_with_the_cube_held_unless_a_push_may_be_enough() {
    // A jam comes after a quarter of the way.
    for (percent, settles) in [(10, false), (20, false), (35, true), (90, true)] {
        for before in [vec![], vec![up(1)]] {
            let mut mechanism = Mechanism::builtin();
            mechanism.retry.least_lift_percent = percent;
            let (steps, retries, result) = told(&mechanism, &before, (MotorPort::A, 1), up(3));
            result.unwrap();
            let begin = StepKind::Begin(up(3).code());
            let expected = if settles {
                vec![begin, StepKind::Held, StepKind::Free]
            } else {
                vec![begin]
            };
            assert_eq!((steps, retries), (expected, u32::from(settles)), "{percent} {before:?}");
        }
    }
}

#[test]
fn after_the_last_jam_of_a_lift_nothing_is_settled_any_more() {
    let mechanism = Mechanism::builtin();
    let tries = mechanism.retry.tries;
    let (steps, _, _) = told(&mechanism, &[], (MotorPort::A, tries), up(2));
    let settled = steps.windows(2).filter(|two| *two == [StepKind::Held, StepKind::Free]);
    assert_eq!(settled.count(), tries as usize - 1);
}

/// Moves a part by hand.
fn push(driver: &mut Driver, port: MotorPort, by: i32) {
    let brick = driver.drive().brick();
    let motor = brick.motor(port).unwrap();
    let to = motor.position().unwrap() + by;
    let profile = Profile {
        speed: 100,
        ramp_up_ms: 0,
        ramp_down_ms: 0,
        stop: StopAction::Hold,
    };
    motor.run_to(to, &profile).unwrap();
    brick.clock.sleep(Duration::from_secs(1));
}

#[test]
fn a_part_that_was_pushed_by_hand_goes_back_before_anything_depends_on_it() {
    let mechanism = Mechanism::builtin();
    let elsewhere = [
        (vec![], MotorPort::C, 40, up(2)),
        (vec![up(3)], MotorPort::C, 40, up(0)),
        (vec![up(3)], MotorPort::C, -40, up(1)),
        (vec![], MotorPort::C, 40, Primitive::Clear),
        (vec![up(3)], MotorPort::C, 40, Primitive::Press),
        (vec![up(1)], MotorPort::A, 20, turn(1)),
        (vec![up(1)], MotorPort::A, -20, turn(3)),
        (vec![up(3)], MotorPort::A, 20, yaw(1)),
        (vec![], MotorPort::A, -12, Primitive::Flip),
    ];
    for (before, port, by, act) in elsewhere {
        let (mut brick, world) = crane(&mechanism, State::solved(3));
        let mut driver = driver(&mut brick, &mechanism, 3);
        driver.home().unwrap();
        let mut pose = Pose::START;
        let mut expected = State::solved(3);
        for &primitive in &before {
            driver.perform(primitive).unwrap();
            pose = pose.act(primitive, &mut expected).unwrap();
        }
        push(&mut driver, port, by);
        driver.perform(act).unwrap();
        pose.act(act, &mut expected).unwrap();
        let [table, height] = [MotorPort::C, MotorPort::A].map(|port| {
            let motor = driver.drive().brick().motor(port).unwrap();
            motor.position().unwrap()
        });
        let off = table.rem_euclid(mechanism.turntable.quarter);
        assert!(
            off.min(mechanism.turntable.quarter - off) <= 8,
            "{before:?} {act}: {table}"
        );
        let rows = pose.after(3, act).map_or(pose.rows, |pose| pose.rows);
        let at = mechanism.height(mechanism.size(3).unwrap(), rows);
        assert!((height - at).abs() <= 8, "{before:?} {act}: {height} and not {at}");
        driver.park().unwrap();
        assert_eq!((world.fault(), world.parked()), (None, true), "{before:?} {act}");
    }
}

#[test]
fn the_ground_is_found_again_each_time_that_the_cube_was_put_down_so_often() {
    for every in [0, 1, 3] {
        let mut mechanism = Mechanism::builtin();
        mechanism.retry.zero_every = every;
        let (mut brick, world) = crane(&mechanism, State::solved(3));
        let mut driver = driver(&mut brick, &mechanism, 3);
        driver.home().unwrap();
        let seconds: Vec<f64> = (0..7)
            .map(|_| {
                driver.perform(up(1)).unwrap();
                let begin = world.seconds();
                driver.perform(up(0)).unwrap();
                world.seconds() - begin
            })
            .collect();
        let quick = seconds.iter().copied().fold(f64::INFINITY, f64::min);
        for (i, &one) in (1u32..).zip(&seconds) {
            let again = every > 0 && i % every == 0;
            assert_eq!(one > quick + 0.1 || every == 1, again, "{every}, {i}: {seconds:?}");
        }
    }
}
