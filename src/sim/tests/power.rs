//! The battery, and what is plugged in wrongly.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::brick::MotorKind;
use crate::crane::Gentle;

#[test]
fn an_empty_battery_is_named_before_anything_moves() {
    let mechanism = Mechanism::builtin();
    let (mut brick, world) = crane(&mechanism, State::solved(3));
    world.set_millivolts(5999);
    let mut driver = driver(&mut brick, &mechanism, 3);
    let error = driver.home().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the battery is down to 5.9 V: charge it or change it, then start again"
    );
    assert!(world.parked() && world.seconds() < 0.2);
    world.set_millivolts(7000);
    driver.home().unwrap();
    assert_eq!(driver.drive().weak_battery(), None);
}

#[test]
fn a_battery_that_runs_down_parks_the_crane_before_the_brick_dies() {
    let mechanism = Mechanism::builtin();
    for seed in 0..8 {
        let (mut brick, world) = crane(&mechanism, State::solved(4));
        world.set_millivolts(6600);
        world.set_sag(10.0 + 5.0 * seed as f64);
        let mut driver = driver(&mut brick, &mechanism, 4);
        driver.home().unwrap();
        let turns = random_turns(4, 60, &mut ChaCha8Rng::seed_from_u64(seed));
        let plan = Planner::new(&mechanism, 4).unwrap().plan(Pose::START, &turns);
        let error = plan.primitives.iter().find_map(|&p| driver.perform(p).err()).unwrap();
        assert!(matches!(error, MachineError::LowBattery { .. }), "{error}");
        assert!(world.parked());
        assert_eq!(world.fault(), None);
        assert!(
            driver
                .drive()
                .weak_battery()
                .is_some_and(|mv| (6000..6500).contains(&mv))
        );
    }
}

#[test]
fn a_brick_whose_battery_dies_in_mid_air_is_broken() {
    let mut mechanism = Mechanism::builtin();
    mechanism.battery.least_millivolts = 0;
    let (mut brick, world) = crane(&mechanism, State::solved(3));
    let mut driver = driver(&mut brick, &mechanism, 3);
    driver.home().unwrap();
    driver.perform(up(1)).unwrap();
    world.set_millivolts(4799);
    assert!(driver.perform(turn(1)).is_err());
    assert_eq!(world.fault(), Some(WorldFault::BatteryEmpty));
}

#[test]
fn a_single_dip_stops_nothing() {
    let mechanism = Mechanism::builtin();
    let (mut brick, world) = crane(&mechanism, State::solved(3));
    let dips = world.clone();
    // The first look at the battery while it runs comes five seconds after that before.
    let mut driver = Driver::new(
        &mut brick,
        &mechanism,
        Box::new(move || {
            let dip = dips.seconds() > 4.9 && dips.seconds() < 5.4;
            dips.set_millivolts(if dip { 5800 } else { 7900 });
            false
        }),
    )
    .unwrap();
    driver.set_size(3).unwrap();
    driver.home().unwrap();
    for _ in 0..10 {
        driver.perform(up(1)).unwrap();
        driver.perform(up(0)).unwrap();
    }
    assert!(world.seconds() > 8.0);
    // The dip was seen.
    assert_eq!(driver.drive().weak_battery(), Some(5800));
}

#[test]
fn a_touch_sensor_that_is_missing_is_named_and_the_cube_comes_down_all_the_same() {
    let mechanism = Mechanism::builtin();
    for ms in [0, 2_000, 5_200, 6_000, 7_000] {
        let (mut brick, world) = crane(&mechanism, State::solved(3));
        world.unplug_touch_at(Duration::from_millis(ms));
        let mut driver = driver(&mut brick, &mechanism, 3);
        let steps = [up(1), turn(1), up(2), turn(2), up(0)];
        let result = driver
            .home()
            .and_then(|()| steps.iter().try_for_each(|&p| driver.perform(p)));
        assert_eq!(
            result.unwrap_err().to_string(),
            "no touch sensor at in1: push its cable in at both ends"
        );
        assert!(world.parked(), "{ms} ms");
        assert_eq!((world.fault(), ms > 0), (None, world.seconds() > 0.2));
    }
}

fn swap_cables(brick: &mut Brick) {
    (brick.motors[1].0, brick.motors[2].0) = (MotorPort::C, MotorPort::B);
}

#[test]
fn a_port_that_the_brick_has_not_got_is_named_before_anything_moves() {
    for part in part::ALL {
        // The cube and the other motors would be there.
        let (mut brick, world) = crane(&Mechanism::builtin(), State::solved(3));
        let mut mechanism = Mechanism::builtin();
        let specs = [
            &mut mechanism.elevator.motor,
            &mut mechanism.flipper.motor,
            &mut mechanism.turntable.motor,
            &mut mechanism.squisher.motor,
        ];
        specs.into_iter().nth(part.index).unwrap().port = MotorPort::try_from('Q').unwrap();
        let text = "this brick has no motor port Q, only A, B, C, D: correct the calibration";
        let never = AtomicBool::new(false);
        let gentle = Gentle::new(&mut brick, &mechanism, &never).err();
        assert_eq!(gentle.map(|why| why.to_string()).as_deref(), Some(text), "{part}");
        let driver = Driver::new(&mut brick, &mechanism, Box::new(|| false)).err();
        assert_eq!(driver.map(|why| why.to_string()).as_deref(), Some(text), "{part}");
        assert!(world.parked() && world.asked() == 0);
    }
}

#[test]
fn swapped_motors_are_named_before_anything_moves() {
    let mechanism = Mechanism::builtin();
    let (mut brick, world) = crane(&mechanism, State::solved(3));
    swap_cables(&mut brick);
    let mut driver = driver(&mut brick, &mechanism, 3);
    assert_eq!(
        driver.home().unwrap_err().to_string(),
        "the flipper's motor at port B is a large one and should be a medium one: swap the cables, or correct the calibration"
    );
    assert!(world.parked() && world.seconds() < 0.2);
    // A calibration may leave it open.
    let mut open = mechanism.clone();
    open.flipper.motor.kind = None;
    open.turntable.motor.kind = Some(MotorKind::Medium);
    let (mut brick, _) = crane(&mechanism, State::solved(3));
    swap_cables(&mut brick);
    let mut driver = Driver::new(&mut brick, &open, Box::new(|| false)).unwrap();
    assert!(!matches!(driver.home(), Err(MachineError::WrongMotor { .. })));
}
