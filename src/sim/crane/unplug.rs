//! What a loss of power does to the crane.

use super::{Crane, Level};
use crate::crane::FlipperEnd;

impl Crane {
    /// All motors have lost their power. All is put right by hand: the cube into its holder with its layers straight, the turntable square, the
    /// squisher open, the flipper home. Gives where the parts are then.
    pub(super) fn by_hand(&mut self) -> Vec<f64> {
        if let Some(grip) = self.grip.take() {
            let quarters = (grip.turned / f64::from(self.mechanism.turntable.quarter)).round();
            let quarters = (quarters as i64).rem_euclid(4) as u8;
            self.carry(grip.rows, quarters);
        }
        if self.level() == Level::Rest && self.side == FlipperEnd::Away {
            self.tip();
        }
        self.side = FlipperEnd::Home;
        let table = self.square();
        vec![
            0.0,
            0.0,
            table,
            table / self.mechanism.squisher.table_degrees_per_degree,
        ]
    }
}
