//! A guess of how far a goal is: a sum of weights, one for every pattern of cells.
//!
//! Where orbits are many, no table tells the distance of all of them together, and distances of each do not add up. A
//! *guide* looks at small sets of cells that lie together, of several orbits at once, takes each as an index into a
//! table of learned weights (see [`teach`](super::teach())), and adds these up. It is no bound, but it ranks what a
//! [`beam`](super::beam()) has to choose from.

use std::ops::{AddAssign, Range};

use super::{Phase, Screen, subset_rank, subset_unrank};

/// How many units of a weight make a turn.
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
    /// The least of the indexes that are equal to one by symmetry. A symmetry tells for every cell where its bit goes
    /// and whether it is then read the other way round.
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

/// When a pattern is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// At once.
    First,
    /// Where those of the first tier did not say that a node is too far.
    Second,
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
    parts: Range<usize>,
}

/// Patterns and where their weights are. Several may share a table.
#[derive(Debug, Clone, Default)]
pub struct Patterns {
    patterns: Vec<Pattern>,
    parts: Vec<Part>,
    values: Vec<u32>,
    /// Where each group of patterns begins.
    groups: Vec<usize>,
    /// What every group adds up to at the goal.
    least: Vec<u32>,
    /// For each tier who looks at some cells, and the numbers of all its patterns.
    tiers: [(Vec<Users>, Vec<usize>); 2],
}

/// The patterns that look at four or eight neighbouring cells of one orbit, and what these add to their indexes.
#[derive(Debug, Clone)]
struct Users {
    orbit: u8,
    /// The number of the first of the cells, and a bit for each.
    shift: u8,
    mask: u8,
    /// The numbers of the patterns.
    patterns: Vec<u32>,
    /// For every value of the cells a row: what it adds to the index of each of the patterns. So that what is read for
    /// one change lies together in the brick's cache.
    rows: Vec<u32>,
}

impl Users {
    /// Adds a pattern, and what every value of the cells adds to its index.
    fn push(&mut self, pattern: u32, values: &[u32]) {
        let count = self.patterns.len();
        let rows = values.iter().enumerate().flat_map(|(i, &value)| {
            let before = &self.rows[i * count..][..count];
            before.iter().copied().chain([value])
        });
        self.rows = rows.collect();
        self.patterns.push(pattern);
    }
}

impl Patterns {
    /// Entries of the table of a pattern with so many cells.
    pub fn entries(reading: Reading, cells: usize) -> usize {
        match reading {
            Reading::Bits => 1 << cells,
            Reading::Fours => 70usize.pow(cells as u32 / 8),
        }
    }

    /// What is added from now on is a group of its own.
    pub fn begin_group(&mut self) {
        self.groups.push(self.patterns.len());
    }

    /// The patterns of every group, by their numbers.
    pub fn groups(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.groups.iter().skip(1).copied().chain([self.patterns.len()]);
        self.groups.iter().copied().zip(ends).map(|(from, to)| from..to)
    }

    /// Adds a pattern whose table begins at `table`. Of [`Reading::Fours`] every eight cells are one axis of an orbit.
    pub fn add(&mut self, reading: Reading, cells: &[Cell], table: usize, tier: Tier) {
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
        let (users, all) = &mut self.tiers[tier as usize];
        all.push(self.patterns.len());
        for part in &self.parts[first..] {
            let values = &self.values[part.values as usize..][..=usize::from(part.mask)];
            let cells = (part.orbit, part.shift, part.mask);
            let known = users.iter().position(|of| (of.orbit, of.shift, of.mask) == cells);
            let at = known.unwrap_or_else(|| {
                let (orbit, shift, mask) = cells;
                users.push(Users {
                    orbit,
                    shift,
                    mask,
                    patterns: Vec::new(),
                    rows: Vec::new(),
                });
                users.len() - 1
            });
            users[at].push(self.patterns.len() as u32, values);
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

    /// Makes of the numbers of the weights of some sets those of others, by a look at what differs.
    #[inline]
    fn follow(&self, tier: Tier, numbers: &mut [u32], before: &[u32], after: &[u32]) {
        for users in &self.tiers[tier as usize].0 {
            let (orbit, mask) = (usize::from(users.orbit), u32::from(users.mask));
            let [before, after] = [before, after].map(|sets| (sets[orbit] >> users.shift & mask) as usize);
            if before == after {
                continue;
            }
            let count = users.patterns.len();
            let row = |value: usize| &users.rows[value * count..][..count];
            for ((&pattern, before), after) in users.patterns.iter().zip(row(before)).zip(row(after)) {
                let number = &mut numbers[pattern as usize];
                *number = number.wrapping_add(*after).wrapping_sub(*before);
            }
        }
    }

    /// The sum of the weights of every group, by their numbers.
    #[inline]
    fn sums<S: Default + AddAssign>(&self, weights: impl Fn(usize) -> S) -> Vec<S> {
        let sum = |group: Range<usize>| {
            let mut sum = S::default();
            group.for_each(|i| sum += weights(i));
            sum
        };
        self.groups().map(sum).collect()
    }

    /// Lets groups be measured from what they add up to at a goal.
    pub fn measure_from(&mut self, weights: &[u8], goal: &[u32]) {
        let numbers: Vec<usize> = self.weights(goal).collect();
        self.least = self.sums(|i| u32::from(weights[numbers[i]]));
    }

    /// How far the goal seems to be, in [`UNITS`], by the sum of the weights of every group: that sum, of several
    /// groups the root of the sum of squares. Of two things that are to be done at once, turns for one help with the
    /// other and disturb it, so that it is not as far as both together: with plain sums a beam does not leave places
    /// where one group is right and another nearly so.
    #[inline]
    pub fn guess(&self, sums: &[u32]) -> u32 {
        if let &[sum] = sums {
            return sum;
        }
        let groups = sums.iter().zip(&self.least);
        groups
            .map(|(sum, &least)| sum.saturating_sub(least).pow(2))
            .sum::<u32>()
            .isqrt()
    }
}

/// A phase that is led by a guide.
pub trait Guided: Phase {
    /// What a weight is.
    type Weight: Copy + Into<Self::Sum>;
    /// What weights add up to.
    type Sum: Copy + Default + AddAssign;
    /// What is looked at.
    fn patterns(&self) -> &Patterns;
    /// The sets that patterns read.
    fn sets<'a>(&self, node: &'a Self::Node) -> &'a [u32];
    /// All weights.
    fn weights(&self) -> &[Self::Weight];
    /// How far a node seems to be that is no goal, by the sum of the weights of every group; in eighths of a turn, at
    /// least 1.
    fn value(&self, sums: &[Self::Sum]) -> u32;
}

/// How far a node seems to be.
pub fn guided<G: Guided>(guided: &G, node: &G::Node) -> u32 {
    if guided.bound(node) == 0 {
        return 0;
    }
    let (patterns, weights) = (guided.patterns(), guided.weights());
    let numbers: Vec<usize> = patterns.weights(guided.sets(node)).collect();
    guided.value(&patterns.sums(|i| weights[numbers[i]].into()))
}

/// Shows how far the nodes after some turns seem to be, but for those that the patterns of the first tier screen out. To
/// look up a weight is on a small processor the most expensive step: those that a turn leaves as they are are not looked
/// up again.
#[inline]
pub fn guided_ahead<G: Guided>(
    guided: &G,
    node: &G::Node,
    turns: &[u8],
    screen: Option<&mut Screen>,
    mut show: impl FnMut(u8, u32),
) {
    let (patterns, weights, before) = (guided.patterns(), guided.weights(), guided.sets(node));
    let own: Vec<u32> = patterns.weights(before).map(|i| i as u32).collect();
    let known: Vec<G::Weight> = own.iter().map(|&i| weights[i as usize]).collect();
    let groups: Vec<Range<usize>> = patterns.groups().collect();
    // What the first patterns of one group say tells little where others are to be right, too.
    let mut screen = screen.filter(|_| groups.len() == 1);
    let (mut numbers, mut looked) = (own.clone(), known.clone());
    let mut sums = vec![G::Sum::default(); groups.len()];
    for &turn in turns {
        let child = guided.child(node, turn as usize);
        if guided.bound(&child) == 0 {
            show(turn, 0);
            continue;
        }
        numbers.copy_from_slice(&own);
        looked.copy_from_slice(&known);
        let mut value = 0;
        let passes = [Tier::First, Tier::Second].into_iter().all(|tier| {
            patterns.follow(tier, &mut numbers, before, guided.sets(&child));
            for &i in &patterns.tiers[tier as usize].1 {
                if numbers[i] != own[i] {
                    looked[i] = weights[numbers[i] as usize];
                }
            }
            if tier == Tier::First && screen.is_none() {
                return true;
            }
            for (sum, group) in sums.iter_mut().zip(&groups) {
                *sum = G::Sum::default();
                looked[group.clone()].iter().for_each(|&weight| *sum += weight.into());
            }
            value = guided.value(&sums);
            match &mut screen {
                Some(screen) if tier == Tier::First => screen.passes(value),
                _ => true,
            }
        });
        if passes {
            show(turn, value);
        }
    }
}

#[cfg(test)]
mod tests;
