//! Shapes in space: flat convex sides, each with one colour, put together from blocks, tubes, rings, and a cube with its stickers.

use super::place::{Place, Point};
use crate::cube::{Face, Square, State};
use crate::net::USUAL;

/// A colour in sRGB.
pub type Paint = [u8; 3];

/// The plastic of a cube between its stickers.
const PLASTIC: Paint = [24, 24, 28];
/// How much of a square its sticker covers, along a side.
const STICKER: f64 = 0.86;
/// How far a sticker stands out, in millimetres.
const STANDS_OUT: f64 = 0.3;
/// Flat sides that stand for something round.
const ROUND: usize = 20;

/// A flat convex side. Its corners go around it counter-clockwise, as seen from outside.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Side {
    pub corners: Vec<Point>,
    pub paint: Paint,
}

/// What is drawn: sides, and words beside some places.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shape {
    pub(super) sides: Vec<Side>,
    pub(super) labels: Vec<(&'static str, Point)>,
    pub(super) eye: Eye,
}

/// From where it is looked at, and where to; the whole height of the picture at that distance, in millimetres.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Eye {
    /// Where the eye is.
    pub from: Point,
    /// What is in the middle of the picture.
    pub to: Point,
    /// What the picture's height shows there.
    pub high: f64,
}

/// Layers that are turned about one axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Twist {
    /// 0 to the right, 1 up, 2 to the front.
    pub axis: usize,
    /// By layer, from the left, from below, or from behind: degrees, as a right hand's fingers go around its thumb on the axis.
    pub degrees: Vec<f64>,
}

impl Shape {
    /// Nothing yet, seen from somewhere.
    pub fn new(eye: Eye) -> Shape {
        Shape {
            eye,
            ..Shape::default()
        }
    }

    /// Words beside a place.
    pub fn label(&mut self, words: &'static str, at: Point) {
        self.labels.push((words, at));
    }

    fn side(&mut self, place: &Place, corners: &[Point], paint: Paint) {
        self.sides.push(Side {
            corners: corners.iter().map(|&corner| place.of(corner)).collect(),
            paint,
        });
    }

    /// A block between two corners.
    pub fn block(&mut self, place: &Place, low: Point, high: Point, paint: Paint) {
        let [x, y, z] = low;
        let [u, v, w] = high;
        for side in [
            [[u, y, z], [u, v, z], [u, v, w], [u, y, w]],
            [[x, y, z], [x, y, w], [x, v, w], [x, v, z]],
            [[x, v, z], [x, v, w], [u, v, w], [u, v, z]],
            [[x, y, z], [u, y, z], [u, y, w], [x, y, w]],
            [[x, y, w], [u, y, w], [u, v, w], [x, v, w]],
            [[x, y, z], [x, v, z], [u, v, z], [u, y, z]],
        ] {
            self.side(place, &side, paint);
        }
    }

    /// A block of a size around a point.
    pub fn block_at(&mut self, place: &Place, middle: Point, size: Point, paint: Paint) {
        let corner = |sign: f64| std::array::from_fn(|i| middle[i] + sign * size[i] / 2.0);
        self.block(place, corner(-1.0), corner(1.0), paint);
    }

    /// A tube, or a ring, around the place's upward axis: between two heights, of a radius inside and one outside.
    pub fn ring(&mut self, place: &Place, (low, high): (f64, f64), (inside, outside): (f64, f64), paint: Paint) {
        let at = |i: usize, radius: f64, y: f64| {
            let (sin, cos) = (i as f64 / ROUND as f64 * std::f64::consts::TAU).sin_cos();
            [radius * cos, y, -radius * sin]
        };
        for i in 0..ROUND {
            let j = i + 1;
            let (r, s) = (inside, outside);
            self.side(
                place,
                &[at(i, s, low), at(j, s, low), at(j, s, high), at(i, s, high)],
                paint,
            );
            self.side(
                place,
                &[at(i, r, high), at(i, s, high), at(j, s, high), at(j, r, high)],
                paint,
            );
            self.side(
                place,
                &[at(j, s, low), at(i, s, low), at(i, r, low), at(j, r, low)],
                paint,
            );
            if inside > 0.0 {
                self.side(
                    place,
                    &[at(j, r, low), at(i, r, low), at(i, r, high), at(j, r, high)],
                    paint,
                );
            }
        }
    }

    /// A cube of an edge in millimetres, around the place's zero. Its F is to the front and its U up.
    pub fn cube(&mut self, place: &Place, state: &State, edge: f64, twist: &Twist) {
        let n = state.size();
        let pitch = edge / n as f64;
        let layer = |i: usize| Place::turned(twist.axis, twist.degrees.get(i).copied().unwrap_or(0.0)).then(place);
        for i in 0..n {
            let (mut low, mut high) = ([-edge / 2.0; 3], [edge / 2.0; 3]);
            low[twist.axis] += i as f64 * pitch;
            high[twist.axis] = low[twist.axis] + pitch;
            self.block(&layer(i), low, high, PLASTIC);
        }
        for square in Square::all(n) {
            let position = square.position(n);
            let number = (position[twist.axis] + n as i32 - 1) / 2;
            let middle = position.map(|p| f64::from(p) * pitch / 2.0);
            self.sticker(
                &layer(number as usize),
                square.face,
                middle,
                pitch,
                USUAL[state.colour(square) as usize],
            );
        }
    }

    /// A sticker on a side of the cubie with this middle.
    fn sticker(&mut self, place: &Place, face: Face, middle: Point, pitch: f64, paint: Paint) {
        let (axis, sign) = match face {
            Face::R => (0, 1.0),
            Face::L => (0, -1.0),
            Face::U => (1, 1.0),
            Face::D => (1, -1.0),
            Face::F => (2, 1.0),
            Face::B => (2, -1.0),
        };
        let half = pitch / 2.0 * STICKER;
        let corner = |a: f64, b: f64| {
            let mut at = middle;
            at[axis] += sign * (pitch / 2.0 + STANDS_OUT);
            at[(axis + 1) % 3] += half * a;
            at[(axis + 2) % 3] += half * b * sign;
            at
        };
        let corners = [
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
        ];
        self.side(place, &corners, paint);
    }
}

impl Twist {
    /// No layer is turned.
    pub fn none() -> Twist {
        Twist {
            axis: 1,
            degrees: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::film::place::{cross, minus, times};

    /// Every side of a closed shape around the zero looks away from it.
    fn look_outwards(shape: &Shape) {
        for side in &shape.sides {
            let normal = cross(
                minus(side.corners[1], side.corners[0]),
                minus(side.corners[2], side.corners[1]),
            );
            assert!(times(normal, side.corners[0]) > 0.0, "{side:?}");
        }
    }

    #[test]
    fn sides_look_outwards() {
        let place = Place::turned(0, 31.0).then(&Place::turned(2, 200.0));
        let mut shape = Shape::default();
        shape.block(&place, [-1.0, -2.0, -3.0], [3.0, 2.0, 1.0], [0; 3]);
        shape.ring(&place, (-1.0, 2.0), (0.0, 3.0), [0; 3]);
        let stickers = shape.sides.len();
        shape.cube(&place, &State::solved(3), 57.0, &Twist::none());
        // The inner sides of layers look at each other.
        let stickers: Vec<Side> = shape.sides.drain(stickers..).skip(18).collect();
        assert_eq!(stickers.len(), 54);
        shape.sides.extend(stickers);
        look_outwards(&shape);
    }

    #[test]
    fn stickers_are_where_the_cube_has_them() {
        let mut state = State::solved(3);
        state.turn(crate::cube::Turn::outer(Face::U, 1, 1));
        let mut shape = Shape::default();
        shape.cube(&Place::at([0.0; 3]), &state, 60.0, &Twist::none());
        // Clockwise from above, what was on the right is in front.
        let front = |side: &&Side| side.corners.iter().all(|corner| corner[2] > 30.0);
        let up = |side: &&Side| side.corners.iter().all(|corner| corner[1] > 10.0);
        let row: Vec<Paint> = shape
            .sides
            .iter()
            .filter(front)
            .filter(up)
            .map(|side| side.paint)
            .collect();
        assert_eq!(row, [USUAL[Face::R as usize]; 3]);
        // The same from the solved cube with its upper layer twisted.
        let degrees = vec![0.0, 0.0, -90.0];
        let mut twisted = Shape::default();
        twisted.cube(
            &Place::at([0.0; 3]),
            &State::solved(3),
            60.0,
            &Twist { axis: 1, degrees },
        );
        let row: Vec<Paint> = twisted
            .sides
            .iter()
            .filter(front)
            .filter(up)
            .map(|side| side.paint)
            .collect();
        assert_eq!(row, [USUAL[Face::R as usize]; 3]);
    }
}
