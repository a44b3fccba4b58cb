//! Brings the crane to a safe state from wherever a primitive was given up, with the motors that still work.
//!
//! The order keeps things from breaking. Before the cube goes down, the layers come to the square, the squisher opens, and the flipper
//! stands at an end. The flipper tips the cube only when that is down. If a step fails, only the steps that need it are left out.

use std::time::Duration;

use super::{Driver, FlipperEnd, LastTurn, StepKind};
use crate::brick::StopAction;
use crate::crane::part;
use crate::drive::{End, Left, MachineError, Part, insist};

/// The cube is in the turntable, or may be.
const CUBE_UP: Left = Left {
    is_cube_up: true,
    words: "THE CUBE IS STILL UP: square its layers and the turntable by hand before it comes down",
};
/// The cube is down, but not all parts are where they start.
const CUBE_DOWN: Left = Left {
    is_cube_up: false,
    words: "the cube is down, but not all is at its place: push the flipper home and open the squisher by hand",
};

impl Driver<'_> {
    /// All steps to a safe state.
    pub(super) fn come_to_rest(&mut self) -> Result<(), MachineError> {
        // The turntable first: it is fast, and drags the squisher. A motor that fails here fails again in its own step, which reports it.
        let stopped = [part::TURNTABLE, part::ELEVATOR, part::FLIPPER, part::SQUISHER]
            .map(|part| (part, self.drive.stop_part(part, StopAction::Hold)));
        for (part, stopped) in stopped {
            if let Err(error) = stopped.and_then(|()| self.drive.stand(part)) {
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
            let high =
                self.height_now() > self.mechanism.elevator.clear.abs() / 2 || self.drive.is_lost(part::ELEVATOR);
            // A cube far below the turntable can go down however the table stands.
            let table = if high { table } else { Ok(()) };
            let down = table.and(way).and_then(|()| self.lower());
            down.map_err(left(CUBE_UP))?;
            self.flipper_home().map_err(left(CUBE_DOWN))?;
        } else {
            table.and(self.flipper_home()).map_err(left(CUBE_DOWN))?;
        }
        self.tell(StepKind::Rest);
        Ok(())
    }

    /// Waits a little: a cable that was out for a moment may soon be in again.
    fn await_cables(&mut self) -> Result<(), MachineError> {
        for _ in 0..self.mechanism.retry.tries {
            let out = |part| self.drive.is_lost(part) && self.drive.position(part).is_err();
            if !part::ALL.map(out).contains(&true) {
                break;
            }
            self.drive
                .pause(Duration::from_millis(self.mechanism.retry.pause_ms.into()))?;
        }
        Ok(())
    }

    /// Comes to rest while zeros are being found: only the elevator may be up, and the flipper stands where it was put by hand.
    fn back_from_homing(&mut self) -> Result<(), MachineError> {
        if self.raised {
            let down = self.put_down(None);
            down.map_err(|why| not_parked(why, CUBE_UP))?;
            self.raised = false;
        }
        Ok(())
    }

    /// Degrees by which the elevator is up; 0 where that is not known.
    fn height_now(&mut self) -> i32 {
        match insist(&mut || self.drive.position(part::ELEVATOR)) {
            Ok(at) if !self.drive.is_lost(part::ELEVATOR) => self.mechanism.elevator.up(at).max(0),
            _ => 0,
        }
    }

    /// Brings turned layers to the square: completes the turn or, if something is in the way, takes it back.
    fn square_up(&mut self) -> Result<(), MachineError> {
        // A squisher that does not follow keeps the table from longer legs: one call that fails must not be taken for that.
        let open = insist(&mut || match self.drive.is_lost(part::SQUISHER) {
            true => self.find_squisher(),
            false => self.catch_up(),
        });
        self.dragged = open.is_err();
        if self.turning.is_none() {
            if self.drive.is_lost(part::TURNTABLE) || self.drive.is_at(part::TURNTABLE, self.table)? {
                return Ok(());
            }
            return self
                .drive
                .go(part::TURNTABLE, self.table, self.mechanism.turntable.free);
        }
        self.known(part::TURNTABLE)?;
        let Err(why) = self.finish_turn() else { return Ok(()) };
        let undo = self.turning.as_ref().and_then(|turning| turning.undo);
        let Some(undo) = undo.filter(|_| why.is_obstacle()) else {
            return Err(why);
        };
        log::warn!("{why}; taking the turn back");
        self.tell(StepKind::Back);
        self.dragged |= insist(&mut || self.catch_up()).is_err();
        // If the table never left its square, the layers have not moved yet.
        if !self.drive.is_at(part::TURNTABLE, self.table)? {
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
    pub(super) fn known(&mut self, part: Part) -> Result<(), MachineError> {
        if !self.drive.is_lost(part) {
            return Ok(());
        }
        // If it is still gone, its own error.
        self.drive.position(part)?;
        Err(MachineError::Lost { part })
    }

    /// Opens the squisher. If it does not move, it was open already, unless it was pressing.
    fn open_up(&mut self) -> Result<(), MachineError> {
        let opened = if self.drive.is_lost(part::SQUISHER) {
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
    fn clear_way(&mut self) -> Result<(), MachineError> {
        let clear = self.mechanism.elevator.clear.abs();
        let height = self.height_now();
        self.tell(StepKind::Free);
        if self.drive.is_lost(part::FLIPPER) {
            if height >= clear {
                return self.find_flipper();
            }
            return if self.flipping {
                self.known(part::FLIPPER)
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
                let at = self.drive.position(part::FLIPPER)?;
                let (part, target) = (part::FLIPPER, 0);
                result.and(Err(MachineError::Stuck { part, at, target }))
            }
        }
    }

    fn flipper_is_at(&mut self) -> Result<Option<FlipperEnd>, MachineError> {
        for side in [FlipperEnd::Home, FlipperEnd::Away] {
            if self.drive.is_at(part::FLIPPER, self.flipper_end(side))? {
                return Ok(Some(side));
            }
        }
        Ok(None)
    }

    /// Puts the cube down.
    fn lower(&mut self) -> Result<(), MachineError> {
        if !self.drive.is_lost(part::ELEVATOR) {
            return self.let_down(self.mechanism.elevator.rest);
        }
        self.put_down(None)?;
        self.is_down();
        Ok(())
    }

    /// Takes the flipper home, with the cube that rests in it.
    fn flipper_home(&mut self) -> Result<(), MachineError> {
        self.tell(StepKind::Held);
        if self.drive.is_lost(part::FLIPPER) {
            return self.find_flipper();
        }
        self.flip_to(FlipperEnd::Home, self.mechanism.flipper.with_cube)
    }

    /// Takes a flipper home that may be anywhere.
    fn find_flipper(&mut self) -> Result<(), MachineError> {
        let flipper = &self.mechanism.flipper;
        let home = End::anywhere(part::FLIPPER, flipper.gently_home(), flipper.home_limit_ms);
        self.drive.find_zero(home)?;
        self.drive.is_found(part::FLIPPER);
        self.arrived(FlipperEnd::Home);
        Ok(())
    }
}

fn not_parked(why: MachineError, left: Left) -> MachineError {
    MachineError::NotParked {
        why: Box::new(why),
        left,
    }
}
