//! Answers stay as they are, figure by figure: of painted and real cubes, in many kinds of light, with corrections, and of pictures that lie
//! otherwise than they are named.
//!
//! A weight or a threshold has no right value that a test could know, but what it changes must be seen: in the answers that are kept beside
//! this file. Who changes one on purpose lets them be written anew by `CRANECUBER_ANSWERS=write cargo test answers`, and looks at what became
//! other. Whether answers are right is said by `tests/colors.rs`.

pub(super) mod lights;
#[cfg(feature = "photos")]
mod lying;

use std::path::{Path, PathBuf};

use self::lights::{Dice, LIGHTS, Sides, mixed, paint, painted};
use super::{Resolution, resolve, resolve_with};
use crate::cube::{Face, Square, State};

/// Compares lines with the kept ones. The first that is another one ends the test, so that a wrong program is noticed soon.
fn compare(name: &str, kept: &str, lines: impl Iterator<Item = String>) {
    if std::env::var("CRANECUBER_ANSWERS").as_deref() == Ok("write") {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src/colors/answers")
            .join(name);
        std::fs::write(path, lines.map(|line| line + "\n").collect::<String>()).unwrap();
        return;
    }
    let mut kept = kept.lines();
    for line in lines {
        assert_eq!(kept.next(), Some(line.as_str()), "in {name}");
    }
    assert_eq!(kept.next(), None, "in {name}");
}

fn squares(squares: &[Square]) -> String {
    let words: Vec<String> = squares.iter().map(Square::to_string).collect();
    words.join(" ")
}

/// All that is said of a cube.
fn told(found: &Resolution) -> String {
    let palette: Vec<String> = found.palette.iter().map(|rgb| format!("{rgb:?}")).collect();
    let other = |other: &Option<Face>| other.map_or('-', Face::letter);
    format!(
        "{} margin {} cost {} palette {} disputed {} others {}",
        found.state,
        found.margin,
        found.cost,
        palette.join(" "),
        squares(&found.disputed),
        found.others.iter().map(other).collect::<String>()
    )
}

fn answer(n: usize, sides: &Sides) -> String {
    told(&resolve(n, sides).unwrap())
}

/// Painted cubes of one size in all kinds of light.
fn in_all_lights(n: usize) -> impl Iterator<Item = String> {
    LIGHTS.iter().enumerate().map(move |(number, (name, light))| {
        let mut dice = Dice::new(100 * n + number);
        let sides = light(n, &painted(&mixed(n)), &mut dice);
        format!("{name}: {}", answer(n, &sides))
    })
}

#[test]
fn answers_of_a_painted_2x2x2_stay() {
    compare("2x2x2.txt", include_str!("answers/2x2x2.txt"), in_all_lights(2));
}

#[test]
fn answers_of_a_painted_3x3x3_stay() {
    compare("3x3x3.txt", include_str!("answers/3x3x3.txt"), in_all_lights(3));
}

#[test]
fn answers_of_a_painted_4x4x4_stay() {
    compare("4x4x4.txt", include_str!("answers/4x4x4.txt"), in_all_lights(4));
}

#[test]
fn answers_of_a_painted_5x5x5_stay() {
    compare("5x5x5.txt", include_str!("answers/5x5x5.txt"), in_all_lights(5).take(6));
}

/// Squares that have other colours on a cube that is turned a little further.
fn corrections(n: usize, state: &State, dice: &mut Dice) -> Vec<(Square, Face)> {
    let mut other = state.clone();
    other.turn_all(&[crate::cube::all_turns(n)[dice.below(3 * n)]]);
    let differs = |s: &Square| state.colour(*s) != other.colour(*s);
    let mut all: Vec<(Square, Face)> = Square::all(n).filter(differs).map(|s| (s, other.colour(s))).collect();
    let some = 1 + dice.below(4);
    while all.len() > some {
        all.swap_remove(dice.below(all.len()));
    }
    all
}

#[test]
fn answers_to_corrections_stay() {
    let lines = (0..20).map(|number| {
        let n = [2, 3, 3, 4][number % 4];
        let mut dice = Dice::new(number);
        let (name, light) = LIGHTS[number * 5 % (LIGHTS.len() - 1)];
        let sides = light(n, &painted(&mixed(n)), &mut dice);
        let before = resolve(n, &sides).unwrap();
        let mut fixed = corrections(n, &before.state, &mut dice);
        if number % 3 == 0 {
            // What no cube has is among it.
            fixed.push((fixed[0].0, before.state.colour(fixed[0].0)));
        }
        let said: Vec<String> = fixed
            .iter()
            .map(|(square, colour)| format!("{square}={colour}"))
            .collect();
        let found = resolve_with(n, &sides, &fixed);
        let found = found.map_or_else(|error| error.to_string(), |found| told(&found));
        format!("{name} {}: {found}", said.join(" "))
    });
    compare("corrections.txt", include_str!("answers/corrections.txt"), lines);
}

/// The folder of real cubes' colours, as the tests in `tests/` find it.
fn data(test: &str) -> Option<PathBuf> {
    let dir = std::env::var_os("CRANECUBER_DATA").map(PathBuf::from);
    let dir = dir.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"));
    let dir = dir.join("colors");
    if !dir.is_dir() {
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "{test}: no data at {}",
            dir.display()
        );
        eprintln!("skipped: {test} (no data at {})", dir.display());
        return None;
    }
    Some(dir)
}

/// The real cubes with up to so many layers: name, size, colours.
fn real(dir: &Path, layers: usize) -> impl Iterator<Item = (String, usize, Sides)> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let sets = files.into_iter().map(|file| {
        let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let side = |face: Face| serde_json::from_value(json["rgb"][face.letter().to_string()].clone()).unwrap();
        let sides: Sides = Face::ALL.map(side);
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        (name, sides[0].len().isqrt(), sides)
    });
    sets.filter(move |&(_, n, _)| n <= layers)
}

#[test]
fn answers_of_real_sets_stay() {
    let Some(dir) = data("answers_of_real_sets_stay") else {
        return;
    };
    let lines = real(&dir, 7).map(|(name, n, sides)| format!("{name}: {}", answer(n, &sides)));
    compare("real.txt", include_str!("answers/real.txt"), lines);
}

#[test]
fn answers_of_small_real_sets_in_other_light_stay() {
    let Some(dir) = data("answers_of_small_real_sets_in_other_light_stay") else {
        return;
    };
    let lines = real(&dir, 3).enumerate().map(|(number, (name, n, sides))| {
        let (light, change) = LIGHTS[number % LIGHTS.len()];
        let sides = change(n, &sides, &mut Dice::new(number));
        format!("{name}, {light}: {}", answer(n, &sides))
    });
    compare("disturbed.txt", include_str!("answers/disturbed.txt"), lines);
}

#[test]
fn the_squares_of_one_colour_are_painted_alike() {
    for n in 2..6 {
        let cube = mixed(n);
        let painted = painted(&cube).concat();
        for (rgb, colour) in painted.iter().zip(cube.colours()) {
            assert_eq!(*rgb, paint(*colour));
        }
    }
}
