//! Light, edges and chance, for everything that is drawn.

use palette::Srgb;
use rand::{Rng, RngExt};

/// How far away the camera is, in half sides of the cube: about 0.2 m from a cube of 57 mm.
pub const DISTANCE: f32 = 7.0;

/// Whether this program draws what only measuring the recogniser needs: marks, defocus, grain, lamps, hubs, coloured plastic. A brick's
/// program does not, to stay small.
pub const CRUEL: bool = cfg!(feature = "benches");

/// Evenly between −1 and 1.
pub fn stray<R: Rng>(rng: &mut R) -> f32 {
    rng.random_range(-1.0..=1.0)
}

/// A colour in linear light.
pub type Light = [f32; 3];

/// Linear light of an sRGB colour.
pub fn linear(rgb: [u8; 3]) -> Light {
    Srgb::from(rgb).into_linear().into()
}

/// One colour that covers another in part.
pub fn mix(under: Light, over: Light, cover: f32) -> Light {
    std::array::from_fn(|i| under[i] + (over[i] - under[i]) * cover)
}

/// How far outside a rounded rectangle around the origin a point is; negative inside.
pub fn outside([x, y]: [f32; 2], [half_x, half_y]: [f32; 2], radius: f32) -> f32 {
    let (dx, dy) = (x.abs() - half_x + radius, y.abs() - half_y + radius);
    if dx <= 0.0 || dy <= 0.0 {
        return dx.max(dy) - radius;
    }
    (dx * dx + dy * dy).sqrt() - radius
}

/// How much of a pixel is covered whose middle is so far outside an edge; `sharp` is the inverse width of the edge.
pub fn cover(outside: f32, sharp: f32) -> f32 {
    let t = (0.5 - outside * sharp).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
