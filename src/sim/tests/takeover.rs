//! Cranes that a program has left in the middle of a motion.

use super::watched::{Watch, watched};
use super::*;
use crate::crane::{FlipperEnd, Leg, yawed};
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

/// A motor that stands where it was left, whatever it is told.
struct Stands(i32);

impl Motor for Stands {
    fn position(&mut self) -> Result<i32, DeviceError> {
        Ok(self.0)
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        Ok(MotorState {
            holding: true,
            ..MotorState::default()
        })
    }

    fn run_to(&mut self, _: i32, _: &Profile) -> Result<(), DeviceError> {
        Ok(())
    }

    fn run(&mut self, _: i32, _: StopAction) -> Result<(), DeviceError> {
        Ok(())
    }

    fn stop(&mut self, _: StopAction) -> Result<(), DeviceError> {
        Ok(())
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }
}

/// A crane that was left in a step with its elevator so high, and flipper and table at these positions.
struct Stood {
    kind: StepKind,
    n: u8,
    pose: Pose,
    held: Option<FlipperEnd>,
    height: i32,
    flipper: i32,
    table: i32,
}

impl Stood {
    fn new(kind: StepKind, n: u8, pose: Pose) -> Stood {
        let held = Some(FlipperEnd::Home);
        let (height, flipper, table) = (0, 0, 0);
        Stood {
            kind,
            n,
            pose,
            held,
            height,
            flipper,
            table,
        }
    }

    /// What is found: the pose and the steps of parking, or the part that is not where it was left.
    fn found(&self) -> Result<(Pose, Vec<StepKind>), crate::drive::Part> {
        let mechanism = Mechanism::builtin();
        let (mut brick, _) = crane(&mechanism, State::solved(3));
        let at = [mechanism.elevator.up(self.height), self.flipper, 1000 + self.table, 0];
        for ((_, motor), at) in brick.motors.iter_mut().zip(at) {
            *motor = Box::new(Stands(at));
        }
        let step = Step {
            kind: self.kind,
            n: self.n,
            at: self.pose.station(),
            marks: [1000, 0, 0],
        };
        let held = self.held.map(|flipper| Pose { flipper, ..Pose::START }.station());
        let mut driver = Driver::new(&mut brick, &mechanism, Box::new(|| false)).unwrap();
        driver.drive().parking = true;
        let steps = Rc::new(RefCell::new(Vec::new()));
        let told = steps.clone();
        driver
            .drive()
            .watch(Box::new(move |step| told.borrow_mut().push(step.kind)));
        match driver.find_out(&Abandoned { step, held }) {
            Err(MachineError::Moved { part, .. }) => Err(part),
            found => {
                found.unwrap();
                let pose = driver.pose();
                // Not all comes to rest, as nothing moves.
                let _ = driver.park();
                drop(driver);
                Ok((pose, steps.take()))
            }
        }
    }
}

#[test]
fn an_elevator_that_is_left_stands_between_a_little_below_the_ground_and_over_its_highest_place() {
    let mechanism = Mechanism::builtin();
    let slack = 2 * mechanism.tolerance.elevator;
    for n in [0, 2, 3, 4, 5, 6, 7] {
        // The calibration has rows in this order; where no size is known the cube is only cleared.
        let highest = match n {
            0 => mechanism.elevator.clear.abs(),
            n => mechanism.height(mechanism.size(n.into()).unwrap(), n).abs(),
        };
        for (height, is_so) in [
            (-slack - 1, false),
            (-slack, true),
            (-1, true),
            (highest + slack, true),
            (highest + slack + 1, false),
        ] {
            let found = Stood {
                height,
                ..Stood::new(StepKind::Held, n, Pose::START)
            }
            .found();
            let expected = if is_so { Ok(Pose::START) } else { Err(part::ELEVATOR) };
            assert_eq!(found.map(|(pose, _)| pose), expected, "{n}, {height}");
        }
    }
}

#[test]
fn a_cube_that_is_left_is_up_if_the_elevator_is_more_than_a_little_up() {
    let little = Mechanism::builtin().tolerance.elevator;
    for height in -2..2 * little {
        let stood = Stood {
            height,
            ..Stood::new(StepKind::Held, 3, Pose::START)
        };
        let (_, steps) = stood.found().unwrap();
        // Only a cube that is up is let down: the flipper is free meanwhile.
        assert_eq!(steps.contains(&StepKind::Free), height > little, "{height}");
    }
}

#[test]
fn a_table_that_is_left_stands_between_the_ends_of_its_legs_and_with_none_is_square() {
    let mechanism = Mechanism::builtin();
    let size = mechanism.size(3).unwrap();
    let slack = mechanism.tolerance.turntable;
    let rows = |rows| Pose { rows, ..Pose::START };
    let mut cases = vec![(StepKind::Held, Pose::START, vec![])];
    for quarters in 1..4 {
        cases.push((
            StepKind::Begin(turn(quarters).code()),
            rows(1),
            mechanism.turn_legs(size, quarters),
        ));
        cases.push((
            StepKind::Begin(yaw(quarters).code()),
            rows(3),
            mechanism.yaw_legs(quarters),
        ));
    }
    for (kind, pose, legs) in cases {
        let ends: Vec<i32> = legs.iter().map(|leg: &Leg| leg.to).chain([0]).collect();
        let (least, most) = (*ends.iter().min().unwrap(), *ends.iter().max().unwrap());
        for (table, is_so) in [
            (least - slack - 1, false),
            (least - slack, true),
            (most + slack, true),
            (most + slack + 1, false),
        ] {
            let found = Stood {
                table,
                height: mechanism.height(size, pose.rows).abs(),
                ..Stood::new(kind, 3, pose)
            }
            .found();
            let expected = if is_so { Ok(()) } else { Err(part::TURNTABLE) };
            assert_eq!(found.map(|_| ()), expected, "{kind:?}, {table}");
        }
    }
}

#[test]
fn legs_are_done_again_only_with_the_cube_at_the_height_of_their_rows() {
    let mechanism = Mechanism::builtin();
    let size = mechanism.size(3).unwrap();
    let slack = mechanism.tolerance.elevator;
    for (rows, motion) in [(1, turn(1)), (2, turn(3)), (3, yaw(2))] {
        for off in [-slack - 1, -slack, 0, slack, slack + 1] {
            let pose = Pose { rows, ..Pose::START };
            for kind in [
                StepKind::Begin(motion.code()),
                StepKind::Begin(Primitive::Squish.code()),
            ] {
                let found = Stood {
                    height: mechanism.height(size, rows).abs() + off,
                    ..Stood::new(kind, 3, pose)
                }
                .found();
                let is_so = off.abs() <= slack || kind != StepKind::Begin(motion.code());
                let expected = if is_so { Ok(pose) } else { Err(part::ELEVATOR) };
                assert_eq!(found.map(|(pose, _)| pose), expected, "{kind:?}, {off}");
            }
        }
    }
}

#[test]
fn a_flipper_that_is_left_between_its_ends_is_where_the_cube_was_or_below_a_cube_that_is_lifted() {
    let mechanism = Mechanism::builtin();
    let (slack, away) = (mechanism.tolerance.flipper, mechanism.flipper.away);
    let lifted = mechanism.elevator.clear.abs() - mechanism.tolerance.elevator;
    let ends = [FlipperEnd::Home, FlipperEnd::Away];
    for height in [0, 100, lifted - 1, lifted, lifted + 20] {
        for flipper in [
            0,
            -slack,
            -slack - 1,
            away / 2,
            away + slack + 1,
            away + slack,
            away - slack,
        ] {
            for was in ends {
                for held in [None, Some(ends[0]), Some(ends[1])] {
                    let stood = Stood {
                        height,
                        flipper,
                        held,
                        ..Stood::new(
                            StepKind::Free,
                            3,
                            Pose {
                                flipper: was,
                                ..Pose::START
                            },
                        )
                    };
                    let end = match flipper {
                        at if at.abs() <= slack => Some(FlipperEnd::Home),
                        at if (at - away).abs() <= slack => Some(FlipperEnd::Away),
                        _ => None,
                    };
                    let side = held.or(end).or((height >= lifted).then_some(was));
                    let found = stood.found().map(|(pose, _)| pose.flipper);
                    assert_eq!(
                        found,
                        side.ok_or(part::FLIPPER),
                        "{height}, {flipper}, {was:?}, {held:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_yaw_that_is_left_is_completed_and_the_driver_knows_how_the_cube_stands() {
    let mechanism = Mechanism::builtin();
    for quarters in 1..4 {
        let (mut brick, world) = crane(&mechanism, State::solved(3));
        let mut first = driver(&mut brick, &mechanism, 3);
        first.home().unwrap();
        first.perform(up(3)).unwrap();
        drop(first);
        let end = mechanism.yaw_legs(quarters)[0].to;
        together(&mut brick, &mechanism, 0, end / 2);
        brick.clock.sleep(Duration::from_secs(2));
        let step = Step {
            kind: StepKind::Begin(yaw(quarters).code()),
            n: 3,
            at: Pose { rows: 3, ..Pose::START }.station(),
            marks: [0; 3],
        };
        let mut second = driver(&mut brick, &mechanism, 3);
        second.take_over(&Abandoned { step, held: None }).unwrap();
        assert_eq!(second.pose().orientation, yawed(quarters));
        assert_eq!(second.last_turn(), LastTurn::Done);
        let mut turned = State::solved(3);
        turned.rotate(yawed(quarters));
        assert_eq!((world.cube(), world.fault(), world.parked()), (turned, None, true));
    }
}

/// A crane whose table was pulled a quarter turn of the layers on its own until its squisher is so far over its end that it just was not forced.
/// Gives what finding out ends in, and how far the squisher is then from where it is open.
fn pulled(trouble: impl FnOnce(&Watch)) -> (Result<(), MachineError>, i32) {
    let mechanism = Mechanism::builtin();
    let (brick, world) = crane(&mechanism, State::solved(3));
    let (mut brick, watches, _) = watched(brick);
    let mut first = driver(&mut brick, &mechanism, 3);
    first.home().unwrap();
    let open = watches[3].place();
    first.perform(up(1)).unwrap();
    drop(first);
    let table = 250;
    run(&mut brick, MotorPort::C, table);
    brick.clock.sleep(Duration::from_secs(2));
    let step = Step {
        kind: StepKind::Begin(turn(1).code()),
        n: 3,
        at: Pose { rows: 1, ..Pose::START }.station(),
        marks: [0; 3],
    };
    let mut second = driver(&mut brick, &mechanism, 3);
    second.drive().parking = true;
    trouble(&watches[3]);
    let found = second.find_out(&Abandoned { step, held: None });
    assert_eq!(world.fault(), None);
    (found, watches[3].place() - open - mechanism.dragged(table))
}

#[test]
fn a_squisher_far_over_its_end_goes_inside_and_opens_once_more() {
    let (found, off) = pulled(|_| {});
    assert!(found.is_ok() && off.abs() <= 2, "{found:?}, {off}");
    // If it does not go inside it may be at its end; if its cable is out that is told.
    let (found, off) = pulled(|squisher| squisher.falter([100, 100, 0]));
    assert!(found.is_ok() && off < -20, "{found:?}, {off}");
    let (found, _) = pulled(Watch::miss_next_motion);
    assert!(matches!(found, Err(MachineError::Device(_))), "{found:?}");
}
