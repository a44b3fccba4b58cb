//! The disturbances that photos of real cubes show and a calm scene does not, by name.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::light::stray;
use super::scene::Scene;
use crate::picture::PixelFormat;

/// One disturbance. [`Scene::disturbed`] draws scenes that have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Disturbance {
    /// −3 to 2 stops, the same on all sides, with clipping.
    Exposure,
    /// Gain and white balance are metered anew for every picture.
    Drift,
    /// Light that is up to 60 % stronger at one edge of the picture and as much weaker at the other.
    Gradient,
    /// Sets of stickers in which red is near orange, or white near yellow; bright and faded ones.
    Hues,
    /// A lamp of 3000 to 8000 K, and a camera that does not know it.
    Temperature,
    /// The edge of a shadow across the face.
    Shadow,
    /// A lamp reflected in some stickers.
    Glare,
    /// A lens out of focus: a standard deviation of up to 2.5 pixels.
    Defocus,
    /// Noise of the sensor and of the light.
    Noise,
    /// YUYV 4:2:2.
    Yuyv,
    /// JPEG of quality 30 to 90.
    Mjpeg,
    /// 8 to 35 % of the pitch between stickers.
    Gaps,
    /// Chipped stickers.
    Chips,
    /// Stickers with round corners, on a 2x2x2 around a hub.
    Rounded,
    /// Layers that are up to 6° from home.
    Misaligned,
    /// Roll to ±6° and tilt to ±10°.
    Tilt,
    /// Up to 15 % of the height off the middle.
    OffCentre,
    /// LEGO beams around the cube, and another wall.
    Surroundings,
    /// The side of the cube is 35 to 75 % of the height.
    Fill,
    /// White plastic, or coloured plastic without stickers.
    Plastic,
    /// Held by hand: up to 25° turned in the picture.
    Turned,
    /// Held by hand: seen from up to 35° aside, with the neighbouring sides.
    Aside,
    /// Four fingers, which reach up to 4 mm over the edges of a cube of 57 mm.
    Fingers,
    /// A room behind, with shelves of books.
    Room,
}

impl Disturbance {
    /// What disturbs the pictures that a machine takes.
    pub const ALL: [Disturbance; 20] = [
        Disturbance::Exposure,
        Disturbance::Drift,
        Disturbance::Gradient,
        Disturbance::Hues,
        Disturbance::Temperature,
        Disturbance::Shadow,
        Disturbance::Glare,
        Disturbance::Defocus,
        Disturbance::Noise,
        Disturbance::Yuyv,
        Disturbance::Mjpeg,
        Disturbance::Gaps,
        Disturbance::Chips,
        Disturbance::Rounded,
        Disturbance::Misaligned,
        Disturbance::Tilt,
        Disturbance::OffCentre,
        Disturbance::Surroundings,
        Disturbance::Fill,
        Disturbance::Plastic,
    ];

    /// What disturbs pictures of a cube that is held by hand.
    pub const BY_HAND: [Disturbance; 4] = [
        Disturbance::Turned,
        Disturbance::Aside,
        Disturbance::Fingers,
        Disturbance::Room,
    ];

    /// Strength at which everything reaches the ends of its range.
    pub const FULL: f32 = 1.0;
    /// Strength at which everything stays in the half of its range that is nearer to a calm scene.
    pub const MODERATE: f32 = 0.5;

    /// Its name for users.
    pub fn name(self) -> &'static str {
        match self {
            Disturbance::Exposure => "exposure",
            Disturbance::Drift => "drift",
            Disturbance::Gradient => "gradient",
            Disturbance::Hues => "hues",
            Disturbance::Temperature => "temperature",
            Disturbance::Shadow => "shadow",
            Disturbance::Glare => "glare",
            Disturbance::Defocus => "defocus",
            Disturbance::Noise => "noise",
            Disturbance::Yuyv => "yuyv",
            Disturbance::Mjpeg => "mjpeg",
            Disturbance::Gaps => "gaps",
            Disturbance::Chips => "chips",
            Disturbance::Rounded => "rounded",
            Disturbance::Misaligned => "misaligned",
            Disturbance::Tilt => "tilt",
            Disturbance::OffCentre => "off-centre",
            Disturbance::Surroundings => "surroundings",
            Disturbance::Fill => "fill",
            Disturbance::Plastic => "plastic",
            Disturbance::Turned => "turned",
            Disturbance::Aside => "aside",
            Disturbance::Fingers => "fingers",
            Disturbance::Room => "room",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Disturbance> {
        let mut all = Disturbance::ALL.into_iter().chain(Disturbance::BY_HAND);
        all.find(|d| d.name() == name)
    }
}

/// White, red, green, yellow, orange, blue of other makers and older cubes.
const SETS: [[[u8; 3]; 6]; 4] = [
    // Red near orange.
    [
        [228, 228, 220],
        [192, 40, 30],
        [24, 130, 70],
        [224, 206, 70],
        [222, 78, 34],
        [24, 76, 165],
    ],
    // White near yellow.
    [
        [235, 230, 205],
        [196, 48, 46],
        [40, 150, 85],
        [230, 222, 120],
        [236, 120, 60],
        [40, 90, 180],
    ],
    // Bright plastic.
    [
        [240, 242, 245],
        [220, 26, 50],
        [30, 190, 70],
        [240, 235, 40],
        [255, 125, 20],
        [20, 84, 210],
    ],
    // Dark, and worn.
    [
        [196, 194, 186],
        [130, 18, 26],
        [14, 92, 50],
        [190, 168, 36],
        [192, 66, 28],
        [16, 42, 108],
    ],
];

impl Scene {
    /// A scene with these disturbances, a different one for every seed; everything else is calm. What belongs to the cube, the lamp and
    /// the camera is drawn here, the rest for each picture.
    pub fn disturbed(disturbances: &[Disturbance], strength: f32, seed: u64) -> Scene {
        Scene::calm().with(disturbances, strength, seed)
    }

    /// A cube that a hand holds before a webcam: all that a hand does, at this strength, and what any webcam does, at moderate strength, except
    /// those in `without`.
    pub fn by_hand(without: &[Disturbance], strength: f32, seed: u64) -> Scene {
        let webcam = [
            Disturbance::Drift,
            Disturbance::Gradient,
            Disturbance::Noise,
            Disturbance::Mjpeg,
            Disturbance::OffCentre,
            Disturbance::Fill,
        ];
        let left = |all: &[Disturbance]| -> Vec<Disturbance> {
            let all = all.iter().copied();
            all.filter(|one| !without.contains(one)).collect()
        };
        let before_webcam = Scene::disturbed(&left(&webcam), Disturbance::MODERATE, seed);
        before_webcam.with(&left(&Disturbance::BY_HAND), strength, seed)
    }

    fn with(self, disturbances: &[Disturbance], strength: f32, seed: u64) -> Scene {
        let mut scene = self;
        for &disturbance in disturbances {
            // Each has its own stream, so that another one more or less changes nothing about it.
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(disturbance as u64);
            scene.disturb(disturbance, strength, &mut rng);
        }
        scene
    }

    /// All disturbances at once at moderate strength, except those in `without`. Half of the scenes are in YUYV, the others in JPEG.
    pub fn moderate(without: &[Disturbance], seed: u64) -> Scene {
        let other = if seed.is_multiple_of(2) {
            Disturbance::Mjpeg
        } else {
            Disturbance::Yuyv
        };
        let all = Disturbance::ALL.into_iter();
        let all: Vec<Disturbance> = all.filter(|d| *d != other && !without.contains(d)).collect();
        Scene::disturbed(&all, Disturbance::MODERATE, seed)
    }

    fn disturb<R: Rng>(&mut self, disturbance: Disturbance, strength: f32, rng: &mut R) {
        /// From calm towards a value anywhere in the range.
        fn drawn<R: Rng>(calm: f32, [low, high]: [f32; 2], strength: f32, rng: &mut R) -> f32 {
            calm + (rng.random_range(low..=high) - calm) * strength
        }
        match disturbance {
            Disturbance::Exposure => self.metering = drawn(0.0, [-3.0, 2.0], strength, rng),
            Disturbance::Drift => {
                // White was (149, 164, 236) on one side of a cube and (247, 252, 252) on another.
                self.exposure = 0.7 * strength;
                self.balance = 0.5 * strength;
            }
            Disturbance::Gradient => self.gradient = 0.6 * strength,
            Disturbance::Hues => {
                let set = SETS[rng.random_range(0..SETS.len())];
                for (sticker, other) in self.stickers.iter_mut().flatten().zip(set.into_iter().flatten()) {
                    let towards = f32::from(*sticker) + (f32::from(other) - f32::from(*sticker)) * strength;
                    *sticker = (towards + 8.0 * strength * stray(rng)) as u8;
                }
            }
            Disturbance::Temperature => self.kelvin = drawn(self.kelvin, [3000.0, 8000.0], strength, rng),
            Disturbance::Shadow => self.shadow = 0.85 * strength,
            Disturbance::Glare => self.glare = 1.5 * strength,
            Disturbance::Defocus => self.defocus = drawn(0.0, [0.0, 2.5], strength, rng),
            Disturbance::Noise => {
                self.noise = drawn(0.0, [0.0, 5.0], strength, rng);
                self.grain = drawn(0.0, [0.0, 0.06], strength, rng);
            }
            Disturbance::Yuyv => self.format = PixelFormat::Yuyv,
            Disturbance::Mjpeg => {
                self.format = PixelFormat::Jpeg;
                self.quality = drawn(90.0, [30.0, 90.0], strength, rng) as u8;
            }
            Disturbance::Gaps => self.gap = drawn(self.gap, [0.08, 0.35], strength, rng),
            Disturbance::Chips => self.chips = 0.4 * strength,
            Disturbance::Rounded => {
                self.rounding = drawn(self.rounding, [0.0, 0.4], strength, rng);
                self.hub = drawn(0.0, [0.0, 0.4], strength, rng);
            }
            Disturbance::Misaligned => self.misaligned = 6.0 * strength,
            Disturbance::Tilt => {
                self.roll = 6.0 * strength;
                self.tilt = 10.0 * strength;
            }
            Disturbance::OffCentre => self.shift = 0.15 * strength,
            Disturbance::Surroundings => {
                self.beams = (8.0 * strength) as u32;
                let brightness = drawn(164.0, [20.0, 245.0], strength, rng);
                self.wall = [0; 3].map(|_| (brightness + 30.0 * strength * stray(rng)).clamp(0.0, 255.0) as u8);
            }
            Disturbance::Fill => self.fill = drawn(self.fill, [0.35, 0.75], strength, rng),
            Disturbance::Turned => self.roll = 25.0 * strength,
            Disturbance::Aside => self.aside = 35.0 * strength,
            Disturbance::Fingers => {
                self.fingers = 4;
                self.reach = 0.14 * strength;
            }
            Disturbance::Room => self.room = (24.0 * strength) as u32,
            Disturbance::Plastic => {
                let other = rng.random_bool(f64::from(strength.clamp(0.0, 1.0)));
                if rng.random_bool(0.5) {
                    if other {
                        self.plastic = [225, 226, 224];
                    }
                } else if other {
                    self.stickerless = true;
                }
            }
        }
    }
}
