//! The first phase: the t-centres and x-centres of one axis on its two faces.

use super::turns::turns;
use crate::cube::{Face, OrbitKind, State, Symmetry, Turn};
use crate::progress::Progress;
use crate::search::{Around, Cells, NearTable, Phase, Ranked, Screen, SetMap, Sets, Subsets, Within, mixed};
use crate::solve::phase_table::{PhaseTable, where_built};
use crate::solve::reduction::Stage;
use crate::solve::words;
use crate::sure::surely;
use crate::tables::{Contradiction, Store, Table, TableError, Task, Width};

/// The cells of R and L, as a set.
const GOAL: u32 = 0xff_0000;
/// Ways to choose eight of 24 cells.
const SETS: usize = 735_471;

/// The numbers by which the first phase describes a cube, and what turns do to them.
pub(super) struct Coordinates1 {
    /// T-centres, then x-centres.
    centres: [Cells; 2],
    turns: Vec<Turn>,
    /// By turn: the number of the block that it turns, and how many quarters.
    steps: Vec<[u8; 2]>,
    /// What a quarter turn of a block makes of a set of cells, by orbit and block. Those of all turns do not fit a brick's cache.
    quarters: [Vec<SetMap>; 2],
    /// What the 16 symmetries that keep the axis of R and L make of a set, by orbit and symmetry.
    moved: [Vec<SetMap>; 2],
    /// By the t-centres' cells on R and L: the symmetries, a bit each, that make of these the least set. They are a set's highest bits, so the
    /// least image of a node is by one of them.
    least: Vec<u16>,
    subsets: Subsets,
}

/// A set of cells that is turned by one turn after another. Turns of one block go on from each other.
struct TurnedSet {
    still: u32,
    block: u8,
    quarters: u8,
    set: u32,
}

impl TurnedSet {
    fn of(still: u32) -> TurnedSet {
        let (block, quarters, set) = (0, 0, still);
        TurnedSet {
            still,
            block,
            quarters,
            set,
        }
    }

    /// The set after a turn of a block by some quarters.
    #[inline]
    fn by(&mut self, blocks: &[SetMap], [block, quarters]: [u8; 2]) -> u32 {
        if block != self.block || quarters < self.quarters {
            (self.block, self.quarters, self.set) = (block, 0, self.still);
        }
        while self.quarters < quarters {
            self.set = blocks[usize::from(block)].apply(self.set);
            self.quarters += 1;
        }
        self.set
    }
}

/// Where the cells of R and L begin.
const SIDES: u32 = 16;

/// The table of near nodes holds all nodes within so many turns of the goal.
const NEAR: u8 = 6;
/// Slots of that table.
const SLOTS: usize = 1 << 21;
/// Its bytes.
const NEAR_BYTES: usize = 2 * SLOTS;

impl Coordinates1 {
    /// Fills all tables.
    pub fn new() -> Coordinates1 {
        let centres =
            [OrbitKind::TCentre { layer: 2 }, OrbitKind::XCentre { layer: 2 }].map(|kind| Cells::new(5, kind));
        let turns = turns(|_| true);
        let once: Vec<Turn> = turns.iter().copied().filter(|turn| turn.quarters == 1).collect();
        let block = |turn: &Turn| surely(once.iter().position(|b| (b.face, b.last) == (turn.face, turn.last)));
        let maps = |orbit: usize| once.iter().map(|&t| SetMap::new(&centres[orbit].turned(t))).collect();
        let keep: Vec<Symmetry> = Symmetry::all()
            .into_iter()
            .filter(|s| s.face(Face::R).axis() == 0)
            .collect();
        let moved = |orbit: usize| keep.iter().map(|&s| SetMap::new(&centres[orbit].moved(s))).collect();
        let moved: [Vec<SetMap>; 2] = [moved(0), moved(1)];
        let least = |sides: u32| {
            let images: Vec<u32> = moved[0].iter().map(|map| map.apply(sides << SIDES)).collect();
            let is_least = |i: usize| images.iter().all(|&image| images[i] <= image);
            (0..images.len()).fold(0, |set, i| set | u16::from(is_least(i)) << i)
        };
        Coordinates1 {
            steps: turns.iter().map(|turn| [block(turn) as u8, turn.quarters]).collect(),
            quarters: [maps(0), maps(1)],
            least: (0..1 << (24 - SIDES)).map(least).collect(),
            moved,
            subsets: Subsets::new(24, 8),
            centres,
            turns,
        }
    }

    /// Distances of t-centres (`orbit` 0) or x-centres (1).
    pub fn orbit(&self, orbit: usize, task: &mut Task) {
        let sets = Sets {
            subsets: self.subsets.clone(),
            turns: self
                .turns
                .iter()
                .map(|&t| SetMap::new(&self.centres[orbit].turned(t)))
                .collect(),
            goals: vec![GOAL],
        };
        task.explore(&sets);
    }

    /// The node that stands for all nodes that are equal up to symmetry.
    fn canonical(&self, node: &Node1) -> Node1 {
        let mut least = Node1 {
            t: u32::MAX,
            x: u32::MAX,
        };
        let mut symmetries = self.least[(node.t >> SIDES) as usize];
        while symmetries != 0 {
            let s = symmetries.trailing_zeros() as usize;
            symmetries &= symmetries - 1;
            let t = self.moved[0][s].apply(node.t);
            if t <= least.t {
                let x = self.moved[1][s].apply(node.x);
                if t < least.t || x < least.x {
                    least = Node1 { t, x };
                }
            }
        }
        least
    }

    fn turned(&self, node: &Node1, turn: usize) -> Node1 {
        let step = self.steps[turn];
        let [t, x] = &self.quarters;
        Node1 {
            t: TurnedSet::of(node.t).by(t, step),
            x: TurnedSet::of(node.x).by(x, step),
        }
    }

    /// Finds all nodes near the goal, as the bytes of a [`NearTable`]. The histogram counts classes of symmetric nodes.
    pub fn near(&self, task: &mut Task) {
        let around = Around {
            goals: vec![Node1 { t: GOAL, x: GOAL }],
            turns: self.turns.len(),
            child: &|node, turn| self.turned(node, turn),
            images: &|node, see| see(node),
            hash: &|node| self.hash(node),
        };
        around.explore(NEAR, SLOTS, task);
    }

    #[inline]
    fn hash(&self, node: &Node1) -> u64 {
        let Node1 { t, x } = self.canonical(node);
        mixed(t as u64, x as u64)
    }
}

/// A cube as the first phase sees it: the cells of the t-centres and x-centres that belong to R and L.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Node1 {
    t: u32,
    x: u32,
}

/// Distances of t-centres.
pub(super) static T_CENTRES: PhaseTable = PhaseTable {
    explore: where_built(|task| Coordinates1::new().orbit(0, task)),
    ..PhaseTable::new(5, "5x5x5-1-t-centres", Width::Nibble, SETS, [0.01, 0.1])
};

/// Distances of x-centres.
pub(super) static X_CENTRES: PhaseTable = PhaseTable {
    explore: where_built(|task| Coordinates1::new().orbit(1, task)),
    ..PhaseTable::new(5, "5x5x5-1-x-centres", Width::Nibble, SETS, [0.01, 0.1])
};

/// Distances of all nodes near the goal.
pub(super) static NEARBY: PhaseTable = PhaseTable {
    near: Some(NEAR),
    explore: where_built(|task| Coordinates1::new().near(task)),
    ..PhaseTable::new(5, "5x5x5-1-near", Width::Byte, NEAR_BYTES, [0.5, 0.0])
};

/// The first phase with its tables.
pub(crate) struct Phase1 {
    coordinates: Coordinates1,
    t: Table,
    x: Table,
    near: Table,
}

impl Phase1 {
    /// Opens the tables.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Phase1, TableError> {
        Ok(Phase1 {
            coordinates: Coordinates1::new(),
            t: store.open_or_build(&T_CENTRES, progress)?,
            x: store.open_or_build(&X_CENTRES, progress)?,
            near: store.open_or_build(&NEARBY, progress)?,
        })
    }

    /// The distance of a node to the goal, if it is near; none otherwise. `most` is the larger distance of its two orbits.
    #[inline]
    fn near_distance(&self, node: &Node1, most: u32) -> Option<u32> {
        // Where both orbits are at distance 0, the node is the goal.
        if most == 0 || most > NEAR as u32 {
            return (most == 0).then_some(0);
        }
        let near = NearTable::new(self.near.payload()).distance(self.coordinates.hash(node));
        near.map(|near| most.max(near as u32))
    }

    /// Distances to the goal of t-centres and of x-centres.
    #[inline]
    pub(super) fn distances(&self, node: &Node1) -> [u32; 2] {
        [self.t_distance(node.t), self.x_distance(node.x)]
    }

    #[inline]
    fn t_distance(&self, t: u32) -> u32 {
        Table::nibble(self.t.payload(), self.coordinates.subsets.rank(t)) as u32
    }

    #[inline]
    fn x_distance(&self, x: u32) -> u32 {
        Table::nibble(self.x.payload(), self.coordinates.subsets.rank(x)) as u32
    }

    /// The estimate of a node whose distances are known.
    #[inline]
    fn ranked(&self, node: &Node1, [t, x]: [u32; 2]) -> u32 {
        let near = self.near_distance(node, t.max(x));
        near.map_or(8 * (t + x).max(NEAR as u32 + 1), |near| 8 * near)
    }
}

/// In eighths of a turn, see [`Phase1::estimates`]: the turns of a phase get hardly longer (n = 96, the whole solution by 0.07 ± 0.1 turns), and
/// three of five nodes are not looked up. With 0 solutions get 0.3 turns longer.
pub(super) const BEYOND: u32 = 8;

/// Three ways to hold a cube: each brings another axis to where that of R and L is.
pub(super) fn axes() -> [Symmetry; 3] {
    let once = Symmetry::turning(Face::U, 1).then(Symmetry::turning(Face::R, 1));
    [Symmetry::IDENTITY, once, once.then(once)]
}

impl Stage for Phase1 {
    fn name(&self) -> &'static str {
        words::FIRST_AXIS
    }

    /// The nodes of a state whose fixed centres are at home, with each of the three axes held as that of R and L.
    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Node1, ())) -> Result<(), Contradiction> {
        for held in axes() {
            let seen = state.held(held);
            let [t, x] = [0, 1].map(|orbit: usize| self.coordinates.centres[orbit].of_axis(&seen, 0));
            push(held, Node1 { t, x }, ());
        }
        Ok(())
    }
}

impl Phase for Phase1 {
    type Node = Node1;
    type Root = ();

    fn turns(&self) -> &[Turn] {
        &self.coordinates.turns
    }

    #[inline]
    fn child(&self, node: &Node1, turn: usize) -> Node1 {
        self.coordinates.turned(node, turn)
    }

    #[inline]
    fn bound(&self, node: &Node1) -> u32 {
        let [t, x] = self.distances(node);
        let most = t.max(x);
        self.near_distance(node, most).unwrap_or(most.max(NEAR as u32 + 1))
    }

    fn denied(&self, goal: &Node1) -> Option<&'static str> {
        let wrong = [(goal.t, &T_CENTRES), (goal.x, &X_CENTRES)];
        wrong
            .iter()
            .find(|(set, _)| *set != GOAL)
            .map(|(_, table)| table.name())
    }

    #[inline]
    fn within(&self, node: &Node1, turn: usize, remaining: u32) -> Within<Node1> {
        let child = self.child(node, turn);
        let [t, x] = self.distances(&child);
        let most = t.max(x);
        let bound = if remaining > NEAR as u32 || most > remaining {
            most
        } else {
            self.near_distance(&child, most).unwrap_or(NEAR as u32 + 1)
        };
        Within::beyond(bound, remaining).unwrap_or(Within::Yes(child))
    }
}

impl Ranked for Phase1 {
    #[inline]
    fn estimate(&self, node: &Node1) -> u32 {
        self.ranked(node, self.distances(node))
    }

    fn estimates(&self, node: &Node1, turns: &[u8], screen: &mut Screen, mut show: impl FnMut(u8, u32)) {
        let coordinates = &self.coordinates;
        let [by_t, by_x] = &coordinates.quarters;
        // What seems farther by both distances than this is hardly ever near, and is not looked up.
        let most = screen.most().saturating_add(BEYOND);
        // A turn changes each distance by one at most.
        let least_x = self.x_distance(node.x).saturating_sub(1);
        let (mut t, mut x) = (TurnedSet::of(node.t), TurnedSet::of(node.x));
        for &turn in turns {
            let step = coordinates.steps[usize::from(turn)];
            let t = t.by(by_t, step);
            let t_distance = self.t_distance(t);
            if 8 * (t_distance + least_x) > most {
                continue;
            }
            let x = x.by(by_x, step);
            let x_distance = self.x_distance(x);
            if 8 * (t_distance + x_distance) > most {
                continue;
            }
            let estimate = self.ranked(&Node1 { t, x }, [t_distance, x_distance]);
            if estimate <= screen.most() {
                show(turn, estimate);
            }
        }
    }

    fn key(&self, node: &Node1) -> u64 {
        node.t as u64 | (node.x as u64) << 24
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Quiet;
    use proptest::prelude::*;
    use std::collections::{HashMap, HashSet};
    use std::sync::LazyLock;

    static COORDINATES: LazyLock<Coordinates1> = LazyLock::new(Coordinates1::new);

    proptest! {
        #[test]
        fn what_stands_for_a_node_is_its_least_image(turns in prop::collection::vec(0usize..36, 0..12)) {
            let goal = Node1 { t: GOAL, x: GOAL };
            let node = turns.into_iter().fold(goal, |node, turn| COORDINATES.turned(&node, turn));
            let [t, x] = &COORDINATES.moved;
            let images = t.iter().zip(x).map(|(t, x)| (t.apply(node.t), x.apply(node.x)));
            let Node1 { t, x } = COORDINATES.canonical(&node);
            prop_assert_eq!(Some((t, x)), images.min());
        }
    }

    #[test]
    fn classes_of_what_is_near_are_orbits() {
        let coordinates = Coordinates1::new();
        let goal = Node1 { t: GOAL, x: GOAL };
        let mut seen = HashSet::from([(GOAL, GOAL)]);
        let mut layer = vec![goal];
        let mut classes = Vec::new();
        for _ in 0..5 {
            let mut sizes: HashMap<u64, usize> = HashMap::new();
            for node in &layer {
                *sizes.entry(coordinates.hash(node)).or_default() += 1;
            }
            assert!(sizes.values().all(|size| 16 % size == 0));
            classes.push(sizes.len() as u64);
            let children = layer
                .iter()
                .flat_map(|node| (0..36).map(|t| coordinates.turned(node, t)));
            layer = children.filter(|child| seen.insert((child.t, child.x))).collect();
        }
        let mut task = Task::find(&Quiet);
        coordinates.near(&mut task);
        let near = task.depths().unwrap();
        assert_eq!(classes, near.histogram[..5]);
    }
}
