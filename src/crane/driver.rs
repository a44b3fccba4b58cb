//! Performs primitives with the motors of a brick, and checks by their tachos that each did what it should.
//!
//! A motion that jams or stalls is tried again. If it fails for good, the crane is parked before the error is reported: turned layers are
//! brought to the square, the cube is put down, the flipper goes home, all motors coast. If a motor is dead, the others do what is safe.

mod park;
mod steps;
mod takeover;

use super::cost::opens_in_yaws;
use super::mechanism::{Leg, Mechanism, Size};
use super::part;
use super::pose::{FlipperEnd, Pose, Primitive, tipped};
use super::scan;
use crate::brick::{Brick, StopAction};
use crate::calibration::Pace;
use crate::cube::Symmetry;
use crate::drive::{Abandoned, Drive, Driven, End, Limits, MachineError, Robot, Step, StepKind, insist};
use crate::machine::{self, Code, Look};

/// What a user is told who has moved the cube or the parts by hand.
const BY_HAND: &str = "put the cube straight into its holder, square the turntable, push the flipper home";

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
    pub(super) drive: Drive<'a>,
    pub(super) mechanism: &'a Mechanism,
    size: Option<&'a Size>,
    /// Zeros are being found; until then the elevator's tacho counts from where it stood before.
    homing: bool,
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
}

impl Mechanism {
    /// The crane's parts with their motors.
    fn driven(&self) -> Vec<Driven> {
        let tolerance = &self.tolerance;
        let tolerances = [
            tolerance.elevator,
            tolerance.flipper,
            tolerance.turntable,
            tolerance.squisher,
        ];
        let driven = |(part, tolerance)| Driven {
            part,
            motor: self.motor(part).clone(),
            tolerance,
        };
        part::ALL.into_iter().zip(tolerances).map(driven).collect()
    }

    fn limits(&self) -> Limits {
        Limits {
            reference_millivolts: self.timing.reference_millivolts,
            battery: self.battery.clone(),
            tries: self.retry.tries,
            pause_ms: self.retry.pause_ms,
            zero: self.tolerance.zero,
            by_hand: BY_HAND,
        }
    }
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
    ) -> Result<Driver<'a>, MachineError> {
        Ok(Driver {
            drive: Drive::new(brick, mechanism.driven(), mechanism.limits(), stop)?,
            mechanism,
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
        })
    }

    /// The motors, for who moves them one by one.
    pub(super) fn into_drive(self) -> Drive<'a> {
        self.drive
    }

    /// The crane's calibration.
    pub fn mechanism(&self) -> &'a Mechanism {
        self.mechanism
    }

    /// How the cube stands, compared with when the driver was made, and where the parts are. It is right after parking, too, which may tip
    /// the cube; but not if [`Driver::last_turn`] is in doubt, and not after [`MachineError::NotParked`].
    pub fn pose(&self) -> Pose {
        Pose {
            orientation: self.orientation,
            flipper: self.flipper,
            rows: self.rows,
        }
    }

    /// How the last requested turn ended.
    pub fn last_turn(&self) -> LastTurn {
        self.last_turn
    }

    /// Performs a primitive.
    ///
    /// # Errors
    /// If the crane cannot do it from where it is, something is missing, stuck, late or jammed, or a stop is requested. The crane is
    /// then parked and must be homed again; if it cannot be, the error is [`MachineError::NotParked`].
    pub fn perform(&mut self, primitive: Primitive) -> Result<(), MachineError> {
        let result = self.try_perform(primitive);
        self.or_park(result)
    }

    fn tell(&mut self, kind: StepKind) {
        let step = Step {
            kind,
            n: self.size.map_or(0, |size| size.n as u8),
            at: self.pose().station(),
            marks: [self.table, 0, 0],
        };
        self.drive.tell(step);
    }

    /// How far up the ground is at most, in degrees from the tacho's zero, where that is known. While zeros are found, the elevator stood at 0 or
    /// above the ground. One whose cable was out is as far above the ground as it was before at least; it may have been on its way. (If it has
    /// sunk without power, it is down and not believed to be.)
    fn highest_ground(&mut self) -> Result<Option<i32>, MachineError> {
        let elevator = &self.mechanism.elevator;
        if !self.drive.is_lost(part::ELEVATOR) {
            return Ok(self.homing.then_some(0));
        }
        let [seen, told] = self.drive.whereabouts(part::ELEVATOR).map(|at| elevator.up(at));
        let now = elevator.up(self.drive.position(part::ELEVATOR)?);
        Ok(Some(now - seen.min(told)))
    }

    fn find_zeros(&mut self) -> Result<(), MachineError> {
        self.tell(StepKind::Home);
        let mechanism = self.mechanism;
        let (elevator, flipper) = (&mechanism.elevator, &mechanism.flipper);
        // Another program may have left a polarity or a setpoint.
        self.drive.forgive();
        for part in part::ALL {
            self.drive.reset(part)?;
        }
        self.drive.stop_part(part::TURNTABLE, StopAction::Hold)?;
        (self.table, self.rows, self.flipper) = (0, 0, FlipperEnd::Home);
        (self.flipping, self.squishing, self.dragged) = (false, false, false);
        self.turning = None;
        (self.homing, self.raised) = (true, true);
        let pace = Pace {
            speed: elevator.home_lift_speed,
            ramp_up_ms: 0,
            ramp_down_ms: 0,
        };
        // It may stand at its upper end. Back to where it stood it may go as fast as it came; only from there on the ground may come.
        for target in [elevator.home_lift, 0] {
            if let Err(error) = self.drive.go_once(part::ELEVATOR, target, pace)
                && !error.is_obstacle()
            {
                return Err(error);
            }
        }
        let ground = self.ground(None)?;
        self.drive.find_zeros(vec![ground, self.open_end()])?;
        (self.rests, self.raised) = (0, false);
        self.is_open()?;
        self.drive.find_zero(End::anywhere(
            part::FLIPPER,
            flipper.gently_home(),
            flipper.home_limit_ms,
        ))?;
        self.drive.stop_part(part::FLIPPER, StopAction::Hold)?;
        self.rested = FlipperEnd::Home;
        self.homed = true;
        Ok(())
    }

    fn try_perform(&mut self, primitive: Primitive) -> Result<(), MachineError> {
        if !self.homed {
            return Err(MachineError::NotHomed);
        }
        // A cube of unknown size can be tipped, cleared and put down.
        let n = match primitive {
            Primitive::Flip | Primitive::Clear | Primitive::Elevate { rows: 0 } => 0,
            _ => self.size.ok_or(MachineError::SizeUnknown)?.n,
        };
        self.pose().after(n, primitive)?;
        log::debug!("{primitive:?}");
        self.tell(StepKind::Begin(primitive.code()));
        let yaws = matches!(primitive, Primitive::Yaw { .. });
        if self.squishing && !(yaws && self.size.is_some_and(|size| opens_in_yaws(self.mechanism, size))) {
            self.unpress()?;
        }
        match primitive {
            Primitive::Elevate { rows } => self.elevate(rows),
            Primitive::Flip => self.flip(),
            Primitive::Clear => self.clear(),
            Primitive::Turn { quarters, flip } => {
                let size = self.size.ok_or(MachineError::SizeUnknown)?;
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

impl<'a> Robot<'a> for Driver<'a> {
    fn drive(&mut self) -> &mut Drive<'a> {
        &mut self.drive
    }

    fn set_size(&mut self, n: usize) -> Result<(), MachineError> {
        self.size = Some(self.mechanism.size(n)?);
        Ok(())
    }

    /// The turntable must be square.
    fn home(&mut self) -> Result<(), MachineError> {
        let result = self.drive.look_around().and_then(|()| self.find_zeros());
        self.homing = self.homing && result.is_err();
        self.or_park(result)
    }

    fn perform(&mut self, motion: Code) -> Result<(), MachineError> {
        let Some(primitive) = Primitive::of(motion) else {
            return Err(MachineError::Impossible(format!(
                "the crane has no motion {}",
                motion.0
            )));
        };
        Driver::perform(self, primitive)
    }

    /// Layers square, cube down, flipper home, squisher open, motors without power.
    fn park(&mut self) -> Result<(), MachineError> {
        self.drive.parking = true;
        let result = if self.homed || self.homing {
            insist(&mut || self.come_to_rest())
        } else {
            Ok(())
        };
        (self.homed, self.homing, self.drive.parking) = (false, false, false);
        self.drive.coast();
        result
    }

    fn pose(&self) -> machine::Pose {
        Driver::pose(self).into()
    }

    fn find_out(&mut self, left: &Abandoned) -> Result<(), MachineError> {
        self.find_parts(left)
    }

    /// The cube may be lifted a little.
    fn take_over_homing(&mut self) -> Result<(), MachineError> {
        (self.homing, self.raised) = (true, true);
        self.park()
    }

    fn first_looks(&self, start: machine::Pose) -> Result<Vec<Look>, MachineError> {
        Ok(scan::first_looks(start.into())?)
    }

    fn last_looks(&self, n: usize, start: machine::Pose) -> Result<Vec<Look>, MachineError> {
        Ok(scan::last_looks(n, start.into())?)
    }
}
