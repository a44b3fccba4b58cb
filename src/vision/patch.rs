//! Makes patches of squares: grows a lattice from neighbour to neighbour, as far as squares lie on it.

use super::grid::{Grid, Point};
use super::squares::Square;

/// A patch never reaches further than this many cells from its seed.
const REACH: i32 = 9;

/// Limits of pitch divided by side: gaps are 5 to 40 % of the pitch, and measuring loses a little of the side.
const NARROWEST: f32 = 0.95;
const WIDEST: f32 = 1.75;

/// Squares that lie on one lattice.
#[derive(Debug, Clone)]
pub struct Patch {
    /// The lattice; its cell (0, 0) is the seed.
    pub grid: Grid,
    /// Cell and number of each square on it; every cell and every square at most once.
    pub cells: Vec<([i32; 2], usize)>,
}

/// Grows a patch from every corner of three squares that is not in a patch yet. The largest come first.
pub fn patches(squares: &[Square]) -> Vec<Patch> {
    let mut order: Vec<usize> = (0..squares.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(squares[i].votes), i));
    let mut used = vec![false; squares.len()];
    let mut found: Vec<Patch> = Vec::new();
    for &seed in &order {
        for (dx, dy) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
            if used[seed] {
                break;
            }
            let Some(patch) = corner(squares, seed, dx, dy).and_then(|start| grow(squares, start)) else {
                continue;
            };
            for &(_, square) in &patch.cells {
                used[square] = true;
            }
            found.push(patch);
        }
    }
    crate::order::by(&mut found, |a, b| a.cells.len() > b.cells.len());
    found
}

/// Whether two squares can be stickers of one cube.
pub fn alike(a: i32, b: i32) -> bool {
    20 * a.max(b) <= 29 * a.min(b)
}

/// The seed with its nearest neighbour along the lines and along the columns, to the given sides.
fn corner(squares: &[Square], seed: usize, dx: i32, dy: i32) -> Option<Vec<([i32; 2], usize)>> {
    let beside = neighbour(squares, seed, |x, y| (x * dx, y))?;
    let below = neighbour(squares, seed, |x, y| (y * dy, x))?;
    // Both pitches are about the same, and the arms are about at right angles.
    let (s, b, c) = (&squares[seed], &squares[beside], &squares[below]);
    let (bx, by) = (b.x - s.x, b.y - s.y);
    let (cx, cy) = (c.x - s.x, c.y - s.y);
    let (wide, high) = (bx.abs(), cy.abs());
    let skew = i64::from(bx) * i64::from(cx) + i64::from(by) * i64::from(cy);
    if 20 * wide.max(high) > 26 * wide.min(high) || 5 * skew.abs() > i64::from(wide) * i64::from(high) {
        return None;
    }
    Some(vec![([0, 0], seed), ([dx, 0], beside), ([0, dy], below)])
}

/// The nearest like square in the direction that `turned` makes (positive, about 0), at a distance that a gap of 5 to 40 % allows.
fn neighbour(squares: &[Square], of: usize, turned: impl Fn(i32, i32) -> (i32, i32)) -> Option<usize> {
    let from = &squares[of];
    let mut best: Option<(i32, usize)> = None;
    for (i, to) in squares.iter().enumerate() {
        let (along, across) = turned(to.x - from.x, to.y - from.y);
        let side = (from.side + to.side) / 2;
        if 20 * along < 19 * side || 20 * along > 33 * side || 4 * across.abs() > along || !alike(from.side, to.side) {
            continue;
        }
        if best.is_none_or(|(least, _)| along < least) {
            best = Some((along, i));
        }
    }
    best.map(|(_, i)| i)
}

fn grow(squares: &[Square], mut cells: Vec<([i32; 2], usize)>) -> Option<Patch> {
    let fit = |cells: &[([i32; 2], usize)]| {
        let points: Vec<Point> = cells
            .iter()
            .map(|&(cell, i)| (cell, [squares[i].x, squares[i].y]))
            .collect();
        Grid::fit(&points)
    };
    let mut grid = fit(&cells)?;
    let mut margin = 1;
    // Every round adds a square or widens the margin once. The bound only ends a loop in which squares come and go.
    for _ in 0..40 {
        let pitch = grid.pitch();
        let sides: i32 = cells.iter().map(|&(_, i)| squares[i].side).sum::<i32>() / cells.len() as i32;
        let bounds = |axis: usize| {
            let values = cells.iter().map(|(cell, _)| cell[axis]);
            (
                values.clone().min().unwrap_or(0) - margin,
                values.max().unwrap_or(0) + margin,
            )
        };
        let ((left, right), (top, bottom)) = (bounds(0), bounds(1));
        let mut news = Vec::new();
        for row in top.max(-REACH)..=bottom.min(REACH) {
            for column in left.max(-REACH)..=right.min(REACH) {
                if cells.iter().any(|(cell, _)| *cell == [column, row]) {
                    continue;
                }
                if let Some(i) = nearest(squares, grid.at(column as f32, row as f32), 0.25 * pitch, sides)
                    && !cells.iter().chain(&news).any(|&(_, j)| j == i)
                {
                    news.push(([column, row], i));
                }
            }
        }
        if news.is_empty() {
            if margin == 2 {
                break;
            }
            margin = 2;
            continue;
        }
        margin = 1;
        cells.extend(news);
        grid = fit(&cells)?;
        // Squares that the new fit leaves behind were no stickers. The seed always stays: its corner made the lattice.
        let limit = 0.3 * grid.pitch();
        let before = cells.len();
        cells.retain(|&([column, row], i)| {
            let [x, y] = grid.at(column as f32, row as f32);
            (x - squares[i].x as f32).abs().max((y - squares[i].y as f32).abs()) <= limit
        });
        if cells.len() < before {
            grid = fit(&cells)?;
        }
    }
    // Clutter beside the seed can give a lattice of half the pitch, on which all stickers lie, too.
    let sides = cells.iter().map(|&(_, i)| squares[i].side as f32).sum::<f32>();
    let gap = grid.pitch() * cells.len() as f32 / sides;
    (NARROWEST..=WIDEST).contains(&gap).then_some(Patch { grid, cells })
}

/// The like square nearest to a place, if there is one within `limit`.
fn nearest(squares: &[Square], at: [f32; 2], limit: f32, side: i32) -> Option<usize> {
    let (x, y, limit) = (at[0] as i32, at[1] as i32, limit as i32);
    let distance = |s: &Square| (s.x - x).abs().max((s.y - y).abs());
    let fits = |s: &Square| distance(s) <= limit && alike(s.side, side);
    squares
        .iter()
        .enumerate()
        .filter(|(_, s)| fits(s))
        .min_by_key(|(_, s)| distance(s))
        .map(|(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::drawing::{Drawing, Random};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_patch_holds_nearly_all_seen_stickers_each_on_its_cell_whatever_lies_around(
            size in 3usize..8, roll in -6.0..6.0, tilt in -10.0..10.0, pan in -10.0..10.0, seed: u32,
        ) {
            let side = Drawing { turned: [roll, tilt, pan], ..Drawing::new(320, 240, size, [0; 3]) };
            let mut random = Random(seed);
            let mut squares: Vec<Square> = Vec::new();
            let mut places = Vec::new();
            // One sticker is hidden in every six.
            let hidden = random.below(6) as usize;
            for cell in (0..size * size).filter(|cell| cell % 6 != hidden) {
                let [x, y] = side.centre(cell).map(|v| (v * 16.0) as i32 + random.below(16) as i32 - 8);
                squares.push(Square { x, y, side: (side.pitch() * 13.0) as i32, votes: 1 + random.below(4), error: 0 });
                places.push([(cell % size) as i32, (cell / size) as i32]);
            }
            for _ in 0..10 {
                let [x, y] = [random.below(320 * 16) as i32, random.below(40 * 16) as i32];
                squares.push(Square { x, y, side: 20 + random.below(600) as i32, votes: 1, error: 0 });
            }
            let found = patches(&squares);
            prop_assert!(!found.is_empty());
            // How far a patch's names of the cells are from the true ones: the same for all.
            let agreeing = |patch: &Patch| {
                let mut offsets: Vec<[i32; 2]> = (patch.cells.iter())
                    .filter_map(|(cell, i)| places.get(*i).map(|place| [cell[0] - place[0], cell[1] - place[1]]))
                    .collect();
                offsets.sort_unstable();
                offsets.chunk_by(|a, b| a == b).map(<[_]>::len).max().unwrap_or(0)
            };
            let most = found.iter().map(agreeing).max().unwrap_or(0);
            prop_assert!(10 * most >= 8 * places.len(), "{most} of {}", places.len());
        }

        #[test]
        fn any_squares_give_cells_and_squares_at_most_once(
            squares in prop::collection::vec((0i32..3000, 0i32..3000, 1i32..600, 1u32..5), 0..60),
        ) {
            let squares: Vec<Square> = squares.into_iter().map(|(x, y, side, votes)| Square { x, y, side, votes, error: 0 }).collect();
            for patch in patches(&squares) {
                for (i, a) in patch.cells.iter().enumerate() {
                    prop_assert!(patch.cells[..i].iter().all(|b| a.0 != b.0 && a.1 != b.1));
                }
            }
        }
    }

    #[test]
    fn two_squares_are_no_patch() {
        let square = |x, y| Square {
            x,
            y,
            side: 130,
            votes: 1,
            error: 0,
        };
        assert_eq!(patches(&[square(500, 500), square(660, 500)]).len(), 0);
        assert_eq!(
            patches(&[square(500, 500), square(660, 500), square(505, 662)]).len(),
            1
        );
    }
}
