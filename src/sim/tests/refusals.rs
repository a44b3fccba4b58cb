//! What the driver refuses, overcomes or reports.

use super::*;

#[test]
fn illegal_sequences_are_refused_by_name_and_park_the_crane() {
    let mechanism = Mechanism::builtin();
    for (sequence, message) in [
        (
            vec![turn(1)],
            "cannot turn layers of a 3x3x3 with 0 rows in the turntable: 1 to 2 can turn",
        ),
        (
            vec![up(1), yaw(1)],
            "cannot yaw a 3x3x3 with 1 rows in the turntable: all must be in",
        ),
        (vec![up(4)], "cannot lift 4 rows of a 3x3x3"),
        (
            vec![Primitive::Squish],
            "cannot squish a cube that is not in the turntable",
        ),
        (
            vec![up(2), Primitive::Clear],
            "cannot clear the flipper from below a cube that is lifted already: a flip does that",
        ),
    ] {
        let (mut brick, world) = crane(&mechanism, State::solved(3));
        let mut driver = driver(&mut brick, &mechanism, 3);
        driver.home().unwrap();
        let error = sequence
            .iter()
            .find_map(|&primitive| driver.perform(primitive).err())
            .unwrap();
        assert_eq!(error.to_string(), message);
        assert!(world.parked());
        assert!(matches!(driver.perform(up(0)), Err(MachineError::NotHomed)));
    }
}

#[test]
fn rows_of_a_cube_of_unknown_size_are_not_lifted() {
    let mechanism = Mechanism::builtin();
    let (mut brick, world) = crane(&mechanism, State::solved(3));
    let mut driver = Driver::new(&mut brick, &mechanism, Box::new(|| false)).unwrap();
    assert!(matches!(driver.perform(Primitive::Flip), Err(MachineError::NotHomed)));
    driver.home().unwrap();
    driver.perform(Primitive::Flip).unwrap();
    driver.perform(Primitive::Clear).unwrap();
    assert!(matches!(driver.perform(up(1)), Err(MachineError::SizeUnknown)));
    assert!(world.parked());
    assert!(matches!(driver.set_size(9), Err(MachineError::Mechanism(_))));
}

#[test]
fn a_single_jam_is_overcome_and_many_end_parked_with_a_name() {
    let mechanism = Mechanism::builtin();
    for (port, primitive, tries) in [(MotorPort::A, up(2), 3), (MotorPort::B, Primitive::Flip, 3)] {
        for jams in [1, tries - 1, tries] {
            let (mut brick, world) = crane(&mechanism, State::solved(3));
            let mut driver = driver(&mut brick, &mechanism, 3);
            driver.home().unwrap();
            world.jam(port, jams);
            let result = driver.perform(primitive);
            assert_eq!(world.fault(), None);
            if jams < tries {
                result.unwrap();
                driver.perform(up(1)).unwrap();
                driver.perform(turn(1)).unwrap();
                driver.perform(up(0)).unwrap();
                // The settling flips have left no trace.
                let mut expected = State::solved(3);
                let mut pose = Pose::START;
                for step in [primitive, up(1), turn(1)] {
                    pose = pose.act(step, &mut expected).unwrap();
                }
                assert_eq!(world.cube(), expected);
                driver.park().unwrap();
            } else {
                assert!(
                    matches!(result, Err(MachineError::Jammed { tries: t, .. }) if t == tries),
                    "{result:?}"
                );
            }
            assert!(world.parked());
        }
    }
}

#[test]
fn a_turntable_that_stalls_goes_on_and_one_that_is_blocked_goes_back() {
    let mechanism = Mechanism::builtin();
    for blocked in [false, true] {
        let (mut brick, world) = crane(&mechanism, State::solved(3));
        let mut driver = driver(&mut brick, &mechanism, 3);
        driver.home().unwrap();
        driver.perform(up(1)).unwrap();
        let mut expected = State::solved(3);
        if blocked {
            world.jam_for_good(MotorPort::C);
            let error = driver.perform(turn(1)).unwrap_err();
            let text = error.to_string();
            assert!(
                matches!(
                    error,
                    MachineError::Stuck {
                        part: part::TURNTABLE,
                        target: 634,
                        ..
                    }
                ),
                "{text}"
            );
            assert_eq!(driver.last_turn(), LastTurn::Undone);
        } else {
            world.jam(MotorPort::C, 2);
            driver.perform(turn(1)).unwrap();
            driver.park().unwrap();
            expected.turn(Turn::outer(Face::U, 1, 1));
            assert_eq!(driver.last_turn(), LastTurn::Done);
        }
        assert!(world.parked());
        assert_eq!(world.fault(), None);
        assert_eq!(world.cube(), expected);
    }
}

/// A motor that is not there, or one that says that it runs and never arrives.
struct Broken {
    missing: bool,
}

impl Broken {
    fn answer<T>(&self, value: T) -> Result<T, DeviceError> {
        if self.missing {
            return Err(DeviceError::Missing {
                what: "Large motor",
                place: "outA".to_string(),
                hint: "plug the elevator in there",
            });
        }
        Ok(value)
    }
}

impl Motor for Broken {
    fn position(&mut self) -> Result<i32, DeviceError> {
        self.answer(0)
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        self.answer(MotorState {
            running: true,
            ..MotorState::default()
        })
    }

    fn run_to(&mut self, _: i32, _: &Profile) -> Result<(), DeviceError> {
        self.answer(())
    }

    fn run(&mut self, _: i32, _: StopAction) -> Result<(), DeviceError> {
        self.answer(())
    }

    fn stop(&mut self, _: StopAction) -> Result<(), DeviceError> {
        self.answer(())
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.answer(())
    }
}

#[test]
fn a_motor_that_is_missing_or_never_arrives_ends_in_one_line_and_without_power() {
    let mechanism = Mechanism::builtin();
    for (missing, message) in [
        (true, "no Large motor at outA: plug the elevator in there"),
        (
            false,
            "the elevator did not end a motion within 2.3 s: check its cable and gears, then start again",
        ),
    ] {
        let (mut brick, world) = crane(&mechanism, State::solved(3));
        brick.motors[0].1 = Box::new(Broken { missing });
        let mut driver = driver(&mut brick, &mechanism, 3);
        assert_eq!(driver.home().unwrap_err().to_string(), message);
        assert!(world.parked());
    }
}

#[test]
fn a_squisher_that_stalls_while_a_yaw_begins_leaves_the_cube_square() {
    let mechanism = Mechanism::builtin();
    let (mut stalled, mut done) = (0, 0);
    // The smallest cubes are pressed the longest.
    for seed in 0..1500 {
        let (n, quarters) = (2 + seed % 2, 1 + seed / 2 % 3);
        let (brick, world) = crane(&mechanism, State::solved(n as usize));
        let (mut brick, mishaps) = faulty(brick, &mechanism, &Faults::NONE);
        let mut driver = driver(&mut brick, &mechanism, n as usize);
        driver.home().unwrap();
        driver.perform(up(n as u8)).unwrap();
        driver.perform(Primitive::Press).unwrap();
        mishaps.set(&Faults {
            stall: 15.0,
            seed,
            ..Faults::NONE
        });
        let result = driver.perform(yaw(quarters as u8)).and_then(|()| driver.perform(up(0)));
        stalled += mishaps.struck();
        assert_eq!(
            world.fault(),
            None,
            "size {n}, {quarters} quarters, seed {seed}: {result:?}"
        );
        done += u32::from(result.is_ok());
    }
    assert!(stalled > 300 && done > 1300, "{stalled}, {done}");
}
