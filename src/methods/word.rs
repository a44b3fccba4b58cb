//! Words as bytes in a table: the number of each turn, from 1, and zeros up to the cell's end.

use crate::cube::{Turn, all_turns};

/// Bytes of a word in a table. No word there has more turns.
pub(super) const CELL: usize = 20;

/// A word as a cell.
pub(super) fn to_cell(word: &[Turn], cell: &mut [u8]) {
    let turns = all_turns(3);
    for (byte, turn) in cell.iter_mut().zip(word) {
        *byte = crate::sure::place_of(&turns, turn) as u8 + 1;
    }
}

/// The word of a cell. A byte that is no turn ends it.
pub(super) fn of_cell(cell: &[u8]) -> Vec<Turn> {
    let turns = all_turns(3);
    let number = |&byte: &u8| turns.get(usize::from(byte).checked_sub(1)?).copied();
    cell.iter().map_while(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::random_turns;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn a_word_comes_back_from_its_cell() {
        for length in 0..=CELL {
            let word = random_turns(3, length, &mut ChaCha8Rng::seed_from_u64(1));
            let mut cell = [0; CELL];
            to_cell(&word, &mut cell);
            assert_eq!(of_cell(&cell), word);
        }
    }
}
