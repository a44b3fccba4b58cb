//! Turns that are handed out while the search for the rest goes on.

use super::*;

#[test]
fn what_is_streamed_of_a_small_cube_is_the_solution() {
    // It comes at once, and of a solved one there is nothing to do.
    streamed(&[(random(3, 7), 1, 1), (State::solved(3), 0, 0), (after(4, "R Uw"), 1, 1)]);
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..ProptestConfig::with_cases(6) })]
    #[test]
    fn what_is_streamed_of_a_4x4x4_in_parts_is_the_solution(seed: u64, way in 0usize..24) {
        let mut state = random(4, seed);
        state.rotate(Symmetry::rotations()[way]);
        streamed(&[(state, 2, 4)]);
    }
}

#[test]
#[ignore = "builds the tables of a 5x5x5, half a minute"]
fn what_is_streamed_of_a_5x5x5_in_parts_is_the_solution() {
    streamed(&[(random(5, 5), 4, 7), (after(5, "R Uw F2 Dw' L"), 1, 7)]);
}

/// The turns that are handed out before a search is stopped, which is when so many parts came.
fn stopped_after(count: usize, state: &State) -> Vec<Vec<Turn>> {
    let flag = Arc::new(AtomicBool::new(false));
    let options = Options {
        stop: Some(flag.clone()),
        ..quick()
    };
    let mut parts: Vec<Vec<Turn>> = Vec::new();
    let stopped = solver(state.size()).stream(state, &options, &mut |turns, _| {
        parts.push(turns.to_vec());
        flag.store(parts.len() == count, Relaxed);
    });
    assert!(matches!(stopped, Err(SolveError::Interrupted)));
    assert_eq!(parts.len(), count);
    parts
}

#[test]
fn a_4x4x4_that_was_turned_in_part_when_the_search_stopped_is_as_the_turns_left_it() {
    let mut state = random(4, 8);
    let parts = stopped_after(1, &state);
    assert!((1..=3).contains(&parts[0].len()), "{parts:?}");
    state.turn_all(&parts.concat());
    let rest = solver(4).solve(&state, &quick()).unwrap();
    assert!(solves(&state, &rest.turns));
}

#[test]
fn within_a_time_limit_a_4x4x4_has_a_solution_before_it_is_handed_out() {
    let state = random(4, 9);
    let options = Options {
        time_limit: Some(Duration::from_secs(60)),
        ..quick()
    };
    let mut parts = 0;
    let solution = solver(4).stream(&state, &options, &mut |_, _| parts += 1).unwrap();
    assert!(parts == 1 && solves(&state, &solution.turns));
}

#[test]
#[ignore = "builds the tables of a 5x5x5"]
fn what_is_streamed_of_a_large_cube_in_parts_is_the_solution() {
    streamed(&[
        (random(6, 5), 5, 20),
        (after(6, "R 3Uw2 F' Bw"), 1, 1),
        (State::solved(6), 0, 0),
    ]);
}

/// Cubes, and how many parts they come in, at least and at most.
fn streamed(cubes: &[(State, usize, usize)]) {
    for (state, parts_from, parts_to) in cubes {
        let n = state.size();
        let mut parts: Vec<Vec<Turn>> = Vec::new();
        let solution = solver(n)
            .stream(state, &quick(), &mut |turns, _| parts.push(turns.to_vec()))
            .unwrap();
        assert!(
            (*parts_from..=*parts_to).contains(&parts.len()),
            "{n}: {} parts",
            parts.len()
        );
        assert!(parts.iter().all(|part| !part.is_empty() && merged(part) == *part));
        assert_eq!(parts.concat(), solution.turns, "{n}");
        assert!(solves(state, &solution.turns), "{n}: {:?}", solution.turns);
        assert!(solution.turns.len() <= 160);
    }
}

#[test]
#[ignore = "builds the tables of a 5x5x5"]
fn turns_are_handed_out_before_the_search_is_over() {
    // The first turns are of two quick looks, then come most of each phase, and the end of the phase before. A search that is stopped
    // when they come has handed them out all the same.
    let mut state = random(6, 8);
    let parts = stopped_after(4, &state);
    assert!((1..=4).contains(&parts[0].len()));
    state.turn_all(&parts.concat());
    // One axis is done.
    let inner = |i: usize| (1..5).contains(&(i / 6)) && (1..5).contains(&(i % 6));
    let is_done = |axis: usize| {
        let squares = (0..2).flat_map(|side| (0..36).map(move |i| (side, i)));
        let mut colours = squares
            .filter(|&(_, i)| inner(i))
            .map(|(side, i)| state.face(Face::at(axis, [1, -1][side]))[i].axis());
        let first = colours.next();
        colours.all(|colour| Some(colour) == first)
    };
    assert!((0..3).any(is_done));
}
