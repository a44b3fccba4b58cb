//! The centres of a pair of layers as words, one for each face.
//!
//! The centres of two layers `i < j`, and of the middle layer, are several orbits. A face has four cells of each, and a turn
//! of the face takes all fours around in the same way. So a face is a word of *fours* of bits, one four for each orbit. A turn
//! of inner layers moves strips of the four faces around: some bits of every four. Either way a few instructions turn all
//! orbits, without a table.
//!
//! The sides of a face are numbered clockwise as seen from outside, in the order of [`sides`]. Corner `k` lies between the
//! sides `k` and `k + 1`. The words are in the order of [`Face`], and each has these fours:
//!
//! | four | cells |
//! |---|---|
//! | 0 and 6, 1 and 7 | t-centres of layer i, of layer j, at side k |
//! | 2, 3 | x-centres of layer i, of layer j, in corner k |
//! | 4 | obliques in corner k, in layer i as counted from side k |
//! | 5 | obliques in corner k, in layer j as counted from side k |
//!
//! The t-centres are in the word twice, so that any two of the three kinds lie next to one another. The seventh word of the row
//! has a bit for each of the two layers: whether the permutation of its wings is odd.

use crate::cube::{Face, Square, Turn};
use crate::search::{Row, around};
use crate::sure::{place_of, surely};

/// The word with the signs of the wings' permutations.
pub(super) const SIGNS: u8 = 6;

/// The faces around a face, clockwise as seen from outside. The first is chosen so that a rotation about the axis of R takes
/// each side of U, D, F and B to a side of the same number.
pub(super) fn sides(face: Face) -> [Face; 4] {
    let first = if face.axis() == 0 { Face::U } else { Face::R };
    // The sides of a face in the order above, right, below, left.
    let around = [(0, 1), (1, 2), (2, 1), (1, 0)].map(|(row, col)| {
        let position = Square::at(3, face, row, col).position(3);
        let axis = surely((0..3).find(|&axis| axis != face.axis() && position[axis] != 0));
        Face::at(axis, position[axis])
    });
    let begin = place_of(&around, &first);
    [0, 1, 2, 3].map(|k| around[(begin + k) % 4])
}

/// The number of the side of `face` where the face `at` lies.
pub(super) fn side(face: Face, at: Face) -> u8 {
    place_of(&sides(face), &at) as u8
}

/// The square of a face in layer `a`, counted from side `k`, and in layer `b`, counted from side `k + 1`.
fn square(n: usize, face: Face, k: u8, a: usize, b: usize) -> Square {
    let mut position = Square::at(n, face, 0, 0).position(n);
    let sides = sides(face);
    for (side, layer) in [(sides[usize::from(k) % 4], a), (sides[(usize::from(k) + 1) % 4], b)] {
        position[side.axis()] = side.sign() * (n as i32 + 1 - 2 * layer as i32);
    }
    Square::of(n, face, position)
}

/// The square of cell `k` of a four of a face. `None` for the t-centres of an even cube: it has none.
pub(super) fn cell(n: usize, [i, j]: [usize; 2], face: Face, four: u8, k: u8) -> Option<Square> {
    let middle = n / 2 + 1;
    let (a, b) = match four {
        0 | 1 | 6 | 7 if n.is_multiple_of(2) => return None,
        0 | 6 => (i, middle),
        1 | 7 => (j, middle),
        2 => (i, i),
        3 => (j, j),
        4 => (i, j),
        _ => (j, i),
    };
    Some(square(n, face, k, a, b))
}

/// What a turn does to the row of words of a pair of layers.
#[derive(Debug, Clone, Copy)]
struct Effect {
    face: u8,
    quarters: u8,
    /// The signs of wings that change, as bits of the seventh word.
    signs: u32,
    /// How many of `strips` move: 4 or none.
    moved: usize,
    strips: [Strip; 4],
}

/// The cells along a side of one face that go to another face.
#[derive(Debug, Clone, Copy, Default)]
struct Strip {
    from: u8,
    to: u8,
    around: u8,
    /// Which cells of `from` go, and which cells of `to` they become.
    cells: u32,
    become_cells: u32,
}

/// The cells along side 0 of a face: those of layer i, and those of layer j.
const STRIPS: [u32; 2] = [0x0181_0901, 0x1018_9010];

/// The cells along a side: of no layer, of layer i, or of both layers.
fn along(side: u8, layers: usize) -> u32 {
    let cells = STRIPS[..layers].iter().fold(0, |cells, strip| cells | strip);
    around(cells, side)
}

/// All effects that a turn can have on a row.
#[derive(Debug, Clone)]
pub(super) struct Effects(Vec<Effect>);

/// A turn moves 0, 1 or 2 layers of a pair.
const DEPTHS: usize = 3;

/// All faces and quarter turns, in the order of effects.
fn spins() -> impl Iterator<Item = (Face, u8)> {
    let faces = Face::ALL.into_iter();
    faces.flat_map(|face| (1..=3).map(move |quarters| (face, quarters)))
}

impl Effects {
    pub fn new() -> Effects {
        let effects =
            spins().flat_map(|(face, quarters)| (0..DEPTHS).map(move |depth| Effect::new(face, quarters, depth)));
        Effects(effects.collect())
    }

    /// The number of the effect that a turn has on a pair of layers.
    pub fn of(turn: Turn, pair: [usize; 2]) -> u8 {
        let depth = pair.iter().filter(|&&layer| layer <= usize::from(turn.last)).count();
        let spin = turn.face as usize * 3 + usize::from(turn.quarters) - 1;
        (spin * DEPTHS + depth) as u8
    }

    /// For each effect on a pair of layers, in order, a turn that has it.
    pub fn turns([i, j]: [usize; 2]) -> impl Iterator<Item = Turn> {
        spins().flat_map(move |(face, quarters)| [1, i, j].map(|last| Turn::outer(face, last as u8, quarters)))
    }

    /// The row after a turn.
    #[inline]
    pub fn turned(&self, effect: u8, row: &Row) -> Row {
        let effect = &self.0[usize::from(effect)];
        let mut after = *row;
        let face = usize::from(effect.face & 7);
        after[face] = around(row[face], effect.quarters);
        after[usize::from(SIGNS)] ^= effect.signs;
        for strip in &effect.strips[..effect.moved] {
            let to = &mut after[usize::from(strip.to & 7)];
            *to = *to & !strip.become_cells | around(row[usize::from(strip.from & 7)] & strip.cells, strip.around);
        }
        after
    }
}

impl Effect {
    fn new(face: Face, quarters: u8, depth: usize) -> Effect {
        let ring = sides(face);
        let strips = [0, 1, 2, 3].map(|k| {
            let (from, to) = (ring[k], ring[(k + usize::from(quarters)) % 4]);
            let [out, into] = [side(from, face), side(to, face)];
            Strip {
                from: from as u8,
                to: to as u8,
                around: (into + 4 - out) % 4,
                cells: along(out, depth),
                become_cells: along(into, depth),
            }
        });
        Effect {
            face: face as u8,
            quarters,
            // Of the wings of a layer, a quarter turn cycles four in that layer itself, and two times four in the outer layer.
            signs: if quarters == 2 { 0 } else { (1 << depth) - 1 },
            moved: if depth == 0 { 0 } else { strips.len() },
            strips,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_has_every_centre_of_two_layers_once_and_t_centres_twice() {
        for n in 6..=9 {
            for pair in [[2, 3], [2, n / 2], [n / 2 - 1, n / 2]] {
                let layer = |at: usize| (at + 1).min(n - at);
                let is_seen = |square: &Square| {
                    let (row, col) = square.row_col(n);
                    let layers = [layer(row), layer(col)];
                    let of_pair = |layer: &usize| pair.contains(layer);
                    layers.iter().all(|layer| of_pair(layer) || 2 * layer == n + 1) && layers.iter().any(of_pair)
                };
                for face in Face::ALL {
                    let cells = (0..32).filter_map(|bit| cell(n, pair, face, bit / 4, bit % 4));
                    let mut cells: Vec<Square> = cells.collect();
                    assert_eq!(cells.len(), if n % 2 == 0 { 16 } else { 32 });
                    cells.sort();
                    cells.dedup();
                    let on_face = Square::all(n).filter(|square| square.face == face);
                    assert_eq!(cells, on_face.filter(is_seen).collect::<Vec<_>>(), "{n} {pair:?}");
                }
            }
        }
    }

    #[test]
    fn sides_go_around_clockwise() {
        for face in Face::ALL {
            let ring = sides(face);
            let by = crate::cube::Symmetry::turning(face, 1);
            assert!((0..4).all(|k| by.face(ring[k]) == ring[(k + 1) % 4]));
        }
    }
}
