//! The centre orbits of a cube of any size, all together: three phases that differ in which cells they look at, and in
//! the turns that keep what the phases before have done.
//!
//! A node is a set of cells for every orbit. What an orbit sees of a turn depends on its two layers only by whether the
//! turn is as wide, so that all orbits of all sizes share a few maps of sets, which fit the brick's cache.

mod course;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::patterns::{self, Laid};
use super::scope::{Part, Scope};
use super::wings::Wings;
use crate::cube::{Face, Square, State, Symmetry, Turn, all_turns};
use crate::search::{
    Cells, Course, Guided, Limits, Meter, Patterns, Phase, Ranked, Screen, SetMap, UNITS, guided, guided_ahead,
};
use crate::solve::reduction::{Candidate, Stage, advance_beam, is_done, promise};
use crate::tables::Table;

/// A cube as a phase sees it: fewer than `K` orbits, the rest of the array is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node<const K: usize> {
    /// A set of cells for every orbit, and behind the last a bit for every layer from 2 whose wings' permutation is
    /// odd.
    pub sets: [u32; K],
}

/// What a turn does to a node.
struct Effect<const K: usize> {
    /// Which map every orbit's set goes through.
    maps: [u16; K],
    /// Layers whose wings' permutation changes its sign.
    odd: u32,
}

/// A phase without its weights.
pub(super) struct Look<const K: usize> {
    scope: Scope,
    orbits: Vec<Cells>,
    /// The wings of the layers looked at.
    wings: Wings,
    turns: Vec<Turn>,
    maps: Vec<SetMap>,
    effects: Vec<Effect<K>>,
    /// Orbits that are to agree, and where the cells of the first are among the second's.
    blocks: Vec<(usize, usize, SetMap)>,
}

impl<const K: usize> Look<K> {
    /// A phase that looks at fewer than `K` orbits.
    pub fn new(scope: Scope) -> Look<K> {
        let (n, part, kinds) = (scope.n, scope.part, scope.orbits());
        let orbits: Vec<Cells> = kinds.iter().map(|&kind| Cells::new(n, kind)).collect();
        let turns: Vec<Turn> = all_turns(n).into_iter().filter(|turn| part.keeps(turn)).collect();
        let mut distinct: Vec<[u8; 24]> = Vec::new();
        let wings = Wings::new(n, |layer| scope.has(layer));
        let effects = turns.iter().map(|&turn| {
            let mut maps = [0; K];
            for (map, cells) in maps.iter_mut().zip(&orbits) {
                let to = cells.turned(turn);
                let number = distinct.iter().position(|known| *known == to).unwrap_or_else(|| {
                    distinct.push(to);
                    distinct.len() - 1
                });
                *map = number as u16;
            }
            Effect {
                maps,
                odd: wings.changed(turn),
            }
        });
        let effects = effects.collect();
        let blocks = if part == Part::Blocks {
            patterns::blocks(n, &kinds, &orbits)
        } else {
            Vec::new()
        };
        Look {
            effects,
            maps: distinct.iter().map(SetMap::new).collect(),
            blocks: blocks
                .into_iter()
                .map(|(a, b, map)| (a, b, SetMap::new(&map)))
                .collect(),
            orbits,
            wings,
            turns,
            scope,
        }
    }

    /// What the guide of this phase looks at.
    pub fn laid(&self) -> Laid {
        Laid::new(&self.scope, &self.orbits)
    }

    /// The cells of every orbit where `holds` holds.
    fn sets(&self, holds: impl Fn(Square) -> bool) -> [u32; K] {
        let mut sets = [0; K];
        for (set, cells) in sets.iter_mut().zip(&self.orbits) {
            *set = cells.set(&holds);
        }
        sets
    }

    fn node(&self, mut sets: [u32; K], odd: u32) -> Node<K> {
        sets[self.orbits.len()] = odd;
        Node { sets }
    }

    #[inline]
    fn at_goal(&self, node: &Node<K>) -> bool {
        let sets = &node.sets[..self.orbits.len()];
        match self.scope.part {
            Part::Axis => sets.iter().all(|&set| set == self.scope.part.goal()),
            Part::Axes => node.sets[self.orbits.len()] == 0 && sets.iter().all(|&set| set == self.scope.part.goal()),
            Part::Blocks => self.blocks.iter().all(|(a, b, map)| map.apply(sets[*a]) == sets[*b]),
        }
    }

    /// The ways to hold a cube so that the colours of one axis are those of x.
    fn axes() -> [Symmetry; 3] {
        [0, 1, 2].map(|axis| {
            let fits = |s: &Symmetry| s.face(Face::at(axis, 1)) == Face::R;
            Symmetry::rotations()
                .into_iter()
                .find(fits)
                .unwrap_or(Symmetry::IDENTITY)
        })
    }
}

impl<const K: usize> Phase for Look<K> {
    type Node = Node<K>;
    type Root = ();

    fn turns(&self) -> &[Turn] {
        &self.turns
    }

    #[inline]
    fn child(&self, node: &Node<K>, turn: usize) -> Node<K> {
        let effect = &self.effects[turn];
        let mut sets = [0; K];
        let orbits = sets
            .iter_mut()
            .zip(&node.sets)
            .zip(&effect.maps)
            .take(self.orbits.len());
        for ((set, before), &map) in orbits {
            *set = self.maps[map as usize].apply(*before);
        }
        let odd = self.orbits.len();
        sets[odd] = node.sets[odd] ^ effect.odd;
        Node { sets }
    }

    fn bound(&self, node: &Node<K>) -> u32 {
        u32::from(!self.at_goal(node))
    }
}

impl<const K: usize> Ranked for Look<K> {
    fn estimate(&self, node: &Node<K>) -> u32 {
        8 * self.bound(node)
    }

    fn key(&self, node: &Node<K>) -> u64 {
        let sets = node.sets[..=self.orbits.len()].iter();
        sets.fold(0, |key, &set| {
            (key ^ u64::from(set))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
        })
    }
}

impl<const K: usize> Stage for Look<K> {
    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Node<K>, ())) {
        let odd = self.wings.odd(state);
        match self.scope.part {
            Part::Axis => {
                for hold in Self::axes() {
                    let held = state.held(hold);
                    let sets = self.sets(|square| held.colour(square).axis() == 0);
                    push(hold, self.node(sets, odd), ());
                }
            }
            Part::Axes => {
                // Without fixed centres the colours of y may as well come onto z.
                for axis in 1..=1 + usize::from(self.scope.n.is_multiple_of(2)) {
                    let sets = self.sets(|square| state.colour(square).axis() == axis);
                    push(Symmetry::IDENTITY, self.node(sets, odd), ());
                }
            }
            Part::Blocks => {
                let first = [0, 1, 2].map(|axis| {
                    let on = |square: &Square| square.face.axis() == axis;
                    let cells = (0..24).map(|cell| self.orbits[0].place(cell)[0]);
                    cells.filter(on).map(|square| state.colour(square)).min()
                });
                let sets = self.sets(|square| Some(state.colour(square)) == first[square.face.axis()]);
                push(Symmetry::IDENTITY, self.node(sets, 0), ());
            }
        }
    }
}

/// A phase with the weights of its guide.
pub(super) struct Centres<const K: usize> {
    look: Look<K>,
    patterns: Patterns,
    weights: Table,
}

impl<const K: usize> Centres<K> {
    /// A phase that looks at fewer than `K` orbits.
    pub fn new(scope: Scope, weights: Table) -> Centres<K> {
        let look = Look::new(scope);
        let mut patterns = look.laid().patterns;
        let goal = look.goal(&mut ChaCha8Rng::seed_from_u64(1));
        patterns.measure_from(weights.payload(), &goal.sets);
        Centres {
            look,
            patterns,
            weights,
        }
    }
}

impl<const K: usize> Guided for Centres<K> {
    type Weight = u8;
    type Sum = u32;

    fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    fn sets<'a>(&self, node: &'a Node<K>) -> &'a [u32] {
        &node.sets
    }

    fn weights(&self) -> &[u8] {
        self.weights.payload()
    }

    #[inline]
    fn value(&self, sums: &[u32]) -> u32 {
        (self.patterns.guess(sums) * 8 / UNITS).max(1)
    }
}

impl<const K: usize> Phase for Centres<K> {
    type Node = Node<K>;
    type Root = ();

    fn turns(&self) -> &[Turn] {
        self.look.turns()
    }

    #[inline]
    fn child(&self, node: &Node<K>, turn: usize) -> Node<K> {
        self.look.child(node, turn)
    }

    fn bound(&self, node: &Node<K>) -> u32 {
        self.look.bound(node)
    }
}

impl<const K: usize> Ranked for Centres<K> {
    fn estimate(&self, node: &Node<K>) -> u32 {
        guided(self, node)
    }

    fn estimates(&self, node: &Node<K>, turns: &[u8], screen: &mut Screen, show: impl FnMut(u8, u32)) {
        guided_ahead(self, node, turns, Some(screen), show);
    }

    fn key(&self, node: &Node<K>) -> u64 {
        self.look.key(node)
    }
}

impl<const K: usize> Stage for Centres<K> {
    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Node<K>, ())) {
        self.look.starts(state, push);
    }
}

/// A stage of a centre phase, however many orbits it looks at.
pub(super) trait Centring: Send + Sync {
    /// How many turns keep what the phases before have done.
    fn turns(&self) -> usize;
    /// Brings cubes to the goal, or near it.
    fn advance(&self, from: &[Candidate], limits: Limits, meter: &mut Meter) -> Vec<Candidate>;
    /// Whether a cube is at the goal.
    fn is_done(&self, cube: &Candidate) -> bool;
    /// What a cube has cost so far and how far the goal seems to be, in eighths of a turn.
    fn promise(&self, cube: &Candidate) -> u32;
}

impl<const K: usize> Centring for Centres<K> {
    fn turns(&self) -> usize {
        self.look.turns.len()
    }

    fn advance(&self, from: &[Candidate], limits: Limits, meter: &mut Meter) -> Vec<Candidate> {
        advance_beam(self, from, limits, limits.width, meter)
    }

    fn is_done(&self, cube: &Candidate) -> bool {
        is_done(self, cube)
    }

    fn promise(&self, cube: &Candidate) -> u32 {
        promise(self, cube)
    }
}

/// A stage with the weights of its guide. Nodes of few orbits are small: those of the sizes that machines turn. The most
/// orbits are the 56 of a 17x17x17.
pub(super) fn centring(scope: Scope, weights: Table) -> Box<dyn Centring> {
    if scope.orbits().len() < 8 {
        Box::new(Centres::<8>::new(scope, weights))
    } else {
        Box::new(Centres::<57>::new(scope, weights))
    }
}

#[cfg(test)]
mod tests;
