//! Moves single parts of a crane gently, while its calibration is still to be made.

use std::sync::atomic::AtomicBool;

use super::driver::Driver;
use super::mechanism::Mechanism;
use super::part;
use crate::brick::Brick;
use crate::drive::{self, MachineError};

/// A crane whose parts are moved one at a time, each motion until it ends or something stops it.
pub struct Gentle<'a> {
    /// Its parts.
    pub parts: drive::Gentle<'a>,
    mechanism: &'a Mechanism,
}

impl<'a> Gentle<'a> {
    /// A crane in any position. Motions end early when `stop` becomes true.
    ///
    /// # Errors
    /// As [`Driver::new`].
    pub fn new(
        brick: &'a mut Brick,
        mechanism: &'a Mechanism,
        stop: &'a AtomicBool,
    ) -> Result<Gentle<'a>, MachineError> {
        let driver = Driver::new(brick, mechanism, Box::new(|| false))?;
        Ok(Gentle {
            parts: drive::Gentle::new(driver.into_drive(), stop),
            mechanism,
        })
    }

    /// What is known of the crane so far.
    pub fn mechanism(&self) -> &'a Mechanism {
        self.mechanism
    }

    /// Lets the elevator down until it stands, and calls that 0.
    fn put_down(&mut self) -> Result<(), MachineError> {
        self.parts
            .find_zero(part::ELEVATOR, self.mechanism.elevator.gently_down())
    }

    /// Lifts the elevator a little, and lets it down to its ground.
    ///
    /// # Errors
    /// As [`drive::Gentle::go`].
    pub fn find_ground(&mut self) -> Result<(), MachineError> {
        self.parts.reset(part::ELEVATOR)?;
        self.parts.go(part::ELEVATOR, self.mechanism.elevator.home_lift)?;
        self.put_down()
    }

    /// Opens the squisher until it stands, and calls that 0.
    ///
    /// # Errors
    /// As [`drive::Gentle::go`].
    pub fn open_squisher(&mut self) -> Result<(), MachineError> {
        self.parts
            .find_zero(part::SQUISHER, self.mechanism.squisher.gently_open())
    }

    /// Takes all parts back, puts the cube down and lets all motors go, however it was left. The squisher lets the cube go before it is
    /// lowered, and the flipper stands when it comes down.
    ///
    /// # Errors
    /// The first; what still moves has been moved.
    pub fn rest(&mut self) -> Result<(), MachineError> {
        self.parts
            .rest(&[part::SQUISHER, part::TURNTABLE, part::FLIPPER, part::ELEVATOR])
    }

    /// Puts the cube down when it is not known which parts have zeros. The calibration may have left the cube up and pressed.
    ///
    /// # Errors
    /// As [`Gentle::rest`].
    pub fn rest_blindly(&mut self) -> Result<(), MachineError> {
        self.parts.comes_to_rest();
        let open = self.open_squisher();
        let down = self.put_down();
        open.and(down).and(self.rest())
    }
}
