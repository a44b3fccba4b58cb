//! What is kept of one side's picture, and the colours of its stickers.

use super::placement::Placement;
use super::refine::refine;
use super::squares::{Square, UNITS};
use super::{Lattice, Side, VisionError};
use crate::picture::{Picture, Roll};

/// Colours are means over this part of the pitch to all sides of a sticker's centre.
const SAMPLE: f32 = 0.3;

/// Squares within this part of the pitch of a cell's place are taken for its sticker.
pub(super) const NEAR: f32 = 0.3;

/// What is kept of one side's picture.
#[derive(Debug)]
pub struct SideView {
    pub(super) picture: Picture,
    /// How the kept picture is turned against the given one.
    pub(super) roll: Option<Roll>,
    /// Pixels of the given picture per pixel of the kept one.
    pub(super) factor: usize,
    pub(super) squares: Vec<Square>,
    pub(super) placements: Vec<Placement>,
    pub(super) trouble: Trouble,
}

/// Why a side without a lattice may have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    Small,
    Dark,
    Bright,
    Blurred,
    Unknown,
}

impl SideView {
    /// Memory that the side takes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        let found: usize = self
            .placements
            .iter()
            .map(|p| p.found.capacity() * size_of::<Option<Square>>())
            .sum();
        let placements = self.placements.capacity() * size_of::<Placement>();
        self.picture.bytes() + self.squares.capacity() * size_of::<Square>() + placements + found
    }

    /// How much of the picture its best placement explains, in square units.
    pub(super) fn explained(&self) -> f32 {
        let each = self.placements.iter().map(|p| p.support() * p.area());
        each.fold(0.0, f32::max)
    }

    /// Where a place of the kept picture is in the one that was given, in pixels.
    pub(super) fn given(&self, at: [f32; 2]) -> [f32; 2] {
        let at = self.roll.map_or(at, |roll| roll.back(at));
        at.map(|v| (v + 0.5) * self.factor as f32 - 0.5)
    }

    /// Width of the kept picture in 1/16 pixel.
    pub(super) fn units(&self) -> f32 {
        (self.picture.width() as i32 * UNITS) as f32
    }

    /// Samples the colours and gives centres in pixels of the picture that was given.
    pub(super) fn lattice(&self, placement: &Placement) -> Lattice {
        let units = UNITS as f32;
        let (grid, centres) = refine(placement);
        let radius = SAMPLE * grid.pitch() / units;
        let mut lattice = Lattice {
            size: placement.size,
            rgb: Vec::with_capacity(centres.len()),
            centres: Vec::with_capacity(centres.len()),
            found: Vec::with_capacity(centres.len()),
            pitch: grid.pitch() / units * self.factor as f32,
        };
        for centre in centres {
            let [x, y] = centre.at.map(|v| v / units);
            let (left, top) = ((x - radius).ceil() as i32, (y - radius).ceil() as i32);
            let (right, bottom) = ((x + radius).floor() as i32 + 1, (y + radius).floor() as i32 + 1);
            lattice.rgb.push(self.picture.mean_rgb(left, top, right, bottom));
            lattice.centres.push(self.given([x, y]));
            lattice.found.push(centre.found);
        }
        lattice
    }
}

/// Looks for a reason that the user can do something about. `strongest` is the largest gradient.
pub(super) fn trouble(picture: &Picture, strongest: u16) -> Trouble {
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
    pub fn error(self, side: Side) -> VisionError {
        match self {
            Trouble::Small => VisionError::TooSmall { side },
            Trouble::Dark => VisionError::TooDark { side },
            Trouble::Bright => VisionError::TooBright { side },
            Trouble::Blurred => VisionError::TooBlurred { side },
            Trouble::Unknown => VisionError::NoCube { side },
        }
    }
}
