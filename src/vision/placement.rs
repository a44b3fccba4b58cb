//! Patches to placements: where a whole side of N x N stickers may be, for every N that it may have.

use super::grid::{Grid, Point};
use super::patch::Patch;
use super::squares::Square;

/// The cube sizes that are looked for.
pub const SIZES: std::ops::RangeInclusive<usize> = 2..=7;

/// Placements kept for each size: the best windows, which often tie when a whole border row was not seen.
const KEPT: usize = 8;

/// One way to lay N x N cells into a picture.
#[derive(Debug, Clone)]
pub struct Placement {
    /// N.
    pub size: usize,
    /// Cell (0, 0) is the sticker at the top left.
    pub grid: Grid,
    /// Row by row the square that lies on the cell, if one was seen.
    pub found: Vec<Option<Square>>,
}

impl Placement {
    /// Cells with a square.
    pub fn seen(&self) -> usize {
        self.found.iter().flatten().filter(|square| square.votes > 0).count()
    }

    /// Whether enough squares lie on it. Without squares, a place that other sides or lines suggest is not enough.
    pub fn is_seen(&self) -> bool {
        4 * self.seen() >= self.size * self.size
    }

    /// The evidence for the placement, per cell: 1 if every cell has a square, 0 or less if there are hardly more squares than by chance.
    pub fn support(&self) -> f32 {
        support(self.seen(), self.size, self.grid.pitch())
    }

    /// The area of all cells, in square units of 1/16 pixel. Support counts by area, so that small lattices in the background cannot
    /// outweigh the cube, although they repeat on all six sides.
    pub fn area(&self) -> f32 {
        (self.size * self.size) as f32 * self.grid.pitch() * self.grid.pitch()
    }

    /// The corners of the side, in 1/16 pixel: top left, top right, bottom right, bottom left.
    pub fn corners(&self) -> [[f32; 2]; 4] {
        let far = self.size as f32 - 0.5;
        [[-0.5, -0.5], [far, -0.5], [far, far], [-0.5, far]].map(|[c, r]| self.grid.at(c, r))
    }

    /// Lays squares onto a grid: each cell takes the nearest within `reach` pitches, and the grid is fitted to them again.
    pub fn on(grid: Grid, size: usize, squares: &[Square], reach: f32) -> Placement {
        let limit = (reach * grid.pitch()) as i32;
        let found: Vec<Option<Square>> = (0..size * size)
            .map(|cell| {
                let [x, y] = grid.at((cell % size) as f32, (cell / size) as f32).map(|v| v as i32);
                let distance = |s: &Square| (s.x - x).abs().max((s.y - y).abs());
                let pitch = grid.pitch() as i32;
                let fits = |s: &&Square| distance(s) <= limit && s.side < pitch && 2 * s.side > pitch;
                squares.iter().filter(fits).min_by_key(|s| distance(s)).copied()
            })
            .collect();
        let mut placement = Placement { size, grid, found };
        placement.settle();
        placement
    }

    /// Adds a guess, a square without votes, wherever no square was seen. Guesses keep a few squares from bending the lattice.
    pub fn with_guesses(mut self, grid: Grid) -> Placement {
        for (cell, found) in self.found.iter_mut().enumerate() {
            found.get_or_insert_with(|| {
                let [x, y] = grid
                    .at((cell % self.size) as f32, (cell / self.size) as f32)
                    .map(|v| v as i32);
                Square {
                    x,
                    y,
                    side: 0,
                    votes: 0,
                    error: 0,
                }
            });
        }
        self.settle();
        self
    }

    /// Fits the grid to the squares of the window alone.
    fn settle(&mut self) {
        let size = self.size;
        let points: Vec<Point> = (self.found.iter().enumerate())
            .filter_map(|(cell, square)| square.map(|s| ([(cell % size) as i32, (cell / size) as i32], [s.x, s.y])))
            .collect();
        if let Some(grid) = Grid::fit(&points) {
            self.grid = grid;
        }
    }
}

/// Stickers of this pitch (1/16 pixel) and more are nearly always seen. Then a cell without a square counts as much against a placement as a
/// cell with a square counts for it.
const CLEAR: f32 = 16.0 * super::squares::UNITS as f32;

/// The share of cells with a square minus the share without. Missing squares count less for small stickers, because many of these are not
/// seen.
fn support(seen: usize, size: usize, pitch: f32) -> f32 {
    let (seen, cells) = (seen as f32, (size * size) as f32);
    (seen - (pitch / CLEAR).clamp(0.5, 1.0) * (cells - seen)) / cells
}

/// The best placements of every size that the patches allow.
pub fn placements(patches: &[Patch], squares: &[Square]) -> Vec<Placement> {
    let mut all = Vec::new();
    for size in SIZES {
        let mut windows: Vec<(f32, &Patch, [i32; 2])> = Vec::new();
        for patch in patches {
            let (left, right) = window_range(patch, size, 0);
            let (top, bottom) = window_range(patch, size, 1);
            let area = patch.grid.pitch() * patch.grid.pitch();
            for row in top..=bottom {
                for column in left..=right {
                    let inside = patch
                        .cells
                        .iter()
                        .filter(|(cell, _)| inside(*cell, [column, row], size).is_some());
                    let support = support(inside.count(), size, patch.grid.pitch());
                    if support > 0.0 {
                        windows.push((support * area, patch, [column, row]));
                    }
                }
            }
        }
        windows.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.extend(
            windows
                .into_iter()
                .take(KEPT)
                .map(|(_, patch, corner)| cut(patch, squares, size, corner)),
        );
    }
    all
}

/// The window's corner can be anywhere from where it covers the first cells of the patch to where it covers the last ones.
fn window_range(patch: &Patch, size: usize, axis: usize) -> (i32, i32) {
    let cells = patch.cells.iter().map(|(cell, _)| cell[axis]);
    let first = cells.clone().min().unwrap_or(0);
    let last = cells.max().unwrap_or(0) - size as i32 + 1;
    (first.min(last), first.max(last))
}

/// The number of a patch's cell in a window.
fn inside(cell: [i32; 2], corner: [i32; 2], size: usize) -> Option<usize> {
    let within = |axis: usize| usize::try_from(cell[axis] - corner[axis]).ok().filter(|&i| i < size);
    Some(within(1)? * size + within(0)?)
}

fn cut(patch: &Patch, squares: &[Square], size: usize, corner: [i32; 2]) -> Placement {
    let mut found = vec![None; size * size];
    for &(cell, square) in &patch.cells {
        if let Some(i) = inside(cell, corner, size) {
            found[i] = Some(squares[square]);
        }
    }
    let mut placement = Placement {
        size,
        grid: patch.grid.shifted(corner[0], corner[1]),
        found,
    };
    placement.settle();
    placement
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::patch::patches;

    /// The sizes of the best placements on a lattice of 12 pixels pitch, where the cells for which `seen` is true have a square.
    fn best_sizes(seen: impl Fn(i32, i32) -> bool) -> Vec<(usize, f32)> {
        let cells = (0..49).map(|cell| (cell % 7, cell / 7)).filter(|&(c, r)| seen(c, r));
        let square = |(c, r)| Square {
            x: 900 + 192 * c,
            y: 700 + 192 * r,
            side: 160,
            votes: 1,
            error: 0,
        };
        let squares: Vec<Square> = cells.map(square).collect();
        let all = placements(&patches(&squares), &squares);
        let weight = |n: usize| {
            all.iter()
                .filter(|p| p.size == n)
                .map(|p| p.support() * p.area())
                .fold(0.0, f32::max)
        };
        SIZES.map(|n| (n, weight(n))).collect()
    }

    #[test]
    fn the_true_size_has_the_most_weight_also_with_a_fifth_of_the_stickers_unseen() {
        for size in SIZES {
            for hidden in 0..5 {
                let n = size as i32;
                let weights = best_sizes(|c, r| c < n && r < n && (size < 4 || (c + 2 * r) % 5 != hidden));
                let mut others = weights.iter().filter(|w| w.0 != size);
                let own = weights[size - 2].1;
                assert!(others.all(|w| w.1 < own), "{size}: {weights:?}");
            }
        }
    }

    #[test]
    fn a_placement_keeps_its_squares_in_their_cells() {
        let squares: Vec<Square> = (0..9)
            .map(|i| Square {
                x: 900 + 192 * (i % 3),
                y: 700 + 192 * (i / 3),
                side: 160,
                votes: 1,
                error: 0,
            })
            .collect();
        let all = placements(&patches(&squares), &squares);
        let three = all.iter().find(|p| p.size == 3).unwrap();
        let found: Vec<Option<Square>> = squares.iter().copied().map(Some).collect();
        assert_eq!(three.found, found);
        assert_eq!((three.seen(), three.support()), (9, 1.0));
        let [x, y] = three.corners()[0];
        assert!((x - 804.0).abs() < 2.0 && (y - 604.0).abs() < 2.0);
    }
}
