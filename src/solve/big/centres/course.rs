//! What guides of the centre phases learn from: goals, and cubes to solve.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{Node, Place, Unguided};
use crate::cube::{OrbitKind, State, Symmetry, random_turns};
use crate::search::{Course, Image, Net, Phase, Row};
use crate::solve::big::centre_stage::{CentrePhase, CentreStage};
use crate::solve::big::patterns::symmetries;
use crate::solve::big::wings::Wings;
use crate::solve::reduction::Stage;
use crate::sure::surely;

/// How many random sets are drawn: enough for all orbits of a 9x9x9, even where a stage looks at fewer.
const DRAWN: usize = 13;

/// A walk from a goal takes at most ten turns for each pair of layers, but not for more pairs than these: after more turns a cube is as good as
/// random, and beams that look at all pairs of a 10x10x10 from there are stuck mostly.
const PAIRS_FAR: usize = 3;

impl<const P: usize> Course for Unguided<P> {
    fn rows<'a>(&self, node: &'a Node<P>) -> &'a [Row] {
        &node.rows[..self.pairs()]
    }

    fn images(&self) -> Vec<Image> {
        let own = self.places.iter().filter(|place| place.pair == 0);
        let cells: Vec<(&Place, usize)> = own
            .filter_map(|place| Some((place, Net::cell(place.word, place.bit)?)))
            .collect();
        let image = |(by, inverted): (Symmetry, [bool; 6])| {
            let last = cells.iter().map(|&(_, cell)| cell).max().unwrap_or(0);
            let mut image: Image = (0..=last).map(|cell| (cell as u16, false)).collect();
            for &(place, cell) in &cells {
                let square = place.square.moved(self.stage.n, by);
                let (_, to) = surely(cells.iter().find(|(to, _)| to.square == square));
                // The faces of the first axis hold nothing that the second phase looks at.
                let is_seen = self.stage.phase != CentrePhase::Axes || place.square.face.axis() != 0;
                image[cell] = (*to as u16, is_seen && inverted[place.square.face as usize]);
            }
            image
        };
        symmetries(self.stage.phase).into_iter().map(image).collect()
    }

    fn goal(&self, rng: &mut ChaCha8Rng) -> Node<P> {
        self.of_sets(&self.goal_sets(rng), 0)
    }

    fn task(&self, rng: &mut ChaCha8Rng) -> Vec<Node<P>> {
        if self.pairs() > 1 {
            // What the stage before has done, or more.
            let stages = CentreStage::stages(self.stage.n, self.stage.phase);
            let led = stages.iter().rev().nth(1).map_or(1, |stage| stage.pairs.len());
            let done = rng.random_range(led..self.pairs());
            let before = CentreStage {
                pairs: self.stage.pairs[..done].to_vec(),
                ..self.stage.clone()
            };
            return vec![self.task_after(&before, rng)];
        }
        match self.stage.phase {
            CentrePhase::Axis => {
                let mut state = State::solved(self.stage.n);
                state.turn_all(&random_turns(self.stage.n, 30 * self.stage.n, rng));
                let mut starts = Vec::new();
                // Cannot fail: no table is read, so none can contradict itself.
                let _ = self.starts(&state, &mut |_, node, ()| starts.push(node));
                starts
            }
            CentrePhase::Axes => {
                let sets: [u32; DRAWN] = std::array::from_fn(|_| self.any(rng));
                let odd = rng.random::<u32>() & self.wings.mask();
                let other = sets.map(|set| set ^ 0xffff);
                let all = if self.stage.n.is_multiple_of(2) {
                    vec![sets, other]
                } else {
                    vec![sets]
                };
                all.into_iter().map(|sets| self.of_sets(&sets, odd)).collect()
            }
            CentrePhase::Blocks => {
                let sets: [u32; DRAWN] = std::array::from_fn(|_| self.any(rng));
                vec![self.of_sets(&sets, 0)]
            }
        }
    }
}

/// A random set of `count` of the first `of` cells.
fn some(count: u32, of: u32, rng: &mut ChaCha8Rng) -> u32 {
    let mut set = 0u32;
    while set.count_ones() < count {
        set |= 1 << rng.random_range(0..of);
    }
    set
}

impl<const P: usize> Unguided<P> {
    /// The node with one set of cells for every orbit.
    fn of_sets(&self, sets: &[u32], odd: u32) -> Node<P> {
        self.node(odd, |place| sets[usize::from(place.orbit)] >> place.cell & 1 == 1)
    }

    /// Sets of cells, one for every orbit, that are a goal.
    fn goal_sets(&self, rng: &mut ChaCha8Rng) -> Vec<u32> {
        let kinds = self.stage.orbits();
        if self.stage.phase != CentrePhase::Blocks {
            return vec![self.stage.phase.goal(); kinds.len()];
        }
        // Random blocks, in the corners and at the edges. The cell that the others of a block must agree with is in the same
        // word.
        let (corner, edge) = (self.halves(rng), self.halves(rng));
        let inner = self.stage.n as u8 / 2;
        let lead = |kind: &OrbitKind| match *kind {
            OrbitKind::XCentre { .. } => corner,
            OrbitKind::TCentre { layer } if layer == inner => edge,
            _ => 0,
        };
        let mut sets: Vec<u32> = kinds.iter().map(lead).collect();
        for place in &self.places {
            let four = match place.bit / 4 {
                0 | 6 => 1,
                4 | 5 => 3,
                own => own,
            };
            let is_lead =
                |lead: &&Place| (lead.pair, lead.word, lead.bit) == (place.pair, place.word, 4 * four + place.bit % 4);
            let lead = self.places.iter().find(is_lead);
            let holds = lead.is_some_and(|lead| sets[usize::from(lead.orbit)] >> lead.cell & 1 == 1);
            sets[usize::from(place.orbit)] |= u32::from(holds) << place.cell;
        }
        sets
    }

    /// A cube for which another stage is done, or one that is some random turns from the goal.
    fn task_after(&self, before: &CentreStage, rng: &mut ChaCha8Rng) -> Node<P> {
        let mut sets = self.goal_sets(rng);
        if rng.random() {
            let turns = rng.random_range(1..=10 * self.pairs().min(PAIRS_FAR));
            let goal = self.of_sets(&sets, 0);
            return (0..turns).fold(goal, |node, _| self.child(&node, rng.random_range(0..self.turns.len())));
        }
        let (done, all) = (before.orbits(), self.stage.orbits());
        for (set, _) in sets.iter_mut().zip(&all).filter(|(_, kind)| !done.contains(kind)) {
            *set = self.any(rng);
        }
        let new = |layer: u8| self.stage.has(layer) && !before.has(layer);
        let odd = if self.stage.phase == CentrePhase::Axes {
            rng.random::<u32>() & Wings::new(self.stage.n, new).mask()
        } else {
            0
        };
        self.of_sets(&sets, odd)
    }

    /// A random set of cells of an orbit, of all that the phases before can leave.
    fn any(&self, rng: &mut ChaCha8Rng) -> u32 {
        match self.stage.phase {
            CentrePhase::Axis => some(8, 24, rng),
            CentrePhase::Axes => some(8, 16, rng),
            CentrePhase::Blocks => self.halves(rng),
        }
    }

    /// A random set of four of the eight cells of each axis.
    fn halves(&self, rng: &mut ChaCha8Rng) -> u32 {
        (0..3).fold(0, |set, axis| set | some(4, 8, rng) << (8 * axis))
    }
}
