//! The driver on the simulated crane: what counts is the physical cube at the end.

mod cruel;
mod faults;
mod gentle;
mod jobs;
#[cfg(feature = "benches")]
mod killed;
mod machines;
mod motions;
mod parking;
mod power;
mod refusals;
mod retries;
mod takeover;
mod watched;

use super::*;
use crate::brick::{Brick, DeviceError, Motor, MotorPort, MotorState, Profile, StopAction};
use crate::crane::{Costs, Driver, LastTurn, Mechanism, Planner, Pose, Primitive, first_looks, last_looks, part};
use crate::cube::{Face, Lie, State, Turn, random_turns, scramble};
use crate::drive::{MachineError, Robot};
use crate::picture::{Frame, PixelFormat};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// An eye that only remembers what it saw.
#[derive(Clone, Default)]
struct Witness(Rc<RefCell<Vec<View>>>);

impl Eye for Witness {
    fn look(&mut self, view: &View) -> Result<Frame, DeviceError> {
        self.0.borrow_mut().push(view.clone());
        Ok(Frame {
            width: 0,
            height: 0,
            stride: 0,
            format: PixelFormat::Rgb8,
            data: Vec::new(),
        })
    }
}

fn crane(mechanism: &Mechanism, cube: State) -> (Brick, WorldHandle) {
    machine(mechanism, cube, Box::new(Witness::default())).unwrap()
}

fn driver<'a>(brick: &'a mut Brick, mechanism: &'a Mechanism, n: usize) -> Driver<'a> {
    let mut driver = Driver::new(brick, mechanism, Box::new(|| false)).unwrap();
    driver.set_size(n).unwrap();
    driver
}

fn turn(quarters: u8) -> Primitive {
    Primitive::Turn { quarters, flip: false }
}

fn yaw(quarters: u8) -> Primitive {
    Primitive::Yaw { quarters, flip: false }
}

fn up(rows: u8) -> Primitive {
    Primitive::Elevate { rows }
}

/// Everything that a crane does, with a 3x3x3.
fn everything() -> [Primitive; 13] {
    let flip_turn = Primitive::Turn {
        quarters: 1,
        flip: true,
    };
    [
        Primitive::Clear,
        Primitive::Flip,
        up(1),
        flip_turn,
        up(2),
        turn(2),
        up(3),
        Primitive::Squish,
        Primitive::Press,
        yaw(3),
        Primitive::Flip,
        up(0),
        Primitive::Flip,
    ]
}
