//! Performs each primitive with the motors, and tries again if something is in the way.

use super::{Driver, FlipperEnd, LastTurn, StepKind, Turning};
use crate::brick::StopAction;
use crate::calibration::Pace;
use crate::crane::mechanism::Leg;
use crate::crane::part;
use crate::crane::pose::yawed;
use crate::drive::{End, Ended, MachineError, Part};

impl Driver<'_> {
    /// Where the elevator is with so many rows in the turntable.
    fn height(&self, rows: u8) -> i32 {
        self.size.map_or(0, |size| self.mechanism.height(size, rows))
    }

    pub(super) fn elevate(&mut self, rows: u8) -> Result<(), MachineError> {
        let target = self.height(rows);
        let pace = match self.size {
            Some(size) => self.mechanism.elevator_pace(size, self.rows, rows),
            None => self.mechanism.elevator.rest,
        };
        self.table_is_square()?;
        if rows == 0 {
            return self.let_down(pace);
        }
        if rows < self.rows {
            self.drive.go(part::ELEVATOR, target, pace)?;
        } else {
            self.lift(target, pace)?;
        }
        self.rows = rows;
        Ok(())
    }

    /// Squares a turntable that was pushed by hand, because no cube passes through a table that is off square.
    fn table_is_square(&mut self) -> Result<(), MachineError> {
        self.be_at(part::TURNTABLE, self.table, self.mechanism.turntable.free)
    }

    /// Takes a part back to `target` if it is not there any more.
    fn be_at(&mut self, part: Part, target: i32, pace: Pace) -> Result<(), MachineError> {
        if self.drive.is_at(part, target)? {
            return Ok(());
        }
        log::warn!("the {part} has left its place, and goes back to it");
        self.drive.go(part, target, pace)
    }

    /// Lowers the cube to rest. Finds the elevator's zero again from time to time, and if the ground comes too soon.
    pub(super) fn let_down(&mut self, pace: Pace) -> Result<(), MachineError> {
        let down = self.drive.go(part::ELEVATOR, 0, pace);
        self.rests += 1;
        let every = self.mechanism.retry.zero_every;
        let at = self.drive.position(part::ELEVATOR)?;
        let near = at.abs() <= self.mechanism.tolerance.zero.max(self.mechanism.tolerance.elevator);
        match down {
            Ok(()) if every > 0 && self.rests >= every => self.put_down(Some(0))?,
            Ok(()) => {}
            Err(error) if near && error.is_obstacle() => self.put_down(Some(0))?,
            Err(error) => return Err(error),
        }
        self.is_down();
        Ok(())
    }

    /// Notes that the cube rests at the flipper's end.
    pub(super) fn is_down(&mut self) {
        (self.rows, self.raised, self.rested) = (0, false, self.flipper);
    }

    /// Lowers the elevator gently until it stands on the ground, and calls that 0.
    pub(super) fn put_down(&mut self, known: Option<i32>) -> Result<(), MachineError> {
        let ground = self.ground(known)?;
        self.drive.find_zero(ground)?;
        self.rests = 0;
        Ok(())
    }

    /// Where the elevator stands on the ground. Where nothing is known of it, it may come from as high as the highest cube's last row.
    pub(super) fn ground(&mut self, known: Option<i32>) -> Result<End, MachineError> {
        let highest = self.highest_ground()?;
        let elevator = &self.mechanism.elevator;
        let way = if known.is_none() { self.mechanism.highest() } else { 0 };
        let limit_ms = elevator.home_limit_ms + (way * 1000 / elevator.home_speed.max(1)) as u32;
        Ok(End {
            known,
            not_before: highest.map(|highest| elevator.up(highest)),
            ..End::anywhere(part::ELEVATOR, elevator.gently_down(), limit_ms)
        })
    }

    /// Where the squisher is wide open.
    pub(super) fn open_end(&self) -> End {
        let squisher = &self.mechanism.squisher;
        End::anywhere(part::SQUISHER, squisher.gently_open(), squisher.home_limit_ms)
    }

    /// Opens the squisher until it stops, and calls that 0.
    pub(super) fn open_squisher(&mut self, known: Option<i32>) -> Result<(), MachineError> {
        let end = self.open_end();
        self.drive.find_zero(End { known, ..end })?;
        self.is_open()
    }

    /// Notes that the squisher's zero was found just now.
    pub(super) fn is_open(&mut self) -> Result<(), MachineError> {
        self.squisher_zero = self.table_now()?;
        self.squishing = false;
        self.drive.is_found(part::SQUISHER);
        Ok(())
    }

    /// The same for a squisher that may be anywhere. The table may even have pulled it beyond its end, where a push does not move it. So it
    /// then goes a little inside and opens once more. (Without power nothing holds it beyond its end.)
    pub(super) fn find_squisher(&mut self) -> Result<(), MachineError> {
        self.open_squisher(None)?;
        let inside = self.mechanism.retry.most_drag + self.mechanism.tolerance.squisher;
        match self
            .drive
            .go_once(part::SQUISHER, inside, self.mechanism.squisher.press)
        {
            Err(error) if !error.is_obstacle() => Err(error),
            _ => self.open_squisher(None),
        }
    }

    /// Lifts the cube; if it jams, puts it down, settles it with two slow flips, and tries again.
    fn lift(&mut self, target: i32, pace: Pace) -> Result<(), MachineError> {
        let tries = self.mechanism.retry.tries;
        let mut pace = pace;
        for attempt in 1..=tries {
            let from = self.drive.position(part::ELEVATOR)?;
            self.raised = true;
            let Err(error) = self.drive.go_once(part::ELEVATOR, target, pace) else {
                return Ok(());
            };
            if !error.is_obstacle() {
                return Err(error);
            }
            let at = self.drive.position(part::ELEVATOR)?;
            let moved = (at - from).abs();
            // If it is nearly there, a push may be enough.
            if moved * 100 >= (target - from).abs() * self.mechanism.retry.least_lift_percent {
                match self.drive.go_once(part::ELEVATOR, target, pace) {
                    Err(error) if error.is_obstacle() => {}
                    result => return result,
                }
            }
            if attempt < tries {
                log::warn!("the cube jammed after {moved} degrees of a lift to {target}; settling it");
                self.drive.tries_again();
                self.settle()?;
                pace = self.mechanism.elevator.lift.at_most(pace.speed);
            }
        }
        Err(MachineError::Jammed {
            doing: "being lifted",
            tries,
        })
    }

    /// After a jam: puts the cube down and tips it to and fro.
    fn settle(&mut self) -> Result<(), MachineError> {
        self.drive.ease(part::ELEVATOR)?;
        self.let_down(self.mechanism.elevator.rest)?;
        self.put_down(Some(0))?;
        let open = self.open_at(self.table);
        self.open_squisher(Some(open))?;
        self.tell(StepKind::Held);
        for _ in 0..2 {
            self.flip_at(self.mechanism.flipper.slow)?;
        }
        self.tell(StepKind::Free);
        Ok(())
    }

    pub(super) fn flip(&mut self) -> Result<(), MachineError> {
        // The elevator must be at its row: a flip would jam with rows half-way up, or with a cube that is not quite down.
        self.be_at(part::ELEVATOR, self.height(self.rows), self.mechanism.elevator.lower)?;
        let flipper = &self.mechanism.flipper;
        self.flip_at(if self.rows == 0 {
            flipper.with_cube
        } else {
            flipper.empty
        })
    }

    pub(super) fn flipper_end(&self, side: FlipperEnd) -> i32 {
        match side {
            FlipperEnd::Home => 0,
            FlipperEnd::Away => self.mechanism.flipper.away,
        }
    }

    fn flip_at(&mut self, pace: Pace) -> Result<(), MachineError> {
        let side = self.flipper.other();
        self.flipping = true;
        self.flip_to(side, pace)
    }

    /// Takes the flipper to an end, in a few tries.
    pub(super) fn flip_to(&mut self, side: FlipperEnd, pace: Pace) -> Result<(), MachineError> {
        let (target, tries) = (self.flipper_end(side), self.drive.tries());
        for attempt in 0..tries {
            if attempt > 0 {
                self.drive.tries_again();
            }
            let from = self.drive.position(part::FLIPPER)?;
            let expected = self.drive.start(part::FLIPPER, target, pace)?;
            self.drive.wait(part::FLIPPER, expected)?;
            if self.drive.is_at(part::FLIPPER, target)? {
                self.arrived(side);
                return Ok(());
            }
            let at = self.drive.position(part::FLIPPER)?;
            log::warn!("the flipper stopped at {at} degrees on its way to {target}");
            if (at - from).abs() <= self.mechanism.flipper.least_travel {
                self.drive.ease(part::FLIPPER)?;
            }
        }
        Err(MachineError::Jammed {
            doing: "being flipped",
            tries,
        })
    }

    pub(super) fn clear(&mut self) -> Result<(), MachineError> {
        let elevator = &self.mechanism.elevator;
        let (lift, rest) = (elevator.lift, elevator.rest);
        self.table_is_square()?;
        self.lift(elevator.clear, lift)?;
        self.flip_at(self.mechanism.flipper.empty)?;
        self.let_down(rest)
    }

    /// Turns the table through the legs, and the flipper meanwhile if it should.
    pub(super) fn turn(&mut self, legs: Vec<Leg>, yaw: Option<u8>, flip: bool) -> Result<(), MachineError> {
        self.last_turn = LastTurn::Undone;
        self.be_at(part::ELEVATOR, self.height(self.rows), self.mechanism.elevator.lower)?;
        let undo = match (legs.first(), legs.last()) {
            (Some(over), Some(end)) => Some([
                Leg {
                    to: end.to - over.to,
                    pace: over.pace,
                },
                Leg { to: 0, pace: end.pace },
            ]),
            _ => None,
        };
        let (side, empty) = (self.flipper.other(), self.mechanism.flipper.empty);
        let mut flipping = 0;
        if flip {
            self.flipping = true;
            flipping = self.drive.start(part::FLIPPER, self.flipper_end(side), empty)?;
        }
        self.last_turn = LastTurn::InDoubt;
        self.turning = Some(Turning { yaw, legs, undo });
        self.finish_turn()?;
        if flip {
            self.drive.wait(part::FLIPPER, flipping)?;
            if self.drive.is_at(part::FLIPPER, self.flipper_end(side))? {
                self.arrived(side);
            } else {
                // The flipper is empty: it can go on as fast as before.
                log::warn!("the flipper stopped on its way below the cube");
                self.drive.ease(part::FLIPPER)?;
                self.flip_to(side, empty)?;
            }
        }
        Ok(())
    }

    /// Goes through the legs that are left.
    pub(super) fn finish_turn(&mut self) -> Result<(), MachineError> {
        while let Some(turning) = &self.turning {
            let Some(&leg) = turning.legs.first() else { break };
            let last = turning.legs.len() == 1;
            self.leg(leg)?;
            if last {
                self.table += leg.to;
            }
            if let Some(turning) = &mut self.turning {
                turning.legs.remove(0);
                turning.undo = None;
            }
        }
        if let Some(turning) = self.turning.take() {
            self.last_turn = LastTurn::Done;
            if let Some(quarters) = turning.yaw {
                self.orientation = self.orientation.then(yawed(quarters));
            }
        }
        Ok(())
    }

    /// Does one leg, in a few tries. A leg can begin anywhere, because its end is fixed.
    pub(super) fn leg(&mut self, leg: Leg) -> Result<(), MachineError> {
        let target = self.table + leg.to;
        let mut attempt = 1;
        loop {
            match self.back_from_press().and_then(|()| self.leg_once(target, leg.pace)) {
                Err(error) if error.is_obstacle() && attempt < self.mechanism.retry.tries => {
                    log::warn!("{error}; trying again");
                    self.drive.tries_again();
                    self.drive.ease(part::TURNTABLE)?;
                    self.catch_up()?;
                    attempt += 1;
                }
                result => return result,
            }
        }
    }

    /// Recovers from a squisher that did not open in time and took the cube along too far for the table's last leg: the table pushes the
    /// cube back, and the yaw begins anew.
    fn back_from_press(&mut self) -> Result<(), MachineError> {
        match self.turning.as_ref().and_then(|turning| turning.undo) {
            Some([back, _]) if self.squishing && !self.drive.is_at(part::TURNTABLE, self.table)? => {
                self.leg_once(self.table + back.to, back.pace)
            }
            _ => Ok(()),
        }
    }

    /// The squisher's position at which it is wide open with the table at `table`.
    pub(in crate::crane) fn open_at(&self, table: i32) -> i32 {
        self.mechanism.dragged(table - self.squisher_zero)
    }

    /// How far a squisher that does not follow the table may be from where it should be.
    pub(super) fn drag(&self, open: i32) -> i32 {
        let [seen, told] = self.drive.whereabouts(part::SQUISHER);
        (open - seen).abs().max((open - told).abs())
    }

    /// Where the turntable is. If its cable was out, it is where it was before, unless it was turning.
    fn table_now(&mut self) -> Result<i32, MachineError> {
        if self.drive.is_lost(part::TURNTABLE) && self.turning.is_none() {
            return Ok(self.table);
        }
        self.known(part::TURNTABLE)?;
        self.drive.position(part::TURNTABLE)
    }

    /// Opens the squisher to where the table is now.
    pub(super) fn catch_up(&mut self) -> Result<(), MachineError> {
        if self.dragged {
            return Ok(());
        }
        let table = self.table_now()?;
        let open = self.open_at(table);
        self.drive.go(part::SQUISHER, open, self.mechanism.squisher.press)
    }

    fn leg_once(&mut self, target: i32, pace: Pace) -> Result<(), MachineError> {
        let open = self.open_at(target);
        if self.dragged {
            if self.drag(open) > self.mechanism.retry.most_drag {
                let (part, [at, _]) = (part::SQUISHER, self.drive.whereabouts(part::SQUISHER));
                return Err(MachineError::Missed { part, at, target: open });
            }
            return self.drive.go_once(part::TURNTABLE, target, pace);
        }
        let expected = self.drive.expected(part::TURNTABLE, target, pace)?;
        let away = open - self.drive.position(part::SQUISHER)?;
        // The squisher moves a little ahead of the table, so that the table need not wait. After pressing a cube it opens evenly on the way:
        // it lets the cube go well before the table's end, and never pushes against its own end.
        let along = self.mechanism.squisher.along(away, expected);
        // The squisher's command comes first: if the program ends in between, a squisher that moves alone does no harm, but a table that
        // moves alone would force it. On short legs it would not, so these need not wait for the command.
        if away.abs() > self.mechanism.retry.most_drag {
            self.drive.run_to(part::SQUISHER, open, along)?;
            self.drive.run_to(part::TURNTABLE, target, pace)?;
        } else {
            self.drive.run_to(part::TURNTABLE, target, pace)?;
            self.drive.run_to(part::SQUISHER, open, along)?;
        }
        let ended = match self.wait_with_squisher(expected) {
            Ok(ended) => ended,
            Err(why) => {
                // What comes next may take long, and a table that goes on without the squisher forces it.
                if let Err(error) = self.drive.stop_part(part::TURNTABLE, StopAction::Hold) {
                    log::debug!("{error}");
                }
                return Err(why);
            }
        };
        if ended == Ended::Hindered {
            self.drive.stop_part(part::SQUISHER, StopAction::Brake)?;
            let at = self.drive.position(part::SQUISHER)?;
            let part = part::SQUISHER;
            return Err(MachineError::Stuck { part, at, target: open });
        }
        if ended == Ended::Stalled {
            // Otherwise it would go on without the table, and close.
            self.drive.stop_part(part::SQUISHER, StopAction::Brake)?;
        }
        self.drive.check(part::TURNTABLE, ended, target)?;
        let ended = self.drive.wait(part::SQUISHER, 0)?;
        self.drive.check(part::SQUISHER, ended, open)?;
        self.squishing = false;
        Ok(())
    }

    /// Waits for the turntable, and sees that the squisher does not stand still where the turntable has left it behind.
    fn wait_with_squisher(&mut self, expected_ms: u32) -> Result<Ended, MachineError> {
        let (mechanism, zero) = (self.mechanism, self.squisher_zero);
        self.drive.wait_with(part::TURNTABLE, expected_ms, &mut |drive| {
            if !drive.state(part::SQUISHER)?.stalled {
                return Ok(false);
            }
            let table = drive.position(part::TURNTABLE)?;
            Ok(!drive.is_at(part::SQUISHER, mechanism.dragged(table - zero))?)
        })
    }

    /// Closes the squisher. A cube that is squared early stops it early.
    pub(super) fn press(&mut self) -> Result<(), MachineError> {
        let size = self.size.ok_or(MachineError::SizeUnknown)?;
        let (press, tries) = (self.mechanism.squisher.press, self.mechanism.retry.tries);
        self.table_is_square()?;
        self.drive.stop_part(part::TURNTABLE, StopAction::Hold)?;
        let closed = self.open_at(self.table) + size.squish;
        let mut attempt = 1;
        loop {
            self.squishing = true;
            let expected = self.drive.start(part::SQUISHER, closed, press)?;
            let ended = self.drive.wait(part::SQUISHER, expected)?;
            let at = self.drive.position(part::SQUISHER)?;
            if (at - closed).abs() <= size.squish / 2 {
                return Ok(());
            }
            if attempt == tries {
                return self.drive.check(part::SQUISHER, ended, closed);
            }
            log::warn!("the squisher stopped at {at} degrees on its way to {closed}; trying again");
            self.drive.tries_again();
            self.unpress()?;
            attempt += 1;
        }
    }

    /// Opens the squisher.
    pub(super) fn unpress(&mut self) -> Result<(), MachineError> {
        let open = self.open_at(self.table);
        self.drive.go(part::SQUISHER, open, self.mechanism.squisher.press)?;
        self.squishing = false;
        Ok(())
    }
}
