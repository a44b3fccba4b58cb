//! The settings of a scene: one for each thing that may stray.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::light::stray;
use crate::picture::PixelFormat;

/// The camera, and how far everything may stray. Each picture draws its own values between ± these.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Pixels per line, and lines.
    pub pixels: [u32; 2],
    /// RGB, YUYV or JPEG; on a brick, which has no encoder, RGB instead of JPEG.
    pub format: PixelFormat,
    /// Quality of a JPEG, 1 to 100.
    pub quality: u8,
    /// sRGB of the stickers in the order of [`crate::cube::Face::ALL`].
    pub stickers: [[u8; 3]; 6],
    /// sRGB of the cube's body.
    pub plastic: [u8; 3],
    /// sRGB of the wall behind.
    pub wall: [u8; 3],
    /// Side of the cube by the height of the picture.
    pub fill: f32,
    /// Plastic between stickers by the pitch of the squares.
    pub gap: f32,
    /// Radius of the stickers' corners by the pitch.
    pub rounding: f32,
    /// Radius by the pitch of the hub in the middle of a 2x2x2's face, which the stickers leave free.
    pub hub: f32,
    /// Coloured plastic: nearly no gap, and the dark rims of the squares have their colour.
    pub stickerless: bool,
    /// Part of the stickers that are chipped.
    pub chips: f32,
    /// Degrees that each layer of one axis may be from home.
    pub misaligned: f32,
    /// LEGO beams around the cube.
    pub beams: u32,
    /// Degrees of rotation in the picture.
    pub roll: f32,
    /// Degrees that the camera looks from aside and from above or below: a little, so that the neighbouring sides are not seen.
    pub tilt: f32,
    /// Degrees that the camera looks from anywhere aside, where that is much and the neighbouring sides are seen; instead of `tilt`.
    pub aside: f32,
    /// Fingers at the edges of the face.
    pub fingers: u32,
    /// How far they reach over the edge, in half sides of the cube. Each one up to this.
    pub reach: f32,
    /// Things in the room behind; for every four of them there is a shelf of books.
    pub room: u32,
    /// Off the middle by the height of the picture, in both directions.
    pub shift: f32,
    /// Stops of exposure of all pictures. Always the full value.
    pub metering: f32,
    /// Stops of exposure of a picture beside that.
    pub exposure: f32,
    /// Stops of red and of blue against green.
    pub balance: f32,
    /// Light across the picture from −this to +this by its mean, in some direction.
    pub gradient: f32,
    /// Colour temperature of the lamp in kelvin, by a camera that is balanced for 5500 K. Always the full value.
    pub kelvin: f32,
    /// Part of the light that the shadow across a picture takes at most.
    pub shadow: f32,
    /// Linear light that the face reflects at most from a lamp, by what a perfectly white one gives.
    pub glare: f32,
    /// Width of a blurred edge in pixels, beside the one that a pixel has anyway. Always the full value.
    pub blur: f32,
    /// Standard deviation in pixels of a Gaussian over the whole picture. Always the full value.
    pub defocus: f32,
    /// Standard deviation of a channel's noise in levels of 255. Always the full value.
    pub noise: f32,
    /// Standard deviation of the light itself where a channel is full, which grows with the root of the light. Always the full value.
    pub grain: f32,
}

/// White, red, green, yellow, orange, blue.
const STICKERS: [[u8; 3]; 6] = [
    [225, 228, 230],
    [176, 28, 38],
    [16, 140, 70],
    [222, 208, 50],
    [236, 104, 36],
    [18, 72, 172],
];

impl Scene {
    /// Nothing strays: even light, the face straight and in the middle, no blur, no noise, nothing around the cube.
    pub fn calm() -> Scene {
        Scene {
            pixels: [352, 240],
            format: PixelFormat::Rgb8,
            quality: 90,
            stickers: STICKERS,
            plastic: [20, 20, 22],
            wall: [168, 164, 150],
            fill: 0.62,
            gap: 0.14,
            rounding: 0.1,
            hub: 0.0,
            stickerless: false,
            chips: 0.0,
            misaligned: 0.0,
            beams: 0,
            roll: 0.0,
            tilt: 0.0,
            aside: 0.0,
            fingers: 0,
            reach: 0.0,
            room: 0,
            shift: 0.0,
            metering: 0.0,
            exposure: 0.0,
            balance: 0.0,
            gradient: 0.0,
            kelvin: 5500.0,
            shadow: 0.0,
            glare: 0.0,
            blur: 0.0,
            defocus: 0.0,
            noise: 0.0,
            grain: 0.0,
        }
    }

    /// A room with lamps and a window: a different cube for every seed, and moderate values of all that strays.
    pub fn classroom(seed: u64) -> Scene {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let calm = Scene::calm();
        Scene {
            stickers: STICKERS.map(|rgb| rgb.map(|v| (f32::from(v) + 12.0 * stray(&mut rng)) as u8)),
            wall: calm.wall.map(|v| (f32::from(v) + 30.0 * stray(&mut rng)) as u8),
            fill: calm.fill + 0.1 * stray(&mut rng),
            gap: calm.gap + 0.04 * stray(&mut rng),
            rounding: calm.rounding + 0.05 * stray(&mut rng),
            beams: 4,
            roll: 2.5,
            tilt: 5.0,
            shift: 0.05,
            exposure: 0.5,
            balance: 0.12,
            gradient: 0.25,
            blur: 1.2,
            noise: 3.0,
            ..calm
        }
    }
}
