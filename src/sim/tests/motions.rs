//! What the crane's driver tells its motors, in which order, and what it does when one falls short.

use super::watched::{Told, Watch, watched};
use super::*;
use crate::drive::StepKind;

/// A crane with a cube of size `n` that has done something, and what is seen of its motors. Then something else is done with it.
fn after(
    mechanism: &Mechanism,
    n: usize,
    before: &[Primitive],
    then: impl FnOnce(&mut Driver, &[Watch], &WorldHandle),
) -> Vec<(MotorPort, Told)> {
    let (brick, world) = crane(mechanism, State::solved(n));
    let (mut brick, watches, log) = watched(brick);
    let mut driver = driver(&mut brick, mechanism, n);
    driver.home().unwrap();
    before.iter().for_each(|&primitive| driver.perform(primitive).unwrap());
    log.borrow_mut().clear();
    then(&mut driver, &watches, &world);
    assert_eq!(world.fault(), None);
    log.take()
}

/// What one motor was told.
fn of(log: &[(MotorPort, Told)], port: MotorPort) -> Vec<Told> {
    log.iter()
        .filter(|(at, _)| *at == port)
        .map(|&(_, told)| told)
        .collect()
}

/// How often a motor was told to run until something stops it: a zero is found so.
fn runs(log: &[(MotorPort, Told)], port: MotorPort) -> usize {
    of(log, port).into_iter().filter(|&told| told == Told::Run).count()
}

/// Listens to the steps of a driver.
fn steps(driver: &mut Driver) -> Rc<RefCell<Vec<StepKind>>> {
    let steps = Rc::new(RefCell::new(Vec::new()));
    let told = steps.clone();
    driver
        .drive()
        .watch(Box::new(move |step| told.borrow_mut().push(step.kind)));
    steps
}

#[test]
fn the_squisher_goes_first_where_the_table_alone_would_force_it_and_else_the_table() {
    for quarters in 1..4 {
        let mut mechanism = Mechanism::builtin();
        let legs = mechanism.turn_legs(mechanism.size(3).unwrap(), quarters);
        let places: Vec<i32> = std::iter::once(0)
            .chain(legs.iter().map(|leg| mechanism.dragged(leg.to)))
            .collect();
        let ways: Vec<i32> = places.windows(2).map(|two| (two[1] - two[0]).abs()).collect();
        for most in ways.iter().flat_map(|&way| [way - 1, way, way + 1]) {
            mechanism.retry.most_drag = most;
            let log = after(&mechanism, 3, &[up(1)], |driver, _, _| {
                driver.perform(turn(quarters)).unwrap()
            });
            let begun: Vec<MotorPort> = log
                .iter()
                .filter(|(port, told)| *port != MotorPort::A && matches!(told, Told::To(_)))
                .map(|&(port, _)| port)
                .collect();
            let first: Vec<bool> = begun.chunks(2).map(|two| two[0] == MotorPort::D).collect();
            let forced: Vec<bool> = ways.iter().map(|&way| way > most).collect();
            assert_eq!(
                (first, begun.len()),
                (forced, 6),
                "{quarters} quarters, {ways:?}, {most}"
            );
        }
    }
}

#[test]
fn a_squisher_is_stopped_only_if_its_table_has_stalled() {
    let mechanism = Mechanism::builtin();
    for jams in [0, 1] {
        let log = after(&mechanism, 3, &[up(1)], |driver, _, world| {
            world.jam(MotorPort::C, jams);
            driver.perform(turn(1)).unwrap();
        });
        let stops = of(&log, MotorPort::D)
            .into_iter()
            .filter(|told| matches!(told, Told::Stop(_)));
        assert_eq!(
            stops.collect::<Vec<_>>(),
            vec![Told::Stop(StopAction::Brake); jams as usize]
        );
    }
}

#[test]
fn a_squisher_that_seems_to_stall_where_the_table_has_it_hinders_nothing_wherever_it_was_homed() {
    let mut mechanism = Mechanism::builtin();
    // It may be a little ahead.
    mechanism.tolerance.squisher = 30;
    for turned in [vec![up(1)], vec![up(1), turn(2), up(0)]] {
        after(&mechanism, 3, &turned, |driver, watches, world| {
            // A lift that jams is settled, and the squisher's zero found again.
            world.jam(MotorPort::A, 1);
            driver.perform(up(2)).unwrap();
            let retries = driver.drive().retries();
            watches[3].show_stalled();
            driver.perform(turn(2)).unwrap();
            assert_eq!(driver.drive().retries(), retries, "{turned:?}");
        });
    }
}

#[test]
fn the_ground_is_found_again_each_time_that_the_cube_was_put_down_so_often() {
    for every in [0, 1, 3] {
        let mut mechanism = Mechanism::builtin();
        mechanism.retry.zero_every = every;
        for downs in 1..8u32 {
            let log = after(&mechanism, 3, &[], |driver, _, _| {
                for _ in 0..downs {
                    driver.perform(up(1)).unwrap();
                    driver.perform(up(0)).unwrap();
                }
            });
            let expected = downs.checked_div(every).unwrap_or(0);
            assert_eq!(runs(&log, MotorPort::A), expected as usize, "{every}, {downs}");
        }
    }
}

#[test]
fn ground_that_comes_too_soon_is_the_new_zero_if_it_is_near() {
    let mut mechanism = Mechanism::builtin();
    for (zero, elevator) in [(20, 7), (3, 7), (8, 12)] {
        (mechanism.tolerance.zero, mechanism.tolerance.elevator) = (zero, elevator);
        let most = zero.max(elevator);
        for soon in 0..30 {
            let log = after(&mechanism, 3, &[up(1)], |driver, watches, _| {
                // It stands on the ground where its tacho says that it is still up.
                watches[0].be_off(soon);
                let down = driver.perform(up(0));
                assert_eq!(down.is_ok(), soon <= most, "{zero} {elevator}, {soon}: {down:?}");
                if down.is_ok() && soon > elevator {
                    assert_eq!(watches[0].tacho(), 0);
                }
            });
            // Farther off it is no ground, and is not pushed against.
            let pushes = usize::from(soon > elevator && soon <= most);
            assert_eq!(runs(&log, MotorPort::A), pushes, "{zero} {elevator}, {soon}");
        }
    }
}

#[test]
fn a_cube_that_sticks_on_its_way_down_between_rows_is_not_settled_but_one_on_its_way_up_is() {
    let mechanism = Mechanism::builtin();
    for (from, to) in [(3, 1), (3, 2), (2, 1), (1, 2), (1, 3), (2, 3)] {
        after(&mechanism, 3, &[up(from)], |driver, watches, _| {
            let steps = steps(driver);
            watches[0].falter([0]);
            driver.perform(up(to)).unwrap();
            let settled = steps.borrow().contains(&StepKind::Held);
            assert_eq!(
                (settled, driver.drive().retries()),
                (to > from, u32::from(to > from)),
                "{from}, {to}"
            );
        });
    }
}

#[test]
fn a_lift_is_pushed_once_more_before_it_is_settled_and_an_abort_ends_that() {
    let mut mechanism = Mechanism::builtin();
    mechanism.retry.least_lift_percent = 10;
    for falters in 0..4 {
        after(&mechanism, 3, &[], |driver, watches, _| {
            watches[0].falter(vec![30; falters]);
            let steps = steps(driver);
            driver.perform(up(3)).unwrap();
            // Each try has a push.
            let settled = falters / 2;
            assert_eq!(driver.drive().retries(), settled as u32, "{falters}");
            let held = steps.borrow().iter().filter(|&&step| step == StepKind::Held).count();
            assert_eq!(held, settled);
        });
    }
    let (brick, world) = crane(&mechanism, State::solved(3));
    let (mut brick, watches, log) = watched(brick);
    let seen = log.clone();
    // A stop is asked for while it is pushed.
    let pushed = move || {
        of(&seen.borrow(), MotorPort::A)
            .iter()
            .filter(|told| matches!(told, Told::To(-296)))
            .count()
            > 1
    };
    let mut driver = Driver::new(&mut brick, &mechanism, Box::new(pushed)).unwrap();
    driver.set_size(3).unwrap();
    driver.home().unwrap();
    watches[0].falter([30]);
    assert!(matches!(driver.perform(up(3)), Err(MachineError::Aborted { .. })));
    assert_eq!((driver.drive().retries(), world.parked()), (0, true));
}

#[test]
fn a_flipper_that_hardly_moved_is_left_alone_for_a_moment() {
    let mechanism = Mechanism::builtin();
    let (away, least) = (mechanism.flipper.away.abs(), mechanism.flipper.least_travel);
    for before in [vec![up(1)], vec![up(1), Primitive::Flip]] {
        for percent in 0..80 {
            after(&mechanism, 3, &before, |driver, watches, world| {
                let began = world.seconds();
                watches[1].falter([percent]);
                driver.perform(Primitive::Flip).unwrap();
                let eased = away * percent / 100 <= least;
                assert_eq!(world.seconds() - began > 1.0, eased, "{before:?}, {percent} %");
                assert_eq!(driver.drive().retries(), 1);
            });
        }
    }
}

#[test]
fn a_cube_that_is_square_before_the_squisher_is_closed_is_pressed_enough() {
    let mechanism = Mechanism::builtin();
    for n in [2, 3, 7] {
        let squish = mechanism.size(n).unwrap().squish;
        for percent in (0..100).step_by(7).chain([49, 50, 51]) {
            after(&mechanism, n, &[up(n as u8)], |driver, watches, _| {
                watches[3].falter([percent]);
                driver.perform(Primitive::Press).unwrap();
                let enough = squish - squish * percent / 100 <= squish / 2;
                assert_eq!(driver.drive().retries(), u32::from(!enough), "{n}, {percent} %");
            });
        }
    }
}

#[test]
fn a_table_whose_squisher_opens_too_late_pushes_the_cube_back_and_begins_the_yaw_anew() {
    let mechanism = Mechanism::builtin();
    let touch = mechanism.turntable.yaw_touch;
    // In a half turn the table all but catches up with a pressed squisher.
    for quarters in [1, 3] {
        for turned in 1..4 {
            let before = [up(1), turn(turned), up(3), Primitive::Press];
            let mut table = 0;
            let log = after(&mechanism, 3, &before, |driver, watches, _| {
                table = watches[2].tacho();
                watches[3].falter([40]);
                driver.perform(yaw(quarters)).unwrap();
                driver.perform(up(0)).unwrap();
            });
            let end = mechanism.yaw_legs(quarters)[1].to;
            let [over, back] = [table + end + end.signum() * touch, table - end.signum() * touch];
            let expected = [over, back, over, table + end].map(Told::To);
            let tos = of(&log, MotorPort::C)
                .into_iter()
                .filter(|told| matches!(told, Told::To(_)));
            assert_eq!(tos.collect::<Vec<_>>(), expected, "{quarters} after {turned}");
        }
    }
}
