//! Components to candidates: what is shaped like a square, over several edge settings.

use super::components::{Component, Labeller};
use super::edges::Edges;

/// Candidates keep their place and size in units of 1/16 pixel.
pub const UNITS: i32 = 16;

/// Something shaped like a square: perhaps a sticker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Square {
    /// Column of the centre, in 1/16 pixel; 0 is the centre of the leftmost pixel.
    pub x: i32,
    /// Line of the centre, likewise.
    pub y: i32,
    /// Side of the whole square, from edge to edge, in 1/16 pixel.
    pub side: i32,
    /// Number of edge settings that show it.
    pub votes: u32,
    /// How far its moments are from those of a square: 0 is perfect, 1000 the most that is accepted.
    pub error: u32,
}

/// Edges are ridges of at least this |gx| + |gy|: four times the step of an edge. The low ones see dark red on black, the high ones ignore
/// glare, texture and what a JPEG leaves around edges. Components are sought between edges grown by a pixel, which closes the gaps at
/// their corners.
const THRESHOLDS: [u16; 5] = [12, 22, 38, 64, 112];

/// Threshold of one more search between edges as they are, which finds what growing swallows. It costs most, and doubled pictures lose
/// little by growing.
const THIN: u16 = 16;

/// Pictures up to this many pixels a side are doubled before edges are sought: a gap of a 7x7x7 is one pixel wide at 160x120.
const TINY: usize = 176;

/// Pixels that a component must have at least.
const SMALLEST: u32 = 6;

/// Finds squares; keeps its working memory from picture to picture.
#[derive(Debug, Default)]
pub struct Finder {
    edges: Edges,
    labeller: Labeller,
    doubled: Vec<u8>,
}

impl Finder {
    /// All squares of a gray image of at most 352 pixels a side, those of several settings merged.
    pub fn squares(&mut self, luma: &[u8], width: usize, height: usize) -> Vec<Square> {
        if width.max(height) > TINY {
            return self.of(luma, width, height, false);
        }
        let mut doubled = std::mem::take(&mut self.doubled);
        double(luma, width, height, &mut doubled);
        let mut squares = self.of(&doubled, 2 * width, 2 * height, true);
        self.doubled = doubled;
        // A doubled picture's pixel 0 lies a quarter of a pixel left of the centre of the original's pixel 0.
        for square in &mut squares {
            square.x = (square.x - UNITS / 2) / 2;
            square.y = (square.y - UNITS / 2) / 2;
            square.side /= 2;
        }
        squares
    }

    fn of(&mut self, luma: &[u8], width: usize, height: usize, doubled: bool) -> Vec<Square> {
        let mut all = Vec::new();
        let largest = (width * height / 6) as u32;
        // Doubling has smoothed it already.
        self.edges.load(luma, width, height, !doubled);
        if !doubled {
            collect(self.labeller.components(self.edges.edges(THIN)), 1, largest, &mut all);
        }
        for threshold in THRESHOLDS {
            self.edges.edges(threshold);
            collect(self.labeller.components(self.edges.grown()), 3, largest, &mut all);
        }
        all
    }

    /// The edges of the last picture.
    pub fn edges(&self) -> &Edges {
        &self.edges
    }
}

/// Adds the components of up to `largest` pixels that are squares; `lost` is what edges and their growth took of each side, in pixels.
fn collect(components: &[Component], lost: i32, largest: u32, all: &mut Vec<Square>) {
    let sized = components.iter().filter(|c| (SMALLEST..=largest).contains(&c.area));
    for square in sized.filter_map(|c| square(c, lost)) {
        merge(all, square);
    }
}

/// The component as a square, if its second moments are those of one: variance side²/12 along both axes and no covariance, at any
/// roll.
fn square(c: &Component, lost: i32) -> Option<Square> {
    let [n, x, y] = [c.area, c.x, c.y].map(i64::from);
    // n² times the (co)variances. The pixels' own extent adds 1/12.
    let xx = n * i64::from(c.xx) - x * x;
    let yy = n * i64::from(c.yy) - y * y;
    let xy = n * i64::from(c.xy) - x * y;
    let (xx, yy, xy) = (12 * xx + n * n, 12 * yy + n * n, 12 * xy);
    // A perfect square has xx = yy = n³ and xy = 0. Corner-rounded stickers of a 2x2x2 and chipped ones stay inside the bounds; LEGO's
    // beams and holes with their rims do not.
    let cube = n * n * n;
    // Thousandths of the accepted deviation: from 0.65 to 1.5 for the variances, 0.35 for the covariance, 1.7 between the two axes.
    let off = |v: i64| {
        if v < cube {
            (cube - v) * 20_000 / (7 * cube)
        } else {
            (v - cube) * 2000 / cube
        }
    };
    let error = off(xx).max(off(yy)).max(xy.abs() * 20_000 / (7 * cube));
    if error > 1000 || 10 * xx.max(yy) > 17 * xx.min(yy) {
        return None;
    }
    let side = (c.area * (UNITS * UNITS) as u32).isqrt() as i32 + lost * UNITS;
    let centre = |sum: i64| ((sum * i64::from(UNITS) + n / 2) / n) as i32;
    Some(Square {
        x: centre(x),
        y: centre(y),
        side,
        votes: 1,
        error: error as u32,
    })
}

/// Adds a square, or a vote to the one that is there already; of the two the better square stays.
fn merge(all: &mut Vec<Square>, new: Square) {
    let same = |old: &&mut Square| {
        let near = old.side.min(new.side) / 6;
        let apart = (old.x - new.x).abs().max((old.y - new.y).abs());
        apart <= near && 3 * (old.side - new.side).abs() <= old.side
    };
    match all.iter_mut().find(same) {
        Some(old) => {
            let votes = old.votes + 1;
            if new.error < old.error {
                *old = new;
            }
            old.votes = votes;
        }
        None => all.push(new),
    }
}

/// Doubles a gray image, each new pixel 9:3:3:1 of the four nearest old ones.
fn double(luma: &[u8], width: usize, height: usize, out: &mut Vec<u8>) {
    out.clear();
    out.resize(4 * width * height, 0);
    if width == 0 {
        return;
    }
    for (y, line) in out.chunks_exact_mut(2 * width).enumerate() {
        let near = &luma[y / 2 * width..][..width];
        let other = if y % 2 == 0 {
            (y / 2).saturating_sub(1)
        } else {
            (y / 2 + 1).min(height - 1)
        };
        let far = &luma[other * width..][..width];
        // Four times the gray value of a column at this height.
        let mut columns = near.iter().zip(far).map(|(&n, &f)| 3 * u32::from(n) + u32::from(f));
        let mut here = columns.next().unwrap_or(0);
        let mut left = here;
        for pair in line.chunks_exact_mut(2) {
            let right = columns.next().unwrap_or(here);
            pair[0] = ((3 * here + left + 8) >> 4) as u8;
            pair[1] = ((3 * here + right + 8) >> 4) as u8;
            (left, here) = (here, right);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::drawing::{COLOURS, Drawing};
    use proptest::prelude::*;

    fn squares(drawing: &Drawing) -> Vec<Square> {
        let picture = drawing.picture();
        Finder::default().squares(picture.luma(), picture.width(), picture.height())
    }

    #[test]
    fn there_are_as_many_squares_of_a_sticker_s_size_as_stickers() {
        for (width, height) in [(160, 120), (176, 144), (320, 240), (352, 288)] {
            for size in 2..=7 {
                for colour in COLOURS {
                    let drawing = Drawing::new(width, height, size, colour);
                    let side = (drawing.pitch() * 0.85) as i32 * UNITS;
                    // Where gaps cross there are small black squares, and the whole side is a large one.
                    let mut found = squares(&drawing);
                    found.retain(|s| (side / 2..2 * side).contains(&s.side));
                    assert_eq!(
                        found.len(),
                        size * size,
                        "{size}x{size} of {colour:?} at {width}x{height}: {found:?}"
                    );
                }
            }
        }
    }

    proptest! {
        #[test]
        fn squares_lie_on_the_stickers_and_have_their_size(size in 2usize..8, roll in -6.0..6.0, fill in 0.5..0.75, gap in 0.1..0.3, small: bool) {
            let (width, height) = if small { (160, 120) } else { (320, 240) };
            let drawing = Drawing { fill, gap, turned: [roll, 0.0, 0.0], ..Drawing::new(width, height, size, COLOURS[0]) };
            let found = squares(&drawing);
            let units = f64::from(UNITS);
            let side = drawing.pitch() * (1.0 - gap);
            let sized = |s: &&Square| (f64::from(s.side) / units / side - 1.0).abs() < 0.4;
            for cell in 0..size * size {
                let [x, y] = drawing.centre(cell);
                let off = |s: &Square| (f64::from(s.x) / units - x).abs().max((f64::from(s.y) / units - y).abs());
                let nearest = found.iter().filter(sized).min_by(|a, b| off(a).total_cmp(&off(b)));
                prop_assert!(nearest.is_some());
                if let Some(square) = nearest {
                    prop_assert!(off(square) < 0.5 + 0.03 * drawing.pitch(), "cell {cell}: {square:?} is off by {}", off(square));
                    prop_assert!((f64::from(square.side) / units - side).abs() < 1.0 + 0.15 * side, "{square:?} for {side}");
                }
            }
        }

        #[test]
        fn no_picture_makes_the_finder_panic(width in 0usize..60, height in 0usize..60, bytes in prop::collection::vec(any::<u8>(), 3600)) {
            let mut finder = Finder::default();
            finder.squares(&bytes[..width * height], width, height);
            // Working memory of another size must not shine through.
            let again = finder.squares(&bytes[..40 * 30], 40, 30);
            prop_assert_eq!(again, Finder::default().squares(&bytes[..40 * 30], 40, 30));
        }

        #[test]
        fn a_doubled_picture_keeps_the_levels(width in 1usize..20, height in 1usize..20, level: u8) {
            let mut out = Vec::new();
            double(&vec![level; width * height], width, height, &mut out);
            prop_assert_eq!(out, vec![level; 4 * width * height]);
        }
    }

    #[test]
    fn stripes_and_rings_are_no_squares() {
        let draw = |ink: fn(usize, usize) -> bool| -> Vec<u8> {
            (0..240 * 320)
                .map(|i| if ink(i % 320, i / 320) { 220 } else { 20 })
                .collect()
        };
        let stripes = draw(|x, y| x / 20 % 2 == 0 && (40..200).contains(&y));
        assert_eq!(Finder::default().squares(&stripes, 320, 240), []);
        // A frame 50 pixels wide and 4 thick: the inside is a square, the frame itself is none.
        let frame = draw(|x, y| {
            let (x, y) = (x.abs_diff(160), y.abs_diff(120));
            (21..=25).contains(&x.max(y))
        });
        assert_eq!(Finder::default().squares(&frame, 320, 240).len(), 1);
    }
}
