//! The centre orbits of a cube of any size, all together: three phases that differ in which cells they look at, and in
//! the turns that keep what the phases before have done.
//!
//! A node is a set of cells for every orbit. What an orbit sees of a turn depends on its two layers only by whether the
//! turn is as wide, so that all orbits of all sizes share a few maps of sets, which fit the brick's cache.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::patterns::{self, Laid};
use super::wings::Wings;
use crate::cube::{Face, OrbitKind, Square, State, Symmetry, Turn, all_turns, orbits, random_turns};
use crate::search::{Cells, Course, Guided, Patterns, Phase, Ranked, SetMap, UNITS, guided, guided_ahead};
use crate::solve::reduction::Stage;
use crate::tables::Table;

/// Which of the phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The centres of one axis onto that axis, here named x.
    Axis,
    /// The centres of the other two axes onto those, and the wings of every layer into an even permutation, which half
    /// turns keep.
    Axes,
    /// On every face the centres that the turns of the rings will not part again: in each corner those of the layers
    /// from the third on, and what meets the second; at each edge all t-centres. The x-centres of layer 2 are free: the
    /// last ring brings them in.
    Blocks,
}

impl Part {
    /// The phases in their order.
    pub const ALL: [Part; 3] = [Part::Axis, Part::Axes, Part::Blocks];

    /// The set of every orbit at the goal, in the order of [`Cells`].
    const fn goal(self) -> u32 {
        match self {
            Part::Axis => 0xff_0000,
            Part::Axes => 0x00_00ff,
            Part::Blocks => 0x0f_0f0f,
        }
    }

    /// Whether a turn keeps what was done before.
    fn keeps(self, turn: &Turn) -> bool {
        match self {
            Part::Axis => true,
            Part::Axes => turn.last == 1 || turn.quarters == 2 || turn.face.axis() == 0,
            Part::Blocks => turn.last == 1 || turn.quarters == 2,
        }
    }

    /// The centre orbits that it looks at in the end.
    pub fn orbits(self, n: usize) -> Vec<OrbitKind> {
        Scope::all(n, self).orbits()
    }
}

/// The part of a cube that a phase looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scope {
    /// The size of the cube.
    pub n: usize,
    /// The phase.
    pub part: Part,
    /// Pairs of layers, the outer one first: their x- and t-centres and the obliques of both.
    pub pairs: Vec<[usize; 2]>,
}

impl Scope {
    /// Everything that a phase brings to its goal.
    pub fn all(n: usize, part: Part) -> Scope {
        let pairs = if part == Part::Blocks {
            let inner = (2..n / 2).rev();
            inner.flat_map(|i| (i + 1..=n / 2).rev().map(move |j| [i, j])).collect()
        } else {
            let apart = 1..n / 2;
            apart
                .flat_map(|apart| (2..=n / 2 - apart).rev().map(move |i| [i, i + apart]))
                .collect()
        };
        Scope { n, part, pairs }
    }

    /// One pair of layers more at a time, in the order that proved best. All pairs of an 8x8x8 at once leave a beam stuck: of
    /// guides that all say 'far', their sum tells nothing.
    pub fn stages(n: usize, part: Part) -> Vec<Scope> {
        let all = Scope::all(n, part);
        let stage = |end| Scope {
            pairs: all.pairs[..end].to_vec(),
            ..all.clone()
        };
        (1..=all.pairs.len()).map(stage).collect()
    }

    /// Whether a layer is in one of the pairs.
    fn has(&self, layer: u8) -> bool {
        self.pairs.iter().flatten().any(|&l| l == usize::from(layer))
    }

    /// The orbits of centres.
    fn orbits(&self) -> Vec<OrbitKind> {
        let kinds = orbits(self.n).into_iter().map(|orbit| orbit.kind);
        let nearest = |line: u8| line.min(self.n as u8 + 1 - line);
        kinds
            .filter(|&kind| match kind {
                OrbitKind::XCentre { layer } => self.has(layer) && (self.part != Part::Blocks || layer > 2),
                OrbitKind::TCentre { layer } => self.has(layer),
                OrbitKind::Oblique { row, column } => {
                    let mut pair = [row, column].map(|line| usize::from(nearest(line)));
                    pair.sort();
                    self.pairs.contains(&pair)
                }
                _ => false,
            })
            .collect()
    }
}

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

impl<const K: usize> Course for Look<K> {
    fn sets<'a>(&self, node: &'a Node<K>) -> &'a [u32] {
        &node.sets
    }

    fn goal(&self, rng: &mut ChaCha8Rng) -> Node<K> {
        let mut sets = [self.scope.part.goal(); K];
        if self.scope.part == Part::Blocks {
            // Any that agree: corners one way, edges another.
            let (corner, edge) = (self.halves(rng), self.halves(rng));
            for (i, set) in sets.iter_mut().enumerate().take(self.orbits.len()) {
                let is_edge = self
                    .blocks
                    .iter()
                    .any(|&(a, b, _)| (a == i || b == i) && self.is_edge(b));
                *set = if is_edge { edge } else { corner };
            }
            for (a, b, map) in &self.blocks {
                let agrees = (0..24).filter(|&cell| map.apply(1 << cell) & sets[*b] != 0);
                sets[*a] = agrees.fold(0, |set, cell| set | 1 << cell);
            }
        }
        self.node(sets, 0)
    }

    fn task(&self, rng: &mut ChaCha8Rng) -> Vec<Node<K>> {
        let stages = Scope::stages(self.scope.n, self.scope.part);
        if let [.., before, _] = &stages[..] {
            return vec![self.task_after(before, rng)];
        }
        match self.scope.part {
            Part::Axis => {
                let mut state = State::solved(self.scope.n);
                state.turn_all(&random_turns(self.scope.n, 30 * self.scope.n, rng));
                let mut starts = Vec::new();
                self.starts(&state, &mut |_, node, ()| starts.push(node));
                starts
            }
            Part::Axes => {
                let sets = std::array::from_fn(|_| self.any(rng));
                let odd = rng.random::<u32>() & self.wings.mask();
                let other = sets.map(|set| set ^ 0xffff);
                let all = if self.scope.n.is_multiple_of(2) {
                    vec![sets, other]
                } else {
                    vec![sets]
                };
                all.into_iter().map(|sets| self.node(sets, odd)).collect()
            }
            Part::Blocks => {
                let sets = std::array::from_fn(|_| self.any(rng));
                vec![self.node(sets, 0)]
            }
        }
    }
}

/// A set of so many of the first cells.
fn some(count: u32, of: u32, rng: &mut ChaCha8Rng) -> u32 {
    let mut set = 0u32;
    while set.count_ones() < count {
        set |= 1 << rng.random_range(0..of);
    }
    set
}

impl<const K: usize> Look<K> {
    /// A cube for which all stages but the last are done, or one that is some turns from the goal.
    fn task_after(&self, before: &Scope, rng: &mut ChaCha8Rng) -> Node<K> {
        let mut node = self.goal(rng);
        if rng.random() {
            let turns = rng.random_range(1..=10 * self.scope.pairs.len());
            return (0..turns).fold(node, |node, _| self.child(&node, rng.random_range(0..self.turns.len())));
        }
        let (done, all) = (before.orbits(), self.scope.orbits());
        for (set, _) in node.sets.iter_mut().zip(&all).filter(|(_, kind)| !done.contains(kind)) {
            *set = self.any(rng);
        }
        let new = |layer: u8| self.scope.has(layer) && !before.has(layer);
        let odd = if self.scope.part == Part::Axes {
            rng.random::<u32>() & Wings::new(self.scope.n, new).mask()
        } else {
            0
        };
        self.node(node.sets, odd)
    }

    /// The cells of an orbit that is mixed in all ways that the phases before leave.
    fn any(&self, rng: &mut ChaCha8Rng) -> u32 {
        match self.scope.part {
            Part::Axis => some(8, 24, rng),
            Part::Axes => some(8, 16, rng),
            Part::Blocks => self.halves(rng),
        }
    }

    /// Four cells of each axis.
    fn halves(&self, rng: &mut ChaCha8Rng) -> u32 {
        (0..3).fold(0, |set, axis| set | some(4, 8, rng) << (8 * axis))
    }

    fn is_edge(&self, orbit: usize) -> bool {
        let square = self.orbits[orbit].place(0)[0];
        let (row, col) = square.row_col(self.scope.n);
        2 * row + 1 == self.scope.n || 2 * col + 1 == self.scope.n
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

    fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    fn sets<'a>(&self, node: &'a Node<K>) -> &'a [u32] {
        &node.sets
    }

    #[inline]
    fn weight(&self, number: usize) -> u8 {
        self.weights.payload()[number]
    }

    #[inline]
    fn value(&self, weights: &[u8]) -> u32 {
        (self.patterns.guess(weights) * 8 / UNITS).max(1)
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

    fn estimates(&self, node: &Node<K>, turns: &[u8], show: impl FnMut(u8, u32)) {
        guided_ahead(self, node, turns, show);
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

#[cfg(test)]
mod tests;
