//! Cranes that a program has left in the middle of a motion.

use super::*;
use crate::crane::Leg;
use crate::drive::{Abandoned, Step, StepKind};

fn run(brick: &mut Brick, port: MotorPort, target: i32) {
    let profile = Profile {
        speed: 200,
        ramp_up_ms: 0,
        ramp_down_ms: 0,
        stop: StopAction::Hold,
    };
    brick.motor(port).unwrap().run_to(target, &profile).unwrap();
    brick.clock.sleep(Duration::from_millis(400));
}

/// Turns the table, and the squisher with it.
fn together(brick: &mut Brick, mechanism: &Mechanism, from: i32, to: i32) {
    let steps = (to - from).abs() / 30;
    for step in 1..=steps {
        let table = from + (to - from) * step / steps;
        run(brick, MotorPort::C, table);
        run(brick, MotorPort::D, mechanism.dragged(table));
    }
}

#[test]
fn a_squisher_that_the_table_has_pulled_over_its_end_is_found_all_the_same() {
    let mechanism = Mechanism::builtin();
    for quarters in 1..4 {
        for n in [2, 3, 5] {
            let (mut brick, world) = crane(&mechanism, State::solved(n));
            let mut first = driver(&mut brick, &mechanism, n);
            first.home().unwrap();
            first.perform(up(1)).unwrap();
            drop(first);
            // Killed between the two commands of the last leg, which is short: the table goes first.
            let legs: Vec<Leg> = mechanism.turn_legs(mechanism.size(n).unwrap(), quarters);
            together(&mut brick, &mechanism, 0, legs[0].to);
            together(&mut brick, &mechanism, legs[0].to, legs[1].to);
            run(&mut brick, MotorPort::C, legs[2].to);
            brick.clock.sleep(Duration::from_secs(2));

            let step = Step {
                kind: StepKind::Begin(turn(quarters).code()),
                n: n as u8,
                at: Pose { rows: 1, ..Pose::START }.station(),
                marks: [0; 3],
            };
            let mut second = driver(&mut brick, &mechanism, n);
            let taken = second.take_over(&Abandoned { step, held: None });
            assert!(taken.is_ok(), "{n}, {quarters} quarters: {taken:?}");
            assert!(world.parked());
            assert_eq!(world.fault(), None);
            let mut turned = State::solved(n);
            turned.turn(Turn::outer(Face::U, 1, quarters));
            assert_eq!(world.cube(), turned);
        }
    }
}
