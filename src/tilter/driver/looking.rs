//! How the colour sensor reads a side: the table turns it once below the sensor.

use super::{Driver, UnderWay};
use crate::drive::{MachineError, StepKind};
use crate::tilter::motion::Motion;
use crate::tilter::part::{SENSOR_ARM, TURNTABLE};

/// The squares around the centre as the table brings them below the sensor, eighth by eighth of a turn clockwise as seen from above: row by
/// row, the row at B first. The sensor's arm comes from F, and is over the middle of the row at F when the table is square.
const AROUND: [usize; 8] = [8, 5, 2, 1, 0, 3, 6, 7];

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
        self.under_way = Some(UnderWay::Turning(Motion::Look, vec![4 * quarter]));
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
    #[test]
    fn the_table_brings_every_square_but_the_centre_once() {
        let mut squares = AROUND;
        squares.sort_unstable();
        assert_eq!(squares, [0, 1, 2, 3, 5, 6, 7, 8]);
    }
}
