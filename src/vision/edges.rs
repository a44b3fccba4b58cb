//! Gray image to edge masks: blur, gradient, ridges, hysteresis, dilation. Integer only; every buffer is reused.

/// What a pixel of the mask says: an edge, or the border of the picture, which bounds components like an edge.
pub const EDGE: u8 = 1;

/// Working memory of the edge stages for one picture size; grows to the largest picture seen.
#[derive(Debug, Default)]
pub struct Edges {
    width: usize,
    height: usize,
    /// Blurred gray.
    smooth: Vec<u8>,
    /// |gx| + |gy| times 4, plus the direction in the two low bits.
    gradient: Vec<u16>,
    /// |gx| + |gy| where it is largest across its direction, else 0.
    ridge: Vec<u16>,
    /// 1 at edges.
    mask: Vec<u8>,
    /// The mask before dilation, and one line's worth of the horizontal half.
    thin: Vec<u8>,
    stack: Vec<u32>,
}

/// Directions of the gradient, to the nearest 45°.
const HORIZONTAL: u16 = 0;
const VERTICAL: u16 = 1;
const DOWN_RIGHT: u16 = 2;
const UP_RIGHT: u16 = 3;

impl Edges {
    /// Takes a gray image and computes its ridges; `blur` smooths it with a 3x3 binomial kernel first.
    ///
    /// `luma` has `width` x `height` bytes.
    pub fn load(&mut self, luma: &[u8], width: usize, height: usize, blur: bool) {
        debug_assert_eq!(luma.len(), width * height);
        (self.width, self.height) = (width, height);
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
        self.ridge.iter().copied().max().unwrap_or(0)
    }

    /// The edge mask: ridges of at least `high`, and those of at least `low` that are connected with one; grown by `dilate` pixels;
    /// and the border of the picture.
    pub fn mask(&mut self, low: u16, high: u16, dilate: usize) -> &[u8] {
        self.trace(low.max(1), high.max(1));
        for _ in 0..dilate {
            self.dilate();
        }
        let (w, h) = (self.width, self.height);
        if w > 0 && h > 0 {
            self.mask[..w].fill(EDGE);
            self.mask[(h - 1) * w..].fill(EDGE);
            for line in self.mask.chunks_exact_mut(w) {
                line[0] = EDGE;
                line[w - 1] = EDGE;
            }
        }
        &self.mask
    }

    /// 3x3 kernel (1 2 1)ᵀ(1 2 1) / 16; the border keeps its values.
    fn blur(&mut self, luma: &[u8]) {
        let w = self.width;
        if w < 3 || self.height < 3 {
            return;
        }
        for y in 1..self.height - 1 {
            let above = &luma[(y - 1) * w..y * w];
            let here = &luma[y * w..(y + 1) * w];
            let below = &luma[(y + 1) * w..(y + 2) * w];
            let out = &mut self.smooth[y * w..(y + 1) * w];
            let column = |x: usize| u32::from(above[x]) + 2 * u32::from(here[x]) + u32::from(below[x]);
            let (mut left, mut middle) = (column(0), column(1));
            for x in 1..w - 1 {
                let right = column(x + 1);
                out[x] = ((left + 2 * middle + right + 8) >> 4) as u8;
                (left, middle) = (middle, right);
            }
        }
    }

    /// Sobel: magnitude |gx| + |gy| and direction of every inner pixel.
    fn differentiate(&mut self) {
        let (w, h) = (self.width, self.height);
        self.gradient.clear();
        self.gradient.resize(w * h, 0);
        if w < 3 || h < 3 {
            return;
        }
        for y in 1..h - 1 {
            let above = &self.smooth[(y - 1) * w..y * w];
            let here = &self.smooth[y * w..(y + 1) * w];
            let below = &self.smooth[(y + 1) * w..(y + 2) * w];
            let out = &mut self.gradient[y * w..(y + 1) * w];
            // Per column: the vertical sum (1 2 1) and the vertical difference.
            let column = |x: usize| {
                let (a, b, c) = (i32::from(above[x]), i32::from(here[x]), i32::from(below[x]));
                (a + 2 * b + c, c - a)
            };
            let (mut left, mut middle) = (column(0), column(1));
            for x in 1..w - 1 {
                let right = column(x + 1);
                let gx = right.0 - left.0;
                let gy = left.1 + 2 * middle.1 + right.1;
                let (ax, ay) = (gx.abs(), gy.abs());
                // tan 22.5° is about 5/12.
                let direction = if 12 * ay < 5 * ax {
                    HORIZONTAL
                } else if 12 * ax < 5 * ay {
                    VERTICAL
                } else if (gx > 0) == (gy > 0) {
                    DOWN_RIGHT
                } else {
                    UP_RIGHT
                };
                out[x] = ((ax + ay) as u16) << 2 | direction;
                (left, middle) = (middle, right);
            }
        }
    }

    /// Keeps the gradient where neither neighbour along its direction exceeds it. Of two equal neighbours one stays.
    fn thin_out(&mut self) {
        let (w, h) = (self.width, self.height);
        self.ridge.clear();
        self.ridge.resize(w * h, 0);
        if w < 3 || h < 3 {
            return;
        }
        for y in 1..h - 1 {
            for at in y * w + 1..(y + 1) * w - 1 {
                let here = self.gradient[at];
                let strength = here >> 2;
                if strength == 0 {
                    continue;
                }
                let step = match here & 3 {
                    HORIZONTAL => 1,
                    VERTICAL => w,
                    DOWN_RIGHT => w + 1,
                    _ => w - 1,
                };
                if strength > self.gradient[at - step] >> 2 && strength >= self.gradient[at + step] >> 2 {
                    self.ridge[at] = strength;
                }
            }
        }
    }

    /// Hysteresis over all eight neighbours.
    fn trace(&mut self, low: u16, high: u16) {
        let w = self.width;
        self.mask.clear();
        self.mask.resize(w * self.height, 0);
        for at in 0..self.ridge.len() {
            if self.ridge[at] < high || self.mask[at] == EDGE {
                continue;
            }
            self.mask[at] = EDGE;
            self.stack.push(at as u32);
            while let Some(at) = self.stack.pop() {
                // Ridges never lie on the border, so all neighbours exist.
                let at = at as usize;
                for next in [
                    at - w - 1,
                    at - w,
                    at - w + 1,
                    at - 1,
                    at + 1,
                    at + w - 1,
                    at + w,
                    at + w + 1,
                ] {
                    if self.ridge[next] >= low && self.mask[next] == 0 {
                        self.mask[next] = EDGE;
                        self.stack.push(next as u32);
                    }
                }
            }
        }
    }

    /// Grows edges by one pixel to all four sides.
    fn dilate(&mut self) {
        let (w, h) = (self.width, self.height);
        self.thin.clear();
        self.thin.extend_from_slice(&self.mask);
        if w < 3 || h < 3 {
            return;
        }
        for y in 1..h - 1 {
            let above = &self.thin[(y - 1) * w..y * w];
            let here = &self.thin[y * w..(y + 1) * w];
            let below = &self.thin[(y + 1) * w..(y + 2) * w];
            let out = &mut self.mask[y * w..(y + 1) * w];
            for x in 1..w - 1 {
                out[x] = here[x] | here[x - 1] | here[x + 1] | above[x] | below[x];
            }
        }
    }
}
