//! A bent lattice in the picture: column and row to pixels, fitted to the squares that were found.

/// One fitted point: the cell's column and row, and where its centre is seen (1/16 pixel).
pub type Point = ([i32; 2], [i32; 2]);

/// `position = a + b·column + c·row + d·column·row`, in 1/16 pixel. Over a cube's face a bilinear lattice stays within a twentieth
/// of a pitch of the projective one at 10° of tilt, is linear to fit, and never folds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// The cell about which the coefficients hold: the mean of the fitted ones.
    base: [f32; 2],
    /// a, b, c, d for x and for y.
    terms: [[f32; 4]; 2],
}

/// From this many points on the bilinear term is fitted; fewer give a parallelogram.
const POINTS_FOR_BEND: usize = 6;
/// Weight against the bilinear term, in cell² units: with few points it stays near zero.
const STIFFNESS: f32 = 2.0;

impl Grid {
    /// Least squares; `None` when the points lie on one line of cells.
    pub fn fit(points: &[Point]) -> Option<Grid> {
        if points.len() < 3 {
            return None;
        }
        let n = points.len() as f32;
        let mean = |axis: usize| points.iter().map(|p| p.0[axis]).sum::<i32>() as f32 / n;
        let base = [mean(0), mean(1)];
        let order = if points.len() < POINTS_FOR_BEND { 3 } else { 4 };
        let mut system = [[0f32; 6]; 4];
        for (cell, seen) in points {
            let (u, v) = (cell[0] as f32 - base[0], cell[1] as f32 - base[1]);
            let row = [1.0, u, v, u * v];
            for i in 0..order {
                for j in 0..order {
                    system[i][j] += row[i] * row[j];
                }
                system[i][4] += row[i] * seen[0] as f32;
                system[i][5] += row[i] * seen[1] as f32;
            }
        }
        system[3][3] += STIFFNESS;
        let solved = solve(system)?;
        Some(Grid {
            base,
            terms: [0, 1].map(|axis| solved.map(|pair| pair[axis])),
        })
    }

    /// Where the centre of a cell is, in 1/16 pixel.
    pub fn at(&self, column: f32, row: f32) -> [f32; 2] {
        let (u, v) = (column - self.base[0], row - self.base[1]);
        self.terms.map(|t| t[0] + t[1] * u + t[2] * v + t[3] * u * v)
    }

    /// Mean pitch in 1/16 pixel at the fitted cells.
    pub fn pitch(&self) -> f32 {
        let [t, s] = self.terms;
        (t[1] * s[2] - t[2] * s[1]).abs().sqrt()
    }

    /// The same lattice with other names: what was cell (`column`, `row`) becomes (0, 0).
    pub fn shifted(&self, column: i32, row: i32) -> Grid {
        Grid {
            base: [self.base[0] - column as f32, self.base[1] - row as f32],
            terms: self.terms,
        }
    }
}

/// Gauss-Jordan with row pivots for two right sides; an all-zero last unknown is left out by its stiffness on the diagonal.
fn solve(mut m: [[f32; 6]; 4]) -> Option<[[f32; 2]; 4]> {
    for i in 0..4 {
        let pivot = (i..4).max_by(|&a, &b| m[a][i].abs().total_cmp(&m[b][i].abs()))?;
        m.swap(i, pivot);
        // Sums of squares of whole cells about their mean: what is much below 1 is a line, not a lattice.
        if m[i][i].abs() < 0.05 {
            return None;
        }
        for row in 0..4 {
            if row != i {
                let factor = m[row][i] / m[i][i];
                for column in i..6 {
                    m[row][column] -= factor * m[i][column];
                }
            }
        }
    }
    Some([0, 1, 2, 3].map(|i| [m[i][4] / m[i][i], m[i][5] / m[i][i]]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::drawing::{Drawing, Random};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_fit_gives_every_cell_of_a_side_seen_askew_also_the_hidden_ones(
            size in 2usize..8, roll in -8.0..8.0, tilt in -10.0..10.0, pan in -10.0..10.0, seed: u32,
        ) {
            let side = Drawing { turned: [roll, tilt, pan], ..Drawing::new(320, 240, size, [0; 3]) };
            let mut random = Random(seed);
            let mut points = Vec::new();
            for cell in 0..size * size {
                // A third is hidden, but no corner: that would be extrapolation.
                let corner = [0, size - 1].contains(&(cell % size)) && [0, size - 1].contains(&(cell / size));
                if corner || random.below(3) > 0 {
                    points.push(([(cell % size) as i32, (cell / size) as i32], side.centre(cell).map(|v| (v * 16.0) as i32)));
                }
            }
            let grid = Grid::fit(&points).unwrap();
            for cell in 0..size * size {
                let [x, y] = grid.at((cell % size) as f32, (cell / size) as f32).map(|v| f64::from(v) / 16.0);
                let [wx, wy] = side.centre(cell);
                let off = (x - wx).abs().max((y - wy).abs());
                prop_assert!(off < 0.1 * side.pitch(), "cell {cell} is off by {off} px of {}", side.pitch());
            }
            prop_assert!((f64::from(grid.pitch()) / 16.0 / side.pitch() - 1.0).abs() < 0.06);
        }

        #[test]
        fn any_points_give_a_lattice_or_none(points in prop::collection::vec((prop::array::uniform2(-9i32..9), prop::array::uniform2(-9000i32..9000)), 0..30)) {
            if let Some(grid) = Grid::fit(&points) {
                prop_assert!(grid.at(3.0, -2.0).iter().all(|v| v.is_finite()));
            }
        }
    }

    #[test]
    fn points_on_one_line_are_no_lattice() {
        assert_eq!(
            Grid::fit(&[
                ([0, 0], [0, 0]),
                ([1, 0], [160, 0]),
                ([2, 0], [320, 0]),
                ([5, 0], [800, 0])
            ]),
            None
        );
        assert_eq!(Grid::fit(&[([0, 0], [0, 0]), ([1, 1], [160, 160])]), None);
    }

    #[test]
    fn a_shifted_lattice_is_the_same_one() {
        let grid = Grid::fit(&[
            ([0, 0], [10, 20]),
            ([1, 0], [170, 25]),
            ([0, 1], [5, 180]),
            ([2, 2], [320, 350]),
        ])
        .unwrap();
        assert_eq!(grid.shifted(-2, 1).at(3.0, 0.0), grid.at(1.0, 1.0));
    }
}
