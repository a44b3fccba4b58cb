//! Brings the crane to a safe state from wherever a primitive was given up, with the motors that still work.
//!
//! The order keeps things from breaking. Before the cube goes down, the layers come to the square, the squisher opens, and the flipper
//! stands at an end. The flipper tips the cube only when that is down. If a step fails, only the steps that need it are left out.

use std::time::Duration;

use super::{Driver, FlipperEnd, LastTurn, StepKind};
use crate::brick::StopAction;
use crate::crane::error::{CraneError, Left};
use crate::crane::part::Part;

impl Driver<'_> {
    /// All steps to a safe state.
    pub(super) fn come_to_rest(&mut self) -> Result<(), CraneError> {
        // The turntable first: it is fast, and drags the squisher. A motor that fails here fails again in its own step, which reports it.
        let stopped = [Part::Turntable, Part::Elevator, Part::Flipper, Part::Squisher]
            .map(|part| (part, self.stop_part(part, StopAction::Hold)));
        for (part, stopped) in stopped {
            if let Err(error) = stopped.and_then(|()| self.stand(part)) {
                log::debug!("{error}");
            }
        }
        self.await_cables()?;
        if self.homing {
            return self.back_from_homing();
        }
        let layers = self.square_up();
        let open = self.open_up();
        let table = layers.and(open);
        let left = |left| move |why| not_parked(why, left);
        if self.raised {
            let way = self.clear_way();
            let high = self.height_now() > self.mechanism.elevator.clear.abs() / 2 || self.is_lost(Part::Elevator);
            // A cube far below the turntable can go down however the table stands.
            let table = if high { table } else { Ok(()) };
            let down = table.and(way).and_then(|()| self.lower());
            down.map_err(left(Left::CubeUp))?;
            self.flipper_home().map_err(left(Left::CubeDown))?;
        } else {
            table.and(self.flipper_home()).map_err(left(Left::CubeDown))?;
        }
        self.tell(StepKind::Rest);
        Ok(())
    }

    /// Waits a little: a cable that was out for a moment may soon be in again.
    fn await_cables(&mut self) -> Result<(), CraneError> {
        for _ in 0..self.mechanism.retry.tries {
            let out = |part| self.is_lost(part) && self.position(part).is_err();
            if !Part::ALL.map(out).contains(&true) {
                break;
            }
            self.pause(Duration::from_millis(self.mechanism.retry.pause_ms.into()))?;
        }
        Ok(())
    }

    /// Comes to rest while zeros are being found: only the elevator may be up, and the flipper stands where it was put by hand.
    fn back_from_homing(&mut self) -> Result<(), CraneError> {
        if self.raised {
            let down = self.put_down(None);
            down.map_err(|why| not_parked(why, Left::CubeUp))?;
            self.raised = false;
        }
        Ok(())
    }

    pub(in crate::crane) fn is_lost(&self, part: Part) -> bool {
        self.lost[part as usize]
    }

    /// Degrees by which the elevator is up; 0 where that is not known.
    fn height_now(&mut self) -> i32 {
        match self.position(Part::Elevator) {
            Ok(at) if !self.is_lost(Part::Elevator) => (at * self.mechanism.elevator.clear.signum()).max(0),
            _ => 0,
        }
    }

    /// Brings turned layers to the square: completes the turn or, if something is in the way, takes it back.
    fn square_up(&mut self) -> Result<(), CraneError> {
        let open = if self.is_lost(Part::Squisher) {
            self.find_squisher()
        } else {
            self.catch_up()
        };
        self.dragged = open.is_err();
        if self.turning.is_none() {
            if self.is_lost(Part::Turntable) || self.is_at(Part::Turntable, self.table)? {
                return Ok(());
            }
            return self.go(Part::Turntable, self.table, self.mechanism.turntable.free);
        }
        self.known(Part::Turntable)?;
        let Err(why) = self.finish_turn() else { return Ok(()) };
        let undo = self.turning.as_ref().and_then(|turning| turning.undo);
        let Some(undo) = undo.filter(|_| why.is_obstacle()) else {
            return Err(why);
        };
        log::warn!("{why}; taking the turn back");
        self.tell(StepKind::Back);
        self.dragged |= self.catch_up().is_err();
        // If the table never left its square, the layers have not moved yet.
        if !self.is_at(Part::Turntable, self.table)? {
            for leg in undo {
                if let Err(further) = self.leg(leg) {
                    log::debug!("{further}");
                    return Err(why);
                }
            }
        }
        self.turning = None;
        self.last_turn = LastTurn::Undone;
        Ok(())
    }

    /// Fails if a motor was unplugged since its zero was found: its tacho then means nothing.
    pub(super) fn known(&mut self, part: Part) -> Result<(), CraneError> {
        if !self.is_lost(part) {
            return Ok(());
        }
        // If it is still gone, its own error.
        self.position(part)?;
        Err(CraneError::Lost { part })
    }

    /// Opens the squisher. If it does not move, it was open already, unless it was pressing.
    fn open_up(&mut self) -> Result<(), CraneError> {
        let opened = if self.is_lost(Part::Squisher) {
            self.find_squisher()
        } else {
            self.dragged = false;
            self.catch_up()
        };
        let drag = self.drag(self.open_at(self.table));
        match opened {
            Ok(()) => self.squishing = false,
            Err(error) if self.squishing || drag > self.mechanism.retry.most_drag => return Err(error),
            Err(error) => log::warn!("{error}; it was open before"),
        }
        Ok(())
    }

    /// Takes the flipper out of the way of a cube that is up: home if it passes below, else it must stand at an end.
    fn clear_way(&mut self) -> Result<(), CraneError> {
        let clear = self.mechanism.elevator.clear.abs();
        let height = self.height_now();
        self.tell(StepKind::Free);
        if self.is_lost(Part::Flipper) {
            if height >= clear {
                return self.find_flipper();
            }
            return if self.flipping {
                self.known(Part::Flipper)
            } else {
                Ok(())
            };
        }
        let mut end = self.flipper_is_at()?;
        // If the flipper is half-way, the cube was high enough to let it pass.
        let slack = if end.is_none() {
            self.mechanism.tolerance.elevator
        } else {
            0
        };
        let mut result = Ok(());
        if end != Some(FlipperEnd::Home) && height + slack >= clear {
            result = self.flip_to(FlipperEnd::Home, self.mechanism.flipper.empty);
            end = self.flipper_is_at()?;
        }
        match end {
            Some(side) => {
                self.arrived(side);
                Ok(())
            }
            None => {
                let at = self.position(Part::Flipper)?;
                let (part, target) = (Part::Flipper, 0);
                result.and(Err(CraneError::Stuck { part, at, target }))
            }
        }
    }

    fn flipper_is_at(&mut self) -> Result<Option<FlipperEnd>, CraneError> {
        for side in [FlipperEnd::Home, FlipperEnd::Away] {
            if self.is_at(Part::Flipper, self.flipper_end(side))? {
                return Ok(Some(side));
            }
        }
        Ok(None)
    }

    /// Puts the cube down.
    fn lower(&mut self) -> Result<(), CraneError> {
        if !self.is_lost(Part::Elevator) {
            return self.let_down(self.mechanism.elevator.rest);
        }
        self.put_down(None)?;
        self.is_down();
        Ok(())
    }

    /// Takes the flipper home, with the cube that rests in it.
    fn flipper_home(&mut self) -> Result<(), CraneError> {
        self.tell(StepKind::Held);
        if self.is_lost(Part::Flipper) {
            return self.find_flipper();
        }
        self.flip_to(FlipperEnd::Home, self.mechanism.flipper.with_cube)
    }

    /// Takes a flipper home that may be anywhere.
    fn find_flipper(&mut self) -> Result<(), CraneError> {
        let flipper = &self.mechanism.flipper;
        let homewards = -flipper.away.signum() * flipper.home_speed;
        self.find_zero(Part::Flipper, homewards, flipper.home_limit_ms, None)?;
        self.lost[Part::Flipper as usize] = false;
        self.arrived(FlipperEnd::Home);
        Ok(())
    }
}

fn not_parked(why: CraneError, left: Left) -> CraneError {
    CraneError::NotParked {
        why: Box::new(why),
        left,
    }
}
