//! Squares, and where they are in space.

use std::fmt;
use std::str::FromStr;

use super::{Face, Symmetry, shown};

/// A square of the cube: a face, and its number there from 1, row by row.
///
/// Each face is read as it is seen from outside: U with F below it, D with F above it, the others with U above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square {
    /// The face.
    pub face: Face,
    /// From 1 to N², row by row.
    pub number: u16,
}

impl Square {
    /// The square with an index into a state of size `n`.
    pub fn from_index(n: usize, index: usize) -> Square {
        Square {
            face: Face::ALL[index / (n * n)],
            number: (index % (n * n)) as u16 + 1,
        }
    }

    /// The square in row `row` and column `col`, from 0.
    pub fn at(n: usize, face: Face, row: usize, col: usize) -> Square {
        Square {
            face,
            number: (row * n + col) as u16 + 1,
        }
    }

    /// Its index into a state of size `n`: face · N² + row · N + column.
    pub fn index(self, n: usize) -> usize {
        self.face as usize * n * n + self.number as usize - 1
    }

    /// Row and column, from 0.
    pub fn row_col(self, n: usize) -> (usize, usize) {
        let i = self.number as usize - 1;
        (i / n, i % n)
    }

    /// The position of its cubie; `m` is N−1.
    pub fn position(self, n: usize) -> [i32; 3] {
        let (row, col) = self.row_col(n);
        let m = n as i32 - 1;
        let (right, down) = (2 * col as i32 - m, 2 * row as i32 - m);
        match self.face {
            Face::U => [right, m, down],
            Face::R => [m, -down, -right],
            Face::F => [right, -down, m],
            Face::D => [right, -m, -down],
            Face::L => [-m, -down, right],
            Face::B => [-right, -down, -m],
        }
    }

    /// The square of the cubie at a position that lies on `face`; the inverse of [`Square::position`].
    pub fn of(n: usize, face: Face, p: [i32; 3]) -> Square {
        let m = n as i32 - 1;
        let [x, y, z] = p;
        let (right, down) = match face {
            Face::U => (x, z),
            Face::R => (-z, -y),
            Face::F => (x, -y),
            Face::D => (x, -z),
            Face::L => (z, -y),
            Face::B => (-x, -y),
        };
        Square::at(n, face, ((down + m) / 2) as usize, ((right + m) / 2) as usize)
    }

    /// Where a symmetry of the whole cube takes it.
    pub fn moved(self, n: usize, by: Symmetry) -> Square {
        Square::of(n, by.face(self.face), by.position(self.position(n)))
    }

    /// All squares of a cube of size `n`, in the order of a state.
    pub fn all(n: usize) -> impl Iterator<Item = Square> {
        (0..6 * n * n).map(move |i| Square::from_index(n, i))
    }

    /// A number of every square, in the order of a state, that grows in even steps along the rows and the columns of a face, as a
    /// coordinate does and the index of where a symmetry takes it. Three squares of a face tell those of the others: searches turn thousands
    /// of cubes, and a brick takes long to divide.
    pub(super) fn evenly(n: usize, number: impl Fn(Square) -> i32) -> Vec<i32> {
        // Nothing to step to; and a search that has no cube left asks for none.
        if n < 2 {
            return Square::all(n).map(number).collect();
        }
        let mut numbers = Vec::with_capacity(6 * n * n);
        for face in Face::ALL {
            let at = |row, col| number(Square::at(n, face, row, col));
            let corner = at(0, 0);
            let (down, right) = (at(1, 0) - corner, at(0, 1) - corner);
            for row in 0..n as i32 {
                numbers.extend((0..n as i32).map(|col| corner + row * down + col * right));
            }
        }
        numbers
    }

    /// Where a symmetry of the whole cube takes each square, by index.
    pub(super) fn all_moved(n: usize, by: Symmetry) -> Vec<usize> {
        let to = Square::evenly(n, |square| square.moved(n, by).index(n) as i32);
        to.into_iter().map(|to| to as usize).collect()
    }
}

/// A text that names no square.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is no square: write a side and a number, for example F3", shown(.0))]
pub struct ParseSquareError(String);

impl FromStr for Square {
    type Err = ParseSquareError;

    /// The inverse of Display. Whether a cube has the square is another question.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let mut rest = text.chars();
        let face = rest
            .next()
            .and_then(|letter| Face::from_letter(letter.to_ascii_uppercase()));
        let number = Some(rest.as_str()).filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
        let number = number
            .and_then(|digits| digits.parse().ok())
            .filter(|&number| number > 0);
        match (face, number) {
            (Some(face), Some(number)) => Ok(Square { face, number }),
            _ => Err(ParseSquareError(text.to_string())),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.face, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_goes_where_its_cubie_and_its_side_go() {
        for n in [0, 1, 2, 3, 4, 7, 17] {
            for by in Symmetry::all() {
                let squares = Square::all(n).map(|square| square.moved(n, by).index(n));
                assert_eq!(Square::all_moved(n, by), squares.collect::<Vec<_>>(), "{n} {by:?}");
            }
        }
    }

    #[test]
    fn position_and_square_are_inverse_and_lie_on_their_face() {
        for n in 2..8 {
            for (i, square) in Square::all(n).enumerate() {
                assert_eq!(square.index(n), i);
                let p = square.position(n);
                assert_eq!(Square::of(n, square.face, p), square);
                assert_eq!(square.to_string().parse(), Ok(square));
                assert_eq!(p[square.face.axis()], square.face.sign() * (n as i32 - 1));
            }
        }
    }

    #[test]
    fn what_is_no_square_is_said() {
        for text in ["", "F", "F0", "3F", "X3", "F+3", "F3 ", "F99999", "ä1"] {
            let error = text.parse::<Square>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{text}' is no square")), "{error}");
        }
    }

    #[test]
    fn neighbouring_faces_touch_where_the_unfolded_cube_says() {
        // The corner URF of a 3x3x3 is U9 R1 F3.
        let n = 3;
        let p = Square {
            face: Face::U,
            number: 9,
        }
        .position(n);
        assert_eq!(Square::of(n, Face::R, p).to_string(), "R1");
        assert_eq!(Square::of(n, Face::F, p).to_string(), "F3");
        // and DBL is D7 B9 L7.
        let p = Square {
            face: Face::D,
            number: 7,
        }
        .position(n);
        assert_eq!(Square::of(n, Face::B, p).to_string(), "B9");
        assert_eq!(Square::of(n, Face::L, p).to_string(), "L7");
    }
}
