use super::*;
use crate::cube::random_turns;
use crate::progress::Quiet;
use crate::solve::forged::{WAYS, forge, replace, wrong};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::LazyLock;

static BUILT: LazyLock<Store> = LazyLock::new(|| crate::testing::built(&TABLES));
static SOLVER: LazyLock<Thistlethwaite> = LazyLock::new(|| Thistlethwaite::open(&BUILT, &Quiet).unwrap());

fn after(cubies: Cubies, turns: &[Turn]) -> Cubies {
    turns.iter().fold(cubies, |c, &turn| c.then(&Cubies::of_turn(turn)))
}

fn mixed(seed: u64, count: usize) -> Cubies {
    let turns = random_turns(3, count, &mut ChaCha8Rng::seed_from_u64(seed));
    after(Cubies::SOLVED, &turns)
}

fn unlimited() -> Meter {
    Meter::new(u64::MAX, None, None)
}

#[test]
fn the_numbers_at_each_distance_are_the_known_ones_and_their_farthest_add_up_to_45() {
    let known: [&[u64]; 4] = [
        &[1, 2, 25, 202, 620, 900, 285, 13],
        &[1, 2, 17, 134, 1065, 8190, 54_694, 267_576, 560_568, 187_204, 3114],
        &[1, 2, 9, 36, 124, 530, 1806, 3732, 5158, 7070, 7218, 3202, 488, 24],
        &[
            1, 6, 27, 120, 519, 1932, 6484, 20_310, 55_034, 113_892, 178_495, 179_196, 89_728, 16_176, 1488, 144,
        ],
    ];
    let mut longest = 0;
    for ((table, known), (entries, wanted)) in TABLES
        .iter()
        .zip(known)
        .zip([2048, 1_082_565, 29_400, 663_552].into_iter().zip(PLAN))
    {
        assert_eq!(BUILT.open(table).unwrap().header().histogram, known, "{}", table.name());
        assert_eq!(known.iter().sum::<u64>(), entries);
        longest += known.len() - 1;
        assert_eq!(wanted.longest, longest);
    }
    assert_eq!(longest, 45);
}

#[test]
fn each_phase_can_see_as_much_as_its_table_has_entries() {
    for (looks, table) in [Looks::flips(), Looks::twists(), Looks::orbits(), Looks::pieces()]
        .iter()
        .zip(&TABLES)
    {
        assert_eq!(
            looks.entry(looks.at(&Cubies::SOLVED)),
            crate::tables::Space::goals(looks)[0]
        );
        assert_eq!(crate::tables::Space::entries(looks) as u64, table.spec.entries);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn turning_what_a_phase_looks_at_is_turning_the_cube(seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for looks in [Looks::flips(), Looks::twists(), Looks::orbits(), Looks::pieces()] {
            let (mut cubies, mut at) = (Cubies::SOLVED, looks.at(&Cubies::SOLVED));
            for _ in 0..60 {
                let turn = rng.random_range(0..looks.turns.len());
                cubies = after(cubies, &[looks.turns[turn]]);
                at = looks.turned(at, turn);
                prop_assert_eq!(at, looks.at(&cubies));
            }
        }
    }

    /// After a phase the cube is in the phase's group, because turns of that group, those of the phases after it, solve it.
    #[test]
    fn each_phase_ends_in_its_group_and_not_before_its_last_turn(seed: u64, count in 0usize..60) {
        let cubies = mixed(seed, count);
        let phases = SOLVER.solve(&cubies, &mut unlimited()).unwrap();
        prop_assert_eq!(after(cubies, &phases.concat()), Cubies::SOLVED);
        let made = phases.each_ref().map(Vec::len);
        let longest = PLAN.map(|wanted| wanted.longest);
        prop_assert!((0..4).all(|i| made[..=i].iter().sum::<usize>() <= longest[i]), "{:?}", made);
        let fits = |flips: usize, slice: usize| {
            let is_in = |group: usize, turn: &Turn| {
                let axis = turn.face.axis();
                turn.quarters == 2 || [true, axis != flips, axis == slice, false][group]
            };
            (0..4).all(|group| phases[group].iter().all(|turn| is_in(group, turn)))
                && (0..3).all(|group| phases[group].last().is_none_or(|turn| !is_in(group + 1, turn)))
        };
        let axes = (0..3).flat_map(|flips| (0..3).map(move |slice| (flips, slice)));
        prop_assert!(axes.filter(|(flips, slice)| flips != slice).any(|(flips, slice)| fits(flips, slice)), "{:?}", phases);
    }
}

#[test]
fn a_cube_that_is_in_a_group_needs_no_turns_of_the_phases_before() {
    let solve = |cubies| {
        SOLVER
            .solve(&cubies, &mut unlimited())
            .unwrap()
            .map(|turns| turns.len())
    };
    assert_eq!(solve(Cubies::SOLVED), [0; 4]);
    for (moves, lengths) in [
        (&[(Face::F, 1)][..], [0, 0, 1, 0]),
        (&[(Face::R, 2)], [0, 0, 0, 1]),
        (&[(Face::U, 1), (Face::R, 1)], [0, 1, 1, 0]),
    ] {
        let turns: Vec<Turn> = moves
            .iter()
            .map(|&(face, quarters)| Turn::outer(face, 1, quarters))
            .collect();
        assert_eq!(solve(after(Cubies::SOLVED, &turns)), lengths);
    }
}

#[test]
fn the_same_cube_has_the_same_way_and_it_is_short() {
    let mut turns = 0;
    for seed in 0..20 {
        let mut meter = unlimited();
        let phases = SOLVER.solve(&mixed(seed, 60), &mut meter).unwrap();
        assert_eq!(SOLVER.solve(&mixed(seed, 60), &mut unlimited()), Some(phases.clone()));
        assert!(meter.nodes() < 200_000, "{}", meter.nodes());
        turns += phases.concat().len();
    }
    // The shortest way through each phase alone would be 31 turns on average.
    assert!(turns < 20 * 25, "{turns}");
}

#[test]
fn a_meter_that_is_over_ends_it() {
    let mut meter = Meter::new(u64::MAX, Some(std::time::Duration::ZERO), None);
    assert_eq!(SOLVER.solve(&mixed(1, 60), &mut meter), None);
    assert!(meter.contradiction().is_none());
}

#[test]
fn a_wrong_table_is_named_or_does_not_hinder() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path()).building(false);
    for table in &TABLES {
        std::fs::copy(BUILT.path(&table.spec), store.path(&table.spec)).unwrap();
    }
    for table in &TABLES {
        let path = store.path(&table.spec);
        let good = std::fs::read(&path).unwrap();
        let mut named = 0;
        for way in 0..WAYS {
            forge(&path, |payload| wrong(way, payload));
            let solver = Thistlethwaite::open(&store, &Quiet).unwrap();
            let (cubies, mut meter) = (mixed(way as u64, 60), unlimited());
            match solver.solve(&cubies, &mut meter) {
                Some(phases) => assert_eq!(after(cubies, &phases.concat()), Cubies::SOLVED),
                None => {
                    assert_eq!(meter.contradiction().unwrap().table, table.name(), "{way}");
                    named += 1;
                }
            }
            replace(&path, &good);
        }
        assert!(named >= 5, "{} {named}", table.name());
    }
}

#[test]
fn no_solver_needs_these_tables() {
    for n in crate::solve::SIZES {
        let needed = crate::solve::tables_for(n);
        assert!(
            needed
                .iter()
                .all(|recipe| TABLES.iter().all(|table| recipe.spec().name != table.name()))
        );
    }
    assert_eq!(crate::solve::tables_for_methods(3).len(), 4);
}
