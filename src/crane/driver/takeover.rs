//! Takes over a crane that another program has left in the middle of a motion.
//!
//! A program that is killed leaves its motors under power: each runs on to its last setpoint and holds there, and the tachos keep counting.
//! If the step under way is known, the crane can be brought to rest as if nothing had happened. So a driver tells every
//! [`Step`](super::Step) before it moves anything.
//!
//! The flipper tips a cube that is in its holder, and the cube then stands as the flipper does. Below a lifted cube the flipper moves alone.
//! Each step tells which of the two is so until the next step. Therefore the motors' positions tell at any moment how the cube stands.

use super::step::{Abandoned, StepKind};
use super::{Driver, Turning};
use crate::brick::StopAction;
use crate::crane::error::CraneError;
use crate::crane::mechanism::Leg;
use crate::crane::part::Part;
use crate::crane::pose::{FlipperEnd, Primitive};

impl Driver<'_> {
    /// Fails if a stop is requested: for callers that let the crane stand still for long. The crane is parked at once, before the caller
    /// finishes what it is doing.
    ///
    /// # Errors
    /// [`CraneError::Aborted`], or if the touch sensor cannot be asked.
    pub fn listen(&mut self) -> Result<(), CraneError> {
        let wished = self.check_stop();
        self.or_park(wished)
    }

    /// Brings a crane to rest that another driver has left, and lets its motors go. A turn of the table that was under way is completed.
    ///
    /// # Errors
    /// [`CraneError::Moved`] if a motor stands where that step could not have left it: it was let go, or moved by hand. Then nothing
    /// is moved. Otherwise as [`Driver::park`].
    pub fn take_over(&mut self, left: &Abandoned) -> Result<(), CraneError> {
        self.parking = true;
        let result = self.find_out(left);
        if result.is_ok() {
            return self.park();
        }
        // Without zeros, parking only lets the motors go.
        self.homed = false;
        let _ = self.park();
        result
    }

    /// Brings a crane to rest that another driver has left while or just after it found the zeros: the cube may be lifted a little.
    ///
    /// # Errors
    /// As [`Driver::park`].
    pub fn take_over_homing(&mut self) -> Result<(), CraneError> {
        (self.homing, self.raised) = (true, true);
        self.park()
    }

    fn find_out(&mut self, left: &Abandoned) -> Result<(), CraneError> {
        let Abandoned { step, held } = *left;
        let tolerance = self.mechanism.tolerance.clone();
        if step.n > 0 {
            self.set_size(step.n.into())?;
        }
        // The turntable has power from homing to rest. If it has none, another program has stopped the motors, and perhaps reset the tachos.
        let state = self.motor(Part::Turntable)?.state()?;
        if !(state.running || state.holding) {
            return Err(CraneError::Moved { part: Part::Turntable });
        }
        for part in [Part::Turntable, Part::Elevator, Part::Flipper] {
            self.stop_part(part, StopAction::Hold)?;
        }
        for part in [Part::Turntable, Part::Elevator, Part::Flipper] {
            self.stand(part)?;
        }
        let lost = |part| Err(CraneError::Moved { part });
        let up = self.mechanism.elevator.clear.signum();
        let height = self.position(Part::Elevator)? * up;
        let (size, mechanism) = (self.size, self.mechanism);
        let row = |rows| size.map_or(0, |size| mechanism.height(size, rows)) * up;
        let highest = row(step.n).max(self.mechanism.elevator.clear * up);
        // At rest the elevator may be pressed down a little.
        if height < -2 * tolerance.elevator || height > highest + 2 * tolerance.elevator {
            return lost(Part::Elevator);
        }
        let legs = match (step.kind, size) {
            (StepKind::Begin(Primitive::Turn { quarters, .. }), Some(size)) => mechanism.turn_legs(size, quarters),
            (StepKind::Begin(Primitive::Yaw { quarters, .. }), _) => mechanism.yaw_legs(quarters),
            _ => Vec::new(),
        };
        let ends = || std::iter::once(0).chain(legs.iter().map(|leg: &Leg| leg.to));
        let (least, most) = (ends().min().unwrap_or(0), ends().max().unwrap_or(0));
        let table = self.position(Part::Turntable)? - step.table;
        if !(least - tolerance.turntable..=most + tolerance.turntable).contains(&table) {
            return lost(Part::Turntable);
        }
        // To do all legs again brings the layers to the same place, wherever they are now, if the cube is at the height of these layers.
        if !legs.is_empty() && (height - row(step.rows)).abs() > tolerance.elevator {
            return lost(Part::Elevator);
        }
        let flipper = self.position(Part::Flipper)?;
        let away = self.mechanism.flipper.away;
        let end = [(FlipperEnd::Home, 0), (FlipperEnd::Away, away)]
            .into_iter()
            .find(|(_, at)| (flipper - at).abs() <= tolerance.flipper);
        let lifted = height + tolerance.elevator >= self.mechanism.elevator.clear * up;
        self.flipper = match (held, end) {
            (Some(side), _) => side,
            (None, Some((side, _))) => side,
            (None, None) if lifted => step.flipper,
            (None, None) => return lost(Part::Flipper),
        };
        (self.table, self.rows, self.rested) = (step.table, step.rows, held.unwrap_or(self.flipper));
        (self.flipping, self.raised) = (end.is_none(), height > tolerance.elevator);
        let yaw = match step.kind {
            StepKind::Begin(Primitive::Yaw { quarters, .. }) => Some(quarters),
            _ => None,
        };
        self.turning = (!legs.is_empty()).then_some(Turning { yaw, legs, undo: None });
        self.find_squisher()?;
        self.homed = true;
        Ok(())
    }
}
