//! A tilter with a cube in it: what the motors' positions do to the cube, and what they must not do.

#[cfg(feature = "film")]
mod drawn;

use super::body::Body;
use super::eye::View;
use super::fault::WorldFault;
use super::geometry::{carried, carried_rows, pulled, seen};
use super::sensor::{Below, Sensor, Spot};
use crate::calibration::MotorSpec;
use crate::cube::{Face, State, Symmetry};
use crate::tilter::Mechanism;

/// The indexes of the motors, by what they move.
const ARM: usize = 0;
const TABLE: usize = 1;
const SENSOR: usize = 2;

/// How far the table may be off a square position to count as square, in degrees of the cube.
const SQUARE_SLACK: f64 = 6.0;
/// Degrees of the arm around its place in which it holds the cube.
const HOLD_SLACK: f64 = 14.0;
/// Degrees before its end at which the arm has pulled the cube over.
const PULL_SLACK: f64 = 12.0;
/// Degrees of the sensor's arm around a place in which it sees the sticker there.
const SEE_SLACK: f64 = 25.0;
/// Motions of at most so many degrees do not jam.
const JAM_WAY: f64 = 40.0;
/// How far away the sensor for cubes sees a cube, and nothing, in percent.
const NEAR: u8 = 12;
const FAR: u8 = 100;

/// The squares around the middle of the upper side, from the one at the front on, as the table brings them below the sensor when it turns
/// clockwise as seen from above: row by row, the back row first.
const AROUND: [usize; 8] = [7, 8, 5, 2, 1, 0, 3, 6];

/// The tilter and the cube in it.
pub(super) struct Tilter {
    mechanism: Mechanism,
    /// Where the parts are, by what they are.
    at: [f64; 3],
    cube: State,
    is_out: bool,
    /// The rotation from the frame in which the cube was put in to the world.
    orientation: Symmetry,
    /// The table's square position at which the cube stands as it does.
    base: f64,
    /// While the arm holds the upper layers: degrees of the table's motor that the lowest one has turned since.
    turned: Option<f64>,
    /// The arm has pulled the cube over, and not gone back since.
    has_pulled: bool,
    sensor: Sensor,
    /// How many readings the sensor has given.
    readings: u64,
}

impl Tilter {
    /// A cube on the table with the state's F to the front, below a sensor.
    pub fn new(mechanism: &Mechanism, cube: State, sensor: Sensor) -> Tilter {
        Tilter {
            mechanism: mechanism.clone(),
            at: [0.0; 3],
            cube,
            is_out: false,
            orientation: Symmetry::IDENTITY,
            base: 0.0,
            turned: None,
            has_pulled: false,
            sensor,
            readings: 0,
        }
    }

    /// The motors; both arms a little off their zeros.
    pub fn motors(mechanism: &Mechanism) -> [(MotorSpec, f64); 3] {
        let over = f64::from(mechanism.sensor_arm.centre.signum());
        [
            (mechanism.arm.motor.clone(), 7.0),
            (mechanism.turntable.motor.clone(), 0.0),
            (mechanism.sensor_arm.motor.clone(), 20.0 * over),
        ]
    }

    fn quarter(&self) -> f64 {
        f64::from(self.mechanism.turntable.quarter)
    }

    /// Degrees of the cube from degrees of the table's motor; positive is clockwise as seen from above.
    fn degrees(&self, table: f64) -> f64 {
        table * 90.0 / self.quarter()
    }

    /// Quarters, and the degrees that are left, of a motion of the table's motor.
    fn quarters(&self, table: f64) -> (u8, f64) {
        let quarters = (table / self.quarter()).round();
        let left = self.degrees(table - quarters * self.quarter());
        ((quarters as i64).rem_euclid(4) as u8, left)
    }

    fn turn_whole(&mut self, by: Symmetry) {
        self.cube.rotate(by);
        self.orientation = self.orientation.then(by);
    }

    /// The table has turned the lowest layer, and is square again.
    fn turn_lowest(&mut self, quarters: u8) {
        // The whole cube, and the two layers above back.
        self.cube.rotate(carried(quarters));
        self.cube.permute(&carried_rows(3, 2, (4 - quarters) % 4));
    }

    fn is_square(&self) -> Result<(), i32> {
        let (_, off) = self.quarters(self.at[TABLE] - self.base);
        match off.abs() <= SQUARE_SLACK {
            true => Ok(()),
            false => Err(off.round() as i32),
        }
    }

    fn holds(&self, arm: f64) -> bool {
        (arm - f64::from(self.mechanism.arm.hold)).abs() <= HOLD_SLACK
    }

    fn arm_moved(&mut self, before: f64) -> Result<(), WorldFault> {
        let arm = self.at[ARM];
        let beside = f64::from(self.mechanism.sensor_arm.aside.abs());
        if arm > f64::from(self.mechanism.arm.clear) && self.at[SENSOR].abs() > beside {
            return Err(WorldFault::ArmsMet);
        }
        let (held, holds) = (self.holds(before), self.holds(arm));
        if held && !holds {
            self.let_go()?;
        }
        if holds && !held {
            self.is_square().map_err(WorldFault::ArmOffSquare)?;
            self.turned = Some(0.0);
        }
        let pulls = arm > f64::from(self.mechanism.arm.hold) + HOLD_SLACK;
        if pulls {
            self.is_square().map_err(WorldFault::ArmOffSquare)?;
        } else {
            self.has_pulled = false;
        }
        if arm >= f64::from(self.mechanism.arm.pulled) - PULL_SLACK && !self.has_pulled {
            self.has_pulled = true;
            self.turn_whole(pulled());
        }
        Ok(())
    }

    /// The arm lets the upper layers go; what the lowest one has turned stays so.
    fn let_go(&mut self) -> Result<(), WorldFault> {
        let Some(turned) = self.turned.take() else {
            return Ok(());
        };
        let (quarters, off) = self.quarters(turned);
        if off.abs() > SQUARE_SLACK {
            return Err(WorldFault::LetGoOffSquare(off.round() as i32));
        }
        self.turn_lowest(quarters);
        let whole = (turned / self.quarter()).round() * self.quarter();
        self.base += whole;
        Ok(())
    }

    fn table_moved(&mut self) -> Result<(), WorldFault> {
        let arm = self.at[ARM];
        if arm > f64::from(self.mechanism.arm.hold) + HOLD_SLACK {
            return Err(WorldFault::TurnedWhilePulling);
        }
        let ahead = self.at[TABLE] - self.base;
        if let Some(turned) = self.turned {
            // The layer is anywhere within the play of the cradle, and is taken along at either end of it.
            let play = f64::from(self.mechanism.turntable.past);
            self.turned = Some(turned.clamp(ahead - play, ahead + play));
            return Ok(());
        }
        if arm > f64::from(self.mechanism.arm.clear) {
            return Err(WorldFault::TurnedIntoArm);
        }
        let whole = (ahead / self.quarter()).round();
        if whole != 0.0 {
            self.turn_whole(carried((whole as i64).rem_euclid(4) as u8));
            self.base += whole * self.quarter();
        }
        Ok(())
    }

    /// Which square of the upper side is below the sensor, and whether it is one in the middle, at an edge or in a corner.
    fn below(&self) -> Option<(usize, Spot)> {
        let sensor = &self.mechanism.sensor_arm;
        let near = |place: i32| (self.at[SENSOR] - f64::from(place)).abs() <= SEE_SLACK;
        if near(sensor.centre) {
            return Some((4, Spot::Centre));
        }
        let eighths = self.degrees(self.at[TABLE] - self.base) / 45.0;
        let nearest = eighths.round();
        if (eighths - nearest).abs() * 45.0 > SQUARE_SLACK {
            return None;
        }
        let square = AROUND[(nearest as i64).rem_euclid(8) as usize];
        let (places, spot) = match square % 2 {
            1 => (&sensor.edges, Spot::Edge),
            _ => (&sensor.corners, Spot::Corner),
        };
        places.iter().any(|&place| near(place)).then_some((square, spot))
    }
}

impl Body for Tilter {
    fn be_at(&mut self, at: &[f64]) {
        self.at.copy_from_slice(at);
    }

    fn limits(&self) -> Vec<(f64, f64)> {
        let over = f64::from(self.mechanism.sensor_arm.centre) * 1.05;
        vec![
            (0.0, f64::from(self.mechanism.arm.pulled) * 1.05),
            (f64::NEG_INFINITY, f64::INFINITY),
            (over.min(0.0), over.max(0.0)),
        ]
    }

    fn moved(&mut self, before: &[f64]) -> Result<(), WorldFault> {
        let moved = |part: usize| self.at[part] != before[part];
        let (arm, table, sensor) = (moved(ARM), moved(TABLE), moved(SENSOR));
        if self.is_out {
            return Ok(());
        }
        if arm {
            self.arm_moved(before[ARM])?;
        }
        if table {
            self.table_moved()?;
        }
        let beside = f64::from(self.mechanism.sensor_arm.aside.abs());
        if sensor && self.at[SENSOR].abs() > beside && self.at[ARM] > f64::from(self.mechanism.arm.clear) {
            return Err(WorldFault::ArmsMet);
        }
        Ok(())
    }

    fn can_jam(&self, motor: usize, way: f64) -> bool {
        way.abs() > JAM_WAY && (motor != ARM || way > 0.0)
    }

    fn cube(&self) -> State {
        let mut cube = self.cube.clone();
        // What the arm still holds.
        if let Some((quarters, _)) = self.turned.map(|turned| self.quarters(turned)) {
            cube.rotate(carried(quarters));
            cube.permute(&carried_rows(3, 2, (4 - quarters) % 4));
        }
        cube
    }

    fn put(&mut self, mut cube: State) {
        cube.rotate(self.orientation);
        self.cube = cube;
    }

    /// The table is square, and both arms are away from the cube.
    fn is_safe(&self) -> bool {
        self.turned.is_none()
            && self.is_square().is_ok()
            && self.at[ARM] < f64::from(self.mechanism.arm.clear)
            && self.at[SENSOR].abs() < f64::from(self.mechanism.sensor_arm.aside.abs())
    }

    fn is_cube_down(&self) -> bool {
        true
    }

    #[cfg(feature = "film")]
    fn shape(&self) -> crate::film::Shape {
        self.drawn()
    }

    fn view(&self) -> View {
        let (face, quarters) = seen(self.orientation);
        View {
            size: 3,
            colours: self.cube().face(Face::F).to_vec(),
            face,
            quarters,
            blocked: self.is_out,
        }
    }

    fn reading(&mut self) -> Option<[u16; 3]> {
        self.readings += 1;
        let number = self.readings;
        Some(match self.below() {
            Some((square, _)) if !self.is_out => {
                let stickers = std::array::from_fn(|i| self.cube.face(Face::U)[i]);
                self.sensor.side(&stickers, number)[square]
            }
            Some((_, spot)) => self.sensor.reading(spot, &[(Below::Paper, 1.0)], number),
            None => self.sensor.reading(Spot::Corner, &[(Below::Plastic, 1.0)], number),
        })
    }

    fn proximity(&self) -> Option<u8> {
        self.mechanism
            .presence
            .as_ref()
            .map(|_| if self.is_out { FAR } else { NEAR })
    }

    /// Without a cube there is white paper below the sensor.
    fn take_out(&mut self, out: bool) {
        self.is_out = out;
    }

    #[cfg(feature = "benches")]
    fn put_right(&mut self) -> Vec<f64> {
        if let Some(turned) = self.turned.take() {
            let (quarters, _) = self.quarters(turned);
            self.turn_lowest(quarters);
            self.base += (turned / self.quarter()).round() * self.quarter();
        }
        self.has_pulled = false;
        vec![0.0, self.base, 0.0]
    }
}
