//! Several numbers in each word, for a brick's processor, which has no vector instructions.

use super::lanes::{HIDDEN, Lanes, SECOND, SUM_MOST};

/// Two numbers of 16 bits in one word: the second times 65,536, plus the first. Words are added as they are.
type Two = i32;
const fn two([low, high]: [i32; 2]) -> Two {
    (high << 16).wrapping_add(low)
}

/// The numbers of a word.
#[inline]
const fn numbers_of(two: Two) -> [i32; 2] {
    let low = two as i16 as i32;
    [low, two.wrapping_sub(low) >> 16]
}

/// As many words as a brick's processor has registers for.
const BLOCK: usize = 8;
const BLOCKS: usize = HIDDEN / 2 / BLOCK;

/// Four numbers of a column in one word, a byte each, so that all columns fit a brick's cache. Each is written as it is above -128. Bytes 0 and
/// 2 are added to one word of [`Two`], bytes 1 and 3 to the word half a block farther.
type Four = u32;
/// Bytes 0 and 2.
const EVEN: Four = 0x00ff_00ff;
/// By how much two numbers of a column are written too large.
const ABOVE: Two = two([128; 2]);

/// Numbers of the first layer by blocks, those of the second by pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Packed {
    /// What each cell adds, by blocks.
    columns: [Vec<[Four; BLOCK / 2]>; BLOCKS],
    /// What each two sums of the first layer add to those of the second.
    second: Vec<[[i16; SECOND]; 2]>,
}

/// A block of a column.
fn packed(column: &[i8; HIDDEN], block: usize) -> [Four; BLOCK / 2] {
    let byte = |i: usize| (i32::from(column[2 * BLOCK * block + i]) + 128) as Four;
    std::array::from_fn(|i| {
        let [near, far] = [2 * i, 2 * i + BLOCK];
        byte(near) | byte(far) << 8 | byte(near + 1) << 16 | byte(far + 1) << 24
    })
}

/// Shows what a block of a column adds to each two sums of the block, and by [`ABOVE`] too much.
#[inline]
fn each_two(column: &[Four; BLOCK / 2], mut show: impl FnMut(usize, Two)) {
    for (i, &four) in column.iter().enumerate() {
        show(i, (four & EVEN) as Two);
        show(i + BLOCK / 2, (four >> 8 & EVEN) as Two);
    }
}

impl Packed {
    /// The sums of the second layer, by each two sums of the first.
    #[inline]
    fn second_of(&self, begin: &[i32; SECOND], first: impl Fn(usize) -> [i32; 2]) -> [i32; SECOND] {
        let mut second = *begin;
        for (i, by) in self.second.iter().enumerate() {
            for (sum, by) in first(i).into_iter().zip(by) {
                if sum > 0 {
                    let sum = sum.min(SUM_MOST) as i16;
                    for (second, &by) in second.iter_mut().zip(by) {
                        *second += i32::from(sum) * i32::from(by);
                    }
                }
            }
        }
        second
    }
}

impl Lanes for Packed {
    type Sums = [[Two; BLOCK]; BLOCKS];

    fn new(columns: &[[i8; HIDDEN]], second: &[[i16; SECOND]; HIDDEN]) -> Packed {
        Packed {
            columns: std::array::from_fn(|block| columns.iter().map(|column| packed(column, block)).collect()),
            second: second.as_chunks::<2>().0.to_vec(),
        }
    }

    fn sums(numbers: &[i16; HIDDEN]) -> Self::Sums {
        let word = |i: usize| two([2 * i, 2 * i + 1].map(|i| i32::from(numbers[i])));
        std::array::from_fn(|block| std::array::from_fn(|i| word(BLOCK * block + i)))
    }

    #[inline]
    fn after(&self, sums: &Self::Sums, come: &[u8], gone: &[u8]) -> Self::Sums {
        let mut sums = *sums;
        let above = ABOVE.wrapping_mul(come.len() as i32 - gone.len() as i32);
        // A block's sums stay in registers.
        for (sums, columns) in sums.iter_mut().zip(&self.columns) {
            let mut all = sums.map(|sum| sum.wrapping_sub(above));
            for &cell in come {
                each_two(&columns[usize::from(cell)], |i, add| all[i] = all[i].wrapping_add(add));
            }
            for &cell in gone {
                each_two(&columns[usize::from(cell)], |i, add| all[i] = all[i].wrapping_sub(add));
            }
            *sums = all;
        }
        sums
    }

    #[inline]
    fn second(&self, rows: &[Self::Sums], begin: &[i32; SECOND]) -> [i32; SECOND] {
        let two = |sums: &Self::Sums, i: usize| numbers_of(sums.as_flattened()[i]);
        match rows {
            [one] => self.second_of(begin, |i| two(one, i)),
            rows => self.second_of(begin, |i| {
                rows.iter().fold([0; 2], |all, sums| {
                    let [low, high] = two(sums, i);
                    [all[0] + low.max(0), all[1] + high.max(0)]
                })
            }),
        }
    }

    #[cfg(test)]
    fn numbers(sums: &Self::Sums) -> [i16; HIDDEN] {
        let twos = sums.as_flattened();
        std::array::from_fn(|i| numbers_of(twos[i / 2])[i % 2] as i16)
    }
}
