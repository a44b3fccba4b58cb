//! The joint decision: reads six sides as a cube of one size, and takes into account where each side lies.

use super::comb;
use super::grid::Grid;
use super::placement::Placement;
use super::view::{NEAR, SideView};
use super::{Side, VisionError};
use crate::picture::Picture;

/// The six sides read as a cube of one size.
pub struct Reading {
    /// Where each side is, if anything can be there.
    pub placements: Vec<Option<Placement>>,
    /// Share of the pictures that is explained: placements by area, support and agreement with one another, summed over the sides.
    pub weight: f32,
}

/// Reads the sides as a cube of a given size: first each by itself, which gives the usual corners, then each again with these corners.
pub fn read(views: &[(Side, &SideView)], size: usize) -> Reading {
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

/// A side shows a different cube if a larger size explains so much more of its picture.
const DISSENT: f32 = 1.3;

/// An error if three or more sides clearly show a larger cube than the common one. A smaller one is no error: often some stickers of a side
/// are not seen.
pub fn dissent(views: &[(Side, &SideView)], size: usize) -> Option<VisionError> {
    let explained = |p: &Placement| p.support() * p.area();
    let mut others = views.iter().filter_map(|(side, view)| {
        let larger = view.placements.iter().filter(|p| p.size > size);
        let best = larger.max_by(|a, b| explained(a).total_cmp(&explained(b)))?;
        let common = strongest(view, size).map_or(0.0, explained);
        (explained(best) > DISSENT * common).then_some(VisionError::Disagree {
            size,
            side: *side,
            other: best.size,
        })
    });
    let first = others.next();
    if others.count() < 2 { None } else { first }
}

/// The best placement of a side by itself.
fn strongest(view: &SideView, size: usize) -> Option<&Placement> {
    let of_size = view.placements.iter().filter(|p| p.size == size);
    of_size.max_by(|a, b| (a.support() * a.area()).total_cmp(&(b.support() * b.area())))
}

/// The median over the sides of the corners of each side's best placement, in picture widths: the camera and the cube do not move much
/// from side to side. `None` when fewer than three sides have one.
fn usual_corners(views: &[(Side, &SideView)], size: usize) -> Option<[[f32; 2]; 4]> {
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

/// The most support that a placement loses by lying elsewhere than the other sides. Pictures may be taken by hand.
const STRAY: f32 = 0.3;

/// The placement with the most support that lies about where the other sides lie, and its merit.
fn choose(view: &SideView, size: usize, usual: Option<&[[f32; 2]; 4]>) -> Option<(f32, Placement)> {
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
    let from_others = corner_grid(&usual, size).map(|grid| Placement::on(grid, size, &view.squares, NEAR));
    let candidates = view
        .placements
        .iter()
        .filter(|p| p.size == size)
        .cloned()
        .chain(from_others);
    candidates.map(|p| (merit(&p), p)).max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Places the sides by their lines, which show also where few squares are seen: as cubes of the likeliest sizes, the best first. Squares
/// that lie there then correct the placement.
pub fn by_lines(views: &[(Side, &SideView)]) -> Vec<Vec<Placement>> {
    let pictures: Vec<&Picture> = views.iter().map(|(_, view)| &view.picture).collect();
    let sides = |(size, corners): comb::Corners| {
        let placement = |((_, view), corners): (&(Side, &SideView), [[f32; 2]; 4])| {
            let grid = corner_grid(&corners, size)?;
            Some(Placement::on(grid, size, &view.squares, NEAR).with_guesses(grid))
        };
        views.iter().zip(corners).map(placement).collect()
    };
    comb::corners(&pictures).into_iter().filter_map(sides).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_side_that_lies_elsewhere_does_not_move_the_others() {
        assert_eq!(median(vec![50.0, -900.0, 52.0, 51.0, 53.0]), 51.0);
        assert_eq!(median(vec![50.0, 900.0, 52.0, 51.0]), 51.5);
    }

    #[test]
    fn a_side_s_squares_lie_between_its_corners() {
        let corners = [[100.0, 200.0], [400.0, 200.0], [400.0, 500.0], [100.0, 500.0]];
        let grid = corner_grid(&corners, 3).unwrap();
        for (cell, at) in [([0.0, 0.0], [150.0, 250.0]), ([2.0, 1.0], [350.0, 350.0])] {
            let [x, y] = grid.at(cell[0], cell[1]);
            assert!((x - at[0]).abs() < 1.0 && (y - at[1]).abs() < 1.0, "{x} {y}");
        }
    }
}
