//! What a loss of power does to the crane.

use super::{ELEVATOR, FLIPPER, SQUISHER, SimMotor, TABLE, World};
use crate::crane::FlipperEnd;

impl World {
    /// All motors lose their power and forget where they stand. Then all is put right by hand: the cube into its holder with its layers
    /// straight, the turntable square, the squisher open, the flipper home.
    pub fn unplug(&mut self) {
        if let Some(grip) = self.grip.take() {
            let quarters = (grip.turned / f64::from(self.mechanism.turntable.quarter)).round();
            let quarters = (quarters as i64).rem_euclid(4) as u8;
            self.carry(grip.rows, quarters);
        }
        if self.level() == super::Level::Rest && self.side == FlipperEnd::Away {
            self.tip();
        }
        self.side = FlipperEnd::Home;
        let (table, m) = (self.square(), &self.mechanism);
        let open = table / m.squisher.table_degrees_per_degree;
        self.motors[ELEVATOR] = SimMotor::new(&m.elevator.motor, 0.0);
        self.motors[FLIPPER] = SimMotor::new(&m.flipper.motor, 0.0);
        self.motors[TABLE] = SimMotor::new(&m.turntable.motor, table);
        self.motors[SQUISHER] = SimMotor::new(&m.squisher.motor, open);
    }
}
