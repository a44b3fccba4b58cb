//! How a picture of a side lies: turned, mirrored.

use std::fmt;

/// How a picture of a side lies, compared with how the side is read: first mirrored from left to right, or not, and then turned clockwise.
/// These are the eight symmetries of a square.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Lie {
    /// Left and right are exchanged.
    pub mirrored: bool,
    /// Quarter turns clockwise, 0 to 3.
    pub quarters: u8,
}

impl Lie {
    /// The picture lies as the side is read.
    pub const UPRIGHT: Lie = Lie::turned(0);

    /// Turned clockwise by quarter turns.
    pub const fn turned(quarters: u8) -> Lie {
        Lie {
            mirrored: false,
            quarters: quarters % 4,
        }
    }

    /// All eight, the turned ones first.
    pub fn all() -> [Lie; 8] {
        std::array::from_fn(|i| Lie {
            mirrored: i >= 4,
            quarters: i as u8 % 4,
        })
    }

    /// How a picture lies that lies this way and is then moved by `next`.
    pub const fn then(self, next: Lie) -> Lie {
        let quarters = if next.mirrored {
            next.quarters + 4 - self.quarters
        } else {
            next.quarters + self.quarters
        };
        Lie {
            mirrored: self.mirrored != next.mirrored,
            quarters: quarters % 4,
        }
    }

    /// Reorders the N² squares of a picture that lies this way, given row by row, to the order in which the side is read.
    pub fn upright<T: Clone>(self, n: usize, squares: &[T]) -> Vec<T> {
        let mut squares = squares.to_vec();
        for _ in 0..self.quarters {
            // A quarter counter-clockwise: what was right comes to the top.
            squares = (0..n * n)
                .map(|i| squares[(i % n) * n + (n - 1 - i / n)].clone())
                .collect();
        }
        if self.mirrored {
            squares.chunks_mut(n).for_each(<[T]>::reverse);
        }
        squares
    }
}

impl fmt::Display for Lie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.mirrored, self.quarters) {
            (false, 0) => f.write_str("upright"),
            (true, 0) => f.write_str("mirrored"),
            (mirrored, quarters) => {
                let turned = ["", "90° clockwise", "180°", "90° counter-clockwise"];
                let mirrored = if mirrored { "mirrored and " } else { "" };
                write!(f, "{mirrored}rotated by {}", turned[usize::from(quarters % 4)])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_lie_after_the_other_is_their_product_and_each_can_be_undone() {
        let squares: Vec<usize> = (0..9).collect();
        assert!(Lie::all()[..4].iter().all(|lie| !lie.mirrored));
        assert!(Lie::all().iter().all(|lie| lie.quarters < 4));
        let different: std::collections::HashSet<Lie> = Lie::all().into();
        assert_eq!(different.len(), 8);
        for one in Lie::all() {
            assert!(Lie::all().iter().any(|other| one.then(*other) == Lie::UPRIGHT));
            for other in Lie::all() {
                // What was done last is undone first.
                let undone = one.upright(3, &other.upright(3, &squares));
                assert_eq!(one.then(other).upright(3, &squares), undone, "{one}, {other}");
            }
        }
    }

    #[test]
    fn a_picture_that_was_turned_clockwise_has_its_first_square_at_the_right() {
        let lying = ['c', 'a', 'd', 'b'];
        assert_eq!(Lie::turned(1).upright(2, &lying), ['a', 'b', 'c', 'd']);
        let mirrored = Lie {
            mirrored: true,
            quarters: 0,
        };
        assert_eq!(mirrored.upright(2, &['b', 'a', 'd', 'c']), ['a', 'b', 'c', 'd']);
        let both = Lie {
            mirrored: true,
            quarters: 1,
        };
        assert_eq!(both.upright(2, &['d', 'b', 'c', 'a']), ['a', 'b', 'c', 'd']);
        assert_eq!(both.to_string(), "mirrored and rotated by 90° clockwise");
    }
}
