//! Tests of faults on motors without a simulated crane.

use super::*;
use crate::crane::Mechanism;
use crate::cube::State;
use crate::sim::assembled::PORTS;
use crate::sim::{Renderer, Scene, machine};

/// A motor that arrives at once.
#[derive(Default)]
struct Prompt {
    at: i32,
    zero: i32,
}

impl Motor for Prompt {
    fn position(&mut self) -> Result<i32, DeviceError> {
        Ok(self.at - self.zero)
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        Ok(MotorState::default())
    }

    fn run_to(&mut self, target: i32, _: &Profile) -> Result<(), DeviceError> {
        self.at = self.zero + target;
        Ok(())
    }

    fn run(&mut self, _: i32, _: StopAction) -> Result<(), DeviceError> {
        Ok(())
    }

    fn stop(&mut self, _: StopAction) -> Result<(), DeviceError> {
        Ok(())
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.zero = self.at;
        Ok(())
    }
}

const PACE: Profile = Profile {
    speed: 500,
    ramp_up_ms: 0,
    ramp_down_ms: 0,
    stop: StopAction::Hold,
};

/// The motors of no simulated crane, with these faults.
fn prompt(faults: &Faults) -> (Brick, Mishaps) {
    let mechanism = Mechanism::builtin();
    let eye = Renderer::new(Scene::calm(), 0);
    let (brick, _) = machine(&mechanism, State::solved(2), Box::new(eye)).unwrap();
    let motors = brick
        .ports()
        .map(|port| -> (_, Box<dyn Motor>) { (port, Box::<Prompt>::default()) });
    let motors = motors.collect();
    faulty(Brick { motors, ..brick }, &mechanism, faults)
}

#[test]
fn a_motor_that_something_stops_pushes_on_until_it_is_told_again() {
    let stalls = Faults {
        stall: 100.0,
        ..Faults::NONE
    };
    for port in PORTS {
        let (mut brick, mishaps) = prompt(&stalls);
        brick.motor(port).unwrap().run_to(-420, &PACE).unwrap();
        let at = brick.motor(port).unwrap().position().unwrap();
        assert!((-415..0).contains(&at), "{port:?}: {at}");
        let state = brick.motor(port).unwrap().state().unwrap();
        assert!(state.running && !state.stalled);
        brick.clock.sleep(SHOWN_AFTER + Duration::from_millis(1));
        assert!(brick.motor(port).unwrap().state().unwrap().stalled);
        mishaps.set(&Faults::NONE);
        brick.motor(port).unwrap().run_to(-420, &PACE).unwrap();
        assert!(!brick.motor(port).unwrap().state().unwrap().running && mishaps.motors_work());
        assert_eq!(brick.motor(port).unwrap().position().unwrap(), -420, "{port:?}");
    }
}

#[test]
fn what_keeps_a_part_for_good_keeps_it_after_its_tacho_was_set_to_0() {
    let (mut brick, mishaps) = prompt(&Faults {
        stuck: 100.0,
        ..Faults::NONE
    });
    let motor = brick.motor(MotorPort::C).unwrap();
    motor.run_to(420, &PACE).unwrap();
    let at = motor.position().unwrap();
    motor.reset().unwrap();
    mishaps.set(&Faults::NONE);
    motor.run_to(420 - at, &PACE).unwrap();
    assert_eq!((motor.position().unwrap(), mishaps.motors_work()), (0, false));
}

#[test]
fn a_lift_that_jams_goes_on_once_the_cube_was_tipped() {
    let (mut brick, mishaps) = prompt(&Faults {
        jam: 100.0,
        ..Faults::NONE
    });
    let lift = |brick: &mut Brick, to: i32| {
        brick.motor(MotorPort::A).unwrap().run_to(to, &PACE).unwrap();
        brick.motor(MotorPort::A).unwrap().position().unwrap()
    };
    let jammed = lift(&mut brick, -195);
    mishaps.set(&Faults::NONE);
    assert_eq!((lift(&mut brick, -195), mishaps.struck()), (jammed, 0));
    lift(&mut brick, 0);
    brick.motor(MotorPort::B).unwrap().run_to(-140, &PACE).unwrap();
    assert_eq!(brick.motor(MotorPort::B).unwrap().position().unwrap(), -140);
    assert_eq!(lift(&mut brick, -195), -195);
}

#[test]
fn slips_and_drifts_are_a_few_degrees_and_a_tacho_that_drifts_stays_off() {
    let (mut brick, mishaps) = prompt(&Faults {
        drift: 100.0,
        ..Faults::NONE
    });
    let motor = brick.motor(MotorPort::A).unwrap();
    motor.run_to(-200, &PACE).unwrap();
    assert_eq!((motor.position().unwrap() + 200).abs(), 1);
    mishaps.set(&Faults {
        slip: 100.0,
        ..Faults::NONE
    });
    let mut off = 0;
    for target in (0..40).map(|i| 200 * (i % 2)) {
        motor.run_to(target, &PACE).unwrap();
        let at = motor.position().unwrap();
        assert!((at - target).abs() <= 4, "{at} {target}");
        off += u32::from(at != target);
    }
    // Half of the slips do not show.
    assert!((5..35).contains(&off), "{off}");
}

#[test]
fn a_cable_that_was_out_is_missed_once_and_then_counts_from_0() {
    let (mut brick, mishaps) = prompt(&Faults {
        unplug: 100.0,
        ..Faults::NONE
    });
    brick.motor(MotorPort::D).unwrap().run_to(100, &PACE).unwrap();
    assert!(brick.motor(MotorPort::D).unwrap().position().is_ok());
    brick.clock.sleep(Duration::from_secs(4));
    let error = brick.motor(MotorPort::D).unwrap().position().unwrap_err();
    assert_eq!(error.to_string(), "no motor at outD: push its cable in at both ends");
    assert_eq!(brick.motor(MotorPort::D).unwrap().position().unwrap(), 0);
    assert!(mishaps.motors_work());
    // For good: it never comes back.
    mishaps.set(&Faults {
        dead: 100.0,
        ..Faults::NONE
    });
    brick.motor(MotorPort::A).unwrap().run_to(-100, &PACE).unwrap();
    brick.clock.sleep(Duration::from_secs(4));
    assert!((0..3).all(|_| brick.motor(MotorPort::A).unwrap().position().is_err()) && !mishaps.motors_work());
}
