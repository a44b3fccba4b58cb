//! A crane with a cube in it: what the motors' positions do to the cube, and what they must not do.
//!
//! It does not know which primitive is performed. Rows in the turntable turn with it once the play is used up. A cube at rest tips when
//! the flipper arrives at its other end. What the real machine could not do is a [`WorldFault`]; after it nothing moves.

#[cfg(feature = "film")]
mod drawn;
mod moved;
#[cfg(feature = "benches")]
mod unplug;

use super::body::Body;
use super::eye::View;
use super::fault::WorldFault;
use super::geometry::{carried, carried_rows, flipped, seen};
use super::motor::STEP_SECONDS;
use crate::calibration::{CalibrationError, MotorSpec};
use crate::crane::{FlipperEnd, Mechanism, Size};
use crate::cube::{Face, State, Symmetry};

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

/// Where the elevator has the cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Rest,
    Rows(u8),
    Between,
}

/// The crane and the cube in it.
pub(super) struct Crane {
    mechanism: Mechanism,
    size: Size,
    /// Where the parts are, by what they are.
    at: [f64; 4],
    cube: State,
    /// The rotation from the frame in which the cube was put in to the world.
    orientation: Symmetry,
    /// The flipper's end at which the cube last rested.
    side: FlipperEnd,
    grip: Option<Grip>,
}

impl Crane {
    /// A cube at rest with the state's F to the south.
    pub fn new(mechanism: &Mechanism, cube: State) -> Result<Crane, CalibrationError> {
        Ok(Crane {
            size: mechanism.size(cube.size())?.clone(),
            at: [0.0; 4],
            cube,
            orientation: Symmetry::IDENTITY,
            side: FlipperEnd::Home,
            grip: None,
            mechanism: mechanism.clone(),
        })
    }

    /// The motors, a little off their zeros.
    pub fn motors(mechanism: &Mechanism) -> [(MotorSpec, f64); 4] {
        let up = f64::from(mechanism.elevator.clear.signum());
        let away = f64::from(mechanism.flipper.away.signum());
        [
            (mechanism.elevator.motor.clone(), 6.0 * up),
            (mechanism.flipper.motor.clone(), 10.0 * away),
            (mechanism.turntable.motor.clone(), 0.0),
            (mechanism.squisher.motor.clone(), 25.0),
        ]
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
        self.at[ELEVATOR].abs()
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
        let at = self.at[FLIPPER];
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
        (self.at[TABLE] / quarter).round() * quarter
    }

    /// How far the squisher is closed; below 0 it is forced over its end.
    fn closed(&self) -> f64 {
        self.at[SQUISHER] - self.at[TABLE] / self.mechanism.squisher.table_degrees_per_degree
    }

    fn clears_flipper(&self) -> bool {
        self.height() >= f64::from(self.mechanism.elevator.clear.abs()) - ROW_SLACK
    }

    /// Degrees of the turned block from degrees of the table's motor.
    fn true_degrees(&self, table: f64) -> i32 {
        (table * 90.0 / f64::from(self.mechanism.turntable.quarter)).round() as i32
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
}

impl Body for Crane {
    fn be_at(&mut self, at: &[f64]) {
        self.at.copy_from_slice(at);
    }

    fn limits(&self) -> Vec<(f64, f64)> {
        let flips = range(0.0, f64::from(self.mechanism.flipper.away) * 1.05);
        let open = self.at[TABLE] / self.mechanism.squisher.table_degrees_per_degree;
        let everything = (f64::NEG_INFINITY, f64::INFINITY);
        vec![
            self.lift_range(),
            flips,
            everything,
            (open, open + self.squisher_range()),
        ]
    }

    fn moved(&mut self, before: &[f64]) -> Result<(), WorldFault> {
        let moved = |part: usize| self.at[part] != before[part];
        let (lifted, flipped, turned) = (moved(ELEVATOR), moved(FLIPPER), moved(TABLE));
        let speed = (self.at[FLIPPER] - before[FLIPPER]).abs() / STEP_SECONDS;
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

    /// Short motions do not jam, nor does an elevator on its way down.
    fn can_jam(&self, motor: usize, way: f64) -> bool {
        let up = way * f64::from(self.mechanism.elevator.clear) > 0.0;
        way.abs() > JAM_WAY && (up || motor != ELEVATOR)
    }

    fn cube(&self) -> State {
        self.cube.clone()
    }

    fn put(&mut self, mut cube: State) {
        cube.rotate(self.orientation);
        self.cube = cube;
    }

    /// The cube rests, and the flipper is at home.
    fn is_safe(&self) -> bool {
        self.level() == Level::Rest && self.flipper_end() == Some(FlipperEnd::Home)
    }

    fn is_cube_down(&self) -> bool {
        self.level() == Level::Rest
    }

    #[cfg(feature = "film")]
    fn shape(&self) -> crate::film::Shape {
        self.drawn()
    }

    fn view(&self) -> View {
        let (face, quarters) = seen(self.orientation);
        View {
            size: self.cube.size(),
            colours: self.cube.face(Face::F).to_vec(),
            face,
            quarters,
            blocked: self.flipper_end() != Some(FlipperEnd::Home) || self.level() != Level::Rest,
        }
    }

    #[cfg(feature = "benches")]
    fn put_right(&mut self) -> Vec<f64> {
        self.by_hand()
    }
}

fn range(a: f64, b: f64) -> (f64, f64) {
    (a.min(b), a.max(b))
}
