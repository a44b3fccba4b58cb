//! Cranes whose parts are moved one at a time, as calibrating does.

use super::*;
use crate::crane::Gentle;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// A crane that another program has left with so many rows in the turntable, the squisher pressed or not.
fn left(mechanism: &Mechanism, n: usize, rows: u8, pressed: bool) -> (Brick, WorldHandle) {
    let (mut brick, world) = crane(mechanism, State::solved(n));
    let mut driver = driver(&mut brick, mechanism, n);
    driver.home().unwrap();
    driver.perform(up(rows)).unwrap();
    if pressed {
        driver.perform(Primitive::Press).unwrap();
    }
    drop(driver);
    (brick, world)
}

fn at(brick: &mut Brick, port: MotorPort) -> i32 {
    brick.motor(port).unwrap().position().unwrap()
}

#[test]
fn a_cube_that_calibrating_has_left_up_and_pressed_comes_down_without_any_zero() {
    let mechanism = Mechanism::builtin();
    for n in 2..=7u8 {
        for (rows, pressed) in (0..=n).map(|rows| (rows, false)).chain([(n, true)]) {
            let (mut brick, world) = left(&mechanism, n.into(), rows, pressed);
            Gentle::new(&mut brick, &mechanism, &GO_ON)
                .unwrap()
                .rest_blindly()
                .unwrap();
            assert!(world.parked(), "{n}, {rows} rows, {pressed}");
            assert_eq!(world.fault(), None);
        }
    }
}

#[test]
fn the_ground_is_where_the_elevator_stands_and_a_part_goes_back_to_where_it_was_zero() {
    let mechanism = Mechanism::builtin();
    for n in [2, 3, 5] {
        let (mut brick, world) = left(&mechanism, n, 1, false);
        let mut gentle = Gentle::new(&mut brick, &mechanism, &GO_ON).unwrap();
        gentle.find_ground().unwrap();
        gentle.open_squisher().unwrap();
        assert!(world.is_cube_down());
        let [ground, open] = [MotorPort::A, MotorPort::D].map(|port| at(gentle.parts.brick(), port));
        assert!(ground.abs() <= 2 && open.abs() <= 2, "{ground}, {open}");
        let up = mechanism.height(mechanism.size(n).unwrap(), 1);
        let there = gentle.parts.go(part::ELEVATOR, up).unwrap();
        assert!((there - up).abs() < 8 && !world.is_cube_down(), "{there} and not {up}");
        gentle.rest().unwrap();
        assert!(world.parked());
        assert_eq!(world.fault(), None);
    }
}

#[test]
fn a_pressed_squisher_is_opened_to_its_end() {
    let mechanism = Mechanism::builtin();
    let (mut brick, _) = left(&mechanism, 3, 3, true);
    let pressed = at(&mut brick, MotorPort::D);
    let mut gentle = Gentle::new(&mut brick, &mechanism, &GO_ON).unwrap();
    gentle.open_squisher().unwrap();
    // It is 0 where it is open; a push goes no further.
    let squish = mechanism.size(3).unwrap().squish;
    assert!((pressed - squish).abs() < squish / 2);
    gentle.parts.go(part::SQUISHER, squish / 2).unwrap();
    let end = gentle
        .parts
        .push(part::SQUISHER, -mechanism.squisher.home_speed, 1000)
        .unwrap();
    assert!(end.is_some_and(|end| end.abs() <= 8), "{end:?}");
}
