//! What guides of the centre phases learn from: goals, and cubes to solve.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{Look, Node};
use crate::cube::{State, random_turns};
use crate::search::{Course, Phase};
use crate::solve::big::scope::{Part, Scope};
use crate::solve::big::wings::Wings;
use crate::solve::reduction::Stage;

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
