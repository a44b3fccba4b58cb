//! A *net*: what the sum of a [guide](super::guide)'s weights does not tell.
//!
//! A sum takes every pattern for itself. A net looks at all cells of a row at once: each cell that is set adds a column of
//! numbers to `HIDDEN` sums, each of these counts if it is above 0, and a second layer of `SECOND` sums is made of them in
//! the same way. What comes of that is added to the guide's estimate. It learns from the same rivals, see
//! [`Lesson`](super::lesson::Lesson).
//!
//! All numbers are integers, so that a brick without an FPU finds what a PC finds. A turn moves few cells that differ, so the
//! sums of a child are those of its parent and the columns of these cells.

use super::row::{Row, UNITS};

/// Sums of the first layer.
pub(super) const HIDDEN: usize = 64;
/// Sums of the second layer.
pub(super) const SECOND: usize = 8;
/// Words of a row that have cells, and the bits of each: the fours above them are in the word twice.
const WORDS: usize = 6;
const BITS: usize = 24;
/// A seventh word has this many more.
const SIGNS: usize = 2;
/// All cells.
pub(super) const CELLS: usize = WORDS * BITS + SIGNS;

/// How many units of the first layer's numbers are 1, as a power of two; of those of the second and the last; of the result:
/// [`UNITS`].
const FIRST_ONE: u32 = 7;
const NEXT_ONE: u32 = 8;
const RESULT_ONE: u32 = UNITS.ilog2();

/// The most that a number of the first layer may be: so many of them, and a bias, fit 16 bits.
const FIRST_MOST: i32 = i16::MAX as i32 / (CELLS as i32 + 1);
/// The most that a number of the other layers may be.
const NEXT_MOST: i32 = 4095;
/// The most that a sum of the first layer counts: `HIDDEN` products of it and `NEXT_MOST` fit 32 bits.
const SUM_MOST: i32 = 4095;
/// The most that a sum of the second layer counts: `SECOND` products fit.
const SECOND_MOST: i32 = 32_767;

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

/// As many of them as a processor has registers for.
const BLOCK: usize = 8;
const BLOCKS: usize = HIDDEN / 2 / BLOCK;

/// The sums of the first layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sums([[Two; BLOCK]; BLOCKS]);

/// Some cells.
struct Cells {
    all: [u8; CELLS],
    count: usize,
}

impl Default for Cells {
    fn default() -> Cells {
        Cells {
            all: [0; CELLS],
            count: 0,
        }
    }
}

impl Cells {
    #[inline]
    fn push(&mut self, cell: usize) {
        self.all[self.count] = cell as u8;
        self.count += 1;
    }

    #[inline]
    fn all(&self) -> &[u8] {
        &self.all[..self.count]
    }
}

/// What a net has learned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Net {
    /// What each cell adds, by blocks.
    columns: [Vec<[Two; BLOCK]>; BLOCKS],
    begin: Sums,
    /// What each two sums of the first layer add to those of the second.
    second: Vec<[[i16; SECOND]; 2]>,
    last: [i16; SECOND],
    second_begin: [i32; SECOND],
    level: i32,
}

/// The numbers of a net before they are rounded, in the order of its bytes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Numbers {
    pub columns: Vec<[f32; HIDDEN]>,
    pub begin: [f32; HIDDEN],
    pub second: Vec<[f32; SECOND]>,
    pub last: [f32; SECOND],
    pub second_begin: [f32; SECOND],
    /// What is added to every result; turns.
    pub level: f32,
}

/// Where a symmetry takes each cell, and whether it is then inverted. Cells after the last stay as they are.
pub type Image = Vec<(u16, bool)>;

/// The bits of the cells in word `word`.
const fn cells_of(word: usize) -> u32 {
    if word < WORDS {
        (1 << BITS) - 1
    } else {
        (1 << SIGNS) - 1
    }
}

/// Shows every cell that is set in these words.
#[inline]
pub(super) fn each_cell(words: impl Iterator<Item = u32>, mut show: impl FnMut(usize)) {
    for (number, word) in words.take(WORDS + 1).enumerate() {
        let mut left = word & cells_of(number);
        while left != 0 {
            show(number * BITS + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

impl Net {
    /// The number of a cell, by its word and its bit. `None` for a bit that is another one's copy.
    pub const fn cell(word: u8, bit: u8) -> Option<usize> {
        let (word, bit) = (word as usize, bit as usize);
        match word <= WORDS && cells_of(word) >> bit & 1 == 1 {
            true => Some(word * BITS + bit),
            false => None,
        }
    }

    /// How many bytes tell a net.
    pub const BYTES: usize = 2 * (CELLS + 1) * HIDDEN + 2 * SECOND * HIDDEN + 4 * SECOND + 2 * SECOND + 4;

    /// The net of these bytes. `None` if they are not as many as a net has. A number that is too large for its place counts as the
    /// largest one, so that no sum overflows.
    pub fn of_bytes(bytes: &[u8]) -> Option<Net> {
        if bytes.len() != Net::BYTES {
            return None;
        }
        let (mut halves, mut rest) = (bytes.as_chunks::<2>().0.iter(), 0);
        let mut half = |most: i32| {
            rest += 2;
            let number = halves.next().map(|&half| i32::from(i16::from_le_bytes(half)));
            number.map(|number| number.clamp(-most, most))
        };
        let mut first = [[[0; BLOCK]; BLOCKS]; CELLS + 1];
        for place in first.as_flattened_mut().as_flattened_mut() {
            *place = two([half(FIRST_MOST)?, half(FIRST_MOST)?]);
        }
        let mut second = vec![[[0; SECOND]; 2]; HIDDEN / 2];
        for number in second.as_flattened_mut().as_flattened_mut() {
            *number = half(NEXT_MOST)? as i16;
        }
        let mut last = [0; SECOND];
        for number in &mut last {
            *number = half(NEXT_MOST)? as i16;
        }
        let mut wholes = bytes[rest..].as_chunks::<4>().0.iter();
        let mut whole = || {
            let number = wholes.next().map(|&number| i32::from_le_bytes(number));
            number.map(|number| number.clamp(-LEVEL_MOST, LEVEL_MOST))
        };
        let mut second_begin = [0; SECOND];
        for number in &mut second_begin {
            *number = whole()?;
        }
        Some(Net {
            columns: std::array::from_fn(|block| first[..CELLS].iter().map(|column| column[block]).collect()),
            begin: Sums(first[CELLS]),
            second,
            second_begin,
            last,
            level: whole()?,
        })
    }

    /// The sums of the first layer for a row.
    #[inline(never)]
    pub fn sums(&self, row: &Row) -> Sums {
        self.sums_after(&self.begin, &Row::default(), row)
    }

    /// The sums for a row, from those of another row.
    fn sums_after(&self, sums: &Sums, before: &Row, after: &Row) -> Sums {
        let (mut gone, mut come) = (Cells::default(), Cells::default());
        each_cell(before.iter().zip(after).map(|(old, new)| old & !new), |cell| {
            gone.push(cell)
        });
        each_cell(before.iter().zip(after).map(|(old, new)| new & !old), |cell| {
            come.push(cell)
        });
        let mut sums = *sums;
        // A block's sums stay in registers.
        for (sums, columns) in sums.0.iter_mut().zip(&self.columns) {
            let mut all = *sums;
            for &cell in come.all() {
                let column = &columns[usize::from(cell)];
                all.iter_mut()
                    .zip(column)
                    .for_each(|(sum, add)| *sum = sum.wrapping_add(*add));
            }
            for &cell in gone.all() {
                let column = &columns[usize::from(cell)];
                all.iter_mut()
                    .zip(column)
                    .for_each(|(sum, add)| *sum = sum.wrapping_sub(*add));
            }
            *sums = all;
        }
        sums
    }

    /// What is to be added to the guide's estimate, in [`UNITS`].
    fn result(&self, sums: &Sums) -> i32 {
        let mut second = self.second_begin;
        for (&two, by) in sums.0.as_flattened().iter().zip(&self.second) {
            for (sum, by) in numbers_of(two).into_iter().zip(by) {
                if sum > 0 {
                    let sum = sum.min(SUM_MOST) as i16;
                    for (second, &by) in second.iter_mut().zip(by) {
                        *second += i32::from(sum) * i32::from(by);
                    }
                }
            }
        }
        let all = second.iter().zip(&self.last).map(|(&sum, &by)| {
            let sum = (sum >> NEXT_ONE).clamp(0, SECOND_MOST);
            sum * i32::from(by)
        });
        self.level + (all.sum::<i32>() >> (FIRST_ONE + NEXT_ONE - RESULT_ONE))
    }

    /// What is to be added for a row, by the sums of another row. Not a part of the loop that calls it: few nodes come here, and all the
    /// others need its registers.
    #[inline(never)]
    pub fn of_next(&self, sums: &Sums, before: &Row, after: &Row) -> i32 {
        self.result(&self.sums_after(sums, before, after))
    }

    /// What is to be added for a row.
    pub fn of(&self, row: &Row) -> i32 {
        self.result(&self.sums(row))
    }
}

impl Numbers {
    /// The numbers of these bytes. `None` if they are no net's.
    pub fn of_bytes(bytes: &[u8]) -> Option<Numbers> {
        let net = Net::of_bytes(bytes)?;
        let number = |number: i32, one: u32| number as f32 / (1 << one) as f32;
        let first = |two: &dyn Fn(usize, usize) -> Two| {
            std::array::from_fn(|i| {
                let two = two(i / 2 / BLOCK, i / 2 % BLOCK);
                number(numbers_of(two)[i % 2], FIRST_ONE)
            })
        };
        let next = |row: &[i16; SECOND]| row.map(|by| number(by.into(), NEXT_ONE));
        let column = |cell: usize| first(&|block, i| net.columns[block][cell][i]);
        Some(Numbers {
            columns: (0..CELLS).map(column).collect(),
            begin: first(&|block, i| net.begin.0[block][i]),
            second: net.second.as_flattened().iter().map(next).collect(),
            last: next(&net.last),
            second_begin: net.second_begin.map(|begin| number(begin, FIRST_ONE + NEXT_ONE)),
            level: number(net.level, RESULT_ONE),
        })
    }

    /// As the bytes of a net.
    pub fn bytes(&self) -> Vec<u8> {
        let rounded = |number: f32, one: u32, most: i32| {
            let number = (number * (1 << one) as f32).round() as i32;
            number.clamp(-most, most)
        };
        let mut bytes = Vec::with_capacity(Net::BYTES);
        let columns = self.columns.iter().chain([&self.begin]).flatten();
        for &number in columns {
            bytes.extend((rounded(number, FIRST_ONE, FIRST_MOST) as i16).to_le_bytes());
        }
        for &number in self.second.iter().flatten() {
            bytes.extend((rounded(number, NEXT_ONE, NEXT_MOST) as i16).to_le_bytes());
        }
        for &number in &self.last {
            bytes.extend((rounded(number, NEXT_ONE, NEXT_MOST) as i16).to_le_bytes());
        }
        for &number in &self.second_begin {
            bytes.extend(rounded(number, FIRST_ONE + NEXT_ONE, LEVEL_MOST).to_le_bytes());
        }
        bytes.extend(rounded(self.level, RESULT_ONE, LEVEL_MOST).to_le_bytes());
        bytes
    }
}

/// The most that a sum of the second layer begins with, or that is added to every result.
const LEVEL_MOST: i32 = 1 << 24;

#[cfg(test)]
mod tests;
