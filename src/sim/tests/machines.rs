//! Simulated tilters and jaws: what would break a real one has a name, and their geometry is that of their planners.

use super::*;
use crate::jaws::Jaw;
use crate::machine::{Deed, Machine};

/// Sends motors to places, one after the other, and waits for each.
fn go(brick: &mut Brick, places: &[(MotorPort, i32)]) {
    let profile = Profile {
        speed: 300,
        ramp_up_ms: 0,
        ramp_down_ms: 0,
        stop: StopAction::Hold,
    };
    for &(port, place) in places {
        // After a fault nothing moves any more.
        if brick.motor(port).unwrap().run_to(place, &profile).is_ok() {
            brick.clock.sleep(Duration::from_secs(4));
        }
    }
}

fn a_tilter() -> (Brick, WorldHandle) {
    sim::tilter(&tilter::Mechanism::builtin(), State::solved(3), Sensor::calm(1))
}

const ARM: MotorPort = MotorPort::A;
const TABLE: MotorPort = MotorPort::B;
const SENSOR: MotorPort = MotorPort::C;

#[test]
fn what_would_break_a_tilter_is_named() {
    let cases: [(&[(MotorPort, i32)], WorldFault); 6] = [
        (&[(TABLE, 100), (ARM, 80)], WorldFault::ArmOffSquare(33)),
        (&[(ARM, 55), (TABLE, 270)], WorldFault::TurnedIntoArm),
        (&[(ARM, 150), (TABLE, 270)], WorldFault::TurnedWhilePulling),
        (&[(ARM, 80), (TABLE, 140), (ARM, 0)], WorldFault::LetGoOffSquare(41)),
        (&[(SENSOR, -600), (ARM, 80)], WorldFault::ArmsMet),
        (&[(ARM, 80), (SENSOR, -600)], WorldFault::ArmsMet),
    ];
    for (places, fault) in cases {
        let (mut brick, world) = a_tilter();
        go(&mut brick, places);
        assert_eq!(world.fault(), Some(fault), "{places:?}");
    }
}

const fn grip(jaw: Jaw) -> MotorPort {
    [MotorPort::A, MotorPort::B, MotorPort::C][jaw as usize].at_hands()
}

const fn wrist(jaw: Jaw) -> MotorPort {
    [MotorPort::A, MotorPort::B, MotorPort::C][jaw as usize]
}

#[test]
fn what_would_break_jaws_is_named() {
    use Jaw::{Centre, Left, Right};
    // Their tachos begin at 0 where they are closed.
    const OPEN: i32 = -120;
    let cases: [(&[(MotorPort, i32)], WorldFault); 6] = [
        (&[(grip(Left), OPEN), (grip(Centre), OPEN)], WorldFault::CubeFell),
        (&[(wrist(Left), 270), (wrist(Centre), 270)], WorldFault::JawsTouched),
        (
            &[(wrist(Left), 140), (grip(Left), OPEN)],
            WorldFault::GrippedOffSquare(47 - 90),
        ),
        (&[(wrist(Left), 90), (wrist(Centre), 60)], WorldFault::TurnedAcross),
        (&[(grip(Left), -45), (wrist(Left), 270)], WorldFault::Twisted),
        (
            &[(grip(Centre), OPEN), (wrist(Right), 270), (grip(Centre), 0)],
            WorldFault::Twisted,
        ),
    ];
    for (places, fault) in cases {
        let (mut brick, world) = sim::jaws(&jaws::Mechanism::builtin(), State::solved(3));
        go(&mut brick, places);
        assert_eq!(world.fault(), Some(fault), "{places:?}");
    }
}

#[test]
fn the_geometry_of_tilters_and_jaws_is_that_of_their_planners() {
    use crate::sim::geometry::{carried, carried_rows, jawed, jawed_layer, pulled};
    let mut cube = State::solved(3);
    cube.turn_all(&random_turns(3, 30, &mut ChaCha8Rng::seed_from_u64(5)));
    let done = |deed: &Deed| {
        let mut cube = cube.clone();
        deed.act(&mut cube);
        cube
    };
    let tilter = tilter::Tilter::new(&tilter::Mechanism::builtin());
    let mut compared = 0;
    for step in (0..2).flat_map(|at| tilter.steps(at)) {
        let mut world = cube.clone();
        match step.motion {
            tilter::Motion::Flip => world.rotate(pulled()),
            tilter::Motion::Rotate { quarters } => world.rotate(carried(quarters)),
            tilter::Motion::Turn { quarters } => {
                world.rotate(carried(quarters));
                world.permute(&carried_rows(3, 2, 4 - quarters));
            }
            _ => continue,
        }
        assert_eq!(world, done(&step.deed), "{}", step.motion);
        compared += 1;
    }
    let jaws = jaws::Jaws::new(&jaws::Mechanism::builtin());
    for step in (0..64).flat_map(|at| jaws.steps(at)) {
        let jaws::Motion::Turn(set, quarters) = step.motion else {
            continue;
        };
        let mut world = cube.clone();
        match &step.deed {
            Deed::Nothing => continue,
            Deed::Whole(_) if set == jaws::Set::SIDES => world.rotate(jawed(Face::R, quarters)),
            Deed::Whole(_) => world.rotate(jawed(Face::B, quarters)),
            Deed::Layers(_) if set == jaws::Set::SIDES => {
                world.permute(&jawed_layer(Face::R, quarters));
                world.permute(&jawed_layer(Face::L, 4 - quarters));
            }
            Deed::Layers(_) => {
                let side = set.jaws().next().unwrap().side();
                world.permute(&jawed_layer(side, quarters));
            }
        }
        assert_eq!(world, done(&step.deed), "{}", step.motion);
        compared += 1;
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn a_turn_that_ends_a_little_early_counts_when_the_jaw_lets_go() {
    let (mut brick, world) = sim::jaws(&jaws::Mechanism::builtin(), State::solved(3));
    go(&mut brick, &[(wrist(Jaw::Left), 260), (grip(Jaw::Left), -120)]);
    assert_eq!(world.fault(), None);
    let mut wanted = State::solved(3);
    wanted.turn(Turn::outer(Face::L, 1, 1));
    assert_eq!(world.cube(), wanted);
}

#[test]
fn a_grip_that_stops_more_often_than_a_motion_is_tried_is_closed_on_the_way_to_rest() {
    let mechanism = jaws::Mechanism::builtin();
    let (mut brick, world) = sim::jaws(&mechanism, State::solved(3));
    let mut driver = jaws::Driver::new(&mut brick, &mechanism, Box::new(|| false)).unwrap();
    driver.home().unwrap();
    let centre = jaws::Set::of(Jaw::Centre);
    driver.perform(jaws::Motion::Open(centre).code()).unwrap();
    let tries = mechanism.retry.tries;
    world.jam(grip(Jaw::Centre), tries + 1);
    driver.park().unwrap();
    assert!(world.parked());
    assert_eq!(world.fault(), None);
}

#[test]
fn jaws_that_are_stopped_while_they_look_for_their_zeros_close_again() {
    let mechanism = jaws::Mechanism::builtin();
    let mut stopped = 0;
    for patience in (1..4000).step_by(40) {
        let (mut brick, world) = sim::jaws(&mechanism, State::solved(3));
        let asked = std::cell::Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) >= patience;
        let mut driver = jaws::Driver::new(&mut brick, &mechanism, Box::new(stop)).unwrap();
        if driver.home().is_err() {
            assert!(world.parked(), "{patience}");
            stopped += 1;
        }
        assert_eq!(world.fault(), None);
    }
    assert!(stopped > 10, "{stopped}");
}
