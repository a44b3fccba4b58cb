//! How far a cube is turned in the picture: told by the directions in which squares have others of their size beside them.

use super::patch::alike;
use super::squares::Square;

/// So many bins are a quarter turn.
const BINS: usize = 45;
/// Bins to both sides that count for the same cube: seen from aside, its lines and columns are not at right angles.
const WINDOW: usize = 8;

/// Degrees from the mean that count in the end.
const NEAR: f32 = 10.0;

/// Less is found upright, too.
const LEAST: f32 = 6.0;

/// Fewer pairs of squares tell nothing; two that lie beside each other count twice.
const TELLING: usize = 6;

/// By how many degrees, from -45 to 45, the stickers among the squares are turned clockwise; `None` if they stand nearly upright, or too
/// few lie beside each other.
pub fn roll(squares: &[Square]) -> Option<f32> {
    let angles: Vec<f32> = (0..squares.len()).flat_map(|i| beside(squares, i)).collect();
    if angles.len() < TELLING {
        return None;
    }
    let width = 90.0 / BINS as f32;
    let mut bins = [0; BINS];
    for angle in &angles {
        bins[(angle / width) as usize % BINS] += 1;
    }
    let count = |middle: usize| -> i32 {
        (0..=2 * WINDOW)
            .map(|i| bins[(middle + BINS + i - WINDOW) % BINS])
            .sum()
    };
    let most = (0..BINS).max_by_key(|&bin| (count(bin), bins[bin], std::cmp::Reverse(bin)))?;
    // The mean of what lies in the window, and then of what lies near that: what is far off is clutter.
    let window = (WINDOW as f32 + 0.5) * width;
    let mean = [window, NEAR]
        .into_iter()
        .fold((most as f32 + 0.5) * width, |middle, most| {
            let off = |angle: &f32| (angle - middle + 45.0).rem_euclid(90.0) - 45.0;
            let near: Vec<f32> = angles.iter().map(off).filter(|off| off.abs() <= most).collect();
            middle + near.iter().sum::<f32>() / near.len().max(1) as f32
        });
    let roll = (mean + 45.0).rem_euclid(90.0) - 45.0;
    (roll.abs() >= LEAST).then_some(roll)
}

/// The directions, in degrees from 0 to 90, from a square to its nearest like ones.
fn beside(squares: &[Square], of: usize) -> Vec<f32> {
    let from = &squares[of];
    let near: Vec<(f32, [f32; 2])> = squares
        .iter()
        .filter(|to| alike(from.side, to.side))
        .map(|to| [(to.x - from.x) as f32, (to.y - from.y) as f32])
        .map(|way| (way[0].hypot(way[1]) / from.side as f32, way))
        .filter(|(distance, _)| (0.9..1.7).contains(distance))
        .collect();
    let least = near.iter().map(|near| near.0).fold(f32::INFINITY, f32::min);
    // Not those across a corner, which are 1.4 times as far away.
    near.into_iter()
        .filter(|(distance, _)| *distance <= 1.25 * least)
        .map(|(_, [x, y])| y.atan2(x).to_degrees().rem_euclid(90.0))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::drawing::{Drawing, Random};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_roll_of_a_side_is_told_whatever_lies_around(size in 2usize..8, degrees in -40f64..40.0, seed: u32) {
            let side = Drawing { turned: [degrees, 0.0, 0.0], ..Drawing::new(320, 240, size, [0; 3]) };
            let mut random = Random(seed);
            let place = |cell| {
                let [x, y] = side.centre(cell).map(|v| (16.0 * v) as i32);
                Square { x, y, side: (side.pitch() * 13.0) as i32, votes: 1, error: 0 }
            };
            let mut squares: Vec<Square> = (0..size * size).map(place).collect();
            // Beside four stickers a few like squares would outvote them.
            for _ in 0..(if size > 2 { 8 } else { 0 }) {
                let [x, y] = [random.below(320 * 16) as i32, random.below(40 * 16) as i32];
                squares.push(Square { x, y, side: 20 + random.below(600) as i32, votes: 1, error: 0 });
            }
            let found = f64::from(roll(&squares).unwrap_or(0.0));
            let least = f64::from(LEAST) + 4.0;
            prop_assert!((found - degrees).abs() < 4.0 || (degrees.abs() < least && found.abs() < least), "{found}");
        }
    }

    #[test]
    fn squares_that_have_none_beside_them_tell_nothing() {
        let square = |x, y| Square {
            x,
            y,
            side: 100,
            votes: 1,
            error: 0,
        };
        assert_eq!(roll(&[]), None);
        assert_eq!(roll(&[square(0, 0), square(900, 300), square(300, 900)]), None);
    }
}
