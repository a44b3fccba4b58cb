//! Six sides, one decision: the size that all of them support together, and where each side's stickers are.

use super::grid::Grid;
use super::patch::patches;
use super::placement::{Placement, SIZES, placements};
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
        let size = vote(&views)?;
        let usual = usual_corners(&views, size);
        let mut lattices = Vec::with_capacity(6);
        for (side, view) in views {
            let placement = choose(view, size, usual.as_ref()).ok_or_else(|| view.trouble.error(side))?;
            log::debug!("side {side}: {} of {} stickers seen", placement.seen(), size * size);
            lattices.push(view.lattice(&placement));
        }
        // Six went in, so six come out.
        lattices.try_into().map_err(|_| VisionError::Missing { side: Side::U })
    }
}

/// The size with the largest sum over the sides of the best placement's weight.
fn vote(views: &[(Side, &View)]) -> Result<usize, VisionError> {
    let best = |view: &View, size: usize| {
        let weights = view.placements.iter().filter(|p| p.size == size).map(Placement::weight);
        weights.fold(0.0, f32::max) / (view.picture.width() * view.picture.height()) as f32
    };
    let total = |size: usize| views.iter().map(|(_, view)| best(view, size)).sum::<f32>();
    let size = SIZES
        .max_by(|&a, &b| total(a).total_cmp(&total(b)))
        .unwrap_or(*SIZES.start());
    log::debug!(
        "weights by size: {:?}",
        SIZES.map(|n| (n, total(n))).collect::<Vec<_>>()
    );
    let mut dissent = Vec::new();
    for (side, view) in views {
        let own = SIZES
            .max_by(|&a, &b| best(view, a).total_cmp(&best(view, b)))
            .filter(|&n| best(view, n) > 0.0);
        if best(view, size) == 0.0
            && let Some(own) = own
        {
            dissent.push((*side, own));
        }
    }
    if dissent.len() > 2 {
        let (side, other) = dissent[0];
        return Err(VisionError::Disagree { size, side, other });
    }
    Ok(size)
}

/// The median over the sides of the corners of each side's best placement: the camera and the cube do not move much in between.
fn usual_corners(views: &[(Side, &View)], size: usize) -> Option<[[f32; 2]; 4]> {
    // In pixels of the picture that was given, as sides may come in different sizes.
    let corners: Vec<[[f32; 2]; 4]> = (views.iter())
        .filter_map(|(_, view)| {
            let of_size = view.placements.iter().filter(|p| p.size == size);
            let best = of_size.max_by(|a, b| a.weight().total_cmp(&b.weight()))?;
            Some(best.corners().map(|c| c.map(|v| v * view.factor as f32)))
        })
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

/// The placement that shows most squares and lies about where the other sides lie.
fn choose(view: &View, size: usize, usual: Option<&[[f32; 2]; 4]>) -> Option<Placement> {
    let cells = (size * size) as f32;
    let usual = usual.map(|corners| corners.map(|c| c.map(|v| v / view.factor as f32)));
    let Some(usual) = usual else {
        let of_size = view.placements.iter().filter(|p| p.size == size);
        return of_size.max_by(|a, b| a.weight().total_cmp(&b.weight())).cloned();
    };
    let extent = (usual[1][0] - usual[0][0]).abs().max(1.0);
    let merit = |p: &Placement| {
        let distances = p
            .corners()
            .into_iter()
            .zip(usual)
            .map(|(c, u)| (c[0] - u[0]).abs().max((c[1] - u[1]).abs()));
        p.net as f32 / cells - distances.fold(0.0, f32::max) / extent
    };
    // As a last resort the place where the other sides are, with what lies on it.
    let from_others = corner_grid(&usual, size).map(|grid| Placement::on(grid, size, &view.squares, 0.35));
    let candidates = view
        .placements
        .iter()
        .filter(|p| p.size == size)
        .cloned()
        .chain(from_others);
    candidates
        .filter(|p| p.seen() > 0)
        .max_by(|a, b| merit(a).total_cmp(&merit(b)))
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
    /// Samples the colours and gives centres in pixels of the picture that was given.
    fn lattice(&self, placement: &Placement) -> Lattice {
        let size = placement.size;
        let units = UNITS as f32;
        let radius = SAMPLE * placement.grid.pitch() / units;
        let mut lattice = Lattice {
            size,
            rgb: Vec::new(),
            centres: Vec::new(),
            found: Vec::new(),
            pitch: 0.0,
        };
        for (cell, square) in placement.found.iter().enumerate() {
            let centre = match square {
                Some(s) => [s.x as f32, s.y as f32],
                None => placement.grid.at((cell % size) as f32, (cell / size) as f32),
            };
            let [x, y] = centre.map(|v| v / units);
            let (left, top) = ((x - radius).ceil() as i32, (y - radius).ceil() as i32);
            let (right, bottom) = ((x + radius).floor() as i32 + 1, (y + radius).floor() as i32 + 1);
            lattice.rgb.push(self.picture.mean_rgb(left, top, right, bottom));
            lattice
                .centres
                .push([x, y].map(|v| (v + 0.5) * self.factor as f32 - 0.5));
            lattice.found.push(square.is_some());
        }
        lattice.pitch = placement.grid.pitch() / units * self.factor as f32;
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
