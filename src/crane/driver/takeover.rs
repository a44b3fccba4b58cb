//! Takes over a crane that another program has left in the middle of a motion.
//!
//! A program that is killed leaves its motors under power: each runs on to its last setpoint and holds there, and the tachos keep counting.
//! If the step under way is known, the crane can be brought to rest as if nothing had happened. So a driver tells every
//! [`Step`](crate::drive::Step) before it moves anything.
//!
//! The flipper tips a cube that is in its holder, and the cube then stands as the flipper does. Below a lifted cube the flipper moves alone.
//! Each step tells which of the two is so until the next step. Therefore the motors' positions tell at any moment how the cube stands.

use super::{Driver, Turning};
use crate::brick::StopAction;
use crate::crane::mechanism::Leg;
use crate::crane::part;
use crate::crane::pose::{FlipperEnd, Pose, Primitive};
use crate::drive::{Abandoned, MachineError, Robot, StepKind};

impl Driver<'_> {
    /// Finds out where the parts are, and how the cube is, from the step under way.
    pub(super) fn find_parts(&mut self, left: &Abandoned) -> Result<(), MachineError> {
        let Abandoned { step, held } = *left;
        let held = held.map(|at| Pose::standing(at).flipper);
        let was = Pose::standing(step.at);
        let motion = match step.kind {
            StepKind::Begin(motion) => Primitive::of(motion),
            _ => None,
        };
        let tolerance = self.mechanism.tolerance.clone();
        if step.n > 0 {
            self.set_size(step.n.into())?;
        }
        let by_hand = self.drive.limits().by_hand;
        let lost = |part| Err(MachineError::Moved { part, by_hand });
        // The turntable has power from homing to rest. If it has none, another program has stopped the motors, and perhaps reset the tachos.
        let state = self.drive.state(part::TURNTABLE)?;
        if !(state.running || state.holding) {
            return lost(part::TURNTABLE);
        }
        for part in [part::TURNTABLE, part::ELEVATOR, part::FLIPPER] {
            self.drive.stop_part(part, StopAction::Hold)?;
        }
        for part in [part::TURNTABLE, part::ELEVATOR, part::FLIPPER] {
            self.drive.stand(part)?;
        }
        let (size, mechanism) = (self.size, self.mechanism);
        let elevator = &mechanism.elevator;
        let height = elevator.up(self.drive.position(part::ELEVATOR)?);
        let row = |rows| elevator.up(size.map_or(0, |size| mechanism.height(size, rows)));
        let highest = row(step.n).max(elevator.clear.abs());
        // At rest the elevator may be pressed down a little.
        if height < -2 * tolerance.elevator || height > highest + 2 * tolerance.elevator {
            return lost(part::ELEVATOR);
        }
        let legs = match (motion, size) {
            (Some(Primitive::Turn { quarters, .. }), Some(size)) => mechanism.turn_legs(size, quarters),
            (Some(Primitive::Yaw { quarters, .. }), _) => mechanism.yaw_legs(quarters),
            _ => Vec::new(),
        };
        let ends = || std::iter::once(0).chain(legs.iter().map(|leg: &Leg| leg.to));
        let (least, most) = (ends().min().unwrap_or(0), ends().max().unwrap_or(0));
        let table = self.drive.position(part::TURNTABLE)? - step.marks[0];
        if !(least - tolerance.turntable..=most + tolerance.turntable).contains(&table) {
            return lost(part::TURNTABLE);
        }
        // To do all legs again brings the layers to the same place, wherever they are now, if the cube is at the height of these layers.
        if !legs.is_empty() && (height - row(was.rows)).abs() > tolerance.elevator {
            return lost(part::ELEVATOR);
        }
        let flipper = self.drive.position(part::FLIPPER)?;
        let away = self.mechanism.flipper.away;
        let end = [(FlipperEnd::Home, 0), (FlipperEnd::Away, away)]
            .into_iter()
            .find(|(_, at)| (flipper - at).abs() <= tolerance.flipper);
        let lifted = height + tolerance.elevator >= elevator.clear.abs();
        self.flipper = match (held, end) {
            (Some(side), _) => side,
            (None, Some((side, _))) => side,
            (None, None) if lifted => was.flipper,
            (None, None) => return lost(part::FLIPPER),
        };
        (self.table, self.rows, self.rested) = (step.marks[0], was.rows, held.unwrap_or(self.flipper));
        (self.flipping, self.raised) = (end.is_none(), height > tolerance.elevator);
        let yaw = match motion {
            Some(Primitive::Yaw { quarters, .. }) => Some(quarters),
            _ => None,
        };
        self.turning = (!legs.is_empty()).then_some(Turning { yaw, legs, undo: None });
        self.find_squisher()?;
        self.homed = true;
        Ok(())
    }
}
