//! Finds the zeros of parts: pushes each gently against its end.

use std::time::Duration;

use super::error::MachineError;
use super::motion::{AT_END, POLL_GENTLY};
use super::motors::Drive;
use super::part::Part;
use crate::brick::StopAction;

/// Two ends that are no farther apart are the same.
const SAME_END: i32 = 3;

/// What is known of a part's end before it is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Nothing: a second push has to end where the first one did.
    Nothing,
    /// The part was moved from here and stood at its end, probably. If a push ends here, that is the second one.
    Stood(i32),
    /// Its end, from when it was found before. What ends elsewhere was stopped by something else.
    Zero(i32),
}

/// A part that is to be pushed against its end.
pub struct End<'a> {
    /// The part.
    pub part: Part,
    /// Degrees per second, towards the end.
    pub speed: i32,
    /// The longest time for a push, in milliseconds.
    pub limit_ms: u32,
    /// Where the end is.
    pub known: Known,
    /// Tells of a place, and of the slack in degrees, whether it can be the end.
    pub can_be: &'a dyn Fn(i32, i32) -> bool,
}

impl End<'_> {
    /// An end of which nothing is known.
    pub fn anywhere(part: Part, speed: i32, limit_ms: u32) -> End<'static> {
        End {
            part,
            speed,
            limit_ms,
            known: Known::Nothing,
            can_be: &|_, _| true,
        }
    }
}

/// An end that is not found yet.
struct Sought<'a> {
    end: End<'a>,
    expected: Option<i32>,
    slack: i32,
    /// Where the last push ended, and since when it has stood there.
    at: i32,
    since: Duration,
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

    fn sought<'a>(&self, end: End<'a>) -> Sought<'a> {
        let slack = self.limits.zero.max(self.tolerance(end.part));
        let (expected, slack) = match end.known {
            Known::Nothing => (None, slack),
            Known::Stood(at) => (Some(at), SAME_END),
            Known::Zero(at) => (Some(at), slack),
        };
        let (at, since) = (0, Duration::ZERO);
        Sought {
            end,
            expected,
            slack,
            at,
            since,
        }
    }

    /// Takes the place where a part stands for its end if that is certain. Else gives it back for another push.
    fn judge<'a>(&mut self, mut one: Sought<'a>) -> Result<Option<Sought<'a>>, MachineError> {
        let (part, at) = (one.end.part, one.at);
        if !(one.end.can_be)(at, one.slack) {
            self.ease(part)?;
            return Ok(Some(one));
        }
        if one.expected.is_some_and(|end| (at - end).abs() <= one.slack) {
            self.stop_part(part, StopAction::Coast)?;
            return self.reset(part).map(|()| None);
        }
        match one.end.known {
            Known::Zero(_) => self.ease(part)?,
            _ => (one.expected, one.slack) = (Some(at), SAME_END),
        }
        Ok(Some(one))
    }

    /// Runs parts until none of them moves any more.
    fn push(&mut self, all: &mut [Sought]) -> Result<(), MachineError> {
        for one in all.iter() {
            self.run_on(one.end.part, one.end.speed)?;
        }
        let begin = self.brick.clock.now();
        for one in all.iter_mut() {
            (one.at, one.since) = (self.position(one.end.part)?, begin);
        }
        // Its stall flag comes after a tenth of a second, which a gentle start against friction may take as well.
        while all.iter().any(|one| self.brick.clock.now() - one.since < AT_END) {
            self.check_stop()?;
            for one in all.iter().filter(|one| self.brick.clock.now() - one.since < AT_END) {
                let limit_ms = one.end.limit_ms;
                if self.brick.clock.now() - begin > Duration::from_millis(limit_ms.into()) {
                    return self.give_up(one.end.part, "finding its zero", limit_ms);
                }
            }
            self.brick.clock.sleep(POLL_GENTLY);
            for one in all.iter_mut() {
                let now = self.position(one.end.part)?;
                if now != one.at {
                    (one.at, one.since) = (now, self.brick.clock.now());
                }
            }
        }
        Ok(())
    }
}
