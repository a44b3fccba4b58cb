//! A *net*: what the sum of a [guide](super::guide)'s weights does not tell.
//!
//! A sum takes every pattern for itself. A net looks at all cells of a row at once: each cell that is set adds a column of
//! numbers to `HIDDEN` sums, each of these counts if it is above 0, and a second layer of `SECOND` sums is made of them in
//! the same way. Of several rows, what the first layers make is added up before. What comes of that is added to the guide's
//! estimate. It learns from the same rivals, see [`Lesson`](super::lesson::Lesson).
//!
//! All numbers are integers, so that a brick without an FPU finds what a PC finds. A turn moves few cells that differ, so the
//! sums of a child are those of its parent and the columns of these cells.

mod lanes;
#[cfg(any(test, not(feature = "build-tables")))]
mod packed;
#[cfg(any(test, feature = "build-tables"))]
mod plain;

use super::row::{Row, UNITS};
use lanes::Lanes;
pub(super) use lanes::{HIDDEN, SECOND};

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
/// The most that a number of the other layers may be: [`HIDDEN`] products of it and [`SUM_MOST`](lanes::SUM_MOST) fit 32 bits.
const NEXT_MOST: i32 = 4095;
/// The most that a sum of the second layer counts: `SECOND` products fit.
const SECOND_MOST: i32 = 32_767;

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

/// What suits the processor.
#[cfg(feature = "build-tables")]
type Own = plain::Plain;
#[cfg(not(feature = "build-tables"))]
type Own = packed::Packed;

/// What a net has learned.
#[derive(Debug, Clone, PartialEq)]
pub struct Net<L: Lanes = Own> {
    lanes: L,
    begin: L::Sums,
    last: [i16; SECOND],
    second_begin: [i32; SECOND],
    level: i32,
}

/// The numbers of a net as its bytes tell them, none too large for its place.
struct Rounded {
    columns: Vec<[i8; HIDDEN]>,
    begin: [i16; HIDDEN],
    /// What each sum of the first layer adds to those of the second.
    second: [[i16; SECOND]; HIDDEN],
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

impl Rounded {
    fn of_bytes(bytes: &[u8]) -> Option<Rounded> {
        if bytes.len() != Net::BYTES {
            return None;
        }
        let (columns, bytes) = bytes.split_at(CELLS * HIDDEN);
        let columns = columns.as_chunks::<HIDDEN>().0;
        let byte = |byte: u8| (byte as i8).max(-COLUMN_MOST as i8);
        let (mut halves, mut rest) = (bytes.as_chunks::<2>().0.iter(), 0);
        let mut half = |most: i32| {
            rest += 2;
            let number = halves.next().map(|&half| i32::from(i16::from_le_bytes(half)));
            number.map(|number| number.clamp(-most, most) as i16)
        };
        let mut begin = [0; HIDDEN];
        for number in &mut begin {
            *number = half(BEGIN_MOST)?;
        }
        let mut second = [[0; SECOND]; HIDDEN];
        for number in second.as_flattened_mut() {
            *number = half(NEXT_MOST)?;
        }
        let mut last = [0; SECOND];
        for number in &mut last {
            *number = half(NEXT_MOST)?;
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
        Some(Rounded {
            columns: columns.iter().map(|column| column.map(byte)).collect(),
            begin,
            second,
            last,
            second_begin,
            level: whole()?,
        })
    }
}

impl Net {
    /// How many bytes tell a net.
    pub const BYTES: usize = (CELLS + 2) * HIDDEN + 2 * SECOND * HIDDEN + 4 * SECOND + 2 * SECOND + 4;

    /// The number of a cell, by its word and its bit. `None` for a bit that is another one's copy.
    pub const fn cell(word: u8, bit: u8) -> Option<usize> {
        let (word, bit) = (word as usize, bit as usize);
        match word <= WORDS && cells_of(word) >> bit & 1 == 1 {
            true => Some(word * BITS + bit),
            false => None,
        }
    }
}

impl<L: Lanes> Net<L> {
    /// The net of these bytes. `None` if they are not as many as a net has. A number that is too large for its place counts as the
    /// largest one, so that no sum overflows.
    pub fn of_bytes(bytes: &[u8]) -> Option<Net<L>> {
        let Rounded {
            columns,
            begin,
            second,
            last,
            second_begin,
            level,
        } = Rounded::of_bytes(bytes)?;
        Some(Net {
            lanes: L::new(&columns, &second),
            begin: L::sums(&begin),
            last,
            second_begin,
            level,
        })
    }

    /// The sums of the first layer for a row.
    #[inline(never)]
    pub fn sums(&self, row: &Row) -> L::Sums {
        self.sums_after(&self.begin, &Row::default(), row)
    }

    /// The sums for a row, from those of another row.
    fn sums_after(&self, sums: &L::Sums, before: &Row, after: &Row) -> L::Sums {
        let (mut gone, mut come) = (Cells::default(), Cells::default());
        each_cell(before.iter().zip(after).map(|(old, new)| old & !new), |cell| {
            gone.push(cell)
        });
        each_cell(before.iter().zip(after).map(|(old, new)| new & !old), |cell| {
            come.push(cell)
        });
        self.lanes.after(sums, come.all(), gone.all())
    }

    /// What is to be added to the guide's estimate, in [`UNITS`], by the sums of all rows.
    fn result(&self, rows: &[L::Sums]) -> i32 {
        let second = self.lanes.second(rows, &self.second_begin);
        let all = second.iter().zip(&self.last).map(|(&sum, &by)| {
            let sum = (sum >> NEXT_ONE).clamp(0, SECOND_MOST);
            sum * i32::from(by)
        });
        self.level + (all.sum::<i32>() >> (FIRST_ONE + NEXT_ONE - RESULT_ONE))
    }

    /// What is to be added for a node, by its rows, those of another node and their sums. Not a part of the loop that calls it: few nodes
    /// come here, and all the others need its registers.
    #[inline(never)]
    pub fn of_next(&self, sums: &[L::Sums], before: &[Row], after: &[Row]) -> i32 {
        // On a brick nodes have one row, and no memory is asked for.
        if let ([sums], [before], [after]) = (sums, before, after) {
            return self.result(&[self.sums_after(sums, before, after)]);
        }
        let rows = sums.iter().zip(before.iter().zip(after));
        let all: Vec<L::Sums> = rows
            .map(|(sums, (before, after))| self.sums_after(sums, before, after))
            .collect();
        self.result(&all)
    }

    /// What is to be added for a node of these rows.
    pub fn of(&self, rows: &[Row]) -> i32 {
        let all: Vec<L::Sums> = rows.iter().map(|row| self.sums(row)).collect();
        self.result(&all)
    }
}

impl Numbers {
    /// The numbers of these bytes. `None` if they are no net's.
    pub fn of_bytes(bytes: &[u8]) -> Option<Numbers> {
        let rounded = Rounded::of_bytes(bytes)?;
        let number = |number: i32, one: u32| number as f32 / (1 << one) as f32;
        let next = |row: &[i16; SECOND]| row.map(|by| number(by.into(), NEXT_ONE));
        let column = |column: &[i8; HIDDEN]| column.map(|of| number(of.into(), FIRST_ONE));
        Some(Numbers {
            columns: rounded.columns.iter().map(column).collect(),
            begin: rounded.begin.map(|of| number(of.into(), FIRST_ONE)),
            second: rounded.second.iter().map(next).collect(),
            last: next(&rounded.last),
            second_begin: rounded.second_begin.map(|begin| number(begin, FIRST_ONE + NEXT_ONE)),
            level: number(rounded.level, RESULT_ONE),
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
