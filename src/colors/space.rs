use palette::{IntoColor, Oklab, Srgb};

/// A colour in a perceptual space: half of Oklab's lightness, a and b, in units of 1/2048.
///
/// Lightness counts half because shadow and glare change it most.
pub type Point = [i32; 3];

/// Units of a [`Point`] in one unit of Oklab.
const UNIT: f32 = 2048.0;

/// From sRGB. All that follows is integer arithmetic: squared distances stay under 2²².
pub fn point(rgb: [u8; 3]) -> Point {
    let lab: Oklab = Srgb::from(rgb).into_linear::<f32>().into_color();
    [lab.l * 0.5, lab.a, lab.b].map(|v| (v * UNIT).round() as i32)
}

/// The squared distance.
pub fn distance(a: Point, b: Point) -> i32 {
    (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum()
}
