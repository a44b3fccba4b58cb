//! What ends a fit early, and what is doubted, is exact.

use super::super::answers::lights::{Dice, LIGHTS, Sides, mixed, painted};
use super::*;
use crate::cube::orbits;

fn seen(light: usize) -> Sides {
    LIGHTS[light].1(3, &painted(&mixed(3)), &mut Dice::new(light))
}

#[test]
fn only_on_even_cubes_other_colours_may_be_opposite() {
    for n in 2..6 {
        let solved = crate::cube::State::solved(n);
        let [known, exchanged] = [[0, 1, 2, 3, 4, 5], [1, 0, 2, 3, 4, 5]].map(|names: [usize; 6]| {
            let name = |(i, &colour): (usize, &Face)| (i, Face::ALL[names[colour as usize]]);
            solved.colours().iter().enumerate().map(name).collect::<Vec<Known>>()
        });
        assert!(possible(n, &orbits(n), &known));
        assert_eq!(possible(n, &orbits(n), &exchanged), n % 2 == 0);
    }
}

#[test]
fn squares_are_no_stickers_if_they_cost_more_than_so_much_on_average() {
    let orbits = orbits(3);
    let cube = Cube::new(3, &orbits, &seen(0), Curve::Clipped);
    let mut end = cube.stand(cube.seeds()[0], cube.measured.even());
    for (cost, is_hopeless) in [(0, false), (54 * 60_000, false), (54 * 60_000 + 1, true)] {
        end.colouring.cost = cost;
        assert_eq!(cube.is_hopeless(&end), is_hopeless);
    }
}

#[test]
fn what_is_no_cube_is_fitted_from_few_starts() {
    let orbits = orbits(3);
    let mut dice = Dice::new(1);
    let mut any = || std::array::from_fn(|_| dice.below(240) as u8);
    let sides: Sides = std::array::from_fn(|_| (0..9).map(|_| any()).collect());
    let ends = |sides: &Sides| {
        let cube = Cube::new(3, &orbits, sides, Curve::Clipped);
        let starts = cube.starts();
        let all = starts.len();
        let found = cube.cheapest(starts);
        (all, cube.is_hopeless(&found.best), found.others.len())
    };
    assert_eq!(
        [ends(&sides), ends(&seen(6)), ends(&[(); 6].map(|()| vec![[90; 3]; 9]))],
        [(14, true, 7), (4, false, 3), (4, false, 3)]
    );
}

#[test]
fn squares_are_doubted_where_cubes_differ_that_are_cheaper_than_so_much() {
    let orbits = orbits(3);
    let cube = Cube::new(3, &orbits, &seen(7), Curve::Clipped);
    let best = cube.cheapest(cube.starts()).best;
    let costs = cube.costs(&best.six, &best.light);
    let next = cube.puzzle(&costs).cheapest().runners_up().swap_remove(0);
    let gap = next.cost - best.colouring.cost;
    let differs = |i: &usize| next.colours[*i] != best.colouring.colours[*i];
    assert!(gap > 0);
    assert_eq!(cube.doubted(&best, gap), Vec::<usize>::new());
    assert_eq!(
        cube.doubted(&best, gap + 1),
        (0..54).filter(differs).collect::<Vec<_>>()
    );
}

#[test]
fn another_colouring_stays_as_it_is_with_colours_and_light_of_its_own() {
    let orbits = orbits(3);
    let cube = Cube::new(3, &orbits, &seen(7), Curve::Clipped);
    let best = cube.cheapest(cube.starts()).best;
    let costs = cube.costs(&best.six, &best.light);
    for next in cube.puzzle(&costs).cheapest().runners_up() {
        let found = cube.with_its_own(next.clone(), &best);
        assert_eq!(found.colouring.colours, next.colours);
        assert_eq!(found.home, next.colours);
        assert!(found.cost < next.cost + best.light.penalty);
        let own = cube.costs(&found.six, &found.light);
        let sum: i64 = own
            .iter()
            .zip(&next.colours)
            .map(|(costs, &colour)| i64::from(costs[colour as usize]))
            .sum();
        assert_eq!((found.colouring.cost, found.cost), (sum, sum + found.light.penalty));
    }
}
