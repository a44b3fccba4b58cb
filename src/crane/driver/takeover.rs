//! Taking over a crane that another program has left in the middle of a motion.
//!
//! A program that is killed leaves its motors under power: each goes on to its last setpoint and holds it there, and the tachos keep
//! counting. So whoever knows which step was under way can bring the crane to rest as if nothing had happened. [`Step`]s are what must be
//! known for that: a driver tells each before it moves anything.
//!
//! What the flipper does to the cube depends on where the cube is. In the holder it is tipped, and then it stands as the flipper does;
//! once it is up, the flipper moves alone. A step says which of the two holds until the next one, so that the motors' positions alone tell
//! how the cube stands, at any moment.

use super::{Driver, Turning};
use crate::brick::StopAction;
use crate::crane::error::{CraneError, Part};
use crate::crane::mechanism::Leg;
use crate::crane::pose::{Primitive, Side};

/// What a driver is about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Finds the zeros of the motors: the cube is at rest, the flipper goes home.
    Home,
    /// Begins a primitive. Another step means that it has ended, or, where that is a step to rest, that it was given up; but a turn of the
    /// table that has begun is ended, unless it is told that it goes back.
    Begin(Primitive),
    /// The turn of the table that has begun is taken back, because something is in its way.
    Back,
    /// From now on the flipper moves only with the cube in it.
    Held,
    /// From now on the flipper moves only below a lifted cube.
    Free,
    /// The cube is at rest and the flipper at home.
    Rest,
}

/// One step, and where the crane's parts are before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What happens.
    pub what: What,
    /// N; 0 if it is not known yet.
    pub n: u8,
    /// Rows in the turntable.
    pub rows: u8,
    /// The flipper's end.
    pub flipper: Side,
    /// The turntable's last square position, motor degrees.
    pub table: i32,
}

/// How a crane was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abandoned {
    /// The last step that was told.
    pub step: Step,
    /// The end at which the flipper was when the cube was in it; none if it moves only below a lifted cube.
    pub held: Option<Side>,
}

impl<'a> Driver<'a> {
    /// Has every step told before it is done.
    pub fn watch(&mut self, watcher: Box<dyn FnMut(Step) + 'a>) {
        self.watcher = Some(watcher);
    }

    /// Fails if somebody wants the crane to stop: for those who let it stand still for long. It is then parked at once, whatever they have
    /// to bring to an end first.
    ///
    /// # Errors
    /// [`CraneError::Aborted`], or if the touch sensor cannot be asked.
    pub fn listen(&mut self) -> Result<(), CraneError> {
        let wished = self.check_stop();
        self.or_park(wished)
    }

    pub(super) fn tell(&mut self, what: What) {
        let step = Step {
            what,
            n: self.size.map_or(0, |size| size.n as u8),
            rows: self.rows,
            flipper: self.flipper,
            table: self.table,
        };
        if let Some(watcher) = &mut self.watcher {
            watcher(step);
        }
    }

    /// Brings a crane to rest that another driver has left, and lets its motors go. A turn of the table that was under way is completed.
    ///
    /// # Errors
    /// [`CraneError::Moved`] if the motors do not stand where such a crane's motors may stand: somebody has let them go, or moved them.
    /// Nothing was moved then. Otherwise as [`Driver::park`].
    pub fn take_over(&mut self, left: &Abandoned) -> Result<(), CraneError> {
        let result = self.find_out(left);
        if result.is_ok() {
            return self.park();
        }
        // Without zeros this only lets go.
        self.homed = false;
        let _ = self.park();
        result
    }

    fn find_out(&mut self, left: &Abandoned) -> Result<(), CraneError> {
        let Abandoned { step, held } = *left;
        let tolerance = self.mechanism.tolerance.clone();
        if step.n > 0 {
            self.set_size(step.n.into())?;
        }
        // It has power from homing to rest: without, somebody has stopped the motors, and perhaps set their tachos to 0.
        let state = self.motor(Part::Turntable).state()?;
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
        // At rest it may be pressed down a little.
        if height < -2 * tolerance.elevator || height > highest + 2 * tolerance.elevator {
            return lost(Part::Elevator);
        }
        let legs = match (step.what, size) {
            (What::Begin(Primitive::Turn { quarters, .. }), Some(size)) => mechanism.turn_legs(size, quarters),
            (What::Begin(Primitive::Yaw { quarters, .. }), _) => mechanism.yaw_legs(quarters),
            _ => Vec::new(),
        };
        let ends = || std::iter::once(0).chain(legs.iter().map(|leg: &Leg| leg.to));
        let (least, most) = (ends().min().unwrap_or(0), ends().max().unwrap_or(0));
        let table = self.position(Part::Turntable)? - step.table;
        if !(least - tolerance.turntable..=most + tolerance.turntable).contains(&table) {
            return lost(Part::Turntable);
        }
        // All legs once more turn the layers to the same place, wherever they are now, as long as these are the layers.
        if !legs.is_empty() && (height - row(step.rows)).abs() > tolerance.elevator {
            return lost(Part::Elevator);
        }
        let flipper = self.position(Part::Flipper)?;
        let away = self.mechanism.flipper.away;
        let end = [(Side::Home, 0), (Side::Away, away)]
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
        let yaw = match step.what {
            What::Begin(Primitive::Yaw { quarters, .. }) => Some(quarters),
            _ => None,
        };
        self.turning = (!legs.is_empty()).then_some(Turning { yaw, legs, undo: None });
        self.parking = true;
        let opened = self.find_squisher();
        self.parking = false;
        opened?;
        self.homed = true;
        Ok(())
    }
}
