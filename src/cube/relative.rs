//! The way from one state to another: what has to be solved for it, and turns that end with the goal as it is drawn.

use super::{Face, Orbit, OrbitKind, Square, State, Symmetry, Turn, orbits};

/// The state whose solution brings `state` to `goal`, however the cube is held at the end: every piece is named after the place where
/// the goal has it. Both must be states of one size that a cube can have.
///
/// Of centres that look the same, each goes to a place on its side if it can.
///
/// # Panics
/// If the sizes differ.
pub fn relative(state: &State, goal: &State) -> State {
    let n = state.size();
    assert_eq!(n, goal.size(), "states of one size");
    let goal = held_like(state, goal);
    let mut names = state.colours().to_vec();
    for orbit in orbits(n) {
        match orbit.kind {
            OrbitKind::Corner | OrbitKind::Midge | OrbitKind::Wing { .. } => {
                name_pieces(state, &goal, &orbit, &mut names)
            }
            _ => name_centres(state, &goal, &orbit, &mut names),
        }
    }
    State::from_fn(n, |square| names[square.index(n)])
}

/// The goal held so that its fixed centres are where those of the state are. A cube of even N has none.
fn held_like(state: &State, goal: &State) -> State {
    let n = state.size();
    let is_alike = |held: &State| {
        Face::ALL.iter().all(|&f| {
            let middle = Square::at(n, f, n / 2, n / 2);
            held.colour(middle) == state.colour(middle)
        })
    };
    let mut ways = Symmetry::rotations().into_iter().map(|by| rotated(goal, by));
    match n % 2 {
        1 => ways.find(is_alike).unwrap_or_else(|| goal.clone()),
        _ => goal.clone(),
    }
}

fn rotated(state: &State, by: Symmetry) -> State {
    let mut state = state.clone();
    state.rotate(by);
    state
}

/// Names the squares of pieces that are all different.
fn name_pieces(state: &State, goal: &State, orbit: &Orbit, names: &mut [Face]) {
    let n = state.size();
    // A wing has the same first square everywhere; its colours the other way round are another piece.
    let ways = |k| {
        if matches!(orbit.kind, OrbitKind::Wing { .. }) {
            1
        } else {
            k
        }
    };
    for here in &orbit.places {
        let k = here.len();
        for there in &orbit.places {
            let is_same = |&by: &usize| (0..k).all(|i| goal.colour(there[(i + by) % k]) == state.colour(here[i]));
            if let Some(by) = (0..ways(k)).find(is_same) {
                for i in 0..k {
                    names[here[i].index(n)] = there[(i + by) % k].face;
                }
            }
        }
    }
}

/// Names centres: first those that are on their side, then the others in the order of their places.
fn name_centres(state: &State, goal: &State, orbit: &Orbit, names: &mut [Face]) {
    let n = state.size();
    let with = |cube: &State, colour: Face| -> Vec<Square> {
        let squares = orbit.places.iter().map(|place| place[0]);
        squares.filter(|&square| cube.colour(square) == colour).collect()
    };
    for colour in Face::ALL {
        let (mut here, mut there) = (with(state, colour), with(goal, colour));
        here.retain(|square| {
            let stays = there.iter().position(|goal| goal.face == square.face);
            if let Some(at) = stays {
                names[square.index(n)] = there.swap_remove(at).face;
            }
            stays.is_none()
        });
        for (square, goal) in here.iter().zip(there) {
            names[square.index(n)] = goal.face;
        }
    }
}

/// Turns that do the same as these and end with the goal as it is drawn: in the place of a block, the rest of the cube may be turned the
/// other way, which leaves the whole cube rotated. As few turns as possible are exchanged. Gives also the rotation that is still to do,
/// where no exchange gives the goal as it is drawn. `None` if the turns do not bring the state to the goal, however it is held.
pub fn as_drawn(state: &State, turns: &[Turn], goal: &State) -> Option<(Vec<Turn>, Symmetry)> {
    let mut end = state.clone();
    end.turn_all(turns);
    let all = Symmetry::rotations();
    let fits: Vec<Symmetry> = all.into_iter().filter(|&by| rotated(&end, by) == *goal).collect();
    // The identity is the first of all.
    let rest = *fits.first()?;
    let exchanged = fits.into_iter().filter_map(|by| exchanged(state.size(), turns, by));
    let fewest = exchanged.min_by_key(|(_, exchanges)| *exchanges);
    Some(fewest.map_or_else(|| (turns.to_vec(), rest), |(turns, _)| (turns, Symmetry::IDENTITY)))
}

/// The turns with the fewest exchanges that leave the cube rotated in this way, and how many those are.
fn exchanged(n: usize, turns: &[Turn], wanted: Symmetry) -> Option<(Vec<Turn>, usize)> {
    // For each way in which the cube may be held now: the turns so far, and how many of them are exchanged.
    let mut ways = vec![(Symmetry::IDENTITY, Vec::with_capacity(turns.len()), 0)];
    for &turn in turns {
        let mut next: Vec<(Symmetry, Vec<Turn>, usize)> = Vec::new();
        for (held, before, exchanges) in ways {
            let turn = turn.moved(held);
            let rest = Turn::outer(turn.face.opposite(), n as u8 - turn.last, turn.quarters);
            let rotated = held.then(Symmetry::turning(turn.face, turn.quarters).inverse());
            for (held, turn, exchanges) in [(held, turn, exchanges), (rotated, rest, exchanges + 1)] {
                let after = [&before[..], &[turn]].concat();
                match next.iter_mut().find(|(other, ..)| *other == held) {
                    Some(known) if known.2 <= exchanges => {}
                    Some(known) => *known = (held, after, exchanges),
                    None => next.push((held, after, exchanges)),
                }
            }
        }
        ways = next;
    }
    let found = ways.into_iter().find(|(held, ..)| *held == wanted);
    found.map(|(_, turns, exchanges)| (turns, exchanges))
}

#[cfg(test)]
mod tests {
    use super::super::{Pieces, random_turns};
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn mixed(n: usize, count: usize, seed: u64) -> State {
        let mut state = State::solved(n);
        state.turn_all(&random_turns(n, count, &mut ChaCha8Rng::seed_from_u64(seed)));
        state
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn what_leads_to_a_goal_solves_the_relative_state(n in 2usize..8, seed: u64, count in 0usize..30, way in 0usize..24) {
            let state = mixed(n, 25, seed);
            let turns = random_turns(n, count, &mut ChaCha8Rng::seed_from_u64(!seed));
            let mut goal = state.clone();
            goal.turn_all(&turns);
            goal.rotate(Symmetry::rotations()[way]);
            let mut relative = relative(&state, &goal);
            prop_assert!(Pieces::of(&relative).is_ok());
            relative.turn_all(&turns);
            // Centres that look the same may be exchanged.
            prop_assert!(n > 3 || relative.is_solved());
            let (drawn, rest) = as_drawn(&state, &turns, &goal).unwrap();
            prop_assert_eq!(drawn.len(), turns.len());
            let mut end = state.clone();
            end.turn_all(&drawn);
            end.rotate(rest);
            prop_assert_eq!(end, goal);
            prop_assert!(way > 0 || (rest == Symmetry::IDENTITY && drawn == turns));
        }

        #[test]
        fn what_solves_the_relative_state_leads_to_the_goal(n in 2usize..8, seed: u64) {
            let (state, turns) = (mixed(n, 25, seed), random_turns(n, 20, &mut ChaCha8Rng::seed_from_u64(!seed)));
            // The goal is any state from which the turns solve: the other way round.
            let goal = mixed(n, 20, seed ^ 5);
            let relative = relative(&state, &goal);
            prop_assert!(Pieces::of(&relative).is_ok());
            // A turn does the same to both: a square of the relative state names where the goal has the sticker.
            let (mut after, mut named) = (state.clone(), relative.clone());
            after.turn_all(&turns);
            named.turn_all(&turns);
            for (colour, name) in after.colours().iter().zip(named.colours()) {
                let held = held_like(&state, &goal);
                prop_assert!(held.face(*name).contains(colour));
            }
        }
    }

    #[test]
    fn a_state_relative_to_the_solved_one_is_itself_and_relative_to_itself_solved() {
        for n in 2..8 {
            let state = mixed(n, 30, n as u64);
            assert_eq!(relative(&state, &State::solved(n)), state);
            assert!(relative(&state, &state).is_solved());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn how_the_goal_is_held_makes_no_difference_where_centres_tell(k in 1usize..4, seed: u64, way in 0usize..24) {
            let n = 2 * k + 1;
            let (state, goal) = (mixed(n, 25, seed), mixed(n, 20, !seed));
            let held = rotated(&goal, Symmetry::rotations()[way]);
            let told = relative(&state, &held);
            // The fixed centres are those of a cube that is held as it is drawn.
            for face in Face::ALL {
                prop_assert_eq!(told.colour(Square::at(n, face, k, k)), face);
            }
            prop_assert!(n > 3 || told == relative(&state, &goal));
        }

        #[test]
        fn where_one_exchange_is_enough_there_is_one(seed: u64, at in 0usize..12) {
            let turns = random_turns(3, 12, &mut ChaCha8Rng::seed_from_u64(seed));
            let mut exchanged = turns.clone();
            let turn = turns[at];
            exchanged[at] = Turn::outer(turn.face.opposite(), 2, turn.quarters);
            let state = mixed(3, 25, !seed);
            // As if the whole cube were turned back before the turns that follow.
            let by = Symmetry::turning(turn.face, turn.quarters).inverse();
            exchanged[at + 1..].iter_mut().for_each(|turn| *turn = turn.moved(by));
            let mut goal = state.clone();
            goal.turn_all(&exchanged);
            let (drawn, rest) = as_drawn(&state, &turns, &goal).unwrap();
            prop_assert_eq!(rest, Symmetry::IDENTITY);
            // Blocks of two layers are exchanged ones.
            prop_assert_eq!(drawn.iter().filter(|turn| turn.last == 2).count(), 1);
            let mut end = state.clone();
            end.turn_all(&drawn);
            prop_assert_eq!(end, goal);
        }
    }

    #[test]
    fn long_turns_can_end_in_every_way_and_short_ones_cannot() {
        let turns = random_turns(3, 12, &mut ChaCha8Rng::seed_from_u64(2));
        let mut goal = State::solved(3);
        goal.turn_all(&turns);
        for by in Symmetry::rotations() {
            let (drawn, rest) = as_drawn(&State::solved(3), &turns, &rotated(&goal, by)).unwrap();
            assert_eq!((drawn.len(), rest), (12, Symmetry::IDENTITY));
        }
        let x = Symmetry::turning(Face::R, 1);
        let none = as_drawn(&State::solved(3), &[], &rotated(&State::solved(3), x));
        assert_eq!(none, Some((Vec::new(), x)));
        assert_eq!(as_drawn(&State::solved(3), &turns[..11], &goal), None);
    }
}
