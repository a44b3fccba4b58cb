//! The three jaws, and sets of them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::cube::Face;

/// A jaw, by the side of the cube that it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Jaw {
    /// It holds L.
    Left,
    /// It holds R.
    Right,
    /// It holds B.
    Centre,
}

impl Jaw {
    /// All three.
    pub const ALL: [Jaw; 3] = [Jaw::Left, Jaw::Right, Jaw::Centre];

    /// The side of the world where it is.
    pub const fn side(self) -> Face {
        match self {
            Jaw::Left => Face::L,
            Jaw::Right => Face::R,
            Jaw::Centre => Face::B,
        }
    }
}

impl fmt::Display for Jaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Jaw::Left => "left",
            Jaw::Right => "right",
            Jaw::Centre => "centre",
        })
    }
}

/// What each jaw has of one thing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Jawful<T> {
    /// The left one's.
    pub left: T,
    /// The right one's.
    pub right: T,
    /// The centre's.
    pub centre: T,
}

/// A set of jaws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<Jaw>", into = "Vec<Jaw>")]
pub struct Set(u8);

impl Set {
    /// None of them.
    pub const NONE: Set = Set(0);
    /// All three.
    pub const ALL: Set = Set(7);
    /// Left and right.
    pub const SIDES: Set = Set(3);

    /// All sets, without the empty one.
    pub fn some() -> impl Iterator<Item = Set> {
        (1..8).map(Set)
    }

    /// One jaw.
    pub const fn of(jaw: Jaw) -> Set {
        Set(1 << jaw as u8)
    }

    /// A number for a set, 0 to 7.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The set with a number.
    pub const fn from_number(number: u8) -> Set {
        Set(number & 7)
    }

    /// Those in it.
    pub fn jaws(self) -> impl Iterator<Item = Jaw> {
        Jaw::ALL.into_iter().filter(move |&jaw| self.contains(Set::of(jaw)))
    }

    /// Whether all others are in it.
    pub const fn contains(self, other: Set) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether none of the others is in it.
    pub const fn avoids(self, other: Set) -> bool {
        self.0 & other.0 == 0
    }

    /// Those of both.
    pub const fn and(self, other: Set) -> Set {
        Set(self.0 | other.0)
    }

    /// Those in one of them, but not in both.
    pub const fn either(self, other: Set) -> Set {
        Set(self.0 ^ other.0)
    }
}

impl From<Vec<Jaw>> for Set {
    fn from(jaws: Vec<Jaw>) -> Set {
        jaws.into_iter().fold(Set::NONE, |set, jaw| set.and(Set::of(jaw)))
    }
}

impl From<Set> for Vec<Jaw> {
    fn from(set: Set) -> Vec<Jaw> {
        set.jaws().collect()
    }
}

/// Their names, with blanks in between.
impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, jaw) in self.jaws().enumerate() {
            write!(f, "{}{jaw}", if i > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}
