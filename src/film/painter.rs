//! Draws a shape in perspective. What is nearer hides what is farther, pixel by pixel; edges are smooth, because four points of each pixel
//! are looked at.

use std::collections::BTreeSet;

use super::place::{Point, cross, minus, times, unit};
use super::shape::{Paint, Shape, Side};

/// Points along and across a pixel.
const FINE: usize = 2;
/// What is behind everything.
pub(super) const PAPER: Paint = [238, 240, 243];
/// Where the light comes from, and how much of it comes from everywhere.
const LAMP: Point = [0.25, 0.75, 0.6];
const AROUND: f64 = 0.6;
/// Light comes in so many steps, so that a film has few colours.
const STEPS: f64 = 12.0;
/// Nothing is drawn that is nearer to the eye, in millimetres.
const NEAREST: f64 = 10.0;

/// A corner in the picture: across, down, and the inverse of its distance.
type Seen = [f64; 3];

/// Draws pictures of one size.
pub(super) struct Painter {
    width: usize,
    height: usize,
    paints: Vec<Paint>,
    near: Vec<f32>,
}

/// How points come to the picture.
struct Lens {
    from: Point,
    right: Point,
    up: Point,
    ahead: Point,
    scale: f64,
    middle: [f64; 2],
}

impl Lens {
    fn of(&self, point: Point) -> Option<Seen> {
        let to = minus(point, self.from);
        let far = times(to, self.ahead);
        (far > NEAREST).then(|| {
            let across = self.middle[0] + self.scale * times(to, self.right) / far;
            let down = self.middle[1] - self.scale * times(to, self.up) / far;
            [across, down, 1.0 / far]
        })
    }
}

impl Painter {
    pub fn new(width: usize, height: usize) -> Painter {
        let points = width * height * FINE * FINE;
        Painter {
            width,
            height,
            paints: vec![PAPER; points],
            near: vec![0.0; points],
        }
    }

    fn lens(&self, shape: &Shape) -> Lens {
        let eye = shape.eye;
        let to = minus(eye.to, eye.from);
        let ahead = unit(to);
        let right = unit(cross(ahead, [0.0, 1.0, 0.0]));
        Lens {
            from: eye.from,
            right,
            up: cross(right, ahead),
            ahead,
            scale: (self.height * FINE) as f64 / eye.high * times(to, ahead),
            middle: [self.width, self.height].map(|side| (side * FINE) as f64 / 2.0),
        }
    }

    /// The colours that sides have in the picture that was drawn last.
    pub fn of_sides(&self) -> BTreeSet<Paint> {
        self.paints.iter().copied().collect()
    }

    /// The picture, row by row.
    pub fn draw(&mut self, shape: &Shape) -> Vec<Paint> {
        self.paints.fill(PAPER);
        self.near.fill(0.0);
        let lens = self.lens(shape);
        for side in &shape.sides {
            self.side(&lens, side);
        }
        let fine = self.width * FINE;
        let pixels = (0..self.width * self.height).map(|i| {
            let first = i / self.width * FINE * fine + i % self.width * FINE;
            let points = (0..FINE * FINE).map(|p| self.paints[first + p / FINE * fine + p % FINE]);
            let sum = points.fold([0_u32; 3], |sum, paint| {
                std::array::from_fn(|c| sum[c] + u32::from(paint[c]))
            });
            sum.map(|sum| (sum / (FINE * FINE) as u32) as u8)
        });
        pixels.collect()
    }

    /// Where labels stand, in pixels.
    pub fn labels(&self, shape: &Shape) -> Vec<(&'static str, [i32; 2])> {
        let lens = self.lens(shape);
        let seen = shape.labels.iter().filter_map(|&(words, at)| {
            let [x, y, _] = lens.of(at)?;
            Some((words, [x, y].map(|v| (v / FINE as f64).round() as i32)))
        });
        seen.collect()
    }

    fn side(&mut self, lens: &Lens, side: &Side) {
        let [a, b, c, ..] = side.corners[..] else { return };
        let normal = unit(cross(minus(b, a), minus(c, b)));
        if times(normal, minus(a, lens.from)) >= 0.0 {
            return;
        }
        let light = AROUND + (1.0 - AROUND) * times(normal, unit(LAMP)).max(0.0);
        let light = (light * STEPS).round() / STEPS;
        let paint = side.paint.map(|v| (f64::from(v) * light) as u8);
        let Some(corners) = side
            .corners
            .iter()
            .map(|&corner| lens.of(corner))
            .collect::<Option<Vec<Seen>>>()
        else {
            return;
        };
        self.fill(&corners, paint);
    }

    /// Fills a convex figure, line by line.
    fn fill(&mut self, corners: &[Seen], paint: Paint) {
        let (wide, high) = (self.width * FINE, self.height * FINE);
        let downs = corners.iter().map(|corner| corner[1]);
        let top = downs.clone().fold(f64::INFINITY, f64::min).ceil().max(0.0) as usize;
        let bottom = downs.fold(f64::NEG_INFINITY, f64::max).ceil().clamp(0.0, high as f64) as usize;
        for row in top..bottom {
            let y = row as f64;
            // Where the line enters and leaves, each with the inverse of the distance there.
            let mut ends: [Option<[f64; 2]>; 2] = [None; 2];
            for (i, from) in corners.iter().enumerate() {
                let to = &corners[(i + 1) % corners.len()];
                if (from[1] <= y) == (to[1] <= y) {
                    continue;
                }
                let part = (y - from[1]) / (to[1] - from[1]);
                let at = [from[0] + part * (to[0] - from[0]), from[2] + part * (to[2] - from[2])];
                ends[0] = ends[0].filter(|end| end[0] <= at[0]).or(Some(at));
                ends[1] = ends[1].filter(|end| end[0] > at[0]).or(Some(at));
            }
            let [Some(left), Some(right)] = ends else { continue };
            let slope = (right[1] - left[1]) / (right[0] - left[0]).max(1e-9);
            let columns = left[0].ceil().max(0.0) as usize..right[0].ceil().clamp(0.0, wide as f64) as usize;
            for column in columns {
                let near = (left[1] + (column as f64 - left[0]) * slope) as f32;
                let i = row * wide + column;
                if near > self.near[i] {
                    (self.near[i], self.paints[i]) = (near, paint);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::film::{Eye, Place};

    #[test]
    fn what_is_nearer_hides_what_is_farther_whichever_is_drawn_first() {
        let eye = Eye {
            from: [0.0, 0.0, 100.0],
            to: [0.0; 3],
            high: 20.0,
        };
        let place = Place::at([0.0; 3]);
        let (red, blue) = ([200, 0, 0], [0, 0, 200]);
        for far_first in [true, false] {
            let mut shape = Shape::new(eye);
            let far = |shape: &mut Shape| shape.block(&place, [-6.0, -6.0, -20.0], [6.0, 6.0, -10.0], red);
            if far_first {
                far(&mut shape);
            }
            shape.block(&place, [-2.0, -2.0, 0.0], [2.0, 2.0, 5.0], blue);
            if !far_first {
                far(&mut shape);
            }
            let picture = Painter::new(40, 40).draw(&shape);
            let at = |x: usize, y: usize| picture[y * 40 + x];
            assert!(at(20, 20)[2] > 100 && at(20, 20)[0] == 0, "{:?}", at(20, 20));
            assert!(at(11, 11)[0] > 100 && at(11, 11)[2] == 0, "{:?}", at(11, 11));
            assert_eq!(at(1, 1), PAPER);
        }
    }
}
