//! Motors on a table: simulated in real time, with nothing on their axles, for programs that drive motors and know no machine.

use std::time::Instant;

use super::assembled::PORTS;
use super::motor::{STEP_SECONDS, SimMotor};
use crate::brick::{Battery, DeviceError, Motor, MotorKind, MotorState, Motors, Profile, StopAction, Touch};
use crate::calibration::MotorSpec;

/// The voltage of a full battery.
const FULL: u32 = 7900;

/// A motor that is loose, at each port.
pub fn loose(spec: &MotorSpec) -> Motors {
    let motor = || Loose {
        motor: SimMotor::new(spec, 0.0),
        kind: spec.kind,
        began: Instant::now(),
        steps: 0,
    };
    PORTS.map(|port| (port, Box::new(motor()) as Box<dyn Motor>)).into()
}

/// A touch sensor that nobody presses, and a battery that is full.
#[derive(Debug, Clone, Copy)]
pub struct Untouched;

impl Touch for Untouched {
    fn pressed(&mut self) -> Result<bool, DeviceError> {
        Ok(false)
    }
}

impl Battery for Untouched {
    fn millivolts(&mut self) -> Result<u32, DeviceError> {
        Ok(FULL)
    }
}

struct Loose {
    motor: SimMotor,
    kind: Option<MotorKind>,
    began: Instant,
    /// How far it was simulated.
    steps: u64,
}

impl Loose {
    /// The motor as it is now.
    fn now(&mut self) -> &mut SimMotor {
        let due = (self.began.elapsed().as_secs_f64() / STEP_SECONDS) as u64;
        while self.steps < due {
            // What stands without a command goes on standing.
            if self.motor.is_idle() {
                self.steps = due;
                break;
            }
            self.motor.step(f64::NEG_INFINITY, f64::INFINITY, 1.0);
            self.steps += 1;
        }
        &mut self.motor
    }
}

fn refused(reason: String) -> DeviceError {
    DeviceError::Failed {
        what: "motor",
        place: "the table".to_string(),
        reason,
    }
}

impl Motor for Loose {
    fn kind(&self) -> Option<MotorKind> {
        self.kind
    }

    fn position(&mut self) -> Result<i32, DeviceError> {
        Ok(self.now().tacho())
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        Ok(self.now().state())
    }

    fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError> {
        self.now().run_to(target, profile).map_err(refused)
    }

    fn run(&mut self, speed: i32, _: StopAction) -> Result<(), DeviceError> {
        self.now().run(speed).map_err(refused)
    }

    fn stop(&mut self, how: StopAction) -> Result<(), DeviceError> {
        self.now().stop(how);
        Ok(())
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.now().reset();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::calibration::Pace;
    use crate::crane::Mechanism;

    #[test]
    fn a_loose_motor_goes_where_it_is_sent_while_nobody_looks() {
        let mut motors = loose(&Mechanism::builtin().turntable.motor);
        let (_, motor) = &mut motors[2];
        let pace = Pace {
            speed: 500,
            ramp_up_ms: 0,
            ramp_down_ms: 0,
        };
        motor.run_to(20, &pace.profile(StopAction::Hold)).unwrap();
        assert!(motor.state().unwrap().running);
        while motor.state().unwrap().running {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(motor.state().unwrap().holding);
        assert_eq!(motor.position().unwrap(), 20);
        motor.reset().unwrap();
        assert_eq!(motor.position().unwrap(), 0);
        assert!(motor.run(5000, StopAction::Coast).is_err());
        assert_eq!(motors.len(), 4);
    }
}
