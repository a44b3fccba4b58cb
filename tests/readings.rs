//! Readings of a colour sensor to states: simulated sensors, and the colours of real cubes.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as expected")]

mod common;
#[path = "common/sets.rs"]
mod sets;

use cranecuber::brick::COLOR_MOST;
use cranecuber::colors::{ReadingError, Readings};
use cranecuber::cube::{Face, State, scramble};
use cranecuber::sim::{Sensor, Spot, Trouble};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

type Side = [[u16; 3]; 9];

fn scrambled(seed: u64) -> State {
    let mut cube = State::solved(3);
    cube.turn_all(&scramble(3, &mut ChaCha8Rng::seed_from_u64(seed)));
    cube
}

/// What a sensor reads of a cube, with noise of its own by the number.
fn read(sensor: &Sensor, cube: &State, number: u64) -> [Side; 6] {
    Face::ALL.map(|face| {
        let stickers = std::array::from_fn(|i| cube.face(face)[i]);
        sensor.side(&stickers, 6 * number + face as u64)
    })
}

fn readings(white: [u16; 3], sides: &[Side; 6]) -> Result<Readings, ReadingError> {
    let mut readings = Readings::new(white, COLOR_MOST);
    for (face, side) in Face::ALL.into_iter().zip(sides) {
        readings.add(face, side)?;
    }
    Ok(readings)
}

/// Six sides that are read without a trouble.
fn calm(seed: u64) -> ([u16; 3], [Side; 6], State) {
    let (sensor, cube) = (Sensor::calm(seed), scrambled(seed));
    (sensor.white(), read(&sensor, &cube, 0), cube)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_cube_is_read_right_and_surely_whatever_troubles_a_sensor_above_its_stickers(seed: u64, trouble in 0usize..7) {
        let trouble = Trouble::ALL[trouble];
        prop_assume!(trouble != Trouble::Beside);
        let (sensor, cube) = (Sensor::troubled(&[trouble], 1.0, seed), scrambled(seed));
        let found = readings(sensor.white(), &read(&sensor, &cube, 0)).unwrap().resolve().unwrap();
        prop_assert_eq!(found.state, cube);
        prop_assert!(found.margin >= 4.0, "{:?}: {}", trouble, found.margin);
    }

    #[test]
    fn of_less_light_on_edges_and_corners_nothing_is_left(seed: u64, edges in 40u16..100, corners in 40u16..100) {
        let (white, even, _) = calm(seed);
        let dimmed = even.map(|side| std::array::from_fn(|i| {
            let percent = match Spot::of(i) { Spot::Centre => 100, Spot::Edge => edges, Spot::Corner => corners };
            side[i].map(|counts| (u32::from(counts) * u32::from(percent) / 100) as u16)
        }));
        let colours = |sides: &[Side; 6]| readings(white, sides).unwrap().colours().unwrap().concat();
        for (even, dimmed) in colours(&even).concat().into_iter().zip(colours(&dimmed).concat()) {
            prop_assert!(even.abs_diff(dimmed) <= 4, "{even} {dimmed}");
        }
    }

    #[test]
    fn a_side_that_was_read_three_times_is_as_two_of_them_say(seed: u64, face in 0usize..6, wrong in 0usize..3) {
        let (white, sides, cube) = calm(seed);
        let mut one = Readings::new(white, COLOR_MOST);
        for (i, side) in sides.iter().enumerate() {
            for time in 0..if i == face { 3 } else { 1 } {
                // Once the hand of somebody is below the sensor.
                let seen = if i == face && time == wrong { &[[90, 40, 30]; 9] } else { side };
                one.add(Face::ALL[i], seen).unwrap();
            }
        }
        prop_assert!(one.is_read_again(Face::ALL[face]));
        prop_assert_eq!(one.colours().unwrap(), readings(white, &sides).unwrap().colours().unwrap());
        prop_assert_eq!(one.resolve().unwrap().state, cube);
    }
}

#[test]
fn an_arm_beside_the_stickers_never_gives_a_wrong_answer_without_a_word() {
    let (mut right, cubes) = (0, 200);
    for seed in 0..cubes {
        let (sensor, cube) = (Sensor::troubled(&[Trouble::Beside], 1.0, seed), scrambled(seed));
        let found = readings(sensor.white(), &read(&sensor, &cube, 0)).and_then(|readings| readings.resolve());
        let Ok(found) = found else { continue };
        assert!(
            found.state == cube || !found.doubtful().is_empty(),
            "{seed}: {}",
            found.margin
        );
        right += u64::from(found.state == cube && found.is_sure());
    }
    assert!(right > cubes / 2, "{right}");
}

#[test]
fn a_reading_that_is_none_of_a_sticker_is_named_with_its_square() {
    let (white, sides, _) = calm(1);
    let refused = |face: Face, square: usize, counts: [u16; 3]| {
        let mut side = sides[face as usize];
        side[square] = counts;
        let mut readings = Readings::new(white, COLOR_MOST);
        let error = readings.add(face, &side).unwrap_err();
        // It is not taken.
        assert_eq!(readings.colours().unwrap_err(), ReadingError::Missing { face: Face::U });
        error.to_string()
    };
    assert_eq!(
        refused(Face::R, 6, [9, 12, 11]),
        "the reading of R7 is black, [9, 12, 11]: the sensor's arm stands beside the sticker, or no cube is there"
    );
    let low = Readings::new([100; 3], COLOR_MOST).add(Face::F, &[[310, 90, 80]; 9]);
    assert_eq!(
        low.unwrap_err().to_string(),
        "the reading of F1, [310, 90, 80], is more than 3 times the white [100, 100, 100] of the calibration: measure white again"
    );
}

#[test]
fn nine_white_squares_may_be_at_the_sensors_end_and_a_tenth_is_named() {
    let (white, mut sides, cube) = calm(2);
    let squares = |colour: Face| -> Vec<(Face, usize)> {
        let all = Face::ALL.into_iter().flat_map(|face| (0..9).map(move |i| (face, i)));
        all.filter(|&(face, i)| cube.face(face)[i] == colour).collect()
    };
    for (face, i) in squares(Face::U) {
        sides[face as usize][i] = [COLOR_MOST; 3];
    }
    let found = readings(white, &sides).unwrap().resolve().unwrap();
    assert!(found.state == cube && found.is_sure(), "{}", found.margin);
    let (face, i) = squares(Face::D)[0];
    sides[face as usize][i] = [COLOR_MOST; 3];
    let why = readings(white, &sides).unwrap().resolve().unwrap_err().to_string();
    assert!(
        why.starts_with("10 readings are saturated, the first at U") && why.contains("too bright"),
        "{why}"
    );
}

#[test]
fn a_side_that_was_not_read_is_named() {
    let (white, sides, _) = calm(3);
    let mut readings = Readings::new(white, COLOR_MOST);
    for face in Face::ALL.into_iter().filter(|&face| face != Face::L) {
        readings.add(face, &sides[face as usize]).unwrap();
    }
    assert_eq!(readings.resolve().unwrap_err().to_string(), "side L was not read");
}

/// Real cubes below a dark sensor that sees red worst, with less light in the corners and the grain of its counts.
#[test]
fn real_3x3x3s_are_read_right_by_a_dark_and_bluish_sensor_or_are_doubtful() {
    let Some(data) = common::data("real_3x3x3s_are_read_right_by_a_dark_and_bluish_sensor_or_are_doubtful") else {
        return;
    };
    let white = [120u32, 170, 230];
    let (mut right, mut all) = (0, 0);
    for file in sets::files(&data) {
        let (3, sides, state) = sets::read(&file) else { continue };
        let seen = sides.map(|side| -> Side {
            std::array::from_fn(|i| {
                let percent = match Spot::of(i) {
                    Spot::Centre => 100,
                    Spot::Edge => 85,
                    Spot::Corner => 65,
                };
                std::array::from_fn(|c| (u32::from(side[i][c]) * white[c] * percent / 25500) as u16)
            })
        });
        let found = readings(white.map(|white| white as u16), &seen).and_then(|readings| readings.resolve());
        println!(
            "{}: {:?}",
            file.display(),
            found.as_ref().map(|f| (f.state == state, f.margin))
        );
        all += 1;
        if let Ok(found) = found {
            assert!(found.state == state || !found.is_sure(), "{}", file.display());
            right += u32::from(found.state == state && found.is_sure());
        }
    }
    println!("{right} of {all}");
    assert!(all == 10 && right >= 9, "{right} of {all}");
}
