//! Ways that pictures lie are found with the least cost, with all that are nearly as cheap, by a known amount of work.

use super::super::answers::lights::{Dice, mixed, shuffled};
use super::*;
use crate::net::USUAL;
use proptest::prelude::*;

proptest! {
    #[test]
    fn the_least_that_a_piece_costs_is_that_of_the_cheapest_one_on_a_solved_cube(
        a in prop::array::uniform6(0i32..1000), b in prop::array::uniform6(0i32..1000), c in prop::array::uniform6(0i32..1000), scheme in 0usize..30,
    ) {
        let scheme = schemes()[scheme];
        let laws = Laws::of(scheme, 0);
        // Every corner and every edge of a solved cube, however it is held, comes to DBL's mirror image UFR and to UF.
        let held = crate::cube::Symmetry::rotations().into_iter().map(|by| Face::ALL.map(|face| scheme[by.face(face) as usize]));
        let held: Vec<[usize; 6]> = held.collect();
        let [u, r, f] = [Face::U, Face::R, Face::F].map(|face| face as usize);
        let corner = held.iter().map(|h| a[h[u]] + b[h[r]] + c[h[f]]).min().unwrap();
        let edge = held.iter().map(|h| a[h[u]] + b[h[f]]).min().unwrap();
        prop_assert_eq!(laws.least(&[&a, &b, &c]), i64::from(corner));
        prop_assert_eq!(laws.least(&[&a, &b]), i64::from(edge));
        prop_assert_eq!(laws.least(&[&a]), 0);
    }
}

/// Squares that may have any colour.
fn unbound(n: usize) -> Unbound {
    Unbound {
        least: 0,
        six: [[0.0; 3]; 6],
        costs: vec![[0; 6]; 6 * n * n],
        colours: vec![0; 6 * n * n],
    }
}

/// Pictures of a cube that lie in some way. Its colours cost 50, others more, but on three squares another one costs a little less.
fn shown(state: &State, lie: &Arrangement, number: usize) -> Unbound {
    let n = state.size();
    let sides = Face::ALL.map(|face| state.face(face).iter().map(|&colour| colour as usize).collect());
    let colours = lie.sides(n, &sides).concat();
    let mut dice = Dice::new(number);
    let mut cost =
        |&colour: &usize| std::array::from_fn(|i| 50 + if i == colour { 0 } else { 200 + dice.below(800) as i32 });
    let mut costs: Vec<counts::Costs> = colours.iter().map(&mut cost).collect();
    for _ in 0..3 {
        let square = dice.below(costs.len());
        costs[square][(colours[square] + 1) % 6] = 10 + dice.below(30) as i32;
    }
    Unbound {
        costs,
        colours,
        ..unbound(n)
    }
}

/// What the squares of a cube cost in the colours that they have.
fn cost_of(shown: &Unbound) -> i64 {
    let least = shown.costs.iter().flat_map(|costs| costs.iter().min());
    shown.costs.len() as i64 * 50 - least.map(|&least| i64::from(least)).sum::<i64>()
}

#[test]
fn a_cube_is_found_in_any_order_of_its_pictures_by_so_much_work() {
    let mut work = Vec::new();
    for (number, n) in [2, 3, 4, 5, 3].into_iter().enumerate() {
        let state = mixed(n);
        let shown = shown(&state, &shuffled(&mut Dice::new(number)), number);
        let orbits = crate::cube::orbits(n);
        let mut placing = Placing::new(n, &orbits, &shown);
        assert!(placing.search(&USUAL, 100.0, 10.0, 6.0));
        let best = placing.found.iter().min_by_key(|way| way.cost).unwrap();
        assert_eq!(
            (best.cost, &best.cube),
            (cost_of(&shown), &canonical(&state)),
            "{number}"
        );
        work.push((placing.centres, placing.steps, placing.legal, placing.found.len()));
    }
    assert_eq!(
        work,
        [
            (0, 473_954, 615, 4),
            (0, 8636, 8, 1),
            (47, 34_082, 7, 1),
            (38, 3712, 3, 1),
            (0, 9068, 17, 1)
        ]
    );
}

#[test]
fn a_cube_of_other_colours_is_found_and_dearer_by_what_speaks_against_it() {
    for n in [2, 3] {
        let state = mixed(n);
        let shown = shown(&state, &shuffled(&mut Dice::new(7)), 7);
        let mut palette = USUAL;
        palette.swap(0, 1);
        let orbits = crate::cube::orbits(n);
        let ways = Placing::new(n, &orbits, &shown).ways(&palette, 100.0, 10.0, 6.5);
        let best = &ways.ways[0];
        assert_eq!((best.cost, &best.cube), (cost_of(&shown) + 650, &canonical(&state)));
    }
}

#[test]
fn cubes_are_found_that_are_dearer_by_as_much_as_is_allowed_and_no_more() {
    for number in [3, 4] {
        let shown = shown(&mixed(3), &shuffled(&mut Dice::new(number)), number);
        let orbits = crate::cube::orbits(3);
        let costs = |slack: f32| -> Vec<i64> {
            let ways = Placing::new(3, &orbits, &shown).ways(&USUAL, 10.0, slack / 10.0, 6.0);
            assert!(ways.is_whole && ways.ways.is_sorted_by_key(|way| way.cost));
            for (i, way) in ways.ways.iter().enumerate() {
                assert!(ways.ways[..i].iter().all(|other| other.cube != way.cube));
            }
            ways.ways.iter().map(|way| way.cost - ways.ways[0].cost).collect()
        };
        let all = costs(1640.0);
        assert!(all.len() > 1, "{all:?}");
        for &more in &all[1..] {
            let within = |slack: i64| all.iter().copied().filter(|&other| other <= slack).collect::<Vec<_>>();
            assert_eq!(costs(more as f32), within(more));
            assert_eq!(costs(more as f32 - 1.0), within(more - 1));
        }
    }
}

#[test]
fn of_two_pictures_that_look_alike_each_lies_where_it_costs_least() {
    let mut state = State::solved(2);
    state.do_moves(&crate::cube::parse_moves(2, "R2").unwrap());
    let orbits = crate::cube::orbits(2);
    for number in 0..4 {
        for exchanged in [false, true] {
            let mut lie = Arrangement::NAMED;
            if exchanged {
                lie.sides.swap(0, 3);
            }
            let shown = shown(&state, &lie, number);
            let ways = Placing::new(2, &orbits, &shown).ways(&USUAL, 100.0, 3.0, 6.0);
            let cube = canonical(&state);
            let found: Vec<i64> = ways
                .ways
                .iter()
                .filter(|way| way.cube == cube)
                .map(|way| way.cost)
                .collect();
            assert_eq!(found, [cost_of(&shown)]);
        }
    }
}

/// Ways that were found when some, given by what speaks against their scheme and by the turn of the second picture, were settled one after
/// the other: that turn, and the cost.
fn settled(slack: i64, some: &[(i64, u8)]) -> Vec<(Lie, i64)> {
    let orbits = crate::cube::orbits(2);
    let shown = shown(&mixed(2), &Arrangement::NAMED, 1);
    let mut placing = Placing::new(2, &orbits, &shown);
    (placing.limit, placing.slack) = (100_000, slack);
    for &(dearer, turn) in some {
        let mut laid = [0, 1, 2, 3, 4, 5].map(|picture| Some((picture, 0)));
        laid[1] = Some((1, turn));
        // By now another limit may hold.
        placing.settle(&Laws::of([0, 1, 2, 3, 4, 5], dearer), &laid);
    }
    let found = placing.found.iter();
    found.map(|way| (way.arrangement.sides[1].lie, way.cost)).collect()
}

#[test]
fn of_equal_cubes_the_cheaper_one_stays_whichever_comes_first() {
    let [(_, cost)] = settled(1000, &[(0, 0)])[..] else {
        panic!()
    };
    let upright = Lie::UPRIGHT;
    assert_eq!(settled(1000, &[(100, 0)]), [(upright, cost + 100)]);
    assert_eq!(settled(1000, &[(100, 0), (0, 0)]), [(upright, cost)]);
    assert_eq!(settled(1000, &[(0, 0), (100, 0)]), [(upright, cost)]);
}

#[test]
fn a_cube_is_dropped_when_one_is_found_that_is_cheaper_by_the_slack() {
    let [(_, cost)] = settled(1000, &[(0, 0)])[..] else {
        panic!()
    };
    let [(turned, dear)] = settled(1000, &[(0, 1)])[..] else {
        panic!()
    };
    assert!(cost < dear && turned != Lie::UPRIGHT);
    let all = [(turned, dear), (Lie::UPRIGHT, cost)];
    for (slack, from) in [(dear - cost + 1, 0), (dear - cost, 1)] {
        assert_eq!(settled(slack, &[(0, 1), (0, 0)]), all[from..]);
        // The other way round it is not even taken.
        assert_eq!(settled(slack, &[(0, 0), (0, 1)]).len(), 2 - from);
    }
}

#[test]
fn a_search_ends_by_each_of_its_bounds() {
    let orbits = crate::cube::orbits(2);
    let new = || Placing::new(2, &orbits, &unbound(2));
    let way = Way {
        arrangement: Arrangement::NAMED,
        cost: 0,
        cube: State::solved(2),
    };
    assert!(!new().is_over());
    for (steps, legal, found) in [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)] {
        let mut placing = new();
        placing.steps = STEPS - 1 + steps;
        placing.legal = LEGAL - 1 + legal;
        placing.found = vec![way.clone(); MANY - 1 + found];
        assert_eq!(placing.is_over(), steps + legal + found > 0);
    }
}

#[test]
fn a_search_among_pictures_that_tell_nothing_ends_and_says_that_it_is_not_whole() {
    let orbits = crate::cube::orbits(2);
    let ways = Placing::new(2, &orbits, &unbound(2)).ways(&USUAL, 1.0, 10.0, 6.0);
    assert!(!ways.is_whole);
    assert_eq!(ways.ways.first().map(|way| way.cost), Some(0));
    assert!(ways.ways.is_sorted_by_key(|way| way.cost));
}
