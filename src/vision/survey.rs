//! Six sides, one decision: the size that all of them support together, and where each side's stickers are.

use super::grid::Grid;
use super::patch::patches;
use super::placement::{Placement, SIZES, placements};
use super::refine::refine;
use super::squares::{Finder, Square, UNITS};
use super::{Lattice, Side, VisionError};
use crate::picture::Picture;

/// Pictures are reduced to at most this many pixels a side: 17 pixels a sticker on a 7x7x7 that fills half the height.
const WORKING_SIZE: usize = 352;

/// Colours are means over this part of the pitch to all sides of a sticker's centre.
const SAMPLE: f32 = 0.3;

/// Collects the six sides, one picture at a time.
///
/// It keeps each picture reduced to at most 352 pixels a side (two bytes a pixel), and the squares and placements that were found in
/// it: about 200 kB a side, 1.2 MB in all. The working memory of the pixel stages is shared by all sides.
#[derive(Debug, Default)]
pub struct Survey {
    finder: Finder,
    views: [Option<View>; 6],
}

/// What is kept of one side.
#[derive(Debug)]
struct View {
    picture: Picture,
    /// Pixels of the given picture per pixel of the kept one.
    factor: usize,
    squares: Vec<Square>,
    placements: Vec<Placement>,
    trouble: Trouble,
}

/// Why a side without a lattice may have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    Small,
    Dark,
    Bright,
    Blurred,
    Unknown,
}

impl Survey {
    /// An empty survey.
    pub fn new() -> Survey {
        Survey::default()
    }

    /// Looks at one side; a second picture of the same side replaces the first.
    pub fn add(&mut self, side: Side, picture: &Picture) {
        let factor = picture.factor_for(WORKING_SIZE);
        let picture = picture.reduced(factor);
        let squares = self.finder.squares(picture.luma(), picture.width(), picture.height());
        let placements = placements(&patches(&squares), &squares);
        let trouble = trouble(&picture, self.finder.edges().strongest());
        log::debug!(
            "side {side}: {} squares, {} placements",
            squares.len(),
            placements.len()
        );
        self.views[side as usize] = Some(View {
            picture,
            factor,
            squares,
            placements,
            trouble,
        });
    }

    /// Decides on the size over all sides, and gives the six lattices in the order of [`Side::ALL`].
    ///
    /// # Errors
    /// [`VisionError`], which names the side and what to do.
    pub fn finish(&self) -> Result<[Lattice; 6], VisionError> {
        let mut views = Vec::with_capacity(6);
        for (side, view) in Side::ALL.into_iter().zip(&self.views) {
            views.push((side, view.as_ref().ok_or(VisionError::Missing { side })?));
        }
        let mut best: Option<Reading> = None;
        for size in SIZES {
            let reading = read(&views, size);
            log::debug!("as {size}x{size}: {:.3} of the six pictures explained", reading.weight);
            if best.as_ref().is_none_or(|best| reading.weight > best.weight) {
                best = Some(reading);
            }
        }
        let placements = best.map(|reading| reading.placements).unwrap_or_default();
        let mut lattices = Vec::with_capacity(6);
        for ((side, view), placement) in views.iter().zip(placements) {
            // A place that only the other sides suggest is not enough.
            let placement = placement.filter(|p| 4 * p.seen() >= p.size * p.size);
            let placement = placement.ok_or_else(|| view.trouble.error(*side))?;
            log::debug!(
                "side {side}: {} of {} stickers seen",
                placement.seen(),
                placement.found.len()
            );
            lattices.push(view.lattice(&placement));
        }
        if let Some(error) = lattices.first().and_then(|lattice| dissent(&views, lattice.size)) {
            return Err(error);
        }
        // Six went in, so six come out.
        lattices.try_into().map_err(|_| VisionError::Missing { side: Side::U })
    }
}

/// The six sides read as a cube of one size.
struct Reading {
    /// Where each side is, if anything can be there.
    placements: Vec<Option<Placement>>,
    /// Share of the pictures that is explained: placements by area, support and agreement with one another, summed over the sides.
    weight: f32,
}

/// Reads the sides as a cube of a given size: first each for itself, which gives the usual corners, then each with regard to those.
fn read(views: &[(Side, &View)], size: usize) -> Reading {
    let usual = usual_corners(views, size);
    let mut weight = 0.0;
    let placements = views.iter().map(|(_, view)| {
        let (merit, placement) = choose(view, size, usual.as_ref())?;
        weight += merit.max(0.0) * placement.area() / view.units() / view.units();
        Some(placement)
    });
    Reading {
        placements: placements.collect(),
        weight,
    }
}

/// An error when three or more sides support some size by themselves, but not the common one.
fn dissent(views: &[(Side, &View)], size: usize) -> Option<VisionError> {
    let mut others = views.iter().filter_map(|(side, view)| {
        let best = view
            .placements
            .iter()
            .max_by(|a, b| (a.support() * a.area()).total_cmp(&(b.support() * b.area())))?;
        let supported = view.placements.iter().any(|p| p.size == size);
        (!supported).then_some(VisionError::Disagree {
            size,
            side: *side,
            other: best.size,
        })
    });
    let first = others.next();
    if others.count() < 2 { None } else { first }
}

/// The best placement of a side by itself.
fn strongest(view: &View, size: usize) -> Option<&Placement> {
    let of_size = view.placements.iter().filter(|p| p.size == size);
    of_size.max_by(|a, b| (a.support() * a.area()).total_cmp(&(b.support() * b.area())))
}

/// The median over the sides of the corners of each side's best placement, in picture widths: the camera and the cube do not move much
/// from side to side. `None` when fewer than three sides have one.
fn usual_corners(views: &[(Side, &View)], size: usize) -> Option<[[f32; 2]; 4]> {
    let corners: Vec<[[f32; 2]; 4]> = (views.iter())
        .filter_map(|(_, view)| Some(strongest(view, size)?.corners().map(|c| c.map(|v| v / view.units()))))
        .collect();
    if corners.len() < 3 {
        return None;
    }
    Some([0, 1, 2, 3].map(|i| [0, 1].map(|axis| median(corners.iter().map(|c| c[i][axis]).collect()))))
}

fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}

/// Support that a placement loses at most by lying elsewhere than the other sides: pictures may be taken by hand.
const STRAY: f32 = 0.3;

/// The placement with the most support that lies about where the other sides lie, and its merit.
fn choose(view: &View, size: usize, usual: Option<&[[f32; 2]; 4]>) -> Option<(f32, Placement)> {
    let Some(usual) = usual else {
        return strongest(view, size).map(|p| (p.support(), p.clone()));
    };
    let usual = usual.map(|c| c.map(|v| v * view.units()));
    let extent = (usual[1][0] - usual[0][0]).abs().max(1.0);
    let merit = |p: &Placement| {
        let distances = p
            .corners()
            .into_iter()
            .zip(usual)
            .map(|(c, u)| (c[0] - u[0]).abs().max((c[1] - u[1]).abs()));
        p.support() - (distances.fold(0.0, f32::max) / extent).min(STRAY)
    };
    // As a last resort the place where the other sides are, with what lies on it.
    let from_others = corner_grid(&usual, size).map(|grid| Placement::on(grid, size, &view.squares, 0.35));
    let candidates = view
        .placements
        .iter()
        .filter(|p| p.size == size)
        .cloned()
        .chain(from_others);
    candidates.map(|p| (merit(&p), p)).max_by(|a, b| a.0.total_cmp(&b.0))
}

/// The lattice of a side whose corners are known.
fn corner_grid(corners: &[[f32; 2]; 4], size: usize) -> Option<Grid> {
    let n = size as f32;
    let mut points = Vec::with_capacity(size * size);
    for cell in 0..size * size {
        let (u, v) = (((cell % size) as f32 + 0.5) / n, ((cell / size) as f32 + 0.5) / n);
        let weights = [(1.0 - u) * (1.0 - v), u * (1.0 - v), u * v, (1.0 - u) * v];
        let at = [0, 1].map(|axis| weights.iter().zip(corners).map(|(w, c)| w * c[axis]).sum::<f32>() as i32);
        points.push(([(cell % size) as i32, (cell / size) as i32], at));
    }
    Grid::fit(&points)
}

impl View {
    /// Width of the kept picture in 1/16 pixel.
    fn units(&self) -> f32 {
        (self.picture.width() as i32 * UNITS) as f32
    }

    /// Samples the colours and gives centres in pixels of the picture that was given.
    fn lattice(&self, placement: &Placement) -> Lattice {
        let units = UNITS as f32;
        let (grid, centres) = refine(placement);
        let radius = SAMPLE * grid.pitch() / units;
        let factor = self.factor as f32;
        let given = |[x, y]: [f32; 2]| [x, y].map(|v| (v + 0.5) * factor - 0.5);
        let mut lattice = Lattice {
            size: placement.size,
            rgb: Vec::with_capacity(centres.len()),
            centres: Vec::with_capacity(centres.len()),
            found: Vec::with_capacity(centres.len()),
            pitch: grid.pitch() / units * factor,
        };
        for centre in centres {
            let [x, y] = centre.at.map(|v| v / units);
            let (left, top) = ((x - radius).ceil() as i32, (y - radius).ceil() as i32);
            let (right, bottom) = ((x + radius).floor() as i32 + 1, (y + radius).floor() as i32 + 1);
            lattice.rgb.push(self.picture.mean_rgb(left, top, right, bottom));
            lattice.centres.push(given([x, y]));
            lattice.found.push(centre.found);
        }
        lattice
    }
}

/// Looks for a reason that the user can do something about. `strongest` is the largest gradient.
fn trouble(picture: &Picture, strongest: u16) -> Trouble {
    if picture.width().min(picture.height()) < 48 {
        return Trouble::Small;
    }
    // The level that nine tenths of the pixels stay below, and the one that nine tenths stay above.
    let mut levels = [0usize; 256];
    for &y in picture.luma() {
        levels[usize::from(y)] += 1;
    }
    let tenth = picture.luma().len() / 10;
    let below = |part: usize| {
        let mut sum = 0;
        levels.iter().position(|&n| {
            sum += n;
            sum > part
        })
    };
    let (low, high) = (below(tenth).unwrap_or(0), below(9 * tenth).unwrap_or(255));
    if high < 40 {
        Trouble::Dark
    } else if low > 215 {
        Trouble::Bright
    } else if strongest < 100 {
        Trouble::Blurred
    } else {
        Trouble::Unknown
    }
}

impl Trouble {
    fn error(self, side: Side) -> VisionError {
        match self {
            Trouble::Small => VisionError::TooSmall { side },
            Trouble::Dark => VisionError::TooDark { side },
            Trouble::Bright => VisionError::TooBright { side },
            Trouble::Blurred => VisionError::TooBlurred { side },
            Trouble::Unknown => VisionError::NoCube { side },
        }
    }
}
