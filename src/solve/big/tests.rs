use super::*;
use crate::cube::{Face, random_turns};
use crate::solve::{Effort, Options, Solver};
use crate::tables::{Quiet, Store};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Tables stay where the tests of the whole program find them.
fn store() -> Store {
    Store::new(concat!(env!("CARGO_MANIFEST_DIR"), "/target/tmp/tables"))
}

/// Every face of one colour, edges anyhow.
fn with_solved_centres(n: usize, rng: &mut ChaCha8Rng) -> State {
    let mut state = State::solved(n);
    for _ in 0..40 {
        // Edges flipped while a block is turned away: only the faces of outer turns are turned, and these are of one colour.
        let block = Turn::outer(Face::U, rng.random_range(1..=n as u8 / 2), rng.random_range(1..=3));
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
fn edges_are_paired_ring_by_ring() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for n in [6, 7, 8, 9] {
        let solver = Solver::open(n, &store(), &Quiet).unwrap();
        let state = with_solved_centres(n, &mut rng);
        let options = Options {
            effort: Effort::Quick,
            ..Options::default()
        };
        let solution = solver.solve(&state, &options).unwrap();
        let mut solved = state.clone();
        solved.turn_all(&solution.turns);
        assert!(solved.is_solved());
        println!("{n}: {} {}", solution.turns.len(), solution.seconds);
    }
}

#[test]
fn guides_have_the_weights_that_their_tables_have_room_for() {
    for guide in Guide::all() {
        println!(
            "{guide:?} {} {}",
            guide.weights(),
            crate::tables::Recipe::spec(&guide).entries
        );
    }
}
