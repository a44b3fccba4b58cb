//! What is said of pictures is exact, given what each arrangement of them costs.

use super::super::answers::lights::{Dice, LIGHTS, Sides, mixed, painted};
use super::*;
use crate::cube::{Face, Lie, Symmetry, all_turns};
use crate::net::USUAL;

fn seen(n: usize) -> Sides {
    LIGHTS[0].1(n, &painted(&mixed(n)), &mut Dice::new(n))
}

/// An answer that costs so much, in mean costs of a square.
fn answer(pictures: &Pictures, state: &State, cost: f32) -> Resolution {
    Resolution {
        state: state.clone(),
        margin: 50.0,
        disputed: Vec::new(),
        others: vec![None; state.colours().len()],
        palette: USUAL,
        cost: cost * pictures.mean,
    }
}

fn fitted(pictures: &Pictures, state: &State, against: f32) -> Fitted {
    Fitted {
        arrangement: Arrangement::NAMED,
        resolution: answer(pictures, state, 1.0),
        against,
    }
}

/// Cubes a turn away.
fn near(state: &State) -> Vec<State> {
    let turned = |turn| {
        let mut other = state.clone();
        other.turn(turn);
        other
    };
    all_turns(state.size())
        .into_iter()
        .map(turned)
        .filter(|other| other != state)
        .collect()
}

fn turned(side: usize, turns: u8) -> Arrangement {
    let mut one = Arrangement::NAMED;
    one.sides[side].lie = Lie::turned(turns);
    one
}

#[test]
fn an_answer_is_judged_by_its_cost_in_means_by_its_colours_and_by_what_was_said_before() {
    let (sides, orbits) = (seen(3), orbits(3));
    let pictures = Pictures::new(3, &sides, &orbits);
    assert_eq!(pictures.mean, pictures.unbound.least as f32 / 54.0);
    let is_about = |found: f32, right: f32| (found - right).abs() < 1e-3;
    let mut answer = answer(&pictures, &mixed(3), 1.5);
    assert!(is_about(pictures.fit(&answer), 27.0));
    assert!(is_about(pictures.against(&answer, 2.5), 29.5));
    answer.palette.swap(0, 1);
    assert!(is_about(pictures.against(&answer, 2.5), 29.5 + UNUSUAL));
    // Squares by themselves look as they were seen.
    for colour in pictures.palette() {
        let nearest = sides
            .concat()
            .into_iter()
            .map(|seen| (0..3).map(|i| colour[i].abs_diff(seen[i])).max());
        assert!(nearest.min() <= Some(Some(6)), "{colour:?}");
    }
}

#[test]
fn the_next_other_cube_limits_the_margin_if_it_is_near() {
    let (sides, orbits) = (seen(3), orbits(3));
    let pictures = Pictures::new(3, &sides, &orbits);
    let state = mixed(3);
    let others = near(&state);
    let concluded = |others: &[(&State, f32)]| {
        let others = others
            .iter()
            .map(|&(state, against)| fitted(&pictures, state, against))
            .collect();
        pictures.conclude(fitted(&pictures, &state, 1.0), others).unwrap()
    };
    let alone = concluded(&[]);
    assert!(alone.rival.is_none() && !alone.misfit && alone.resolution.margin == 50.0);
    for (against, margin) in [(0.5, 0.0), (1.0, 0.0), (3.5, 2.5), (1.0 + SURE - 0.25, SURE - 0.25)] {
        // Further ones, and the same cube, change nothing.
        let found = concluded(&[(&others[3], against + 0.1), (&others[5], against), (&state, 0.0)]);
        assert_eq!(found.resolution.margin, margin);
        assert_eq!(found.rival.unwrap().state, others[5]);
        let differs = |square: &Square| others[5].colour(*square) != state.colour(*square);
        assert_eq!(
            found.resolution.disputed,
            Square::all(3).filter(differs).collect::<Vec<_>>()
        );
    }
    let far = concluded(&[(&others[5], 1.0 + SURE)]);
    assert!(far.rival.is_none() && far.resolution.margin == 50.0);
}

#[test]
fn the_same_cube_held_or_called_otherwise_is_no_other_one() {
    for n in [2, 3] {
        let (sides, orbits) = (seen(n), orbits(n));
        let pictures = Pictures::new(n, &sides, &orbits);
        let state = mixed(n);
        for by in Symmetry::rotations().into_iter().skip(1) {
            let mut held = state.held(by);
            if n == 2 {
                // Colours that are called otherwise, too.
                held = held.renamed(Symmetry::rotations()[7]);
            }
            let found = pictures.conclude(fitted(&pictures, &state, 1.0), vec![fitted(&pictures, &held, 1.0)]);
            assert!(found.unwrap().rival.is_none());
        }
    }
    // On an even cube colours may be exchanged; then it is held the same.
    let (sides, orbits) = (seen(2), orbits(2));
    let pictures = Pictures::new(2, &sides, &orbits);
    let called = State::from_fn(2, |square| {
        Face::ALL[[1, 0, 2, 3, 4, 5][mixed(2).colour(square) as usize]]
    });
    let found = pictures.conclude(fitted(&pictures, &mixed(2), 1.0), vec![fitted(&pictures, &called, 1.0)]);
    assert!(found.unwrap().rival.is_none());
}

#[test]
fn no_cube_fits_if_the_best_costs_more_than_so_many_means() {
    for (n, limit) in [(2, TWO_LAYERS_FIT), (3, FITS)] {
        let (sides, orbits) = (seen(n), orbits(n));
        let pictures = Pictures::new(n, &sides, &orbits);
        let concluded = |cost: f32| {
            let best = Fitted {
                arrangement: turned(2, 1),
                resolution: answer(&pictures, &mixed(n), 1.0),
                against: 1.0,
            };
            let best = Fitted {
                resolution: Resolution {
                    cost,
                    ..best.resolution.clone()
                },
                ..best
            };
            pictures.conclude(best, Vec::new()).unwrap()
        };
        let most = pictures.mean * limit;
        let found = concluded(most);
        assert!(!found.misfit && found.resolution.margin == 50.0 && found.arrangement == turned(2, 1));
        let found = concluded(most * 1.001);
        assert!(found.misfit && found.arrangement == turned(2, 1) && found.rival.is_none());
        assert_eq!(found.resolution.margin, pictures.mean / (most * 1.001));
    }
}

#[test]
fn of_two_that_are_equally_likely_the_first_stays_the_best() {
    let (sides, orbits) = (seen(3), orbits(3));
    let pictures = Pictures::new(3, &sides, &orbits);
    let [one, other] = [mixed(3), near(&mixed(3)).swap_remove(0)];
    for (against, is_first) in [(2.0, true), (1.5, true), (1.49, false)] {
        let mut best = fitted(&pictures, &one, 1.5);
        let rest = best.beside(fitted(&pictures, &other, against));
        let states = if is_first { [&one, &other] } else { [&other, &one] };
        assert_eq!([&best.resolution.state, &rest.resolution.state], states);
    }
}

#[test]
fn a_rival_is_held_as_the_answer_if_its_first_side_is_another_picture() {
    let (sides, orbits) = (seen(3), orbits(3));
    let pictures = Pictures::new(3, &sides, &orbits);
    let best = || fitted(&pictures, &mixed(3), 0.0).alone();
    let rival = |of: Fitted| pictures.with_rival(best(), 0.0, Some(of)).unwrap().rival.unwrap();
    // Half a turn about the axis through the first side, but the picture there lies in some way.
    let held = |turns: u8| {
        let mut held = Arrangement::NAMED;
        held.sides = [0, 4, 5, 3, 1, 2].map(|i| Arrangement::NAMED.sides[i]);
        held.sides[0].lie = Lie::turned(turns);
        held.sides[3].lie = Lie::turned(2);
        held
    };
    let of = |arrangement: Arrangement| Fitted {
        arrangement,
        ..fitted(&pictures, &near(&mixed(3))[4], 0.0)
    };
    for turns in 0..2 {
        let other = held(turns);
        let like = other.held_like(&Arrangement::NAMED);
        assert_eq!(like, turned(0, turns + 2));
        let found = rival(of(other));
        if turns == 0 {
            assert_eq!(
                (found.arrangement, found.state),
                (other, near(&mixed(3)).swap_remove(4))
            );
        } else {
            // Fitted anew.
            let right = resolve(3, &like.sides(3, &sides)).unwrap().state;
            assert_eq!((found.arrangement, found.state), (like, right));
        }
        assert_eq!(rival(of(like)).state, near(&mixed(3))[4]);
    }
}

#[test]
fn the_likeliest_mistakes_are_few_and_begin_with_the_one_that_was_made() {
    for n in [2, 3] {
        for (number, mistake) in Arrangement::mistakes().into_iter().enumerate().step_by(16) {
            let sides = LIGHTS[0].1(n, &painted(&mixed(n)), &mut Dice::new(number));
            let taken = mistake.sides(n, &sides);
            let orbits = orbits(n);
            let pictures = Pictures::new(n, &taken, &orbits);
            let ways = pictures.ways();
            let found = pictures.likeliest(&ways);
            // Done again it is undone.
            let undone = Arrangement::mistakes()
                .into_iter()
                .find(|one| one.sides(n, &taken) == sides)
                .unwrap();
            assert!(found.len() <= FEW && found.contains(&undone), "{n}, {mistake}");
        }
    }
}
