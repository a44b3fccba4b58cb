//! How the colour sensor sees the six sides: each comes up in turn, and the table turns it once below the sensor.

use super::{Driver, UnderWay};
use crate::cube::Face;
use crate::drive::{MachineError, StepKind};
use crate::machine::{Look, Pose};
use crate::sure::place_of;
use crate::tilter::motion::{Motion, TilterLogic};
use crate::tilter::part::{SENSOR_ARM, TURNTABLE};

/// What brings up each side but the first, with both arms away before and after: five pulls show all six sides.
const WAYS: [&[Motion]; 6] = [
    &[],
    &[Motion::Flip, Motion::Away],
    &[Motion::Flip, Motion::Away],
    &[Motion::Rotate { quarters: 3 }, Motion::Flip, Motion::Away],
    &[Motion::Rotate { quarters: 1 }, Motion::Flip, Motion::Away],
    &[Motion::Flip, Motion::Away],
];

/// The squares around the centre as the table brings them below the sensor, eighth by eighth of a turn clockwise as seen from above: row by
/// row, the row at B first. The sensor's arm comes from F, and is over the middle of the row at F when the table is square.
const AROUND: [usize; 8] = [8, 5, 2, 1, 0, 3, 6, 7];

/// The looks at all six sides.
pub(super) fn looks(start: Pose) -> Result<Vec<Look>, MachineError> {
    let mut pose = start;
    let look = |motions: &&[Motion]| {
        for motion in *motions {
            let Some((_, after)) = pose.after(&TilterLogic, 3, motion.code()) else {
                return Err(MachineError::Impossible(
                    "a scan begins with the arm away from the cube".to_string(),
                ));
            };
            pose = after;
        }
        let (face, quarters) = seen(pose);
        Ok(Look {
            motions: motions.iter().map(|motion| motion.code()).collect(),
            pose,
            face,
            quarters,
        })
    };
    WAYS.iter().map(look).collect()
}

/// What the sensor sees: the upper side, and by how many quarter turns clockwise it lies rotated against the way that faces are read (U with
/// F below it, D with F above it, the others with U above), if B is above.
fn seen(pose: Pose) -> (Face, u8) {
    let face = pose.side_at(Face::U);
    let above = match face {
        Face::U => Face::B,
        Face::D => Face::F,
        _ => Face::U,
    };
    let clockwise = [Face::B, Face::R, Face::F, Face::L];
    (face, place_of(&clockwise, &pose.orientation.face(above)) as u8)
}

impl Driver<'_> {
    /// Reads the upper side: its centre, and then the squares around it, while the table turns once.
    pub(super) fn try_read_side(&mut self) -> Result<[[u16; 3]; 9], MachineError> {
        if !self.homed {
            return Err(MachineError::NotHomed);
        }
        if Motion::Look.does(self.at).is_none() {
            return Err(MachineError::Impossible(
                "cannot read a side while the arm holds the cube".to_string(),
            ));
        }
        self.in_place()?;
        self.tell(StepKind::Begin(Motion::Look.code()));
        let (sensor, quarter) = (&self.mechanism.sensor_arm, self.mechanism.turntable.quarter);
        self.under_way = Some((Motion::Look, UnderWay::Turning(vec![4 * quarter])));
        let mut side = [[0; 3]; 9];
        self.drive.go(SENSOR_ARM, sensor.centre, sensor.moving)?;
        side[4] = self.drive.brick().color.rgb()?;
        for (i, &square) in AROUND.iter().enumerate() {
            let place = if i % 2 == 0 {
                sensor.corners[i / 2]
            } else {
                sensor.edges[i / 2]
            };
            let angle = (i as i32 + 1) * quarter / 2;
            // The sensor is high enough that both may move at once.
            let pace = self.mechanism.turntable.turn;
            let turning = self.drive.start(TURNTABLE, self.table + angle, pace)?;
            self.drive.go(SENSOR_ARM, place, sensor.moving)?;
            let ended = self.drive.wait(TURNTABLE, turning)?;
            self.drive.check(TURNTABLE, ended, self.table + angle)?;
            side[square] = self.drive.brick().color.rgb()?;
        }
        self.table += 4 * quarter;
        self.under_way = None;
        self.drive.go(SENSOR_ARM, 0, sensor.moving)?;
        Ok(side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Lie, State, random_turns};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn all_six_sides_come_up_and_make_the_state() {
        let start = Pose::put_in(&TilterLogic);
        for seed in 0..20 {
            let mut cube = State::solved(3);
            cube.turn_all(&random_turns(3, 30, &mut ChaCha8Rng::seed_from_u64(seed)));
            let (mut world, mut pose) = (cube.clone(), start);
            let mut sides = [const { Vec::new() }; 6];
            for look in looks(start).unwrap() {
                for &motion in &look.motions {
                    let (deed, after) = pose.after(&TilterLogic, 3, motion).unwrap();
                    deed.act(&mut world);
                    pose = after;
                }
                assert_eq!(pose, look.pose);
                sides[look.face as usize] = Lie::turned(look.quarters).upright(3, world.face(Face::U));
            }
            assert_eq!(State::from_colours(sides.concat()).unwrap(), cube);
        }
    }

    #[test]
    fn the_table_brings_every_square_but_the_centre_once() {
        let mut squares = AROUND;
        squares.sort_unstable();
        assert_eq!(squares, [0, 1, 2, 3, 5, 6, 7, 8]);
    }
}
