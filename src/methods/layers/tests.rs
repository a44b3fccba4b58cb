use super::*;
use crate::cube::{Pieces, random_turns, scramble};
use crate::progress::Quiet;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

#[test]
fn there_are_at_most_fifteen_short_algorithms_and_each_does_what_it_has_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let layers = Layers::open(&Store::new(folder.path()), &Quiet).unwrap();
    assert!(ALL.len() <= 15);
    for (wanted, algorithm) in ALL.iter().zip(layers.algorithms()) {
        let effect = Doing::new(None, algorithm.turns.clone()).effect;
        assert!(wanted.kept.by(&effect) && (wanted.is_it)(&effect), "{}", wanted.name);
        assert!((1..=10).contains(&algorithm.turns.len()), "{}", wanted.name);
    }
}

#[test]
fn every_cube_is_solved_stage_by_stage_and_stays_so() {
    let folder = tempfile::tempdir().unwrap();
    let layers = Layers::open(&Store::new(folder.path()), &Quiet).unwrap();
    for seed in 0..100 {
        let mut cube = State::solved(3);
        cube.turn_all(&random_turns(3, 50, &mut rng(seed)));
        let cubies = Pieces::of(&cube).unwrap().cubies;
        let lesson = layers
            .lesson(&cubies, 3, &mut Meter::new(u64::MAX, None, None))
            .unwrap();
        for stage in 0..STAGES {
            lesson.of_stage(stage).for_each(|step| cube.turn_all(&step.turns));
            let now = Pieces::of(&cube).unwrap().cubies;
            // Whatever an earlier stage has brought home is still there.
            for done in [0, 1, 2].into_iter().filter(|&done| done <= stage) {
                assert_eq!(four(done).on(&now), four(done).on(&Cubies::SOLVED), "{seed} {stage}");
            }
            assert!(stage < 3 || now.flips[4..8] == [0; 4]);
            assert!(stage < 5 || now.corners == Cubies::SOLVED.corners && now.twists == [0; 8]);
        }
        assert!(cube.is_solved());
        let (turns, phases) = lesson.solution();
        let mut other = State::from_cubies(&cubies);
        other.turn_all(&turns);
        assert!(other.is_solved() && turns.len() <= 110 && phases.len() <= STAGES);
    }
}

#[test]
fn larger_cubes_become_a_3x3x3_and_are_solved() {
    let folder = tempfile::tempdir().unwrap();
    let layers = Layers::open(&Store::new(folder.path()), &Quiet).unwrap();
    for n in 4..=7 {
        let reducer = Reducer::new(n);
        for seed in 0..12 {
            let mut given = State::solved(n);
            given.turn_all(&scramble(n, &mut rng(seed)));
            let frame = Pieces::of(&given).unwrap().frame;
            let mut cube = given.renamed(frame);
            let mut meter = Meter::new(u64::MAX, None, None);
            let lesson =
                lesson_of_big(&layers, &reducer, &cube, &mut meter).unwrap_or_else(|| panic!("{n} {seed} {cube}"));
            lesson.steps.iter().for_each(|step| cube.turn_all(&step.turns));
            assert!(cube.is_solved(), "{n} {seed}");
        }
    }
}
