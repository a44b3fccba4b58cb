//! A crane with a cube in it, on virtual time: what the motors' positions do to the cube, and what they must not do.
//!
//! The world does not know which primitive is performed. Rows in the turntable turn with it once the play is used up. A cube at rest tips when
//! the flipper arrives at its other end. What the real machine could not do is a [`WorldFault`]; after it nothing moves.

mod moved;
#[cfg(feature = "benches")]
mod unplug;

use std::time::Duration;

use super::console::Console;
use super::eye::View;
use super::geometry::{carried, carried_rows, flipped, seen};
use super::motor::{Lasts, STEP_SECONDS, SimMotor};
use crate::brick::{MotorKind, MotorPort};
use crate::calibration::CalibrationError;
use crate::crane::{FlipperEnd, Mechanism, Size};
use crate::cube::{Face, State, Symmetry};

/// Something that would break the real machine, or leave it stuck.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WorldFault {
    /// Rows enter or leave a turntable that is not square.
    #[error("the cube was lifted or lowered through a turntable that is {0} degrees off square")]
    TableOffSquare(i32),
    /// Rows enter or leave while layers are half turned.
    #[error("the cube was lifted or lowered with layers that are {0} degrees off square")]
    LayersOffSquare(i32),
    /// The flipper is in the way of the cube.
    #[error("the cube was lifted or lowered with the flipper half-way")]
    FlipperHalfWay,
    /// The cube is in the way of the flipper.
    #[error("the flipper moved with rows up that are not clear of it")]
    FlippedWithRowsUp,
    /// The cube slides.
    #[error("the flipper tipped the cube too fast")]
    FlippedTooFast,
    /// The edge of a layer is in the gap.
    #[error("the turntable turned with the elevator between two rows")]
    TurnedBetweenRows,
    /// The cube is neither held nor free.
    #[error("the turntable turned while the elevator moved")]
    TurnedWhileLifting,
    /// The squisher has hold of the cube, and not all of it is in the turntable.
    #[error("the cube was moved with the squisher closed")]
    SquisherClosed,
    /// The turntable drags the squisher over its end, or into the cube.
    #[error("the turntable dragged the squisher against its stop")]
    SquisherForced,
    /// The brick switched itself off.
    #[error("the battery ran down before the crane was parked")]
    BatteryEmpty,
    /// The program goes on and on.
    #[error("the program did not end in time")]
    TookTooLong,
}

/// How far the elevator may be from a row's position to count as there, in degrees.
const ROW_SLACK: f64 = 9.0;
/// How far the flipper may be from an end to count as there, in degrees.
const FLIPPER_SLACK: f64 = 20.0;
/// Degrees by which the squisher may be open too far, or not far enough.
const SQUISHER_SLACK: f64 = 40.0;
/// Degrees below its first row at which a cube reaches the turntable.
const REACH: f64 = 30.0;
/// Degrees by which the squisher presses a cube beyond what the calibration says, before it stops.
const CUBE_GIVES: f64 = 8.0;

/// Below this the brick switches itself off.
const EMPTY_MILLIVOLTS: u32 = 4800;
/// A jam comes after this share of a motion's way.
const JAM_AFTER: f64 = 0.25;
/// Motions of at most so many degrees do not jam.
const JAM_WAY: f64 = 40.0;

/// The indexes of the motors, by what they move.
const ELEVATOR: usize = 0;
const FLIPPER: usize = 1;
const TABLE: usize = 2;
const SQUISHER: usize = 3;

/// Rows in the turntable, and how far their block has turned.
#[derive(Debug, Clone, Copy)]
struct Grip {
    rows: u8,
    /// The table's square position from which it is counted.
    base: f64,
    /// Degrees of the table's motor that the block has turned.
    turned: f64,
}

/// A cable that comes out: the motor's index, and from when to when, in virtual microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unplugging {
    pub motor: usize,
    pub from: u64,
    pub to: u64,
}

/// Where the elevator has the cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Rest,
    Rows(u8),
    Between,
}

/// The crane, the cube, and the rest of the brick.
pub(super) struct World {
    mechanism: Mechanism,
    size: Size,
    /// By index: by what they move, not by port.
    motors: [SimMotor; 4],
    micros: u64,
    cube: State,
    /// The rotation from the frame in which the cube was put in to the world.
    orientation: Symmetry,
    /// The flipper's end at which the cube last rested.
    side: FlipperEnd,
    grip: Option<Grip>,
    fault: Option<WorldFault>,
    /// The next cable that comes out.
    pub unplugging: Option<Unplugging>,
    /// For each motor, how many jams are to come, and how long each lasts.
    jams: [(u32, Lasts); 4],
    pub millivolts: u32,
    /// Millivolts that the battery loses in a second.
    pub sag: f64,
    /// The loss that is not yet counted, below a millivolt.
    sagged: f64,
    /// From when to when the touch sensor is pressed.
    pub touches: Vec<(Duration, Duration)>,
    /// When the touch sensor's cable comes out.
    pub touch_out_at: Option<Duration>,
    /// A program that still runs at this time hangs.
    pub limit: Option<Duration>,
    /// How often devices were used.
    pub asked: u64,
    pub console: Console,
}

impl World {
    /// A cube at rest with the state's F to the south; the motors stand a little off their zeros.
    pub fn new(mechanism: &Mechanism, cube: State) -> Result<World, CalibrationError> {
        let up = f64::from(mechanism.elevator.clear.signum());
        let away = f64::from(mechanism.flipper.away.signum());
        Ok(World {
            size: mechanism.size(cube.size())?.clone(),
            motors: [
                SimMotor::new(&mechanism.elevator.motor, 6.0 * up),
                SimMotor::new(&mechanism.flipper.motor, 10.0 * away),
                SimMotor::new(&mechanism.turntable.motor, 0.0),
                SimMotor::new(&mechanism.squisher.motor, 25.0),
            ],
            micros: 0,
            cube,
            orientation: Symmetry::IDENTITY,
            side: FlipperEnd::Home,
            grip: None,
            fault: None,
            unplugging: None,
            jams: [(0, Lasts::Motion); 4],
            millivolts: mechanism.timing.reference_millivolts,
            sag: 0.0,
            sagged: 0.0,
            touches: Vec::new(),
            touch_out_at: None,
            limit: None,
            asked: 0,
            console: Console::new(),
            mechanism: mechanism.clone(),
        })
    }

    /// Which motor is at a port.
    pub fn at_port(&self, port: MotorPort) -> Option<usize> {
        let m = &self.mechanism;
        let ports = [
            m.elevator.motor.port,
            m.flipper.motor.port,
            m.turntable.motor.port,
            m.squisher.motor.port,
        ];
        ports.iter().position(|&p| p == port)
    }

    /// A motor by its number; none if its cable is out.
    pub fn motor(&mut self, index: usize) -> Option<&mut SimMotor> {
        let motor = self.motors.get_mut(index)?;
        motor.answers(self.micros).then_some(motor)
    }

    /// Which kind of motor belongs to a number.
    pub fn kind(&self, index: usize) -> Option<MotorKind> {
        let m = &self.mechanism;
        [
            &m.elevator.motor,
            &m.flipper.motor,
            &m.turntable.motor,
            &m.squisher.motor,
        ][index]
            .kind
    }

    /// Lets the next motions of a motor jam after a quarter of their way. Short motions do not jam, nor does an elevator on its way down.
    pub fn jam(&mut self, index: usize, motions: u32, lasts: Lasts) {
        self.jams[index] = (motions, lasts);
    }

    /// Lets a jam begin, if one is to come. Called when a motor gets a command to go so far.
    pub fn told(&mut self, index: usize, way: f64) {
        let up = way * f64::from(self.mechanism.elevator.clear) > 0.0;
        let (jams, lasts) = self.jams[index];
        if jams > 0 && way.abs() > JAM_WAY && (up || index != ELEVATOR) {
            self.jams[index].0 -= 1;
            self.motors[index].block(way * JAM_AFTER, lasts);
        }
    }

    pub fn now(&self) -> Duration {
        Duration::from_micros(self.micros)
    }

    pub fn fault(&self) -> Option<WorldFault> {
        self.fault
    }

    /// Lets time pass, in steps of a millisecond while anything moves.
    pub fn advance(&mut self, time: Duration) {
        let end = self.micros + time.as_micros() as u64;
        let step = (STEP_SECONDS * 1e6) as u64;
        self.befall(time);
        while self.fault.is_none() && self.micros / step < end / step {
            if self.motors.iter().all(SimMotor::is_idle) {
                break;
            }
            self.micros = (self.micros / step + 1) * step;
            if let Err(fault) = self.step() {
                self.break_down(fault);
            }
        }
        self.micros = end;
    }

    /// Does what time brings: a cable comes out, the battery runs down, the limit is over.
    fn befall(&mut self, time: Duration) {
        let now = self.micros;
        if let Some(out) = self.unplugging.take_if(|out| out.from <= now) {
            self.motors[out.motor].unplug(out.to);
        }
        self.sagged += self.sag * time.as_secs_f64();
        self.millivolts = self.millivolts.saturating_sub(self.sagged as u32);
        self.sagged = self.sagged.fract();
        if self.millivolts < EMPTY_MILLIVOLTS && !self.parked() {
            self.break_down(WorldFault::BatteryEmpty);
        }
        if self.limit.is_some_and(|limit| self.now() > limit) {
            self.break_down(WorldFault::TookTooLong);
        }
    }

    /// Sets the fault and takes the power from all motors.
    fn break_down(&mut self, fault: WorldFault) {
        self.fault.get_or_insert(fault);
        self.motors.iter_mut().for_each(SimMotor::die);
    }

    fn step(&mut self) -> Result<(), WorldFault> {
        let before = [ELEVATOR, FLIPPER, TABLE, SQUISHER].map(|part| self.motors[part].position);
        let voltage = f64::from(self.millivolts) / f64::from(self.mechanism.timing.reference_millivolts);
        let lifts = self.lift_range();
        let flips = range(0.0, f64::from(self.mechanism.flipper.away) * 1.05);
        let open = before[TABLE] / self.mechanism.squisher.table_degrees_per_degree;
        let everything = (f64::NEG_INFINITY, f64::INFINITY);
        let limits = [lifts, flips, everything, (open, open + self.squisher_range())];
        for (motor, (low, high)) in self.motors.iter_mut().zip(limits) {
            motor.step(low, high, voltage);
        }
        let moved = |part: usize| self.motors[part].position != before[part];
        let (lifted, flipped, turned) = (moved(ELEVATOR), moved(FLIPPER), moved(TABLE));
        let speed = (self.motors[FLIPPER].position - before[FLIPPER]).abs() / STEP_SECONDS;
        if lifted {
            self.elevator_moved(before[ELEVATOR])?;
        }
        if flipped {
            self.flipper_moved(speed)?;
        }
        if turned {
            self.table_moved(before[TABLE], lifted)?;
        }
        Ok(())
    }

    /// The elevator's range: from the ground to a little over the highest row.
    fn lift_range(&self) -> (f64, f64) {
        let top = self.mechanism.height(&self.size, self.cube.size() as u8);
        range(0.0, f64::from(top) * 1.1)
    }

    /// How far the squisher closes: until a cube that is wholly in the turntable stops it.
    fn squisher_range(&self) -> f64 {
        if self.level() == Level::Rows(self.cube.size() as u8) {
            f64::from(self.size.squish) + CUBE_GIVES
        } else {
            f64::INFINITY
        }
    }

    fn height(&self) -> f64 {
        self.motors[ELEVATOR].position.abs()
    }

    fn level(&self) -> Level {
        let height = self.height();
        if height <= ROW_SLACK {
            return Level::Rest;
        }
        (1..=self.cube.size() as u8)
            .find(|&rows| (height - f64::from(self.mechanism.height(&self.size, rows).abs())).abs() <= ROW_SLACK)
            .map_or(Level::Between, Level::Rows)
    }

    /// Whether the cube's upper edge has come to the turntable.
    fn in_reach(&self) -> bool {
        self.height() > f64::from(self.mechanism.height(&self.size, 1).abs()) - REACH
    }

    /// Which end the flipper is at.
    fn flipper_end(&self) -> Option<FlipperEnd> {
        let at = self.motors[FLIPPER].position;
        let away = f64::from(self.mechanism.flipper.away);
        if at.abs() <= FLIPPER_SLACK {
            Some(FlipperEnd::Home)
        } else if (at - away).abs() <= FLIPPER_SLACK {
            Some(FlipperEnd::Away)
        } else {
            None
        }
    }

    /// The table's nearest square position.
    fn square(&self) -> f64 {
        let quarter = f64::from(self.mechanism.turntable.quarter);
        (self.motors[TABLE].position / quarter).round() * quarter
    }

    /// How far the squisher is closed; below 0 it is forced over its end.
    fn closed(&self) -> f64 {
        self.motors[SQUISHER].position - self.motors[TABLE].position / self.mechanism.squisher.table_degrees_per_degree
    }

    fn clears_flipper(&self) -> bool {
        self.height() >= f64::from(self.mechanism.elevator.clear.abs()) - ROW_SLACK
    }

    /// Degrees of the turned block from degrees of the table's motor.
    fn true_degrees(&self, table: f64) -> i32 {
        (table * 90.0 / f64::from(self.mechanism.turntable.quarter)).round() as i32
    }

    /// The cube as it stands: its face F is the south side.
    pub fn cube(&self) -> State {
        self.cube.clone()
    }

    /// The cube in the flipper goes with it to the other end.
    fn tip(&mut self) {
        self.turn_whole(flipped(self.side));
        self.side = self.side.other();
    }

    /// The turntable takes rows along.
    fn carry(&mut self, rows: u8, quarters: u8) {
        if rows as usize == self.cube.size() {
            self.turn_whole(carried(quarters));
        } else {
            self.cube.permute(&carried_rows(self.cube.size(), rows, quarters));
        }
    }

    fn turn_whole(&mut self, by: Symmetry) {
        self.cube.rotate(by);
        self.orientation = self.orientation.then(by);
    }

    /// Puts in another cube of the same size, held like the present one. Its state is in the frame in which the present one was put in.
    pub fn put(&mut self, mut cube: State) {
        cube.rotate(self.orientation);
        self.cube = cube;
    }

    /// Whether the machine is safe to leave: cube at rest, flipper at home, no motor under power.
    pub fn parked(&self) -> bool {
        self.level() == Level::Rest
            && self.flipper_end() == Some(FlipperEnd::Home)
            && self.motors.iter().all(SimMotor::at_rest)
    }

    /// Whether the cube rests in the flipper's holder.
    pub fn is_cube_down(&self) -> bool {
        self.level() == Level::Rest
    }

    /// What the camera sees now.
    pub fn view(&self) -> View {
        let (face, quarters) = seen(self.orientation);
        View {
            size: self.cube.size(),
            colours: self.cube.face(Face::F).to_vec(),
            face,
            quarters,
            blocked: self.flipper_end() != Some(FlipperEnd::Home) || self.level() != Level::Rest,
        }
    }
}

fn range(a: f64, b: f64) -> (f64, f64) {
    (a.min(b), a.max(b))
}
