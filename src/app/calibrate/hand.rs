//! Moves single motors gently, each motion against a deadline.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::CalibrateError;
use crate::brick::{Brick, DeviceError, Motor, Profile, StopAction};
use crate::crane::{Mechanism, MotorSpec, Part};

/// Between two looks at a motor.
const POLL: Duration = Duration::from_millis(20);
/// A part that has not moved for so long stands at an end, or has arrived.
const STANDS: Duration = Duration::from_millis(400);
/// Longest time for a motion.
const LIMIT: Duration = Duration::from_secs(15);
/// Degrees per second at which parts are moved.
const GENTLE: i32 = 200;

const PARTS: [Part; 4] = [Part::Elevator, Part::Flipper, Part::Turntable, Part::Squisher];

pub(super) struct Hand<'a> {
    pub brick: &'a mut Brick,
    pub mechanism: &'a Mechanism,
    stop: &'a AtomicBool,
    /// Parts that have a zero to go back to, by [`PARTS`].
    zeroed: [bool; 4],
    /// On the way to rest: nothing stops that.
    resting: bool,
}

impl<'a> Hand<'a> {
    pub fn new(brick: &'a mut Brick, mechanism: &'a Mechanism, stop: &'a AtomicBool) -> Hand<'a> {
        Hand {
            brick,
            mechanism,
            stop,
            zeroed: [false; 4],
            resting: false,
        }
    }

    pub fn spec(&self, part: Part) -> &'a MotorSpec {
        match part {
            Part::Elevator => &self.mechanism.elevator.motor,
            Part::Flipper => &self.mechanism.flipper.motor,
            Part::Turntable => &self.mechanism.turntable.motor,
            Part::Squisher => &self.mechanism.squisher.motor,
        }
    }

    fn motor(&mut self, part: Part) -> &mut dyn Motor {
        let port = self.spec(part).port;
        self.brick.motor(port)
    }

    /// Calls the place of a part 0: there it goes back to in the end.
    pub fn reset(&mut self, part: Part) -> Result<(), DeviceError> {
        self.zeroed[part as usize] = true;
        self.motor(part).reset()
    }

    pub fn coast(&mut self, part: Part) -> Result<(), DeviceError> {
        self.motor(part).stop(StopAction::Coast)
    }

    /// Moves a part to a position, or as far as it goes; gives where it is then.
    pub fn go(&mut self, part: Part, target: i32) -> Result<i32, CalibrateError> {
        let pace = Profile {
            speed: GENTLE.min(self.spec(part).max_speed),
            ramp_up_ms: 0,
            ramp_down_ms: 200,
            stop: StopAction::Hold,
        };
        self.motor(part).run_to(target, &pace)?;
        if !self.until_it_stands(part, i32::MAX)? {
            // It would push on for ever.
            self.motor(part).stop(StopAction::Hold)?;
        }
        Ok(self.motor(part).position()?)
    }

    /// Pushes a part on until something stops it; gives where, if that is within so many degrees.
    pub fn push(&mut self, part: Part, speed: i32, most: i32) -> Result<Option<i32>, CalibrateError> {
        self.motor(part).run(speed, StopAction::Coast)?;
        let far = self.until_it_stands(part, most)?;
        let at = self.motor(part).position()?;
        self.coast(part)?;
        Ok((!far).then_some(at))
    }

    /// Runs a part gently until it stands, and calls that 0.
    fn find_zero(&mut self, part: Part, speed: i32) -> Result<(), CalibrateError> {
        self.push(part, speed, i32::MAX)?;
        Ok(self.reset(part)?)
    }

    /// Lifts the elevator a little, and lets it down to its ground.
    pub fn find_ground(&mut self) -> Result<(), CalibrateError> {
        let elevator = &self.mechanism.elevator;
        self.reset(Part::Elevator)?;
        self.go(Part::Elevator, elevator.home_lift)?;
        self.find_zero(Part::Elevator, -elevator.clear.signum() * elevator.home_speed)
    }

    pub fn open_squisher(&mut self) -> Result<(), CalibrateError> {
        self.find_zero(Part::Squisher, -self.mechanism.squisher.home_speed)
    }

    pub fn lower(&mut self) -> Result<(), CalibrateError> {
        self.go(Part::Elevator, 0)?;
        Ok(())
    }

    /// Takes all parts back, puts the cube down and lets all motors go, however it was left.
    pub fn rest(&mut self) -> Result<(), CalibrateError> {
        self.resting = true;
        let mut result = Ok(());
        // The squisher lets the cube go before it is lowered, and the flipper stands when it comes down.
        for part in [Part::Squisher, Part::Turntable, Part::Flipper, Part::Elevator] {
            if self.zeroed[part as usize] {
                result = result.and(self.go(part, 0).map(drop));
            }
        }
        for part in PARTS {
            result = result.and(self.coast(part).map_err(CalibrateError::from));
        }
        self.brick.clock.sleep(STANDS);
        result
    }

    /// Waits until a motor has ended its motion (true), was stopped by something (false), or is further than so many degrees (true).
    fn until_it_stands(&mut self, part: Part, most: i32) -> Result<bool, CalibrateError> {
        let begin = self.brick.clock.now();
        let (mut at, mut since) = (self.motor(part).position()?, begin);
        loop {
            if self.stop.load(Relaxed) && !self.resting {
                return Err(CalibrateError::Stopped);
            }
            if !self.motor(part).state()?.running {
                return Ok(true);
            }
            let (now, position) = (self.brick.clock.now(), self.motor(part).position()?);
            if position.abs() > most {
                return Ok(true);
            }
            if position != at {
                (at, since) = (position, now);
            }
            if now - since >= STANDS {
                return Ok(false);
            }
            if now - begin > LIMIT {
                self.coast(part)?;
                return Err(CalibrateError::Wrong(format!(
                    "the {part} moves and does not arrive: see whether it turns freely without its part"
                )));
            }
            self.brick.clock.sleep(POLL);
        }
    }
}
