//! The second phase: all t-centres and x-centres come onto their axes, and the wings' permutation becomes even, because
//! the turns that are left then cannot change its sign.

use super::edges::Edges;
use super::turns::turns;
use crate::cube::{Face, OrbitKind, State, Symmetry, Turn, is_odd};
use crate::progress::Progress;
use crate::search::{Cells, Group, Pair, Phase, Plain, Reduced, SetMap, Subsets, distance_by_walk};
use crate::solve::phase_table::{PhaseTable, where_built};
use crate::solve::reduction::Stage;
use crate::solve::words;
use crate::tables::{Contradiction, Store, Table, TableError, Task, Width};

/// Ways to choose eight of the sixteen cells of U, D, F and B.
const HALVES: usize = 12_870;

/// The cells of U and D.
const GOAL: u32 = 0xff;
/// The cells of U, D, F and B.
const CELLS: u32 = 0xffff;

/// The turns that keep the centres of R and L on their axis and move others.
fn turns2() -> Vec<Turn> {
    turns(|t| match (t.face.axis(), t.last) {
        (0, width) => width == 2,
        (_, width) => width == 1 || t.quarters == 2,
    })
}

/// The numbers by which the second phase describes a cube, and what turns do to them.
pub(super) struct Coordinates2 {
    /// T-centres, then x-centres.
    centres: [Cells; 2],
    edges: Edges,
    /// The turns and the 16 symmetries that keep the axis of R and L.
    group: Group,
    /// By orbit and turn.
    turned: [Vec<SetMap>; 2],
    /// By orbit and symmetry.
    moved: [Vec<SetMap>; 2],
    /// By symmetry: all cells if it exchanges the axis of U and D with that of F and B, so that the other cells belong to U
    /// and D; else none.
    exchanged: Vec<u32>,
    /// Whether a turn is an odd permutation of wings.
    odd: Vec<bool>,
    subsets: Subsets,
    t: Reduced,
}

impl Coordinates2 {
    /// Fills all tables.
    pub fn new() -> Coordinates2 {
        let centres =
            [OrbitKind::TCentre { layer: 2 }, OrbitKind::XCentre { layer: 2 }].map(|kind| Cells::new(5, kind));
        let edges = Edges::new();
        let group = Group::new(turns2(), |s| s.face(Face::R).axis() == 0);
        let subsets = Subsets::new(16, 8);
        let of = |symmetries: bool| {
            [0, 1].map(|orbit: usize| -> Vec<SetMap> {
                let cells = &centres[orbit];
                if symmetries {
                    group
                        .symmetries()
                        .iter()
                        .map(|&s| SetMap::new(&cells.moved(s)))
                        .collect()
                } else {
                    group.turns().iter().map(|&t| SetMap::new(&cells.turned(t))).collect()
                }
            })
        };
        let (turned, moved) = (of(false), of(true));
        let exchanges = |s: &Symmetry| if s.face(Face::U).axis() == 1 { 0 } else { CELLS };
        let exchanged: Vec<u32> = group.symmetries().iter().map(exchanges).collect();
        let t = Reduced::new(
            &group,
            HALVES,
            |value| subsets.unrank(value),
            |&set, t| subsets.rank(turned[0][t].apply(set)),
            |&set, s| subsets.rank(moved[0][s].apply(set) ^ exchanged[s]),
        );
        Coordinates2 {
            odd: group
                .turns()
                .iter()
                .map(|&t| is_odd(&edges.cells().turned(t)))
                .collect(),
            centres,
            edges,
            turned,
            moved,
            exchanged,
            subsets,
            t,
            group,
        }
    }

    /// Finds the distances of all nodes.
    pub fn all(&self, task: &mut Task) {
        let set = |value: usize| (self.subsets.unrank(value >> 1), value & 1);
        let x = Plain::new(
            &self.group,
            2 * HALVES,
            set,
            |&(set, odd), t| self.subsets.rank(self.turned[1][t].apply(set)) << 1 | (odd ^ usize::from(self.odd[t])),
            |&(set, odd), s| self.subsets.rank(self.moved[1][s].apply(set) ^ self.exchanged[s]) << 1 | odd,
        );
        let goal = self.subsets.rank(GOAL);
        let pair = Pair {
            group: &self.group,
            reduced: &self.t,
            plain: &x,
            goals: vec![(goal, goal << 1)],
        };
        task.explore(&pair);
    }

    #[inline]
    fn entry(&self, node: &Node2) -> usize {
        let (class, s) = self.t.split(self.t.of(self.subsets.rank(node.t as u32)));
        let back = self.group.inverse(s);
        let x = self.moved[1][back].apply(node.x as u32) ^ self.exchanged[back];
        (class * HALVES + self.subsets.rank(x)) << 1 | usize::from(node.odd)
    }
}

/// A cube as the second phase sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node2 {
    /// Cells of the t-centres that belong to U and D.
    t: u16,
    /// Cells of such x-centres.
    x: u16,
    /// Whether the permutation of wings is odd.
    odd: bool,
    distance: u8,
}

impl Node2 {
    /// Whether it is the goal, without asking the table.
    fn is_home(&self) -> bool {
        (u32::from(self.t), u32::from(self.x), self.odd) == (GOAL, GOAL, false)
    }
}

/// Distances of all nodes.
pub(super) static ALL: PhaseTable = PhaseTable {
    explore: where_built(|task| Coordinates2::new().all(task)),
    ..PhaseTable::new(5, "5x5x5-2-centres", Width::Mod3, 949 * 2 * HALVES, [0.1, 5.0])
};

/// The second phase with its table.
pub(crate) struct Phase2 {
    coordinates: Coordinates2,
    all: Table,
}

impl Phase2 {
    /// Opens the table.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Phase2, TableError> {
        Ok(Phase2 {
            coordinates: Coordinates2::new(),
            all: store.open_or_build(&ALL, progress)?,
        })
    }

    #[inline]
    fn turned(&self, node: &Node2, turn: usize) -> Node2 {
        let coordinates = &self.coordinates;
        Node2 {
            t: coordinates.turned[0][turn].apply(node.t as u32) as u16,
            x: coordinates.turned[1][turn].apply(node.x as u32) as u16,
            odd: node.odd ^ coordinates.odd[turn],
            distance: node.distance,
        }
    }
}

impl Stage for Phase2 {
    fn name(&self) -> &'static str {
        words::ALL_AXES
    }

    /// The one node of a state that the first phase has brought to its goal.
    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Node2, ())) -> Result<(), Contradiction> {
        let coordinates = &self.coordinates;
        let [t, x] = [0, 1].map(|orbit: usize| coordinates.centres[orbit].of_axis(state, 1));
        if (t | x) & !CELLS != 0 {
            return Ok(());
        }
        let node = Node2 {
            t: t as u16,
            x: x as u16,
            odd: is_odd(&coordinates.edges.cells().pieces(state)),
            distance: 0,
        };
        let distance = distance_by_walk(
            node,
            coordinates.group.turns().len(),
            |node, t| self.turned(node, t),
            |node| Table::mod3(self.all.payload(), coordinates.entry(node)),
            Node2::is_home,
        );
        let table = ALL.name();
        let distance = distance.map_err(|what| Contradiction { table, what })?;
        push(Symmetry::IDENTITY, Node2 { distance, ..node }, ());
        Ok(())
    }
}

impl Phase for Phase2 {
    type Node = Node2;
    type Root = ();

    fn turns(&self) -> &[Turn] {
        self.coordinates.group.turns()
    }

    #[inline]
    fn child(&self, node: &Node2, turn: usize) -> Node2 {
        let child = self.turned(node, turn);
        let distance = Table::beside(self.all.payload(), self.coordinates.entry(&child), node.distance);
        Node2 { distance, ..child }
    }

    #[inline]
    fn bound(&self, node: &Node2) -> u32 {
        node.distance as u32
    }

    fn denied(&self, goal: &Node2) -> Option<&'static str> {
        (!goal.is_home()).then(|| ALL.name())
    }
}
