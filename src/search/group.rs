use crate::cube::{Symmetry, Turn};

/// A group of symmetries together with a set of turns that it maps to itself, everything by number.
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
}

impl Group {
    /// All of the 48 symmetries that `keep` holds for; they must form a group and map `turns` to themselves. The identity has number 0.
    pub fn new(turns: Vec<Turn>, keep: impl Fn(Symmetry) -> bool) -> Group {
        let symmetries: Vec<Symmetry> = Symmetry::all().into_iter().filter(|&s| keep(s)).collect();
        let number = |s: Symmetry| symmetries.iter().position(|&t| t == s).unwrap_or(0) as u8;
        let turn_number = |t: Turn| turns.iter().position(|&u| u == t).unwrap_or(0) as u8;
        let bits = symmetries.len().next_power_of_two().trailing_zeros();
        let inverse: Vec<u8> = symmetries.iter().map(|s| number(s.inverse())).collect();
        let mut then = vec![0; symmetries.len() << bits];
        let mut moved = vec![0; turns.len() << bits];
        for (b, &by) in symmetries.iter().enumerate() {
            for (a, s) in symmetries.iter().enumerate() {
                then[a << bits | b] = number(s.then(by));
            }
            for (t, turn) in turns.iter().enumerate() {
                moved[t << bits | b] = turn_number(turn.moved(by));
            }
        }
        Group {
            symmetries,
            turns,
            bits,
            then,
            inverse,
            moved,
        }
    }

    /// How many symmetries.
    #[inline]
    pub fn order(&self) -> usize {
        self.inverse.len()
    }

    /// Bits that hold the number of a symmetry.
    #[inline]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The symmetries.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
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

    /// What undoes a symmetry.
    #[inline]
    pub fn inverse(&self, s: usize) -> usize {
        self.inverse[s] as usize
    }

    /// The turn that `turn` becomes when the cube is moved by `s`.
    #[inline]
    pub fn moved(&self, turn: usize, s: usize) -> usize {
        self.moved[turn << self.bits | s] as usize
    }
}
