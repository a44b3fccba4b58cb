//! Taking over a crane that another program has left in the middle of a motion.
//!
//! A program that is killed leaves its motors under power: each goes on to its last setpoint and holds it there, and the tachos keep
//! counting. So whoever knows which step was under way can bring the crane to rest as if nothing had happened. [`Step`]s are what must be
//! known for that: a driver tells each before it moves anything.
//!
//! What the flipper does to the cube depends on where the cube is. In the holder it is tipped, and then it stands as the flipper does;
//! once it is up, the flipper moves alone. A step says which of the two holds until the next one, so that the motors' positions alone tell
//! how the cube stands, at any moment.

use super::driver::{Driver, ELEVATOR_TOLERANCE, FLIPPER_TOLERANCE, TABLE_TOLERANCE};
use super::error::{CraneError, Part};
use super::mechanism::Leg;
use super::pose::{Primitive, Side};
use crate::brick::StopAction;

/// What a driver is about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Finds the zeros of the motors: the cube is at rest, the flipper goes home.
    Home,
    /// Begins a primitive. Another step means that it has ended, or, where that is a step to rest, that it was given up; but a turn of the
    /// table that has begun is never given up.
    Begin(Primitive),
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
pub struct Left {
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

    /// Fails if somebody wants the crane to stop: for those who let it stand still for long.
    ///
    /// # Errors
    /// [`CraneError::Aborted`], or if the touch sensor cannot be asked.
    pub fn listen(&mut self) -> Result<(), CraneError> {
        self.check_stop()
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
    /// [`CraneError::Lost`] if the motors do not stand where such a crane's motors may stand: somebody has let them go, or moved them.
    /// Nothing was moved then. Otherwise as [`Driver::park`].
    pub fn take_over(&mut self, left: &Left) -> Result<(), CraneError> {
        let result = self.find_out(left);
        if result.is_ok() {
            return self.park();
        }
        // Without zeros this only lets go.
        self.homed = false;
        let _ = self.park();
        result
    }

    fn find_out(&mut self, left: &Left) -> Result<(), CraneError> {
        let Left { step, held } = *left;
        if step.n > 0 {
            self.set_size(step.n.into())?;
        }
        // It has power from homing to rest: without, somebody has stopped the motors, and perhaps set their tachos to 0.
        let state = self.motor(Part::Turntable).state()?;
        if !(state.running || state.holding) {
            return Err(CraneError::Lost { part: Part::Turntable });
        }
        for part in [Part::Turntable, Part::Elevator, Part::Flipper] {
            self.motor(part).stop(StopAction::Hold)?;
        }
        for part in [Part::Turntable, Part::Elevator, Part::Flipper] {
            self.stand(part)?;
        }
        let lost = |part| Err(CraneError::Lost { part });
        let up = self.mechanism.elevator.clear.signum();
        let height = self.motor(Part::Elevator).position()? * up;
        let (size, mechanism) = (self.size, self.mechanism);
        let row = |rows| size.map_or(0, |size| mechanism.height(size, rows)) * up;
        let highest = row(step.n).max(self.mechanism.elevator.clear * up);
        // At rest it may be pressed down a little.
        if height < -2 * ELEVATOR_TOLERANCE || height > highest + 2 * ELEVATOR_TOLERANCE {
            return lost(Part::Elevator);
        }
        let legs = match (step.what, size) {
            (What::Begin(Primitive::Turn { quarters, .. }), Some(size)) => mechanism.turn_legs(size, quarters),
            (What::Begin(Primitive::Yaw { quarters, .. }), _) => mechanism.yaw_legs(quarters),
            _ => Vec::new(),
        };
        let ends = || std::iter::once(0).chain(legs.iter().map(|leg: &Leg| leg.to));
        let (least, most) = (ends().min().unwrap_or(0), ends().max().unwrap_or(0));
        let table = self.motor(Part::Turntable).position()? - step.table;
        if !(least - TABLE_TOLERANCE..=most + TABLE_TOLERANCE).contains(&table) {
            return lost(Part::Turntable);
        }
        // All legs once more turn the layers to the same place, wherever they are now, as long as these are the layers.
        if !legs.is_empty() && (height - row(step.rows)).abs() > ELEVATOR_TOLERANCE {
            return lost(Part::Elevator);
        }
        let flipper = self.motor(Part::Flipper).position()?;
        let away = self.mechanism.flipper.away;
        let end = [(Side::Home, 0), (Side::Away, away)]
            .into_iter()
            .find(|(_, at)| (flipper - at).abs() <= FLIPPER_TOLERANCE);
        let lifted = height + ELEVATOR_TOLERANCE >= self.mechanism.elevator.clear * up;
        self.flipper = match (held, end) {
            (Some(side), _) => side,
            (None, Some((side, _))) => side,
            (None, None) if lifted => step.flipper,
            (None, None) => return lost(Part::Flipper),
        };
        (self.table, self.rows, self.unfinished) = (step.table, step.rows, legs);
        self.parking = true;
        let opened = self.open_squisher();
        self.parking = false;
        opened?;
        self.homed = true;
        Ok(())
    }
}
