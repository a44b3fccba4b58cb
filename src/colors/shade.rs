//! Shade on parts of a side: squares there are as if their light were divided, by any number. What they keep is their hue.
//!
//! Knows how unlike two colours are; must not know pictures, or what cube it is.

use super::space::{FARTHEST, Level, axes};

/// What is called 1 in factors of light.
pub const WHOLE: i32 = 256;

/// Levels that differ by less than this part cost as much as they do in even light; by more, they cost less and less more. In 1/256, as a
/// logarithm. Of real sets under drawn shade, two thirds of it leaves more in doubt, and one and a half of it has more wrong.
const SLACK: i32 = 77;
/// The noise of a camera in the dark, by the squared light of a colour, in 1/65536: so dark that as much light is as likely none.
const DARK: i32 = 655;
/// The darkest and the brightest factor that is believed.
const RANGE: [i32; 2] = [5, 4 * WHOLE];

/// How many squares in a row or column it takes until its shade is half believed.
const BELIEVE_LINE: f32 = 0.5;
/// How often rows and columns are fitted by turns.
const TURNS: usize = 3;

/// The dot product.
fn dot(a: Level, b: Level) -> i32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The factor that makes an expected colour most like the measured one, given in the axes of distances.
fn factor(expected: Level, measured: Level) -> i32 {
    let [least, most] = RANGE;
    (dot(measured, expected) * WHOLE / dot(expected, expected).max(1)).clamp(least, most)
}

/// Nearly the natural logarithm of a factor.
fn logarithm(factor: i32) -> i32 {
    2 * WHOLE * (factor - WHOLE) / (factor + WHOLE)
}

/// How unlike a measured colour is to the one that is expected where `left` of the light is left (in 1/256), as in full light: first by
/// hue, whatever the level; then by the level, of which large differences are most likely shade, too.
pub fn distance(expected: Level, measured: Level, left: i32) -> i32 {
    let (expected, measured) = (axes(expected), axes(measured));
    let factor = factor(expected, measured);
    let beside: Level = std::array::from_fn(|i| ((factor * expected[i]) / WHOLE) - measured[i]);
    let light = (factor * left / WHOLE).min(WHOLE);
    let hue = (i64::from(dot(beside, beside)) << 16) / i64::from(light * light + DARK);
    let (by, slack) = (logarithm(factor).pow(2), SLACK * SLACK);
    let level = i64::from(dot(expected, expected)) * i64::from(by * slack / (by + slack))
        / i64::from(left * left).max(DARK.into());
    (hue + level).min(FARTHEST.into()) as i32
}

/// Fits shade to the squares of a picture, row by row, each measured and as expected without shade: every row and every column has its part
/// of the light. Gives these parts by square, and how unlikely they are, in squared factors times squares.
pub fn fit(n: usize, squares: impl Iterator<Item = (Level, Level)>) -> (Vec<f32>, f32) {
    let found: Vec<f32> = squares
        .map(|(measured, expected)| factor(axes(expected), axes(measured)) as f32 / WHOLE as f32)
        .collect();
    // Of rows and columns; the same approximation of the logarithm, and back.
    let logarithm = |t: f32| 2.0 * (t - 1.0) / (t + 1.0);
    let mut lines = [vec![1.0f32; n], vec![1.0f32; n]];
    for _ in 0..TURNS {
        for across in [1, 0] {
            for line in 0..n {
                let one = |i: usize| {
                    let (at, place) = if across == 1 {
                        (i * n + line, i)
                    } else {
                        (line * n + i, i)
                    };
                    logarithm(found[at] / lines[1 - across][place])
                };
                let mean = (0..n).map(one).sum::<f32>() / (n as f32 + BELIEVE_LINE);
                let mean = mean.clamp(-1.7, 1.2);
                lines[across][line] = (2.0 + mean) / (2.0 - mean);
            }
        }
    }
    let [rows, columns] = &lines;
    let left = (0..found.len()).map(|i| (rows[i / n] * columns[i % n]).clamp(0.05, 2.0));
    let unlikely: f32 = lines
        .iter()
        .flatten()
        .map(|&line| logarithm(line) * logarithm(line))
        .sum();
    (left.collect(), BELIEVE_LINE * unlikely)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// White, red, green, yellow, orange, blue.
    const PAINT: [Level; 6] = [
        [860, 872, 880],
        [660, 100, 140],
        [100, 540, 280],
        [820, 780, 200],
        [900, 400, 140],
        [80, 260, 640],
    ];

    fn dark(colour: Level, percent: i32) -> Level {
        colour.map(|v| v * percent / 100)
    }

    proptest! {
        #[test]
        fn a_colour_in_shade_is_still_that_colour(colour in 0usize..6, percent in 15i32..=100) {
            let costs = PAINT.map(|expected| distance(expected, dark(PAINT[colour], percent), WHOLE));
            prop_assert!((0..6).all(|other| other == colour || costs[other] > costs[colour]), "{costs:?}");
        }

        #[test]
        fn shade_that_is_known_costs_nothing(colour in 0usize..6, percent in 20i32..=100) {
            let expected = dark(PAINT[colour], percent);
            prop_assert!(distance(expected, expected, WHOLE * percent / 100) < 1000);
        }

        #[test]
        fn no_levels_overflow(expected in [0i32..=1536, 0i32..=1536, 0i32..=1536], measured in [0i32..=1262, 0i32..=1262, 0i32..=1262], left in 0i32..1024) {
            prop_assert!((0..=FARTHEST).contains(&distance(expected, measured, left)));
        }

        #[test]
        fn rows_and_columns_that_are_darker_are_found(n in 3usize..8, dark_column in 0usize..8, dark_row in 0usize..8, seed in 0usize..6) {
            let part = |i: usize| match (i / n == dark_row % n, i % n == dark_column % n) {
                (false, false) => 100,
                (true, true) => 20,
                _ => 40,
            };
            let squares = (0..n * n).map(|i| (dark(PAINT[(i + seed) % 6], part(i)), PAINT[(i + seed) % 6]));
            let (left, unlikely) = fit(n, squares);
            prop_assert!(unlikely > 0.1);
            for (i, left) in left.iter().enumerate() {
                // Large sides are believed more.
                prop_assert!((left * 100.0 / part(i) as f32 - 1.0).abs() < 1.4 / n as f32, "{i}: {left} for {}", part(i));
            }
        }
    }
}
