//! Smaller cubes inside a big one. Layers that are turned as one count as one layer: of a face that is done from some
//! layer inwards only the middle remains, and where the centres of each block agree, the outer layer and the block down
//! to one inner layer turn like a 4x4x4 or a 5x5x5.

use crate::cube::{Face, Square, State, Symmetry, Turn};

/// A smaller cube inside one of size `n`.
#[derive(Debug, Clone)]
pub(super) struct Inside {
    n: usize,
    /// The layers that stand for those of the smaller cube, from 0.
    layers: Vec<usize>,
}

impl Inside {
    /// The layers from the outer one down to `layer`, on both sides, and a middle if there is anything between.
    pub fn down_to(n: usize, layer: usize) -> Inside {
        Inside::of_half(n, (0..layer).collect())
    }

    /// The outer layer and all from the second down to `layer` as one.
    pub fn ring(n: usize, layer: usize) -> Inside {
        Inside::of_half(n, vec![0, layer - 1])
    }

    fn of_half(n: usize, half: Vec<usize>) -> Inside {
        let innermost = half.last().map_or(0, |last| last + 1);
        let middle = (2 * innermost < n).then_some(n / 2);
        let other = half.iter().rev().map(|layer| n - 1 - layer);
        let layers = half.iter().copied().chain(middle).chain(other).collect();
        Inside { n, layers }
    }

    /// Its size.
    pub fn size(&self) -> usize {
        self.layers.len()
    }

    /// As it is now, its colours named so that the centres of an odd one are at home.
    pub fn of(&self, state: &State) -> State {
        let size = self.size();
        let inside = State::from_fn(size, |square| {
            let (row, col) = square.row_col(size);
            state.colour(Square::at(self.n, square.face, self.layers[row], self.layers[col]))
        });
        let middle = |face| inside.colour(Square::at(size, face, size / 2, size / 2));
        let home = |s: &Symmetry| Face::ALL.into_iter().all(|face| s.face(middle(face)) == face);
        match Symmetry::rotations().into_iter().find(home) {
            Some(names) => inside.renamed(names),
            None => inside,
        }
    }

    /// A turn of it from the outer layer on, as one of the whole.
    pub fn widened(&self, turn: Turn) -> Turn {
        Turn {
            last: self.layers[usize::from(turn.last) - 1] as u8 + 1,
            ..turn
        }
    }
}
