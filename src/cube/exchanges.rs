//! A permutation of squares, ready to be done to thousands of cubes.

use super::{MAX_SIZE, State};

/// A permutation as exchanges of two squares, one after the other. It does not touch what stays, and needs no copy of a state: a search
/// turns thousands of cubes.
#[derive(Debug, Clone)]
pub struct Exchanges(Vec<[u16; 2]>);

// Every square's index fits.
const _: () = assert!(6 * MAX_SIZE * MAX_SIZE <= u16::MAX as usize);

impl Exchanges {
    /// From where each square goes, by index: what [`Turn::permutation`](super::Turn::permutation) says.
    pub fn new(to: &[usize]) -> Exchanges {
        let mut exchanges = Vec::new();
        let mut seen = vec![false; to.len()];
        for first in 0..to.len() {
            seen[first] = true;
            // After each exchange the cycle's first square holds what belongs to the next one.
            let mut next = to[first];
            while !seen[next] {
                exchanges.push([first as u16, next as u16]);
                seen[next] = true;
                next = to[next];
            }
        }
        Exchanges(exchanges)
    }
}

impl State {
    /// Does a permutation: the same as [`State::permute`].
    pub fn exchange(&mut self, exchanges: &Exchanges) {
        for &[a, b] in &exchanges.0 {
            self.swap(usize::from(a), usize::from(b));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Face, Square, Symmetry, Turn, all_turns, random_turns};
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    proptest! {
        #[test]
        fn exchanges_do_what_the_permutation_does(n in 2usize..8, seed: u64, turn: prop::sample::Index) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut state = State::solved(n);
            state.turn_all(&random_turns(n, 30, &mut rng));
            let turns = all_turns(n);
            let turn = turns[turn.index(turns.len())];
            let mut exchanged = state.clone();
            exchanged.exchange(&Exchanges::new(&turn.permutation(n)));
            state.turn(turn);
            prop_assert_eq!(&exchanged, &state);
            // Every square goes somewhere, in cycles of three among others.
            let by = Symmetry::turning(Face::U, 1).then(Symmetry::turning(Face::R, 1));
            exchanged.exchange(&Exchanges::new(&Square::all_moved(n, by)));
            state.rotate(by);
            prop_assert_eq!(exchanged, state);
        }
    }

    #[test]
    fn what_stays_is_not_touched() {
        // Two cycles of four on the side and three around it, each with three exchanges.
        let exchanges = Exchanges::new(&Turn::outer(Face::R, 1, 1).permutation(3));
        assert_eq!(exchanges.0.len(), 15);
    }
}
