//! A stage of a method: four pieces, and the ways to bring them where the stage wants them by algorithms, the cheapest first.

use crate::cube::{Cubies, Turn};
use crate::sure::place_of;

/// Four pieces of one kind. Each lies in one of 24 ways: so many places, each in two or three orientations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Four {
    /// By the numbers of [`crate::cube::CORNERS`].
    Corners([u8; 4]),
    /// By the numbers of [`crate::cube::MIDGES`].
    Midges([u8; 4]),
}

/// How each of the four lies: place · orientations + orientation.
pub(super) type Lie4 = [u8; 4];

/// How many numbers [`number`] gives.
pub(super) const LIES: usize = 24 * 24 * 24 * 24;

impl Four {
    /// How they lie on a cube.
    pub(super) fn on(self, cubies: &Cubies) -> Lie4 {
        match self {
            Four::Corners(pieces) => pieces.map(|piece| corner(cubies, piece)),
            Four::Midges(pieces) => pieces.map(|piece| midge(cubies, piece)),
        }
    }

    /// What an effect makes of each of the 24 ways to lie.
    pub(super) fn moved(self, effect: &Cubies) -> [u8; 24] {
        let mut to = [0; 24];
        match self {
            Four::Corners(_) => {
                for place in 0..8 {
                    let from = effect.corners[place];
                    for twist in 0..3 {
                        to[usize::from(from * 3 + twist)] = place as u8 * 3 + (twist + effect.twists[place]) % 3;
                    }
                }
            }
            Four::Midges(_) => {
                for place in 0..12 {
                    let from = effect.midges[place];
                    for flip in 0..2 {
                        to[usize::from(from * 2 + flip)] = place as u8 * 2 + (flip ^ effect.flips[place]);
                    }
                }
            }
        }
        to
    }
}

/// How a corner lies on a cube.
pub(super) fn corner(cubies: &Cubies, piece: u8) -> u8 {
    let place = place_of(&cubies.corners, &piece);
    place as u8 * 3 + cubies.twists[place]
}

/// How a midge lies on a cube.
pub(super) fn midge(cubies: &Cubies, piece: u8) -> u8 {
    let place = place_of(&cubies.midges, &piece);
    place as u8 * 2 + cubies.flips[place]
}

/// The number of a lie.
pub(super) fn number(lie: Lie4) -> usize {
    lie.iter().fold(0, |number, &digit| number * 24 + usize::from(digit))
}

/// Turns that are done in one go.
#[derive(Debug, Clone)]
pub(super) struct Doing {
    /// The number of the algorithm. None for a turn that only brings a layer round.
    pub(super) algorithm: Option<usize>,
    /// The turns.
    pub(super) turns: Vec<Turn>,
    /// What they do.
    pub(super) effect: Cubies,
}

impl Doing {
    /// Turns, and what they do.
    pub(super) fn new(algorithm: Option<usize>, turns: Vec<Turn>) -> Doing {
        let effect = turns
            .iter()
            .fold(Cubies::SOLVED, |all, &turn| all.then(&Cubies::of_turn(turn)));
        Doing {
            algorithm,
            turns,
            effect,
        }
    }
}

/// What stands in the table for a lie that no way leads from.
pub(super) const NEVER: u8 = u8::MAX;

/// How many turns each lie is from a goal, when only these doings are used.
pub(super) fn costs(four: Four, doings: &[Doing], goals: &[Lie4]) -> Vec<u8> {
    // Backwards: what leads away from the goal by a doing undone.
    let back: Vec<([u8; 24], usize)> = doings
        .iter()
        .map(|doing| (four.moved(&doing.effect.inverse()), doing.turns.len()))
        .collect();
    let mut costs = vec![NEVER; LIES];
    let mut waiting: Vec<Vec<Lie4>> = vec![goals.to_vec()];
    let mut cost = 0;
    while cost < waiting.len() && cost < usize::from(NEVER) {
        for lie in std::mem::take(&mut waiting[cost]) {
            if usize::from(costs[number(lie)]) <= cost {
                continue;
            }
            costs[number(lie)] = cost as u8;
            for (to, turns) in &back {
                let next = lie.map(|one| to[usize::from(one)]);
                let dearer = cost + turns;
                if usize::from(costs[number(next)]) > dearer {
                    waiting.resize_with(waiting.len().max(dearer + 1), Vec::new);
                    waiting[dearer].push(next);
                }
            }
        }
        cost += 1;
    }
    costs
}

/// A stage with its table.
pub(super) struct Ladder<'a> {
    four: Four,
    doings: &'a [Doing],
    moved: Vec<[u8; 24]>,
    costs: &'a [u8],
}

impl<'a> Ladder<'a> {
    /// With the costs that [`costs`] has found.
    pub(super) fn new(four: Four, doings: &'a [Doing], costs: &'a [u8]) -> Ladder<'a> {
        Ladder {
            four,
            moved: doings.iter().map(|doing| four.moved(&doing.effect)).collect(),
            doings,
            costs,
        }
    }

    /// The cheapest ways to a goal, by the numbers of their doings; at most `most` of them. None if no way leads there.
    pub(super) fn ways(&self, cubies: &Cubies, most: usize) -> Vec<Vec<u16>> {
        let lie = self.four.on(cubies);
        let least = self.costs[number(lie)];
        let mut ways = Vec::new();
        if least != NEVER {
            self.climb(lie, usize::from(least), &mut Vec::new(), most, &mut ways);
        }
        ways
    }

    /// Ways of exactly so many turns.
    fn climb(&self, lie: Lie4, left: usize, path: &mut Vec<u16>, most: usize, ways: &mut Vec<Vec<u16>>) {
        let least = usize::from(self.costs[number(lie)]);
        if ways.len() >= most || least > left {
            return;
        }
        if left == 0 {
            ways.push(path.clone());
            return;
        }
        for (number, doing) in self.doings.iter().enumerate() {
            if doing.turns.len() <= left {
                let next = lie.map(|one| self.moved[number][usize::from(one)]);
                path.push(number as u16);
                self.climb(next, left - doing.turns.len(), path, most, ways);
                path.pop();
            }
        }
    }
}
