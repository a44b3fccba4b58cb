//! Estimates how far a goal is by a sum of learned weights, one for every pattern of cells.
//!
//! With many orbits, no table tells the distance of all of them together, and the distances of each do not add up. A
//! *guide* reads small sets of neighbouring cells, of several orbits at once, takes each as an index into a table of
//! learned weights (see [`teach`](super::teach())), and adds these up. The sum is no bound, but it ranks the nodes that a
//! [`beam`](super::beam()) has to choose from.
//!
//! Cells are bits of a [`Row`] of words. A node has one row or several, all with the same patterns. On a small processor
//! the most expensive step is to look up a weight, and a table of how indexes change would cost nearly as much. So indexes
//! are computed from the words by a few instructions without any table, and only if a turn may have changed the weight.

use super::net::Net;
use super::row::Row;
use super::{Phase, Screen, subset_rank, subset_unrank};

/// The word with each of its fours taken around: bit `i` of a four becomes its bit `(i + by) % 4`.
#[inline]
pub fn around(word: u32, by: u8) -> u32 {
    const STAY: [u32; 4] = [0xffff_ffff, 0xeeee_eeee, 0xcccc_cccc, 0x8888_8888];
    let by = by & 3;
    let stay = STAY[usize::from(by)];
    (word << by & stay) | (word >> (4 - by) & !stay)
}

/// Some bits of a word, which one multiplication brings together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bits {
    /// Which bits.
    pub mask: u32,
    /// The product of the masked word and this has these bits as its uppermost, in some order.
    pub factor: u32,
    /// How many.
    pub count: u8,
}

impl Bits {
    /// These bits of a word as a number.
    #[inline]
    pub fn of(self, word: u32) -> u32 {
        (word & self.mask).wrapping_mul(self.factor) >> (32 - self.count)
    }
}

/// How the cells of a pattern make an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// A bit for each cell.
    Bits,
    /// A number below 70 for every eight cells, which are two [`WordCells`] and always have four cells set.
    Fours,
}

impl Reading {
    /// The least of the indexes that are equal to `index` by symmetry. They are compared with cell `i` in place `order[i]`. A
    /// symmetry tells for every cell where its bit goes, and whether it is then inverted.
    pub fn least(self, index: usize, symmetries: &[Vec<(usize, bool)>], order: &[usize]) -> usize {
        let bits = match self {
            Reading::Bits => index as u32,
            Reading::Fours => (0..order.len() / 8).fold(0, |bits, eight| {
                bits | subset_unrank(index / 70usize.pow(eight as u32) % 70, 4) << (8 * eight)
            }),
        };
        let image = |to: &Vec<(usize, bool)>| {
            let bit = |(i, &(to, flip)): (usize, &(usize, bool))| ((bits >> i & 1) ^ u32::from(flip)) << to;
            to.iter().enumerate().map(bit).fold(0, |image, bit| image | bit)
        };
        let number = |bits: u32| match self {
            Reading::Bits => bits as usize,
            Reading::Fours => (0..order.len() / 8).fold(0, |index, eight| {
                index + subset_rank(bits >> (8 * eight) & 255) * 70usize.pow(eight as u32)
            }),
        };
        let ordered = |bits: u32| {
            order
                .iter()
                .enumerate()
                .fold(0, |set, (i, to)| set | (bits >> i & 1) << to)
        };
        let images = symmetries.iter().map(image);
        images.min_by_key(|&image| number(ordered(image))).map_or(index, number)
    }
}

/// When a pattern is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// For every node.
    First,
    /// For nodes that the first tier did not find too far.
    Second,
}

/// Some cells of one word of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordCells {
    /// The word's number.
    pub word: u8,
    /// How far its fours are taken [around](around()) first.
    pub around: u8,
    /// Whether the cells are inverted first: then the cells that are not set count.
    pub inverted: bool,
    /// The bits that are read then.
    pub bits: Bits,
}

/// [`WordCells`] as they are read: from which word of [`Turned`], which bits, and where they go in an index.
#[derive(Debug, Clone, Copy)]
struct Gather {
    word: u8,
    /// The product is shifted right by this, so that only the wanted bits are left.
    down: u8,
    /// For bits: the place of the lowest one in the index.
    up: u8,
    mask: u32,
    factor: u32,
}

/// The words of a row, each taken around in all four ways: by 0, by 1, by 2, by 3.
type Turned = [u32; 32];

fn turned(row: &Row, turned: &mut Turned) {
    for (&word, all) in row.iter().zip(turned.chunks_exact_mut(4)) {
        all[0] = word;
        all[1] = around(word, 1);
        all[2] = around(word, 2);
        all[3] = around(word, 3);
    }
}

impl Gather {
    #[inline]
    fn of(&self, turned: &Turned) -> u32 {
        (turned[usize::from(self.word & 31)] & self.mask).wrapping_mul(self.factor) >> (self.down & 31)
    }
}

/// A pattern as it is looked up.
#[derive(Debug, Clone)]
struct Pattern {
    reading: Reading,
    /// Its steps among those of all patterns.
    begins: u16,
    ends: u16,
    /// Where its table begins among the weights.
    table: u32,
    /// The bits of the index that are inverted; for fours, before they are numbered.
    inverted: u32,
}

/// The most that the weights of a row count: farther than any cube is, and the squares of 21 rows fit 32 bits.
const MOST: u32 = 14_000;

/// Patterns and where their weights are. Several may share a table.
#[derive(Debug, Clone, Default)]
pub struct Patterns {
    patterns: Vec<Pattern>,
    steps: Vec<Gather>,
    tiers: Vec<Tier>,
    /// For each effect that a turn may have, the patterns of either tier whose weights it may change.
    touched: Vec<[Vec<u8>; 2]>,
    /// The sum of their weights at a goal.
    least: u32,
}

/// The number of each set of four of eight cells.
const RANKS: [u8; 256] = {
    let (mut ranks, mut next, mut set) = ([0; 256], 0, 0);
    while set < 256 {
        if (set as u32).count_ones() == 4 {
            ranks[set] = next;
            next += 1;
        }
        set += 1;
    }
    ranks
};

impl Patterns {
    /// Entries of the table of a pattern with so many cells.
    pub fn entries(reading: Reading, cells: usize) -> usize {
        match reading {
            Reading::Bits => 1 << cells,
            Reading::Fours => 70usize.pow(cells as u32 / 8),
        }
    }

    /// Adds a pattern whose table begins at `table`.
    pub fn add(&mut self, reading: Reading, cells: &[WordCells], table: usize, tier: Tier) {
        let (begins, mut up, mut inverted) = (self.steps.len(), 0, 0u32);
        for WordCells {
            word,
            around,
            inverted: is_inverted,
            bits,
        } in cells
        {
            self.steps.push(Gather {
                word: 4 * word + around,
                down: 32 - bits.count,
                up,
                mask: bits.mask,
                factor: bits.factor,
            });
            if *is_inverted {
                inverted |= (u32::MAX >> (32 - bits.count)) << up;
            }
            up += bits.count;
        }
        self.patterns.push(Pattern {
            reading,
            table: table as u32,
            begins: begins as u16,
            ends: self.steps.len() as u16,
            inverted,
        });
        self.tiers.push(tier);
    }

    /// Adds an effect that turns may have, and tells which patterns' weights it may change, by their numbers.
    pub fn add_effect(&mut self, touches: impl Fn(usize) -> bool) {
        let of = |tier: Tier| {
            let all = (0..self.len()).filter(|&i| self.tiers[i] == tier && touches(i));
            all.map(|i| i as u8).collect()
        };
        self.touched.push([of(Tier::First), of(Tier::Second)]);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.patterns.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The weight of every pattern of a row, by its number among all weights.
    #[inline]
    pub fn weights(&self, row: &Row) -> impl Iterator<Item = usize> {
        let mut all = Turned::default();
        turned(row, &mut all);
        self.patterns.iter().map(move |pattern| self.weight(pattern, &all))
    }

    #[inline]
    fn weight(&self, pattern: &Pattern, turned: &Turned) -> usize {
        let steps = &self.steps[usize::from(pattern.begins)..usize::from(pattern.ends)];
        let bits = steps
            .iter()
            .fold(0, |bits, step| bits | step.of(turned) << (step.up & 31))
            ^ pattern.inverted;
        let index = match pattern.reading {
            Reading::Bits => bits,
            Reading::Fours => {
                let eights = bits.to_le_bytes().into_iter().take(steps.len() / 2);
                eights
                    .rev()
                    .fold(0, |index, eight| 70 * index + u32::from(RANKS[usize::from(eight)]))
            }
        };
        (pattern.table + index) as usize
    }

    /// What the weights of a row's patterns add up to.
    fn sum(&self, weights: &[u8], row: &Row) -> u32 {
        self.weights(row).map(|i| u32::from(weights[i])).sum()
    }

    /// Sets the goal whose sum counts as distance 0.
    pub fn measure_from(&mut self, weights: &[u8], goal: &Row) {
        self.least = self.sum(weights, goal);
    }

    /// How far the goal seems to be, in [`UNITS`], by the sums of every row's weights: one row's sum, or for several rows
    /// the root of the sum of their squares. Turns for one row also help or disturb the others, so that the goal is nearer
    /// than all sums together. With plain sums a beam stays stuck where one row is right and another nearly so.
    #[inline]
    pub fn guess(&self, sums: &[u32]) -> u32 {
        if let &[sum] = sums {
            return sum;
        }
        let over = sums.iter().map(|sum| sum.saturating_sub(self.least).min(MOST).pow(2));
        over.sum::<u32>().isqrt()
    }
}

/// A phase that is led by a guide.
pub trait Guided: Phase {
    /// The patterns.
    fn patterns(&self) -> &Patterns;
    /// The rows that the patterns read.
    fn rows<'a>(&self, node: &'a Self::Node) -> &'a [Row];
    /// The number of the effect that a turn has on a row.
    fn effect(&self, turn: usize, row: usize) -> usize;
    /// All weights.
    fn weights(&self) -> &[u8];
    /// What tells more of a node by the cells of all its rows.
    fn net(&self) -> Option<&Net>;
    /// How far a node seems to be from the goal, by the sums of every row's weights and what the net adds; in eighths of a turn. At
    /// least 1, as the node is no goal.
    fn value(&self, sums: &[u32], added: i32) -> u32;
}

/// How far a node seems to be from the goal.
pub fn guided<G: Guided>(guided: &G, node: &G::Node) -> u32 {
    if guided.bound(node) == 0 {
        return 0;
    }
    let rows = guided.rows(node).iter();
    let sums: Vec<u32> = rows.map(|row| guided.patterns().sum(guided.weights(), row)).collect();
    let added = guided.net().map_or(0, |net| net.of(guided.rows(node)));
    guided.value(&sums, added)
}

/// Shows how far the nodes after some turns seem to be, except those that the patterns of the first tier screen out.
#[inline]
pub fn guided_ahead<G: Guided>(
    guided: &G,
    node: &G::Node,
    turns: &[u8],
    screen: &mut Screen,
    mut show: impl FnMut(u8, u32),
) {
    let (patterns, weights) = (guided.patterns(), guided.weights());
    let before = guided.rows(node);
    let known: Vec<u8> = before
        .iter()
        .flat_map(|row| patterns.weights(row).map(|i| weights[i]))
        .collect();
    let own: Vec<u32> = known
        .chunks(patterns.len())
        .map(|row| row.iter().map(|&weight| u32::from(weight)).sum())
        .collect();
    // With several rows, the first patterns of one row tell too little to screen nodes out.
    let screens = before.len() == 1;
    // Made for the first child that comes that far: some nodes have none.
    let mut net_sums = None;
    let (mut sums, mut all) = (own.clone(), Turned::default());
    for &turn in turns {
        let child = guided.child(node, turn as usize);
        if guided.bound(&child) == 0 {
            show(turn, 0);
            continue;
        }
        let passes = [Tier::First, Tier::Second].into_iter().all(|tier| {
            for (i, row) in guided.rows(&child).iter().enumerate() {
                let known = &known[i * patterns.len()..];
                let mut sum = if tier == Tier::First { own[i] } else { sums[i] };
                if tier == Tier::First || !screens {
                    turned(row, &mut all);
                }
                for &number in &patterns.touched[guided.effect(turn as usize, i)][tier as usize] {
                    let number = usize::from(number);
                    let weight = weights[patterns.weight(&patterns.patterns[number], &all)];
                    sum = sum + u32::from(weight) - u32::from(known[number]);
                }
                sums[i] = sum;
            }
            match tier {
                Tier::First => !screens || screen.passes(guided.value(&sums, 0)),
                // All patterns of all rows tell enough, and cost less than a net.
                Tier::Second => screens || guided.net().is_none() || screen.passes(guided.value(&sums, 0)),
            }
        });
        let added = match guided.net() {
            _ if !passes => continue,
            None => 0,
            Some(_) if !screen.passes_again(guided.value(&sums, 0)) => continue,
            Some(net) => {
                let sums = net_sums.get_or_insert_with(|| before.iter().map(|row| net.sums(row)).collect::<Vec<_>>());
                net.of_next(sums, before, guided.rows(&child))
            }
        };
        show(turn, guided.value(&sums, added));
    }
}

#[cfg(test)]
mod tests;
