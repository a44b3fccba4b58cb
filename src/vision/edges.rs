//! Gray image to edge masks: blur, gradient, ridges, growing. Integer only; every buffer is reused.

use super::mask::Mask;

/// Weaker ridges are noise on any picture; |gx| + |gy| of the Sobel kernels, four times the step of an edge.
pub const FAINTEST: u16 = 12;

/// Working memory of the edge stages for one picture size; grows to the largest picture seen, about seven bytes a pixel.
///
/// Arrays of lines are padded to whole words of [`Mask`], so that an index means the same pixel in all of them.
#[derive(Debug, Default)]
pub struct Edges {
    width: usize,
    height: usize,
    /// Pixels from one line to the next.
    stride: usize,
    /// Blurred gray.
    smooth: Vec<u8>,
    /// |gx| + |gy| shifted by [`MAGNITUDE`], with the direction and the signs below; 0 where it is below [`FAINTEST`].
    gradient: Vec<u16>,
    /// |gx| + |gy| where it is largest across its direction, else 0.
    ridge: Vec<u16>,
    /// Where `ridge` is not 0.
    peaks: Vec<u32>,
    thin: Mask,
    thick: Mask,
}

/// What a gradient word holds below its magnitude: the direction to the nearest 45°, and the signs of gx and gy.
const MAGNITUDE: u32 = 4;
const VERTICAL: u16 = 1;
const DIAGONAL: u16 = 2;
const DIRECTION: u16 = 3;
const RIGHT: u16 = 4;
const DOWN: u16 = 8;

impl Edges {
    /// Takes a gray image of `width` x `height` bytes and computes its ridges; `blur` smooths it with a 3x3 binomial kernel first.
    pub fn load(&mut self, luma: &[u8], width: usize, height: usize, blur: bool) {
        debug_assert_eq!(luma.len(), width * height);
        (self.width, self.height) = (width, height);
        self.stride = Mask::stride_for(width);
        self.smooth.clear();
        self.smooth.extend_from_slice(luma);
        if blur {
            self.blur(luma);
        }
        self.differentiate();
        self.thin_out();
    }

    /// The largest gradient on a ridge, 0 in a picture without any edge.
    pub fn strongest(&self) -> u16 {
        self.peaks.iter().map(|&at| self.ridge[at as usize]).max().unwrap_or(0)
    }

    /// The edges: ridges of at least `from`, and the border of the picture.
    ///
    /// Hysteresis finds no more stickers than a few plain thresholds, and following the edges costs ten times as much.
    pub fn edges(&mut self, from: u16) -> &Mask {
        self.thin.reset(self.width, self.height);
        for &peak in &self.peaks {
            if self.ridge[peak as usize] >= from {
                self.thin.set(peak as usize);
            }
        }
        self.thin.close_border();
        &self.thin
    }

    /// The edges of the last [`edges`](Self::edges), grown by one pixel to all four sides.
    pub fn grown(&mut self) -> &Mask {
        self.thick.grow_from(&self.thin);
        &self.thick
    }

    /// 3x3 kernel (1 2 1)ᵀ(1 2 1) / 16; the border keeps its values.
    fn blur(&mut self, luma: &[u8]) {
        let (w, h) = (self.width, self.height);
        if w < 3 || h < 3 {
            return;
        }
        for y in 1..h - 1 {
            let out = &mut self.smooth[y * w + 1..(y + 1) * w - 1];
            let mut columns = columns(luma, w, y).map(|[above, here, below]| above + 2 * here + below);
            let (mut left, mut middle) = (columns.next().unwrap_or(0), columns.next().unwrap_or(0));
            for (out, right) in out.iter_mut().zip(columns) {
                *out = ((left + 2 * middle + right + 8) >> 4) as u8;
                (left, middle) = (middle, right);
            }
        }
    }

    /// Sobel: magnitude |gx| + |gy| and direction of every inner pixel.
    fn differentiate(&mut self) {
        let (w, h, stride) = (self.width, self.height, self.stride);
        self.gradient.clear();
        self.gradient.resize(stride * h, 0);
        if w < 3 || h < 3 {
            return;
        }
        for y in 1..h - 1 {
            let out = &mut self.gradient[y * stride + 1..y * stride + w - 1];
            // Per column: the vertical sum (1 2 1) and the vertical difference.
            let mut columns =
                columns(&self.smooth, w, y).map(|[above, here, below]| (above + 2 * here + below, below - above));
            let (mut left, mut middle) = (columns.next().unwrap_or((0, 0)), columns.next().unwrap_or((0, 0)));
            for (out, right) in out.iter_mut().zip(columns) {
                let gx = right.0 - left.0;
                let gy = left.1 + 2 * middle.1 + right.1;
                let (ax, ay) = (gx.abs(), gy.abs());
                (left, middle) = (middle, right);
                if ax + ay < i32::from(FAINTEST) {
                    continue;
                }
                // tan 22.5° is about 5/12.
                let direction = if 12 * ay < 5 * ax {
                    0
                } else if 12 * ax < 5 * ay {
                    VERTICAL
                } else {
                    DIAGONAL
                };
                let signs = if gx > 0 { RIGHT } else { 0 } | if gy > 0 { DOWN } else { 0 };
                *out = ((ax + ay) as u16) << MAGNITUDE | signs | direction;
            }
        }
    }

    /// Keeps the gradient where neither neighbour along its direction exceeds it. Of two equal neighbours one stays. A neighbour of the
    /// opposite sign is another edge and no rival: else the bright side of a gap of two or three pixels would swallow the dark one.
    fn thin_out(&mut self) {
        let (w, h, stride) = (self.width, self.height, self.stride);
        self.peaks.clear();
        self.ridge.clear();
        self.ridge.resize(stride * h, 0);
        if w < 3 || h < 3 {
            return;
        }
        for y in 1..h - 1 {
            let first = y * stride + 1;
            for (i, &here) in self.gradient[first..first + w - 2].iter().enumerate() {
                if here == 0 {
                    continue;
                }
                let strength = here >> MAGNITUDE;
                let (step, sign) = match here & DIRECTION {
                    VERTICAL => (stride, DOWN),
                    DIAGONAL if (here & RIGHT == 0) == (here & DOWN == 0) => (stride + 1, RIGHT),
                    DIAGONAL => (stride - 1, RIGHT),
                    _ => (1, RIGHT),
                };
                let at = first + i;
                let rival = |at: usize| {
                    let there = self.gradient[at];
                    if (there ^ here) & sign == 0 {
                        there >> MAGNITUDE
                    } else {
                        0
                    }
                };
                if strength > rival(at - step) && strength >= rival(at + step) {
                    self.ridge[at] = strength;
                    self.peaks.push(at as u32);
                }
            }
        }
    }
}

/// Every column's three pixels about line `y`, from above.
fn columns(gray: &[u8], width: usize, y: usize) -> impl Iterator<Item = [i32; 3]> {
    let line = |y: usize| &gray[y * width..(y + 1) * width];
    let lines = line(y - 1).iter().zip(line(y)).zip(line(y + 1));
    lines.map(|((&above, &here), &below)| [above, here, below].map(i32::from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Columns of the edges in a line of the picture, without its border.
    fn columns_of(edges: &mut Edges, from: u16, line: usize) -> Vec<usize> {
        let (width, stride) = (edges.width, edges.stride);
        let mask = edges.edges(from);
        (1..width - 1).filter(|x| mask.get(line * stride + x)).collect()
    }

    fn loaded(width: usize, height: usize, blur: bool, gray: impl Fn(usize, usize) -> u8) -> Edges {
        let luma: Vec<u8> = (0..width * height).map(|i| gray(i % width, i / width)).collect();
        let mut edges = Edges::default();
        edges.load(&luma, width, height, blur);
        edges
    }

    proptest! {
        #[test]
        fn a_step_is_one_pixel_wide_at_any_place_and_contrast(at in 3usize..60, low in 0u8..100, step in 10u8..150, blur: bool) {
            let mut edges = loaded(64, 9, blur, |x, _| if x < at { low } else { low + step });
            let found = columns_of(&mut edges, FAINTEST, 4);
            prop_assert_eq!(found.len(), 1, "{:?}", &found);
            prop_assert!(found[0] + 1 == at || found[0] == at);
            if !blur {
                prop_assert_eq!(edges.strongest(), 4 * u16::from(step));
            }
        }

        #[test]
        fn both_sides_of_a_narrow_gap_are_edges(at in 5usize..50, gap in 2usize..6, left in 60u8..255, right in 60u8..255, upright: bool) {
            let gray = |x: usize| if x < at { left } else if x < at + gap { 12 } else { right };
            let mut edges = loaded(64, 64, true, |x, y| gray(if upright { x } else { y }));
            let found = if upright {
                columns_of(&mut edges, FAINTEST, 30)
            } else {
                (1..63).filter(|&y| columns_of(&mut edges, FAINTEST, y).contains(&30)).collect()
            };
            prop_assert_eq!(found.len(), 2, "{:?}", found);
        }

        #[test]
        fn no_picture_makes_the_stages_panic(width in 0usize..40, height in 0usize..40, bytes in prop::collection::vec(any::<u8>(), 1600), from: u16, blur: bool) {
            let mut edges = Edges::default();
            edges.load(&bytes[..width * height], width, height, blur);
            edges.edges(from);
            prop_assert_eq!(edges.grown().lines().count(), if width > 0 { height } else { 0 });
        }
    }

    #[test]
    fn a_flat_picture_has_no_edge_but_its_border() {
        let mut edges = loaded(40, 30, true, |_, _| 77);
        assert_eq!(edges.strongest(), 0);
        for line in 1..29 {
            assert_eq!(columns_of(&mut edges, FAINTEST, line), [0; 0]);
        }
    }
}
