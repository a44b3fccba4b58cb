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
}

/// One edge setting.
#[derive(Debug, Clone, Copy)]
struct Setting {
    blur: bool,
    /// Gradients |gx| + |gy| (Sobel: four times the step of an edge) for hysteresis.
    low: u16,
    high: u16,
    dilate: usize,
}

/// The settings tried on every picture. Low thresholds see dark red on black, high ones ignore glare and texture; dilation closes
/// gaps in faint edges, but at 8 pixels a sticker leaves too little of it.
const SETTINGS: [Setting; 6] = [
    Setting {
        blur: true,
        low: 12,
        high: 24,
        dilate: 0,
    },
    Setting {
        blur: true,
        low: 12,
        high: 24,
        dilate: 1,
    },
    Setting {
        blur: true,
        low: 30,
        high: 60,
        dilate: 0,
    },
    Setting {
        blur: true,
        low: 30,
        high: 60,
        dilate: 1,
    },
    Setting {
        blur: true,
        low: 80,
        high: 160,
        dilate: 0,
    },
    Setting {
        blur: true,
        low: 80,
        high: 160,
        dilate: 1,
    },
];

/// Pixels that a component must have at least.
const SMALLEST: u32 = 6;

/// Finds squares; keeps its working memory from picture to picture.
#[derive(Debug, Default)]
pub struct Finder {
    edges: Edges,
    labeller: Labeller,
}

impl Finder {
    /// All squares of a gray image, those of several settings merged.
    pub fn squares(&mut self, luma: &[u8], width: usize, height: usize) -> Vec<Square> {
        let mut all = Vec::new();
        let largest = (width * height / 6) as u32;
        let mut loaded = None;
        for setting in SETTINGS {
            if loaded != Some(setting.blur) {
                self.edges.load(luma, width, height, setting.blur);
                loaded = Some(setting.blur);
            }
            let mask = self.edges.mask(setting.low, setting.high, setting.dilate);
            for component in self.labeller.components(mask, width) {
                if (SMALLEST..=largest).contains(&component.area)
                    && let Some(square) = square(component, 1 + 2 * setting.dilate as i32)
                {
                    merge(&mut all, square);
                }
            }
        }
        all
    }

    /// The edges of the last picture.
    pub fn edges(&self) -> &Edges {
        &self.edges
    }
}

/// The component as a square, if its second moments are those of one: variance side²/12 along both axes and no covariance, at any
/// roll. `lost` is what edges and dilation took of its side, in pixels.
fn square(c: &Component, lost: i32) -> Option<Square> {
    let n = u64::from(c.area);
    // n² times the (co)variances. The pixels' own extent adds 1/12.
    let xx = (n * c.xx - c.x * c.x) as i64;
    let yy = (n * c.yy - c.y * c.y) as i64;
    let xy = (n * c.xy) as i64 - (c.x * c.y) as i64;
    let n = n as i64;
    let (xx, yy, xy) = (12 * xx + n * n, 12 * yy + n * n, 12 * xy);
    // A perfect square has xx = yy = n³. Corner-rounded stickers of a 2x2x2 and chipped ones stay inside these bounds; LEGO's beams
    // and holes with their rims do not.
    let cube = n * n * n;
    let fits = |v: i64| 20 * v >= 13 * cube && 20 * v <= 30 * cube;
    if !fits(xx) || !fits(yy) || 20 * xy.abs() > 7 * cube || xx.max(yy) * 20 > xx.min(yy) * 34 {
        return None;
    }
    let side = (((c.area * (UNITS * UNITS) as u32) as u64).isqrt()) as i32 + lost * UNITS;
    let centre = |sum: u64| ((sum * UNITS as u64 + n as u64 / 2) / n as u64) as i32;
    Some(Square {
        x: centre(c.x),
        y: centre(c.y),
        side,
        votes: 1,
    })
}

/// Adds a square, or a vote to the one that is there already; of the two the larger stays.
fn merge(all: &mut Vec<Square>, new: Square) {
    for old in all.iter_mut() {
        let near = old.side.min(new.side) / 6;
        if (old.x - new.x).abs() <= near && (old.y - new.y).abs() <= near && 3 * (old.side - new.side).abs() <= old.side
        {
            old.votes += 1;
            return;
        }
    }
    all.push(new);
}
