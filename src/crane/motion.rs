//! Moves motors and waits for them: polls state, position and the wish to stop until a deadline.
//!
//! On the brick, reading an attribute takes the only processor about a fifth of a millisecond. So a motor that cannot have arrived yet is
//! seldom polled, and one that should arrive soon every 5 ms: together about 100 reads a second, 2 % of the processor.

use std::time::Duration;

use super::driver::Driver;
use super::error::CraneError;
use super::part::Part;
use crate::brick::{DeviceError, Motor, StopAction};
use crate::calibration::{MotorSpec, Pace, travel_ms};

/// Time between two polls of a motor that should arrive soon.
const POLL: Duration = Duration::from_millis(3);
/// The same for a motor under way, which can only stop or stall.
const POLL_ON_THE_WAY: Duration = Duration::from_millis(40);
/// The same for a motor that stands or runs gently.
pub(super) const POLL_GENTLY: Duration = Duration::from_millis(20);
/// A press of the touch sensor is never shorter.
const POLL_TOUCH: Duration = Duration::from_millis(20);
/// After this share of the time that a motion should take, its motor should arrive soon, percent.
const SOONEST_PERCENT: u32 = 92;
/// A motion may take twice its planned time and so much more.
const GRACE_MS: u32 = 1500;

/// For so long the kernel's stall flag may be left from the motion before, until its next sample clears it.
const STALL_STALE: Duration = Duration::from_millis(60);
/// A part that is driven and has not moved for so long stands at its end.
pub(super) const AT_END: Duration = Duration::from_millis(400);
/// Two ends that are no farther apart are the same.
const SAME_END: i32 = 3;

/// How often a stopped motor is polled until it stands still.
const STAND_POLLS: u32 = 50;

/// Time between two measurements of the battery, and before the second one of a battery that seems empty: a starting motor pulls it down.
const BATTERY: Duration = Duration::from_secs(5);
const BATTERY_AGAIN: Duration = Duration::from_secs(1);

/// How a motion ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// The motor ended it itself.
    Done,
    /// It pushes and does not move.
    Stalled,
    /// The squisher, which should have gone along, does not move.
    Hindered,
}

impl Driver<'_> {
    pub(super) fn spec(&self, part: Part) -> &MotorSpec {
        self.mechanism.motor(part)
    }

    fn tolerance(&self, part: Part) -> i32 {
        let tolerance = &self.mechanism.tolerance;
        match part {
            Part::Elevator => tolerance.elevator,
            Part::Flipper => tolerance.flipper,
            Part::Turntable => tolerance.turntable,
            Part::Squisher => tolerance.squisher,
        }
    }

    // Not inlined, like the brick's `motor`, to keep the program small.
    #[inline(never)]
    pub(super) fn motor(&mut self, part: Part) -> Result<&mut dyn Motor, DeviceError> {
        self.brick.motor(self.mechanism.motor(part).port)
    }

    /// Remembers which motors were unplugged: when they come back, their tachos have another zero.
    fn note<T>(&mut self, part: Part, result: Result<T, DeviceError>) -> Result<T, CraneError> {
        self.lost[part as usize] |= matches!(result, Err(DeviceError::Missing { .. }));
        result.map_err(CraneError::from)
    }

    pub(super) fn position(&mut self, part: Part) -> Result<i32, CraneError> {
        let at = self.motor(part).and_then(|motor| motor.position());
        let at = self.note(part, at)?;
        if part == Part::Squisher && !self.is_lost(part) {
            // On its way it may soon be further.
            self.squisher_at[0] = at;
        }
        Ok(at)
    }

    pub(super) fn stop_part(&mut self, part: Part, how: StopAction) -> Result<(), CraneError> {
        let result = self.motor(part).and_then(|motor| motor.stop(how));
        self.note(part, result)
    }

    pub(super) fn reset(&mut self, part: Part) -> Result<(), CraneError> {
        let result = self.motor(part).and_then(|motor| motor.reset());
        self.note(part, result)?;
        self.position(part).map(drop)
    }

    pub(super) fn run_to(&mut self, part: Part, target: i32, pace: Pace) -> Result<(), CraneError> {
        let profile = pace.profile(StopAction::Hold);
        let result = self.motor(part).and_then(|motor| motor.run_to(target, &profile));
        if part == Part::Squisher {
            self.squisher_at[1] = target;
        }
        self.note(part, result)
    }

    /// Runs a part until it is stopped.
    pub(super) fn run_on(&mut self, part: Part, speed: i32) -> Result<(), CraneError> {
        let result = self.motor(part).and_then(|motor| motor.run(speed, StopAction::Coast));
        self.note(part, result)
    }

    pub(super) fn is_at(&mut self, part: Part, target: i32) -> Result<bool, CraneError> {
        Ok((self.position(part)? - target).abs() <= self.tolerance(part))
    }

    /// The milliseconds that a motion from here should take.
    pub(super) fn expected(&mut self, part: Part, target: i32, pace: Pace) -> Result<u32, CraneError> {
        let from = self.position(part)?;
        Ok(travel_ms(self.spec(part), target - from, &pace, self.battery.ratio))
    }

    /// Starts to move a part; gives the milliseconds that this should take.
    pub(super) fn start(&mut self, part: Part, target: i32, pace: Pace) -> Result<u32, CraneError> {
        let expected = self.expected(part, target, pace)?;
        self.run_to(part, target, pace)?;
        Ok(expected)
    }

    /// Waits for the end of a motion that should take so long.
    pub(super) fn wait(&mut self, part: Part, expected_ms: u32) -> Result<Ended, CraneError> {
        self.wait_within(part, expected_ms, false)
    }

    /// Waits for the turntable, and checks that the squisher follows it.
    pub(super) fn wait_with_squisher(&mut self, expected_ms: u32) -> Result<Ended, CraneError> {
        self.wait_within(Part::Turntable, expected_ms, true)
    }

    fn wait_within(&mut self, part: Part, expected_ms: u32, with_squisher: bool) -> Result<Ended, CraneError> {
        let soonest = Duration::from_millis((expected_ms * SOONEST_PERCENT / 100).into());
        let limit_ms = expected_ms * 3 + GRACE_MS;
        let begin = self.brick.clock.now();
        loop {
            self.check_stop()?;
            let state = self.motor(part).and_then(|motor| motor.state());
            let state = self.note(part, state)?;
            if !state.running {
                return Ok(Ended::Done);
            }
            let passed = self.brick.clock.now() - begin;
            if state.stalled && passed > STALL_STALE {
                // Otherwise it would push for ever.
                self.stop_part(part, StopAction::Hold)?;
                return Ok(Ended::Stalled);
            }
            if with_squisher && passed > STALL_STALE && self.squisher_hinders()? {
                self.stop_part(part, StopAction::Hold)?;
                self.stop_part(Part::Squisher, StopAction::Brake)?;
                return Ok(Ended::Hindered);
            }
            if passed > Duration::from_millis(limit_ms.into()) {
                return self.give_up(part, "a motion", limit_ms);
            }
            let left = soonest.saturating_sub(passed);
            self.brick.clock.sleep(left.clamp(POLL, POLL_ON_THE_WAY));
        }
    }

    /// Whether the squisher stands still though the turntable has left it behind.
    fn squisher_hinders(&mut self) -> Result<bool, CraneError> {
        let state = self.motor(Part::Squisher).and_then(|motor| motor.state());
        if !self.note(Part::Squisher, state)?.stalled {
            return Ok(false);
        }
        let table = self.position(Part::Turntable)?;
        let open = self.open_at(table);
        Ok(!self.is_at(Part::Squisher, open)?)
    }

    /// Fails if a part is not where it should be.
    pub(super) fn check(&mut self, part: Part, ended: Ended, target: i32) -> Result<(), CraneError> {
        if self.is_at(part, target)? {
            return Ok(());
        }
        let at = self.position(part)?;
        self.stop_part(part, StopAction::Brake)?;
        Err(match ended {
            Ended::Done => CraneError::Missed { part, at, target },
            Ended::Stalled | Ended::Hindered => CraneError::Stuck { part, at, target },
        })
    }

    /// Moves a part and checks that it arrives.
    pub(super) fn go_once(&mut self, part: Part, target: i32, pace: Pace) -> Result<(), CraneError> {
        let expected = self.start(part, target, pace)?;
        let ended = self.wait(part, expected)?;
        self.check(part, ended, target)
    }

    /// Moves a part, in a few tries, if only the part itself can be in the way.
    pub(super) fn go(&mut self, part: Part, target: i32, pace: Pace) -> Result<(), CraneError> {
        let mut attempt = 1;
        loop {
            match self.go_once(part, target, pace) {
                Err(error) if error.is_obstacle() && attempt < self.mechanism.retry.tries => {
                    log::warn!("{error}; trying again");
                    self.ease(part)?;
                    attempt += 1;
                }
                result => return result,
            }
        }
    }

    /// Leaves a part that is stuck alone for a moment.
    pub(super) fn ease(&mut self, part: Part) -> Result<(), CraneError> {
        self.stop_part(part, StopAction::Brake)?;
        self.pause(Duration::from_millis(self.mechanism.retry.pause_ms.into()))
    }

    /// Runs a part at a gentle speed until something stops it, and calls that place 0. That it is its end and nothing else in its way shows
    /// from where its zero was, or else by a second push.
    pub(super) fn find_zero(
        &mut self,
        part: Part,
        speed: i32,
        limit_ms: u32,
        known: Option<i32>,
    ) -> Result<(), CraneError> {
        let mut expected = known;
        let mut slack = self.mechanism.tolerance.zero.max(self.tolerance(part));
        let mut at = 0;
        for _ in 0..=self.mechanism.retry.tries {
            at = self.push(part, speed, limit_ms)?;
            // The ground is not higher than where the elevator stood when it was lifted to find it.
            let up = at * self.mechanism.elevator.clear.signum();
            if self.homing && part == Part::Elevator && up > slack {
                self.ease(part)?;
                continue;
            }
            if expected.is_some_and(|end| (at - end).abs() <= slack) {
                self.stop_part(part, StopAction::Coast)?;
                return self.reset(part);
            }
            if known.is_none() {
                (expected, slack) = (Some(at), SAME_END);
            } else {
                self.ease(part)?;
            }
        }
        let target = expected.unwrap_or(at);
        self.stop_part(part, StopAction::Brake)?;
        Err(CraneError::Stuck { part, at, target })
    }

    /// Runs a part until it does not move any more; gives that place.
    fn push(&mut self, part: Part, speed: i32, limit_ms: u32) -> Result<i32, CraneError> {
        self.run_on(part, speed)?;
        let begin = self.brick.clock.now();
        let (mut at, mut since) = (self.position(part)?, begin);
        // Its stall flag comes after a tenth of a second, which a gentle start against friction may take as well.
        while self.brick.clock.now() - since < AT_END {
            self.check_stop()?;
            if self.brick.clock.now() - begin > Duration::from_millis(limit_ms.into()) {
                return self.give_up(part, "finding its zero", limit_ms);
            }
            self.brick.clock.sleep(POLL_GENTLY);
            let now = self.position(part)?;
            if now != at {
                (at, since) = (now, self.brick.clock.now());
            }
        }
        Ok(at)
    }

    fn give_up<T>(&mut self, part: Part, doing: &'static str, limit_ms: u32) -> Result<T, CraneError> {
        self.stop_part(part, StopAction::Brake)?;
        Err(CraneError::TimedOut {
            part,
            doing,
            seconds: f64::from(limit_ms) / 1000.0,
        })
    }

    /// Waits until a part that was stopped stands still.
    pub(super) fn stand(&mut self, part: Part) -> Result<(), CraneError> {
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
    pub(super) fn pause(&mut self, time: Duration) -> Result<(), CraneError> {
        let begin = self.brick.clock.now();
        while self.brick.clock.now() - begin < time {
            self.check_stop()?;
            self.brick.clock.sleep(POLL_GENTLY);
        }
        Ok(())
    }

    /// Fails if the touch sensor is pressed again after it was let go, a stop was asked for, or the battery is nearly empty.
    pub(super) fn check_stop(&mut self) -> Result<(), CraneError> {
        if self.parking {
            return Ok(());
        }
        if (self.stop)() {
            return Err(CraneError::Aborted { by: "stop signal" });
        }
        let now = self.brick.clock.now();
        if now >= self.touch_at {
            self.touch_at = now + POLL_TOUCH;
            let pressed = self.brick.touch.pressed()?;
            if pressed && self.let_go {
                return Err(CraneError::Aborted { by: "touch sensor" });
            }
            self.let_go |= !pressed;
        }
        if now >= self.battery.look_at {
            return self.check_battery(now);
        }
        Ok(())
    }

    /// Looks at the battery before anything moves.
    pub(super) fn check_battery_before(&mut self) -> Result<(), CraneError> {
        let millivolts = self.brick.battery.millivolts()?;
        // Nothing pulls it down now, so one look is enough.
        self.battery.low = true;
        let now = self.brick.clock.now();
        self.judge_battery(now, millivolts)
    }

    fn check_battery(&mut self, now: Duration) -> Result<(), CraneError> {
        match self.brick.battery.millivolts() {
            Ok(millivolts) => self.judge_battery(now, millivolts),
            // It was there at the start, and the crane works without knowing it.
            Err(error) => {
                log::debug!("{error}");
                self.battery.look_at = now + BATTERY;
                Ok(())
            }
        }
    }

    fn judge_battery(&mut self, now: Duration, millivolts: u32) -> Result<(), CraneError> {
        let limits = &self.mechanism.battery;
        let was_low = std::mem::replace(&mut self.battery.low, millivolts < limits.least_millivolts);
        self.battery.millivolts = Some(millivolts);
        self.battery.ratio = f64::from(millivolts) / f64::from(self.mechanism.timing.reference_millivolts);
        if self.battery.low && was_low {
            return Err(CraneError::LowBattery { millivolts });
        }
        if millivolts < limits.warn_millivolts && self.battery.warned.is_none() {
            log::warn!(
                "the battery is weak: {}.{} V",
                millivolts / 1000,
                millivolts % 1000 / 100
            );
            self.battery.warned = Some(millivolts);
        }
        self.battery.look_at = now + if self.battery.low { BATTERY_AGAIN } else { BATTERY };
        Ok(())
    }
}
