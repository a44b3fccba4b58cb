//! How the crane comes to rest with cables that were out for a moment, with parts that stick, and with a table that is not square.

use super::watched::{Told, Watch, watched};
use super::*;

const MOMENT: Duration = Duration::from_millis(50);

/// Moves a part by hand.
fn push(driver: &mut Driver, port: MotorPort, to: i32) {
    let profile = Profile {
        speed: 100,
        ramp_up_ms: 0,
        ramp_down_ms: 0,
        stop: StopAction::Hold,
    };
    let brick = driver.drive().brick();
    brick.motor(port).unwrap().run_to(to, &profile).unwrap();
    brick.clock.sleep(Duration::from_secs(4));
}

/// Takes a cable out for a while, from now on.
fn unplug(world: &WorldHandle, port: MotorPort, time: Duration) {
    world.unplug_at(port, Duration::from_secs_f64(world.seconds()), Some(time));
}

/// A crane with a 3x3x3 that has done something, without watches.
fn plain(mechanism: &Mechanism, before: &[Primitive], then: impl FnOnce(&mut Driver, &WorldHandle)) {
    let (mut brick, world) = crane(mechanism, State::solved(3));
    let mut driver = driver(&mut brick, mechanism, 3);
    driver.home().unwrap();
    before.iter().for_each(|&primitive| driver.perform(primitive).unwrap());
    then(&mut driver, &world);
    assert_eq!(world.fault(), None);
}

/// The same with motors that are watched.
fn watching(mechanism: &Mechanism, before: &[Primitive], then: impl FnOnce(&mut Driver, &[Watch], &WorldHandle)) {
    let (brick, world) = crane(mechanism, State::solved(3));
    let (mut brick, watches, _) = watched(brick);
    let mut driver = driver(&mut brick, mechanism, 3);
    driver.home().unwrap();
    before.iter().for_each(|&primitive| driver.perform(primitive).unwrap());
    then(&mut driver, &watches, &world);
    assert_eq!(world.fault(), None);
}

fn is_up(result: &Result<(), MachineError>) -> bool {
    result.as_ref().is_err_and(MachineError::is_cube_up)
}

#[test]
fn a_cable_that_is_soon_in_again_is_waited_for_and_the_cube_comes_down() {
    let mechanism = Mechanism::builtin();
    for (ms, down) in [(50, true), (900, true), (2700, true), (4500, true), (8000, false)] {
        plain(&mechanism, &[up(1)], |driver, world| {
            unplug(world, MotorPort::A, Duration::from_millis(ms));
            let began = world.seconds();
            let parked = driver.park();
            assert_eq!(
                (parked.is_ok(), world.is_cube_down()),
                (down, down),
                "{ms} ms: {parked:?}"
            );
            assert!(is_up(&parked) != down && world.seconds() - began < 30.0);
        });
    }
}

#[test]
fn nothing_is_waited_for_when_all_cables_are_in() {
    let mechanism = Mechanism::builtin();
    for out in [false, true] {
        plain(&mechanism, &[], |driver, world| {
            let began = world.seconds();
            if out {
                // Before the motors are asked whether they are there it is in again.
                unplug(world, MotorPort::A, MOMENT);
            }
            driver.park().unwrap();
            let took = world.seconds() - began;
            assert!(took < 1.0 && world.parked(), "{out}: {took} s");
        });
    }
}

#[test]
fn a_table_whose_cable_was_out_while_it_stood_stays_where_it_is() {
    let mechanism = Mechanism::builtin();
    for quarters in 1..4 {
        plain(&mechanism, &[up(1), turn(quarters)], |driver, world| {
            unplug(world, MotorPort::C, MOMENT);
            assert!(driver.perform(up(2)).is_err());
            let mut turned = State::solved(3);
            turned.turn(Turn::outer(Face::U, 1, quarters));
            assert_eq!((world.cube(), world.parked()), (turned, true));
        });
    }
}

#[test]
fn a_table_whose_cable_was_out_while_it_turned_keeps_the_cube_up() {
    let mechanism = Mechanism::builtin();
    for ms in [100, 300, 500] {
        plain(&mechanism, &[up(1)], |driver, world| {
            world.unplug_at(
                MotorPort::C,
                Duration::from_secs_f64(world.seconds()) + Duration::from_millis(ms),
                Some(MOMENT),
            );
            let error = driver.perform(turn(1)).unwrap_err();
            assert!(error.is_cube_up() && !world.is_cube_down(), "{ms}: {error}");
            assert_eq!(driver.last_turn(), LastTurn::InDoubt);
        });
    }
}

#[test]
fn a_cube_that_is_half_way_down_goes_on_though_the_table_is_not_square() {
    let mechanism = Mechanism::builtin();
    let half = mechanism.elevator.clear.abs() / 2;
    for height in [20, half - 1, half, half + 1, half + 20] {
        plain(&mechanism, &[up(1)], |driver, world| {
            push(driver, MotorPort::A, mechanism.elevator.up(height));
            push(driver, MotorPort::C, 60);
            world.jam_for_good(MotorPort::C);
            let parked = driver.park();
            let low = height <= half;
            assert_eq!(
                (parked.is_ok(), world.is_cube_down(), is_up(&parked)),
                (low, low, !low),
                "{height}: {parked:?}"
            );
        });
    }
}

#[test]
fn a_flipper_goes_home_below_a_cube_that_is_high_enough_and_else_takes_it_along() {
    let mechanism = Mechanism::builtin();
    let clear = mechanism.elevator.clear.abs();
    for lost in [false, true] {
        for height in [165, clear + 1, clear, clear - 1, clear - 8] {
            plain(&mechanism, &[up(1), Primitive::Flip], |driver, world| {
                push(driver, MotorPort::A, mechanism.elevator.up(height));
                let cube = world.cube();
                if lost {
                    unplug(world, MotorPort::B, MOMENT);
                }
                driver.park().unwrap();
                assert_eq!(
                    world.cube() == cube && driver.pose() == Pose::START,
                    height >= clear,
                    "{lost}, {height}"
                );
                assert!(world.parked());
                let mut tipped = State::solved(3);
                tipped.rotate(driver.pose().orientation);
                assert_eq!(world.cube(), tipped);
            });
        }
    }
}

#[test]
fn a_flipper_that_lost_its_place_on_its_way_goes_home_below_a_lifted_cube() {
    let mechanism = Mechanism::builtin();
    for before in [vec![up(1)], vec![up(1), Primitive::Flip]] {
        for ms in [0, 30, 60, 120] {
            plain(&mechanism, &before, |driver, world| {
                let cube = world.cube();
                let from = Duration::from_secs_f64(world.seconds()) + Duration::from_millis(ms);
                world.unplug_at(MotorPort::B, from, Some(MOMENT));
                assert!(driver.perform(Primitive::Flip).is_err());
                assert_eq!((world.parked(), world.cube()), (true, cube), "{before:?}, {ms} ms");
            });
        }
    }
}

#[test]
fn an_elevator_that_lost_its_place_counts_as_low_whatever_its_tacho_says() {
    let mechanism = Mechanism::builtin();
    for lost in [false, true] {
        watching(&mechanism, &[up(1), Primitive::Flip], |driver, watches, world| {
            if lost {
                watches[0].miss_once();
            }
            driver.park().unwrap();
            // The flipper waits until the cube is down, and takes it home.
            assert_eq!((driver.pose() != Pose::START, world.parked()), (lost, true));
        });
    }
}

#[test]
fn an_elevator_that_lost_its_place_and_sticks_is_not_on_the_ground() {
    let mechanism = Mechanism::builtin();
    for on_its_way in [false, true] {
        for sticks in [false, true] {
            watching(&mechanism, &[up(1), Primitive::Flip], |driver, watches, world| {
                let cube = world.cube();
                if sticks {
                    watches[0].stick();
                }
                let result = if on_its_way {
                    watches[0].miss_next_motion();
                    driver.perform(up(0))
                } else {
                    watches[0].miss_once();
                    driver.park()
                };
                // If it is down, the flipper has taken it home.
                assert_eq!(
                    (is_up(&result), world.is_cube_down(), world.cube() != cube),
                    (sticks, !sticks, !sticks),
                    "{on_its_way}: {result:?}"
                );
            });
        }
    }
}

#[test]
fn a_part_that_does_not_start_at_once_is_pushed_until_it_ends_twice_at_its_end() {
    let mechanism = Mechanism::builtin();
    let mut ends = Vec::new();
    for (part, away, falters) in [
        (0, 0, vec![]),
        (0, mechanism.elevator.up(40), vec![100, 100, 0]),
        // It stands some degrees off its end, as all parts do at first.
        (1, 0, vec![0]),
        (3, 60, vec![0]),
    ] {
        let (brick, world) = crane(&mechanism, State::solved(3));
        let (mut brick, watches, _) = watched(brick);
        let mut driver = driver(&mut brick, &mechanism, 3);
        let port = [MotorPort::A, MotorPort::B, MotorPort::C, MotorPort::D][part];
        push(&mut driver, port, away);
        watches[part].falter(falters);
        driver.home().unwrap();
        ends.push([0, 1, 3].map(|part: usize| watches[part].place()));
        everything()
            .iter()
            .for_each(|&primitive| driver.perform(primitive).unwrap());
        driver.park().unwrap();
        assert!(world.parked() && world.fault().is_none(), "{part}");
    }
    assert!(ends.iter().all(|places| *places == ends[0]), "{ends:?}");
}

#[test]
fn a_squisher_that_does_not_move_keeps_the_cube_up_only_where_it_is_not_open() {
    for before in [vec![up(1)], vec![up(1), turn(1)], vec![up(1), turn(2)]] {
        for closed in [0, 15, 30, 31, 35] {
            for most in [closed - 1, closed, closed + 1] {
                let mut mechanism = Mechanism::builtin();
                mechanism.retry.most_drag = most.max(0);
                watching(&mechanism, &before, |driver, watches, world| {
                    let open = watches[3].tacho();
                    push(driver, MotorPort::D, open + closed);
                    watches[3].stick();
                    let parked = driver.park();
                    // So near it has arrived.
                    let open = closed <= mechanism.tolerance.squisher || closed <= mechanism.retry.most_drag;
                    assert_eq!(
                        (parked.is_ok(), is_up(&parked)),
                        (open, !open),
                        "{before:?}, {closed}, {most}"
                    );
                    assert_eq!(world.is_cube_down(), open);
                });
            }
        }
    }
}

#[test]
fn a_squisher_that_has_pressed_and_does_not_move_keeps_the_cube_up_however_far_it_may_be_dragged() {
    let mut mechanism = Mechanism::builtin();
    mechanism.retry.most_drag = 500;
    for sticks in [false, true] {
        watching(&mechanism, &[up(3), Primitive::Press], |driver, watches, world| {
            if sticks {
                watches[3].stick();
            }
            let parked = driver.park();
            assert_eq!(
                (parked.is_ok(), is_up(&parked), world.is_cube_down()),
                (!sticks, sticks, !sticks)
            );
        });
    }
}

#[test]
fn a_squisher_that_sticks_for_as_long_as_it_is_tried_is_tried_once_more_before_the_cube_comes_down() {
    let mechanism = Mechanism::builtin();
    watching(&mechanism, &[up(3), Primitive::Press], |driver, watches, world| {
        // On the way to rest each motion is tried twice as often.
        watches[3].falter(vec![0; 2 * mechanism.retry.tries as usize]);
        driver.park().unwrap();
        assert!(world.parked());
    });
}

#[test]
fn a_table_turns_on_with_a_squisher_that_may_be_dragged_so_far_and_no_farther() {
    // It has gone 39 of 75 degrees of the first leg, at whose end it is dragged by 36.
    for (most, done) in [(37, true), (36, true), (35, false)] {
        let mut mechanism = Mechanism::builtin();
        mechanism.retry.most_drag = most;
        watching(&mechanism, &[up(1)], |driver, watches, world| {
            watches[3].falter([52]);
            watches[3].stick();
            let result = driver.perform(turn(1));
            assert_eq!(watches[3].tacho(), 39);
            let last = if done { LastTurn::Done } else { LastTurn::InDoubt };
            assert_eq!(
                (driver.last_turn(), world.is_cube_down(), is_up(&result)),
                (last, done, !done),
                "{most}: {result:?}"
            );
        });
    }
}

#[test]
fn the_squisher_opens_to_where_a_table_stands_that_was_pushed_by_hand_before_that_is_squared() {
    let mechanism = Mechanism::builtin();
    for off in [-300, -150, 150, 300] {
        let (brick, world) = crane(&mechanism, State::solved(3));
        let (mut brick, _, log) = watched(brick);
        let mut driver = driver(&mut brick, &mechanism, 3);
        driver.home().unwrap();
        push(&mut driver, MotorPort::C, off);
        log.borrow_mut().clear();
        driver.park().unwrap();
        let log = log.take();
        let first = |port| {
            log.iter()
                .position(|told| told.0 == port && matches!(told.1, Told::To(_)))
                .unwrap()
        };
        let open = log[first(MotorPort::D)].1;
        assert_eq!(open, Told::To(mechanism.dragged(off)));
        assert!(first(MotorPort::D) < first(MotorPort::C));
        assert_eq!((world.fault(), world.parked()), (None, true));
    }
}

#[test]
fn a_blocked_turn_is_taken_back_with_a_squisher_that_does_not_move_any_more() {
    let mut mechanism = Mechanism::builtin();
    (mechanism.tolerance.squisher, mechanism.retry.most_drag) = (5, 39);
    let (brick, world) = crane(&mechanism, State::solved(7));
    let (mut brick, watches, _) = watched(brick);
    let mut driver = driver(&mut brick, &mechanism, 7);
    driver.home().unwrap();
    driver.perform(up(1)).unwrap();
    world.jam_for_good(MotorPort::C);
    // In three tries the squisher goes ahead, and back between them; then again on the way to rest, where it sticks ahead of the table.
    watches[3].falter([100; 11]);
    watches[3].stick();
    let result = driver.perform(turn(1));
    let ahead = watches[3].tacho();
    assert!(ahead > 20, "{ahead}");
    assert_eq!(
        (driver.last_turn(), is_up(&result), world.is_cube_down()),
        (LastTurn::Undone, false, true),
        "{result:?}"
    );
    assert_eq!((world.fault(), world.cube()), (None, State::solved(7)));
}

#[test]
fn a_motor_that_is_not_let_go_at_once_is_let_go_again() {
    let mechanism = Mechanism::builtin();
    for part in 0..4 {
        // A system that fails for good is left with what it was told.
        for (times, rests) in [(1, true), (2, true), (100, false)] {
            watching(&mechanism, &[up(1), Primitive::Flip], |driver, watches, world| {
                watches[part].cling(times);
                driver.park().unwrap();
                assert_eq!((world.is_cube_down(), world.parked()), (true, rests), "{part}");
            });
        }
    }
}

#[test]
fn one_call_that_fails_while_the_crane_parks_does_no_harm() {
    let mechanism = Mechanism::builtin();
    for part in 0..4 {
        let mut calls = 0;
        for after in 0.. {
            let mut came = false;
            watching(&mechanism, &[Primitive::Flip, up(1)], |driver, watches, world| {
                watches[part].fail_after(after);
                let parked = driver.park();
                came = watches[part].has_failed();
                assert!(parked.is_ok() && world.parked(), "call {after} of {part}: {parked:?}");
            });
            if !came {
                break;
            }
            calls += 1;
        }
        assert!(calls > 3, "{part} was asked {calls} times");
    }
}
