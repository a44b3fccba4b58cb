//! The turns of a search under way, and the cubes after them.

use crate::cube::{Cubies, Turn};

/// In place of a face's number: no face.
pub(in crate::solve) const NO_FACE: usize = 6;

/// The permutations of all pieces, which phase 2 needs of a cube.
#[derive(Clone, Copy)]
pub(super) struct Places {
    pub corners: [u8; 8],
    pub midges: [u8; 12],
}

/// The turns of a search so far. The cubes after them are computed when they are asked for.
pub(super) struct Path {
    /// The turns, by number among the 18.
    turns: [u8; Path::LONGEST],
    /// The cubes after 0, 1, 2, … turns; computed up to `known`.
    places: [Places; Path::LONGEST + 1],
    known: usize,
}

impl Path {
    /// The most turns of a path.
    pub const LONGEST: usize = 40;

    pub fn new() -> Path {
        let home = Places {
            corners: Cubies::SOLVED.corners,
            midges: Cubies::SOLVED.midges,
        };
        Path {
            turns: [0; Path::LONGEST],
            places: [home; Path::LONGEST + 1],
            known: 0,
        }
    }

    /// Begins with a cube.
    pub fn begin(&mut self, cubies: &Cubies) {
        self.places[0] = Places {
            corners: cubies.corners,
            midges: cubies.midges,
        };
        self.known = 0;
    }

    /// Sets the turn after `depth` others.
    #[inline]
    pub fn set(&mut self, depth: usize, turn: u8) {
        self.turns[depth] = turn;
        self.known = self.known.min(depth);
    }

    /// The first turns.
    pub fn numbers(&self, depth: usize) -> &[u8] {
        &self.turns[..depth]
    }

    /// The cube after `depth` turns; `all` are the 18.
    pub fn places(&mut self, all: &[(Turn, Cubies)], depth: usize) -> &Places {
        while self.known < depth {
            let by = &all[self.turns[self.known] as usize].1;
            let from = self.places[self.known];
            self.known += 1;
            let to = &mut self.places[self.known];
            for (place, &p) in by.corners.iter().enumerate() {
                to.corners[place] = from.corners[p as usize];
            }
            for (place, &p) in by.midges.iter().enumerate() {
                to.midges[place] = from.midges[p as usize];
            }
        }
        &self.places[depth]
    }
}

/// Whether a turn of `face` may follow one of `last`: not the same face, and opposite faces in one order only.
#[inline]
pub(in crate::solve) fn may_follow(last: usize, face: usize) -> bool {
    last == NO_FACE || (face != last && face + 3 != last)
}
