//! Marks on a single picture of a face: a shadow, a lamp's reflection, chips in stickers, layers that are not turned home.

use rand::{Rng, RngExt};

use super::light::{DISTANCE, Light, cover, stray};
use super::scene::Scene;

/// The marks of one picture.
#[derive(Default)]
pub struct Marks {
    shadow: Shadow,
    glare: Glare,
    /// For each square, what is missing of its sticker.
    chips: Vec<Option<Chip>>,
    /// Sine and cosine of each layer's angle, and whether the layers are rows.
    layers: Vec<[f32; 2]>,
    rows: bool,
}

/// An edge of a shadow across the face, and how much light is missing behind it.
#[derive(Default)]
struct Shadow {
    normal: [f32; 2],
    at: f32,
    /// Width of the half shadow.
    soft: f32,
    taken: f32,
}

/// A bright blob: linear light in its middle, and its radii.
#[derive(Default)]
struct Glare {
    middle: [f32; 2],
    inverse: [f32; 2],
    light: f32,
}

/// A round bite at the rim of a sticker, in units of the pitch from the middle of the square.
#[derive(Clone, Copy)]
struct Chip {
    middle: [f32; 2],
    radius: f32,
}

impl Marks {
    /// Draws the marks of a picture of `size`×`size` squares.
    pub fn new<R: Rng>(scene: &Scene, size: usize, rng: &mut R) -> Marks {
        let (down, right) = (std::f32::consts::PI * stray(rng)).sin_cos();
        let shadow = Shadow {
            normal: [right, down],
            at: 0.6 * stray(rng),
            soft: rng.random_range(0.05..0.5),
            taken: scene.shadow * rng.random_range(0.0..=1.0),
        };
        let glare = Glare {
            middle: [0.9 * stray(rng), 0.9 * stray(rng)],
            inverse: [0, 1].map(|_| 1.0 / rng.random_range(0.25..0.6)),
            light: scene.glare * rng.random_range(0.0..=1.0),
        };
        let half = 0.5 * (1.0 - scene.gap);
        let chip = |rng: &mut R| {
            // On one of the four edges, anywhere along it: so also at corners.
            let (along, radius) = (half * stray(rng), rng.random_range(0.1..0.3));
            let middle = match rng.random_range(0..4) {
                0 => [along, half],
                1 => [along, -half],
                2 => [half, along],
                _ => [-half, along],
            };
            rng.random_bool(f64::from(scene.chips.clamp(0.0, 1.0)))
                .then_some(Chip { middle, radius })
        };
        Marks {
            shadow,
            glare,
            chips: (0..size * size).map(|_| chip(rng)).collect(),
            rows: rng.random_bool(0.5),
            layers: (0..size)
                .map(|_| (scene.misaligned.to_radians() * stray(rng)).sin_cos().into())
                .collect(),
        }
    }

    /// The part of the light that reaches a point.
    pub fn lit(&self, [x, y]: [f32; 2]) -> f32 {
        let Shadow {
            normal,
            at,
            soft,
            taken,
        } = self.shadow;
        1.0 - taken * cover(at - x * normal[0] - y * normal[1], 1.0 / soft)
    }

    /// The light that a glossy face reflects at a point beside its own.
    pub fn reflected(&self, [x, y]: [f32; 2]) -> f32 {
        let Glare { middle, inverse, light } = self.glare;
        let (u, v) = ((x - middle[0]) * inverse[0], (y - middle[1]) * inverse[1]);
        let left = (1.0 - u * u - v * v).max(0.0);
        light * left * left
    }

    /// How much is chipped off at a point, which is given from the middle of its square in units of the pitch.
    pub fn chipped(&self, square: usize, [x, y]: [f32; 2], sharp: f32) -> f32 {
        self.chips.get(square).copied().flatten().map_or(0.0, |chip| {
            let (dx, dy) = (x - chip.middle[0], y - chip.middle[1]);
            cover((dx * dx + dy * dy).sqrt() - chip.radius, sharp)
        })
    }

    /// Where the point that is seen here would be if its layer were turned home.
    pub fn turned_home(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        let (across, along) = if self.rows { (y, x) } else { (x, y) };
        let n = self.layers.len();
        let layer = (((across + 1.0) / 2.0 * n as f32).max(0.0) as usize).min(n.saturating_sub(1));
        let Some(&[sin, cos]) = self.layers.get(layer) else {
            return [x, y];
        };
        // A point of the face moves by the sine, and towards the camera or away from it.
        let home = (along * (1.0 - (cos - 1.0) / DISTANCE) - sin) / (cos - along * sin / DISTANCE);
        if self.rows { [home, y] } else { [x, home] }
    }
}

/// What a lamp of this many kelvin does to red, green and blue of a camera that is balanced for 5500 K: the black body at 610, 545 and
/// 465 nm by its light at 5500 K, and by green.
pub fn lamp(kelvin: f32) -> Light {
    let at = |micrometres: f32| (14_388.0 / micrometres * (1.0 / 5500.0 - 1.0 / kelvin.max(500.0))).exp();
    let green = at(0.545);
    [at(0.61) / green, 1.0, at(0.465) / green]
}
