//! Tests of reducing the 6x6x6 and larger cubes.

use super::*;
use crate::cube::{Face, Symmetry, all_turns, random_turns};
use crate::progress::{Progress, Quiet};
use crate::search::Net;
use crate::solve::{Effort, Options, Solver};
use crate::tables::{Cost, Depths, Recipe, Spec};
use crate::testing::{cases, tables};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(super) fn hash(number: &u32) -> u8 {
    (u64::from(*number) + 1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(17) as u8
}

/// A table of random weights, where weights that are equal by symmetry are the same.
pub(super) struct AnyWeights(pub Guide);

impl Recipe for AnyWeights {
    fn spec(&self) -> Spec {
        self.0.spec()
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn cost(&self) -> Cost {
        self.0.cost()
    }
    fn depths(&self, _: &dyn Progress) -> Option<Depths> {
        let depths: Vec<u8> = self.0.same().iter().map(hash).collect();
        Some(Depths {
            histogram: vec![depths.len() as u64],
            depths,
        })
    }
}

/// A cube whose faces have one colour each. Its edges are mixed down to a layer, and paired further inside.
fn with_solved_centres(n: usize, layer: usize, rng: &mut ChaCha8Rng) -> State {
    let mut state = State::solved(n);
    for _ in 0..40 {
        // Flips an edge while a block is turned away. Outer turns move only faces of one colour.
        let block = Turn::outer(Face::U, rng.random_range(1..=layer as u8), rng.random_range(1..=3));
        let flip = [
            (Face::R, 1),
            (Face::U, 1),
            (Face::R, 3),
            (Face::F, 1),
            (Face::R, 3),
            (Face::F, 3),
            (Face::R, 1),
        ];
        let flip = flip.map(|(face, quarters)| Turn::outer(face, 1, quarters));
        state.turn(block);
        state.turn_all(&flip);
        state.turn(block.inverse());
        random_turns(3, 4, rng).into_iter().for_each(|turn| state.turn(turn));
    }
    state
}

#[test]
#[ignore = "builds the tables of a 5x5x5"]
fn edges_are_paired_ring_by_ring() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);

    let solver = Solver::open(6, &tables(6), &Quiet).unwrap();
    let state = with_solved_centres(6, 3, &mut rng);
    let options = Options {
        effort: Effort::Quick,
        ..Options::default()
    };
    let solution = solver.solve(&state, &options).unwrap();
    let mut solved = state.clone();
    solved.turn_all(&solution.turns);
    assert!(solved.is_solved());
}

/// No beam reaches its goal, so commutators do everything, on the cube and on the smaller cubes inside.
#[test]
#[cfg(feature = "build-tables")]
#[ignore = "builds the tables of a 5x5x5"]
fn guides_that_know_nothing_make_a_way_longer_and_no_worse() {
    use crate::tables::Store;
    use crate::testing::store;
    let folder = tempfile::tempdir().unwrap();
    let known = Store::new(folder.path()).building(true);
    // Without a guide larger cubes take minutes.
    let sizes: &[usize] = cases(&[6, 8, 9], &[6]);
    for &n in sizes {
        for guide in guides(n) {
            known.open_or_build(&AnyWeights(guide), &Quiet).unwrap();
        }
        for recipe in crate::solve::tables_for(n) {
            let spec = recipe.spec();
            if !known.path(&spec).exists() {
                store().prepare(&[recipe], &Quiet).unwrap();
                std::fs::copy(store().path(&spec), known.path(&spec)).unwrap();
            }
        }
        let mut state = State::solved(n);
        state.turn_all(&random_turns(n, 20 * n, &mut ChaCha8Rng::seed_from_u64(n as u64)));
        let options = Options {
            effort: Effort::Quick,
            ..Options::default()
        };
        let solution = Solver::open(n, &known, &Quiet)
            .unwrap()
            .solve(&state, &options)
            .unwrap();
        println!("{n}: {} turns, {:.1} s", solution.turns.len(), solution.seconds);
        state.turn_all(&solution.turns);
        assert!(state.is_solved());
    }
}

#[test]
fn guides_have_the_weights_that_their_tables_have_room_for() {
    for &guide in cases(&Guide::all()[..], &guides(6)) {
        let net = if guide.has_net() { Net::BYTES } else { 0 };
        assert_eq!((guide.same().len() + net) as u64, guide.spec().entries, "{guide:?}");
    }
}

/// Turns of a smaller cube.
fn inside_turn(size: usize, rng: &mut ChaCha8Rng) -> Turn {
    let turns = all_turns(size);
    turns[rng.random_range(0..turns.len())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_ring_turns_like_the_smaller_cube(n in 6usize..=11, layer in 2usize..6, way in 0usize..24, seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let layer = layer.min(n / 2);
        let mut state = with_solved_centres(n, layer, &mut rng);
        // A 4x4x4 in the middle of an even cube has no fixed centres, so after two turns its colours may be named
        // otherwise.
        let ring = Inside::ring(n, layer);
        let size = ring.size();
        let turns = if size == 4 { 1 } else { 20 };
        if size == 5 {
            state.rotate(Symmetry::rotations()[way]);
        }
        let mut inside = ring.of(&state);
        let faces = inside.colours().chunks(size * size);
        for (face, squares) in Face::ALL.into_iter().zip(faces) {
            prop_assert!((0..size * size).all(|i| {
                let [row, col] = [i / size, i % size];
                let inner = |at: usize| at > 0 && at + 1 < size;
                !(inner(row) && inner(col)) || squares[i] == face
            }), "the centres are not at home: {inside}");
        }
        for _ in 0..turns {
            let turn = inside_turn(size, &mut rng);
            inside.turn(turn);
            state.turn(ring.widened(turn));
            prop_assert_eq!(&ring.of(&state), &inside);
        }
    }

    #[test]
    fn a_cube_that_is_done_inside_turns_like_one_of_fewer_layers(n in 6usize..=11, layer in 2usize..6, way in 0usize..24, seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // With a middle layer, the colours keep their names.
        let layer = layer.min((n - 1) / 2);
        let inside = Inside::down_to(n, layer);
        let size = inside.size();
        prop_assert_eq!(size, 2 * layer + 1);
        let mut state = State::solved(n);
        state.rotate(Symmetry::rotations()[way]);
        let mut cube = inside.of(&state);
        for _ in 0..20 {
            let turn = inside_turn(size, &mut rng);
            cube.turn(turn);
            state.turn(inside.widened(turn));
            prop_assert_eq!(&inside.of(&state), &cube);
        }
    }
}

#[test]
fn a_stage_that_was_opened_early_is_the_one_that_is_searched() {
    let solver = SolverBig::open(6, &tables(6).building(false), &Quiet).unwrap();
    solver.open_first().unwrap();
    let stage = solver.early.take();
    solver.early.keep(stage.unwrap());
    let mut state = State::solved(6);
    state.turn_all(&random_turns(6, 100, &mut ChaCha8Rng::seed_from_u64(1)));
    let mut sink = |_: &[Turn], _: &[crate::search::Work]| ();
    let machine = crate::solve::committed::Waiting {
        sink: &mut sink,
        cost: None,
    };
    let mut attempt = Attempt {
        step: 0,
        times: 1,
        longest: 99,
        several: [1, 0],
        committed: &mut Committed::to(machine),
        meter: &mut Meter::new(u64::MAX, None, None),
    };
    solver.scout(&state, &mut attempt).unwrap();
    assert!(attempt.committed.searched().len() > 3 && solver.early.take().is_none());
}
