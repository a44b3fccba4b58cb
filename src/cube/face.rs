//! The six faces and their letters.

use std::fmt;

/// One of the six faces, and also the colour that belongs there. In the order of state strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Face {
    /// Up.
    U,
    /// Right.
    R,
    /// Front.
    F,
    /// Down.
    D,
    /// Left.
    L,
    /// Back.
    B,
}

impl Face {
    /// All six, in the order U R F D L B.
    pub const ALL: [Face; 6] = [Face::U, Face::R, Face::F, Face::D, Face::L, Face::B];

    /// Its letter.
    pub const fn letter(self) -> char {
        ['U', 'R', 'F', 'D', 'L', 'B'][self as usize]
    }

    /// The face of a capital letter.
    pub fn from_letter(letter: char) -> Option<Face> {
        Face::ALL.into_iter().find(|face| face.letter() == letter)
    }

    /// The face across the cube.
    pub const fn opposite(self) -> Face {
        Face::ALL[(self as usize + 3) % 6]
    }

    /// The axis it is perpendicular to: 0 for x (R L), 1 for y (U D), 2 for z (F B).
    pub const fn axis(self) -> usize {
        [1, 0, 2][self as usize % 3]
    }

    /// Which end of its axis it is at: 1 for U, R and F, −1 for D, L and B.
    pub const fn sign(self) -> i32 {
        if (self as usize) < 3 { 1 } else { -1 }
    }

    /// The face at one end of an axis.
    pub const fn at(axis: usize, sign: i32) -> Face {
        let positive = [Face::R, Face::U, Face::F][axis];
        if sign > 0 { positive } else { positive.opposite() }
    }

    /// Its outward unit vector.
    pub const fn normal(self) -> [i32; 3] {
        let mut v = [0; 3];
        v[self.axis()] = self.sign();
        v
    }
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
