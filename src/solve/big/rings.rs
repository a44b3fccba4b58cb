//! Smaller cubes inside a big one. Layers that turn as one count as one layer. Where the layers inside of some layer are done,
//! one middle layer stands for all of them. Where the centres of each block agree, the outer layer and the block of layers down
//! to some layer turn like a 4x4x4 or a 5x5x5.

use crate::cube::{Face, Square, State, Symmetry, Turn};
use crate::solve::SolveError;
use crate::solve::candidate::Candidate;
use crate::solve::reduction::{Attempt, while_it_goes_on};

/// A smaller cube inside one of size `n`.
#[derive(Debug, Clone)]
pub(super) struct Inside {
    n: usize,
    /// For each layer of the smaller cube, a layer of the big one that stands for it; from 0.
    layers: Vec<usize>,
}

impl Inside {
    /// The cube of the layers from the outer one down to `layer`, on both sides, and a middle layer if any are between.
    pub fn down_to(n: usize, layer: usize) -> Inside {
        Inside::of_half(n, (0..layer).collect())
    }

    /// The 4x4x4 or 5x5x5 of the outer layer and, as one layer, all from the second down to `layer`.
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

    /// The smaller cube inside `state`. If its size is odd, the colours are named so that its centres are at home.
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

    /// A turn of the smaller cube as a turn of the big one.
    pub fn widened(&self, turn: Turn) -> Turn {
        Turn {
            last: self.layers[usize::from(turn.last) - 1] as u8 + 1,
            ..turn
        }
    }

    /// Lets `search` work on the smaller cube inside each cube, and makes the turns that it finds on the whole cubes. All cubes
    /// must be held as they were given.
    pub fn search(
        &self,
        wholes: &[Candidate],
        attempt: &mut Attempt,
        search: impl FnOnce(Vec<Candidate>, &mut Attempt) -> Result<Vec<Candidate>, SolveError>,
    ) -> Result<Vec<Candidate>, SolveError> {
        let numbers: Vec<usize> = (0..wholes.len()).collect();
        let cubes = while_it_goes_on(numbers, attempt.meter, |i| {
            Candidate::inside(&wholes[i], i, self.of(&wholes[i].state))
        });
        let found = search(cubes, attempt)?;
        Ok(while_it_goes_on(found, attempt.meter, |cube| {
            let turns: Vec<Turn> = cube.turns.iter().map(|&turn| self.widened(turn)).collect();
            wholes[cube.whole].clone().then(&turns)
        }))
    }
}
