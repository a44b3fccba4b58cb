//! Brings the jaws to rest from wherever a motion was given up, also one that another program has left.

use std::collections::VecDeque;

use super::{Driver, Jaw, Jaws, Motion, Stand, grip, wrist};
use crate::brick::StopAction;
use crate::drive::{Abandoned, End, Left, MachineError, Part, StepKind};
use crate::machine::{Deed, Machine, Station};

/// The jaws still hold the cube.
const HELD: Left = Left {
    is_cube_up: true,
    words: "THE CUBE IS STILL BETWEEN JAWS THAT ARE NOT AT REST: hold it before you open them by hand",
};

impl Driver<'_> {
    /// All steps to a safe state.
    pub(super) fn come_to_rest(&mut self) -> Result<(), MachineError> {
        for part in self.drive.parts() {
            let stopped = self.drive.stop_part(part, StopAction::Hold);
            if let Err(error) = stopped.and_then(|()| self.drive.stand(part)) {
                log::debug!("{error}");
            }
        }
        self.end_motion()
            .and_then(|()| self.close_upright())
            .map_err(|why| MachineError::NotParked {
                why: Box::new(why),
                left: HELD,
            })?;
        self.tell(StepKind::Rest);
        Ok(())
    }

    /// Completes the motion under way. Layers that something stops are taken back.
    fn end_motion(&mut self) -> Result<(), MachineError> {
        let Some(motion) = self.under_way else { return Ok(()) };
        for part in self.parts_of(motion) {
            self.known(part)?;
        }
        match self.complete(motion) {
            Ok(()) => {
                if let Some((deed, stand)) = self.stand.after(motion) {
                    if let Deed::Whole(by) = deed {
                        self.orientation = self.orientation.then(by);
                    }
                    self.stand = stand;
                }
                Ok(())
            }
            Err(why) if why.is_obstacle() => {
                log::warn!("{why}; taking it back");
                self.tell(StepKind::Back);
                self.take_back(motion)
            }
            Err(why) => Err(why),
        }
    }

    /// Brings the motors of a motion to where they were before it.
    fn take_back(&mut self, motion: Motion) -> Result<(), MachineError> {
        let mechanism = self.mechanism;
        match motion {
            Motion::Open(jaws) => {
                let goals: Vec<_> = jaws.jaws().map(|jaw| (grip(jaw), mechanism.grip.close)).collect();
                self.drive.go_together(&goals, mechanism.grip.pace)?;
            }
            Motion::Close(jaws) => {
                let goals: Vec<_> = jaws.jaws().map(|jaw| (grip(jaw), 0)).collect();
                self.drive.go_together(&goals, mechanism.grip.pace)?;
            }
            Motion::Turn(jaws, _) => {
                let goals: Vec<_> = jaws.jaws().map(|jaw| (wrist(jaw), self.marks[jaw as usize])).collect();
                self.drive.go_together(&goals, mechanism.turn.pace)?;
            }
        }
        self.under_way = None;
        Ok(())
    }

    fn parts_of(&self, motion: Motion) -> Vec<Part> {
        match motion {
            Motion::Open(jaws) | Motion::Close(jaws) => jaws.jaws().map(grip).collect(),
            Motion::Turn(jaws, _) => jaws.jaws().map(wrist).collect(),
        }
    }

    /// Closes all jaws, upright, by motions that do not turn the cube.
    fn close_upright(&mut self) -> Result<(), MachineError> {
        for motion in way_to_rest(&self.rules, self.stand.number()).unwrap_or_default() {
            for part in self.parts_of(motion) {
                self.known(part)?;
            }
            self.tell(StepKind::Aside(motion.code()));
            self.complete(motion)?;
            if let Some((_, stand)) = self.stand.after(motion) {
                self.stand = stand;
            }
        }
        match self.stand.number() == Jaws::START.station {
            true => Ok(()),
            false => Err(MachineError::Impossible(
                "the rules of the calibration leave no way to close all jaws upright".to_string(),
            )),
        }
    }

    /// Fails if a motor was unplugged since its zero was found: its tacho then means nothing.
    fn known(&mut self, part: Part) -> Result<(), MachineError> {
        if !self.drive.is_lost(part) {
            return Ok(());
        }
        // If it is still gone, its own error.
        self.drive.position(part)?;
        Err(MachineError::Lost { part })
    }

    /// Closes all jaws when the zeros were being found: one may be open.
    pub(super) fn close_after_homing(&mut self) -> Result<(), MachineError> {
        self.close_blindly().map_err(|why| MachineError::NotParked {
            why: Box::new(why),
            left: HELD,
        })
    }

    /// Closes each jaw as far as it goes, wherever it is.
    pub(super) fn close_blindly(&mut self) -> Result<(), MachineError> {
        let fingers = &self.mechanism.grip;
        let close = fingers.close.signum() * fingers.home_speed;
        for jaw in Jaw::ALL {
            let limit = fingers.home_limit_ms;
            self.drive.find_zero(End::anywhere(grip(jaw), close, limit))?;
            self.drive.stop_part(grip(jaw), StopAction::Hold)?;
        }
        Ok(())
    }

    /// Finds out from the step under way where the jaws are and what is left to do.
    pub(super) fn find_parts(&mut self, left: &Abandoned) -> Result<(), MachineError> {
        let step = left.step;
        let by_hand = self.drive.limits().by_hand;
        let lost = |part| Err(MachineError::Moved { part, by_hand });
        // What turns the jaws has power from homing to rest. If it has none, another program has stopped the motors, and perhaps reset the
        // tachos.
        for jaw in Jaw::ALL {
            let state = self.drive.state(wrist(jaw))?;
            if !(state.running || state.holding) {
                return lost(wrist(jaw));
            }
        }
        for part in self.drive.parts() {
            self.drive.stop_part(part, StopAction::Hold)?;
            self.drive.stand(part)?;
        }
        let motion = match step.kind {
            StepKind::Begin(motion) | StepKind::Aside(motion) => Motion::of(motion),
            _ => None,
        };
        let mechanism = self.mechanism;
        let mut ways = [0; 3];
        if let Some(Motion::Turn(jaws, quarters)) = motion {
            for (jaw, way) in mechanism.ways(jaws, quarters) {
                ways[jaw as usize] = way;
            }
        }
        let close = mechanism.grip.close;
        for jaw in Jaw::ALL {
            let way = ways[jaw as usize];
            let at = self.drive.position(wrist(jaw))? - step.marks[jaw as usize];
            let slack = self.drive.tolerance(wrist(jaw));
            if !(way.min(0) - slack..=way.max(0) + slack).contains(&at) {
                return lost(wrist(jaw));
            }
            let at = self.drive.position(grip(jaw))?;
            let slack = self.drive.tolerance(grip(jaw));
            if !(close.min(0) - slack..=close.max(0) + slack).contains(&at) {
                return lost(grip(jaw));
            }
        }
        (self.stand, self.marks) = (Stand::from_number(step.at), step.marks);
        (self.under_way, self.homed) = (motion, true);
        Ok(())
    }
}

/// The fewest motions that turn nothing of the cube and end with all jaws closed and upright; none if there is no such way.
fn way_to_rest(rules: &Jaws, from: Station) -> Option<Vec<Motion>> {
    let mut open: VecDeque<(Station, Vec<Motion>)> = VecDeque::from([(from, Vec::new())]);
    let mut seen = vec![from];
    while let Some((at, way)) = open.pop_front() {
        if at == Jaws::START.station {
            return Some(way);
        }
        for step in rules.steps(at) {
            if step.deed == Deed::Nothing && !seen.contains(&step.to) {
                seen.push(step.to);
                open.push_back((step.to, [&way[..], &[step.motion]].concat()));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jaws::Mechanism;

    #[test]
    fn from_wherever_jaws_may_stand_there_is_a_way_to_rest_that_turns_nothing() {
        let rules = Jaws::new(&Mechanism::builtin());
        for at in (0..64).filter(|&at| rules.rests(at)) {
            let way = way_to_rest(&rules, at).unwrap();
            let mut stand = Stand::from_number(at);
            for motion in way {
                let (deed, after) = stand.after(motion).unwrap();
                assert_eq!(deed, Deed::Nothing, "{motion}");
                stand = after;
            }
            assert_eq!(stand.number(), Jaws::START.station);
        }
    }
}
