//! Smaller cubes inside a big one: where the centres of each block agree, the outer layer and the block down to one inner
//! layer turn like a 4x4x4 or a 5x5x5.

use crate::cube::{Face, Square, State, Symmetry, Turn};

/// The layers of a cube of size `n` that a smaller cube consists of: the outer ones, those of the ring in `layer`, and
/// for a 5x5x5 the middle.
fn layers(n: usize, layer: usize, size: usize) -> Vec<usize> {
    let mut layers = vec![0, layer - 1, n / 2, n - layer, n - 1];
    if size == 4 {
        layers.remove(2);
    }
    layers
}

/// The 4x4x4 or 5x5x5 of the ring in `layer`, its colours named so that the centres of an odd one are at home.
pub(super) fn ring(state: &State, layer: usize, size: usize) -> State {
    let n = state.size();
    let layers = layers(n, layer, size);
    let colours = Square::all(size).map(|square| {
        let (row, col) = square.row_col(size);
        state.colour(Square::at(n, square.face, layers[row], layers[col]))
    });
    let ring = State::from_colours(colours.collect()).unwrap_or(State::solved(size));
    let middle = |face| ring.colour(Square::at(size, face, size / 2, size / 2));
    let home = |s: &Symmetry| Face::ALL.into_iter().all(|face| s.face(middle(face)) == face);
    match Symmetry::rotations().into_iter().find(home) {
        Some(names) => ring.renamed(names),
        None => ring,
    }
}

/// A turn of the smaller cube as one of the whole.
pub(super) fn widened(turn: Turn, layer: usize) -> Turn {
    match turn.last {
        2 => Turn {
            last: layer as u8,
            ..turn
        },
        _ => turn,
    }
}
