//! Orbits: sets of places that pieces exchange among themselves.

use std::fmt;

use super::{Face, Square};
use crate::sure::surely;

/// A set of places that pieces can only exchange among themselves. Layers are counted from outside as in turns: the wings of a 4x4x4
/// are in layer 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OrbitKind {
    /// Eight pieces of three squares.
    Corner,
    /// The middle edge pieces of an odd cube: twelve of two squares.
    Midge,
    /// Other edge pieces: 24 of two squares.
    Wing {
        /// Its layer, from 2.
        layer: u8,
    },
    /// The fixed centres of an odd cube: six.
    FixedCentre,
    /// Centres on a face's diagonals: 24.
    XCentre {
        /// Its layer, from 2.
        layer: u8,
    },
    /// Centres on a face's middle lines, odd cubes only: 24.
    TCentre {
        /// Its layer, from 2.
        layer: u8,
    },
    /// Centres on neither, in mirrored pairs of orbits: 24.
    Oblique {
        /// Its layer from the nearest edge when that edge is held up.
        row: u8,
        /// Its column when held so, from the left, from 1. Less than half for a left oblique, more for a right one.
        column: u8,
    },
}

impl fmt::Display for OrbitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrbitKind::Corner => write!(f, "corner"),
            OrbitKind::Midge => write!(f, "midge"),
            OrbitKind::Wing { layer } => write!(f, "wing (layer {layer})"),
            OrbitKind::FixedCentre => write!(f, "fixed centre"),
            OrbitKind::XCentre { layer } => write!(f, "x-centre (layer {layer})"),
            OrbitKind::TCentre { layer } => write!(f, "t-centre (layer {layer})"),
            OrbitKind::Oblique { row, column } => write!(f, "oblique (row {row}, column {column})"),
        }
    }
}

/// An orbit: its kind and the squares of each of its places.
///
/// The squares of a corner go clockwise from the U or D one. Those of a midge begin with the U or D one, or else the F or B one. The first
/// square of a wing is the one that has the longer part of the edge on its right. As a wing cannot be flipped in its place, it has the same
/// first square everywhere.
#[derive(Debug, Clone)]
pub struct Orbit {
    /// Which pieces.
    pub kind: OrbitKind,
    /// 8, 12, 24 or 6 places, each with its 3, 2 or 1 squares.
    pub places: Vec<Vec<Square>>,
}

/// All orbits of a cube of size `n`, from corners to obliques; their squares together are every square once.
pub fn orbits(n: usize) -> Vec<Orbit> {
    let mut all: Vec<Orbit> = Vec::new();
    for square in Square::all(n) {
        let place = place_of(n, square);
        if place[0] != square {
            continue;
        }
        let kind = kind_of(n, square);
        match all.iter_mut().find(|orbit| orbit.kind == kind) {
            Some(orbit) => orbit.places.push(place),
            None => all.push(Orbit {
                kind,
                places: vec![place],
            }),
        }
    }
    crate::order::by_key(&mut all, |orbit| orbit.kind);
    all
}

/// The corners' orbit alone: a search asks for it once for every cube.
pub(super) fn corners(n: usize) -> Orbit {
    let ends = [0, n - 1];
    let squares = [Face::U, Face::D]
        .into_iter()
        .flat_map(|face| ends.map(|row| ends.map(|col| Square::at(n, face, row, col))).concat());
    Orbit {
        kind: OrbitKind::Corner,
        places: squares.map(|square| place_of(n, square)).collect(),
    }
}

/// The squares of the piece that a square belongs to, in the orbit's order.
fn place_of(n: usize, square: Square) -> Vec<Square> {
    let m = n as i32 - 1;
    let p = square.position(n);
    let mut faces: Vec<Face> = Face::ALL.into_iter().filter(|f| p[f.axis()] == f.sign() * m).collect();
    // U D before F B before R L.
    crate::order::by_key(&mut faces, |f| [2, 0, 1][f.axis()]);
    match faces[..] {
        [a, b, c] if determinant(a.normal(), b.normal(), c.normal()) > 0 => faces = vec![a, c, b],
        [a, b] => {
            let along = determinant(a.normal(), b.normal(), p);
            if along < 0 {
                faces = vec![b, a];
            }
        }
        _ => {}
    }
    faces.into_iter().map(|face| Square::of(n, face, p)).collect()
}

fn kind_of(n: usize, square: Square) -> OrbitKind {
    let m = n as i32 - 1;
    let layer = |coordinate: i32| ((m - coordinate.abs()) / 2 + 1) as u8;
    let p = square.position(n);
    match p.iter().filter(|c| c.abs() == m).count() {
        3 => return OrbitKind::Corner,
        2 => {
            let along = surely(p.iter().copied().find(|c| c.abs() != m));
            return if along == 0 {
                OrbitKind::Midge
            } else {
                OrbitKind::Wing { layer: layer(along) }
            };
        }
        _ => {}
    }
    let (row, col) = square.row_col(n);
    let (mut right, mut down) = (2 * col as i32 - m, 2 * row as i32 - m);
    if right == 0 && down == 0 {
        return OrbitKind::FixedCentre;
    }
    if right.abs() == down.abs() {
        return OrbitKind::XCentre { layer: layer(down) };
    }
    // Hold the nearest edge up.
    while -down <= right.abs() {
        (right, down) = (-down, right);
    }
    match right {
        0 => OrbitKind::TCentre { layer: layer(down) },
        _ => OrbitKind::Oblique {
            row: layer(down),
            column: ((right + m) / 2 + 1) as u8,
        },
    }
}

fn determinant(a: [i32; 3], b: [i32; 3], c: [i32; 3]) -> i32 {
    let axes = [(0, 1, 2), (1, 2, 0), (2, 0, 1)].into_iter();
    axes.map(|(x, y, z)| a[x] * (b[y] * c[z] - b[z] * c[y])).sum()
}

#[cfg(test)]
mod tests {
    use super::super::Turn;
    use super::*;

    #[test]
    fn orbits_cover_every_square_once_with_the_known_counts() {
        for n in 2..10 {
            let all = orbits(n);
            let mut squares: Vec<Square> = all.iter().flat_map(|o| o.places.concat()).collect();
            squares.sort();
            assert_eq!(squares, Square::all(n).collect::<Vec<_>>());
            assert_eq!(all[0].kind, OrbitKind::Corner);
            assert_eq!(all[0].places, corners(n).places);
            for orbit in &all {
                let places = match orbit.kind {
                    OrbitKind::Corner => 8,
                    OrbitKind::Midge => 12,
                    OrbitKind::FixedCentre => 6,
                    _ => 24,
                };
                assert_eq!(orbit.places.len(), places, "{n} {}", orbit.kind);
            }
        }
        let names = |n| orbits(n).iter().map(|o| o.kind.to_string()).collect::<Vec<_>>();
        assert_eq!(names(2), ["corner"]);
        assert_eq!(names(3), ["corner", "midge", "fixed centre"]);
        assert_eq!(names(4), ["corner", "wing (layer 2)", "x-centre (layer 2)"]);
        assert_eq!(names(5).len(), 6);
        assert_eq!(
            orbits(6)
                .iter()
                .filter(|o| matches!(o.kind, OrbitKind::Oblique { .. }))
                .count(),
            2
        );
        assert_eq!(
            orbits(7)
                .iter()
                .filter(|o| matches!(o.kind, OrbitKind::Oblique { .. }))
                .count(),
            2
        );
    }

    #[test]
    fn every_turn_takes_places_to_places_of_their_orbit_and_wings_keep_their_first_square() {
        for n in 2..8 {
            for face in Face::ALL {
                for first in 1..n as u8 {
                    let to = Turn {
                        face,
                        first,
                        last: first,
                        quarters: 1,
                    }
                    .permutation(n);
                    for orbit in orbits(n) {
                        for place in &orbit.places {
                            let mut moved: Vec<Square> =
                                place.iter().map(|s| Square::from_index(n, to[s.index(n)])).collect();
                            if matches!(orbit.kind, OrbitKind::Wing { .. }) {
                                assert!(orbit.places.contains(&moved), "{n} {} {moved:?}", orbit.kind);
                            } else {
                                moved.sort();
                                assert!(orbit.places.iter().any(|p| {
                                    let mut p = p.clone();
                                    p.sort();
                                    p == moved
                                }));
                            }
                        }
                    }
                }
            }
        }
    }

    /// Where a square of a face is when the face is held by a quarter further to the left.
    fn held(n: usize, (row, col): (usize, usize)) -> (usize, usize) {
        (n - 1 - col, row)
    }

    #[test]
    fn an_orbit_is_called_by_the_row_and_column_of_its_square_with_the_nearest_edge_up() {
        for n in 2..12 {
            for orbit in orbits(n) {
                let place = match orbit.kind {
                    OrbitKind::Wing { layer } => (1, layer),
                    OrbitKind::XCentre { layer } => (layer, layer),
                    OrbitKind::TCentre { layer } => (layer, n as u8 / 2 + 1),
                    OrbitKind::Oblique { row, column } => (row, column),
                    OrbitKind::Corner | OrbitKind::Midge | OrbitKind::FixedCentre => continue,
                };
                let at = (usize::from(place.0) - 1, usize::from(place.1) - 1);
                for first in orbit.places.iter().map(|place| place[0]) {
                    let four = std::iter::successors(Some(first.row_col(n)), |&at| Some(held(n, at)));
                    assert!(four.take(4).any(|square| square == at), "{n} {} {first:?}", orbit.kind);
                }
                if matches!(orbit.kind, OrbitKind::Wing { .. }) {
                    assert!(2 * at.1 < n - 1, "{n} {}", orbit.kind);
                }
            }
        }
    }
}
