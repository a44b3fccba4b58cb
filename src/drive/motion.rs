//! Moves motors and waits for them: polls state, position and the wish to stop until a deadline.
//!
//! On the brick, reading an attribute takes the only processor about a fifth of a millisecond. So a motor that cannot have arrived yet is
//! seldom polled, and one that should arrive soon every 5 ms: together about 100 reads a second, 2 % of the processor.

use std::time::Duration;

use super::error::MachineError;
use super::motors::Drive;
use super::part::Part;
use crate::brick::StopAction;
use crate::calibration::Pace;

/// Time between two polls of a motor that should arrive soon.
const POLL: Duration = Duration::from_millis(3);
/// The same for a motor under way, which can only stop or stall.
const POLL_ON_THE_WAY: Duration = Duration::from_millis(40);
/// The same for a motor that stands or runs gently.
pub(super) const POLL_GENTLY: Duration = Duration::from_millis(20);
/// After this share of the time that a motion should take, its motor should arrive soon, percent.
const SOONEST_PERCENT: u32 = 92;
/// A motion may take twice its planned time and so much more.
const GRACE_MS: u32 = 1500;

/// For so long the kernel's stall flag may be left from the motion before, until its next sample clears it.
const STALL_STALE: Duration = Duration::from_millis(60);
/// A part that is driven and has not moved for so long stands at its end.
pub(super) const AT_END: Duration = Duration::from_millis(400);

/// How often a stopped motor is polled until it stands still.
const STAND_POLLS: u32 = 50;

/// How a motion ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The motor ended it itself.
    Done,
    /// It pushes and does not move.
    Stalled,
    /// What should have gone along does not.
    Hindered,
}

impl Drive<'_> {
    /// Waits for the end of a motion that should take so many milliseconds.
    ///
    /// # Errors
    /// [`MachineError::TimedOut`] if it does not end, [`MachineError::Aborted`] if a stop is requested, [`MachineError::LowBattery`].
    pub fn wait(&mut self, part: Part, expected_ms: u32) -> Result<Ended, MachineError> {
        self.wait_with(part, expected_ms, &mut |_| Ok(false))
    }

    /// As [`Drive::wait`]; asks meanwhile whether something else hinders the motion, which then ends.
    ///
    /// # Errors
    /// As [`Drive::wait`], and those of the question.
    pub fn wait_with(
        &mut self,
        part: Part,
        expected_ms: u32,
        is_hindered: &mut dyn FnMut(&mut Self) -> Result<bool, MachineError>,
    ) -> Result<Ended, MachineError> {
        let soonest = Duration::from_millis((expected_ms * SOONEST_PERCENT / 100).into());
        let limit_ms = expected_ms * 3 + GRACE_MS;
        let begin = self.brick.clock.now();
        loop {
            self.check_stop()?;
            let state = self.state(part)?;
            if !state.running {
                return Ok(Ended::Done);
            }
            let passed = self.brick.clock.now() - begin;
            if state.stalled && passed > STALL_STALE {
                // Otherwise it would push for ever.
                self.stop_part(part, StopAction::Hold)?;
                return Ok(Ended::Stalled);
            }
            if passed > STALL_STALE && is_hindered(self)? {
                self.stop_part(part, StopAction::Hold)?;
                return Ok(Ended::Hindered);
            }
            if passed > Duration::from_millis(limit_ms.into()) {
                return self.give_up(part, "a motion", limit_ms);
            }
            let left = soonest.saturating_sub(passed);
            self.brick.clock.sleep(left.clamp(POLL, POLL_ON_THE_WAY));
        }
    }

    /// Fails if a part is not where it should be.
    ///
    /// # Errors
    /// [`MachineError::Missed`], or [`MachineError::Stuck`] if its motion ended so.
    pub fn check(&mut self, part: Part, ended: Ended, target: i32) -> Result<(), MachineError> {
        if self.is_at(part, target)? {
            return Ok(());
        }
        let at = self.position(part)?;
        self.stop_part(part, StopAction::Brake)?;
        Err(match ended {
            Ended::Done => MachineError::Missed { part, at, target },
            Ended::Stalled | Ended::Hindered => MachineError::Stuck { part, at, target },
        })
    }

    /// Moves a part and checks that it arrives.
    ///
    /// # Errors
    /// As [`Drive::wait`] and [`Drive::check`].
    pub fn go_once(&mut self, part: Part, target: i32, pace: Pace) -> Result<(), MachineError> {
        let expected = self.start(part, target, pace)?;
        let ended = self.wait(part, expected)?;
        self.check(part, ended, target)
    }

    /// How often a motion is tried: on the way to rest more often, as nothing comes after it.
    pub fn tries(&self) -> u32 {
        if self.parking {
            2 * self.limits.tries
        } else {
            self.limits.tries
        }
    }

    /// Moves a part, in a few tries, if only the part itself can be in the way.
    ///
    /// # Errors
    /// As [`Drive::go_once`].
    pub fn go(&mut self, part: Part, target: i32, pace: Pace) -> Result<(), MachineError> {
        let mut attempt = 1;
        loop {
            match self.go_once(part, target, pace) {
                Err(error) if error.is_obstacle() && attempt < self.tries() => {
                    log::warn!("{error}; trying again");
                    self.ease(part)?;
                    attempt += 1;
                }
                result => return result,
            }
        }
    }

    /// Moves parts at the same time, each to its target, in a few tries for what did not arrive.
    ///
    /// # Errors
    /// As [`Drive::go_once`], for the first that fails.
    pub fn go_together(&mut self, goals: &[(Part, i32)], pace: Pace) -> Result<(), MachineError> {
        let mut attempt = 1;
        loop {
            let mut started = Vec::with_capacity(goals.len());
            for &(part, target) in goals {
                started.push(self.start(part, target, pace)?);
            }
            let mut failed = None;
            for (&(part, target), expected) in goals.iter().zip(started) {
                let ended = self.wait(part, expected)?;
                match self.check(part, ended, target) {
                    Err(error) if error.is_obstacle() => failed = failed.or(Some((part, error))),
                    checked => checked?,
                }
            }
            let Some((part, error)) = failed else { return Ok(()) };
            if attempt >= self.tries() {
                return Err(error);
            }
            log::warn!("{error}; trying again");
            self.tries_again();
            self.ease(part)?;
            attempt += 1;
        }
    }

    /// Leaves a part that is stuck alone for a moment.
    ///
    /// # Errors
    /// As [`Drive::pause`].
    pub fn ease(&mut self, part: Part) -> Result<(), MachineError> {
        self.stop_part(part, StopAction::Brake)?;
        self.pause(Duration::from_millis(self.limits.pause_ms.into()))
    }

    pub(super) fn give_up<T>(&mut self, part: Part, doing: &'static str, limit_ms: u32) -> Result<T, MachineError> {
        self.stop_part(part, StopAction::Brake)?;
        Err(MachineError::TimedOut {
            part,
            doing,
            seconds: f64::from(limit_ms) / 1000.0,
        })
    }

    /// Waits until a part that was stopped stands still.
    ///
    /// # Errors
    /// [`MachineError::Device`].
    pub fn stand(&mut self, part: Part) -> Result<(), MachineError> {
        let mut at = self.position(part)?;
        for _ in 0..STAND_POLLS {
            self.brick.clock.sleep(POLL_GENTLY);
            let before = std::mem::replace(&mut at, self.position(part)?);
            if at == before {
                break;
            }
        }
        Ok(())
    }

    /// Lets time pass, with an ear for the wish to stop.
    ///
    /// # Errors
    /// [`MachineError::Aborted`], [`MachineError::LowBattery`].
    pub fn pause(&mut self, time: Duration) -> Result<(), MachineError> {
        let begin = self.brick.clock.now();
        while self.brick.clock.now() - begin < time {
            self.check_stop()?;
            self.brick.clock.sleep(POLL_GENTLY);
        }
        Ok(())
    }
}
