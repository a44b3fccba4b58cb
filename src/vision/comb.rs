//! Finds a cube's lines when too few of its squares are seen: lays combs of N + 1 teeth over the edges of all six pictures.
//!
//! Squares are only found where edges close around them. A line is found by its whole length: edges of light and colour, summed along the
//! lines, are a row of peaks. As all sides are of one cube before one camera, all six pictures together decide N and the cube's size.

use std::ops::RangeInclusive;

use super::placement::SIZES;
use super::squares::UNITS;
use crate::picture::Picture;

/// No pixel's edge counts for more than this many levels, so that strong edges do not outvote many weak ones.
const CAP: u8 = 32;

/// Rolls that are tried: so many to both sides, in steps of 1/`ROLL_STEP`.
const ROLLS: i32 = 6;
const ROLL_STEP: i32 = 64;

/// Sides that are tried, from the first to about 0.9 by the height of the picture, each 2 % larger than the one before.
const SMALLEST: f32 = 0.33;
const STEP: f32 = 1.02;
const STEPS: usize = 51;

/// By how many steps one side may be larger or smaller than the others: tilt, and one step of doubt.
const LEEWAY: usize = 2;

/// How far off the picture's middle a cube may be, by the height.
const OFF: f32 = 0.2;

/// Half a tooth, and where the middle part of a cell begins, in hundredths of the pitch.
const TOOTH: i32 = 14;
const CELL: i32 = 27;

/// So many places are tried within a pitch, where pixels allow that.
const PLACES: i32 = 14;

/// The cost of a tooth with less than half of the other teeth's edges, for each unit that it lacks.
const MISSING: i32 = 3;

/// How many sizes are examined again.
const CANDIDATES: usize = 3;

/// Edges of one picture, by direction.
struct Ridges {
    width: usize,
    height: usize,
    /// How much light and colour change along the lines, and across them.
    across: Vec<u8>,
    down: Vec<u8>,
}

/// Edges summed along one direction: the sum up to each place, in 1/64 levels.
struct Profile(Vec<i32>);

/// A comb of a known size: where it begins and how long it is (1/16 pixel), and its merit.
#[derive(Debug, Clone, Copy, Default)]
struct Comb {
    from: i32,
    length: i32,
    merit: i32,
}

/// One picture, and the combs that fit best to it.
struct CombedPicture<'a> {
    picture: &'a Picture,
    roll: i32,
    /// The best combs across and down, by N and step.
    combs: Vec<[[Comb; 2]; STEPS]>,
}

/// A size and the corners of each side in 1/16 pixel: top left, top right, bottom right, bottom left.
pub type Corners = (usize, Vec<[[f32; 2]; 4]>);

/// The sizes that all pictures support together, best first.
pub fn corners(pictures: &[&Picture]) -> Vec<Corners> {
    let mut sides: Vec<CombedPicture<'_>> = pictures.iter().map(|picture| CombedPicture::new(picture)).collect();
    // The first time only the middle of the pictures counts, because it is not known where the cubes are.
    let mut first: Vec<(i32, usize, usize)> = SIZES.map(|size| agreed(&sides, size)).collect();
    first.sort_unstable();
    let within = |&(_, size, step): &(i32, usize, usize)| -> Vec<[Comb; 2]> {
        sides.iter().map(|side| side.best(size, step)).collect()
    };
    let likeliest: Vec<_> = first
        .iter()
        .rev()
        .take(CANDIDATES)
        .map(|best| (best.1, within(best)))
        .collect();
    let mut found = Vec::new();
    for (size, within) in likeliest {
        for (side, within) in sides.iter_mut().zip(within) {
            side.look(Some(within), size..=size);
        }
        let (merit, _, step) = agreed(&sides, size);
        log::debug!("lines of a {size}x{size}: merit {merit}, step {step}");
        if merit > 0 {
            let corners = sides.iter().map(|side| side.corners(side.best(size, step))).collect();
            found.push((merit, (size, corners)));
        }
    }
    crate::order::by(&mut found, |a, b| a.0 > b.0);
    found.into_iter().map(|(_, corners)| corners).collect()
}

/// The merit of a size over all sides, the size, and the step that fits best.
fn agreed(sides: &[CombedPicture<'_>], size: usize) -> (i32, usize, usize) {
    let merit = |step| {
        let of_side = |side: &CombedPicture<'_>| side.best(size, step).iter().map(|comb| comb.merit).sum::<i32>();
        sides.iter().map(of_side).sum()
    };
    let steps = (0..STEPS).map(|step| (merit(step), size, step));
    steps.max().unwrap_or((0, size, 0))
}

/// How long a side of this step is, in 1/16 pixel.
fn length(step: usize, height: usize) -> i32 {
    (SMALLEST * STEP.powi(step as i32) * (height as i32 * UNITS) as f32) as i32
}

impl Ridges {
    fn new(picture: &Picture) -> Ridges {
        let (width, height) = (picture.width(), picture.height());
        let half = width.div_ceil(2);
        let (luma, chroma) = (picture.luma(), picture.chroma());
        let mut ridges = Ridges {
            width,
            height,
            across: vec![0; width * height],
            down: vec![0; width * height],
        };
        if width < 5 || height < 3 {
            return ridges;
        }
        for y in 1..height - 1 {
            for x in 2..width - 2 {
                let (at, pair) = (y * width + x, y * half + x / 2);
                let right = y * half + (x / 2 + 1).min(half - 1);
                let mut across = u16::from(luma[at + 1].abs_diff(luma[at - 1]));
                let mut down = u16::from(luma[at + width].abs_diff(luma[at - width]));
                for plane in chroma {
                    across += u16::from(plane[right].abs_diff(plane[pair - 1]));
                    down += u16::from(plane[pair + half].abs_diff(plane[pair - half]));
                }
                ridges.across[at] = across.min(CAP.into()) as u8;
                ridges.down[at] = down.min(CAP.into()) as u8;
            }
        }
        ridges
    }

    /// By how many pixels a roll moves a place so far from the middle.
    fn moved(roll: i32, from_middle: i32) -> i32 {
        (2 * roll * from_middle + ROLL_STEP) >> (ROLL_STEP.ilog2() + 1)
    }

    /// Edges across, summed over the lines `from..to`.
    fn columns(&self, roll: i32, [from, to]: [usize; 2]) -> Profile {
        let mut sums = vec![0; self.width];
        for y in from..to {
            let moved = Self::moved(roll, y as i32 - self.height as i32 / 2);
            add(&mut sums, &self.across[y * self.width..][..self.width], moved);
        }
        Profile::new(sums, to - from)
    }

    /// Edges down, summed over the columns `from..to`.
    fn lines(&self, roll: i32, [from, to]: [usize; 2]) -> Profile {
        let mut sums = vec![0; self.height];
        let moved: Vec<i32> = (from..to)
            .map(|x| Self::moved(-roll, x as i32 - self.width as i32 / 2))
            .collect();
        for y in 0..self.height {
            for (&edge, moved) in self.down[y * self.width + from..].iter().zip(&moved) {
                let place = y as i32 + moved;
                if (0..self.height as i32).contains(&place) {
                    sums[place as usize] += i32::from(edge);
                }
            }
        }
        Profile::new(sums, to - from)
    }
}

fn add(sums: &mut [i32], edges: &[u8], moved: i32) {
    let (to, from) = if moved < 0 {
        (0, -moved as usize)
    } else {
        (moved as usize, 0)
    };
    let edges = edges.get(from..).unwrap_or_default();
    for (sum, &edge) in sums.iter_mut().skip(to).zip(edges) {
        *sum += i32::from(edge);
    }
}

impl Profile {
    fn new(sums: Vec<i32>, count: usize) -> Profile {
        let count = count.max(1) as i32;
        let mut total = 0;
        let mut upto: Vec<i32> = vec![0];
        upto.extend(sums.into_iter().map(|sum| {
            total += 64 * sum / count;
            total
        }));
        Profile(upto)
    }

    /// The sum up to a place in 1/16 pixel, times 16. Pixel 0 is from -8 to 8.
    fn upto(&self, place: i32) -> i32 {
        let last = self.0.len() as i32 - 1;
        let place = (place + UNITS / 2).clamp(0, UNITS * last - 1);
        let (pixel, part) = ((place / UNITS) as usize, place % UNITS);
        UNITS * self.0[pixel] + part * (self.0[pixel + 1] - self.0[pixel])
    }

    /// How much it consists of peaks.
    fn sharpness(&self) -> i64 {
        let squared = |pair: &[i32]| i64::from(pair[1] - pair[0]).pow(2);
        self.0.windows(2).map(squared).sum()
    }

    /// The sum over places in 1/16 pixel, which is a multiple of the mean.
    fn sum(&self, from: i32, to: i32) -> i32 {
        self.upto(to) - self.upto(from)
    }

    /// The best place of N + 1 teeth.
    fn comb(&self, size: usize, length: i32, off: i32) -> Comb {
        let n = size as i32;
        let pitch = length / n;
        let (tooth, inner) = ((TOOTH * pitch / 100).max(UNITS), CELL * pitch / 100);
        let inside = (pitch - 2 * inner).max(1);
        // From one tooth before the comb to one behind it.
        let at: Vec<i32> = (-1..=n + 1).map(|k| k * length / n).collect();
        let merit = |from: i32| {
            // With the cells beyond both ends, where there is no cube.
            let cells = at[..size + 2].iter().map(|k| from + k + inner);
            let ground = cells.map(|cell| self.sum(cell, cell + inside)).sum::<i32>();
            let ground = ground / (n + 2) * 2 * tooth / inside;
            let teeth = at[1..size + 2].iter().map(|k| from + k);
            let teeth = teeth.map(|at| self.sum(at - tooth, at + tooth) - ground);
            let sum: i32 = teeth.clone().sum();
            let half = sum / (2 * (n + 1));
            let missing: i32 = teeth.map(|value| (half - value).max(0)).sum();
            // Larger cubes explain more of the picture.
            (sum - MISSING * missing) / ((n + 1) * 2 * tooth) * (length / UNITS)
        };
        let middle = (self.0.len() as i32 - 1) * UNITS / 2;
        let first = middle - off - length / 2;
        let step = (pitch / PLACES).max(UNITS);
        let places = (0..=2 * off / step).map(|i| first + i * step);
        let combs = places.map(|from| (merit(from), from));
        let (merit, from) = combs.max().unwrap_or_default();
        Comb { from, length, merit }
    }
}

impl CombedPicture<'_> {
    fn new(picture: &Picture) -> CombedPicture<'_> {
        let mut side = CombedPicture {
            picture,
            roll: 0,
            combs: vec![[[Comb::default(); 2]; STEPS]; SIZES.count()],
        };
        side.look(None, SIZES);
        side
    }

    /// Finds the roll, and the combs of some sizes, by the edges within these combs.
    fn look(&mut self, within: Option<[Comb; 2]>, sizes: RangeInclusive<usize>) {
        let ridges = Ridges::new(self.picture);
        let third = |whole: usize, height: usize| [(whole - height / 3) / 2, (whole + height / 3) / 2];
        let (width, height) = (ridges.width, ridges.height);
        let part = |comb: Comb, whole: usize| {
            let pixel = |v: i32| (v / UNITS).clamp(0, whole as i32) as usize;
            [
                pixel(comb.from),
                pixel(comb.from + comb.length).max(pixel(comb.from) + 1).min(whole),
            ]
        };
        let (columns, lines) = match within {
            Some([across, down]) => (part(across, width), part(down, height)),
            None => (third(width, height.min(width)), third(height, height)),
        };
        let rolled = (-ROLLS..=ROLLS).map(|roll| (roll, [ridges.columns(roll, lines), ridges.lines(roll, columns)]));
        let sharpest = rolled.max_by_key(|(_, [across, down])| across.sharpness() + down.sharpness());
        let Some((roll, profiles)) = sharpest else { return };
        let off = (OFF * (height as i32 * UNITS) as f32) as i32;
        for size in sizes {
            self.combs[size - SIZES.start()] =
                std::array::from_fn(|step| profiles.each_ref().map(|p| p.comb(size, length(step, height), off)));
        }
        self.roll = roll;
    }

    /// The best combs of about this length, across and down.
    fn best(&self, size: usize, step: usize) -> [Comb; 2] {
        let steps = step.saturating_sub(LEEWAY)..=(step + LEEWAY).min(STEPS - 1);
        let of_size = &self.combs[size - SIZES.start()];
        [0, 1].map(|axis| {
            let combs = of_size[steps.clone()].iter().map(|combs| combs[axis]);
            combs.max_by_key(|comb| comb.merit).unwrap_or_default()
        })
    }

    /// The corners of the side that lies in two combs.
    fn corners(&self, [across, down]: [Comb; 2]) -> [[f32; 2]; 4] {
        let roll = self.roll as f32 / ROLL_STEP as f32;
        let middle = [self.picture.width(), self.picture.height()].map(|v| (v as i32 * UNITS / 2) as f32);
        let ends = |comb: Comb| [comb.from as f32, (comb.from + comb.length) as f32];
        let ([left, right], [top, bottom]) = (ends(across), ends(down));
        [[left, top], [right, top], [right, bottom], [left, bottom]].map(|[u, v]| {
            // u = x + roll y, v = y - roll x, from the middle.
            let (u, v) = (u - middle[0], v - middle[1]);
            let whole = 1.0 + roll * roll;
            [middle[0] + (u - roll * v) / whole, middle[1] + (v + roll * u) / whole]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::drawing::{COLOURS, Drawing};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn lines_show_where_the_sides_are_and_their_size_however_narrow_the_gaps(
            size in 2usize..8, seed: u32, roll in -4.0..4.0, tilt in -6.0..6.0, fill in 0.42..0.75, gap in 0.04..0.2,
            off in prop::array::uniform2(-0.1..0.1), noise in 0u8..12, small: bool,
        ) {
            let (width, height) = if small { (176, 144) } else { (320, 240) };
            let sides: Vec<Drawing> = (0..6).map(|side| {
                // Each side lies a little elsewhere.
                let off: [f64; 2] = if side % 2 == 0 { off } else { [off[1], -off[0]] };
                let straight = Drawing::new(width, height, size, COLOURS[0]).scrambled(seed.wrapping_add(side));
                Drawing { turned: [roll, tilt, 0.0], fill, off, gap, noise, ..straight }
            }).collect();
            let pictures: Vec<Picture> = sides.iter().map(Drawing::picture).collect();
            let found = corners(&pictures.iter().collect::<Vec<_>>());
            let named = found.iter().find(|(found, _)| *found == size);
            prop_assert!(named.is_some(), "{:?}", found.iter().map(|f| f.0).collect::<Vec<_>>());
            for (side, corners) in sides.iter().zip(named.map(|named| named.1.clone()).unwrap_or_default()) {
                // The first corner lies as far from its cell's middle as from there to the next crossing of lines.
                let (first, next) = (side.centre(0), side.centre(size + 1));
                let off = |axis: usize| {
                    let corner = first[axis] - (next[axis] - first[axis]) / 2.0;
                    (f64::from(corners[0][axis]) / f64::from(UNITS) - corner).abs()
                };
                prop_assert!(off(0).max(off(1)) < 0.3 * side.pitch(), "{corners:?} {} {}", off(0), off(1));
            }
        }

        #[test]
        fn no_picture_makes_the_combs_panic(width in 1usize..60, height in 1usize..60, bytes in prop::collection::vec(any::<u8>(), 3 * 3600)) {
            let frame = crate::picture::Frame {
                width: width as u32,
                height: height as u32,
                stride: 3 * width as u32,
                format: crate::picture::PixelFormat::Rgb8,
                data: bytes[..3 * width * height].to_vec(),
            };
            if let Ok(picture) = Picture::decode(&frame) {
                for (size, sides) in corners(&[&picture]) {
                    prop_assert!(SIZES.contains(&size) && sides.len() == 1);
                }
            }
        }
    }

    #[test]
    fn the_likeliest_size_comes_first_and_lies_on_the_lines() {
        for size in 2..8 {
            let side = Drawing::new(320, 240, size, COLOURS[0]).scrambled(1);
            let picture = side.picture();
            let (found, sides) = corners(&[&picture; 6]).swap_remove(0);
            assert_eq!(found, size);
            let from = [160.0, 120.0].map(|middle| middle - 0.3 * 240.0 - 0.5);
            let off = [0, 1].map(|axis| (sides[0][0][axis] / UNITS as f32 - from[axis]).abs());
            assert!(f64::from(off[0].max(off[1])) < 0.1 * side.pitch(), "{size}: {off:?}");
        }
    }

    #[test]
    fn lines_between_colours_that_are_equally_bright_are_seen() {
        let mut side = Drawing::new(320, 240, 4, COLOURS[4]);
        (side.gap, side.noise) = (0.0, 4);
        (0..16)
            .filter(|i| (i + i / 4) % 2 == 0)
            .for_each(|i| side.colours[i] = [20, 68, 171]);
        let found = corners(&[&side.picture(); 6]);
        assert_eq!(found.first().map(|found| found.0), Some(4));
    }

    #[test]
    fn there_are_no_lines_without_edges() {
        let blank = Drawing {
            fill: 0.0,
            ..Drawing::new(160, 120, 3, COLOURS[0])
        }
        .picture();
        assert!(corners(&[&blank; 6]).is_empty() && corners(&[]).is_empty());
    }
}
