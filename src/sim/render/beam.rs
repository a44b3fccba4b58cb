//! LEGO beams beside the face.

use rand::{Rng, RngExt};

use super::light::{Light, cover, linear, mix, outside, stray};

/// A LEGO beam: a bar with rounded ends and a hole at every unit of its width.
pub struct Beam {
    middle: [f32; 2],
    along: [f32; 2],
    half: [f32; 2],
    colour: Light,
}

impl Beam {
    /// Somewhere beside the face: under it, over it, left, right.
    pub fn at<R: Rng>(number: u32, rng: &mut R) -> Beam {
        let width = 0.1 + 0.03 * stray(rng);
        let away = 1.4 + width + 0.2 * stray(rng);
        let slide = 0.6 * stray(rng);
        let (sin, cos) = (0.1 * stray(rng)).sin_cos();
        let (middle, along) = match number % 4 {
            0 => ([slide, away], [cos, sin]),
            1 => ([-away, slide], [sin, cos]),
            2 => ([away, slide], [-sin, cos]),
            _ => ([slide, -away], [cos, -sin]),
        };
        // Light gray, dark gray, yellow, black: what a crane is built from.
        let colours = [[160, 162, 165], [90, 92, 95], [225, 180, 30], [35, 35, 38]];
        let colour = linear(colours[rng.random_range(0..colours.len())]);
        Beam {
            middle,
            along,
            half: [width * rng.random_range(3..9) as f32, width],
            colour,
        }
    }

    /// What is seen at a point: the beam over what lies under it.
    pub fn over(&self, [x, y]: [f32; 2], under: Light, sharp: f32) -> Light {
        let (dx, dy) = (x - self.middle[0], y - self.middle[1]);
        let (u, v) = (
            dx * self.along[0] + dy * self.along[1],
            dy * self.along[0] - dx * self.along[1],
        );
        let width = self.half[1];
        let away = outside([u, v], self.half, width);
        if away * sharp > 1.0 {
            return under;
        }
        let hole = (u / (2.0 * width) - (u / (2.0 * width)).round()) * 2.0 * width;
        let in_hole = cover((hole * hole + v * v).sqrt() - 0.6 * width, sharp);
        mix(
            under,
            self.colour.map(|c| c * (1.0 - 0.8 * in_hole)),
            cover(away, sharp),
        )
    }
}
