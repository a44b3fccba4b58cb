//! Colours to states: the real captures, and painted cubes.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as expected")]

mod common;
#[path = "common/sets.rs"]
mod sets;

use cranecuber::colors::{ColorError, Resolution, resolve, resolve_with};
use cranecuber::cube::{Face, Pieces, Square, State, Symmetry, scramble};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sets::{Sides, files, read, same};

/// White, red, green, yellow, orange, blue.
const PAINT: [[u8; 3]; 6] = [
    [215, 218, 220],
    [165, 25, 35],
    [25, 135, 70],
    [205, 195, 50],
    [225, 100, 35],
    [20, 65, 160],
];

/// A cube's colours as a camera might give them: each channel off by up to `noise` levels.
fn paint(state: &State, paint: &[[u8; 3]; 6], noise: i32, rng: &mut ChaCha8Rng) -> Sides {
    let mut measured = |&colour: &Face| {
        paint[colour as usize].map(|v| (i32::from(v) + rng.random_range(-noise..=noise)).clamp(0, 255) as u8)
    };
    Face::ALL.map(|face| state.face(face).iter().map(&mut measured).collect())
}

fn scrambled(n: usize, rng: &mut ChaCha8Rng) -> State {
    let mut state = State::solved(n);
    state.turn_all(&scramble(n, rng));
    state
}

fn resolved(n: usize, sides: &Sides) -> Resolution {
    let resolution = resolve(n, sides).unwrap();
    assert!(Pieces::of(&resolution.state).is_ok(), "{}", resolution.state);
    assert!(resolution.margin >= 0.0 && resolution.margin.is_finite());
    assert!(!resolution.disputed.is_empty());
    assert_eq!(resolution.doubtful().is_empty(), resolution.is_sure());
    resolution
}

#[test]
fn at_least_29_of_30_real_sets_give_their_state_and_a_wrong_one_is_doubtful() {
    let name = "at_least_29_of_30_real_sets_give_their_state_and_a_wrong_one_is_doubtful";
    let Some(data) = common::data(name) else {
        return;
    };
    let mut wrong = Vec::new();
    for file in &files(&data) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let (n, sides, state) = read(file);
        let found = resolved(n, &sides);
        println!(
            "{name:20} margin {:8.2}, rival differs on {} squares",
            found.margin,
            found.disputed.len()
        );
        if !same(&found.state, &state) {
            wrong.push((name, found.margin));
        }
    }
    assert!(
        wrong.len() <= 1,
        "{} of 30 right; wrong, with their margins: {wrong:?}",
        30 - wrong.len()
    );
    assert!(wrong.iter().all(|(_, margin)| *margin < 2.0), "wrong: {wrong:?}");
}

#[test]
fn real_sets_where_everything_is_overexposed_are_doubtful_and_most_others_are_not() {
    let name = "real_sets_where_everything_is_overexposed_are_doubtful_and_most_others_are_not";
    let Some(data) = common::data(name) else { return };
    let margin = |name: &str| {
        let (n, sides, _) = read(&data.join("colors").join(format!("{name}.json")));
        resolved(n, &sides).margin
    };
    // White is (245, 251, 251) here and yellow (245, 252, 247).
    assert!(margin("4x4x4-random-05") < 2.0);
    assert!(margin("5x5x5-random-03") < 2.0);
    for clear in [
        "2x2x2-random-01",
        "3x3x3-superflip",
        "4x4x4-random-06",
        "6x6x6-random-05",
        "7x7x7-random-01",
    ] {
        assert!(margin(clear) > 20.0, "{clear}");
    }
}

#[test]
fn solved_cubes_of_every_size_are_solved() {
    for n in 2..8 {
        let mut rng = ChaCha8Rng::seed_from_u64(n as u64);
        let found = resolved(n, &paint(&State::solved(n), &PAINT, 8, &mut rng));
        assert_eq!(found.state, State::solved(n));
        assert!(found.margin > 2.0);
    }
}

#[test]
fn the_palette_is_the_paint_under_the_names_of_the_faces() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let found = resolved(5, &paint(&scrambled(5, &mut rng), &PAINT, 6, &mut rng));
    for (a, b) in found.palette.iter().flatten().zip(PAINT.iter().flatten()) {
        assert!(a.abs_diff(*b) <= 4, "{:?}", found.palette);
    }
}

#[test]
fn other_sizes_and_sides_are_refused_by_name() {
    let sides: Sides = std::array::from_fn(|side| vec![[9; 3]; if side == 4 { 8 } else { 9 }]);
    let error = resolve(3, &sides).unwrap_err();
    assert_eq!(
        error,
        ColorError::Length {
            face: Face::L,
            found: 8,
            n: 3
        }
    );
    assert_eq!(
        error.to_string(),
        "side L has 8 colours, but a side of a 3x3x3 has 9: photograph it again"
    );
    assert_eq!(resolve(1, &sides).unwrap_err(), ColorError::Size(1));
    assert_eq!(
        resolve(0, &std::array::from_fn(|_| Vec::new())).unwrap_err(),
        ColorError::Size(0)
    );
    assert!(resolve(100, &sides).is_err());
}

/// The squares whose colours are red or orange, of corners or of all other pieces that move, as side and index.
fn red_or_orange(state: &State, corners: bool) -> Vec<Square> {
    let n = state.size();
    let is_corner = |s: &Square| {
        let (row, col) = s.row_col(n);
        [row, col].iter().all(|&i| i == 0 || i == n - 1)
    };
    let is_fixed = |s: &Square| s.row_col(n) == (n / 2, n / 2) && n % 2 == 1;
    let of_colour = |s: &Square| [Face::R, Face::L].contains(&state.colour(*s));
    Square::all(n)
        .filter(|s| of_colour(s) && is_corner(s) == corners && !is_fixed(s))
        .collect()
}

fn forge(sides: &mut Sides, squares: &[Square]) {
    let half = std::array::from_fn(|i| PAINT[1][i].midpoint(PAINT[4][i]));
    for square in squares {
        sides[square.face as usize][square.number as usize - 1] = half;
    }
}

#[test]
fn squares_that_were_made_ambiguous_are_the_doubtful_ones() {
    for n in 3..8 {
        let mut rng = ChaCha8Rng::seed_from_u64(40 + n as u64);
        let state = scrambled(n, &mut rng);
        let mut sides = paint(&state, &PAINT, 4, &mut rng);
        let before = resolved(n, &sides);
        let forged = red_or_orange(&state, false);
        forge(&mut sides, &forged);
        let found = resolved(n, &sides);
        assert!(
            found.margin < 10.0 && before.margin > 10.0 * found.margin,
            "{n}: {} to {}",
            before.margin,
            found.margin
        );
        assert!(
            found.disputed.iter().all(|s| forged.contains(s)),
            "{n}: {:?}",
            found.disputed
        );
    }
}

#[test]
fn what_light_hides_in_one_picture_of_a_side_another_shows() {
    for n in 3..8 {
        let mut rng = ChaCha8Rng::seed_from_u64(110 + n as u64);
        let state = scrambled(n, &mut rng);
        let mut sides = paint(&state, &PAINT, 4, &mut rng);
        let again = paint(&state, &PAINT, 4, &mut rng);
        let forged = red_or_orange(&state, false);
        forge(&mut sides, &forged);
        let before = resolved(n, &sides);
        for (side, again) in sides.iter_mut().zip(again) {
            // At another exposure.
            side.extend(again.iter().map(|rgb| rgb.map(|v| (u16::from(v) * 6 / 10) as u8)));
        }
        let found = resolved(n, &sides);
        assert!(same(&found.state, &state), "{n}: margin {}", found.margin);
        assert!(
            found.margin > 2.0 * before.margin,
            "{n}: {} to {}",
            before.margin,
            found.margin
        );
    }
}

#[test]
fn what_blinds_the_camera_in_one_picture_is_believed_by_another() {
    let mut rng = ChaCha8Rng::seed_from_u64(120);
    let state = scrambled(3, &mut rng);
    let mut sides = paint(&state, &PAINT, 4, &mut rng);
    let again = paint(&state, &PAINT, 4, &mut rng);
    sides.iter_mut().for_each(|side| side[1] = [255; 3]);
    let blinded = resolved(3, &sides);
    sides.iter_mut().zip(again).for_each(|(side, again)| side.extend(again));
    let found = resolved(3, &sides);
    assert!(same(&found.state, &state));
    assert!(
        blinded.margin <= 1.0 && found.margin > 4.0,
        "{} to {}",
        blinded.margin,
        found.margin
    );
}

/// Not on larger even cubes: there red and orange could be exchanged everywhere, which is the mirror image of the colour scheme.
#[test]
fn red_and_orange_of_a_corner_are_told_by_its_handedness() {
    for n in [2, 3, 5, 7] {
        let mut rng = ChaCha8Rng::seed_from_u64(90 + n as u64);
        let state = scrambled(n, &mut rng);
        let mut sides = paint(&state, &PAINT, 4, &mut rng);
        forge(&mut sides, &red_or_orange(&state, true));
        let found = resolved(n, &sides);
        assert!(same(&found.state, &state), "{n}: margin {}", found.margin);
    }
}

#[test]
fn light_that_differs_from_side_to_side_is_seen_through() {
    for n in 2..8 {
        let mut rng = ChaCha8Rng::seed_from_u64(70 + n as u64);
        let state = scrambled(n, &mut rng);
        let mut sides = paint(&state, &PAINT, 3, &mut rng);
        for (side, gain) in sides.iter_mut().zip([100, 45, 110, 60, 90, 35]) {
            for (i, rgb) in side.iter_mut().enumerate() {
                // A half darker towards the right.
                let gain = gain * (400 - 200 * (i % n) / (n - 1)) / 400;
                *rgb = rgb.map(|v| (usize::from(v) * gain / 100).min(255) as u8);
            }
        }
        let found = resolved(n, &sides);
        assert!(same(&found.state, &state), "{n}: margin {}", found.margin);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn noisy_paint_resolves_to_the_painted_state(n in 2usize..8, seed: u64, way in 0usize..24) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut state = scrambled(n, &mut rng);
        if n % 2 == 0 {
            state = state.renamed(Symmetry::rotations()[way]);
        }
        let found = resolved(n, &paint(&state, &PAINT, 12, &mut rng));
        prop_assert!(same(&found.state, &state), "{} as {}", state, found.state);
        prop_assert!(found.margin > 2.0, "{}", found.margin);
    }

    #[test]
    fn every_colour_scheme_is_as_good_as_the_usual_one(n in 2usize..5, seed: u64, order in Just(vec![0usize, 1, 2, 3, 4, 5]).prop_shuffle()) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let state = scrambled(n, &mut rng);
        let paint_of: [[u8; 3]; 6] = std::array::from_fn(|i| PAINT[order[i]]);
        let found = resolved(n, &paint(&state, &paint_of, 6, &mut rng));
        prop_assert!(same(&found.state, &state));
    }

    #[test]
    fn any_colours_at_all_give_a_legal_state(n in 2usize..8, seed: u64, few in 1u8..=255) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // From one gray to all colours.
        let sides: Sides = std::array::from_fn(|_| (0..n * n).map(|_| [(); 3].map(|()| rng.random_range(0..few))).collect());
        resolved(n, &sides);
    }

    #[test]
    fn constant_sides_give_a_legal_state(n in 2usize..8, colours: [[u8; 3]; 6], gray: u8) {
        resolved(n, &colours.map(|rgb| vec![rgb; n * n]));
        resolved(n, &std::array::from_fn(|_| vec![[gray; 3]; n * n]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn squares_that_are_said_are_so_and_the_cube_stays_legal(n in 2usize..7, seed: u64, some in 1usize..6) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let sides = paint(&scrambled(n, &mut rng), &PAINT, 30, &mut rng);
        let before = resolved(n, &sides);
        // What another cube has there, however unlike it looks.
        let other = scrambled(n, &mut rng);
        let stays = |s: &Square| before.state.colour(*s) == other.colour(*s);
        let mut fixed: Vec<(Square, Face)> = Square::all(n).filter(|s| !stays(s)).map(|s| (s, other.colour(s))).collect();
        while fixed.len() > some {
            fixed.swap_remove(rng.random_range(0..fixed.len()));
        }
        let after = resolve_with(n, &sides, &fixed).unwrap();
        prop_assert!(Pieces::of(&after.state).is_ok());
        // On even cubes the colours may be called otherwise then, for which ones are opposite may be what was wrong.
        let colour = |s: Square| after.state.colour(s);
        for &(a, as_a) in &fixed {
            prop_assert!(n % 2 == 0 || colour(a) == as_a, "{:?}", fixed);
            prop_assert!(fixed.iter().all(|&(b, as_b)| (as_a == as_b) == (colour(a) == colour(b))), "{:?}", fixed);
        }
    }

    #[test]
    fn saying_what_is_so_anyway_changes_nothing(n in 2usize..8, seed: u64, some in 1usize..10) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let sides = paint(&scrambled(n, &mut rng), &PAINT, 10, &mut rng);
        let before = resolved(n, &sides);
        let all: Vec<Square> = Square::all(n).collect();
        let fixed: Vec<_> = (0..some).map(|_| all[rng.random_range(0..all.len())]).map(|s| (s, before.state.colour(s))).collect();
        prop_assert_eq!(resolve_with(n, &sides, &fixed).unwrap().state, before.state);
    }

    #[test]
    fn what_light_has_hidden_comes_right_when_it_is_said(half in 1usize..4, seed: u64) {
        let n = 2 * half + 1;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let state = scrambled(n, &mut rng);
        let mut sides = paint(&state, &PAINT, 4, &mut rng);
        let forged = red_or_orange(&state, false);
        forge(&mut sides, &forged);
        let fixed: Vec<_> = forged.iter().map(|&s| (s, state.colour(s))).collect();
        prop_assert_eq!(resolve_with(n, &sides, &fixed).unwrap().state, state);
    }
}

#[test]
fn corrections_that_no_cube_has_are_named() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let error = |n: usize, fixed: &[(&str, Face)], rng: &mut ChaCha8Rng| {
        let sides = paint(&scrambled(n, rng), &PAINT, 4, rng);
        let fixed: Vec<_> = fixed.iter().map(|&(s, c)| (s.parse().unwrap(), c)).collect();
        resolve_with(n, &sides, &fixed).unwrap_err().to_string()
    };
    let only = "no cube that can be solved has that; look at the cube again";
    assert_eq!(
        error(3, &[("U5", Face::R)], &mut rng),
        format!("U5=R cannot be: {only}")
    );
    // Two squares of one corner; the other correction has nothing to do with it.
    let pair = [("B2", Face::L), ("U9", Face::U), ("R1", Face::D)];
    assert_eq!(error(3, &pair, &mut rng), format!("R1=D cannot be with U9=U: {only}"));
    assert_eq!(
        error(5, &[("F2", Face::L), ("F2", Face::U)], &mut rng),
        format!("F2=U cannot be with F2=L: {only}")
    );
    // Two corners of an even cube: no colour is opposite two others.
    assert_eq!(
        error(2, &[("U4", Face::U), ("R1", Face::U)], &mut rng),
        format!("R1=U cannot be with U4=U: {only}")
    );
    assert_eq!(
        error(4, &[("F17", Face::U)], &mut rng),
        "there is no square F17 on a 4x4x4: its sides have the squares 1 to 16"
    );
}

/// What shade leaves of colours, with a camera's noise: the part of the light by side, row and column, in percent.
fn in_shade(n: usize, sides: &Sides, rng: &mut ChaCha8Rng, part: impl Fn(usize, usize, usize) -> i32) -> Sides {
    std::array::from_fn(|side| {
        let square = |(i, rgb): (usize, &[u8; 3])| {
            let part = part(side, i / n, i % n);
            rgb.map(|v| (i32::from(v) * part / 100 + rng.random_range(-2..=2)).clamp(0, 255) as u8)
        };
        sides[side].iter().enumerate().map(square).collect()
    })
}

#[test]
fn painted_cubes_with_a_column_in_a_fifth_of_the_light_on_every_side_are_read() {
    let mut sure = 0;
    for seed in 0..48 {
        let mut rng = ChaCha8Rng::seed_from_u64(500 + seed);
        let n = 3 + seed as usize % 3;
        let state = scrambled(n, &mut rng);
        let columns: [usize; 6] = std::array::from_fn(|_| rng.random_range(0..n));
        let even = paint(&state, &PAINT, 4, &mut rng);
        let sides = in_shade(
            n,
            &even,
            &mut rng,
            |side, _, col| if col == columns[side] { 20 } else { 100 },
        );
        let found = resolved(n, &sides);
        assert!(same(&found.state, &state), "{n}, seed {seed}: margin {}", found.margin);
        sure += usize::from(found.is_sure());
    }
    assert!(sure >= 36, "{sure} of 48 are sure");
}

#[test]
fn real_sets_in_very_different_light_are_read_or_doubtful() {
    let name = "real_sets_in_very_different_light_are_read_or_doubtful";
    let Some(data) = common::data(name) else { return };
    let all = files(&data).into_iter().map(|file| read(&file));
    let all: Vec<_> = all.filter(|(n, ..)| *n <= 5).collect();
    let (mut right, mut wrong_and_sure) = ([0; 3], 0);
    for (number, (n, sides, state)) in all.iter().enumerate() {
        let n = *n;
        let mut rng = ChaCha8Rng::seed_from_u64(number as u64);
        let columns: Vec<i32> = (0..6 * n).map(|_| rng.random_range(20..=100)).collect();
        let one: [usize; 6] = std::array::from_fn(|_| rng.random_range(0..n));
        let disturbed = [
            in_shade(
                n,
                sides,
                &mut rng,
                |side, _, col| if col == one[side] { 35 } else { 100 },
            ),
            in_shade(n, sides, &mut rng, |side, _, col| columns[side * n + col]),
            in_shade(n, sides, &mut rng, |_, row, _| 20 + (80 * row / (n - 1)) as i32),
        ];
        for (kind, sides) in disturbed.iter().enumerate() {
            let found = resolved(n, sides);
            let is_right = same(&found.state, state);
            right[kind] += usize::from(is_right);
            wrong_and_sure += usize::from(!is_right && found.is_sure());
        }
    }
    println!("of {}: right {right:?}, wrong and sure {wrong_and_sure}", all.len());
    // Half as many without shade.
    assert!(
        right.iter().sum::<usize>() >= 50 && wrong_and_sure <= 5,
        "{right:?}, {wrong_and_sure}"
    );
}
