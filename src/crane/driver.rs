//! Performs primitives with the motors of a brick, and checks by their tachos that each did what it should.
//!
//! A motion that jams or stalls is tried again. If it fails for good, the crane is parked before the error is reported: turned layers are
//! brought to the square, the cube is put down, the flipper goes home, all motors coast. If a motor is dead, the others do what is safe.

mod park;
mod step;
mod steps;
mod takeover;

use std::time::Duration;

use super::cost::opens_in_yaws;
use super::error::CraneError;
use super::mechanism::{Leg, Mechanism, Size};
use super::part::Part;
use super::pose::{FlipperEnd, Pose, Primitive, tipped};
use crate::brick::{Brick, DeviceError, StopAction};
use crate::calibration::Pace;
use crate::cube::Symmetry;

pub use step::{Abandoned, Step, StepKind};

/// How the last requested turn ended, of layers or of the whole cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastTurn {
    /// It was done, if need be while parking.
    Done,
    /// It was not done, or taken back while parking.
    Undone,
    /// It was given up half-way.
    InDoubt,
}

/// A turn of the table under way.
#[derive(Debug, Clone)]
struct Turning {
    /// Quarters of the whole cube, or of layers.
    yaw: Option<u8>,
    /// Legs that are not done, relative to the last square position.
    legs: Vec<Leg>,
    /// The legs that take the layers back, as long as the first leg is not done.
    undo: Option<[Leg; 2]>,
}

/// Drives one crane.
pub struct Driver<'a> {
    pub(super) brick: &'a mut Brick,
    pub(super) mechanism: &'a Mechanism,
    pub(super) stop: Box<dyn Fn() -> bool + 'a>,
    /// The touch sensor was released since the driver began: only then a press stops the crane.
    pub(super) let_go: bool,
    /// When the touch sensor is looked at next.
    pub(super) touch_at: Duration,
    /// On the way to a safe state: nothing stops that.
    pub(super) parking: bool,
    /// Is told of every step before it is done.
    watcher: Option<Box<dyn FnMut(Step) + 'a>>,
    pub(super) battery: Power,
    /// Motors that were unplugged for a moment at least; their tachos may have a new zero.
    pub(super) lost: [bool; 4],
    /// Where the squisher was seen last, and where it was told to go since.
    pub(super) squisher_at: [i32; 2],
    size: Option<&'a Size>,
    /// Zeros are being found; until then the elevator's tacho counts from where it stood before.
    pub(super) homing: bool,
    homed: bool,
    /// The flipper's end.
    flipper: FlipperEnd,
    /// The flipper has left that end and not arrived at the other.
    flipping: bool,
    /// Rows in the turntable.
    rows: u8,
    /// The cube may be higher than at rest.
    raised: bool,
    /// The end at which the cube rested last.
    rested: FlipperEnd,
    /// The cube's rotation since the beginning.
    orientation: Symmetry,
    /// The turntable's last square position.
    table: i32,
    /// The turntable's position when the squisher was homed.
    squisher_zero: i32,
    turning: Option<Turning>,
    last_turn: LastTurn,
    /// The squisher may have hold of the cube.
    squishing: bool,
    /// The squisher's motor does not follow the table.
    dragged: bool,
    /// How often the cube was put down since the elevator's zero was found.
    rests: u32,
    /// How often a motion was tried again.
    retries: u32,
}

/// What is known of the battery.
#[derive(Debug)]
pub(super) struct Power {
    /// When it is measured next.
    pub(super) look_at: Duration,
    /// The last measurement was too low.
    pub(super) low: bool,
    /// The millivolts at which a warning was given.
    pub(super) warned: Option<u32>,
    /// The last measurement.
    pub(super) millivolts: Option<u32>,
    /// The last measured voltage divided by the calibration's reference.
    pub(super) ratio: f64,
}

impl<'a> Driver<'a> {
    /// A driver for a crane at rest. `stop` is asked every few milliseconds; when it is true, or the touch sensor is pressed, the crane
    /// parks.
    ///
    /// # Errors
    /// [`DeviceError::NoPort`] if the brick has not got every port that the calibration names.
    pub fn new(
        brick: &'a mut Brick,
        mechanism: &'a Mechanism,
        stop: Box<dyn Fn() -> bool + 'a>,
    ) -> Result<Driver<'a>, CraneError> {
        // Some ways to rest need only some of the motors: none of them begins without the others.
        for part in Part::ALL {
            brick.motor(mechanism.motor(part).port)?;
        }
        Ok(Driver {
            brick,
            mechanism,
            stop,
            let_go: false,
            touch_at: Duration::ZERO,
            parking: false,
            watcher: None,
            battery: Power {
                millivolts: None,
                look_at: Duration::ZERO,
                low: false,
                warned: None,
                ratio: 1.0,
            },
            lost: [false; 4],
            squisher_at: [0; 2],
            size: None,
            homing: false,
            homed: false,
            flipper: FlipperEnd::Home,
            flipping: false,
            rows: 0,
            raised: false,
            rested: FlipperEnd::Home,
            orientation: Symmetry::IDENTITY,
            table: 0,
            squisher_zero: 0,
            turning: None,
            last_turn: LastTurn::Done,
            squishing: false,
            dragged: false,
            rests: 0,
            retries: 0,
        })
    }

    /// The brick, for its other devices.
    pub fn brick(&mut self) -> &mut Brick {
        self.brick
    }

    /// The crane's calibration.
    pub fn mechanism(&self) -> &'a Mechanism {
        self.mechanism
    }

    /// Sets the size of the cube in the crane.
    ///
    /// # Errors
    /// If the calibration does not know the size.
    pub fn set_size(&mut self, n: usize) -> Result<(), CraneError> {
        self.size = Some(self.mechanism.size(n)?);
        Ok(())
    }

    /// How the cube stands, compared with when the driver was made, and where the parts are. It is right after parking, too, which may tip
    /// the cube; but not if [`Driver::last_turn`] is in doubt, and not after [`CraneError::NotParked`].
    pub fn pose(&self) -> Pose {
        Pose {
            orientation: self.orientation,
            flipper: self.flipper,
            rows: self.rows,
        }
    }

    /// Sets the watcher that is told of every step before it is done.
    pub fn watch(&mut self, watcher: Box<dyn FnMut(Step) + 'a>) {
        self.watcher = Some(watcher);
    }

    /// How the last requested turn ended.
    pub fn last_turn(&self) -> LastTurn {
        self.last_turn
    }

    /// How often a motion was tried again, because something was in its way.
    pub fn retries(&self) -> u32 {
        self.retries
    }

    /// The battery's millivolts when it was first found weaker than the calibration's warning.
    pub fn weak_battery(&self) -> Option<u32> {
        self.battery.warned
    }

    /// The battery's millivolts when they were last measured.
    pub fn battery(&self) -> Option<u32> {
        self.battery.millivolts
    }

    /// Checks that everything is plugged in and the battery good, then finds the zeros of elevator, flipper and squisher. The turntable
    /// must be square.
    ///
    /// # Errors
    /// As [`Driver::perform`].
    pub fn home(&mut self) -> Result<(), CraneError> {
        let result = self.look_around().and_then(|()| self.find_zeros());
        self.homing = self.homing && result.is_err();
        self.or_park(result)
    }

    /// Performs a primitive.
    ///
    /// # Errors
    /// If the crane cannot do it from where it is, something is missing, stuck, late or jammed, or a stop is requested. The crane is
    /// then parked and must be homed again; if it cannot be, the error is [`CraneError::NotParked`].
    pub fn perform(&mut self, primitive: Primitive) -> Result<(), CraneError> {
        let result = self.try_perform(primitive);
        self.or_park(result)
    }

    /// Leaves the crane safe: layers square, cube down, flipper home, squisher open, motors without power.
    ///
    /// # Errors
    /// [`CraneError::NotParked`] if that fails; the motors are without power in any case.
    pub fn park(&mut self) -> Result<(), CraneError> {
        self.parking = true;
        let result = if self.homed || self.homing {
            self.come_to_rest()
        } else {
            Ok(())
        };
        (self.homed, self.homing, self.parking) = (false, false, false);
        self.coast();
        result
    }

    fn or_park(&mut self, result: Result<(), CraneError>) -> Result<(), CraneError> {
        let Err(why) = result else { return Ok(()) };
        log::debug!("{why}; parking");
        match self.park() {
            Ok(()) => Err(why),
            Err(CraneError::NotParked { why: further, left }) => {
                log::error!("parking failed: {further}");
                let why = Box::new(why);
                Err(CraneError::NotParked { why, left })
            }
            Err(further) => Err(further),
        }
    }

    fn tell(&mut self, kind: StepKind) {
        let step = Step {
            kind,
            n: self.size.map_or(0, |size| size.n as u8),
            rows: self.rows,
            flipper: self.flipper,
            table: self.table,
        };
        if let Some(watcher) = &mut self.watcher {
            watcher(step);
        }
    }

    fn coast(&mut self) {
        for part in Part::ALL {
            match self.motor(part).and_then(|motor| motor.stop(StopAction::Coast)) {
                // What is unplugged has no power.
                Ok(()) | Err(DeviceError::Missing { .. }) => {}
                Err(error) => log::error!("{error}"),
            }
        }
    }

    /// Checks everything that can be checked before anything moves.
    fn look_around(&mut self) -> Result<(), CraneError> {
        for part in Part::ALL {
            let spec = self.spec(part);
            let (port, wanted) = (spec.port, spec.kind);
            if let (Some(wanted), Some(found)) = (wanted, self.motor(part)?.kind())
                && wanted != found
            {
                return Err(CraneError::WrongMotor {
                    part,
                    port,
                    found,
                    wanted,
                });
            }
        }
        self.brick.touch.pressed()?;
        self.check_battery_before()
    }

    fn find_zeros(&mut self) -> Result<(), CraneError> {
        self.tell(StepKind::Home);
        let mechanism = self.mechanism;
        let (elevator, flipper) = (&mechanism.elevator, &mechanism.flipper);
        // Another program may have left a polarity or a setpoint.
        self.lost = [false; 4];
        for part in Part::ALL {
            self.reset(part)?;
        }
        self.stop_part(Part::Turntable, StopAction::Hold)?;
        (self.table, self.rows, self.flipper) = (0, 0, FlipperEnd::Home);
        (self.flipping, self.squishing, self.dragged) = (false, false, false);
        self.turning = None;
        (self.homing, self.raised) = (true, true);
        let up = Pace {
            speed: elevator.home_lift_speed,
            ramp_up_ms: 0,
            ramp_down_ms: 0,
        };
        // It may stand at its upper end.
        if let Err(error) = self.go_once(Part::Elevator, elevator.home_lift, up)
            && !error.is_obstacle()
        {
            return Err(error);
        }
        self.put_down(None)?;
        self.raised = false;
        let homewards = -flipper.away.signum() * flipper.home_speed;
        self.find_zero(Part::Flipper, homewards, flipper.home_limit_ms, None)?;
        self.stop_part(Part::Flipper, StopAction::Hold)?;
        self.rested = FlipperEnd::Home;
        self.open_squisher(None)?;
        self.homed = true;
        Ok(())
    }

    fn try_perform(&mut self, primitive: Primitive) -> Result<(), CraneError> {
        if !self.homed {
            return Err(CraneError::NotHomed);
        }
        // A cube of unknown size can be tipped, cleared and put down.
        let n = match primitive {
            Primitive::Flip | Primitive::Clear | Primitive::Elevate { rows: 0 } => 0,
            _ => self.size.ok_or(CraneError::SizeUnknown)?.n,
        };
        self.pose().after(n, primitive)?;
        log::debug!("{primitive:?}");
        self.tell(StepKind::Begin(primitive));
        let yaws = matches!(primitive, Primitive::Yaw { .. });
        if self.squishing && !(yaws && self.size.is_some_and(|size| opens_in_yaws(self.mechanism, size))) {
            self.unpress()?;
        }
        match primitive {
            Primitive::Elevate { rows } => self.elevate(rows),
            Primitive::Flip => self.flip(),
            Primitive::Clear => self.clear(),
            Primitive::Turn { quarters, flip } => {
                let size = self.size.ok_or(CraneError::SizeUnknown)?;
                self.turn(self.mechanism.turn_legs(size, quarters), None, flip)
            }
            Primitive::Yaw { quarters, flip } => self.turn(self.mechanism.yaw_legs(quarters), Some(quarters), flip),
            Primitive::Squish => self.press().and_then(|()| self.unpress()),
            Primitive::Press => self.press(),
        }
    }

    /// Notes that the flipper is at an end; a cube at rest has gone there with it.
    fn arrived(&mut self, side: FlipperEnd) {
        (self.flipper, self.flipping) = (side, false);
        if !self.raised && self.rested != side {
            self.orientation = self.orientation.then(tipped(self.rested));
            self.rested = side;
        }
    }
}

impl Drop for Driver<'_> {
    /// In a panic, lets all motors go. Otherwise [`Driver::park`] has already done so.
    fn drop(&mut self) {
        if (self.homed || self.homing) && std::thread::panicking() {
            self.coast();
        }
    }
}
