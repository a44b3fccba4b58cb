//! Finds turns that mix a cube: of several ways the one that the machine does in the least time.

use rand::Rng;

use super::JobError;
use super::models::Model;
use crate::cube::{State, Turn, backwards, random_turns};
use crate::progress::Progress;
use crate::search::Effort;
use crate::solve::{Options, Solver};
use crate::sure::surely;
use crate::tables::Store;

/// Random turns after which all states of a 2x2x2 and a 3x3x3 are as good as equally likely.
const WELL_MIXED: usize = 100;
/// How many ways to one state are compared, each at most so many turns longer than the first.
const WAYS: usize = 24;
const SLACK: usize = 1;
/// How many random sequences are compared. With more, planning takes longer than it saves.
const SEQUENCES: usize = 4;

/// Turns to a random state from the solved one. A 2x2x2 and a 3x3x3 get one of all their states, each as likely as the others; larger
/// cubes as many random turns as are usual for them.
///
/// # Errors
/// If the machine does not turn the size, or a table is missing.
pub fn mix<R: Rng>(
    n: usize,
    machine: &Model,
    (store, progress): (&Store, &dyn Progress),
    rng: &mut R,
) -> Result<Vec<Turn>, JobError> {
    let plans = machine.plans(n)?;
    let ways = match n {
        2 | 3 => ways_to(n, (store, progress), rng)?,
        _ => (0..SEQUENCES).map(|_| random_turns(n, usual(n), rng)).collect(),
    };
    let cost = |turns: &Vec<Turn>| plans.milliseconds(machine.start(), turns);
    Ok(surely(ways.into_iter().min_by_key(cost)))
}

/// Turns to a random state from the solved one, as [`mix`], in as few turns as a quick search finds instead of for a machine.
///
/// # Errors
/// If a table is missing.
pub fn scramble<R: Rng>(
    n: usize,
    (store, progress): (&Store, &dyn Progress),
    rng: &mut R,
) -> Result<Vec<Turn>, JobError> {
    Ok(match n {
        2 | 3 => surely(ways_to(n, (store, progress), rng)?.into_iter().next()),
        _ => random_turns(n, usual(n), rng),
    })
}

/// How many random turns are usual.
fn usual(n: usize) -> usize {
    match n {
        4 => 45,
        5 => 60,
        6 => 80,
        _ => 100,
    }
}

/// Short ways from the solved cube to one random state: solutions of it, done backwards.
fn ways_to<R: Rng>(
    n: usize,
    (store, progress): (&Store, &dyn Progress),
    rng: &mut R,
) -> Result<Vec<Vec<Turn>>, JobError> {
    let mut state = State::solved(n);
    state.turn_all(&random_turns(n, WELL_MIXED, rng));
    let options = Options {
        effort: Effort::Quick,
        keep: WAYS,
        // A 2x2x2 has several shortest ways.
        slack: if n == 2 { 0 } else { SLACK },
        ..Options::default()
    };
    let solution = Solver::open(n, store, progress)?.solve(&state, &options)?;
    let all = std::iter::once(&solution.turns).chain(&solution.others);
    Ok(all.map(|turns| backwards(turns)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crane::{Mechanism, Planner, Pose};
    use crate::progress::Quiet;
    use crate::testing::tables;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use std::collections::HashSet;

    fn mixed(n: usize, seed: u64, store: &Store) -> Vec<Turn> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        mix(n, &Mechanism::builtin().into(), (store, &Quiet), &mut rng).unwrap()
    }

    #[test]
    fn a_small_cube_is_mixed_to_a_state_that_only_the_seed_decides_in_few_turns() {
        let store = tables(2);
        let mut states = HashSet::new();
        for seed in 0..40 {
            let turns = mixed(2, seed, &store);
            assert!((5..=12).contains(&turns.len()), "{turns:?}");
            assert_eq!(turns, mixed(2, seed, &store));
            let mut state = State::solved(2);
            state.turn_all(&turns);
            states.insert(state.to_string());
        }
        assert!(states.len() >= 39);
    }

    #[test]
    fn of_all_ways_to_a_state_the_crane_takes_its_fastest() {
        let store = tables(2);
        let planner = Planner::new(&Mechanism::builtin(), 2).unwrap();
        let mut saved = 0;
        for seed in 0..20 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let ways = ways_to(2, (&store, &Quiet), &mut rng).unwrap();
            let ends: HashSet<String> = ways
                .iter()
                .map(|turns| {
                    let mut state = State::solved(2);
                    state.turn_all(turns);
                    // A 2x2x2 may end turned as a whole.
                    let turned = crate::cube::Symmetry::rotations().into_iter().map(|by| {
                        let mut state = state.clone();
                        state.rotate(by);
                        state.to_string()
                    });
                    turned.min().unwrap()
                })
                .collect();
            assert_eq!(ends.len(), 1);
            let cost = |turns: &Vec<Turn>| planner.plan(Pose::START, turns).milliseconds;
            let taken = cost(&mixed(2, seed, &store));
            assert!(ways.iter().all(|way| cost(way) >= taken));
            saved += cost(&ways[0]) - taken;
        }
        assert!(saved > 0);
    }

    #[test]
    fn a_large_cube_needs_no_tables_and_gets_as_many_turns_as_are_usual() {
        let nothing = Store::new("/nonexistent").building(false);
        for (n, count) in [(4, 45), (5, 60), (6, 80), (7, 100)] {
            assert_eq!(mixed(n, 1, &nothing).len(), count);
        }
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        assert!(mix(9, &Mechanism::builtin().into(), (&nothing, &Quiet), &mut rng).is_err());
    }
}
