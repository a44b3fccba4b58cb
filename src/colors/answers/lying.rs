//! Pictures that lie otherwise than they are named, or have no names.

use super::lights::{Dice, LIGHTS, mixed, painted, shuffled};
use super::{compare, data, real, squares, told};
use crate::colors::{Arranged, Arrangement, Hold, resolve, resolve_any, resolve_arranged};
use crate::cube::{Face, State, all_turns};

fn told_of(found: &Arranged) -> String {
    let misfit = if found.misfit { "no cube fits" } else { "fits" };
    let rival = found.rival.as_ref().map_or("none".to_string(), |rival| {
        format!("{} {}", rival.arrangement, rival.state)
    });
    format!(
        "{}; {misfit}; {}; rival {rival}; doubtful {}",
        found.arrangement,
        told(&found.resolution),
        squares(found.resolution.doubtful())
    )
}

/// Mixed, solved, or a few turns from that: then much fits.
fn cube(n: usize, number: usize, dice: &mut Dice) -> State {
    if number.is_multiple_of(2) {
        return mixed(n);
    }
    let mut cube = State::solved(n);
    let turns = all_turns(n);
    (0..dice.below(4)).for_each(|_| cube.turn(turns[dice.below(turns.len())]));
    cube
}

#[test]
fn answers_of_painted_cubes_with_one_mistake_stay() {
    let mistakes = Arrangement::mistakes();
    let lines = (0..14).map(|number| {
        let n = [3, 2, 3, 4, 2, 3][number % 6];
        let mut dice = Dice::new(number);
        let (name, light) = LIGHTS[[0, 1, 2, 4, 5, 7, 8, 9][number % 8]];
        let sides = light(n, &painted(&cube(n, number / 6, &mut dice)), &mut dice);
        let mistake = mistakes[number * 17 % mistakes.len()];
        let taken = mistake.sides(n, &sides);
        let found = resolve_arranged(n, &taken, resolve(n, &taken).unwrap()).unwrap();
        format!("{n}, {name}, {mistake}: {}", told_of(&found))
    });
    compare("mistakes.txt", include_str!("mistakes.txt"), lines);
}

#[test]
fn answers_of_nearly_solved_cubes_with_one_mistake_stay() {
    let mistakes = Arrangement::mistakes();
    let lines = (0..16).map(|number| {
        let n = [2, 3][number % 2];
        let mut dice = Dice::new(400 + number);
        let (name, light) = LIGHTS[[0, 1, 7][number % 3]];
        let sides = light(n, &painted(&cube(n, 1, &mut dice)), &mut dice);
        let mistake = mistakes[number * 11 % mistakes.len()];
        let taken = mistake.sides(n, &sides);
        let found = resolve_arranged(n, &taken, resolve(n, &taken).unwrap()).unwrap();
        format!("{n}, {name}, {mistake}: {}", told_of(&found))
    });
    compare("solved.txt", include_str!("solved.txt"), lines);
}

#[test]
fn answers_of_painted_cubes_in_any_order_stay() {
    let lines = (0..18).map(|number| {
        let n = [3, 2, 3, 2, 5, 3, 4][number % 7];
        let mut dice = Dice::new(200 + number);
        let (name, light) = LIGHTS[[0, 1, 7][number % 3]];
        let sides = light(n, &painted(&cube(n, number / 3, &mut dice)), &mut dice);
        let taken = shuffled(&mut dice).sides(n, &sides);
        let hold = if number % 5 < 2 { Hold::Named } else { Hold::First };
        let found = resolve_any(n, &taken, hold).unwrap();
        format!("{n}, {name}, {hold:?}: {}", told_of(&found))
    });
    compare("any.txt", include_str!("any.txt"), lines);
}

#[test]
fn answers_of_real_sets_in_any_order_with_names_stay() {
    let Some(dir) = data("answers_of_real_sets_in_any_order_with_names_stay") else {
        return;
    };
    let lines = real(&dir, 3).step_by(2).enumerate().map(|(number, (name, n, sides))| {
        let taken = shuffled(&mut Dice::new(number)).sides(n, &sides);
        let found = resolve_arranged(n, &taken, resolve(n, &taken).unwrap()).unwrap();
        format!("{name}: {}", told_of(&found))
    });
    compare("shuffled.txt", include_str!("shuffled.txt"), lines);
}

#[test]
fn mistakes_are_all_different_and_leave_each_picture_there_once() {
    let all = Arrangement::mistakes();
    // One of three turns or four mirrored lies of each of six pictures or of all; and fifteen pairs.
    assert_eq!(all.len(), 3 * 7 + 4 * 7 + 15);
    for (i, one) in all.iter().enumerate() {
        assert!(!all[..i].contains(one) && *one != Arrangement::NAMED);
        for face in Face::ALL {
            assert_eq!(one.sides.iter().filter(|placed| placed.picture == face).count(), 1);
        }
    }
}

#[test]
fn colours_that_no_cube_has_are_left_as_they_are_named_and_it_is_said() {
    for seed in 0..3 {
        let mut dice = Dice::new(seed);
        let mut sides = painted(&mixed(3));
        // The squares of corners change places among themselves, and those of edges: each colour is there as often as before.
        for i in (0..54).filter(|i| i % 9 != 4) {
            let other = (i + 2 * dice.below(27)) % 54;
            if other % 9 != 4 && other % 9 % 2 == i % 9 % 2 {
                let (one, two) = (sides[i / 9][i % 9], sides[other / 9][other % 9]);
                sides[i / 9][i % 9] = two;
                sides[other / 9][other % 9] = one;
            }
        }
        let named = resolve(3, &sides).unwrap();
        let found = resolve_arranged(3, &sides, named.clone()).unwrap();
        assert!(found.misfit && found.arrangement == Arrangement::NAMED);
        assert_eq!(found.resolution.state, named.state);
        // A part of what was to be expected.
        assert!(found.resolution.margin > 0.0 && found.resolution.margin < 1.0);
    }
}
