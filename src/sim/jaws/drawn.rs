//! What the three jaws look like. Lengths that no calibration knows are chosen so that parts pass each other as the real ones do.

use super::{CENTRE, Jaws, LEFT, RIGHT};
use crate::film::{Eye, Place, Shape, Twist};
use crate::sim::paints::{BEAM, DARK, FRAME, GRIP, TURNS, TURNS_DARK};

/// The edge of the cube.
const EDGE: f64 = 57.0;
const HALF: f64 = EDGE / 2.0;
/// The ground, below the middle of the cube.
const GROUND: f64 = -92.0;
/// How far an open finger is from the cube: its corners pass.
const OPENS: f64 = 14.0;
/// How far from the cube's middle a jaw's back is, and its stand.
const PALM: f64 = 52.0;
const STAND: f64 = 92.0;

impl Jaws {
    pub(super) fn drawn(&self) -> Shape {
        let mut shape = Shape::new(Eye {
            from: [170.0, 230.0, 560.0],
            to: [0.0, -14.0, -22.0],
            high: 258.0,
        });
        let still = Place::at([0.0; 3]);
        shape.block(&still, [-140.0, GROUND - 8.0, -140.0], [140.0, GROUND, 60.0], FRAME);
        self.draw_cube(&mut shape);
        for jaw in [LEFT, RIGHT, CENTRE] {
            self.jaw(&mut shape, jaw);
        }
        shape.label("left jaw", [-132.0, 34.0, 0.0]);
        shape.label("right jaw", [92.0, 34.0, 0.0]);
        shape.label("centre jaw", [-30.0, 62.0, -90.0]);
        shape
    }

    fn draw_cube(&self, shape: &mut Shape) {
        // Clockwise from the left is the other way than clockwise from the right; from behind it is as a right hand goes.
        let whole =
            Place::turned(0, (self.whole[LEFT] - self.whole[RIGHT]) / 2.0).then(&Place::turned(2, self.whole[CENTRE]));
        let [left, right, centre] = self.layers;
        let twist = if centre.abs() > left.abs().max(right.abs()) {
            Twist {
                axis: 2,
                degrees: vec![centre, 0.0, 0.0],
            }
        } else {
            Twist {
                axis: 0,
                degrees: vec![left, 0.0, -right],
            }
        };
        shape.cube(&whole, &self.cube, EDGE, &twist);
    }

    /// A jaw: a wrist that turns, and two fingers at opposite edges of the layer.
    fn jaw(&self, shape: &mut Shape, jaw: usize) {
        // As if its axis went up from the cube, and its fingers were in front and behind.
        let side = match jaw {
            LEFT => Place::turned(1, -90.0).then(&Place::turned(2, 90.0)),
            RIGHT => Place::turned(1, 90.0).then(&Place::turned(2, -90.0)),
            _ => Place::turned(0, -90.0),
        };
        // Clockwise from outside is against a right hand around the outward axis.
        let place = Place::turned(1, -self.angle(self.at[3 + jaw])).then(&side);
        let share = (self.at[jaw] / f64::from(self.mechanism.grip.close)).clamp(0.0, 1.0);
        let gap = 0.6 + OPENS * (1.0 - share);
        for sign in [-1.0, 1.0] {
            let (from, to) = (sign * (HALF + gap), sign * (HALF + gap + 5.0));
            let (low, high) = (from.min(to), from.max(to));
            shape.block(&place, [-9.0, HALF - EDGE / 3.0 + 1.0, low], [9.0, PALM, high], GRIP);
        }
        let wide = HALF + OPENS + 8.0;
        shape.block(&place, [-10.0, PALM, -wide], [10.0, PALM + 7.0, wide], TURNS);
        shape.block(
            &place,
            [-10.5, PALM + 1.0, wide - 9.0],
            [10.5, PALM + 7.5, wide],
            TURNS_DARK,
        );
        shape.ring(&place, (PALM + 7.0, STAND), (0.0, 8.0), DARK);
        // The stand, which does not turn.
        let at = side.of([0.0, STAND + 8.0, 0.0]);
        let still = Place::at([0.0; 3]);
        shape.block_at(&still, at, [30.0, 30.0, 30.0], BEAM);
        shape.block(
            &still,
            [at[0] - 10.0, GROUND, at[2] - 10.0],
            [at[0] + 10.0, -15.0, at[2] + 10.0],
            BEAM,
        );
    }
}
