//! Performs motions with the motors of one or two bricks: all motors of a step run at once, and each is checked by its tacho.
//!
//! The rules of the calibration are asked before every motion. A motion that has begun is completed before the machine rests, also by another
//! driver after a death. All targets are places, so it does no harm to give them again. At rest all jaws are closed and upright.

mod rest;

use super::jaw::{Jaw, Set};
use super::mechanism::Mechanism;
use super::motion::{Jaws, Motion, Stand};
use super::part::{grip, wrist};
use crate::brick::{Brick, StopAction};
use crate::cube::Symmetry;
use crate::drive::{Abandoned, Drive, Driven, End, Limits, MachineError, Robot, Step, StepKind, insist};
use crate::machine::{Code, Deed, Machine, Pose};

/// What a user is told who has moved the cube or the jaws by hand.
const BY_HAND: &str = "turn all jaws upright and close them on the cube, with straight layers";

/// Drives the three jaws.
pub struct Driver<'a> {
    drive: Drive<'a>,
    mechanism: &'a Mechanism,
    rules: Jaws,
    /// Zeros are being found: one jaw may be open.
    homing: bool,
    homed: bool,
    stand: Stand,
    /// The cube's rotation since the beginning.
    orientation: Symmetry,
    /// By jaw: the last place at which it stood upright or lay, motor degrees.
    marks: [i32; 3],
    /// The motion that has begun and not ended.
    under_way: Option<Motion>,
}

impl Mechanism {
    fn driven(&self) -> Vec<Driven> {
        let tolerance = &self.tolerance;
        let grips = Jaw::ALL.map(|jaw| (grip(jaw), self.grip.motor.of(jaw), tolerance.grip));
        let wrists = Jaw::ALL.map(|jaw| (wrist(jaw), self.turn.motor.of(jaw), tolerance.turn));
        let driven = |(part, motor, tolerance): (_, &crate::calibration::MotorSpec, _)| Driven {
            part,
            motor: motor.clone(),
            tolerance,
        };
        grips.into_iter().chain(wrists).map(driven).collect()
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

    /// Degrees by which each of some jaws turns for so many quarters: clockwise as seen from outside on each, left and right together as seen
    /// from the right.
    fn ways(&self, jaws: Set, quarters: u8) -> impl Iterator<Item = (Jaw, i32)> {
        let signed = if quarters == 3 { -1 } else { i32::from(quarters) };
        let quarter = self.turn.quarter;
        jaws.jaws().map(move |jaw| {
            let mirrored = jaws == Set::SIDES && jaw == Jaw::Left;
            (jaw, quarter * if mirrored { -signed } else { signed })
        })
    }
}

impl<'a> Driver<'a> {
    /// A driver for jaws that hold a cube, closed and upright. `stop` is asked every few milliseconds; when it is true, or the touch sensor is
    /// pressed, the machine parks.
    ///
    /// # Errors
    /// If the brick has not got every port that the calibration names; those of a second brick are there once it is connected.
    pub fn new(
        brick: &'a mut Brick,
        mechanism: &'a Mechanism,
        stop: Box<dyn Fn() -> bool + 'a>,
    ) -> Result<Driver<'a>, MachineError> {
        Ok(Driver {
            drive: Drive::new(brick, mechanism.driven(), mechanism.limits(), stop)?,
            mechanism,
            rules: Jaws::new(mechanism),
            homing: false,
            homed: false,
            stand: Stand::from_number(Jaws::START.station),
            orientation: Symmetry::IDENTITY,
            marks: [0; 3],
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
            at: self.stand.number(),
            marks: self.marks,
        });
    }

    /// One jaw after the other opens as far as it goes and closes again, while the others hold the cube.
    fn find_zeros(&mut self) -> Result<(), MachineError> {
        self.tell(StepKind::Home);
        self.homing = true;
        // Another program may have left a polarity or a setpoint.
        self.drive.forgive();
        for jaw in Jaw::ALL {
            self.drive.reset(wrist(jaw))?;
            self.drive.stop_part(wrist(jaw), StopAction::Hold)?;
        }
        (self.stand, self.marks, self.under_way) = (Stand::from_number(Jaws::START.station), [0; 3], None);
        // One that another program has left open must not be all that is missing when the next one opens.
        self.close_blindly()?;
        let fingers = &self.mechanism.grip;
        for jaw in [Jaw::Centre, Jaw::Left, Jaw::Right] {
            self.drive.reset(grip(jaw))?;
            let open = -fingers.close.signum() * fingers.home_speed;
            self.drive
                .find_zero(End::anywhere(grip(jaw), open, fingers.home_limit_ms))?;
            self.drive.go(grip(jaw), fingers.close, fingers.pace)?;
        }
        (self.homing, self.homed) = (false, true);
        Ok(())
    }

    fn try_perform(&mut self, motion: Motion) -> Result<(), MachineError> {
        if !self.homed {
            return Err(MachineError::NotHomed);
        }
        let steps = self.rules.steps(self.stand.number());
        let Some(step) = steps.into_iter().find(|step| step.motion == motion) else {
            let Stand { closed, lying } = self.stand;
            return Err(MachineError::Impossible(format!(
                "the rules of the calibration do not allow to {motion} while {closed} are closed and {} lying",
                if lying == Set::NONE {
                    "none is".to_string()
                } else {
                    format!("{lying} are")
                }
            )));
        };
        log::debug!("{motion}");
        self.in_place()?;
        self.tell(StepKind::Begin(motion.code()));
        self.under_way = Some(motion);
        self.complete(motion)?;
        if let Deed::Whole(by) = step.deed {
            self.orientation = self.orientation.then(by);
        }
        self.stand = Stand::from_number(step.to);
        Ok(())
    }

    /// Sees that no jaw has left its place, as by a hand.
    fn in_place(&mut self) -> Result<(), MachineError> {
        for jaw in Jaw::ALL {
            let place = self.marks[jaw as usize];
            if !self.drive.is_at(wrist(jaw), place)? {
                log::warn!("the {jaw} jaw has left its place, and goes back to it");
                self.drive.go(wrist(jaw), place, self.mechanism.turn.pace)?;
            }
        }
        Ok(())
    }

    /// Does a motion, or what is left of it.
    fn complete(&mut self, motion: Motion) -> Result<(), MachineError> {
        let mechanism = self.mechanism;
        match motion {
            Motion::Open(jaws) | Motion::Close(jaws) => {
                let place = if matches!(motion, Motion::Close(_)) {
                    mechanism.grip.close
                } else {
                    0
                };
                let goals: Vec<_> = jaws.jaws().map(|jaw| (grip(jaw), place)).collect();
                self.drive.go_together(&goals, mechanism.grip.pace)?;
            }
            Motion::Turn(jaws, quarters) => {
                let to = |(jaw, way)| (jaw, self.marks[jaw as usize] + way);
                let places: Vec<(Jaw, i32)> = mechanism.ways(jaws, quarters).map(to).collect();
                let goals: Vec<_> = places.iter().map(|&(jaw, place)| (wrist(jaw), place)).collect();
                self.drive.go_together(&goals, mechanism.turn.pace)?;
                for (jaw, place) in places {
                    self.marks[jaw as usize] = place;
                }
            }
        }
        self.under_way = None;
        Ok(())
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

    /// The jaws must be closed on the cube, and upright.
    fn home(&mut self) -> Result<(), MachineError> {
        let result = self.drive.look_around().and_then(|()| self.find_zeros());
        self.or_park(result)
    }

    fn perform(&mut self, motion: Code) -> Result<(), MachineError> {
        let Some(motion) = Motion::of(motion) else {
            return Err(MachineError::Impossible(format!(
                "the jaws have no motion {}",
                motion.0
            )));
        };
        let result = self.try_perform(motion);
        self.or_park(result)
    }

    /// All jaws closed and upright, motors without power.
    fn park(&mut self) -> Result<(), MachineError> {
        self.drive.parking = true;
        let result = match (self.homed, self.homing) {
            (true, _) => insist(&mut || self.come_to_rest()),
            (false, true) => insist(&mut || self.close_after_homing()),
            (false, false) => Ok(()),
        };
        (self.homed, self.homing, self.drive.parking) = (false, false, false);
        self.drive.coast();
        result
    }

    fn pose(&self) -> Pose {
        Pose {
            orientation: self.orientation,
            station: self.stand.number(),
        }
    }

    fn find_out(&mut self, left: &Abandoned) -> Result<(), MachineError> {
        self.find_parts(left)
    }

    /// One jaw may be open; the others hold the cube.
    fn take_over_homing(&mut self) -> Result<(), MachineError> {
        self.homing = true;
        self.park()
    }
}
