//! The 3x3x3 as corners and midges in places.

use super::Face;

/// The corners by their colours, clockwise from the U or D one: place and piece numbers everywhere (Kociemba's order).
pub const CORNERS: [[Face; 3]; 8] = {
    use Face::*;
    [
        [U, R, F],
        [U, F, L],
        [U, L, B],
        [U, B, R],
        [D, F, R],
        [D, L, F],
        [D, B, L],
        [D, R, B],
    ]
};

/// The midges by their colours, the U, D, F or B one first: place and piece numbers everywhere (Kociemba's order).
pub const MIDGES: [[Face; 2]; 12] = {
    use Face::*;
    [
        [U, R],
        [U, F],
        [U, L],
        [U, B],
        [D, R],
        [D, F],
        [D, L],
        [D, B],
        [F, R],
        [F, L],
        [B, L],
        [B, R],
    ]
};

/// Corners and midges as pieces in places: the 3x3x3 as a group. Numbers as in [`CORNERS`] and [`MIDGES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cubies {
    /// The corner in each place.
    pub corners: [u8; 8],
    /// Clockwise twists of the corner in each place: where its U or D colour is, in thirds.
    pub twists: [u8; 8],
    /// The midge in each place.
    pub midges: [u8; 12],
    /// 1 where that midge is flipped.
    pub flips: [u8; 12],
}

impl Cubies {
    /// Everything at home.
    pub const SOLVED: Cubies = Cubies {
        corners: [0, 1, 2, 3, 4, 5, 6, 7],
        twists: [0; 8],
        midges: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
        flips: [0; 12],
    };

    /// This and then `next`.
    #[must_use]
    pub fn then(&self, next: &Cubies) -> Cubies {
        let mut after = Cubies::SOLVED;
        for place in 0..8 {
            let from = next.corners[place] as usize;
            after.corners[place] = self.corners[from];
            let twist = self.twists[from] + next.twists[place];
            after.twists[place] = if twist >= 3 { twist - 3 } else { twist };
        }
        for place in 0..12 {
            let from = next.midges[place] as usize;
            after.midges[place] = self.midges[from];
            after.flips[place] = self.flips[from] ^ next.flips[place];
        }
        after
    }

    /// The inverse.
    #[must_use]
    pub fn inverse(&self) -> Cubies {
        let mut undone = Cubies::SOLVED;
        for place in 0..8 {
            let piece = self.corners[place] as usize;
            undone.corners[piece] = place as u8;
            undone.twists[piece] = (3 - self.twists[place]) % 3;
        }
        for place in 0..12 {
            let piece = self.midges[place] as usize;
            undone.midges[piece] = place as u8;
            undone.flips[piece] = self.flips[place];
        }
        undone
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pieces, State, random_turns};
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    proptest! {
        #[test]
        fn turning_pieces_is_turning_squares(seed: u64) {
            let turns = random_turns(3, 30, &mut ChaCha8Rng::seed_from_u64(seed));
            let mut state = State::solved(3);
            state.turn_all(&turns);
            let cubies = turns.iter().fold(Cubies::SOLVED, |c, &turn| c.then(&Cubies::of_turn(turn)));
            prop_assert_eq!(Pieces::of(&state).unwrap().cubies, cubies);
            prop_assert_eq!(State::from_cubies(&cubies), state);
            prop_assert_eq!(cubies.then(&cubies.inverse()), Cubies::SOLVED);
            prop_assert_eq!(cubies.inverse().then(&cubies), Cubies::SOLVED);
        }
    }
}
