//! A turn of layers, and what it does to squares.

use std::fmt;

use super::{Face, Square, Symmetry};

/// A turn of neighbouring layers about one axis.
///
/// Layers are counted from `face`, from 1. `first` = 1 makes it an *outer block turn*, one motion of the crane; anything else is an
/// inner slice, which counts as two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The face from which layers are counted and the sense is seen.
    pub face: Face,
    /// The first layer that turns, from 1.
    pub first: u8,
    /// The last layer that turns.
    pub last: u8,
    /// Clockwise quarter turns: 1, 2 or 3.
    pub quarters: u8,
}

impl Turn {
    /// An outer block turn of `width` layers.
    pub const fn outer(face: Face, width: u8, quarters: u8) -> Turn {
        Turn {
            face,
            first: 1,
            last: width,
            quarters,
        }
    }

    /// The turn that undoes it.
    pub const fn inverse(self) -> Turn {
        Turn {
            quarters: 4 - self.quarters,
            ..self
        }
    }

    /// The outer block turns that it is made of: itself, or two for an inner slice.
    pub fn blocks(self) -> Vec<Turn> {
        let block = Turn::outer(self.face, self.last, self.quarters);
        if self.first == 1 {
            vec![block]
        } else {
            vec![block, Turn::outer(self.face, self.first - 1, 4 - self.quarters)]
        }
    }

    /// The same turn after the whole cube was rotated by `by`.
    pub fn moved(self, by: Symmetry) -> Turn {
        let quarters = if by.is_rotation() {
            self.quarters
        } else {
            4 - self.quarters
        };
        Turn {
            face: by.face(self.face),
            quarters,
            ..self
        }
    }

    /// Whether it turns the cubie at a position.
    pub fn turns(self, n: usize, p: [i32; 3]) -> bool {
        self.turns_at(n, self.along(p))
    }

    /// Where each square of a cube of size `n` goes, by index.
    pub fn permutation(self, n: usize) -> Vec<usize> {
        let to = Square::all_moved(n, Symmetry::turning(self.face, self.quarters));
        let along = Square::evenly(n, |square| self.along(square.position(n)));
        let both = along.into_iter().zip(to).enumerate();
        both.map(|(i, (along, to))| if self.turns_at(n, along) { to } else { i })
            .collect()
    }

    /// How far out a position lies towards the face.
    fn along(self, p: [i32; 3]) -> i32 {
        p[self.face.axis()] * self.face.sign()
    }

    /// Whether the cubies that lie so far out turn.
    fn turns_at(self, n: usize, along: i32) -> bool {
        let layer = (n as i32 - 1 - along) / 2 + 1;
        (self.first as i32..=self.last as i32).contains(&layer)
    }
}

impl Turn {
    /// What is written before its face, and whether it is a block of layers: `3` and yes for `3Rw`.
    pub(super) fn layers(self) -> (String, bool) {
        match (self.first, self.last) {
            (1, 1) => (String::new(), false),
            (1, 2) => (String::new(), true),
            (1, width) => (width.to_string(), true),
            (a, b) if a == b => (a.to_string(), false),
            (a, b) => (format!("{a}-{b}"), true),
        }
    }

    /// What is written behind its face for its angle.
    pub(super) fn angle(self) -> &'static str {
        ["", "", "2", "'"][self.quarters as usize % 4]
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (layers, is_wide) = self.layers();
        write!(
            f,
            "{layers}{}{}{}",
            self.face,
            if is_wide { "w" } else { "" },
            self.angle()
        )
    }
}

/// What a move sequence is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// A turn of layers.
    Turn(Turn),
    /// The whole cube turned, clockwise as seen when looking at the face: `x` is R, `y` is U, `z` is F.
    Rotation(Face, u8),
}

/// What undoes turns: each undone, the last first.
pub fn backwards(turns: &[Turn]) -> Vec<Turn> {
    turns.iter().rev().map(|turn| turn.inverse()).collect()
}

/// All outer block turns of a cube of size `n`, face by face and width by width. Turns that differ only by a rotation of the
/// whole cube are there once: blocks have at most half of the layers, and half of an even cube turns only with U, R and F.
pub fn all_turns(n: usize) -> Vec<Turn> {
    let faces = Face::ALL.into_iter();
    let blocks = faces.flat_map(|face| (1..=n / 2).map(move |width| (face, width)));
    let own = blocks.filter(|&(face, width)| 2 * width < n || matches!(face, Face::U | Face::R | Face::F));
    own.flat_map(|(face, width)| (1..=3).map(move |quarters| Turn::outer(face, width as u8, quarters)))
        .collect()
}

/// The length in OBTM: outer block turns of any depth count one, inner slices two, whole-cube rotations nothing.
pub fn count_obtm(moves: &[Move]) -> usize {
    moves
        .iter()
        .map(|m| {
            if let Move::Turn(turn) = m {
                turn.blocks().len()
            } else {
                0
            }
        })
        .sum()
}

/// The same sequence with turns of the same layers merged where only commuting turns are between them. Commuting turns come in one fixed
/// order, and turns that undo one another are left out.
pub fn merged(turns: &[Turn]) -> Vec<Turn> {
    let all = merge(turns.iter().map(|&turn| (turn, ())));
    all.into_iter().map(|(turn, ())| turn).collect()
}

/// The same for turns with numbers that do not fall, such as that of the part of a solution that each belongs to. A turn that is put together
/// of several has the lowest of their numbers, and commuting turns come in the order of their numbers.
pub fn merged_with_parts(turns: impl Iterator<Item = (Turn, usize)>) -> Vec<(Turn, usize)> {
    merge(turns)
}

fn merge<N: Copy + Ord>(turns: impl Iterator<Item = (Turn, N)>) -> Vec<(Turn, N)> {
    let mut merged: Vec<(Turn, N)> = Vec::with_capacity(turns.size_hint().0);
    for (turn, number) in turns {
        // Where the run of turns about the same axis begins.
        let run = merged
            .iter()
            .rposition(|(t, _)| t.face.axis() != turn.face.axis())
            .map_or(0, |i| i + 1);
        let key = |t: &Turn| (t.face, t.first, t.last);
        match merged[run..].iter().position(|(t, _)| key(t) == key(&turn)) {
            Some(i) => {
                let sum = (merged[run + i].0.quarters + turn.quarters) % 4;
                if sum == 0 {
                    merged.remove(run + i);
                } else {
                    merged[run + i].0.quarters = sum;
                }
            }
            None => {
                let before = |(t, n): &(Turn, N)| (*n, key(t)) < (number, key(&turn));
                let i = merged[run..].iter().take_while(|one| before(one)).count();
                merged.insert(run + i, (turn, number));
            }
        }
    }
    merged
}

/// The same sequence without whole-cube rotations, where each turn is named by the face where it then is; and the rotation that is left
/// over: the turns and then this rotation do the same as the moves.
pub fn without_rotations(moves: &[Move]) -> (Vec<Turn>, Symmetry) {
    let mut held = Symmetry::IDENTITY;
    let mut turns = Vec::with_capacity(moves.len());
    for &m in moves {
        match m {
            Move::Turn(turn) => turns.push(turn.moved(held.inverse())),
            Move::Rotation(face, quarters) => held = held.then(Symmetry::turning(face, quarters)),
        }
    }
    (turns, held)
}

#[cfg(test)]
mod tests {
    use super::super::{State, random_turns};
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use std::collections::BTreeSet;

    fn after(n: usize, turns: &[Turn]) -> State {
        let mut state = State::solved(n);
        state.turn_all(turns);
        state
    }

    #[test]
    fn all_turns_are_nine_for_each_cut_through_the_cube_and_none_is_another_or_nothing() {
        for n in 2..7 {
            let all = all_turns(n);
            assert_eq!(all.len(), 9 * (n - 1));
            // However the cube is held.
            let held = |turn: &Turn| {
                let ways = Symmetry::rotations().into_iter().map(|by| {
                    let mut state = after(n, &[*turn]);
                    state.rotate(by);
                    state.colours().to_vec()
                });
                ways.min()
            };
            assert_eq!(all.iter().map(held).collect::<BTreeSet<_>>().len(), all.len());
            for turn in all {
                assert!(
                    !after(n, &[turn]).is_solved() && after(n, &[turn; 4]).is_solved(),
                    "{n} {turn}"
                );
            }
        }
    }

    #[test]
    fn the_squares_of_the_layers_turn_and_the_others_stay() {
        for n in [2, 3, 4, 7, 17] {
            for turn in all_turns(n) {
                let by = Symmetry::turning(turn.face, turn.quarters);
                let to = |square: Square| match turn.turns(n, square.position(n)) {
                    true => square.moved(n, by).index(n),
                    false => square.index(n),
                };
                assert_eq!(
                    turn.permutation(n),
                    Square::all(n).map(to).collect::<Vec<_>>(),
                    "{n} {turn}"
                );
            }
        }
    }

    /// Turns of any layers, many of them about the same axis, with numbers that do not fall.
    fn numbered() -> impl Strategy<Value = Vec<(Turn, usize)>> {
        let one = (0usize..4, 1u8..4, 0u8..2, 1u8..4, prop::bool::weighted(0.2));
        prop::collection::vec(one, 0..40).prop_map(|all| {
            let faces = [Face::U, Face::D, Face::D, Face::R];
            let mut number = 0;
            let turn = |(face, first, more, quarters, next)| {
                number += usize::from(next);
                let turn = Turn {
                    face: faces[face],
                    first,
                    last: first + more,
                    quarters,
                };
                (turn, number)
            };
            all.into_iter().map(turn).collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn turns_and_then_backwards_change_nothing(n in 2usize..7, seed: u64) {
            let turns = random_turns(n, 20, &mut ChaCha8Rng::seed_from_u64(seed));
            prop_assert!(after(n, &[&turns[..], &backwards(&turns)].concat()).is_solved());
        }

        #[test]
        fn merged_turns_do_the_same_and_none_is_left_that_could_be_merged(given in numbered()) {
            let merged = merged_with_parts(given.iter().copied());
            let turns = |all: &[(Turn, usize)]| all.iter().map(|(turn, _)| *turn).collect::<Vec<_>>();
            prop_assert_eq!(after(5, &turns(&merged)), after(5, &turns(&given)));
            prop_assert!(merged.is_sorted_by_key(|(_, number)| *number));
            for run in merged.chunk_by(|(a, _), (b, _)| a.face.axis() == b.face.axis()) {
                let layers: BTreeSet<_> = run.iter().map(|(turn, _)| (turn.face, turn.first, turn.last)).collect();
                prop_assert_eq!(layers.len(), run.len());
            }
            // Each has the lowest number of those that are in it.
            for (turn, number) in &merged {
                prop_assert!(given.iter().any(|(one, of)| of == number && one.face == turn.face && one.last == turn.last));
            }
            prop_assert_eq!(merged_with_parts(merged.iter().copied()), merged);
        }

        #[test]
        fn commuting_turns_come_in_one_order(given in numbered(), seed: u64) {
            use rand::seq::SliceRandom;
            let about_one_axis = given.into_iter().map(|(turn, _)| turn).filter(|turn| turn.face != Face::R);
            let mut turns: Vec<Turn> = about_one_axis.collect();
            let before = merged(&turns);
            turns.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
            prop_assert_eq!(merged(&turns), before);
        }
    }
}
