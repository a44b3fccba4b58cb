//! Brings the tilter to rest from wherever a motion was given up, also one that another program has left.

use super::{AWAY, Driver, HOLDING, OVER, UnderWay};
use crate::brick::StopAction;
use crate::drive::{Abandoned, Left, MachineError, StepKind};
use crate::tilter::motion::Motion;
use crate::tilter::part::{ARM, SENSOR_ARM, TURNTABLE};

/// The cube lies on the table, but not all is where it starts.
const NOT_ALL: Left = Left {
    is_cube_up: false,
    words: "the cube lies in its cradle, but not all is at its place: push both arms away and square the turntable by hand",
};

/// The arm is at the cube, whose lowest layer is on its way.
const HELD: Left = Left {
    is_cube_up: false,
    words: "the arm still holds the cube, whose lowest layer is not square: square the turntable by hand, then push both arms away",
};

impl Driver<'_> {
    /// All steps to a safe state. What fails leaves out only what needs it.
    pub(super) fn come_to_rest(&mut self) -> Result<(), MachineError> {
        for part in [TURNTABLE, ARM, SENSOR_ARM] {
            let stopped = self.drive.stop_part(part, StopAction::Hold);
            if let Err(error) = stopped.and_then(|()| self.drive.stand(part)) {
                log::debug!("{error}");
            }
        }
        let not_parked = |why: MachineError| MachineError::NotParked {
            why: Box::new(why),
            left: NOT_ALL,
        };
        self.known(SENSOR_ARM)
            .and_then(|()| self.drive.go(SENSOR_ARM, 0, self.mechanism.sensor_arm.moving))
            .map_err(not_parked)?;
        let turned = self.end_motion();
        if turned.is_err() && self.at == HOLDING && self.under_way != Some(UnderWay::Pulling) {
            // Without the arm a turned layer would take the others along.
            return turned.map_err(|why| MachineError::NotParked {
                why: Box::new(why),
                left: HELD,
            });
        }
        let away = self
            .known(ARM)
            .and_then(|()| self.drive.go(ARM, 0, self.mechanism.arm.reach));
        turned.and(away).map_err(not_parked)?;
        self.at = AWAY;
        self.tell(StepKind::Rest);
        Ok(())
    }

    /// Completes the motion under way. A layer that something stops is taken back; a cube that cannot be pulled over falls back.
    fn end_motion(&mut self) -> Result<(), MachineError> {
        let Some(way) = self.under_way.clone() else {
            self.leaves_the_cube();
            return Ok(());
        };
        self.known(if way == UnderWay::Pulling { ARM } else { TURNTABLE })?;
        let Err(why) = self.complete() else {
            if let Some(motion) = way.motion() {
                self.ended(motion);
            }
            self.leaves_the_cube();
            return Ok(());
        };
        let has_only_begun = way.motion().and_then(|motion| self.mechanism.way(motion)) == Some(way.clone());
        if !why.is_obstacle() && !matches!(why, MachineError::Jammed { .. }) || !has_only_begun {
            return Err(why);
        }
        log::warn!("{why}; taking it back");
        self.tell(StepKind::Back);
        match way {
            UnderWay::Pulling => (self.at, self.under_way) = (HOLDING, None),
            _ => {
                self.under_way = Some(UnderWay::Back);
                self.complete()?;
            }
        }
        Ok(())
    }

    /// The motion that was told last is done: who takes over while the arm leaves the cube must not turn the table again.
    fn leaves_the_cube(&mut self) {
        self.tell(StepKind::Aside(Motion::Away.code()));
    }

    /// Notes what a motion that is completed has done.
    fn ended(&mut self, motion: Motion) {
        if let Some((crate::machine::Deed::Whole(by), to)) = motion.does(self.at) {
            self.orientation = self.orientation.then(by);
            self.at = to;
        }
    }

    /// Fails if a motor was unplugged since its zero was found: its tacho then means nothing.
    fn known(&mut self, part: crate::drive::Part) -> Result<(), MachineError> {
        if !self.drive.is_lost(part) {
            return Ok(());
        }
        // If it is still gone, its own error.
        self.drive.position(part)?;
        Err(MachineError::Lost { part })
    }

    /// Finds out from the step under way where the parts are and what is left to do.
    pub(super) fn find_parts(&mut self, left: &Abandoned) -> Result<(), MachineError> {
        let step = left.step;
        let by_hand = self.drive.limits().by_hand;
        let lost = |part| Err(MachineError::Moved { part, by_hand });
        // The turntable has power from homing to rest. If it has none, another program has stopped the motors, and perhaps reset the tachos.
        let state = self.drive.state(TURNTABLE)?;
        if !(state.running || state.holding) {
            return lost(TURNTABLE);
        }
        for part in [TURNTABLE, ARM, SENSOR_ARM] {
            self.drive.stop_part(part, StopAction::Hold)?;
            self.drive.stand(part)?;
        }
        let way = match step.kind {
            StepKind::Begin(motion) => Motion::of(motion).and_then(|motion| self.mechanism.way(motion)),
            StepKind::Back if step.at != OVER => Some(UnderWay::Back),
            _ => None,
        };
        // No motion goes farther than a look.
        let farthest = 4 * self.mechanism.turntable.quarter + self.mechanism.turntable.past;
        let places = match &way {
            Some(UnderWay::Turning(_, places)) => places.clone(),
            Some(UnderWay::Back) => vec![-farthest, farthest],
            _ => Vec::new(),
        };
        let (mut least, mut most) = (0, 0);
        for place in places {
            (least, most) = (least.min(place), most.max(place));
        }
        let table = self.drive.position(TURNTABLE)? - step.marks[0];
        let slack = self.drive.tolerance(TURNTABLE);
        if !(least - slack..=most + slack).contains(&table) {
            return lost(TURNTABLE);
        }
        let slack = self.drive.tolerance(ARM);
        let pulls = way == Some(UnderWay::Pulling) || step.kind == StepKind::Back;
        let farthest = if pulls || step.at == OVER {
            self.mechanism.arm.pulled
        } else {
            self.mechanism.arm.hold
        };
        if !(-2 * slack..=farthest + slack).contains(&self.drive.position(ARM)?) {
            return lost(ARM);
        }
        self.under_way = way;
        (self.table, self.at, self.homed) = (step.marks[0], step.at, true);
        Ok(())
    }
}
