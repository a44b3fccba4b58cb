//! Turns and symmetries by number, and how they act on each other.

use super::permutation_unrank;
use crate::cube::{Symmetry, Turn};
use crate::sure::place_of;

/// A group of symmetries together with a set of turns that it maps to itself, everything by number.
///
/// Where a coordinate names some pieces by labels that mean nothing, exchanging the labels is a symmetry as well: see
/// [`Group::labelled`].
#[derive(Debug, Clone)]
pub struct Group {
    symmetries: Vec<Symmetry>,
    turns: Vec<Turn>,
    /// Bits that the number of a symmetry takes: tables are indexed by shifts, because the brick's CPU cannot divide.
    bits: u32,
    /// [a << bits | b]: first a, then b.
    then: Vec<u8>,
    inverse: Vec<u8>,
    /// [turn << bits | s]: the turn after the cube was moved by s.
    moved: Vec<u8>,
    /// [s · turns + turn]: the turn before the cube was moved by s.
    before: Vec<u8>,
    /// [b << bits | a]: first a, then b.
    after: Vec<u8>,
    /// All permutations of the labels, the identity first: label i becomes `labels[k][i]`.
    labels: Vec<[u8; 4]>,
}

impl Group {
    /// All of the 48 symmetries for which `keep` is true. They must form a group and map `turns` to themselves. The
    /// identity has number 0.
    pub fn new(turns: Vec<Turn>, keep: impl Fn(Symmetry) -> bool) -> Group {
        Group::with_labels(turns, keep, vec![[0, 1, 2, 3]])
    }

    /// The same together with all ways to exchange four labels: element number = number of the symmetry · 24 + number
    /// of the exchange.
    pub fn labelled(turns: Vec<Turn>, keep: impl Fn(Symmetry) -> bool) -> Group {
        Group::with_labels(turns, keep, (0..24).map(permutation_unrank::<4>).collect())
    }

    fn with_labels(turns: Vec<Turn>, keep: impl Fn(Symmetry) -> bool, labels: Vec<[u8; 4]>) -> Group {
        let symmetries: Vec<Symmetry> = Symmetry::all().into_iter().filter(|&s| keep(s)).collect();
        let elements: Vec<(Symmetry, [u8; 4])> = symmetries
            .iter()
            .flat_map(|&s| labels.iter().map(move |&l| (s, l)))
            .collect();
        let number = |element: (Symmetry, [u8; 4])| place_of(&elements, &element) as u8;
        let turn_number = |t: Turn| place_of(&turns, &t) as u8;
        let bits = elements.len().next_power_of_two().trailing_zeros();
        let then_labels = |a: [u8; 4], b: [u8; 4]| a.map(|i| b[i as usize]);
        let mut inverse = vec![0; elements.len()];
        let mut then = vec![0; elements.len() << bits];
        let mut moved = vec![0; turns.len() << bits];
        for (b, &(by, by_labels)) in elements.iter().enumerate() {
            for (a, &(s, labels)) in elements.iter().enumerate() {
                then[a << bits | b] = number((s.then(by), then_labels(labels, by_labels)));
                if then[a << bits | b] == 0 {
                    inverse[a] = b as u8;
                }
            }
            for (t, turn) in turns.iter().enumerate() {
                moved[t << bits | b] = turn_number(turn.moved(by));
            }
        }
        let (mut before, mut after) = (Vec::new(), vec![0; elements.len() << bits]);
        for (b, &back) in inverse.iter().enumerate() {
            before.extend((0..turns.len()).map(|t| moved[t << bits | usize::from(back)]));
            (0..elements.len()).for_each(|a| after[b << bits | a] = then[a << bits | b]);
        }
        Group {
            before,
            after,
            symmetries,
            turns,
            bits,
            then,
            inverse,
            moved,
            labels,
        }
    }

    /// How many symmetries, each with each exchange of labels.
    #[inline]
    pub fn order(&self) -> usize {
        self.inverse.len()
    }

    /// Bits that hold the number of a symmetry.
    #[inline]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The symmetries, without labels.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The number of an element's symmetry among [`Group::symmetries`], and what it makes of each label.
    pub fn parts(&self, element: usize) -> (usize, [u8; 4]) {
        let labels = self.labels.len();
        (element / labels, self.labels[element % labels])
    }

    /// The turns.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// First symmetry `a`, then `b`.
    #[inline]
    pub fn then(&self, a: usize, b: usize) -> usize {
        self.then[a << self.bits | b] as usize
    }

    /// The inverse of a symmetry.
    #[inline]
    pub fn inverse(&self, s: usize) -> usize {
        self.inverse[s] as usize
    }

    /// The turn that `turn` becomes when the cube is moved by `s`.
    #[inline]
    pub fn moved(&self, turn: usize, s: usize) -> usize {
        self.moved[turn << self.bits | s] as usize
    }

    /// By turn: the turn that `s` makes that turn when the cube is moved by it.
    #[inline]
    pub fn before(&self, s: usize) -> &[u8] {
        let turns = self.turns.len();
        &self.before[s * turns..][..turns]
    }

    /// By symmetry: first that symmetry, then `s`.
    #[inline]
    pub fn after(&self, s: usize) -> &[u8] {
        &self.after[s << self.bits..][..1 << self.bits]
    }
}
