//! The driver on the simulated crane: what counts is the physical cube at the end.

mod calls;
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
use crate::machine::Code;
use crate::picture::{Frame, PixelFormat};
use crate::{jaws, machine, sim, tilter};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::LazyLock;
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

type Stop<'a> = Box<dyn Fn() -> bool + 'a>;

/// A kind of machine as it is built in: simulated, with a solved 3x3x3, and what drives it.
struct Model {
    simulated: fn() -> (Brick, WorldHandle),
    driver: for<'a> fn(&'a mut Brick, Stop<'a>) -> Box<dyn Robot<'a> + 'a>,
}

static CRANE: LazyLock<Mechanism> = LazyLock::new(Mechanism::builtin);
static TILTER: LazyLock<tilter::Mechanism> = LazyLock::new(tilter::Mechanism::builtin);
static JAWS: LazyLock<jaws::Mechanism> = LazyLock::new(jaws::Mechanism::builtin);

impl Model {
    const CRANE: Model = Model {
        simulated: || crane(&CRANE, State::solved(3)),
        driver: |brick, stop| Box::new(Driver::new(brick, &CRANE, stop).unwrap()),
    };
    const TILTER: Model = Model {
        simulated: || sim::tilter(&TILTER, State::solved(3), Sensor::calm(1)),
        driver: |brick, stop| Box::new(tilter::Driver::new(brick, &TILTER, stop).unwrap()),
    };
    const JAWS: Model = Model {
        simulated: || sim::jaws(&JAWS, State::solved(3)),
        driver: |brick, stop| Box::new(jaws::Driver::new(brick, &JAWS, stop).unwrap()),
    };
}

/// What jaws do that turn a layer at one of them, and another one that no jaw holds.
fn of_jaws() -> Vec<Code> {
    let planner = machine::Planner::new(jaws::Jaws::new(&JAWS));
    let turns = [Turn::outer(Face::L, 1, 1), Turn::outer(Face::U, 1, 3)];
    let plan = planner.plan(jaws::Jaws::START, &turns);
    plan.motions.into_iter().map(jaws::Motion::code).collect()
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
