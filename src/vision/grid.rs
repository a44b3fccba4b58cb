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
