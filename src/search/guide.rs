//! A guess of how far a goal is: a sum of weights, one for every pattern of cells.
//!
//! Where orbits are many, no table tells the distance of all of them together, and distances of each do not add up. A *guide* looks at
//! small sets of cells that lie together, of several orbits at once, takes each as an index into a table of learned weights
//! (see [`teach`](super::teach())), and adds these up. It is no bound, but it ranks what a [`beam`](super::beam()) has to choose from.

use super::{subset_rank, subset_unrank};

/// Parts of a turn that one unit of a weight is.
pub const UNITS: u32 = 16;

/// How the cells of a pattern make an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// A bit each.
    Bits,
    /// Eight at a time, of which four are always set: one of 70 each.
    Fours,
}

impl Reading {
    /// The least of the indexes that are equal to one by symmetry. A symmetry tells for every cell where its bit goes and whether it is then
    /// read the other way round.
    pub fn least(self, index: usize, symmetries: &[Vec<(usize, bool)>]) -> usize {
        let cells = symmetries.first().map_or(0, Vec::len);
        let bits = match self {
            Reading::Bits => index as u32,
            Reading::Fours => (0..cells / 8).fold(0, |bits, eight| {
                bits | subset_unrank(index / 70usize.pow(eight as u32) % 70, 4) << (8 * eight)
            }),
        };
        let image = |to: &Vec<(usize, bool)>| {
            let bit = |(i, &(to, flip)): (usize, &(usize, bool))| ((bits >> i & 1) ^ u32::from(flip)) << to;
            let image = to.iter().enumerate().map(bit).fold(0, |image, bit| image | bit);
            match self {
                Reading::Bits => image as usize,
                Reading::Fours => (0..cells / 8).fold(0, |index, eight| {
                    index + subset_rank(image >> (8 * eight) & 255) * 70usize.pow(eight as u32)
                }),
            }
        };
        symmetries.iter().map(image).min().unwrap_or(index)
    }
}

/// A cell: its orbit, its number in the orbit, and whether it is read the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The orbit's number.
    pub orbit: u8,
    /// 0 to 23.
    pub cell: u8,
    /// Whether it counts when it is not in the set.
    pub inverted: bool,
}

/// A table's share of the index: what some neighbouring cells of one orbit add to it.
#[derive(Debug, Clone)]
struct Part {
    orbit: u8,
    shift: u8,
    mask: u8,
    /// Where its values begin among all.
    values: u32,
}

/// A pattern as it is looked up.
#[derive(Debug, Clone)]
struct Pattern {
    /// Where its table begins among the weights.
    table: u32,
    parts: std::ops::Range<usize>,
}

/// Patterns and where their weights are. Several may share a table.
#[derive(Debug, Clone, Default)]
pub struct Patterns {
    patterns: Vec<Pattern>,
    parts: Vec<Part>,
    values: Vec<u32>,
}

impl Patterns {
    /// Entries of the table of a pattern with so many cells.
    pub fn entries(reading: Reading, cells: usize) -> usize {
        match reading {
            Reading::Bits => 1 << cells,
            Reading::Fours => 70usize.pow(cells as u32 / 8),
        }
    }

    /// Adds a pattern whose table begins at `table`. Of [`Reading::Fours`] every eight cells are one axis of an orbit.
    pub fn add(&mut self, reading: Reading, cells: &[Cell], table: usize) {
        let first = self.parts.len();
        match reading {
            Reading::Bits => {
                let mut groups: Vec<(u8, u8)> = cells.iter().map(|c| (c.orbit, c.cell / 4)).collect();
                groups.sort_unstable();
                groups.dedup();
                for (orbit, four) in groups {
                    let value = |bits: u32| {
                        let own = cells
                            .iter()
                            .enumerate()
                            .filter(|(_, c)| (c.orbit, c.cell / 4) == (orbit, four));
                        own.fold(0, |value, (i, c)| {
                            value | ((bits >> (c.cell % 4) & 1) ^ u32::from(c.inverted)) << i
                        })
                    };
                    self.part(orbit, 4 * four, 4, value);
                }
            }
            Reading::Fours => {
                for (eight, cells) in cells.chunks(8).enumerate() {
                    let value = |bits: u32| {
                        let set = cells.iter().enumerate().fold(0, |set, (i, c)| {
                            set | ((bits >> (c.cell % 8) & 1) ^ u32::from(c.inverted)) << i
                        });
                        let rank = if set.count_ones() == 4 { subset_rank(set) } else { 0 };
                        (rank * 70usize.pow(eight as u32)) as u32
                    };
                    self.part(cells[0].orbit, cells[0].cell / 8 * 8, 8, value);
                }
            }
        }
        self.patterns.push(Pattern {
            table: table as u32,
            parts: first..self.parts.len(),
        });
    }

    fn part(&mut self, orbit: u8, shift: u8, bits: u8, value: impl Fn(u32) -> u32) {
        let values: Vec<u32> = (0..1u32 << bits).map(value).collect();
        let at = self.values.windows(values.len()).position(|known| known == values);
        let at = at.unwrap_or_else(|| {
            self.values.extend(&values);
            self.values.len() - values.len()
        });
        self.parts.push(Part {
            orbit,
            shift,
            mask: ((1u32 << bits) - 1) as u8,
            values: at as u32,
        });
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.patterns.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The weight of every pattern of some sets, by its number among all weights.
    #[inline]
    pub fn weights(&self, sets: &[u32]) -> impl Iterator<Item = usize> {
        self.patterns.iter().map(move |pattern| {
            let parts = self.parts[pattern.parts.clone()].iter();
            let index = parts.fold(pattern.table, |index, part| {
                let bits = sets[part.orbit as usize] >> part.shift & u32::from(part.mask);
                index + self.values[(part.values + bits) as usize]
            });
            index as usize
        })
    }

    /// The sum of the weights, in [`UNITS`].
    #[inline]
    pub fn sum(&self, weights: &[u8], sets: &[u32]) -> u32 {
        self.weights(sets).map(|i| u32::from(weights[i])).sum()
    }
}
