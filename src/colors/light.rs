//! The light in each picture: cameras meter anew for every picture, and lamps are nearer to one edge than to another.

use super::shade;
use super::space::{self, Curve, Level};
use crate::cube::Face;
use crate::sure::surely;

/// Six colours under even light, in quarters of a level; above 1020 where every square of the colour is clipped.
pub type Six = [[f32; 3]; 6];

/// A difference to a clipped level is shifted right by so much: a quarter of it counts.
const STILL: i32 = 2;

/// The cost of haze on a square: a lamp's reflection adds white light, which lifts all channels. Differences that cost less than this are
/// never taken for haze.
const HAZE: i32 = 20_000;

/// So much haze clips every channel.
const BLINDING: i32 = 1024 * 1024;

/// How many squares of average colour it takes until something is half believed: that a side is brighter or darker; that its white balance
/// is off; that the light falls off from one edge to the other.
const BELIEVE_EXPOSURE: f32 = 1.0;
const BELIEVE_BALANCE: f32 = 4.0;
const BELIEVE_SLOPE: f32 = 1.0;

/// The light in one picture.
#[derive(Debug, Clone)]
struct Cast {
    /// Red, green, blue by their values under even light, in the middle of the side.
    gain: [f32; 3],
    /// What is added to the factor 1 across and down the whole side.
    slope: [f32; 2],
    /// By square, the part of the light that shade leaves; empty where no shade is looked for.
    left: Vec<f32>,
}

/// The light in all pictures, and how unlikely it is.
#[derive(Debug, Clone)]
pub struct Light {
    pictures: Vec<Cast>,
    /// In units of costs.
    pub penalty: i64,
}

/// Where a measured square is: its index, the picture, and from −½ to ½ across and down.
#[derive(Debug, Clone, Copy)]
struct Place {
    square: usize,
    picture: usize,
    at: [f32; 2],
}

/// The measured colours of a cube's squares, each in every picture of its side.
pub struct Measured {
    /// How many squares a side has.
    area: usize,
    /// Picture by picture, side by side.
    levels: Vec<Level>,
    places: Vec<Place>,
    /// Levels from here on are clipped.
    clips: i32,
    /// N, where parts of a side may lie in shade.
    shaded: Option<usize>,
}

impl Place {
    /// The factor of the slope.
    fn tilt(&self, slope: [f32; 2]) -> f32 {
        1.0 + slope[0] * self.at[0] + slope[1] * self.at[1]
    }
}

impl Cast {
    /// The part of the light that shade leaves on a square.
    fn left(&self, place: &Place) -> f32 {
        match self.left.len() {
            0 => 1.0,
            area => self.left[place.square % area],
        }
    }
}

impl Light {
    fn gain(&self, place: &Place) -> [f32; 3] {
        let cast = &self.pictures[place.picture];
        let tilt = place.tilt(cast.slope) * cast.left(place);
        cast.gain.map(|g| g * tilt)
    }
}

impl Measured {
    /// From sRGB, row by row; of a side any number of pictures, one after the other.
    pub fn new(n: usize, sides: &[Vec<[u8; 3]>; 6], curve: Curve) -> Measured {
        let area = n * n;
        let across = |i: usize| i as f32 / (n - 1) as f32 - 0.5;
        let mut places = Vec::new();
        for (face, side) in Face::ALL.into_iter().zip(sides) {
            for at in 0..side.len() {
                let (row, col) = (at % area / n, at % n);
                places.push(Place {
                    square: face as usize * area + at % area,
                    picture: places.len() / area,
                    at: [across(col), across(row)],
                });
            }
        }
        Measured {
            area,
            levels: sides.iter().flatten().map(|&rgb| curve.level(rgb)).collect(),
            places,
            clips: curve.clips(),
            shaded: (curve == Curve::Shaded).then_some(n),
        }
    }

    /// Of all squares in all pictures.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Of a square in the first picture of its side.
    pub fn level(&self, square: usize) -> Level {
        let first = self.places.iter().position(|place| place.square == square);
        self.levels[surely(first)]
    }

    /// Whether parts of a side may lie in shade.
    pub fn is_shaded(&self) -> bool {
        self.shaded.is_some()
    }

    /// The lights to begin with. Shade makes sides as dark as it likes.
    pub fn first_lights(&self) -> Vec<Light> {
        match self.shaded {
            None => vec![self.even(), self.equal_sides()],
            Some(_) => vec![self.even()],
        }
    }

    /// The same light everywhere.
    pub fn even(&self) -> Light {
        let even = Cast {
            gain: [1.0; 3],
            slope: [0.0; 2],
            left: Vec::new(),
        };
        Light {
            pictures: vec![even; self.levels.len() / self.area],
            penalty: 0,
        }
    }

    /// The exposure that makes all sides equally bright on average: nearly right for a mixed cube, quite wrong for a solved one.
    pub fn equal_sides(&self) -> Light {
        let mut light = self.even();
        let brightness = |side: &[Level]| side.iter().flatten().sum::<i32>() as f32 / side.len().max(1) as f32;
        let mean = brightness(&self.levels).max(1.0);
        for (side, levels) in light.pictures.iter_mut().zip(self.levels.chunks(self.area)) {
            side.gain = [(brightness(levels) / mean).clamp(0.4, 2.5); 3];
        }
        light
    }

    /// The cost of each of six colours on each square: the distance of the measured colour from the one that this light would give, summed
    /// over the square's pictures. Clipped channels count little, because they do not tell how bright they were.
    pub fn costs(&self, six: &Six, light: &Light) -> Vec<[i32; 6]> {
        // Colours in 1/64 levels, gains in 1/4096.
        let six = six.map(|colour| colour.map(|v| (v.clamp(0.0, 4080.0) * 16.0) as i32));
        let cost = |(&measured, place): (&Level, &Place)| {
            let gain = light.gain(place).map(|g| (g.clamp(0.0, 4.0) * 4096.0) as i32);
            // What is clipped lies in no shade.
            let in_shade = self.shaded.is_some() && measured.iter().all(|&v| v < self.clips);
            let left = (light.pictures[place.picture].left(place) * shade::WHOLE as f32) as i32;
            six.map(|colour| {
                let expected = std::array::from_fn(|i| ((colour[i] * gain[i]) >> 16).min(1536));
                if in_shade {
                    return shade::distance(expected, measured, left);
                }
                let plain = space::distance(self.seen(expected, measured), measured);
                if plain <= HAZE {
                    return plain;
                }
                let haze = self.haze(expected, measured);
                if haze == 0 {
                    return plain;
                }
                let hazy = expected.map(|v| ((v * v + haze) as u32).isqrt() as i32);
                plain.min(HAZE + space::distance(self.seen(hazy, measured), measured))
            })
        };
        let mut costs = vec![[0; 6]; 6 * self.area];
        for (measured, place) in self.levels.iter().zip(&self.places) {
            let more = cost((measured, place));
            for (cost, more) in costs[place.square].iter_mut().zip(more) {
                *cost = (*cost + more).min(space::FARTHEST);
            }
        }
        costs
    }

    /// The measured levels without haze. Clipped channels are replaced by what the colours and the light would give.
    fn unclipped(&self, colours: &[usize], six: &Six, light: &Light) -> Vec<[f32; 3]> {
        let level = |(&measured, place): (&Level, &Place)| {
            let colour = colours[place.square];
            let gain = light.gain(place);
            let expected: [f32; 3] = std::array::from_fn(|i| six[colour][i] * gain[i]);
            let whole: Level = expected.map(|v| v.clamp(0.0, 1536.0) as i32);
            let haze = if space::distance(self.seen(whole, measured), measured) > HAZE {
                self.haze(whole, measured)
            } else {
                0
            };
            std::array::from_fn(|i| {
                let level = ((measured[i] * measured[i] - haze).max(0) as u32).isqrt() as f32;
                if measured[i] >= self.clips {
                    level.max(expected[i])
                } else {
                    level
                }
            })
        };
        self.levels.iter().zip(&self.places).map(level).collect()
    }

    /// Six colours that fit best (least squares) to a colouring under this light.
    pub fn colours(&self, colours: &[usize], light: &Light) -> Six {
        let levels: Vec<[f32; 3]> = self.levels.iter().map(|l| l.map(|v| v as f32)).collect();
        self.means(&levels, colours, light)
    }

    fn means(&self, levels: &[[f32; 3]], colours: &[usize], light: &Light) -> Six {
        let (mut sums, mut weights) = ([[0.0; 3]; 6], [[0.0; 3]; 6]);
        for (level, place) in levels.iter().zip(&self.places) {
            let (colour, gain) = (colours[place.square], light.gain(place));
            for i in 0..3 {
                sums[colour][i] += level[i] * gain[i];
                weights[colour][i] += gain[i] * gain[i];
            }
        }
        std::array::from_fn(|c| std::array::from_fn(|i| sums[c][i] / f32::max(weights[c][i], 1e-6)))
    }

    /// Fits colours and light better to a colouring than the given ones: one least-squares step of each. The fewer squares there are, the
    /// more the light is drawn towards even light.
    pub fn refit(&self, colours: &[usize], six: &Six, light: &Light) -> (Six, Light) {
        let levels = self.unclipped(colours, six, light);
        let power = six.iter().flatten().map(|v| v * v).sum::<f32>() / 18.0;
        let mut next = self.even();
        for (p, side) in next.pictures.iter_mut().enumerate() {
            let measured = levels.iter().zip(&self.places).skip(p * self.area).take(self.area);
            let squares = || {
                let measured = measured.clone();
                measured.map(|(level, place)| (level, &six[colours[place.square]], place))
            };
            let (fitted, unlikely) = fit_picture(squares, light.pictures[p].slope, power.max(1.0));
            *side = fitted;
            next.penalty += (unlikely * power) as i64;
            if let Some(n) = self.shaded {
                let (left, unlikely) = shade::fit(n, self.lit(p, colours, six, side));
                side.left = left;
                next.penalty += (unlikely * power) as i64;
            }
        }
        (self.means(&levels, colours, &next), next)
    }

    /// The squares of a picture, measured, and as they would be without shade.
    fn lit(&self, picture: usize, colours: &[usize], six: &Six, cast: &Cast) -> impl Iterator<Item = (Level, Level)> {
        let squares = self.levels.iter().zip(&self.places).skip(picture * self.area);
        squares.take(self.area).map(|(&measured, place)| {
            let (colour, tilt) = (six[colours[place.square]], place.tilt(cast.slope));
            let expected = std::array::from_fn(|i| (colour[i] * cast.gain[i] * tilt).clamp(0.0, 1536.0) as i32);
            (measured, expected)
        })
    }

    /// The expected levels as the camera would show them where it clips, given the measured levels.
    fn seen(&self, expected: Level, measured: Level) -> Level {
        std::array::from_fn(|i| {
            let hidden = measured[i] >= self.clips && expected[i] > measured[i];
            if hidden {
                measured[i] + ((expected[i] - measured[i]) >> STILL)
            } else {
                expected[i]
            }
        })
    }

    /// How much white light lies over a colour, as a difference of squared levels (about linear in light): the mean over the channels that
    /// are not clipped, at least 0. If all are clipped, any colour may lie below.
    fn haze(&self, expected: Level, measured: Level) -> i32 {
        let (mut sum, mut count) = (0, 0);
        for (expected, measured) in expected.into_iter().zip(measured) {
            if measured < self.clips {
                sum += measured * measured - expected * expected;
                count += 1;
            }
        }
        if count == 0 { BLINDING } else { (sum / count).max(0) }
    }
}

/// Fits the light of one picture, given its squares (measured, colour, place), the slope before, and the mean square of a colour's channel.
/// Also gives how far from even light that is, in squared factors times squares.
fn fit_picture<'a, I>(squares: impl Fn() -> I, slope: [f32; 2], power: f32) -> (Cast, f32)
where
    I: Iterator<Item = (&'a [f32; 3], &'a [f32; 3], &'a Place)>,
{
    // Products of measured and expected, and of expected with itself, by channel.
    let (mut product, mut square) = ([0.0; 3], [0.0; 3]);
    for (measured, colour, place) in squares() {
        let tilt = place.tilt(slope);
        for i in 0..3 {
            let expected = colour[i] * tilt;
            product[i] += measured[i] * expected;
            square[i] += expected * expected;
        }
    }
    let even = 3.0 * BELIEVE_EXPOSURE * power;
    let exposure = (product.iter().sum::<f32>() + even) / (square.iter().sum::<f32>() + even);
    let balanced = BELIEVE_BALANCE * power;
    let gain: [f32; 3] = std::array::from_fn(|i| {
        let gain = (product[i] + balanced * exposure) / (square[i] + balanced);
        gain.clamp(0.4, 2.5)
    });

    // The plane through what is left, by the normal equations.
    let flat = BELIEVE_SLOPE * power / 2.0;
    let (mut xx, mut xy, mut yy, mut x, mut y) = (flat, 0.0, flat, 0.0, 0.0);
    for (measured, colour, place) in squares() {
        let [across, down] = place.at;
        let (mut left, mut weight) = (0.0, 0.0);
        for i in 0..3 {
            left += (measured[i] / gain[i] - colour[i]) * colour[i];
            weight += colour[i] * colour[i];
        }
        x += left * across;
        y += left * down;
        xx += weight * across * across;
        xy += weight * across * down;
        yy += weight * down * down;
    }
    let determinant = (xx * yy - xy * xy).max(1e-3);
    let slope = [(x * yy - y * xy) / determinant, (y * xx - x * xy) / determinant].map(|v| v.clamp(-0.6, 0.6));
    let squared = |v: f32| v * v;
    let unlikely = 3.0 * BELIEVE_EXPOSURE * squared(exposure - 1.0)
        + BELIEVE_BALANCE * gain.iter().map(|g| squared(g - exposure)).sum::<f32>()
        + BELIEVE_SLOPE / 2.0 * (squared(slope[0]) + squared(slope[1]));
    let left = Vec::new();
    (Cast { gain, slope, left }, unlikely)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// White, red, green, yellow, orange, blue.
    const PAINT: [[u8; 3]; 6] = [
        [215, 218, 220],
        [165, 25, 35],
        [25, 135, 70],
        [205, 195, 50],
        [225, 100, 35],
        [20, 65, 160],
    ];

    /// What the six colours cost on a 2x2x2's first square, which was measured so; all others are white.
    fn costs(measured: [u8; 3]) -> [i32; 6] {
        let mut sides = std::array::from_fn(|_| vec![PAINT[0]; 4]);
        sides[0][0] = measured;
        let six = PAINT.map(|c| space::level(c).map(|v| v as f32));
        let measured = Measured::new(2, &sides, Curve::Clipped);
        measured.costs(&six, &measured.even())[0]
    }

    /// A colour with white light added, by the curve of sRGB.
    fn hazy(rgb: [u8; 3], light: f32) -> [u8; 3] {
        let linear: [f32; 3] = palette::Srgb::from(rgb).into_linear().into();
        let [r, g, b] = linear.map(|v| (v + light).min(1.0));
        palette::Srgb::from_linear(palette::LinSrgb::new(r, g, b)).into()
    }

    proptest! {
        #[test]
        fn a_colour_under_white_light_is_still_that_colour(colour in 1usize..6, light in 0.05f32..0.4) {
            let hazy = hazy(PAINT[colour], light);
            let costs = costs(hazy);
            prop_assert!((0..6).all(|other| other == colour || costs[other] > costs[colour]), "{hazy:?} {costs:?}");
        }

        #[test]
        fn a_darker_colour_is_not_taken_for_haze(colour in 0usize..6, part in 0.1f32..0.9) {
            let dark = PAINT[colour].map(|v| (f32::from(v) * part) as u8);
            let plain = space::distance(space::level(PAINT[colour]), space::level(dark));
            prop_assert!((costs(dark)[colour] - plain).abs() <= plain / 8 + 64);
        }

        #[test]
        fn what_several_pictures_of_a_side_say_adds_up(one: [[u8; 3]; 4], other: [[u8; 3]; 4]) {
            let six = PAINT.map(|c| space::level(c).map(|v| v as f32));
            let costs = |first: Vec<[u8; 3]>| {
                let mut sides = std::array::from_fn(|_| vec![PAINT[0]; 4]);
                sides[2] = first;
                let measured = Measured::new(2, &sides, Curve::Clipped);
                measured.costs(&six, &measured.even())[8..12].to_vec()
            };
            let sum = |(a, b): ([i32; 6], [i32; 6])| std::array::from_fn(|i| (a[i] + b[i]).min(space::FARTHEST));
            let expected: Vec<[i32; 6]> = costs(one.to_vec()).into_iter().zip(costs(other.to_vec())).map(sum).collect();
            prop_assert_eq!(costs([one, other].concat()), expected);
        }
    }

    #[test]
    fn each_picture_of_a_side_has_its_own_light_on_the_same_squares() {
        let mut sides = std::array::from_fn(|_| vec![PAINT[0]; 9]);
        sides[1].extend(vec![PAINT[1]; 18]);
        let measured = Measured::new(3, &sides, Curve::Clipped);
        let pictures: Vec<&[Place]> = measured.places.chunks(9).collect();
        for (number, (picture, face)) in pictures.iter().zip([0, 1, 1, 1, 2, 3, 4, 5]).enumerate() {
            for (i, place) in picture.iter().enumerate() {
                let at = [i % 3, i / 3].map(|line| line as f32 / 2.0 - 0.5);
                assert_eq!((place.square, place.picture, place.at), (9 * face + i, number, at));
            }
        }
        assert_eq!((pictures.len(), measured.even().pictures.len()), (8, 8));
        let mut number = 0..=255u8;
        let sides = std::array::from_fn(|_| number.by_ref().take(18).map(|v| [v; 3]).collect());
        let measured = Measured::new(3, &sides, Curve::Clipped);
        for square in 0..54 {
            assert_eq!(measured.level(square), [4 * (18 * (square / 9) + square % 9) as i32; 3]);
        }
    }

    #[test]
    fn what_blinds_the_camera_can_be_nearly_as_well_any_colour() {
        let costs = costs([255; 3]);
        assert!(
            costs.iter().all(|cost| (HAZE..3 * HAZE / 2).contains(cost)),
            "{costs:?}"
        );
    }
}
