//! Cubes that few turns solve: two turns from the cube meet two turns from a solved one. It takes no tables.

use std::collections::HashMap;

use super::words::NEAR;
use crate::cube::{State, Turn, all_turns, backwards, merged};
use crate::order;
use crate::search::Meter;

/// The solutions of at most four turns, at most `keep`: the shortest first, and others that are at most `slack` turns longer. None if
/// the cube takes more turns, or if the meter ends the search.
pub(super) fn short_solutions(state: &State, keep: usize, slack: usize, meter: &mut Meter) -> Vec<Vec<Turn>> {
    let n = state.size();
    let turns: Vec<(Turn, Vec<usize>)> = all_turns(n)
        .into_iter()
        .map(|turn| (turn, turn.permutation(n)))
        .collect();
    let mut solved: HashMap<u64, Vec<Vec<Turn>>> = HashMap::new();
    let mut found: Vec<Vec<Turn>> = Vec::new();
    let all_seen = around(&State::solved(n), &turns, meter, |hash, turns| {
        solved.entry(hash).or_default().push(turns.to_vec());
    })
    .and_then(|()| {
        around(state, &turns, meter, |hash, turns| {
            for back in solved.get(&hash).into_iter().flatten() {
                let all = merged(&[turns, &backwards(back)].concat());
                // Two states may have one hash.
                if !found.contains(&all) && solves(state, &all) {
                    found.push(all);
                }
            }
        })
    });
    meter.book(NEAR, n);
    if all_seen.is_none() {
        return Vec::new();
    }
    order::by_key(&mut found, Vec::len);
    let longest = found.first().map_or(0, |shortest| shortest.len() + slack);
    found.retain(|turns| turns.len() <= longest);
    found.truncate(keep);
    found
}

fn solves(state: &State, turns: &[Turn]) -> bool {
    let mut end = state.clone();
    end.turn_all(turns);
    end.is_solved()
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
    use crate::cube::{Symmetry, parse_moves, random_turns};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn all(state: &State, slack: usize) -> Vec<Vec<Turn>> {
        short_solutions(state, usize::MAX, slack, &mut Meter::new(u64::MAX, None, None))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn what_few_turns_have_mixed_few_turns_solve(seed: u64, n in 2usize..9, count in 0usize..=4, way in 0usize..24) {
            let mut state = State::solved(n);
            state.turn_all(&random_turns(n, count, &mut ChaCha8Rng::seed_from_u64(seed)));
            state.rotate(Symmetry::rotations()[way]);
            let found = all(&state, 1);
            prop_assert!(found[0].len() <= count);
            for turns in &found {
                prop_assert!(turns.len() <= (found[0].len() + 1).min(4));
                prop_assert!(solves(&state, turns));
            }
            let distinct: std::collections::HashSet<_> = found.iter().collect();
            prop_assert_eq!(distinct.len(), found.len());
            let shortest = found.iter().filter(|turns| turns.len() == found[0].len()).count();
            prop_assert_eq!(all(&state, 0).len(), shortest);
        }
    }

    #[test]
    fn there_are_several_ways_and_as_many_are_given_as_are_wanted() {
        let mut state = State::solved(3);
        state.do_moves(&parse_moves(3, "R2 F2 R2 L2").unwrap());
        let found = all(&state, 0);
        assert_eq!(found.len(), 1, "{found:?}");
        // On a 2x2x2 R2 U2 done three times does nothing.
        let mut state = State::solved(2);
        state.do_moves(&parse_moves(2, "R2 U2 R2").unwrap());
        let meter = &mut Meter::new(u64::MAX, None, None);
        let several = short_solutions(&state, usize::MAX, 1, meter);
        assert!(several.len() > 1, "{several:?}");
        assert_eq!(short_solutions(&state, 1, 1, meter), several[..1]);
        assert!(all(&State::solved(5), 0) == [Vec::new()]);
    }

    #[test]
    fn what_is_farther_is_not_found() {
        for n in 2..8 {
            let mut state = State::solved(n);
            state.turn_all(&random_turns(n, 60, &mut ChaCha8Rng::seed_from_u64(3)));
            assert!(all(&state, 1).is_empty());
        }
    }
}
