//! Drawings of a cube's side for the tests of this folder: a flat plate with coloured squares, seen by a pinhole camera.

use crate::picture::{Frame, Picture, PixelFormat};

/// A side and how it is seen.
#[derive(Debug, Clone)]
pub struct Drawing {
    pub width: usize,
    pub height: usize,
    /// Stickers per row.
    pub size: usize,
    /// Colour of each sticker, row by row; black ones are hidden.
    pub colours: Vec<[u8; 3]>,
    /// Side of the cube as a part of the picture's height.
    pub fill: f64,
    /// The cube's centre off the picture's, as parts of the height.
    pub off: [f64; 2],
    /// Gap as a part of the pitch.
    pub gap: f64,
    /// Degrees: in the picture's plane, about the horizontal and about the vertical axis.
    pub turned: [f64; 3],
    /// Largest deviation of a pixel from its colour.
    pub noise: u8,
    pub background: [u8; 3],
}

/// White, yellow, green, blue, red, orange.
pub const COLOURS: [[u8; 3]; 6] = [
    [235, 235, 235],
    [225, 210, 30],
    [20, 150, 60],
    [20, 60, 170],
    [170, 20, 25],
    [235, 110, 20],
];

const PLASTIC: [u8; 3] = [12, 12, 14];
/// Distance of the camera from the cube, in half sides of the cube.
const DISTANCE: f64 = 7.0;

impl Drawing {
    /// Straight, in the middle, a bit more than half as high as the picture, all stickers of one colour.
    pub fn new(width: usize, height: usize, size: usize, colour: [u8; 3]) -> Drawing {
        Drawing {
            width,
            height,
            size,
            colours: vec![colour; size * size],
            fill: 0.6,
            off: [0.0; 2],
            gap: 0.15,
            turned: [0.0; 3],
            noise: 0,
            background: [120, 116, 110],
        }
    }

    /// Stickers get colours that depend on `seed` alone.
    pub fn scrambled(mut self, seed: u32) -> Drawing {
        let mut random = Random(seed);
        for colour in &mut self.colours {
            *colour = COLOURS[random.below(6) as usize];
        }
        self
    }

    /// From the plate, whose half side is 1, to pixels: a projective matrix.
    fn matrix(&self) -> [[f64; 3]; 3] {
        let [roll, tilt, pan] = self.turned.map(f64::to_radians);
        let (sr, cr) = roll.sin_cos();
        let (st, ct) = tilt.sin_cos();
        let (sp, cp) = pan.sin_cos();
        // Columns 1 and 2 of pan · tilt · roll.
        let x = [cp * cr + sp * st * sr, ct * sr, -sp * cr + cp * st * sr];
        let y = [-cp * sr + sp * st * cr, ct * cr, sp * sr + cp * st * cr];
        let h = self.height as f64;
        let focal = self.fill * h / 2.0 * DISTANCE;
        let centre = [self.width as f64 / 2.0 + self.off[0] * h, h / 2.0 + self.off[1] * h];
        let row = |i: usize| {
            [
                focal * x[i] + centre[i] * x[2],
                focal * y[i] + centre[i] * y[2],
                centre[i] * DISTANCE,
            ]
        };
        [row(0), row(1), [x[2], y[2], DISTANCE]]
    }

    /// Where a cell's centre is; (0, 0) is the centre of the pixel at the top left.
    pub fn centre(&self, cell: usize) -> [f64; 2] {
        let n = self.size as f64;
        let (u, v) = ((cell % self.size) as f64, (cell / self.size) as f64);
        let [x, y] = apply(&self.matrix(), [(2.0 * u + 1.0) / n - 1.0, (2.0 * v + 1.0) / n - 1.0]);
        [x - 0.5, y - 0.5]
    }

    /// Pitch in pixels, seen straight.
    pub fn pitch(&self) -> f64 {
        self.fill * self.height as f64 / self.size as f64
    }

    /// The colour at a place of the plate.
    fn colour(&self, [p, q]: [f64; 2]) -> [u8; 3] {
        if p.abs() >= 1.0 || q.abs() >= 1.0 {
            return self.background;
        }
        let n = self.size as f64;
        let (u, v) = ((p + 1.0) / 2.0 * n, (q + 1.0) / 2.0 * n);
        let inside = |t: f64| (t.fract() - 0.5).abs() < 0.5 - self.gap / 2.0;
        if inside(u) && inside(v) {
            self.colours[v as usize * self.size + u as usize]
        } else {
            PLASTIC
        }
    }

    /// The drawing as RGB, each pixel the mean of four places in it.
    pub fn picture(&self) -> Picture {
        let back = inverse(&self.matrix());
        let mut random = Random(99);
        let mut data = Vec::with_capacity(self.width * self.height * 3);
        for y in 0..self.height {
            for x in 0..self.width {
                let mut sum = [0i32; 3];
                for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
                    let colour = self.colour(apply(&back, [x as f64 + dx, y as f64 + dy]));
                    sum = [0, 1, 2].map(|i| sum[i] + i32::from(colour[i]));
                }
                let noise = i32::from(self.noise);
                let deviation = if noise > 0 {
                    random.below(2 * noise as u32 + 1) as i32 - noise
                } else {
                    0
                };
                data.extend(sum.map(|s| (s / 4 + deviation).clamp(0, 255) as u8));
            }
        }
        let (width, height) = (self.width as u32, self.height as u32);
        Picture::decode(&Frame {
            width,
            height,
            stride: 3 * width,
            format: PixelFormat::Rgb8,
            data,
        })
        .unwrap()
    }
}

fn apply(m: &[[f64; 3]; 3], [x, y]: [f64; 2]) -> [f64; 2] {
    let [a, b, c] = m.map(|row| row[0] * x + row[1] * y + row[2]);
    [a / c, b / c]
}

/// Up to a factor, which a projective matrix does not care about.
fn inverse(m: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let minor = |i: usize, j: usize| {
        let (a, b, c, d) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        m[a][c] * m[b][d] - m[a][d] * m[b][c]
    };
    [0, 1, 2].map(|j| [0, 1, 2].map(|i| minor(i, j)))
}

/// A small generator, so that drawings repeat exactly.
pub struct Random(pub u32);

impl Random {
    pub fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % limit
    }
}
