//! Tests with a small table, which knows less and says nothing wrong either.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::cosets::{Cosets, EXCHANGES, TWISTS};
use super::table::{COARSE, Optimal3, TOGETHER, coarse, value};
use super::whole::{Views, Whole};
use super::*;
use crate::cube::{Cubies, all_turns, random_turns};
use crate::progress::Quiet;
use crate::tables::Recipe;
use crate::testing::{built, tables};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

static THREE: LazyLock<Solver3> = LazyLock::new(|| Solver3::open(&tables(3), &Quiet).unwrap());
static SMALL: LazyLock<Prover> =
    LazyLock::new(|| Prover::open(Optimal3::Small, &built(&[Optimal3::Small]), &Quiet).unwrap());

fn after(turns: &[Turn]) -> Cubies {
    turns
        .iter()
        .fold(Cubies::SOLVED, |c, &turn| c.then(&Cubies::of_turn(turn)))
}

fn random(count: usize, seed: u64) -> Cubies {
    after(&random_turns(3, count, &mut ChaCha8Rng::seed_from_u64(seed)))
}

/// The shortest solution of fewer than `known` turns, which must be proved.
fn shorter(cubies: &Cubies, known: usize) -> Option<Vec<Turn>> {
    let (found, proved) = SMALL.shorter(&THREE, cubies, known, &mut Meter::new(u64::MAX, None, None));
    assert!(proved);
    if let Some(turns) = &found {
        assert_eq!(
            turns.iter().fold(*cubies, |c, &turn| c.then(&Cubies::of_turn(turn))),
            Cubies::SOLVED
        );
    }
    found
}

/// All cubes within so many turns, with their distances.
fn all_within(most: usize) -> HashMap<Cubies, usize> {
    let turns: Vec<Cubies> = all_turns(3).into_iter().map(Cubies::of_turn).collect();
    let mut known = HashMap::from([(Cubies::SOLVED, 0)]);
    let mut layer = vec![Cubies::SOLVED];
    for distance in 1..=most {
        let mut next = Vec::new();
        for cube in &layer {
            for turn in &turns {
                let cube = cube.then(turn);
                known.entry(cube).or_insert_with(|| {
                    next.push(cube);
                    distance
                });
            }
        }
        layer = next;
    }
    known
}

#[test]
fn distances_are_those_of_a_plain_search_of_all_cubes() {
    let known = all_within(4);
    assert_eq!(known.len(), 1 + 18 + 243 + 3240 + 43_239);
    for (cube, &distance) in known.iter().take(3000) {
        assert_eq!(shorter(cube, distance + 1).map(|turns| turns.len()), Some(distance));
    }
    // One turn more leads to five turns, or is known.
    for seed in 0..300 {
        let cube = random(5, seed);
        let distance = known.get(&cube).copied().unwrap_or(5);
        assert_eq!(shorter(&cube, 6).map(|turns| turns.len()), Some(distance));
        assert_eq!(shorter(&cube, distance), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_so_many_turns_have_mixed_no_more_turns_solve(seed: u64, count in 0usize..=8) {
        let turns = shorter(&random(count, seed), count + 1).map(|turns| turns.len());
        prop_assert!(turns.is_some_and(|turns| turns <= count));
        // The inverse is as far.
        prop_assert_eq!(shorter(&random(count, seed).inverse(), count + 1).map(|turns| turns.len()), turns);
    }

    #[test]
    fn coordinates_turn_as_the_cube_does_and_are_read_of_the_cube_and_its_inverse(seed: u64, with_flips: bool) {
        let cosets = Cosets::new(with_flips);
        let views = Views::new(&cosets);
        let mut cubies = random(20, seed);
        let mut at = views.of(&cosets, &Whole::of(&cubies), false);
        for turn in random_turns(3, 30, &mut ChaCha8Rng::seed_from_u64(!seed)) {
            let t = cosets.group.turns().iter().position(|&other| other == turn).unwrap();
            let whole = Whole::of(&cubies).turned(&Cubies::of_turn(turn));
            cubies = cubies.then(&Cubies::of_turn(turn));
            prop_assert_eq!(whole, Whole::of(&cubies));
            prop_assert_eq!(whole.inverse(), Whole::of(&cubies.inverse()));
            at = std::array::from_fn(|axis| cosets.turned(at[axis], usize::from(views.seen[axis][t])));
            let read = views.of(&cosets, &whole, false);
            let inverse = views.of(&cosets, &whole, true);
            let of_inverse = views.of(&cosets, &whole.inverse(), false);
            for axis in 0..3 {
                let same = |a: super::cosets::At, b: super::cosets::At| cosets.parts(a) == cosets.parts(b);
                prop_assert!(same(at[axis], read[axis]) && same(inverse[axis], of_inverse[axis]));
            }
        }
    }
}

#[test]
fn classes_and_entries_are_as_many_as_the_tables_say() {
    for recipe in [Optimal3::Whole, Optimal3::Small] {
        let cosets = Cosets::new(recipe.flips());
        let coarse = cosets.edges.classes() * TWISTS;
        let bytes = cosets.entries().div_ceil(TOGETHER) + coarse.div_ceil(4);
        assert_eq!(bytes as u64, recipe.spec().entries);
        assert_eq!(cosets.entries(), cosets.edges.classes() * EXCHANGES * TWISTS);
        assert!(recipe.spec().file_bytes() <= 400_000_000);
    }
}

#[test]
fn the_table_says_how_far_entries_are_and_notices_what_cannot_be() {
    let table = &SMALL.table;
    assert_eq!(
        table.header().histogram.iter().sum::<u64>(),
        SMALL.cosets.entries() as u64
    );
    let mut payload = table.payload().to_vec();
    let check = |payload: &[u8]| Optimal3::Small.contradiction(payload, 20_000, &Quiet);
    assert_eq!(check(&payload), None);
    let home = SMALL.cosets.entry(SMALL.cosets.home());
    assert_eq!(value(&payload, home), 0);
    payload[home as usize / TOGETHER] = 0xff;
    assert!(check(&payload).is_some());
    payload[home as usize / TOGETHER] = table.payload()[home as usize / TOGETHER];
    assert_eq!(check(&payload), None);
    let behind = SMALL.cosets.entries().div_ceil(TOGETHER);
    assert_eq!(coarse(&payload[behind..], SMALL.cosets.coarse(SMALL.cosets.home())), 0);
    payload[behind..].fill(0x55);
    assert!(check(&payload).is_some());
    payload.fill(0x79);
    assert!(check(&payload).is_some());
    // What is so many turns away is no farther.
    for seed in 0..2000 {
        let at = SMALL
            .views
            .of(&SMALL.cosets, &Whole::of(&random(Optimal3::Small.near(), seed)), false);
        assert!(at.iter().all(|&at| value(table.payload(), SMALL.cosets.entry(at)) == 0));
        let at = SMALL.views.of(
            &SMALL.cosets,
            &Whole::of(&random(Optimal3::Small.near() - COARSE, seed)),
            false,
        );
        assert!(
            at.iter()
                .all(|&at| coarse(&table.payload()[behind..], SMALL.cosets.coarse(at)) == 0)
        );
    }
}

#[test]
fn a_request_to_stop_ends_it_without_a_proof() {
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let mut meter = Meter::new(u64::MAX, None, Some(stop));
    assert!(matches!(
        SMALL.shorter(&THREE, &random(30, 1), 20, &mut meter),
        (None, false)
    ));
}
