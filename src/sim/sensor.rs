//! A colour sensor above a sticker: what it reads, by a model of its light, its noise and its mistakes.
//!
//! The levels of the six colours are those that real sets of colours have (medians of eleven sets). Everything else is a guess that the
//! troubles vary: nothing here was measured on a sensor.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::brick::COLOR_MOST;
use crate::cube::Face;

/// Levels of white, red, green, yellow, orange and blue stickers, where white paper has 255.
type Paint = [[u8; 3]; 6];

/// Of eleven real sets of colours. The first three are dark, as what a sensor sees.
const PAINTS: [Paint; 11] = [
    [
        [213, 222, 213],
        [109, 27, 19],
        [21, 82, 46],
        [121, 97, 30],
        [141, 43, 22],
        [21, 42, 66],
    ],
    [
        [225, 233, 224],
        [107, 26, 17],
        [20, 82, 44],
        [116, 95, 28],
        [135, 41, 19],
        [21, 37, 58],
    ],
    [
        [242, 247, 248],
        [117, 26, 19],
        [22, 82, 47],
        [148, 110, 32],
        [164, 45, 22],
        [22, 39, 70],
    ],
    [
        [204, 219, 250],
        [112, 4, 4],
        [12, 101, 114],
        [128, 127, 0],
        [156, 54, 12],
        [5, 47, 188],
    ],
    [
        [198, 238, 255],
        [124, 5, 28],
        [10, 113, 171],
        [157, 184, 133],
        [168, 64, 52],
        [9, 44, 194],
    ],
    [
        [234, 252, 254],
        [99, 4, 0],
        [10, 122, 138],
        [203, 212, 68],
        [144, 50, 10],
        [10, 49, 175],
    ],
    [
        [228, 246, 248],
        [145, 6, 4],
        [17, 122, 124],
        [143, 135, 14],
        [191, 33, 5],
        [16, 39, 118],
    ],
    [
        [236, 252, 253],
        [159, 5, 5],
        [17, 116, 101],
        [196, 208, 2],
        [193, 48, 5],
        [13, 47, 136],
    ],
    [
        [165, 189, 224],
        [89, 3, 3],
        [32, 137, 77],
        [203, 240, 126],
        [223, 33, 7],
        [21, 74, 174],
    ],
    [
        [148, 161, 188],
        [97, 36, 36],
        [51, 83, 74],
        [135, 136, 88],
        [124, 78, 47],
        [42, 59, 103],
    ],
    [
        [121, 143, 229],
        [66, 3, 32],
        [27, 111, 119],
        [121, 156, 138],
        [170, 42, 93],
        [12, 47, 159],
    ],
];

/// The level of black plastic, as of [`PAINTS`].
const PLASTIC: u8 = 8;

/// The squares around the centre, in the order in which the table brings them.
const RING: [usize; 8] = [0, 1, 2, 5, 8, 7, 6, 3];

/// Where a sticker is on its side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// In the middle.
    Centre,
    /// In the middle of an edge.
    Edge,
    /// In a corner.
    Corner,
}

impl Spot {
    /// Of a square by its number on the side of a 3x3x3, row by row from 0.
    pub fn of(square: usize) -> Spot {
        match square {
            4 => Spot::Centre,
            square if square % 2 == 1 => Spot::Edge,
            _ => Spot::Corner,
        }
    }
}

/// What is below the sensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Below {
    /// A sticker of this colour.
    Sticker(Face),
    /// The black plastic beside the stickers, or nothing near enough to send light back.
    Plastic,
    /// White paper.
    Paper,
}

/// One thing that disturbs a sensor. [`Sensor::troubled`] draws sensors that have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Trouble {
    /// Every reading is off by some counts, bright ones by more.
    Noise,
    /// The light of the room, which adds to every channel, on each side a little otherwise.
    Ambient,
    /// Less light comes back from the edges, and less yet from the corners.
    Falloff,
    /// A sensor that is dark, and darker yet for red light.
    Bluish,
    /// The white paper was measured long ago, or was not white.
    Worn,
    /// The arm stands beside the stickers: their neighbours or black plastic are seen as well.
    Beside,
    /// So much light that channels are at their end.
    Bright,
}

impl Trouble {
    /// All of them.
    pub const ALL: [Trouble; 7] = [
        Trouble::Noise,
        Trouble::Ambient,
        Trouble::Falloff,
        Trouble::Bluish,
        Trouble::Worn,
        Trouble::Beside,
        Trouble::Bright,
    ];

    /// Its name for users.
    pub fn name(self) -> &'static str {
        match self {
            Trouble::Noise => "noise",
            Trouble::Ambient => "ambient",
            Trouble::Falloff => "falloff",
            Trouble::Bluish => "bluish",
            Trouble::Worn => "worn",
            Trouble::Beside => "beside",
            Trouble::Bright => "bright",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Trouble> {
        Trouble::ALL.into_iter().find(|trouble| trouble.name() == name)
    }
}

/// A colour sensor and the stickers that it sees. The same one reads the same of the same, number by number.
#[derive(Debug, Clone)]
pub struct Sensor {
    paint: Paint,
    /// Counts above white paper, over the centre.
    paper: [f32; 3],
    /// What the calibration says of that.
    white: [u16; 3],
    /// The part of the light that comes back from the centre, from edges, from corners.
    light: [f32; 3],
    /// Counts that the room adds.
    ambient: f32,
    /// The standard deviation of a reading: so many counts, and so many times the root of the counts.
    noise: [f32; 2],
    /// The part of a reading that is not of the sticker but of what is further out; of what is nearer to the centre, if negative.
    outwards: f32,
    /// The same of the next sticker in the table's turn; of the one before, if negative.
    along: f32,
    seed: u64,
}

impl Sensor {
    /// A good sensor above real colours, which depend on the seed.
    pub fn calm(seed: u64) -> Sensor {
        Sensor::troubled(&[], 0.0, seed)
    }

    /// A sensor that reads this above white paper, as a calibration says it, with a little noise and less light towards the corners.
    pub fn of_white(white: [u16; 3], seed: u64) -> Sensor {
        Sensor {
            paper: white.map(f32::from),
            white,
            ..Sensor::troubled(&[Trouble::Noise, Trouble::Falloff], 0.3, seed)
        }
    }

    /// A sensor with some troubles, as strong as they get at 1, and half of that at 0.5.
    pub fn troubled(troubles: &[Trouble], strength: f32, seed: u64) -> Sensor {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let paint = PAINTS[rng.random_range(0..PAINTS.len())];
        let mut upto = |trouble: Trouble, most: f32| {
            // Drawn in any case, so that the same seed has the same of the others.
            let drawn = most * strength * rng.random::<f32>();
            if troubles.contains(&trouble) { drawn } else { 0.0 }
        };
        let darker = [
            upto(Trouble::Bluish, 0.6),
            upto(Trouble::Bluish, 0.4),
            upto(Trouble::Bluish, 0.6),
        ];
        let brighter = 1.0 + upto(Trouble::Bright, 3.0);
        let [red, green, all] = darker.map(|part| 1.0 - part);
        let paper = [red, green, 1.0].map(|part| 400.0 * part * all * brighter);
        let worn = [0; 3].map(|_| upto(Trouble::Worn, 0.3) - upto(Trouble::Worn, 0.3));
        let white = std::array::from_fn(|i| ((paper[i] * (1.0 + worn[i])) as u16).clamp(1, COLOR_MOST));
        let edge = 1.0 - upto(Trouble::Falloff, 0.35);
        let corner = edge * (1.0 - upto(Trouble::Falloff, 0.35));
        Sensor {
            paint,
            paper,
            white,
            light: [1.0, edge, corner],
            ambient: upto(Trouble::Ambient, 80.0),
            noise: [0.5 + upto(Trouble::Noise, 2.0), upto(Trouble::Noise, 0.4)],
            outwards: upto(Trouble::Beside, 0.35) - upto(Trouble::Beside, 0.35),
            along: upto(Trouble::Beside, 0.35) - upto(Trouble::Beside, 0.35),
            seed,
        }
    }

    /// What `calibrate white` has written for it.
    pub fn white(&self) -> [u16; 3] {
        self.white
    }

    /// The three values above what is below it there, each with the part of the view that it takes; parts make 1 together. Each `number`
    /// has its own noise.
    pub fn reading(&self, spot: Spot, below: &[(Below, f32)], number: u64) -> [u16; 3] {
        self.lit(self.ambient, spot, below, number)
    }

    fn lit(&self, ambient: f32, spot: Spot, below: &[(Below, f32)], number: u64) -> [u16; 3] {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number.wrapping_add(1));
        std::array::from_fn(|channel| {
            let seen = |&(below, part): &(Below, f32)| part * self.level(below)[channel];
            let counts =
                below.iter().map(seen).sum::<f32>() * self.paper[channel] * self.light[spot as usize] + ambient;
            let deviation = self.noise[0] + self.noise[1] * counts.max(0.0).sqrt();
            (counts + deviation * normal(&mut rng))
                .round()
                .clamp(0.0, f32::from(COLOR_MOST)) as u16
        })
    }

    /// The readings of a side of a 3x3x3, row by row, with the mistakes of the sensor's arm and of the light. Each `number` has its own
    /// noise.
    pub fn side(&self, stickers: &[Face; 9], number: u64) -> [[u16; 3]; 9] {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed ^ 0x51de);
        rng.set_stream(number);
        let ambient = self.ambient * rng.random_range(0.75..1.25);
        std::array::from_fn(|square| {
            let spot = Spot::of(square);
            let mut a_little = |part: f32| part * rng.random_range(0.7..1.3);
            let (outwards, along) = (a_little(self.outwards), a_little(self.along));
            let at = |square: usize| Below::Sticker(stickers[square]);
            let beside = match RING.iter().position(|&there| there == square) {
                Some(place) => {
                    let radial = if outwards > 0.0 { Below::Plastic } else { at(4) };
                    let next = if along > 0.0 { place + 1 } else { place + 7 };
                    [(radial, outwards.abs()), (at(RING[next % 8]), along.abs())]
                }
                // The table stands as it stood at the last one.
                None => [
                    (at(if outwards > 0.0 { 7 } else { 1 }), outwards.abs()),
                    (at(if along > 0.0 { 3 } else { 5 }), along.abs()),
                ],
            };
            let own = 1.0 - beside[0].1 - beside[1].1;
            let below = [(at(square), own), beside[0], beside[1]];
            self.lit(
                ambient,
                spot,
                &below,
                number.wrapping_mul(16).wrapping_add(square as u64),
            )
        })
    }

    /// Of white paper.
    fn level(&self, below: Below) -> [f32; 3] {
        let levels = match below {
            Below::Sticker(colour) => self.paint[colour as usize],
            Below::Plastic => [PLASTIC; 3],
            Below::Paper => [255; 3],
        };
        levels.map(|level| f32::from(level) / 255.0)
    }
}

/// A random number, nearly normal with standard deviation 1: the sum of four bytes. Each byte has a standard deviation of 73.9.
fn normal<R: Rng>(rng: &mut R) -> f32 {
    let bytes = rng.next_u32().to_le_bytes().map(|byte| 2 * i32::from(byte) - 255);
    bytes.iter().sum::<i32>() as f32 / 295.6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(sensor: &Sensor, spot: Spot, below: &[(Below, f32)]) -> [f32; 3] {
        let mut sums = [0.0; 3];
        for number in 0..200 {
            let reading = sensor.reading(spot, below, number);
            std::array::from_fn::<(), 3, _>(|i| sums[i] += f32::from(reading[i]) / 200.0);
        }
        sums
    }

    #[test]
    fn a_good_sensor_reads_its_white_above_paper_little_above_plastic_and_a_mixture_between() {
        let sensor = Sensor::calm(3);
        let [paper, plastic, half] = [
            &[(Below::Paper, 1.0)][..],
            &[(Below::Plastic, 1.0)],
            &[(Below::Paper, 0.5), (Below::Plastic, 0.5)],
        ]
        .map(|below| mean(&sensor, Spot::Centre, below));
        for i in 0..3 {
            assert!((paper[i] - f32::from(sensor.white()[i])).abs() < 1.0, "{paper:?}");
            assert!((plastic[i] - paper[i] * 8.0 / 255.0).abs() < 1.0, "{plastic:?}");
            assert!((half[i] - (paper[i] + plastic[i]) / 2.0).abs() < 1.0, "{half:?}");
        }
    }

    #[test]
    fn the_same_sensor_reads_the_same_by_number_and_another_number_has_another_noise() {
        let sensor = Sensor::troubled(&[Trouble::Noise], 1.0, 9);
        let read = |number| sensor.reading(Spot::Edge, &[(Below::Sticker(Face::U), 1.0)], number);
        assert_eq!(read(4), read(4));
        assert!((0..20).any(|number| read(number) != read(4)));
    }

    #[test]
    fn each_trouble_changes_what_it_is_named_for_and_nothing_else() {
        let (calm, seed) = (Sensor::calm(5), 5);
        for trouble in Trouble::ALL {
            let sensor = Sensor::troubled(&[trouble], 1.0, seed);
            assert_eq!(Trouble::named(trouble.name()), Some(trouble));
            let differs = [
                (sensor.noise != calm.noise, vec![Trouble::Noise]),
                (sensor.ambient != calm.ambient, vec![Trouble::Ambient]),
                (sensor.light != calm.light, vec![Trouble::Falloff]),
                (sensor.paper != calm.paper, vec![Trouble::Bluish, Trouble::Bright]),
                (
                    sensor.white != calm.white,
                    vec![Trouble::Bluish, Trouble::Worn, Trouble::Bright],
                ),
                ((sensor.outwards, sensor.along) != (0.0, 0.0), vec![Trouble::Beside]),
            ];
            for (differs, of) in differs {
                assert_eq!(differs, of.contains(&trouble), "{trouble:?}");
            }
        }
    }

    #[test]
    fn a_side_is_read_sticker_by_sticker_and_an_arm_beside_them_sees_their_neighbours() {
        let mut stickers = [Face::B; 9];
        stickers[2] = Face::U;
        let bright = |side: [[u16; 3]; 9]| -> Vec<usize> { (0..9).filter(|&i| side[i][0] > 100).collect() };
        assert_eq!(bright(Sensor::calm(1).side(&stickers, 0)), [2]);
        let beside = Sensor {
            along: 0.4,
            ..Sensor::calm(1)
        };
        assert_eq!(bright(beside.side(&stickers, 0)), [1, 2]);
        let black = Sensor {
            outwards: 1.0,
            along: 0.0,
            ..Sensor::calm(1)
        };
        assert!(black.side(&[Face::U; 9], 0)[0].iter().all(|&counts| counts < 150));
    }
}
