//! Moving motors and waiting for them: state and position are polled against a deadline, and so is the wish to stop.

use std::time::Duration;

use super::cost::travel_ms;
use super::driver::Driver;
use super::error::{CraneError, Part};
use super::mechanism::{MotorSpec, Pace};
use crate::brick::{Motor, MotorPort, StopAction};

/// Time between two looks at a motor that should arrive soon, and at one that should not.
const POLL: Duration = Duration::from_millis(5);
const POLL_ON_THE_WAY: Duration = Duration::from_millis(20);
/// Longer than a motion is planned for it may take, besides twice the time.
const GRACE_MS: u32 = 1500;

/// The kernel's stall flag may still be that of the motion before for so long: it is cleared by its next sample.
const STALL_STALE: Duration = Duration::from_millis(60);
/// A part that has not moved for so long while it was told to stands at its end.
const AT_END: Duration = Duration::from_millis(400);

/// How often to look whether a stopped motor stands still.
const STAND_POLLS: u32 = 50;

/// How a motion ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// The motor ended it itself.
    Done,
    /// It pushes and does not move.
    Stalled,
}

impl Driver<'_> {
    pub(super) fn spec(&self, part: Part) -> &MotorSpec {
        let mechanism = self.mechanism;
        match part {
            Part::Elevator => &mechanism.elevator.motor,
            Part::Flipper => &mechanism.flipper.motor,
            Part::Turntable => &mechanism.turntable.motor,
            Part::Squisher => &mechanism.squisher.motor,
        }
    }

    pub(super) fn motor(&mut self, part: Part) -> &mut dyn Motor {
        let port: MotorPort = self.spec(part).port;
        self.brick.motor(port)
    }

    /// Starts to move a part; gives the milliseconds that this should take.
    pub(super) fn start(&mut self, part: Part, target: i32, pace: Pace) -> Result<u32, CraneError> {
        let from = self.motor(part).position()?;
        self.motor(part).run_to(target, &pace.profile(StopAction::Hold))?;
        Ok(travel_ms(self.spec(part), target - from, &pace, 1.0))
    }

    /// Waits for the end of a motion that should take so long.
    pub(super) fn wait(&mut self, part: Part, expected_ms: u32) -> Result<Ended, CraneError> {
        self.wait_within(part, expected_ms * 4 / 5, expected_ms * 3 + GRACE_MS)
    }

    fn wait_within(&mut self, part: Part, soonest_ms: u32, limit_ms: u32) -> Result<Ended, CraneError> {
        let begin = self.brick.clock.now();
        loop {
            self.check_stop()?;
            let state = self.motor(part).state()?;
            if !state.running {
                return Ok(Ended::Done);
            }
            let passed = self.brick.clock.now() - begin;
            if state.stalled && passed > STALL_STALE {
                // It would push on for ever.
                self.motor(part).stop(StopAction::Hold)?;
                return Ok(Ended::Stalled);
            }
            if passed > Duration::from_millis(limit_ms.into()) {
                return self.give_up(part, "a motion", limit_ms);
            }
            let soon = passed + POLL_ON_THE_WAY > Duration::from_millis(soonest_ms.into());
            self.brick.clock.sleep(if soon { POLL } else { POLL_ON_THE_WAY });
        }
    }

    /// Fails if a part is not where it should be.
    pub(super) fn check(&mut self, part: Part, ended: Ended, target: i32, tolerance: i32) -> Result<(), CraneError> {
        let at = self.motor(part).position()?;
        if (at - target).abs() <= tolerance {
            return Ok(());
        }
        self.motor(part).stop(StopAction::Brake)?;
        Err(match ended {
            Ended::Stalled => CraneError::Stuck { part, at, target },
            Ended::Done => CraneError::Missed { part, at, target },
        })
    }

    /// Moves a part and sees that it arrives.
    pub(super) fn go(&mut self, part: Part, target: i32, pace: Pace, tolerance: i32) -> Result<(), CraneError> {
        let expected = self.start(part, target, pace)?;
        let ended = self.wait(part, expected)?;
        self.check(part, ended, target, tolerance)
    }

    /// Runs a part at a gentle speed until something stops it, and calls that place 0.
    pub(super) fn find_zero(&mut self, part: Part, speed: i32, limit_ms: u32) -> Result<(), CraneError> {
        self.motor(part).run(speed, StopAction::Coast)?;
        let begin = self.brick.clock.now();
        let (mut at, mut since) = (self.motor(part).position()?, begin);
        // Its stall flag comes after a tenth of a second, which a gentle start against friction may take as well.
        while self.brick.clock.now() - since < AT_END {
            self.check_stop()?;
            if self.brick.clock.now() - begin > Duration::from_millis(limit_ms.into()) {
                return self.give_up(part, "finding its zero", limit_ms);
            }
            self.brick.clock.sleep(POLL_ON_THE_WAY);
            let now = self.motor(part).position()?;
            if now != at {
                (at, since) = (now, self.brick.clock.now());
            }
        }
        self.motor(part).stop(StopAction::Coast)?;
        self.motor(part).reset()?;
        Ok(())
    }

    fn give_up<T>(&mut self, part: Part, doing: &'static str, limit_ms: u32) -> Result<T, CraneError> {
        self.motor(part).stop(StopAction::Coast)?;
        Err(CraneError::TimedOut {
            part,
            doing,
            seconds: f64::from(limit_ms) / 1000.0,
        })
    }

    /// Waits until a part that was stopped stands still.
    pub(super) fn stand(&mut self, part: Part) -> Result<(), CraneError> {
        let mut at = self.motor(part).position()?;
        for _ in 0..STAND_POLLS {
            self.brick.clock.sleep(POLL_ON_THE_WAY);
            let before = std::mem::replace(&mut at, self.motor(part).position()?);
            if at == before {
                break;
            }
        }
        Ok(())
    }

    /// Lets time pass, with an ear for the wish to stop.
    pub(super) fn pause(&mut self, time: Duration) -> Result<(), CraneError> {
        let begin = self.brick.clock.now();
        while self.brick.clock.now() - begin < time {
            self.check_stop()?;
            self.brick.clock.sleep(POLL_ON_THE_WAY);
        }
        Ok(())
    }

    /// Fails if the touch sensor is pressed again after it was let go, or a stop was asked for.
    pub(super) fn check_stop(&mut self) -> Result<(), CraneError> {
        if self.parking {
            return Ok(());
        }
        if (self.stop)() {
            return Err(CraneError::Aborted { by: "stop signal" });
        }
        let pressed = self.brick.touch.pressed()?;
        if pressed && self.let_go {
            return Err(CraneError::Aborted { by: "touch sensor" });
        }
        self.let_go |= !pressed;
        Ok(())
    }
}
