//! What the crane looks like. Lengths that no calibration knows are chosen so that parts pass each other as the real ones do.

use super::{Crane, FLIPPER, Level, TABLE};
use crate::crane::FlipperEnd;
use crate::film::{Eye, Place, Point, Shape, Twist};
use crate::sim::paints::{BEAM, DARK, FRAME, GRIP, HOLDER, LENS, LIFT, TURNS, TURNS_DARK};

/// Millimetres that the elevator rises in a degree of its motor, as on the machine that the built-in calibration is for.
const RISE: f64 = 0.456;
/// The ground, below the middle of a cube at rest.
const GROUND: f64 = -105.0;
/// The strength of plates and rails.
const PLATE: f64 = 5.0;
/// The elevator's head stays so far below a cube at rest, so that it can tip.
const BELOW: f64 = 17.0;

impl Crane {
    /// Where the cube's middle is above its place at rest.
    fn risen(&self) -> f64 {
        self.height() * RISE
    }

    /// The lower edge of the turntable: the first row is above it when one row is in.
    fn table_bottom(&self) -> f64 {
        let edge = f64::from(self.size.millimetres);
        let first = f64::from(self.mechanism.height(&self.size, 1).abs()) * RISE;
        first + edge / 2.0 - edge / self.cube.size() as f64
    }

    /// Degrees by which the flipper is tipped.
    fn tipped(&self) -> f64 {
        90.0 * self.at[FLIPPER] / f64::from(self.mechanism.flipper.away)
    }

    /// Degrees of the turntable, or of what is in it, clockwise as seen from above.
    fn degrees(&self, table: f64) -> f64 {
        table * 90.0 / f64::from(self.mechanism.turntable.quarter)
    }

    pub(super) fn drawn(&self) -> Shape {
        let mut shape = Shape::new(Eye {
            from: [330.0, 215.0, 620.0],
            to: [0.0, 48.0, 0.0],
            high: 348.0,
        });
        self.stand(&mut shape);
        self.holder(&mut shape);
        self.elevator(&mut shape);
        self.table(&mut shape);
        self.draw_cube(&mut shape);
        shape
    }

    fn draw_cube(&self, shape: &mut Shape) {
        let n = self.cube.size();
        let lying = match self.level() {
            // The flipper has taken it along since it came to rest at this side.
            Level::Rest => self.tipped() - if self.side == FlipperEnd::Away { 90.0 } else { 0.0 },
            _ => 0.0,
        };
        let mut twist = Twist::none();
        if let Some(grip) = self.grip {
            let turned = -self.degrees(grip.turned);
            let is_in = |layer: usize| layer + grip.rows as usize >= n;
            twist.degrees = (0..n).map(|layer| if is_in(layer) { turned } else { 0.0 }).collect();
        }
        let place = Place::turned(0, -lying).then(&Place::at([0.0, self.risen(), 0.0]));
        shape.cube(&place, &self.cube, f64::from(self.size.millimetres), &twist);
    }

    /// The ground, the mast and the camera, which do not move.
    fn stand(&self, shape: &mut Shape) {
        let still = Place::at([0.0; 3]);
        let top = self.table_bottom() + f64::from(self.size.millimetres) + 34.0;
        shape.block(&still, [-110.0, GROUND - 8.0, -125.0], [110.0, GROUND, 165.0], FRAME);
        for x in [-42.0, 42.0] {
            shape.block(&still, [x - 7.0, GROUND, -112.0], [x + 7.0, top, -98.0], BEAM);
            shape.block(&still, [x - 7.0, top, -112.0], [x + 7.0, top + 12.0, 10.0], BEAM);
        }
        for y in [GROUND + 45.0, 60.0] {
            shape.block(&still, [-35.0, y, -110.0], [35.0, y + 9.0, -101.0], BEAM);
        }
        shape.block(&still, [-35.0, top, -12.0], [35.0, top + 12.0, 10.0], BEAM);
        // The camera on its stand.
        shape.block(&still, [-4.0, GROUND, 144.0], [4.0, -12.0, 150.0], DARK);
        shape.block(&still, [-17.0, -12.0, 136.0], [17.0, 12.0, 158.0], DARK);
        shape.ring(
            &Place::turned(0, -90.0).then(&Place::at([0.0, 0.0, 136.0])),
            (0.0, 6.0),
            (0.0, 7.0),
            LENS,
        );
        let labels: [(&'static str, Point); 5] = [
            ("turntable", [-150.0, self.table_bottom() + 66.0, 0.0]),
            ("squisher", [-142.0, self.table_bottom() + 30.0, 0.0]),
            ("flipper", [104.0, -6.0, 0.0]),
            ("elevator", [22.0, GROUND + 18.0, 14.0]),
            ("camera", [-70.0, 0.0, 150.0]),
        ];
        labels.into_iter().for_each(|(words, at)| shape.label(words, at));
    }

    /// The flipper: rails below and behind the cube, open in the middle for the elevator.
    fn holder(&self, shape: &mut Shape) {
        let half = f64::from(self.size.millimetres) / 2.0;
        let place = Place::turned(0, -self.tipped());
        let out = half + PLATE + 1.0;
        for side in [-1.0, 1.0] {
            let rail = |x: f64, from: [f64; 2], to: [f64; 2]| {
                let (low, high) = (x.min(x + side * 10.0), x.max(x + side * 10.0));
                ([low, from[0], from[1]], [high, to[0], to[1]])
            };
            let x = side * (half - 10.0);
            for (low, high) in [
                rail(x, [-out, -out], [-out + PLATE, half]),
                rail(x, [-out, -out], [half, -out + PLATE]),
                // From the rails below up to the axle.
                rail(side * (half + 2.0), [-out, -6.0], [6.0, 6.0]),
            ] {
                shape.block(&place, low, high, HOLDER);
            }
            let (from, to) = (side * (half + 12.0), side * (half + 30.0));
            shape.block(&place, [from.min(to), -4.0, -4.0], [from.max(to), 4.0, 4.0], DARK);
            let at = side * (half + 34.0);
            shape.block(
                &Place::at([0.0; 3]),
                [at - 5.0, GROUND, -7.0],
                [at + 5.0, 8.0, 7.0],
                BEAM,
            );
        }
        shape.block(&place, [-half, -out, -out], [half, -out + PLATE, -out + 8.0], HOLDER);
    }

    fn elevator(&self, shape: &mut Shape) {
        let half = f64::from(self.size.millimetres) / 2.0;
        let risen = self.risen();
        let head = risen - half - BELOW * (1.0 - risen / 20.0).max(0.0);
        let still = Place::at([0.0; 3]);
        shape.block(&still, [-13.0, GROUND, -13.0], [13.0, GROUND + 36.0, 13.0], FRAME);
        shape.block(&still, [-5.0, GROUND, -5.0], [5.0, head - 4.0, 5.0], LIFT);
        shape.block(&still, [-12.0, head - 4.0, -12.0], [12.0, head, 12.0], LIFT);
    }

    /// The turntable: a ring above, pegs that take rows along once the play is used up, and the squisher's two pads.
    fn table(&self, shape: &mut Shape) {
        let edge = f64::from(self.size.millimetres);
        let half = edge / 2.0;
        let bottom = self.table_bottom();
        let top = bottom + edge + 6.0;
        let place = Place::turned(1, -self.degrees(self.at[TABLE])).then(&Place::at([0.0; 3]));
        // A peg touches a cube that is turned by the play.
        let play = self.degrees(f64::from(self.size.touch)).abs().clamp(8.0, 41.0);
        let away = half / play.to_radians().cos() + 1.0;
        let wide = 8.0;
        for side in [-1.0, 1.0] {
            let (from, to) = (side * away, side * (away + 7.0));
            shape.block(&place, [-wide, bottom, from.min(to)], [wide, top, from.max(to)], TURNS);
            let closed = (self.closed() / f64::from(self.size.squish)).clamp(0.0, 1.0);
            let pad = side * (away + (half + 0.5 - away) * closed);
            let behind = pad + side * 5.0;
            let (low, high) = (pad.min(behind), pad.max(behind));
            shape.block(&place, [low, bottom + 3.0, -13.0], [high, top - 8.0, 13.0], GRIP);
            let (from, to) = (behind, side * (away + 14.0));
            let (low, high) = (from.min(to), from.max(to));
            shape.block(&place, [low, top - 26.0, -4.0], [high, top - 18.0, 4.0], DARK);
            let (from, to) = (side * (away + 10.0), side * (away + 14.0));
            shape.block(
                &place,
                [from.min(to), top - 28.0, -6.0],
                [from.max(to), top, 6.0],
                TURNS_DARK,
            );
        }
        shape.ring(&place, (top, top + 7.0), (half * 0.7, away + 15.0), TURNS);
        for i in 0..4 {
            // Spokes, by which it is seen that it turns.
            let spoke = Place::turned(1, 90.0 * f64::from(i)).then(&place);
            shape.block(
                &spoke,
                [4.0, top + 1.0, -3.5],
                [half * 0.72, top + 6.0, 3.5],
                TURNS_DARK,
            );
            shape.block(
                &spoke,
                [away + 9.0, top + 7.0, -5.0],
                [away + 15.0, top + 10.0, 5.0],
                TURNS_DARK,
            );
        }
        shape.ring(&place, (top + 1.0, top + 30.0), (0.0, 9.0), DARK);
    }
}
