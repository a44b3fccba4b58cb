//! Performs primitives on the motors of a brick, and sees by their tachos that each did what it should.
//!
//! Whatever fails, the crane is parked before the error is reported: turned layers are brought to the square, the cube is put down, the
//! flipper goes home, all motors coast.

use std::time::Duration;

use super::cost::travel_ms;
use super::error::{CraneError, Part};
use super::mechanism::{Leg, Mechanism, Pace, Size};
use super::pose::{Pose, Primitive, Side};
use super::takeover::{Step, What};
use crate::brick::{Brick, StopAction};
use crate::cube::Symmetry;

/// Degrees by which the parts may miss their place.
pub(super) const ELEVATOR_TOLERANCE: i32 = 7;
pub(super) const FLIPPER_TOLERANCE: i32 = 15;
pub(super) const TABLE_TOLERANCE: i32 = 8;
const SQUISHER_TOLERANCE: i32 = 12;
/// Of a lift, less than this share is a jam.
const LEAST_LIFT_PERCENT: i32 = 90;
/// Tries of a flip and of a lift.
const FLIP_TRIES: u32 = 3;
const LIFT_TRIES: u32 = 2;
/// How long a jammed motor is left alone.
const JAM_PAUSE: Duration = Duration::from_secs(1);

/// Drives one crane.
pub struct Driver<'a> {
    pub(super) brick: &'a mut Brick,
    pub(super) mechanism: &'a Mechanism,
    pub(super) stop: Box<dyn Fn() -> bool + 'a>,
    /// The touch sensor was seen not pressed: a finger that is still on it from before stops nothing.
    pub(super) let_go: bool,
    /// On the way to a safe state: nothing stops that.
    pub(super) parking: bool,
    /// Who is told of every step before it is done.
    pub(super) watcher: Option<Box<dyn FnMut(Step) + 'a>>,
    pub(super) size: Option<&'a Size>,
    pub(super) homed: bool,
    pub(super) flipper: Side,
    pub(super) rows: u8,
    /// The turntable's last square position.
    pub(super) table: i32,
    /// The turntable's position when the squisher was homed.
    squisher_zero: i32,
    /// Legs of the turn under way that are not done, relative to `table`.
    pub(super) unfinished: Vec<Leg>,
}

impl<'a> Driver<'a> {
    /// A driver for a crane at rest. `stop` is asked every few milliseconds; once it says so, and when the touch sensor is pressed, the
    /// crane parks.
    pub fn new(brick: &'a mut Brick, mechanism: &'a Mechanism, stop: Box<dyn Fn() -> bool + 'a>) -> Driver<'a> {
        Driver {
            brick,
            mechanism,
            stop,
            let_go: false,
            parking: false,
            watcher: None,
            size: None,
            homed: false,
            flipper: Side::Home,
            rows: 0,
            table: 0,
            squisher_zero: 0,
            unfinished: Vec::new(),
        }
    }

    /// The brick, for its other devices.
    pub fn brick(&mut self) -> &mut Brick {
        self.brick
    }

    /// Tells which cube is in the crane.
    ///
    /// # Errors
    /// If the calibration does not know the size.
    pub fn set_size(&mut self, n: usize) -> Result<(), CraneError> {
        self.size = Some(self.mechanism.size(n)?);
        Ok(())
    }

    /// Finds the zeros of elevator, flipper and squisher. The turntable is taken to be square.
    ///
    /// # Errors
    /// As [`Driver::perform`].
    pub fn home(&mut self) -> Result<(), CraneError> {
        let result = self.find_zeros();
        self.or_park(result)
    }

    /// Performs a primitive.
    ///
    /// # Errors
    /// If the crane cannot do it from where it is, something is missing, stuck, late or jammed, or somebody wants to stop. The crane is
    /// then parked, as far as it can be, and must be homed again.
    pub fn perform(&mut self, primitive: Primitive) -> Result<(), CraneError> {
        let result = self.try_perform(primitive);
        self.or_park(result)
    }

    /// Leaves the crane safe: layers square, cube down, flipper home, squisher open, motors without power.
    ///
    /// # Errors
    /// If that fails; the motors are without power in any case.
    pub fn park(&mut self) -> Result<(), CraneError> {
        self.parking = true;
        let result = if self.homed { self.come_to_rest() } else { Ok(()) };
        self.homed = false;
        self.parking = false;
        let mut coast = Ok(());
        for part in [Part::Elevator, Part::Flipper, Part::Turntable, Part::Squisher] {
            let stopped = self.motor(part).stop(StopAction::Coast);
            coast = coast.and(stopped);
        }
        result.and(coast.map_err(CraneError::from))
    }

    fn or_park(&mut self, result: Result<(), CraneError>) -> Result<(), CraneError> {
        if let Err(error) = &result {
            log::debug!("{error}; parking");
            if let Err(further) = self.park() {
                log::error!("parking failed: {further}");
            }
        }
        result
    }

    fn find_zeros(&mut self) -> Result<(), CraneError> {
        self.tell(What::Home);
        let mechanism = self.mechanism;
        let (elevator, flipper) = (&mechanism.elevator, &mechanism.flipper);
        // Whatever ran before may have left a polarity or a setpoint behind.
        for part in [Part::Elevator, Part::Flipper, Part::Turntable, Part::Squisher] {
            self.motor(part).reset()?;
        }
        self.motor(Part::Turntable).stop(StopAction::Hold)?;
        (self.table, self.rows, self.flipper) = (0, 0, Side::Home);
        self.unfinished.clear();
        let up = Pace {
            speed: elevator.home_lift_speed,
            ramp_up_ms: 0,
            ramp_down_ms: 0,
        };
        self.go(Part::Elevator, elevator.home_lift, up, ELEVATOR_TOLERANCE)?;
        self.put_down()?;
        let homewards = -flipper.away.signum() * flipper.home_speed;
        self.find_zero(Part::Flipper, homewards, flipper.home_limit_ms)?;
        self.motor(Part::Flipper).stop(StopAction::Hold)?;
        self.open_squisher()?;
        self.homed = true;
        Ok(())
    }

    /// Lowers the elevator gently until it stands on the ground, and calls that 0.
    fn put_down(&mut self) -> Result<(), CraneError> {
        let elevator = &self.mechanism.elevator;
        let down = -elevator.clear.signum() * elevator.home_speed;
        self.find_zero(Part::Elevator, down, elevator.home_limit_ms)
    }

    /// Opens the squisher until it stops, and calls that 0.
    pub(super) fn open_squisher(&mut self) -> Result<(), CraneError> {
        let squisher = &self.mechanism.squisher;
        self.find_zero(Part::Squisher, -squisher.home_speed, squisher.home_limit_ms)?;
        self.squisher_zero = self.motor(Part::Turntable).position()?;
        Ok(())
    }

    fn try_perform(&mut self, primitive: Primitive) -> Result<(), CraneError> {
        if !self.homed {
            return Err(CraneError::NotHomed);
        }
        let pose = Pose {
            orientation: Symmetry::IDENTITY,
            flipper: self.flipper,
            rows: self.rows,
        };
        // A cube of unknown size can be tipped, cleared and put down.
        let n = match primitive {
            Primitive::Flip | Primitive::Clear | Primitive::Elevate { rows: 0 } => 0,
            _ => self.size.ok_or(CraneError::SizeUnknown)?.n,
        };
        pose.after(n, primitive)?;
        log::debug!("{primitive:?}");
        self.tell(What::Begin(primitive));
        match primitive {
            Primitive::Elevate { rows } => self.elevate(rows),
            Primitive::Flip => self.flip(),
            Primitive::Clear => self.clear(),
            Primitive::Turn { quarters, flip } => {
                let size = self.size.ok_or(CraneError::SizeUnknown)?;
                self.turn(self.mechanism.turn_legs(size, quarters), flip)
            }
            Primitive::Yaw { quarters, flip } => self.turn(self.mechanism.yaw_legs(quarters), flip),
            Primitive::Squish => self.squish(),
        }
    }

    fn elevate(&mut self, rows: u8) -> Result<(), CraneError> {
        let (target, pace) = match self.size {
            Some(size) => (
                self.mechanism.height(size, rows),
                self.mechanism.elevator_pace(size, self.rows, rows),
            ),
            None => (0, self.mechanism.elevator.rest),
        };
        if rows < self.rows {
            self.go(Part::Elevator, target, pace, ELEVATOR_TOLERANCE)?;
        } else {
            self.lift(target, pace)?;
        }
        self.rows = rows;
        Ok(())
    }

    /// Lifts the cube; if it jams, puts it down, settles it with two slow flips, and tries again.
    fn lift(&mut self, target: i32, pace: Pace) -> Result<(), CraneError> {
        let mut pace = pace;
        for _ in 0..LIFT_TRIES {
            let from = self.motor(Part::Elevator).position()?;
            let expected = self.start(Part::Elevator, target, pace)?;
            let ended = self.wait(Part::Elevator, expected)?;
            let moved = (self.motor(Part::Elevator).position()? - from).abs();
            if moved * 100 >= (target - from).abs() * LEAST_LIFT_PERCENT {
                return self.check(Part::Elevator, ended, target, ELEVATOR_TOLERANCE);
            }
            log::warn!("the cube jammed after {moved} degrees of a lift to {target}; settling it");
            self.motor(Part::Elevator).stop(StopAction::Coast)?;
            self.pause(JAM_PAUSE)?;
            self.rows = 0;
            self.tell(What::Held);
            self.put_down()?;
            self.open_squisher()?;
            for _ in 0..2 {
                self.flip_at(self.mechanism.flipper.slow)?;
            }
            self.tell(What::Free);
            pace = self.mechanism.elevator.lift.at_most(pace.speed);
        }
        Err(CraneError::Jammed {
            doing: "being lifted",
            tries: LIFT_TRIES,
        })
    }

    fn flip(&mut self) -> Result<(), CraneError> {
        let flipper = &self.mechanism.flipper;
        self.flip_at(if self.rows == 0 {
            flipper.with_cube
        } else {
            flipper.empty
        })
    }

    fn flipper_end(&self, side: Side) -> i32 {
        match side {
            Side::Home => 0,
            Side::Away => self.mechanism.flipper.away,
        }
    }

    fn flip_at(&mut self, pace: Pace) -> Result<(), CraneError> {
        let target = self.flipper_end(self.flipper.other());
        for _ in 0..FLIP_TRIES {
            let from = self.motor(Part::Flipper).position()?;
            let expected = self.start(Part::Flipper, target, pace)?;
            self.wait(Part::Flipper, expected)?;
            let at = self.motor(Part::Flipper).position()?;
            if (at - target).abs() <= FLIPPER_TOLERANCE {
                self.flipper = self.flipper.other();
                return Ok(());
            }
            if (at - from).abs() <= self.mechanism.flipper.least_travel {
                log::warn!("the flipper jammed at {at} degrees on its way to {target}");
                self.motor(Part::Flipper).stop(StopAction::Coast)?;
                self.pause(JAM_PAUSE)?;
            }
        }
        Err(CraneError::Jammed {
            doing: "being flipped",
            tries: FLIP_TRIES,
        })
    }

    fn clear(&mut self) -> Result<(), CraneError> {
        let elevator = &self.mechanism.elevator;
        let (lift, rest) = (elevator.lift, elevator.rest);
        self.lift(elevator.clear, lift)?;
        self.flip_at(self.mechanism.flipper.empty)?;
        self.go(Part::Elevator, 0, rest, ELEVATOR_TOLERANCE)
    }

    /// Turns the table through the legs, and the flipper meanwhile if it should.
    fn turn(&mut self, legs: Vec<Leg>, flip: bool) -> Result<(), CraneError> {
        let flipper_to = flip.then(|| self.flipper_end(self.flipper.other()));
        self.unfinished = legs;
        let mut flipping = 0;
        if let Some(target) = flipper_to {
            flipping = self.start(Part::Flipper, target, self.mechanism.flipper.empty)?;
        }
        self.finish_turn()?;
        if let Some(target) = flipper_to {
            let ended = self.wait(Part::Flipper, flipping)?;
            self.check(Part::Flipper, ended, target, FLIPPER_TOLERANCE)?;
            self.flipper = self.flipper.other();
        }
        Ok(())
    }

    /// Goes through the legs that are left. The squisher goes along, because the table drags it.
    fn finish_turn(&mut self) -> Result<(), CraneError> {
        while let Some(&Leg { to, pace }) = self.unfinished.first() {
            let target = self.table + to;
            let table = self.motor(Part::Turntable).position()?;
            let expected = travel_ms(&self.mechanism.turntable.motor, target - table, &pace, 1.0);
            let open = self.mechanism.dragged(target - self.squisher_zero);
            let away = open - self.motor(Part::Squisher).position()?;
            // A little ahead of the table, so that it is not waited for.
            let along = Pace {
                speed: (away.abs() * 1150 / expected.max(1) as i32).clamp(1, self.mechanism.squisher.press.speed),
                ramp_up_ms: 0,
                ramp_down_ms: 0,
            };
            // First: if the program ends in between, a squisher alone does no harm, a table alone would force it.
            self.motor(Part::Squisher)
                .run_to(open, &along.profile(StopAction::Hold))?;
            self.start(Part::Turntable, target, pace)?;
            let ended = self.wait(Part::Turntable, expected)?;
            self.check(Part::Turntable, ended, target, TABLE_TOLERANCE)?;
            let ended = self.wait(Part::Squisher, 0)?;
            self.check(Part::Squisher, ended, open, SQUISHER_TOLERANCE)?;
            if self.unfinished.len() == 1 {
                self.table = target;
            }
            self.unfinished.remove(0);
        }
        Ok(())
    }

    fn squish(&mut self) -> Result<(), CraneError> {
        let size = self.size.ok_or(CraneError::SizeUnknown)?;
        let press = self.mechanism.squisher.press;
        self.motor(Part::Turntable).stop(StopAction::Hold)?;
        let open = self.mechanism.dragged(self.table - self.squisher_zero);
        // A cube that is squared early stops it early.
        let expected = self.start(Part::Squisher, open + size.squish, press)?;
        let ended = self.wait(Part::Squisher, expected)?;
        self.check(Part::Squisher, ended, open + size.squish, size.squish / 2)?;
        self.go(Part::Squisher, open, press, SQUISHER_TOLERANCE)
    }

    /// All steps to a safe state, from wherever a primitive was given up.
    fn come_to_rest(&mut self) -> Result<(), CraneError> {
        let mechanism = self.mechanism;
        for part in [Part::Elevator, Part::Flipper] {
            self.motor(part).stop(StopAction::Hold)?;
            self.stand(part)?;
        }
        self.finish_turn()?;
        let open = mechanism.dragged(self.table - self.squisher_zero);
        self.go(Part::Squisher, open, mechanism.squisher.press, SQUISHER_TOLERANCE)?;
        // High enough, the flipper passes below the cube; else it stands at an end, or has the cube in it.
        let lifted = self.motor(Part::Elevator).position()?.abs();
        if lifted + ELEVATOR_TOLERANCE >= mechanism.elevator.clear.abs() {
            self.tell(What::Free);
            self.go(Part::Flipper, 0, mechanism.flipper.empty, FLIPPER_TOLERANCE)?;
            self.flipper = Side::Home;
        }
        self.go(Part::Elevator, 0, mechanism.elevator.rest, ELEVATOR_TOLERANCE)?;
        self.rows = 0;
        self.tell(What::Held);
        self.go(Part::Flipper, 0, mechanism.flipper.with_cube, FLIPPER_TOLERANCE)?;
        self.flipper = Side::Home;
        self.tell(What::Rest);
        self.open_squisher()
    }
}

impl Drop for Driver<'_> {
    /// A driver that a panic takes with it lets go of all motors; otherwise [`Driver::park`] has done more than that.
    fn drop(&mut self) {
        if self.homed && std::thread::panicking() {
            for part in [Part::Elevator, Part::Flipper, Part::Turntable, Part::Squisher] {
                if let Err(error) = self.motor(part).stop(StopAction::Coast) {
                    log::error!("{error}");
                }
            }
        }
    }
}
