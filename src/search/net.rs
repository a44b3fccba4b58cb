//! A *net*: what the sum of a [guide](super::guide)'s weights does not tell.
//!
//! A sum takes every pattern for itself. A net looks at all cells of a row at once: each cell that is set adds a column of
//! numbers to `HIDDEN` sums, each of these counts if it is above 0, and a second layer of `SECOND` sums is made of them in
//! the same way. Of several rows, what the first layers make is added up before. What comes of that is added to the guide's
//! estimate. It learns from the same rivals, see [`Lesson`](super::lesson::Lesson).
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
const FIRST_ONE: u32 = 6;
const NEXT_ONE: u32 = 8;
const RESULT_ONE: u32 = UNITS.ilog2();

/// The most that a number of a column may be, which is a byte. The sum of all columns fits 16 bits.
const COLUMN_MOST: i32 = i8::MAX as i32;
/// The most that a sum of the first layer begins with.
const BEGIN_MOST: i32 = i16::MAX as i32 - CELLS as i32 * COLUMN_MOST;
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

/// Four numbers of a column in one word, a byte each, so that all columns fit a brick's cache. Each is written as it is above -128. Bytes 0 and
/// 2 are added to one word of [`Two`], bytes 1 and 3 to the word half a block farther.
type Four = u32;
/// Bytes 0 and 2.
const EVEN: Four = 0x00ff_00ff;
/// By how much two numbers of a column are written too large.
const ABOVE: Two = two([128; 2]);

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
    columns: [Vec<[Four; BLOCK / 2]>; BLOCKS],
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

/// A block of a column, of the bytes of the whole.
fn packed(column: &[u8; HIDDEN], block: usize) -> [Four; BLOCK / 2] {
    let byte = |i: usize| {
        let number = i32::from(column[2 * BLOCK * block + i] as i8).max(-COLUMN_MOST);
        (number + 128) as Four
    };
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

/// All numbers in their order.
fn all_numbers(sums: &Sums) -> [i32; HIDDEN] {
    let twos = sums.0.as_flattened();
    std::array::from_fn(|i| numbers_of(twos[i / 2])[i % 2])
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
    pub const BYTES: usize = (CELLS + 2) * HIDDEN + 2 * SECOND * HIDDEN + 4 * SECOND + 2 * SECOND + 4;

    /// The net of these bytes. `None` if they are not as many as a net has. A number that is too large for its place counts as the
    /// largest one, so that no sum overflows.
    pub fn of_bytes(bytes: &[u8]) -> Option<Net> {
        if bytes.len() != Net::BYTES {
            return None;
        }
        let (columns, bytes) = bytes.split_at(CELLS * HIDDEN);
        let columns = columns.as_chunks::<HIDDEN>().0;
        let (mut halves, mut rest) = (bytes.as_chunks::<2>().0.iter(), 0);
        let mut half = |most: i32| {
            rest += 2;
            let number = halves.next().map(|&half| i32::from(i16::from_le_bytes(half)));
            number.map(|number| number.clamp(-most, most))
        };
        let mut begin = [[0; BLOCK]; BLOCKS];
        for place in begin.as_flattened_mut() {
            *place = two([half(BEGIN_MOST)?, half(BEGIN_MOST)?]);
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
            columns: std::array::from_fn(|block| columns.iter().map(|column| packed(column, block)).collect()),
            begin: Sums(begin),
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
        let above = ABOVE.wrapping_mul(come.count as i32 - gone.count as i32);
        // A block's sums stay in registers.
        for (sums, columns) in sums.0.iter_mut().zip(&self.columns) {
            let mut all = sums.map(|sum| sum.wrapping_sub(above));
            for &cell in come.all() {
                each_two(&columns[usize::from(cell)], |i, add| all[i] = all[i].wrapping_add(add));
            }
            for &cell in gone.all() {
                each_two(&columns[usize::from(cell)], |i, add| all[i] = all[i].wrapping_sub(add));
            }
            *sums = all;
        }
        sums
    }

    /// What a cell adds to each sum.
    fn column(&self, cell: usize) -> [i32; HIDDEN] {
        let mut sums = [[0; BLOCK]; BLOCKS];
        for (sums, columns) in sums.iter_mut().zip(&self.columns) {
            each_two(&columns[cell], |i, add| sums[i] = add.wrapping_sub(ABOVE));
        }
        all_numbers(&Sums(sums))
    }

    /// What is to be added to the guide's estimate, in [`UNITS`], by the sums of all rows.
    fn result(&self, rows: &[Sums]) -> i32 {
        let two = |sums: &Sums, i: usize| numbers_of(sums.0.as_flattened()[i]);
        match rows {
            [one] => self.ended(|i| two(one, i)),
            rows => self.ended(|i| {
                rows.iter().fold([0; 2], |all, sums| {
                    let [low, high] = two(sums, i);
                    [all[0] + low.max(0), all[1] + high.max(0)]
                })
            }),
        }
    }

    /// The second layer and the last, by each two sums of the first.
    #[inline]
    fn ended(&self, first: impl Fn(usize) -> [i32; 2]) -> i32 {
        let mut second = self.second_begin;
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
        let all = second.iter().zip(&self.last).map(|(&sum, &by)| {
            let sum = (sum >> NEXT_ONE).clamp(0, SECOND_MOST);
            sum * i32::from(by)
        });
        self.level + (all.sum::<i32>() >> (FIRST_ONE + NEXT_ONE - RESULT_ONE))
    }

    /// What is to be added for a node, by its rows, those of another node and their sums. Not a part of the loop that calls it: few nodes
    /// come here, and all the others need its registers.
    #[inline(never)]
    pub fn of_next(&self, sums: &[Sums], before: &[Row], after: &[Row]) -> i32 {
        // On a brick nodes have one row, and no memory is asked for.
        if let ([sums], [before], [after]) = (sums, before, after) {
            return self.result(&[self.sums_after(sums, before, after)]);
        }
        let rows = sums.iter().zip(before.iter().zip(after));
        let all: Vec<Sums> = rows
            .map(|(sums, (before, after))| self.sums_after(sums, before, after))
            .collect();
        self.result(&all)
    }

    /// What is to be added for a node of these rows.
    pub fn of(&self, rows: &[Row]) -> i32 {
        let all: Vec<Sums> = rows.iter().map(|row| self.sums(row)).collect();
        self.result(&all)
    }
}

impl Numbers {
    /// The numbers of these bytes. `None` if they are no net's.
    pub fn of_bytes(bytes: &[u8]) -> Option<Numbers> {
        let net = Net::of_bytes(bytes)?;
        let number = |number: i32, one: u32| number as f32 / (1 << one) as f32;
        let first = |numbers: [i32; HIDDEN]| numbers.map(|of| number(of, FIRST_ONE));
        let next = |row: &[i16; SECOND]| row.map(|by| number(by.into(), NEXT_ONE));
        Some(Numbers {
            columns: (0..CELLS).map(|cell| first(net.column(cell))).collect(),
            begin: first(all_numbers(&net.begin)),
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
        for &number in self.columns.as_flattened() {
            bytes.push(rounded(number, FIRST_ONE, COLUMN_MOST) as u8);
        }
        for &number in &self.begin {
            bytes.extend((rounded(number, FIRST_ONE, BEGIN_MOST) as i16).to_le_bytes());
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
