//! Moves single parts gently, to find out how a machine is built. It does not rely on the calibration.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::error::MachineError;
use super::motion::{AT_END, POLL_GENTLY};
use super::motors::Drive;
use super::part::Part;
use crate::brick::{Brick, StopAction};
use crate::calibration::{MotorSpec, Pace};

/// Longest time for a motion. A crane's elevator comes down 300 degrees at 20 a second.
const LIMIT: Duration = Duration::from_secs(30);
/// Degrees per second at which parts are moved.
const GENTLE: i32 = 200;

/// A machine whose parts are moved one at a time, each motion until it ends or something stops it.
pub struct Gentle<'a> {
    drive: Drive<'a>,
    stop: &'a AtomicBool,
    /// Parts that have a zero to go back to.
    zeroed: Vec<bool>,
    /// On the way to rest: nothing stops that.
    resting: bool,
}

impl<'a> Gentle<'a> {
    /// A machine in any position. Motions end early when `stop` becomes true.
    pub fn new(drive: Drive<'a>, stop: &'a AtomicBool) -> Gentle<'a> {
        Gentle {
            zeroed: vec![false; drive.parts().len()],
            drive,
            stop,
            resting: false,
        }
    }

    /// The brick, for its other devices.
    pub fn brick(&mut self) -> &mut Brick {
        self.drive.brick()
    }

    /// A part's motor.
    pub fn spec(&self, part: Part) -> &MotorSpec {
        self.drive.spec(part)
    }

    /// Calls the place of a part 0; in the end the part goes back there.
    ///
    /// # Errors
    /// [`MachineError::Device`], as with all that moves a part.
    pub fn reset(&mut self, part: Part) -> Result<(), MachineError> {
        self.zeroed[part.index] = true;
        self.drive.reset(part)
    }

    /// Moves a part to a position, or as far as it goes; gives where it is then.
    ///
    /// # Errors
    /// [`MachineError::Aborted`] if it is stopped, [`MachineError::TimedOut`] if it moves on and on.
    pub fn go(&mut self, part: Part, target: i32) -> Result<i32, MachineError> {
        let pace = Pace {
            speed: GENTLE.min(self.spec(part).max_speed),
            ramp_up_ms: 0,
            ramp_down_ms: 200,
        };
        self.drive.run_to(part, target, pace)?;
        if !self.until_it_stands(part, i32::MAX)? {
            // It would push on for ever.
            self.drive.stop_part(part, StopAction::Hold)?;
        }
        self.drive.position(part)
    }

    /// Pushes a part on until something stops it; gives where, if that is within so many degrees.
    ///
    /// # Errors
    /// As [`Gentle::go`].
    pub fn push(&mut self, part: Part, speed: i32, most: i32) -> Result<Option<i32>, MachineError> {
        self.drive.run_on(part, speed)?;
        let far = self.until_it_stands(part, most)?;
        let at = self.drive.position(part)?;
        self.drive.stop_part(part, StopAction::Coast)?;
        Ok((!far).then_some(at))
    }

    /// Runs a part gently until it stands, and calls that 0.
    ///
    /// # Errors
    /// As [`Gentle::go`].
    pub fn find_zero(&mut self, part: Part, speed: i32) -> Result<(), MachineError> {
        self.push(part, speed, i32::MAX)?;
        self.reset(part)
    }

    /// From now on nothing stops it: it is on its way to rest.
    pub fn comes_to_rest(&mut self) {
        self.resting = true;
    }

    /// Takes parts back to their zeros, in this order, and lets all motors go.
    ///
    /// # Errors
    /// The first; what still moves has been moved.
    pub fn rest(&mut self, order: &[Part]) -> Result<(), MachineError> {
        self.comes_to_rest();
        let mut result = Ok(());
        for &part in order {
            if self.zeroed[part.index] {
                result = result.and(self.go(part, 0).map(drop));
            }
        }
        for part in self.drive.parts() {
            result = result.and(self.drive.stop_part(part, StopAction::Coast));
        }
        self.brick().clock.sleep(AT_END);
        result
    }

    /// Waits until a motor has ended its motion (true), was stopped by something (false), or is further than so many degrees (true).
    fn until_it_stands(&mut self, part: Part, most: i32) -> Result<bool, MachineError> {
        let begin = self.brick().clock.now();
        let (mut at, mut since) = (self.drive.position(part)?, begin);
        loop {
            if self.stop.load(Relaxed) && !self.resting {
                return Err(MachineError::Aborted { by: "stop signal" });
            }
            if !self.drive.state(part)?.running {
                return Ok(true);
            }
            let (now, position) = (self.brick().clock.now(), self.drive.position(part)?);
            if position.abs() > most {
                return Ok(true);
            }
            if position != at {
                (at, since) = (position, now);
            }
            if now - since >= AT_END {
                return Ok(false);
            }
            if now - begin > LIMIT {
                self.drive.stop_part(part, StopAction::Coast)?;
                return Err(MachineError::TimedOut {
                    part,
                    doing: "a gentle motion",
                    seconds: LIMIT.as_secs_f64(),
                });
            }
            self.brick().clock.sleep(POLL_GENTLY);
        }
    }
}
