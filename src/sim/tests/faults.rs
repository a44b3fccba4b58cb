//! Tests of the faults that the world finds.

use super::*;
use crate::sim::assembled::PORTS;

/// Does something with the motors that the driver never does. Gives the fault.
fn fault_of(n: usize, prepare: &[Primitive], act: impl FnOnce(&mut Brick)) -> (WorldFault, String) {
    let mechanism = Mechanism::builtin();
    let (mut brick, world) = crane(&mechanism, State::solved(n));
    let mut driver = driver(&mut brick, &mechanism, n);
    driver.home().unwrap();
    for &primitive in prepare {
        driver.perform(primitive).unwrap();
    }
    assert_eq!(world.fault(), None);
    act(driver.drive().brick());
    let error = driver
        .drive()
        .brick()
        .motor(MotorPort::A)
        .unwrap()
        .position()
        .unwrap_err();
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
    let _ = brick.motor(port).unwrap().run_to(target, &profile);
    brick.clock.sleep(Duration::from_secs(3));
}

#[test]
fn what_the_real_crane_cannot_do_is_a_fault_with_a_name() {
    let [a, b, c, d] = PORTS;
    let fault = |prepare: &[Primitive], moves: &[(MotorPort, i32, i32)]| {
        fault_of(3, prepare, |brick| {
            moves.iter().for_each(|&(port, to, speed)| run(brick, port, to, speed))
        })
        .0
    };
    // The table stops where the last leg has not squared it.
    assert_eq!(
        fault(&[up(3)], &[(c, 60, 500), (a, 0, 500)]),
        WorldFault::TableOffSquare(13)
    );
    assert_eq!(
        fault(&[], &[(c, 100, 500), (a, -239, 500)]),
        WorldFault::TableOffSquare(21)
    );
    // Not far enough past the end: the play has eaten the turn.
    assert_eq!(
        fault(&[up(1)], &[(c, 420, 500), (d, 50, 500), (a, 0, 500)]),
        WorldFault::SquisherForced
    );
    assert_eq!(
        fault(&[up(1)], &[(d, 30, 500), (c, 420, 500), (d, 50, 500), (a, 0, 500)]),
        WorldFault::LayersOffSquare(44)
    );
    assert_eq!(fault(&[], &[(b, -70, 200), (a, -239, 500)]), WorldFault::FlipperHalfWay);
    assert_eq!(
        fault(&[], &[(a, -100, 500), (b, -140, 300)]),
        WorldFault::FlippedWithRowsUp
    );
    assert_eq!(
        fault(&[up(2)], &[(b, -70, 500), (a, 0, 500)]),
        WorldFault::FlipperHalfWay
    );
    assert_eq!(fault(&[], &[(b, -140, 1020)]), WorldFault::FlippedTooFast);
    assert_eq!(
        fault(&[], &[(a, -217, 500), (c, 420, 500)]),
        WorldFault::TurnedBetweenRows
    );
    assert_eq!(
        fault(&[up(2)], &[(d, 120, 400), (c, 420, 500)]),
        WorldFault::SquisherClosed
    );
    assert_eq!(
        fault(&[up(3)], &[(d, 120, 400), (a, 0, 500)]),
        WorldFault::SquisherClosed
    );
    // The table turns the cube against a squisher that stays where it is.
    assert_eq!(
        fault(&[up(3)], &[(d, 120, 400), (c, -500, 500)]),
        WorldFault::SquisherForced
    );
}

#[test]
fn a_squisher_may_press_the_cube_until_a_yaw_comes_to_its_end() {
    let yawed = |let_go_at: i32| {
        let mechanism = Mechanism::builtin();
        let (mut brick, world) = crane(&mechanism, State::solved(3));
        let mut driver = driver(&mut brick, &mechanism, 3);
        driver.home().unwrap();
        driver.perform(up(3)).unwrap();
        let brick = driver.drive().brick();
        run(brick, MotorPort::D, 120, 400);
        // The squisher goes along, and opens at some place of the first leg.
        for table in (20..=500).step_by(20) {
            let pressed = if table < let_go_at { 120 } else { 0 };
            run(brick, MotorPort::C, table, 500);
            run(brick, MotorPort::D, mechanism.dragged(table) + pressed, 400);
        }
        run(brick, MotorPort::D, mechanism.dragged(420), 400);
        run(brick, MotorPort::C, 420, 500);
        run(brick, MotorPort::A, 0, 500);
        world.fault()
    };
    assert_eq!(yawed(0), None);
    assert_eq!(yawed(400), None);
    assert_eq!(yawed(520), Some(WorldFault::LayersOffSquare(17)));
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
        brick.motor(MotorPort::C).unwrap().run_to(15, &slow).unwrap();
        brick.motor(MotorPort::A).unwrap().run_to(-239, &slow).unwrap();
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
