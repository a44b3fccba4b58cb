//! Decides where each sticker is: fits the lattice without outliers, and allows for layers that stand a little turned.

use super::grid::{Grid, Point};
use super::placement::Placement;

/// A square farther from its place than this part of the pitch is not that place's sticker.
const FAR: f32 = 0.22;
/// The first, careful fit uses squares nearer to their places than this part of the pitch.
const NEAR: f32 = 0.1;
/// A square moves its sticker's centre from its place by at most this part of the pitch. A larger shift comes from a chip, glare or an edge
/// that was missed on one side.
const LEEWAY: f32 = 0.08;
/// So many squares of a row (or column) tell whether its layer is shifted.
const TELLING: usize = 3;

/// Where a sticker is, and whether its square was seen there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Centre {
    /// In 1/16 pixel.
    pub at: [f32; 2],
    /// Seen, or else placed from the lattice.
    pub found: bool,
}

/// The centres of all cells row by row, and the lattice that they lie on.
///
/// A layer that is not quite square moves a whole row sideways, or a whole column up or down. So squares may leave the lattice together, but
/// not alone.
pub fn refine(placement: &Placement) -> (Grid, Vec<Centre>) {
    let size = placement.size;
    let seen: Vec<(usize, Point)> = (placement.found.iter().enumerate())
        .filter_map(|(cell, square)| square.map(|s| (cell, ([(cell % size) as i32, (cell / size) as i32], [s.x, s.y]))))
        .collect();
    let mut grid = careful_fit(&seen, placement.grid);
    let mut trusted = seen;
    // Twice, because without the outliers the lattice and the shifts of the layers get better.
    for _ in 0..2 {
        let limit = FAR * grid.pitch();
        let shifts = Shifts::of(&trusted, &grid, size);
        trusted.retain(|(_, point)| {
            let at = shifts.place(&grid, point.0);
            distance(at, point.1) <= limit
        });
        let points: Vec<Point> = trusted.iter().map(|&(_, point)| point).collect();
        grid = Grid::fit(&points).unwrap_or(grid);
    }
    let shifts = Shifts::of(&trusted, &grid, size);
    let mut centres: Vec<Centre> = (0..size * size)
        .map(|cell| Centre {
            at: shifts.place(&grid, [(cell % size) as i32, (cell / size) as i32]),
            found: false,
        })
        .collect();
    let leeway = LEEWAY * grid.pitch();
    for (cell, (_, at)) in trusted {
        // A square that was only guessed does not move its place.
        if placement.found[cell].is_some_and(|square| square.votes > 0) {
            let place = centres[cell].at;
            let at = [0, 1].map(|axis| place[axis] + (at[axis] as f32 - place[axis]).clamp(-leeway, leeway));
            centres[cell] = Centre { at, found: true };
        }
    }
    (grid, centres)
}

/// The larger of the distances along both axes.
fn distance(a: [f32; 2], b: [i32; 2]) -> f32 {
    (a[0] - b[0] as f32).abs().max((a[1] - b[1] as f32).abs())
}

/// A fit to the squares that lie well, as long as they are at least half of all.
fn careful_fit(seen: &[(usize, Point)], grid: Grid) -> Grid {
    let off = |point: &Point| distance(grid.at(point.0[0] as f32, point.0[1] as f32), point.1);
    let near: Vec<Point> = seen
        .iter()
        .map(|s| s.1)
        .filter(|p| off(p) <= NEAR * grid.pitch())
        .collect();
    if 2 * near.len() < seen.len() {
        grid
    } else {
        Grid::fit(&near).unwrap_or(grid)
    }
}

/// How far each row is shifted sideways, and each column up or down.
struct Shifts {
    rows: Vec<f32>,
    columns: Vec<f32>,
}

impl Shifts {
    fn of(seen: &[(usize, Point)], grid: &Grid, size: usize) -> Shifts {
        // Row numbers have axis 1 and move along axis 0; columns the other way round.
        let shifts = |line: usize, along: usize| {
            (0..size as i32).map(move |number| {
                let residuals = seen
                    .iter()
                    .filter(|s| s.1.0[line] == number)
                    .map(|(_, (cell, at))| at[along] as f32 - grid.at(cell[0] as f32, cell[1] as f32)[along]);
                median(residuals.collect())
            })
        };
        Shifts {
            rows: shifts(1, 0).collect(),
            columns: shifts(0, 1).collect(),
        }
    }

    fn place(&self, grid: &Grid, cell: [i32; 2]) -> [f32; 2] {
        let [x, y] = grid.at(cell[0] as f32, cell[1] as f32);
        [x + self.rows[cell[1] as usize], y + self.columns[cell[0] as usize]]
    }
}

/// The median of enough values, else 0.
fn median(mut values: Vec<f32>) -> f32 {
    if values.len() < TELLING {
        return 0.0;
    }
    values.sort_by(f32::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::squares::Square;

    /// Squares 160 units (10 pixels) apart, each moved by `moved(column, row)`; `None` hides it.
    fn placement(size: usize, moved: impl Fn(i32, i32) -> Option<[i32; 2]>) -> Placement {
        let points: Vec<Point> = (0..size as i32 * size as i32)
            .map(|cell| [cell % size as i32, cell / size as i32])
            .map(|[c, r]| ([c, r], [1000 + 160 * c, 1000 + 160 * r]))
            .collect();
        let found = points.iter().map(|(cell, at)| {
            moved(cell[0], cell[1]).map(|[dx, dy]| Square {
                x: at[0] + dx,
                y: at[1] + dy,
                side: 130,
                votes: 1,
                error: 0,
            })
        });
        let found: Vec<Option<Square>> = found.collect();
        let seen: Vec<Point> = points
            .iter()
            .zip(&found)
            .filter_map(|(p, s)| s.map(|s| (p.0, [s.x, s.y])))
            .collect();
        Placement {
            size,
            grid: Grid::fit(&seen).unwrap(),
            found,
        }
    }

    fn off(centre: &Centre, cell: usize, size: usize, shift: [f32; 2]) -> f32 {
        let at = [
            1000.0 + 160.0 * (cell % size) as f32 + shift[0],
            1000.0 + 160.0 * (cell / size) as f32 + shift[1],
        ];
        (centre.at[0] - at[0]).abs().max((centre.at[1] - at[1]).abs())
    }

    #[test]
    fn a_square_that_lies_off_alone_is_replaced_by_its_place() {
        for bad in [0, 5, 15] {
            let (_, centres) = refine(&placement(4, |c, r| {
                Some(if 4 * r + c == bad { [50, -45] } else { [2, 1] })
            }));
            for (cell, centre) in centres.iter().enumerate() {
                assert_eq!(centre.found, cell != bad as usize, "cell {cell}, bad {bad}");
                assert!(
                    off(centre, cell, 4, [0.0; 2]) < 10.0,
                    "cell {cell}, bad {bad}: {centre:?}"
                );
            }
        }
    }

    #[test]
    fn a_row_that_is_shifted_as_a_whole_stays_and_its_hidden_sticker_moves_with_it() {
        let (_, centres) = refine(&placement(7, |c, r| match (c, r) {
            (3, 6) => None,
            (_, 6) => Some([50, 0]),
            _ => Some([0, 0]),
        }));
        for (cell, centre) in centres.iter().enumerate() {
            assert_eq!(centre.found, cell != 45);
            let shift = if cell / 7 == 6 { 50.0 } else { 0.0 };
            assert!(off(centre, cell, 7, [shift, 0.0]) < 16.0, "cell {cell}: {centre:?}");
        }
    }

    #[test]
    fn every_count_of_squares_gives_all_centres() {
        for size in 2..=7 {
            for seen in 3..=size * size {
                let placed = placement(size, |c, r| {
                    let cell = r as usize * size + c as usize;
                    // The corner keeps the rest from lying on one line.
                    (cell < seen - 1 || cell == size * size - 1).then_some([0, 0])
                });
                let (_, centres) = refine(&placed);
                assert_eq!(centres.len(), size * size);
                assert_eq!(centres.iter().filter(|c| c.found).count(), seen);
                for (cell, centre) in centres.iter().enumerate() {
                    assert!(
                        off(centre, cell, size, [0.0; 2]) < 4.0,
                        "size {size}, {seen} seen, cell {cell}"
                    );
                }
            }
        }
    }
}
