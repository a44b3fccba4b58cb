//! Performs motions with the motors of a brick, and checks by their tachos that each did what it should.
//!
//! A motion that has begun is completed before the machine rests, also by another driver after a death: the table goes to the place where the
//! turn ends, and an arm that pulls the cube pulls it over before it lets it go. All targets are places, so it does no harm to give them again.

mod looking;
mod rest;

use std::time::Duration;

use super::mechanism::Mechanism;
use super::motion::{AWAY, HOLDING, Motion, OVER};
use super::part::{ARM, SENSOR_ARM, TURNTABLE};
use super::scan::looks;
use crate::brick::{Brick, StopAction};
use crate::calibration::Pace;
use crate::cube::Symmetry;
use crate::drive::{Abandoned, Drive, Driven, End, Limits, MachineError, Robot, Step, StepKind, insist};
use crate::machine::{Code, Deed, Look, Pose, Station};

/// What a user is told who has moved the cube or the parts by hand.
const BY_HAND: &str = "put the cube straight into its cradle, square the turntable, push both arms away from it";

/// Time between two looks for a cube that is put in.
const BETWEEN: Duration = Duration::from_millis(20);

/// A motion that has begun and not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
enum UnderWay {
    /// The arm pulls the cube over.
    Pulling,
    /// The table makes this motion, to these places, one after the other, relative to where it was square.
    Turning(Motion, Vec<i32>),
    /// The table goes back to where it was square, as something was in its way.
    Back,
}

impl UnderWay {
    /// The motion that is done when this is.
    fn motion(&self) -> Option<Motion> {
        match *self {
            UnderWay::Pulling => Some(Motion::Flip),
            UnderWay::Turning(motion, _) => Some(motion),
            UnderWay::Back => None,
        }
    }
}

/// Drives one tilter.
pub struct Driver<'a> {
    drive: Drive<'a>,
    mechanism: &'a Mechanism,
    /// Zeros are being found.
    homing: bool,
    homed: bool,
    /// Where the arm is.
    at: Station,
    /// The cube's rotation since the beginning.
    orientation: Symmetry,
    /// The turntable's last square position.
    table: i32,
    /// The motion that has begun, and what is left of it.
    under_way: Option<UnderWay>,
}

impl Mechanism {
    fn driven(&self) -> Vec<Driven> {
        let tolerance = &self.tolerance;
        [
            (ARM, &self.arm.motor, tolerance.arm),
            (TURNTABLE, &self.turntable.motor, tolerance.turntable),
            (SENSOR_ARM, &self.sensor_arm.motor, tolerance.sensor_arm),
        ]
        .map(|(part, motor, tolerance)| Driven {
            part,
            motor: motor.clone(),
            tolerance,
        })
        .to_vec()
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
    /// A driver for a tilter at rest. `stop` is asked every few milliseconds; when it is true, or a touch sensor is pressed, the machine
    /// parks.
    ///
    /// # Errors
    /// If the brick has not got every port that the calibration names.
    pub fn new(
        brick: &'a mut Brick,
        mechanism: &'a Mechanism,
        stop: Box<dyn Fn() -> bool + 'a>,
    ) -> Result<Driver<'a>, MachineError> {
        Ok(Driver {
            drive: Drive::new(brick, mechanism.driven(), mechanism.limits(), stop)?,
            mechanism,
            homing: false,
            homed: false,
            at: AWAY,
            orientation: Symmetry::IDENTITY,
            table: 0,
            under_way: None,
        })
    }

    /// The motors, for who moves them one by one.
    pub fn into_drive(self) -> Drive<'a> {
        self.drive
    }

    fn tell(&mut self, kind: StepKind) {
        self.drive.tell(Step {
            kind,
            n: 3,
            at: self.at,
            marks: [self.table, 0, 0],
        });
    }

    fn find_zeros(&mut self) -> Result<(), MachineError> {
        self.tell(StepKind::Home);
        // Another program may have left a polarity or a setpoint.
        self.drive.forgive();
        for part in self.drive.parts() {
            self.drive.reset(part)?;
        }
        self.drive.stop_part(TURNTABLE, StopAction::Hold)?;
        (self.table, self.under_way, self.homing) = (0, None, true);
        let (arm, sensor) = (&self.mechanism.arm, &self.mechanism.sensor_arm);
        // The sensor's arm may lie over the cube, where the other one would meet it.
        let away = -sensor.centre.signum() * sensor.home_speed;
        self.drive
            .find_zero(End::anywhere(SENSOR_ARM, away, sensor.home_limit_ms))?;
        self.drive
            .find_zero(End::anywhere(ARM, -arm.home_speed, arm.home_limit_ms))?;
        (self.at, self.homing, self.homed) = (AWAY, false, true);
        Ok(())
    }

    fn try_perform(&mut self, motion: Motion) -> Result<(), MachineError> {
        if !self.homed {
            return Err(MachineError::NotHomed);
        }
        let Some((deed, to)) = motion.does(self.at) else {
            let place = match self.at {
                AWAY => "is away",
                HOLDING => "holds",
                _ => "leans the cube",
            };
            return Err(MachineError::Impossible(format!(
                "cannot {motion} while the arm {place}"
            )));
        };
        log::debug!("{motion}");
        self.in_place()?;
        self.tell(StepKind::Begin(motion.code()));
        self.under_way = self.mechanism.way(motion);
        match motion {
            Motion::Hold | Motion::Away => self.reach(to)?,
            _ => self.complete()?,
        }
        if let Deed::Whole(by) = deed {
            self.orientation = self.orientation.then(by);
        }
        self.at = to;
        Ok(())
    }

    /// Sees that no part has left its place, as by a hand, before a motion that needs it there.
    fn in_place(&mut self) -> Result<(), MachineError> {
        let (arm, sensor) = (&self.mechanism.arm, &self.mechanism.sensor_arm);
        // After homing the arm is farther away than it waits later; where it leans the cube, it goes back next in any case.
        let arm_is_free = self.at == OVER || self.at == AWAY && self.drive.position(ARM)? <= arm.away;
        let places = [
            (SENSOR_ARM, 0, sensor.moving),
            (ARM, self.mechanism.place(self.at), arm.reach),
            (TURNTABLE, self.table, self.mechanism.turntable.turn),
        ];
        for (part, place, pace) in places {
            if !(self.drive.is_at(part, place)? || part == ARM && arm_is_free) {
                log::warn!("the {part} has left its place, and goes back to it");
                self.drive.go(part, place, pace)?;
            }
        }
        Ok(())
    }

    /// Takes the arm to where it holds, or away; a cube that leans falls back.
    fn reach(&mut self, to: Station) -> Result<(), MachineError> {
        let pace = self.pace_back();
        self.drive.go(ARM, self.mechanism.place(to), pace)?;
        if self.at == OVER && to == HOLDING {
            self.settle()?;
        }
        Ok(())
    }

    /// How the arm goes back from where it is.
    fn pace_back(&self) -> Pace {
        let arm = &self.mechanism.arm;
        if self.at == OVER { arm.back } else { arm.reach }
    }

    /// Does what is left of the motion under way.
    fn complete(&mut self) -> Result<(), MachineError> {
        while let Some(way) = self.under_way.clone() {
            match way {
                UnderWay::Pulling => self.pull()?,
                UnderWay::Turning(motion, places) => self.turn(motion, &places)?,
                UnderWay::Back => self.turn_back()?,
            }
            self.under_way = None;
        }
        Ok(())
    }

    /// Pulls the cube over, in a few tries. An arm that something stops soon lets the cube fall back first; later on the cube may have tipped
    /// already, so that it must not be pulled anew from where the arm holds.
    fn pull(&mut self) -> Result<(), MachineError> {
        let (arm, tries) = (&self.mechanism.arm, self.drive.limits().tries);
        for attempt in 1..=tries {
            match self.drive.go_once(ARM, arm.pulled, arm.pull) {
                Ok(()) => return self.settle(),
                Err(error) if error.is_obstacle() && attempt < tries => {
                    log::warn!("{error}; trying again");
                    self.drive.tries_again();
                    self.drive.ease(ARM)?;
                    if self.drive.position(ARM)? < (arm.hold + arm.pulled) / 2 {
                        self.drive.go(ARM, arm.hold, arm.back)?;
                    }
                }
                Err(error) if error.is_obstacle() => {}
                Err(error) => return Err(error),
            }
        }
        let doing = "being pulled over";
        Err(MachineError::Jammed { doing, tries })
    }

    /// Lets the cube settle after the arm has moved it.
    fn settle(&mut self) -> Result<(), MachineError> {
        let rest = Duration::from_millis(self.mechanism.arm.rest_ms.into());
        self.drive.pause(rest)
    }

    /// Turns the table to the places that are left.
    fn turn(&mut self, motion: Motion, places: &[i32]) -> Result<(), MachineError> {
        for (i, place) in places.iter().enumerate() {
            let pace = self.mechanism.pace(motion, i);
            self.drive.go(TURNTABLE, self.table + place, pace)?;
            self.under_way = Some(UnderWay::Turning(motion, places[i + 1..].to_vec()));
        }
        self.table += places.last().copied().unwrap_or(0);
        Ok(())
    }

    /// Takes the table back to where it was square. A layer that has been turned comes along only when the play of the cradle is used up, so
    /// the table goes as far past that place as it goes past the end of a turn.
    fn turn_back(&mut self) -> Result<(), MachineError> {
        let table = &self.mechanism.turntable;
        let aside = self.drive.position(TURNTABLE)? - self.table;
        if self.at == HOLDING && aside.abs() > self.drive.tolerance(TURNTABLE) {
            self.drive
                .go(TURNTABLE, self.table - aside.signum() * table.past, table.turn)?;
        }
        self.drive.go(TURNTABLE, self.table, table.back)
    }
}

impl Mechanism {
    /// Where the arm is at a station, while the machine turns.
    fn place(&self, at: Station) -> i32 {
        match at {
            HOLDING => self.arm.hold,
            OVER => self.arm.pulled,
            _ => self.arm.away,
        }
    }

    /// What a motion has to do before the machine may rest; none for one that can be left anywhere.
    fn way(&self, motion: Motion) -> Option<UnderWay> {
        let table = &self.turntable;
        let signed = |quarters: u8| if quarters == 3 { -1 } else { i32::from(quarters) };
        Some(match motion {
            Motion::Hold | Motion::Away => return None,
            Motion::Flip => UnderWay::Pulling,
            Motion::Rotate { quarters } => UnderWay::Turning(motion, vec![signed(quarters) * table.quarter]),
            Motion::Turn { quarters } => {
                let end = signed(quarters) * table.quarter;
                let past = end + end.signum() * table.past;
                UnderWay::Turning(motion, if table.past == 0 { vec![end] } else { vec![past, end] })
            }
            Motion::Look => UnderWay::Turning(motion, vec![4 * table.quarter]),
        })
    }

    /// How the table goes to the first place of a motion, and back to a second one.
    fn pace(&self, motion: Motion, place: usize) -> Pace {
        let table = &self.turntable;
        match (motion, place) {
            (Motion::Rotate { .. }, _) => table.rotate,
            (_, 0) => table.turn,
            _ => table.back,
        }
    }
}

impl<'a> Robot<'a> for Driver<'a> {
    fn drive(&mut self) -> &mut Drive<'a> {
        &mut self.drive
    }

    fn set_size(&mut self, n: usize) -> Result<(), MachineError> {
        match n {
            3 => Ok(()),
            n => Err(self.mechanism.another_size(n).into()),
        }
    }

    /// The turntable must be square.
    fn home(&mut self) -> Result<(), MachineError> {
        let result = self.drive.look_around().and_then(|()| self.find_zeros());
        self.or_park(result)
    }

    fn perform(&mut self, motion: Code) -> Result<(), MachineError> {
        let Some(motion) = Motion::of(motion) else {
            return Err(MachineError::Impossible(format!(
                "the tilter has no motion {}",
                motion.0
            )));
        };
        let result = self.try_perform(motion);
        self.or_park(result)
    }

    /// The lowest layer square, both arms away, motors without power.
    fn park(&mut self) -> Result<(), MachineError> {
        self.drive.parking = true;
        let result = if self.homed {
            insist(&mut || self.come_to_rest())
        } else {
            Ok(())
        };
        (self.homed, self.homing, self.drive.parking) = (false, false, false);
        self.drive.coast();
        result
    }

    fn pose(&self) -> Pose {
        Pose {
            orientation: self.orientation,
            station: self.at,
        }
    }

    fn find_out(&mut self, left: &Abandoned) -> Result<(), MachineError> {
        self.find_parts(left)
    }

    /// The arms stop where they are; nothing holds the cube.
    fn take_over_homing(&mut self) -> Result<(), MachineError> {
        self.park()
    }

    fn first_looks(&self, start: Pose) -> Result<Vec<Look>, MachineError> {
        looks(start)
    }

    fn is_cube_in(&mut self) -> Result<Option<bool>, MachineError> {
        let Some(presence) = &self.mechanism.presence else {
            return Ok(None);
        };
        // A hand in front of the sensor is gone sooner.
        for _ in 0..presence.times {
            if self.drive.brick().presence.proximity()? >= presence.near {
                return Ok(Some(false));
            }
            self.drive.pause(BETWEEN)?;
        }
        Ok(Some(true))
    }

    fn white(&self) -> [u16; 3] {
        self.mechanism.color_sensor.white
    }

    fn read_side(&mut self) -> Result<[[u16; 3]; 9], MachineError> {
        let result = self.try_read_side();
        match result {
            Ok(side) => Ok(side),
            Err(why) => self.or_park(Err(why)).and(Err(MachineError::NotHomed)),
        }
    }
}
