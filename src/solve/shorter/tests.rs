use super::*;
use crate::cube::{Face, Square, Symmetry, parse_moves, random_turns};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Where every square of a cube of size `n` is after moves.
fn places(n: usize, turns: &[Turn]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..6 * n * n).collect();
    for turn in turns {
        let to = turn.permutation(n);
        places.iter_mut().for_each(|place| *place = to[*place]);
    }
    places
}

/// Whether two sequences do the same, however the cube is held then.
fn do_the_same(n: usize, one: &[Turn], other: &[Turn]) -> bool {
    let (one, other) = (places(n, one), places(n, other));
    Symmetry::rotations().into_iter().any(|by| {
        let held = |&place: &usize| Square::from_index(n, place).moved(n, by).index(n);
        one.iter().map(held).eq(other.iter().copied())
    })
}

fn fewer(n: usize, turns: &[Turn], nodes: u64) -> Vec<Turn> {
    shorter(n, turns, Same::Squares, &mut Meter::new(nodes, None, None))
}

fn plain(n: usize, text: &str) -> Vec<Turn> {
    simplified(n, &parse_moves(n, text).unwrap())
}

/// Turns of a few blocks, so that some are undone on the way.
fn few_blocks(n: usize, count: usize, seed: u64) -> Vec<Turn> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let blocks = random_turns(n, 4, &mut rng);
    let one = |_| Turn {
        quarters: rng.random_range(1..4),
        ..blocks[rng.random_range(0..4)]
    };
    (0..count).map(one).collect()
}

/// What people write who know a few algorithms: they turn the whole cube and then a side, and do one.
fn algorithms(least: usize, seed: u64) -> Vec<Turn> {
    let known = [
        "R U R' U'",
        "R U R' U R U2 R'",
        "F R U R' U' F'",
        "U R U' R' U' F' U F",
        "R' F R' B2 R F' R' B2 R2",
    ];
    let (mut rng, mut text) = (ChaCha8Rng::seed_from_u64(seed), String::new());
    let mut one = |of: &[&str]| of[rng.random_range(0..of.len())].to_string() + " ";
    while plain(3, &text).len() < least {
        text += &one(&["", "y", "y2", "y'"]);
        text += &one(&["", "U", "U2", "U'"]);
        text += &one(&known);
    }
    plain(3, &text)
}

fn check(n: usize, turns: &[Turn], nodes: u64) {
    let result = fewer(n, turns, nodes);
    assert!(do_the_same(n, turns, &result), "{n} {turns:?}");
    assert!(result.len() <= simplified(n, &moves(turns.iter().copied())).len());
    assert!(
        result
            .iter()
            .all(|turn| turn.first == 1 && 2 * usize::from(turn.last) <= n)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn fewer_turns_do_the_same(n in 2usize..8, seed: u64, few: bool) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let turns = if few { few_blocks(n, 20, seed) } else { random_turns(n, 20, &mut rng) };
        check(n, &turns, 100_000);
    }

    #[test]
    fn what_eight_turns_do_on_a_3x3x3_takes_no_more(seed: u64, cut in 0usize..=8, loops in 1usize..3) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut turns = random_turns(3, 8, &mut rng);
        for _ in 0..loops {
            // Turns that do nothing, though no two of them undo each other.
            let by = Symmetry::rotations()[rng.random_range(0..24)];
            let nothing = plain(3, "(R U R' U')6").into_iter().map(|turn| turn.moved(by));
            turns.splice(cut..cut, nothing);
        }
        let result = fewer(3, &turns, 0);
        prop_assert!(result.len() <= 8, "{result:?}");
        prop_assert!(do_the_same(3, &turns, &result));
    }

    #[test]
    fn colours_are_kept_too(n in 2usize..7, seed: u64) {
        let mut state = State::solved(n);
        let turns = few_blocks(n, 16, seed);
        state.turn_all(&turns);
        let back = crate::cube::backwards(&turns);
        let result = shorter(n, &back, Same::Colours(&state), &mut Meter::new(100_000, None, None));
        state.turn_all(&result);
        prop_assert!(state.is_solved());
        prop_assert!(result.len() <= turns.len());
    }
}

#[test]
#[ignore = "takes minutes"]
fn fewer_turns_do_the_same_a_thousand_times_for_each_size() {
    for n in 2..=7 {
        for seed in 0..1000 {
            let turns = match seed % 2 {
                0 => few_blocks(n, 24, seed),
                _ => random_turns(n, 24, &mut ChaCha8Rng::seed_from_u64(seed)),
            };
            check(n, &turns, 200_000);
        }
    }
}

#[test]
#[ignore = "takes a minute"]
fn what_people_do_by_algorithms_gets_a_seventh_shorter() {
    let all: Vec<Vec<Turn>> = (0..20).map(|seed| algorithms(90, seed)).collect();
    let now: usize = all.iter().map(|turns| fewer(3, turns, shorter_nodes(3)).len()).sum();
    let before: usize = all.iter().map(Vec::len).sum();
    assert!(100 * now <= 85 * before, "{before} {now}");
}

#[test]
fn algorithms_that_follow_each_other_get_shorter() {
    let turns = algorithms(30, 2);
    let result = fewer(3, &turns, 0);
    assert!(result.len() < turns.len(), "{}", turns.len());
    assert!(do_the_same(3, &turns, &result));
}

#[test]
fn pieces_of_one_colour_may_be_exchanged_where_only_colours_count() {
    // It turns the centre of U by 180°, and nothing else.
    let turns = plain(4, "(U R L U2 R' L')2");
    let meter = || Meter::new(1_000_000, None, None);
    let solved = State::solved(4);
    assert_eq!(shorter(4, &turns, Same::Colours(&solved), &mut meter()), []);
    assert!(!shorter(4, &turns, Same::Squares, &mut meter()).is_empty());
    // On a 3x3x3 nobody sees that.
    assert_eq!(fewer(3, &turns, 0), []);
}

#[test]
fn a_stop_ends_it_with_what_there_is() {
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    for n in 2..6 {
        let turns = few_blocks(n, 30, 1);
        let mut meter = Meter::new(u64::MAX, None, Some(stop.clone()));
        let result = shorter(n, &turns, Same::Squares, &mut meter);
        assert_eq!(result, simplified(n, &moves(turns)));
    }
}

#[test]
fn nothing_stays_nothing_and_what_costs_too_much_stays_as_it_is() {
    for n in 2..6 {
        assert_eq!(fewer(n, &[], u64::MAX), []);
    }
    let width = |width: u8| Turn::outer(Face::ALL[usize::from(width) % 3], width, 1);
    let turns: Vec<Turn> = (1..30).map(width).collect();
    assert_eq!(fewer(30, &turns, 1000), simplified(30, &moves(turns)));
}
