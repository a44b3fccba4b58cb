//! Which picture shows which side, and how each lies.

use std::fmt;

use crate::cube::{Face, Lie, State};
#[cfg(feature = "photos")]
use crate::cube::{Square, Symmetry};

/// The picture of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placed {
    /// The side that the picture is named after.
    pub picture: Face,
    /// How it lies against the way that the side it shows is read.
    pub lie: Lie,
}

/// For each side of the cube, in the order of [`Face::ALL`], its picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arrangement {
    /// By the side that is shown.
    pub sides: [Placed; 6],
}

/// An arrangement that fits nearly as well as the one that is assumed, and gives another cube.
#[derive(Debug, Clone)]
pub struct Rival {
    /// How the pictures lie.
    pub arrangement: Arrangement,
    /// What they show then. Its colours are called as those of the state that is assumed.
    pub state: State,
}

impl Arrangement {
    /// Every picture shows the side that it is named after, and lies upright.
    pub const NAMED: Arrangement = {
        let mut sides = [Placed {
            picture: Face::U,
            lie: Lie::UPRIGHT,
        }; 6];
        let mut i = 0;
        while i < 6 {
            sides[i].picture = Face::ALL[i];
            i += 1;
        }
        Arrangement { sides }
    };

    /// All arrangements with one mistake, the likeliest mistakes first: one picture turned, two exchanged, all six turned alike, one
    /// mirrored, all six mirrored.
    pub fn mistakes() -> Vec<Arrangement> {
        let named = Arrangement::NAMED;
        let one = |lie: Lie| {
            (0..6).map(move |i| {
                let mut one = named;
                one.sides[i].lie = lie;
                one
            })
        };
        let two = (0..6).flat_map(|i| {
            (0..i).map(move |j| {
                let mut two = named;
                two.sides.swap(i, j);
                two
            })
        });
        let all = |lie: Lie| Arrangement {
            sides: named.sides.map(|Placed { picture, .. }| Placed { picture, lie }),
        };
        let [_, turned @ .., a, b, c, d] = Lie::all();
        let mirrored = [a, b, c, d];
        let turned_ones = turned.into_iter().flat_map(one).chain(two).chain(turned.map(all));
        turned_ones
            .chain(mirrored.into_iter().flat_map(one))
            .chain(mirrored.map(all))
            .collect()
    }

    /// The same pictures when the whole cube is held in another way.
    #[cfg(feature = "photos")]
    fn held(&self, by: Symmetry) -> Arrangement {
        let mut held = *self;
        for (face, placed) in Face::ALL.into_iter().zip(self.sides) {
            // Where the first square of a face comes to lie, clockwise.
            let first = Square::at(2, face, 0, 0).moved(2, by);
            let quarters = [0, 1, 3, 2][usize::from(first.number) - 1];
            held.sides[first.face as usize] = Placed {
                // The side itself is turned so, and the picture lies that much less.
                lie: Lie::turned(4 - quarters).then(placed.lie),
                ..placed
            };
        }
        held
    }

    /// The same where the sides of another arrangement are taken for its pictures.
    #[cfg(feature = "photos")]
    pub fn after(&self, other: &Arrangement) -> Arrangement {
        let mut after = Arrangement::NAMED;
        for (to, placed) in after.sides.iter_mut().zip(self.sides) {
            let sides = Face::ALL.into_iter().zip(other.sides);
            for (face, before) in sides.filter(|(_, before)| before.picture == placed.picture) {
                let undone = Lie::all().into_iter().find(|lie| before.lie.then(*lie) == Lie::UPRIGHT);
                *to = Placed {
                    picture: face,
                    lie: placed.lie.then(undone.unwrap_or_default()),
                };
            }
        }
        after
    }

    /// In how many pictures it differs.
    #[cfg(feature = "photos")]
    pub(super) fn otherwise(&self, other: &Arrangement) -> usize {
        let pairs = self.sides.iter().zip(&other.sides);
        pairs.filter(|(one, other)| one != other).count()
    }

    /// Of all ways to hold the cube the one that is most like another arrangement: in which side and lie of the most pictures are the
    /// same, and then the sides.
    #[cfg(feature = "photos")]
    pub(super) fn held_like(&self, other: &Arrangement) -> Arrangement {
        let alike = |held: &Arrangement| {
            let pairs = held.sides.iter().zip(&other.sides);
            let sides = pairs.filter(|(a, b)| a.picture == b.picture).count();
            (6 - held.otherwise(other), sides)
        };
        // The last of equals counts: the first one is to be it.
        let ways = Symmetry::rotations().into_iter().rev().map(|by| self.held(by));
        ways.max_by_key(alike).unwrap_or(*self)
    }

    /// Held so that the first picture (the one that is named U) shows the upper side, upright.
    #[cfg(feature = "photos")]
    pub(super) fn held_first_up(&self) -> Arrangement {
        let ways = Symmetry::rotations().into_iter().map(|by| self.held(by));
        let mut ways = ways.filter(|held| held.sides[0] == Arrangement::NAMED.sides[0]);
        ways.next().unwrap_or(*self)
    }

    /// Rearranges values of squares: from pictures, by the sides that they are named after, to the sides of the cube. A side may have any
    /// number of pictures, one after the other.
    pub fn sides<T: Clone>(&self, n: usize, pictures: &[Vec<T>; 6]) -> [Vec<T>; 6] {
        self.sides.map(|Placed { picture, lie }| {
            let picture = &pictures[picture as usize];
            picture
                .chunks(n * n)
                .flat_map(|squares| lie.upright(n, squares))
                .collect()
        })
    }
}

/// The mistake in words for the user.
impl fmt::Display for Arrangement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let placed = Face::ALL.into_iter().zip(self.sides);
        let odd: Vec<(Face, Placed)> = placed
            .filter(|(face, placed)| placed.picture != *face || placed.lie != Lie::UPRIGHT)
            .collect();
        let alike = self.sides.iter().all(|placed| placed.lie == self.sides[0].lie);
        match &odd[..] {
            [] => f.write_str("every side is as it is named"),
            [(a, one), (b, _)] if one.picture == *b && alike => {
                write!(f, "{a} and {b} seem to be exchanged")
            }
            _ if alike && odd.iter().all(|(face, placed)| placed.picture == *face) => {
                write!(f, "all sides seem to be {}", self.sides[0].lie)
            }
            _ => {
                for (i, (face, Placed { picture, lie })) in odd.iter().enumerate() {
                    let and = if i == 0 { "" } else { ", " };
                    match (picture == face, *lie == Lie::UPRIGHT) {
                        (true, _) => write!(f, "{and}{face} seems to be {lie}")?,
                        (false, true) => write!(f, "{and}{picture} seems to be {face}")?,
                        (false, false) => write!(f, "{and}{picture} seems to be {face}, {lie}")?,
                    }
                }
                Ok(())
            }
        }
    }
}

#[cfg(all(test, feature = "photos"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_arranged_after_another_arrangement_is_as_if_it_were_alone() {
        let pictures: [Vec<usize>; 6] = std::array::from_fn(|i| (9 * i..9 * i + 9).collect());
        let held = Symmetry::rotations().into_iter().map(|by| Arrangement::NAMED.held(by));
        let all: Vec<Arrangement> = Arrangement::mistakes().into_iter().chain(held).collect();
        for one in &all {
            for other in &all {
                let in_turn = other.after(one).sides(3, &one.sides(3, &pictures));
                assert_eq!(in_turn, other.sides(3, &pictures), "{one}, then {other}");
            }
        }
    }

    #[test]
    fn pictures_of_a_cube_that_is_held_otherwise_show_it_so() {
        let state = State::from_fn(3, |square| {
            Face::ALL[(square.number as usize + square.face as usize) % 6]
        });
        let pictures = Face::ALL.map(|face| state.face(face).to_vec());
        for by in Symmetry::rotations() {
            let mut turned = state.clone();
            turned.rotate(by);
            let held = Arrangement::NAMED.held(by);
            assert_eq!(held.sides(3, &pictures).concat(), turned.colours(), "{held}");
            assert_eq!(held.held_like(&Arrangement::NAMED), Arrangement::NAMED);
            assert_eq!(held.held_first_up(), Arrangement::NAMED);
        }
    }

    #[test]
    fn an_arrangement_is_told_in_the_fewest_words() {
        let with = |changes: &[(usize, Face, Lie)]| {
            let mut arrangement = Arrangement::NAMED;
            for &(side, picture, lie) in changes {
                arrangement.sides[side] = Placed { picture, lie };
            }
            arrangement.to_string()
        };
        let (upright, half) = (Lie::UPRIGHT, Lie::turned(2));
        let [u, r, f] = [Face::U, Face::R, Face::F];
        assert_eq!(with(&[]), "every side is as it is named");
        assert_eq!(
            with(&[(0, r, upright), (1, u, upright)]),
            "U and R seem to be exchanged"
        );
        assert_eq!(with(&[(1, r, half)]), "R seems to be rotated by 180°");
        assert_eq!(
            with(&[(0, u, half), (1, r, half)]),
            "U seems to be rotated by 180°, R seems to be rotated by 180°"
        );
        assert_eq!(
            with(&[(0, r, half), (1, u, upright)]),
            "R seems to be U, rotated by 180°, U seems to be R"
        );
        assert_eq!(
            with(&[(0, r, upright), (1, f, upright), (2, u, upright)]),
            "R seems to be U, F seems to be R, U seems to be F"
        );
        let all = Arrangement {
            sides: Arrangement::NAMED.sides.map(|placed| Placed { lie: half, ..placed }),
        };
        assert_eq!(all.to_string(), "all sides seem to be rotated by 180°");
        let mut exchanged = all;
        exchanged.sides.swap(0, 1);
        assert_eq!(
            exchanged.to_string().matches(", rotated by 180°").count(),
            2,
            "{exchanged}"
        );
    }

    #[test]
    fn the_way_to_hold_a_cube_that_is_most_like_another_one_is_found() {
        for one in Arrangement::mistakes() {
            for by in Symmetry::rotations() {
                let held = one.held(by);
                // All the ways to hold it are those of the other one.
                let ways: Vec<Arrangement> = Symmetry::rotations().into_iter().map(|by| one.held(by)).collect();
                let differs =
                    |way: &Arrangement| (0..6).filter(|&i| way.sides[i] != Arrangement::NAMED.sides[i]).count();
                let found = held.held_like(&Arrangement::NAMED);
                assert!(ways.contains(&found));
                assert_eq!(ways.iter().map(differs).min(), Some(differs(&found)), "{one}");
                assert_eq!(found.otherwise(&Arrangement::NAMED), differs(&found));
                let sides = |way: &Arrangement| (0..6).filter(|&i| way.sides[i].picture == Face::ALL[i]).count();
                let best = ways.iter().map(|way| (6 - differs(way), sides(way))).max();
                assert_eq!(best, Some((6 - differs(&found), sides(&found))), "{one}");
                assert_eq!(held.held_like(&one), one);
                let first = held.held_first_up();
                let can = ways.iter().any(|way| way.sides[0] == Arrangement::NAMED.sides[0]);
                assert!(
                    ways.contains(&first) && can == (first.sides[0] == Arrangement::NAMED.sides[0]),
                    "{one}"
                );
            }
        }
    }
}
