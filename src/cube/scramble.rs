//! Random turns and random states.

use rand::{Rng, RngExt};

use super::{Face, Turn};

/// `count` random outer block turns for a cube of size `n`; none repeats or undoes the block of the one before.
pub fn random_turns<R: Rng>(n: usize, count: usize, rng: &mut R) -> Vec<Turn> {
    // A block wider than half is a rotation and a narrower block from the other side.
    let widest = (n / 2) as u8;
    let mut turns: Vec<Turn> = Vec::with_capacity(count);
    while turns.len() < count {
        let face = Face::ALL[rng.random_range(0..6)];
        let width = rng.random_range(1..=widest);
        let turn = Turn::outer(face, width, rng.random_range(1..=3));
        // Two blocks of half the cube from both sides are the same turn, but for a rotation.
        let same = |last: &Turn| {
            last.face.axis() == face.axis() && last.last == width && (last.face == face || 2 * width as usize == n)
        };
        if !turns.last().is_some_and(same) {
            turns.push(turn);
        }
    }
    turns
}

/// Enough random turns to mix a cube of size `n` well.
pub fn scramble<R: Rng>(n: usize, rng: &mut R) -> Vec<Turn> {
    random_turns(n, if n == 2 { 15 } else { 10 + 20 * (n - 2) }, rng)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    proptest! {
        #[test]
        fn no_turn_of_a_scramble_repeats_or_undoes_the_block_before(n in 2usize..9, seed: u64) {
            let turns = scramble(n, &mut ChaCha8Rng::seed_from_u64(seed));
            prop_assert!(turns.len() >= 15 && turns.len() >= 20 * (n - 2));
            prop_assert!(turns.len() <= 20 * n, "more than enough");
            for pair in turns.windows(2) {
                prop_assert!(turns.iter().all(|turn| turn.first == 1 && usize::from(turn.last) <= n / 2));
                let (one, other) = (pair[0], pair[1]);
                let halves = usize::from(one.last) * 2 == n && one.face.axis() == other.face.axis();
                prop_assert!(one.last != other.last || one.face != other.face && !halves, "{one} {other}");
            }
        }
    }
}
