//! What the tilter looks like. Lengths that no calibration knows are chosen so that parts pass each other as the real ones do.

use super::{ARM, HOLD_SLACK, PULL_SLACK, SENSOR, TABLE, Tilter};
use crate::film::{Eye, Place, Shape, Twist};
use crate::sim::paints::{BEAM, DARK, FRAME, GRIP, HOLDER, LENS, TURNS, TURNS_DARK};

/// The edge of its cube.
const EDGE: f64 = 57.0;
const HALF: f64 = EDGE / 2.0;
/// The ground, below the middle of the cube.
const GROUND: f64 = -HALF - 52.0;
/// Degrees by which a cube has tipped when the arm has pulled it as far as it goes; the rest of a quarter it falls.
const LEANS: f64 = 62.0;
/// How far the arm goes back while it pulls.
const BACK: f64 = 42.0;
/// Where the arm's axle is: its height, and how far behind the cube's middle.
const AXLE: [f64; 2] = [22.0, -104.0];
/// Degrees that the arm stands up when it is away.
const UP: f64 = 58.0;
/// The sensor's axle: to the right, and behind. How far its eye is from there, and degrees from away to over the centre.
const POST: [f64; 2] = [112.0, -62.0];
const SWING: f64 = 57.0;

impl Tilter {
    /// How far the arm has pulled, from 0 where it holds to 1.
    fn pulled_share(&self) -> f64 {
        let from = f64::from(self.mechanism.arm.hold) + HOLD_SLACK;
        let to = f64::from(self.mechanism.arm.pulled) - PULL_SLACK;
        ((self.at[ARM] - from) / (to - from)).clamp(0.0, 1.0)
    }

    pub(super) fn drawn(&self) -> Shape {
        let mut shape = Shape::new(Eye {
            from: [240.0, 270.0, 480.0],
            to: [0.0, 18.0, -20.0],
            high: 288.0,
        });
        self.stand(&mut shape);
        self.table(&mut shape);
        if !self.is_out {
            self.draw_cube(&mut shape);
        }
        self.arm(&mut shape);
        self.sensor_arm(&mut shape);
        shape
    }

    fn draw_cube(&self, shape: &mut Shape) {
        let mut twist = Twist::none();
        // What the table has turned below the arm, or the whole cube with it.
        let mut yaw = 0.0;
        match self.turned {
            Some(turned) => twist.degrees = vec![-self.degrees(turned), 0.0, 0.0],
            None => yaw = -self.degrees(self.at[TABLE] - self.base),
        }
        let share = self.pulled_share();
        let lying = if self.has_pulled {
            (LEANS - 90.0) * share
        } else {
            LEANS * share
        };
        // A tipped cube stands higher, on its edge; and the arm has it a little farther behind.
        let (sin, cos) = lying.abs().to_radians().sin_cos();
        let middle = [0.0, HALF * (sin + cos - 1.0), -BACK * 0.45 * share];
        let place = Place::turned(0, -lying)
            .then(&Place::turned(1, yaw))
            .then(&Place::at(middle));
        shape.cube(&place, &self.cube, EDGE, &twist);
    }

    fn stand(&self, shape: &mut Shape) {
        let still = Place::at([0.0; 3]);
        shape.block(&still, [-90.0, GROUND - 8.0, -130.0], [135.0, GROUND, 80.0], FRAME);
        shape.block(&still, [-22.0, GROUND, -22.0], [22.0, -HALF - 16.0, 22.0], FRAME);
        for x in [-46.0, 46.0] {
            shape.block(&still, [x - 5.0, GROUND, -112.0], [x + 5.0, AXLE[0] + 6.0, -96.0], BEAM);
        }
        let [right, behind] = POST;
        shape.block(
            &still,
            [right - 7.0, GROUND, behind - 7.0],
            [right + 7.0, HALF + 14.0, behind + 7.0],
            BEAM,
        );
        shape.label("arm", [-96.0, 40.0, -110.0]);
        shape.label("colour sensor", [right - 36.0, HALF + 50.0, behind]);
        shape.label("turntable", [36.0, -HALF - 44.0, 56.0]);
    }

    /// The turntable and the cradle on it.
    fn table(&self, shape: &mut Shape) {
        let place = Place::turned(1, -self.degrees(self.at[TABLE]));
        let floor = -HALF - 1.0;
        shape.ring(&place, (floor - 15.0, floor - 7.0), (0.0, 52.0), TURNS);
        for i in 0..4 {
            let side = Place::turned(1, 90.0 * f64::from(i)).then(&place);
            shape.block(&side, [40.0, floor - 7.0, -6.0], [50.0, floor - 3.0, 6.0], TURNS_DARK);
        }
        shape.block(
            &place,
            [-HALF - 4.0, floor - 7.0, -HALF - 4.0],
            [HALF + 4.0, floor, HALF + 4.0],
            HOLDER,
        );
        // Low walls that keep the lowest layer.
        for side in [-1.0, 1.0] {
            let (from, to) = (side * (HALF + 1.0), side * (HALF + 5.0));
            let (low, high) = (from.min(to), from.max(to));
            shape.block(&place, [low, floor, -HALF], [high, floor + 12.0, HALF], HOLDER);
        }
    }

    /// The arm: two cheeks beside the upper layers, and a bar above that pulls.
    fn arm(&self, shape: &mut Shape) {
        let hold = f64::from(self.mechanism.arm.hold);
        let raised = UP * (1.0 - self.at[ARM] / hold).clamp(0.0, 1.0);
        let back = BACK * self.pulled_share();
        let [high, behind] = AXLE;
        let place = Place::turned(0, -raised).then(&Place::at([0.0, high, behind - back]));
        // Seen from the axle.
        let (top, front) = (HALF - high + 1.0, HALF - behind);
        let low = -HALF + EDGE / 3.0 - high + 1.0;
        for side in [-1.0, 1.0] {
            let (from, to) = (side * (HALF + 2.0), side * (HALF + 6.0));
            let (left, right) = (from.min(to), from.max(to));
            shape.block(&place, [left, -5.0, -8.0], [right, 5.0, front - EDGE], GRIP);
            shape.block(
                &place,
                [left, low + 12.0, front - EDGE],
                [right, top + 4.0, front + 5.0],
                GRIP,
            );
        }
        shape.block(
            &place,
            [-HALF - 6.0, top, front - 8.0],
            [HALF + 6.0, top + 5.0, front + 5.0],
            GRIP,
        );
        shape.block(
            &place,
            [-HALF - 2.0, top - 8.0, front + 2.0],
            [HALF + 2.0, top, front + 5.0],
            GRIP,
        );
        shape.block(&place, [-52.0, -4.0, -4.0], [52.0, 4.0, 4.0], DARK);
    }

    fn sensor_arm(&self, shape: &mut Shape) {
        let share = self.at[SENSOR] / f64::from(self.mechanism.sensor_arm.centre);
        let [right, behind] = POST;
        let long = right.hypot(behind);
        // From over the cube's middle it swings to the front.
        let over = (-behind).atan2(-right).to_degrees();
        let place = Place::turned(1, -over + SWING * (1.0 - share)).then(&Place::at([right, 0.0, behind]));
        let low = HALF + 14.0;
        shape.block(&place, [-8.0, low, -6.0], [long + 6.0, low + 8.0, 6.0], BEAM);
        shape.block(
            &place,
            [long - 9.0, low - 3.0, -9.0],
            [long + 9.0, low + 12.0, 9.0],
            DARK,
        );
        shape.ring(
            &Place::at([long, 0.0, 0.0]).then(&place),
            (low - 6.0, low - 3.0),
            (0.0, 5.0),
            LENS,
        );
    }
}
