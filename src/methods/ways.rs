//! Ways that a method has gone so far: the shortest of many go on.

use std::collections::HashSet;

use crate::cube::{Cubies, Turn, merged};

/// What is done in one go, before it is told in words.
#[derive(Debug, Clone)]
pub(super) struct Deed<D> {
    /// The number of the stage.
    pub(super) stage: usize,
    /// Its turns.
    pub(super) turns: Vec<Turn>,
    /// What it is.
    pub(super) what: D,
}

/// A cube on its way.
#[derive(Debug, Clone)]
pub(super) struct Way<D> {
    /// The cube now.
    pub(super) cubies: Cubies,
    /// How many turns it has taken, those put together that can be.
    pub(super) length: usize,
    /// What was done.
    pub(super) deeds: Vec<Deed<D>>,
}

impl<D: Clone> Way<D> {
    /// A cube at its start.
    pub(super) fn new(cubies: &Cubies) -> Way<D> {
        Way {
            cubies: *cubies,
            length: 0,
            deeds: Vec::new(),
        }
    }

    /// The cube after one more deed, with this effect.
    pub(super) fn then(&self, deed: Deed<D>, effect: &Cubies) -> Way<D> {
        let mut next = self.clone();
        next.cubies = next.cubies.then(effect);
        next.deeds.push(deed);
        next
    }

    /// All turns, put together where they can be.
    pub(super) fn turns(&self) -> Vec<Turn> {
        let all: Vec<Turn> = self.deeds.iter().flat_map(|deed| deed.turns.iter().copied()).collect();
        merged(&all)
    }
}

/// Keeps the shortest `width` ways; of those that lead to the same cube only one. Equal ones keep their order.
pub(super) fn keep<D: Clone>(ways: &mut Vec<Way<D>>, width: usize) {
    for way in ways.iter_mut() {
        way.length = way.turns().len();
    }
    crate::order::by_key(ways, |way| way.length);
    let mut seen = HashSet::new();
    ways.retain(|way| seen.insert(way.cubies));
    ways.truncate(width);
}
