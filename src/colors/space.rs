//! How unlike two colours are.

/// Red, green and blue as the camera gives them (after gamma), in quarters of a level: 0 to 1020.
///
/// A camera's noise is about the same at every such level, and exposure and white balance are factors here as they are in linear light.
/// In Oklab, dark stickers scatter most: with gains fitted per side it was right on fewer disturbed captures than these plain levels.
pub type Level = [i32; 3];

/// The levels of a mean colour.
pub fn level(rgb: [u8; 3]) -> Level {
    rgb.map(|v| 4 * i32::from(v))
}

/// The largest distance.
pub const FARTHEST: i32 = 1 << 22;

/// The sum of the squared differences in luma, red against green, and blue against both; at most [`FARTHEST`]. Levels up to 1536.
pub fn distance(a: Level, b: Level) -> i32 {
    let [red, green, blue] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let luma = (4 * red + 10 * green + 2 * blue) / 16;
    let (warm, cold) = (red - green, (red + green) / 2 - blue);
    (luma * luma + warm * warm + cold * cold).min(FARTHEST)
}

/// Channels of sRGB from here on may be clipped: the true level may be higher. Cameras bend the curve before 255.
pub const CLIPPED: u8 = 244;
