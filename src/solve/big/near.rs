//! Cubes that few turns solve: two turns from the cube meet two turns from a solved one.

use std::collections::HashMap;

use crate::cube::{State, Turn, all_turns};
use crate::search::Meter;

/// A shortest solution of at most four turns, if there is one.
pub(super) fn near(state: &State, meter: &mut Meter) -> Option<Vec<Turn>> {
    let n = state.size();
    let turns: Vec<(Turn, Vec<usize>)> = all_turns(n)
        .into_iter()
        .map(|turn| (turn, turn.permutation(n)))
        .collect();
    let mut solved: HashMap<u64, Vec<Turn>> = HashMap::new();
    around(&State::solved(n), &turns, meter, |hash, turns| {
        // Nearest first.
        solved.entry(hash).or_insert_with(|| turns.to_vec());
    })?;
    let mut best: Option<Vec<Turn>> = None;
    around(state, &turns, meter, |hash, turns| {
        let Some(back) = solved.get(&hash) else { return };
        let all: Vec<Turn> = turns
            .iter()
            .copied()
            .chain(back.iter().rev().map(|turn| turn.inverse()))
            .collect();
        // Two states may have one hash.
        if best.as_ref().is_none_or(|best| all.len() < best.len()) && {
            let mut end = state.clone();
            end.turn_all(&all);
            end.is_solved()
        } {
            best = Some(all);
        }
    })?;
    best
}

/// Shows every state within two turns, as a hash that does not depend on the colours' names: all solved cubes are one,
/// however they are held. `None` if the meter ends it.
fn around(
    state: &State,
    turns: &[(Turn, Vec<usize>)],
    meter: &mut Meter,
    mut see: impl FnMut(u64, &[Turn]),
) -> Option<()> {
    see(hash(state), &[]);
    let mut after: Vec<(Turn, State)> = Vec::with_capacity(turns.len());
    for (turn, permutation) in turns {
        let mut next = state.clone();
        next.permute(permutation);
        see(hash(&next), &[*turn]);
        after.push((*turn, next));
    }
    for (first, state) in &after {
        for (turn, permutation) in turns {
            if !meter.spend() {
                return None;
            }
            let mut next = state.clone();
            next.permute(permutation);
            see(hash(&next), &[*first, *turn]);
        }
    }
    Some(())
}

fn hash(state: &State) -> u64 {
    let (mut names, mut known) = ([u8::MAX; 6], 0);
    state.colours().iter().fold(0, |hash: u64, &colour| {
        let name = &mut names[colour as usize];
        if *name == u8::MAX {
            *name = known;
            known += 1;
        }
        (hash ^ u64::from(*name)).wrapping_mul(0x100_0000_01b3).rotate_left(7)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Symmetry, random_turns};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn what_few_turns_have_mixed_few_turns_solve(seed: u64, n in 6usize..9, count in 0usize..=4, way in 0usize..24) {
            let mut state = State::solved(n);
            state.turn_all(&random_turns(n, count, &mut ChaCha8Rng::seed_from_u64(seed)));
            state.rotate(Symmetry::rotations()[way]);
            let turns = near(&state, &mut Meter::new(u64::MAX, None, None)).unwrap();
            prop_assert!(turns.len() <= count);
            state.turn_all(&turns);
            prop_assert!(state.is_solved());
        }
    }

    #[test]
    fn what_is_farther_is_not_found() {
        let mut state = State::solved(6);
        state.turn_all(&random_turns(6, 60, &mut ChaCha8Rng::seed_from_u64(3)));
        assert_eq!(near(&state, &mut Meter::new(u64::MAX, None, None)), None);
    }
}
