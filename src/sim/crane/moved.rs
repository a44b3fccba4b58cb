//! What a part that has moved does to the cube, and what it must not do.

use super::{Crane, Grip, Level, ROW_SLACK, SQUISHER_SLACK, TABLE, WorldFault};

/// How far the turntable's motor may be off a square position to count as square, in degrees.
const SQUARE_SLACK: f64 = 20.0;
/// How many times as fast as the calibration says a cube may be tipped.
const TIPPING_SLACK: f64 = 1.25;

impl Crane {
    pub(super) fn elevator_moved(&mut self, before: f64) -> Result<(), WorldFault> {
        self.let_go()?;
        let was_up = before.abs() > ROW_SLACK;
        if self.in_reach() {
            let off = self.at[TABLE] - self.square();
            if off.abs() > SQUARE_SLACK {
                return Err(WorldFault::TableOffSquare(self.true_degrees(off)));
            }
            if self.closed() > SQUISHER_SLACK {
                return Err(WorldFault::SquisherClosed);
            }
        }
        let end = self.flipper_end();
        if self.level() == Level::Rest {
            if was_up {
                self.side = end.ok_or(WorldFault::FlipperHalfWay)?;
            }
        } else if !self.clears_flipper() && end.is_none() {
            return Err(WorldFault::FlipperHalfWay);
        }
        Ok(())
    }

    pub(super) fn flipper_moved(&mut self, speed: f64) -> Result<(), WorldFault> {
        if self.level() != Level::Rest {
            return if self.clears_flipper() {
                Ok(())
            } else {
                Err(WorldFault::FlippedWithRowsUp)
            };
        }
        if speed > f64::from(self.mechanism.flipper.with_cube.speed) * TIPPING_SLACK {
            return Err(WorldFault::FlippedTooFast);
        }
        if self.flipper_end() == Some(self.side.other()) {
            self.tip();
        }
        Ok(())
    }

    pub(super) fn table_moved(&mut self, before: f64, lifted: bool) -> Result<(), WorldFault> {
        let closed = self.closed();
        if closed < -SQUISHER_SLACK || closed > self.squisher_range() + SQUISHER_SLACK {
            return Err(WorldFault::SquisherForced);
        }
        let rows = match self.level() {
            Level::Rest => return Ok(()),
            Level::Between if !self.in_reach() => return Ok(()),
            _ if lifted => return Err(WorldFault::TurnedWhileLifting),
            Level::Between => return Err(WorldFault::TurnedBetweenRows),
            Level::Rows(rows) => rows,
        };
        let all = rows as usize == self.cube.size();
        let pressed = closed > SQUISHER_SLACK;
        if pressed && !all {
            return Err(WorldFault::SquisherClosed);
        }
        let play = f64::from(if all {
            self.mechanism.turntable.yaw_touch
        } else {
            self.size.touch
        });
        let base = self.square();
        let table = self.at[TABLE];
        let grip = self.grip.get_or_insert(Grip {
            rows,
            base,
            turned: 0.0,
        });
        let ahead = table - grip.base;
        if pressed {
            // It has no play.
            grip.turned += table - before;
        }
        // The block is anywhere within the play, and is taken along at either end of the play.
        grip.turned = grip.turned.clamp(ahead - play, ahead + play);
        Ok(())
    }

    /// The turntable lets go of the rows. What it has turned stays so, if it is square.
    fn let_go(&mut self) -> Result<(), WorldFault> {
        let Some(grip) = self.grip else { return Ok(()) };
        let quarter = f64::from(self.mechanism.turntable.quarter);
        let quarters = (grip.turned / quarter).round();
        let off = grip.turned - quarters * quarter;
        if off.abs() > SQUARE_SLACK {
            return Err(WorldFault::LayersOffSquare(self.true_degrees(off)));
        }
        self.grip = None;
        let quarters = (quarters as i64).rem_euclid(4) as u8;
        if quarters > 0 {
            self.carry(grip.rows, quarters);
        }
        Ok(())
    }
}
