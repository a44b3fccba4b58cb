//! A cube that a hand holds: seen from aside with its neighbouring sides, fingers at its edges, and a room behind it.

use std::f32::consts::PI;

use rand::{Rng, RngExt};

use super::light::{DISTANCE, Light, cover, linear, mix, outside, stray};
use super::scene::Scene;

/// How the cube stands before the camera: its axes as the camera sees them, x to the right, y down, z away from it.
pub struct Stand {
    axes: [[f32; 3]; 3],
}

/// Where a line of sight meets one of the four neighbouring sides.
pub struct Beside {
    /// 0 to 3.
    pub side: usize,
    /// The point on it, from its middle.
    pub point: [f32; 2],
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Stand {
    /// A cube that is turned in the picture and then leans about some line through its middle; `None` for a
    /// cube that is not seen from aside.
    pub fn new<R: Rng>(scene: &Scene, rng: &mut R) -> Option<Stand> {
        if scene.aside <= 0.0 {
            return None;
        }
        let (down, right) = (PI * stray(rng)).sin_cos();
        let (sin, cos) = (scene.aside.to_radians() * rng.random_range(0.0..=1.0)).sin_cos();
        let (rolled_down, rolled_right) = (scene.roll.to_radians() * stray(rng)).sin_cos();
        // Rodrigues' formula, for an axis in the plane of the picture.
        let lean = |[x, y]: [f32; 2]| {
            let along = (x * right + y * down) * (1.0 - cos);
            [
                x * cos + right * along,
                y * cos + down * along,
                sin * (right * y - down * x),
            ]
        };
        Some(Stand {
            axes: [
                lean([rolled_right, rolled_down]),
                lean([-rolled_down, rolled_right]),
                [sin * down, -sin * right, cos],
            ],
        })
    }

    /// The point of the face's plane in a line of sight, and how many times as far away as the middle it is.
    pub fn point(&self, [x, y]: [f32; 2]) -> ([f32; 2], f32) {
        let [right, down, away] = self.axes;
        let far = DISTANCE * away[2] / dot([x, y, DISTANCE], away).max(0.1);
        let from_middle = [x * far, y * far, DISTANCE * (far - 1.0)];
        ([dot(from_middle, right), dot(from_middle, down)], far)
    }

    /// The neighbouring side in a line of sight.
    pub fn beside(&self, [x, y]: [f32; 2]) -> Option<Beside> {
        let along = self.axes.map(|axis| dot([x, y, DISTANCE], axis));
        let camera = self.axes.map(|axis| -DISTANCE * axis[2]);
        (0..2).find_map(|axis| {
            let plane = camera[axis].signum();
            let part = (plane - camera[axis]) / along[axis];
            let other = camera[1 - axis] + part * along[1 - axis];
            let depth = camera[2] + part * along[2] - 1.0;
            let seen = camera[axis].abs() > 1.0 && part > 0.0 && other.abs() <= 1.0 && depth.abs() <= 1.0;
            seen.then_some(Beside {
                side: 2 * axis + usize::from(plane > 0.0),
                point: [other, depth],
            })
        })
    }
}

/// A finger that reaches over an edge of the face.
pub struct Finger {
    /// The middle of its round end.
    end: [f32; 2],
    inward: [f32; 2],
    radius: f32,
    colour: Light,
}

impl Finger {
    /// At one of the four edges: 16 mm wide on a cube of 57 mm, and by up to `scene.reach` over the edge.
    pub fn at<R: Rng>(number: u32, scene: &Scene, rng: &mut R) -> Finger {
        let radius = 0.28 + 0.04 * stray(rng);
        let (lean, straight) = (0.5 * stray(rng)).sin_cos();
        let slide = 0.7 * stray(rng);
        let from_edge = 1.0 + radius - scene.reach * rng.random_range(0.0..=1.0);
        let (end, inward) = match number % 4 {
            0 => ([slide, from_edge], [lean, -straight]),
            1 => ([-from_edge, slide], [straight, lean]),
            2 => ([from_edge, slide], [-straight, lean]),
            _ => ([slide, -from_edge], [lean, straight]),
        };
        let skins = [[232, 184, 152], [198, 134, 92], [141, 85, 56], [84, 52, 38]];
        let colour = linear(skins[rng.random_range(0..skins.len())]);
        Finger {
            end,
            inward,
            radius,
            colour,
        }
    }

    /// What is seen at a point: the finger over what lies under it.
    pub fn over(&self, [x, y]: [f32; 2], under: Light, sharp: f32) -> Light {
        let (dx, dy) = (x - self.end[0], y - self.end[1]);
        let along = dx * self.inward[0] + dy * self.inward[1];
        let across = dx * self.inward[1] - dy * self.inward[0];
        let from_bone = along.max(0.0).hypot(across);
        let shade = 1.0 - 0.5 * (from_bone / self.radius).powi(2).min(1.0);
        mix(
            under,
            self.colour.map(|c| c * shade),
            cover(from_bone - self.radius, sharp),
        )
    }
}

/// A thing in the room: a rectangle of one colour.
pub struct Thing {
    middle: [f32; 2],
    half: [f32; 2],
    along: [f32; 2],
    colour: Light,
}

/// Books on one shelf.
const BOOKS: u32 = 8;

impl Thing {
    /// What stands around: furniture and windows, and then shelves of books, which are as high as stickers and as near to each other.
    pub fn all<R: Rng>(count: u32, rng: &mut R) -> Vec<Thing> {
        let colour = |rng: &mut R| {
            let level = rng.random_range(30..220);
            linear([0; 3].map(|_| (level as f32 + 35.0 * stray(rng)).clamp(0.0, 255.0) as u8))
        };
        let mut things = Vec::new();
        for _ in 0..count {
            let (sin, cos) = (0.3 * stray(rng)).sin_cos();
            things.push(Thing {
                middle: [2.4 * stray(rng), 1.7 * stray(rng)],
                half: [rng.random_range(0.1..1.0), rng.random_range(0.1..1.0)],
                along: [cos, sin],
                colour: colour(rng),
            });
        }
        for _ in 0..count / 4 {
            let [mut x, floor] = [2.4 * stray(rng), 1.7 * stray(rng)];
            for _ in 0..BOOKS {
                let half = [rng.random_range(0.03..0.12), rng.random_range(0.15..0.3)];
                x += half[0];
                things.push(Thing {
                    middle: [x, floor - half[1]],
                    half,
                    along: [1.0, 0.0],
                    colour: colour(rng),
                });
                x += half[0];
            }
        }
        things
    }

    /// What is seen in a line of sight: the thing over what lies behind it.
    pub fn over(&self, [x, y]: [f32; 2], behind: Light, sharp: f32) -> Light {
        let (dx, dy) = (x - self.middle[0], y - self.middle[1]);
        let place = [
            dx * self.along[0] + dy * self.along[1],
            dy * self.along[0] - dx * self.along[1],
        ];
        mix(behind, self.colour, cover(outside(place, self.half, 0.02), sharp))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    proptest! {
        /// Held against the way there: a point of the cube is put before the camera, and its line of sight must meet that point.
        #[test]
        fn a_line_of_sight_meets_the_point_of_the_cube_that_lies_on_it(
            seed: u64, aside in 1f32..60.0, roll in 0f32..45.0, u in -0.99f32..0.99, v in -0.99f32..0.99, side in 0usize..5,
        ) {
            let scene = Scene { aside, roll, ..Scene::calm() };
            let stand = Stand::new(&scene, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
            let axes = stand.axes;
            for (i, axis) in axes.into_iter().enumerate() {
                for (j, other) in axes.into_iter().enumerate() {
                    prop_assert!((dot(axis, other) - f32::from(u8::from(i == j))).abs() < 1e-5);
                }
            }
            let sign = if side % 2 == 1 { 1.0 } else { -1.0 };
            let place = match side {
                4 => [u, v, 0.0],
                0 | 1 => [sign, u, v + 1.0],
                _ => [u, sign, v + 1.0],
            };
            let mut seen = [0.0, 0.0, DISTANCE];
            for (axis, by) in axes.into_iter().zip(place) {
                for (at, part) in seen.iter_mut().zip(axis) {
                    *at += by * part;
                }
            }
            let sight = [seen[0] * DISTANCE / seen[2], seen[1] * DISTANCE / seen[2]];
            if side == 4 {
                let ([x, y], far) = stand.point(sight);
                prop_assert!((x - u).abs() < 1e-3 && (y - v).abs() < 1e-3 && (far * DISTANCE - seen[2]).abs() < 1e-3);
            } else {
                // A side whose outside the camera sees: it looks against that side's direction.
                let outward = axes[side / 2].map(|part| sign * part);
                if dot(outward, seen) < -1e-3 {
                    let beside = stand.beside(sight).unwrap();
                    prop_assert_eq!(beside.side, side);
                    prop_assert!((beside.point[0] - u).abs() < 1e-2 && (beside.point[1] - v).abs() < 1e-2);
                }
            }
        }
    }
}
