//! Finds the zeros of parts: pushes each gently against its end.

use std::time::Duration;

use super::error::MachineError;
use super::motion::{AT_END, POLL_GENTLY};
use super::motors::Drive;
use super::part::Part;
use crate::brick::StopAction;

/// Two ends that are no more degrees apart are the same.
const SAME_END: i32 = 3;

/// A part that is to be pushed against its end. Places are degrees of its tacho.
#[derive(Debug, Clone, Copy)]
pub struct End {
    /// The part.
    pub part: Part,
    /// Degrees per second, towards the end.
    pub speed: i32,
    /// The longest time for a push, in milliseconds.
    pub limit_ms: u32,
    /// Where its end was when it was found before. What ends elsewhere was stopped by something else.
    pub known: Option<i32>,
    /// A place that the part has to reach or pass, where that is known.
    pub not_before: Option<i32>,
}

impl End {
    /// An end of which nothing is known.
    pub fn anywhere(part: Part, speed: i32, limit_ms: u32) -> End {
        End {
            part,
            speed,
            limit_ms,
            known: None,
            not_before: None,
        }
    }
}

/// An end that is not found yet.
struct Sought {
    end: End,
    /// Where the next push ends if that is its end.
    expected: Option<i32>,
    /// By how many degrees a push may miss that.
    slack: i32,
    /// Where the last push ended, and since when it has stood there.
    at: i32,
    since: Duration,
    /// It is pushed.
    runs: bool,
}

impl Drive<'_> {
    /// Runs a part at a gentle speed until something stops it, and calls that place 0. That it is its end and nothing else in its way shows
    /// from what is known of it, or else by a second push.
    ///
    /// # Errors
    /// As [`Drive::find_zeros`].
    pub fn find_zero(&mut self, end: End) -> Result<(), MachineError> {
        self.find_zeros(vec![end])
    }

    /// The same for parts that move at the same time.
    ///
    /// # Errors
    /// [`MachineError::Stuck`] if a part ends at another place each time, [`MachineError::TimedOut`], [`MachineError::Aborted`].
    pub fn find_zeros(&mut self, ends: Vec<End>) -> Result<(), MachineError> {
        let mut open: Vec<Sought> = ends.into_iter().map(|end| self.sought(end)).collect();
        for _ in 0..=self.limits.tries {
            self.push(&mut open)?;
            let mut left = Vec::with_capacity(open.len());
            for one in open {
                left.extend(self.judge(one)?);
            }
            open = left;
            if open.is_empty() {
                return Ok(());
            }
        }
        let Some(Sought { end, expected, at, .. }) = open.into_iter().next() else {
            return Ok(());
        };
        let (part, target) = (end.part, expected.unwrap_or(at));
        self.stop_part(part, StopAction::Brake)?;
        Err(MachineError::Stuck { part, at, target })
    }

    fn sought(&self, end: End) -> Sought {
        let (at, since) = (0, Duration::ZERO);
        Sought {
            slack: self.limits.zero.max(self.tolerance(end.part)),
            expected: end.known,
            end,
            at,
            since,
            runs: false,
        }
    }

    /// Takes the place where a part stands for its end if that is certain. Else gives it back for another push.
    fn judge(&mut self, mut one: Sought) -> Result<Option<Sought>, MachineError> {
        let (part, at) = (one.end.part, one.at);
        let short_of = |place: i32| (place - at) * one.end.speed.signum() > SAME_END;
        if one.end.not_before.is_some_and(short_of) {
            self.ease(part)?;
            return Ok(Some(one));
        }
        if one.expected.is_some_and(|end| (at - end).abs() <= one.slack) {
            self.stop_part(part, StopAction::Coast)?;
            return self.reset(part).map(|()| None);
        }
        if one.end.known.is_some() {
            self.ease(part)?;
        } else {
            (one.expected, one.slack) = (Some(at), SAME_END);
        }
        Ok(Some(one))
    }

    /// Runs each part until it does not move any more.
    fn push(&mut self, all: &mut [Sought]) -> Result<(), MachineError> {
        for one in all.iter() {
            self.run_on(one.end.part, one.end.speed)?;
        }
        let begin = self.brick.clock.now();
        for one in all.iter_mut() {
            (one.at, one.since, one.runs) = (self.position(one.end.part)?, begin, true);
        }
        while all.iter().any(|one| one.runs) {
            self.check_stop()?;
            self.brick.clock.sleep(POLL_GENTLY);
            for one in all.iter_mut().filter(|one| one.runs) {
                let (part, limit_ms) = (one.end.part, one.end.limit_ms);
                let (at, now) = (self.position(part)?, self.brick.clock.now());
                if at != one.at {
                    (one.at, one.since) = (at, now);
                }
                // Its stall flag comes after a tenth of a second, which a gentle start against friction may take as well.
                one.runs = now - one.since < AT_END;
                if !one.runs {
                    self.stop_part(part, StopAction::Brake)?;
                } else if now - begin > Duration::from_millis(limit_ms.into()) {
                    return self.give_up(part, "finding its zero", limit_ms);
                }
            }
        }
        Ok(())
    }
}
