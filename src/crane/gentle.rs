//! Moves single parts gently, to find out how a crane is built. Uses the driver's control of the motors, but does not rely on the
//! calibration.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::driver::Driver;
use super::error::CraneError;
use super::mechanism::Mechanism;
use super::motion::{AT_END, POLL_GENTLY};
use super::part::Part;
use crate::brick::{Brick, StopAction};
use crate::calibration::{MotorSpec, Pace};

/// Longest time for a motion.
const LIMIT: Duration = Duration::from_secs(15);
/// Degrees per second at which parts are moved.
const GENTLE: i32 = 200;

/// A crane whose parts are moved one at a time, each motion until it ends or something stops it.
pub struct Gentle<'a> {
    driver: Driver<'a>,
    stop: &'a AtomicBool,
    /// Parts that have a zero to go back to.
    zeroed: [bool; 4],
    /// On the way to rest: nothing stops that.
    resting: bool,
}

impl<'a> Gentle<'a> {
    /// A crane in any position. Motions end early when `stop` becomes true.
    ///
    /// # Errors
    /// As [`Driver::new`].
    pub fn new(brick: &'a mut Brick, mechanism: &'a Mechanism, stop: &'a AtomicBool) -> Result<Gentle<'a>, CraneError> {
        Ok(Gentle {
            driver: Driver::new(brick, mechanism, Box::new(|| false))?,
            stop,
            zeroed: [false; 4],
            resting: false,
        })
    }

    /// The brick, for its other devices.
    pub fn brick(&mut self) -> &mut Brick {
        self.driver.brick()
    }

    /// What is known of the crane so far.
    pub fn mechanism(&self) -> &'a Mechanism {
        self.driver.mechanism()
    }

    /// A part's motor.
    pub fn spec(&self, part: Part) -> &'a MotorSpec {
        self.mechanism().motor(part)
    }

    /// Calls the place of a part 0; in the end the part goes back there.
    ///
    /// # Errors
    /// [`CraneError::Device`], as with all that moves a part.
    pub fn reset(&mut self, part: Part) -> Result<(), CraneError> {
        self.zeroed[part as usize] = true;
        self.driver.reset(part)
    }

    /// Moves a part to a position, or as far as it goes; gives where it is then.
    ///
    /// # Errors
    /// [`CraneError::Aborted`] if it is stopped, [`CraneError::TimedOut`] if it moves on and on.
    pub fn go(&mut self, part: Part, target: i32) -> Result<i32, CraneError> {
        let pace = Pace {
            speed: GENTLE.min(self.spec(part).max_speed),
            ramp_up_ms: 0,
            ramp_down_ms: 200,
        };
        self.driver.run_to(part, target, pace)?;
        if !self.until_it_stands(part, i32::MAX)? {
            // It would push on for ever.
            self.driver.stop_part(part, StopAction::Hold)?;
        }
        self.driver.position(part)
    }

    /// Pushes a part on until something stops it; gives where, if that is within so many degrees.
    ///
    /// # Errors
    /// As [`Gentle::go`].
    pub fn push(&mut self, part: Part, speed: i32, most: i32) -> Result<Option<i32>, CraneError> {
        self.driver.run_on(part, speed)?;
        let far = self.until_it_stands(part, most)?;
        let at = self.driver.position(part)?;
        self.driver.stop_part(part, StopAction::Coast)?;
        Ok((!far).then_some(at))
    }

    /// Runs a part gently until it stands, and calls that 0.
    fn find_zero(&mut self, part: Part, speed: i32) -> Result<(), CraneError> {
        self.push(part, speed, i32::MAX)?;
        self.reset(part)
    }

    /// Lets the elevator down until it stands, and calls that 0.
    fn put_down(&mut self) -> Result<(), CraneError> {
        let elevator = &self.mechanism().elevator;
        self.find_zero(Part::Elevator, -elevator.clear.signum() * elevator.home_speed)
    }

    /// Lifts the elevator a little, and lets it down to its ground.
    ///
    /// # Errors
    /// As [`Gentle::go`].
    pub fn find_ground(&mut self) -> Result<(), CraneError> {
        self.reset(Part::Elevator)?;
        self.go(Part::Elevator, self.mechanism().elevator.home_lift)?;
        self.put_down()
    }

    /// Opens the squisher until it stands, and calls that 0.
    ///
    /// # Errors
    /// As [`Gentle::go`].
    pub fn open_squisher(&mut self) -> Result<(), CraneError> {
        self.find_zero(Part::Squisher, -self.mechanism().squisher.home_speed)
    }

    /// Takes all parts back, puts the cube down and lets all motors go, however it was left.
    ///
    /// # Errors
    /// The first; what still moves has been moved.
    pub fn rest(&mut self) -> Result<(), CraneError> {
        self.resting = true;
        let mut result = Ok(());
        // The squisher lets the cube go before it is lowered, and the flipper stands when it comes down.
        for part in [Part::Squisher, Part::Turntable, Part::Flipper, Part::Elevator] {
            if self.zeroed[part as usize] {
                result = result.and(self.go(part, 0).map(drop));
            }
        }
        for part in Part::ALL {
            result = result.and(self.driver.stop_part(part, StopAction::Coast));
        }
        self.brick().clock.sleep(AT_END);
        result
    }

    /// Puts the cube down when it is not known which parts have zeros. The calibration may have left the cube up and pressed.
    ///
    /// # Errors
    /// As [`Gentle::rest`].
    pub fn rest_blindly(&mut self) -> Result<(), CraneError> {
        self.resting = true;
        let open = self.open_squisher();
        let down = self.put_down();
        open.and(down).and(self.rest())
    }

    /// Waits until a motor has ended its motion (true), was stopped by something (false), or is further than so many degrees (true).
    fn until_it_stands(&mut self, part: Part, most: i32) -> Result<bool, CraneError> {
        let begin = self.brick().clock.now();
        let (mut at, mut since) = (self.driver.position(part)?, begin);
        loop {
            if self.stop.load(Relaxed) && !self.resting {
                return Err(CraneError::Aborted { by: "stop signal" });
            }
            if !self.driver.motor(part)?.state()?.running {
                return Ok(true);
            }
            let (now, position) = (self.brick().clock.now(), self.driver.position(part)?);
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
                self.driver.stop_part(part, StopAction::Coast)?;
                return Err(CraneError::TimedOut {
                    part,
                    doing: "a gentle motion",
                    seconds: LIMIT.as_secs_f64(),
                });
            }
            self.brick().clock.sleep(POLL_GENTLY);
        }
    }
}
